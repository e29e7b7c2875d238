from __future__ import annotations

import pytest

from auditor.model import FactKind
from tests.extract.reading import facts, gap, of_kind, only

MEASURES = (FactKind.COUNT, FactKind.QUANTITY, FactKind.DURATION, FactKind.MONEY, FactKind.PERCENT)
DAY = 86_400


@pytest.mark.parametrize(
    ("text", "kind", "unit", "value"),
    [
        ("It takes 90 minutes.", "duration", "duration", 5400),
        ("It takes 1.5 hours.", "duration", "duration", 5400),
        ("It takes 45 s.", "duration", "duration", 45),
        ("It takes 250 ms.", "duration", "duration", 0.25),
        ("It takes two weeks.", "duration", "duration", 14 * DAY),
        ("It takes half an hour.", "duration", "duration", 1800),
        ("It takes six months.", "duration", "calendar duration", 6),
        ("It takes a year and 2 years.", "duration", "calendar duration", 24),
        ("It takes 5 business days.", "duration", "business duration", 5),
        ("It takes 5 working days.", "duration", "business duration", 5),
        ("A 14-day trial comes with it.", "duration", "duration", 14 * DAY),
        ("An 8-hour shift is normal.", "duration", "duration", 8 * 3600),
        ("A five-day week is normal.", "duration", "duration", 5 * DAY),
        ("A six-month lease is normal.", "duration", "calendar duration", 6),
        gap("We want 5+ years of practice.", "duration", "calendar duration", 60, why="a plus between number and unit"),
        ("It costs $300.", "money", "USD", 300),
        ("It costs 300 USD.", "money", "USD", 300),
        ("It costs USD 300.", "money", "USD", 300),
        ("It costs €1,250.50.", "money", "EUR", 1250.5),
        ("It costs 20 euros.", "money", "EUR", 20),
        ("It costs £3bn.", "money", "GBP", 3e9),
        ("It costs $4.2M.", "money", "USD", 4.2e6),
        ("It costs US$5 million.", "money", "USD", 5e6),
        ("It costs $30k.", "money", "USD", 30_000),
        ("It costs 5 cents.", "money", "USD", 0.05),
        ("It costs 50 ¢.", "money", "USD", 0.5),
        ("It amounts to 12%.", "percent", "%", 12),
        ("It amounts to 12 percent.", "percent", "%", 12),
        ("It amounts to 12 per cent.", "percent", "%", 12),
        ("It amounts to 3 percentage points.", "percent", "percentage points", 3),
        gap("It fell by 12%.", "percent", "%", 12, why="“by” before a difference is read as a bound"),
        ("It weighs 2 kg.", "quantity", "mass", 2),
        ("It weighs 500 g.", "quantity", "mass", 0.5),
        ("It weighs 3 tonnes.", "quantity", "mass", 3000),
        ("It measures 12 cm.", "quantity", "length", 0.12),
        ("It measures 5 ft.", "quantity", "length", 1.524),
        ("It runs at 60 km/h.", "quantity", "speed", 60),
        ("It runs at −5 °C.", "quantity", "temperature", -5),
        ("It holds 4 GB of data.", "quantity", "data", 4e9),
        ("It holds 1 GiB.", "quantity", "data", 2**30),
        ("It holds 0.75 l.", "quantity", "volume", 0.75),
        ("It serves 3.4 million users.", "count", "", 3.4e6),
        ("It serves 1.2k users.", "count", "", 1200),
        ("It serves two thousand users.", "count", "", 2000),
        ("It serves five hundred thousand users.", "count", "", 500_000),
        ("It needs 2 dozen eggs.", "count", "", 24),
        ("It needs a dozen eggs.", "count", "", 12),
        ("It has 18 blockrun_* tools.", "count", "", 18),
    ],
)
def test_value_and_unit(text: str, kind: str, unit: str, value: float) -> None:
    fact = only(text, *MEASURES)
    assert (fact.kind.value, fact.value.unit, fact.value.comparator) == (kind, unit, "=")
    assert fact.value.low is not None
    assert fact.value.low == fact.value.high
    assert fact.value.low[0] == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "comparator", "low", "high"),
    [
        ("It needs at least 8 characters.", ">=", 8, None),
        ("It needs a minimum of 8 characters.", ">=", 8, None),
        ("It needs no fewer than 8 characters.", ">=", 8, None),
        gap("It needs 8 or more characters.", ">=", 8, None, why="the bound between number and noun"),
        ("It allows up to 5 devices.", "<=", None, 5),
        ("It allows no more than 5 devices.", "<=", None, 5),
        ("It allows at most 5 devices.", "<=", None, 5),
        ("It allows a maximum of 5 devices.", "<=", None, 5),
        ("It allows not more than 5 devices.", "<=", None, 5),
        ("It has more than 7 rooms.", ">", 7, None),
        ("It has over 7 rooms.", ">", 7, None),
        ("It has fewer than 7 rooms.", "<", None, 7),
        ("It has under 7 rooms.", "<", None, 7),
        ("It has about 40 rooms.", "~", 40, 40),
        ("It has roughly 40 rooms.", "~", 40, 40),
        ("It has between 10 and 20 rooms.", "range", 10, 20),
        ("It has 10 to 20 rooms.", "range", 10, 20),
        ("It has 10–20 rooms.", "range", 10, 20),
        ("It has 10-20 rooms.", "range", 10, 20),
        ("It weighs from 5 to 9 kg.", "range", 5, 9),
        ("It weighs 5–9 kg.", "range", 5, 9),
        ("It pays 5 to 10%.", "range", 5, 10),
        ("It pays 5%–10%.", "range", 5, 10),
        ("It pays $20–30.", "range", 20, 30),
        ("It pays $20–$30.", "range", 20, 30),
        ("It pays $0.02–0.15 per image.", "range", 0.02, 0.15),
        ("It weighs 9 kg or more.", ">=", 9, None),
        ("It weighs 9 kg or less.", "<=", None, 9),
        ("It weighs ≥ 9 kg.", ">=", 9, None),
    ],
)
def test_bounds(text: str, comparator: str, low: float | None, high: float | None) -> None:
    value = only(text, *MEASURES).value
    assert value.comparator == comparator
    assert (value.low[0] if value.low else None, value.high[0] if value.high else None) == (low, high)


