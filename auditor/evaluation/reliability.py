"""Whether `confidence` means what it says: the share of right findings in each range (DeGroot and Fienberg 1983)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

EDGES = (0.15, 0.3, 0.5, 0.65, 0.8, 0.9, 1.0)
"""Ranges of confidence; the cuts between the tiers are among them."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """Findings whose confidence lies in [`low`, `high`), in the last range up to and with 1. `mean` and `share` are 0 without findings."""

    low: float
    high: float
    findings: int
    mean: float  # confidence
    share: float  # of the findings that are right


def reliability(judged: Iterable[tuple[float, bool]], edges: Sequence[float] = EDGES) -> list[Reliability]:
    """One row for each range, from (confidence, right) of findings. What lies outside all ranges is left out."""
    known = list(judged)
    out = []
    for low, high in itertools.pairwise(edges):
        chosen = [(c, ok) for c, ok in known if low <= c < high or (high == edges[-1] and c == high)]
        count = len(chosen)
        out.append(
            Reliability(
                low,
                high,
                count,
                sum(c for c, _ in chosen) / count if count else 0.0,
                sum(ok for _, ok in chosen) / count if count else 0.0,
            )
        )
    return out
