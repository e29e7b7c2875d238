"""Wiki markup of Confluence (and Jira).

The text of the document is its source; the lines that only open or close a macro are hidden from the reader.
"""

from __future__ import annotations

import re

from auditor.load.decode import decode
from auditor.load.grid import Cell, Row
from auditor.load.markup import Markup, Span
from auditor.load.mediawiki import page_title
from auditor.load.structure import CALLOUTS, Container, Sink, line_map, titled
from auditor.model import BlockKind, Parsed

SUFFIXES = (".confluence", ".jira")

_SIGN = re.compile(
    rb"^(?:h[1-6]\. \S|\|\|[^|\n]+\|\||\{(?:info|note|warning|tip|panel|code|noformat|toc|quote|excerpt|expand)[:}])", re.MULTILINE
)
_FOREIGN = re.compile(rb"^==[^=\n]+==\s*$|\{\{[A-Z]|^\{\|", re.MULTILINE)  # MediaWiki shares the extension
_HEADING = re.compile(r"[ \t]*h([1-6])\.[ \t]+(?=\S)")
_LIST = re.compile(r"[ \t]*([*#-]{1,8})[ \t]+(?=\S)")
_QUOTE = re.compile(r"[ \t]*bq\.[ \t]+(?=\S)")
_RULE = re.compile(r"[ \t]*-{4,}[ \t]*$|[ \t]*-{2,3}[ \t]*$")
_MACRO = re.compile(
    r"\{(info|note|warning|tip|panel|expand|quote|excerpt|section|column|details|code|noformat|toc|children|attachments|pagetree|gallery"
    r"|recently-updated|contentbylabel|include|excerpt-include|livesearch)(?::([^{}\n]{0,500}))?\}"
)
_VERBATIM = frozenset({"code", "noformat"})
_EMPTY = frozenset(
    {
        "toc",
        "children",
        "attachments",
        "pagetree",
        "gallery",
        "recently-updated",
        "contentbylabel",
        "include",
        "excerpt-include",
        "livesearch",
    }
)
_SETTING = re.compile(r"(?:^|\|)\s*(title|language|lang)\s*=\s*([^|]*)")
_LANGUAGE = re.compile(r"[\w+#-]{1,20}$")
_MAX_BOXES, _MAX_CELLS = 50, 500


class ConfluenceWikiLoader:
    """Reads Confluence wiki markup."""

    id = "confluence-wiki"

    def accepts(self, name: str, head: bytes) -> bool:
        """By extension; `.wiki` if the file begins like it."""
        return name.endswith(SUFFIXES) or (name.endswith(".wiki") and _SIGN.search(head) is not None and not _FOREIGN.search(head))

    def load(self, data: bytes, name: str) -> Parsed:
        """Blocks with positions in the source text."""
        text = decode(data)
        scanner = _Scanner(text)
        scanner.document()
        blocks = scanner.sink.sorted()
        title = next((block.text for block in blocks if block.kind is BlockKind.HEADING and block.level == 1), "")
        return Parsed(text, blocks, line_map(text), title or page_title(name), scanner.fields, format="confluence")


