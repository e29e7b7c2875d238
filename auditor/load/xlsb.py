"""Binary Excel workbooks (XLSB): records instead of XML in the parts of the same archive."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

from auditor.load import opc
from auditor.load.format_code import BUILT_IN, GENERAL
from auditor.load.number_format import shown
from auditor.load.workbook import MAX_CELL_TEXT, MAX_COLUMNS, MAX_MERGES, MAX_ROWS, MAX_SHEETS, Merge, Sheet, Workbook, readable
from auditor.load.xlsx import PLAIN, Style
from auditor.load.zip_parts import open_parts
from auditor.ports import LoadError

# Record types, as the format's specification (MS-XLSB) names them.
_ROW, _RK, _ERROR, _BOOL, _REAL, _STRING, _SHARED = 0, 2, 3, 4, 5, 6, 7
_FORMULA_STRING, _FORMULA_NUMBER, _FORMULA_BOOL, _FORMULA_ERROR, _RICH_STRING = 8, 9, 10, 11, 62
_STRING_ITEM, _FONT, _FORMAT, _XF, _COLUMNS = 19, 43, 44, 47, 60
_WORKBOOK, _SHEET, _MERGE, _BEGIN_XFS, _END_XFS = 153, 156, 176, 617, 618
_FIRST_SHORT, _LAST_SHORT, _SHORT = 12, 18, 11  # cells next to the one before: the same without a column, numbered from 12
_BOLD = 600


def read(data: bytes) -> Workbook:
    """The visible sheets of a workbook. Raises `LoadError` when it cannot be read."""
    parts = open_parts(data)
    main = opc.main_part(parts, "xl/workbook.bin")
    source = parts.read(main)
    if source is None:
        raise LoadError("the file is damaged: it holds no workbook")
    workbook = Workbook(fields=opc.properties(parts))
    named = opc.relations(parts, main)
    by_kind = {relation.kind: relation.target for relation in named.values() if not relation.external}
    try:
        strings = _strings(parts.read(by_kind.get("sharedStrings", "xl/sharedStrings.bin")) or b"")
        styles = _styles(parts.read(by_kind.get("styles", "xl/styles.bin")) or b"")
        since_1904, entries = _workbook(source)
    except (struct.error, IndexError) as error:
        raise LoadError("the file is damaged: a record is cut off") from error
    if len(entries) > MAX_SHEETS:
        workbook.notices.append(f"only the first {MAX_SHEETS} sheets were read")
    for name, link, hidden in entries[:MAX_SHEETS]:
        relation = named.get(link)
        if relation is None or relation.external or relation.kind != "worksheet":
            continue
        if hidden:
            workbook.hidden_sheets.append(name)
            continue
        sheet = Sheet(name)
        workbook.sheets.append(sheet)
        try:
            _sheet(parts.read(relation.target) or b"", workbook, sheet, strings, styles, since_1904)
        except (struct.error, IndexError):
            workbook.notices.append(f"sheet {name} was not read to its end: a record is cut off")
        except LoadError as error:
            workbook.notices.append(f"sheet {name} was not read to its end: {error}")
    workbook.notices += parts.notices
    return workbook


def _records(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Type and content of each record."""
    at, end = 0, len(data)
    while at < end:
        kind = data[at]
        at += 1
        if kind & 0x80:
            kind = (kind & 0x7F) | (data[at] & 0x7F) << 7
            at += 1
        size = 0
        for shift in (0, 7, 14, 21):
            byte = data[at]
            at += 1
            size |= (byte & 0x7F) << shift
            if not byte & 0x80:
                break
        if at + size > end:
            raise IndexError(at)
        yield kind, data[at : at + size]
        at += size


def _text(record: bytes, at: int) -> tuple[str, int]:
    """A string of a record, and where it ends."""
    (count,) = struct.unpack_from("<I", record, at)
    if count == 0xFFFFFFFF:
        return "", at + 4
    end = at + 4 + 2 * count
    if end > len(record):
        raise IndexError(end)
    return record[at + 4 : min(end, at + 4 + 2 * MAX_CELL_TEXT)].decode("utf-16-le", "replace"), end


