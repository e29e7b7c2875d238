"""Candidates by nearest neighbours with FAISS: exact for small stores, an inverted file for large ones."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from auditor.blocking import EXACT, IVF, Search

FLAT_UP_TO = 50_000
"""Rows up to which the exact index is cheaper than building an approximate one (docs/decisions.md)."""

SAMPLE = 1000  # rows whose true neighbours are looked up to tell the recall of an approximate index
_BATCH = 4096  # rows of one exact search: as many as faiss multiplies at a time
_TAIL = 64  # rows below which the last batch joins the one before: faiss computes very small batches in another way
_ROWS = 16_384  # rows of one approximate search
_SEED = 1234
_LISTS = 2  # clusters of an inverted file: so many times the root of the number of rows
_PROBED = (8, 16, 32, 64)  # clusters looked through for each row: the first of these that finds enough
_ENOUGH = 0.9  # share of the true neighbours
_ROUNDS = 8  # of k-means
_POINTS = 64  # for each cluster that k-means is shown
_TOLERANCE = 5e-4  # cosines of vectors in half precision differ by less

Found: TypeAlias = tuple[NDArray[np.float32], NDArray[np.int64]]
"""Cosines and row numbers, one row for each row searched, the nearest first."""


@dataclass(frozen=True, slots=True)
class Near:
    """Pairs `first[n]` < `second[n]` of rows (int32), sorted, each once, with their cosine (float32), and how they were searched."""

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    similarity: NDArray[np.float32]
    search: Search


def neighbours(vectors: NDArray[np.float32], k: int, min_similarity: float) -> Near:
    """Pairs of each row's `k` nearest rows at or above `min_similarity`.

    `vectors` has unit rows; rows of zeros have no neighbours. Exact up to `FLAT_UP_TO` rows, approximate above: then `search` tells how
    many of the true neighbours of a sample were found.
    """
    n = len(vectors)
    if n < 2 or k < 1:
        none = np.zeros(0, dtype=np.int32)
        return Near(none, none, np.zeros(0, dtype=np.float32), Search(rows=n))
    k = min(k, n - 1)
    if n <= FLAT_UP_TO:
        parts, search = _exact(vectors, vectors, k), Search(EXACT, n)
    else:
        parts, search = _inverted_file(vectors, k, min_similarity)
    codes: list[NDArray[np.int64]] = []
    cosines: list[NDArray[np.float32]] = []
    start = 0
    for similarity, found in parts:
        own = np.arange(start, start + len(found))[:, None]
        start += len(found)
        usable = _usable(similarity, found, own, min_similarity)
        # The last bit keeps a pair that both rows found apart; the one of the later row counts.
        codes.append(((np.minimum(found, own) * n + np.maximum(found, own)) * 2 + (found < own))[usable])
        cosines.append(similarity[usable])
    del parts  # and with it the index
    first, second, cosine = _pairs(np.concatenate(codes), np.concatenate(cosines), n)
    return Near(first, second, cosine, search)


def _usable(
    similarity: NDArray[np.float32], found: NDArray[np.int64], own: NDArray[np.int64], min_similarity: float
) -> NDArray[np.bool_]:
    """Which of the rows that were found are neighbours; `own` are the rows they were found for, as a column."""
    usable: NDArray[np.bool_] = (found >= 0) & (found != own) & (similarity >= np.float64(min_similarity))
    return usable


def _pairs(
    codes: NDArray[np.int64], cosines: NDArray[np.float32], n: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
    order = np.argsort(codes)
    codes = codes[order]
    last = np.diff(codes >> 1, append=-1) != 0
    codes = codes[last] >> 1
    return (codes // n).astype(np.int32), (codes % n).astype(np.int32), cosines[order[last]]


def _exact(rows: NDArray[np.float32], vectors: NDArray[np.float32], k: int) -> Iterator[Found]:
    """Cosines and numbers of the `k` + 1 nearest of `vectors`, batch by batch of `rows`.

    Every batch is computed by one thread. Several threads that share a product cut it in pieces, and how many there are decides the last
    bits of it, and with them which of two equally near rows comes first.
    """
    import faiss

    starts = list(range(0, len(rows), _BATCH))
    if len(starts) > 1 and len(rows) - starts[-1] < _TAIL:
        starts.pop()

    def batch(start: int, end: int) -> Found:
        faiss.omp_set_num_threads(1)  # holds for the calling thread only
        similarity, found = faiss.knn(rows[start:end], vectors, k + 1, metric=faiss.METRIC_INNER_PRODUCT)
        return similarity, found

    with ThreadPoolExecutor(faiss.omp_get_max_threads()) as pool:
        yield from pool.map(batch, starts, [*starts[1:], len(rows)])


def _inverted_file(vectors: NDArray[np.float32], k: int, min_similarity: float) -> tuple[Iterator[Found], Search]:
    """The nearest of every row by an inverted file over clusters of the vectors, and how that does on a sample of rows.

    Unlike a graph that several threads build, it is always the same. The vectors are kept in half precision, which is half the memory
    and half the time and changes no cosine by more than `_TOLERANCE`. How many clusters have to be looked through depends on the store:
    as many as it takes to find `_ENOUGH` of the true neighbours of the sample, within `_PROBED`.
    """
    import faiss

    n, dimension = vectors.shape
    lists = max(1, round(_LISTS * math.sqrt(n)))
    half = faiss.ScalarQuantizer.QT_fp16
    index = faiss.IndexIVFScalarQuantizer(faiss.IndexFlatIP(dimension), dimension, lists, half, faiss.METRIC_INNER_PRODUCT, False)
    index.cp.seed = _SEED
    index.cp.niter = _ROUNDS
    index.cp.max_points_per_centroid = _POINTS
    index.train(vectors)
    index.add(vectors)
    rows = np.sort(np.random.default_rng(_SEED).choice(n, min(SAMPLE, n), replace=False))
    sample, own = vectors[rows], rows[:, None]
    parts = list(_exact(sample, vectors, k))
    true = _cosines(np.concatenate([s for s, _ in parts]), np.concatenate([f for _, f in parts]), own, min_similarity)
    recall = 0.0
    for probed in _PROBED:
        index.nprobe = probed
        similarity, found = index.search(sample, k + 1)
        recall = _recall(true[:, :k], _cosines(similarity, found, own, min_similarity))
        if recall >= _ENOUGH:
            break
    found_of = (index.search(vectors[start : start + _ROWS], k + 1) for start in range(0, n, _ROWS))
    return found_of, Search(IVF, n, lists, int(index.nprobe), len(rows), round(recall, 4))


def _cosines(
    similarity: NDArray[np.float32], found: NDArray[np.int64], own: NDArray[np.int64], min_similarity: float
) -> NDArray[np.float32]:
    """The cosines of the neighbours of every row, falling, -inf where there are no more."""
    usable = _usable(similarity, found, own, min_similarity)
    return -np.sort(-np.where(usable, similarity, np.float32(-np.inf)), axis=1)


def _recall(true: NDArray[np.float32], found: NDArray[np.float32]) -> float:
    """Share of the true neighbours that were found. Of several that are equally near any will do: their cosines are compared."""
    real = np.isfinite(true)
    bar = np.where(real, true, np.float32(np.inf)).min(axis=1)
    hits = np.minimum((found >= (bar - _TOLERANCE)[:, None]).sum(axis=1), real.sum(axis=1))
    return float(hits.sum() / real.sum()) if real.any() else 1.0
