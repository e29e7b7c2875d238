"""Reading order: the columns of a page, each read to its end before the next one.

A gutter is a vertical strip that no line crosses for a while, with running text on both sides. Lines that cross it (titles, figures
and tables over the full width) part the page into bands; within a band the columns are read from left to right. Cells of a table
have strips between them, too, but their lines are short or begin side by side.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Generic, Protocol, TypeVar

_MAX_DEPTH = 4
_MAX_GUTTERS = 12
_MIN_LINES = 3
_MIN_LETTERS = 14  # of a line of running text, on average
_BINS = 600


class Box(Protocol):
    """What is put in order. `y` is the baseline of a line, or the top of a table."""

    @property
    def x0(self) -> float:
        """Left edge."""
        ...

    @property
    def x1(self) -> float:
        """Right edge."""
        ...

    @property
    def y(self) -> float:
        """Height."""
        ...

    @property
    def size(self) -> float:
        """Font size."""
        ...

    @property
    def text(self) -> str:
        """What stands in it."""
        ...


B = TypeVar("B", bound=Box)


@dataclass(frozen=True, slots=True)
class Flow(Generic[B]):
    """What is read from top to bottom."""

    boxes: list[B]


def flows(boxes: Sequence[B]) -> list[Flow[B]]:
    """The boxes of a page in reading order."""
    return [Flow(group) for group in _split(sorted(boxes, key=lambda box: (box.y, box.x0)), 0) if group]


def _split(boxes: list[B], depth: int) -> list[list[B]]:
    if depth >= _MAX_DEPTH or len(boxes) < 2 * _MIN_LINES:
        return [boxes]
    best, gutter = 0, None
    for candidate in _gutters(boxes):
        score = sum(len(left) + len(right) for left, right, columns in _bands(boxes, candidate) if columns)
        if score > best:
            best, gutter = score, candidate
    if gutter is None:
        return [boxes]
    groups: list[list[B]] = [[]]
    for left, right, columns in _bands(boxes, gutter):
        if columns:
            groups += [*_split(left, depth + 1), *_split(right, depth + 1), []]
        else:
            groups[-1] += sorted(left + right, key=lambda box: (box.y, box.x0))
    return groups


def _gutters(boxes: Sequence[B]) -> list[float]:
    """Middles of the strips that few lines cross, emptiest first."""
    low, high = min(box.x0 for box in boxes), max(box.x1 for box in boxes)
    if high - low < 60:
        return []
    scale = _BINS / (high - low)
    changes = [0] * (_BINS + 2)
    for box in boxes:
        first = min(max(int((box.x0 - low) * scale), 0), _BINS)
        changes[first] += 1
        changes[min(max(int((box.x1 - low) * scale) + 1, first + 1), _BINS + 1)] -= 1
    cover, running = [], 0
    for change in changes[:_BINS]:
        running += change
        cover.append(running)
    needed = max(0.6 * median(box.size for box in boxes), 4.0) * scale
    before, after = list(cover), list(cover)
    for i in range(1, _BINS):
        before[i] = max(before[i], before[i - 1])
        after[-1 - i] = max(after[-1 - i], after[-i])
    found: dict[float, int] = {}
    peak = max(cover)
    for share in (0.0, 0.05, 0.15, 0.3, 0.5):
        level = int(share * peak)
        begin = None
        for i in range(_BINS + 1):
            if i < _BINS and cover[i] <= level:
                begin = i if begin is None else begin
                continue
            if begin is not None:
                if i - begin >= needed and before[begin] >= level + _MIN_LINES and i < _BINS and after[i] >= level + _MIN_LINES:
                    found.setdefault(low + (begin + i) / 2 / scale, level)
                begin = None
    return sorted(found, key=lambda x: (found[x], x))[:_MAX_GUTTERS]


def _bands(boxes: Sequence[B], gutter: float) -> list[tuple[list[B], list[B], bool]]:
    """From top to bottom: what stands left and right of the gutter, and whether these are columns. Crossing lines are no columns."""
    bands: list[tuple[list[B], list[B], bool]] = []
    left: list[B] = []
    right: list[B] = []
    crossing = [box.y for box in boxes if box.x0 < gutter - 1 and box.x1 > gutter + 1]

    def close(crossed: bool) -> None:
        below = _below(left, right) if crossed else []
        if below:
            gone = set(map(id, below))
            left[:] = [box for box in left if id(box) not in gone]
            right[:] = [box for box in right if id(box) not in gone]
        if left or right:
            bands.append((list(left), list(right), _columns(left, right)))
        if below:
            bands.append((below, [], False))
        left.clear()
        right.clear()

    for box in boxes:
        if _near(crossing, box.y):  # it crosses, or stands in a line that does
            if left or right:
                close(True)
            bands.append(([box], [], False))
        elif box.x1 <= gutter + 1:
            left.append(box)
        else:
            right.append(box)
    close(False)
    return bands


def _below(left: Sequence[B], right: Sequence[B]) -> list[B]:
    """What stands apart below the end of the shorter column, above a crossing line: it is no part of the columns."""
    if not left or not right:
        return []
    longer = left if left[-1].y > right[-1].y else right
    end = min(left[-1].y, right[-1].y)
    steps = sorted(b.y - a.y for a, b in pairwise(longer) if b.y - a.y > 0.5 * b.size)
    usual = steps[len(steps) // 4] if steps else 0.0
    for i in range(1, len(longer)):
        if longer[i].y > end + 1 and longer[i].y - longer[i - 1].y > 1.25 * usual:
            return list(longer[i:])
    return []


@dataclass(frozen=True, slots=True)
class _Side:
    """What one side of a gutter looks like, line by line."""

    heights: list[float]
    letters: float  # of a line, on average
    width: float  # of a line against that of the column
    full: float  # share of the lines that are about as long as the column is wide
    several: float  # share of the lines that consist of several pieces

    @classmethod
    def of(cls, boxes: Sequence[Box]) -> _Side:
        rows: list[list[Box]] = []
        for box in boxes:
            if rows and box.y - rows[-1][0].y <= 0.35 * box.size:
                rows[-1].append(box)
            else:
                rows.append([box])
        low, high = min(box.x0 for box in boxes), max(box.x1 for box in boxes)
        wide = max(high - low, 1.0)
        ends = [max(box.x1 for box in row) for row in rows]
        return cls(
            [row[0].y for row in rows],
            sum(min(sum(len(box.text) for box in row), 80) for row in rows) / len(rows),
            median(end - min(box.x0 for box in row) for row, end in zip(rows, ends, strict=True)) / wide,
            sum(end - low >= 0.88 * wide for end in ends) / len(rows),
            sum(len(row) > 1 and len(row[0].text) > 3 for row in rows) / len(rows),
        )

    @property
    def close(self) -> bool:
        """Whether no line stands apart from the one above."""
        steps = sorted(b - a for a, b in pairwise(self.heights))
        return not steps or steps[-1] <= 1.7 * steps[len(steps) // 2]

    @property
    def reads(self) -> bool:
        """Whether the lines are long enough for text."""
        return self.letters >= _MIN_LETTERS and self.width >= 0.5

    @property
    def solid(self) -> bool:
        """Whether the lines are those of running text."""
        return self.letters >= 24 and self.full >= 0.4 and self.several < 0.15


def _columns(left: Sequence[B], right: Sequence[B]) -> bool:
    """Whether two sides read as columns of text rather than as cells of a table."""
    if min(len(left), len(right)) < _MIN_LINES:
        return False
    if min(left[-1].y, right[-1].y) - max(left[0].y, right[0].y) < 1.5 * left[0].size:
        return False
    a, b = _Side.of(left), _Side.of(right)
    if min(len(a.heights), len(b.heights)) < _MIN_LINES or _side_by_side(a.heights, b.heights):
        return False
    if a.reads and b.letters >= 0.6 * _MIN_LETTERS and len(b.heights) <= 0.7 * len(a.heights) and b.close and _solid(left, a):
        return True  # the text ends in the second column
    if not (a.reads and b.reads):
        return False
    few, many = sorted((a.heights, b.heights), key=len)
    shared = sum(_near(many, y) for y in few)
    return shared < 0.8 * len(few) or (_solid(left, a) and _solid(right, b))


def _solid(boxes: Sequence[B], side: _Side, depth: int = 2) -> bool:
    """Whether a side is running text: one column of it, or several."""
    if side.solid or not depth:
        return side.solid
    for gutter in _gutters(boxes):
        left = [box for box in boxes if box.x1 <= gutter + 1]
        right = [box for box in boxes if box.x0 >= gutter - 1]
        if len(left) + len(right) < 0.8 * len(boxes) or min(len(left), len(right)) < _MIN_LINES:
            continue
        if _solid(left, _Side.of(left), depth - 1) and _solid(right, _Side.of(right), depth - 1):
            return True
    return False


def _near(heights: Sequence[float], y: float) -> bool:
    i = bisect_left(heights, y - 1.5)
    return i < len(heights) and heights[i] <= y + 1.5


def _side_by_side(left: Sequence[float], right: Sequence[float]) -> bool:
    """Whether the passages of both sides begin at the same heights, with room below the shorter one: the rows of a table."""
    a, b = _beginnings(left), _beginnings(right)
    if min(len(a), len(b)) < 2 or not (_holes(left) or _holes(right)):
        return False
    return sum(_near(b, y) for y in a) >= 0.75 * max(len(a), len(b))


def _holes(heights: Sequence[float]) -> bool:
    steps = sorted(b - a for a, b in pairwise(heights))
    return bool(steps) and steps[-1] > 2 * steps[len(steps) // 4]


def _beginnings(heights: Sequence[float]) -> list[float]:
    """Heights of the lines that have a gap above."""
    steps = [b - a for a, b in pairwise(heights)]
    usual = sorted(steps)[len(steps) // 4] if steps else 0.0
    return [heights[0], *(b for (a, b) in pairwise(heights) if b - a > 1.2 * usual)]
