"""What earlier scans found out about pairs is found again, for exactly the pairs that nothing has changed about."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.cache import Cache
from auditor.compare import Judge
from auditor.engine.comparing import BlockResult, Disagreement
from auditor.engine.kept_pairs import Comparisons
from auditor.features import FeatureMaker, Rarity
from auditor.model import Fact, FactKind, Value
from auditor.ports import Verdict
from auditor.rulepack import load_rules
from auditor.scopes import ScopeRelation


def disagreement(confidence: float) -> Disagreement:
    scope = ScopeRelation("", "", (), None)
    return Disagreement("numeric", 0, 0, Verdict(True, "value"), scope, {"near": confidence}, confidence)


@st.composite
def stores(draw: st.DrawFn) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Pairs of statements, what comes of each, and the statements that a later scan sees changed."""
    some = st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda p: p[0] < p[1])
    pairs = sorted(draw(st.sets(some, min_size=1, max_size=20)))
    came = draw(st.lists(st.integers(0, 3), min_size=len(pairs), max_size=len(pairs)))
    return pairs, came, draw(st.lists(st.integers(0, 7), max_size=3))


@settings(deadline=None, max_examples=60)
@given(stores(), st.integers(1, 6))
def test_only_pairs_of_changed_statements_are_compared_again(
    store: tuple[list[tuple[int, int]], list[int], list[int]], size: int
) -> None:
    pairs, came, changed = store
    a, b = (np.array(side, dtype=np.int32) for side in zip(*pairs, strict=True))
    similarity = np.linspace(0.1, 0.9, len(pairs))
    before = np.random.default_rng(1).integers(0, 256, (8, 16), dtype=np.uint8)
    after = before.copy()
    after[changed, 0] += 1
    facts = [[Fact(n, FactKind.COUNT, Value(str(n)), 0, 1)] for n in range(8)]
    rules = load_rules()
    judge = Judge(rules, FeatureMaker(rules, Rarity({}, 0)))

    def compared(found: Comparisons) -> int:
        missing = found.missing()
        for start in range(0, len(missing), size):
            part = missing[start : start + size]
            result = BlockResult(
                [(n, [disagreement(p / 100)]) for n, p in enumerate(part.tolist()) if came[p] == 3],
                [n for n, p in enumerate(part.tolist()) if came[p] == 1],
                [n for n, p in enumerate(part.tolist()) if came[p] == 2],
            )
            found.add(part, result)
        return len(missing)

    with tempfile.TemporaryDirectory() as folder, Cache(Path(folder)) as cache:
        first = Comparisons(a, b, similarity, before, cache)
        assert compared(first) == len(pairs)
        second = Comparisons(a, b, similarity, after, cache)
        assert compared(second) == sum(i in changed or j in changed for i, j in pairs)
        told, again = (c.outcomes(facts, judge, 1) for c in (first, second))
        assert again.left_open == told.left_open == [p for p, c in zip(pairs, came, strict=True) if c == 1]
        assert again.agreements == told.agreements == [p for p, c in zip(pairs, came, strict=True) if c == 2]
        assert [(i, j, c[0].confidence) for i, j, c in again.open] == [(i, j, c[0].confidence) for i, j, c in told.open]
        assert [(i, j) for i, j, _ in again.open] == [p for p, c in zip(pairs, came, strict=True) if c == 3]
        third = Comparisons(a, b, similarity + 0.01, after, cache)
        assert len(third.missing()) == len(pairs)  # another encoder gave another similarity


def test_nothing_to_compare_and_a_cache_that_is_only_read(tmp_path: Path) -> None:
    none, marks = np.zeros(0, dtype=np.int32), np.zeros((2, 16), dtype=np.uint8)
    with Cache(tmp_path) as cache, Cache(tmp_path) as second:  # the second one finds the first at work
        for kept in (cache, second, Cache(None)):
            empty = Comparisons(none, none, none.astype(np.float64), marks, kept)
            assert not len(empty.missing())
            assert not empty.outcomes([], Judge(load_rules(), FeatureMaker(load_rules(), Rarity({}, 0))), 0).open
        one = Comparisons(none + 0, none, none.astype(np.float64), None, second)
        one.add(np.zeros(0, dtype=np.int64), BlockResult([], [], []))
        assert not second.is_writable
