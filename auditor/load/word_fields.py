"""What the headers and footers of the pages, and the lines at the top, say about a document: "Version: 2.1", "Effective 1 May 2024"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from auditor.load import dates
from auditor.load.word_body import Paragraph, Part, TableCell, fold

LINE = re.compile(r"(?P<name>[A-Z][A-Za-z][\w /()#-]{0,38}?)\s*:\s+(?P<value>\S.{0,200})")
"""A line that reads as name and value."""
_NAMES = re.compile(
    r"(?:(?:document|policy|process|procedure|content|page|current|last|next|date|effective|issue|revision|approval|review|doc) )*"
    r"(?:version|revision|rev|owners?|effective(?: date| from)?|status|date(?: of (?:issue|approval|last review))?|approver|"
    r"approved(?: by| on)?|author|issued(?: by| on)?|updated?|last updated|reviewed|review(?: date)?|modified|revised|"
    r"classification|department|valid (?:from|until|to)|in force (?:from|since)|responsible|maintainer|maintained by|supersedes|"
    r"number|no|id|reference|issue|published|contact)",
    re.IGNORECASE,
)
_VERSION = re.compile(r"(?P<name>version|revision|rev)\.?\s+(?P<value>v?\d[\w.-]{0,15})", re.IGNORECASE)
_EFFECTIVE = re.compile(
    r"(?P<name>effective(?: date| from| as of)?|valid from|last updated|updated|issued)\s+(?:on\s+)?(?P<value>.{6,40})",
    re.IGNORECASE,
)
_ALIASES = {"effective as of": "effective from", "rev": "revision"}
_MOST = 20


def known(name: str) -> bool:
    """Whether documents state facts about themselves under this name."""
    return bool(_NAMES.fullmatch(" ".join(name.replace(".", " ").split())))


def page_fields(parts: Sequence[Part]) -> dict[str, str]:
    """Fields stated in the header or footer of the pages."""
    fields: dict[str, str] = {}
    for line in _lines(parts, 0):
        text = fold(line).strip(" .|")
        match = LINE.fullmatch(text)
        if match and not known(match["name"]):
            match = None
        match = match or _VERSION.fullmatch(text)
        if not match and (found := _EFFECTIVE.fullmatch(text)) and dates.DATE.fullmatch(found["value"].strip()):
            match = found
        if match and len(fields) < _MOST:
            name = match["name"].lower()
            fields.setdefault(_ALIASES.get(name, name), match["value"].strip())
    return fields


def _lines(parts: Sequence[Part], depth: int) -> Iterator[str]:
    """Lines of a header or footer: tabs, bars and line breaks set what it says apart."""
    for part in parts:
        if isinstance(part, Paragraph):
            yield from re.split(r"[\n\t|•·]|\s{3,}", part.source[:2000])
        elif depth < 3:
            for row in part.rows[:50]:
                yield from _row(row.cells, depth)


def _row(cells: Sequence[TableCell], depth: int) -> Iterator[str]:
    texts = []
    for cell in cells[:20]:
        yield from _lines(cell.parts, depth + 1)
        texts.append(fold(" ".join(part.source[:400] for part in cell.parts if isinstance(part, Paragraph))))
    for name, value in pairwise(texts):
        if value and known(name.rstrip(": ")):
            yield f"{name.rstrip(': ')}: {value}"
