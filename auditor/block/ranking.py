"""The best partners of every row, for whole blocks of rows at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_SCORE_BITS = 32
_ROWS = 1 << 14  # at a time in `best_of_either`, bounds memory


def rows_at_once(n: int) -> int:
    """How many of `n` rows `best_partners` can take in one call: row, score and partner share 64 bits."""
    return int(1 << max(0, 64 - _SCORE_BITS - _bits(n)))


def best_partners(
    rows: NDArray[np.int32], partners: NDArray[np.int32], scores: NDArray[np.float32], k: int, n: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
    """The `k` entries of highest score of every row, sorted by (row, score descending, partner); ties go to the smaller partner.

    `rows` are below `rows_at_once(n)`, `partners` below `n`; no entry may stand twice. One sort of 64-bit numbers that hold row, inverted
    score and partner does it: several times as fast as sorting by three columns, and nothing has to be looked up afterwards.
    """
    bits = np.uint64(_bits(n))
    code = rows.astype(np.uint64) << np.uint64(_SCORE_BITS)
    code |= _descending(scores)
    code <<= bits
    code |= partners.astype(np.uint64)
    code.sort()
    row = (code >> (bits + np.uint64(_SCORE_BITS))).astype(np.int32)
    first = np.flatnonzero(np.diff(row, prepend=-1))
    rank = np.arange(len(row)) - np.repeat(first, np.diff(first, append=len(row)))
    kept = rank < k
    code = code[kept]
    partner = (code & np.uint64((1 << int(bits)) - 1)).astype(np.int32)
    return row[kept], partner, _scores((code >> bits).astype(np.uint32))


def _bits(n: int) -> int:
    return max(1, (max(n, 1) - 1).bit_length())


def _descending(scores: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Numbers that rise as the scores fall. Adding zero makes one of the two zeros."""
    raw = (scores + np.float32(0)).view(np.uint32)
    return np.where(raw >> 31, raw, raw ^ np.uint32(0x7FFFFFFF))


def _scores(descending: NDArray[np.uint32]) -> NDArray[np.float32]:
    return np.where(descending >> 31, descending, descending ^ np.uint32(0x7FFFFFFF)).view(np.float32)


def best_of_either(
    first: NDArray[np.int32], second: NDArray[np.int32], scores: NDArray[np.float32], k: int, n: int
) -> NDArray[np.int64]:
    """Codes `first * n + second`, sorted, of the pairs that are among the `k` best of the one or of the other row.

    The pairs are sorted, each once, with `first` below `second` below `n`. This is what taking the pairs by falling score, and leaving
    out those of which both rows are served already, comes to: a row whose first `k` pairs are not through takes whatever comes.
    """
    from scipy import sparse

    starts = np.searchsorted(first, np.arange(n + 1, dtype=np.int32))
    forward = sparse.csr_matrix((scores, second, starts), shape=(n, n))
    backward = forward.T.tocsr()
    codes = []
    at_once = min(rows_at_once(n), _ROWS)
    for start in range(0, n, at_once):
        parts = [matrix[start : start + at_once] for matrix in (backward, forward)]
        size = parts[0].shape[0]
        rows = np.concatenate([np.repeat(np.arange(size, dtype=np.int32), np.diff(part.indptr)) for part in parts])
        partners = np.concatenate([part.indices for part in parts])
        rows, partners, _ = best_partners(rows, partners, np.concatenate([part.data for part in parts]), k, n)
        mine = (rows + start).astype(np.int64)
        codes.append(np.minimum(mine, partners) * n + np.maximum(mine, partners))
    return distinct(codes)


def distinct(parts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The different numbers of all parts, sorted. Sorting beats the hash table of `np.unique` where most numbers stand once or twice."""
    codes = np.concatenate([np.zeros(0, dtype=np.int64), *parts])
    codes.sort()
    first = np.ones(len(codes), dtype=np.bool_)
    np.not_equal(codes[1:], codes[:-1], out=first[1:])
    return codes[first]
