from __future__ import annotations

from datetime import date

import pytest

from auditor.extract.dates import find_periods
from auditor.extract.mentions import Taken
from auditor.model import FactKind
from tests.extract.reading import facts, gap, of_kind, only


@pytest.mark.parametrize(
    "written",
    [
        "2024-10-05",
        "2024-10-05T10:00Z",
        "2024-10-05 10:00:00+02:00",
        "5 October 2024",
        "05 October 2024",
        "5 Oct 2024",
        "5 Oct. 2024",
        "5th October 2024",
        "the 5th of October 2024",
        "5 October, 2024",
        "October 5, 2024",
        "October 5 2024",
        "October 5th, 2024",
        "Oct 5, 2024",
        "OCTOBER 5, 2024",
        gap("5-Oct-2024", why="hyphens around the month"),
        gap("2024/10/05", why="ISO order with slashes"),
    ],
)
def test_one_day_in_all_notations(written: str) -> None:
    value = only(f"The bridge near Ulm was blocked on {written} for tests.", FactKind.DATE).value
    assert (value.unit, value.low, value.high) == ("day", (date(2024, 10, 5).toordinal(),), (date(2024, 10, 5).toordinal(),))
    assert value.text == "2024-10-05"


@pytest.mark.parametrize(
    ("written", "day"), [("13/04/2024", date(2024, 4, 13)), ("04/13/2024", date(2024, 4, 13)), ("30.09.2025", date(2025, 9, 30))]
)
def test_day_and_month_that_cannot_be_confused(written: str, day: date) -> None:
    assert only(f"The bridge near Ulm was blocked on {written} for tests.", FactKind.DATE).value.low == (day.toordinal(),)


@pytest.mark.parametrize("written", ["03/04/2024", "3.4.2024", "01/02/2023", "12/12/2024"])
def test_ambiguous_notation_is_unread(written: str) -> None:
    """Neither reading is guessed, and no number is left over. (12/12 could be read; it is not worth a rule.)"""
    assert [f for f in facts(f"The bridge near Ulm was blocked on {written} for tests.") if not f.incidental] == []


@pytest.mark.parametrize(
    ("written", "text", "unit"),
    [
        ("October 2024", "2024-10", "month"),
        ("Oct. 2024", "2024-10", "month"),
        ("October of 2024", "2024-10", "month"),
        ("4 July", "--07-04", "yearly"),
        ("July 4", "--07-04", "yearly"),
        ("the 5th of June", "--06-05", "yearly"),
        gap("5 May", "--05-05", "yearly", why="a day in May without a year"),
        ("May 5", "--05-05", "yearly"),
    ],
)
def test_less_precise_dates(written: str, text: str, unit: str) -> None:
    value = only(f"The bridge near Ulm is blocked on {written} for tests.", FactKind.DATE).value
    assert (value.text, value.unit) == (text, unit)


def test_a_month_spans_its_days() -> None:
    value = only("The bridge near Ulm was blocked in February 2024 for tests.", FactKind.DATE).value
    assert (value.low, value.high) == ((date(2024, 2, 1).toordinal(),), (date(2024, 2, 29).toordinal(),))


@pytest.mark.parametrize(
    "text",
    [
        "You may 5 times try the pump.",
        "The march to the pump begins.",
        "Second class costs more.",
        "We sat in the sun.",
        gap("The bridge was blocked on 31 February 2024.", why="a day that does not exist is read as its month"),
    ],
)
def test_no_date(text: str) -> None:
    assert of_kind(text, FactKind.DATE) == []


@pytest.mark.parametrize(
    ("text", "basis"),
    [
        ("The tariff for water holds from 1 July 2024.", "from"),
        ("The tariff for water is effective 1 July 2024.", "from"),
        ("The tariff for water holds until 1 July 2024.", "until"),
        ("The tariff for water expires on 1 July 2024.", "until"),
        ("The tariff for water is due by 1 July 2024.", "by"),
        ("The tariff for water was signed on 1 July 2024.", "signed"),
        ("The tariff for water was last updated on 1 July 2024.", "updated"),
        ("The brewery in Ulm was founded on 1 July 2004.", "founded"),
        ("The mayor of Ulm opened the bridge on 1 July 2024.", ""),
    ],
)
def test_role_of_a_date(text: str, basis: str) -> None:
    (fact,) = [f for f in facts(text) if f.kind is FactKind.DATE]
    assert fact.basis == basis


@pytest.mark.parametrize(
    ("text", "year"), [("The mill in Ulm has run since 2019.", 2019), ("The brewery in Ulm was founded in 1998.", 1998)]
)
def test_years_in_which_something_began(text: str, year: int) -> None:
    value = only(text, FactKind.DATE).value
    assert (value.unit, value.low, value.high) == ("year", (date(year, 1, 1).toordinal(),), (date(year, 12, 31).toordinal(),))


