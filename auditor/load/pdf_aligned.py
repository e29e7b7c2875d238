"""Tables without drawn lines: lines of text whose segments stand in the same columns."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from auditor.load.pdf_page import Segment
from auditor.load.pdf_rulings import Ruling
from auditor.load.pdf_tables import Table, TableCell, TableRow, mark_heads


def aligned_columns(lines: Sequence[Sequence[Segment]]) -> tuple[tuple[float, float], ...]:
    """The columns of lines that hold several segments, () if they do not agree on any."""
    usual = Counter(len(line) for line in lines if len(line) > 1)
    if not usual:
        return ()
    number = max(usual, key=lambda n: (usual[n] * (n - 1), n))
    spans: list[list[float]] = []
    for segment in sorted((s for line in lines if len(line) == number for s in line), key=lambda s: s.x0):
        if spans and segment.x0 < spans[-1][1] + 0.3 * segment.size:
            spans[-1][1] = max(spans[-1][1], segment.x1)
        else:
            spans.append([segment.x0, segment.x1])
    if len(spans) != number:
        return ()
    return tuple((low, high) for low, high in spans)


def fits(line: Sequence[Segment], columns: Sequence[tuple[float, float]]) -> bool:
    """Whether every segment of a line stands in one of the columns, none of them twice."""
    found = [column_of(segment, columns) for segment in line]
    return -1 not in found and len(set(found)) == len(found)


def column_of(segment: Segment, columns: Sequence[tuple[float, float]]) -> int:
    """The column a segment stands in; -1 for none or several."""
    touched = [i for i, (low, high) in enumerate(columns) if segment.x0 <= high and segment.x1 >= low]
    if len(touched) == 1:
        i = touched[0]
        left = columns[i - 1][1] if i else -1e9
        right = columns[i + 1][0] if i + 1 < len(columns) else 1e9
        return i if segment.x0 > left and segment.x1 < right else -1
    return -1


def aligned_table(lines: Sequence[Sequence[Segment]], columns: tuple[tuple[float, float], ...], rules: Sequence[Ruling]) -> Table:
    """The table of lines that fit columns. Lines of one row are joined: they stand close, or nothing stands in their first column."""
    steps = [b[0].y - a[0].y for a, b in pairwise(lines)]
    tight = min(steps, default=0.0)
    close = [step <= 1.15 * tight for step in steps]
    wrapped = max(steps, default=0.0) > 1.3 * tight and _wrapped(
        [(lines[i], lines[i + 1]) for i, near in enumerate(close) if near], columns
    )
    marks = [rule.at for rule in rules]
    separators = [_between(marks, a[0].y, b[0].y - 0.7 * b[0].size) for a, b in pairwise(lines)]
    fully = sum(separators) >= max(2, 0.5 * len(separators))
    rows: list[TableRow] = []
    for i, line in enumerate(lines):
        cells = [TableCell() for _ in columns]
        for segment in line:
            cells[column_of(segment, columns)].lines.append(segment)
        if rows:
            if fully:
                joined = not separators[i - 1]
            elif wrapped:
                joined = close[i - 1]
            else:
                joined = not cells[0].lines
            if joined and not separators[i - 1]:
                for cell, more in zip(rows[-1].cells, cells, strict=True):
                    cell.lines += more.lines
                continue
        rows.append(TableRow(cells))
    everything = [segment for line in lines for segment in line]
    size = Counter(round(segment.size, 1) for segment in everything).most_common(1)[0][0]
    low, high = min(segment.x0 for segment in everything), max(segment.x1 for segment in everything)
    table = Table(rows, low, high, lines[0][0].y, lines[-1][0].y, size, columns)
    if len(rows) > 2 and not fully and separators[: len(rows[0].cells[0].lines) or 1][-1:] == [True]:
        rows[0].head = True
    else:
        mark_heads(table)
    return table


def _between(marks: Sequence[float], low: float, high: float) -> bool:
    i = bisect_right(marks, low)
    return i < len(marks) and marks[i] <= high


def _wrapped(pairs: Sequence[tuple[Sequence[Segment], Sequence[Segment]]], columns: Sequence[tuple[float, float]]) -> bool:
    """Whether lines that stand close below others mostly read as the rest of these."""
    goes_on = 0
    for above, below in pairs:
        ends = {column_of(segment, columns): segment.text for segment in above}
        goes_on += len(below) < len(above) or any(
            segment.text[:1].islower() and not ends.get(column_of(segment, columns), ".").endswith(".") for segment in below
        )
    return goes_on >= 0.5 * len(pairs)
