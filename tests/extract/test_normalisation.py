"""What is equal stays equal in every notation, and no text makes the reader stumble."""

from __future__ import annotations

import time
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.detect import reasons
from auditor.detect.date import DateDetector
from auditor.detect.numeric import NumericDetector
from auditor.extract import numbers
from auditor.model import BlockKind, Fact, FactKind
from auditor.ports import Verdict
from tests.extract.reading import extractor, facts, gap, only, statement

MEASURES = (FactKind.COUNT, FactKind.QUANTITY, FactKind.DURATION, FactKind.MONEY, FactKind.PERCENT)
NAMES = (
    "zero one two three four five six seven eight nine ten eleven twelve "
    "thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
)
SMALL = NAMES.split()
ROUND = "twenty thirty forty fifty sixty seventy eighty ninety"
TENS = ROUND.split()
few = settings(max_examples=40, deadline=None, derandomize=True)


def compared(x: str, y: str) -> Verdict:
    a, b = only(x, *MEASURES), only(y, *MEASURES)
    detector = NumericDetector()
    assert detector.comparable(a) == detector.comparable(b), f"{x!r} and {y!r} are not even compared"
    return detector.compare(a, b, statement(x), statement(y))


def equal(x: str, y: str) -> bool:
    verdict = compared(x, y)
    return not verdict.conflict and verdict.reason == reasons.EQUAL


def in_words(n: int) -> str:
    if n < 20:
        return SMALL[n]
    if n < 100:
        tens, rest = divmod(n, 10)
        return TENS[tens - 2] + (f"-{SMALL[rest]}" if rest else "")
    hundreds, rest = divmod(n, 100)
    return f"{SMALL[hundreds]} hundred" + (f" and {in_words(rest)}" if rest else "")


@few
@given(st.integers(2, 999))
def test_words_and_digits(n: int) -> None:
    assert [x.value for x in numbers.find(in_words(n))] == [n]
    assert equal(f"The hall has {n} chairs.", f"The hall has {in_words(n)} chairs.")


@few
@given(st.one_of(st.integers(1000, 1949), st.integers(2101, 10**9 - 1)), st.sampled_from([",", "\u00a0", "\u202f", "'"]))
def test_thousands_separators(n: int, separator: str) -> None:
    grouped = f"{n:,}".replace(",", separator)
    assert [x.value for x in numbers.find(grouped)] == [n]
    assert equal(f"The store has {n} chairs.", f"The store has {grouped} chairs.")


@few
@given(st.integers(1, 40), st.integers(1, 40))
def test_different_counts_are_never_equal(n: int, m: int) -> None:
    assert equal(f"The hall has {n + 1} chairs.", f"The hall has {m + 1} chairs.") == (n == m)


@few
@given(st.integers(1, 200))
def test_durations_convert(hours: int) -> None:
    assert equal(f"It lasts {hours} hours.", f"It lasts {hours * 60} minutes.")
    assert equal(f"It lasts {hours} days.", f"It lasts {hours * 24} hours.")
    assert equal(f"It lasts {hours} weeks.", f"It lasts {hours * 7} days.")
    assert equal(f"It lasts {hours / 4:g} hours.", f"It lasts {hours * 15} minutes.")
    assert not equal(f"It lasts {hours} days.", f"It lasts {hours + 1} days.")


@few
@given(st.integers(1, 50))
def test_months_and_years_convert(years: int) -> None:
    assert equal(f"It lasts {years} years.", f"It lasts {years * 12} months.")
    assert not equal(f"It lasts {years} years.", f"It lasts {years + 1} years.")


@few
@given(
    st.integers(1, 400),
    st.sampled_from(
        [
            ("kg", "g", 1000),
            ("tonnes", "kg", 1000),
            ("km", "m", 1000),
            ("m", "cm", 100),
            ("GB", "MB", 1000),
            ("GiB", "MiB", 1024),
            ("l", "ml", 1000),
            ("kW", "W", 1000),
            ("GHz", "MHz", 1000),
        ]
    ),
)
def test_units_convert(n: int, units: tuple[str, str, int]) -> None:
    large, small, factor = units
    assert equal(f"It takes {n} {large}.", f"It takes {n * factor} {small}.")
    assert not equal(f"It takes {n} {large}.", f"It takes {n} {small}.")


@few
@given(st.integers(1, 900))
def test_money_in_all_notations(n: int) -> None:
    assert equal(f"It costs ${n}.", f"It costs {n} USD.")
    assert equal(f"It costs ${n}.", f"It costs USD {n}.")
    assert equal(f"It costs ${n}.", f"It costs {n} dollars.")
    assert equal(f"It costs ${n}.00.", f"It costs US${n}.")
    assert equal(f"It costs ${n}M.", f"It costs {n} million dollars.")
    assert equal(f"It costs ${n}k.", f"It costs ${n},000.")
    assert equal(f"It costs {n} cents.", f"It costs ${n / 100:.2f}.")
    a, b = only(f"It costs ${n}.", *MEASURES), only(f"It costs €{n}.", *MEASURES)
    assert NumericDetector().comparable(a) != NumericDetector().comparable(b)


