"""Styles of an OpenDocument text, with what they inherit, and its metadata."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lxml import etree

from auditor.load.docx_styles import RunLook, local, number
from auditor.load.word_body import style_level, style_role

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
FO = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"
META = "{urn:oasis:names:tc:opendocument:xmlns:meta:1.0}"

_MAX_CHAIN = 30
_PLAIN_FILLS = frozenset({"", "transparent", "#ffffff"})
_CORE = {
    "title": "title",
    "initial-creator": "author",
    "creator": "last modified by",
    "creation-date": "created",
    "date": "last modified",
    "language": "language",
}
_NOBODY = frozenset({"user", "unknown", "unknown author", "admin", "administrator"})
_MAX_VALUE = 300


@dataclass(slots=True)
class OdtStyle:
    """A style with all that it inherits."""

    name: str = ""
    level: int = 0
    role: str = ""
    look: RunLook | None = None
    list_style: str | None = None
    shaded: bool = False
    hidden: bool = False  # of a section


class OdtStyles:
    """The styles of a document by family and name; automatic ones of the body hide those of the page headers."""

    def __init__(self, roots: Iterable[etree._Element | None]) -> None:
        self._elements: dict[tuple[str, str], etree._Element] = {}
        self._resolved: dict[tuple[str, str], OdtStyle] = {}
        for root in roots:
            for group in root if root is not None else ():
                if group.tag not in {OFFICE + "styles", OFFICE + "automatic-styles"}:
                    continue
                for element in group:
                    if element.tag == STYLE + "style":
                        key = (element.get(STYLE + "family", ""), element.get(STYLE + "name", ""))
                        self._elements.setdefault(key, element)

    def get(self, family: str, name: str | None) -> OdtStyle:
        """A style; one that is not defined is known by its name alone."""
        key = (family, name or "")
        if key not in self._resolved:
            self._resolved[key] = self._resolve(*key)
        return self._resolved[key]

    def _resolve(self, family: str, name: str) -> OdtStyle:
        style = OdtStyle(name, look=RunLook())
        look = RunLook()
        outline: int | None = None
        seen: set[str] = set()
        while name and name not in seen and len(seen) < _MAX_CHAIN:
            seen.add(name)
            element = self._elements.get((family, name))
            shown = (element.get(STYLE + "display-name") if element is not None else None) or name
            plain = shown.replace("_20_", " ")
            if outline is None:
                found = element.get(STYLE + "default-outline-level") if element is not None else None
                outline = number(found) if found else style_level(plain) or None
            style.role = style.role or style_role(plain)
            if element is None:
                break
            if style.list_style is None:
                style.list_style = element.get(STYLE + "list-style-name")
            for properties in element:
                kind = local(properties)
                if kind == "text-properties":
                    look = look.over(_look(properties))
                elif kind == "table-cell-properties":
                    style.shaded = style.shaded or properties.get(FO + "background-color", "").lower() not in _PLAIN_FILLS
            name = element.get(STYLE + "parent-style-name", "")
        style.level = outline or 0
        style.look = look
        return style


def _look(properties: etree._Element) -> RunLook:
    weight = properties.get(FO + "font-weight")
    line = properties.get(STYLE + "text-line-through-style") or properties.get(STYLE + "text-line-through-type")
    display = properties.get(TEXT + "display")
    position = properties.get(STYLE + "text-position")  # "super 58%", "33% 58%"
    return RunLook(
        None if weight is None else weight == "bold" or number(weight) >= 600,
        None if line is None else line != "none",
        None if display is None else display == "none",
        None if position is None else position.startswith("super") or number(position.split("%")[0]) > 0,
    )


def metadata(root: etree._Element | None) -> dict[str, str]:
    """Document properties under the names that `load/meta.py` reads; those an author added win over the built-in ones."""
    fields: dict[str, str] = {}
    own: dict[str, str] = {}
    for group in root if root is not None else ():
        if group.tag != OFFICE + "meta":
            continue
        for element in group:
            value = " ".join("".join(str(text) for text in element.itertext()).split())[:_MAX_VALUE]
            key = _CORE.get(local(element))
            if element.tag == META + "user-defined":
                name = " ".join(element.get(META + "name", "").lower().split())
                if name and value and len(name) <= 60:
                    own[name] = value
            elif key and value and value.lower() not in _NOBODY:
                fields.setdefault(key, value)
    return fields | own
