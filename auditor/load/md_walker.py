"""From the block tokens of a Markdown document to its blocks: positions, lead-ins, containers."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote

from auditor.load.grid import Row, add_table
from auditor.load.md_html import HtmlRegion, open_elements
from auditor.load.md_prepare import Prepared
from auditor.load.md_rows import read_row
from auditor.load.structure import Container, Sink, callout, label, lead_in, spoken
from auditor.model import Block, BlockKind
from auditor.text import inline
from auditor.text.inline import EMPTY, Inline

if TYPE_CHECKING:
    from markdown_it.token import Token

_TASK = re.compile(r"\[[ xX]\][ \t]+")
_UNREAD_CODE = re.compile(r"\{(?:toctree|contents|include|literalinclude|figure|image|raw|eval-rst|tableofcontents)\}")
_BADGE = re.compile(r"https?://img\.shields\.io/badge/((?:[^-/?\s)]|--)+)-((?:[^-/?\s)]|--)+)-[\w#%]+")
_STRUCK_MARK = re.compile(r"\s*<(/?)(?:del|s|strike)>\s*", re.IGNORECASE)
_MARKUP = re.compile(r"</?[a-z][a-z0-9]*[\s>]")
_WORD = re.compile(r"\S+")


@dataclass(slots=True)
class _List:
    group: int
    lead: str
    depth: int
    item: str = ""  # text of the item that is being read
    fresh: bool = True  # whether the item has no text yet


@dataclass(slots=True)
class _Quote:
    intro: str
    since: int  # number of blocks before it
    box: Container | None = None
    fresh: bool = True


@dataclass(slots=True)
class _Term:
    term: Inline = field(default_factory=lambda: EMPTY)
    start: int = 0
    fresh: bool = True  # whether the definition has no text yet


class Walker:
    """Turns the token stream into blocks."""

    def __init__(self, text: str, prepared: Prepared, sink: Sink, refs: frozenset[str]) -> None:
        self.text, self.prepared, self.sink, self.refs = text, prepared, sink, refs
        self.lists: list[_List] = []
        self.quotes: list[_Quote] = []
        self.terms: list[_Term] = []
        self.intro = ""  # introducing sentence, while nothing stands between it and what comes next
        self.html_depth = 0  # HTML elements open around the tokens
        self.struck = False  # between `<del>` and `</del>` that stand alone

    def walk(self, tokens: Sequence[Token]) -> None:
        """Add the blocks of all tokens, then those of the HTML tables that were kept from the parser."""
        i = 0
        while i < len(tokens):
            token = tokens[i]
            kind = token.type
            if kind == "paragraph_open":
                self._paragraph(tokens[i + 1])
            elif kind == "heading_open":
                self._heading(tokens[i + 1], int(token.tag[1]))
            elif kind == "table_open":
                i = self._table(tokens, i)
            elif kind in {"fence", "code_block"}:
                self._code(token)
            elif kind == "html_block":
                self._html(token)
            elif kind == "hr":
                self.intro = ""
            else:
                self._nesting(token, tokens[i + 1] if i + 1 < len(tokens) else None)
            i += 1
        if self.prepared.tables:
            above = sorted(self.sink.blocks, key=lambda block: block.end)
            ends = [block.end for block in above]
            for start, end in self.prepared.tables:
                i = bisect_right(ends, start) - 1
                self._html_table(start, end, above[i] if i >= 0 else None)

    def _nesting(self, token: Token, following: Token | None) -> None:
        kind = token.type
        if kind in {"bullet_list_open", "ordered_list_open"}:
            outer = self.lists[-1] if self.lists else None
            if self.terms and self.terms[-1].term.text and not outer:
                lead = spoken(self.terms[-1].term.text, self.intro)
            else:
                lead = spoken(outer.lead, outer.item, self.intro) if outer else self.intro
            self.lists.append(_List(self.sink.new_group(), lead, len(self.lists)))
            self.intro = ""
        elif kind in {"bullet_list_close", "ordered_list_close"}:
            self.lists.pop()
            self.intro = ""
        elif kind == "list_item_open":
            self.lists[-1].item, self.lists[-1].fresh = "", True
            self.intro = ""
        elif kind == "blockquote_open":
            self.quotes.append(_Quote(self.intro, len(self.sink.blocks)))
        elif kind == "blockquote_close":
            quote = self.quotes.pop()
            if not quote.box and len(self.sink.blocks) > quote.since:
                last = self.sink.blocks[-1]
                line = self.text[last.start : last.end].rpartition("\n")[2]
                self.sink.end_quotation(quote.since, line, quote.intro)
            self.intro = ""
        elif kind == "dl_open":
            self.terms.append(_Term())
        elif kind == "dl_close":
            self.terms.pop()
        elif kind == "dt_open" and following:
            reading, start, _ = self._read(following)
            self.terms[-1] = _Term(reading, start)
        elif kind == "dd_open":
            self.terms[-1].fresh = True
        elif kind.startswith("footnote_reference"):
            self.intro = ""

    def _context(self, line: int) -> tuple[list[Container], set[str]]:
        """Boxes and flags of what begins on this line."""
        boxes = list(self.prepared.contexts[line]) if line < len(self.prepared.contexts) else []
        flags: set[str] = {"struck"} if self.struck else set()
        boxes += [quote.box for quote in self.quotes if quote.box]
        return boxes, flags

    def _locate(self, number: int, content: str) -> tuple[int, int]:
        """Span of one line of token content in the document. It is the end of its line, unless something was cut off there."""
        line, start = self.prepared.lines[number], self.prepared.starts[number]
        stripped = content.strip()
        if not stripped:
            return start + len(line), start + len(line)
        whole = line.rstrip()
        at = len(whole) - len(stripped) if whole.endswith(stripped) else line.find(stripped)
        if at < 0:  # tabs were expanded, or dialect markers taken out: look for the first word
            word = _WORD.match(stripped)
            at = max(line.find(word.group()) if word else 0, 0)
            return start + at, start + len(whole)
        return start + at, start + at + len(stripped)

    def _pieces(self, token: Token) -> list[tuple[int, int]]:
        first = token.map[0] if token.map else 0
        spans = [self._locate(first + k, line) for k, line in enumerate(token.content.split("\n"))]
        return [span for span in spans if span[0] < span[1]]

    def _read(self, token: Token, skip: int = 0) -> tuple[Inline, int, int]:
        """Clean reading of an inline token and its span; `skip` characters of the first line are left out."""
        spans = self._pieces(token)
        if not spans:
            return EMPTY, 0, 0
        if skip:
            first, end = spans[0]
            spans[0] = (min(first + skip, end), end)
            if spans[0][0] == end and len(spans) > 1:
                del spans[0]
        start, end = spans[0][0], spans[-1][1]
        reading = inline.read([(self.text[a:b], a) for a, b in spans], "markdown", refs=self.refs)
        return reading, start, end

    def _heading(self, token: Token, level: int) -> None:
        reading, start, end = self._read(token)
        boxes, flags = self._context(token.map[0] if token.map else 0)
        self.sink.add(BlockKind.HEADING, reading, start, end, level=level, within=boxes, flags=flags)
        if self.lists:
            self.lists[-1].fresh = False
        self.intro = ""

    def _paragraph(self, token: Token) -> None:
        skip = 0
        if self.quotes and self.quotes[-1].fresh:
            self.quotes[-1].fresh = False
            if found := callout(token.content):
                self.quotes[-1].box, skip = found
        current = self.lists[-1] if self.lists else None
        if current and current.fresh and (task := _TASK.match(token.content)):
            skip = task.end()
        reading, start, end = self._read(token, skip)
        source = self.text[start:end]
        boxes, flags = self._context(token.map[0] if token.map else 0)
        term = self.terms[-1] if self.terms else None
        if not reading.text and "![" in source:
            self._badges(source, start)
        if current and current.fresh and reading.text:
            current.fresh, current.item = False, reading.text
            self.sink.add(
                BlockKind.ITEM,
                reading,
                start,
                end,
                level=current.depth,
                lead_in=current.lead,
                group=current.group,
                within=boxes,
                flags=flags,
            )
            self.intro = ""  # the item itself is the lead-in of a nested list
            return
        if term and term.fresh and term.term.text and not current:
            term.fresh = False
            both = inline.join((term.term, reading), ": ")
            cells = (term.term.text, reading.text)
            self.sink.add(BlockKind.DEFINITION, both, term.start, end, cells=cells, within=boxes, flags=flags)
        else:
            quoted = any(quote.box is None for quote in self.quotes) or any(box.flag == "quote" for box in boxes)
            kind = BlockKind.QUOTE if quoted else BlockKind.PARAGRAPH
            above = spoken(current.lead, current.item) if current and label(current.item) else ""
            level = len(self.lists)
            self.sink.add(kind, reading, start, end, level=level, lead_in=above, within=boxes, flags=flags)
        self.intro = lead_in(reading.text, source) if reading.text else self.intro

    def _badges(self, source: str, start: int) -> None:
        """Static badges state a name and a value; those with a number in it are fields."""
        for match in _BADGE.finditer(source):
            name, value = (unquote(part).replace("--", "-").replace("_", " ").strip() for part in match.groups())
            if name and any(character.isdigit() for character in value):
                text = Inline(f"{name}: {value}", ((0, start + match.start(1)), (len(name) + 2, start + match.start(2))))
                self.sink.add(BlockKind.FIELD, text, start + match.start(1), start + match.end(2), cells=(name, value))

    def _code(self, token: Token) -> None:
        if token.type == "code_block" and self.html_depth and _MARKUP.search(token.content):
            self._html(token)  # within an HTML element indentation means nothing
            return
        first = (token.map or [0])[0]
        if token.type == "fence":
            first += 1
            if _UNREAD_CODE.match(token.info.strip()):
                return
        lines = token.content.rstrip("\n").split("\n")
        anchors: list[tuple[int, int]] = []
        length, end = 0, 0
        start = -1
        for k, line in enumerate(lines):
            if first + k >= len(self.prepared.lines):
                break
            at, end = self._locate(first + k, line)
            lead = len(line) - len(line.lstrip())
            if line.strip():
                start = at if start < 0 else start
                source = max(at - lead, self.prepared.starts[first + k])
                if not anchors or source - length != anchors[-1][1] - anchors[-1][0]:
                    anchors.append((length, source))
            length += len(line) + 1
        if start < 0:
            return
        boxes, flags = self._context(first)
        lang = token.info.strip().split(maxsplit=1)[0].strip("{}.,").lower() if token.info.strip() else ""
        start = min(start, anchors[0][1])
        self.sink.add(BlockKind.CODE, Inline("\n".join(lines), tuple(anchors)), start, end, lang=lang, within=boxes, flags=flags)
        if self.lists:
            self.lists[-1].fresh = False
        self.intro = ""

    def _table(self, tokens: Sequence[Token], i: int) -> int:
        """Rows of a pipe table. Cells are cut out of the source line, as the parser does not say where they stand."""
        caption = self.intro or (self.lists[-1].item if self.lists and label(self.lists[-1].item) else "")
        rows: list[Row] = []
        first = (tokens[i].map or [0])[0]
        head = True
        while tokens[i].type != "table_close":
            token = tokens[i]
            if token.type == "tbody_open":
                head = False
            elif token.type == "tr_open" and token.map:
                rows.append(read_row(self.text, self.prepared, token.map[0], head, self.refs))
            i += 1
        boxes, flags = self._context(first)
        add_table(self.sink, rows, caption=caption, within=boxes, flags=flags, guess_head=False)
        self.intro = ""
        return i

    def _html(self, token: Token) -> None:
        first = (token.map or [0])[0]
        content = token.content.rstrip("\n").split("\n")
        self.html_depth = open_elements(token.content, self.html_depth)
        if mark := _STRUCK_MARK.fullmatch(token.content):
            self.struck = not mark[1]
        spans = [self._locate(first + k, line) for k, line in enumerate(content) if first + k < len(self.prepared.lines)]
        spans = [span for span in spans if span[0] < span[1]]
        if spans:
            boxes, flags = self._context(first)
            region = HtmlRegion(self.text, self.sink, self.refs, boxes, flags, self.intro)
            region.read(spans[0][0], spans[-1][1])
            self.intro = region.previous

    def _html_table(self, start: int, end: int, above: Block | None) -> None:
        caption = ""
        if above and above.kind is BlockKind.PARAGRAPH and not self.text[above.end : start].strip(" \t\n>*_-`:"):
            caption = lead_in(above.text, self.text[above.start : above.end])
        boxes, flags = self._context(bisect_right(self.prepared.starts, start) - 1)
        HtmlRegion(self.text, self.sink, self.refs, boxes, flags, caption).read(start, end)
