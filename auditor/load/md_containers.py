"""Containers of Markdown dialects: which admonition, tab or card each line stands in.

Read are `:::note{title="…"}` and `::: warning Title` (Docusaurus, VitePress, MyST, remark-directive), `!!! tip "Title"`, `???
note`, `=== "Tab"` (Python-Markdown), ```` ```{note} ```` (MyST), `<TabItem label="…">` and other titled components (MDX),
`<details>`, and the shortcodes `{% hint %}`, `{{< tab "…" >}}` of GitBook and Hugo. Their own lines are emptied; what they hold
is read as Markdown.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from auditor.load.structure import CALLOUTS, Container, titled, words

_MYST = re.compile(r"\{([a-z][\w:-]*)\}\s*(.*)$")
_BOXES = frozenset(CALLOUTS) | words("tab-set tab-item dropdown card grid grid-item grid-item-card margin sidebar topic div")
MAY_HAVE_TAGS = re.compile(r"</?(?:[A-Z]|details\b)")

_COLON = re.compile(r"^[ \t]*(:{3,})[ \t]*(?:\{?\.?([A-Za-z][\w-]*)\}?)?(.*)$")
_LEAF = re.compile(r"^[ \t]*::[A-Za-z][\w-]*(?:\[[^\]]*\])?(?:\{[^}]*\})?[ \t]*$")
_BANG = re.compile(r"^([ \t]*)(?:(?:!!!|\?\?\?\+?)[ \t]+([\w-]+)(?:[ \t]+[\w-]+)*|===[+!]?)(?:[ \t]+\"([^\"]*)\")?[ \t]*$")
_SHORTCODE = re.compile(
    r"^[ \t]*(?:\{\{[<%]\s*(/?)\s*([\w-]+)((?:(?!\}\}).)*?)/?\s*[>%]\}\}|\{%-?\s*(end)?([\w-]+)((?:(?!%\}).)*?)-?%\})[ \t]*$"
)
_TITLE = re.compile(
    r"""\b(?:title|label|summary|header|heading|name|tabName)\s*=\s*\{?["'`]?(?:(?<=")([^"]*)"|(?<=')([^']*)'|(?<=`)([^`]*)`)"""
)
_QUOTED = re.compile(r"^\s*\"([^\"]*)\"|^\s*'([^']*)'")
_TYPE = re.compile(r"\b(?:type|style|variant|color|intent)\s*=\s*\{?[\"']?([\w-]+)")
_ITEMS = re.compile(r"\bitems\s*=\s*\{?\s*\[([^\]]{0,2000})\]")
_LABEL = re.compile(r"[\"']([^\"']{1,100})[\"']")
_PARAMETER = re.compile(r"\b(?:path|query|body|header|name)\s*=\s*\{?[\"']([^\"']{1,100})")
_TAG_START = re.compile(r"<(/?)([A-Z][A-Za-z0-9.]*|details)(?=[\s/>])")
_SUMMARY = re.compile(r"\s*<summary[^<>]*>(.{1,300}?)</summary>", re.DOTALL | re.IGNORECASE)
_MARKUP = re.compile(r"<[^<>]*>|\*\*|__|`")
_TEMPLATE_LINE = re.compile(r"^[ \t]*(?:(?:\{\{(?:(?!\}\}).)*+\}\}|\{%(?:(?!%\}).)*+%\}|\{:[^{}]*\})[ \t]*+)+$")
_MYST_OPTION = re.compile(r"^[ \t]*:[\w-]+:(?:[ \t].*)?$")
_MAX_FAILURES = 500  # tags that do not end; a text with more of them is none of components
_LETTERS = re.compile(r"[a-z]")


@dataclass(frozen=True, slots=True)
class Event:
    """A component tag that opens (with its container) or closes a box."""

    at: int
    name: str
    box: Container | None  # None: closing tag


@dataclass(frozen=True, slots=True)
class _Open:
    key: tuple[str, str]
    box: Container
    indent: int = 0  # of what Python-Markdown indents: how deep its marker stands


def tags(text: str, begin: int, mdx: bool) -> tuple[list[Event], list[tuple[int, int]]]:
    """Component tags with their boxes, and the spans to take out of the text.

    `<details>` stays in the text: the CommonMark parser and the HTML reader know it.
    """
    events: list[Event] = []
    cuts: list[tuple[int, int]] = []
    labels: list[list[str]] = []  # of the tabs that are open, where they are given at the top
    failures = 0
    for match in _TAG_START.finditer(text, begin):
        name, at = match.group(2), match.start()
        before = text[at - 1] if at else ""
        if before == "`" or (before.isalnum() and not match.group(1)) or not _LETTERS.search(name):
            continue  # code, a generic type (`List<Item>`), or an upper-case HTML tag
        end = _tag_end(text, match.end())
        if end < 0:
            failures += 1
            if failures > _MAX_FAILURES:
                break
        if end < 0 or _in_ticks(text, at):
            continue
        if name != "details":
            cuts.append((at, end))
        if match.group(1):
            events.append(Event(at, name, None))
            if name == "Tabs" and labels:
                labels.pop()
        elif text[end - 2] != "/":
            attributes = text[match.end() : end - 1]
            box = _component(name, attributes, text, end)
            if name == "Tabs":
                items = _ITEMS.search(attributes)
                labels.append(_LABEL.findall(items[1])[::-1] if items else [])
            elif not box.title and labels and labels[-1] and name in {"Tab", "Tabs.Tab", "Tabs.TabPane", "TabItem"}:
                box = Container(labels[-1].pop())
            events.append(Event(at, name, box))
    return events, cuts


def myst_box(info: str) -> bool:
    """Whether a fence with this info string holds Markdown rather than code."""
    match = _MYST.match(info)
    return match is not None and match[1] in _BOXES


def _component(name: str, attributes: str, text: str, end: int) -> Container:
    if name == "details":
        summary = _SUMMARY.match(text, end, end + 600)
        return Container(" ".join(_MARKUP.sub("", summary.group(1)).split()) if summary else "")
    kind = _TYPE.search(attributes)
    title = _attribute_title(attributes)
    if (
        kind
        and kind.group(1).lower() in CALLOUTS
        and name.lower() in {"admonition", "callout", "alert", "aside", "note", "hint", "message"}
    ):
        return titled(title, kind.group(1))
    if name in {"ParamField", "ResponseField"} and (parameter := _PARAMETER.search(attributes)):
        title = parameter.group(1)
    if not title and name.lower().startswith("tab") and (value := re.search(r"\bvalue\s*=\s*\{?[\"']([^\"']*)", attributes)):
        title = value.group(1)
    return titled(title, name)


def _attribute_title(attributes: str) -> str:
    match = _TITLE.search(attributes)
    return next((group for group in match.groups() if group), "") if match else ""


def _tag_end(text: str, position: int) -> int:
    """Where a component tag ends, minding quotes and braces; -1 when it does not within 2,000 characters."""
    depth, quote = 0, ""
    for i in range(position, min(len(text), position + 2000)):
        character = text[i]
        if quote:
            if character == quote:
                quote = ""
        elif character in "\"'`" and (depth or character != "`"):
            quote = character
        elif character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
        elif character == ">" and depth <= 0:
            return i + 1
        elif character == "<" and not depth:
            return -1
    return -1


def _in_ticks(text: str, at: int) -> bool:
    return text.count("`", text.rfind("\n", 0, at) + 1, at) % 2 == 1


def containers(work: list[str], kinds: list[int], starts: list[int], events: list[Event]) -> list[tuple[Container, ...]]:
    """Per line the boxes it stands in. Empties marker lines of `work` and takes away the indentation Python-Markdown asks for."""
    contexts: list[tuple[Container, ...]] = []
    stack: list[_Open] = []
    current: tuple[Container, ...] = ()
    by_line: dict[int, list[Event]] = {}
    for event in events:
        by_line.setdefault(bisect_right(starts, event.at) - 1, []).append(event)
    options = False  # whether the option lines of a MyST directive may follow
    for i, line in enumerate(work):
        size = len(stack)
        if line.strip():
            line = _dedented(line, stack, in_code=bool(kinds[i]))
            work[i] = line
        changed = len(stack) != size
        if not kinds[i] and line:
            if options and _MYST_OPTION.match(line):
                work[i] = ""
            else:
                options = False
                if _marker(line, stack):
                    work[i] = ""
                    changed = True
                    options = line.lstrip().startswith((":::", "```", "~~~"))
        closing: list[Event] = []
        for event in by_line.get(i, ()):
            changed = True
            if event.box:
                stack.append(_Open(("tag", event.name), event.box))
            elif closing or any(entry.key == ("tag", event.name) for entry in stack):
                closing.append(event)
        if changed:
            current = _boxes(stack)
        contexts.append(current)
        for event in closing:
            _close(stack, ("tag", event.name))
        if closing:
            current = _boxes(stack)
    return contexts


def _boxes(stack: list[_Open]) -> tuple[Container, ...]:
    return tuple(entry.box for entry in stack if entry.box.title or entry.box.flag)


def _close(stack: list[_Open], key: tuple[str, str]) -> None:
    for i in range(len(stack) - 1, -1, -1):
        if stack[i].key == key:
            del stack[i:]
            return


def _dedented(line: str, stack: list[_Open], in_code: bool) -> str:
    """The line without the four columns per Python-Markdown box; boxes the line stands outside of are closed."""
    if not any(entry.key[0] == "bang" for entry in stack):
        return line
    for i, entry in enumerate(stack):
        if entry.key[0] != "bang":
            continue
        expanded = line.expandtabs(4) if line[:1] == "\t" else line
        width = len(expanded) - len(expanded.lstrip(" "))
        if width >= entry.indent + 4:
            line = expanded[4:]
        elif not in_code:
            del stack[i:]
            break
    return line


def _marker(line: str, stack: list[_Open]) -> bool:
    """Whether the line opens or closes a box (or is nothing but template code); the stack is brought up to date."""
    stripped = line.lstrip(" \t>")
    lead = stripped[:3]
    if lead == ":::":
        return _colon(line, stack)
    if lead in {"!!!", "???", "==="} and (match := _BANG.match(line)):
        if lead == "===" and match[3] is None:
            return False
        box = Container(match[3] or "") if lead == "===" else titled(match[3] or "", match[2] or "")
        stack.append(_Open(("bang", ""), box, len(match[1].expandtabs(4))))
        return True
    if lead[:2] == "::":
        return bool(_LEAF.match(line))
    if lead in {"```", "~~~"}:
        mark = stripped[: len(stripped) - len(stripped.lstrip("`~"))]
        if match := _MYST.match(stripped[len(mark) :].strip()):
            stack.append(_Open(("fence", mark), titled(match[2], match[1].split("-")[0])))
            return True
        _close(stack, ("fence", mark))
        return True
    if lead[:1] == "{":
        if match := _SHORTCODE.match(line):
            _shortcode(match, stack)
            return True
        return bool(_TEMPLATE_LINE.match(line))
    return False


def _colon(line: str, stack: list[_Open]) -> bool:
    match = _COLON.match(line)
    if not match:
        return False
    mark, name, rest = match[1], match[2] or "", match[3].strip()
    if not name and not rest:
        if not any(entry.key == ("colon", mark) for entry in stack):  # closed with a longer mark than opened
            mark = next(
                (entry.key[1] for entry in reversed(stack) if entry.key[0] == "colon" and len(entry.key[1]) <= len(mark)), ""
            )
        _close(stack, ("colon", mark))
        return True
    title = _attribute_title(rest)
    if not title and rest.startswith("["):
        title = rest[1:].partition("]")[0]
    elif not title and rest and not rest.startswith("{"):
        title = rest.rstrip(":").strip()
    stack.append(_Open(("colon", mark), titled(title, name)))
    return True


def _shortcode(match: re.Match[str], stack: list[_Open]) -> None:
    closing, name, rest = bool(match[1] or match[4]), (match[2] or match[5]).lower(), match[3] or match[6] or ""
    if closing:
        _close(stack, ("code", name))
        return
    if name not in CALLOUTS and name not in {
        "tab",
        "tabitem",
        "step",
        "card",
        "details",
        "expand",
        "accordion",
        "collapse",
        "codetab",
    }:
        return
    quoted = _QUOTED.match(rest)
    title = _attribute_title(rest) or (quoted[1] or quoted[2] or "" if quoted else "")
    kind = _TYPE.search(rest)
    stack.append(_Open(("code", name), titled(title, kind[1] if kind and kind[1].lower() in CALLOUTS else name)))
