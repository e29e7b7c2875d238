"""The pair reader: one small cross-encoder that reads two statements together with their title and heading.

It answers a question that vectors of single statements cannot: are both about the same fact of the same thing, and if so, do they agree?
The model is all-MiniLM-L6-v2 trained further by `scripts/train_reader.py` on the fact families of `tests/corpora/families`; int8 on
onnxruntime. Sentence-pair reading follows Devlin et al. 2019; what the first order does not rule out is read in both orders and averaged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.embed.models import MINILM_TOKENIZER, PAIR_READER, go_offline, missing_library, verified
from auditor.embed.pool import by_length
from auditor.model import Statement

MAX_TOKENS = 128  # of both sides together, as in training
MAX_CHARACTERS = 320
MAX_CONTEXT = 120
BATCH = 1  # int8 scales are taken over a batch: alone, a pair reads the same whatever else is read
SURELY_NOT = 0.02  # first reading below which the other order is not read
UNRELATED, AGREE, DIFFER = 0, 1, 2


class PairReader:
    """Probabilities that two readings are about different facts, agree, or differ about one fact."""

    id = "reader"

    def __init__(self) -> None:
        """Verify and load the model. Raises `ModelError` if a package is missing or a file altered."""
        go_offline()
        weights, tokenizer = verified(PAIR_READER), verified(MINILM_TOKENIZER)
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise missing_library(error) from error

        onnxruntime.disable_telemetry_events()
        self._session = onnxruntime.InferenceSession(str(weights), providers=["CPUExecutionProvider"])
        self._tokenizer: Any = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")

    def read(
        self, pairs: Sequence[tuple[str, str]], report: Callable[[int, int], None] = lambda done, total: None
    ) -> NDArray[np.float32]:
        """Shape (len(pairs), 3): probabilities of UNRELATED, AGREE and DIFFER."""
        # which side comes first must not matter to the answer
        pairs = [(a, b) if a <= b else (b, a) for a, b in pairs]
        out = self._one_order(pairs, report)
        again = np.flatnonzero(out[:, DIFFER] >= SURELY_NOT)
        back = self._one_order([(pairs[i][1], pairs[i][0]) for i in again])
        out[again] = (out[again] + back) / 2
        return out

    def hashes(self) -> dict[str, str]:
        """Model file name → sha256."""
        return {file.name: file.sha256 for file in (PAIR_READER, MINILM_TOKENIZER)}

    def _one_order(
        self, pairs: Sequence[tuple[str, str]], report: Callable[[int, int], None] = lambda done, total: None
    ) -> NDArray[np.float32]:
        out = np.zeros((len(pairs), 3), dtype=np.float32)
        encoded = self._tokenizer.encode_batch(list(pairs)) if pairs else []
        done = 0
        for batch in by_length([len(e.ids) for e in encoded], BATCH):
            out[batch] = _softmax(self._logits([encoded[i] for i in batch]))
            done += len(batch)
            report(done, len(pairs))
        return out

    def _logits(self, encoded: Sequence[Any]) -> NDArray[np.float32]:
        width = max(len(e.ids) for e in encoded)
        ids = np.zeros((len(encoded), width), dtype=np.int64)  # 0 is [PAD]
        mask, kinds = np.zeros_like(ids), np.zeros_like(ids)
        for row, e in enumerate(encoded):
            ids[row, : len(e.ids)] = e.ids
            mask[row, : len(e.ids)] = 1
            kinds[row, : len(e.ids)] = e.type_ids
        (logits,) = self._session.run(["logits"], {"input_ids": ids, "attention_mask": mask, "token_type_ids": kinds})
        return np.asarray(logits, dtype=np.float32)


@cache
def pair_reader() -> PairReader:
    """The pair reader of this process, loaded when first asked for. Raises `ModelError`."""
    return PairReader()


def reading(statement: Statement) -> str:
    """What the reader sees of a statement: title and last heading, then the text."""
    return joined(statement.title, statement.heading[-1] if statement.heading else "", statement.text)


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
