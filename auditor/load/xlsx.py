"""Excel workbooks (XLSX, XLSM): what the cells show, read from the XML itself.

Number formats, hidden rows and merged cells decide what a user sees, and the bounds must hold before a sheet is laid out, so the
parts are read here and not by a library that hands out bare values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lxml import etree

from auditor.load import opc
from auditor.load.format_code import BUILT_IN, GENERAL
from auditor.load.number_format import shown
from auditor.load.workbook import MAX_COLUMNS, MAX_MERGES, MAX_ROWS, MAX_SHEETS, Merge, Sheet, Workbook
from auditor.load.xml_events import Stop, feed
from auditor.load.zip_parts import Parts, open_parts
from auditor.ports import LoadError

_REFERENCE = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})")
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_ISO = re.compile(r"(\d{4}-\d\d-\d\d)T(?:00:00(?::00(?:\.0+)?)?|(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?)Z?")
_MAX_STRINGS = 2_000_000
_MAX_TABLES = 200


@dataclass(frozen=True, slots=True)
class Style:
    """What matters of a cell's style."""

    code: str = GENERAL
    bold: bool = False


PLAIN = Style()


def read(data: bytes) -> Workbook:
    """The visible sheets of a workbook. Raises `LoadError` when it cannot be read."""
    parts = open_parts(data)
    main = opc.main_part(parts, "xl/workbook.xml")
    root = parts.xml(main)
    if root is None:
        raise LoadError("the file is damaged: it holds no workbook")
    workbook = Workbook(fields=opc.properties(parts))
    named = opc.relations(parts, main)
    by_kind = {relation.kind: relation.target for relation in named.values() if not relation.external}
    since_1904 = any(_true(element.get("date1904")) for element in root.iter("{*}workbookPr"))
    strings = _shared_strings(parts, by_kind.get("sharedStrings", "xl/sharedStrings.xml"))
    styles = _styles(parts.optional_xml(by_kind.get("styles", "xl/styles.xml"), "number formats"))
    for count, entry in enumerate(root.iter("{*}sheet")):
        if count >= MAX_SHEETS:
            workbook.notices.append(f"only the first {MAX_SHEETS} sheets were read")
            break
        name = entry.get("name", "") or f"Sheet{count + 1}"
        link = next((value for key, value in entry.attrib.items() if str(key).rpartition("}")[2] == "id"), "")
        relation = named.get(str(link))
        if relation is None or relation.external or relation.kind != "worksheet":
            continue  # a sheet that is one chart or dialog
        if entry.get("state", "visible") != "visible":
            workbook.hidden_sheets.append(name)
            continue
        sheet = Sheet(name)
        workbook.sheets.append(sheet)
        if workbook.full:
            workbook.cut(sheet)
            continue
        try:
            source = parts.read(relation.target)
            if source is not None:
                feed(source, relation.target, _SheetReader(workbook, sheet, strings, styles, since_1904))
                sheet.headers += _declared_tables(parts, relation.target)
        except LoadError as error:
            workbook.notices.append(f"sheet {name} was not read to its end: {error}")
    workbook.notices += parts.notices
    return workbook


def reference(text: str) -> tuple[int, int] | None:
    """Row and column, from 0, of a reference such as B7."""
    match = _REFERENCE.fullmatch(text)
    if not match:
        return None
    column = 0
    for letter in match[1].upper():
        column = column * 26 + ord(letter) - 64
    return int(match[2]) - 1, column - 1


def area(text: str) -> Merge | None:
    """The cells of a reference such as A1:B7."""
    first, _, last = text.partition(":")
    start, end = reference(first), reference(last or first)
    if start is None or end is None or end < start or end[1] < start[1]:
        return None
    return Merge(start[0], start[1], end[0], end[1])


def _true(value: str | None) -> bool:
    return value in {"1", "true", "on"}


def _number(value: str | None) -> int:
    return int(value) if value and value.isascii() and value.isdigit() and len(value) < 10 else 0


def unescaped(text: str) -> str:
    """Text whose odd characters are written as `_x000D_`."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


class _Strings:
    """Gathers the shared strings; what tells how to pronounce them is left out."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._pieces: list[str] = []
        self._taking = False
        self._phonetic = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "si":
            self._pieces = []
        elif name == "rPh":
            self._phonetic += 1
        elif name == "t":
            self._taking = not self._phonetic

    def text(self, data: str) -> None:
        if self._taking:
            self._pieces.append(data)

    def end(self, name: str) -> None:
        if name == "t":
            self._taking = False
        elif name == "rPh":
            self._phonetic -= 1
        elif name == "si":
            if len(self.found) >= _MAX_STRINGS:
                raise Stop
            self.found.append(unescaped("".join(self._pieces)))


