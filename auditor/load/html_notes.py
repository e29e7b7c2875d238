"""Signs of footnotes in HTML: links in superscript, which would run into the number before them ("90¹ days" is not 901 days)."""

from __future__ import annotations

import re

_LINK_OF_A_NOTE = re.compile(
    r"<a\b[^<>]{0,500}?\b(?:noteref|footnote-?ref|doc-backlink|footnote-?back|backlink|note-?back)\b[^<>]{0,500}>"
    r"(?:<[^<>a][^<>]{0,200}>|[^<>]){0,40}?</a\s*>",
    re.IGNORECASE,
)
_LINK = r"<a\b(?>[^<>]{0,500}?href\s*=\s*[\"'])(?>[^\"'<>#]{0,300})#[^<>]{0,500}+>"
_RAISED_LINK = re.compile(
    rf"<sup\b[^<>]{{0,200}}>\s*(?:<span[^<>]{{0,200}}>\s*)?{_LINK}[^<>]{{0,20}}</a\s*>(?:\s*</span\s*>)?\s*</sup\s*>"
    rf"|{_LINK}\s*<sup\b[^<>]{{0,200}}>[^<>]{{0,20}}</sup\s*>\s*</a\s*>",
    re.IGNORECASE,
)


_POWER = re.compile(r"(?<=\d)<sup\b[^<>]{0,200}>\s*([-−–+]?\d{1,3})\s*</sup\s*>", re.IGNORECASE)


def without_note_signs(page: str) -> str:
    """The page without the numbers of its notes, and with "10^6" for a raised number behind a number; every line stays where it is."""
    for pattern in (_LINK_OF_A_NOTE, _RAISED_LINK):
        page = pattern.sub(lambda match: "\n" * match.group().count("\n"), page)
    return _POWER.sub(r"^\1", page)
