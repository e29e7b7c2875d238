"""Gets a Markdown source ready for the CommonMark parser.

Dialects put things around CommonMark that its parser would take for text: containers (`:::note`, `!!! warning`, `=== "Tab"`,
`<TabItem>`, shortcodes), comments over several lines, HTML tables with blank lines. They are taken out here, line by line, so
that line *n* of what the parser reads is line *n* of the source, and what is left of a line is a part of it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from auditor.load import md_containers
from auditor.load.structure import Container

_FENCE = re.compile(r"^[ \t]*(?:>[ \t]?)*[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*)$")
_FENCE_END = re.compile(r"^[ \t>]*(`{3,}|~{3,})[ \t]*$")
_PREFIX = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*$")
_TABLE = re.compile(r"<table\b|</table\s*>|<pre\b|</pre\s*>", re.IGNORECASE)
_LIQUID_COMMENT = re.compile(r"\{%-?\s*comment\s*-?%\}|\{%-?\s*endcomment\s*-?%\}")
_MDX_LINE = re.compile(
    r"(?:import\s.*(?:from\s*)?['\"].+['\"];?|import\s*\{.*|export\s+(?:const|let|var|default|function|\{).*)\s*$"
)
_DEEP_QUOTE = re.compile(r"^(?:[ ]{0,3}>[ \t]?){12,}")
_LIQUID_CODE = re.compile(r"^([ \t]*)\{%-?\s*(?:(highlight)\s+([\w+-]+)[^%]*|(endhighlight))\s*-?%\}\s*$")

NORMAL, CODE = 0, 1


@dataclass(slots=True)
class Prepared:
    """The parser's input and what was taken out of it."""

    source: str
    contexts: list[tuple[Container, ...]]  # per line: the boxes it stands in, outermost first
    tables: list[tuple[int, int]]  # spans of HTML tables in the document
    starts: list[int]  # per line: its position in the document
    lines: list[str]  # as in the document

    def blank(self, begin: int, end: int) -> None:
        """Keep some lines from the parser."""
        if begin < end:
            work = self.source.split("\n")
            work[begin:end] = [""] * (end - begin)
            self.source = "\n".join(work)


