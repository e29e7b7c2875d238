"""HTML as a flat series of tags and text with their positions.

`html.parser` of the standard library is not used: it rescans unclosed constructs (quadratic time on hostile input) and treats
them differently from one Python release to the next. This scanner is linear, forgiving in the ways browsers are, and knows
where everything stands. Building structure from the tags is up to the reader.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

_TAG = re.compile(
    r"<(/?)([A-Za-z][^\s/>]{0,60}+)((?:[^>\"'=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+')?|[\"']){0,400}+)>",
)
_ATTRIBUTE = re.compile(r"([^\s\"'>/=]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'=<>`]+)))?")
_RAW = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"})


class Tag(NamedTuple):
    """A start or end tag."""

    name: str
    closing: bool
    attributes: dict[str, str]
    at: int


class Text(NamedTuple):
    """Character data, not decoded; `raw` names the element whose content is no markup (script, style, title, …)."""

    source: str
    at: int
    raw: str = ""


def tokens(text: str) -> Iterator[Tag | Text]:
    """All tags and texts in order; comments, declarations and processing instructions are left out."""
    position = 0
    size = len(text)
    last_close = text.rfind(">")
    while position < size:
        at = text.find("<", position)
        if at < 0 or at > last_close:
            yield Text(text[position:], position)
            return
        if at > position:
            yield Text(text[position:at], position)
        following = text[at + 1 : at + 2]
        if following == "!" or following == "?":
            comment = text.startswith("<!--", at)
            end = text.find("-->" if comment else ">", at + (4 if comment else 1))
            if comment and text.startswith(("<!-->", "<!--->"), at):
                end = text.find(">", at)
                comment = False
            # A comment that never ends takes the rest, as it does in a browser.
            position = size if end < 0 else end + (3 if comment else 1)
            continue
        match = _TAG.match(text, at)
        if not match:
            yield Text("<", at)
            position = at + 1
            continue
        name, closing = match.group(2).lower(), bool(match.group(1))
        position = match.end()
        yield Tag(name, closing, {} if closing or not match.group(3).strip(" /") else _attributes(match.group(3)), at)
        if name in _RAW and not closing:
            end = _raw_end(text, name, position)
            if end > position:
                yield Text(text[position:end], position, name)
            position = end


def _attributes(source: str) -> dict[str, str]:
    attributes: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(source):
        name, *values = match.groups()
        attributes.setdefault(name.lower(), html.unescape(next((value for value in values if value is not None), "")))
    return attributes


def _raw_end(text: str, name: str, position: int) -> int:
    match = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(text, position)
    return match.start() if match else len(text)