def _workbook(source: bytes) -> tuple[bool, list[tuple[str, str, bool]]]:
    """Whether dates count from 1904, and name, link and state of each sheet."""
    since_1904 = False
    sheets: list[tuple[str, str, bool]] = []
    for kind, record in _records(source):
        if kind == _WORKBOOK:
            since_1904 = bool(struct.unpack_from("<I", record)[0] & 1)
        elif kind == _SHEET:
            state = struct.unpack_from("<I", record)[0]
            link, at = _text(record, 8)
            name, _ = _text(record, at)
            sheets.append((readable(name) or f"Sheet{len(sheets) + 1}", link, state != 0))
    return since_1904, sheets


def _strings(source: bytes) -> Sequence[str]:
    return [_text(record, 1)[0] for kind, record in _records(source) if kind == _STRING_ITEM]


def _styles(source: bytes) -> Sequence[Style]:
    codes = dict(BUILT_IN)
    bold: list[bool] = []
    styles: list[Style] = []
    cells = False
    for kind, record in _records(source):
        if kind == _FORMAT:
            codes[struct.unpack_from("<H", record)[0]] = _text(record, 2)[0]
        elif kind == _FONT:
            bold.append(struct.unpack_from("<H", record, 4)[0] >= _BOLD)
        elif kind in {_BEGIN_XFS, _END_XFS}:
            cells = kind == _BEGIN_XFS
        elif kind == _XF and cells:
            _, code, font = struct.unpack_from("<HHH", record)
            styles.append(Style(codes.get(code, GENERAL), font < len(bold) and bold[font]))
    return styles


def _sheet(
    source: bytes, workbook: Workbook, sheet: Sheet, strings: Sequence[str], styles: Sequence[Style], since_1904: bool
) -> None:
    row, column = 0, -1
    for kind, record in _records(source):
        if _FIRST_SHORT <= kind <= _LAST_SHORT and column < MAX_ROWS:
            kind, record = kind - _SHORT, struct.pack("<I", column + 1) + record
        if kind == _ROW:
            (row,) = struct.unpack_from("<I", record)
            column = -1
            if len(record) > 11 and record[11] & 0x10:
                sheet.hidden_rows.add(row)
        elif kind == _COLUMNS:
            first, last = struct.unpack_from("<II", record)
            if struct.unpack_from("<H", record, 16)[0] & 1:
                sheet.hidden_columns.update(range(first, min(last + 1, MAX_COLUMNS)))
        elif kind == _MERGE and len(sheet.merges) < MAX_MERGES:
            top, bottom, left, right = struct.unpack_from("<IIII", record)
            sheet.merges.append(Merge(top, left, bottom, right))
        elif kind <= _FORMULA_ERROR or kind == _RICH_STRING:
            column, style_number = struct.unpack_from("<II", record)
            if kind in {_ERROR, _FORMULA_ERROR}:
                workbook.errors += 1
                continue
            style_number &= 0xFFFFFF
            style = styles[style_number] if style_number < len(styles) else PLAIN
            text = _shown(kind, record, strings, style, since_1904)
            if not workbook.put(sheet, row, column, text, style.bold):
                return


def _shown(kind: int, record: bytes, strings: Sequence[str], style: Style, since_1904: bool) -> str:
    if kind == _SHARED:
        (index,) = struct.unpack_from("<I", record, 8)
        return strings[index] if index < len(strings) else ""
    if kind in {_STRING, _FORMULA_STRING}:
        return _text(record, 8)[0]
    if kind == _RICH_STRING:
        return _text(record, 9)[0]
    if kind in {_BOOL, _FORMULA_BOOL}:
        return "TRUE" if record[8] else "FALSE"
    if kind in {_REAL, _FORMULA_NUMBER}:
        return shown(struct.unpack_from("<d", record, 8)[0], style.code, since_1904)
    if kind == _RK:
        return shown(_packed(struct.unpack_from("<I", record, 8)[0]), style.code, since_1904)
    return ""


def _packed(number: int) -> float:
    """A number in 30 bits: an integer or the upper part of a fraction, possibly of its hundredfold."""
    if number & 2:
        value = float((number >> 2) - (1 << 30) if number & 0x80000000 else number >> 2)
    else:
        (value,) = struct.unpack("<d", b"\0\0\0\0" + struct.pack("<I", number & 0xFFFFFFFC))
    return value / 100 if number & 1 else value
