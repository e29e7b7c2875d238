"""Text of DrawingML: paragraphs with their list levels."""

from __future__ import annotations

from lxml import etree

from auditor.load.docx_styles import local
from auditor.load.slide_writer import Line

_STRUCK = frozenset({"sngStrike", "dblStrike"})
_NUMBER_FIELDS = ("slidenum",)
MAX_PARAGRAPHS = 20_000


def text_of(body: etree._Element) -> str:
    """The text of all paragraphs."""
    return "\n".join(line.text for line in lines_of(body, listed=False))


def lines_of(body: etree._Element, listed: bool) -> list[Line]:
    """The paragraphs of a text body; `listed` says that they have bullets unless they state otherwise."""
    inherited = body.find("{*}lstStyle/{*}lvl1pPr")
    if inherited is not None:
        listed = _bullet(inherited, listed)
    paragraphs = [child for child in body if local(child) == "p"][:MAX_PARAGRAPHS]
    found: list[Line] = []
    for paragraph in paragraphs:
        properties = paragraph.find("{*}pPr")
        level = properties.get("lvl", "0") if properties is not None else "0"
        depth = min(int(level), 8) if level.isascii() and level.isdigit() and len(level) < 3 else 0
        bullet = _bullet(properties, listed) if properties is not None else listed
        for i, text in enumerate(_runs(paragraph).split("\v")):
            if i == 0 or not found:
                found.append(Line(text, depth if bullet else None))
            elif bullet:
                found[-1] = Line(f"{found[-1].text} {text}", found[-1].item)
            else:
                found.append(Line(text))
    filled = [line for line in found if line.text.strip()]
    if len(filled) == 1 and filled[0].item is not None and filled[0].text.strip().endswith((".", "!", "?")):
        return [Line(filled[0].text)]  # a sentence of its own in the place for lists
    return found


def _bullet(properties: etree._Element, listed: bool) -> bool:
    for child in properties:
        name = local(child)
        if name == "buNone":
            return False
        if name in {"buChar", "buAutoNum", "buBlip"}:
            return True
    return listed


def _runs(paragraph: etree._Element) -> str:
    pieces: list[tuple[str, bool]] = []
    for child in paragraph:
        name = local(child)
        if name == "br":
            pieces.append(("\v", False))
        elif name == "r" or (name == "fld" and child.get("type", "") not in _NUMBER_FIELDS):
            properties = child.find("{*}rPr")
            struck = properties is not None and properties.get("strike") in _STRUCK
            pieces.append((child.findtext("{*}t") or "", struck))
    return "".join(text for text, struck in pieces if not struck)
