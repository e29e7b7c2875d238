"""Blocking in plain loops: slow, and what the array operations have to give exactly, down to ties and rounding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from auditor.block import _keys, _value_of, _words
from auditor.compare import Judge
from auditor.model import Candidate, Fact, Statement

Pair = tuple[int, int]


def joined(keys: Sequence[set[str]], k: int, max_group: int, split: Sequence[str] | None = None) -> set[Pair]:
    """Pairs of each row with the `k` that share the most telling keys."""
    counts = Counter(key for row in keys for key in row)
    crowded = {key for key, n in counts.items() if n > max_group}
    parts: Counter[tuple[str, str]] = Counter()
    if split is not None:
        parts.update((key, split[i]) for i, row in enumerate(keys) for key in row if key in crowded)
    columns: dict[Any, int] = {}
    rows_at: list[int] = []
    columns_at: list[int] = []
    for i, row in enumerate(keys):
        for key in sorted(row):
            name: Any = key
            if key in crowded:
                name = (key, split[i]) if split is not None else None
                if not 1 < parts[name] <= max_group:
                    continue
            elif counts[key] < 2:
                continue
            columns_at.append(columns.setdefault(name, len(columns)))
            rows_at.append(i)
    if not columns:
        return set()
    n = len(keys)
    matrix = sparse.csr_matrix((np.ones(len(rows_at), dtype=np.float32), (rows_at, columns_at)), shape=(n, len(columns)))
    weights = np.log1p(n / np.asarray(matrix.sum(axis=0)).ravel()).astype(np.float32)
    product = ((matrix @ sparse.diags(weights)).tocsr() @ matrix.T.tocsr()).toarray()
    shared = (matrix @ matrix.T).toarray() > 0
    best: set[Pair] = set()
    for i in range(n):
        others = sorted((j for j in range(n) if j != i and shared[i, j]), key=lambda j, i=i: (-product[i, j], j))
        for j in others[:k]:
            best.add((min(i, j), max(i, j)))
    return best


def served(pairs: Iterable[tuple[int, int, float]], k: int) -> set[Pair]:
    """The pairs that are taken by falling score while either row has fewer than `k`."""
    taken: Counter[int] = Counter()
    kept: set[Pair] = set()
    for i, j, _ in sorted(pairs, key=lambda p: (-p[2], p[0], p[1])):
        if taken[i] < k or taken[j] < k:
            taken[i] += 1
            taken[j] += 1
            kept.add((i, j))
    return kept


def near(vectors: NDArray[np.float32], k: int, min_similarity: float) -> dict[Pair, float]:
    """Pairs of each row with its `k` nearest by an exact index; of the two cosines that of the later row counts."""
    import faiss

    n = len(vectors)
    best: dict[Pair, float] = {}
    if n < 2 or k < 1:
        return best
    index: Any = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    similarities, found = index.search(vectors, min(k + 1, n))
    for i in range(n):
        for j, similarity in zip(found[i].tolist(), similarities[i].tolist(), strict=True):
            if j >= 0 and j != i and similarity >= min_similarity:
                best[min(i, j), max(i, j)] = similarity
    return best


def candidates(
    judge: Judge,
    statements: Sequence[Statement],
    facts: Sequence[Sequence[Fact]],
    vectors: NDArray[np.float32],
    rows: Sequence[int],
) -> tuple[list[Candidate], list[Pair]]:
    """Candidates and near neighbours without a common class, as `auditor.block.block` gives them."""
    bounds = judge.rules.score.blocking
    table = [judge.classes(facts[r]) for r in rows]
    lists: dict[str, Iterable[Pair]] = {
        "keys": joined(
            [_keys(statements[r], table[i]) for i, r in enumerate(rows)],
            bounds.keyed,
            bounds.max_group,
            [_value_of(facts[r]) for r in rows],
        ),
        "words": joined([_words(facts[r]) for r in rows], bounds.words * 2, bounds.max_group),
    }
    found = near(vectors, bounds.neighbours * 4, bounds.min_similarity)
    admitted = {(i, j) for i, j in {*lists["keys"], *lists["words"], *found} if table[i].keys() & table[j].keys()}
    lists["vectors"] = served(((i, j, s) for (i, j), s in found.items() if (i, j) in admitted), bounds.neighbours)
    untyped = served(((i, j, s) for (i, j), s in found.items() if (i, j) not in admitted), 3)
    via: dict[Pair, set[str]] = {}
    for name, pairs in lists.items():
        for pair in pairs:
            if pair in admitted:
                via.setdefault(pair, set()).add(name)
    brought = [
        Candidate(rows[i], rows[j], tuple(sorted(names)), round(float(vectors[i] @ vectors[j]), 4))
        for (i, j), names in sorted(via.items())
    ]
    return brought, sorted((rows[i], rows[j]) for i, j in untyped)
