"""What a pair reader says of pairs of statements, kept for the whole scan and, with a cache, beyond it."""

from __future__ import annotations

import struct
from collections.abc import Callable, Container, Sequence

from auditor.cache import Cache, key_of
from auditor.embed.reader import AGREE, DIFFER, PairReader, chance, ordered, reading
from auditor.model import Statement

_ROW = struct.Struct("<dd")
_AT_ONCE = 256  # pairs read between two notes in the cache


class Readings:
    """Readings of pairs by one model. `reader` gives it when it is first needed; `files` are the hashes of what it reads with.

    Pairs with a statement in `foreign` are never read: the model knows another language.
    """

    def __init__(
        self,
        statements: Sequence[Statement],
        reader: Callable[[], PairReader],
        files: dict[str, str],
        cache: Cache | None = None,
        foreign: Container[int] = frozenset(),
    ) -> None:
        self._statements = statements
        self._foreign = foreign
        self._reader = reader
        self._files = files
        self._cache = cache or Cache(None)
        self._read: dict[tuple[int, int], tuple[float, float]] = {}  # pair → probabilities that they differ, that they agree
        self._best: tuple[dict[int, float], dict[int, float]] = ({}, {})  # statement → probability of its surest partner, by round

    def __contains__(self, pair: tuple[int, int]) -> bool:
        return pair in self._read

    def hashes(self) -> dict[str, str]:
        """Model hashes, empty when the model was not needed."""
        return dict(self._files) if self._read else {}

    def add(
        self,
        pairs: Sequence[tuple[int, int]],
        report: Callable[[int, int], None] = lambda done, total: None,
        *,
        rivals: int | None = 0,
    ) -> None:
        """Read these pairs unless that is done. They are rivals in this round (0 or 1) and later ones; None: nobody's rivals."""
        pairs = [p for p in pairs if self._legible(p)]
        missing = [p for p in dict.fromkeys(pairs) if p not in self._read]
        self._read_all(missing, report)
        if rivals is not None:
            best = self._best[rivals]
            for pair in pairs:
                for one in pair:
                    best[one] = max(best.get(one, 0.0), self._read[pair][0])

    def features(self, i: int, j: int, prefix: str, rivals: int = 0) -> dict[str, float]:
        """Features of a pair (read now, if need be), their names with this prefix, beside its rivals up to that round; none if it is not to be read."""
        if not self._legible((i, j)):
            return {}
        self.add([(i, j)], rivals=None)
        differ, agree = self._read[i, j]
        best = max(self._best[n].get(one, 0.0) for n in range(rivals + 1) for one in (i, j))
        return {
            prefix: 1.0,  # tells which weights apply, and has none itself
            f"{prefix}_differ": differ,
            f"{prefix}_agree": agree,
            f"{prefix}_chance": chance(differ),
            f"{prefix}_same": chance(differ + agree),
            f"{prefix}_behind": max(0.0, best - differ),
        }

    def _legible(self, pair: tuple[int, int]) -> bool:
        return pair[0] not in self._foreign and pair[1] not in self._foreign

    def _read_all(self, missing: Sequence[tuple[int, int]], report: Callable[[int, int], None]) -> None:
        if not missing:
            return
        texts = {(i, j): ordered((reading(self._statements[i]), reading(self._statements[j]))) for i, j in missing}
        identity = repr(sorted(self._files.items()))
        keys = {pair: key_of(b"pair", identity, *text) for pair, text in texts.items()}
        for pair, key in keys.items():
            if (kept := self._cache.get(key)) is not None:
                self._read[pair] = _ROW.unpack(kept)
        missing = [p for p in missing if p not in self._read]
        for start in range(0, len(missing), _AT_ONCE):
            batch = missing[start : start + _AT_ONCE]
            for pair, row in zip(batch, self._reader().read([texts[p] for p in batch]), strict=True):
                self._read[pair] = (float(row[DIFFER]), float(row[AGREE]))
                self._cache.put(keys[pair], _ROW.pack(*self._read[pair]))
            report(start + len(batch), len(missing))
