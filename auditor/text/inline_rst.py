"""What of a reStructuredText paragraph a reader sees: emphasis, literals, roles, targets and references are cut away."""

from __future__ import annotations

import re
from collections.abc import Mapping

_SPECIAL = re.compile(r"[\\`*|_]")

# Start marks stand after white space or opening punctuation, end marks before white space or closing punctuation.
_BEFORE = r"(?:^|(?<=[\s'\"(\[{<\-/:‘’“”–—¿«]))"
_AFTER = r"(?=$|[\s'\")\]}>\-/:.,;!?\\’”–—»])"
_TOKEN = re.compile(
    rf"""
      (?P<escape>\\(?:\s|.))
    | (?P<literal>{_BEFORE}``(?=\S))
    | (?P<interpreted>(?::(?P<role>[A-Za-z][\w:.+-]*):)?
                      `(?P<content>(?![\s`])(?:[^`\\]|\\.)*+)`
                      (?:__?(?!\w)|:(?P<after>[A-Za-z][\w.+-]*):)?)
    | (?P<strong>{_BEFORE}\*\*(?![\s*])(?:(?!\*\*)[^\\]|\\.)+?(?<=\S)\*\*{_AFTER})
    | (?P<emphasis>{_BEFORE}\*(?![\s*])(?:[^*\\]|\\.)+?(?<=\S)\*{_AFTER})
    | (?P<substitution>{_BEFORE}\|(?P<name>[^\s|](?:[^|\n]*[^\s|])?)\|(?:__?)?{_AFTER})
    | (?P<note>{_BEFORE}\[(?:\d+|\#[\w.-]*|\*|[A-Za-z][\w.-]*)\]_{_AFTER})
    | (?P<target>{_BEFORE}_`[^`]+`{_AFTER})
    | (?P<reference>(?<=[^\W_])__?(?![\w`]){_AFTER})
    """,
    re.VERBOSE | re.DOTALL,
)
_LITERAL_END = re.compile(rf"(?<=\S)``{_AFTER}")
_EXPLICIT = re.compile(r"(?<!\\)<[^<>]*>\s*$")
_ESCAPED = re.compile(r"\\(\s|.)", re.DOTALL)
_UNREAD_ROLES = ("raw", "index", "download-badge")
_STRUCK_ROLES = frozenset({"strike", "del", "s", "struck", "strikethrough"})

Kept = tuple[str, int, bool]


def scan(source: str, substitutions: Mapping[str, str], keep_struck: bool) -> tuple[list[Kept], bool]:
    """The kept parts of `source` in order, and whether any of it is struck out."""
    if not _SPECIAL.search(source):
        return [(source, 0, False)], False
    kept: list[Kept] = []
    struck = False
    literals = True  # whether a literal can still end somewhere; keeps unclosed marks from being searched for again and again
    position = done = 0
    while match := _TOKEN.search(source, position):
        start, end = match.start(), match.end()
        kind = next(name for name in _KINDS if match.start(name) >= 0)
        if kind == "literal":
            close = _LITERAL_END.search(source, end + 1) if literals else None
            if close is None:
                literals, position = False, end
                continue
            kept += [(source[done:start], done, False), (source[end : close.start()], end, False)]
            position = done = close.end()
            continue
        kept.append((source[done:start], done, False))
        position = done = end
        if kind == "escape":
            if not source[start + 1].isspace():  # an escaped blank joins what it stands between
                kept.append((source[start + 1 : end], start + 1, False))
        elif kind in {"strong", "emphasis"}:
            width = 2 if kind == "strong" else 1
            _unescaped(source, start + width, end - width, kept)
        elif kind == "interpreted":
            role = (match.group("role") or match.group("after") or "").lower()
            if role in _STRUCK_ROLES:
                struck = True
            if role.startswith(_UNREAD_ROLES) or (role in _STRUCK_ROLES and not keep_struck):
                continue
            _interpreted(source, match.start("content"), match.end("content"), role, kept)
        elif kind == "substitution":
            text = substitutions.get(match.group("name").lower())
            if text:
                kept.append((text, start, True))
        elif kind == "target":
            kept.append((source[start + 2 : end - 1], start + 2, False))
    kept.append((source[done:], done, False))
    return [part for part in kept if part[0]], struck


_KINDS = ("escape", "literal", "interpreted", "strong", "emphasis", "substitution", "note", "target", "reference")


def _interpreted(source: str, start: int, end: int, role: str, kept: list[Kept]) -> None:
    explicit = _EXPLICIT.search(source, start, end)
    if explicit and explicit.start() > start:
        end = start + len(source[start : explicit.start()].rstrip())
    elif explicit:  # "`<https://example.org>`_" has no other text than its target
        start, end = start + 1, source.rindex(">", start, end)
    elif role and source[start] in "~!":
        start += 1
    _unescaped(source, start, end, kept)


def _unescaped(source: str, start: int, end: int, kept: list[Kept]) -> None:
    for match in _ESCAPED.finditer(source, start, end):
        kept.append((source[start : match.start()], start, False))
        start = match.start(1) if not match.group(1).isspace() else match.end()
    kept.append((source[start:end], start, False))
