"""`gl-code-quality-report.json`: open findings as a GitLab code quality report, shown in merge requests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from auditor.format import ci
from auditor.format.files import to_json, write_text
from auditor.model import Conflict, ScanResult, Side
from auditor.store import in_order

SEVERITIES = {"high": "major", "medium": "minor", "advisory": "info"}


class GitlabFormat:
    """Writes `gl-code-quality-report.json`; `prefix` is the folder of the corpus in the repository."""

    id = "gitlab"
    filename = "gl-code-quality-report.json"

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix

    def write(self, result: ScanResult, path: Path) -> None:
        """Write the report: a list, empty when there is nothing to say."""
        found = [_issue(conflict, self.prefix) for conflict in in_order(result.conflicts) if ci.is_open(conflict)]
        write_text(path, to_json(found, indent=1) + "\n")


def _issue(conflict: Conflict, prefix: str) -> dict[str, Any]:
    return {
        "type": "issue",
        "check_name": ci.rule_id(conflict.kind),
        "description": f"{ci.subject(conflict)}: {ci.claims(conflict)}. {ci.suggestion(conflict)}".strip(),
        "fingerprint": conflict.conflict_id,
        "severity": SEVERITIES.get(conflict.tier, "info"),
        "location": _location(conflict.a, prefix),
        "other_locations": [_location(conflict.b, prefix)],
    }


def _location(side: Side, prefix: str) -> dict[str, Any]:
    # A line is required: the first one where the format has none.
    first, last = ci.file_lines(side) or (1, 1)
    return {"path": ci.file_path(side.doc, prefix), "lines": {"begin": first, "end": last}}
