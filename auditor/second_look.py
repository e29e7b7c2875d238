"""The second look at pairs that disagree: similarity by the better model, and rivals.

A true contradiction is usually mutual: among all comparable passages of the other document, this one is about the same thing. Where the
other document holds a passage that fits better, above all one that agrees, the pair is most likely about two different things.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from auditor.compare import Compared
from auditor.model import Statement
from auditor.readings import Readings
from auditor.topic_vectors import TopicVectors

SMALL = 50  # statements below which being the best partner says nothing
ALONE = 0.7  # what is taken instead
ALONE_LEAD = 0.2


class SecondLook:
    """Later features of pairs: `topic` (statements alone), `topic_context` (with title and heading), and how the pair stands among all
    other partners of its statements: `first`, `lead`, `rival`, `agreed_elsewhere`."""

    def __init__(
        self,
        statements: Sequence[Statement],
        open_pairs: Sequence[tuple[int, int, Sequence[Compared]]],
        agreements: Sequence[tuple[int, int]],
        vectors: TopicVectors,
        readings: Readings,
    ) -> None:
        self._vectors = vectors
        self._readings = readings
        self._statements = statements
        self._open = [(i, j) for i, j, _ in open_pairs]
        self._agreements = list(agreements)
        self._best: dict[tuple[int, str], list[tuple[float, int]]] | None = None
        self._fits: dict[int, list[float]] = {}  # statement → fits of its partners, best first
        self._agreed: dict[tuple[int, str], float] = {}

    @property
    def pairs(self) -> Sequence[tuple[int, int]]:
        """The pairs that disagree."""
        return self._open

    def prepare(self, report: Callable[[str, int, int], None] = lambda stage, done, total: None) -> None:
        """Embed all statements that the open pairs need, and read the pairs."""
        wanted = sorted({i for pair in self._open for i in pair})
        self._vectors.add(wanted, lambda done, of: report("topic", done, of))
        self._readings.add(self._open, lambda done, of: report("read", done, of))

    def look_at(
        self, pairs: Sequence[tuple[int, int]], report: Callable[[str, int, int], None] = lambda stage, done, total: None
    ) -> None:
        """Embed and read further pairs in batches, as `features` would one by one. They are nobody's rivals."""
        self._vectors.add(sorted({i for pair in pairs for i in pair}), lambda done, of: report("topic", done, of))
        self._readings.add(pairs, lambda done, of: report("read", done, of), rivals=None)

    def features(self, i: int, j: int) -> tuple[dict[str, float], float]:
        """Features of a pair and its topic similarity."""
        self._vectors.add([i, j])
        topic, context = self._vectors.similar(i, j)
        rivals = self._rivals()
        sa, sb = self._statements[i], self._statements[j]
        fit = topic + context
        rival = max(_rival(rivals.get((i, sb.doc_id), []), j, fit), _rival(rivals.get((j, sa.doc_id), []), i, fit))
        agreed = max(self._agreed.get((i, sb.doc_id), 0.0), self._agreed.get((j, sa.doc_id), 0.0))
        found = self._readings.features(i, j, "reads") | {
            "topic": max(0.0, topic),
            "topic_context": max(0.0, context),
            "rival": rival,
            "first": self._first(i, j, fit),
            "lead": self._lead(i, j, fit),
            "agreed_elsewhere": min(1.0, max(0.0, (agreed - fit) * 2 + 0.5)) if agreed else 0.0,
        }
        return {k: round(v, 4) for k, v in found.items()}, round(topic, 4)

    def _first(self, i: int, j: int, fit: float) -> float:
        """1 where no other open or agreeing partner in the corpus fits either statement better, 0.5 where that holds for one."""
        if len(self._statements) < SMALL:
            return ALONE
        return sum(float(fit >= self._fits.get(one, [0.0])[0] - 1e-6) for one in (i, j)) / 2

    def _lead(self, i: int, j: int, fit: float) -> float:
        """How far the pair is ahead of the next best partner of either statement: 1 from 0.5 on, 0 where it is not the best."""
        if len(self._statements) < SMALL:
            return ALONE_LEAD
        ahead = min(fit - _next_best(self._fits.get(one, []), fit) for one in (i, j))
        return min(1.0, max(0.0, ahead * 2))

    def _rivals(self) -> Mapping[tuple[int, str], list[tuple[float, int]]]:
        """(statement, other document) → how well its open partners there fit."""
        if self._best is None:
            best: dict[tuple[int, str], list[tuple[float, int]]] = {}
            for i, j in self._open:
                if i not in self._vectors or j not in self._vectors:
                    continue
                fit = sum(self._vectors.similar(i, j))
                for one in (i, j):
                    self._fits.setdefault(one, []).append(fit)
                best.setdefault((i, self._statements[j].doc_id), []).append((fit, j))
                best.setdefault((j, self._statements[i].doc_id), []).append((fit, i))
            for i, j in self._agreements:
                if i in self._vectors and j in self._vectors:
                    fit = sum(self._vectors.similar(i, j))
                    for one in (i, j):
                        self._fits.setdefault(one, []).append(fit)
                    for one, other in ((i, j), (j, i)):
                        key = (one, self._statements[other].doc_id)
                        self._agreed[key] = max(self._agreed.get(key, 0.0), fit)
            for fits in self._fits.values():
                fits.sort(reverse=True)
            self._best = best
        return self._best


def _next_best(fits: Sequence[float], own: float) -> float:
    """Best fit but one's own; the mean of an unrelated pair where there is no other partner."""
    others = list(fits)
    for n, fit in enumerate(others):
        if abs(fit - own) < 1e-6:
            del others[n]
            break
    return others[0] if others else own - 0.3


def _rival(partners: Sequence[tuple[float, int]], own: int, fit: float) -> float:
    """How much better another partner fits: 0 when none does, 1 when one is 0.5 ahead."""
    ahead = max((f - fit for f, other in partners if other != own), default=0.0)
    return min(1.0, max(0.0, ahead * 2))
