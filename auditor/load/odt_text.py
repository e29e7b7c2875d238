"""The text of one paragraph of an OpenDocument text."""

from __future__ import annotations

import re

from lxml import etree

from auditor.load.docx_styles import RunLook, local, number
from auditor.load.odt_styles import TEXT, OdtStyles
from auditor.load.word_body import Runs

_SKIPPED = frozenset(
    {"annotation", "annotation-end", "tracked-changes", "change", "change-start", "change-end", "ruby-text", "title", "desc"}
    | {"bookmark", "bookmark-start", "bookmark-end", "reference-mark", "soft-page-break", "script", "event-listeners"}
    | {"note-citation", "hidden-text", "object", "object-ole", "image", "forms", "number", "toc-mark", "user-index-mark"}
    | {"alphabetical-index-mark", "binary-data", "glue-point", "image-map", "math", "plugin", "applet"}
)
_BOXES = frozenset({"text-box", "custom-shape", "rect", "ellipse", "polygon", "path", "line", "connector", "caption", "measure"})
_MAX_SPACES = 100
_WHITE = re.compile(r"[ \t\r\n]+")  # of the XML source: what a reader sees has elements of its own


class TextReader:
    """Reads the text of a paragraph; text boxes and notes in it are gathered on the way."""

    def __init__(self, styles: OdtStyles) -> None:
        self.runs = Runs()
        self.notes: list[etree._Element] = []
        self.boxes: list[etree._Element] = []
        self._styles = styles

    def read(self, paragraph: etree._Element, look: RunLook) -> None:
        """Add the text of a paragraph whose style has this look."""
        work = _inside(paragraph, look)
        while work:
            item, look = work.pop()
            if isinstance(item, str):
                self._add(_WHITE.sub(" ", item), look)
            elif (inner := self._enter(item, look)) is not None:
                work += _inside(item, inner)

    def _enter(self, element: etree._Element, look: RunLook) -> RunLook | None:
        """Take an element; the look of what stands in it, None if that is not part of the paragraph."""
        name = local(element)
        if name == "s":
            self._add(" " * number(element.get(TEXT + "c", "1"), 1, _MAX_SPACES), look)
        elif name == "tab":
            self._add("\t", look)
        elif name == "line-break":
            self._add("\n", look)
        elif name == "note":
            if not look.hidden:
                self.notes.append(element)
        elif name in _BOXES:
            if not look.hidden:
                self.boxes.append(element)
        elif name == "span":
            style = element.get(TEXT + "style-name")
            return (self._styles.get("text", style).look or RunLook()).over(look) if style else look
        elif name not in _SKIPPED:
            return look
        return None

    def _add(self, text: str, look: RunLook) -> None:
        if text and not look.hidden:
            self.runs.add(text, bool(look.struck), bool(look.bold), bool(look.raised))


def _inside(element: etree._Element, look: RunLook) -> list[tuple[etree._Element | str, RunLook]]:
    """What stands in an element, last things first."""
    found: list[tuple[etree._Element | str, RunLook]] = [(element.text, look)] if element.text else []
    for child in element:
        found.append((child, look))
        if child.tail:
            found.append((child.tail, look))
    return found[::-1]
