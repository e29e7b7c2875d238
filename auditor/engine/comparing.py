"""Comparison of candidate pairs by workers: blocks of pairs with the statements and facts they need, and what is worth a second look.

What every comparison has to know of the corpus as a whole (`Ground`) travels once to each worker. A block is answered by the pairs whose
facts disagree, in the order in which they came; everything else is a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from auditor.compare import Classes, Compared, Judge, Known
from auditor.detect.reasons import COMPATIBLE, EQUAL
from auditor.extract.concepts import Concepts
from auditor.features import FeatureMaker, Rarity
from auditor.model import Fact, Rejection, Statement
from auditor.ports import Verdict
from auditor.rulepack import RulePack, load_rules
from auditor.scopes import ScopeRelation
from auditor.word_vectors import WordVectors

BLOCK = 4096
"""Pairs that are compared as one task."""

FEW = 3 * BLOCK
"""Pairs up to which it is quicker to compare them here than to hand them to workers."""

_WORDED = frozenset({"modality", "negation", "direction", "status"})  # equal clauses say little about the fact they are about


@dataclass(frozen=True, slots=True)
class Ground:
    """What comparisons have to know of the whole corpus."""

    rarity: Rarity
    known: Known
    surface: Mapping[str, str]
    rules: str | None = None  # folder of the user's rule packs
    floor: float = 0.0  # confidence below which a disagreement is not worth another look

    def judge(self, rules: RulePack | None = None) -> Judge:
        """A judge over it."""
        from auditor.embed import get_encoder

        rules = rules or load_rules(Path(self.rules) if self.rules else None)
        words = WordVectors(get_encoder("static"), self.surface)
        return Judge(rules, FeatureMaker(rules, self.rarity, Concepts(rules), words), known=self.known)


@dataclass(frozen=True, slots=True)
class PairBlock:
    """Pairs to compare: positions in `statements` and `facts`, and the similarity of each pair (float64)."""

    statements: list[Statement]
    facts: list[list[Fact]]
    a: bytes
    b: bytes
    similarity: bytes


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two facts that disagree: their positions among the facts of their statements, and what `Compared` says of them."""

    detector: str
    a: int
    b: int
    verdict: Verdict
    scope: ScopeRelation
    features: dict[str, float]
    confidence: float


@dataclass(frozen=True, slots=True)
class BlockResult:
    """Of a block: pairs with disagreements, pairs that hold nothing to compare, pairs of equal values; as positions in the block."""

    open: list[tuple[int, list[Disagreement]]]
    left_open: list[int]
    agreements: list[int]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Of all pairs: those that disagree with what disagrees, those left open, those that agree. Statements by their numbers."""

    open: list[tuple[int, int, list[Compared]]]
    left_open: list[tuple[int, int]]
    agreements: list[tuple[int, int]]
    blocks: int = 0  # blocks of pairs that were compared
    kept: int = 0  # pairs that an earlier scan had compared


def compare_block(judge: Judge, block: PairBlock, floor: float) -> BlockResult:
    """Compare the pairs of a block; disagreements below the floor are as good as none."""
    a, b = (np.frombuffer(side, dtype=np.int32).tolist() for side in (block.a, block.b))
    similarity = np.frombuffer(block.similarity, dtype=np.float64).tolist()
    classes: dict[int, Classes] = {}
    for one in {*a, *b}:
        classes[one] = judge.classes(block.facts[one])
    result = BlockResult([], [], [])
    for n, (i, j) in enumerate(zip(a, b, strict=True)):
        compared, rejections = judge.compare(block.statements[i], block.statements[j], classes[i], classes[j], similarity[n])
        found = [c for c in compared if c.confidence >= floor]
        if found:
            result.open.append((n, [_disagreement(c, block.facts[i], block.facts[j]) for c in found]))
        elif nothing_to_compare(rejections):
            result.left_open.append(n)
        elif values_agree(rejections):
            result.agreements.append(n)
    return result


def nothing_to_compare(rejections: Sequence[Rejection]) -> bool:
    """Whether no typed detector had anything to say."""
    return all(r.reason == COMPATIBLE for r in rejections)


def values_agree(rejections: Sequence[Rejection]) -> bool:
    """Whether two values are equal; that two clauses are tells little."""
    return any(r.reason == EQUAL and r.detector not in _WORDED for r in rejections)


def blocks(
    a: NDArray[np.int32],
    b: NDArray[np.int32],
    similarity: NDArray[np.float64],
    statements: Sequence[Statement],
    facts: Sequence[list[Fact]],
    size: int,
) -> Iterator[PairBlock]:
    """The pairs `a[n]`, `b[n]` in blocks of at most `size`, each with the statements it needs."""
    for start in range(0, len(a), size):
        left, right = a[start : start + size], b[start : start + size]
        needed, places = np.unique(np.concatenate([left, right]), return_inverse=True)
        places = places.astype(np.int32)
        rows = needed.tolist()
        yield PairBlock(
            [statements[r] for r in rows],
            [facts[r] for r in rows],
            places[: len(left)].tobytes(),
            places[len(left) :].tobytes(),
            similarity[start : start + size].tobytes(),
        )


def _disagreement(compared: Compared, facts_a: Sequence[Fact], facts_b: Sequence[Fact]) -> Disagreement:
    return Disagreement(
        compared.detector.id,
        next(n for n, fact in enumerate(facts_a) if fact is compared.a),
        next(n for n, fact in enumerate(facts_b) if fact is compared.b),
        compared.verdict,
        compared.scope,
        dict(compared.features),
        compared.confidence,
    )
