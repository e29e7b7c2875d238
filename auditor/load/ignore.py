"""Patterns of `.gitignore`, for `.auditignore` files and `CODEOWNERS`.

An own translation into regular expressions, because neither use is served by matching whole paths alone: Git asks about every folder
on the way down, and a folder that is left out takes everything in it along, whatever a later `!` says. The expressions cannot
backtrack into more work than path length times pattern length, as the patterns may come with the documents.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

NAME = ".auditignore"
MAX_BYTES = 1 << 20
MAX_PATTERNS = 5_000  # that are asked about one file
_MAX_LINE = 4096
_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "digit": "0-9",
    "lower": "a-z",
    "punct": "!-\\/:-@\\[-`{-~",
    "space": "\\s",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_STAR = "*"  # as a token; a literal asterisk is escaped
_NEVER = "(?!)"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line. `by_name` patterns have no slash and are held against names, the others against paths relative to their file."""

    regex: re.Pattern[str]
    by_name: bool
    folders_only: bool = False
    negated: bool = False

    def matches(self, path: str, name: str, *, folder: bool) -> bool:
        """Whether the file or folder at this path is meant."""
        return (folder or not self.folders_only) and self.regex.fullmatch(name if self.by_name else path) is not None


@dataclass(frozen=True, slots=True)
class Rules:
    """The patterns of one file in the folder `base` ("" or a path with a slash at its end)."""

    base: str
    patterns: tuple[Pattern, ...]

    def verdict(self, path: str, name: str, *, folder: bool) -> bool | None:
        """Whether to leave out what stands at this path; None when no pattern speaks of it. The last that does decides."""
        below = path[len(self.base) :]
        for pattern in reversed(self.patterns):
            if pattern.matches(below, name, folder=folder):
                return not pattern.negated
        return None


def left_out(rules: tuple[Rules, ...], path: str, *, folder: bool) -> bool:
    """Whether the file or folder is left out; `rules` from the root down, the deepest file counts first."""
    name = path.rpartition("/")[2]
    for entry in reversed(rules):
        if (said := entry.verdict(path, name, folder=folder)) is not None:
            return said
    return False


def read_rules(path: Path, base: str, above: tuple[Rules, ...] = ()) -> Rules:
    """The rules of the file at this path, below those of other files. Raises `OSError` or `ValueError` when it cannot be read."""
    patterns = tuple(parse(read_small(path, MAX_BYTES)))
    if len(patterns) + sum(len(rules.patterns) for rules in above) > MAX_PATTERNS:
        raise ValueError(f"more than {MAX_PATTERNS:,} patterns")
    return Rules(base, patterns)


