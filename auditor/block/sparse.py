"""Candidates by shared keys: a bounded sparse join, never all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.block.keys import Keys
from auditor.block.ranking import best_partners, distinct, rows_at_once
from auditor.blocking import Cut

_ENTRIES = 2_000_000  # of the product computed at a time, at most: bounds memory


@dataclass(frozen=True, slots=True)
class Join:
    """Pairs `first[n]` < `second[n]` of rows (int32), sorted, each once.

    `crowded` names the keys that were too crowded to be used whole, with their number of rows; `cut` counts what that cost.
    """

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    crowded: tuple[tuple[str, int], ...]
    cut: Cut


def join(name: str, keys: Keys, k: int, max_group: int, split: Sequence[str] | None = None) -> Join:
    """For every row the `k` rows that share the most telling keys (summed inverse frequency); `name` is that of the list.

    A key held by more than `max_group` rows is split by `split[row]` (for example the value) if given, and dropped where even a part is
    too large; such keys are reported in `crowded`. The cost is bounded by rows × keys per row × `max_group`.
    """
    n = len(keys)
    rows, columns, crowded, cut = _columns(name, keys, max_group, split)
    codes = _partners(rows, columns, n, k) if len(rows) else np.zeros(0, dtype=np.int64)
    return Join((codes // max(n, 1)).astype(np.int32), (codes % max(n, 1)).astype(np.int32), crowded, cut)


def _columns(
    name: str, keys: Keys, max_group: int, split: Sequence[str] | None
) -> tuple[NDArray[np.int32], NDArray[np.int32], tuple[tuple[str, int], ...], Cut]:
    """Row and column of every entry of the matrix to join; columns are numbered in the order in which rows first hold them."""
    counts = keys.counts()
    rows = keys.rows
    hot = counts > max_group
    crowded = tuple(sorted((keys.names[key], int(counts[key])) for key in np.flatnonzero(hot)))
    parts: dict[str, int] = {}
    values = np.zeros(len(keys), dtype=np.int64)
    if split is not None and crowded:
        values[:] = [parts.setdefault(value, len(parts)) for value in split]
    # A crowded key is replaced by the pair of key and value: a number beyond those of all whole keys.
    wide = keys.ids.astype(np.int64)
    entries = hot[keys.ids]
    wide[entries] = len(keys.names) + wide[entries] * max(len(parts), 1) + values[rows[entries]]
    codes, where, found, sizes = np.unique(wide, return_index=True, return_inverse=True, return_counts=True)
    usable = (sizes > 1) & (sizes <= max_group)
    if split is None:
        usable &= codes < len(keys.names)
    kept = usable[found]
    order = np.argsort(where, kind="stable")
    order = order[usable[order]]
    column = np.full(len(codes), -1, dtype=np.int32)
    column[order] = np.arange(len(order), dtype=np.int32)
    part = codes >= len(keys.names)
    joined = part & usable
    # Which crowded key a part belongs to: that of the entry where it was found first.
    lost = np.setdiff1d(np.flatnonzero(hot), keys.ids[where[joined]])
    cut = Cut(
        list=name,
        keys=len(crowded),
        dropped=len(lost),
        rows=len(np.unique(rows[entries & ~kept])),
        pairs=sum(size * (size - 1) // 2 for _, size in crowded),
        joined=int((sizes[joined] * (sizes[joined] - 1) // 2).sum()),
    )
    return rows[kept], column[found[kept]], crowded, cut


def _partners(rows: NDArray[np.int32], columns: NDArray[np.int32], n: int, k: int) -> NDArray[np.int64]:
    """Codes `first * n + second`, sorted, of the pairs of each row with its best partners, by products of blocks of rows with the whole."""
    from scipy import sparse

    width = int(columns.max()) + 1
    frequency = np.bincount(columns, minlength=width)
    matrix = sparse.csr_matrix((np.ones(len(rows), dtype=np.float32), (rows, columns)), shape=(n, width))
    weights = np.log1p(n / frequency.astype(np.float32)).astype(np.float32)
    weighted = (matrix @ sparse.diags(weights)).tocsr()
    transposed = matrix.T.tocsr()
    entries = np.bincount(rows, weights=frequency[columns].astype(np.float64), minlength=n).astype(np.float64)
    blocks = _blocks(entries, rows_at_once(n))
    return distinct([_block(weighted[start:end] @ transposed, start, k, n) for start, end in blocks])


def _block(product: Any, start: int, k: int, n: int) -> NDArray[np.int64]:
    """Codes of the pairs of the rows of one product with their best partners."""
    product = product.tocsr()
    sizes = np.diff(product.indptr)
    local = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    others = product.indices
    kept = others != local + start
    local, others, _ = best_partners(local[kept], others[kept], product.data[kept], k, n)
    mine = (local + start).astype(np.int64)
    codes: NDArray[np.int64] = np.minimum(mine, others) * n + np.maximum(mine, others)
    return codes


def _blocks(entries: NDArray[np.float64], most: int) -> list[tuple[int, int]]:
    """Runs of rows whose products have at most `_ENTRIES` entries together, and of at most `most` rows."""
    total = np.concatenate(([0.0], np.cumsum(entries)))
    runs: list[tuple[int, int]] = []
    start, n = 0, len(entries)
    while start < n:
        end = int(np.searchsorted(total, total[start] + _ENTRIES, side="right")) - 1
        end = min(max(end, start + 1), start + most, n)
        runs.append((start, end))
        start = end
    return runs
