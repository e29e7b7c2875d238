"""Old Excel workbooks (XLS)."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from io import BytesIO

import olefile
import xlrd

from auditor.load.format_code import GENERAL
from auditor.load.number_format import shown
from auditor.load.workbook import MAX_MERGES, MAX_SHEETS, Merge, Sheet, Workbook, readable
from auditor.ports import LoadError

_TEXT, _NUMBER, _DATE, _BOOLEAN, _ERROR = 1, 2, 3, 4, 5
_BOLD = 600
_PROPERTY_BYTES = 1 << 20
_NAMES: Mapping[str, Mapping[int, str]] = {
    "\x05SummaryInformation": {2: "title", 4: "author", 8: "last modified by", 12: "created", 13: "last modified"},
    "\x05DocumentSummaryInformation": {2: "category", 14: "responsible", 15: "company"},
}
_ANSI_TEXT, _WIDE_TEXT, _TIME = 30, 31, 64
_NOBODY = frozenset({"", "user", "unknown", "admin", "administrator"})


class _Silence:
    """Where the library's remarks about odd files go."""

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None: ...


def read(data: bytes) -> Workbook:
    """The visible sheets of a workbook. Raises `LoadError` when it cannot be read."""
    workbook = Workbook(fields=_properties(data))
    try:
        book = xlrd.open_workbook(file_contents=data, formatting_info=True, on_demand=True, ragged_rows=True, logfile=_Silence())
        for index in range(book.nsheets):
            if index >= MAX_SHEETS:
                workbook.notices.append(f"only the first {MAX_SHEETS} sheets were read")
                break
            _sheet(workbook, book, index)
            book.unload_sheet(index)
    except LoadError:
        raise
    except MemoryError:
        raise
    except Exception as error:  # the library meets damaged files with all kinds of exceptions
        if "encrypted" in str(error).lower():
            raise LoadError("protected by a password") from error
        reason = str(error)[:200] if isinstance(error, xlrd.XLRDError) else "a record is cut off or makes no sense"
        raise LoadError(f"the file is damaged: {reason}") from error
    return workbook


def _sheet(workbook: Workbook, book: xlrd.Book, index: int) -> None:
    source = book.sheet_by_index(index)
    name = readable(source.name) or f"Sheet{index + 1}"
    if source.visibility:
        workbook.hidden_sheets.append(name)
        return
    sheet = Sheet(name)
    workbook.sheets.append(sheet)
    sheet.hidden_rows = {row for row, info in source.rowinfo_map.items() if info.hidden}
    sheet.hidden_columns = {column for column, info in source.colinfo_map.items() if info.hidden}
    for top, end, left, right in source.merged_cells[:MAX_MERGES]:
        sheet.merges.append(Merge(top, left, end - 1, right - 1))

    @lru_cache(maxsize=5000)
    def style(number: int) -> tuple[str, bool]:
        xf = book.xf_list[number]
        code = book.format_map.get(xf.format_key)
        font = book.font_list[xf.font_index]
        return (code.format_str if code else GENERAL), bool(font.bold or font.weight >= _BOLD)

    for row in range(source.nrows):
        kinds, values = source.row_types(row), source.row_values(row)
        for column, kind in enumerate(kinds):
            if kind not in {_TEXT, _NUMBER, _DATE, _BOOLEAN, _ERROR}:
                continue
            if kind == _ERROR:
                workbook.errors += 1
                continue
            value = values[column]
            code, bold = style(source.cell_xf_index(row, column))
            if kind == _TEXT:
                text = str(value)
            elif kind == _BOOLEAN:
                text = "TRUE" if value else "FALSE"
            else:
                text = shown(float(value), code, bool(book.datemode))
            if not workbook.put(sheet, row, column, text, bold):
                return


def _properties(data: bytes) -> dict[str, str]:
    """Document properties under the names that `load/meta.py` reads."""
    fields: dict[str, str] = {}
    try:
        with olefile.OleFileIO(BytesIO(data)) as file:
            if file.exists("EncryptedPackage"):  # a newer workbook inside
                raise LoadError("protected by a password")
            for stream, names in _NAMES.items():
                if file.exists(stream):
                    found = property_set(file.openstream(stream).read(_PROPERTY_BYTES), names)
                    fields |= {name: value for name, value in found.items() if value.lower() not in _NOBODY}
    except (OSError, ValueError, struct.error, IndexError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        pass  # the cells are read without them
    return fields


def property_set(stream: bytes, names: Mapping[int, str]) -> dict[str, str]:
    """The texts and times of a stream of properties (MS-OLEPS) that have a name here.

    olefile reads such streams too, but believes a vector that claims to have four billion parts.
    """
    (start,) = struct.unpack_from("<I", stream, 44)
    (count,) = struct.unpack_from("<I", stream, start + 4)
    places = dict(struct.unpack_from("<II", stream, start + 8 + 8 * i) for i in range(min(count, len(stream) // 8, 200)))
    encoding = "cp1252"
    if 1 in places:
        page = struct.unpack_from("<H", stream, start + places[1] + 4)[0]
        encoding = {65001: "utf-8", 1200: "utf-16-le", 10000: "mac-roman"}.get(page, f"cp{page}")
    fields: dict[str, str] = {}
    for identity, name in names.items():
        if identity not in places:
            continue
        at = start + places[identity]
        kind, size = struct.unpack_from("<II", stream, at)
        if kind == _ANSI_TEXT:
            value = _decoded(stream[at + 8 : at + 8 + min(size, 2000)], encoding)
        elif kind == _WIDE_TEXT:
            value = _decoded(stream[at + 8 : at + 8 + 2 * min(size, 2000)], "utf-16-le")
        elif kind == _TIME:
            (ticks,) = struct.unpack_from("<Q", stream, at + 4)
            moment = datetime(1601, 1, 1) + timedelta(seconds=ticks // 10_000_000)
            value = moment.isoformat() if moment.year > 1980 else ""
        else:
            continue
        if value:
            fields[name] = value
    return fields


def _decoded(value: bytes, encoding: str) -> str:
    try:
        text = value.decode(encoding, "replace")
    except LookupError:
        text = value.decode("cp1252", "replace")
    return " ".join(readable(text.partition("\0")[0]).split())[:300]
