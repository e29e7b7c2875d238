"""Numbers as they are written: digits with separators, number words, fractions, magnitudes."""

from __future__ import annotations

import re
from dataclasses import dataclass

_DIGITS = r"\d{1,3}(?:[,\u00a0\u202f']\d{3})+(?:\.\d+)?|\d{1,3}(?:[ ]\d{3})+(?![\d.])|\d+(?:\.\d+)?"
_UNITS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
)
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"

_NUMBER = re.compile(
    rf"""
    (?<![\w.,/\\#])(?P<digits>[-−+]?(?:{_DIGITS}))(?![\d]|[.,]\d|/\d|:\d)
  | (?<![\w$€£])(?P<decimal>\.\d+)(?![\w.])
  | (?<![\w-])(?P<word>(?:a|one)\s+dozen|twice(?!\s+(?:a|an|per|every|each|as)\b)|(?:{_TENS})[- ](?:{_UNITS})|(?:{_UNITS}|{_TENS}|zero)(?:\s+hundred(?:\s+and\s+(?:{_TENS}|{_UNITS})(?:[- ](?:{_UNITS}))?)?)?
      |(?:a|one)\s+hundred(?:\s+and\s+(?:{_TENS}|{_UNITS})(?:[- ](?:{_UNITS}))?)?|half\s+(?:a|an)(?=\s)|a\s+quarter(?=\s+of\b))(?![\w-](?<!-))
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Behind a currency sign the look-behind of the main pattern would still allow it; "$.50" is read by `decimal`.

_SMALL = {w: i + 1 for i, w in enumerate(_UNITS.split("|"))}
_LARGE = {w: (i + 2) * 10 for i, w in enumerate(_TENS.split("|"))}
_HALF = re.compile(r"\s+and\s+a\s+half\b", re.I)


@dataclass(frozen=True, slots=True)
class Number:
    """A number literal. `step` is the weight of the last stated digit (1 for "14", 0.1 for "4.2"); words count as exact."""

    start: int
    end: int
    value: float
    step: float
    word: bool = False


def find(text: str) -> list[Number]:
    """All number literals of a text, in order.

    "1.234" alone is left out: whether that is 1234 or 1.234 depends on a locale that the text does not tell.
    """
    found: list[Number] = []
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        if match["digits"] is not None:
            raw = match["digits"]
            if raw[0] == "+":
                start, raw = start + 1, raw[1:]
            elif raw[0] in "-−":
                # A hyphen behind a word or number joins ("10-20"), it is no sign.
                before = text[start - 1 : start]
                if before and not before.isspace() and before not in "(:=$€£":
                    start, raw = start + 1, raw[1:]
            number = _digits(raw.replace("−", "-"))
            if number is None:
                continue
            found.append(Number(start, end, *number))
        elif match["decimal"] is not None:
            raw = match["decimal"]
            found.append(Number(start, end, float("0" + raw), 10.0 ** -(len(raw) - 1)))
        else:
            value = _words(match["word"].lower())
            if value is None:
                continue
            half = _HALF.match(text, end)
            if half:
                value, end = value + 0.5, half.end()
            found.append(Number(start, end, value, 0.0, word=True))
    return found


def _digits(raw: str) -> tuple[float, float] | None:
    sign = -1.0 if raw.startswith("-") else 1.0
    raw = raw.lstrip("-")
    if re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", raw) and not raw.endswith("000"):
        return None
    plain = re.sub(r"[,\u00a0\u202f' ]", "", raw)
    if len(plain) > 15:
        return None
    decimals = len(plain.partition(".")[2])
    return sign * float(plain), 10.0**-decimals


def _words(raw: str) -> float | None:
    if raw.startswith("half"):
        return 0.5
    if raw.startswith("a quarter"):
        return 0.25
    if raw == "twice":
        return 2.0
    if "dozen" in raw:
        return 12.0
    total = 0.0
    for part in re.split(r"[\s-]+", raw):
        if part in _SMALL:
            total += _SMALL[part]
        elif part in _LARGE:
            total += _LARGE[part]
        elif part == "hundred":
            total = max(total, 1) * 100
        elif part == "a":
            total = 1
        elif part not in {"and", "zero"}:
            return None
    return total
