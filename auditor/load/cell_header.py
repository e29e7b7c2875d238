"""Which rows of a table are its header: labels above values, names of columns above names of things."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.load.cell_regions import Region

_VALUE = re.compile(
    r"""\(?[-+−±~≈<>≤≥]?\s?[$€£¥₹]?\s?(?:[A-Z]{2,3}\s)?\d[\d.,'\u00a0\u202f ]*\s?(?:%|‰|[$€£¥₹]|[A-Z]{3})?\)?   # an amount
      | \d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)? | \d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d\d)                      # a date
      | \d{1,2}:\d\d(?::\d\d)? | TRUE | FALSE | yes | no | n/?a | x | ✓ | ✔ | ✗ | - | – | — | \d{1,2}\s[A-Z][a-z]{2,8}(?:\s\d{4})?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PERIOD = re.compile(
    r"(?:FY\s?)?(?:19|20)\d\d(?:[/-]\d\d(?:\d\d)?)?|(?:[QH][1-4]|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*)(?:[\s'/-]*(?:(?:19|20)?\d\d))?"
    r"|\d{4}-\d\d-\d\d",
    re.IGNORECASE,
)
_HEADER_WORDS = re.compile(
    r"(?:name|key|id|no\.?|nr\.?|#|item|product|plan|tier|feature|setting|parameter|property|attribute|option|field|metric|term|role|"
    r"value|values|price|cost|fee|amount|rate|unit|quantity|qty|limit|limits|default|description|definition|meaning|comment|comments|"
    r"notes?|remarks?|status|owner|date|type|category|region|country|service|system|team|department|contact|person|process|step|"
    r"requirement|control|policy|topic|question|answer|period|duration|retention|data|level|severity|priority|version|"
    r"bezeichnung|wert|preis|artikel|beschreibung|menge|einheit|nombre|precio|valor|nom|prix|valeur|naam|prijs|waarde)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r".*[^\W\d_]{2,}.*\s.*[.!?…]['\"”)]?", re.DOTALL)
_LOOKED_AT = 60
_MAX_LABEL = 90


def is_value(text: str) -> bool:
    """Whether a cell holds an amount, a date or an answer rather than a name."""
    return len(text) <= 40 and _VALUE.fullmatch(text) is not None


def is_sentence(text: str) -> bool:
    """Whether a cell holds at least one whole sentence."""
    return len(text) > 12 and _SENTENCE.fullmatch(text[-400:]) is not None


def is_label(text: str) -> bool:
    """Whether a cell is short enough for a title or a column name."""
    return len(text) <= _MAX_LABEL and len(text.split()) <= 12 and not is_sentence(text)


def header_rows(region: Region, wide: Collection[tuple[int, int]], declared: Collection[int], one_table: bool) -> int:
    """How many first rows of a region are its header.

    `wide` holds the cells that are merged over several columns, `declared` the rows that the file says are headers. Where the file
    is `one_table`, its first row is the header unless it holds values.
    """
    rows = region.rows
    for count, row in enumerate(rows[:5], start=1):
        if row in declared:
            return count
    if len(rows) < 2:
        return 0
    if _spreads(region, rows[0], wide) and len(rows) > 2:
        inner = _is_header(region, 1, one_table=True)
        if inner and _all_labels(region, rows[0]):
            return 2
    if _two_levels(region):
        return 2
    return 1 if _is_header(region, 0, one_table) else 0


def _spreads(region: Region, row: int, wide: Collection[tuple[int, int]]) -> bool:
    """Whether a row has cells over several columns, but not one over all of them."""
    cells = region.cells(row)
    return any((row, column) in wide for column in cells) and (len(cells) > 1 or region.left not in cells)


def _two_levels(region: Region) -> bool:
    """A first row with gaps over a second one without, above values ("", "Starter", "", "Pro" over "Item", "Monthly", "Yearly")."""
    if len(region.rows) < 3 or region.width < 4:
        return False
    first, second = region.cells(region.rows[0]), region.cells(region.rows[1])
    return (
        2 <= len(first) <= (region.width + 1) // 2
        and len(second) >= region.width - 1
        and _all_labels(region, region.rows[0])
        and not any(is_value(cell.text) for cell in first.values())
        and _is_header(region, 1, one_table=False)
        and _has_values_below(region, 2)
    )


def _all_labels(region: Region, row: int) -> bool:
    return all(is_label(cell.text) for cell in region.cells(row).values())


def _has_values_below(region: Region, first: int) -> bool:
    return any(is_value(cell.text) for row in region.rows[first : first + _LOOKED_AT] for cell in region.cells(row).values())


def _is_header(region: Region, index: int, one_table: bool) -> bool:
    row = region.rows[index]
    cells = region.cells(row)
    body = region.rows[index + 1 : index + 1 + _LOOKED_AT]
    missing = region.width - len(cells)
    if not body or not cells or (missing > max(1, region.width // 4) and not (one_table and len(cells) > 1)):
        return False
    texts = [cell.text for cell in cells.values()]
    if not all(is_label(text) for text in texts):
        return False
    columns = {column: [text for other in body if (text := _text(region, other, column))] for column in cells}
    periods = [column for column, cell in cells.items() if _PERIOD.fullmatch(cell.text) and column != region.left]
    for column, cell in cells.items():
        if not is_value(cell.text) or column in periods:
            continue
        if column == region.left and cell.text.lower() in {"-", "x", "no"}:
            continue
        return False
    if periods and any(_mostly(_PERIOD, columns[column]) for column in periods):
        return False
    if one_table:
        return True
    if all(cell.bold for cell in cells.values()) and not all(
        cell.bold for other in body[:5] for cell in region.cells(other).values()
    ):
        return True
    if any(sum(map(_telling, column)) * 2 > len(column) for column in columns.values() if column) and not any(
        re.search(r"\d", text)
        for column, text in ((c, cells[c].text) for c in cells)
        if column not in periods and column != region.left
    ):
        # Labels without digits above columns of values; "Retention | 90 days" in the first row is a value itself.
        return region.width > 2 or not _is_pairs(texts, columns, region)
    if any(_HEADER_WORDS.fullmatch(text) for text in texts[1:]) or sum(bool(_HEADER_WORDS.match(text)) for text in texts) * 2 > len(
        texts
    ):
        return True
    return (
        region.width > 2 and len(set(texts)) == len(texts) and not any(re.search(r"\d", text) for text in texts) and len(body) > 1
    )


def _is_pairs(texts: Sequence[str], columns: dict[int, list[str]], region: Region) -> bool:
    """Whether two columns are "name | value" from the first row on: the second column mixes words and values."""
    second = columns.get(region.right, [])
    if any(_HEADER_WORDS.match(text) for text in texts):
        return False
    return bool(second) and sum(map(_telling, second)) < 0.8 * len(second)


def _text(region: Region, row: int, column: int) -> str:
    cell = region.grid[row].get(column)
    return cell.text if cell else ""


def _telling(text: str) -> bool:
    """Whether a cell holds a value or something counted ("90 days")."""
    return is_value(text) or re.match(r"[^\w\s]{0,2}\s?\d", text) is not None


def _mostly(pattern: re.Pattern[str], texts: Sequence[str]) -> bool:
    return bool(texts) and sum(pattern.fullmatch(text) is not None for text in texts) * 2 > len(texts)
