"""Running headers, footers and page numbers: what stands on page after page at the same place is not part of the text."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

from auditor.load.pdf_page import Page, Segment

_ZONE = 0.2  # of the height of the page, at its top and at its bottom
_ROWS = 5  # that a header or footer has at most
_NEAR = 4.0  # points between the places of a header on two pages
_BACK = 4  # occurrences looked back at: odd and even pages, first pages of chapters
_NUMBER = re.compile(r"\d+")
_EDGES = (re.compile(r"^\W*(\d{1,5})\b"), re.compile(r"\b(\d{1,5})\W*$"))
_PAGE_NUMBER = re.compile(
    r"\W*(?:(?:page|seite|p\.|pg\.?|sheet)\s*)?(?:[\divxlc]{1,7}|\d{1,4})\W*(?:(?:of|/|von|sur|de|\|)\s*\d{1,4})?\W*$",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Row:
    page: int
    segments: list[Segment]
    y: float
    text: str
    numbers: tuple[int, ...]
    running: bool = False


def drop_running(pages: Sequence[Page], title: str) -> None:
    """Take running headers and footers off the pages, but for one that is the title where it stands first."""
    candidates: list[tuple[Page, bool, list[_Row]]] = []
    earlier: dict[tuple[bool, str], deque[_Row]] = defaultdict(lambda: deque(maxlen=_BACK))
    for page in pages:
        rows = _rows(page.segments)
        top = [row for row in rows[:_ROWS] if row[0].y < _ZONE * page.height]
        bottom = [row for row in rows[:-_ROWS:-1] if row[0].y > (1 - _ZONE) * page.height]
        for is_top, zone in ((True, top), (False, bottom)):
            found = [_row(page, row, is_top) for row in zone]
            for row in found:
                others = earlier[is_top, _NUMBER.sub("#", row.text)]
                for other in others:
                    if abs(other.y - row.y) <= _NEAR and _follows(other, row):
                        other.running = row.running = True
                others.append(row)
            if found:
                outermost = earlier[is_top, ""]
                for other in outermost:
                    if abs(other.y - found[0].y) <= 1.0 and _counts(other, found[0]):
                        other.running = found[0].running = True
                outermost.append(found[0])
            candidates.append((page, is_top, found))
    first = [segment for page in pages[:1] for segment in page.segments]
    largest = max(first, key=lambda segment: segment.size).text if first else ""
    titles = [text.strip().lower() for text in (title, largest) if len(text.split()) > 1]
    shown = False
    left: list[tuple[Page, list[Segment], int]] = []
    for page, is_top, found in candidates:
        gone: set[int] = set()
        lines = 0
        for i, row in enumerate(found):
            if row.running and is_top and _heads_table(row, _next(found, i, page)):
                break
            if not row.running and not (i < 2 and _PAGE_NUMBER.match(row.text)) and not (i == 0 and _names(row, page, titles)):
                break
            if row.running and not shown and is_top and _is_title(row, page, title):
                shown = True
                continue
            gone.update(map(id, row.segments))
            lines += is_top
        left.append((page, [segment for segment in page.segments if id(segment) not in gone], lines))
    remaining: list[tuple[Page, list[Segment], int]] = []
    for (page, below, lines), (_, above, _) in zip(left[::2], left[1::2], strict=True):
        inside = set(map(id, above))
        remaining.append((page, [segment for segment in below if id(segment) in inside], lines))
    if sum(not segments and not page.rulings.images for page, segments, _ in remaining) > 0.5 * len(pages):
        return  # pages of one line each: that is the text
    for page, segments, lines in remaining:
        page.segments, page.dropped = segments, lines


def _rows(segments: Sequence[Segment]) -> list[list[Segment]]:
    """The segments of a page by line, whatever column they stand in."""
    rows: list[list[Segment]] = []
    for segment in sorted(segments, key=lambda segment: (segment.y, segment.x0)):
        if rows and segment.y - rows[-1][0].y <= 0.4 * min(segment.size, rows[-1][0].size):
            rows[-1].append(segment)
        else:
            rows.append([segment])
    return rows


def _row(page: Page, segments: list[Segment], is_top: bool) -> _Row:
    segments = sorted(segments, key=lambda segment: segment.x0)
    text = " ".join(segment.text for segment in segments).lower()
    numbers = tuple(int(number) for number in _NUMBER.findall(text) if len(number) <= 9)
    y = segments[0].y if is_top else page.height - segments[0].y
    return _Row(page.number, segments, y, text, numbers)


def _follows(a: _Row, b: _Row) -> bool:
    """Whether the rows are the same but for numbers that count the pages."""
    step = b.page - a.page
    return len(a.numbers) == len(b.numbers) and all(q - p in {0, step} for p, q in zip(a.numbers, b.numbers, strict=True))


def _names(row: _Row, page: Page, titles: Sequence[str]) -> bool:
    """Whether the row, at the edge of a later page, is little more than the title."""
    return (
        page.number > 1
        and row.y < 0.1 * page.height
        and any(text in row.text and len(row.text) <= len(text) + 30 for text in titles)
    )


def _counts(a: _Row, b: _Row) -> bool:
    """Whether both rows begin or end with the number of their page, whatever else they say (the title of a chapter)."""
    return any(
        (p := edge.search(a.text)) and (q := edge.search(b.text)) and int(q[1]) - int(p[1]) == b.page - a.page for edge in _EDGES
    )


def _next(found: Sequence[_Row], i: int, page: Page) -> Sequence[Segment]:
    """The line below a row of the top."""
    y = found[i].segments[0].y
    below = [segment for segment in page.segments if segment.y > y + 0.5 * segment.size]
    if not below:
        return ()
    first = min(segment.y for segment in below)
    return [segment for segment in below if segment.y <= first + 2]


def _heads_table(row: _Row, below: Sequence[Segment]) -> bool:
    """Whether the row is the header of a table that goes on over the pages: its columns are those of the line below."""
    if len(row.segments) < 3 or len(below) < 3:
        return False
    starts = [segment.x0 for segment in below]
    aligned = sum(any(abs(segment.x0 - start) <= 3 for start in starts) for segment in row.segments)
    return aligned >= 0.6 * len(row.segments) and below[0].y - row.segments[0].y < 3 * row.segments[0].size


def _is_title(row: _Row, page: Page, title: str) -> bool:
    """Whether a row of the first page is the title, which later pages repeat."""
    largest = max(segment.size for segment in page.segments)
    return row.page == 1 and (row.text == title.strip().lower() or row.segments[0].size >= 0.98 * largest)
