"""MediaWiki markup: a page of a wiki as its editors see it.

The text of the document is its source. mwparserfromhell was tried: it knows no positions and takes quadratic time on broken markup.
"""

from __future__ import annotations

import re

from auditor.load.decode import decode
from auditor.load.grid import Cell, Row
from auditor.load.markup import Markup, Span
from auditor.load.structure import Container, Sink, line_map
from auditor.load.wiki_hide import Hidden, hide
from auditor.model import BlockKind, Parsed
from auditor.ports import NotADocument
from auditor.text import inline
from auditor.text.inline import EMPTY, Inline
from auditor.text.inline_wiki import HIDDEN

SUFFIXES = (".mediawiki", ".wiki", ".wikitext", ".mw")
REDIRECT = re.compile(r"\s*#(?:REDIRECT|WEITERLEITUNG|REDIRECTION|REDIRECCIÓN|DOORVERWIJZING)\s*:?\s*\[\[", re.IGNORECASE)

_LIST = re.compile(r"([*#:;]+)[ \t]*")
_TABLE = re.compile(r"[:\s\0]*\{\|")
_ATTRIBUTES = re.compile(r"\s*+(?:[\w-]++\s*+=\s*+(?:\"[^\"\n]*+\"|'[^'\n]*+'|[^\s|\"']++)\s*+)++\|(?!\|)|[ \t]*+\|(?!\|)")
_SPAN = re.compile(r"(col|row)span\s*=\s*[\"']?\s*(\d{1,4})", re.IGNORECASE)
_CELL_BREAK = re.compile(r"\|\||!!")
_LANGUAGE_LINK = re.compile(r"\[\[[a-z]{2,3}(?:-[a-z]+)?:[^\[\]\n]*\]\][\s\0]*$")
_QUOTE_TAG = re.compile(r"<(/?)blockquote[^<>\n]{0,200}>", re.IGNORECASE)


class MediawikiLoader:
    """Reads MediaWiki markup."""

    id = "mediawiki"

    def accepts(self, name: str, head: bytes) -> bool:
        """By file name only."""
        return name.endswith(SUFFIXES)

    def load(self, data: bytes, name: str) -> Parsed:
        """Blocks with positions in the source text. A page that only leads to another is no document."""
        text = decode(data)
        if REDIRECT.match(text):
            raise NotADocument(name)
        scanner = _Scanner(text, hide(text))
        scanner.document()
        blocks = scanner.sink.sorted()
        title = next((block.text for block in blocks if block.kind is BlockKind.HEADING and block.level == 1), "")
        return Parsed(text, blocks, line_map(text), title or page_title(name), scanner.fields, format="mediawiki")


def page_title(name: str) -> str:
    """A page is called like its file: its headings are those of its sections."""
    stem = name.rpartition("/")[2].rpartition(".")[0]
    title = " ".join(stem.replace("_", " ").split())
    return title[:1].upper() + title[1:]


