"""What the rows of a sheet are for: facts about the document, section titles, remarks; and the spans of merged cells."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from auditor.load.cell_header import is_label, is_sentence, is_value
from auditor.load.cell_regions import GridCell, Region
from auditor.load.workbook import Merge

META = re.compile(
    r"(?:document |doc\. |file |page |policy |list |price list )?(?:owner|author|maintainer|maintained by|responsible|contact"
    r"|department|team|approver|approved by|prepared by|created by|reviewed by|reviewer|status|version|revision|title|subject"
    r"|classification|language|date|created|created on|published|updated|last updated|last modified|last changed|last reviewed"
    r"|review date|next review|modified|revised|issued|issue date|release date|effective|effective (?:date|from|to|until)"
    r"|valid (?:from|to|until|through|as of)|in force since|applies (?:from|to)|expires|expires on|expiry date|as of)",
    re.IGNORECASE,
)
NOTE = re.compile(r"(?:[*†‡§¹²³]|\(\d{1,2}\)|\d{1,2}\)\s|(?:notes?|nb|n\.b\.|source|remarks?|legend)\b)", re.IGNORECASE)
TOTAL = re.compile(r"(?:sub-?|grand )?totals?\b|sum\b|summe\b|gesamt|average\b|mean\b", re.IGNORECASE)


@dataclass(slots=True)
class Spans:
    """Merged cells: how far their first cell reaches, and by which cell the others are covered."""

    origins: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)  # (columns, rows)
    covered: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    wide: set[tuple[int, int]] = field(default_factory=set)  # first cells of merges over several columns


_MAX_COVERED = 500_000


def spans_of(rows: Mapping[int, Mapping[int, GridCell]], merges: Sequence[Merge]) -> Spans:
    """The spans of the merged cells that hold something."""
    spans = Spans()
    if not rows:
        return spans
    bottom = max(rows)
    for merge in merges:
        if merge.left not in rows.get(merge.top, {}):
            continue
        right = min(merge.right, merge.left + 199)
        last = min(merge.bottom, bottom)
        if len(spans.covered) + (right - merge.left + 1) * (last - merge.top + 1) > _MAX_COVERED:
            break
        at = (merge.top, merge.left)
        spans.origins[at] = (right - merge.left + 1, last - merge.top + 1)
        if right > merge.left:
            spans.wide.add(at)
        for row in range(merge.top, last + 1):
            for column in range(merge.left, right + 1):
                if (row, column) != at:
                    spans.covered[row, column] = at
    return spans


def leading_pairs(region: Region) -> int:
    """How many first rows of a region are "name | value" about the document; 0 where it is a table."""
    count = known = 0
    for row in region.rows:
        cells = sorted(region.cells(row).items())
        if len(cells) == 1 and count == 0:
            continue  # a title above
        if len(cells) != 2 or cells[0][0] != region.left or not is_label(cells[0][1].text.rstrip(": ")):
            break
        count += 1
        known += bool(META.fullmatch(cells[0][1].text.rstrip(": ")))
    if region.width == 2:
        return len(region.rows) if known >= 2 and known * 2 >= count else (1 if known else 0)
    return 1 if known else 0


def notes_below(region: Region) -> tuple[Region, Sequence[int]]:
    """A region without the remarks at its end, and the rows of these."""
    end = len(region.rows)
    while end > 1:
        cells = region.cells(region.rows[end - 1])
        ((column, cell), *others) = sorted(cells.items())
        if others or column != region.left or not (NOTE.match(cell.text) or is_sentence(cell.text) or len(cell.text.split()) > 6):
            break
        end -= 1
    return region.above(end), region.rows[end:]


def section_rows(region: Region, body: Sequence[int], spans: Spans) -> frozenset[int]:
    """Rows that hold nothing but a title for the rows below."""
    single: dict[int, int] = {}
    marked: set[int] = set()
    for i, row in enumerate(body):
        cells = region.cells(row)
        title = cells.get(region.left)
        if len(cells) == 1 and title and is_label(title.text) and not is_value(title.text) and not TOTAL.match(title.text):
            single[i] = row
            if title.bold or (row, region.left) in spans.wide:
                marked.add(i)
    chosen = single if len(single) * 2 <= len(body) else marked
    return frozenset(single[i] for i in chosen if i + 1 < len(body) and i + 1 not in chosen)


def continues_key(region: Region, cells: Mapping[int, GridCell]) -> bool:
    """Whether a row without a key belongs to the one above: "EU | Germany | 19 %", "| France | 20 %"."""
    second = cells.get(region.left + 1)
    return second is not None and len(cells) > 1 and not is_value(second.text) and not TOTAL.match(second.text)