@pytest.mark.parametrize(
    ("text", "periods"),
    [
        ("sales in fiscal 2023", {"fy2023"}),
        ("sales in fiscal year 2023", {"fy2023"}),
        ("FY23", {"fy2023"}),
        ("FY2023", {"fy2023"}),
        ("FY 2023/24", {"fy2024"}),
        ("financial year 2022-23", {"fy2023"}),
        ("Q3 2025", {"2025q3"}),
        ("Q3", {"q3"}),
        ("the third quarter of 2025", {"2025q3"}),
        ("in 2024", {"2024"}),
        ("during 2023", {"2023"}),
        ("in March 2024", {"2024-03"}),
        ("the tax year 2021", {"2021"}),
        ("the school year 2023/24", {"2024"}),
        ("in 2022 and in 2023", {"2022", "2023"}),
        gap("in H1 2024", {"2024h1"}, why="half-years"),
        gap("for the 2023 season", {"2023"}, why="a year in front of its noun"),
        ("since 2019", set()),
        ("effective from March 2024", set()),
        ("as of March 2024", set()),
        ("the third quarter", set()),
        ("room 2024", set()),
        ("2024 chairs", set()),
    ],
)
def test_periods(text: str, periods: set[str]) -> None:
    assert find_periods(text, Taken(len(text))) == periods


@pytest.mark.parametrize(
    ("text", "periods"),
    [("Annual report 2023", {"2023"}), ("2023 figures", {"2023"}), ("Results (2022)", {"2022"}), ("Version 2.0", set())],
)
def test_periods_of_headings(text: str, periods: set[str]) -> None:
    assert find_periods(text, Taken(len(text)), heading=True) == periods


@pytest.mark.parametrize(
    ("written", "minutes"),
    [
        ("9 am", 540),
        ("9am", 540),
        ("9 a.m.", 540),
        ("9:00", 540),
        ("09:00", 540),
        ("9.00 am", 540),
        ("9:30 pm", 1290),
        ("9.30pm", 1290),
        ("21:30", 1290),
        ("12 am", 0),
        ("12 pm", 720),
        ("noon", 720),
        ("midnight", 1440),
        ("24:00", 1440),
        gap("7 o'clock", 420, why="o'clock"),
        gap("0900 hours", 540, why="military time is read as a duration of 900 hours"),
    ],
)
def test_clock_time(written: str, minutes: int) -> None:
    assert only(f"The gate is locked at {written}.", FactKind.CLOCK).value.low == (minutes,)


@pytest.mark.parametrize(
    ("written", "span"),
    [
        ("9 to 5 pm", (540, 1020)),
        ("8–6 pm", (480, 1080)),
        ("1 to 5 pm", (780, 1020)),
        ("9 am to 5 pm", (540, 1020)),
        ("9 am – 5 pm", (540, 1020)),
        ("09:00–17:30", (540, 1050)),
        ("09:00-17:30 CET", (540, 1050)),
        ("9.00 to 17.00", (540, 1020)),
        ("between 10:00 and 12:00", (600, 720)),
        ("from 9:00 until 17:00", (540, 1020)),
    ],
)
def test_clock_spans(written: str, span: tuple[int, int]) -> None:
    value = only(f"The desk is staffed {written}.", FactKind.CLOCK).value
    assert (value.comparator, value.low, value.high) == ("range", (span[0],), (span[1],))


@pytest.mark.parametrize(
    "text",
    [
        "Mix it 3:30:10.",
        "It goes on at 25:00.",
        "Read chapter 4.30.",
        "It costs 9.30 per unit.",
        gap("Read John 3:16.", why="a verse"),
    ],
)
def test_no_clock_time(text: str) -> None:
    assert of_kind(text, FactKind.CLOCK) == []


@pytest.mark.parametrize("written", ["0 March 2023", "March 0, 2023", "30 February 2023", "31 April 2023", "00/03/2023"])
def test_a_day_that_does_not_exist_is_none(written: str) -> None:
    assert not [
        f for f in facts(f"The bridge was closed on {written} for tests.") if f.kind is FactKind.DATE and f.value.unit == "day"
    ]


def test_a_month_ends_with_its_last_day() -> None:
    value = only("The bridge is closed from February 2024 on.", FactKind.DATE).value
    assert value.high == (date(2024, 2, 29).toordinal(),)
    value = only("The bridge is closed from December 2099 on.", FactKind.DATE).value
    assert value.high == (date(2099, 12, 31).toordinal(),)
