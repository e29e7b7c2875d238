"""Tables, charts and diagrams on slides."""

from __future__ import annotations

from lxml import etree

from auditor.load.docx_styles import local
from auditor.load.format_code import GENERAL
from auditor.load.number_format import shown
from auditor.load.pptx_text import text_of
from auditor.load.slide_writer import Line, Shape, TableCell, fold

_MAX_ROWS, _MAX_COLUMNS = 2000, 100
_MAX_POINTS, _MAX_SERIES = 60, 20
_MAX_NODES = 500


def table(element: etree._Element) -> Shape:
    """A table; merged cells reach over those that follow."""
    properties = element.find("{*}tblPr")
    rows: list[list[TableCell]] = []
    for row in list(element.iterfind("{*}tr"))[:_MAX_ROWS]:
        cells: list[TableCell] = []
        for cell in list(row.iterfind("{*}tc"))[:_MAX_COLUMNS]:
            if cell.get("hMerge") in {"1", "true"} or cell.get("vMerge") in {"1", "true"}:
                continue
            body = cell.find("{*}txBody")
            text = text_of(body) if body is not None else ""
            cells.append(TableCell(text, _span(cell.get("gridSpan")), _span(cell.get("rowSpan"))))
        rows.append(cells)
    return Shape(table=rows, head=properties is not None and properties.get("firstRow") in {"1", "true"})


def _span(text: str | None) -> int:
    return min(max(int(text), 1), _MAX_ROWS) if text and text.isascii() and text.isdigit() and len(text) < 6 else 1


def chart(root: etree._Element) -> Shape | None:
    """The values that a chart shows, as a table: one row per category, one column per series."""
    title = root.find("{*}chart/{*}title")
    caption = fold(" ".join(str(text) for text in title.itertext())) if title is not None else ""
    names: list[str] = []
    categories: dict[int, str] = {}
    values: list[dict[int, str]] = []
    for series in list(root.iter("{*}ser"))[:_MAX_SERIES]:
        source = series.find("{*}val")
        if source is None:
            continue  # points by two numbers
        names.append(next(iter(_points(series.find("{*}tx")).values()), ""))
        for index, text in _points(series.find("{*}cat")).items():
            categories.setdefault(index, text)
        values.append(_points(source))
    if not values or not categories:
        return Shape(lines=[Line(caption)]) if caption else None
    if len(names) == 1 and not names[0]:
        names = [caption]
    rows = [[TableCell(""), *(TableCell(name) for name in names)]]
    for index in sorted(categories)[:_MAX_POINTS]:
        rows.append([TableCell(categories[index]), *(TableCell(found.get(index, "")) for found in values)])
    return Shape(table=rows, head=True, caption=caption)


def _points(element: etree._Element | None) -> dict[int, str]:
    """The texts and numbers that a chart keeps of its data, by their place in it."""
    found: dict[int, str] = {}
    if element is None:
        return found
    for cache in element.iter("{*}strCache", "{*}numCache", "{*}strLit", "{*}numLit", "{*}lvl"):
        numbers = local(cache).startswith("num")
        code = cache.findtext("{*}formatCode") or GENERAL
        for point in cache.iterfind("{*}pt"):
            index, text = point.get("idx", ""), point.findtext("{*}v") or ""
            if not (index.isascii() and index.isdigit() and len(index) < 6):
                continue
            try:
                found.setdefault(int(index), shown(float(text), code) if numbers else text)
            except ValueError:
                continue
        if found:
            break
    return found


def diagram(root: etree._Element) -> Shape | None:
    """The texts of a diagram in the order of its parts."""
    lines: list[Line] = []
    for point in list(root.iterfind("{*}ptLst/{*}pt"))[:_MAX_NODES]:
        body = point.find("{*}t")
        if point.get("type", "node") in {"node", "asst"} and body is not None and (text := fold(text_of(body))):
            lines.append(Line(text, 0))
    return Shape(lines=lines) if lines else None
