"""Line-oriented markup whose text is its own source (AsciiDoc, wiki markup): lines, open lists, and the blocks made of them.

What a dialect hides from its readers (comments, templates, macros) is overwritten with NUL characters in a copy of the text, so
that everything else stays where it is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auditor.load.grid import Row, add_table
from auditor.load.structure import Container, Sink, label, lead_in, spoken
from auditor.model import BlockKind
from auditor.text import inline
from auditor.text.inline import EMPTY, Inline, Syntax
from auditor.text.inline_wiki import HIDDEN

Span = tuple[int, int]

_AROUND = " \t\n\r\f\v" + HIDDEN
_SEEN = re.compile(r"[^\s\0]")


@dataclass(slots=True)
class OpenList:
    """A list that may go on."""

    kind: str
    group: int
    lead: str
    item: str = ""


class Markup:
    """The lines of one document and the blocks made of them so far."""

    def __init__(self, text: str, work: str, sink: Sink, syntax: Syntax, values: Mapping[str, str] | None = None) -> None:
        self.text, self.work, self.sink, self.syntax = text, work, sink, syntax
        self.values = values  # see `inline.read`
        self.lines = work.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.boxes: list[Container] = []
        self.quoted = 0  # block quotations around
        self.lists: list[OpenList] = []
        self.term: Inline = EMPTY  # whose definition is being read
        self.intro = ""  # introducing sentence, while nothing stands between it and what comes next
        self.fields: dict[str, str] = {}

    # -- positions ------------------------------------------------------------------------------------------------------------

    def blank(self, i: int) -> bool:
        """Whether a reader sees nothing on this line."""
        return not _SEEN.search(self.lines[i])

    def line_of(self, position: int) -> int:
        """Index of the line a position stands on."""
        return bisect_right(self.starts, position) - 1

    def trimmed(self, start: int, end: int) -> Span:
        """A span without what is unseen at both of its ends."""
        while start < end and self.work[start] in _AROUND:
            start += 1
        while end > start and self.work[end - 1] in _AROUND:
            end -= 1
        return start, end

    def line_span(self, i: int, skip: int = 0) -> Span:
        """The seen part of a line, `skip` characters of it left out."""
        return self.trimmed(self.starts[i] + skip, self.starts[i] + len(self.lines[i]))

    def spans(self, begin: int, end: int, skip: int = 0) -> list[Span]:
        """The seen parts of some lines; `skip` characters of the first one are left out."""
        found = [self.line_span(i, skip if i == begin else 0) for i in range(begin, end)]
        return [span for span in found if span[0] < span[1]]

    def read(self, spans: Sequence[Span]) -> Inline:
        """Clean reading of a paragraph that stands in these spans."""
        if not spans:
            return EMPTY
        return inline.read([(self.work[a:b], a) for a, b in spans], self.syntax, substitutions=self.values)

    # -- blocks ---------------------------------------------------------------------------------------------------------------

    def heading(self, spans: Sequence[Span], level: int) -> str:
        """Add a heading; the lists before it are over. Returns its reading."""
        self.end_lists()
        reading = self.read(spans)
        if spans:
            self.sink.add(BlockKind.HEADING, reading, spans[0][0], spans[-1][1], level=min(max(level, 1), 6), within=self.boxes)
        return reading.text

    def paragraph(self, spans: Sequence[Span]) -> None:
        """Add a paragraph; within a list it belongs to the item before it."""
        reading = self.read(spans)
        if not reading.text:
            return
        start, end = spans[0][0], spans[-1][1]
        outer = self.lists[-1] if self.lists else None
        above = spoken(outer.lead, outer.item) if outer and label(outer.item) else ""
        if self.term.text and not outer:
            above = self.term.text
        kind = BlockKind.QUOTE if self.quoted else BlockKind.PARAGRAPH
        self.sink.add(kind, reading, start, end, level=len(self.lists), lead_in=above, within=self.boxes)
        self.intro = lead_in(reading.text, f"**{reading.text}**" if self._bold(start, end) else self.text[start:end])

    def _bold(self, start: int, end: int) -> bool:
        mark = {"asciidoc": "*", "confluence": "*", "mediawiki": "'''"}.get(self.syntax, "**")
        source = self.text[start:end].rstrip(":")
        return len(source) > 2 * len(mark) and source.startswith(mark) and source.endswith(mark) and source.count(mark) == 2

    def item(self, spans: Sequence[Span], kind: str, depth: int) -> None:
        """Add a list item. A list ends where one of another kind, or with an introduction of its own, begins at its depth."""
        depth = min(depth, len(self.lists))
        del self.lists[depth + 1 :]
        if len(self.lists) > depth and (self.lists[depth].kind != kind or self.intro):
            del self.lists[depth:]
        if len(self.lists) == depth:
            outer = self.lists[-1] if self.lists else None
            lead = spoken(outer.lead, outer.item, self.intro) if outer else spoken(self.term.text, self.intro)
            self.lists.append(OpenList(kind, self.sink.new_group(), lead))
        current = self.lists[depth]
        reading = self.read(spans)
        current.item, self.intro = reading.text, ""
        if spans:
            self.sink.add(
                BlockKind.ITEM,
                reading,
                spans[0][0],
                spans[-1][1],
                level=depth,
                lead_in=current.lead,
                group=current.group,
                within=self.boxes,
            )

    def definition(self, term: Inline, start: int, spans: Sequence[Span]) -> None:
        """Add a term with its definition."""
        reading = self.read(spans)
        if not reading.text:
            return
        both = inline.join((term, reading), ": ")
        cells = (term.text, reading.text)
        self.sink.add(BlockKind.DEFINITION, both, start, spans[-1][1], cells=cells, within=self.boxes)
        self.intro = lead_in(reading.text, reading.text)

    def code(self, begin: int, end: int, lang: str = "", shared: int = 0) -> None:
        """Add some lines as they are, without the `shared` first characters of each."""
        while begin < end and self.blank(begin):
            begin += 1
        while end > begin and self.blank(end - 1):
            end -= 1
        parts: list[Inline] = []
        for i in range(begin, end):
            line = self.text[self.starts[i] : self.starts[i] + len(self.lines[i])].rstrip()[shared:]
            parts.append(Inline(line, ((0, self.starts[i] + shared),) if line else ()))
        if parts:
            start, finish = self.starts[begin], self.starts[end - 1] + len(self.lines[end - 1].rstrip())
            self.sink.add(BlockKind.CODE, inline.join(parts, "\n"), start, finish, lang=lang, within=self.boxes)
        self.intro = ""

    def verbatim(self, start: int, end: int, lang: str = "") -> None:
        """Add a span as it is, without blank lines around it."""
        parts: list[Inline] = []
        position = start
        for line in self.text[start:end].rstrip().split("\n"):
            if parts or line.strip():
                parts.append(Inline(line.rstrip(), ((0, position),) if line.strip() else ()))
            position += len(line) + 1
        self.intro = ""
        if parts:
            first = parts[0].anchors[0][1]
            self.sink.add(BlockKind.CODE, inline.join(parts, "\n"), first, position - 1, lang=lang, within=self.boxes)

    def field(self, name: str, value: Inline, start: int, end: int, *, shown: bool = True) -> None:
        """A statement of the document about itself; `shown` ones are blocks as well."""
        if value.text:
            self.fields.setdefault(name.lower(), value.text)
            if shown:
                both = inline.join((Inline(name, ((0, start),)), value), ": ")
                self.sink.add(BlockKind.FIELD, both, start, end, cells=(name, value.text), within=self.boxes)

    def table(self, rows: Sequence[Row], caption: str = "") -> None:
        """Add a table; without a caption of its own the sentence above is its caption."""
        outer = self.lists[-1].item if self.lists and label(self.lists[-1].item) else ""
        add_table(self.sink, rows, caption=caption or self.intro or outer, within=self.boxes)
        self.intro = ""

    def end_lists(self) -> None:
        """What comes next belongs to no list."""
        self.lists, self.intro, self.term = [], "", EMPTY
