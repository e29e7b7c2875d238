"""What the text of a web page becomes, by the elements around it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from auditor.load.grid import Cell, Row, add_table
from auditor.load.html_text import Gathered
from auditor.load.html_tokens import Tag
from auditor.load.structure import Container, Sink, callout, label, lead_in, spoken, whole
from auditor.model import BlockKind
from auditor.text.inline import EMPTY, Inline

TABLE_PARTS = frozenset({"table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption", "colgroup"})
"""Elements that make up tables."""


@dataclass(slots=True)
class List:
    """An open list."""

    group: int
    lead: str
    item: str = ""
    fresh: bool = False


@dataclass(slots=True)
class Table:
    """An open table."""

    caption: str
    rows: list[Row]
    cells: list[Cell]
    line: int = 0
    head: bool = False
    image: str = ""  # alternative text of an image in the cell
    cell: Tag | None = None
    depth: int = 0  # cells open when `cell` was opened: those of tables around and in it


class Blocks:
    """Adds blocks to a sink; knows the open lists, tables and boxes."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.open: Counter[str] = Counter()  # how many elements of each name are open
        self.lang = self.intro = ""
        self.lists: list[List] = []
        self.tables: list[Table] = []
        self.boxes: list[Container] = []
        self.fresh_quote = self.fresh_definition = False
        self.quote_box: Container | None = None
        self.quote_since = 0
        self.quote_intro = ""
        self.term: Inline = EMPTY
        self.term_line = 0
        self.gathered = Gathered()
        self.line = 1
        self.pre = 0
        self.kept = self.dropped = 0  # characters of the document, and of the site around it

    def _table_part(self, tag: Tag) -> None:
        table = self.tables[-1]
        if table.cell is not None:
            return  # a table in a cell is part of its text
        if tag.name == "thead":
            table.head = True
        elif tag.name == "tr":
            table.cells, table.line = [], self.line
        elif tag.name in {"td", "th"}:
            table.cell, table.depth = tag, self._cells()
            table.line = table.line or self.line

    def _table_end(self, name: str) -> None:
        table = self.tables[-1]
        if name in {"td", "th"} and table.cell is not None and self._cells() < table.depth:
            reading, _ = self.gathered.take()
            if not reading.text and table.image:  # a logo or check mark that stands alone says what it shows
                reading = Inline(" ".join(table.image.split()), ((0, self.line),))
            table.image = ""
            spans = [table.cell.attributes.get(key, "1") for key in ("colspan", "rowspan")]
            colspan, rowspan = (whole(span) if len(span) < 5 else 1 for span in spans)
            table.cells.append(Cell(reading, table.cell.name == "th", max(colspan, 1), max(rowspan, 1)))
            self.kept += len(reading.text)
            table.cell = None
        elif table.cell is not None:
            return
        elif name == "tr":
            if table.cells:
                table.rows.append(Row(table.cells, table.line, table.line, table.head))
            table.cells, table.line = [], 0
        elif name == "thead":
            table.head = False
        elif name == "table":
            if table.cells:
                table.rows.append(Row(table.cells, table.line, table.line, table.head))
            self.tables.pop()
            add_table(self.sink, table.rows, caption=table.caption, within=self.boxes)
            self.intro = ""

    def _cells(self) -> int:
        return self.open["td"] + self.open["th"]

    def _dissolve(self) -> None:
        """What looked like a table of data is page layout: a heading or a table stands in one of its cells."""
        table = self.tables.pop()
        rows = [*table.rows, Row(table.cells, table.line, table.line)] if table.cells else table.rows
        add_table(self.sink, rows, caption=table.caption, within=self.boxes)
        self._flush()

    def _box_title(self) -> None:
        reading, _ = self.gathered.take()
        if self.boxes and reading.text:
            self.boxes[-1] = Container(reading.text.rstrip(":"), self.boxes[-1].flag)

    def _boundary(self) -> None:
        """A block element begins or ends."""
        if self.tables and self.tables[-1].cell is not None:
            self.gathered.space(self.line)
        elif self.pre:
            if self.gathered.last_character() not in {"", "\n"}:
                self.gathered.add("\n", self.line, False, True)
        else:
            self._flush()

    def _code(self) -> None:
        if self.tables and self.tables[-1].cell is not None:
            return
        code = self.gathered.take_verbatim()
        self.kept += len(code.text)
        self.sink.add(BlockKind.CODE, code, first_line(code), 0, within=self.boxes, lang=self.lang)
        if self.lists:
            self.lists[-1].fresh = False
        self.intro = ""

    def _flush(self) -> None:
        """Make a block of what was gathered, by the elements around it."""
        reading, bold = self.gathered.take()
        text = reading.text.removesuffix("¶").rstrip()
        if not text:
            return
        reading = Inline(text, reading.anchors, reading.struck)
        line = first_line(reading)
        if self.tables and self.open["caption"]:
            self.tables[-1].caption = text
            return
        if (
            self.open["header"]
            and not (self.open["main"] or self.open["article"])
            and not self._heading_level()
            and not self.open["p"]
        ):
            self.dropped += len(text)
            return
        self.kept += len(text)
        self._block(reading, line, bold)

    def _heading_level(self) -> int:
        return next((n for n in range(1, 7) if self.open[f"h{n}"]), 0)

    def _block(self, reading: Inline, line: int, bold: bool) -> None:
        text = reading.text
        boxes = self.boxes
        if level := self._heading_level():
            self.sink.add(BlockKind.HEADING, reading, line, 0, level=level, within=boxes)
            self.intro = ""
            return
        if self.open["blockquote"]:
            if self.fresh_quote and (found := callout(f"**{text}**" if bold else text)):
                self.quote_box = found[0]
            self.fresh_quote = False
            boxes = [*boxes, self.quote_box] if self.quote_box else boxes
        current = self.lists[-1] if self.lists else None
        if current and current.fresh:
            current.fresh, current.item = False, text
            self.sink.add(
                BlockKind.ITEM,
                reading,
                line,
                0,
                level=len(self.lists) - 1,
                lead_in=current.lead,
                group=current.group,
                within=boxes,
            )
            self.intro = ""
            return
        if self.open["dt"]:
            self.term, self.term_line = reading, line
            return
        if self.open["dd"] and self.term.text and self.fresh_definition:
            self.fresh_definition = False
            both = Inline(
                f"{self.term.text}: {text}",
                ((0, self.term_line), *((len(self.term.text) + 2 + at, n) for at, n in reading.anchors)),
            )
            self.sink.add(BlockKind.DEFINITION, both, self.term_line, 0, cells=(self.term.text, text), within=boxes)
        elif self.open["summary"] and boxes:
            self.boxes[-1] = Container(text, self.boxes[-1].flag)
            self.sink.add(BlockKind.PARAGRAPH, reading, line, 0, within=boxes[:-1])
        else:
            above = spoken(current.lead, current.item) if current and label(current.item) else ""
            kind = BlockKind.QUOTE if self.open["blockquote"] and boxes is self.boxes else BlockKind.PARAGRAPH
            self.sink.add(kind, reading, line, 0, level=len(self.lists), lead_in=above, within=boxes)
        self.intro = lead_in(text, f"**{text}**" if bold else text)


def first_line(reading: Inline) -> int:
    """The source line on which a reading begins."""
    return reading.anchors[0][1] if reading.anchors else 1
