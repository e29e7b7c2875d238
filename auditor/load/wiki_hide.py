"""What the reader of a MediaWiki page does not see as text of the page: comments, templates, references, files, categories.

One pass with a stack overwrites it with NUL characters, so that the rest stays where it is. Some of it is kept apart: parameters
of information boxes as fields, the text of boxed remarks and of footnotes, code, and what banners say about the status of a page.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field

from auditor.load.structure import CALLOUTS, Container, titled, words

_TOKEN = re.compile(
    r"<!--|\{\{|\}\}|\[\[(?=[\w -]{2,20}:)|\[\[|\]\]"
    r"|<(?P<tag>nowiki|pre|syntaxhighlight|source|ref|references|math|chem|gallery|timeline|score|imagemap|templatestyles|graph|mapframe|style"
    r"|includeonly|noinclude|onlyinclude)(?P<settings>(?:\s[^<>]{0,500}?)?)(?P<empty>/?)>",
    re.IGNORECASE,
)
_UNREAD_LINK = re.compile(
    r"\[\[\s*(file|image|datei|bild|fichier|archivo|media|category|kategorie|catégorie|categoría)\s*:", re.IGNORECASE
)
_CATEGORY = re.compile(r"\[\[\s*[^:\[\]|]{1,20}:\s*([^\[\]|]{1,200})")
_PARAMETER = re.compile(r"\s*([A-Za-z][\w .-]{0,40}?)\s*=\s*")
_VALUE_UNREAD = re.compile(r"\.(?:svg|png|jpe?g|gif|webp)\s*$|^\s*$", re.IGNORECASE)
_LANGUAGE = re.compile(r"lang\s*=\s*[\"']?([\w+#-]{1,30})", re.IGNORECASE)
_CITED = re.compile(r"\{\{|https?://|\bISBN\b|\bpp?\.\s*\d", re.IGNORECASE)
_STATUS = {
    "draft": "draft", "outdated": "obsolete", "obsolete": "obsolete", "deprecated": "deprecated", "historical": "archived",
    "archive": "archived", "archived": "archived", "superseded": "superseded", "historic": "archived",
}  # fmt: skip
_FIRST = words(
    "nowrap nobr small big strong em code tt kbd mono val num formatnum lc uc lcfirst ucfirst abbr tooltip key keypress mark center"
)
_SECOND = words("lang color colour font-color tcolor transl")
_JOINED = words("convert cvt quantity unit")
_HIDE_CONTENT = frozenset(
    {
        "math",
        "chem",
        "gallery",
        "timeline",
        "score",
        "imagemap",
        "templatestyles",
        "graph",
        "mapframe",
        "style",
        "references",
        "includeonly",
    }
)


@dataclass(slots=True)
class Hidden:
    """The text with what is hidden overwritten, and what was kept of it."""

    work: str = ""
    parameters: list[tuple[str, int, int, str]] = field(default_factory=list)  # name, span and text of the value
    fields: dict[str, str] = field(default_factory=dict)
    remarks: list[tuple[int, int, Container]] = field(default_factory=list)
    notes: list[tuple[int, int]] = field(default_factory=list)
    code: list[tuple[int, int, str]] = field(default_factory=list)


def hide(text: str) -> Hidden:
    """Read a page."""
    found = Hidden()
    cuts: list[tuple[int, int]] = []
    keeps: list[tuple[int, int]] = []  # of templates that stand for their text
    stack: list[tuple[str, int]] = []
    ends: dict[str, int] = {}  # tags whose end was searched for in vain from here on
    templates = 0
    position = 0
    while match := _TOKEN.search(text, position):
        token, start, position = match.group(), match.start(), match.end()
        if token == "<!--":
            close = -1 if "-->" in ends else text.find("-->", position)
            if close < 0:
                ends["-->"] = start
                continue
            position = close + 3
            cuts.append((start, position))
        elif match["tag"]:
            position = _element(text, match, found, cuts, ends)
        elif token == "{{" or token == "[[":
            stack.append((token, start))
            templates += token == "{{"
            if len(stack) > 10_000:
                break
        elif token == "}}":
            while templates and stack[-1][0] != "{{":
                stack.pop()
            if templates:
                templates -= 1
                begin = stack.pop()[1]
                if not templates:
                    cuts.append((begin, position))
                    _template(text, begin + 2, start, found, keeps)
        elif token == "]]" and stack and stack[-1][0] == "[[":
            begin = stack.pop()[1]
            if _UNREAD_LINK.match(text, begin) and not templates:
                cuts.append((begin, position))
                if (category := _CATEGORY.match(text, begin)) and category.group()[2:].lstrip()[:3].lower() in {"cat", "kat"}:
                    names = found.fields.get("category", "")
                    found.fields["category"] = f"{names}, {category[1].strip()}".strip(", ")[:500]
    found.work = _overwritten(text, cuts, keeps)
    return found


def _element(text: str, match: re.Match[str], found: Hidden, cuts: list[tuple[int, int]], ends: dict[str, int]) -> int:
    """An element whose content is no markup, or is shown elsewhere. Returns where to go on."""
    tag, start, begin = match["tag"].lower(), match.start(), match.end()
    if match["empty"] or tag in {"noinclude", "onlyinclude"}:
        cuts.append((start, begin))
        return begin
    close = None if tag in ends else re.compile(rf"</{tag}\s*>", re.IGNORECASE).search(text, begin)
    if close is None:
        ends[tag] = start
        cuts.append((start, begin))
        return begin
    cuts.append((start, begin))
    cuts.append((close.start(), close.end()))
    if tag in {"pre", "syntaxhighlight", "source"}:
        language = _LANGUAGE.search(match["settings"])
        inline = "\n" not in text[begin : close.start()] and text.rfind("\n", 0, start) + 1 < start
        if not inline:
            found.code.append((begin, close.start(), language[1].lower() if language else ""))
            cuts.append((begin, close.start()))
    elif tag == "ref":
        cuts.append((begin, close.start()))
        content = text[begin : close.start()]
        if len(content.split()) > 3 and not _CITED.search(content):
            found.notes.append((begin, close.start()))
    elif tag in _HIDE_CONTENT:
        cuts.append((begin, close.start()))
    return close.end()


def _template(text: str, begin: int, end: int, found: Hidden, keeps: list[tuple[int, int]]) -> None:
    """What a template (not one within another) says."""
    bounds = _arguments(text, begin, end)
    name = " ".join(text[bounds[0][0] : bounds[0][1]].split()).lower().replace("_", " ")
    arguments = bounds[1:]
    named = [(match, span) for span in arguments if (match := _PARAMETER.match(text, span[0], span[1]))]
    if status := _STATUS.get(name):
        found.fields.setdefault("status", status)
    if (
        name.startswith(("infobox", "taxobox"))
        or name.endswith((" infobox", " metadata", "properties"))
        or name in _STATUS
        or name == "metadata"
    ):
        for match, (_, stop) in named[:200]:
            start = match.end()
            value = text[start:stop].rstrip()
            if not _VALUE_UNREAD.search(value) and len(value) < 500 and "[[File:" not in value:
                found.parameters.append((match[1].replace("_", " "), start, start + len(value), value))
    elif (name in CALLOUTS and name != "cite") or name in {"mbox", "ambox", "ombox"}:
        for span in arguments:
            match = _PARAMETER.match(text, *span)
            if not match or match[1] in {"1", "2", "text"}:
                start = match.end() if match else span[0]
                if text[start : span[1]].strip():
                    found.remarks.append((start, span[1], titled("", name if name in CALLOUTS else "note")))
                    break
    elif arguments and (name in _FIRST or name in _SECOND or name in _JOINED):
        chosen = arguments[:2] if name in _JOINED else arguments[1:2] if name in _SECOND else arguments[:1]
        keeps += [span for span in chosen if "=" not in text[slice(*span)]]


def _arguments(text: str, begin: int, end: int) -> list[tuple[int, int]]:
    """Spans of the name and arguments of a template, split at pipes outside of links and inner templates."""
    spans: list[tuple[int, int]] = []
    depth, start, i = 0, begin, begin
    while i < end:
        pair = text[i : i + 2]
        if pair in {"{{", "[["}:
            depth += 1
            i += 1
        elif pair in {"}}", "]]"}:
            depth -= 1
            i += 1
        elif text[i] == "|" and depth <= 0:
            spans.append((start, i))
            start = i + 1
        i += 1
    spans.append((start, end))
    return spans


def _overwritten(text: str, cuts: list[tuple[int, int]], keeps: list[tuple[int, int]]) -> str:
    if not cuts:
        return text
    cuts.sort()
    keeps.sort()
    out: list[str] = []
    position = 0
    for start, end in cuts:
        start = max(start, position)
        if start >= end:
            continue
        out.append(text[position:start])
        at = start
        i = bisect_left(keeps, (start, 0))
        while i < len(keeps) and keeps[i][0] < end:
            a, b = keeps[i]
            if at > start:  # what stands between two arguments
                out.append(" ")
                at += 1
            out += ["\0" * (a - at), text[a:b]]
            at = b
            i += 1
        out.append("\0" * (end - at))
        position = end
    out.append(text[position:])
    return "".join(out)