class _Scanner(Markup):
    def __init__(self, text: str, hidden: Hidden) -> None:
        super().__init__(text, hidden.work, Sink(), "mediawiki")
        self.hidden = hidden
        self.term_start = 0
        self.code_at = {self.line_of(start): (start, end, lang) for start, end, lang in hidden.code}

    def document(self) -> None:
        for name, start, end, value in self.hidden.parameters:
            reading = self._outside((start, end)) if value else EMPTY
            self.field(name, reading, start, end)
        for name, text in self.hidden.fields.items():
            self.fields.setdefault(name, text)
        i = 0
        while i < len(self.lines):
            i = self._next(i)
        self.end_lists()
        for start, end, box in self.hidden.remarks:
            self._aside((start, end), box)
        for start, end in self.hidden.notes:
            self._aside((start, end), None)

    def _outside(self, span: Span) -> Inline:
        """Reading of a span that is hidden in the text at large."""
        return inline.read([(self.text[slice(*span)], span[0])], "mediawiki")

    def _aside(self, span: Span, box: Container | None) -> None:
        reading = self._outside(span)
        self.sink.add(BlockKind.PARAGRAPH, reading, span[0], span[1], within=[box] if box else [])

    def _next(self, i: int) -> int:
        if i in self.code_at:
            self.verbatim(*self.code_at[i])
            if self.blank(i):
                return i + 1
        line = self.lines[i]
        if self.blank(i):
            if HIDDEN not in line:
                self.lists = []
            return i + 1
        if level := _level(line):
            start, end = self.line_span(i)
            self.heading([self.trimmed(start + level, end - level)], level)
            return i + 1
        if _TABLE.match(line):
            return self._table(i)
        if line.startswith("----"):
            self.end_lists()
            return i + 1
        if _LANGUAGE_LINK.match(line):
            return i + 1
        if match := _LIST.match(line):
            self._item(i, match)
            return i + 1
        if line[0] == " " and line.strip() and "\0" not in line:
            stop = i
            while stop < len(self.lines) and self.lines[stop][:1] == " " and self.lines[stop].strip():
                stop += 1
            self.end_lists()
            self.code(i, stop, shared=1)
            return stop
        return self._paragraph(i)

    def _item(self, i: int, match: re.Match[str]) -> None:
        marks = match[1]
        span = self.line_span(i, match.end())
        if marks[-1] == ";":
            self.lists = []
            start = self.starts[i] + match.end()
            colon = _term_end(self.work[start : span[1]])
            self.term_start = span[0]
            self.term = self.read([self.trimmed(span[0], start + colon if colon >= 0 else span[1])])
            if colon >= 0:
                self.definition(self.term, self.term_start, [self.trimmed(start + colon + 1, span[1])])
            elif not self._defined_below(i):
                self.paragraph([span])  # a bold line, in effect
            return
        if marks == ":" and self.term.text:
            self.definition(self.term, self.term_start, [span] if span[0] < span[1] else [])
            return
        if marks[-1] == ":":  # indented, or the item above going on
            self.lists = self.lists[: len(marks) - 1]
            self.paragraph([span] if span[0] < span[1] else [])
            return
        if span[0] < span[1]:
            listed = marks.lstrip(":;")
            self.item([span], listed[-1], len(listed) - 1)

    def _defined_below(self, i: int) -> bool:
        return i + 1 < len(self.lines) and self.lines[i + 1].startswith((":", "*", "#"))

    def _paragraph(self, i: int) -> int:
        self.lists, self.term = [], EMPTY
        stop = i + 1
        while (
            stop < len(self.lines)
            and not self.blank(stop)
            and "</blockquote>" not in self.lines[stop - 1]
            and not self.lines[stop].startswith("<blockquote")
            and stop not in self.code_at
            and not self.lines[stop].startswith(("*", "#", ":", ";", "----"))
            and not _level(self.lines[stop])
            and not _TABLE.match(self.lines[stop])
        ):
            stop += 1
        spans = self.spans(i, stop)
        tags = [match[1] for a, b in spans for match in _QUOTE_TAG.finditer(self.work, a, b)]
        opened = self.quoted
        self.quoted = max(self.quoted, int("" in tags))
        since = len(self.sink.blocks)
        self.paragraph(spans)
        if self.quoted and len(self.sink.blocks) > since:
            self.sink.end_quotation(since, self.lines[stop - 1], "", cited=False)
        self.quoted = 0 if "/" in tags else max(opened, int("" in tags))
        return stop

    def _table(self, i: int) -> int:
        """A table; a table in a cell is left out."""
        rows: list[Row] = []
        cells: list[Cell] = []
        caption = ""
        start = end = -1
        pending: tuple[bool, str, list[Span]] | None = None  # header cell, attributes, what it holds

        def finish_cell() -> None:
            nonlocal pending, start, end
            if pending is None:
                return
            head, attributes, spans = pending
            sizes = {name.lower(): int(size) for name, size in _SPAN.findall(attributes)}
            cells.append(Cell(self.read(spans), head, max(sizes.get("col", 1), 1), max(sizes.get("row", 1), 1)))
            if spans:
                start, end = (spans[0][0] if start < 0 else start), spans[-1][1]
            pending = None

        def finish_row() -> None:
            nonlocal cells, start, end
            finish_cell()
            if cells and start >= 0:
                rows.append(Row(cells, start, end))
            cells, start, end = [], -1, -1

        depth = 0
        j = i + 1
        while j < len(self.lines):
            line = self.lines[j]
            stripped = line.lstrip(" \t\0:")
            skip = len(line) - len(stripped)
            if stripped.startswith("{|"):
                depth += 1
            elif stripped.startswith("|}") and not stripped.startswith("|}}"):
                depth -= 1
                if depth < 0:
                    break
            elif depth:
                pass
            elif stripped.startswith("|+"):
                caption = self.read([self._content(j, skip + 2)[1]]).text
            elif stripped.startswith("|-"):
                finish_row()
            elif stripped.startswith(("|", "!")):
                head = stripped[0] == "!"
                position = skip + 1
                for cut in [*self._breaks(line, position, head), len(line)]:
                    finish_cell()
                    attributes, span = self._content(j, position, cut)
                    pending = (head, attributes, [span] if span[0] < span[1] else [])
                    position = cut + 2
            elif pending and not self.blank(j):
                marker = _LIST.match(line)
                span = self.line_span(j, marker.end() if marker else 0)
                if span[0] < span[1]:
                    pending[2].append(span)
            j += 1
        finish_row()
        if not self.lines[i].startswith(":"):
            self.lists = []
        self.table(rows, caption)
        return j + 1

    def _breaks(self, line: str, position: int, head: bool) -> list[int]:
        return [match.start() for match in _CELL_BREAK.finditer(line, position) if head or match.group() == "||"]

    def _content(self, i: int, position: int, end: int | None = None) -> tuple[str, Span]:
        """The attributes of a cell and the span of what it holds."""
        line = self.lines[i]
        end = len(line) if end is None else end
        match = _ATTRIBUTES.match(line, position, end)
        attributes = match.group() if match else ""
        return attributes, self.trimmed(self.starts[i] + position + len(attributes), self.starts[i] + end)


def _level(line: str) -> int:
    """The level of a heading line, 0 for others."""
    line = line.strip(" \t\r\0")
    if len(line) < 3 or line[0] != "=" or line[-1] != "=":
        return 0
    level = min(len(line) - len(line.lstrip("=")), len(line) - len(line.rstrip("=")), 6)
    return level if len(line) > 2 * level else 0


def _term_end(source: str) -> int:
    """Where a term ends and its definition begins on the same line: the first colon outside of links, -1 if there is none."""
    depth = 0
    for i, character in enumerate(source):
        if character in "[{<":
            depth += 1
        elif character in "]}>":
            depth -= 1
        elif character == ":" and depth <= 0 and source[i + 1 : i + 3] != "//":
            return i
    return -1
