"""Keys of rows as numbers: every different key gets its number once, and all that follows is arithmetic on arrays."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of rows 0, 1, ...: those of row i are `ids[starts[i] : starts[i + 1]]`, each once, in the order of their names.

    `names[id]` is the key itself. `starts` is int64, `ids` int32.
    """

    starts: NDArray[np.int64]
    ids: NDArray[np.int32]
    names: tuple[str, ...]

    @classmethod
    def of(cls, rows: Iterable[Iterable[str]]) -> Keys:
        """Number the keys of these rows; they are taken one row at a time, so that a generator needs no memory for the others."""
        known: dict[str, int] = {}
        ids = array("i")
        starts = array("q", [0])
        for row in rows:
            # Sorted, so that neither numbers nor sums of weights depend on the hash seed.
            ids.extend(known.setdefault(key, len(known)) for key in sorted(set(row)))
            starts.append(len(ids))
        return cls(np.array(starts, dtype=np.int64), np.array(ids, dtype=np.int32), tuple(known))

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def rows(self) -> NDArray[np.int32]:
        """The row of every entry of `ids`."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.starts))

    def counts(self) -> NDArray[np.int64]:
        """How many rows hold each key."""
        return np.bincount(self.ids, minlength=len(self.names))
