"""PowerPoint presentations (PPTX), read part by part: pictures, film and sound are never unpacked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lxml import etree

from auditor.load import opc, pptx_graphics
from auditor.load.docx_styles import local
from auditor.load.pptx_text import lines_of, text_of
from auditor.load.slide_writer import MAX_SHAPES, MAX_SLIDES, Deck, Line, Shape, Slide, fold
from auditor.load.zip_parts import Parts, open_parts
from auditor.ports import LoadError

_DEPTH = 30  # of groups in groups
_FURNITURE = frozenset({"dt", "ftr", "sldNum", "hdr", "sldImg"})
_TITLES = frozenset({"title", "ctrTitle"})
_BODIES = frozenset({"body", "obj", "tx"})
_SHAPES = frozenset({"sp", "grpSp", "graphicFrame", "cxnSp"})
_DEFAULT_HEIGHT = 6_858_000.0

Position = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Frame:
    """How positions inside a group lead to positions on the slide."""

    x: float = 0
    y: float = 0
    across: float = 1
    down: float = 1

    def place(self, position: Position) -> Position:
        return self.x + position[0] * self.across, self.y + position[1] * self.down


def read(data: bytes) -> Deck:
    """The slides that are shown. Raises `LoadError` when the file cannot be read."""
    parts = open_parts(data)
    main = opc.main_part(parts, "ppt/presentation.xml")
    root = parts.xml(main)
    if root is None:
        raise LoadError("the file is damaged: it holds no presentation")
    deck = Deck(fields=opc.properties(parts))
    size = root.find("{*}sldSz")
    deck.height = _number(size.get("cy") if size is not None else None) or _DEFAULT_HEIGHT
    named = opc.relations(parts, main)
    layouts: dict[str, Mapping[str, Position]] = {}
    for number, entry in enumerate(root.iterfind("{*}sldIdLst/{*}sldId"), start=1):
        if number > MAX_SLIDES:
            deck.notices.append(f"only the first {MAX_SLIDES} slides were read")
            break
        relation = next((named[str(value)] for value in entry.attrib.values() if str(value) in named), None)
        if relation is None or relation.external:
            continue
        slide = parts.optional_xml(relation.target, f"slide {number}")
        if slide is None:
            continue
        if slide.get("show") in {"0", "false"}:
            deck.hidden.append(number)
            continue
        deck.slides.append(_Reader(parts, relation.target, layouts).slide(slide, number))
    deck.notices += parts.notices
    return deck


def _number(text: str | None) -> float:
    return float(text) if text and len(text) < 16 and text.lstrip("-").isascii() and text.lstrip("-").isdigit() else 0.0


class _Reader:
    """Reads one slide."""

    def __init__(self, parts: Parts, name: str, layouts: dict[str, Mapping[str, Position]]) -> None:
        self.parts = parts
        self.relations = opc.relations(parts, name)
        self.layout = next((r.target for r in self.relations.values() if r.kind == "slideLayout" and not r.external), "")
        self.layouts = layouts
        self.count = 0

    def slide(self, root: etree._Element, number: int) -> Slide:
        slide = Slide(number)
        tree = root.find("{*}cSld/{*}spTree")
        for element, frame in self._shapes(tree, _Frame(), 0) if tree is not None else ():
            if local(element) == "graphicFrame":
                self._graphic(element, frame, slide)
            else:
                self._text(element, frame, slide)
        slide.notes = self._notes()
        return slide

    def _shapes(self, group: etree._Element, frame: _Frame, depth: int) -> Iterator[tuple[etree._Element, _Frame]]:
        for element in group:
            kind = local(element)
            if kind == "AlternateContent":
                chosen = element.find("{*}Choice")
                chosen = chosen if chosen is not None else element.find("{*}Fallback")
                if chosen is not None and depth < _DEPTH:
                    yield from self._shapes(chosen, frame, depth + 1)
            elif kind == "grpSp" and depth < _DEPTH:
                yield from self._shapes(element, _inner(element, frame), depth + 1)
            elif kind in _SHAPES and not _is_hidden(element):
                self.count += 1
                if self.count > MAX_SHAPES:
                    return
                yield element, frame

    def _text(self, element: etree._Element, frame: _Frame, slide: Slide) -> None:
        body = element.find("{*}txBody")
        if body is None:
            return
        holder = element.find("{*}nvSpPr/{*}nvPr/{*}ph")
        kind = holder.get("type", "obj") if holder is not None else ""
        if kind in _FURNITURE:
            return
        if kind in _TITLES and not slide.title:
            slide.title = fold(text_of(body))
            slide.opening = slide.opening or kind == "ctrTitle"
            return
        slide.opening = slide.opening or (kind == "subTitle" and slide.number == 1)
        lines = lines_of(body, listed=kind in _BODIES)
        if not any(line.text.strip() for line in lines):
            return
        x, y = self._position(element, holder, frame)
        slide.shapes.append(Shape(x, y, lines))

    def _graphic(self, element: etree._Element, frame: _Frame, slide: Slide) -> None:
        data = element.find("{*}graphic/{*}graphicData")
        x, y = self._position(element, element.find("{*}nvGraphicFramePr/{*}nvPr/{*}ph"), frame)
        for child in data if data is not None else ():
            shape: Shape | None = None
            match local(child):
                case "tbl":
                    shape = pptx_graphics.table(child)
                case "chart":
                    root = self._related(child, "id", "a chart")
                    shape = pptx_graphics.chart(root) if root is not None else None
                case "relIds":
                    root = self._related(child, "dm", "a diagram")
                    shape = pptx_graphics.diagram(root) if root is not None else None
            if shape is not None:
                shape.x, shape.y = x, y
                slide.shapes.append(shape)

    def _related(self, element: etree._Element, name: str, what: str) -> etree._Element | None:
        link = next((str(value) for key, value in element.attrib.items() if str(key).rpartition("}")[2] == name), "")
        relation = self.relations.get(link)
        return self.parts.optional_xml(relation.target, what) if relation and not relation.external else None

    def _position(self, element: etree._Element, holder: etree._Element | None, frame: _Frame) -> Position:
        offset = element.find("{*}spPr/{*}xfrm/{*}off")
        if offset is None:
            offset = element.find("{*}xfrm/{*}off")
        if offset is not None:
            return frame.place((_number(offset.get("x")), _number(offset.get("y"))))
        if holder is None:
            return frame.place((0, 0))
        known = self._layout_positions()
        return known.get(f"#{holder.get('idx', '')}") or known.get(holder.get("type", "body")) or (0, 1)

    def _layout_positions(self) -> Mapping[str, Position]:
        """Where the layout of the slide has its placeholders, by number and kind."""
        if self.layout not in self.layouts:
            found: dict[str, Position] = {}
            root = self.parts.optional_xml(self.layout, "a layout") if self.layout else None
            for shape in root.iter("{*}sp") if root is not None else ():
                holder = shape.find("{*}nvSpPr/{*}nvPr/{*}ph")
                offset = shape.find("{*}spPr/{*}xfrm/{*}off")
                if holder is not None and offset is not None:
                    position = (_number(offset.get("x")), _number(offset.get("y")))
                    found.setdefault(f"#{holder.get('idx', '')}", position)
                    found.setdefault(holder.get("type", "body"), position)
            self.layouts[self.layout] = found
        return self.layouts[self.layout]

    def _notes(self) -> list[Line]:
        relation = next((r for r in self.relations.values() if r.kind == "notesSlide" and not r.external), None)
        root = self.parts.optional_xml(relation.target, "speaker's notes") if relation else None
        lines: list[Line] = []
        for shape in root.iter("{*}sp") if root is not None else ():
            holder, body = shape.find("{*}nvSpPr/{*}nvPr/{*}ph"), shape.find("{*}txBody")
            if body is not None and holder is not None and holder.get("type", "obj") not in _FURNITURE:
                lines += [line for line in lines_of(body, listed=False) if line.text.strip()]
        return lines


def _is_hidden(element: etree._Element) -> bool:
    properties = element[0].find("{*}cNvPr") if len(element) else None  # in nvSpPr, nvGraphicFramePr
    return properties is not None and properties.get("hidden") in {"1", "true"}


def _inner(group: etree._Element, frame: _Frame) -> _Frame:
    """The frame of what stands in a group."""
    transform = group.find("{*}grpSpPr/{*}xfrm")
    if transform is None:
        return frame

    def pair(name: str, first: str, second: str) -> Position:
        found = transform.find(f"{{*}}{name}")
        return (_number(found.get(first)), _number(found.get(second))) if found is not None else (0.0, 0.0)

    at, size = pair("off", "x", "y"), pair("ext", "cx", "cy")
    inside, inside_size = pair("chOff", "x", "y"), pair("chExt", "cx", "cy")
    across = size[0] / inside_size[0] if inside_size[0] else 1.0
    down = size[1] / inside_size[1] if inside_size[1] else 1.0
    corner = frame.place((at[0] - inside[0] * across, at[1] - inside[1] * down))
    return _Frame(corner[0], corner[1], frame.across * across, frame.down * down)
