"""Admissibility: whether two rows hold facts of one comparability class, for arrays of pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from auditor.block.keys import Keys

_OWN_BITS = 48  # classes, the most frequent ones, that have a bit of the mask for themselves; the others share the rest
_AT_ONCE = 1 << 18  # pairs looked up in the matrix at a time


class Shared:
    """Answers for pairs of rows whether they share a class.

    A mask of 64 bits settles nearly all pairs; the matrix of rows and classes is asked only where two rare classes fell on one bit.
    """

    def __init__(self, classes: Keys) -> None:
        """`classes` are the comparability classes of every row."""
        from scipy import sparse

        order = np.argsort(-classes.counts(), kind="stable")
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        bit = np.where(rank < _OWN_BITS, rank, _OWN_BITS + rank % (64 - _OWN_BITS)).astype(np.uint64)
        self._masks = np.zeros(len(classes), dtype=np.uint64)
        np.bitwise_or.at(self._masks, classes.rows, np.uint64(1) << bit[classes.ids])
        self._own = np.uint64((1 << _OWN_BITS) - 1)
        self._matrix = sparse.csr_matrix(
            (np.ones(len(classes.ids), dtype=np.int8), classes.ids, classes.starts),
            shape=(len(classes), max(len(classes.names), 1)),
        )

    def between(self, a: NDArray[np.int32], b: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Of every pair (a[n], b[n]) whether both rows hold a fact of one class."""
        both = self._masks[a] & self._masks[b]
        shared: NDArray[np.bool_] = (both & self._own) != 0
        unsure = np.flatnonzero(~shared & (both != 0))
        for start in range(0, len(unsure), _AT_ONCE):
            part = unsure[start : start + _AT_ONCE]
            common = self._matrix[a[part]].multiply(self._matrix[b[part]])
            shared[part] = np.asarray(common.sum(axis=1)).ravel() > 0
        return shared
