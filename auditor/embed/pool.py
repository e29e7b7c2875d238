"""Small numeric helpers the encoders share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def unit_rows(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows scaled to length 1; a row of zeros stays a row of zeros."""
    lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    np.divide(rows, lengths, out=rows, where=lengths > 0)
    return rows
