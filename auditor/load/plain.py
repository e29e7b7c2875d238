"""Plain text: paragraphs between blank lines, underlined and numbered headings, lists, and "Key: value" lines at the top."""

from __future__ import annotations

import re

from auditor.load.decode import decode
from auditor.load.structure import Sink, line_map, spoken, words
from auditor.load.structure import lead_in as introduction
from auditor.model import BlockKind, Parsed
from auditor.text import inline

SUFFIXES = (".txt", ".text")
NAMES = words(
    "readme license licence notice contributing changelog changes copying authors contributors maintainers history news todo "
    "install "
    "security support upgrading faq"
)

_UNDERLINE = re.compile(r"\s*([=\-~^*#_])\1{2,}\s*$")
_RULE = re.compile(r"\s*([=\-~^*#_+])(?:\s*\1){2,}\s*$")
_NUMBERED_HEADING = re.compile(
    r"\s{0,3}(?:(\d{1,3}(?:\.\d{1,3}){0,4})[.)]?|(?:Section|Chapter|Article|Part|Appendix)\s+[\dA-ZIVX.]+[.:]?)\s+(\S.*)$"
)
_ITEM = re.compile(r"(\s*)(?:([-*+•‣◦·–])|(\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]))(\s+)(?=\S)")
_FIELD = re.compile(r"([A-Z][A-Za-z][\w /()-]{0,38}?)\s*:\s+(\S.*?)\s*$")
_CAPS = re.compile(r"[^a-z]*[A-Z]{2}[^a-z]*$")
_COLUMNS = re.compile(r"\S(?: {3,}|\t+)\S")
_SENTENCE_END = (".", "!", "?", ";", ",")


class PlainLoader:
    """Reads text files and the usual files without an extension (README, LICENSE, …)."""

    id = "text"

    def accepts(self, name: str, head: bytes) -> bool:
        """By extension, or by a known name without one if the content looks like text."""
        base = name.rpartition("/")[2]
        if base.endswith(SUFFIXES):
            return True
        stem = base.split("-")[0].split("_")[0]
        return "." not in base and stem in NAMES and b"\0" not in head

    def load(self, data: bytes, name: str) -> Parsed:
        """Blocks with positions in the source text."""
        text = decode(data)
        sink = Sink()
        reader = _Reader(text, sink)
        reader.read()
        return Parsed(text, sink.sorted(), line_map(text), title=reader.title, fields=reader.fields, format="text")


