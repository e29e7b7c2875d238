"""Pairs that no typed rule can compare: the nearest passages, read by the models of `auditor.embed.reader`.

"Salaries are paid on the 25th" and "payday is the last working day of the month" share no value that a detector could hold against the
other. Such pairs are found as neighbours by the better vectors, alone and with title and heading; what is hopeless by features that
cost nothing is left out, the quick reader reads the rest, and the close reader what still looks like a contradiction.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Collection, Container, Sequence

import numpy as np
from numpy.typing import NDArray

from auditor.block.neighbours import neighbours
from auditor.embed import get_encoder
from auditor.model import BlockKind, Fact, Statement
from auditor.text.words import tokens
from auditor.topic_vectors import TopicVectors, alone, in_context

NEIGHBOURS = 10  # by the vectors of statements alone
IN_CONTEXT = 8  # by those with title and heading
MIN_SIMILARITY = 0.3
MIN_WORDS = 2
EMBEDDED = 6000  # statements that the better model embeds; of more, those of the likeliest pairs by the static table
WEIGHED = 200_000  # pairs near by the static table that are weighed by their features, the nearest first
_SIGNS = re.compile(r"[^\w\s.,;:'’\"“”„*_()`—]")
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ed|es|s|e)$")  # inflection only: a stem would take "security" for "secured"
_ARTICLES = frozenset(["a", "an", "the", "An", "The"])
_NEGATIONS = frozenset(["not", "no", "never", "none", "nobody", "nothing", "without", "n't", "cannot", "neither", "nor", "only"])


class OpenWording:
    """Choice and cheap features of pairs of statements without comparable facts. `facts` is indexed by statement.

    Statements in `unread` are never read: those that only repeat an original, and those in a language without rules.
    """

    def __init__(
        self,
        statements: Sequence[Statement],
        facts: Sequence[Sequence[Fact]],
        vectors: TopicVectors,
        unread: Container[int] = frozenset(),
    ) -> None:
        self._statements = statements
        self._facts = facts
        self._vectors = vectors
        self.unread = unread
        self._near: dict[tuple[int, int], tuple[float, float]] = {}
        self._best: dict[int, float] = {}  # statement → cosine of its nearest partner
        self._words: dict[int, tuple[frozenset[str], frozenset[str], bool]] = {}
        self._said: dict[int, tuple[str, ...]] = {}

    @property
    def pairs(self) -> Collection[tuple[int, int]]:
        """All near pairs that were found: settled or not in small stores, those chosen in large ones."""
        return self._near.keys()

    def readable(self) -> list[int]:
        """Statements that can be read by themselves: sentences, items and cells of some words, no headings, code or questions."""
        return [i for i in range(len(self._statements)) if self._readable(i)]

    def nearest(
        self,
        settled: Container[tuple[int, int]],
        screen: Callable[[dict[str, float]], float],
        report: Callable[[int, int], None] = lambda done, total: None,
        usable: Callable[[int, int], bool] = lambda i, j: True,
    ) -> list[tuple[int, int]]:
        """Pairs of readable statements near each other, sorted, without those that are settled elsewhere and without repetitions.

        Of more than `EMBEDDED` readable statements, those in the pairs that `screen`, given the features, puts first when the static table
        takes the place of the better model, as far as they are `usable`.
        """
        rows = self.readable()
        if len(rows) < 2:
            return []
        if len(rows) > EMBEDDED:
            chosen = self._by_static_table(rows, settled, screen, usable)
            self._vectors.add(sorted({i for pair in chosen for i in pair}), report)
            self._near = {pair: self._vectors.similar(*pair) for pair in chosen}
        else:
            self._vectors.add(rows, report)
            for matrix, k in zip(self._vectors.matrices(rows), (NEIGHBOURS, IN_CONTEXT), strict=True):
                for i, j in _pairs(rows, matrix, k):
                    if (i, j) not in self._near:
                        self._near[i, j] = self._vectors.similar(i, j)
        return self._ranked(settled)

    def _ranked(self, settled: Container[tuple[int, int]]) -> list[tuple[int, int]]:
        """The near pairs that are left to read; notes how near each statement's nearest partner is."""
        pairs = [p for p in sorted(self._near) if p not in settled and not self._same(*p)]
        self._best = {}
        for i, j in pairs:
            for one in (i, j):
                self._best[one] = max(self._best.get(one, 0.0), self._near[i, j][1])
        return pairs

    def features(self, i: int, j: int) -> dict[str, float]:
        """Features of a pair that cost nothing, each in [0, 1], without those that are 0."""
        sa, sb = self._statements[i], self._statements[j]
        alone, context = self._near.get((i, j)) or self._similar(i, j)
        (wa, na, neg_a), (wb, nb, neg_b) = self._content(i), self._content(j)
        shared = len(wa & wb)
        ahead = min(context - self._best.get(i, context), context - self._best.get(j, context))
        found = {
            "is_text": 1.0,
            "near": max(0.0, alone),
            "near_context": max(0.0, context),
            "behind": min(1.0, -2 * min(0.0, ahead)),
            "words": shared / max(1.0, float(np.sqrt(len(wa) * len(wb)))),
            "contained": shared / max(1, min(len(wa), len(wb))),
            "same_document": float(sa.doc_id == sb.doc_id),
            "same_section": float(sa.chunk_id == sb.chunk_id),
            "same_list": float(sa.doc_id == sb.doc_id and sa.group != 0 and sa.group == sb.group),
            "negated": float(neg_a != neg_b),
            "numbers_differ": float(bool(na) and bool(nb) and not na & nb),
            "numbers_equal": float(bool(na) and na == nb),
            "number_missing": float(bool(na) != bool(nb)),
            "typed": float(bool(self._facts[i]) and bool(self._facts[j])),
            "code": float("code" in sa.flags or "code" in sb.flags),
            "example": float("example" in sa.flags or "example" in sb.flags),
            "short": float(min(len(wa), len(wb)) < 4),
            "row": float(sa.kind is BlockKind.ROW) / 2 + float(sb.kind is BlockKind.ROW) / 2,
        }
        return {name: round(value, 4) for name, value in found.items() if value}

    def _by_static_table(
        self,
        rows: Sequence[int],
        settled: Container[tuple[int, int]],
        screen: Callable[[dict[str, float]], float],
        usable: Callable[[int, int], bool],
    ) -> list[tuple[int, int]]:
        """The likeliest pairs by the features that the static table gives, of no more than `EMBEDDED` statements together."""
        encoder = get_encoder("static")
        by_text = [encoder.encode([text(self._statements[i]) for i in rows]) for text in (alone, in_context)]
        place = {row: n for n, row in enumerate(rows)}
        likeness: dict[tuple[int, int], float] = {}
        for matrix, k in zip(by_text, (NEIGHBOURS, IN_CONTEXT), strict=True):
            for pair, cosine in _pairs(rows, matrix, k).items():
                likeness[pair] = likeness.get(pair, 0.0) + cosine
        weighed = heapq.nsmallest(WEIGHED, likeness, key=lambda p: (-likeness[p], p))
        apart, together = by_text
        self._near = {
            (i, j): (float(apart[place[i]] @ apart[place[j]]), float(together[place[i]] @ together[place[j]])) for i, j in weighed
        }
        found = {p: screen(self.features(*p)) for p in self._ranked(settled)}
        chosen: list[tuple[int, int]] = []
        embedded: set[int] = set()
        for pair in sorted(found, key=lambda p: (-found[p], p)):
            if len(embedded) + len(set(pair) - embedded) <= EMBEDDED and usable(*pair):
                embedded.update(pair)
                chosen.append(pair)
        return chosen

    def _similar(self, i: int, j: int) -> tuple[float, float]:
        self._vectors.add([i, j])
        return self._vectors.similar(i, j)

    def _same(self, i: int, j: int) -> bool:
        """Whether two statements use the same words in the same order, inflection and articles aside."""
        return self._wording(i) == self._wording(j)

    def _wording(self, i: int) -> tuple[str, ...]:
        if i not in self._said:
            text = self._statements[i].text
            words = tuple(_ENDING.sub("", t.lower) for t in tokens(text) if t.text not in _ARTICLES)
            self._said[i] = (*words, *_SIGNS.findall(text)) if words else (text,)
        return self._said[i]

    def _readable(self, i: int) -> bool:
        statement = self._statements[i]
        return (
            i not in self.unread
            and statement.kind is not BlockKind.HEADING
            and "code" not in statement.flags
            and statement.text.count(" ") >= MIN_WORDS - 1
            and not statement.text.rstrip().endswith("?")
        )

    def _content(self, i: int) -> tuple[frozenset[str], frozenset[str], bool]:
        """Stems of content words, numbers as they are written, and whether something is negated."""
        if i not in self._words:
            found = list(tokens(self._statements[i].text))
            self._words[i] = (
                frozenset(t.stem for t in found if not t.is_stop and not t.is_number),
                frozenset(t.lower for t in found if t.is_number),
                any(t.lower in _NEGATIONS for t in found),
            )
        return self._words[i]


def _pairs(rows: Sequence[int], matrix: NDArray[np.float32], k: int) -> dict[tuple[int, int], float]:
    """Pairs of statements, the smaller number first, whose rows are near each other, with their cosine."""
    near = neighbours(matrix, k, MIN_SIMILARITY)
    found = zip(near.first.tolist(), near.second.tolist(), near.similarity.tolist(), strict=True)
    return {(min(rows[a], rows[b]), max(rows[a], rows[b])): cosine for a, b, cosine in found}
