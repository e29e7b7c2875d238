"""The arrays of the index: where the values of a run stand, and which values exclude each other.

*Value*: one value of one cluster (a row of `clusters.parquet`), with a number. *Place*: a passage that gives a value: where a side
of a conflict is quoted, or where a copy stands. *Edge*: two values that some conflict holds against each other, with its rows.
Groups of equal things are ranges of a sorted array, so that a lookup is one hash and one slice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]

ANYWHERE = 1 << 40
"""End of a place that may be anywhere in its document. Beyond every text."""

Range: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Groups:
    """Lists of numbers, one after the other: list i is `items[offsets[i]:offsets[i + 1]]`."""

    offsets: Ints
    items: Ints

    @classmethod
    def of(cls, keys: Ints, items: Ints, count: int) -> Groups:
        """`items` by their keys in [0, count), the order of equal keys kept. Both of shape (n,)."""
        order = np.argsort(keys, kind="stable")
        return cls(np.searchsorted(keys[order], np.arange(count + 1)), items[order])

    def lists(self, numbers: Ints) -> tuple[Ints, Ints]:
        """The items of the lists `numbers` one after the other, and beside each the position in `numbers` it belongs to."""
        starts = self.offsets[numbers]
        lengths = self.offsets[numbers + 1] - starts
        owners = np.repeat(np.arange(len(numbers)), lengths)
        before = np.cumsum(lengths) - lengths
        return self.items[np.arange(len(owners)) + (starts - before)[owners]], owners


@dataclass(frozen=True, slots=True)
class Tables:
    """Everything `ConflictIndex` looks things up in.

    Places are sorted by document and start. `side` is 2 · row for side a and 2 · row + 1 for side b of a row of `conflicts.parquet`,
    -1 for a copy, which has no row of its own.
    """

    documents: dict[str, Range]  # document → its places
    chunks: dict[str, Range]  # chunk id → range of `by_chunk`
    by_chunk: Ints  # places
    anywhere: dict[str, Ints]  # document → its places that no chunk is known of
    start: Ints
    end: Ints
    reach: Ints  # of a place: the largest end in its document up to there
    side: Ints
    value: Ints  # number of the value given there
    edges_of: Groups  # value → edges
    rows_of: Groups  # edge → rows, the most pressing first
    edge_values: Ints  # shape (edges, 2)
    row_values: Ints  # shape (rows, 2): values of sides a and b

    def overlapping(self, doc: str, start: int, end: int) -> Ints:
        """Places of a document that share a character with `start:end`."""
        first, last = self.documents.get(doc, (0, 0))
        # Up to `last` places begin before the span ends; from `first` on some place still reaches into it.
        last = first + int(np.searchsorted(self.start[first:last], end, "left"))
        first += int(np.searchsorted(self.reach[first:last], start, "right"))
        within = np.arange(first, last)
        return within[self.end[first:last] > start] if end > start else within[:0]

    def in_chunk(self, chunk_id: str, doc: str) -> Ints | None:
        """Places in one of our chunks; None when it is no known chunk id. `doc` is the document that its id names."""
        found, loose = self.chunks.get(chunk_id), self.anywhere.get(doc)
        if found is None:
            return loose
        places = self.by_chunk[found[0] : found[1]]
        return places if loose is None else np.concatenate((places, loose))
