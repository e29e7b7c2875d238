from __future__ import annotations

import pytest

from auditor.detect import intervals
from auditor.detect.reasons import CONTAINED, EQUAL
from auditor.model import Value


def value(written: str, step: float = 1.0, unit: str = "x") -> Value:
    """“5”, “>=5”, “<=5”, “~5” or “5..8”."""
    if ".." in written:
        low, high = (float(part) for part in written.split(".."))
        return Value(written, (low,), (high,), unit, "range", step)
    comparator = written.rstrip("0123456789.-")
    number = (float(written.removeprefix(comparator)),)
    return Value(
        written,
        None if comparator in {"<=", "<"} else number,
        None if comparator in {">=", ">"} else number,
        unit,
        comparator or "=",
        step,
    )


@pytest.mark.parametrize(
    ("a", "b", "conflict", "reason"),
    [
        ("5", "5", False, EQUAL),
        ("5", "6", True, "different"),
        (">=5", ">=5", False, EQUAL),
        (">=5", "5", False, EQUAL),
        ("<=5", "5", False, EQUAL),
        ("5..8", "5", False, EQUAL),
        ("5..8", "8", False, EQUAL),
        ("5..8", "6", False, CONTAINED),
        ("5..8", "9", True, "outside"),
        (">=5", "7", False, CONTAINED),
        (">=5", "4", True, "outside"),
        ("<=5", "7", True, "outside"),
        ("<=5", "3", True, "bound"),
        (">=5", ">=8", True, "bounds differ"),
        ("<=5", "<=8", True, "bounds differ"),
        (">=5", "<=8", False, CONTAINED),
        (">=8", "<=5", True, "disjoint"),
        ("5..8", "6..9", True, "ranges differ"),
        ("5..8", "9..12", True, "disjoint"),
        ("~100", "105", False, CONTAINED),
        ("~100", "150", True, "different"),
    ],
)
def test_relation(a: str, b: str, conflict: bool, reason: str) -> None:
    for x, y in ((a, b), (b, a)):
        verdict = intervals.compare(value(x), value(y))
        assert (verdict.conflict, verdict.reason) == (conflict, reason)
        assert verdict.detail


def test_a_threshold_is_not_satisfied() -> None:
    """“Free from $50” and “free from $80” or “free at $80” differ."""
    assert intervals.compare(value(">=50"), value("80"), threshold=True).conflict
    assert not intervals.compare(value(">=50"), value("80")).conflict


def test_stated_precision() -> None:
    coarse, fine = value("4200000", 100_000), value("4180000", 10_000)
    assert intervals.compare(coarse, fine).reason == EQUAL
    assert intervals.compare(coarse, value("4260000", 10_000)).conflict
    assert intervals.compare(coarse, value("4300000", 100_000)).conflict


def test_tolerance() -> None:
    assert intervals.compare(value("100", 0), value("104", 0), tolerance=0.05).reason == EQUAL
    assert intervals.compare(value("100", 0), value("104", 0), tolerance=0.01).conflict


@pytest.mark.parametrize(
    ("months", "days", "conflict"),
    [
        ("1", 30, False),
        ("1", 31, False),
        ("1", 14, True),
        ("3", 90, False),
        ("6", 180, False),
        ("12", 365, False),
        ("12", 300, True),
        ("24", 365, True),
    ],
)
def test_months_against_days(months: str, days: int, conflict: bool) -> None:
    calendar = value(months, unit="calendar duration")
    assert intervals.across(calendar, value(str(days * 86_400), unit="duration")).conflict == conflict


def test_bound_in_months_against_bound_in_days() -> None:
    assert not intervals.across(value("<=1", unit="calendar duration"), value(f"<={30 * 86_400}", unit="duration")).conflict
    assert intervals.across(value("<=1", unit="calendar duration"), value(f"<={14 * 86_400}", unit="duration")).conflict


def test_versions_of_other_length() -> None:
    short, long = Value("3.8", (3.0, 8.0), (3.0, 8.0)), Value("3.8.0", (3.0, 8.0, 0.0), (3.0, 8.0, 0.0))
    assert intervals.compare(short, long).reason == EQUAL
