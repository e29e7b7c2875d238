"""What the readers of all spreadsheet formats fill: sheets of cells as the user sees them, within bounds."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

MAX_CELLS = 200_000
"""Filled cells that are read of one document."""
MAX_COLUMNS = 200
MAX_ROWS = 1_048_576
MAX_CELL_TEXT = 32_767
MAX_MERGES = 10_000
MAX_SHEETS = 500

_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]+")
_ERROR = re.compile(r"#(?:REF!|N/A|DIV/0!|VALUE!|NAME\?|NULL!|NUM!|SPILL!|CALC!|FIELD!|GETTING_DATA|ERROR!)|Err:5\d\d")
_PLAIN_NAME = re.compile(r"[^\W\d]\w*")
_LIKE_A_CELL = re.compile(r"[A-Za-z]{1,3}\d{1,7}|[Rr]\d*(?:[Cc]\d*)?|[Cc]\d*")


@dataclass(frozen=True, slots=True)
class SheetCell:
    """A filled cell: its text as shown (with line ends), and whether all of it is bold."""

    text: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Merge:
    """Merged cells, from the top left to the bottom right one; rows and columns count from 0."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(slots=True)
class Sheet:
    """One sheet. Cells that the user does not see are not in it."""

    name: str
    rows: dict[int, dict[int, SheetCell]] = field(default_factory=dict)
    merges: list[Merge] = field(default_factory=list)
    headers: list[Merge] = field(default_factory=list)  # header rows of tables that the file itself declares
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Workbook:
    """A document of sheets; the readers put cells in one by one and stop when `full`."""

    sheets: list[Sheet] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    hidden_sheets: list[str] = field(default_factory=list)
    cells: int = 0
    errors: int = 0
    uncomputed: int = 0
    unseen: set[str] = field(default_factory=set)  # "rows" and "columns" that are hidden and hold something
    wide: list[str] = field(default_factory=list)  # names of sheets with more columns than are read
    unread: list[str] = field(default_factory=list)  # names of sheets that were not read to their end

    @property
    def full(self) -> bool:
        """Whether no further cell is taken."""
        return self.cells >= MAX_CELLS

    def put(self, sheet: Sheet, row: int, column: int, text: str, bold: bool = False) -> bool:
        """Take in a cell. False when the document holds more than is read, so that the reader can stop."""
        text = readable(text)
        if not text or row >= MAX_ROWS:
            return True
        if row in sheet.hidden_rows:
            self.unseen.add("rows")
            return True
        if column in sheet.hidden_columns:
            self.unseen.add("columns")
            return True
        if column >= MAX_COLUMNS:
            if sheet.name not in self.wide:
                self.wide.append(sheet.name)
            return True
        if is_error(text):
            self.errors += 1
            return True
        if self.full:
            self.cut(sheet)
            return False
        self.cells += 1
        sheet.rows.setdefault(row, {})[column] = SheetCell(text, bold)
        return True

    def cut(self, sheet: Sheet) -> None:
        """Remember that a sheet was not read to its end."""
        if sheet.name not in self.unread:
            self.unread.append(sheet.name)

    def told(self) -> tuple[str, ...]:
        """What the report says about what was not read."""
        notices = list(self.notices)
        if self.hidden_sheets:
            notices.append(f"hidden sheets were left out: {_listed(self.hidden_sheets)}")
        if self.unseen:
            notices.append(f"hidden {' and '.join(sorted(self.unseen, reverse=True))} were left out")
        if self.errors:
            notices.append(errors_told(self.errors))
        if self.uncomputed:
            what = "formula has no stored result and was" if self.uncomputed == 1 else "formulas have no stored result and were"
            notices.append(f"{self.uncomputed} {what} left out")
        if self.wide:
            notices.append(f"only the first {MAX_COLUMNS} columns were read of: {_listed(self.wide)}")
        if self.unread:
            notices.append(f"more than {MAX_CELLS:,} cells; not read to the end: {_listed(self.unread)}")
        return tuple(notices)


def readable(text: str) -> str:
    """The text of a cell without control characters and halves of characters, cut at the length that Excel allows."""
    return _CONTROL.sub("", text[:MAX_CELL_TEXT]).strip()


def is_error(text: str) -> bool:
    """Whether a cell shows that its formula failed."""
    return text[:1] in "#E" and _ERROR.fullmatch(text) is not None


def errors_told(count: int) -> str:
    """What the report says about cells with errors."""
    return f"{count} {'cell holds an error value and was' if count == 1 else 'cells hold an error value and were'} left out"


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:10])
    return f"{shown} and {len(names) - 10} more" if len(names) > 10 else shown


@lru_cache(maxsize=1024)
def column_name(column: int) -> str:
    """The letters of a column that counts from 0: 0 is A, 27 is AB."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


@lru_cache(maxsize=1024)
def quoted(sheet: str) -> str:
    """A sheet name as formulas write it: `Prices`, `'Q1 plan'`."""
    if _PLAIN_NAME.fullmatch(sheet) and not _LIKE_A_CELL.fullmatch(sheet):
        return sheet
    return "'" + sheet.replace("'", "''") + "'"


def place(sheet: str, row: int, column: int) -> str:
    """The locator of a cell: `sheet=Prices!B7`."""
    return f"sheet={quoted(sheet)}!{column_name(column)}{row + 1}"
