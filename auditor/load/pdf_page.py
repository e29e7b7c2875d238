"""One page of a PDF: words put together to segments, which are pieces of a line without a wide gap.

Positions are those of the reader: x to the right, y downwards from the top, for the direction that most of the text of the page has.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

from auditor.load.pdf_glyphs import MAX_GLYPHS, WORD_GAP, Glyphs, Word
from auditor.load.pdf_rulings import Rulings, rulings

SEGMENT_GAP = 0.95  # of the font size: more between two words is a gap between columns
_BREAK = 0.42  # of the font size: a blank so wide may be one between columns


@dataclass(slots=True)
class Segment:
    """A piece of a line. `y` is its baseline."""

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool = False
    mono: bool = False
    page: int = 0
    line: int = 0  # number on the page, in reading order
    breaks: tuple[tuple[float, float, int], ...] = ()  # wider blanks: where they begin and end, and the position in `text` behind


@dataclass(slots=True)
class Page:
    """What is read of one page. `garbled` is the share of glyphs that stand for no known character."""

    number: int
    width: float
    height: float
    segments: list[Segment]
    rulings: Rulings
    sideways: list[list[Segment]] = field(default_factory=list)  # text in other directions
    glyphs: int = 0
    garbled: float = 0.0
    cut: bool = False  # whether it holds more glyphs than are read
    dropped: int = 0  # lines above the text that are no part of it


def read_page(document: Any, number: int, *, form: bool = False) -> Page:
    """Read the page `number` (from 1), of a form with what is filled in. Raises `pypdfium2.PdfiumError` for a page that is broken."""
    page = document[number - 1]
    try:
        if form and pdfium.FPDFPage_Flatten(page.raw, pdfium.FLAT_NORMALDISPLAY) == pdfium.FLATTEN_SUCCESS:
            page.close()
            page = document[number - 1]
        text_page = page.get_textpage()
        try:
            glyphs = Glyphs(text_page.raw, tuple(float(value) for value in page.get_bbox()))
        finally:
            text_page.close()
        turns = sorted(glyphs.words, key=lambda turn: (-sum(len(word.text) for word in glyphs.words[turn]), turn))
        main = turns[0] if turns else 0
        lines = rulings(page.raw, lambda x, y: glyphs.turned(main, x, y))
    finally:
        page.close()
    width, height = glyphs.size(main)
    return Page(
        number,
        width,
        height,
        _bulleted(_segments(glyphs.words.get(main, ()), lines, number), lines),
        lines,
        [_segments(glyphs.words[turn], Rulings(), number) for turn in turns[1:]],
        glyphs.seen,
        glyphs.bad / glyphs.seen if glyphs.seen else 0.0,
        glyphs.count > MAX_GLYPHS,
    )


def _bulleted(segments: list[Segment], lines: Rulings) -> list[Segment]:
    """The segments with the bullets that are drawn in front of them."""
    if not lines.dots:
        return segments
    heights = [segment.y for segment in segments]
    bullets: list[Segment] = []
    for x0, y0, x1, y1 in lines.dots:
        middle = (y0 + y1) / 2
        for segment in segments[bisect_left(heights, y1 - 2) : bisect_left(heights, middle + 12)]:
            if 0.05 * segment.size < segment.y - middle < 0.65 * segment.size and 0 < segment.x0 - x1 < 2.5 * segment.size:
                bullets.append(Segment("•", x0, x1, segment.y, segment.size, page=segment.page))
                break
    return sorted(segments + bullets, key=lambda segment: (segment.y, segment.x0)) if bullets else segments


def _segments(words: Sequence[Word], lines: Rulings, page: int) -> list[Segment]:
    """Words on one baseline, cut where a gap is wide or a vertical line stands."""
    rows: list[list[Word]] = []
    level = -math.inf
    for word in sorted(words, key=lambda word: (word.y, word.x0)):
        if not rows or word.y - level > 0.3 * min(word.size, rows[-1][-1].size):
            rows.append([])
            level = word.y
        rows[-1].append(word)
    segments: list[Segment] = []
    for row in rows:
        row.sort(key=lambda word: (word.x0, word.x1))
        middle = row[0].y - 0.3 * row[0].size
        bars = sorted(bar.at for bar in lines.vertical if bar.low - 1 <= middle <= bar.high + 1)
        begin = 0
        for i in range(1, len(row) + 1):
            if i == len(row) or _cut(row[i - 1], row[i], bars):
                segments.append(_segment(row[begin:i], page))
                begin = i
    segments.sort(key=lambda segment: (segment.y, segment.x0))
    return segments


def _cut(left: Word, right: Word, bars: Sequence[float]) -> bool:
    gap = right.x0 - left.x1
    size = min(left.size, right.size)
    if gap > SEGMENT_GAP * size:
        return True
    if bars and gap > -0.2 * size:
        i = bisect_left(bars, left.x1 - 1.0)
        return i < len(bars) and bars[i] <= right.x0 + 1.0
    return False


def _segment(words: Sequence[Word], page: int) -> Segment:
    parts = [words[0].text]
    length = len(words[0].text)
    breaks: list[tuple[float, float, int]] = []
    for left, right in pairwise(words):
        gap = right.x0 - left.x1
        if gap > WORD_GAP * min(left.size, right.size) or (right.spaced and gap > -0.1 * right.size):
            parts.append(" ")
            length += 1
            if gap > _BREAK * right.size:
                breaks.append((left.x1, right.x0, length))
        parts.append(right.text)
        length += len(right.text)
    sizes: Counter[float] = Counter()
    bold = mono = total = 0
    for word in words:
        n = len(word.text)
        total += n
        sizes[word.size] += n
        bold += n if word.bold else 0
        mono += n if word.mono else 0
    size = max(sizes, key=lambda value: (sizes[value], value))
    y = next(word.y for word in words if word.size == size)
    text = "".join(parts)
    if "\u00ad" in text:  # only the hyphen at the end of a line is a question
        text = text[:-1].replace("\u00ad", "-") + text[-1]
    edge = max(word.x1 for word in words)
    return Segment(text, words[0].x0, edge, y, size, bold >= 0.85 * total, mono >= 0.85 * total, page, 0, tuple(breaks))
