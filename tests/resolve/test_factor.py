"""Amounts that differ by one factor throughout are stated on two bases."""

from __future__ import annotations

from dataclasses import replace

import pytest
from resolve_corpus import Corpus

from auditor.model import BlockKind
from auditor.resolve.factor import one_factor

MARGIN = [("1.50 USD per m", "1.58 USD"), ("30 USD", "31.5 USD"), ("0.80 USD", "0.84 USD"), ("4.40 USD per m", "4.62 USD")]


@pytest.mark.parametrize(
    ("values", "factor"),
    [
        (MARGIN, 1.05),
        ([(b, a) for a, b in MARGIN], 1 / 1.05),
        ([("100 EUR", "119 EUR"), ("10 EUR", "11.90 EUR"), ("20 EUR", "23.80 EUR"), ("5 EUR", "5.95 EUR")], 1.19),
        (MARGIN[:3], None),  # too few
        ([("10 EUR", "12 EUR"), ("20 EUR", "23 EUR"), ("30 EUR", "31 EUR"), ("45 EUR", "49 EUR")], None),  # kept up here and there
        ([("10 EUR", "20 EUR"), ("20 EUR", "40 EUR"), ("30 EUR", "60 EUR"), ("45 EUR", "90 EUR")], None),  # doubled
        ([("10 days", "11 days"), ("20 days", "22 days"), ("30 days", "33 days"), ("40 days", "44 days")], None),  # no money
        ([("0 EUR", "0 EUR")] * 5, None),
        ([("", "")] * 5, None),
        ([*MARGIN, ("2 USD", "9 USD"), ("3 USD", "7 USD")], None),  # two of six do not keep to it
        ([("10 USD–20 USD", "11 USD–21 USD")] * 4, None),
    ],
)
def test_factor(values: list[tuple[str, str]], factor: float | None) -> None:
    assert one_factor(values) == (pytest.approx(factor) if factor is not None else None)


def tables(values: list[tuple[str, str]]) -> Corpus:
    corpus = Corpus()
    left = corpus.document("rates.md", *(f"Plan {n}: {a}" for n, (a, _) in enumerate(values)), title="Rates")
    right = corpus.document("prices.md", *(f"Plan {n}: {b}" for n, (_, b) in enumerate(values)), title="Prices")
    corpus.statements[:] = [replace(s, kind=BlockKind.ROW) for s in corpus.statements]
    for n, (a, b) in enumerate(values):
        corpus.finding(right[n], left[n], b, a, entity_key=f"plan {n}", attribute="price", key_a=f"k{n}", key_b=f"k{n}")
    return corpus


def test_it_makes_hints_of_them_and_says_why() -> None:
    conflicts, _ = tables(MARGIN).resolve()
    assert {c.tier for c in conflicts} == {"advisory"}
    assert all("differ by one factor throughout, 0.952" in c.explanation for c in conflicts)


def test_prices_that_were_not_kept_up_stay_findings() -> None:
    stale = [("10 USD", "12 USD"), ("20 USD", "21 USD"), ("30 USD", "35 USD"), ("40 USD", "49 USD")]
    conflicts, _ = tables(stale).resolve()
    assert {c.tier for c in conflicts} == {"high"}
    assert not any("factor" in c.explanation for c in conflicts)
