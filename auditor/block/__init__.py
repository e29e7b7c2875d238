"""Blocking: which pairs of statements are worth comparing. The union of key lists and vector neighbours; no stage compares all pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auditor.block.candidates import KEYS, VECTORS, WORDS, Candidates
from auditor.block.classes import Shared
from auditor.block.keys import Keys
from auditor.block.neighbours import neighbours
from auditor.block.ranking import best_of_either, distinct
from auditor.block.sparse import Join, join
from auditor.blocking import Blocking
from auditor.compare import Classes, Judge
from auditor.model import Fact, Statement

_UNTYPED = 3  # neighbours per statement kept for an NLI model
_NEIGHBOUR_FACTOR = 4  # neighbours asked for per neighbour kept, since inadmissible ones are dropped first
_AT_ONCE = 1 << 14  # pairs whose vectors are multiplied at a time: two copies of them fit into the cache of a processor


@dataclass(frozen=True, slots=True)
class Blocked:
    """Candidates, sorted, and what was too crowded to be joined whole ("keys: n:tool (240 statements)").

    `untyped` are near neighbours without facts of one class: nothing to compare for a typed detector, something to read for an NLI model.
    `classes` holds the facts of each statement by comparability class, for whoever compares the candidates. `record` counts what was cut
    and tells how neighbours were searched.
    """

    candidates: Candidates
    crowded: tuple[str, ...]
    untyped: list[tuple[int, int]]
    classes: Mapping[int, Classes]
    record: Blocking


def block(
    judge: Judge,
    statements: Sequence[Statement],
    facts: Sequence[Sequence[Fact]],
    vectors: NDArray[np.float32],
    rows: Sequence[int],
) -> Blocked:
    """Candidate pairs among the statements `rows` (those with typed claims, ascending); `vectors[i]` belongs to `rows[i]`.

    Lists: "keys" (counted nouns, identifiers, fields, units with near words, as the detectors name them), "words" (rare shared words
    and names), "vectors" (nearest neighbours). A pair is admitted only if both sides hold facts of one comparability class.
    """
    bounds = judge.rules.score.blocking
    n = len(rows)
    at = np.asarray(rows, dtype=np.int32)
    table = {r: judge.classes(facts[r]) for r in rows}
    shared = Shared(Keys.of(table[r] for r in rows))
    keyed = Keys.of(_keys(statements[r], table[r]) for r in rows)
    by_key = join("keys", keyed, bounds.keyed, bounds.max_group, split=[_value_of(facts[r]) for r in rows])
    del keyed
    by_word = join("words", Keys.of(_words(facts[r]) for r in rows), bounds.words * 2, bounds.max_group)
    near = neighbours(vectors, bounds.neighbours * _NEIGHBOUR_FACTOR, bounds.min_similarity)
    admitted = shared.between(near.first, near.second)
    lists = {
        KEYS: _admitted(by_key, shared, n),
        WORDS: _admitted(by_word, shared, n),
        VECTORS: best_of_either(near.first[admitted], near.second[admitted], near.similarity[admitted], bounds.neighbours, n),
    }
    apart = ~admitted
    untyped = best_of_either(near.first[apart], near.second[apart], near.similarity[apart], _UNTYPED, n)
    crowded = tuple(f"{found.cut.list}: {key} ({size} statements)" for found in (by_key, by_word) for key, size in found.crowded)
    record = Blocking((by_key.cut, by_word.cut), near.search)
    del by_key, by_word, near, admitted, apart
    return Blocked(_candidates(lists, vectors, at), crowded, list(_pairs(untyped, at)), table, record)


def _admitted(found: Join, shared: Shared, n: int) -> NDArray[np.int64]:
    """Codes of the pairs of a list that hold facts of one class."""
    kept = shared.between(found.first, found.second)
    return found.first[kept].astype(np.int64) * n + found.second[kept]


def _candidates(lists: Mapping[int, NDArray[np.int64]], vectors: NDArray[np.float32], at: NDArray[np.int32]) -> Candidates:
    """The union of the lists, each given as sorted codes `first * n + second`."""
    codes = distinct(list(lists.values()))
    via = np.zeros(len(codes), dtype=np.uint8)
    for bit, brought in lists.items():
        via[np.searchsorted(codes, brought)] |= np.uint8(bit)
    n = max(len(at), 1)
    first, second = (codes // n).astype(np.int32), (codes % n).astype(np.int32)
    del codes
    similarity = np.empty(len(first), dtype=np.float32)
    for start in range(0, len(first), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        # vecdot adds in the order of the product of two single vectors: the same bits for the same pair, whatever its place here
        similarity[part] = np.round(np.vecdot(vectors[first[part]], vectors[second[part]]).astype(np.float64), 4)
    return Candidates(at[first], at[second], via, similarity)


def _pairs(codes: NDArray[np.int64], at: NDArray[np.int32]) -> Iterator[tuple[int, int]]:
    n = max(len(at), 1)
    return zip(at[codes // n].tolist(), at[codes % n].tolist(), strict=True)


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
