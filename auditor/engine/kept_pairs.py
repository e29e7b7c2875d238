"""Comparisons of pairs that an earlier scan made, kept statement by statement under all that bears on them.

What a comparison says depends on the two statements, their facts, and little else: how rare their words are in the corpus, which documents
hold the same passage, what their sections except. A digest of all of it stands for a statement. So one document that changed costs the
pairs of its own statements and of those that hold a word which became rarer or commoner by a step, not all pairs of the corpus.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from auditor.cache import Cache, key_of
from auditor.compare import Compared, Judge
from auditor.engine.comparing import BlockResult, Disagreement, Ground, Outcomes
from auditor.engine.parts import decoded, encoded, identity
from auditor.model import Fact, Statement

NOTHING, LEFT_OPEN, AGREEMENT, OPEN = 0, 1, 2, 3
_UNKNOWN = 255
_OF_STATEMENT = attrgetter(*(f.name for f in fields(Statement) if f.name != "index"))
_OF_FACT = attrgetter(*(f.name for f in fields(Fact) if f.name != "statement"))


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the pairs of one statement with later ones: digests of those (uint64), the similarity that was given (float64),
    what came of it (uint8), and what disagrees, one list for every pair that is open."""

    others: bytes
    similarity: bytes
    came: bytes
    open: list[list[Disagreement]]


class Comparisons:
    """What came of every candidate pair `a[n]`, `b[n]`, `a` rising: of those that an earlier scan compared, at once.

    `marks` has a row of 16 bytes for each statement (`digests`); None where nothing is kept.
    """

    def __init__(
        self,
        a: NDArray[np.int32],
        b: NDArray[np.int32],
        similarity: NDArray[np.float64],
        marks: NDArray[np.uint8] | None,
        cache: Cache,
    ) -> None:
        self._a, self._b, self._similarity, self._cache = a, b, similarity, cache
        self._marks = marks
        self._short = None if marks is None else np.ascontiguousarray(marks[:, :8]).view(np.uint64).ravel()
        self._came = np.full(len(a), _UNKNOWN, dtype=np.uint8)
        self._open: dict[int, list[Disagreement]] = {}
        self._compared = 0
        if marks is not None and len(a):
            starts = np.flatnonzero(np.concatenate([[True], a[1:] != a[:-1]]))
            for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(a)], strict=True):
                self._recall(start, end)

    def missing(self) -> NDArray[np.int64]:
        """Positions of the pairs that are still to be compared."""
        found: NDArray[np.int64] = np.flatnonzero(self._came == _UNKNOWN)
        return found

    def add(self, positions: NDArray[np.int64], result: BlockResult) -> None:
        """Take the result of a block that held the pairs at these positions, and keep what is now known of their first statements."""
        self._compared += len(positions)
        self._came[positions] = NOTHING
        self._came[positions[result.left_open]] = LEFT_OPEN
        self._came[positions[result.agreements]] = AGREEMENT
        for n, found in result.open:
            self._came[positions[n]] = OPEN
            self._open[int(positions[n])] = found
        if self._marks is not None and self._cache.is_writable:
            for first in np.unique(self._a[positions]):
                start, end = np.searchsorted(self._a, first, "left"), np.searchsorted(self._a, first, "right")
                self._keep(int(start), int(end))

    def outcomes(self, facts: Sequence[list[Fact]], judge: Judge, blocks: int) -> Outcomes:
        """What came of all pairs, in their order, with the facts of this process; `blocks` were compared for it."""
        detectors = {detector.id: detector for detector in judge.detectors}
        found = Outcomes([], self._pairs(LEFT_OPEN), self._pairs(AGREEMENT), blocks, len(self._a) - self._compared)
        for n, (i, j) in zip(np.flatnonzero(self._came == OPEN).tolist(), self._pairs(OPEN), strict=True):
            compared = [
                Compared(detectors[d.detector], facts[i][d.a], facts[j][d.b], d.verdict, d.scope, d.features, d.confidence)
                for d in self._open[n]
            ]
            found.open.append((i, j, compared))
        return found

    def _pairs(self, kind: int) -> list[tuple[int, int]]:
        places = np.flatnonzero(self._came == kind)
        return list(zip(self._a[places].tolist(), self._b[places].tolist(), strict=True))

    def _key(self, start: int) -> bytes:
        assert self._marks is not None
        return key_of(b"pairs", self._marks[self._a[start]].tobytes())

    def _recall(self, start: int, end: int) -> None:
        data = self._cache.get(self._key(start))
        if data is None:
            return
        assert self._short is not None
        known = decoded(data, Known)
        others = np.frombuffer(known.others, dtype=np.uint64)
        if not len(others):
            return
        similarity, came = np.frombuffer(known.similarity, dtype=np.float64), np.frombuffer(known.came, dtype=np.uint8)
        order = np.argsort(others, kind="stable")
        wanted = self._short[self._b[start:end]]
        found = order[np.minimum(np.searchsorted(others, wanted, sorter=order), len(others) - 1)]
        same = np.flatnonzero((others[found] == wanted) & (similarity[found] == self._similarity[start:end]))
        old = found[same]
        self._came[start + same] = came[old]
        which = np.cumsum(came == OPEN) - 1  # of an open pair: its place among the open ones
        open_ = came[old] == OPEN
        for n, place in zip(same[open_].tolist(), which[old[open_]].tolist(), strict=True):
            self._open[start + n] = known.open[place]

    def _keep(self, start: int, end: int) -> None:
        assert self._short is not None
        known = np.flatnonzero(self._came[start:end] != _UNKNOWN) + start
        disagree = [self._open[n] for n in known[self._came[known] == OPEN].tolist()]
        others, similarity = self._short[self._b[known]].tobytes(), self._similarity[known].tobytes()
        self._cache.put(self._key(start), encoded(Known(others, similarity, self._came[known].tobytes(), disagree)))


def digests(statements: Sequence[Statement], facts: Sequence[Sequence[Fact]], ground: Ground, judge: Judge) -> NDArray[np.uint8]:
    """Shape (statements, 16): for each statement with facts a digest of everything that its comparisons depend on; else zeros."""
    surface, exceptions = ground.surface, ground.known.exceptions
    copies = {text: key_of(identity(documents)) for text, documents in ground.known.copies.items()}
    common = key_of(b"statement", identity((ground.floor, judge.rules.score.screen)))
    found = np.zeros((len(statements), 16), dtype=np.uint8)
    for n, (statement, own) in enumerate(zip(statements, facts, strict=True)):
        if not own:
            continue
        bearing = (
            _OF_STATEMENT(statement),
            [_OF_FACT(f) for f in own],
            judge.features.weights_of(statement, own),
            copies.get(statement.text),
            exceptions.get(statement.chunk_id),
            [surface.get(word) for word in sorted({word for fact in own for word in fact.objects})],
        )
        found[n] = np.frombuffer(key_of(common, identity(bearing)), dtype=np.uint8)
    return found
