"""Where a passage stands, in words: a locator ("sheet=Prices!B7") is for programs, "sheet Prices, cell B7" for people."""

from __future__ import annotations

import re

from auditor.model import Side

_ALONE = {"header": "page header or footer", "properties": "document properties"}
_NUMBERED = frozenset({"page", "slide", "paragraph", "cell", "chapter", "footnote", "endnote"})
_RANGE = re.compile(r"(\d+)-(\d+)")
_NAME = r"'(?:[^']|'')*'|[^'!]*"  # of a sheet, quoted as in a formula where it has to be
_CELLS = re.compile(rf"({_NAME})!([A-Z]{{1,3}}\d+)(?:-(?:{_NAME})!([A-Z]{{1,3}}\d+))?", re.DOTALL)


def place_of(side: Side) -> str:
    """Where the passage of a side stands in its document: "lines 12–14", "page 3, line 5"; "" when nothing tells."""
    locator = side.locator or (f"page={side.page}" if side.page is not None else None)
    return in_words(locator, side.line_start)


def passage_at(doc: str, locator: str | None, line: int | None) -> str:
    """A passage in the terminal: "faq.md:12", as editors take it, where lines of the file tell the place, else "plan.pptx, slide 4"."""
    if (locator or "line=").startswith("line=") and line is not None:
        return f"{doc}:{line}"
    return ", ".join(filter(None, (doc, in_words(locator, line))))


def in_words(locator: str | None, line: int | None = None) -> str:
    """A locator in words; `line` is that of a document without locator, and else counts from the place the locator names.

    The text may hold the name of a sheet, which is a document's text: whoever prints it escapes it.
    """
    if not locator:
        return f"line {line}" if line is not None else ""
    kind, _, where = locator.partition("=")
    if kind == "line":
        return _numbered(kind, where) if where else in_words(None, line)
    words = _ALONE.get(locator) or (_sheet(where) if kind == "sheet" and where else "")
    words = words or (_numbered(kind, where) if kind in _NUMBERED and where else locator.replace("=", " ", 1))
    # Of a passage that runs from one page to the next, the line is one of the first page and would be taken for one of the last.
    return words if line is None or _RANGE.fullmatch(where) else f"{words}, line {line}"


def _numbered(kind: str, where: str) -> str:
    found = _RANGE.fullmatch(where)
    if found is None or found[1] == found[2]:
        return f"{kind} {found[1] if found else where}"
    return f"{kind}s {found[1]}–{found[2]}"


def _sheet(where: str) -> str:
    found = _CELLS.fullmatch(where)
    if found is None:
        return f"sheet {_unquoted(where)}"
    name, first, last = found.groups()
    cells = f"cells {first}–{last}" if last and last != first else f"cell {first}"
    return f"sheet {_unquoted(name)}, {cells}"


def _unquoted(name: str) -> str:
    quoted = len(name) > 1 and name[0] == name[-1] == "'"
    return name[1:-1].replace("''", "'") if quoted else name
