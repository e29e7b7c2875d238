"""From the elements of all pages to blocks: what goes on over columns and pages is joined, headings get levels, lists their groups."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Protocol

from auditor.load import grid
from auditor.load.pdf_lines import Line
from auditor.load.pdf_page import Segment
from auditor.load.pdf_structure import Element, Kind
from auditor.load.pdf_tables import Table, join_tables
from auditor.load.structure import lead_in, spoken, words
from auditor.load.text_sink import TextSink
from auditor.model import BlockKind
from auditor.text.inline import Inline

PAGE = 1 << 20
"""Positions in the source are `page * PAGE + line`."""

_SOFT = "\u00ad"
_HYPHENS = (_SOFT, "-", "\u2010")
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_REFERENCE = re.compile(rf"(?:(?<=[^\W\d_]{{3}})|(?<=[.,;:!?)\]”’\"']))[{_RAISED}]{{1,3}}(?:,\s?[{_RAISED}]{{1,3}})*(?!\w)")
_LAST_WORD = re.compile(r"([^\W_]*(?:-[^\W_]+)*)$")
_FIRST_WORD = re.compile(r"[^\W_]*")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_COMPOUND = words("self non well cross multi pre post anti semi half high low long short full part real on off third all")
_CONTENTS = re.compile(
    r"(?:table of )?contents\W*$|inhalt(?:sverzeichnis)?\W*$|table des matières\W*$|índice\W*$|sommaire\W*$", re.IGNORECASE
)
_PAGE_NUMBER = re.compile(r"\W*(?:\d{1,4}|[ivxlc]{1,8})$")
_ENTRY = re.compile(r"\s(?:\d{1,4}|[ivxlc]{1,8})$")
_DEPTH = re.compile(r"(\d{1,3}(?:\.\d{1,3})*)\.?\s")


class _Text(Protocol):
    @property
    def text(self) -> str: ...


class Pieces:
    """The elements of a document in the making."""

    def __init__(self) -> None:
        self.elements: list[Element] = []
        self.vocabulary: set[str] = set()

    @property
    def table(self) -> Table | None:
        """The table that the text so far ends with."""
        last = self._last()
        return last.table if last is not None and last.kind is Kind.TABLE else None

    def learn(self, texts: Iterable[_Text]) -> None:
        """Note the words of a page: they tell a word broken at a line end from one that is written with a hyphen."""
        for item in texts:
            self.vocabulary.update(word.lower() for word in _WORD.findall(item.text))

    def add(self, elements: Sequence[Element], notes: Sequence[Element]) -> None:
        """Add a column. Its first element may go on with the last one of the column before; footnotes do not stand between."""
        rest = list(elements)
        last = self._last()
        if last is not None and rest:
            first = rest[0]
            if last.table is not None and first.table is not None and first.table.continues(last.table):
                join_tables(last.table, first.table)
                rest.pop(0)
            elif last.open and first.kind is Kind.TEXT and _goes_on(last, first):
                last.lines += first.lines
                last.open = first.open
                rest.pop(0)
        self.elements += rest
        self.elements += notes

    def _last(self) -> Element | None:
        return next((element for element in reversed(self.elements) if element.kind is not Kind.NOTE), None)


def _goes_on(last: Element, first: Element) -> bool:
    above, below = last.lines[-1], first.lines[0]
    if not 0.94 <= below.size / above.size <= 1.06 or below.bold != above.bold:
        return False
    if above.text.endswith(_HYPHENS) or not below.text[:1].isupper():
        return True
    return len(last.lines) > 1 and above.x1 - above.x0 >= 0.85 * max(line.x1 - line.x0 for line in last.lines)


class Writer:
    """Writes elements into a sink. `title` is the largest heading of the first page."""

    def __init__(self, pieces: Pieces) -> None:
        self.sink = TextSink()
        self.vocabulary = pieces.vocabulary
        self.title = ""
        self.intro = ""
        self.contents = False  # whether the last heading is that of a table of contents
        self.stack: list[tuple[float, str, int, str, str]] = []  # indentation, sort of marker, group, lead-in, text
        elements = pieces.elements
        _demote(elements)
        levels = _levels(elements)
        self._find_title(elements)
        for element in elements:
            self._write(element, levels)

    def _find_title(self, elements: Sequence[Element]) -> None:
        headings = [element for element in elements if element.kind is Kind.HEADING and element.lines[0].segments[0].page == 1]
        if headings:
            largest = max(headings, key=lambda element: element.lines[0].size)
            self.title = self._joined(largest.lines).text

    def _write(self, element: Element, levels: dict[int, int]) -> None:
        if self.contents and _listing(element):
            return
        self.contents = False
        if element.table is not None:
            self._table(element.table)
            return
        reading = self._code(element) if element.kind is Kind.CODE else self._joined(element.lines, element.cut)
        if not reading.text:
            return
        start = reading.anchors[0][1]
        if element.kind is Kind.HEADING:
            self.stack, self.intro = [], ""
            self.contents = bool(_CONTENTS.match(reading.text))
            self.sink.add(BlockKind.HEADING, reading, start, level=levels[id(element)])
        elif element.kind is Kind.ITEM:
            self._item(element, reading, start)
        elif element.kind is Kind.CODE:
            self.sink.add(BlockKind.CODE, reading, start)
        elif element.kind is Kind.NOTE:
            self.sink.add(BlockKind.PARAGRAPH, reading, start)
        else:
            self._paragraph(element, reading, start)

    def _paragraph(self, element: Element, reading: Inline, start: int) -> None:
        while self.stack and element.indent <= self.stack[-1][0] + 2:
            self.stack.pop()
        above = spoken(self.stack[-1][3], self.stack[-1][4]) if self.stack and self.stack[-1][4].endswith(":") else ""
        self.sink.add(BlockKind.PARAGRAPH, reading, start, lead_in=above, level=len(self.stack))
        self.intro = lead_in(reading.text, "")

    def _item(self, element: Element, reading: Inline, start: int) -> None:
        sort = _sort(element.marker)
        known = next((i for i in range(len(self.stack) - 1, -1, -1) if self._same_list(self.stack[i], element, sort)), None)
        if known is not None and not self.intro:
            del self.stack[known + 1 :]
            indent, _, group, lead, _ = self.stack.pop()
        elif self.stack and element.indent > self.stack[-1][0] + 3:
            indent, group = element.indent, self.sink.new_group()
            lead = spoken(self.stack[-1][3], self.stack[-1][4], self.intro)
        else:
            self.stack = []
            indent, group, lead = element.indent, self.sink.new_group(), self.intro
        self.stack.append((indent, sort, group, lead, reading.text))
        self.sink.add(BlockKind.ITEM, reading, start, level=len(self.stack) - 1, lead_in=lead, group=group)
        self.intro = ""

    def _same_list(self, entry: tuple[float, str, int, str, str], element: Element, sort: str) -> bool:
        return entry[1] == sort and abs(entry[0] - element.indent) <= 12

    def _table(self, table: Table) -> None:
        rows: list[grid.Row] = []
        for row in table.rows:
            cells = [grid.Cell(self._joined(cell.lines), colspan=cell.colspan, rowspan=cell.rowspan) for cell in row.cells]
            sources = [source for cell in cells for _, source in cell.text.anchors]
            start = min(sources, default=rows[-1].end if rows else PAGE)
            rows.append(grid.Row(cells, start, max(sources, default=start), row.head))
        grid.add_table(self.sink, rows, caption=self.intro, guess_head=False)
        self.intro = ""

    # Text

    def _joined(self, lines: Sequence[Line | Segment], cut: int = 0) -> Inline:
        """Lines as running text; the anchors lead to their pages and lines."""
        text = ""
        anchors: list[tuple[int, int]] = []
        parts: list[str] = []
        length = 0
        for line in lines:
            piece = _REFERENCE.sub("", line.text[cut:]).strip()
            cut = 0
            if not piece:
                continue
            if parts:
                tail = self._tail(parts[-1], piece)
                length += len(tail) - len(parts[-1])
                parts[-1] = tail
            anchors.append((length, _place(line)))
            parts.append(piece)
            length += len(piece)
        text = "".join(parts)
        if text.endswith(_SOFT):
            text = text[:-1] + "-"
        return Inline(text, tuple(anchors))

    def _tail(self, above: str, below: str) -> str:
        """The end of a line as it reads before the next one: with a blank, or without the hyphen of a broken word."""
        if not above.endswith(_HYPHENS):
            return above + " "
        stem = above[:-1]
        left = _LAST_WORD.search(stem)
        word = left[1] if left else ""
        first = _FIRST_WORD.match(below)
        right = first.group() if first else ""
        if not word or not right:
            return stem + "- "
        if not right[0].islower():
            return stem + "-"
        whole, hyphened = (word + right).lower(), f"{word}-{right}".lower()
        if whole not in self.vocabulary and (hyphened in self.vocabulary or word.lower() in _COMPOUND or word[-1:].isdigit()):
            return stem + "-"
        return stem

    def _code(self, element: Element) -> Inline:
        left = min(line.x0 for line in element.lines)
        parts: list[str] = []
        anchors: list[tuple[int, int]] = []
        length = 0
        for line in element.lines:
            indent = min(max(round((line.x0 - left) / (0.6 * line.size)), 0), 80) if line.size else 0
            text = " " * indent + line.text.replace(_SOFT, "-")
            anchors.append((length, _place(line)))
            parts.append(text)
            length += len(text) + 1
        return Inline("\n".join(parts), tuple(anchors))


def _place(line: Line | Segment) -> int:
    """Position in the source of a line, or of a line of a cell."""
    segment = line.segments[0] if isinstance(line, Line) else line
    return segment.page * PAGE + segment.line


def _listing(element: Element) -> bool:
    """Whether an element belongs to a table of contents: its lines end with page numbers."""
    if element.table is not None:
        rows = [row.cells for row in element.table.rows if row.cells]
        return sum(bool(_PAGE_NUMBER.match(cells[-1].text)) for cells in rows) >= 0.7 * len(rows)
    texts = [line.text for line in element.lines]
    return element.kind is not Kind.HEADING and sum(bool(_ENTRY.search(text)) for text in texts) >= 0.5 * len(texts)


def _sort(marker: str) -> str:
    """The sort of a list marker: "9." for "1." and "12."."""
    return re.sub(r"[A-Z]+", "A", re.sub(r"[a-z]+", "a", re.sub(r"\d+", "9", marker)))


def _style(element: Element) -> tuple[float, bool]:
    return -round(element.lines[0].size * 2) / 2, not element.lines[0].bold


def _depth(element: Element) -> int:
    match = _DEPTH.match(element.lines[0].text + " ")
    return match[1].count(".") + 1 if match else 0


def _demote(elements: Sequence[Element]) -> None:
    """What stands below the title of the first page in large letters (author, date, place) heads nothing."""
    for i, (element, after) in enumerate(pairwise(elements)):
        if element.kind is not Kind.HEADING or after.kind is not Kind.HEADING or element.lines[0].segments[0].page != 1:
            return
        if i and not element.lines[0].bold and after.lines[0].size >= 0.98 * element.lines[0].size:
            element.kind = Kind.TEXT


def _levels(elements: Sequence[Element]) -> dict[int, int]:
    """Levels of the headings: by size and weight, and within one style by the depth of their numbers."""
    headings = [element for element in elements if element.kind is Kind.HEADING]
    styles = sorted({_style(element) for element in headings})
    rank = {style: i for i, style in enumerate(styles, start=1)}
    shallowest: dict[tuple[float, bool], int] = {}
    for element in headings:
        if depth := _depth(element):
            style = _style(element)
            shallowest[style] = min(shallowest.get(style, depth), depth)
    levels: dict[int, int] = {}
    for element in headings:
        style = _style(element)
        deeper = _depth(element) - shallowest[style] if _depth(element) else 0
        levels[id(element)] = min(rank[style] + deeper, 6)
    return levels
