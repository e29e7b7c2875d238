from __future__ import annotations

import random
import time
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.block.sparse import join

rows_of_keys = st.lists(st.sets(st.sampled_from("abcdefgh"), max_size=4), max_size=24)


def pairs(keys: list[set[str]], k: int = 50, max_group: int = 100) -> set[tuple[int, int]]:
    return {(i, j) for i, j, _ in join(keys, k, max_group).pairs}


@settings(derandomize=True)
@given(rows_of_keys)
def test_all_that_share_a_key_where_nothing_is_bounded(keys: list[set[str]]) -> None:
    expected = {(i, j) for i, j in combinations(range(len(keys)), 2) if keys[i] & keys[j]}
    assert pairs(keys) == expected


@settings(derandomize=True)
@given(rows_of_keys, st.integers(1, 5), st.integers(2, 8))
def test_bounded(keys: list[set[str]], k: int, max_group: int) -> None:
    """Never more than `k` pairs for every row, each sharing a key that is not crowded, in order, without doubles."""
    found = join(keys, k, max_group)
    crowded = {key for key, _ in found.crowded}
    assert len(found.pairs) <= len(keys) * k
    assert [(i, j) for i, j, _ in found.pairs] == sorted({(i, j) for i, j, _ in found.pairs})
    for i, j, weight in found.pairs:
        assert i < j
        assert (keys[i] & keys[j]) - crowded
        assert weight > 0


@settings(derandomize=True)
@given(rows_of_keys, st.integers(2, 8))
def test_crowded_keys_are_reported(keys: list[set[str]], max_group: int) -> None:
    counts = {key: sum(key in row for row in keys) for key in "abcdefgh"}
    assert join(keys, 5, max_group).crowded == sorted((key, n) for key, n in counts.items() if n > max_group)


@settings(max_examples=60, derandomize=True)
@given(st.lists(st.sets(st.sampled_from("abcdefgh"), max_size=4), max_size=16), st.randoms(use_true_random=False))
def test_order_of_rows_does_not_matter(keys: list[set[str]], chance: random.Random) -> None:
    order = list(range(len(keys)))
    chance.shuffle(order)
    moved = pairs([keys[i] for i in order])
    assert {tuple(sorted((order[i], order[j]))) for i, j in moved} == pairs(keys)


def test_the_most_telling_partners_are_kept() -> None:
    """Of many rows that share a common key, those that share a rare one as well come first."""
    keys = [{"common"} for _ in range(30)]
    keys[3].add("rare")
    keys[17].add("rare")
    found = join(keys, 1, 100)
    assert (3, 17) in {(i, j) for i, j, _ in found.pairs}
    weights = {(i, j): w for i, j, w in found.pairs}
    assert weights[(3, 17)] == max(weights.values())


def test_ties_go_to_the_smaller_row() -> None:
    assert {(i, j) for i, j, _ in join([{"x"}] * 6, 1, 100).pairs} == {(0, 1), (0, 2), (0, 3), (0, 4), (0, 5)}


def test_crowded_key_is_split() -> None:
    """A key that too many hold is joined within its values; a value that is still too common is left out."""
    values = ["rare", "rare", *["often"] * 8, "single"]
    keys = [{"n:tool"} for _ in values]
    found = join(keys, 20, 4, split=lambda i, key: f"{key}={values[i]}")
    assert [(i, j) for i, j, _ in found.pairs] == [(0, 1)]
    assert found.crowded == [("n:tool", 11)]
    assert join(keys, 20, 4).pairs == []


def test_keys_that_are_not_crowded_are_not_split() -> None:
    keys = [{"n:tool"}, {"n:tool"}]
    assert [(i, j) for i, j, _ in join(keys, 20, 4, split=lambda i, key: f"{key}={i}").pairs] == [(0, 1)]


@pytest.mark.parametrize("keys", [[], [set()], [set(), set()], [{"a"}], [{"a"}, {"b"}]])
def test_nothing_to_join(keys: list[set[str]]) -> None:
    found = join(keys, 5, 5)
    assert (found.pairs, found.crowded) == ([], [])


def test_cost_grows_with_the_rows() -> None:
    """Six thousand rows with a key that all of them hold: 18 million pairs are possible, none of them is formed."""
    chance = random.Random(5)
    n, k = 6000, 10
    keys = [{"all", f"group{i % 200}", f"rare{chance.randrange(2000)}"} for i in range(n)]
    start = time.perf_counter()
    found = join(keys, k, 50)
    assert time.perf_counter() - start < 8
    assert 0 < len(found.pairs) <= n * k
    assert ("all", n) in found.crowded
