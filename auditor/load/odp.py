"""OpenDocument presentations (ODP, and FODP, the same in one XML file)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from auditor.load.docx_styles import RunLook, local
from auditor.load.odf import open_document
from auditor.load.odt_styles import OFFICE, STYLE, TABLE, OdtStyles, metadata
from auditor.load.odt_text import TextReader
from auditor.load.slide_writer import MAX_SHAPES, MAX_SLIDES, Deck, Line, Shape, Slide, TableCell, fold
from auditor.load.word_body import reading
from auditor.ports import LoadError

_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_PRESENTATION = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
_SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
_FURNITURE = frozenset({"header", "footer", "date-time", "page-number", "page"})
_LENGTH = re.compile(r"(-?\d{1,6}(?:\.\d{1,6})?)(cm|mm|in|pt|pc|px)?")
_CENTIMETRES = {"cm": 1, "mm": 0.1, "in": 2.54, "pt": 2.54 / 72, "pc": 2.54 / 6, "px": 2.54 / 96}
_DEPTH = 30
_MAX_ROWS, _MAX_COLUMNS = 2000, 100
_DEFAULT_HEIGHT = 21.0


def read(data: bytes) -> Deck:
    """The slides that are shown. Raises `LoadError` when the file cannot be read."""
    file = open_document(data, "the presentation", flat=not data.startswith(b"PK"))
    content, styles = file.content, file.styles
    body = content.find(f"{OFFICE}body/{OFFICE}presentation") if content is not None else None
    if content is None or body is None:
        raise LoadError("holds no presentation")
    heights = (
        [_length(page.get(_FO_HEIGHT)) for page in styles.iter(f"{STYLE}page-layout-properties")] if styles is not None else []
    )
    deck = Deck(max(heights, default=0.0) or _DEFAULT_HEIGHT, fields=metadata(file.meta), notices=file.notices)
    reader = _Reader(OdtStyles((content, styles)))
    hidden = {
        style.get(f"{STYLE}name")
        for style in content.iter(f"{STYLE}style")
        for properties in style.iterfind(f"{STYLE}drawing-page-properties")
        if properties.get(f"{_PRESENTATION}visibility") == "hidden"
    }
    for number, page in enumerate(body.iterfind(f"{_DRAW}page"), start=1):
        if number > MAX_SLIDES:
            deck.notices.append(f"only the first {MAX_SLIDES} slides were read")
            break
        if page.get(f"{_DRAW}style-name") in hidden:
            deck.hidden.append(number)
            continue
        deck.slides.append(reader.slide(page, number))
    return deck


_FO_HEIGHT = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}page-height"


def _length(text: str | None) -> float:
    match = _LENGTH.fullmatch(text or "")
    return float(match[1]) * _CENTIMETRES[match[2] or "cm"] if match else 0.0


class _Reader:
    def __init__(self, styles: OdtStyles) -> None:
        self.styles = styles
        self.count = 0

    def slide(self, page: etree._Element, number: int) -> Slide:
        slide = Slide(number)
        self.count = 0
        for element in self._shapes(page, 0):
            role = element.get(f"{_PRESENTATION}class", "")
            if role in _FURNITURE or element.get(f"{_PRESENTATION}placeholder") == "true":
                continue
            table = element.find(f"{TABLE}table")
            lines = [line for line in self._lines(element, None, 0) if line.text] if table is None else []
            if role == "title" and not slide.title:
                slide.title = " ".join(line.text for line in lines)
                continue
            if role == "subtitle":
                slide.opening = number == 1
            x, y = _length(element.get(f"{_SVG}x")), _length(element.get(f"{_SVG}y"))
            if table is not None:
                slide.shapes.append(self._table(table, x, y))
            elif lines:
                slide.shapes.append(Shape(x, y, lines))
        notes = page.find(f"{_PRESENTATION}notes")
        for element in self._shapes(notes, 0) if notes is not None else ():
            if element.get(f"{_PRESENTATION}class", "") not in _FURNITURE and element.get(f"{_PRESENTATION}placeholder") != "true":
                slide.notes = [*slide.notes, *(line for line in self._lines(element, None, 0) if line.text)]
        return slide

    def _shapes(self, group: etree._Element, depth: int) -> Iterator[etree._Element]:
        for element in group:
            kind = local(element)
            if kind in {"g", "a"} and depth < _DEPTH:
                yield from self._shapes(element, depth + 1)
            elif element.tag.startswith(_DRAW):
                self.count += 1
                if self.count > MAX_SHAPES:
                    return
                yield element

    def _lines(self, element: etree._Element, item: int | None, depth: int) -> Iterator[Line]:
        """The paragraphs of a shape; lists in lists are deeper items."""
        if depth > _DEPTH:
            return
        for child in element:
            kind = local(child)
            if kind in {"p", "h"}:
                yield Line(self._paragraph(child), item)
            elif kind == "list":
                yield from self._lines(child, 0 if item is None else item + 1, depth + 1)
            elif kind in {"text-box", "list-item", "list-header"}:
                yield from self._lines(child, item if kind != "list-header" else None, depth + 1)

    def _paragraph(self, element: etree._Element) -> str:
        reader = TextReader(self.styles)
        reader.read(element, RunLook())
        return fold(reading(reader.runs.paragraph()).text)

    def _table(self, table: etree._Element, x: float, y: float) -> Shape:
        rows: list[list[TableCell]] = []
        for row in list(table.iter(f"{TABLE}table-row"))[:_MAX_ROWS]:
            cells = []
            for cell in list(row.iterfind(f"{TABLE}table-cell"))[:_MAX_COLUMNS]:
                text = " ".join(line.text for line in self._lines(cell, None, 0) if line.text)
                columns, down = cell.get(f"{TABLE}number-columns-spanned", "1"), cell.get(f"{TABLE}number-rows-spanned", "1")
                cells.append(TableCell(text, _count(columns), _count(down)))
            rows.append(cells)
        return Shape(x, y, table=rows, head=table.get(f"{TABLE}use-first-row-styles") == "true")


def _count(text: str) -> int:
    return min(max(int(text), 1), _MAX_ROWS) if text.isascii() and text.isdigit() and len(text) < 6 else 1
