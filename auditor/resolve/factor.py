"""Amounts of two tables that differ by one factor throughout: with and without tax or margin, or in two currencies.

A list of prices that was not kept up differs here and there, and by round steps. Where every amount of one table is that of the other times
1.05, to the last digit, the two are stated on different bases, and that is said in a sentence above the table or nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

LEAST = 4  # amounts from which one factor is no coincidence
_SHARE = 0.8  # of the amounts that have to keep to it
_AMOUNT = re.compile(r"(?:\b[A-Z]{3}\s*|[$€£¥]\s*)?(\d+(?:\.(\d+))?)(?:\s*(?:[A-Z]{3}\b|[€£¥$]))?")
_CURRENCY = re.compile(r"\b[A-Z]{3}\b|[$€£¥]")


def one_factor(values: Sequence[tuple[str, str]]) -> float | None:
    """The factor between the amounts of money of most of these pairs, to the precision in which they are given; None without one.

    Factors of 2 and more, or a half and less, are steps rather than taxes, margins or rates of exchange.
    """
    amounts = [(a, b) for one, other in values if (a := _amount(one)) is not None and (b := _amount(other)) is not None]
    if len(amounts) < LEAST:
        return None
    (low, _), (high, _) = max(amounts, key=lambda pair: pair[0][0])
    if not low or not 0.5 < high / low < 2 or high == low:
        return None
    factor = high / low
    keeping = [pair for pair in amounts if _keeps(*pair, factor)]
    return factor if len(keeping) >= max(LEAST, _SHARE * len(values)) else None


def _keeps(a: tuple[float, float], b: tuple[float, float], factor: float) -> bool:
    return a[0] != b[0] and abs(a[0] * factor - b[0]) <= b[1] / 2 + factor * a[1] / 2 + 1e-9


def _amount(value: str) -> tuple[float, float] | None:
    """Amount and the step of its last digit ("12.50 EUR" is 12.5 in steps of .01); None where it is no single amount of money."""
    found = _AMOUNT.findall(value.replace(",", ""))
    if len(found) != 1 or not _CURRENCY.search(value):
        return None
    digits, decimals = found[0]
    return float(digits), 10.0 ** -min(len(decimals), 2) if decimals else 1.0
