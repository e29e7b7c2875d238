"""The lines of a reStructuredText document, and how they become readings and blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from auditor.load import rst_tables
from auditor.load.structure import Container, Sink, label, spoken
from auditor.model import BlockKind
from auditor.text import inline
from auditor.text.inline import EMPTY, Inline, Piece


@dataclass(slots=True)
class Entry:
    """A list item that is being read."""

    group: int
    lead: str
    text: str = ""
    fresh: bool = True


@dataclass(slots=True)
class Term:
    """A term whose definition is being read."""

    reading: Inline
    start: int
    fresh: bool = True


@dataclass(frozen=True, slots=True)
class Context:
    """What stands around a passage."""

    boxes: tuple[Container, ...] = ()
    flags: frozenset[str] = frozenset()
    entry: Entry | None = None
    depth: int = 0  # nesting of lists
    term: Term | None = None
    level: int = 0  # nesting of anything

    def inside(self, box: Container | None = None, flag: str = "", term: Term | None = None) -> Context:
        """The context one level further in."""
        boxes = (*self.boxes, box) if box and (box.title or box.flag) else self.boxes
        flags = self.flags | {flag} if flag else self.flags
        return replace(self, boxes=boxes, flags=flags, term=term, level=self.level + 1)


class Lines:
    """The lines of one document, as written and as worked on, and the blocks made of them so far."""

    def __init__(self, text: str, sink: Sink, substitutions: Mapping[str, str]) -> None:
        self.text, self.sink = text, sink
        self.lines = text.split("\n")
        self.work = [line.expandtabs(8).rstrip() for line in self.lines]
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.source = rst_tables.Source(self.lines, self.work, self.starts, substitutions)
        self.substitutions = substitutions
        self.styles: list[str] = []
        self.fields: dict[str, str] = {}
        self.body = False  # whether anything but titles, comments and fields was read

    def indent(self, i: int) -> int:
        """Indentation of a line."""
        return len(self.work[i]) - len(self.work[i].lstrip())

    def block_end(self, i: int, end: int, indent: int) -> int:
        """The first line after `i` that is not indented more than `indent`; blank lines before it are left out."""
        last = i + 1
        for j in range(i + 1, end):
            if self.work[j]:
                if self.indent(j) <= indent:
                    break
                last = j + 1
        return last

    def body_indent(self, begin: int, end: int) -> int:
        """The least indentation of some lines."""
        return min((self.indent(j) for j in range(begin, end) if self.work[j]), default=0)

    def reading(self, begin: int, end: int) -> tuple[Inline, int, int]:
        """Clean reading of some lines and its span. The content of a line is the end of what is written there."""
        pieces: list[Piece] = []
        for j in range(begin, end):
            content = self.work[j].strip()
            if not content:
                continue
            whole = self.lines[j].rstrip()
            at = len(whole) - len(content) if whole.endswith(content) else max(whole.find(content.split("\t")[0][:20]), 0)
            pieces.append((whole[at:], self.starts[j] + at))
        if not pieces:
            return EMPTY, self.starts[begin], self.starts[begin]
        return inline.read(pieces, "rst", substitutions=self.substitutions), pieces[0][1], pieces[-1][1] + len(pieces[-1][0])

    def paragraph(self, reading: Inline, start: int, end: int, context: Context) -> None:
        """Add a paragraph as what it is where it stands: item, definition, quotation or paragraph."""
        entry, term = context.entry, context.term
        boxes, flags = context.boxes, context.flags
        if not reading.text:
            return
        if term and term.fresh and term.reading.text:
            term.fresh = False
            both = inline.join((term.reading, reading), ": ")
            self.sink.add(
                BlockKind.DEFINITION, both, term.start, end, cells=(term.reading.text, reading.text), within=boxes, flags=flags
            )
        elif entry and entry.fresh:
            entry.fresh, entry.text = False, reading.text
            level = max(context.depth - 1, 0)
            self.sink.add(
                BlockKind.ITEM, reading, start, end, level=level, lead_in=entry.lead, group=entry.group, within=boxes, flags=flags
            )
        else:
            kind = BlockKind.QUOTE if "quote" in flags else BlockKind.PARAGRAPH
            above = spoken(entry.lead, entry.text) if entry and label(entry.text) else ""
            self.sink.add(kind, reading, start, end, level=context.depth, lead_in=above, within=boxes, flags=flags)

    def code(self, begin: int, end: int, lang: str, context: Context) -> None:
        """Add a code block, without the indentation its lines share."""
        self.body = True
        while begin < end and not self.work[begin]:
            begin += 1
        written = [self.lines[j].rstrip() for j in range(begin, end)]
        margins = [line[: len(line) - len(line.lstrip())] for line in written if line]
        shared = 0
        while margins and all(shared < len(margin) and margin[shared] == margins[0][shared] for margin in margins):
            shared += 1
        lines: list[str] = []
        anchors: list[tuple[int, int]] = []
        length = 0
        for j, line in enumerate(written, start=begin):
            if line:
                anchors.append((length, self.starts[j] + shared))
            lines.append(line[shared:])
            length += len(lines[-1]) + 1
        if not lines:
            return
        start, finish = anchors[0][1], self.starts[end - 1] + len(self.lines[end - 1].rstrip())
        text = Inline("\n".join(lines).rstrip(), tuple(anchors))
        self.sink.add(BlockKind.CODE, text, start, finish, lang=lang, within=context.boxes, flags=context.flags)
        if context.entry:
            context.entry.fresh = False
