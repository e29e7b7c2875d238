"""Vectors of the better model, made only for the statements that a later stage asks for and kept for the whole scan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from auditor.cache import Cache, key_of
from auditor.model import Statement
from auditor.ports import Encoder

_BATCH = 512
MAX_CHARACTERS = 320
"""Of a statement that the model reads: what a long one is about stands in its beginning, and the cost grows with the length."""


class TopicVectors:
    """Vectors of statements, alone and with their last heading and title, by the encoder of this name or object."""

    def __init__(self, statements: Sequence[Statement], encoder: str | Encoder, cache: Cache | None = None) -> None:
        self._statements = statements
        self._cache = cache or Cache(None)
        self._encoder = encoder
        self._loaded: Encoder | None = None
        self._alone: dict[int, NDArray[np.float32]] = {}
        self._context: dict[int, NDArray[np.float32]] = {}

    def hashes(self) -> dict[str, str]:
        """Model hashes, empty when no vector was needed."""
        return self._load().hashes() if self._alone else {}

    def add(self, rows: Iterable[int], report: Callable[[int, int], None] = lambda done, total: None) -> None:
        """Embed these statements, alone and in their context, unless that is done."""
        wanted = list(rows)
        self._encode(wanted, self._context, in_context, report)
        self._encode(wanted, self._alone, alone, report)

    def __contains__(self, row: int) -> bool:
        return row in self._alone and row in self._context

    def similar(self, i: int, j: int) -> tuple[float, float]:
        """Cosine of two statements that were added, alone and in context."""
        return float(self._alone[i] @ self._alone[j]), float(self._context[i] @ self._context[j])

    def matrices(self, rows: Sequence[int]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Vectors of statements that were added, alone and in context, each of shape (len(rows), dimensions) with unit rows."""
        return np.stack([self._alone[r] for r in rows]), np.stack([self._context[r] for r in rows])

    def _encode(
        self,
        rows: Sequence[int],
        known: dict[int, NDArray[np.float32]],
        text: Callable[[Statement], str],
        report: Callable[[int, int], None],
    ) -> None:
        missing = [r for r in rows if r not in known]
        if not missing:
            return
        from auditor.embed import lasting_identity

        identity = lasting_identity(self._encoder)
        keys = {r: key_of(b"topic", identity, text(self._statements[r])) for r in missing} if identity else {}
        for r, key in keys.items():
            if (kept := self._cache.get(key)) is not None:
                known[r] = np.frombuffer(kept, dtype=np.float32)
        missing = [r for r in missing if r not in known]
        if not missing:
            return
        encoder = self._load()
        for start in range(0, len(missing), _BATCH):
            batch = missing[start : start + _BATCH]
            for r, vector in zip(batch, encoder.encode([text(self._statements[r]) for r in batch]), strict=True):
                known[r] = vector
                if identity:
                    self._cache.put(keys[r], vector.astype(np.float32).tobytes())
            report(min(start + _BATCH, len(missing)), len(missing))

    def _load(self) -> Encoder:
        if self._loaded is None:
            from auditor.embed import get_encoder

            self._loaded = get_encoder(self._encoder) if isinstance(self._encoder, str) else self._encoder
        return self._loaded


def alone(statement: Statement) -> str:
    """What is embedded of a statement by itself."""
    return statement.text[:MAX_CHARACTERS]


def in_context(statement: Statement) -> str:
    """What is embedded of a statement together with its title, last heading and caption."""
    context = " - ".join(dict.fromkeys(t for t in (statement.title, *statement.heading[-1:], statement.caption) if t))
    return f"{context[:120]}: {statement.text[:MAX_CHARACTERS]}"
