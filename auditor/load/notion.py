"""Exports of Notion: pages as Markdown and databases as CSV, every name followed by an id of 32 hexadecimal digits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from auditor.load.front_matter import Entry

_ID = re.compile(r"[ _-]?\b[0-9a-f]{32}(?=(?:_all)?(?:\.[A-Za-z0-9]{1,8})*$|$)")
_TABLE = re.compile(r"(.* [0-9a-f]{32})(_all)?\.csv$", re.DOTALL)
_HEADING = re.compile(r"# \S")
_PROPERTY = re.compile(r"([A-Za-z][\w /()&?'’-]{0,40}):(?:[ \t]+(\S.*?))?[ \t]*$")
_REMARKS = frozenset({"note", "tip", "warning", "important", "caution", "info", "attention", "example"})
_NAMES = {
    "last edited time": "last modified",
    "last edited": "last modified",
    "last edited by": "last modified by",
    "created time": "created",
    "created by": "author",
}
"""Properties that Notion keeps itself, under the names that `meta` reads."""


class Properties(NamedTuple):
    """The properties of a page, and the lines (from, to) they stand on."""

    entries: tuple[Entry, ...] = ()
    begin: int = 0
    end: int = 0

    def fields(self) -> dict[str, str]:
        """By lower-case name."""
        return {_NAMES.get(entry.name.lower(), entry.name.lower()): entry.value for entry in self.entries}


def is_page(name: str) -> bool:
    """Whether a file is called like an exported page."""
    return _ID.search(name.rpartition("/")[2].lower()) is not None


def readable(name: str) -> str:
    """A file or folder name without its id."""
    return _ID.sub("", name) or name


def properties(lines: Sequence[str], starts: Sequence[int]) -> Properties:
    """The "Name: value" lines right below the title of a page, which are the row of a database that it is."""
    i = 0
    while i < len(lines) and not lines[i].strip():
        i += 1
    if i >= len(lines) or not _HEADING.match(lines[i]):
        return Properties()
    i += 1
    while i < len(lines) and not lines[i].strip():
        i += 1
    begin = i
    entries: list[Entry] = []
    while i < len(lines) and lines[i].strip():
        match = _PROPERTY.match(lines[i])
        if not match or match[1].lower() in _REMARKS or len(entries) >= 100:
            return Properties()
        if match[2]:
            entries.append(Entry(match[1], match[2], starts[i], starts[i] + match.end(2)))
        i += 1
    return Properties(tuple(entries), begin, i)


def doubled(paths: Iterable[str]) -> frozenset[str]:
    """Tables that another one holds as well: Notion writes what a view shows beside the whole (`…_all.csv`)."""
    tables: dict[str, set[str]] = {}
    for path in paths:
        if match := _TABLE.match(path):
            tables.setdefault(match[1], set()).add(path)
    return frozenset(f"{stem}.csv" for stem, found in tables.items() if len(found) > 1)
