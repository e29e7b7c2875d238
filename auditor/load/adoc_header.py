"""The head of an AsciiDoc document: title, authors, revision, and the attributes it sets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from auditor.load.adoc_source import SETTINGS
from auditor.load.dates import DATE
from auditor.load.structure import words
from auditor.text.inline import EMPTY, Inline

if TYPE_CHECKING:
    from auditor.load.adoc_blocks import Scanner

ENTRY = re.compile(r":(!)?(\w[\w-]{0,60})(!)?:(?:[ \t]+(\S.*?))?[ \t]*$")
_TITLE = re.compile(r"[=#][ \t]+(?=\S)")
_AUTHOR = re.compile(r"[^\W\d_][\w'’.-]*(?:[ \t]+[\w'’.-]+){0,3}(?:[ \t]+<[^<>\s]{1,200}>)?$")
_REVISION = re.compile(
    r"(?=.*\d)(?:(?:[A-Za-z]+[ \t]+|v)?(?P<number>\d[\w.-]*)(?:[ \t]*,[ \t]*|(?=[ \t]*(?::|$))))?(?P<date>[^:]{0,60}?)(?:[ \t]*:[ \t]*(?P<remark>.*))?$"
)
_NAMES = {"revnumber": "version", "revdate": "date", "authors": "author"}
_SHOWN = words(
    "author authors email owner status version revnumber revdate date updated last-updated lastupdated last-modified last-reviewed "
    "reviewed effective effective-date valid-from published created description keywords department organization maintainer "
    "approver responsible classification product product-version release review-date document-owner superseded-by"
)


def header(scanner: Scanner, i: int) -> int:
    """Read the head; returns the line where the body begins."""
    i = _entries(scanner, i, blank=True)
    if i >= len(scanner.lines):
        return i
    if match := _TITLE.match(scanner.lines[i]):
        begin = scanner.starts[i] + match.end()
    elif _underlined(scanner, i):
        begin = scanner.starts[i]
    else:
        return i
    span = scanner.trimmed(begin, scanner.starts[i] + len(scanner.lines[i]))
    i += 1 if match else 2
    if span[0] == span[1]:
        return i
    after = i
    if after < len(scanner.lines) and _is_authors(scanner.lines[after]):
        _authors(scanner, after)
        after += 1
        if after < len(scanner.lines) and (revision := _revision(scanner.lines[after])):
            _take_revision(scanner, after, revision)
            after += 1
    end = _entries(scanner, after, blank=False)
    scanner.title = scanner.heading([span], 1)  # attributes set below may stand in it
    scanner.attributes.set("doctitle", scanner.title)
    return end


def _underlined(scanner: Scanner, i: int) -> bool:
    lines = scanner.lines
    if i + 1 >= len(lines) or lines[i].startswith(".") or not any(character.isalnum() for character in lines[i]):
        return False
    rule = lines[i + 1].rstrip()
    return len(rule) > 3 and set(rule) == {"="} and abs(len(rule) - len(lines[i].rstrip())) <= 1


def _entries(scanner: Scanner, i: int, blank: bool) -> int:
    """Attribute entries and comments from line `i` on, over blank lines if `blank`; returns the first other line."""
    while i < len(scanner.lines):
        line = scanner.lines[i]
        if line.startswith(":") and ENTRY.match(line):
            i = entry(scanner, i)
        elif line.startswith("//") and not line.startswith("////"):
            i += 1
        elif line.startswith("////"):
            i = scanner.closing(i, len(scanner.lines), line.rstrip()) + 1
        elif (blank and scanner.blank(i)) or scanner.directives.include(line) or scanner.directives.condition(line) is not None:
            i += 1
        else:
            break
    scanner.show_boxes()
    return i


def entry(scanner: Scanner, i: int) -> int:
    """An attribute entry, which may go on on further lines. Returns the line after it."""
    match = ENTRY.match(scanner.lines[i])
    assert match is not None
    name = match[2]
    spans = [scanner.line_span(i, match.start(4))] if match[4] else []
    end = i + 1
    while spans and end < len(scanner.lines) and scanner.lines[end - 1].rstrip().endswith((" \\", " +")):
        a, b = spans[-1]
        spans[-1] = scanner.trimmed(a, b - 1)
        spans.append(scanner.line_span(end))
        end += 1
    if match[1] or match[3]:
        scanner.attributes.unset(name)
        return end
    value = " ".join(scanner.text[a:b] for a, b in spans)
    scanner.attributes.set(name, value)
    name = name.lower()
    if spans and name not in SETTINGS:
        reading = scanner.read([span for span in spans if span[0] < span[1]])
        if reading.text:
            start = scanner.starts[i] + match.start(2)
            scanner.field(_NAMES.get(name, name), reading, start, max(spans[-1][1], start + 1), shown=name in _SHOWN)
    return end


def _is_authors(line: str) -> bool:
    parts = [part.strip() for part in line.strip().split(";")]
    return len(line) < 300 and all(_AUTHOR.match(part) for part in parts if part) and any(parts) and not _revision(line)


def _authors(scanner: Scanner, i: int) -> None:
    names: list[Inline] = []
    line, base = scanner.lines[i], scanner.starts[i]
    position = 0
    for part in line.split(";"):
        name, _, mail = part.partition("<")
        start = base + position + len(name) - len(name.lstrip())
        names.append(Inline(name.strip().replace("_", " "), ((0, start),)))
        if mail:
            scanner.fields.setdefault("email", mail.strip(" >"))
            scanner.attributes.set("email", mail.strip(" >"))
        position += len(part) + 1
    names = [name for name in names if name.text]
    reading = names[0] if len(names) == 1 else EMPTY
    if len(names) > 1:
        from auditor.text import inline

        reading = inline.join(names, ", ")
    span = scanner.line_span(i)
    scanner.attributes.set("author", reading.text)
    scanner.field("author", reading, span[0], span[1])


def _revision(line: str) -> re.Match[str] | None:
    """A revision line: `v1.2, 3 March 2024: remark`, where it says a version or a date."""
    match = _REVISION.match(line.strip()) if len(line) < 300 and not line.startswith((":", "//", "=")) else None
    if match and (DATE.search(match["date"] or "") or (match["number"] and not match["date"])):
        return match
    return None


def _take_revision(scanner: Scanner, i: int, match: re.Match[str]) -> None:
    shift = scanner.line_span(i)[0]
    dated = not match["date"] and DATE.fullmatch(match["number"] or "")
    for group, name in (("number", "date" if dated else "version"), ("date", "date")):
        if value := match[group]:
            start = shift + match.start(group)
            scanner.attributes.set("revnumber" if name == "version" else "revdate", value)
            scanner.field(name, Inline(value, ((0, start),)), start, start + len(value))
    if match["remark"]:
        scanner.attributes.set("revremark", match["remark"])
