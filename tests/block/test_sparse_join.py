from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import auditor.block.sparse
from auditor.block.keys import Keys
from auditor.block.sparse import Join, join
from tests.block import reference

rows_of_keys = st.lists(st.sets(st.sampled_from("abcdefgh"), max_size=4), max_size=24)


def joined(keys: list[set[str]], k: int = 50, max_group: int = 100, split: list[str] | None = None) -> Join:
    return join("keys", Keys.of(keys), k, max_group, split)


def listed(found: Join) -> list[tuple[int, int]]:
    return list(zip(found.first.tolist(), found.second.tolist(), strict=True))


def pairs(keys: list[set[str]], k: int = 50, max_group: int = 100) -> set[tuple[int, int]]:
    return set(listed(joined(keys, k, max_group)))


@settings(derandomize=True)
@given(rows_of_keys)
def test_all_that_share_a_key_where_nothing_is_bounded(keys: list[set[str]]) -> None:
    expected = {(i, j) for i, j in combinations(range(len(keys)), 2) if keys[i] & keys[j]}
    assert pairs(keys) == expected


@settings(max_examples=300, derandomize=True)
@given(
    st.lists(st.tuples(st.sets(st.sampled_from("abcdefgh"), max_size=5), st.sampled_from("xyz")), max_size=40),
    st.integers(1, 6),
    st.integers(2, 9),
    st.booleans(),
    st.sampled_from([1, 40, 2_000_000]),
)
def test_same_as_in_plain_loops(rows: list[tuple[set[str], str]], k: int, max_group: int, by_value: bool, at_once: int) -> None:
    keys, values = [row for row, _ in rows], [value for _, value in rows]
    split = values if by_value else None
    whole = auditor.block.sparse._ENTRIES
    auditor.block.sparse._ENTRIES = at_once
    try:
        found = joined(keys, k, max_group, split)
    finally:
        auditor.block.sparse._ENTRIES = whole
    assert listed(found) == sorted(reference.joined(keys, k, max_group, split))


@settings(derandomize=True)
@given(rows_of_keys, st.integers(1, 5), st.integers(2, 8))
def test_bounded(keys: list[set[str]], k: int, max_group: int) -> None:
    """Never more than `k` pairs for every row, each sharing a key that is not crowded, in order, without doubles."""
    found = joined(keys, k, max_group)
    crowded = {key for key, _ in found.crowded}
    got = listed(found)
    assert len(got) <= len(keys) * k
    assert got == sorted(set(got))
    for i, j in got:
        assert i < j
        assert (keys[i] & keys[j]) - crowded


@settings(derandomize=True)
@given(rows_of_keys, st.integers(2, 8))
def test_crowded_keys_are_reported(keys: list[set[str]], max_group: int) -> None:
    counts = {key: sum(key in row for row in keys) for key in "abcdefgh"}
    crowded = sorted((key, n) for key, n in counts.items() if n > max_group)
    found = joined(keys, 5, max_group)
    assert list(found.crowded) == crowded
    assert (found.cut.keys, found.cut.dropped) == (len(crowded), len(crowded))
    assert found.cut.pairs == sum(n * (n - 1) // 2 for _, n in crowded)
    assert found.cut.rows == sum(bool(row & {key for key, _ in crowded}) for row in keys)
    assert found.cut.joined == 0


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
    mine = [pair for pair in pairs(keys, 1, 100) if 17 in pair]
    assert mine == [(3, 17)]


def test_ties_go_to_the_smaller_row() -> None:
    assert pairs([{"x"}] * 6, 1, 100) == {(0, 1), (0, 2), (0, 3), (0, 4), (0, 5)}


def test_crowded_key_is_split() -> None:
    """A key that too many hold is joined within its values; a value that is still too common is left out."""
    values = ["rare", "rare", *["often"] * 8, "single"]
    keys = [{"n:tool"} for _ in values]
    found = joined(keys, 20, 4, values)
    assert listed(found) == [(0, 1)]
    assert found.crowded == (("n:tool", 11),)
    assert pairs(keys, 20, 4) == set()
    # Of the 55 pairs one was looked at; nine rows were not joined with any other, and no key was lost whole.
    assert (found.cut.pairs, found.cut.joined, found.cut.rows, found.cut.keys, found.cut.dropped) == (55, 1, 9, 1, 0)


def test_key_without_a_part_that_can_be_joined_is_lost() -> None:
    found = joined([{"k", "few"}, {"k", "few"}, {"k"}, {"k"}], 20, 3, ["1", "2", "3", "4"])
    assert listed(found) == [(0, 1)]
    assert (found.cut.keys, found.cut.dropped, found.cut.rows, found.cut.pairs, found.cut.joined) == (1, 1, 4, 6, 0)


def test_keys_that_are_not_crowded_are_not_split() -> None:
    assert listed(joined([{"n:tool"}, {"n:tool"}], 20, 4, ["0", "1"])) == [(0, 1)]


@pytest.mark.parametrize("keys", [[], [set()], [set(), set()], [{"a"}], [{"a"}, {"b"}]])
def test_nothing_to_join(keys: list[set[str]]) -> None:
    found = joined(keys, 5, 5)
    assert (listed(found), found.crowded) == ([], ())
    assert found.first.dtype == found.second.dtype == np.int32


def test_keys_that_all_hold_bring_no_pairs() -> None:
    """Six thousand rows with a key that all of them hold: 18 million pairs are possible, none of them is formed."""
    chance = random.Random(5)
    n, k = 6000, 10
    found = joined([{"all", f"group{i % 200}", f"rare{chance.randrange(2000)}"} for i in range(n)], k, 50)
    assert 0 < len(found.first) <= n * k
    assert ("all", n) in found.crowded
    assert found.cut.pairs - found.cut.joined == n * (n - 1) // 2


@settings(derandomize=True)
@given(rows_of_keys)
def test_numbers_of_keys(keys: list[set[str]]) -> None:
    numbered = Keys.of(keys)
    assert len(numbered) == len(keys)
    got = [[numbered.names[n] for n in numbered.ids[a:b]] for a, b in zip(numbered.starts, numbered.starts[1:], strict=False)]
    assert got == [sorted(row) for row in keys]
    assert numbered.rows.tolist() == [i for i, row in enumerate(keys) for _ in row]
    assert dict(zip(numbered.names, numbered.counts().tolist(), strict=True)) == {
        key: sum(key in row for row in keys) for key in set().union(*keys)
    }
