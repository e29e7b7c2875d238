"""Metadata of a web page: title, meta tags, and the dates and authors of embedded JSON-LD."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

_UNREAD = re.compile(
    r"viewport|theme-color|robots|googlebot|generator|referrer|color-scheme|format-detection|msapplication.*|apple-.*|mobile-.*|twitter:.*|"
    r"og:(?!title|description|updated_time).*|fb:.*|.*-verification|csrf-.*|msvalidate.*|x-ua-compatible|docsearch:.*|docusaurus_.*|"
    r"readthedocs.*|application-name|next-head-count|citation_(?!author|date|publication_date|title).*|content-type|google.*",
    re.IGNORECASE,
)
_JSON_LD = re.compile(r'"(dateModified|datePublished|dateCreated)"\s*:\s*"([^"]{4,40})"')
_JSON_NAMES = {"dateModified": "article:modified_time", "datePublished": "article:published_time", "dateCreated": "created"}
_TIME_NAMES = {
    "datemodified": "article:modified_time",
    "datepublished": "article:published_time",
    "updated": "article:modified_time",
}
SHOWN = frozenset({"description", "author", "version", "abstract", "keywords", "subject", "owner", "status"})


class Head:
    """Gathers title and fields."""

    def __init__(self) -> None:
        self.title = ""
        self.fields: dict[str, str] = {}
        self.lines: dict[str, int] = {}

    def meta(self, attributes: Mapping[str, str], line: int) -> None:
        """A `<meta>` tag."""
        name = (
            attributes.get("name") or attributes.get("property") or attributes.get("itemprop") or attributes.get("http-equiv") or ""
        ).lower()
        content = " ".join(attributes.get("content", "").split())
        if name and content and not _UNREAD.fullmatch(name):
            self._set(name, content, line)

    def time(self, attributes: Mapping[str, str], line: int) -> None:
        """A `<time>` element that says what it dates."""
        role = (attributes.get("itemprop") or attributes.get("class", "").split(" ")[0]).lower()
        if (value := attributes.get("datetime")) and role in _TIME_NAMES:
            self._set(_TIME_NAMES[role], value, line)

    def script(self, source: str, line: int) -> None:
        """A script element: JSON-LD states dates."""
        if '"@context"' in source:
            for match in _JSON_LD.finditer(source):
                self._set(_JSON_NAMES[match[1]], match[2], line)

    def set_title(self, source: str) -> None:
        """The content of `<title>`."""
        self.title = self.title or " ".join(html.unescape(source).split())

    def _set(self, name: str, value: str, line: int) -> None:
        if name not in self.fields:
            self.fields[name] = value
            self.lines[name] = line
