"""Ages as claims: "from the age of 14", "aged 65 or over", "children under six"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.extract.mentions import Mention, Taken
from auditor.model import FactKind

_WORDS = {
    w: i
    for i, w in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
            "twenty-one",
        ]
    )
}
_N = r"(?P<n>\d{1,3}|" + "|".join(sorted(_WORDS, key=len, reverse=True)) + r")"
_PEOPLE = r"(?:child|children|kids|adults|people|persons?|anyone|those|guests|visitors|passengers|patients|students|pupils|members|minors|youngsters)"
_AGE = re.compile(
    rf"(?<!\w)(?:(?P<from>(?:from|at|above|over)\s+(?:the\s+)?age\s+of)\s+{_N}"
    rf"|(?P<below>(?:below|under|until|up to)\s+the\s+age\s+of)\s+{_N.replace('?P<n>', '?P<n2>')}"
    rf"|aged?\s+{_N.replace('?P<n>', '?P<n3>')}\s+(?:and|or)\s+(?P<side>over|older|above|up|under|younger|below)"
    rf"|{_PEOPLE}\s+(?P<rel>under|over|below|above)\s+{_N.replace('?P<n>', '?P<n4>')}(?!\s*(?:%|kg|cm|km))"
    rf"|{_N.replace('?P<n>', '?P<n5>')}\s+or\s+(?P<older>older|younger))(?!\w)",
    re.I,
)


def find_ages(text: str, taken: Taken) -> Iterator[Mention]:
    """Age limits in years, as bounds; marks what it reads."""
    for match in _AGE.finditer(text):
        name = next(g for g in ("n", "n2", "n3", "n4", "n5") if match[g])
        span = match.span(name)
        if not taken.free(*span):
            continue
        raw = match[name].lower()
        years = float(raw) if raw.isdigit() else float(_WORDS[raw])
        word = (match["side"] or match["rel"] or match["older"] or "").lower()
        upper = bool(match["below"]) or word in {"under", "younger", "below"}
        inclusive = bool(match["from"]) or bool(match["side"]) or bool(match["older"])
        comparator = ("<=" if inclusive else "<") if upper else (">=" if inclusive else ">")
        taken.take(*span)
        low, high = (None, (years,)) if upper else ((years,), None)
        yield Mention(
            FactKind.QUANTITY,
            *span,
            low,
            high,
            unit="age",
            comparator=comparator,
            text=f"{'under' if upper else 'from'} {int(years)} years of age",
        )
