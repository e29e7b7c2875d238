"""Format codes of spreadsheet cells (`#,##0.00 [$€-407];[Red]-0`), taken apart into what is shown where."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

GENERAL = "General"

BUILT_IN: Mapping[int, str] = {
    0: GENERAL,
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    **dict.fromkeys((5, 6), "$#,##0"),
    **dict.fromkeys((7, 8), "$#,##0.00"),
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    **dict.fromkeys((12, 13), "# ?/?"),
    **dict.fromkeys((14, 15, *range(27, 32), 36, *range(50, 55), 57, 58), "yyyy-mm-dd"),
    16: "d-mmm",
    17: "mmm yyyy",
    **dict.fromkeys((18, 20, 32, 34), "h:mm"),
    **dict.fromkeys((19, 21, 33, 35), "h:mm:ss"),
    22: "yyyy-mm-dd h:mm",
    **dict.fromkeys((37, 38), "#,##0"),
    **dict.fromkeys((39, 40), "#,##0.00"),
    **dict.fromkeys((41, 42), "#,##0"),
    **dict.fromkeys((43, 44), "#,##0.00"),
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss",
    48: "0.0E+0",
    49: "@",
}
"""Formats that files name by a number only."""

_TOKEN = re.compile(
    r"""
      "(?P<quoted>[^"]*)"?
    | \\(?P<escaped>.)
    | [_*](?P<room>.)
    | \[\$(?P<currency>[^\]-]*)(?:-[^\]]*)?\]
    | \[(?P<elapsed>[hH]+|[mM]+|[sS]+)\]
    | \[(?P<test>[<>=]{1,2})\s*(?P<limit>-?\d+(?:\.\d+)?)\]
    | \[[^\]]*\]?
    | (?P<general>[Gg]eneral|GENERAL|[Ss]tandard)
    | (?P<scientific>[eE][+-][0#?]+)
    | (?P<noon>AM/PM|am/pm|A/P)
    | (?P<date>[yY]+|[mM]+|[dD]+|[hH]+|[sS]+(?:\.0+)?|[eE]+)
    | (?P<digits>[0#?.,/]+)
    | (?P<percent>%)
    | (?P<text>@)
    | (?P<end>;)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
MAX_CODE = 255
"""Characters of a code, as in Excel."""


@dataclass(frozen=True, slots=True)
class Section:
    """One of the parts of a format between semicolons."""

    before: str = ""  # what stands before the digits
    digits: str = ""
    after: str = ""
    percent: int = 0
    general: bool = False
    scientific: bool = False
    parts: frozenset[str] = frozenset()  # of dates: y, m, d, weekday, h, min, s, elapsed
    test: tuple[str, float] | None = None
    pieces: tuple[str, ...] = ()  # of digits with text between them (`000-0000`): digits and literals in turn


@lru_cache(maxsize=4096)
def sections(code: str) -> tuple[Section, ...]:
    """The sections of a code: for all numbers, or for positive ones, negative ones and zero."""
    found: list[Section] = []
    tokens: list[re.Match[str]] = []
    for token in _TOKEN.finditer(code[:MAX_CODE]):
        if token["end"] is None:
            tokens.append(token)
        else:
            found.append(_section(tokens))
            tokens = []
    found.append(_section(tokens))
    return tuple(found)


def _section(tokens: Sequence[re.Match[str]]) -> Section:
    before, after = "", ""
    digits = ""
    pieces = [""]
    percent = 0
    general = scientific = False
    test: tuple[str, float] | None = None
    dates: list[str] = []
    for token in tokens:
        literal = token["quoted"] or token["escaped"] or token["currency"] or token["other"] or ""
        if token["room"] is not None:
            literal = " " if token.group()[0] == "_" else ""
        elif token["percent"]:
            literal, percent = "%", percent + 1
        elif token["test"]:
            test = (token["test"], float(token["limit"]))
        elif token["date"]:
            dates.append(token["date"].lower())
        elif token["elapsed"]:
            dates.append(f"[{token['elapsed'][0].lower()}]")
        elif token["digits"] and not dates:
            if after.strip():
                pieces += [after, ""]
                after = ""
            digits += token["digits"]
            pieces[-1] += token["digits"]
            continue
        elif token["general"]:
            general = True
            continue
        elif token["scientific"]:
            scientific = True
            continue
        if digits or general:
            after += literal
        else:
            before += literal
    if dates:
        return Section(parts=_date_parts(dates), test=test)
    spread = (before, *pieces, after) if len(pieces) > 1 and not scientific and "/" not in digits else ()
    return Section(before, digits, after, percent, general, scientific, test=test, pieces=spread)


def _date_parts(tokens: Sequence[str]) -> frozenset[str]:
    parts: set[str] = set()
    for i, token in enumerate(tokens):
        letter = token[0]
        if letter == "[":
            parts |= {"elapsed", "s" if token == "[s]" else "min"}
        elif letter == "m":
            before = tokens[i - 1][:2].strip("[") if i else ""
            after = tokens[i + 1] if i + 1 < len(tokens) else ""
            minutes = before.startswith("h") or after.startswith("s")
            parts.add("min" if minutes else "m")
        elif letter == "d":
            parts.add("weekday" if len(token) > 2 else "d")
        else:
            parts.add({"e": "y"}.get(letter, letter))
    return frozenset(parts)
