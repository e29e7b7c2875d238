"""Tables of reStructuredText: grid and simple tables, `list-table` and `csv-table`.

docutils parses the layout of grid and simple tables; its parsers say in which line a cell begins, and its text is found again
there.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from auditor.load.grid import Cell, Row
from auditor.load.structure import whole
from auditor.text import inline
from auditor.text.inline import EMPTY, Inline, Piece

GRID = re.compile(r"\+[-=+]{2,}\+\s*$")
SIMPLE = re.compile(r"=+(?:\s+=+)+\s*$")
_LIST_ROW = re.compile(r"(\s*)[*+-](\s+)[*+-](?:\s|$)")
_LIST_CELL = re.compile(r"(\s*)[*+-](?:\s+|$)")
_MAX_CHARACTERS = 200_000  # the grid parser takes quadratic time


@dataclass(frozen=True, slots=True)
class Source:
    """The lines of a document: as written, as worked on, where they begin, and how inline markup is read."""

    lines: Sequence[str]
    work: Sequence[str]
    starts: Sequence[int]
    substitutions: Mapping[str, str]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Span of the text of some lines in the document."""
        line = self.lines[first]
        start = self.starts[first] + len(line) - len(line.lstrip())
        return start, max(self.starts[last] + len(self.lines[last].rstrip()), start)


class _Finder:
    """Finds cell texts in their lines, from left to right."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.cursors: dict[int, int] = {}

    def read(self, texts: Sequence[tuple[int, str]]) -> Inline:
        pieces: list[Piece] = []
        for number, text in texts:
            stripped = text.strip()
            if not stripped or number >= len(self.source.lines):
                continue
            line = self.source.lines[number]
            at = line.find(stripped, self.cursors.get(number, 0))
            at = line.find(stripped) if at < 0 else at
            if at < 0:
                continue
            self.cursors[number] = at + len(stripped)
            pieces.append((stripped, self.source.starts[number] + at))
        return inline.read(pieces, "rst", substitutions=self.source.substitutions) if pieces else EMPTY


def drawn(source: Source, begin: int, end: int) -> list[Row]:
    """Rows of the grid or simple table in these lines; empty if it is malformed."""
    from docutils.parsers.rst import tableparser
    from docutils.statemachine import StringList

    lines = [line.rstrip() for line in source.work[begin:end]]
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    lines = [line[indent:] for line in lines]
    if sum(map(len, lines)) > _MAX_CHARACTERS:
        return []
    width = max(map(len, lines), default=0)
    grid = lines[0].startswith("+")
    parser = tableparser.GridTableParser() if grid else tableparser.SimpleTableParser()
    try:
        _, head, body = parser.parse(StringList([line.ljust(width) if grid else line for line in lines], "table"))
    except Exception:  # the parsers fail in many ways on malformed tables
        return []
    finder = _Finder(source)
    rows: list[Row] = []
    for is_head, group in ((True, head), (False, body)):
        for cells in group:
            row_cells: list[Cell] = []
            first, last = len(lines), 0
            for cell in cells:
                if cell is None:
                    continue
                more_rows, more_columns, offset, texts = cell
                located = [(begin + offset + k, str(text)) for k, text in enumerate(texts)]
                row_cells.append(Cell(finder.read(located), is_head, more_columns + 1, more_rows + 1))
                first = min(first, offset)
                if not more_rows:
                    last = max(last, offset + max((k for k, text in enumerate(texts) if str(text).strip()), default=0))
            if row_cells:
                rows.append(Row(row_cells, *source.span(begin + first, begin + max(first, min(last, len(lines) - 1))), is_head))
    return rows


def listed(source: Source, begin: int, end: int, header_rows: int, stub_columns: int = 0) -> list[Row]:
    """Rows of a `list-table`: an outer list of rows, an inner one of cells."""
    finder = _Finder(source)
    rows: list[Row] = []
    cells: list[list[tuple[int, str]]] = []
    first = last = begin
    indent = inner = -1

    def finish() -> None:
        if cells:
            head = len(rows) < header_rows
            read = [Cell(finder.read(cell), head or k < stub_columns) for k, cell in enumerate(cells)]
            rows.append(Row(read, *source.span(first, last), head))

    for number in range(begin, end):
        line = source.work[number]
        if not line.strip():
            continue
        width = len(line) - len(line.lstrip())
        if (match := _LIST_ROW.match(line)) and (indent < 0 or width == indent):
            finish()
            cells, first = [], number
            indent, inner = width, len(match.group(1)) + 1 + len(match.group(2))
            cells.append([(number, line[match.end() :])])
        elif (match := _LIST_CELL.match(line)) and width == inner:
            cells.append([(number, line[match.end() :])])
        elif cells and width > inner:
            cells[-1].append((number, line))
        else:
            continue
        last = number
    finish()
    return rows


def comma_separated(source: Source, begin: int, end: int, options: Mapping[str, str], head_line: int | None) -> list[Row]:
    """Rows of a `csv-table`, with the header of its option or of its first rows."""
    finder = _Finder(source)
    delimiter = {"tab": "\t", "space": " "}.get(options.get("delim", ","), options.get("delim", ",")[:1] or ",")
    rows: list[Row] = []

    def add(lines: Sequence[str], first: int, is_head: Callable[[int], bool]) -> None:
        reader = csv.reader(lines, delimiter=delimiter, quotechar=options.get("quote", '"')[:1] or '"', skipinitialspace=True)
        done = 0
        try:
            for values in reader:
                span = range(first + done, first + reader.line_num)
                done = reader.line_num
                if not values or not any(values):
                    continue
                cells = [
                    Cell(finder.read([(min(span.start + k, span.stop - 1), part) for k, part in enumerate(value.split("\n"))]))
                    for value in values
                ]
                rows.append(Row(cells, *source.span(span.start, span.stop - 1), is_head(len(rows))))
        except csv.Error:
            return

    if header := options.get("header"):
        line = begin if head_line is None else head_line
        add([header], line, lambda _: True)
    header_rows = whole(options.get("header-rows", ""))
    before = len(rows)
    add([line.strip() for line in source.work[begin:end]], begin, lambda count: count - before < header_rows)
    return rows