def prepare(text: str, begin: int, mdx: bool) -> Prepared:
    """Take apart `text`; lines before the position `begin` (front matter) are left empty."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    starts.pop()
    first = bisect_right(starts, max(begin, 0)) - 1 if begin else 0
    work = [""] * first + lines[first:]
    kinds = _fences(work)
    tables: list[tuple[int, int]] = []
    cuts = _comments(text, begin, starts, kinds)
    if "<" in text:
        tables = _tables(text, begin, starts, kinds, cuts)
        cuts += tables
    events: list[md_containers.Event] = []
    if md_containers.MAY_HAVE_TAGS.search(text):
        events, tag_cuts = md_containers.tags(text, begin, mdx)
        outside = [kinds[bisect_right(starts, event.at) - 1] == NORMAL for event in events]
        events = [event for event, keep in zip(events, outside, strict=True) if keep]
        cuts += [cut for cut in tag_cuts if kinds[bisect_right(starts, cut[0]) - 1] == NORMAL]
    if cuts:
        _cut(work, starts, cuts)
    if mdx:
        _imports(work, kinds)
    contexts = md_containers.containers(work, kinds, starts, events)
    for i, line in enumerate(work):
        if line and kinds[i] == NORMAL and line.count(">") > 12 and (deep := _DEEP_QUOTE.match(line)):
            work[i] = "> " + line[deep.end() :].lstrip("> ")
    return Prepared("\n".join(work), contexts, tables, starts, lines)


def _fences(work: list[str]) -> list[int]:
    """Which lines belong to fenced code. Jekyll's `{% highlight %}` is turned into a fence, MyST's `{note}` is none."""
    kinds = [NORMAL] * len(work)
    mark = ""
    nested: list[str] = []
    for i, line in enumerate(work):
        if "{%" in line and (liquid := _LIQUID_CODE.match(line)):
            if liquid[2] and not mark:
                work[i], mark = f"{liquid[1]}```{liquid[3]}", "liquid"
            elif liquid[4] and mark == "liquid":
                work[i], mark = f"{liquid[1]}```", ""
                kinds[i] = CODE
                continue
        if mark:
            kinds[i] = CODE
            if mark != "liquid" and (end := _FENCE_END.match(line)) and end[1][0] == mark[0] and len(end[1]) >= len(mark):
                mark = ""
        elif "```" in line or "~~~" in line:
            if nested and (end := _FENCE_END.match(line)) and end[1][0] == nested[-1][0] and len(end[1]) >= len(nested[-1]):
                nested.pop()
            elif start := _FENCE.match(line):
                if md_containers.myst_box(start[2]):
                    nested.append(start[1])
                else:
                    kinds[i], mark = CODE, start[1]
    return kinds


def _comments(text: str, begin: int, starts: list[int], kinds: list[int]) -> list[tuple[int, int]]:
    """Spans of HTML comments and Liquid comments outside code."""
    spans: list[tuple[int, int]] = []
    at = text.find("<!--", begin)
    while at >= 0:
        line = bisect_right(starts, at) - 1
        in_code = kinds[line] == CODE or text.count("`", starts[line], at) % 2 == 1
        end = -1 if in_code else text.find("-->", at + 4)
        if not in_code and end < 0:
            break
        if not in_code:
            spans.append((at, end + 3))
        at = text.find("<!--", at + 4 if in_code else end + 3)
    opened: int | None = None
    for match in _LIQUID_COMMENT.finditer(text, begin) if "comment" in text and "{%" in text else ():
        if "end" in match.group():
            if opened is not None:
                spans.append((opened, match.end()))
            opened = None
        elif opened is None and kinds[bisect_right(starts, match.start()) - 1] == NORMAL:
            opened = match.start()
    return spans


def _tables(text: str, begin: int, starts: list[int], kinds: list[int], cuts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of `<table>` and `<pre>` elements that begin on a line of their own. (Inner tables belong to the outer one.)"""
    spans: list[tuple[int, int]] = []
    commented = sorted(cuts)
    depth = start = 0
    for match in _TABLE.finditer(text, begin):
        line = bisect_right(starts, match.start()) - 1
        if kinds[line] == CODE:
            continue
        closing = match.group().startswith("</")
        if not closing and depth == 0:
            if text[starts[line] : match.start()].strip(" \t>-*+") and not text[starts[line] : match.start()].strip().endswith(">"):
                continue
            i = bisect_right(commented, (match.start(), 0)) - 1
            if i >= 0 and commented[i][1] > match.start():
                continue
            start = match.start()
        if closing:
            depth -= depth > 0
            if depth == 0 and start >= 0 and match.start() > start:
                spans.append((start, match.end()))
                start = -1
        else:
            depth += 1
    return spans


def _cut(work: list[str], starts: list[int], cuts: list[tuple[int, int]]) -> None:
    """Take spans out of the lines where they stand at the beginning or the end. (The inline reader drops those in between.)"""
    per_line: dict[int, list[tuple[int, int]]] = {}
    for start, end in cuts:
        first, last = bisect_right(starts, start) - 1, bisect_right(starts, max(end - 1, start)) - 1
        for line in range(first, last + 1):
            from_, to = max(start - starts[line], 0), end - starts[line]
            per_line.setdefault(line, []).append((from_, to))
    for number, spans in per_line.items():
        rest = work[number]
        offset = 0
        for from_, to in sorted(spans):
            from_, to = max(from_ - offset, 0), min(to - offset, len(rest))
            if to <= 0:
                continue
            if not rest[to:].strip():
                rest = rest[:from_].rstrip()
            elif prefix := _PREFIX.match(rest[:from_]):
                kept = prefix.group() + rest[to:].lstrip()
                offset += len(rest) - len(kept)
                rest = kept
        work[number] = rest if rest.strip() else ""


def _imports(work: list[str], kinds: list[int]) -> None:
    """Empty the `import` and `export` statements of MDX, which end with a blank line, or where the braces they open are closed."""
    statement = False
    depth = 0
    for i, line in enumerate(work):
        if kinds[i] == CODE:
            statement, depth = False, 0
            continue
        if not line.strip():
            statement = statement and depth > 0
        elif (statement and not (depth > 0 and line.startswith("#"))) or _MDX_LINE.match(line):
            depth = (depth if statement else 0) + line.count("{") - line.count("}")
            statement = True
            work[i] = ""
        else:
            statement = False
