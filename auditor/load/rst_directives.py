"""What the directives of reStructuredText and Sphinx contribute to a document."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.load import rst_tables, rst_words
from auditor.load.grid import add_table
from auditor.load.rst_source import Context, Term
from auditor.load.structure import Container, titled, whole
from auditor.text import inline
from auditor.text.inline import Inline

if TYPE_CHECKING:
    from auditor.load.rst_blocks import Scanner

_OPTION = re.compile(r":([\w-]+):(?:\s+(.*))?$")


@dataclass(frozen=True, slots=True)
class Directive:
    """A directive: its name, what stands behind it on the line, and its lines."""

    name: str
    argument: str
    begin: int
    end: int


def directive(scanner: Scanner, block: Directive, context: Context, intro: str) -> str:
    """Add the blocks of a directive. Returns the introducing sentence for what follows."""
    name = block.name.rpartition(":")[2]
    options, option_lines, body = _options(scanner, block)
    end = block.end
    if name == "meta":
        _meta(scanner, block)
        return intro
    if name in rst_words.UNREAD:
        return intro if name in {"index", "rst-class", "tabularcolumns"} else ""
    if name in rst_words.CODE:
        if body < end:
            lang = block.argument.split(maxsplit=1)[0].lower() if block.argument else ""
            scanner.code(body, end, lang, context)
        return ""
    if name in rst_words.TABLES:
        _table(scanner, block, name, options, option_lines, body, context, intro)
        return ""
    argument, argument_start = _argument(scanner, block)
    if name == "rubric":
        scanner.paragraph(argument, argument_start, argument_start + len(block.argument), context)
        return argument.text
    inner = context.inside()
    if name in rst_words.TITLED or (name in rst_words.CALLOUT and name in {"admonition", "topic"}):
        inner = context.inside(titled(argument.text, "note" if name == "admonition" else name))
    elif name in {"versionadded", "versionchanged", "deprecated", "version-added", "version-changed"}:
        inner = _versioned(scanner, block, name, argument, argument_start, context)
    elif name in rst_words.CALLOUT:
        inner = context.inside(titled("", name))
        _first_paragraph(scanner, block, inner)
        body = _after_argument(scanner, block, body)
    elif name in rst_words.QUOTES:
        inner = context.inside(flag="quote")
        _first_paragraph(scanner, block, inner)
        body = _after_argument(scanner, block, body)
    elif name in rst_words.OBJECTS and argument.text:
        box = Container(argument.text)
        inner = context.inside(box, term=Term(argument, argument_start))
    elif name not in rst_words.TRANSPARENT and not name.startswith("auto") and len(argument.text.split()) > 2:
        scanner.paragraph(argument, argument_start, argument_start + len(block.argument), inner)  # unknown: nothing is to get lost
    if body < end:
        scanner.parse(body, end, scanner.body_indent(body, end), inner)
    return ""


def _options(scanner: Scanner, block: Directive) -> tuple[dict[str, str], dict[str, int], int]:
    """The options right under a directive, their lines, and where its content begins."""
    options: dict[str, str] = {}
    lines: dict[str, int] = {}
    i = block.begin + 1
    name = ""
    while i < block.end and scanner.work[i]:
        content = scanner.work[i].strip()
        if match := _OPTION.match(content):
            name = match[1].lower()
            options[name], lines[name] = match[2] or "", i
        elif name and scanner.indent(i) > scanner.indent(lines[name]):
            options[name] += " " + content
        else:
            break
        i += 1
    return options, lines, i


def _argument(scanner: Scanner, block: Directive) -> tuple[Inline, int]:
    line = scanner.lines[block.begin].rstrip()
    at = max(len(line) - len(block.argument), 0) if block.argument else len(line)
    start = scanner.starts[block.begin] + at
    return inline.read(((line[at:], start),), "rst", substitutions=scanner.substitutions), start


def _first_paragraph(scanner: Scanner, block: Directive, context: Context) -> None:
    """The text that begins on the line of the directive and goes on below it until a blank line."""
    if not block.argument:
        return
    stop = block.begin + 1
    while stop < block.end and scanner.work[stop] and not _OPTION.match(scanner.work[stop].strip()):
        stop += 1
    saved = scanner.work[block.begin]
    scanner.work[block.begin] = block.argument
    reading, start, end = scanner.reading(block.begin, stop)
    scanner.work[block.begin] = saved
    scanner.paragraph(reading, start, end, context)


def _after_argument(scanner: Scanner, block: Directive, body: int) -> int:
    if not block.argument:
        return body
    while body < block.end and scanner.work[body]:
        body += 1
    return body


def _versioned(scanner: Scanner, block: Directive, name: str, argument: Inline, start: int, context: Context) -> Context:
    """`versionadded:: 1.2 Text`: the version belongs to the title of the box, the rest is its first paragraph."""
    version, _, rest = argument.text.partition(" ")
    words = {"versionadded": "Added in", "versionchanged": "Changed in", "deprecated": "Deprecated since"}
    inner = context.inside(Container(f"{words.get(name, 'Changed in')} {version}".strip(), "note"))
    if rest:
        shift = len(version) + 1
        anchors = tuple((max(at - shift, 0), source) for at, source in argument.anchors if at >= shift)
        first = argument.anchors[0][1] + shift if argument.anchors else start
        if not anchors or anchors[0][0] > 0:
            anchors = ((0, first), *anchors)
        scanner.paragraph(Inline(rest, anchors), anchors[0][1], start + len(block.argument), inner)
    return inner


def _table(
    scanner: Scanner,
    block: Directive,
    name: str,
    options: dict[str, str],
    option_lines: dict[str, int],
    body: int,
    context: Context,
    intro: str,
) -> None:
    argument, _ = _argument(scanner, block)
    caption = argument.text or intro
    if name == "table":
        while body < block.end and not scanner.work[body]:
            body += 1
        rows = rst_tables.drawn(scanner.source, body, block.end) if body < block.end else []
    elif name == "csv-table":
        rows = rst_tables.comma_separated(scanner.source, body, block.end, options, option_lines.get("header"))
    else:
        heads, stubs = (whole(options.get(key, "")) for key in ("header-rows", "stub-columns"))
        rows = rst_tables.listed(scanner.source, body, block.end, heads, stubs)
    if rows:
        add_table(scanner.sink, rows, caption=caption, within=context.boxes, flags=context.flags, guess_head=False)
    elif body < block.end:
        scanner.parse(body, block.end, scanner.body_indent(body, block.end), context.inside())


def _meta(scanner: Scanner, block: Directive) -> None:
    for i in range(block.begin + 1, block.end):
        if match := _OPTION.match(scanner.work[i].strip()):
            scanner.fields.setdefault(match[1].lower(), match[2] or "")
