from __future__ import annotations

import pytest

from auditor.extract import numbers
from tests.extract.reading import gap


def values(text: str) -> list[float]:
    return [n.value for n in numbers.find(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1000", 1000),
        ("1,000", 1000),
        ("1\u00a0000", 1000),
        ("1\u202f000", 1000),
        ("1'000", 1000),
        gap("1 000 visitors", 1000, why="a blank between groups of three"),
        gap("10 000 000 visitors", 10_000_000, why="two blanks between groups of three"),
        ("1,234,567.89", 1234567.89),
        ("3.5", 3.5),
        (".5", 0.5),
        ("0.25", 0.25),
        ("1.000", 1.0),
        ("-5", -5),
        ("−5", -5),
        ("(-5)", -5),
        ("+5", 5),
        ("zero", 0),
        ("one", 1),
        ("twelve", 12),
        ("Twelve", 12),
        ("nineteen", 19),
        ("twenty", 20),
        ("twenty-one", 21),
        ("twenty one", 21),
        ("ninety-nine", 99),
        ("one hundred", 100),
        ("a hundred", 100),
        ("one hundred and five", 105),
        ("two hundred and fifty", 250),
        ("three hundred and twenty-one", 321),
        gap("a hundred and twenty", 120, why="“a hundred” with a rest"),
        ("a dozen", 12),
        gap("one dozen", 12, why="“one” is read alone"),
        ("half a day", 0.5),
        ("half an hour", 0.5),
        ("a quarter of the staff", 0.25),
        ("two and a half", 2.5),
        gap("1½ hours", 1.5, why="vulgar fractions"),
    ],
)
def test_one_number(text: str, expected: float) -> None:
    assert values(text) == [pytest.approx(expected)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10-20", [10, 20]),
        ("10–20", [10, 20]),
        ("3, 4 and 5", [3, 4, 5]),
        ("between five and nine", [5, 9]),
        ("rooms 3 and four", [3, 4]),
        ("at 20 of 100", [20, 100]),
    ],
)
def test_several_numbers(text: str, expected: list[float]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "1.234",  # 1234 or 1.234: the locale is not told
        "12,5",
        "1.234.567",
        "1,00",
        "3/4",
        "24/7",
        "#12",
        "v1.2",
        "x2",
        "A4",
        "someone",
        "tone",
        "oneself",
        "weight",
        "12345678901234567890",
        "",
    ],
)
def test_no_number(text: str) -> None:
    assert values(text) == []


@pytest.mark.parametrize(
    ("text", "step"), [("14", 1), ("4.2", 0.1), ("4.20", 0.01), ("1,000", 1), (".5", 0.1), ("twelve", 0), ("a dozen", 0)]
)
def test_stated_precision(text: str, step: float) -> None:
    (number,) = numbers.find(text)
    assert number.step == pytest.approx(step)
    assert number.word == (step == 0)


def test_spans_are_exact() -> None:
    text = "From 1,200 to two and a half, then +7."
    assert [text[n.start : n.end] for n in numbers.find(text)] == ["1,200", "two and a half", "7"]
