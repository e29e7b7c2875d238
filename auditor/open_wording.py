"""Pairs that no typed rule can compare: the nearest passages, read by the models of `auditor.embed.reader`.

"Salaries are paid on the 25th" and "payday is the last working day of the month" share no value that a detector could hold against the
other. Such pairs are found as neighbours by the better vectors, alone and with title and heading; what is hopeless by features that
cost nothing is left out, the quick reader reads the rest, and the close reader what still looks like a contradiction.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Collection, Container, Sequence
from typing import TypeAlias

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

Columns: TypeAlias = dict[str, NDArray[np.float64]]


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
        screen: Callable[[Columns], NDArray[np.float64]],
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
        return self.rows(self.columns([(i, j)]), [0])[0]

    @staticmethod
    def rows(columns: Columns, which: Sequence[int]) -> list[dict[str, float]]:
        """Features of some pairs one by one, without those that are 0."""
        chosen = zip(*(values[which].tolist() for values in columns.values()), strict=True)
        return [{name: value for name, value in zip(columns, row, strict=True) if value} for row in chosen]

    def columns(self, pairs: Sequence[tuple[int, int]]) -> Columns:
        """Features of many pairs: name → values in the order of the pairs."""
        likeness = np.array([self._near.get(p) or self._similar(*p) for p in pairs], dtype=float).reshape(-1, 2)
        alone, context = likeness.T
        used, place = np.unique(np.array(pairs, dtype=np.int64).reshape(-1, 2), return_inverse=True)
        a, b = place.reshape(-1, 2).T
        contents = [self._content(i) for i in used.tolist()]
        own = [self._statements[i] for i in used.tolist()]
        words, shared = _counted([c[0] for c in contents], a, b)
        numbers, equal = _counted([c[1] for c in contents], a, b)
        best = np.array([self._best.get(i, np.nan) for i in used.tolist()])
        ahead = np.fmin(np.fmin(context - best[a], context - best[b]), np.where(np.isnan(best[a]) | np.isnan(best[b]), 0.0, np.inf))

        def both(of: Callable[[Statement], object]) -> NDArray[np.bool_]:
            """Whether both sides have the same of this."""
            known: dict[object, int] = {}
            ids = np.array([known.setdefault(of(s), len(known)) for s in own], dtype=np.int64)
            same: NDArray[np.bool_] = ids[a] == ids[b]
            return same

        def flag(of: Callable[[Statement], bool]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
            found = np.array([of(s) for s in own], dtype=bool)
            return found[a], found[b]

        group = np.array([s.group for s in own], dtype=np.int64)
        negated = np.array([c[2] for c in contents], dtype=bool)
        typed = np.array([bool(self._facts[i]) for i in used.tolist()], dtype=bool)
        same_document = both(lambda s: s.doc_id)
        least = np.minimum(words[a], words[b])
        found = {
            "is_text": np.ones(len(a)),
            "near": np.maximum(0.0, alone),
            "near_context": np.maximum(0.0, context),
            "behind": np.minimum(1.0, -2 * np.minimum(0.0, ahead)),
            "words": shared / np.maximum(1.0, np.sqrt(words[a] * words[b])),
            "contained": shared / np.maximum(1, least),
            "same_document": same_document,
            "same_section": both(lambda s: s.chunk_id),
            "same_list": same_document & (group[a] != 0) & (group[a] == group[b]),
            "negated": negated[a] != negated[b],
            "numbers_differ": (numbers[a] > 0) & (numbers[b] > 0) & (equal == 0),
            "numbers_equal": (numbers[a] > 0) & (numbers[a] == numbers[b]) & (equal == numbers[a]),
            "number_missing": (numbers[a] > 0) != (numbers[b] > 0),
            "typed": typed[a] & typed[b],
            "code": np.logical_or(*flag(lambda s: "code" in s.flags)),
            "example": np.logical_or(*flag(lambda s: "example" in s.flags)),
            "short": least < 4,
            "row": np.add(*flag(lambda s: s.kind is BlockKind.ROW), dtype=float) / 2,
        }
        return {name: np.round(values.astype(float), 4) for name, values in found.items()}

    def _by_static_table(
        self,
        rows: Sequence[int],
        settled: Container[tuple[int, int]],
        screen: Callable[[Columns], NDArray[np.float64]],
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
        ranked = self._ranked(settled)
        found = dict(zip(ranked, screen(self.columns(ranked)).tolist(), strict=True)) if ranked else {}
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


def _counted(
    sets: Sequence[frozenset[str]], a: NDArray[np.int64], b: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many words each set has, and how many those at `a` and `b` share, pair by pair."""
    size = np.array([len(s) for s in sets], dtype=np.int64)
    return size, np.array([len(sets[i] & sets[j]) for i, j in zip(a.tolist(), b.tolist(), strict=True)], dtype=np.int64)


def _pairs(rows: Sequence[int], matrix: NDArray[np.float32], k: int) -> dict[tuple[int, int], float]:
    """Pairs of statements, the smaller number first, whose rows are near each other, with their cosine."""
    near = neighbours(matrix, k, MIN_SIMILARITY)
    found = zip(near.first.tolist(), near.second.tolist(), near.similarity.tolist(), strict=True)
    return {(min(rows[a], rows[b]), max(rows[a], rows[b])): cosine for a, b, cosine in found}
