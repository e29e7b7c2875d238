"""`github-annotations.txt` and `github-summary.md`: what a GitHub Actions job prints and what it shows on its page.

A job prints the first (`cat audit-out/github-annotations.txt`) and appends the second to `$GITHUB_STEP_SUMMARY`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from auditor.format import ci
from auditor.format.files import write_text
from auditor.format.markdown import escape_inline
from auditor.format.text import visible
from auditor.format.words import TIERS, plural
from auditor.history import Comparison
from auditor.model import TIER_ORDER, Conflict, ScanResult
from auditor.store import in_order

LEVELS = {"high": "error", "medium": "warning", "advisory": "notice"}
SHOWN = 10
"""Annotations of one level that GitHub shows for a step; it drops the others."""

_LISTED = 50  # rows of a table in the summary, which may hold a mebibyte
_ESCAPES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY_ESCAPES = {**_ESCAPES, ":": "%3A", ",": "%2C"}


class GithubAnnotations:
    """Writes `github-annotations.txt`; `prefix` is the folder of the corpus in the repository."""

    id = "github"
    filename = "github-annotations.txt"

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix

    def write(self, result: ScanResult, path: Path) -> None:
        """Write one workflow command a line."""
        write_text(path, "".join(f"{line}\n" for line in workflow_commands(result, self.prefix)))


class GithubSummary:
    """Writes `github-summary.md`."""

    id = "github-summary"
    filename = "github-summary.md"

    def write(self, result: ScanResult, path: Path) -> None:
        """Write the step summary."""
        write_text(path, render_summary(result))


def workflow_commands(result: ScanResult, prefix: str = "") -> list[str]:
    """Workflow commands for the most pressing open findings of each tier, as many as GitHub shows."""
    left = dict.fromkeys(LEVELS, SHOWN)
    lines = []
    for conflict in in_order(result.conflicts):
        if ci.is_open(conflict) and left.get(conflict.tier, 0):
            left[conflict.tier] -= 1
            lines.append(_annotation(conflict, prefix))
    return lines


def _annotation(conflict: Conflict, prefix: str) -> str:
    where = {"file": ci.file_path(conflict.a.doc, prefix)}
    if (lines := ci.file_lines(conflict.a)) is not None:
        where |= {"line": str(lines[0]), "endLine": str(lines[1])}
    where["title"] = f"Contradiction: {ci.subject(conflict)}"
    properties = ",".join(f"{name}={_escaped(text, _PROPERTY_ESCAPES)}" for name, text in where.items())
    message = f"{ci.claims(conflict)}. {ci.suggestion(conflict)}".strip()
    return f"::{LEVELS[conflict.tier]} {properties}::{_escaped(message, _ESCAPES)}"


def _escaped(text: str, escapes: dict[str, str]) -> str:
    """`text` so that it can neither end its place nor start a command of its own, also for line readers that know more line ends."""
    return visible("".join(escapes.get(char, char) for char in text))


def render_summary(result: ScanResult) -> str:
    """The step summary as Markdown."""
    found = [conflict for conflict in in_order(result.conflicts) if ci.is_open(conflict)]
    main = [conflict for conflict in found if conflict.tier != "advisory"]
    tiers = Counter(conflict.tier for conflict in found)
    skipped = [row for row in result.documents if row.skipped_reason is not None]
    parts = [f"## Contradictions in {_cell(result.corpus)}", ""]
    settled = len(result.conflicts) - len(found)
    parts += [
        f"{plural(len(result.documents) - len(skipped), 'document')} read, {len(skipped):,} not read. "
        f"{plural(len(found), 'open finding')}, {settled:,} decided.",
        "",
        *(_since(result.baseline) if result.baseline is not None else ()),
        "| Tier | Open | |",
        "|---|---:|---|",
        *(f"| {tier} | {tiers[tier]:,} | {_cell(TIERS[tier])} |" for tier in TIER_ORDER),
        "",
    ]
    if main:
        parts += ["| Tier | Fact | A | B | Suggested |", "|---|---|---|---|---|"]
        parts += [_row(conflict) for conflict in main[:_LISTED]]
        if len(main) > _LISTED:
            parts += ["", f"{len(main) - _LISTED:,} more in the report."]
        parts.append("")
    if skipped:
        parts += ["<details><summary>Not read</summary>", "", "| Document | Reason |", "|---|---|"]
        parts += [f"| {_cell(row.path)} | {_cell(row.skipped_reason or '')} |" for row in skipped[:_LISTED]]
        if len(skipped) > _LISTED:
            parts += ["", f"{len(skipped) - _LISTED:,} more in the report."]
        parts += ["", "</details>", ""]
    return "\n".join(parts)


def _since(baseline: Comparison) -> tuple[str, str]:
    """How the findings compare with those of an earlier run."""
    told = ", ".join(f"{count:,} {state}" for state, count in baseline.counts.items() if count) or "nothing changed"
    return f"Since {baseline.old_as_of}: {told}.", ""


def _row(conflict: Conflict) -> str:
    sides = [f"{_cell(side.value)}<br>{_cell(ci.place(side))}" for side in (conflict.a, conflict.b)]
    suggested = {"a": "A", "b": "B"}.get(conflict.winner or "", "–")
    return f"| {_cell(conflict.tier)} | {_cell(ci.subject(conflict))} | {' | '.join(sides)} | {suggested} |"


def _cell(text: str) -> str:
    return escape_inline(ci.shown(text, 200))
