"""Bare pairs: what one says does not depend on the pairs read before it."""

from __future__ import annotations

from auditor import pair
from auditor.pair import judge_pair

RETURNS = ("Goods may be returned within 30 days of delivery.", "Return goods within 14 days of delivery.")
RETURNING = (
    "Returning buyers of shipped commodities get 5 percent off.",
    "A buyer returning a commodity pays 8 percent at dispatch.",
)


def test_pairs_do_not_colour_one_another() -> None:
    pair._extractor.cache_clear()
    first = judge_pair(*RETURNS)
    pair._extractor.cache_clear()
    judge_pair(*RETURNING)
    assert judge_pair(*RETURNS) == first
    assert first[0]