def test_range_of_durations_in_the_unit_of_its_end() -> None:
    value = only("Allow 2–3 weeks.", *MEASURES).value
    assert (value.low, value.high) == ((14 * DAY,), (21 * DAY,))


def test_falling_pair_is_no_range() -> None:
    """“20 to 5” is no range from 20 up to 5."""
    assert all(f.value.comparator != "range" for f in facts("The score went from 20 to 5 points."))


@pytest.mark.parametrize(
    ("text", "per"),
    [
        ("It takes 100 requests per minute.", "minut"),
        gap("It takes 100 requests/minute.", "minut", why="noun and denominator are one token"),
        ("It takes 100 requests a minute.", "minut"),
        ("It takes 100 requests each minute.", "minut"),
        ("It costs $12 per seat.", "seat"),
        ("It costs $12 / seat.", "seat"),
        ("It costs $12 per user per month.", "month+user"),
        gap("It costs $12/user/month.", "month+user", why="two slashes"),
        ("It costs $12.", ""),
        ("It takes 30 days.", ""),
    ],
)
def test_denominator(text: str, per: str) -> None:
    assert only(text, *MEASURES).per == per


@pytest.mark.parametrize("event", ["delivery", "purchase", "receipt", "arrival", "hiring", "submission"])
def test_basis_of_a_period(event: str) -> None:
    """A period counted from an event knows it, and different events differ."""
    fact = only(f"Return it within 30 days of {event}.", *MEASURES)
    assert fact.basis
    assert fact.value.text.endswith(f"of {event}")
    assert fact.basis != only("Return it within 30 days of the invoice.", *MEASURES).basis


def test_before_the_start_of_a_thing_is_before_the_thing() -> None:
    start, thing, end = (
        only(f"Cancel within 4 hours before {event}.", *MEASURES).basis
        for event in ("the start of your slot", "the slot", "arrival")
    )
    assert start == thing != end


def test_a_range_in_a_row_key_says_which_case_the_cell_is_about() -> None:
    assert [f.value.text for f in of_kind("20 minutes", *MEASURES, row_key="150 to 200 m", column="Wait")] == ["20 minutes"]
    assert len(of_kind("allowed", *MEASURES, row_key="Uploads of 10 MB", column="Free plan")) == 1