class _Reader:
    def __init__(self, text: str, sink: Sink) -> None:
        self.text, self.sink = text, sink
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.fields: dict[str, str] = {}
        self.title = ""
        self.intro = ""
        self.stack: list[tuple[int, int, str, str]] = []  # indentation, group, lead-in, item text

    def read(self) -> None:
        i = self._header()
        while i < len(self.lines):
            if not self.lines[i].strip():
                i += 1
                continue
            end = i
            while end < len(self.lines) and self.lines[end].strip():
                end += 1
            self._passage(i, end)
            i = end

    def _header(self) -> int:
        """Read "Key: value" lines at the top, at most after one title line. Returns the first line that is none."""
        i = 0
        while i < len(self.lines) and not self.lines[i].strip():
            i += 1
        first, found = i, []
        for attempt in (first, first + 1):
            i = attempt
            while i < len(self.lines) and not self.lines[i].strip():
                i += 1
            while i < len(self.lines) and (match := _FIELD.match(self.lines[i])) and len(match[1].split()) <= 4:
                found.append((i, match))
                i += 1
            if len(found) >= 2 and (i >= len(self.lines) or not self.lines[i].strip()):
                break
            found, i = [], first
            if first < len(self.lines) and len(self.lines[first].split()) > 12:
                break
        if not found:
            return first
        if found[0][0] > first:
            self._passage(first, first + 1)
        for number, match in found:
            name, value = match[1].strip(), match[2]
            self.fields.setdefault(name.lower(), value)
            start = self.starts[number]
            anchors = ((0, start), (len(name) + 2, start + match.start(2)))
            self.sink.add(
                BlockKind.FIELD, inline.Inline(f"{name}: {value}", anchors), start, start + match.end(2), cells=(name, value)
            )
        return i

    def _passage(self, begin: int, end: int) -> None:
        """A run of lines without blank ones: headings, list items and paragraphs follow each other in it."""
        i = begin
        while i < end:
            line = self.lines[i]
            if _RULE.match(line):
                if i + 2 < end and _UNDERLINE.match(self.lines[i + 2]) and not _UNDERLINE.match(self.lines[i + 1]):
                    self._heading(i + 1, 1)  # a title between two lines
                    i += 3
                else:
                    i += 1
                continue
            if (
                i + 1 < end
                and (rule := _UNDERLINE.match(self.lines[i + 1]))
                and len(self.lines[i + 1].strip()) * 2 >= len(line.strip())
            ):
                self._heading(i, 1 if rule[1] in "=#*" else 2)
                i += 2
                continue
            if level := self._heading_level(i, i == begin, i + 1 == end):
                self._heading(i, level)
                i += 1
                continue
            stop = i + 1
            item = _ITEM.match(line)
            indent = len(item.group()) if item else len(line) - len(line.lstrip())
            while stop < end and not _ITEM.match(self.lines[stop]) and not _RULE.match(self.lines[stop]):
                if stop + 1 < end and _UNDERLINE.match(self.lines[stop + 1]):
                    break
                stop += 1
            if item:
                self._item(i, stop, item)
            else:
                self._paragraph(i, stop, indent)
            i = stop

    def _heading_level(self, i: int, first: bool, last: bool) -> int:
        """Level of a line that reads as a heading without being underlined, 0 for others."""
        line = self.lines[i].strip()
        if not first or len(line) > 90 or line.endswith(_SENTENCE_END):
            return 0
        if _CAPS.match(line) and len(line.split()) <= 10 and sum(c.isalpha() for c in line) >= 4 and not _COLUMNS.search(line):
            return 1 if i == 0 or not any(part.strip() for part in self.lines[:i]) else 2
        if (match := _NUMBERED_HEADING.match(self.lines[i])) and not line.endswith(":") and (last or "." in (match[1] or "")):
            words = match[2].split()
            neighbour = next((self.lines[k] for k in range(i + 1, min(i + 3, len(self.lines))) if self.lines[k].strip()), "")
            sibling = _NUMBERED_HEADING.match(neighbour)  # a list with blank lines between its items is no row of headings
            if len(words) <= 10 and words[0][:1].isupper() and not (sibling and match[1] and "." not in match[1]):
                return 2 + (match[1].count(".") if match[1] else 0)
        return 0

    def _span(self, begin: int, end: int, cut: int = 0) -> tuple[list[tuple[str, int]], int, int]:
        pieces: list[tuple[str, int]] = []
        for i in range(begin, end):
            line = self.lines[i][cut:] if i == begin else self.lines[i]
            stripped = line.strip()
            if stripped:
                at = self.starts[i] + (cut if i == begin else 0) + len(line) - len(line.lstrip())
                pieces.append((stripped, at))
        if not pieces:
            return pieces, self.starts[begin], self.starts[begin]
        return pieces, pieces[0][1], pieces[-1][1] + len(pieces[-1][0])

    def _heading(self, i: int, level: int) -> None:
        pieces, start, end = self._span(i, i + 1)
        if not pieces:
            return
        reading = inline.read(pieces, "plain")
        self.sink.add(BlockKind.HEADING, reading, start, end, level=min(level, 6))
        self.title = self.title or reading.text
        self.stack, self.intro = [], ""

    def _paragraph(self, begin: int, end: int, indent: int) -> None:
        pieces, start, end_at = self._span(begin, end)
        if not pieces:
            return
        reading = inline.read(pieces, "plain")
        while self.stack and indent <= self.stack[-1][0]:
            self.stack.pop()
        above = spoken(self.stack[-1][2], self.stack[-1][3]) if self.stack and self.stack[-1][3].endswith(":") else ""
        self.sink.add(BlockKind.PARAGRAPH, reading, start, end_at, lead_in=above, level=len(self.stack))
        self.intro = introduction(reading.text, "")

    def _item(self, begin: int, end: int, match: re.Match[str]) -> None:
        pieces, start, end_at = self._span(begin, end, match.end())
        if not pieces:
            return
        reading = inline.read(pieces, "plain")
        indent = len(match[1].expandtabs(4))
        while self.stack and indent < self.stack[-1][0]:
            self.stack.pop()
        if self.stack and not self.intro and abs(indent - self.stack[-1][0]) <= 1:
            indent, group, lead, _ = self.stack.pop()
        elif self.stack and indent > self.stack[-1][0]:
            group, lead = self.sink.new_group(), spoken(self.stack[-1][2], self.stack[-1][3], self.intro)
        else:
            if self.stack and self.intro:
                self.stack.pop()
            group, lead = self.sink.new_group(), self.intro
        self.stack.append((indent, group, lead, reading.text))
        self.sink.add(BlockKind.ITEM, reading, start, end_at, level=len(self.stack) - 1, lead_in=lead, group=group)
        self.intro = ""