@few
@given(st.integers(1, 500), st.integers(1, 99))
def test_percent_in_all_notations(n: int, hundredths: int) -> None:
    written = f"{n}.{hundredths:02}"
    assert equal(f"It amounts to {written}%.", f"It amounts to {written} %.")
    assert equal(f"It amounts to {written}%.", f"It amounts to {written} percent.")


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ("The choir has twelve singers.", "The choir has a dozen singers."),
        ("The choir has 24 singers.", "The choir has two dozen singers."),
        ("It lasts 90 minutes.", "It lasts 1.5 hours."),
        ("It lasts 90 minutes.", "It lasts one and a half hours."),
        ("It lasts 30 minutes.", "It lasts half an hour."),
        ("It lasts 30 days.", "It lasts one month."),
        ("It lasts 365 days.", "It lasts 12 months."),
        ("It costs $4.2M.", "It costs $4.18 million."),
        ("Turnout was 33%.", "Turnout was 33.3%."),
        gap(
            "The store has 1\u00a0000\u00a0000\u00a0000 chairs.",
            "The store has 1,000,000,000 chairs.",
            why="four groups of digits are taken for a phone number",
        ),
        gap("It amounts to half of sales.", "It amounts to 50% of sales.", why="shares in words"),
    ],
)
def test_equal_in_other_words(x: str, y: str) -> None:
    assert equal(x, y)


@few
@given(st.dates(min_value=date(1950, 1, 1), max_value=date(2090, 12, 31)))
def test_dates_in_all_notations(day: date) -> None:
    written = [f"{day:%Y-%m-%d}", f"{day:%-d %B %Y}", f"{day:%B %-d, %Y}", f"{day:%-d %b %Y}"]
    found = [only(f"The bridge near Ulm was blocked on {w} for tests.", FactKind.DATE) for w in written]
    assert len({(f.value.low, f.value.high) for f in found}) == 1
    for other in found[1:]:
        assert not DateDetector().compare(found[0], other, statement("a"), statement("b")).conflict


@pytest.mark.parametrize(
    ("x", "y"),
    [
        gap("It lasts 5 days.", "It lasts 126 hours.", why="a duration in a larger unit is taken as rounded to that unit"),
        gap("It lasts 10 years.", "It lasts 125 months.", why="a duration in a larger unit is taken as rounded to that unit"),
        ("It lasts 30 days.", "It lasts 28 days."),
        ("It lasts 2 years.", "It lasts 18 months."),
        ("It lasts 24 hours.", "It lasts two days."),
        ("It weighs 5 kg.", "It weighs 5 g."),
        ("It costs $5M.", "It costs $5,000."),
        ("The hall has 100 chairs.", "The hall has 101 chairs."),
    ],
)
def test_unequal(x: str, y: str) -> None:
    assert compared(x, y).conflict


def test_a_count_that_looks_like_a_year_is_a_count() -> None:
    found = [f.incidental for f in facts("The store has 1950 chairs.") if f.kind is FactKind.COUNT]
    if found == [True]:
        pytest.xfail("known gap: a counted number from 1950 to 2100 without a separator is taken for a year")
    assert found == [False]


def test_equal_dates_are_equal() -> None:
    a, b = (only(f"The bridge near Ulm was blocked on {w} for tests.", FactKind.DATE) for w in ("2024-10-05", "5 October 2024"))
    if DateDetector().compare(a, b, statement("a"), statement("b")).reason != reasons.EQUAL:
        pytest.xfail("known gap: equal dates are reported as contained")


# Words that the grammars look for, mixed with anything: the way into most branches.
WORDS = (
    '1 12 1,000 1.5 $ € % – - / : . , ; ( ) " “ ” ’ ` * _ | + twelve a dozen half an hour day days per of to from until within '
    "at least up and or may must not never unless without is are no longer supported if May March 2024 Q3 FY23 9 am pm noon "
    "v1.2 Python 3.8 newer port 8080 +44 20 7946 license MIT kg °C ½ ² ß İ ﬁ \u200b \u0301 \U0001f600 \t"
)
PIECES = st.sampled_from(WORDS.split(" "))
TEXTS = st.one_of(
    st.text(max_size=300),
    st.lists(PIECES, max_size=60).map(" ".join),
    st.lists(PIECES, max_size=60).map("".join),
    st.text(alphabet="0123456789.,-–/ :$%", max_size=200),
)


def well_formed(found: list[Fact], length: int) -> None:
    assert [(f.start, f.end) for f in found] == sorted((f.start, f.end) for f in found)
    for fact in found:
        assert 0 <= fact.start < fact.end <= length
        assert all(0 < w <= 1 for w in fact.attribute.values())
        if fact.value.low is not None and fact.value.high is not None:
            assert fact.value.low <= fact.value.high


@settings(max_examples=250, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS)
def test_any_text_can_be_read(text: str) -> None:
    well_formed(facts(text), len(text))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(TEXTS, TEXTS, TEXTS)
def test_any_cell_can_be_read(key: str, column: str, text: str) -> None:
    cell = statement(text, row_key=key, column=column)
    well_formed(extractor().extract_all([cell])[0], len(cell.text))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(TEXTS, TEXTS, TEXTS)
def test_any_place_can_be_read(text: str, heading: str, lead_in: str) -> None:
    item = statement(text, lead_in=lead_in, heading=(heading,), title=heading, kind=BlockKind.ITEM)
    well_formed(extractor().extract_all([item])[0], len(item.text))


@pytest.mark.parametrize(
    "text",
    [
        "1 " * 600,
        "1-" * 600,
        "1," * 600,
        "1.1" * 400,
        "a.b-" * 300,
        "not " * 300,
        "account " * 150,
        "if unless except " * 70,
        "9:" * 600,
        "(" * 1200,
        "May " * 300,
        "x" * 1200,
        "at least " * 130,
        "$" * 1200,
        "one hundred and " * 75,
        "0" * 1200,
        "A1 " * 400,
        "@" * 1200,
        "https://" * 150,
    ],
    ids=lambda text: text[:12],
)
def test_long_repetition_is_read_in_time(text: str) -> None:
    """The longest statement there is; a pattern that tries all ways to read it would take minutes."""
    extractor()
    start = time.perf_counter()
    facts(text[:1200])
    assert time.perf_counter() - start < 2.0
