"""`conflicts.csv`: the findings as a table for a spreadsheet. Programs are better served by the Parquet files.

Documents are not trusted, and a spreadsheet runs a cell that begins like a formula: such cells get an apostrophe in front.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from auditor.format import ci
from auditor.format.files import write_text
from auditor.model import Conflict, ScanResult, Side
from auditor.store import in_order, rounded

CELL_LIMIT = 30_000
"""Characters of a cell; spreadsheets take 32,767."""

Cell: TypeAlias = object
_BYTE_ORDER_MARK = "\ufeff"  # without it, Excel reads UTF-8 as the code page of the country
# Also behind a semicolon: where it is the separator of the country, the quoting by commas is not understood.
_FORMULA = re.compile(r"(\A|;)(?=[\s\"'\u200b-\u200f\u2060\ufeff\x00-\x1f]*[=+\-@\t\r\n＝＋－＠])")


def _line(side: Side) -> int | None:
    """The line, where lines tell the place; that of a page or a cell would be taken for one of the file."""
    return side.line_start if (side.locator or "line=").startswith("line=") else None


COLUMNS: Mapping[str, Callable[[Conflict], Cell]] = {
    "tier": lambda c: c.tier,
    "confidence": lambda c: rounded(c.confidence),
    "status": lambda c: c.status,
    "category": lambda c: c.category,
    "kind": lambda c: c.kind,
    "subject": ci.subject,
    "value_a": lambda c: c.a.value,
    "value_b": lambda c: c.b.value,
    "suggested": lambda c: c.winner,
    "rule": lambda c: c.rule_applied[-1] if c.rule_applied else "",
    "explanation": lambda c: c.explanation,
    "document_a": lambda c: c.a.doc,
    "line_a": lambda c: _line(c.a),
    "place_a": lambda c: ci.where(c.a),
    "owner_a": lambda c: c.a.owner,
    "source_a": lambda c: c.a.source_tier,
    "published_a": lambda c: c.a.published,
    "effective_a": lambda c: c.a.effective,
    "scope_a": lambda c: c.a.scope,
    "quote_a": lambda c: c.a.quote,
    "document_b": lambda c: c.b.doc,
    "line_b": lambda c: _line(c.b),
    "place_b": lambda c: ci.where(c.b),
    "owner_b": lambda c: c.b.owner,
    "source_b": lambda c: c.b.source_tier,
    "published_b": lambda c: c.b.published,
    "effective_b": lambda c: c.b.effective,
    "scope_b": lambda c: c.b.scope,
    "quote_b": lambda c: c.b.quote,
    "reviewer": lambda c: c.reviewer,
    "reviewer_decision": lambda c: c.reviewer_decision,
    "condition": lambda c: c.condition,
    "decided_at": lambda c: c.decided_at,
    "conflict_id": lambda c: c.conflict_id,
    "cluster_id": lambda c: c.cluster_id,
}
"""Column → what stands in it."""


class CsvFormat:
    """Writes `conflicts.csv`."""

    id = "csv"
    filename = "conflicts.csv"

    def write(self, result: ScanResult, path: Path) -> None:
        """Write a header and one row for each finding, in the order of every output."""
        out = io.StringIO()
        writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(COLUMNS)
        for conflict in in_order(result.conflicts):
            writer.writerow([cell(read(conflict)) for read in COLUMNS.values()])
        write_text(path, _BYTE_ORDER_MARK + out.getvalue())


def cell(value: Cell) -> str:
    """The text of a cell: on one line, cut, and never a formula. None is empty."""
    if value is None:
        return ""
    if isinstance(value, int | float):
        return str(value)
    text = str(value)
    # Before the white space is folded away: a cell that began with a tab is one to be careful with.
    marked = "'" if text[:1] in ("\t", "\r", "\n") else ""
    return _FORMULA.sub(r"\1'", marked + ci.shown(text, CELL_LIMIT))
