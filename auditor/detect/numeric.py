"""Counts, quantities, durations, money and percentages.

Fires: "Items may be returned within 30 days of delivery." / "Returns are accepted within 14 days of purchase." (value and basis differ)

Must not fire: "The batch takes 90 minutes." / "The batch takes 1.5 hours." (equal after conversion); "At least 3 reviewers." / "Four
reviewers signed." (satisfies the bound and is a different claim).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from auditor.detect import intervals, reasons
from auditor.model import NUMERIC, Fact, FactKind, Statement, Value
from auditor.ports import Verdict
from auditor.text.words import stem

_DECIMAL_DATA = re.compile(r"(?<![A-Za-z])([kmgt])(?:b|ilobytes?|egabytes?|igabytes?|erabytes?)\b", re.I)
_PER_YEAR = {
    stem(word): times
    for word, times in {
        "hour": 8760.0,
        "day": 365.0,
        "night": 365.0,
        "week": 52.0,
        "month": 12.0,
        "quarter": 4.0,
        "year": 1.0,
        "minute": 525_600.0,
        "second": 31_536_000.0,
    }.items()
}


def _rates(a: Fact, b: Fact) -> Verdict:
    """Rates over different times, both brought to a year: 9 a month is 108 a year. Weeks and months leave 3 % of play."""
    scaled = []
    for fact in (a, b):
        times = _PER_YEAR[fact.per]
        low = None if fact.value.low is None else (fact.value.low[0] * times,)
        high = None if fact.value.high is None else (fact.value.high[0] * times,)
        scaled.append(replace(fact.value, low=low, high=high, step=0.0))
    return intervals.compare(scaled[0], scaled[1], 0.03)


def _in_cents(a: Value, b: Value) -> bool:
    """Whether a price of fractions of a cent is the other one, rounded to cents: $0.021 and $0.02."""
    if a.unit != b.unit or not math.isclose(max(a.step, b.step), 0.01):
        return False
    sides = ((a.low, b.low), (a.high, b.high))
    return all(intervals.rounded(x, y, a, b) if x and y else x is y for x, y in sides)


def _in_binary(a: Value, b: Value) -> Verdict | None:
    """The verdict where "256 KB" is 262,144 bytes: many write KB and mean 1,024. None if that does not make the values agree."""
    for first, second in ((_as_binary(a), b), (a, _as_binary(b))):
        if first is not None and second is not None:
            verdict = intervals.compare(first, second)
            if not verdict.conflict and verdict.reason == reasons.EQUAL:
                return verdict
    return None


def _as_binary(value: Value) -> Value | None:
    """A number of KB, MB, GB or TB, taken in powers of 1,024; None for other units."""
    unit = _DECIMAL_DATA.search(value.text)
    if unit is None:
        return None
    factor = 1.024 ** ("kmgt".index(unit.group(1).lower()) + 1)
    low, high = ((bound[0] * factor,) if bound is not None else None for bound in (value.low, value.high))
    return replace(value, low=low, high=high)


class NumericDetector:
    """See the module's docstring."""

    id = "numeric"
    kind = "numeric"

    def __init__(self, tolerance: Mapping[str, float] | None = None) -> None:
        self._tolerance = dict(tolerance or {})

    def handles(self, fact: Fact) -> bool:
        """Numeric facts that are claims."""
        return fact.kind in NUMERIC and not fact.incidental

    def keys(self, fact: Fact) -> Iterable[str]:
        """The counted noun with each name, modifier and strong word beside it; other quantities by unit and near words."""
        if fact.kind is FactKind.COUNT:
            yield f"n:{fact.head}"
        for word, weight in fact.attribute.items():
            if weight >= 0.6 and word != fact.head:
                yield f"{fact.head or fact.value.unit}|{word}"

    def comparable(self, fact: Fact) -> str:
        """Class within which facts are compared: the counted noun, or the kind and unit."""
        if fact.kind is FactKind.COUNT:
            return f"count:{fact.head}"
        return f"{fact.kind}:{fact.value.unit.removeprefix('calendar ')}"

    def compare(self, a: Fact, b: Fact, sa: Statement, sb: Statement) -> Verdict:
        """Compare values, then the basis of periods."""
        if a.per and b.per and a.per != b.per:
            if a.kind is FactKind.MONEY and a.value.unit == b.value.unit and a.per in _PER_YEAR and b.per in _PER_YEAR:
                return _rates(a, b)
            return Verdict(False, reasons.UNRELATED, f"per {a.per} against per {b.per}")
        if a.value.unit != b.value.unit:
            calendar, plain = (a, b) if a.value.unit.startswith("calendar") else (b, a)
            verdict = intervals.across(calendar.value, plain.value)
        else:
            verdict = intervals.compare(
                a.value, b.value, self._tolerance.get(a.kind.value, 0.0), threshold=a.kind is FactKind.MONEY
            )
        if verdict.conflict and a.kind is FactKind.MONEY and _in_cents(a.value, b.value):
            return Verdict(False, reasons.EQUAL, f"{a.value.text} in whole cents is {b.value.text}")
        if verdict.conflict and a.value.unit == b.value.unit == "data":
            verdict = _in_binary(a.value, b.value) or verdict
        if verdict.conflict and verdict.reason == "bound" and a.kind is FactKind.PERCENT:
            return replace(verdict, conflict=False, reason=reasons.CONTAINED)  # "up to 94 %" is no limit but a peak
        if a.basis and b.basis and a.basis != b.basis:
            if not verdict.conflict and verdict.reason == reasons.EQUAL:
                return Verdict(True, "basis", f"counted from {a.basis} against {b.basis}", differs="basis", strength=0.8)
            if verdict.conflict:
                return replace(verdict, differs="value+basis")
        return verdict
