"""Tables on a page of a PDF whose cells stand between drawn lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from auditor.load.pdf_page import Segment
from auditor.load.pdf_rulings import Ruling, Rulings

_TOLERANCE = 3.0  # points between lines that meet
_MAX_LINES = 700  # of one direction on a page
_MAX_CELLS = 20_000
_MAX_CELL = 1500  # letters: what is longer is a page laid out with boxes
_MAX_COLUMNS = 40
_DIGIT = re.compile(r"\d")


@dataclass(slots=True)
class TableCell:
    """A cell and the lines of its text."""

    lines: list[Segment] = field(default_factory=list)
    colspan: int = 1
    rowspan: int = 1

    @property
    def text(self) -> str:
        """The lines as one, for comparisons."""
        return " ".join(line.text for line in self.lines)


@dataclass(slots=True)
class TableRow:
    """A row; `head` is set for a row of the header."""

    cells: list[TableCell]
    head: bool = False


@dataclass(slots=True)
class Table:
    """A table with its place on the page; `columns` are where its columns begin and end. Offers what a box in reading order has."""

    rows: list[TableRow]
    x0: float
    x1: float
    y: float
    bottom: float
    size: float
    columns: tuple[tuple[float, float], ...]
    ruled: bool = False
    text: str = "table with the width of a line of text"  # so that it counts as text in its column

    @property
    def head(self) -> list[list[str]]:
        """The texts of the header."""
        return [[cell.text for cell in row.cells] for row in self.rows if row.head]

    def continues(self, other: Table) -> bool:
        """Whether this table, at the top of a page, goes on with one at the end of the page before."""
        if len(self.columns) != len(other.columns) or self.ruled != other.ruled:
            return False
        if self.head and self.head != other.head and all(s.bold for c in self.rows[0].cells for s in c.lines):
            return False  # another table
        shift = self.x0 - other.x0
        return all(abs(a[0] - b[0] - shift) <= 0.6 * self.size + 6 for a, b in zip(self.columns, other.columns, strict=True))


def ruled_tables(segments: Sequence[Segment], lines: Rulings) -> tuple[list[Table], list[Segment]]:
    """The tables that drawn lines make up, and the segments outside of them."""
    tables: list[Table] = []
    rest = list(segments)
    if not lines.vertical or len(lines.horizontal) < 2 or max(len(lines.horizontal), len(lines.vertical)) > _MAX_LINES:
        return tables, rest
    for horizontal, vertical in _connected(lines):
        xs = _positions([line.at for line in vertical], horizontal)
        ys = _positions([line.at for line in horizontal], vertical)
        if len(xs) < 3 or len(ys) < 2 or len(xs) - 1 > _MAX_COLUMNS or (len(xs) - 1) * (len(ys) - 1) > _MAX_CELLS:
            continue
        inside = [s for s in rest if xs[0] - 2 <= s.x0 and s.x0 <= xs[-1] and ys[0] <= s.y - 0.3 * s.size <= ys[-1]]
        table = _grid(xs, ys, horizontal, vertical, inside)
        if table is None:
            continue
        tables.append(table)
        taken = set(map(id, inside))
        rest = [segment for segment in rest if id(segment) not in taken]
    return tables, rest


def _connected(lines: Rulings) -> list[tuple[list[Ruling], list[Ruling]]]:
    """Groups of lines that meet, from top to bottom."""
    horizontal, vertical = lines.horizontal, lines.vertical
    heights = [line.at for line in horizontal]
    parent = list(range(len(horizontal) + len(vertical)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for k, bar in enumerate(vertical):
        first = bisect_right(heights, bar.low - _TOLERANCE)
        last = bisect_right(heights, bar.high + _TOLERANCE)
        for i in range(first, last):
            if horizontal[i].low - _TOLERANCE <= bar.at <= horizontal[i].high + _TOLERANCE:
                parent[root(len(horizontal) + k)] = root(i)
    groups: dict[int, tuple[list[Ruling], list[Ruling]]] = {}
    for i, line in enumerate(horizontal):
        groups.setdefault(root(i), ([], []))[0].append(line)
    for k, line in enumerate(vertical):
        groups.setdefault(root(len(horizontal) + k), ([], []))[1].append(line)
    return [group for group in groups.values() if len(group[0]) >= 2 and group[1]]


def _positions(values: Iterable[float], across: Sequence[Ruling]) -> list[float]:
    """Positions of the lines of one direction, with the ends of the lines across them as outer borders."""
    ends = (min(line.low for line in across), max(line.high for line in across))
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > _TOLERANCE:
            found.append(value)
    if found and ends[0] < found[0] - 8:
        found.insert(0, ends[0])
    if found and ends[1] > found[-1] + 8:
        found.append(ends[1])
    return found


def _grid(
    xs: Sequence[float], ys: Sequence[float], horizontal: Sequence[Ruling], vertical: Sequence[Ruling], inside: Sequence[Segment]
) -> Table | None:
    bars: dict[int, list[Ruling]] = {}
    for line in vertical:
        bars.setdefault(_nearest(xs, line.at), []).append(line)
    rules: dict[int, list[Ruling]] = {}
    for line in horizontal:
        rules.setdefault(_nearest(ys, line.at), []).append(line)

    def bordered(lines: dict[int, list[Ruling]], index: int, at: float) -> bool:
        return any(line.low - _TOLERANCE <= at <= line.high + _TOLERANCE for line in lines.get(index, ()))

    owner: dict[tuple[int, int], TableCell] = {}
    rows: list[TableRow] = []
    for r in range(len(ys) - 1):
        middle = (ys[r] + ys[r + 1]) / 2
        cells: list[TableCell] = []
        for c in range(len(xs) - 1):
            if (r, c) in owner:
                continue
            wide = 1
            while c + wide < len(xs) - 1 and (r, c + wide) not in owner and not bordered(bars, c + wide, middle):
                wide += 1
            high = 1
            center = (xs[c] + xs[c + 1]) / 2
            while r + high < len(ys) - 1 and not bordered(rules, r + high, center):
                high += 1
            cell = TableCell(colspan=wide, rowspan=high)
            cells.append(cell)
            owner.update(dict.fromkeys(((r + i, c + k) for i in range(high) for k in range(wide)), cell))
        rows.append(TableRow(cells))
    for segment in sorted(inside, key=lambda segment: (segment.y, segment.x0)):
        c = min(max(bisect_right(xs, segment.x0 + 0.4 * segment.size) - 1, 0), len(xs) - 2)
        r = min(max(bisect_right(ys, segment.y - 0.3 * segment.size) - 1, 0), len(ys) - 2)
        owner[r, c].lines.append(segment)
    filled = [cell for row in rows for cell in row.cells if cell.lines]
    total = sum(len(row.cells) for row in rows)
    columns = {c for (_, c), cell in owner.items() if cell.lines and cell.colspan < len(xs) - 1}
    if len(filled) < max(2, 0.3 * total) or len(columns) < 2 or any(len(cell.text) > _MAX_CELL for cell in filled):
        return None
    size = Counter(round(segment.size, 1) for segment in inside).most_common(1)[0][0]
    spans = tuple(pairwise(xs))
    table = Table([row for row in rows if row.cells], xs[0], xs[-1], ys[0] + size, ys[-1], size, spans, ruled=True)
    mark_heads(table)
    return table


def _nearest(positions: Sequence[float], value: float) -> int:
    i = bisect_right(positions, value)
    if i == len(positions) or (i and value - positions[i - 1] <= positions[i] - value):
        i -= 1
    return i


def mark_heads(table: Table) -> None:
    """Header rows: bold ones above others; else a first row without figures, but of two columns, which may be names and values."""
    rows = table.rows
    bold = [bool(row.cells) and all(line.bold for cell in row.cells for line in cell.lines) for row in rows]
    heads = 0
    while heads < len(rows) and heads < 4 and bold[heads] and any(cell.lines for cell in rows[heads].cells):
        heads += 1
    if 0 < heads < len(rows) and not all(bold):
        for row in rows[:heads]:
            row.head = True
        return
    if len(rows) < 2:
        return
    first, width = rows[0].cells, len(table.columns)
    spanned = _spanned(rows)
    if spanned:
        for row in rows[:spanned]:
            row.head = True
        return
    if len(first) != width or not all(cell.lines for cell in first) or any(_DIGIT.search(cell.text) for cell in first):
        return
    if any(cell.text.endswith((":", ".")) or len(cell.text) > 60 for cell in first):
        return
    body = [row.cells for row in rows[1:] if len(row.cells) == width]
    if width >= 3 or _larger(first, body):
        rows[0].head = True


def _spanned(rows: Sequence[TableRow]) -> int:
    """How many rows the header has whose first row joins cells."""
    if not any(cell.colspan > 1 or cell.rowspan > 1 for cell in rows[0].cells) or len(rows[0].cells) < 2:
        return 0
    heads = max(2 if cell.colspan > 1 else 1 for cell in rows[0].cells)
    heads = max([heads, *(cell.rowspan for cell in rows[0].cells)])
    if heads >= len(rows) or heads > 4 or any(_DIGIT.search(cell.text) for row in rows[:heads] for cell in row.cells):
        return 0
    return heads


def _larger(first: Sequence[TableCell], body: Sequence[Sequence[TableCell]]) -> bool:
    sizes = [line.size for cells in body for cell in cells for line in cell.lines]
    return bool(sizes) and min(line.size for cell in first for line in cell.lines) > 1.05 * max(sizes)


def join_tables(first: Table, second: Table) -> None:
    """Add the rows of the continuation; its header, when it repeats that of the first, falls away."""
    head = [row for row in first.rows if row.head] or first.rows[:1]
    rows = second.rows
    texts = [[cell.text for cell in row.cells] for row in head]
    repeated = [[cell.text for cell in row.cells] for row in rows[: len(head)]] == texts
    rows = rows[len(head) :] if repeated else [replace(row, head=False) for row in rows]
    first.rows += rows
    if repeated and not any(row.head for row in first.rows):
        for row in head:
            row.head = True
    first.bottom = second.bottom
