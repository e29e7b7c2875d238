"""Tables of word processors: which of them lay out the page, which rows are headers, and what a cell reads as."""

from __future__ import annotations

import re
from collections.abc import Sequence

from auditor.load.grid import Cell, Row
from auditor.load.word_body import Paragraph, Table, TableCell, TableRow, fold, reading
from auditor.load.word_fields import known
from auditor.text.inline import Inline

MAX_COLUMNS = 200
REPEATED = 2_000_000
"""How many characters merged cells may be repeated to in one document; every repetition counts as some more."""

_DIGIT = re.compile(r"\d")
_SHORT = 8
_MAX_HEADS = 3
_FIGURES = 0.6  # share of the rows


def is_layout(table: Table) -> bool:
    """Whether a table sets boxes and columns of text on the page rather than data."""
    cells = [cell for row in table.rows for cell in row.cells]
    if all(len(row.cells) <= 1 for row in table.rows):
        return len(table.rows) < 3 or any(len(_filled(cell)) > 1 for cell in cells)
    for cell in cells:
        filled = _filled(cell)
        if len(filled) > 1 and any(isinstance(part, Paragraph) and part.level for part in filled):
            return True
        if len(table.rows) == 1 and any(isinstance(part, Table) for part in filled):
            return True
    return False


def _filled(cell: TableCell) -> list[Paragraph | Table]:
    return [part for part in cell.parts if isinstance(part, Table) or part.source.strip() or part.struck.strip()]


def cell_reading(cell: TableCell, place: int) -> Inline:
    """The paragraphs of a cell as one reading; items of a list are set apart by semicolons."""
    texts: list[str] = []
    anchors: list[tuple[int, int]] = []
    position = 0
    found = [(part, reading(part)) for part in cell.parts if isinstance(part, Paragraph)]
    found = [(part, inline) for part, inline in found if inline.text]
    struck = bool(found) and all(inline.struck for _, inline in found)
    for part, inline in found:
        if inline.struck and not struck:
            continue
        if texts:
            separator = "; " if part.item is not None and texts[-1][-1] not in ".:;!?," else " "
            texts.append(separator)
            position += len(separator)
        anchors.append((position, part.place))
        texts.append(inline.text)
        position += len(inline.text)
    return Inline("".join(texts), tuple(anchors) or ((0, place),), struck)


def grid_rows(rows: Sequence[TableRow], heads: int, place: int, repeated: int) -> tuple[list[Row], int]:
    """Rows for `grid.add_table`, and what is left of the characters that spans may repeat. `place` is that of the table."""
    out: list[Row] = []
    for number, row in enumerate(rows):
        places = [part.place for cell in row.cells for part in cell.parts if isinstance(part, Paragraph) and part.place]
        place = places[0] if places else place
        cells: list[Cell] = []
        for cell in row.cells[:MAX_COLUMNS]:
            inline = cell_reading(cell, place)
            colspan, rowspan = min(cell.colspan, MAX_COLUMNS), min(cell.rowspan, len(rows) - number)
            cost = (colspan * rowspan - 1) * (len(inline.text) + 4)
            if cost > repeated:
                colspan = rowspan = 1
            else:
                repeated -= cost
            cells.append(Cell(inline, number < heads, colspan, rowspan))
        out.append(Row(cells, place, place, number < heads))
    return out, repeated


def head_rows(table: Table) -> int:
    """How many rows at the top are headers: those repeated on every page, else the first if it is set apart from the second."""
    rows = table.rows
    marked = 0
    while marked < len(rows) and rows[marked].head:
        marked += 1
    if 0 < marked < len(rows):
        return marked
    if len(rows) < 2 or not rows[0].cells:
        return 0
    if apart := _set_apart(rows):
        return apart
    if not ((table.styled_head and not _properties(rows)) or _by_content(rows)):
        return 0
    deepest = max((cell.rowspan for cell in rows[0].cells if cell.rowspan < len(rows)), default=1)
    return min(deepest, _MAX_HEADS) if any(cell.colspan > 1 for cell in rows[0].cells) else 1


def _set_apart(rows: Sequence[TableRow]) -> int:
    """How many rows at the top are bold or shaded throughout, 0 when all are."""
    for sign in ("bold", "shaded"):
        count = 0
        while count < min(len(rows), _MAX_HEADS + 1):
            filled = [cell for cell in rows[count].cells if _text(cell)]
            if not filled or not all(getattr(cell, sign) for cell in filled):
                break
            count += 1
        if 0 < count <= _MAX_HEADS and count < len(rows):
            return count
    return 0


def _by_content(rows: Sequence[TableRow]) -> bool:
    """Whether the first row names what stands below: short words where the others have figures."""
    first = [_text(cell) for cell in rows[0].cells]
    if len(rows) < 3 or len(first) < 2 or _properties(rows) or not all(first[1:]):
        return False
    if any(_DIGIT.search(text) or len(text.split()) > _SHORT or text.endswith(".") for text in first):
        return False
    body = [[_text(cell) for cell in row.cells] for row in rows[1:]]
    figures = [sum(bool(_DIGIT.search(row[column])) for row in body if column < len(row)) for column in range(1, len(first))]
    return any(count >= _FIGURES * len(body) for count in figures)


def _properties(rows: Sequence[TableRow]) -> bool:
    """Whether the table states facts about the document: "Owner", "Version" in its first column."""
    names = [_text(row.cells[0]).rstrip(": ") for row in rows if row.cells]
    return any(known(name) for name in names[:1]) and len({len(row.cells) for row in rows}) == 1 and len(rows[0].cells) == 2


def _text(cell: TableCell) -> str:
    return fold(" ".join(part.source for part in cell.parts if isinstance(part, Paragraph)))
