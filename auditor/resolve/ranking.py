"""Advice where the rules escalate: sources ranked by entropy-weighted TOPSIS.

TOPSIS (Hwang and Yoon 1981, *Multiple Attribute Decision Making*) orders alternatives by how close they are to the best and how far
from the worst that any of them shows. The weight of a criterion is what it tells the alternatives apart by, measured by its entropy:
one on which all agree weighs nothing. The result is advice with its inputs, never a verdict: it sets no winner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import fsum, log, sqrt

from auditor.model import Document, Statement
from auditor.resolve.cluster import SOURCE_RANK, Claim, Cluster
from auditor.resolve.rules import own_date
from auditor.resolve.scopes import slots
from auditor.text.words import tokens

CRITERIA = ("authority", "recency", "specificity", "relevance", "consistency")
"""What a source is weighed by, each in [0, 1], more being better."""

UNKNOWN = 0.5
"""A criterion of which nothing is known: neither for a source nor against it."""

_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Ranked:
    """A source of a cluster: a document with the value it gives, its five inputs in the order of `CRITERIA`, and its closeness."""

    document: str
    value: str  # identity of the value in `Cluster.holdings`
    inputs: tuple[float, ...]
    closeness: float


def entropy_weights(matrix: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Weight of each column of a matrix (alternatives, criteria) of numbers ≥ 0; they add up to 1.

    A column whose values are equal weighs 0. Where no column tells the rows apart, as with a single row, all weigh the same.
    """
    columns = list(zip(*matrix, strict=True))
    diversity = [_diversity(column) for column in columns]
    total = fsum(diversity)
    if total <= _SAME:
        return tuple(1 / len(columns) for _ in columns)
    return tuple(d / total for d in diversity)


def topsis(matrix: Sequence[Sequence[float]], weights: Sequence[float]) -> tuple[float, ...]:
    """Closeness in [0, 1] of each row to the ideal, all criteria being benefits. 0.5 for every row where no row differs.

    `matrix` has the shape (alternatives, criteria) and numbers ≥ 0, `weights` one for each criterion.
    """
    norms = [sqrt(fsum(x * x for x in column)) or 1.0 for column in zip(*matrix, strict=True)]
    weighted = [[w * x / n for x, w, n in zip(row, weights, norms, strict=True)] for row in matrix]
    columns = list(zip(*weighted, strict=True))
    best, worst = [max(column) for column in columns], [min(column) for column in columns]
    closeness = []
    for row in weighted:
        above, below = _distance(row, worst), _distance(row, best)
        closeness.append(above / (above + below) if above + below > _SAME else UNKNOWN)
    return tuple(closeness)


def _diversity(column: Sequence[float]) -> float:
    """1 - entropy of the shares: 0 for equal values, 1 where one row has everything."""
    total = fsum(column)
    if len(column) < 2 or total <= 0 or max(column) - min(column) <= _SAME:
        return 0.0
    shares = [x / total for x in column]
    return max(1.0 + fsum(p * log(p) for p in shares if p > 0) / log(len(column)), 0.0)


def _distance(row: Sequence[float], point: Sequence[float]) -> float:
    return sqrt(fsum((x - p) ** 2 for x, p in zip(row, point, strict=True)))


# -- sources of a cluster ----------------------------------------------------------------------------------------------------------


def rank_sources(
    cluster: Cluster, statements: Sequence[Statement], documents: Mapping[str, Document], as_of: date
) -> tuple[Ranked, ...]:
    """The sources of a cluster, the one closest to the ideal first; of equally close ones the first in the alphabet.

    - authority: primary 1, secondary 2/3, tertiary 1/3, archive 0.
    - recency: where the document's own date lies between the oldest (0) and the newest (1) of the cluster; unknown for an undated
      document and for one that is not yet in force.
    - specificity: how many slots of scope the passage names, as a share of the most that any names.
    - relevance: the share of the words of the entity key that the passage itself holds.
    - consistency: the share of the cluster's documents that hold the same value.
    """
    claims: dict[tuple[str, str], list[Claim]] = {}
    for value, holding in sorted(cluster.holdings.items()):
        for claim in holding.claims:
            claims.setdefault((statements[claim.statement].doc_id, value), []).append(claim)
    sources = sorted(claims)
    dates = {name: _date(documents[name], as_of) for name, _ in sources}
    named = {source: max(len(slots(claim.scope)) for claim in claims[source]) for source in sources}
    key = {token.stem for token in tokens(cluster.entity_key) if not token.is_stop}
    everyone = {name for holding in cluster.holdings.values() for name in holding.documents}
    matrix = [
        (
            1 - SOURCE_RANK.get(documents[name].tier, SOURCE_RANK["secondary"]) / max(SOURCE_RANK.values()),
            _recency(dates[name], [day for day in dates.values() if day is not None]),
            named[name, value] / max(max(named.values()), 1),
            max(_relevance(statements[claim.statement], key) for claim in claims[name, value]),
            len(cluster.holdings[value].documents) / len(everyone),
        )
        for name, value in sources
    ]
    ranked = zip(sources, matrix, topsis(matrix, entropy_weights(matrix)), strict=True)
    return tuple(
        sorted(
            (Ranked(name, value, inputs, round(closeness, 4)) for (name, value), inputs, closeness in ranked),
            key=lambda source: (-source.closeness, source.document, source.value),
        )
    )


def advice(first: Ranked, second: Ranked) -> str:
    """One sentence about two sources, "" where they are one."""
    if (first.document, first.value) == (second.document, second.value):
        return ""
    if second.closeness > first.closeness:
        first, second = second, first
    names = _names(first, second)
    if first.closeness == second.closeness:
        told = f"as advice only, a weighing of the sources prefers neither ({first.closeness:.2f} each)"
    else:
        told = f"as advice only, a weighing of the sources puts {names[0]} ({first.closeness:.2f}) before {names[1]} ({second.closeness:.2f})"
    inputs = ", ".join(f"{name} {x:.2f} to {y:.2f}" for name, x, y in zip(CRITERIA, first.inputs, second.inputs, strict=True))
    return f"{told}: {inputs}"


def _names(first: Ranked, second: Ranked) -> tuple[str, str]:
    if first.document != second.document:
        return first.document, second.document
    return f"{first.document} with “{_shown(first.value)}”", f"the same with “{_shown(second.value)}”"


def _shown(value: str) -> str:
    return value.partition("\x1f")[0]


def _date(document: Document, as_of: date) -> date | None:
    day = own_date(document)
    return day if day is not None and day <= as_of else None


def _recency(day: date | None, known: Sequence[date]) -> float:
    if day is None or min(known) == max(known):
        return UNKNOWN
    return (day - min(known)).days / (max(known) - min(known)).days


def _relevance(statement: Statement, key: set[str]) -> float:
    if not key:
        return UNKNOWN
    # Not what it stands under: the key is often the title of one of the documents, which would then always win.
    return len(key & {token.stem for token in tokens(statement.text)}) / len(key)
