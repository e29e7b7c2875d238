"""Spreadsheets (XLSX, XLSB, XLS, ODS): every sheet as a section, every cell with its place."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import cast

from auditor.load.cell_grid import Grid, Writer
from auditor.load.cell_regions import GridCell, grid_cell
from auditor.load.text_sink import TextSink
from auditor.load.workbook import Merge, Sheet, Workbook, place, quoted
from auditor.model import BlockKind, Parsed
from auditor.ports import LoadError
from auditor.text.inline import Inline

READERS: Mapping[str, str] = {
    "xlsx": "auditor.load.xlsx",
    "xlsb": "auditor.load.xlsb",
    "xls": "auditor.load.xls",
    "ods": "auditor.load.ods",
    "fods": "auditor.load.ods",
}
"""Modules with a function `read(data) -> Workbook`, by the kind of file."""

_DEFAULT_NAME = re.compile(
    r"(?:sheet|tabelle|feuil|feuille|hoja|foglio|blad|planilha|arkusz|ark|list|munka|taul|лист|シート|工作表|시트|sheet name|data)\s?\d{0,3}",
    re.IGNORECASE,
)
_NO_TITLE = re.compile(
    r"(?:(?:book|workbook|mappe|classeur|libro|untitled|document|microsoft\b.*|excel\b.*)\s?\d*)?", re.IGNORECASE
)


class SheetLoader:
    """Reads spreadsheets."""

    id = "spreadsheet"

    def accepts(self, name: str, head: bytes) -> bool:
        """By the extension, which the content decides."""
        return name.rpartition(".")[2] in READERS

    def load(self, data: bytes, name: str) -> Parsed:
        """Blocks of all visible sheets, with the cell that each part of the text stands in."""
        kind = name.rpartition(".")[2]
        reader = cast("Callable[[bytes], Workbook]", import_module(READERS[kind]).read)
        workbook = reader(data)
        sheets = [sheet for sheet in workbook.sheets if sheet.rows]
        if not sheets:
            raise LoadError("; ".join(("no cell that is shown holds anything", *workbook.told())))
        pages = _Pages()
        for sheet in sheets:
            pages.add(sheet, workbook, alone=len(workbook.sheets) == 1)
        sink = pages.sink
        if not sink.blocks:
            raise LoadError("; ".join(("no cell that is shown holds text", *workbook.told())))
        title = workbook.fields.get("title", "")
        if _NO_TITLE.fullmatch(title):
            title = (pages.title if len(sheets) == 1 else "") or (_readable(name) if len(sheets) > 1 else "")
        return Parsed(
            sink.text,
            tuple(sink.blocks),
            (),
            title=title,
            fields={**workbook.fields, **pages.fields},
            format=kind,
            places=pages.places,
            notices=workbook.told(),
        )


class _Pages:
    """Writes sheets one under the other. Places are numbered, so that they can travel as the line numbers of the sink."""

    def __init__(self) -> None:
        self.sink = TextSink()
        self.fields: dict[str, str] = {}
        self.title = ""
        self._labels: list[str] = []

    def _number(self, label: str) -> int:
        self._labels.append(label)
        return len(self._labels)

    def add(self, sheet: Sheet, workbook: Workbook, alone: bool) -> None:
        """The blocks of one sheet."""
        named = not _DEFAULT_NAME.fullmatch(sheet.name)
        if named:
            title = " ".join(sheet.name.replace("_", " ").split())
            self.sink.add(BlockKind.HEADING, Inline(title, ()), self._number(f"sheet={quoted(sheet.name)}"), level=1)
        elif not alone:
            # Nothing of the sheet before holds for this one.
            self.sink.add(BlockKind.HEADING, Inline(sheet.name, ()), self._number(f"sheet={quoted(sheet.name)}"), level=1)
        hidden_rows, hidden_columns = sorted(sheet.hidden_rows), sorted(sheet.hidden_columns)
        numbers: dict[tuple[int, int], int] = {}

        def number(row: int, column: int) -> int:
            if (row, column) not in numbers:
                label = place(sheet.name, _behind(row, hidden_rows), _behind(column, hidden_columns))
                numbers[row, column] = self._number(label)
            return numbers[row, column]

        # What is hidden leaves no gap: the grid has the rows and columns that are seen.
        rows: dict[int, dict[int, GridCell]] = {}
        for row in sorted(sheet.rows):
            seen_row = row - bisect_left(hidden_rows, row)
            for column in sorted(sheet.rows[row]):
                cell = sheet.rows[row][column]
                seen_column = column - bisect_left(hidden_columns, column)
                lines = cell.text.splitlines()
                found = grid_cell(lines, [number(seen_row, seen_column)] * len(lines), cell.bold)
                if found:
                    rows.setdefault(seen_row, {})[seen_column] = found
        merges = [_seen(merge, hidden_rows, hidden_columns) for merge in sheet.merges]
        headers = [_seen(merge, hidden_rows, hidden_columns) for merge in sheet.headers if merge.top not in sheet.hidden_rows]
        writer = Writer(self.sink, number, level=2 if named or not alone else 1)
        writer.write(Grid(rows, merges, headers))
        if writer.cut:
            workbook.cut(sheet)
        self.title = self.title or writer.title
        for name, value in writer.fields.items():
            self.fields.setdefault(name, value)

    @property
    def places(self) -> tuple[tuple[int, str], ...]:
        """See `Parsed.places`."""
        return tuple((offset, self._labels[number - 1]) for offset, number in self.sink.line_map)


def _behind(index: int, hidden: Sequence[int]) -> int:
    """The row or column that is the `index`-th seen one, counted from 0."""
    low, high = 0, len(hidden)
    while low < high:
        middle = (low + high) // 2
        if hidden[middle] - middle <= index:
            low = middle + 1
        else:
            high = middle
    return index + low


def _seen(merge: Merge, rows: Sequence[int], columns: Sequence[int]) -> Merge:
    """Merged cells as far as they are seen, by the rows and columns that are."""
    top, left = merge.top - bisect_left(rows, merge.top), merge.left - bisect_left(columns, merge.left)
    bottom, right = merge.bottom + 1 - bisect_left(rows, merge.bottom + 1), merge.right + 1 - bisect_left(columns, merge.right + 1)
    return Merge(top, left, max(bottom - 1, top), max(right - 1, left))


def _readable(name: str) -> str:
    """A title made of the file name, for what no sheet is the title of."""
    base = name.rpartition("/")[2]
    while base.rpartition(".")[2] in READERS or base.rpartition(".")[2] in {"xlsm", "xltx"}:
        base = base.rpartition(".")[0]
    words = " ".join(base.replace("_", " ").replace("-", " ").split())
    return words[:1].upper() + words[1:]
