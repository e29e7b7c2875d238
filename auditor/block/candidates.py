"""Candidate pairs as columns: four arrays instead of an object and a tuple for every pair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from auditor.model import Candidate

KEYS, VECTORS, WORDS = 1, 2, 4
"""Bits of `Candidates.via`: the lists that brought a pair."""

_NAMES = ("keys", "vectors", "words")  # by bit; alphabetical, so that the names of a pair come out sorted
_TUPLES = tuple(tuple(name for bit, name in enumerate(_NAMES) if mask >> bit & 1) for mask in range(1 << len(_NAMES)))

_AT_ONCE = 1 << 16  # pairs turned into objects at a time

_Default = TypeVar("_Default")


class Candidates:
    """Pairs of statements worth comparing, sorted by (a, b), each once, `a` < `b`.

    `a`, `b`: int32, statement indices. `via`: uint8, bits `KEYS`, `VECTORS`, `WORDS`. `similarity`: float32, the cosine rounded to four
    places (`cosine` gives what `round(x, 4)` gives). A pair costs 13 bytes. `in` and `get` take a pair (i, j).
    """

    __slots__ = ("a", "b", "similarity", "via")

    def __init__(self, a: NDArray[np.int32], b: NDArray[np.int32], via: NDArray[np.uint8], similarity: NDArray[np.float32]) -> None:
        """Columns of one length; the caller has sorted them."""
        self.a = a
        self.b = b
        self.via = via
        self.similarity = similarity

    @classmethod
    def empty(cls) -> Candidates:
        """No pair at all."""
        none = np.zeros(0, dtype=np.int32)
        return cls(none, none, np.zeros(0, dtype=np.uint8), np.zeros(0, dtype=np.float32))

    def __len__(self) -> int:
        return len(self.a)

    def __iter__(self) -> Iterator[Candidate]:
        """The pairs as objects, for the few places that want them one by one."""
        for n in range(len(self.a)):
            yield Candidate(int(self.a[n]), int(self.b[n]), self.names(n), self.cosine(n))

    def __contains__(self, pair: tuple[int, int]) -> bool:
        return self.index(*pair) >= 0

    def __getitem__(self, pair: tuple[int, int]) -> tuple[str, ...]:
        """The lists that brought the pair. Raises `KeyError` where it is no candidate."""
        n = self.index(*pair)
        if n < 0:
            raise KeyError(pair)
        return self.names(n)

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The pairs (a, b) in order."""
        for start in range(0, len(self.a), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            yield from zip(self.a[part].tolist(), self.b[part].tolist(), strict=True)

    def names(self, n: int) -> tuple[str, ...]:
        """The lists that brought the pair at position `n`, sorted."""
        return _TUPLES[self.via[n]]

    def cosines(self) -> NDArray[np.float64]:
        """`cosine` of all pairs."""
        wide: NDArray[np.float64] = self.similarity.astype(np.float64)
        return wide.round(4)

    def cosine(self, n: int) -> float:
        """Similarity of the pair at position `n`, rounded to four places as a float of double precision."""
        return round(float(self.similarity[n]), 4)

    def index(self, i: int, j: int) -> int:
        """Position of the pair of these two statements in either order, -1 where it is no candidate."""
        i, j = (i, j) if i < j else (j, i)
        # Of the columns' own type: searching an int32 array for a wider number copies the array first.
        low = int(np.searchsorted(self.a, np.int32(i), side="left"))
        high = int(np.searchsorted(self.a, np.int32(i), side="right"))
        n = low + int(np.searchsorted(self.b[low:high], np.int32(j)))
        return n if n < high and int(self.b[n]) == j else -1

    @overload
    def get(self, pair: tuple[int, int], /) -> tuple[str, ...] | None: ...
    @overload
    def get(self, pair: tuple[int, int], default: _Default, /) -> tuple[str, ...] | _Default: ...
    def get(self, pair: tuple[int, int], default: _Default | None = None, /) -> tuple[str, ...] | _Default | None:
        """The lists that brought the pair, `default` where it is no candidate."""
        n = self.index(*pair)
        return default if n < 0 else self.names(n)
