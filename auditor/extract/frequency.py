"""How often something happens: "once a quarter", "every two weeks", "reviewed annually"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.extract.mentions import Mention, Taken
from auditor.model import FactKind

_PER_YEAR = {
    "second": 31_536_000.0,
    "minute": 525_600.0,
    "hour": 8760.0,
    "day": 365.0,
    "night": 365.0,
    "week": 52.0,
    "fortnight": 26.0,
    "month": 12.0,
    "quarter": 4.0,
    "year": 1.0,
}
_WORDS = {
    "hourly": 8760.0,
    "daily": 365.0,
    "nightly": 365.0,
    "weekly": 52.0,
    "fortnightly": 26.0,
    "biweekly": 26.0,
    "bi-weekly": 26.0,
    "monthly": 12.0,
    "quarterly": 4.0,
    "annually": 1.0,
    "yearly": 1.0,
    "half-yearly": 2.0,
    "semiannually": 2.0,
    "biannually": 2.0,
}
_COUNT = {
    "once": 1,
    "twice": 2,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
    "fifteen": 15,
    "thirty": 30,
    "sixty": 60,
    "other": 2,
    "second": 2,
    "third": 3,
}
_UNIT = r"(?P<unit>hour|day|night|week|fortnight|month|quarter|year)s?"

_TIMES = re.compile(
    rf"(?<!\w)(?:(?P<n>once|twice)|(?P<times>\d+|two|three|four|five|six|ten|twelve)\s+times)\s+(?:a|an|per|every|each|in\s+(?:a|every|each))\s+(?:calendar\s+|working\s+)?{_UNIT}(?!\w)",
    re.I,
)
_EVERY = re.compile(
    r"(?<!\w)(?:every|each)\s+(?:(?P<n>\d+|two|three|four|five|six|eight|ten|twelve|fifteen|thirty|sixty|other|second|third)\s+)?"
    r"(?P<unit>second|minute|hour|day|night|week|fortnight|month|quarter|year)s?(?!\w)",
    re.I,
)
# An adverb of frequency is a claim where it closes its phrase; before a noun it is a label ("the monthly report").
_ADVERB = re.compile(
    r"(?<![\w-])(?P<word>"
    + "|".join(sorted(_WORDS, key=len, reverse=True))
    + r")(?=\s*(?:[.,;:)!]|$|\s(?:and|or|by|at|on|in|to|from|with|for|after|before|during|between|unless|until)\b))",
    re.I,
)


_RATE = re.compile(r"\d[\w,.]*\s+(?:[a-z]+\s+){0,2}$", re.I)  # "100 requests each minute" is a rate, not how often


def find_frequencies(text: str, taken: Taken) -> Iterator[Mention]:
    """Frequencies as times per year; marks what it reads."""
    for pattern in (_TIMES, _EVERY, _ADVERB):
        for match in pattern.finditer(text):
            if not taken.free(*match.span()) or _RATE.search(text, max(0, match.start() - 30), match.start()):
                continue
            groups = match.groupdict()
            if pattern is _ADVERB:
                rate = _WORDS[groups["word"].lower()]
            else:
                raw = (groups.get("times") or groups.get("n") or "1").lower()
                number = float(raw) if raw.isdigit() else float(_COUNT.get(raw, 1))
                base = _PER_YEAR[groups["unit"].lower()]
                rate = base / number if pattern is _EVERY else base * number
            if rate <= 0:
                continue
            taken.take(*match.span())
            yield Mention(
                FactKind.QUANTITY,
                *match.span(),
                (round(rate, 6),),
                (round(rate, 6),),
                unit="times per year",
                text=match.group().lower(),
            )
