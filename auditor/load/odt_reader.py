"""The body of an OpenDocument text as paragraphs and tables. What was deleted with changes tracked stands apart and is not read."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from auditor.load.docx_styles import RunLook, local, number
from auditor.load.odt_styles import TABLE, TEXT, OdtStyles
from auditor.load.odt_text import TextReader
from auditor.load.word_body import Note, Paragraph, Part, Table, TableCell, TableRow, listed
from auditor.load.word_tables import MAX_COLUMNS

_INDEXES = frozenset(
    {"table-of-content", "illustration-index", "table-index", "object-index", "user-index", "alphabetical-index"}
    | {"tracked-changes", "sequence-decls", "variable-decls", "user-field-decls", "dde-connection-decls", "forms"}
)
_GROUPS = frozenset({"bibliography", "index-body", "g", "frame", "text-box", "page-sequence"})
_SHAPES = frozenset({"custom-shape", "rect", "ellipse", "polygon", "path", "line", "connector", "caption", "measure"})
_ROW_GROUPS = frozenset({"table-header-rows", "table-rows", "table-row-group"})
_MAX_DEPTH = 40
_MAX_REPEATED_ROWS = 100
_REPEATED = 200_000  # characters and cells that repetitions may add to a document


class OdtReader:
    """Reads the bodies of one document: text, notes, headers and footers."""

    def __init__(self, styles: OdtStyles) -> None:
        self.styles = styles
        self.too_deep = False
        self._depth = 0
        self._lists = 0
        self._notes: dict[str, int] = {}
        self._left = _REPEATED

    def body(self, element: etree._Element) -> list[Part]:
        """The parts of a body, cell, note or text box."""
        return list(self._parts(element, None, ""))

    def _parts(self, element: etree._Element, item: int | None, key: str) -> Iterator[Part]:
        """Parts of an element that stands in lists of this depth (`item`), called `key`."""
        if self._depth >= _MAX_DEPTH:
            self.too_deep = True
            return
        self._depth += 1
        for child in element:
            name = local(child)
            if name in {"p", "h"}:
                yield from self._paragraph(child, item, key)
                if item is not None and not key.endswith("+"):
                    key += "+"  # what follows in the item continues it
            elif name == "list":
                yield from self._list(child, item, key.rstrip("+"))
            elif name == "numbered-paragraph":
                yield from self._parts(child, max(number(child.get(TEXT + "level", "1"), 1, 20) - 1, 0), "numbered")
            elif name == "table":
                yield from self._table(child)
            elif name == "section":
                if child.get(TEXT + "display") != "none" and child.get(TEXT + "is-hidden") != "true":
                    yield from self._parts(child, item, key)
            elif name in _GROUPS or name in _SHAPES:
                yield from self._parts(child, item, key)
        self._depth -= 1

    def _list(self, element: etree._Element, item: int | None, key: str) -> Iterator[Part]:
        if item is None:
            self._lists += 1
            continued = element.get(TEXT + "continue-list") or element.get(TEXT + "continue-numbering") == "true"
            key = key or ("continued" if continued else f"list {self._lists}")
        depth = 0 if item is None else item + 1
        for child in element:
            name = local(child)
            if name == "list-item":
                yield from self._parts(child, depth, key)
            elif name == "list-header":
                yield from self._parts(child, depth, key + "+")

    def _paragraph(self, element: etree._Element, item: int | None, key: str) -> Iterator[Part]:
        style = self.styles.get("paragraph", element.get(TEXT + "style-name"))
        look = style.look or RunLook()
        reader = TextReader(self.styles)
        reader.read(element, look)
        paragraph = reader.runs.paragraph()
        level = number(element.get(TEXT + "outline-level", "1"), 1, 10) if local(element) == "h" else style.level
        if style.role in {"title", "contents"}:
            level = 0
        paragraph.level, paragraph.title = level, style.role == "title"
        paragraph.style = style.role if style.role != "title" and not level else ""
        if item is not None and not level:
            if key.endswith("+"):
                paragraph.continued = True
            else:
                paragraph.item, paragraph.list_key = item, key
        elif listed(style.name):
            paragraph.continued = True
        paragraph.notes = [self._note(note) for note in reader.notes]
        yield paragraph
        for box in reader.boxes:
            yield from self._parts(box, None, "")

    def _note(self, element: etree._Element) -> Note:
        kind = "endnote" if element.get(TEXT + "note-class") == "endnote" else "footnote"
        self._notes[kind] = self._notes.get(kind, 0) + 1
        count = self._notes[kind]
        bodies = [child for child in element if local(child) == "note-body"]
        return Note(kind, count, [part for body in bodies for part in self.body(body)])

    def _table(self, element: etree._Element) -> Iterator[Part]:
        table = Table([])
        for row, head in _rows(element):
            made = TableRow([], head)
            texts = 0
            for cell in row:
                name = local(cell)
                if name != "table-cell" or len(made.cells) >= MAX_COLUMNS:
                    continue  # covered cells: the spans of the cell that covers them say so
                style = self.styles.get("table-cell", cell.get(TABLE + "style-name"))
                parts = self.body(cell)
                colspan = max(number(cell.get(TABLE + "number-columns-spanned", "1"), 1, MAX_COLUMNS), 1)
                rowspan = max(number(cell.get(TABLE + "number-rows-spanned", "1"), 1, 1000), 1)
                filled = [part for part in parts if isinstance(part, Paragraph) and part.source.strip()]
                bold = bool(filled) and all(part.bold for part in filled)
                length = sum(len(part.source) for part in filled)
                texts += length
                wanted = max(number(cell.get(TABLE + "number-columns-repeated", "1"), 1, MAX_COLUMNS), 1)
                for _ in range(self._repeat(min(wanted, MAX_COLUMNS - len(made.cells)), length)):
                    made.cells.append(TableCell(parts, colspan, rowspan, style.shaded, bold))
            wanted = max(number(row.get(TABLE + "number-rows-repeated", "1"), 1, _MAX_REPEATED_ROWS), 1)
            table.rows += [made] * (self._repeat(wanted, texts + len(made.cells)) if texts else 1)
        while table.rows and not any(cell.parts for cell in table.rows[-1].cells):
            table.rows.pop()
        yield table

    def _repeat(self, wanted: int, length: int) -> int:
        """How often something may be repeated."""
        cost = (wanted - 1) * (length + 1)
        if cost > self._left:
            return 1
        self._left -= cost
        return wanted


def _rows(table: etree._Element) -> Iterator[tuple[etree._Element, bool]]:
    """The rows of a table, groups opened, and whether they are its header."""
    stack: list[tuple[Iterator[etree._Element], bool]] = [(iter(table), False)]
    while stack:
        iterator, head = stack[-1]
        child = next(iterator, None)
        if child is None:
            stack.pop()
            continue
        name = local(child)
        if name == "table-row":
            yield child, head
        elif name in _ROW_GROUPS:
            stack.append((iter(child), head or name == "table-header-rows"))
