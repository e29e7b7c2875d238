"""Dates, clock times and periods.

An own span grammar (search functions of date libraries see dates in "we" and "12 %"); notation that depends on the locale, such as
03/04/2024, is left unread unless day and month cannot be confused.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date

from auditor.extract.mentions import Mention, Taken
from auditor.model import FactKind

_MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]
_MONTH = r"(?P<{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
_YEAR = r"(?:19|20)\d\d"

_ISO = re.compile(
    rf"(?<![\w-])(?P<y>{_YEAR})-(?P<m>0[1-9]|1[0-2])-(?P<d>0[1-9]|[12]\d|3[01])(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?(?![\w-])"
)
_DMY = re.compile(rf"(?<!\w)(?P<d>[0-3]?\d)(?:st|nd|rd|th)?(?:\s+of)?\s+{_MONTH.format('m')},?(?:\s+(?P<y>{_YEAR}))?(?!\w)", re.I)
_MDY = re.compile(
    rf"(?<!\w){_MONTH.format('m')}\s+(?P<d>[0-3]?\d)(?:st|nd|rd|th)?(?!\d|[.:]\d)(?:,?\s+(?P<y>{_YEAR}))?(?!\w)", re.I
)
_MY = re.compile(rf"(?<!\w){_MONTH.format('m')},?\s+(?:of\s+)?(?P<y>{_YEAR})(?!\w)", re.I)
_SLASH = re.compile(rf"(?<![\w/])(?P<a>[0-3]?\d)[/.](?P<b>[0-3]?\d)[/.](?P<y>{_YEAR})(?![\w/])")
_CLOCK = re.compile(
    r"(?<![\w:.])(?P<h>[01]?\d|2[0-4])(?:[:.](?P<mi>[0-5]\d))?\s*(?P<ap>a\.?m\.?|p\.?m\.?)(?!\w)|(?<![\w:./])(?P<h2>[01]?\d|2[0-4]):(?P<mi2>[0-5]\d)(?!:?\d|\w)|(?<!\w)(?P<noon>noon|midnight)(?!\w)",
    re.I,
)
_CLOCK_RANGE = re.compile(
    r"(?<![\w:.])(?P<h>[01]?\d|2[0-4])(?:[:.](?P<mi>[0-5]\d))?\s*(?:-|–|—|to|until|till)\s*(?=(?:[01]?\d|2[0-4])(?:[:.][0-5]\d)?\s*(?:a\.?m|p\.?m))",
    re.I,
)
_DOTTED_RANGE = re.compile(
    r"(?<![\w.:$€£])(?P<h>[01]?\d|2[0-4])\.(?P<mi>[0-5]\d)\s*(?:-|–|—|to|until|till|and)\s*(?P<h2>[01]?\d|2[0-4])\.(?P<mi2>[0-5]\d)(?![\w%]|\.\d|\s*(?:%|per\b|[a-z]{1,3}\b(?<!and)(?<!on)))"
)

_FISCAL = re.compile(
    rf"(?<!\w)(?:fiscal(?:\s+year)?|financial\s+year|FY)[\s-]*(?P<y>{_YEAR}|\d\d)(?:[/–-](?P<y2>\d\d(?:\d\d)?))?(?!\w)", re.I
)
_QUARTER = re.compile(
    rf"(?<!\w)(?:Q(?P<q>[1-4])|(?P<qw>first|second|third|fourth)\s+quarter)(?:\s+of)?[\s,/-]*(?:FY\s?)?(?P<y>{_YEAR})?(?!\w)", re.I
)
_YEAR_PERIOD = re.compile(
    rf"(?<!\w)(?P<prep>in|for|during|of|throughout|year|calendar year|tax year|season|academic year|school year|end of|through)\s+(?P<y>{_YEAR})(?:\s*[/–-]\s*(?P<y2>\d\d(?:\d\d)?))?(?![\w-])",
    re.I,
)
_LEADING_YEAR = re.compile(
    rf"^\W*(?P<y>{_YEAR})(?:\s*[/–-]\s*(?P<y2>\d\d(?:\d\d)?))?(?=\W|$)|(?<!\w)(?P<t>{_YEAR})$|\((?P<p>{_YEAR})\)"
)
_SINCE = re.compile(
    r"(?:since|effective(?:\s+(?:from|as\s+of|on))?|updated?(?:\s+on)?|from|starting|beginning|as\s+of|revised|issued|published|dated|reviewed|by|until|before|after|version)[\s:(]*$",
    re.I,
)


def _month(name: str) -> int:
    key = name.lower()[:3]
    return next(i for i, m in enumerate(_MONTHS, 1) if m.startswith(key))


def _mention(match: re.Match[str], year: int | None, month: int, day: int | None) -> Mention | None:
    try:
        date(2000 if year is None else year, month, 1 if day is None else day)  # there is no year 0 and no day 0
    except ValueError:
        return None
    if year is not None and day is not None:
        low = high = float(date(year, month, day).toordinal())
        text, unit = f"{year:04}-{month:02}-{day:02}", "day"
    elif year is not None:
        low = float(date(year, month, 1).toordinal())
        high = float(date(year, month, monthrange(year, month)[1]).toordinal())
        text, unit = f"{year:04}-{month:02}", "month"
    else:
        low = high = float(month * 100 + (day or 0))
        text, unit = f"--{month:02}-{day:02}", "yearly"
    return Mention(FactKind.DATE, match.start(), match.end(), (low,), (high,), unit=unit, text=text)


def find_dates(text: str, taken: Taken) -> Iterator[Mention]:
    """Dates with day or month; marks what it reads. `unit` is "day", "month" or "yearly" (no year: comparable with its own kind only)."""
    for pattern in (_ISO, _SLASH, _DMY, _MDY, _MY):
        for match in pattern.finditer(text):
            if not taken.free(*match.span()):
                continue
            groups = match.groupdict()
            if pattern is _SLASH:
                a, b = int(groups["a"]), int(groups["b"])
                taken.take(*match.span())
                if (a > 12) == (b > 12):
                    continue
                mention = _mention(match, int(groups["y"]), b if a > 12 else a, a if a > 12 else b)
            else:
                month = int(groups["m"]) if pattern is _ISO else _month(groups["m"])
                if (
                    pattern is not _ISO
                    and groups["m"].lower() == "may"
                    and not groups["m"].startswith(("May", "MAY"))
                    and groups["y"] is None
                ):
                    continue
                year = int(groups["y"]) if groups.get("y") else None
                day = int(groups["d"]) if groups.get("d") else None
                mention = _mention(match, year, month, day)
            if mention is not None:
                taken.take(*match.span())
                yield mention


_SINCE_YEAR = re.compile(
    rf"(?<!\w)(?P<cue>since|founded\s+in|established\s+in|incorporated\s+in|opened\s+in|launched\s+in|closed\s+in|retired\s+in)\s+(?P<y>{_YEAR})(?![\w-])",
    re.I,
)


def find_year_dates(text: str, taken: Taken) -> Iterator[Mention]:
    """Years in which something began or ended ("since 2019"); marks what it reads."""
    for match in _SINCE_YEAR.finditer(text):
        if taken.free(*match.span("y")):
            taken.take(*match.span("y"))
            year = int(match["y"])
            low, high = float(date(year, 1, 1).toordinal()), float(date(year, 12, 31).toordinal())
            yield Mention(
                FactKind.DATE,
                *match.span("y"),
                (low,),
                (high,),
                unit="year",
                text=match["y"],
                basis=match["cue"].lower().split()[0],
            )


def find_clocks(text: str, taken: Taken) -> Iterator[Mention]:
    """Clock times in minutes after midnight; "9 to 5 pm" gives both ends."""
    spans: list[tuple[int, int, int]] = []
    for match in _CLOCK_RANGE.finditer(text):
        if taken.free(*match.span()):
            hour, minute = int(match["h"]), int(match["mi"] or 0)
            spans.append((match.start(), match.end("mi") if match["mi"] else match.end("h"), -(hour * 60 + minute)))
    for match in _CLOCK.finditer(text):
        if not taken.free(*match.span()):
            continue
        if match["noon"]:
            minutes = 720 if match["noon"].lower() == "noon" else 1440
        elif match["ap"]:
            hour = int(match["h"]) % 12 + (12 if match["ap"].lower().startswith("p") else 0)
            minutes = hour * 60 + int(match["mi"] or 0)
        else:
            minutes = int(match["h2"]) * 60 + int(match["mi2"])
        spans.append((match.start(), match.end(), minutes))
    for match in _DOTTED_RANGE.finditer(text):
        if taken.free(*match.span()) and not any(s <= match.start() < e for s, e, _ in spans):
            spans.append((match.start(), match.end("mi"), int(match["h"]) * 60 + int(match["mi"])))
            spans.append((match.start("h2"), match.end("mi2"), int(match["h2"]) * 60 + int(match["mi2"])))
    spans.sort()
    resolved: list[tuple[int, int, int]] = []
    for i, (start, end, minutes) in enumerate(spans):
        if minutes < 0:
            raw = -minutes
            following = spans[i + 1][2] if i + 1 < len(spans) else 0
            # "8 to 6 pm" begins in the morning, "1 to 5 pm" in the afternoon
            minutes = raw + 720 if raw < 720 and raw + 720 < following and following - raw > 720 else raw
        resolved.append((start, end, minutes))
    skip = False
    for i, (start, end, minutes) in enumerate(resolved):
        if skip:
            skip = False
            continue
        taken.take(start, end)
        if i + 1 < len(resolved) and re.fullmatch(
            r"\s*(?:[A-Z]{2,4}\s*)?(?:-|–|—|to|until|till|and)\s*", text[end : resolved[i + 1][0]]
        ):
            _, end2, minutes2 = resolved[i + 1]
            taken.take(end, end2)
            yield Mention(
                FactKind.CLOCK,
                start,
                end2,
                (float(minutes),),
                (float(minutes2),),
                unit="clock",
                comparator="range",
                text=f"{_hhmm(minutes)}–{_hhmm(minutes2)}",
            )
            skip = True
        else:
            yield Mention(FactKind.CLOCK, start, end, (float(minutes),), (float(minutes),), unit="clock", text=_hhmm(minutes))


def _hhmm(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _full_year(raw: str, base: str = "20") -> str:
    return raw if len(raw) == 4 else base + raw


def find_periods(text: str, taken: Taken, *, heading: bool = False) -> frozenset[str]:
    """Periods that a fact in this text is about: "fy2023", "2024q3", "2023", "2024-03". Marks what it reads.

    Dates behind "since", "effective", "as of" and the like say when something was stated or began; they are no period. With `heading`
    a year at either end counts too ("Annual report 2023").
    """
    periods: set[str] = set()
    for match in _FISCAL.finditer(text):
        taken.take(*match.span())
        end = match["y2"] or match["y"]
        periods.add("fy" + _full_year(end))
    for match in _QUARTER.finditer(text):
        if match["y"] is None and not match.group().upper().startswith("Q"):
            continue
        taken.take(*match.span())
        quarter = match["q"] or str(["first", "second", "third", "fourth"].index(match["qw"].lower()) + 1)
        periods.add(f"{match['y'] or ''}q{quarter}")
    for match in _YEAR_PERIOD.finditer(text):
        span = match.span("y")
        if taken.free(*span) and not _SINCE.search(text[: match.start()]):
            taken.take(*span)
            periods.add(_full_year(match["y2"], match["y"][:2]) if match["y2"] else match["y"])
    for match in _MY.finditer(text):
        if not _SINCE.search(text[: match.start()]):
            periods.add(f"{match['y']}-{_month(match['m']):02}")
    if heading:
        for match in _LEADING_YEAR.finditer(text):
            year = match["y"] or match["t"] or match["p"]
            periods.add(_full_year(match["y2"], year[:2]) if match["y2"] else year)
    return frozenset(periods)
