"""From lines to headings, paragraphs, list items, code and footnotes: by size, weight, indentation, gaps and signs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import pairwise

from auditor.load.pdf_lines import Line, Part
from auditor.load.pdf_tables import Table


class Kind(Enum):
    """What an element is."""

    HEADING = auto()
    TEXT = auto()
    ITEM = auto()
    CODE = auto()
    NOTE = auto()  # a footnote
    TABLE = auto()


@dataclass(slots=True)
class Element:
    """A piece of a document. `marker` is the sign or number of a list item, `cut` its length in the first line."""

    kind: Kind
    lines: list[Line] = field(default_factory=list)
    table: Table | None = None
    marker: str = ""
    cut: int = 0
    indent: float = 0.0
    open: bool = False  # whether the text may go on in the next column or on the next page


@dataclass(frozen=True, slots=True)
class Print:
    """What is usual in the document: size of the running text, and whether it is set in a monospaced font."""

    size: float
    mono: bool


_MONTH = r"(?i:jan|feb|m[aä]rz?|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-zé]{0,6}\.?\s+\d{4}\b"
_ITEM = re.compile(
    r"(?P<bullet>[•◦▪‣⁃∙●○■□➢✓❖►▸»]|[–—\-*·o](?=\s))\s*"
    rf"|(?P<number>\(?(?:\d{{1,3}}|[a-zA-Z]|[ivxlc]{{1,6}})[.)])(?=\s|(?<=\d[.)])[A-Z“\"])(?!\s*(?:\d{{1,2}}\.\s*\d{{2,4}}\b|{_MONTH}))\s*"
    r"|(?P<decimal>\d{1,3}(?:\.\d{1,3}){1,4}\.?)\s+(?=[A-Z“\"(])"
)
_INITIAL = re.compile(r"[B-Z]\.")  # of a name rather than of a list, unless it is set apart or another one stands above
_LETTER = re.compile(r"[A-Z]\.")
_BARE = re.compile(r"(?P<bare>\d{1,2})\s+(?P<bullet>[•◦▪‣●○■□–—\-]\s+)?")
_HEADING_NUMBER = re.compile(
    r"(?:\d{1,3}(?:\.\d{1,3}){1,4}\.?|(?:Article|Section|Chapter|Appendix|Annex|Part|§)\s?[\dA-Z]{1,5}\b[.:]?)(?:\s|$)"
)
_NOTE = re.compile(r"(?P<mark>[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}|[*†‡§]{1,3}|\[\d{1,3}\]|\d{1,2}(?=\s?[A-Z“\"(]))\s*(?=\S)")
_ENDS = (".", "!", "?", ":", ";", "。", "…", ".”", '."', ".)")
_MAX_HEADING_LINES = 4


def notes(lines: list[Part], page_height: float, usual: Print) -> tuple[list[Part], list[Element]]:
    """Footnotes at the end of a column: small lines, the first with a mark, in the lower half of the page."""
    small = len(lines)
    while small and isinstance(part := lines[small - 1], Line) and part.size <= 0.93 * usual.size and part.y > 0.4 * page_height:
        small -= 1
    begin = next((i for i in range(small, len(lines)) if isinstance(part := lines[i], Line) and _NOTE.match(part.text)), None)
    if begin is None:
        return lines, []
    found: list[Element] = []
    for part in lines[begin:]:
        if not isinstance(part, Line):
            continue
        match = _NOTE.match(part.text)
        if match or not found:
            found.append(Element(Kind.NOTE, [part], marker=match["mark"] if match else "", cut=match.end() if match else 0))
        else:
            found[-1].lines.append(part)
    return lines[:begin], found


class Reader:
    """Reads one column. `elements` are what it holds, in order."""

    def __init__(self, found: Sequence[Part], usual: Print) -> None:
        self.parts, self.usual = found, usual
        self.elements: list[Element] = []
        lines = [part for part in found if isinstance(part, Line)]
        self.left = min((line.x0 for line in lines), default=0.0)
        self.right = _edge(lines)
        self.leading = _leading(lines)
        self._read()

    def _read(self) -> None:
        i = 0
        while i < len(self.parts):
            part = self.parts[i]
            if isinstance(part, Table):
                self.elements.append(Element(Kind.TABLE, table=part))
                i += 1
            elif count := self._heading(i):
                self.elements.append(Element(Kind.HEADING, self._lines(i, i + count)))
                i += count
            elif count := self._code(i):
                self.elements.append(Element(Kind.CODE, self._lines(i, i + count)))
                i += count
            else:
                i = self._passage(i)

    def _lines(self, begin: int, end: int) -> list[Line]:
        return [part for part in self.parts[begin:end] if isinstance(part, Line)]

    def _line(self, i: int) -> Line | None:
        part = self.parts[i] if 0 <= i < len(self.parts) else None
        return part if isinstance(part, Line) else None

    def _gap(self, i: int) -> bool:
        """Whether there is more than the usual space above a line."""
        line, above = self._line(i), self._line(i - 1)
        return line is None or above is None or line.y - above.y > 1.25 * self.leading * max(line.size, above.size)

    # Headings

    def _heading(self, i: int) -> int:
        """How many lines from `i` on are one heading."""
        first = self._line(i)
        if first is None or (first.mono and not self.usual.mono):
            return 0
        big = first.size >= 1.12 * self.usual.size
        if not big and not self._stands_out(i, first):
            return 0
        end = i + 1
        while (line := self._line(end)) is not None and self._same_style(first, line):
            if line.y - self._lines(end - 1, end)[0].y > 1.6 * line.size or _ITEM.match(line.text):
                break
            end += 1
            if end - i > _MAX_HEADING_LINES:
                return 0
        text = " ".join(line.text for line in self._lines(i, end))
        if len(text) > (220 if big else 130) or not any(c.isalpha() for c in text):
            return 0
        if text.endswith((",", ";", "\u00ad")) or (
            text.endswith(".") and len(text.split()) > 3 + 9 * (first.size >= 1.4 * self.usual.size)
        ):
            return 0
        if text.endswith(":") and not big:
            return 0
        match = _ITEM.match(text)
        return 0 if match and match["bullet"] else end - i

    def _same_style(self, a: Line, b: Line) -> bool:
        return abs(a.size - b.size) <= 0.04 * a.size and a.bold == b.bold and a.mono == b.mono

    def _stands_out(self, i: int, line: Line) -> bool:
        """Whether a line in the size of the text is a heading: bold, in capitals or numbered, and not in the middle of a passage."""
        above = self._line(i - 1)
        if (
            above is not None
            and not self._gap(i)
            and not above.text.endswith(_ENDS)
            and not self._short(above, line)
            and not above.bold
        ):
            return False
        if line.size < 0.9 * self.usual.size:
            return False
        if line.bold:
            return len(line.segments) == 1 or line.marked
        if len(line.text) > 90 or line.text.endswith(_ENDS) or not self._gap(i):
            return False
        letters = sum(c.isalpha() for c in line.text)
        if line.text.isupper() and letters >= 4 and letters >= 0.6 * len(line.text) and len(line.segments) == 1:
            return self._gap(i + 1)
        return bool(_HEADING_NUMBER.match(line.text)) and self._gap(i + 1) and len(line.text.split()) <= 12

    # Code

    def _code(self, i: int) -> int:
        """How many lines from `i` on are set in a monospaced font, unless everything is."""
        if self.usual.mono:
            return 0
        end = i
        while (line := self._line(end)) is not None and line.mono:
            end += 1
        return end - i

    # Passages

    def _passage(self, i: int) -> int:
        """Read one paragraph or list item from `i` on. Returns the line behind it."""
        first = self._line(i)
        if first is None:
            return i + 1
        match = self._marker(i, first)
        element = Element(Kind.ITEM if match else Kind.TEXT, [first], indent=first.x0 - self.left)
        if match:
            element.marker = next(group for group in reversed(match.groups()) if group).strip()
            element.cut = match.end()
        text_x = first.segments[-1].x0 if match and first.marked else None
        end = i + 1
        while (line := self._line(end)) is not None and self._goes_on(element, text_x, end, line):
            if match and text_x is None and line.x0 > first.x0 + 0.5 * first.size:
                text_x = line.x0
            element.lines.append(line)
            end += 1
        last = element.lines[-1]
        full = last.x1 >= self.right - 2.5 * last.size or last.text.endswith("\u00ad")
        element.open = end >= len(self.parts) and full and not last.text.endswith(_ENDS)
        self.elements.append(element)
        return end

    def _marker(self, i: int, line: Line) -> re.Match[str] | None:
        match = _ITEM.match(line.text)
        above = self._line(i - 1)
        if match is None and line.marked and self._counts(above):
            return _BARE.match(line.text)
        if match is None or match.end() >= len(line.text):
            return None
        if match["bullet"]:
            return match
        if _INITIAL.match(match.group()) and not line.marked and not self._after(_LETTER):
            return None
        if above is None or self._gap(i) or above.text.endswith((*_ENDS, ",")) or self._short(above, line):
            return match
        last = self.elements[-1] if self.elements else None
        if last is not None and last.kind is Kind.ITEM and last.lines[-1] is above:
            deeper = line.x0 > max(part.x0 for part in last.lines) + 0.3 * line.size
            if deeper or abs(last.lines[0].x0 - line.x0) <= 0.3 * line.size:
                return match
        return None

    def _after(self, sort: re.Pattern[str]) -> bool:
        """Whether an item with such a marker stands above."""
        return bool(self.elements) and self.elements[-1].kind is Kind.ITEM and bool(sort.match(self.elements[-1].marker))

    def _counts(self, above: Line | None) -> bool:
        """Whether a number without a point or bracket, set apart in front of the line below, is that of a list item."""
        last = self.elements[-1] if self.elements else None
        if last is None or above is None:
            return False
        return above.text.endswith(":") or last.kind is Kind.ITEM

    def _goes_on(self, element: Element, text_x: float | None, i: int, line: Line) -> bool:
        """Whether a line continues the passage above it."""
        above = element.lines[-1]
        size = above.size
        if self._gap(i) or line.y - above.y > 1.9 * size or not 0.9 <= line.size / size <= 1.1:
            return False
        if line.mono and not above.mono and not self.usual.mono and (above.text.endswith(_ENDS) or self._short(above, line)):
            return False
        if self._marker(i, line):
            return False
        if self._heading(i):
            return False
        ended = above.text.endswith(_ENDS)
        if element.kind is Kind.ITEM:
            start = element.lines[0].x0
            if line.x0 < start - 0.5 * size:
                return False
            if text_x is not None and line.x0 > text_x + 0.5 * size and _ITEM.match(line.text):
                return False
            if text_x is not None and line.x0 < text_x - 0.7 * size and (ended or self._short(above, line)):
                return False
        else:
            start = min(part.x0 for part in element.lines[1:]) if len(element.lines) > 1 else above.x0
            if line.x0 > start + 0.8 * size and ended:
                return False  # the first line of a paragraph is indented
        return not self._forced(above, line, i, ended)

    def _short(self, above: Line, line: Line) -> bool:
        """Whether the first word of a line would have fitted on the line above."""
        word = line.text.split(None, 1)[0]
        width = (line.x1 - line.x0) * (len(word) + 1) / max(len(line.text), 1)
        return above.x1 + width < self.right - 1.0 * line.size

    def _forced(self, above: Line, line: Line, i: int, ended: bool) -> bool:
        """Whether the line above was broken on purpose: there was room left."""
        if above.text.endswith("\u00ad") or not self._short(above, line):
            return False
        if ended:
            return True
        if line.text[:1].islower():
            return False
        near = [part for k in range(max(i - 4, 0), i + 4) if (part := self._line(k)) is not None]
        edge = max(part.x1 for part in near)
        full = sum(part.x1 >= edge - 2.5 * part.size for part in near)
        return not (full >= 0.6 * len(near) and len(near) >= 3 and above.x1 >= edge - 4 * above.size)


def _edge(lines: Sequence[Line]) -> float:
    """The right edge of running text: that of the longest lines but for a few that stick out."""
    ends = sorted(line.x1 for line in lines)
    return ends[max(len(ends) - 1 - len(ends) // 20, 0)] if ends else 0.0


def _leading(lines: Sequence[Line]) -> float:
    """The usual step from line to line, in font sizes."""
    steps = sorted((b.y - a.y) / b.size for a, b in pairwise(lines) if abs(a.size - b.size) <= 0.05 * b.size and b.y > a.y)
    close = [step for step in steps if step <= 1.9]
    return close[len(close) // 2] if close else 1.25
