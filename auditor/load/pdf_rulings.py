"""The straight lines drawn on a page of a PDF: borders of tables and rules between their rows."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeAlias

import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

_MAX_OBJECTS = 30_000  # of a page; a map or a drawing has more, and no table of interest
_MAX_POINTS = 2_000  # of a path
_MAX_LINES = 4_000
_MAX_DEPTH = 6  # of form objects in one another
_THIN = 2.6  # points: a filled box not thicker than this is a line
_SHORT = 5.0
_DOT = (2.0, 8.0)  # points: the sizes of a bullet
_MAX_DOT_POINTS = 64
_MAX_DOTS = 400
_SAME = 1.6  # points between two lines that are drawn for one

Matrix: TypeAlias = tuple[float, float, float, float, float, float]
_SHOWN = (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING, pdfium.FPDF_PAGEOBJ_PATH)
_IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A horizontal (vertical) line at height (x position) `at`, from `low` to `high`."""

    at: float
    low: float
    high: float


@dataclass(slots=True)
class Rulings:
    """Lines of a page, ascending; `dots` are the boxes (x0, y0, x1, y1) of small round or square shapes, which web browsers draw
    for the bullets of a list."""

    horizontal: list[Ruling] = field(default_factory=list)
    vertical: list[Ruling] = field(default_factory=list)
    dots: list[tuple[float, float, float, float]] = field(default_factory=list)
    drawn: bool = False
    images: bool = False


def rulings(page: Any, place: Callable[[float, float], tuple[float, float]]) -> Rulings:
    """The lines of a page; `place` turns a point of the page into one of the reader."""
    found = _Lines(place)
    count = pdfium.FPDFPage_CountObjects(page)
    found.objects((pdfium.FPDFPage_GetObject(page, i) for i in range(count)), _IDENTITY, 0)
    return Rulings(_merged(found.horizontal), _merged(found.vertical), found.dots, found.drawn, found.images)


class _Lines:
    def __init__(self, place: Callable[[float, float], tuple[float, float]]) -> None:
        self.place = place
        self.horizontal: list[Ruling] = []
        self.vertical: list[Ruling] = []
        self.dots: list[tuple[float, float, float, float]] = []
        self.left = _MAX_OBJECTS
        self.drawn = self.images = False

    def objects(self, objects: Iterable[Any], outer: Matrix, depth: int) -> None:
        for item in objects:
            self.left -= 1
            if self.left < 0 or len(self.horizontal) + len(self.vertical) > _MAX_LINES:
                return
            kind = pdfium.FPDFPageObj_GetType(item)
            self.drawn = self.drawn or kind in _SHOWN
            self.images = self.images or kind == pdfium.FPDF_PAGEOBJ_IMAGE
            if kind == pdfium.FPDF_PAGEOBJ_PATH:
                self._path(item, _product(_matrix(item), outer))
            elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH:
                count = pdfium.FPDFFormObj_CountObjects(item)
                inner = (pdfium.FPDFFormObj_GetObject(item, i) for i in range(max(count, 0)))
                self.objects(inner, _product(_matrix(item), outer), depth + 1)

    def _path(self, path: Any, matrix: Matrix) -> None:
        count = pdfium.FPDFPath_CountSegments(path)
        if not 2 <= count <= _MAX_POINTS:
            return
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        if not pdfium.FPDFPath_GetDrawMode(path, fill, stroke) or not (fill.value or stroke.value):
            return
        x, y = ctypes.c_float(), ctypes.c_float()
        parts: list[list[tuple[float, float]]] = []
        curved = False
        for i in range(count):
            segment = pdfium.FPDFPath_GetPathSegment(path, i)
            kind = pdfium.FPDFPathSegment_GetType(segment)
            if not pdfium.FPDFPathSegment_GetPoint(segment, x, y):
                return
            curved = curved or kind == pdfium.FPDF_SEGMENT_BEZIERTO
            if curved and count > _MAX_DOT_POINTS:
                return  # curves bound no cells
            point = self.place(
                matrix[0] * x.value + matrix[2] * y.value + matrix[4], matrix[1] * x.value + matrix[3] * y.value + matrix[5]
            )
            if not (math.isfinite(point[0]) and math.isfinite(point[1])):
                return
            if kind == pdfium.FPDF_SEGMENT_MOVETO or not parts:
                parts.append([])
            parts[-1].append(point)
            if pdfium.FPDFPathSegment_GetClose(segment):
                parts[-1].append(parts[-1][0])
        if len(parts) == 1 and self._dot(parts[0]):
            return
        if curved:
            return
        for points in parts:
            self._polygon(points, bool(stroke.value))

    def _dot(self, points: list[tuple[float, float]]) -> bool:
        xs, ys = [point[0] for point in points], [point[1] for point in points]
        width, height = max(xs) - min(xs), max(ys) - min(ys)
        if len(points) < 4 or not (_DOT[0] <= width <= _DOT[1] and abs(width - height) <= 0.2 * width):
            return False
        if len(self.dots) < _MAX_DOTS:
            self.dots.append((min(xs), min(ys), max(xs), max(ys)))
        return True

    def _polygon(self, points: list[tuple[float, float]], stroked: bool) -> None:
        xs, ys = [point[0] for point in points], [point[1] for point in points]
        width, height = max(xs) - min(xs), max(ys) - min(ys)
        if min(width, height) <= _THIN:  # a line, or a box so thin that it shows as one
            self._line(min(xs), min(ys), max(xs), max(ys))
        elif stroked:
            for (x0, y0), (x1, y1) in pairwise(points):
                if min(abs(x1 - x0), abs(y1 - y0)) <= 0.8:
                    self._line(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))

    def _line(self, x0: float, y0: float, x1: float, y1: float) -> None:
        if x1 - x0 > y1 - y0:
            if x1 - x0 >= _SHORT:
                self.horizontal.append(Ruling((y0 + y1) / 2, x0, x1))
        elif y1 - y0 >= _SHORT:
            self.vertical.append(Ruling((x0 + x1) / 2, y0, y1))


def _matrix(item: Any) -> Matrix:
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(item, matrix):
        return _IDENTITY
    return (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def _product(inner: Matrix, outer: Matrix) -> Matrix:
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def _merged(lines: list[Ruling]) -> list[Ruling]:
    """Lines that continue or cover one another as one."""
    rows: list[list[Ruling]] = []
    for line in sorted(lines, key=lambda line: (line.at, line.low, line.high)):
        if rows and line.at - rows[-1][0].at <= _SAME:
            rows[-1].append(line)
        else:
            rows.append([line])
    merged: list[Ruling] = []
    for row in rows:
        row.sort(key=lambda line: (line.low, line.high))
        at, low, high = row[0].at, row[0].low, row[0].high
        for line in row[1:]:
            if line.low <= high + 3.0:
                high = max(high, line.high)
            else:
                merged.append(Ruling(at, low, high))
                low, high = line.low, line.high
        merged.append(Ruling(at, low, high))
    return merged
