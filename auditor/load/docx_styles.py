"""Styles and numbering of a WordprocessingML document, with what they inherit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from auditor.load.word_body import listed, style_level, style_role

_MAX_CHAIN = 30
_OFF = frozenset({"0", "false", "off", "none"})
_PLAIN_FILLS = frozenset({"", "auto", "ffffff"})
_BODY_LEVEL = 9  # of an outline: text


def local(element: etree._Element) -> str:
    """The name of an element without its namespace; documents may use those of the transitional or the strict standard."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def children(element: etree._Element | None) -> dict[str, etree._Element]:
    """The children of an element by their local names, the first of each."""
    found: dict[str, etree._Element] = {}
    for child in element if element is not None else ():
        found.setdefault(local(child), child)
    return found


def attribute(element: etree._Element | None, name: str, default: str = "") -> str:
    """An attribute in the namespace of its element."""
    if element is None:
        return default
    namespace = element.tag.rpartition("}")[0]
    value = element.get(f"{namespace}}}{name}" if namespace else name)
    return default if value is None else value


def number(text: str, default: int = 0, most: int = 1 << 30) -> int:
    """A whole number as attributes write it, bounded."""
    text = text.strip()
    return min(int(text), most) if text.isascii() and text.isdigit() and len(text) < 12 else default


def switch(element: etree._Element | None) -> bool | None:
    """The value of an on/off property, None when it is not set."""
    if element is None:
        return None
    return attribute(element, "val", "1").lower() not in _OFF


@dataclass(slots=True)
class RunLook:
    """What counts of the look of characters; None is inherited."""

    bold: bool | None = None
    struck: bool | None = None
    hidden: bool | None = None
    raised: bool | None = None  # superscript

    def over(self, other: RunLook) -> RunLook:
        """This look where it is set, the other elsewhere."""
        return RunLook(
            other.bold if self.bold is None else self.bold,
            other.struck if self.struck is None else self.struck,
            other.hidden if self.hidden is None else self.hidden,
            other.raised if self.raised is None else self.raised,
        )


def run_look(properties: etree._Element | None) -> RunLook:
    """The look that a `w:rPr` sets."""
    if properties is None or not len(properties):
        return RunLook()
    found = children(properties)
    strikes = [value for value in (switch(found.get("strike")), switch(found.get("dstrike"))) if value is not None]
    raised = attribute(found["vertAlign"], "val") == "superscript" if "vertAlign" in found else None
    return RunLook(switch(found.get("b")), any(strikes) if strikes else None, switch(found.get("vanish")), raised)


@dataclass(slots=True)
class Style:
    """A style with all that it inherits. `level` is that of a heading, 0 for none."""

    name: str = ""
    level: int = 0
    role: str = ""  # see `word_body.style_role`
    listed: bool = False
    numbering: tuple[str, int] | None = None  # id and level of its list
    look: RunLook = field(default_factory=RunLook)
    styled_head: bool = False  # of a table


class Styles:
    """The styles of a document by their ids."""

    def __init__(self, root: etree._Element | None) -> None:
        self._elements: dict[str, etree._Element] = {}
        self._resolved: dict[str, Style] = {}
        self._default = ""
        self._defaults = RunLook()
        for element in root if root is not None else ():
            if local(element) == "docDefaults":
                run = children(children(element).get("rPrDefault")).get("rPr")
                self._defaults = run_look(run)
            elif local(element) == "style":
                identity = attribute(element, "styleId")
                self._elements.setdefault(identity, element)
                if attribute(element, "type") == "paragraph" and attribute(element, "default") in {"1", "true", "on"}:
                    self._default = identity

    def paragraph(self, identity: str) -> Style:
        """The style of a paragraph; "" is the default one."""
        return self.get(identity or self._default)

    def get(self, identity: str) -> Style:
        """A style by its id; one that is not defined is known by its id alone."""
        if identity not in self._resolved:
            self._resolved[identity] = self._resolve(identity)
        return self._resolved[identity]

    def _resolve(self, identity: str) -> Style:
        style = Style(look=RunLook())
        outline: int | None = None
        named_level = 0
        list_id, list_level = "", -1
        for depth, (name, element) in enumerate(self._chain(identity)):
            if depth == 0:
                style.name = name
            settled = outline is not None or named_level
            if not settled:
                named_level = style_level(name)
            style.role = style.role or style_role(name)
            style.listed = style.listed or listed(name)
            if element is None:
                continue
            parts = children(element)
            paragraph = children(parts.get("pPr"))
            if "outlineLvl" in paragraph and not settled:
                outline = number(attribute(paragraph["outlineLvl"], "val"), _BODY_LEVEL)
            if "numPr" in paragraph:
                found = children(paragraph["numPr"])
                list_id = list_id or attribute(found.get("numId"), "val")
                if list_level < 0 and "ilvl" in found:
                    list_level = number(attribute(found["ilvl"], "val"), 0, 8)
            style.look = style.look.over(run_look(parts.get("rPr")))
            style.styled_head = style.styled_head or _head_condition(element)
        if outline is not None:
            style.level = outline + 1 if outline < _BODY_LEVEL else 0
        else:
            style.level = named_level
        if list_id:
            style.numbering = (list_id, max(list_level, 0))
        style.look = style.look.over(self._defaults)
        return style

    def _chain(self, identity: str) -> Iterator[tuple[str, etree._Element | None]]:
        """A style and those it is based on: name and element."""
        seen: set[str] = set()
        while identity and identity not in seen and len(seen) < _MAX_CHAIN:
            seen.add(identity)
            element = self._elements.get(identity)
            if element is None:
                yield identity, None
                return
            parts = children(element)
            yield attribute(parts.get("name"), "val") or identity, element
            identity = attribute(parts.get("basedOn"), "val")


def _head_condition(style: etree._Element) -> bool:
    """Whether a table style sets its first row in bold or shaded."""
    for child in style:
        if local(child) == "tblStylePr" and attribute(child, "type") == "firstRow":
            found = children(child)
            return bool(switch(children(found.get("rPr")).get("b"))) or is_shaded(found.get("tcPr"))
    return False


def is_shaded(cell_properties: etree._Element | None) -> bool:
    """Whether a `w:tcPr` fills the cell with a colour."""
    shading = children(cell_properties).get("shd")
    return shading is not None and attribute(shading, "fill").lower() not in _PLAIN_FILLS


class Numbering:
    """Which numbers of lists stand for lists that show a bullet or number."""

    def __init__(self, root: etree._Element | None) -> None:
        self._abstract: dict[str, dict[int, bool]] = {}  # level → whether it shows anything
        self._numbers: dict[str, str] = {}
        for element in root if root is not None else ():
            name = local(element)
            if name == "abstractNum":
                levels: dict[int, bool] = {}
                for child in element:
                    if local(child) == "lvl":
                        found = children(child)
                        empty = (
                            attribute(found.get("numFmt"), "val") == "none" and not attribute(found.get("lvlText"), "val").strip()
                        )
                        levels[number(attribute(child, "ilvl"))] = not empty
                self._abstract[attribute(element, "abstractNumId")] = levels
            elif name == "num":
                self._numbers[attribute(element, "numId")] = attribute(children(element).get("abstractNumId"), "val")

    def shows(self, list_id: str, level: int) -> bool:
        """Whether paragraphs with this number and level are items; "0" takes a paragraph out of the list of its style."""
        if not list_id or list_id == "0":
            return False
        abstract = self._numbers.get(list_id)
        return self._abstract.get(abstract, {}).get(level, True) if abstract is not None else False
