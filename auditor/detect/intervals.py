"""Relation of two bounded values: equal, contained, or in conflict, with the strength of the conflict."""

from __future__ import annotations

from dataclasses import replace

from auditor.detect import reasons
from auditor.model import Key, Value
from auditor.ports import Verdict

# Strength by how the values were stated: (comparator a, comparator b), symmetric. Two plain values leave no doubt; a plain value that
# satisfies the other side's bound may be meant as that bound ("a 14-day window" against "within 30 days").
_BOUND_AND_PLAIN = 0.45
_BOUNDS_DIFFER = 0.9
_RANGES_OVERLAP = 0.75
APPROXIMATE = 0.1


def compare(a: Value, b: Value, tolerance: float = 0.0, *, threshold: bool = False) -> Verdict:
    """Compare two values of one dimension.

    Plain against plain: equal within `tolerance` (relative) or at the coarser stated precision. A range or bound that holds the other
    value is `contained` (with `threshold`, as for amounts from which something is due, a plain value is not), except that differing bounds of one direction conflict ("at least 8", "at least 12").
    """
    if _same(a.low, b.low, a, b, tolerance) and _same(a.high, b.high, a, b, tolerance):
        return Verdict(False, reasons.EQUAL, f"{a.text} is {b.text}")
    if "~" in (a.comparator, b.comparator) and _near(a, b):
        return Verdict(False, reasons.CONTAINED, f"about the same: {a.text}, {b.text}")
    disjoint = _below(a.high, b.low) or _below(b.high, a.low)
    plain_a, plain_b = a.low == a.high, b.low == b.high
    if plain_a and plain_b:
        return Verdict(
            True, "different", f"{a.text} against {b.text}", strength=0.8 if "~" in (a.comparator, b.comparator) else 1.0
        )
    if plain_a or plain_b:
        bounded, plain = (b, a) if plain_a else (a, b)
        at_bound = plain.low in (bounded.low, bounded.high)
        if at_bound:
            return Verdict(False, reasons.EQUAL, f"{plain.text} is the bound of {bounded.text}")
        if disjoint:
            return Verdict(True, "outside", f"{plain.text} lies outside {bounded.text}", strength=1.0)
        if bounded.comparator == "range":
            return Verdict(False, reasons.CONTAINED, f"{plain.text} lies in {bounded.text}")
        if bounded.high is None and not threshold:
            return Verdict(False, reasons.CONTAINED, f"{plain.text} satisfies {bounded.text}")
        if plain.comparator == "~":
            return Verdict(False, reasons.CONTAINED, f"{plain.text} satisfies {bounded.text}")
        return Verdict(True, "bound", f"{plain.text} against {bounded.text}", strength=_BOUND_AND_PLAIN)
    if disjoint:
        return Verdict(True, "disjoint", f"{a.text} and {b.text} exclude each other", strength=1.0)
    one_direction = (a.low is None) == (b.low is None) and (a.high is None) == (b.high is None)
    if not one_direction:
        return Verdict(False, reasons.CONTAINED, f"{a.text} and {b.text} can both hold")
    if a.comparator == b.comparator == "range":
        return Verdict(True, "ranges differ", f"{a.text} against {b.text}", strength=_RANGES_OVERLAP)
    return Verdict(True, "bounds differ", f"{a.text} against {b.text}", strength=_BOUNDS_DIFFER)


_DAY = 86_400.0
_MONTH_DAYS = (28.0, 31.0)


def in_seconds(value: Value) -> Value:
    """A calendar duration (months) as the range of seconds it may last, so that it can meet days and hours: one month is 28 to 31 days,
    twelve months are 365 or 366."""
    if value.low is not None and value.high is not None and value.low == value.high:
        low, high = _span(value.low[0])
        return replace(value, low=(low,), high=(high,), unit="duration")
    return replace(
        value,
        low=None if value.low is None else (_span(value.low[0])[0],),
        high=None if value.high is None else (_span(value.high[0])[1],),
        unit="duration",
    )


def _span(months: float) -> tuple[float, float]:
    years, rest = divmod(months, 12)
    return (years * 365 + rest * _MONTH_DAYS[0]) * _DAY, (years * 366 + rest * _MONTH_DAYS[1]) * _DAY


def across(calendar: Value, plain: Value) -> Verdict:
    """Compare months or years with days: equal where the days may be those months."""
    span = in_seconds(calendar)
    if (
        plain.low is not None
        and plain.low == plain.high
        and span.low is not None
        and span.high is not None
        and calendar.low == calendar.high
    ):
        if span.low[0] * 0.97 <= plain.low[0] <= span.high[0] * 1.01:
            return Verdict(False, reasons.EQUAL, f"{plain.text} is {calendar.text}")
        return Verdict(True, "different", f"{calendar.text} against {plain.text}")
    near = [(x[0], y[0]) for x, y in ((span.low, plain.low), (span.high, plain.high)) if x is not None and y is not None]
    if near and all(abs(x - y) <= 0.11 * max(x, y) for x, y in near):
        return Verdict(False, reasons.EQUAL, f"{plain.text} is {calendar.text}")
    return compare(span, plain)


def _below(high: Key | None, low: Key | None) -> bool:
    return high is not None and low is not None and high < low


def _same(x: Key | None, y: Key | None, a: Value, b: Value, tolerance: float) -> bool:
    if x is None or y is None:
        return x is y
    if len(x) != len(y):  # versions: 3.8 is 3.8.0
        width = max(len(x), len(y))
        return x + (0.0,) * (width - len(x)) == y + (0.0,) * (width - len(y))
    if x == y:
        return True
    if len(x) != 1:
        return False
    difference = abs(x[0] - y[0])
    if difference <= max(abs(x[0]), abs(y[0])) * max(tolerance, 1e-9):
        return True
    # A value of few digits is a value of its own: 2 is no rounding of 2.4 as 4.2 is of 4.18.
    return rounded(x, y, a, b) and max(a.step, b.step) < max(abs(x[0]), abs(y[0])) * 0.2


def rounded(x: Key, y: Key, a: Value, b: Value) -> bool:
    """Whether two bounds of these values are one, stated at two precisions: 4.18 million and 4.2 million."""
    coarse, fine = max(a.step, b.step), min(a.step, b.step)
    return coarse > fine > 0 and abs(x[0] - y[0]) <= coarse / 2 * (1 + 1e-9)


def _near(a: Value, b: Value) -> bool:
    """Whether the ranges, widened by the tolerance of "about", overlap."""
    if a.low is not None and a.high is not None and b.low is not None and b.high is not None and len(a.low) == 1 == len(b.low):
        scale = max(abs(a.high[0]), abs(b.high[0])) * APPROXIMATE
        return a.low[0] - scale <= b.high[0] and b.low[0] - scale <= a.high[0]
    return not (_below(a.high, b.low) or _below(b.high, a.low))