class _Scanner(Markup):
    def __init__(self, text: str) -> None:
        super().__init__(text, text, Sink(), "confluence")
        self.open: list[str] = []  # macros with a body, in step with `boxes`
        self.since: list[int] = []  # number of blocks before each

    def document(self) -> None:
        """Add the blocks of the document."""
        position = 0
        pending = 0  # where the text not yet read begins
        closes: dict[str, list[int]] = {}
        while match := _MACRO.search(self.text, position):
            name, settings = match[1], match[2] or ""
            position = match.end()
            if self.text[match.start() - 1 : match.start()] == "\\":
                continue
            self._lines(pending, match.start())
            pending = position
            if name in _VERBATIM:
                if name not in closes:
                    closes[name] = [found.start() for found in re.finditer(r"\{" + name + r"\}", self.text)][::-1]
                ends = closes[name]
                while ends and ends[-1] < position:
                    ends.pop()
                end = ends[-1] if ends else len(self.text)
                self._code(position, end, settings)
                pending = position = min(end + len(name) + 2, len(self.text))
            elif name in self.open and not settings:
                self._close(name)
            elif name not in _EMPTY and len(self.open) < _MAX_BOXES:
                self._begin(name, settings)
        self._lines(pending, len(self.text))

    def _begin(self, name: str, settings: str) -> None:
        title = next((value for key, value in _SETTING.findall(settings) if key == "title"), "")
        if name == "expand" and settings and "=" not in settings:
            title = settings
        self.open.append(name)
        self.since.append(len(self.sink.blocks))
        if name == "quote":
            self.quoted += 1
        self.boxes.append(titled(title, name) if name in CALLOUTS and name != "quote" else Container(title.strip()))

    def _close(self, name: str) -> None:
        while self.open:
            last, since = self.open.pop(), self.since.pop()
            self.boxes.pop()
            if last == "quote":
                self.quoted -= 1
                if len(self.sink.blocks) > since:
                    self.sink.end_quotation(since, self.sink.blocks[-1].text)
            if last == name:
                return

    def _code(self, start: int, end: int, settings: str) -> None:
        language = next((value for key, value in _SETTING.findall(settings) if key != "title"), settings.split("|")[0]).strip()
        self.verbatim(start, end, language.lower() if _LANGUAGE.match(language) else "")

    def _lines(self, start: int, end: int) -> None:
        """Read the text between two macros."""
        if start >= end:
            return
        i, stop = self.line_of(start), self.line_of(end - 1) + 1
        while i < stop:
            first, last = self._part(i, start, end)
            line = self.text[first:last]
            if not line.strip():
                if self.blank(i):
                    self.lists = []
                i += 1
            elif match := _HEADING.match(line):
                self.heading([self.trimmed(first + match.end(), last)], int(match[1]))
                i += 1
            elif _RULE.match(line):
                self.end_lists()
                i += 1
            elif match := _LIST.match(line):
                further = i + 1
                while further < stop and self._continues(self.lines[further]):
                    further += 1
                spans = [self.trimmed(first + match.end(), last)]
                spans += [self.trimmed(*self._part(j, start, end)) for j in range(i + 1, further)]
                self.item([span for span in spans if span[0] < span[1]], match[1][-1], len(match[1]) - 1)
                i = further
            elif line.lstrip().startswith("|") and line.count("|") > 1:
                i = self._table(i, stop, start, end)
            else:
                i = self._paragraph(i, stop, start, end)

    def _part(self, i: int, start: int, end: int) -> Span:
        first = max(self.starts[i], start)
        return first, max(min(self.starts[i] + len(self.lines[i]), end), first)

    def _continues(self, line: str) -> bool:
        stripped = line.strip()
        return bool(stripped) and not (
            _LIST.match(line) or _HEADING.match(line) or _RULE.match(line) or stripped[0] in "|{" or _QUOTE.match(line)
        )

    def _paragraph(self, i: int, stop: int, start: int, end: int) -> int:
        self.lists = []
        first, last = self._part(i, start, end)
        quote = _QUOTE.match(self.text[first:last])
        further = i + 1
        while further < stop and not quote and self._continues(self.lines[further]):
            further += 1
        spans = [self.trimmed(*self._part(j, start, end)) for j in range(i, further)]
        if quote:
            spans[0] = self.trimmed(first + quote.end(), last)
            self.quoted += 1
        since = len(self.sink.blocks)
        self.paragraph([span for span in spans if span[0] < span[1]])
        if quote:
            self.quoted -= 1
            if len(self.sink.blocks) > since:
                self.sink.end_quotation(since, self.sink.blocks[-1].text)
        return further

    def _table(self, i: int, stop: int, start: int, end: int) -> int:
        rows: list[Row] = []
        while i < stop:
            first, last = self._part(i, start, end)
            line = self.text[first:last]
            if not line.lstrip().startswith("|"):
                break
            further = i + 1  # a cell goes on until its bar
            while further < stop and not self.lines[further - 1].rstrip().endswith("|") and self._continues(self.lines[further]):
                further += 1
            line = self.text[first : self._part(further - 1, start, end)[1]]
            cells: list[Cell] = []
            position = len(line) - len(line.lstrip())
            while position < len(line) and len(cells) < _MAX_CELLS:
                head = line.startswith("||", position)
                begin = position + (2 if head else 1)
                position = _cell_end(line, begin)
                if line[begin:position].strip() or position < len(line):
                    spans = [self.trimmed(first + begin + a, first + begin + b) for a, b in _line_spans(line[begin:position])]
                    cells.append(Cell(self.read([span for span in spans if span[0] < span[1]]), head))
            if cells:
                rows.append(Row(cells, *self.trimmed(first, first + len(line))))
            i = further
        self.table(rows)
        return i


def _cell_end(line: str, position: int) -> int:
    """Where a cell ends: at a bar outside of links and macros."""
    depth = 0
    closed = max(line.rfind("]"), line.rfind("}"))
    while position < len(line):
        character = line[position]
        if character == "\\":
            position += 1
        elif character in "[{":
            depth += 1
        elif character in "]}":
            depth -= depth > 0
        elif character == "|" and (not depth or position > closed):
            break
        position += 1
    return min(position, len(line))


def _line_spans(source: str) -> list[Span]:
    spans: list[Span] = []
    position = 0
    for line in source.split("\n"):
        spans.append((position, position + len(line)))
        position += len(line) + 1
    return spans
