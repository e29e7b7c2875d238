"""A flow of text in a Rich Text file: its paragraphs and tables, which the file states by marks at their ends."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from auditor.load.word_body import Note, Paragraph, Part, Runs, Table, TableCell, TableRow
from auditor.load.word_tables import MAX_COLUMNS

MAX_NESTED = 10
"""How deep tables stand in one another."""
_NEAR = 30  # twips: edges of columns that are closer are the same


@dataclass(slots=True)
class CellDefinition:
    """A cell as the definition of its row gives it; `right` is where it ends on the page."""

    right: int = 0
    merged_down: str = ""  # "first", "next"
    merged_right: str = ""
    shaded: bool = False


@dataclass(slots=True)
class RowDefinition:
    """What stands between `\\trowd` and the cells."""

    cells: list[CellDefinition] = field(default_factory=list)
    head: bool = False
    open: CellDefinition = field(default_factory=CellDefinition)

    def take(self, name: str, value: int, dark: Sequence[bool]) -> bool:
        """Take a control word; False if it defines nothing. `dark` tells the colours of the file from white."""
        if name == "trhdr":
            self.head = True
        elif name == "cellx":
            if len(self.cells) < MAX_COLUMNS:
                self.cells.append(replace(self.open, right=value))
            self.open = CellDefinition()
        elif name in {"clvmgf", "clvmrg"}:
            self.open.merged_down = "first" if name == "clvmgf" else "next"
        elif name in {"clmgf", "clmrg"}:
            self.open.merged_right = "first" if name == "clmgf" else "next"
        elif name == "clshdng":
            self.open.shaded = self.open.shaded or value > 0
        elif name == "clcbpat":
            self.open.shaded = self.open.shaded or (0 < value < len(dark) and dark[value])
        else:
            return False
        return True


@dataclass(slots=True)
class _OpenTable:
    rows: list[tuple[RowDefinition, list[list[Part]]]] = field(default_factory=list)
    cells: list[list[Part]] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)  # of the cell that is open


class Flow:
    """The body, a note, a page header or a text box while it is read."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.runs = Runs()
        self.notes: list[Note] = []
        self.boxes: list[Part] = []
        self.marker = False  # whether the bullet or number of a list was seen
        self.definition = RowDefinition()
        self.nested_definition = RowDefinition()
        self._tables: list[_OpenTable] = []

    def end_paragraph(self, look: Paragraph, level: int) -> None:
        """The paragraph ends; `look` has what its properties say, `level` is how many tables it stands in."""
        paragraph = self.runs.paragraph()
        paragraph.level, paragraph.title, paragraph.style = look.level, look.title, look.style
        paragraph.item, paragraph.list_key, paragraph.continued = look.item, look.list_key, look.continued
        paragraph.notes, self.notes = self.notes, []
        target = self._target(level)
        target.append(paragraph)
        target += self.boxes
        self.boxes = []
        self.marker = False

    def end_cell(self, level: int) -> None:
        """The cell ends."""
        self._target(level)
        table = self._tables[-1]
        if len(table.cells) < MAX_COLUMNS:
            table.cells.append(table.parts)
        table.parts = []

    def end_row(self, level: int) -> None:
        """The row ends; its definition may have come before or after its cells."""
        definition = self.definition if level == 1 else self.nested_definition
        self._target(level)
        table = self._tables[-1]
        if table.cells:
            table.rows.append((definition, table.cells))
        table.cells, table.parts = [], []

    def define(self, name: str, value: int | None, nested: bool, dark: Sequence[bool]) -> bool:
        """Take a control word for the definition of rows; False if it is none."""
        if name == "trowd":
            if nested:
                self.nested_definition = RowDefinition()
            else:
                self.definition = RowDefinition()
            return True
        return (self.nested_definition if nested else self.definition).take(name, value or 0, dark)

    def close(self) -> list[Part]:
        """All parts; tables that are still open end."""
        self._target(0)
        return self.parts

    def _target(self, level: int) -> list[Part]:
        """Where parts inside that many tables go. Deeper tables end, missing ones begin."""
        level = min(level, MAX_NESTED)
        while len(self._tables) > level:
            table = self._tables.pop()
            if table.parts:
                table.cells.append(table.parts)
            if table.cells:
                table.rows.append((self.definition, table.cells))
            (self._tables[-1].parts if self._tables else self.parts).append(_table(table))
        while len(self._tables) < level:
            self._tables.append(_OpenTable())
        return self._tables[-1].parts if self._tables else self.parts


def _table(table: _OpenTable) -> Table:
    """The table with merged cells; columns are told by where cells end on the page."""
    edges: list[int] = []
    for right in sorted({cell.right for definition, cells in table.rows for cell in definition.cells[: len(cells)]}):
        if not edges or right - edges[-1] > _NEAR:
            edges.append(right)
    if len(edges) > MAX_COLUMNS:  # no two rows have the same columns
        edges = []
    made = Table([])
    open_cells: dict[int, TableCell] = {}
    for definition, cells in table.rows:
        row = TableRow([], definition.head)
        while len(cells) > len(definition.cells) > 0 and not cells[-1]:  # LibreOffice ends cells with nested tables twice
            cells.pop()
        known = len(definition.cells) == len(cells)
        merged: dict[int, TableCell] = {}
        column = 0
        for i, parts in enumerate(cells):
            form = definition.cells[i] if known else CellDefinition()
            span = 1
            if known:
                end = bisect_right(edges, form.right)
                span, column_after = max(end - column, 1), max(end, column + 1)
            else:
                column_after = column + 1
            above = open_cells.get(column)
            if form.merged_right == "next" and row.cells:
                row.cells[-1].colspan += span
                row.cells[-1].parts += parts
            elif form.merged_down == "next" and above is not None:
                above.rowspan += 1
                merged[column] = above
            else:
                filled = [part for part in parts if isinstance(part, Paragraph) and part.source.strip()]
                bold = bool(filled) and all(part.bold for part in filled)
                cell = TableCell(parts, span, shaded=form.shaded, bold=bold)
                row.cells.append(cell)
                if form.merged_down:
                    merged[column] = cell
            column = column_after
        open_cells = merged
        made.rows.append(row)
    return made
