"""Candidates by shared keys: a bounded sparse join, never all pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

_ROWS = 2048  # rows of the product computed at a time, bounds memory


@dataclass(frozen=True, slots=True)
class Join:
    """Pairs found and the keys that were too crowded to be used whole."""

    pairs: list[tuple[int, int, float]]  # (i, j, weight) with i < j
    crowded: list[tuple[str, int]]


def join(keys: Sequence[set[str]], k: int, max_group: int, split: Callable[[int, str], str] | None = None) -> Join:
    """For every row the `k` rows that share the most telling keys (summed inverse frequency).

    A key held by more than `max_group` rows is split by `split(row, key)` (for example by value) if given, and dropped where even a part
    is too large; such keys are reported in `crowded`. The cost is bounded by rows × keys per row × `max_group`.
    """
    counts = Counter(key for row in keys for key in row)
    crowded = {key: n for key, n in counts.items() if n > max_group}
    columns: dict[str, int] = {}
    rows_at: list[int] = []
    columns_at: list[int] = []
    if crowded and split is not None:
        parts: Counter[str] = Counter(split(i, key) for i, row in enumerate(keys) for key in row if key in crowded)
    for i, row in enumerate(keys):
        for key in sorted(row):
            if key in crowded:
                if split is None:
                    continue
                key = split(i, key)
                if not 1 < parts[key] <= max_group:
                    continue
            elif counts[key] < 2:
                continue
            columns_at.append(columns.setdefault(key, len(columns)))
            rows_at.append(i)
    n = len(keys)
    if not columns:
        return Join([], sorted(crowded.items()))
    matrix = sparse.csr_matrix((np.ones(len(rows_at), dtype=np.float32), (rows_at, columns_at)), shape=(n, len(columns)))
    frequency = np.asarray(matrix.sum(axis=0)).ravel()
    weights = np.log1p(n / frequency).astype(np.float32)
    weighted = (matrix @ sparse.diags(weights)).tocsr()
    transposed = matrix.T.tocsr()
    best: dict[tuple[int, int], float] = {}
    for start in range(0, n, _ROWS):
        product = (weighted[start : start + _ROWS] @ transposed).tocsr()
        for local in range(product.shape[0]):
            i = start + local
            low, high = product.indptr[local], product.indptr[local + 1]
            others = product.indices[low:high]
            scores = product.data[low:high]
            keep = others != i
            others, scores = others[keep], scores[keep]
            if len(others) > k:
                # ties go to the smaller row number: the result must not depend on the order of a partial sort
                order = np.lexsort((others, -scores))[:k]
                others, scores = others[order], scores[order]
            for j, score in zip(others.tolist(), scores.tolist(), strict=True):
                pair = (i, j) if i < j else (j, i)
                if score > best.get(pair, 0.0):
                    best[pair] = score
    return Join([(i, j, s) for (i, j), s in sorted(best.items())], sorted(crowded.items()))
