"""Rows of pipe tables. Cells are cut out of the source line, since the parser does not say where they stand."""

from __future__ import annotations

import re

from auditor.load.grid import Cell, Row
from auditor.load.md_prepare import Prepared
from auditor.text import inline
from auditor.text.inline import Inline

_ALTERNATIVE = re.compile(r"!\[([^\[\]]{1,80})\]|<img\b[^<>]*?\balt\s*=\s*[\"']([^\"'<>]{1,80})", re.IGNORECASE)

_ROW_PREFIX = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?")


def read_row(text: str, prepared: Prepared, number: int, head: bool, refs: frozenset[str]) -> Row:
    """The row on a line of the document."""
    line = prepared.lines[number]
    prefix = _ROW_PREFIX.match(line)
    begin = prepared.starts[number] + (prefix.end() if prefix else 0)
    end = prepared.starts[number] + len(line.rstrip())
    source = text[begin:end]
    cells = [Cell(read_cell(source[a:b], begin + a, refs), head) for a, b in split_row(source)]
    return Row(cells, begin, end, head)


def read_cell(source: str, start: int, refs: frozenset[str]) -> Inline:
    """The clean reading of a cell. An image that stands alone (a logo, a check mark) is read as what it says it shows."""
    reading = inline.read(((source, start),), "markdown", refs=refs)
    if not reading.text and (match := _ALTERNATIVE.search(source)):
        group = 1 if match[1] else 2
        reading = inline.read(((match[group], start + match.start(group)),), "plain")
    return reading


def split_row(source: str) -> list[tuple[int, int]]:
    """Spans of the cells of a pipe table row, split at pipes without a backslash; pipes at the ends are no cells."""
    spans: list[tuple[int, int]] = []
    begin = 0
    position = source.find("|")
    while position >= 0:
        if position == 0 or source[position - 1] != "\\":
            spans.append((begin, position))
            begin = position + 1
        position = source.find("|", position + 1)
    spans.append((begin, len(source)))
    if spans and not source[spans[0][0] : spans[0][1]].strip():
        del spans[0]
    if spans and not source[spans[-1][0] : spans[-1][1]].strip():
        del spans[-1]
    return spans
