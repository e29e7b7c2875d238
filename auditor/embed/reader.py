"""The pair readers: two cross-encoders that read two statements together with their title and heading.

They answer a question that vectors of single statements cannot: are both about the same fact of the same thing, and if so, do they agree?
The quick one is all-MiniLM-L6-v2, the close one the lower nine layers of all-mpnet-base-v2 (Song et al. 2020), twice as slow and
asked only about what the quick one leaves in doubt; trained further by `scripts/train_reader.py` and `train_close_reader.py`, int8.
Sentence-pair reading follows Devlin et al. 2019; what the first order does not rule out is read in both orders and averaged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.embed.models import CLOSE_READER, MINILM_TOKENIZER, MPNET_TOKENIZER, PAIR_READER, go_offline, missing_library, verified
from auditor.embed.session import cpu_session, side_by_side
from auditor.model import Statement

MAX_TOKENS = 128  # of both sides together, as in training
MAX_CHARACTERS = 320
MAX_CONTEXT = 120
MAX_BEFORE = 160
UNRELATED, AGREE, DIFFER = 0, 1, 2


class PairReader:
    """Probabilities that two readings are about different facts, agree, or differ about one fact."""

    files = (PAIR_READER, MINILM_TOKENIZER)
    surely_not = 0.2  # first reading below which the other order is not read

    def __init__(self) -> None:
        """Verify and load the model. Raises `ModelError` if a package is missing or a file altered."""
        go_offline()
        weights, tokenizer = (verified(file) for file in self.files)
        try:
            from tokenizers import Tokenizer

            self._session = cpu_session(weights)
        except ImportError as error:
            raise missing_library(error) from error
        self._tokenizer: Any = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")

    def read(
        self, pairs: Sequence[tuple[str, str]], report: Callable[[int, int], None] = lambda done, total: None
    ) -> NDArray[np.float32]:
        """Shape (len(pairs), 3): probabilities of UNRELATED, AGREE and DIFFER."""
        pairs = [ordered(pair) for pair in pairs]
        out = self._one_order(pairs, report)
        again = np.flatnonzero(out[:, DIFFER] >= self.surely_not)
        back = self._one_order([(pairs[i][1], pairs[i][0]) for i in again])
        out[again] = (out[again] + back) / 2
        return out

    @classmethod
    def hashes(cls) -> dict[str, str]:
        """Model file name → sha256, without loading the model (which is verified when it is)."""
        return {file.name: file.sha256 for file in cls.files}

    def _one_order(
        self, pairs: Sequence[tuple[str, str]], report: Callable[[int, int], None] = lambda done, total: None
    ) -> NDArray[np.float32]:
        encoded = self._tokenizer.encode_batch(list(pairs)) if pairs else []
        logits = side_by_side(self._logits, encoded, report)
        return _softmax(np.array(logits, dtype=np.float32).reshape(-1, 3))

    def _logits(self, encoded: Any) -> NDArray[np.float32]:
        (logits,) = self._session.run(["logits"], self._inputs(encoded))
        return np.asarray(logits[0], dtype=np.float32)

    def _inputs(self, encoded: Any) -> dict[str, NDArray[np.int64]]:
        ids, kinds = np.array([encoded.ids], dtype=np.int64), np.array([encoded.type_ids], dtype=np.int64)
        return {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds}


class CloseReader(PairReader):
    """The same by a larger model; its graph tells the two sides apart by their separators."""

    files = (CLOSE_READER, MPNET_TOKENIZER)
    surely_not = 0.15

    def _inputs(self, encoded: Any) -> dict[str, NDArray[np.int64]]:
        return {"input_ids": np.array([encoded.ids], dtype=np.int64)}


@cache
def pair_reader() -> PairReader:
    """The quick reader of this process, loaded when first asked for. Raises `ModelError`."""
    return PairReader()


@cache
def close_reader() -> CloseReader:
    """The close reader of this process, loaded when first asked for. Raises `ModelError`."""
    return CloseReader()


def ordered(pair: tuple[str, str]) -> tuple[str, str]:
    """The pair in the order in which it is read: which side comes first must not matter to the answer."""
    return pair if pair[0] <= pair[1] else (pair[1], pair[0])


def reading(statement: Statement) -> str:
    """What the reader sees of a statement: title and last heading, then the text, of a sentence that opens with "It" or the like behind
    the one before it."""
    text = f"{statement.before[-MAX_BEFORE:]} {statement.text}" if statement.before else statement.text
    return joined(statement.title, statement.heading[-1] if statement.heading else "", text)


def joined(title: str, heading: str, text: str) -> str:
    """Title, heading and text as one reading, in the form of the training texts."""
    context = " - ".join(dict.fromkeys(part for part in (title, heading) if part))
    return f"{context[:MAX_CONTEXT]}: {text[:MAX_CHARACTERS]}" if context else text[:MAX_CHARACTERS]


def chance(probability: float) -> float:
    """Log odds on a scale of [0, 1]: 0 at 1:400, 1 at 400:1."""
    p = min(max(probability, 1e-4), 1 - 1e-4)
    return min(1.0, max(0.0, (math.log(p / (1 - p)) + 6) / 12))


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    powers: NDArray[np.float32] = np.exp(logits - logits.max(axis=-1, keepdims=True))
    result: NDArray[np.float32] = powers / powers.sum(axis=-1, keepdims=True)
    return result
