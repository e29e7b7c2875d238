"""OpenDocument spreadsheets (ODS, and FODS, the same in one XML file). Their cells hold the text that the user sees beside the value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from lxml import etree

from auditor.load.number_format import moment_text, plain
from auditor.load.odt_styles import metadata
from auditor.load.workbook import MAX_COLUMNS, MAX_MERGES, MAX_ROWS, MAX_SHEETS, Merge, Sheet, Workbook
from auditor.load.xml_events import Stop, attribute, feed
from auditor.load.zip_parts import open_parts, parse_xml
from auditor.ports import LoadError

_SKIPPED = frozenset({"annotation", "shapes", "tracked-changes", "forms", "named-expressions", "database-ranges", "ruby-text"})
_NUMBER = re.compile(r"\d[\d.,'’\u00a0\u202f ]*")
_DATE = re.compile(r"(-?\d{4,6})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d))?")
_MAX_REPEATED = 1000
"""Equal rows with content that are written one by one."""


def read(data: bytes) -> Workbook:
    """The visible sheets of a spreadsheet. Raises `LoadError` when it cannot be read."""
    workbook = Workbook()
    if not data.startswith(b"PK"):
        feed(data, "the spreadsheet", _Reader(workbook))
        workbook.fields = metadata(parse_xml(data, "the spreadsheet"))
        return workbook
    parts = open_parts(data)
    if b"encryption-data" in (parts.read("META-INF/manifest.xml") or b""):
        raise LoadError("protected by a password")
    content = parts.read("content.xml")
    if content is None:
        raise LoadError("the file is damaged: it holds no content.xml")
    workbook.fields = metadata(parts.optional_xml("meta.xml", "document properties"))
    reader = _Reader(workbook)
    reader.bold_styles |= _bold_styles(parts.optional_xml("styles.xml", "styles"))
    feed(content, "content.xml", reader)
    workbook.notices += parts.notices
    return workbook


def _bold_styles(root: etree._Element | None) -> set[str]:
    names: set[str] = set()
    for style in root.iter("{*}style") if root is not None else ():
        for properties in style.iterfind("{*}text-properties"):
            if attribute({str(k): str(v) for k, v in properties.attrib.items()}, "font-weight") == "bold":
                names |= {str(value) for key, value in style.attrib.items() if str(key).endswith("}name")}
    return names


class _Reader:
    """Takes the cells of all sheets."""

    def __init__(self, workbook: Workbook) -> None:
        self.workbook = workbook
        self.bold_styles: set[str] = set()
        self.hidden_tables: set[str] = set()
        self.style = ""
        self.sheet: Sheet | None = None
        self.sheet_hidden = False
        self.nested = 0  # tables in cells
        self.skipped = 0
        self.sheets = 0
        self.row = self.column = 0
        self.row_repeat = self.column_repeat = 1
        self.row_hidden = False
        self.header_depth = 0
        self.column_styles: list[str] = []
        self.waiting: list[tuple[int, str, bool, int, int]] = []  # filled cells of the row: column, text, bold, width, height
        self.cell: Mapping[str, str] | None = None
        self.lines: list[list[str]] = []
        self.paragraphs = 0

    # -- events ---------------------------------------------------------------------------------------------------------------

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if self.skipped or name in _SKIPPED:
            self.skipped += 1
        elif name == "style":
            self.style = attribute(attributes, "name")
            if attribute(attributes, "parent-style-name") in self.bold_styles:
                self.bold_styles.add(self.style)
        elif name == "text-properties" and self.style:
            weight = attribute(attributes, "font-weight")
            if weight == "bold":
                self.bold_styles.add(self.style)
            elif weight:
                self.bold_styles.discard(self.style)
        elif name == "table-properties" and attribute(attributes, "display") == "false":
            self.hidden_tables.add(self.style)
        elif name == "table":
            self._table(attributes)
        elif self.sheet is None or self.nested:
            return
        elif name == "table-column":
            self._column(attributes)
        elif name == "table-header-rows":
            self.header_depth += 1
        elif name == "table-row":
            self.column, self.waiting = 0, []
            self.row_repeat = _count(attributes, "number-rows-repeated")
            self.row_hidden = attribute(attributes, "visibility") in {"collapse", "filter"}
        elif name in {"table-cell", "covered-table-cell"}:
            self.cell, self.lines, self.paragraphs = attributes, [], 0
            self.column_repeat = _count(attributes, "number-columns-repeated")
        elif self.cell is not None:
            self._text_element(name, attributes)

    def text(self, data: str) -> None:
        if self.paragraphs and not self.skipped and not self.nested:
            self.lines[-1].append(data.replace("\n", " "))

    def end(self, name: str) -> None:
        if self.skipped:
            self.skipped -= 1
        elif name == "table":
            self._end_table()
        elif name == "style":
            self.style = ""
        elif self.sheet is None or self.nested:
            return
        elif name in {"p", "h"}:
            self.paragraphs = max(self.paragraphs - 1, 0)
        elif name in {"table-cell", "covered-table-cell"}:
            self._end_cell(name)
        elif name == "table-row":
            self._end_row()
        elif name == "table-header-rows":
            self.header_depth -= 1

    # -- sheets ---------------------------------------------------------------------------------------------------------------

    def _table(self, attributes: Mapping[str, str]) -> None:
        if self.sheet is not None:
            self.nested += 1
            return
        self.sheets += 1
        if self.sheets > MAX_SHEETS:
            self.workbook.notices.append(f"only the first {MAX_SHEETS} sheets were read")
            raise Stop
        self.sheet = Sheet(attribute(attributes, "name") or f"Sheet{self.sheets}")
        self.row, self.column_styles, self.header_depth = 0, [], 0
        self.sheet_hidden = attribute(attributes, "style-name") in self.hidden_tables
        if self.sheet_hidden:
            self.workbook.hidden_sheets.append(self.sheet.name)
        else:
            self.workbook.sheets.append(self.sheet)

    def _end_table(self) -> None:
        if self.nested:
            self.nested -= 1
        else:
            self.sheet = None

    def _column(self, attributes: Mapping[str, str]) -> None:
        assert self.sheet is not None
        first = len(self.column_styles)
        last = min(first + _count(attributes, "number-columns-repeated"), MAX_COLUMNS)
        self.column_styles += [attribute(attributes, "default-cell-style-name")] * (last - first)
        if attribute(attributes, "visibility") in {"collapse", "filter"}:
            self.sheet.hidden_columns.update(range(first, last))

    def _text_element(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in {"p", "h"}:
            self.paragraphs += 1
            self.lines.append([])
        elif (self.paragraphs and name == "s") or (self.paragraphs and name == "tab"):
            self.lines[-1].append(" ")
        elif self.paragraphs and name == "line-break":
            self.lines.append([])

    def _end_cell(self, name: str) -> None:
        assert self.sheet is not None
        cell = self.cell or {}
        text = _shown(cell, "\n".join("".join(line) for line in self.lines))
        if name == "table-cell" and text and self.column < MAX_COLUMNS + 1:
            style = attribute(cell, "style-name") or (
                self.column_styles[self.column] if self.column < len(self.column_styles) else ""
            )
            width, height = _count(cell, "number-columns-spanned"), _count(cell, "number-rows-spanned")
            for i in range(min(self.column_repeat, MAX_COLUMNS + 1 - self.column)):
                self.waiting.append((self.column + i, text, style in self.bold_styles, width, height))
        self.column += self.column_repeat
        self.cell = None

    def _end_row(self) -> None:
        sheet = self.sheet
        assert sheet is not None
        if self.waiting and self.row_hidden:
            self.workbook.unseen.add("rows")
            sheet.hidden_rows.update(range(self.row, self.row + min(self.row_repeat, _MAX_REPEATED)))
        elif self.waiting and not self.sheet_hidden:
            shown = min(self.row_repeat, _MAX_REPEATED)
            if shown < self.row_repeat:
                self.workbook.cut(sheet)
            for row in range(self.row, self.row + shown):
                self._put_row(sheet, row)
        self.row += self.row_repeat

    def _put_row(self, sheet: Sheet, row: int) -> None:
        for column, text, bold, width, height in self.waiting:
            if not self.workbook.put(sheet, row, column, text, bold):
                raise Stop
            if (width > 1 or height > 1) and len(sheet.merges) < MAX_MERGES:
                sheet.merges.append(Merge(row, column, row + height - 1, column + width - 1))
        if self.header_depth:
            columns = [column for column, *_ in self.waiting]
            sheet.headers.append(Merge(row, columns[0], row, columns[-1]))


def _count(attributes: Mapping[str, str], name: str) -> int:
    text = attribute(attributes, name)
    if not (text.isascii() and text.isdigit()):
        return 1
    return MAX_ROWS if len(text) > 9 else min(max(int(text), 1), MAX_ROWS)


def _shown(cell: Mapping[str, str], text: str) -> str:
    """The text of a cell, numbers and dates of all countries written in one way."""
    kind = attribute(cell, "value-type")
    if kind in {"float", "percentage", "currency"}:
        try:
            value = float(attribute(cell, "value"))
        except ValueError:
            return text
        if not text:
            unit = "%" if kind == "percentage" else f" {attribute(cell, 'currency')}" if kind == "currency" else ""
            return (plain(value * 100) if kind == "percentage" else plain(value)) + unit.rstrip()
        return _with_point(text, value * 100 if kind == "percentage" else value)
    if kind == "date" and (match := _DATE.match(attribute(cell, "date-value"))):
        return _date(match, text) or text
    if kind == "boolean" and not text:
        return attribute(cell, "boolean-value").upper()
    return text or attribute(cell, "string-value")


def _with_point(text: str, value: float) -> str:
    """A shown number with decimal point: "1.200,50 €" of 1200.5 is "1,200.50 €", while "1.200" of 1.2 stays."""
    match = _NUMBER.search(text)
    if not match:
        return text
    digits = match.group().rstrip(" .,'’\u00a0\u202f")
    if _reads_as(digits.replace(",", ""), value) or ("," not in digits and "." not in digits):
        return text
    whole, _, fraction = digits.rpartition(",") if "," in digits else (digits, "", "")
    groups = whole.replace(".", ",")
    if not _reads_as(groups.replace(",", "") + ("." + fraction if fraction else ""), value):
        return text
    return text[: match.start()] + groups + ("." + fraction if fraction else "") + text[match.start() + len(digits) :]


def _reads_as(digits: str, value: float) -> bool:
    bare = re.sub(r"['’\u00a0\u202f ]", "", digits)
    try:
        shown = float(bare)
    except ValueError:
        return False
    return abs(shown - abs(value)) <= 0.5000001 * 10.0 ** -len(bare.partition(".")[2])


def _date(match: re.Match[str], text: str) -> str:
    """A date as far as the cell shows it: "Mar 24" is a month."""
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
    try:
        moment = datetime(year, month, day, hour, minute, second)
    except ValueError:
        return ""
    numbers = [int(number) for number in re.findall(r"\d{1,9}", text)]
    parts = {"y", "m", "d", "h", "min"}
    if re.search(r"[^\W\d_]{3}", text) and len(numbers) == 1:
        parts = {"y", "m"} if numbers[0] in {year, year % 100} and numbers[0] != day else {"m", "d"}
    elif numbers == [year]:
        parts = {"y"}
    return moment_text(moment, parts)
