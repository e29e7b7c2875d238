"""Tables of AsciiDoc: cells with spans and styles, several on a line or over several lines, and comma separated ones."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.load.adoc_style import Style
from auditor.load.grid import Cell, Row
from auditor.load.markup import Span
from auditor.text import inline

if TYPE_CHECKING:
    from auditor.load.adoc_blocks import Scanner

_SPEC = re.compile(
    r"(?:(?<=\s)|^)(?:(?P<cols>\d{1,3})?(?:\.(?P<rows>\d{1,4}))?(?P<kind>[+*]))?[<^>]?(?:\.[<^>])?(?P<style>[adehlmsv])?$"
)
_COLUMN = re.compile(r"(?:(\d{1,3})\*)?[<^>]?(?:\.[<^>])?~?\d{0,3}%?(?:\.\d{1,2})?([adehlmsv])?$")
_MARKER = re.compile(
    r"[ \t]*(?:\*{1,6}|-|\.{1,6}|\d{1,4}\.|NOTE:|TIP:|WARNING:|IMPORTANT:|CAUTION:)[ \t]+(?=\S)|[ \t]*(?:\+|--|!={3,})[ \t]*$"
)
_MAX_COLUMNS = 200
_MAX_REPEATED = 20_000  # cells of a table after which none is repeated any more


def rows(scanner: Scanner, begin: int, end: int, sign: str, style: Style) -> list[Row]:
    """The rows on the lines of a table."""
    cells: list[_Written] = []
    form = style.named.get("format", "").lower()
    first = begin
    while first < end and not scanner.lines[first].strip():
        first += 1
    if sign in ",:" or form in {"csv", "dsv", "tsv"}:
        separator = style.named.get("separator") or {"tsv": "\t", "dsv": ":"}.get(form, ":" if sign == ":" else ",")
        per_line = _separated(scanner, first, end, "\t" if separator == "\\t" else separator[:1])
        found = [Row([written.cell for written in line], line[0].start, line[-1].end) for line in per_line]
        return _headed(found, scanner, first, begin, style)
    separator = (style.named.get("separator") or ("!" if sign == "!" else "|"))[:1]
    cells = _cells(scanner, first, end, separator)
    columns = _columns(style.named.get("cols", ""))
    width = len(columns)
    if not width and cells:
        line = scanner.line_of(cells[0].start)
        width = sum(w.cell.colspan for w in cells if scanner.line_of(w.start) == line)
    return _headed(_rows(cells, max(width, 1), columns), scanner, first, begin, style)


class _Written:
    """A cell and where it stands."""

    __slots__ = ("cell", "end", "start", "style")

    def __init__(self, cell: Cell, start: int, end: int, style: str) -> None:
        self.cell, self.start, self.end, self.style = cell, start, end, style


def _cells(scanner: Scanner, begin: int, end: int, separator: str) -> list[_Written]:
    """Cells between separators. What stands before a separator without a blank may say how the next cell is to look."""
    if begin >= end:
        return []
    text = scanner.text
    limit = scanner.starts[end] - 1 if end < len(scanner.lines) else len(text)
    marks: list[tuple[int, re.Match[str] | None, int]] = []  # where the content before ends, specification, where content begins
    at = text.find(separator, scanner.starts[begin], limit)
    while at >= 0:
        if text[at - 1 : at] != "\\":
            line_start = max(text.rfind("\n", scanner.starts[begin], at) + 1, scanner.starts[begin])
            base = max(line_start, at - 12, marks[-1][2] if marks else 0)
            spec = _SPEC.search(text[base:at])
            if (
                spec
                and spec.group()
                and spec.start() == 0
                and base != line_start
                and not text[base - 1].isspace()
                and base != (marks[-1][2] if marks else -1)
            ):
                spec = None
            cut = base + spec.start() if spec and spec.group() else at
            marks.append((cut, spec if spec and spec.group() else None, at + len(separator)))
        at = text.find(separator, at + 1, limit)
    found: list[_Written] = []
    for i, (_, spec, start) in enumerate(marks):
        stop = marks[i + 1][0] if i + 1 < len(marks) else limit
        found += _written(scanner, start, max(stop, start), spec)[: max(_MAX_REPEATED - len(found), 1)]
    return found


def _written(scanner: Scanner, start: int, end: int, spec: re.Match[str] | None) -> list[_Written]:
    cols, rows_, kind, style = (spec["cols"], spec["rows"], spec["kind"], spec["style"] or "") if spec else (None, None, None, "")
    spans: list[Span] = []
    position = start
    for line in scanner.text[start:end].split("\n"):
        marker = _MARKER.match(line) if position > start or style == "a" else None
        span = scanner.trimmed(position + (marker.end() if marker else 0), position + len(line))
        if span[0] < span[1] and not line.startswith("//"):
            spans.append(span)
        position += len(line) + 1
    reading = scanner.read(spans) if style != "l" else inline.read([(scanner.text[a:b], a) for a, b in spans], "plain")
    if "\\|" in reading.text:
        reading = inline.read(
            [(scanner.text[a:b].replace("\\|", " |"), a) for a, b in spans], "asciidoc", substitutions=scanner.values
        )
    cell = Cell(reading, style == "h")
    if kind == "+":
        cell = replace(cell, colspan=min(int(cols or 1), _MAX_COLUMNS) or 1, rowspan=int(rows_ or 1) or 1)
    begin, finish = (spans[0][0], spans[-1][1]) if spans else (start, start)
    count = min(int(cols or 1), _MAX_COLUMNS) if kind == "*" else 1
    return [_Written(replace(cell), begin, finish, style) for _ in range(count)]


def _columns(source: str) -> list[str]:
    """The styles of the columns of `cols="1,2a,3*h"`."""
    styles: list[str] = []
    for part in source.replace(";", ",").split(",") if source else ():
        match = _COLUMN.match(part.strip())
        styles += [match[2] or "" if match else ""] * min(int(match[1] or 1) if match else 1, _MAX_COLUMNS)
    return styles[:_MAX_COLUMNS]


def _rows(cells: list[_Written], width: int, columns: list[str]) -> list[Row]:
    """Cells laid out over the columns; a row is full when they, and those that reach down into it, fill it."""
    found: list[Row] = []
    carried = [0] * width
    line: list[_Written] = []
    column = 0
    for written in cells:
        while column < width and carried[column]:
            carried[column] -= 1
            column += 1
        if column >= width:  # nothing but cells from above
            column = 0
        style = written.style or (columns[column] if column < len(columns) else "")
        if style == "h" and not written.cell.head:
            written = _Written(replace(written.cell, head=True), written.start, written.end, style)
        line.append(written)
        for k in range(column, min(column + written.cell.colspan, width)):
            carried[k] = min(written.cell.rowspan, 1000) - 1
        column += written.cell.colspan
        if column < width and all(carried[k] for k in range(column, width)):
            for k in range(column, width):
                carried[k] -= 1
            column = width
        if column >= width:
            found.append(Row([entry.cell for entry in line], line[0].start, max(entry.end for entry in line)))
            line, column = [], 0
    if line:
        found.append(Row([entry.cell for entry in line], line[0].start, max(entry.end for entry in line)))
    return [row for row in found if row.start < row.end]


def _headed(found: list[Row], scanner: Scanner, first: int, begin: int, style: Style) -> list[Row]:
    """With the first row marked as head if the table says so, or a blank line sets it apart."""
    explicit = "header" in style.options
    implied = (
        "noheader" not in style.options
        and first == begin
        and len(found) > 1
        and first + 1 < len(scanner.lines)
        and not scanner.lines[first + 1].strip()
        and scanner.line_of(found[0].start) == scanner.line_of(max(found[0].end - 1, found[0].start)) == first
    )
    if found and (explicit or implied):
        found[0] = replace(found[0], head=True)
    return found


def _separated(scanner: Scanner, begin: int, end: int, separator: str) -> list[list[_Written]]:
    """Rows of comma separated values, one a line."""
    found: list[list[_Written]] = []
    for i in range(begin, end):
        source, base = scanner.lines[i], scanner.starts[i]
        line: list[_Written] = []
        position = 0
        while position <= len(source) and len(line) < _MAX_COLUMNS and source.strip():
            lead = len(source[position:]) - len(source[position:].lstrip(" "))
            quoted = source.startswith('"', position + lead)
            if quoted and (close := source.find('"', position + lead + 1)) > 0:
                span = (position + lead + 1, close)
                stop = source.find(separator, close)
            else:
                stop = source.find(separator, position)
                span = (position, stop if stop >= 0 else len(source))
            a, b = scanner.trimmed(base + span[0], base + span[1])
            reading = scanner.read([(a, b)] if a < b else [])
            line.append(_Written(Cell(reading), a, max(b, a + 1), ""))
            if stop < 0:
                break
            position = stop + 1
        if line:
            found.append(line)
    return found
