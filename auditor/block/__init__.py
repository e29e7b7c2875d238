"""Blocking: which pairs of statements are worth comparing. The union of key lists and vector neighbours; no stage compares all pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auditor.block.neighbours import neighbours
from auditor.block.sparse import join
from auditor.compare import Classes, Judge
from auditor.model import Candidate, Fact, Statement

_UNTYPED = 3  # neighbours per statement kept for an NLI model
_NEIGHBOUR_FACTOR = 4  # neighbours asked for per neighbour kept, since inadmissible ones are dropped first


@dataclass(frozen=True, slots=True)
class Blocked:
    """Candidates, sorted, and what was too crowded to be joined whole ("keyed: n:tool (240 statements)").

    `untyped` are near neighbours without facts of one class: nothing to compare for a typed detector, something to read for an NLI model.
    `classes` holds the facts of each statement by comparability class, for whoever compares the candidates.
    """

    candidates: list[Candidate]
    crowded: tuple[str, ...]
    untyped: list[tuple[int, int]]
    classes: Mapping[int, Classes]


def block(
    judge: Judge,
    statements: Sequence[Statement],
    facts: Sequence[Sequence[Fact]],
    vectors: NDArray[np.float32],
    rows: Sequence[int],
) -> Blocked:
    """Candidate pairs among the statements `rows` (those with typed claims); `vectors[i]` belongs to `rows[i]`.

    Lists: "keys" (counted nouns, identifiers, fields, units with near words, as the detectors name them), "words" (rare shared words
    and names), "vectors" (nearest neighbours). A pair is admitted only if both sides hold facts of one comparability class.
    """
    bounds = judge.rules.score.blocking
    table = {r: judge.classes(facts[r]) for r in rows}
    classes = [frozenset(table[r]) for r in rows]
    via: dict[tuple[int, int], set[str]] = {}
    keyed = [_keys(statements[r], table[r]) for r in rows]
    values = [_value_of(facts[r]) for r in rows]
    by_key = join(keyed, bounds.keyed, bounds.max_group, split=lambda i, key: f"{key}={values[i]}")
    worded = [_words(facts[r]) for r in rows]
    by_word = join(worded, bounds.words * 2, bounds.max_group)
    for name, pairs in (("keys", by_key.pairs), ("words", by_word.pairs)):
        for i, j, _ in pairs:
            if not classes[i].isdisjoint(classes[j]):
                via.setdefault((i, j), set()).add(name)
    kept = np.zeros(len(rows), dtype=np.int64)
    near = neighbours(vectors, bounds.neighbours * _NEIGHBOUR_FACTOR, bounds.min_similarity)
    untyped: list[tuple[int, int]] = []
    read = np.zeros(len(rows), dtype=np.int64)
    for i, j, _ in sorted(near, key=lambda p: (-p[2], p[0], p[1])):
        if classes[i].isdisjoint(classes[j]):
            if read[i] < _UNTYPED or read[j] < _UNTYPED:
                read[i] += 1
                read[j] += 1
                untyped.append((rows[i], rows[j]))
            continue
        if kept[i] >= bounds.neighbours and kept[j] >= bounds.neighbours:
            continue
        kept[i] += 1
        kept[j] += 1
        via.setdefault((i, j), set()).add("vectors")
    candidates = []
    for (i, j), names in sorted(via.items()):
        similarity = float(vectors[i] @ vectors[j])
        candidates.append(Candidate(rows[i], rows[j], tuple(sorted(names)), round(similarity, 4)))
    crowded = tuple(
        f"{name}: {key} ({n} statements)"
        for name, found in (("keys", by_key.crowded), ("words", by_word.crowded))
        for key, n in found
    )
    return Blocked(candidates, crowded, sorted(untyped), table)


def _keys(statement: Statement, classes: Classes) -> set[str]:
    keys: set[str] = set()
    for comparable in classes.values():
        for detector, fact in comparable:
            keys.update(f"{detector.id}:{key}" for key in detector.keys(fact))
    if statement.row_key and statement.column:
        keys.add(f"cell:{statement.row_key.lower()}|{statement.column.lower()}")
    if statement.row_key:
        keys.add(f"row:{statement.row_key.lower()}")
    return keys


def _words(facts: Sequence[Fact]) -> set[str]:
    if not facts:
        return set()
    words: set[str] = set(facts[0].names)
    for fact in facts:
        words.update(fact.attribute)
    words.update(facts[0].context)
    return words


def _value_of(facts: Sequence[Fact]) -> str:
    return facts[0].value.text if facts else ""
