"""What the text of a web page becomes, by the elements around it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from auditor.load.grid import Cell, Row, add_table
from auditor.load.html_text import Gathered
from auditor.load.html_tokens import Tag
from auditor.load.structure import Container, Sink, callout, label, lead_in, spoken
from auditor.model import BlockKind
from auditor.text.inline import EMPTY, Inline


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
        self.term: Inline = EMPTY
        self.term_line = 0
        self.gathered = Gathered()
        self.line = 1
        self.pre = 0
        self.kept = self.dropped = 0  # characters of the document, and of the site around it

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
        flags: set[str] = set()
        if level := self._heading_level():
            self.sink.add(BlockKind.HEADING, reading, line, 0, level=level, within=boxes)
            self.intro = ""
            return
        if self.open["blockquote"]:
            if self.fresh_quote and (found := callout(f"**{text}**" if bold else text)):
                boxes = [*boxes, found[0]]
            else:
                flags.add("quote")
            self.fresh_quote = False
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
                flags=flags,
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
            self.sink.add(BlockKind.DEFINITION, both, self.term_line, 0, cells=(self.term.text, text), within=boxes, flags=flags)
        elif self.open["summary"] and boxes:
            self.boxes[-1] = Container(text, self.boxes[-1].flag)
            self.sink.add(BlockKind.PARAGRAPH, reading, line, 0, within=boxes[:-1], flags=flags)
        else:
            above = spoken(current.lead, current.item) if current and label(current.item) else ""
            kind = BlockKind.QUOTE if "quote" in flags else BlockKind.PARAGRAPH
            self.sink.add(kind, reading, line, 0, level=len(self.lists), lead_in=above, within=boxes, flags=flags)
        self.intro = lead_in(text, f"**{text}**" if bold else text)


def first_line(reading: Inline) -> int:
    """The source line on which a reading begins."""
    return reading.anchors[0][1] if reading.anchors else 1
