"""Tables: spans resolved, header rows joined, and one block per body row.

The text of a row block is its cells joined with ` | `, so cell *i* begins in it after the cells and separators before it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from auditor.load.structure import Container, Sink
from auditor.model import BlockKind
from auditor.text import inline
from auditor.text.inline import Inline

SEPARATOR = " | "
_MAX_COLUMNS = 200
_MAX_ROWSPAN = 1000


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as written."""

    text: Inline
    head: bool = False
    colspan: int = 1
    rowspan: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """A row as written, with its span in the document; `head` is set for rows of an explicit table head."""

    cells: Sequence[Cell]
    start: int
    end: int
    head: bool = False


def add_table(
    sink: Sink,
    rows: Sequence[Row],
    *,
    caption: str = "",
    within: Collection[Container] = (),
    flags: Collection[str] = (),
    guess_head: bool = True,
) -> None:
    """Add one block per body row.

    Header rows are those of the table head, or the first rows if all their cells are header cells; with `guess_head` off, only the
    former. A body row of one cell over all columns is a section title: it goes to the caption of the rows below.
    """
    grid = _layout(rows)
    width = max((len(line) for line in grid), default=0)
    heads = 0
    while heads < len(rows) and (
        rows[heads].head
        or (guess_head and rows[heads].cells and all(cell.head for cell in rows[heads].cells) and not _section(grid[heads], width))
    ):
        heads += 1
    if heads == len(rows):  # nothing but header cells: no header then, since rows are not to get lost
        heads = 1 if len(rows) > 1 else 0
    header = _header(grid[:heads], width)
    group = sink.new_group()
    section = ""
    sections: list[tuple[Row, Cell]] = []
    before = len(sink.blocks)
    for row, line in zip(rows[heads:], grid[heads:], strict=True):
        if (
            width > 1
            and _section(line, width)
            and (title := line[0][0].text.text)
            and len(title.split()) <= 12
            and not title.endswith(".")
        ):
            section = title
            sections.append((row, line[0][0]))
            continue
        cells = [cell.text if own else inline.pinned(cell.text.text, row.start) for cell, own in line]
        if not any(cell.text for cell in cells):
            continue
        sink.add(
            BlockKind.ROW,
            inline.join(cells, SEPARATOR),
            row.start,
            row.end,
            within=within,
            flags=flags,
            cells=tuple(cell.text for cell in cells),
            header=header,
            caption=": ".join(part for part in (caption.rstrip(": ") if section else caption, section) if part),
            group=group,
        )
    if len(sink.blocks) == before:  # section titles without rows below are the rows
        for row, cell in sections:
            sink.add(BlockKind.ROW, cell.text, row.start, row.end, within=within, flags=flags, cells=(cell.text.text,), group=group)


def _layout(rows: Sequence[Row]) -> list[list[tuple[Cell, bool]]]:
    """The cells of every row by column. The flag tells a cell from its repetition by a span."""
    grid: list[list[tuple[Cell, bool]]] = []
    carried: dict[int, tuple[Cell, int]] = {}  # column → cell that reaches down, rows left
    for row in rows:
        line: list[tuple[Cell, bool]] = []
        waiting = list(row.cells)
        while (waiting or len(line) in carried) and len(line) < _MAX_COLUMNS:
            column = len(line)
            if column in carried:
                cell, left = carried.pop(column)
                line.append((cell, False))
                if left > 1:
                    carried[column] = (cell, left - 1)
                continue
            cell = waiting.pop(0)
            for i in range(min(max(cell.colspan, 1), _MAX_COLUMNS - column)):
                line.append((cell, i == 0))
                if cell.rowspan > 1:
                    carried[column + i] = (cell, min(cell.rowspan, _MAX_ROWSPAN) - 1)
        grid.append(line)
    return grid


def _section(line: Sequence[tuple[Cell, bool]], width: int) -> bool:
    return width > 1 and len(line) == width and all(cell is line[0][0] for cell, _ in line)


def _header(lines: Sequence[Sequence[tuple[Cell, bool]]], width: int) -> tuple[str, ...]:
    if not lines:
        return ()
    header: list[str] = []
    for column in range(width):
        parts: list[str] = []
        for line in lines:
            text = line[column][0].text.text if column < len(line) else ""
            if text and text not in parts:
                parts.append(text)
        header.append(" ".join(parts))
    return tuple(header)
