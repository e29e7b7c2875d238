"""HTML inside Markdown: block tags give the structure, everything between them is read as inline Markdown.

A tag scanner is enough here, since positions in the source have to stay exact and authors mix both languages freely. Whole HTML
documents are read by `auditor.load.html`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection

from auditor.load.grid import Cell, Row, add_table
from auditor.load.md_rows import read_cell
from auditor.load.structure import Container, Sink, lead_in, spoken
from auditor.model import BlockKind
from auditor.text import inline
from auditor.text.inline import Inline

_TAG = re.compile(
    r"<!--|<(?P<close>/?)(?P<name>table|thead|tbody|tfoot|tr|td|th|caption|colgroup|p|div|li|ul|ol|h[1-6]|hr|pre|summary|details|"
    r"blockquote|section|article|aside|header|footer|nav|main|figure|figcaption|dl|dt|dd|center|script|style|svg|del|s)\b"
    r"(?P<attributes>(?:[^<>\"']|\"[^\"]*+\"|'[^']*+')*+)>",
    re.IGNORECASE,
)
_ANY_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_SPAN = re.compile(r"\b(colspan|rowspan)\s*=\s*[\"']?(\d{1,4})", re.IGNORECASE)
_ROW_END = frozenset({"tr", "thead", "tbody", "tfoot", "table"})


_NESTING = re.compile(r"<(/?)(?:div|section|article|ul|ol|li|table|tr|td|main|center)\b", re.IGNORECASE)


def open_elements(source: str, before: int = 0) -> int:
    """How many block elements are open after `source`, given how many were before."""
    for match in _NESTING.finditer(source):
        before = max(before - 1, 0) if match.group(1) else before + 1
    return before


class HtmlRegion:
    """Reads one region of a document. State does not carry over to the next one."""

    def __init__(
        self, text: str, sink: Sink, refs: frozenset[str], within: Collection[Container], flags: Collection[str], caption: str = ""
    ) -> None:
        self.text, self.sink, self.refs = text, sink, refs
        self.within, self.flags = within, frozenset(flags)
        self.caption = caption
        self.previous = ""  # introducing sentence of the paragraph before
        self.lists: list[tuple[int, str]] = []  # group and lead-in of the open lists
        self.heading = self.quotes = self.struck = 0
        self.quoted_since = 0
        self.item = False
        self.term: Inline | None = None
        self.part = ""  # dt, dd, summary

    def read(self, start: int, end: int) -> None:
        """Add the blocks of the span."""
        position = start
        while match := _TAG.search(self.text, position, end):
            self._run(position, match.start())
            position = match.end()
            if match.group() == "<!--":
                close = self.text.find("-->", position, end)
                position = close + 3 if close >= 0 else end
                continue
            name, closing = match["name"].lower(), bool(match["close"])
            if not closing and name == "table":
                position = self._table(match.start(), position, end)
            elif not closing and name in {"script", "style", "svg", "pre"}:
                stop = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(self.text, position, end)
                stop_at = stop.start() if stop else end
                if name == "pre":
                    self._code(position, stop_at)
                position = stop.end() if stop else end
            else:
                self._structure(name, closing)
        self._run(position, end)

    def _structure(self, name: str, closing: bool) -> None:
        if name in {"ul", "ol"}:
            if closing:
                if self.lists:
                    self.lists.pop()
                self.previous = ""
            else:
                outer = self.lists[-1][1] if self.lists else ""
                self.lists.append((self.sink.new_group(), spoken(outer, self.previous or self.caption)))
                self.previous = self.caption = ""
            self.item = False
        elif name == "li":
            self.item = not closing
            self.previous = ""
        elif name[0] == "h" and name[1:].isdigit():
            self.heading = 0 if closing else int(name[1])
        elif name == "blockquote":
            self.quotes = max(self.quotes + (-1 if closing else 1), 0)
            if not closing:
                self.quoted_since = len(self.sink.blocks)
            elif len(self.sink.blocks) > self.quoted_since:
                self.sink.end_quotation(self.quoted_since, self.sink.blocks[-1].text)
        elif name in {"del", "s"}:
            self.struck = max(self.struck + (-1 if closing else 1), 0)
        elif name in {"dt", "dd", "summary", "figcaption"}:
            self.part = "" if closing else name

    def _run(self, start: int, end: int) -> None:
        source = self.text[start:end]
        stripped = source.strip()
        if not stripped:
            return
        start += len(source) - len(source.lstrip())
        end = start + len(stripped)
        reading = inline.read(((stripped, start),), "markdown", refs=self.refs)
        flags = self.flags | ({"struck"} if self.struck else set())
        if self.heading:
            self.sink.add(BlockKind.HEADING, reading, start, end, level=self.heading, within=self.within, flags=flags)
            self.previous = ""
        elif self.part == "dt":
            self.term = reading
        elif self.part == "dd" and self.term:
            both = inline.join((self.term, reading), ": ")
            first = self.term.anchors[0][1] if self.term.anchors else start
            self.sink.add(
                BlockKind.DEFINITION, both, first, end, cells=(self.term.text, reading.text), within=self.within, flags=flags
            )
        elif self.item and self.lists:
            group, lead = self.lists[-1]
            self.sink.add(
                BlockKind.ITEM,
                reading,
                start,
                end,
                level=len(self.lists) - 1,
                lead_in=lead,
                group=group,
                within=self.within,
                flags=flags,
            )
            self.item = False
            self.previous = reading.text
        else:
            kind = BlockKind.QUOTE if self.quotes else BlockKind.PARAGRAPH
            self.sink.add(kind, reading, start, end, within=self.within, flags=flags)
            self.previous = lead_in(reading.text, stripped)

    def _code(self, start: int, end: int) -> None:
        lines: list[str] = []
        anchors: list[tuple[int, int]] = []
        length, position = 0, start
        for line in self.text[start:end].split("\n"):
            clean = html.unescape(_ANY_TAG.sub("", line))
            anchors.append((length, position))
            lines.append(clean)
            length += len(clean) + 1
            position += len(line) + 1
        self.sink.add(
            BlockKind.CODE, Inline("\n".join(lines).rstrip(), tuple(anchors)), start, end, within=self.within, flags=self.flags
        )
        self.previous = ""

    def _table(self, start: int, position: int, end: int) -> int:
        """Read a table element; nested tables are part of their cell. Returns where it ends."""
        rows: list[Row] = []
        cells: list[Cell] = []
        caption = self.previous or self.caption
        row_start = cell_start = -1
        cell_tag: re.Match[str] | None = None
        depth, head, in_caption = 1, False, -1

        def close_cell(at: int) -> None:
            nonlocal cell_tag
            if cell_tag is None:
                return
            spans = {name.lower(): int(number) for name, number in _SPAN.findall(cell_tag["attributes"])}
            reading = read_cell(self.text[cell_start:at], cell_start, self.refs)
            cells.append(Cell(reading, cell_tag["name"].lower() == "th", spans.get("colspan", 1), spans.get("rowspan", 1)))
            cell_tag = None

        def close_row(at: int) -> None:
            nonlocal cells, row_start
            close_cell(at)
            if cells:
                rows.append(Row(cells, row_start, at, head))
            cells, row_start = [], -1

        while depth and (match := _TAG.search(self.text, position, end)):
            position = match.end()
            if match.group() == "<!--":
                close = self.text.find("-->", position, end)
                position = close + 3 if close >= 0 else end
                continue
            name, closing = match["name"].lower(), bool(match["close"])
            if name == "table":
                depth += -1 if closing else 1
            if depth > 1:
                continue
            if name in {"td", "th"}:
                close_cell(match.start())
                if not closing:
                    row_start = match.start() if row_start < 0 else row_start
                    cell_tag, cell_start = match, match.end()
            elif name in _ROW_END:
                close_row(match.end() if closing and name == "tr" else match.start())
                if name == "tr" and not closing:
                    row_start = match.start()
                elif name == "thead":
                    head = not closing
            elif name == "caption":
                if closing and in_caption >= 0:
                    caption = inline.read(((self.text[in_caption : match.start()], in_caption),), "markdown").text
                in_caption = match.end()
        if depth:
            close_row(end)
            position = end
        add_table(self.sink, rows, caption=caption, within=self.within, flags=self.flags)
        self.previous = ""
        return position
