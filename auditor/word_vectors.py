"""Vectors of single words, to see that "readings" and "measurements" may be one attribute."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from auditor.ports import Encoder

MAX_WORDS = 12
"""Words of an attribute that are compared, the nearest to the value first."""


class WordVectors:
    """Word vectors by concept, embedded when first needed. `surface` maps a concept to a word that stands for it."""

    def __init__(self, encoder: Encoder, surface: Mapping[str, str]) -> None:
        self._encoder = encoder
        self._surface = surface
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def _matrix(self, concepts: list[str]) -> NDArray[np.float32]:
        missing = [c for c in concepts if c not in self._vectors]
        if missing:
            found = self._encoder.encode([self._surface.get(c, c) for c in missing])
            self._vectors.update(zip(missing, found, strict=True))
        return np.stack([self._vectors[c] for c in concepts])

    def agreement(self, x: Mapping[str, float], y: Mapping[str, float], rarity: Callable[[str], float]) -> float:
        """Mean over both sides of each word's best cosine on the other side, weighted by nearness and rarity; in [0, 1]."""
        if not x or not y:
            return 0.0
        left = sorted(x, key=lambda c: (-x[c], c))[:MAX_WORDS]
        right = sorted(y, key=lambda c: (-y[c], c))[:MAX_WORDS]
        cosine = np.clip(self._matrix(left) @ self._matrix(right).T, 0.0, 1.0)
        weight_x = np.array([x[c] * rarity(c) for c in left])
        weight_y = np.array([y[c] * rarity(c) for c in right])
        forward = float(cosine.max(axis=1) @ weight_x / weight_x.sum())
        backward = float(cosine.max(axis=0) @ weight_y / weight_y.sum())
        return (forward + backward) / 2
