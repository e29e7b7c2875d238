"""Dates that documents state about themselves.

Only what is unambiguous counts: `03/04/2024` is a different day in different countries and therefore no date here.
"""

from __future__ import annotations

import re
from datetime import date

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
            "september sept sep", "october oct", "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = r"(?P<month{n}>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"

DATE = re.compile(
    rf"""(?<![\w/.-])(?:
      (?P<year1>(?:19|20)\d\d)[-/.](?P<number1>\d{{1,2}})[-/.](?P<day1>\d{{1,2}})
        (?:[T ]\d\d:?\d\d(?::?\d\d(?:\.\d+)?)?\s*(?:Z|UTC|[+-]\d\d:?\d\d)?)?(?!\d)
    | (?P<day2>\d{{1,2}})(?:st|nd|rd|th|\.)?(?:\s+of)?[-\s]\s*{_MONTH.format(n=2)}[-\s,]\s*(?P<year2>(?:19|20)\d\d)(?!\d)
    | {_MONTH.format(n=3)}\s+(?P<day3>\d{{1,2}})(?:st|nd|rd|th)?(?:\s*,\s*|\s+)(?P<year3>(?:19|20)\d\d)(?!\d)
    | {_MONTH.format(n=4)}\s*,?\s+(?P<year4>(?:19|20)\d\d)(?!\d)
    | (?P<year5>(?:19|20)\d\d)-(?P<number5>\d\d)(?![\d-])
    | (?P<numeric>\d{{1,2}}[/.-]\d{{1,2}}[/.-](?:19|20)\d\d)(?!\d)
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_OTHER_LANGUAGE = re.compile(r"\d{1,2}\.?\s+(?:de\s+)?[^\W\d_]{3,12}\.?\s+(?:de\s+)?(?:19|20)\d\d\b")


def from_match(match: re.Match[str]) -> date | None:
    """The date of a match of `DATE`; None when it is ambiguous or impossible."""
    groups = match.groupdict()
    if groups["numeric"]:
        first, second, year = (int(part) for part in re.split(r"[/.-]", groups["numeric"]))
        if first > 12 >= second:
            return _date(year, second, first)
        if second > 12 >= first:
            return _date(year, first, second)
        return _date(year, first, second) if first == second else None
    for n in "12345":
        if year_text := groups.get(f"year{n}"):
            month_text = groups.get(f"month{n}")
            month = _MONTHS[month_text.lower()] if month_text else int(groups[f"number{n}"])
            return _date(int(year_text), month, int(groups.get(f"day{n}") or 1))
    return None


def parse(text: str, language: str = "en") -> date | None:
    """The first date of a short text such as a metadata value.

    Month names of other languages go to dateparser, which takes long to import and therefore only sees spans that look like a date.
    """
    for match in DATE.finditer(text[:200]):
        return from_match(match)
    if found := _OTHER_LANGUAGE.search(text[:200]):
        return _foreign(found.group(), language)
    return None


def _foreign(span: str, language: str) -> date | None:
    import dateparser

    languages = sorted({language, "de", "es", "fr", "it", "nl", "pt"} - {"en"})
    try:
        found = dateparser.parse(span, languages=languages, settings={"STRICT_PARSING": True, "PREFER_DATES_FROM": "past"})
    except (ValueError, OverflowError, RecursionError):
        return None
    return found.date() if found else None


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