def _shared_strings(parts: Parts, name: str) -> Sequence[str]:
    source = parts.read(name)
    if source is None:
        return ()
    strings = _Strings()
    feed(source, name, strings)
    return strings.found


def _styles(root: etree._Element | None) -> Sequence[Style]:
    if root is None:
        return ()
    codes = dict(BUILT_IN)
    for element in root.iterfind("{*}numFmts/{*}numFmt"):
        codes[_number(element.get("numFmtId"))] = element.get("formatCode", GENERAL)
    bold = []
    for font in root.iterfind("{*}fonts/{*}font"):
        mark = font.find("{*}b")
        bold.append(mark is not None and mark.get("val", "1") not in {"0", "false"})
    styles = []
    for element in root.iterfind("{*}cellXfs/{*}xf"):
        font_id = _number(element.get("fontId"))
        styles.append(Style(codes.get(_number(element.get("numFmtId")), GENERAL), font_id < len(bold) and bold[font_id]))
    return styles


def _declared_tables(parts: Parts, sheet_part: str) -> list[Merge]:
    """The header rows of the tables that are marked as such on a sheet."""
    headers: list[Merge] = []
    for relation in opc.relations(parts, sheet_part).values():
        if relation.kind != "table" or relation.external or len(headers) >= _MAX_TABLES:
            continue
        root = parts.optional_xml(relation.target, "the limits of a table")
        cells = area(root.get("ref", "")) if root is not None else None
        if root is not None and cells is not None and root.get("headerRowCount", "1") != "0":
            headers.append(Merge(cells.top, cells.left, cells.top, cells.right))
    return headers


class _SheetReader:
    """Takes the cells of one sheet."""

    def __init__(self, workbook: Workbook, sheet: Sheet, strings: Sequence[str], styles: Sequence[Style], since_1904: bool) -> None:
        self.workbook, self.sheet = workbook, sheet
        self.strings, self.styles, self.since_1904 = strings, styles, since_1904
        self.row, self.column = -1, -1
        self.type, self.style = "n", PLAIN
        self.value: list[str] = []
        self.formula = False
        self.taking = False
        self.phonetic = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "c":
            self._cell(attributes)
        elif name in {"v", "t"}:
            self.taking = not self.phonetic
        elif name == "f":
            self.formula = True
        elif name == "rPh":
            self.phonetic += 1
        elif name == "row":
            row = _number(attributes.get("r"))
            self.row = row - 1 if row else self.row + 1
            self.column = -1
            if _true(attributes.get("hidden")) and len(self.sheet.hidden_rows) < MAX_ROWS:
                self.sheet.hidden_rows.add(self.row)
        elif name == "col":
            if _true(attributes.get("hidden")):
                first, last = _number(attributes.get("min")) - 1, _number(attributes.get("max"))
                self.sheet.hidden_columns.update(range(max(first, 0), min(last, MAX_COLUMNS)))
        elif name == "mergeCell" and len(self.sheet.merges) < MAX_MERGES and (cells := area(attributes.get("ref", ""))):
            self.sheet.merges.append(cells)

    def _cell(self, attributes: Mapping[str, str]) -> None:
        found = reference(attributes.get("r", ""))
        if found:
            self.row, self.column = found
        else:
            self.column += 1
        self.type = attributes.get("t", "n")
        style = _number(attributes.get("s"))
        self.style = self.styles[style] if style < len(self.styles) else PLAIN
        self.value = []
        self.formula = False

    def text(self, data: str) -> None:
        if self.taking:
            self.value.append(data)

    def end(self, name: str) -> None:
        if name in {"v", "t"}:
            self.taking = False
        elif name == "rPh":
            self.phonetic -= 1
        elif name == "c" and self.row >= 0:
            raw = "".join(self.value)
            if not raw:
                self.workbook.uncomputed += self.formula and self.type != "str"
                return
            if not self.workbook.put(self.sheet, self.row, self.column, self._shown(raw), self.style.bold):
                raise Stop

    def _shown(self, raw: str) -> str:
        match self.type:
            case "s":
                index = _number(raw.strip()) if raw.strip().isdigit() else len(self.strings)
                return self.strings[index] if index < len(self.strings) else ""
            case "str" | "inlineStr":
                return unescaped(raw)
            case "b":
                return "TRUE" if raw.strip() in {"1", "true"} else "FALSE"
            case "e":
                self.workbook.errors += 1
                return ""
            case "d":
                match = _ISO.fullmatch(raw.strip())
                return " ".join(part for part in match.groups() if part) if match else raw
            case _:
                try:
                    return shown(float(raw), self.style.code, self.since_1904)
                except ValueError:
                    return raw