def read_small(path: Path, limit: int) -> str:
    """The text of a regular file of limited size. Raises `OSError`, or `ValueError` for a link, a device or a large file."""
    info = path.lstat()
    if not stat.S_ISREG(info.st_mode):
        raise ValueError("not a regular file")
    with path.open("rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise ValueError(f"larger than {limit >> 10} KiB")
    return data.decode("utf-8-sig", "replace")


def parse(text: str) -> Iterator[Pattern]:
    """The patterns of a file in the syntax of `.gitignore`. What is no valid pattern matches nothing, as in Git."""
    for line in text.split("\n"):
        line = line.removesuffix("\r")
        if not line or line[0] == "#" or len(line) > _MAX_LINE:
            continue
        line = _without_trailing_spaces(line)
        negated = line.startswith("!")
        line = line[negated:]
        folders_only = line.endswith("/")
        line = line[: len(line) - folders_only]
        if not line:
            continue
        by_name = "/" not in line
        regex = _compiled(line.removeprefix("/"))
        if regex is not None:
            yield Pattern(regex, by_name, folders_only, negated)


def owned_paths(line: str) -> re.Pattern[str] | None:
    """The regular expression for the paths of files that a line of `CODEOWNERS` covers.

    As in `.gitignore`, and a folder covers all below it; but `docs/*` covers the files in `docs` only.
    """
    folders_only = line.endswith("/")
    bare = line.rstrip("/")
    if not bare or len(line) > _MAX_LINE:
        return re.compile(".*", re.DOTALL) if line == "/" else None
    anchored = "/" in bare
    flat = anchored and bare.endswith("/*")
    after = "/.*" if folders_only else "" if flat else "(?:/.*)?"
    return _compiled(bare.removeprefix("/"), "" if anchored else "(?:[^/]+/)*", after)


def _without_trailing_spaces(line: str) -> str:
    """A space at the end counts only behind a backslash."""
    stripped = line.rstrip(" ")
    backslashes = len(stripped) - len(stripped.rstrip("\\"))
    return stripped + " " if backslashes % 2 and len(stripped) < len(line) else stripped


def _compiled(pattern: str, before: str = "", after: str = "") -> re.Pattern[str] | None:
    """None for a pattern that is broken (a bracket without end, a backslash before nothing)."""
    parts: list[list[str]] = [[]]  # runs of segments, with `**` between them
    for segment in pattern.split("/"):
        if len(segment) > 1 and not segment.strip("*") and "/" in pattern:
            parts.append([])
            continue
        expression = _segment(segment)
        if expression is None:
            return None
        parts[-1].append(expression)
    return re.compile(before + joined(parts) + after, re.DOTALL)


def joined(parts: list[list[str]]) -> str:
    """Runs of segments with any number of folders between them. All but the last take the first place that fits, and keep it."""
    if len(parts) == 1:
        return "/".join(parts[0])
    first, *middle, last = ("/".join(run) for run in parts)
    out = [first + "/" if first else ""]
    out += [f"(?>(?:[^/]+/)*?{run}/)" for run in middle if run]
    out.append(f"(?:[^/]+/)*{last}" if last else ".+")
    return "".join(out)


def _segment(segment: str) -> str | None:
    """Regular expression of a name with wildcards. Between two stars the first place that fits is as good as any."""
    pieces: list[str] = [""]
    for token in _tokens(segment):
        if token == _NEVER:
            return None
        if token == _STAR:
            pieces.append("")
        else:
            pieces[-1] += token
    return starred(pieces)


def starred(pieces: list[str]) -> str:
    """Expressions for a fixed number of characters each, with a star between them."""
    if len(pieces) == 1:
        return pieces[0]
    first, *middle, last = pieces
    return first + "".join(f"(?>[^/]*?{piece})" for piece in middle if piece) + "[^/]*" + last


def _tokens(segment: str) -> Iterator[str]:
    """Expressions for one character each, and stars."""
    i = 0
    while i < len(segment):
        character = segment[i]
        i += 1
        if character == "\\":
            yield re.escape(segment[i]) if i < len(segment) else _NEVER
            i += 1
        elif character == "?":
            yield "[^/]"
        elif character == "*":
            yield _STAR
        elif character == "[":
            expression, i = _bracket(segment, i)
            yield expression
        else:
            yield re.escape(character)


def _bracket(segment: str, i: int) -> tuple[str, int]:
    """The expression for `[...]` and where it ends; `i` is the position behind the opening bracket."""
    negated = segment[i : i + 1] in ("!", "^")
    i += negated
    inside: list[str] = []
    first = True
    while i < len(segment) and (first or segment[i] != "]"):
        first = False
        if segment.startswith("[:", i) and (end := segment.find(":]", i)) > 0:
            inside.append(_CLASSES.get(segment[i + 2 : end], ""))
            i = end + 2
            continue
        low, i = _literal(segment, i)
        high = low
        if segment[i : i + 1] == "-" and segment[i + 1 : i + 2] not in ("", "]"):
            high, i = _literal(segment, i + 1)
        if low <= high:
            inside.append(f"{re.escape(low)}-{re.escape(high)}")
    if i >= len(segment):
        return _NEVER, i
    body = "".join(inside)
    if negated:
        return f"[^/{body}]", i + 1
    return (f"(?!/)[{body}]" if body else "(?!.)."), i + 1


def _literal(segment: str, i: int) -> tuple[str, int]:
    """One character of a bracket and the position behind it."""
    if segment[i] == "\\" and i + 1 < len(segment):
        return segment[i + 1], i + 2
    return segment[i], i + 1
