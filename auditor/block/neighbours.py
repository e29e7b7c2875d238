"""Candidates by approximate nearest neighbours with FAISS."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FLAT_UP_TO = 50_000
"""Rows up to which the exact index is cheaper than building an approximate one (docs/decisions.md)."""


def neighbours(vectors: NDArray[np.float32], k: int, min_similarity: float) -> list[tuple[int, int, float]]:
    """Pairs (i, j, cosine), i < j, of each row's `k` nearest rows at or above `min_similarity`.

    `vectors` has unit rows; rows of zeros have no neighbours. Exact up to `FLAT_UP_TO` rows, HNSW above.
    """
    import faiss

    n = len(vectors)
    if n < 2 or k < 1:
        return []
    dimension = vectors.shape[1]
    index: Any = faiss.IndexFlatIP(dimension)
    if n > FLAT_UP_TO:
        index = faiss.IndexHNSWFlat(dimension, 16, faiss.METRIC_INNER_PRODUCT)
        index.hnsw.efConstruction = 80
        index.hnsw.efSearch = 128
    index.add(vectors)
    similarities, found = index.search(vectors, min(k + 1, n))
    best: dict[tuple[int, int], float] = {}
    for i in range(n):
        for j, similarity in zip(found[i].tolist(), similarities[i].tolist(), strict=True):
            if j < 0 or j == i or similarity < min_similarity:
                continue
            pair = (i, j) if i < j else (j, i)
            best[pair] = similarity
    return [(i, j, s) for (i, j), s in sorted(best.items())]
