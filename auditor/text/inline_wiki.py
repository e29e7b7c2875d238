"""What of a paragraph of wiki markup a reader sees: the dialects of MediaWiki and of Confluence.

What a loader has hidden from its reader (comments, templates, macros) comes as NUL characters, which no readable text holds.
"""

from __future__ import annotations

import html
import re

from auditor.text.inline_markdown import Kept, cut
from auditor.text.inline_marks import Scan

HIDDEN = "\0"

_MEDIAWIKI_SPECIAL = re.compile(r"[\0'\[<&{~]|__|\]\]")
_MEDIAWIKI = re.compile(
    r"""
      (?P<hidden>\0+)
    | (?P<quotes>'{2,5})
    | (?P<link>\[\[(?P<target>[^\[\]|\n<>{}\0]{0,300})(?P<bar>\|)?)
    | (?P<linkend>\]\])
    | (?P<external>\[(?:(?:https?|ftp|ftps|mailto|news|irc|tel):)?(?:(?<=:)|//)[^\s\]\[\0]{1,2000}(?P<space>[ \t]+)?)
    | (?P<externalend>\])
    | (?P<tag></?(?P<name>[A-Za-z][A-Za-z0-9]{0,15})(?:\s[^<>\0]{0,500})?/?>)
    | (?P<entity>&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)
    | (?P<switch>__[A-Z]{3,30}__)
    | (?P<parameter>\{\{\{?(?P<content>[^{}\0]{0,500})\}{2,3})
    | (?P<signature>~{3,5})
    """,
    re.VERBOSE,
)
_STRUCK_TAGS = frozenset({"s", "del", "strike"})


def scan_mediawiki(source: str, keep_struck: bool) -> tuple[list[Kept], bool]:
    """The kept parts of `source` in order, and whether any of it is struck out."""
    if not _MEDIAWIKI_SPECIAL.search(source):
        return [(source, 0, False)], False
    scan = Scan(source)
    links = externals = 0
    for match in _MEDIAWIKI.finditer(source):
        kind = next(name for name in _MEDIAWIKI_KINDS if match[name] is not None)
        start, end = match.span()
        if kind == "link":
            links += 1
            target = match["target"]
            bare = not match["bar"] or source.startswith("]]", end)
            if bare:  # the target is what is shown, without a leading colon
                begin = match.start("target") + (1 if target.startswith((":", "#")) else 0)
                scan.drop(start, begin)
                scan.drop(match.end("target"), end)
            else:
                scan.drop(start, end)
        elif kind == "linkend" and links:
            links -= 1
            scan.drop(start, end)
        elif kind == "external":
            externals += 1
            scan.drop(start, end)
        elif kind == "externalend" and externals:
            externals -= 1
            scan.drop(start, end)
        elif kind == "tag":
            name = match["name"].lower()
            scan.tag(name, start, end, source.startswith("</", start), name in _STRUCK_TAGS)
        elif kind == "entity":
            if (text := html.unescape(match.group())) != match.group():
                scan.drop(start, end, text)
        elif kind in {"hidden", "quotes", "switch", "parameter", "signature"}:
            scan.drop(start, end)
    return cut(source, scan.finished(keep_struck)), bool(scan.struck)


_MEDIAWIKI_KINDS = (
    *("hidden", "quotes", "link", "linkend", "external", "externalend", "tag", "entity", "switch", "parameter", "signature"),
)

_CONFLUENCE_SPECIAL = re.compile(r"[\0*_+^~{\[!\\&-]|\?\?")
_CONFLUENCE = re.compile(
    r"""
      (?P<hidden>\0+)
    | (?P<line_break>\\\\)
    | (?P<escape>\\(?=[^\w\s]))
    | (?P<mono>\{\{(?P<content>[^{}\n\0]{1,500})\}\})
    | (?P<status>\{status(?::(?P<settings>[^{}\n]{0,300}))?\})
    | (?P<macro>\{[a-z][a-z-]{1,40}(?::[^{}\n]{0,500})?\})
    | (?P<labelled>\[(?P<label>[^\[\]|\n\0]{1,500})\|(?P<url>[^\[\]\n]{1,1000})\])
    | (?P<bare>\[(?P<sign>[~^\#])?(?P<target>(?<=[~^\#])[^\[\]\n\0]{1,300}|(?:https?://|mailto:|//)[^\[\]\s]{1,1000}
        |[A-Z][\w ,:()'&/-]{2,150})\])
    | (?P<image>![^\s!|\n][^!|\n]{0,250}\.(?:png|jpe?g|gif|svg|bmp|webp)(?:\|[^!\n]{0,200})?!)
    | (?P<marks>\?\?|[*_+^~-])
    | (?P<entity>&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)
    """,
    re.VERBOSE,
)
_CONFLUENCE_KINDS = (
    *("hidden", "line_break", "escape", "mono", "status", "macro", "labelled", "bare", "image", "marks", "entity"),
)
_STATUS_TITLE = re.compile(r"(?:^|\|)title=([^|]*)")


def scan_confluence(source: str, keep_struck: bool) -> tuple[list[Kept], bool]:
    """The kept parts of `source` in order, and whether any of it is struck out."""
    if not _CONFLUENCE_SPECIAL.search(source):
        return [(source, 0, False)], False
    scan = Scan(source)
    position = 0
    while match := _CONFLUENCE.search(source, position):
        kind = next(name for name in _CONFLUENCE_KINDS if match[name] is not None)
        start, position = match.span()
        if kind == "escape":
            scan.drop(start, position)
            position += 1
        elif kind == "line_break":
            scan.drop(start, position, " ")
        elif kind == "mono":
            scan.drop(start, start + 2)
            scan.drop(position - 2, position)
        elif kind == "status":
            title = _STATUS_TITLE.search(match["settings"] or "")
            scan.drop(start, position, title[1].strip() if title else "")
        elif kind == "labelled":
            scan.drop(start, start + 1)
            scan.drop(match.end("label"), position)
        elif kind == "bare":
            scan.drop(start, match.start("target"))
            scan.drop(position - 1, position)
        elif kind == "marks":
            _confluence_mark(scan, match.group(), start)
        elif kind == "entity":
            if (text := html.unescape(match.group())) != match.group():
                scan.drop(start, position, text)
        else:
            scan.drop(start, position)
    return cut(source, scan.finished(keep_struck)), bool(scan.struck)


def _confluence_mark(scan: Scan, mark: str, start: int) -> None:
    """A hyphen or plus sign is a mark only with white space outside and text inside; the others as in the shared rules."""
    if mark in "-+":
        before = scan.source[start - 1] if start else " "
        after = scan.source[start + 1] if start + 1 < len(scan.source) else " "
        opens = (before.isspace() or before in "(|\0") and (
            after.isalpha() if mark == "+" else not (after.isspace() or after == "-")
        )
        closes = mark in scan.opened and not before.isspace() and before != "-" and (after.isspace() or after in ".,;:!?)|\0")
        if opens:
            scan.opened[mark] = start
        elif closes and "\n" not in scan.source[scan.opened[mark] : start]:
            begin = scan.opened.pop(mark)
            scan.drop(begin, begin + 1)
            scan.drop(start, start + 1)
            if mark == "-":
                scan.struck.append((begin, start + 1))
        return
    if mark == "^" and "^" not in scan.opened:
        scan.opened["^"] = start  # stays: 10^6^ must not become 106
    elif mark == "^":
        begin = scan.opened.pop("^")
        if start - begin > 1 and not scan.source[begin + 1 : start].isspace():
            scan.drop(start, start + 1)
    else:
        scan.mark(mark, start, free=mark == "~")
