"""The body of a WordprocessingML document as paragraphs and tables: the text as it reads when all changes are accepted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lxml import etree

from auditor.load.docx_runs import FieldState, RunReader
from auditor.load.docx_styles import Numbering, Style, Styles, attribute, children, is_shaded, local, number, switch
from auditor.load.word_body import Note, Paragraph, Part, Table, TableCell, TableRow
from auditor.load.word_tables import MAX_COLUMNS

_TRANSPARENT = frozenset({"ins", "moveTo", "smartTag", "customXml", "sdtContent", "Choice", "dir", "bdo"})
_OUT = frozenset({"del", "moveFrom"})
_FIRST_ROW = 0x20  # of a `w:tblLook`
_MAX_DEPTH = 40  # of tables and text boxes in one another


def blocks(element: etree._Element, reader: Reader) -> Iterator[etree._Element]:
    """What stands in a body, cell or row, wrappers opened: paragraphs, tables, rows or cells."""
    stack = [iter(element)]
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
            continue
        name = local(child)
        if name == "sdt":
            if not _contents_control(child):
                stack.append(iter(child))
        elif name in _TRANSPARENT:
            stack.append(iter(child))
        elif name == "AlternateContent":
            chosen = children(child)
            if (content := chosen.get("Choice", chosen.get("Fallback"))) is not None:
                stack.append(iter(content))
        elif name == "altChunk":
            reader.chunks += 1
        elif name not in _OUT:
            yield child


def _contents_control(control: etree._Element) -> bool:
    """Whether a content control is a table of contents, or shows a prompt instead of content."""
    properties = children(children(control).get("sdtPr"))
    if switch(properties.get("showingPlcHdr")):
        return True
    gallery = children(properties.get("docPartObj")).get("docPartGallery")
    return attribute(gallery, "val") in {"Table of Contents", "Bibliographies Contents"}


class Reader:
    """Reads the bodies of one document: text, notes, headers and footers."""

    def __init__(self, styles: Styles, numbering: Numbering, notes: Mapping[str, Mapping[str, etree._Element]]) -> None:
        self.styles, self.numbering = styles, numbering
        self.chunks = 0  # documents of other formats that Word would merge into this one
        self.too_deep = False
        self._notes = notes
        self._numbers: dict[str, int] = {}
        self._fields: FieldState = FieldState()
        self._depth = 0

    def body(self, element: etree._Element) -> list[Part]:
        """The parts of a body, cell, note or text box."""
        if self._depth >= _MAX_DEPTH:
            self.too_deep = True
            return []
        if not self._depth:
            self._fields = FieldState()
        self._depth += 1
        parts: list[Part] = []
        pending: RunReader | None = None  # text of paragraphs whose end is deleted: it runs into the next one
        for child in blocks(element, self):
            name = local(child)
            if name == "p" and (len(child) or pending):
                pending = self._paragraph(child, parts, pending)
            elif name == "tbl":
                self._table(child, parts)
        if pending is not None:
            parts.append(pending.runs.paragraph())
        self._depth -= 1
        return parts

    def _paragraph(self, element: etree._Element, parts: list[Part], pending: RunReader | None) -> RunReader | None:
        properties = children(children(element).get("pPr"))
        style = self.styles.paragraph(attribute(properties.get("pStyle"), "val"))
        outline = self._outline(properties, style)
        mark = children(properties.get("rPr"))
        if outline or style.role == "title":
            self._fields.leave_contents()
        run_reader = pending or RunReader(self.styles, self._fields)
        run_reader.read(element, style)
        if "del" in mark or "moveFrom" in mark:
            return run_reader
        paragraph = run_reader.runs.paragraph()
        paragraph.level, paragraph.title = outline, style.role == "title"
        paragraph.style = style.role if style.role != "title" and not outline else ""
        if self._fields.in_contents and not outline:
            paragraph.style = "contents"
        self._list(paragraph, properties, style)
        paragraph.notes = [note for kind, identity in run_reader.references if (note := self._note(kind, identity))]
        self._fields.end_paragraph()
        parts.append(paragraph)
        for box in run_reader.boxes:
            parts += self.body(box)
        return None

    @staticmethod
    def _outline(properties: Mapping[str, etree._Element], style: Style) -> int:
        if style.role in {"title", "contents"}:
            return 0
        level = style.level
        if "outlineLvl" in properties:
            value = number(attribute(properties["outlineLvl"], "val"), 9)
            level = value + 1 if value < 9 else 0
        return level

    def _list(self, paragraph: Paragraph, properties: Mapping[str, etree._Element], style: Style) -> None:
        """Whether the paragraph is an item of a list, by itself or by its style."""
        list_id, level = style.numbering or ("", 0)
        if "numPr" in properties:
            found = children(properties["numPr"])
            list_id = attribute(found.get("numId"), "val") or list_id
            level = number(attribute(found.get("ilvl"), "val"), level, 8)
        if self.numbering.shows(list_id, level):
            paragraph.item, paragraph.list_key = level, list_id
        elif style.listed or _indented(properties):
            paragraph.continued = True

    def _note(self, kind: str, identity: str) -> Note | None:
        element = self._notes.get(kind, {}).get(identity)
        if element is None:
            return None
        self._numbers[kind] = self._numbers.get(kind, 0) + 1
        number_ = self._numbers[kind]
        outer, self._fields = self._fields, FieldState()
        note = Note(kind, number_, self.body(element))
        self._fields = outer
        return note

    def _table(self, element: etree._Element, parts: list[Part]) -> None:
        properties = children(children(element).get("tblPr"))
        table = Table([])
        look = properties.get("tblLook")
        if look is not None:
            first = attribute(look, "firstRow")
            wanted = first in {"1", "true", "on"} if first else bool(_hexadecimal(attribute(look, "val")) & _FIRST_ROW)
            table.styled_head = wanted and self.styles.get(attribute(properties.get("tblStyle"), "val")).styled_head
        open_cells: dict[int, TableCell] = {}  # column → cell that reaches down
        for child in blocks(element, self):
            if local(child) == "tr":
                self._row(child, table, open_cells)
        parts.append(table)

    def _row(self, element: etree._Element, table: Table, open_cells: dict[int, TableCell]) -> None:
        found = children(element)
        properties = children(found.get("trPr"))
        if "del" in properties:
            return
        row = TableRow([], bool(switch(properties.get("tblHeader"))))
        column = number(attribute(properties.get("gridBefore"), "val"), 0, MAX_COLUMNS)
        row.cells += [TableCell([]) for _ in range(column)]
        merged: dict[int, TableCell] = {}
        for child in blocks(element, self):
            if local(child) != "tc" or column >= MAX_COLUMNS:
                continue
            cell_element = children(child).get("tcPr")
            cell_properties = children(cell_element)
            if "cellDel" in cell_properties:
                continue
            span = max(number(attribute(cell_properties.get("gridSpan"), "val"), 1, MAX_COLUMNS), 1)
            merge = cell_properties.get("vMerge")
            above = open_cells.get(column)
            if merge is not None and attribute(merge, "val", "continue") != "restart" and above is not None:
                above.rowspan += 1
                merged[column] = above
                column += span
                continue
            cell = TableCell(self.body(child), span, shaded=is_shaded(cell_element))
            filled = [part for part in cell.parts if isinstance(part, Paragraph) and part.source.strip()]
            cell.bold = bool(filled) and all(part.bold for part in filled)
            if merge is not None:
                merged[column] = cell
            row.cells.append(cell)
            column += span
        open_cells.clear()
        open_cells.update(merged)
        table.rows.append(row)


def _hexadecimal(text: str) -> int:
    try:
        return int(text[-8:], 16)
    except ValueError:
        return 0


def _indented(properties: Mapping[str, etree._Element]) -> bool:
    indent = properties.get("ind")
    return number(attribute(indent, "left") or attribute(indent, "start")) > 0
