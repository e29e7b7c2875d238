"""Where the tables of a grid are: connected by their rows and columns, set apart by blank ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from auditor.load.cell_header import is_value
from auditor.load.workbook import Merge
from auditor.text.inline import Inline

BULLET = re.compile(r"(?:[-–•*·‣◦▪●]|\(?\d{1,3}[.)])\s+(?=\S)")
_MAX_ROWS_LOOKED_AT = 2000


@dataclass(frozen=True, slots=True)
class GridCell:
    """A filled cell. The anchors of its reading lead to numbers of the sink."""

    inline: Inline
    bold: bool = False
    lines: tuple[Inline, ...] = ()  # of a cell with line ends

    @property
    def text(self) -> str:
        """What the cell reads as."""
        return self.inline.text


def grid_cell(lines: Sequence[str], numbers: Sequence[int], bold: bool = False) -> GridCell | None:
    """A cell that reads as these lines, each with its number of the sink; None if they read as nothing.

    As part of a table the lines are joined, items of a list set apart by semicolons.
    """
    readings: list[Inline] = []
    for line, number in zip(lines, numbers, strict=True):
        if text := " ".join(line.split()):
            readings.append(Inline(text, ((0, number),)))
    if not readings:
        return None
    if len(readings) == 1:
        return GridCell(readings[0], bold)
    anchors: list[tuple[int, int]] = []
    position = 0
    pieces: list[str] = []
    for reading in readings:
        if pieces:
            item = BULLET.match(reading.text) is not None and pieces[-1][-1] not in ".:;!?,"
            pieces.append("; " if item else " ")
            position += len(pieces[-1])
        anchors.append((position, reading.anchors[0][1]))
        pieces.append(reading.text)
        position += len(reading.text)
    return GridCell(Inline("".join(pieces), tuple(anchors)), bold, tuple(readings))


@dataclass(frozen=True)
class Region:
    """A part of a grid: some of its rows, between two columns."""

    grid: Mapping[int, Mapping[int, GridCell]]
    rows: Sequence[int]
    left: int
    right: int

    @property
    def width(self) -> int:
        """How many columns it has."""
        return self.right - self.left + 1

    @cached_property
    def rows_set(self) -> frozenset[int]:
        """Its rows."""
        return frozenset(self.rows)

    def cells(self, row: int) -> Mapping[int, GridCell]:
        """The filled cells of one of its rows."""
        line = self.grid[row]
        if len(line) == 0 or (min(line) >= self.left and max(line) <= self.right):
            return line
        return {column: cell for column, cell in line.items() if self.left <= column <= self.right}

    def below(self, first: int) -> Region:
        """Without its first rows; its columns are those that are left then."""
        if not first:
            return self
        return _trimmed(self.grid, self.rows[first:], self.left, self.right)

    def above(self, end: int) -> Region:
        """Only its first rows."""
        return self if end == len(self.rows) else Region(self.grid, self.rows[:end], self.left, self.right)


def regions(grid: Mapping[int, Mapping[int, GridCell]], merges: Sequence[Merge] = ()) -> list[Region]:
    """The regions of a grid in reading order: from top to bottom, then from left to right."""
    found: list[Region] = []
    for band in _bands(sorted(row for row, line in grid.items() if line)):
        for region in _split(grid, band, merges):
            for rows in _bands(region.rows):
                found.append(_trimmed(grid, rows, region.left, region.right))
    return found


def _bands(rows: Iterable[int]) -> list[list[int]]:
    """Rows that follow on one another."""
    bands: list[list[int]] = []
    for row in rows:
        if bands and row == bands[-1][-1] + 1:
            bands[-1].append(row)
        else:
            bands.append([row])
    return bands


def _trimmed(grid: Mapping[int, Mapping[int, GridCell]], rows: Sequence[int], left: int, right: int) -> Region:
    columns = {column for row in rows for column in grid[row] if left <= column <= right}
    return Region(grid, rows, min(columns, default=left), max(columns, default=left))


def _split(grid: Mapping[int, Mapping[int, GridCell]], rows: Sequence[int], merges: Sequence[Merge]) -> list[Region]:
    """The tables that stand side by side in a band of rows."""
    columns: set[int] = set()
    for row in rows:
        columns.update(grid[row])
    shown = set(rows)
    for merge in merges:  # a title over both sides of a gap does not bridge it, a header cell of two columns does
        if merge.top in shown and merge.left in grid[merge.top] and len(grid[merge.top]) > 1:
            columns.update(range(merge.left, min(merge.right, merge.left + 199) + 1))
    parts: list[tuple[int, int]] = []
    for column in sorted(columns):
        if parts and column == parts[-1][1] + 1:
            parts[-1] = (parts[-1][0], column)
        else:
            parts.append((column, column))
    joined: list[tuple[int, int]] = []
    for left, right in parts:
        if joined and not (_stands_alone(grid, rows, left, right) and _stands_alone(grid, rows, *joined[-1])):
            joined[-1] = (joined[-1][0], right)
        else:
            joined.append((left, right))
    if len(joined) == 1:
        return [_trimmed(grid, rows, *joined[0])]
    return [
        _trimmed(grid, [row for row in rows if any(left <= column <= right for column in grid[row])], left, right)
        for left, right in joined
    ]


def _stands_alone(grid: Mapping[int, Mapping[int, GridCell]], rows: Sequence[int], left: int, right: int) -> bool:
    """Whether columns between two gaps are a table of their own: at least two of them, the first with names in it."""
    if left == right:
        return False
    keys = [grid[row][left].text for row in rows[:_MAX_ROWS_LOOKED_AT] if left in grid[row]]
    return len(keys) >= 2 and sum(not is_value(key) for key in keys) * 2 > len(keys)
