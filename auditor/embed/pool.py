"""Small numeric helpers the encoders share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray


def unit_rows(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows scaled to length 1; a row of zeros stays a row of zeros."""
    lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    np.divide(rows, lengths, out=rows, where=lengths > 0)
    return rows


def by_length(lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    """Positions in batches of at most `size`, sorted by length so that little is padded; ties keep their order."""
    order = sorted(range(len(lengths)), key=lambda i: lengths[i])
    for start in range(0, len(order), size):
        yield order[start : start + size]
