"""Tables as text: CSV and TSV, as spreadsheets, databases and web applications export them.

Encoding and separator follow from the content. Every cell leads back to the line of the file it begins on.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO

from auditor.load.cell_grid import Grid, Writer
from auditor.load.cell_regions import GridCell, grid_cell
from auditor.load.decode import decode
from auditor.load.text_sink import TextSink
from auditor.load.workbook import MAX_CELL_TEXT, MAX_CELLS, MAX_COLUMNS, errors_told, is_error, readable
from auditor.model import Parsed
from auditor.ports import LoadError

SUFFIXES = (".csv", ".tsv", ".tab", ".psv")
SEPARATORS = (",", ";", "\t", "|")

_DECLARED = re.compile(r'"?sep=(.)"?[ \t]*\n', re.IGNORECASE)
_SAMPLE_RECORDS = 60
_SAMPLE = 200_000  # characters
_LONGEST_RECORD = 500  # lines; a quotation mark that is not closed would take the rest of the file for one cell
_NOTION_LINK = re.compile(r"\s?\((?:https?://(?:www\.)?notion\.so/[^\s()]+|[^\s()]*%20[^\s()]*\.(?:md|csv)(?:\?[^\s()]*)?)\)")

_AFFIX = r"(?P<before>(?:[$€£¥]|[A-Z]{2,3})?\s?[-+−]?)(?P<number>%s)(?P<after>\s?(?:%%|‰|[$€£¥]|[^\W\d_]{1,8}(?:/[^\W\d_]{1,8})?)?)"
_COMMA_DECIMAL = re.compile(_AFFIX % r"(?:\d{1,3}(?:\.\d{3})+|\d+),(?:\d{1,2}|\d{4,})")
_POINT_DECIMAL = re.compile(_AFFIX % r"(?:\d{1,3}(?:,\d{3})+|\d+)\.(?:\d{1,2}|\d{4,})|\d{1,3}(?:,\d{3}){2,}")
_COMMA_NUMBER = re.compile(_AFFIX % r"(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?")


@dataclass(frozen=True, slots=True)
class Record:
    """A record with the line of the file on which it begins."""

    line: int
    cells: Sequence[str]


class DelimitedLoader:
    """Reads CSV, TSV and their like."""

    id = "delimited"

    def accepts(self, name: str, head: bytes) -> bool:
        """By extension."""
        return name.endswith(SUFFIXES)

    def load(self, data: bytes, name: str) -> Parsed:
        """One block per record, under the column names of the first one."""
        text = decode(data)
        if len(text) > 2 and "\x01" in text[:1000]:
            raise LoadError("not readable as a table: it holds control characters")
        first_line = 1
        declared = _DECLARED.match(text)
        if declared:
            text, first_line = text[declared.end() :], 2
        separator = declared[1] if declared else guess_separator(text, "\t" if name.endswith((".tsv", ".tab")) else ",")
        notices: list[str] = []
        records = _bounded(_read(text, separator, first_line), notices)
        if any(len(record.cells) > 1 for record in records):
            records = _with_points(records)
        filled = [[bool(cell) for cell in record.cells] for record in records]
        one_table = sum(filled[0]) > 1 if filled else False
        if one_table:
            records = [record for record in records if any(record.cells)]
        sink = TextSink()
        writer = Writer(sink, lambda row, column: records[row].line)
        writer.write(Grid(_cells(records), first_row_is_header=one_table))
        if not sink.blocks:
            raise LoadError("no cell holds anything")
        if writer.cut:
            notices.append("holds too many empty cells; not read to the end")
        kind = "tsv" if separator == "\t" else "csv"
        return Parsed(
            sink.text,
            tuple(sink.blocks),
            sink.line_map,
            title=writer.title,
            fields=writer.fields,
            format=kind,
            notices=tuple(notices),
        )


def guess_separator(text: str, usual: str) -> str:
    """The separator under which the first records are alike; `usual` where nothing tells."""
    sample = text[:_SAMPLE]
    best, best_score = usual, (0.0, 0, False)
    for separator in SEPARATORS:
        if separator not in sample:
            continue
        widths: Counter[int] = Counter()
        for count, record in enumerate(_read(sample, separator, 1)):
            if count >= _SAMPLE_RECORDS:
                break
            if any(record.cells):
                widths[len(record.cells)] += 1
        alike = {width: count for width, count in widths.items() if width > 1}
        if not alike:
            continue
        width, count = max(alike.items(), key=lambda item: (item[1], item[0]))
        score = (round(count / widths.total(), 2), width, separator == usual)
        if score > best_score:
            best, best_score = separator, score
    return best


def _read(text: str, separator: str, first_line: int) -> Iterator[Record]:
    """The records of a text. After a quotation mark that is never closed, quotation marks are read as characters."""
    lines = StringIO(text)
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=separator != "\t")
    done = 0
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            cells = None
        if cells is None or reader.line_num - done > _LONGEST_RECORD:
            break
        yield Record(first_line + done, cells)
        done = reader.line_num
    for number, line in enumerate(text.split("\n")[done:], start=done):
        yield Record(first_line + number, [cell.strip(' "') for cell in line.split(separator)])


def _bounded(records: Iterator[Record], notices: list[str]) -> list[Record]:
    """The records up to the limits, and a notice about the rest."""
    taken: list[Record] = []
    cells = wide = errors = 0
    for record in records:
        if cells >= MAX_CELLS:
            notices.append(f"more than {MAX_CELLS:,} cells; not read beyond line {record.line - 1}")
            break
        wide += len(record.cells) > MAX_COLUMNS
        kept = [_cell(cell) for cell in record.cells[:MAX_COLUMNS]]
        for i, cell in enumerate(kept):
            if is_error(cell):
                kept[i], errors = "", errors + 1
        cells += sum(map(bool, kept))
        taken.append(Record(record.line, kept))
    if errors:
        notices.append(errors_told(errors))
    if wide:
        notices.append(f"only the first {MAX_COLUMNS} columns were read")
    return taken


def _cell(text: str) -> str:
    text = _NOTION_LINK.sub("", text) if "(" in text else text
    if "\n" not in text:
        return readable(text)
    lines = [readable(line) for line in text[:MAX_CELL_TEXT].split("\n")]  # blank ones count: they tell where the next cell is
    return "\n".join(lines) if any(lines) else ""


def _with_points(records: list[Record]) -> list[Record]:
    """Numbers with a decimal comma are written with a decimal point, if all of the file is written in that way."""
    commas = points = 0
    for record in records:
        for cell in record.cells:
            if len(cell) <= 40:
                commas += _COMMA_DECIMAL.fullmatch(cell) is not None
                points += _POINT_DECIMAL.fullmatch(cell) is not None
    if not commas or points:
        return records
    return [replace(record, cells=[_with_point(cell) for cell in record.cells]) for record in records]


def _with_point(cell: str) -> str:
    match = _COMMA_NUMBER.fullmatch(cell) if len(cell) <= 40 else None
    if not match:
        return cell
    return match["before"] + match["number"].translate({44: ".", 46: ","}) + match["after"]


def _cells(records: Sequence[Record]) -> dict[int, dict[int, GridCell]]:
    rows: dict[int, dict[int, GridCell]] = {}
    for row, record in enumerate(records):
        line = record.line
        for column, text in enumerate(record.cells):
            parts = text.split("\n")
            cell = grid_cell(parts, range(line, line + len(parts)))
            line += len(parts) - 1
            if cell:
                rows.setdefault(row, {})[column] = cell
    return rows
