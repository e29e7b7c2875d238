"""The lines of a column of text, and the aligned tables among them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import TypeAlias

from auditor.load.pdf_aligned import aligned_columns, aligned_table, fits
from auditor.load.pdf_page import Segment
from auditor.load.pdf_rulings import Ruling
from auditor.load.pdf_tables import Table

_NEXT_ROW = 3.2  # of the font size: further down nothing belongs to a row above
_MAX_ROWS = 300  # lines of a table without drawn lines
_LEADER = re.compile(r"(?:[.·…_]\s?){4,}\s*[\divxlc]{1,10}$")
_RULE = re.compile(r"[-=_–—+| ]{5,}$")
_BULLET = re.compile(r"(?:\d{1,2}\s)?[•◦▪‣⁃∙●○■□–—\-*·➢✓❖►▸»]$|o$")
_NUMBER = re.compile(r"\(?(?:\d{1,3}|[a-zA-Z]|[ivxlc]{1,6})[.)]$|\d{1,3}(?:\.\d{1,3}){1,4}\.?$|\d{1,2}$|[A-Z]$")


@dataclass(slots=True)
class Line:
    """A line of a column of text: one segment or, where gaps are wide, several."""

    segments: list[Segment]
    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    mono: bool

    @property
    def marked(self) -> bool:
        """Whether it is a sign or number with a text some way behind."""
        return 2 <= len(self.segments) <= 3 and all(_BULLET.match(s.text) or _NUMBER.match(s.text) for s in self.segments[:-1])


Part: TypeAlias = Line | Table


def parts(
    boxes: Sequence[Segment | Table], rules: Sequence[Ruling], first_line: int, before: Table | None, code: bool
) -> tuple[list[Part], int]:
    """Lines and tables of a column, and the number of the line below it.

    `before` is the table that the text before ended with: a single line that fits its columns goes on with it. `code` says that lines in a
    monospaced font are code, which makes no tables.
    """
    found: list[Part] = []
    number = first_line
    for box in sorted(boxes, key=lambda box: (box.y, box.x0)):
        if isinstance(box, Table):
            found.append(box)
            continue
        last = found[-1] if found else None
        if isinstance(last, Line) and box.y - last.y <= 0.4 * min(box.size, last.size):
            last.segments.append(box)
        else:
            found.append(Line([box], "", 0, 0, box.y, box.size, False, False))
    for part in found:
        number = _number(part, number)
    drawn = [Ruling(part.y, part.x0, part.x1) for part in found if isinstance(part, Line) and _RULE.match(part.text)]
    if drawn:
        rules = sorted([*rules, *drawn], key=lambda rule: rule.at)
    found = [part for part in found if isinstance(part, Table) or not (_LEADER.search(part.text) or _RULE.match(part.text))]
    return _with_tables(found, rules, before, code), number


def _number(part: Part, number: int) -> int:
    """Number the lines of a part from `number` on, and finish them."""
    if isinstance(part, Line):
        segments = part.segments
        segments.sort(key=lambda segment: segment.x0)
        for segment in segments:
            segment.line = number
        letters = max(segments, key=lambda segment: len(segment.text))
        part.text = " ".join(segment.text for segment in segments)
        if "\u00ad" in part.text[:-1]:
            part.text = part.text[:-1].replace("\u00ad", "-") + part.text[-1]
        part.x0, part.x1, part.size = segments[0].x0, max(segment.x1 for segment in segments), letters.size
        part.bold = all(segment.bold for segment in segments if segment.text[-1:].isalnum()) and any(s.bold for s in segments)
        part.mono = all(segment.mono for segment in segments)
        return number + 1
    level = None
    segments = sorted((s for row in part.rows for cell in row.cells for s in cell.lines), key=lambda s: s.y)
    for segment in segments:
        if level is not None and segment.y - level > 0.4 * segment.size:
            number += 1
            level = segment.y
        level = segment.y if level is None else level
        segment.line = number
    return number + 1


def _with_tables(found: list[Part], rules: Sequence[Ruling], before: Table | None, code: bool) -> list[Part]:
    """Runs of lines with the same columns become tables."""
    result: list[Part] = []
    if not any(isinstance(part, Line) and len(part.segments) > 1 for part in found):
        return found
    width = max(part.x1 for part in found) - min(part.x0 for part in found)
    i = 0
    while i < len(found):
        part = found[i]
        if not isinstance(part, Line) or len(part.segments) < 2 or part.marked or (code and part.mono):
            result.append(part)
            i += 1
            continue
        expected = before if not result else None
        block = _block(found, i, width, code)
        columns, lines = _first_table(block)
        if expected is not None and not expected.ruled:
            widened = _shifted(expected, part)
            longer = _run(block, widened)
            if longer and len(longer) >= len(lines):
                lines, columns = longer, widened
        needed = 1 if expected is not None and len(columns) == len(expected.columns) else 2
        if sum(len(row) > 1 for row in lines) < needed:
            result.append(part)
            i += 1
            continue
        near = [rule for rule in rules if rule.low <= lines[0][-1].x1 and rule.high >= lines[0][0].x0]
        result.append(aligned_table(lines, columns, near))
        i += len(lines)
    return result


def _block(found: Sequence[Part], i: int, width: float, code: bool) -> list[Line]:
    """The lines from `i` on that may belong to one table: close together, none of them much like running text."""
    block: list[Line] = []
    low, high = math.inf, -math.inf
    for part in found[i : i + _MAX_ROWS]:
        if not isinstance(part, Line) or (code and part.mono):
            break
        if block and part.y - block[-1].y > _NEXT_ROW * min(part.size, block[-1].size):
            break
        if len(part.segments) == 1 and (
            part.x1 - part.x0 > 0.75 * width or part.x0 < low - part.size or part.x1 > high + part.size
        ):
            break
        if len(part.segments) > 1:
            low, high = min(low, part.x0), max(high, part.x1)
        block.append(part)
    return block


def _first_table(block: Sequence[Line]) -> tuple[tuple[tuple[float, float], ...], list[list[Segment]]]:
    """The columns that most lines of the block agree on, or as many of its first lines as agree on any, and the rows that fit them."""
    for count in (len(block), 12, 5, 3, 2):
        if count > len(block):
            continue
        columns = aligned_columns([line.segments for line in block[:count] if not line.marked])
        lines = _run(block, columns) if columns else []
        if sum(len(row) > 1 for row in lines) >= 2:
            return columns, lines
    return (), []


def _run(block: Sequence[Line], columns: Sequence[tuple[float, float]]) -> list[list[Segment]]:
    """The segments of the first lines of the block that fit the columns, cut where two columns touch."""
    rows: list[list[Segment]] = []
    steps = [b.y - a.y for a, b in pairwise(block)]
    tight = 1.2 * min(steps, default=0.0)
    usual = median(steps) if steps else 0.0
    for i, line in enumerate(block):
        segments = line.segments
        if not fits(segments, columns):
            segments = [piece for segment in segments for piece in _cut(segment, columns)]
            if len(segments) == len(line.segments) or not fits(segments, columns):
                break
        if len(segments) == 1 and i:
            first = line.x0 <= columns[0][1]
            if first and (steps[i - 1] > max(tight, 1.35 * line.size) or line.bold != rows[-1][0].bold):
                break
            if not first and steps[i - 1] > 1.3 * usual:
                break
        rows.append(segments)
    while len(rows) > 1 and len(rows[-1]) == 1 and rows[-1][0].x0 <= columns[0][1] and _apart(rows):
        rows.pop()
    return rows


def _cut(segment: Segment, columns: Sequence[tuple[float, float]]) -> list[Segment]:
    """The pieces of a segment that reaches over several columns: cut at blanks where one ends or the next begins."""
    pieces: list[Segment] = []
    begin, x0 = 0, segment.x0
    for end, start, position in segment.breaks:
        if any(abs(start - low) <= 1.5 or abs(end - high) <= 1.5 for low, high in columns):
            pieces.append(replace(segment, text=segment.text[begin : position - 1], x0=x0, x1=end, breaks=()))
            begin, x0 = position, start
    pieces.append(replace(segment, text=segment.text[begin:], x0=x0, breaks=()))
    return pieces


def _apart(rows: Sequence[Sequence[Segment]]) -> bool:
    """Whether the last line stands further down than lines of one cell do."""
    return rows[-1][0].y - rows[-2][0].y > 1.5 * rows[-1][0].size


def _shifted(table: Table, line: Line) -> tuple[tuple[float, float], ...]:
    """The columns of a table of the page before, where its continuation stands."""
    shift = line.x0 - table.x0 if abs(line.x0 - table.x0) < 60 else 0.0
    ends = [low for low, _ in table.columns[1:]] + [table.columns[-1][1] + 40]
    return tuple((low + shift, max(high, end - 6) + shift) for (low, high), end in zip(table.columns, ends, strict=True))
