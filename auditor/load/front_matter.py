"""Front matter: the YAML (`---`) or TOML (`+++`) block that opens a Markdown or HTML source."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from auditor.load.structure import Sink
from auditor.model import BlockKind
from auditor.text.inline import Inline

_YAML = re.compile(r"---[ \t]*\n(.*?)(?<=\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TOML = re.compile(r"\+\+\+[ \t]*\n(.*?)(?<=\n)\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL)
_YAML_LINE = re.compile(r"^([A-Za-z_][\w .-]*?)[ \t]*:[ \t]+(\S.*?)[ \t]*$", re.MULTILINE)
_TOML_LINE = re.compile(r"^[ \t]*([A-Za-z_][\w-]*|\"[^\"]+\")[ \t]*=", re.MULTILINE)
_VALUE_WORD = re.compile(r"[^\s,;:]+")
_SPACE = re.compile(r"\s+")
_MAX_DEPTH, _MAX_VALUE = 6, 20_000
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Entry:
    """One top-level entry and where it stands."""

    name: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The entries of a front matter block; `end` is where the document proper begins (0: there is none)."""

    end: int = 0
    entries: tuple[Entry, ...] = ()
    fields: dict[str, str] = field(default_factory=dict)


def read(text: str) -> FrontMatter:
    """Front matter of a document.

    A block that cannot be parsed is read line by line; one that is no mapping is left in the text.
    """
    if match := _YAML.match(text):
        return _yaml(match)
    if match := _TOML.match(text):
        return _toml(match)
    return FrontMatter()


def add_blocks(matter: FrontMatter, text: str, sink: Sink) -> None:
    """One field block per entry."""
    for entry in matter.entries:
        prefix = f"{entry.name}: "
        anchors = [(0, entry.start)]
        cursor = entry.start + len(entry.name)
        for word in _VALUE_WORD.finditer(entry.value):  # values are unquoted, unfolded and joined: each word is found again
            at = text.find(word.group(), cursor, entry.end)
            if at >= 0:
                cursor = at + len(word.group())
                position = len(prefix) + word.start()
                if at - position != anchors[-1][1] - anchors[-1][0]:
                    anchors.append((position, at))
        sink.add(
            BlockKind.FIELD,
            Inline(prefix + entry.value, tuple(anchors)),
            entry.start,
            entry.end,
            cells=(entry.name, entry.value),
        )


def _yaml(match: re.Match[str]) -> FrontMatter:
    body, base = match.group(1), match.start(1)
    try:
        node = yaml.compose(body, Loader=_LOADER)
    except (yaml.YAMLError, ValueError, RecursionError):
        found = [(m.group(1), _unquoted(m.group(2)), base + m.start(), base + m.end()) for m in _YAML_LINE.finditer(body)]
        if not found:
            return FrontMatter()
        return FrontMatter(
            match.end(), tuple(Entry(*entry) for entry in found), {name.lower(): value for name, value, _, _ in found}
        )
    if node is None:
        return FrontMatter(match.end())
    if not isinstance(node, yaml.MappingNode):
        return FrontMatter()
    starts = _line_starts(body)
    entries: list[Entry] = []
    fields: dict[str, str] = {}
    for key, value in node.value:
        name = key.value if isinstance(key, yaml.ScalarNode) else ""
        readable = _readable(value, 0)
        if not name or not readable:
            continue
        start = base + starts[key.start_mark.line] + key.start_mark.column
        last = value.end_mark.line - (1 if value.end_mark.column == 0 and value.end_mark.line > key.start_mark.line else 0)
        end = base + (starts[last + 1] - 1 if last + 1 < len(starts) else len(body))
        while end > start and match.string[end - 1].isspace():
            end -= 1
        entries.append(Entry(name, readable, start, end))
        fields[name.lower()] = readable
        if isinstance(value, yaml.MappingNode):
            for inner_key, inner in value.value:
                if isinstance(inner_key, yaml.ScalarNode) and (text := _readable(inner, 1)):
                    fields[f"{name}.{inner_key.value}".lower()] = text
    return FrontMatter(match.end(), tuple(entries), fields)


def _readable(node: yaml.Node, depth: int) -> str:
    """A scalar, or a list or mapping joined to one line. Depth and size are bounded: aliases can make a small source huge."""
    parts: list[str] = []
    size = 0
    for part in _parts(node, depth):
        size += len(part)
        if size > _MAX_VALUE:
            break
        parts.append(part)
    return _SPACE.sub(" ", "".join(parts)).strip()


def _parts(node: yaml.Node, depth: int) -> Iterator[str]:
    if depth > _MAX_DEPTH:
        return
    if isinstance(node, yaml.ScalarNode):
        if not (node.tag.endswith(":null") and node.value in {"", "~", "null"}):
            yield node.value
    elif isinstance(node, yaml.SequenceNode):
        for i, item in enumerate(node.value):
            if i:
                yield ", "
            yield from _parts(item, depth + 1)
    elif isinstance(node, yaml.MappingNode):
        for i, (key, value) in enumerate(node.value):
            if i:
                yield "; "
            yield from _parts(key, depth + 1)
            yield ": "
            yield from _parts(value, depth + 1)


def _toml(match: re.Match[str]) -> FrontMatter:
    body, base = match.group(1), match.start(1)
    try:
        values = tomllib.loads(body)
    except (tomllib.TOMLDecodeError, RecursionError):
        return FrontMatter(match.end())
    entries: list[Entry] = []
    fields: dict[str, str] = {}
    for found in _TOML_LINE.finditer(body):
        name = found.group(1).strip('"')
        if name not in values or name.lower() in fields or not (readable := _readable_toml(values[name], 0)[:_MAX_VALUE]):
            continue
        end = body.find("\n", found.end())
        start = base + found.start() + len(found.group()) - len(found.group().lstrip())
        entries.append(Entry(name, readable, start, base + (len(body) if end < 0 else end)))
        fields[name.lower()] = readable
    return FrontMatter(match.end(), tuple(entries), fields)


def _readable_toml(value: object, depth: int) -> str:
    if depth > _MAX_DEPTH:
        return ""
    if isinstance(value, list):
        return ", ".join(_readable_toml(item, depth + 1) for item in value)
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_readable_toml(item, depth + 1)}" for key, item in value.items())
    if isinstance(value, bool):
        return str(value).lower()
    return _SPACE.sub(" ", str(value)).strip()


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts[:-1]
