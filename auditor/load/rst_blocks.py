"""Block structure of reStructuredText: a scanner that goes down the indentation."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from auditor.load import rst_tables, rst_words
from auditor.load.grid import add_table
from auditor.load.rst_directives import Directive, directive
from auditor.load.rst_source import Context, Entry, Lines, Term
from auditor.load.structure import Container, lead_in, spoken
from auditor.model import BlockKind
from auditor.text import inline
from auditor.text.inline import Inline

_RULE = re.compile(r"([!-/:-@\[-`{-~])\1*\s*$")
_BULLET = re.compile(r"[-*+•‣⁃](?:\s+|$)")
_ENUMERATED = re.compile(
    r"(?:\(?(?:\d{1,4}|[a-zA-Z]|[ivxlcdmIVXLCDM]{1,6}|#)\)|(?:\d{1,4}|[a-zA-Z]|[ivxlcdmIVXLCDM]{1,6}|#)\.)(?:\s+|$)"
)
_FIELD = re.compile(r":(?![:\s`])((?:[^:\\\n]|\\.|:(?!\s|$|`)){1,80}):(?:\s+|$)")
_OPTION = re.compile(
    r"((?:--?[\w][\w-]*(?:[ =]<?[\w.-]+>?)?|/[A-Z])(?:, (?:--?[\w][\w-]*(?:[ =]<?[\w.-]+>?)?))*)(?:\s{2,}(\S.*)|\s*$)"
)
_EXPLICIT = re.compile(r"\.\.(?:\s+|$)")
_FOOTNOTE = re.compile(r"\.\.\s+\[(?:\d+|#[\w.-]*|\*|[A-Za-z][\w.-]*)\](?:\s+|$)")
_DIRECTIVE = re.compile(r"\.\.\s+(?:\|[^|\n]+\|\s+)?([A-Za-z][\w.+-]*(?::[A-Za-z][\w.+-]*)*)\s*::(?:\s+(.*))?$")
_TIGHT = re.compile(r"\.\.\s+([A-Za-z][\w-]*)::(\S.*)$")
_MAX_DEPTH = 50


@dataclass(slots=True)
class _State:
    """What carries over from one block to the next on the same level."""

    intro: str = ""
    literal: bool = False  # the paragraph before ended with "::"
    groups: dict[str, Entry] = field(default_factory=dict)


class Scanner(Lines):
    """Reads one document."""

    def read(self) -> None:
        """Add the blocks of the document."""
        self.parse(0, len(self.lines), 0, Context())

    def parse(self, begin: int, end: int, indent: int, context: Context, intro: str = "") -> None:
        """Add the blocks of the lines from `begin` to `end`, which are indented by `indent`."""
        state = _State(intro)
        i = begin
        while i < end:
            if not self.work[i]:
                i += 1
            elif context.level > _MAX_DEPTH:
                i = self._paragraph(i, end, context, state)
            elif self.indent(i) > indent:
                i = self._indented(i, end, indent, context, state)
            else:
                i = self._block(i, end, indent, context, state)

    def _indented(self, i: int, end: int, indent: int, context: Context, state: _State) -> int:
        stop = self.block_end(i, end, indent)
        if state.literal:
            state.literal = False
            self.code(i, stop, "", context)
            state.intro = ""
            return stop
        last = self.work[stop - 1].strip()
        quoted = last.startswith(("-- ", "--- ", "— ")) and stop - i > 1
        # Many authors indent for looks. Only an attribution makes it a quotation.
        self.parse(i, stop, self.body_indent(i, stop), context.inside(flag="quote" if quoted else ""), state.intro)
        state.intro = ""
        return stop

    def _block(self, i: int, end: int, indent: int, context: Context, state: _State) -> int:
        line = self.work[i][indent:]
        state.literal = False
        if taken := self._title(i, end, indent, context, state):
            return taken
        if line.startswith("..") and _EXPLICIT.match(line):
            return self._explicit(i, end, indent, line, context, state)
        if line.startswith("__ "):
            return i + 1
        if line.startswith(">>>"):
            stop = self._until_blank(i, end)
            self.code(i, stop, "python", context)
            state.intro = ""
            return stop
        if rst_tables.GRID.match(line) or rst_tables.SIMPLE.match(line):
            return self._table(i, end, indent, context, state)
        if line.startswith("| ") or line == "|":
            stop = self._until_blank(i, end)
            for j in range(i, stop):
                self.work[j] = self.work[j].replace("|", " ", 1) if self.work[j].lstrip().startswith("|") else self.work[j]
            self._paragraph(i, stop, context, state)
            return stop
        if line.startswith(":") and (match := _FIELD.match(line)):
            return self._field(i, end, indent, match, context, state)
        marker = _BULLET.match(line) or _ENUMERATED.match(line)
        if marker and (marker.end() < len(line) or self._has_body(i, end, indent)):
            return self._item(i, end, indent, marker.group(), context, state)
        if line.startswith(("-", "/")) and (option := _OPTION.match(line)) and (option[2] or self._has_body(i, end, indent)):
            return self._definition(i, end, indent, option, context, state)
        if self._has_body(i, end, indent) and not line.endswith("::"):
            return self._definition(i, end, indent, None, context, state)
        return self._paragraph(i, end, context, state)

    def _has_body(self, i: int, end: int, indent: int) -> bool:
        return i + 1 < end and bool(self.work[i + 1]) and self.indent(i + 1) > indent

    def _until_blank(self, i: int, end: int) -> int:
        while i < end and self.work[i]:
            i += 1
        return i

    def _title(self, i: int, end: int, indent: int, context: Context, state: _State) -> int:
        """A section title, under- or overlined, or a transition. Returns the line after it, 0 if there is none."""
        line = self.work[i]
        rule = _RULE.match(line[indent:])
        if rule and len(line[indent:]) >= 3:
            if i + 2 < end and self.work[i + 1] and self.work[i + 2] and self.work[i + 2][indent : indent + 1] == rule[1]:
                below = _RULE.match(self.work[i + 2][indent:])
                if below and not _RULE.match(self.work[i + 1].strip()):
                    self._heading(i + 1, rule[1] * 2, context, state)
                    return i + 3
            if (i + 1 >= end or not self.work[i + 1]) and len(line[indent:]) >= 4 and len(set(line[indent:])) == 1:
                state.intro = ""
                return i + 1
            return 0
        if i + 1 < end and self.indent(i + 1) == indent and (below := _RULE.match(self.work[i + 1][indent:])):
            length = len(self.work[i + 1]) - indent
            if length >= min(len(line) - indent, 3) and not (length < 3 and below[1] in "-*+."):
                self._heading(i, below[1], context, state)
                return i + 2
        return 0

    def _heading(self, i: int, style: str, context: Context, state: _State) -> None:
        if style not in self.styles:
            self.styles.append(style)
        reading, start, end = self.reading(i, i + 1)
        level = min(self.styles.index(style) + 1, 6)
        self.sink.add(BlockKind.HEADING, reading, start, end, level=level, within=context.boxes, flags=context.flags)
        state.intro, state.groups = "", {}

    def _explicit(self, i: int, end: int, indent: int, line: str, context: Context, state: _State) -> int:
        if line == ".." and i + 1 < end and not self.work[i + 1]:
            return i + 1  # an empty comment, which only ends what stands before it
        stop = self.block_end(i, end, indent)
        match = _DIRECTIVE.match(line)
        if not match and (typo := _TIGHT.match(line)) and typo[1].lower() in rst_words.CODE | rst_words.CALLOUT:
            match = typo  # a comment to docutils; nobody means that
        if match:
            self.body = True
            block = Directive(match[1].lower(), (match[2] or "").strip(), i, stop)
            if "|" not in line.split("::")[0]:
                state.intro = directive(self, block, context, state.intro)
        elif note := _FOOTNOTE.match(line):
            self._strip(i, stop, indent, note.end())
            self.parse(i, stop, self.body_indent(i, stop), context.inside())
            state.intro = ""
        return stop  # targets and comments vanish

    def _strip(self, i: int, stop: int, indent: int, width: int) -> int:
        """Take a marker out of line `i` so that its content lines up with the lines below. Returns their indentation."""
        body = self.body_indent(i + 1, stop) if stop > i + 1 else 0
        body = body if body > indent else indent + width
        content = self.work[i][indent + width :].strip()
        self.work[i] = " " * body + content if content else ""
        return body

    def _table(self, i: int, end: int, indent: int, context: Context, state: _State) -> int:
        if self.work[i][indent] == "+":
            stop = i
            while stop < end and self.work[stop][indent : indent + 1] in {"+", "|"}:
                stop += 1
        else:  # a simple table ends with the rule that is followed by a blank line
            stop, rules = i + 1, 1
            while stop < end:
                if rst_tables.SIMPLE.match(self.work[stop][indent:]):
                    rules += 1
                    if rules > 1 and (stop + 1 >= end or not self.work[stop + 1]):
                        stop += 1
                        break
                elif self.work[stop] and self.indent(stop) < indent:
                    break
                stop += 1
        self.body = True
        rows = rst_tables.drawn(self.source, i, stop)
        if not rows:
            return self._paragraph(i, max(self._until_blank(i, end), i + 1), context, state)
        add_table(self.sink, rows, caption=state.intro, within=context.boxes, flags=context.flags, guess_head=False)
        state.intro = ""
        return stop

    def _field(self, i: int, end: int, indent: int, match: re.Match[str], context: Context, state: _State) -> int:
        stop = self.block_end(i, end, indent)
        name = match[1].replace("\\", "")
        start = self.starts[i] + self.lines[i].find(":" + match[1]) + 1
        bare = not self.work[i][indent + match.end() :].strip()
        body = self._strip(i, stop, indent, match.end())
        first = i
        while first < stop and not self.work[first]:
            first += 1
        para = self._until_blank(first, stop)
        reading, _, finish = self.reading(first, para)
        if reading.text and not (bare and (_BULLET.match(self.work[first].lstrip()) or _EXPLICIT.match(self.work[first].lstrip()))):
            both = inline.join((Inline(name, ((0, start),)), reading), ": ")
            self.sink.add(
                BlockKind.FIELD, both, start, finish, cells=(name, reading.text), within=context.boxes, flags=context.flags
            )
            if not self.body and indent == 0:
                self.fields.setdefault(name.lower(), reading.text)
        else:
            para = first
        self.parse(para, stop, body, context.inside(Container(name)))
        state.intro = ""
        return stop

    def _item(self, i: int, end: int, indent: int, marker: str, context: Context, state: _State) -> int:
        self.body = True
        stop = self.block_end(i, end, indent)
        kind = marker.strip() if len(marker.strip()) == 1 and not marker.strip().isalnum() else "#"
        entry = state.groups.get(kind)
        if entry is None or state.intro:
            outer = context.entry
            lead = (
                spoken(outer.lead, outer.text, state.intro)
                if outer
                else spoken(context.term.reading.text if context.term else "", state.intro)
            )
            entry = Entry(self.sink.new_group(), lead)
            state.groups = {kind: entry}
        entry.text, entry.fresh = "", True
        body = self._strip(i, stop, indent, len(marker))
        stop = self._lazy(stop, end, indent, body)
        self.parse(i, stop, body, replace(context.inside(), entry=entry, depth=context.depth + 1))
        state.intro = ""
        return stop

    def _lazy(self, stop: int, end: int, indent: int, body: int) -> int:
        """Lines right below an item that ought to be indented: they are meant to go on with it. Returns where the item ends."""
        first = stop
        while stop < end and self.work[stop] and self.indent(stop) == indent:
            line = self.work[stop][indent:]
            if (
                _EXPLICIT.match(line)
                or _BULLET.match(line)
                or _ENUMERATED.match(line)
                or (stop + 1 < end and _RULE.match(self.work[stop + 1].strip()))
            ):
                break
            stop += 1
        for j in range(first, stop):
            self.work[j] = " " * body + self.work[j].lstrip()
        return stop

    def _definition(self, i: int, end: int, indent: int, option: re.Match[str] | None, context: Context, state: _State) -> int:
        self.body = True
        stop = self.block_end(i, end, indent)
        if option and option[2]:
            at = self.starts[i] + self.lines[i].find(option[1])
            term = Term(Inline(option[1], ((0, at),)), at)
            body = self._strip(i, stop, indent, option.start(2))
            self.parse(i, stop, body, context.inside(term=term))
        else:
            reading, start, finish = self.reading(i, i + 1)
            term = Term(reading, start)
            self.parse(i + 1, stop, self.body_indent(i + 1, stop), context.inside(term=term))
            if term.fresh:  # no paragraph followed: the line introduced a list or a table
                self.paragraph(reading, start, finish, context)
        state.intro, state.groups = "", {}
        return stop

    def _paragraph(self, i: int, end: int, context: Context, state: _State) -> int:
        self.body = True
        stop = i + 1
        indent = self.indent(i)
        while stop < end and self.work[stop]:
            line = self.work[stop].lstrip()
            if self.indent(stop) <= indent and (
                _DIRECTIVE.match(line) or (self.work[stop - 1].endswith(":") and _BULLET.match(line))
            ):
                break
            if self.indent(stop) < indent and context.level <= _MAX_DEPTH:
                break
            stop += 1
        reading, start, finish = self.reading(i, stop)
        if self.work[stop - 1].endswith("::"):
            state.literal = True
            text = reading.text[:-1] if not reading.text.endswith(" ::") else reading.text[:-3]
            reading = Inline(text if text != ":" else "", reading.anchors, reading.struck)
        self.paragraph(reading, start, finish, context)
        state.groups = {}
        if reading.text:
            state.intro = lead_in(reading.text, self.text[start:finish])
        return stop
