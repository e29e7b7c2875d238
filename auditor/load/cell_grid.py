"""Cells on a grid to blocks: where the tables are, which rows are their headers, and what stands around them.

A grid holds several tables, set apart by blank rows and columns. Above a table stand its title and notes, above its body one or
two header rows, in its body section titles, below it notes. A grid of one column is prose.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from auditor.load.cell_header import header_rows, is_label, is_sentence, is_value
from auditor.load.cell_regions import BULLET, GridCell, Region, regions
from auditor.load.cell_rows import META, TOTAL, Spans, continues_key, leading_pairs, notes_below, section_rows, spans_of
from auditor.load.grid import Cell, Row, add_table
from auditor.load.structure import lead_in as introduction
from auditor.load.text_sink import TextSink
from auditor.load.workbook import Merge
from auditor.model import BlockKind
from auditor.text.inline import EMPTY, Inline

MAX_PADDING = 1_000_000
"""Empty cells between filled ones that are written, of one document."""

_PAIR = re.compile(r"([^\W\d_][^:|\n]{1,40}?)\s*:\s+(\S.*)", re.DOTALL)


@dataclass(slots=True)
class Grid:
    """Filled cells by row and column, merged cells, and header rows that the file declares."""

    rows: Mapping[int, Mapping[int, GridCell]]
    merges: Sequence[Merge] = ()
    headers: Sequence[Merge] = ()
    first_row_is_header: bool = False  # of a file that is one table


@dataclass(slots=True)
class Writer:
    """Writes grids to a sink. `number` gives the sink's number of a cell by row and column."""

    sink: TextSink
    number: Callable[[int, int], int]
    level: int = 1  # of the titles of tables
    padding: int = field(default_factory=lambda: MAX_PADDING)
    fields: dict[str, str] = field(default_factory=dict)
    title: str = ""  # the first title line
    cut: bool = False
    _last: _Written | None = None
    _lead_in: str = ""
    _table_seen: bool = False

    def write(self, grid: Grid) -> None:
        """Add the blocks of a grid."""
        self._last, self._lead_in, self._table_seen = None, "", False
        spans = spans_of(grid.rows, grid.merges)
        found = regions(grid.rows, grid.merges)
        for i, region in enumerate(found):
            if self.padding <= 0:
                self.cut = True
                return
            below = found[i + 1] if i + 1 < len(found) else None
            if region.width == 1:
                self._prose(region, below is not None and not grid.first_row_is_header)
            else:
                self._region(region, grid, spans)

    # -- text -----------------------------------------------------------------------------------------------------------------

    def _prose(self, region: Region, more: bool) -> None:
        """A column of text. `more` says that something stands below, which a short first line is then the title of."""
        cells = [next(iter(region.cells(row).items())) for row in region.rows]
        group = 0
        for i, (column, cell) in enumerate(cells):
            followed = more if i == len(cells) - 1 else is_sentence(cells[i + 1][1].text) or i == 0
            group = self._line(cell, self.number(region.rows[i], column), followed, group)

    def _line(self, cell: GridCell, place: int, title: bool, group: int = 0, note: bool = False) -> int:
        """One cell of text: a field, a title, an item or paragraphs. Returns the number of the list that it belongs to."""
        if len(cell.lines) > 1:
            for line in cell.lines:
                group = self._line(GridCell(line, cell.bold), place, False, group)
            return group
        text = cell.text
        pair = _PAIR.fullmatch(text)
        if pair and META.fullmatch(pair[1].strip()) and len(text) < 200:
            self._field(pair[1].strip(), pair[2].strip(), cell.inline, place)
            return 0
        bullet = None if note else BULLET.match(text)
        if bullet:
            group = group or self.sink.new_group()
            item = _after(cell.inline, bullet.end())
            self.sink.add(BlockKind.ITEM, item, place, lead_in=self._lead_in, group=group)
            return group
        label = is_label(text) and not is_value(text)
        if label and not note and (cell.bold or title) and not text.endswith((":", "：")):
            self.title = self.title or text
            self.sink.add(BlockKind.HEADING, cell.inline, place, level=min(self.level, 6))
            self._lead_in = ""
            self._last = None
            return 0
        self.sink.add(BlockKind.PARAGRAPH, cell.inline, place)
        self._lead_in = introduction(text, text)
        return 0

    def _field(self, name: str, value: str, inline: Inline, place: int) -> None:
        name = name.rstrip(": ")
        self.sink.add(BlockKind.FIELD, inline, place, cells=(name, value))
        self.fields.setdefault(" ".join(name.lower().split()), value[:300])

    # -- tables ---------------------------------------------------------------------------------------------------------------

    def _region(self, region: Region, grid: Grid, spans: Spans) -> None:
        region = self._above(region, grid, spans)
        if not region.rows:
            return
        if region.width == 1:
            self._prose(region, False)
            return
        region, below = notes_below(region)
        if region.rows:
            self._table(region, grid, spans)
        for row in below:
            column, cell = next(iter(region.cells(row).items()))
            self._line(cell, self.number(row, column), False, note=True)

    def _above(self, region: Region, grid: Grid, spans: Spans) -> Region:
        """Take title lines, notes and "Owner | legal" off the top."""
        first = 0
        pairs = leading_pairs(region) if not self._table_seen and not grid.first_row_is_header else 0
        declared = {merge.top for merge in grid.headers}
        while first < len(region.rows):
            row = region.rows[first]
            cells = region.cells(row)
            (column, cell), *others = sorted(cells.items())
            rest = len(region.rows) - first - 1
            if row in declared or grid.first_row_is_header:
                break
            if not others and rest and self._is_section(region, first, grid, spans):
                break
            if not others and rest and (column == region.left or (row, column) in spans.wide):
                self._line(cell, self.number(row, column), True)
            elif pairs and len(others) == 1 and (first < pairs or META.fullmatch(cell.text.rstrip(": "))):
                value = others[0][1]
                name = cell.text.rstrip(": ")
                self._field(name, value.text, _pair(name, cell, value), self.number(row, column))
            else:
                break
            first += 1
        return region.below(first)

    def _is_section(self, region: Region, first: int, grid: Grid, spans: Spans) -> bool:
        """Whether a line above rows without a header is a section title of the table above the gap."""
        if not (self._last and self._last.continues(region)) or not is_label(region.cells(region.rows[first])[region.left].text):
            return False
        return not header_rows(region.below(first + 1), spans.wide, {merge.top for merge in grid.headers}, False)

    def _table(self, region: Region, grid: Grid, spans: Spans) -> None:
        """One table; a long remark between its rows stands between two parts of it."""
        declared = {m.top for m in grid.headers if m.left <= region.right and m.right >= region.left}
        heads = header_rows(region, spans.wide, declared, grid.first_row_is_header)
        header: Sequence[Row] = [self._row(region, row, spans, head=True) for row in region.rows[:heads]]
        if not heads and self._last and self._last.continues(region):
            header = self._last.header
        body = region.rows[heads:]
        caption, self._lead_in = self._lead_in, ""
        sections = section_rows(region, body, spans)
        width = max(region.width, max((sum(cell.colspan for cell in row.cells) for row in header), default=0))
        rows: list[Row] = []
        above: GridCell | None = None
        for row in body:
            cells = region.cells(row)
            (column, cell), *others = sorted(cells.items())
            if not others and len(cell.text) > 60 and is_sentence(cell.text):
                self._flush(header, rows, caption)
                rows = []
                self._line(cell, self.number(row, column), False)
                continue
            key = cells.get(region.left)
            carried = None
            if key is None and above is not None and continues_key(region, cells) and (row, region.left) not in spans.covered:
                carried = above
            elif key is not None:
                above = None if TOTAL.match(key.text) or row in sections else key
            rows.append(self._row(region, row, spans, section=width if row in sections else 0, carried=carried))
            self.padding -= max(max(cells) - region.left + 1 - len(cells), 0)
            if self.padding <= 0:
                self.cut = True
                break
        self._flush(header, rows, caption)
        self._last = _Written(region.left, region.right, region.rows[-1], header)
        self._table_seen = True

    def _flush(self, header: Sequence[Row], rows: Sequence[Row], caption: str) -> None:
        if rows:
            add_table(self.sink, [*header, *rows], caption=caption, guess_head=False)
        elif header:  # a header without a body: its cells are all there is
            add_table(self.sink, [Row(row.cells, row.start, row.end) for row in header], caption=caption, guess_head=False)

    def _row(
        self,
        region: Region,
        row: int,
        spans: Spans,
        *,
        head: bool = False,
        section: int = 0,
        carried: GridCell | None = None,
    ) -> Row:
        cells = region.cells(row)
        start = self.number(row, region.left)
        if section:
            ((column, cell),) = cells.items()
            return Row((Cell(cell.inline, colspan=section),), start, start)
        last = region.right if head else max(cells)
        out: list[Cell] = []
        for column in range(region.left, last + 1):
            origin = spans.covered.get((row, column))
            if origin and (head or (origin[1] == column == region.left)) and origin[0] in region.rows_set:
                continue  # the span of the cell above or beside fills it
            found = cells.get(column)
            if found is None:
                text = carried.inline if carried and column == region.left else EMPTY
                out.append(Cell(Inline(text.text, ((0, start),)) if column == region.left else EMPTY))
                continue
            across, down = spans.origins.get((row, column), (1, 1))
            across = min(across, region.right - column + 1) if head else 1
            down = down if head or column == region.left else 1
            out.append(Cell(found.inline, colspan=across, rowspan=down))
        return Row(tuple(out), start, start, head=head)


@dataclass(frozen=True, slots=True)
class _Written:
    """The last table, whose header may hold for what stands below."""

    left: int
    right: int
    bottom: int
    header: Sequence[Row]

    def continues(self, region: Region) -> bool:
        return bool(self.header) and self.left == region.left and region.right <= self.right and region.rows[0] - self.bottom <= 2


def _pair(name: str, cell: GridCell, value: GridCell) -> Inline:
    """ "Owner" and "legal" as "Owner: legal"."""
    offset = len(name) + 2
    anchors = [*cell.inline.anchors[:1], *((offset + at, place) for at, place in value.inline.anchors)]
    return Inline(f"{name}: {value.text}", tuple(anchors))


def _after(inline: Inline, start: int) -> Inline:
    """A reading without its first characters."""
    before = [place for at, place in inline.anchors if at <= start]
    anchors = [(0, before[-1])] if before else []
    return Inline(inline.text[start:], (*anchors, *((at - start, place) for at, place in inline.anchors if at > start)))
