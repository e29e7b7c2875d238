"""The facts of a cluster: one, but for what a document and its copies, or the tables of two documents, disagree about: that has one cause."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from auditor.model import ClusterValue, Conflict

Label: TypeAlias = tuple[str, str]
"""What a fact is called: entity key and attribute of its rows in `clusters.parquet`."""

Held: TypeAlias = Set[tuple[str, str]]
"""(document, value) of a fact, the value as `folded` gives it."""


@dataclass(frozen=True, slots=True)
class ClusterFact:
    """One fact of a cluster: its values, and the conflicts about it, both in the order in which they were given."""

    label: Label
    values: tuple[ClusterValue, ...]
    conflicts: tuple[Conflict, ...]


def facts_in(conflicts: Iterable[Conflict], rows: Iterable[ClusterValue]) -> list[ClusterFact]:
    """The facts of one cluster, in the order of their first conflict; facts without one come last."""
    groups = by_label(rows)
    of: dict[Label, list[Conflict]] = defaultdict(list)
    held = {label: held_in(values) for label, values in groups.items()}
    for conflict in conflicts:
        of[fitting(held, _label(conflict), _sides(conflict))].append(conflict)
    labels = [*of, *(label for label in groups if label not in of)]
    return [ClusterFact(label, tuple(groups.get(label, ())), tuple(of.get(label, ()))) for label in labels]


def rows_about(conflict: Conflict, rows: Iterable[ClusterValue]) -> Sequence[ClusterValue]:
    """Those rows of the conflict's cluster that are about its fact."""
    groups = by_label(rows)
    label = fitting({label: held_in(values) for label, values in groups.items()}, _label(conflict), _sides(conflict))
    return groups.get(label, [])


def by_label(rows: Iterable[ClusterValue]) -> dict[Label, list[ClusterValue]]:
    """The rows of one cluster by the fact they are about."""
    groups: dict[Label, list[ClusterValue]] = defaultdict(list)
    for row in rows:
        groups[row.entity_key, row.attribute].append(row)
    return dict(groups)


def held_in(rows: Iterable[ClusterValue]) -> Held:
    """Who holds which value of a fact."""
    return {(document, folded(row.value)) for row in rows for document in row.documents}


def folded(value: str) -> str:
    """A value as it is compared. Where equal values are in conflict, a row names them with an excerpt: "14 days (“14 days of delivery”)"."""
    return " ".join(value.partition(" (“")[0].casefold().split())


def fitting(facts: Mapping[Label, Held], label: Label, sides: Sequence[tuple[str, str]]) -> Label:
    """Which of a cluster's facts a conflict is about: the one whose values it holds, of several the one that is called like it.

    `sides` are (document, value). A conflict need not be called like its fact: that is named after the best of its conflicts.
    """
    if len(facts) == 1:
        return next(iter(facts))
    wanted = [(document, folded(value)) for document, value in sides]
    best = max(facts, key=lambda name: (sum(side in facts[name] for side in wanted), name == label), default=label)
    return best if best == label or any(side in facts[best] for side in wanted) else label


def _label(conflict: Conflict) -> Label:
    return conflict.entity_key, conflict.attribute


def _sides(conflict: Conflict) -> tuple[tuple[str, str], tuple[str, str]]:
    return (conflict.a.doc, conflict.a.value), (conflict.b.doc, conflict.b.value)
