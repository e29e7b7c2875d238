"""Static vectors: a table of token vectors distilled from all-MiniLM-L6-v2; a text is the direction of the sum of its tokens.

Thousands of statements a second without torch. Meant for finding candidates: word order and negation are invisible to it.
`scripts/build_static_table.py` builds the table and says what is in the file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.embed.models import STATIC_TABLE, ModelError, go_offline, locate, mismatch
from auditor.embed.pool import unit_rows

MAX_TOKENS = 512
BATCH = 256  # the token vectors of one batch fit into the processor cache; four times as many run a third slower


class StaticEncoder:
    """Encoder over the shipped token table. The vector of a text does not depend on the texts around it."""

    id = "static"
    alone = True

    def __init__(self, table: Path | None = None) -> None:
        """Load and verify the table; `table` is another copy of the same file. Raises `ModelError` if it is missing or altered."""
        path = locate(STATIC_TABLE) if table is None else table
        try:
            content = path.read_bytes()
        except OSError as error:
            raise ModelError(f"The model file {path} cannot be read: {error.strerror}.") from error
        self._sha256 = hashlib.sha256(content).hexdigest()
        if self._sha256 != STATIC_TABLE.sha256:
            raise mismatch(path, STATIC_TABLE, self._sha256)

        from safetensors.numpy import load

        tensors = load(content)
        self._table: NDArray[np.float32] = tensors["rows"].astype(np.float32) * tensors["scales"][:, None]
        self._tokenizer = _tokenizer(tensors["vocab"].tobytes().decode().split("\n"))
        self.dimension = int(self._table.shape[1])

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, one row per text; a row of zeros for a text without known tokens."""
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), BATCH):
            self._fill(list(texts[start : start + BATCH]), rows[start : start + BATCH])
        return unit_rows(rows)

    def hashes(self) -> dict[str, str]:
        """Model file name → sha256."""
        return {STATIC_TABLE.name: self._sha256}

    def _fill(self, texts: list[str], rows: NDArray[np.float32]) -> None:
        encoded = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        ids = [encoding.ids for encoding in encoded]
        lengths = np.fromiter(map(len, ids), dtype=np.int64, count=len(ids))
        used = np.flatnonzero(lengths)  # reduceat cannot express an empty segment
        if not used.size:
            return
        flat = np.fromiter(chain.from_iterable(ids), dtype=np.int64, count=int(lengths.sum()))
        starts = np.concatenate(([0], np.cumsum(lengths[used])[:-1]))
        # The sum has the direction of the mean; it is taken token by token, so that batch mates cannot change a bit of it.
        rows[used] = np.add.reduceat(self._table[flat], starts, axis=0)


def _tokenizer(vocab: list[str]) -> Any:
    """The tokenizer of MiniLM over the words of the table, without the special tokens."""
    go_offline()
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer

    tokenizer = Tokenizer(WordPiece({token: i for i, token in enumerate(vocab)}, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer
