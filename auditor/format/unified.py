"""Unified diffs of replacements within lines, in the form that `git apply` reads."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

_CONTEXT = 3
_NAME = re.compile(r'[\x00-\x1f\x7f"\\]')
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def file_diff(path: str, content: str, changes: Mapping[tuple[int, int], str]) -> str:
    """The diff of one file: `changes` maps spans of `content`, none of which holds a line feed, to what takes their place.

    Lines end with a line feed and nothing else, as Git sees it: a carriage return is part of its line.
    """
    before = content.split("\n")
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line) + 1)
    after = list(before)
    for (start, end), words in sorted(changes.items(), reverse=True):  # from behind, so that earlier positions stay right
        n = bisect_right(starts, start) - 1
        after[n] = after[n][: start - starts[n]] + words + after[n][end - starts[n] :]
    changed = [n for n, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    old, new = _name(f"a/{path}"), _name(f"b/{path}")
    return f"diff --git {old} {new}\n--- {_ended(old)}\n+++ {_ended(new)}\n" + "".join(_hunks(before, after, changed))


def _hunks(before: Sequence[str], after: Sequence[str], changed: Sequence[int]) -> Iterator[str]:
    last = len(before) - 1
    final = before[last] != ""  # the last line has no line feed; otherwise what is behind the last one is no line
    count = len(before) if final else last
    for group in _groups(changed):
        begin, end = max(group[0] - _CONTEXT, 0), min(group[-1] + _CONTEXT + 1, count)
        lines: list[str] = []
        minus: list[str] = []
        plus: list[str] = []
        for n in range(begin, end):
            tail = "\n\\ No newline at end of file\n" if final and n == last else "\n"
            if n in group:
                minus.append(f"-{before[n]}{tail}")
                plus.append(f"+{after[n]}{tail}")
                continue
            lines += [*minus, *plus, f" {before[n]}{tail}"]
            minus, plus = [], []
        lines += [*minus, *plus]
        size = f"{begin + 1},{end - begin}"  # a replaced line is still one line, so both sides count the same
        yield f"@@ -{size} +{size} @@\n" + "".join(lines)


def _groups(changed: Sequence[int]) -> Iterator[list[int]]:
    """Changed lines so close together that their context would overlap."""
    group: list[int] = []
    for n in changed:
        if group and n - group[-1] > 2 * _CONTEXT:
            yield group
            group = []
        group.append(n)
    if group:
        yield group


def _name(path: str) -> str:
    """A path as Git writes it: in quotes, with escapes, where it holds something that would end or change it."""
    if not _NAME.search(path):
        return path
    return '"' + _NAME.sub(lambda match: _ESCAPES.get(match[0], f"\\{ord(match[0]):03o}"), path) + '"'


def _ended(name: str) -> str:
    return name + "\t" if " " in name and not name.startswith('"') else name  # so that the name does not end at the space
