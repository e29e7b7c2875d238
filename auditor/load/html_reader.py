"""Structure of a web page: a stack of open elements, and a block whenever one of them begins or ends."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from auditor.load import html_rules as rules
from auditor.load.html_blocks import TABLE_PARTS, Blocks, List, Table
from auditor.load.html_head import Head
from auditor.load.html_tokens import Tag, Text
from auditor.load.structure import Container, Sink, spoken
from auditor.text.inline import EMPTY

_SCOPE_LIMIT = 500  # how far up the stack an end tag may look past a table cell
_IMPLIED = {
    "li": ("li", frozenset({"ul", "ol", "menu"})),
    "dt": ("dt dd", frozenset({"dl"})),
    "dd": ("dt dd", frozenset({"dl"})),
    "tr": ("tr td th", frozenset({"table"})),
    "td": ("td th", frozenset({"table", "tr"})),
    "th": ("td th", frozenset({"table", "tr"})),
    "tbody": ("tr td th thead caption", frozenset({"table"})),
    "tfoot": ("tr td th tbody", frozenset({"table"})),
    "option": ("option", frozenset({"select"})),
}
_LAYOUT_SIGNS = frozenset({"table", "h1", "h2"})
_LABELS = frozenset({"span", "strong", "b", "a", "code", "small", "time"})


@dataclass(slots=True)
class _Element:
    name: str
    skip_before: int
    struck: bool = False
    bold: bool = False
    box: bool = False
    version: bool = False
    box_title: bool = False


class Reader(Blocks):
    """Consumes tokens and adds blocks to a sink."""

    def __init__(self, text: str, sink: Sink, head: Head, by_name: bool) -> None:
        super().__init__(sink)
        self.head, self.by_name = head, by_name
        self.line_starts = [0, *(i + 1 for i, character in enumerate(text) if character == "\n")]
        self.stack: list[_Element] = []
        self.skip = 0  # 1: site chrome, 2: unread
        self.struck = self.bold = 0
        self.badge: list[str] | None = None
        self.badge_line = 0
        self.versions: dict[str, int] = {}
        self.cited = False
        self.after_label = False

    def feed(self, token: Tag | Text) -> None:
        """Take the next token."""
        self.line = bisect_right(self.line_starts, token.at)
        if isinstance(token, Text):
            self._text(token)
        elif token.closing:
            self._end(token.name)
        else:
            self._start(token)

    def close(self) -> None:
        """The end of the document."""
        while self.stack:
            self._pop()
        self._flush()

    def _text(self, token: Text) -> None:
        if token.raw == "title" and not self.open["svg"]:
            self.head.set_title(token.source)
        elif token.raw == "script":
            self.head.script(token.source, self.line)
        if token.raw:
            return
        if self.badge is not None:
            self.badge.append(token.source)
        if self.skip:
            self.dropped += len(token.source.strip()) if self.skip == 1 else 0
            return
        if self.tables and self.tables[-1].cell is None and not self.open["caption"] and not token.source.strip():
            return
        if self.after_label and token.source[0].isupper() and self.gathered.last_character().islower():
            self.gathered.space(self.line)
        self.after_label = False
        self.gathered.add(token.source, self.line, bool(self.struck), bool(self.bold))

    def _start(self, tag: Tag) -> None:
        name = tag.name
        if name == "meta":
            self.head.meta(tag.attributes, self.line)
        elif name == "time":
            self.head.time(tag.attributes, self.line)
        if name in rules.BLOCKS:
            self._imply(name)
            if not self.skip:
                if name in _LAYOUT_SIGNS and self.tables and self.tables[-1].cell is not None:
                    self._dissolve()
                self._boundary()
        elif name == "br" and not self.skip:
            if self.pre:
                self.gathered.add("\n", self.line, False, True)
            else:
                self.gathered.space(self.line)
        if name == "img" and self.tables and self.tables[-1].cell is not None:
            self.tables[-1].image = tag.attributes.get("alt", "")
        if name in rules.VOID:
            return
        element = _Element(name, self.skip)
        in_main = bool(self.open["main"] or self.open["article"])
        if name in rules.MAIN and self.skip == 1:
            self.skip = 0
        elif self.skip < 2 and rules.unread(name, tag.attributes, in_main, self.by_name):
            self.skip = 2 if name in rules.UNREAD else 1
        self.stack.append(element)
        self.open[name] += 1
        if self.skip == 1 and self.badge is None and rules.version_badge(tag.attributes):
            self.badge, self.badge_line, element.version = [], self.line, True
        if not self.skip:
            self._enter(tag, element)

    def _enter(self, tag: Tag, element: _Element) -> None:
        """What an element that is read means for what stands in it."""
        name, attributes = tag.name, tag.attributes
        if (attributes and rules.struck(name, attributes)) or name in rules.STRUCK:
            element.struck = True
            self.struck += 1
        if name in {"b", "strong"}:
            element.bold = True
            self.bold += 1
        glued = (self.after_label and name in _LABELS) or (name == "code" and self.gathered.last_character().isalnum())
        if glued and not self.pre and self.open["code"] <= (name == "code"):
            self.gathered.space(self.line)  # separate labels, set apart by the style sheet only
        if name == "pre":
            self.pre += 1
            self.lang = rules.language(attributes)
        elif name == "code" and self.pre and not self.lang:
            self.lang = rules.language(attributes)
        elif name in {"ul", "ol"}:
            outer = self.lists[-1] if self.lists else None
            lead = (
                spoken(outer.lead, outer.item, self.intro)
                if outer
                else spoken(self.term.text if self.open["dd"] else "", self.intro)
            )
            self.lists.append(List(self.sink.new_group(), lead))
            self.intro = ""
        elif name == "li" and self.lists:
            self.lists[-1].item, self.lists[-1].fresh = "", True
            self.intro = ""
        elif name == "table" and not rules.layout_table(attributes):
            self.tables.append(Table(self.intro, [], []))
            self.intro = ""
        elif self.tables and name in TABLE_PARTS:
            self._table_part(tag)
        elif name == "blockquote":
            self.fresh_quote, self.quote_box = True, None
            self.quote_since, self.quote_intro = len(self.sink.blocks), self.intro
        elif name == "cite" and self.open["blockquote"]:
            self.cited = True
        elif name == "dd":
            self.fresh_definition = True
        if box := rules.box(name, attributes):
            element.box = True
            self.boxes.append(box)
        elif name == "details":
            element.box = True
            self.boxes.append(Container(""))
        elif self.boxes and attributes and rules.box_title(attributes):
            element.box_title = True

    def _imply(self, name: str) -> None:
        """Close elements whose end tag HTML lets authors leave out."""
        if self.open["head"] and name not in {"html", "head"}:
            self._end("head")
        if self.open["p"]:
            for i in range(len(self.stack) - 1, -1, -1):
                if self.stack[i].name == "p":
                    self._pop_to(i)
                    break
                if self.stack[i].name in rules.BLOCKS:
                    break
        if name in _IMPLIED:
            closed, bounds = _IMPLIED[name]
            if any(self.open[tag] for tag in closed.split()):
                lowest = -1
                for i in range(len(self.stack) - 1, max(len(self.stack) - _SCOPE_LIMIT, 0) - 1, -1):
                    if self.stack[i].name in bounds:
                        break
                    if self.stack[i].name in closed:
                        lowest = i
                        if name not in {"tr", "tbody", "tfoot"}:
                            break
                if lowest >= 0 and self.stack[lowest].name in closed.split():
                    self._pop_to(lowest)

    def _end(self, name: str) -> None:
        if not self.open[name]:
            return
        inner = name not in TABLE_PARTS
        for i in range(len(self.stack) - 1, -1, -1):
            if self.stack[i].name == name:
                self._pop_to(i)
                return
            if inner and (self.stack[i].name in {"td", "th", "table"} or len(self.stack) - i > _SCOPE_LIMIT):
                return

    def _pop_to(self, i: int) -> None:
        while len(self.stack) > i:
            self._pop()

    def _pop(self) -> None:
        element = self.stack[-1]
        name = element.name
        if not self.skip and (name in rules.BLOCKS or element.box_title):
            if element.box_title:
                self._box_title()
            elif name == "pre":
                self._code()
            else:
                self._boundary()
        self.stack.pop()
        self.open[name] -= 1
        if element.version and self.badge is not None:
            text = " ".join("".join(self.badge).split())
            if rules.is_version(text):
                self.versions.setdefault(text, self.badge_line)
            self.badge = None
        if not self.skip:
            self._leave(element)
        self.skip = element.skip_before

    def _leave(self, element: _Element) -> None:
        name = element.name
        self.struck -= element.struck
        self.bold -= element.bold
        self.after_label = name in _LABELS and not self.pre
        if element.box and self.boxes:
            self.boxes.pop()
        if name == "pre":
            self.pre -= 1
            self.lang = ""
        elif name in {"ul", "ol"} and self.lists:
            self.lists.pop()
            self.intro = ""
        elif name == "li" and self.lists:
            self.lists[-1].fresh = False
        elif name == "dl":
            self.term = EMPTY
        elif name == "blockquote" and not self.quote_box and len(self.sink.blocks) > self.quote_since:
            self.sink.end_quotation(self.quote_since, self.sink.blocks[-1].text, self.quote_intro, self.cited)
            self.cited = False
        elif self.tables and name in TABLE_PARTS:
            self._table_end(name)
