"""Any other sentence-transformers model, by folder, or by id if it lies in the local cache."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from auditor.embed.minilm import encode_with, load_sentence_transformer
from auditor.embed.models import resolve_model, weight_hashes


class ExternalEncoder:
    """Wraps a sentence-transformers model of the user's choice; its weight files are hashed for `run.json`."""

    def __init__(self, name: str, device: str | None = None) -> None:
        """Load the model. Raises `ModelError` if it is not on this machine or cannot be loaded."""
        self.id = name
        self._folder: Path = resolve_model(name)
        self._model = load_sentence_transformer(str(self._folder), device)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, one row per text; a row of zeros for a blank text."""
        return encode_with(self._model, texts)

    def hashes(self) -> dict[str, str]:
        """Model file name → sha256."""
        return weight_hashes(self._folder)
