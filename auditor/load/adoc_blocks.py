"""Block structure of AsciiDoc."""

from __future__ import annotations

import re

from auditor.load import adoc_lines as lines
from auditor.load import adoc_tables, front_matter
from auditor.load.adoc_header import ENTRY, entry, header
from auditor.load.adoc_source import Attributes, Directives
from auditor.load.adoc_style import Style
from auditor.load.markup import Markup, Span
from auditor.load.structure import Container, Sink, titled
from auditor.model import BlockKind
from auditor.text.inline import EMPTY
from auditor.text.inline_asciidoc import footnotes

_VERBATIM = frozenset({"source", "listing", "literal", "stem", "latexmath", "asciimath"})
_MAX_DEPTH = 12


class Scanner(Markup):
    """Reads one document."""

    def __init__(self, text: str, sink: Sink) -> None:
        self.attributes = Attributes()
        super().__init__(text, text, sink, "asciidoc", self.attributes)
        self.directives = Directives(self.attributes)
        self.title = ""
        self.open: list[Container] = []
        self.style = Style()
        self.attached = self.loose = False  # a `+` or a blank line stood before

    def document(self) -> None:
        """Add the blocks of the document."""
        matter = front_matter.read(self.text)
        front_matter.add_blocks(matter, self.text, self.sink)
        first = self.line_of(matter.end) if matter.end else 0
        for name, value in matter.fields.items():
            self.fields[name] = value
        self.parse(header(self, first), len(self.lines), 0)
        self.title = matter.fields.get("title") or self.title
        self._footnotes()

    def show_boxes(self) -> None:
        """Bring the boxes of the next block up to date."""
        self.boxes = [*self.directives.boxes(), *self.open]

    def closing(self, i: int, end: int, delimiter: str) -> int:
        """The line that closes what opens on line `i`, else `end`."""
        return next((j for j in range(i + 1, end) if self.lines[j].rstrip() == delimiter), end)

    def parse(self, begin: int, end: int, depth: int) -> None:
        """Add the blocks of some lines."""
        i = begin
        while i < end:
            i = self._next(i, end, depth)

    def _next(self, i: int, end: int, depth: int) -> int:
        line = self.lines[i]
        if not line.strip():
            self.loose = True
            return i + 1
        if line.rstrip() == "+":
            self.attached, self.loose = True, False
            return i + 1
        if (taken := self._aside(i, end, line)) or (taken := self._announcement(i, line)):
            return taken
        if not self.open and not self.quoted and (taken := self._section(i, end, line)):
            return taken
        if (delimiter := lines.DELIMITER.match(line)) or lines.TABLE.match(line):
            self._leave_list()
            if not delimiter:
                taken = self._table(i, end, line.rstrip())
            else:
                taken = self._delimited(i, end, delimiter, depth)
            self.style, self.attached = Style(), False
            return taken
        if lines.RULE.match(line) or lines.MACRO.match(line):
            self._leave_list()
            self.style, self.attached, self.intro = Style(), False, ""
            return i + 1
        item = lines.ITEM.match(line) if self.style.name not in _VERBATIM else None
        if item:
            return self._item(i, end, item)
        if self.style.name not in _VERBATIM and (term := lines.term(line)):
            return self._definition(i, end, term)
        return self._paragraph(i, end, line)

    def _aside(self, i: int, end: int, line: str) -> int:
        """Comments, attribute entries, and lines that include or choose. Returns the line after, 0 for other lines."""
        if line.startswith("//"):
            if line.startswith("////") and set(line.rstrip()) == {"/"}:
                return self.closing(i, end, line.rstrip()) + 1
            return i + 1 if not line.startswith("///") else 0
        if line.startswith(":") and ENTRY.match(line):
            return entry(self, i)
        if line.startswith(("include::", "if", "endif::")):
            if self.directives.include(line):
                return i + 1
            if span := self.directives.condition(line):
                self.show_boxes()
                if span[0] < span[1] and line[span[0]] != ":":
                    start = self.starts[i]
                    self.paragraph([self.trimmed(start + span[0], start + span[1])])
                return i + 1
        return 0

    def _announcement(self, i: int, line: str) -> int:
        """A title or style of the block below."""
        if line[0] == "[" and lines.ANCHOR.match(line):
            return i + 1
        if line[0] == "[" and lines.STYLE.match(line):
            style = self.style.extended(line.strip()[1:-1])
            if style is not None:
                self.style = style
                return i + 1
        if line[0] == "." and lines.TITLE.match(line) and not lines.DELIMITER.match(line) and not lines.ITEM.match(line):
            self.style.title = self.line_span(i, 1)
            return i + 1
        return 0

    def _section(self, i: int, end: int, line: str) -> int:
        if match := lines.SECTION.match(line):
            start, finish = self.line_span(i, match.end())
            if line.rstrip().endswith(" " + match[1]):  # closed as it was opened
                start, finish = self.trimmed(start, finish - len(match[1]))
            level, taken = len(match[1]), i + 1
        elif i + 1 < end and (rule := lines.UNDERLINE.match(self.lines[i + 1])) and not line[0].isspace():
            width = len(line.rstrip())
            if abs(width - len(self.lines[i + 1].rstrip())) > 1 or not any(c.isalnum() for c in line) or lines.ITEM.match(line):
                return 0
            (start, finish), level, taken = self.line_span(i), "=-~^+".index(rule[1]) + 1, i + 2
        else:
            return 0
        self.heading([(start, finish)], level)
        self.style, self.attached, self.loose = Style(), False, False
        return taken

    def _leave_list(self) -> None:
        """What is not attached to a list item ends the list."""
        if (self.lists or self.term.text) and not self.attached:
            self.end_lists()
        self.loose = False

    def _box(self, name: str = "") -> Container | None:
        """The box that the style and title of the block at hand make of it."""
        title = self.read([self.style.title]).text if self.style.title else ""
        box = titled(title, name or self.style.name)
        return box if box.title or box.flag else None

    def _delimited(self, i: int, end: int, match: re.Match[str], depth: int) -> int:
        mark, lang = match[1], match[2]
        sign, style = mark[0], self.style
        close = self.closing(i, end, mark)
        box = self._box("example" if sign == "=" and not style.admonition else "")
        boxed = [box] if box else []
        self.style = Style()
        self.open += boxed
        self.show_boxes()
        compound = sign in "=*_" or mark == "--"
        if style.name in _VERBATIM and sign != "/":
            compound, sign = False, "-"
        if sign in "-.`" and not compound:
            self.code(i + 1, close, (lang or style.language).lower())
        elif compound and depth < _MAX_DEPTH:
            self._compound(i + 1, close, depth, quote=sign == "_" or style.name in {"quote", "verse"}, cited=style.cited)
        elif compound:
            for j in range(i + 1, close):
                self.paragraph(self.spans(j, j + 1))
        del self.open[len(self.open) - len(boxed) :]
        self.show_boxes()
        return min(close + 1, end)

    def _compound(self, begin: int, end: int, depth: int, quote: bool, cited: bool) -> None:
        outside, self.lists = self.lists, []
        term, self.term = self.term, EMPTY
        intro, since = self.intro, len(self.sink.blocks)
        self.quoted += quote
        self.open.append(Container(""))  # no sections in here
        self.attached = self.loose = False
        self.parse(begin, end, depth + 1)
        self.open.pop()
        self.quoted -= quote
        if quote and len(self.sink.blocks) > since:
            last = self.sink.blocks[-1]
            self.sink.end_quotation(since, self.text[last.start : last.end].rpartition("\n")[2], intro, cited)
        self.lists, self.term, self.intro = outside, term, ""
        self.style = Style()

    def _table(self, i: int, end: int, delimiter: str) -> int:
        close = self.closing(i, end, delimiter)
        caption = self.read([self.style.title]).text if self.style.title else ""
        rows = adoc_tables.rows(self, i + 1, close, delimiter[0], self.style)
        self.table(rows, caption)
        return min(close + 1, end)

    def _text_end(self, i: int, end: int, listed: bool = False) -> int:
        """The line after the paragraph or item text that begins on line `i`."""
        j = i + 1
        while j < end:
            line = self.lines[j]
            if not line.strip() or line.rstrip() == "+" or lines.DELIMITER.match(line) or lines.TABLE.match(line):
                break
            if line.startswith("//") or (line[0] == "[" and (lines.STYLE.match(line) or lines.ANCHOR.match(line))):
                break
            if line.startswith(("include::", "ifdef::", "ifndef::", "ifeval::", "endif::")):
                break
            if listed and (lines.ITEM.match(line) or lines.term(line)):
                break
            if not listed and self.lines[j - 1].rstrip().endswith(":") and lines.ITEM.match(line):
                break  # no list for Asciidoctor, but meant as one
            j += 1
        return j

    def _list_title(self) -> None:
        if self.style.title:
            self.paragraph([self.style.title])
            self.intro = self.read([self.style.title]).text
        self.style = Style()

    def _item(self, i: int, end: int, match: re.Match[str]) -> int:
        number = match.lastindex or 1
        kind = match[1] if number == 1 else f"#{number}"
        known = [entry.kind for entry in self.lists]
        if self.style.title or (self.style.name and not self.attached and self.loose):
            if not self.attached:
                self.end_lists()
            known = [entry.kind for entry in self.lists]
        self._list_title()
        depth = known.index(kind) if kind in known else len(known)
        skip = match.end()
        if check := lines.CHECK.match(self.lines[i], skip):
            skip = check.end()
        stop = self._text_end(i, end, listed=True)
        if self.attached and kind in known:
            depth = len(known)  # a list that is attached to an item is one of its own
        self.attached = self.loose = False
        self.item(self.spans(i, stop, skip), kind, depth)
        return stop

    def _definition(self, i: int, end: int, match: re.Match[str]) -> int:
        self._list_title()
        self.lists = []
        start = self.starts[i] + match.start(1)
        term = self.read([(start, self.starts[i] + match.end(1))])
        self.term, self.attached, self.loose = term, False, False
        stop = i + 1
        spans: list[Span] = []
        if match.end() < len(self.lines[i].rstrip()):
            stop = self._text_end(i, end, listed=True)
            spans = self.spans(i, stop, match.end())
        else:
            while stop < end and self.blank(stop):
                stop += 1
            line = self.lines[stop] if stop < end else ""
            structural = (
                lines.ITEM.match(line)
                or lines.term(line)
                or lines.DELIMITER.match(line)
                or lines.TABLE.match(line)
                or lines.SECTION.match(line)
            )
            if (
                not line
                or structural
                or line.rstrip() == "+"
                or line[0] in "[.:"
                or line.startswith(("//", "if", "endif", "include"))
            ):
                self.attached = bool(line) and not lines.SECTION.match(line)
                return stop
            begin, stop = stop, self._text_end(stop, end, listed=True)
            spans = self.spans(begin, stop)
        self.definition(term, start, spans)
        return stop

    def _paragraph(self, i: int, end: int, line: str) -> int:
        style = self.style
        if self.loose or style:
            self._leave_list()
        self.attached = self.loose = False
        stop = self._text_end(i, end)
        literal = line[0] in " \t" and not self.lists and not self.term.text
        note = lines.ADMONITION.match(line)
        box = self._box(note[1] if note else "")
        self.style = Style()
        if box:
            self.open.append(box)
            self.show_boxes()
        since = len(self.sink.blocks)
        if style.name in _VERBATIM or literal:
            margin = min(len(text) - len(text.lstrip()) for text in self.lines[i:stop])
            self.code(i, stop, style.language, margin)
        elif style.name not in {"pass", "comment"}:
            quote = style.name in {"quote", "verse"} or line.startswith("> ")
            self.quoted += quote
            if line.startswith(">"):
                spans = [self.line_span(j, 1 if self.lines[j].startswith(">") else 0) for j in range(i, stop)]
                self.paragraph([span for span in spans if span[0] < span[1]])
            else:
                self.paragraph(self.spans(i, stop, note.end() if note else 0))
            self.quoted -= quote
            if quote:
                self.sink.end_quotation(since, self.lines[stop - 1], "", style.cited)
        if box:
            self.open.pop()
            self.show_boxes()
        return stop

    def _footnotes(self) -> None:
        """The texts of footnotes as paragraphs of their own."""
        if "footnote:" not in self.text:
            return
        self.end_lists()
        for block in list(self.sink.blocks):
            if block.kind is not BlockKind.CODE:
                for start, end in footnotes(self.text[block.start : block.end]):
                    self.boxes = [Container(block.container)] if block.container else []
                    self.paragraph([(block.start + start, block.start + end)])
