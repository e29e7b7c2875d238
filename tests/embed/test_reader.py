"""The pair readers that ship: what it tells apart, and that its answer depends on nothing but the two texts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from auditor.embed import models
from auditor.embed.models import ModelError
from auditor.embed.reader import AGREE, DIFFER, CloseReader, PairReader, chance, joined

RETURNS = joined("Shop FAQ", "Returns", "Send it back within 14 days of purchase.")
RETURNS_OTHERWISE = joined("Returns policy", "Period", "Goods may be returned within 30 days of purchase.")
RETURNS_AGAIN = joined("Shop notice", "", "You have two weeks from purchase to return an item.")
SHIPPING = joined("Shop FAQ", "Delivery", "Parcels leave our warehouse within 2 days.")


@pytest.fixture(scope="module", params=[PairReader, CloseReader])
def reader(request: pytest.FixtureRequest) -> PairReader:
    kind: type[PairReader] = request.param
    return kind()


def test_values_of_one_fact_differ_agree_or_have_nothing_to_do_with_each_other(reader: PairReader) -> None:
    rows = reader.read([(RETURNS, RETURNS_OTHERWISE), (RETURNS, RETURNS_AGAIN), (RETURNS, SHIPPING)])
    assert rows.shape == (3, 3)
    np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-4)
    assert rows[0].argmax() == DIFFER
    assert rows[2].argmax() != DIFFER
    assert rows[0, DIFFER] > rows[1, DIFFER] > rows[2, DIFFER]
    assert rows[1, AGREE] > rows[0, AGREE]


SAME_WORDS = [
    (
        ("Returns policy", "Period", "Goods may be returned within 30 days."),
        ("Shop FAQ", "Returns", "Goods may be returned within 14 days."),
    ),
    (
        ("Help centre", "", "Refunds are issued within 5 business days."),
        ("Refunds", "", "Refunds are issued within 10 business days."),
    ),
    (
        ("API guide", "Base URL", "The API is served at https://api.example.org."),
        ("README", "", "The API is served at https://gate.example.org."),
    ),
    (("README", "", "Requires Python 3.8 or newer."), ("Install guide", "Requirements", "Requires Python 3.10 or newer.")),
    (("README", "", "18 tools across 4 categories"), ("Docs", "Overview", "23 tools across 4 categories")),
    (
        ("Handbook", "Leave", "Employees receive 25 days of annual leave."),
        ("Benefits", "", "Employees receive 28 days of annual leave."),
    ),
    (("Config reference", "", "timeout, Default: 30"), ("Guide", "Settings", "timeout, Default: 60")),
    (("Rate limits", "", "The limit is 100 requests per minute."), ("FAQ", "API", "The limit is 60 requests per minute.")),
    (("Revenue report", "", "Revenue in fiscal 2024 was $6.8M."), ("Board memo", "", "Revenue in fiscal 2024 was $4.2M.")),
    (("Security policy", "", "USB sticks are not allowed."), ("Welcome", "IT", "USB sticks are allowed.")),
    (("Office guide", "", "The office is open from 8 to 18."), ("Wiki", "Office", "The office is open from 9 to 17.")),
    (("Support", "", "Contact support at +1 207 555 0124."), ("Contact", "", "Contact support at +1 207 555 0142.")),
    (("Pricing", "", "The Pro plan costs $20 per month."), ("Plans", "", "The Pro plan costs $25 per month.")),
]
OTHER_THINGS = [
    (("Pricing", "", "The Pro plan costs $20 per month."), ("Plans", "", "The Team plan costs $25 per month.")),
    (("Report", "", "Revenue in fiscal 2023 was $6.8M."), ("Board memo", "", "Revenue in fiscal 2024 was $4.2M.")),
    (
        ("Shop", "", "Goods bought online may be returned within 30 days."),
        ("Shop", "", "Goods bought in store may be returned within 14 days."),
    ),
]


def test_the_same_words_with_another_value_differ(reader: PairReader) -> None:
    """The commonest contradiction, a figure that one page forgot to update, is not taken for a look-alike."""
    rows = reader.read([(joined(*a), joined(*b)) for a, b in SAME_WORDS])
    assert (rows.argmax(axis=1) == DIFFER).sum() >= len(SAME_WORDS) - 2, rows[:, DIFFER].round(2)
    others = reader.read([(joined(*a), joined(*b)) for a, b in OTHER_THINGS])
    assert others[:, DIFFER].max() < np.sort(rows[:, DIFFER])[2]


def test_the_order_of_the_sides_does_not_matter(reader: PairReader) -> None:
    there = reader.read([(RETURNS, RETURNS_OTHERWISE), (RETURNS, SHIPPING)])
    back = reader.read([(RETURNS_OTHERWISE, RETURNS), (SHIPPING, RETURNS)])
    np.testing.assert_array_equal(there, back)


def test_other_pairs_read_with_it_do_not_matter(reader: PairReader) -> None:
    alone = reader.read([(RETURNS, RETURNS_OTHERWISE)])
    among = reader.read([(SHIPPING, "x " * 200), (RETURNS, RETURNS_OTHERWISE), (RETURNS, SHIPPING)])
    np.testing.assert_array_equal(alone[0], among[1])


def test_no_pairs_blank_and_endless_texts(reader: PairReader) -> None:
    assert reader.read([]).shape == (0, 3)
    rows = reader.read([("", ""), ("word " * 100_000, "\x00\u202e" * 50)])
    assert np.isfinite(rows).all()


@pytest.mark.parametrize("kind", [PairReader, CloseReader])
def test_an_altered_model_is_refused(kind: type[PairReader], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / kind.files[0].path
    target.parent.mkdir(parents=True)
    target.write_bytes(models.locate(kind.files[0]).read_bytes()[:-1] + b"x")
    monkeypatch.setattr(models, "package_folder", lambda package: tmp_path)
    with pytest.raises(ModelError, match="not the expected model file"):
        kind()


def test_chances_lie_between_nothing_and_certainty() -> None:
    assert chance(0.0) == 0.0
    assert chance(1.0) == 1.0
    assert chance(0.5) == pytest.approx(0.5)
    assert chance(0.2) < chance(0.3)
