"""`conflicts.sarif`: open findings as SARIF 2.1.0, for code scanning and editors.

The first passage is the location of a result and the second a related location. Fingerprints are the conflict's identity, so a
finding stays the same when lines move. Findings that are decided are left out: most readers know no other way to close them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from auditor import __version__
from auditor.format import ci
from auditor.format.files import to_json, write_text
from auditor.format.text import clip, visible
from auditor.history import NEW, REOPENED, Comparison
from auditor.model import Conflict, DocumentRow, ScanResult, Side
from auditor.store import in_order, rounded

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"high": "error", "medium": "warning", "advisory": "note"}
LIMIT = 25_000
"""Most results of one run that GitHub takes; more, and it refuses the file."""

_SNIPPET = 900
_LINK = re.compile(r"[\\\[\]]")  # opens a link, also in plain text messages
_ADVICE = (
    "Read both passages. If they are about the same thing, bring the outdated one in line or say in it what it is limited to. "
    "If they are not, say so in the text, or describe the scope of the documents in audit.toml."
)


class SarifFormat:
    """Writes `conflicts.sarif`; `prefix` is the folder of the corpus in the repository."""

    id = "sarif"
    filename = "conflicts.sarif"

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix

    def write(self, result: ScanResult, path: Path) -> None:
        """Write the log."""
        write_text(path, to_json(sarif_log(result, self.prefix), indent=1) + "\n")


def sarif_log(result: ScanResult, prefix: str = "") -> dict[str, Any]:
    """The SARIF log: one run, one result for each open finding, one notification for each document that was not read."""
    conflicts = [conflict for conflict in in_order(result.conflicts) if ci.is_open(conflict)]
    kinds = [*ci.RULE_HELP, *sorted({conflict.kind for conflict in conflicts} - set(ci.RULE_HELP))]
    notes = [_not_read(row, prefix) for row in result.documents if row.skipped_reason is not None]
    if len(conflicts) > LIMIT:
        notes.append(_notification(f"{len(conflicts) - LIMIT:,} findings are left out; conflicts.parquet holds them all."))
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "corpus-auditor", "semanticVersion": __version__, "rules": [_rule(k) for k in kinds]}},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The top of the repository."}}},
                "automationDetails": {"id": "corpus-auditor/"},
                "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notes}],
                "results": [
                    _result(conflict, kinds, prefix) | _baseline_state(conflict, result.baseline) for conflict in conflicts[:LIMIT]
                ],
                "properties": {
                    "corpus": result.corpus,
                    "asOf": result.as_of,
                    "decidedAndLeftOut": len(result.conflicts) - len(conflicts),
                },
            }
        ],
    }


def _rule(kind: str) -> dict[str, Any]:
    short, full = ci.RULE_HELP.get(kind, ("Two passages contradict each other", "Both cannot hold."))
    return {
        "id": ci.rule_id(kind),
        "name": f"{kind.title()}Contradiction",
        "shortDescription": {"text": f"{short}."},
        "fullDescription": {"text": full},
        "help": {"text": f"{full} {_ADVICE}", "markdown": f"**{short}.** {full}\n\n{_ADVICE}"},
        "defaultConfiguration": {"level": "warning"},
        "properties": {"tags": ["documentation", "contradiction", kind]},
    }


def _result(conflict: Conflict, kinds: Sequence[str], prefix: str) -> dict[str, Any]:
    a, b = conflict.a, conflict.b
    text = " ".join(filter(None, (ci.shown(conflict.explanation), ci.suggestion(conflict))))
    return {
        "ruleId": ci.rule_id(conflict.kind),
        "ruleIndex": kinds.index(conflict.kind),
        "level": LEVELS.get(conflict.tier, "note"),
        "rank": round(100 * rounded(conflict.confidence), 2),
        "message": {
            "text": f"{_plain(ci.subject(conflict))}: “{_plain(ci.shown(a.value, ci.VALUE_LIMIT))}” here, "
            f"“{_plain(ci.shown(b.value, ci.VALUE_LIMIT))}” in [{_plain(ci.place(b))}](1). {_plain(text)}".strip()
        },
        "locations": [_location(a, prefix)],
        "relatedLocations": [{"id": 1, **_location(b, prefix), "message": {"text": _plain(ci.shown(b.statement))}}],
        # The first is what GitHub recognises a finding by, the second is ours.
        "partialFingerprints": {"primaryLocationLineHash": f"{conflict.conflict_id}:1", "conflictId/v1": conflict.conflict_id},
        "properties": {
            "tier": conflict.tier,
            "confidence": rounded(conflict.confidence),
            "category": conflict.category,
            "status": conflict.status,
            "clusterId": conflict.cluster_id,
            "contentHash": conflict.content_hash,
            "valueA": ci.shown(a.value),
            "valueB": ci.shown(b.value),
            "ownerA": a.owner,
            "ownerB": b.owner,
            "winner": conflict.winner,
        },
    }


def _baseline_state(conflict: Conflict, baseline: Comparison | None) -> dict[str, str]:
    if baseline is None:
        return {}
    state = baseline.states.get(conflict.conflict_id, NEW)
    updated = state == REOPENED or conflict.conflict_id in baseline.changed
    return {"baselineState": "new" if state == NEW else "updated" if updated else "unchanged"}


def _location(side: Side, prefix: str) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": _artifact(side.doc, prefix)}
    if (lines := ci.file_lines(side)) is not None:
        physical["region"] = {
            "startLine": lines[0],
            "endLine": lines[1],
            "snippet": {"text": visible(clip(side.quote, _SNIPPET))},
        }
    return {
        "physicalLocation": physical,
        "logicalLocations": [{"fullyQualifiedName": ci.shown(f"{side.doc} › {side.heading}" if side.heading else side.doc)}],
    }


def _artifact(doc: str, prefix: str) -> dict[str, Any]:
    return {"uri": ci.file_uri(doc, prefix), "uriBaseId": "%SRCROOT%"}


def _not_read(row: DocumentRow, prefix: str) -> dict[str, Any]:
    text = f"{ci.shown(row.path, 200)} was not read: {ci.shown(row.skipped_reason or '')}"
    return {
        **_notification(text),
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(row.path, prefix)}}],
    }


def _notification(text: str) -> dict[str, Any]:
    return {"level": "warning", "message": {"text": _plain(text)}}


def _plain(text: str) -> str:
    """`text` without links of its own."""
    return _LINK.sub(lambda match: "\\" + match[0], text)
