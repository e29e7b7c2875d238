"""Slides to blocks: title, then what stands on the slide from top to bottom and from left to right, then the speaker's notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from auditor.load.cell_header import header_rows
from auditor.load.cell_regions import GridCell, Region
from auditor.load.grid import Cell, Row, add_table
from auditor.load.structure import Container, label, spoken
from auditor.load.structure import lead_in as introduction
from auditor.load.text_sink import TextSink
from auditor.model import BlockKind, Parsed
from auditor.text.inline import Inline

MAX_SLIDES = 3000
MAX_SHAPES = 4000
"""Shapes of one slide."""
_BAND = 0.04  # of the height of a slide: shapes that begin so close together stand side by side
_TOP = 0.3  # of the height: where a slide without a title has what serves as one
_TITLE_LENGTH = 90
_NOTES = (Container("Notes"),)


@dataclass(frozen=True, slots=True)
class Line:
    """A paragraph on a slide; `item` is its depth in a list, None outside of lists."""

    text: str
    item: int | None = None


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a table on a slide."""

    text: str
    columns: int = 1
    rows: int = 1


@dataclass(slots=True)
class Shape:
    """Text or a table with its place on the slide, in any unit."""

    x: float = 0
    y: float = 0
    lines: Sequence[Line] = ()
    table: Sequence[Sequence[TableCell]] = ()
    head: bool = False  # the first row of the table is its header
    caption: str = ""


@dataclass(slots=True)
class Slide:
    """One slide. `number` is the one that users count."""

    number: int
    title: str = ""
    opening: bool = False  # a title slide
    shapes: list[Shape] = field(default_factory=list)
    notes: Sequence[Line] = ()


@dataclass(slots=True)
class Deck:
    """A presentation; `height` is that of a slide."""

    height: float = 1
    slides: list[Slide] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)

    def parsed(self, form: str) -> Parsed:
        """The document."""
        writer = _Writer(self.height)
        for slide in self.slides:
            writer.slide(slide)
        notices = list(self.notices)
        if self.hidden:
            shown = ", ".join(map(str, self.hidden[:20])) + (" and more" if len(self.hidden) > 20 else "")
            notices.insert(0, f"hidden slides were left out: {shown}")
        sink = writer.sink
        places = tuple((offset, f"slide={number}") for offset, number in sink.line_map)
        title = self.fields.get("title", "")
        if title.lower() in {"powerpoint presentation", "presentation", "präsentation", "untitled", "slide 1"} or writer.title:
            title = writer.title
        fields = {name: value for name, value in self.fields.items() if name != "title"} | ({"title": title} if title else {})
        return Parsed(sink.text, tuple(sink.blocks), (), title, fields, form, places if sink.blocks else (), tuple(notices))


@dataclass(slots=True)
class _Open:
    """A list that is being written."""

    depth: int
    group: int
    lead: str
    item: str = ""


class _Writer:
    def __init__(self, height: float) -> None:
        self.sink = TextSink()
        self.height = height or 1
        self.title = ""  # of the title slide
        self._intro = ""
        self._lists: list[_Open] = []

    def slide(self, slide: Slide) -> None:
        shapes = self._ordered(slide.shapes)
        title = fold(slide.title)
        if not title:
            title, shapes = self._title_of(shapes)
        if not (title or slide.notes or any(shape.table or any(line.text.strip() for line in shape.lines) for shape in shapes)):
            return  # a picture
        level = 1 if slide.opening else 2
        if slide.opening and not self.title:
            self.title = title
        self._heading(title or f"Slide {slide.number}", slide.number, level)
        for shape in shapes:
            self._intro_end()
            if shape.table:
                self._table(shape, slide.number)
            for line in shape.lines:
                self._line(line, slide.number, ())
        self._intro_end()
        for line in slide.notes:
            self._line(line, slide.number, _NOTES)
        self._intro_end()

    def _ordered(self, shapes: Sequence[Shape]) -> list[Shape]:
        ordered: list[Shape] = []
        band: list[Shape] = []
        for shape in sorted(shapes, key=lambda shape: shape.y):
            if band and shape.y - band[0].y > _BAND * self.height:
                ordered += sorted(band, key=lambda shape: shape.x)
                band = []
            band.append(shape)
        return ordered + sorted(band, key=lambda shape: shape.x)

    def _title_of(self, shapes: list[Shape]) -> tuple[str, list[Shape]]:
        """A short line near the top of a slide without a title, and the other shapes."""
        for i, shape in enumerate(shapes):
            lines = [line for line in shape.lines if line.text.strip()]
            if shape.table or shape.y > _TOP * self.height:
                break
            if len(lines) == 1 and lines[0].item is None and len(lines[0].text) <= _TITLE_LENGTH and label(fold(lines[0].text)):
                return fold(lines[0].text).rstrip(":"), [*shapes[:i], *shapes[i + 1 :]]
        return "", shapes

    def _heading(self, text: str, number: int, level: int) -> None:
        self._intro_end()
        self.sink.add(BlockKind.HEADING, Inline(text, ((0, number),)), number, level=level)

    def _intro_end(self) -> None:
        self._intro, self._lists = "", []

    def _line(self, line: Line, number: int, within: Sequence[Container]) -> None:
        text = fold(line.text)
        if not text:
            return
        inline = Inline(text, ((0, number),))
        if line.item is None:
            self._lists = []
            self.sink.add(BlockKind.PARAGRAPH, inline, number, within=within)
            self._intro = introduction(text, text)
            return
        while self._lists and self._lists[-1].depth > line.item:
            self._lists.pop()
        if not self._lists or self._lists[-1].depth < line.item:
            outer = self._lists[-1] if self._lists else None
            above = spoken(outer.lead, outer.item) if outer and label(outer.item) else ""
            self._lists.append(_Open(line.item, self.sink.new_group(), above if outer else self._intro))
        current = self._lists[-1]
        current.item = text
        depth = len(self._lists) - 1
        self.sink.add(BlockKind.ITEM, inline, number, within=within, level=depth, lead_in=current.lead, group=current.group)

    def _table(self, shape: Shape, number: int) -> None:
        rows = []
        heads = int(shape.head) or self._guessed_heads(shape, number)
        for i, cells in enumerate(shape.table):
            out = tuple(Cell(_cell(cell.text, number), colspan=cell.columns, rowspan=cell.rows) for cell in cells)
            rows.append(Row(out, number, number, head=i < heads < len(shape.table)))
        add_table(self.sink, rows, caption=shape.caption, guess_head=False)

    def _guessed_heads(self, shape: Shape, number: int) -> int:
        """How many first rows look like a header, in a table that does not say so."""
        grid = {
            i: {j: GridCell(_cell(cell.text, number)) for j, cell in enumerate(cells) if cell.text.strip()}
            for i, cells in enumerate(shape.table)
        }
        merged = any(cell.columns > 1 or cell.rows > 1 for cells in shape.table for cell in cells)
        rows = [i for i, cells in grid.items() if cells]
        if merged or len(rows) < 2 or rows[0] != 0:
            return 0
        return header_rows(Region(grid, rows, 0, max(max(cells) for cells in grid.values() if cells)), (), (), False)


def _cell(text: str, number: int) -> Inline:
    return Inline(fold(text), ((0, number),))


def fold(text: str) -> str:
    """Text with single blanks."""
    return " ".join(text.split())