def test_basis_is_an_event() -> None:
    assert only("You get 25 days of paid leave.", *MEASURES).basis == ""


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("The hall has 12 wooden chairs.", "chair"),
        ("The box offers 18 blockrun_* tools.", "tool"),
        ("It serves 300 hot lunches.", "lunch"),
        ("An eight-digit number opens it.", "digit"),
    ],
)
def test_counted_noun(text: str, head: str) -> None:
    assert only(text, FactKind.COUNT).head == head


@pytest.mark.parametrize(
    "text",
    [
        "See page 14.",
        "See section 4.2 for more.",
        gap("Figure 3 shows the pump.", why="a verb in -s behind a figure number"),
        "Follow step 2.",
        "See RFC 2119.",
        "It follows ISO 9001.",
        "Use form 1040.",
        "The law of 1998.",
        "There are three ways to begin.",
        "One should be careful.",
        "It happened on day 3.",
        "See issue #12.",
        "Take route 66.",
        gap("Section 4 covers the fees.", why="a verb in -s behind a section number"),
        gap("See page 12 lists of names.", why="a word in -s behind a page number"),
        "Call 0800 123456.",
    ],
)
def test_incidental_numbers(text: str) -> None:
    assert of_kind(text, *MEASURES) == []


def test_money_is_no_region() -> None:
    (fact,) = of_kind("It costs US$5.", FactKind.MONEY)
    if "region" in fact.scope:
        pytest.xfail("known gap: the sign US$ is read as the United States")


@pytest.mark.parametrize(
    ("row_key", "column", "text", "comparator"),
    [
        ("Uploads", "Maximum size", "5 MB", "<="),
        ("Password", "Minimum length", "8 characters", ">="),
        ("Max. weight", "Value", "20 kg", "<="),
        ("Weight", "Value", "20 kg", "="),
    ],
)
def test_cells_named_as_bounds(row_key: str, column: str, text: str, comparator: str) -> None:
    assert only(text, *MEASURES, row_key=row_key, column=column).value.comparator == comparator


def test_bare_number_in_a_cell_counts_what_the_column_says() -> None:
    fact = only("25", FactKind.COUNT, row_key="Team", column="Seats")
    assert (fact.head, fact.value.low) == ("seat", (25.0,))


def test_number_in_a_row_key_is_no_claim_of_the_cell() -> None:
    assert [f.value.text for f in of_kind("4 people", FactKind.COUNT, row_key="12 rooms", column="Crew")] == ["4 people"]


@pytest.mark.parametrize("cell", ["GPT-5.4, GPT-5.4 Pro, GPT-5", "Grok 4.3, Grok Code Fast 1", "Pump House Type 3"])
def test_the_end_of_a_name_is_no_count_of_the_column(cell: str) -> None:
    assert all(f.incidental for f in of_kind(cell, FactKind.COUNT, row_key="Maker", column="Models"))


@pytest.mark.parametrize("cell", ["25", "up to 25", "Up To 25", "Not More Than 25", "At Most 25", "Max. 25", "Maximum 25"])
def test_a_bare_number_counts_what_the_column_names(cell: str) -> None:
    assert [f.head for f in of_kind(cell, FactKind.COUNT, row_key="Team", column="Seats") if not f.incidental] == ["seat"]


@pytest.mark.parametrize(
    ("row_key", "column", "comparator"),
    [
        ("Maximum order", "Price", "<="),
        ("Upload", "Limit", "<="),
        ("Minimum order", "Amount", ">="),
        ("Order", "At least", ">="),
        ("Up to 10 users", "Price", "="),
        ("Large image (up to 2048 px)", "Price", "="),
        ("Limit: 5 seats", "Price", "="),
        ("At least €500 spent", "Discount", "="),
        ("Most popular", "Price", "="),
    ],
)
def test_a_row_named_after_a_bound_holds_one_unless_the_bound_has_its_own_number(
    row_key: str, column: str, comparator: str
) -> None:
    amounts = [f for f in of_kind("$20", FactKind.MONEY, row_key=row_key, column=column) if f.value.text.endswith("20 USD")]
    assert [f.value.comparator for f in amounts] == [comparator]
