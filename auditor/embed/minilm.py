"""all-MiniLM-L6-v2 in two backends with the same tokenizer: int8 on onnxruntime, and fp32 on torch through sentence-transformers.

Which one runs is said in the configuration ("minilm", "minilm-torch") and recorded in `run.json`; it is never decided by what
happens to be installed, because their similarities differ by up to 0.01.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.embed.models import (
    MINILM_INT8,
    MINILM_TOKENIZER,
    MINILM_WEIGHTS,
    go_offline,
    missing_library,
    quiet,
    refuse_foreign_code,
    unloadable,
    verified,
)
from auditor.embed.pool import unit_rows
from auditor.embed.session import cpu_session, side_by_side

MAX_TOKENS = 256  # of the model card; both backends cut there
DIMENSION = 384
TORCH_BATCH = 32


class MiniLmEncoder:
    """int8 on onnxruntime, on the CPU. The default of the two. The vector of a text does not depend on the texts around it."""

    id = "minilm"
    alone = True

    def __init__(self) -> None:
        """Verify and load the model. Raises `ModelError` if a package is missing or a file altered."""
        go_offline()
        weights, tokenizer = verified(MINILM_INT8), verified(MINILM_TOKENIZER)
        try:
            from tokenizers import Tokenizer

            self._session = cpu_session(weights)
        except ImportError as error:
            raise missing_library(error) from error
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()  # the file pads everything to 128
        self._tokenizer.enable_truncation(MAX_TOKENS)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, one row per text; a row of zeros for a blank text."""
        rows = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        filled = [i for i, row in enumerate(ids) if len(row) > 2]  # more than [CLS] and [SEP]
        for i, vector in zip(filled, side_by_side(self._pooled, [ids[i] for i in filled]), strict=True):
            rows[i] = vector
        return unit_rows(rows)

    def hashes(self) -> dict[str, str]:
        """Model file name → sha256."""
        return {file.name: file.sha256 for file in (MINILM_INT8, MINILM_TOKENIZER)}

    def _pooled(self, ids: list[int]) -> NDArray[np.float32]:
        """Mean over the tokens of one text."""
        tokens = np.array([ids], dtype=np.int64)
        feed = {"input_ids": tokens, "attention_mask": np.ones_like(tokens), "token_type_ids": np.zeros_like(tokens)}
        (hidden,) = self._session.run(["last_hidden_state"], feed)
        pooled: NDArray[np.float32] = hidden[0].mean(axis=0)
        return pooled


class MiniLmTorchEncoder:
    """fp32 on torch; uses a graphics processor if torch finds one."""

    id = "minilm-torch"

    def __init__(self, device: str | None = None) -> None:
        """Verify and load the model. Raises `ModelError` if the package is missing or a file altered."""
        weights = verified(MINILM_WEIGHTS)
        verified(MINILM_TOKENIZER)
        self._model = load_sentence_transformer(str(weights.parent), device)
        self._model.max_seq_length = MAX_TOKENS

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, one row per text; a row of zeros for a blank text."""
        return encode_with(self._model, texts)

    def hashes(self) -> dict[str, str]:
        """Model file name → sha256."""
        return {file.name: file.sha256 for file in (MINILM_WEIGHTS, MINILM_TOKENIZER)}


def load_sentence_transformer(folder: str, device: str | None = None) -> Any:
    """Load a sentence-transformers model from a folder, without a network and without running code that comes with the model."""
    go_offline()
    refuse_foreign_code(Path(folder))
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise missing_library(error) from error
    quiet()
    try:
        return SentenceTransformer(folder, device=device, local_files_only=True, trust_remote_code=False)
    except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
        raise unloadable(folder, error) from error


def encode_with(model: Any, texts: Sequence[str]) -> NDArray[np.float32]:
    """Unit vectors of a sentence-transformers model; blank texts become rows of zeros."""
    dimension = int(model.get_embedding_dimension())
    rows = np.zeros((len(texts), dimension), dtype=np.float32)
    filled = [i for i, text in enumerate(texts) if text.strip()]
    if filled:
        rows[filled] = model.encode(
            [texts[i] for i in filled],
            batch_size=TORCH_BATCH,
            convert_to_numpy=True,
            normalize_embeddings=False,
            show_progress_bar=False,
        )
    return unit_rows(rows)
