from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import auditor.block.ranking
from auditor.block.classes import Shared
from auditor.block.keys import Keys
from auditor.block.ranking import best_of_either, best_partners, rows_at_once
from tests.block import reference

scores = st.sampled_from([-1.5, -0.25, -0.0, 0.0, 1e-30, 0.5, 0.75, 0.75000006, 1.0, 3e20])


@settings(derandomize=True)
@given(
    st.dictionaries(st.tuples(st.integers(0, 5), st.integers(0, 40)), scores), st.integers(0, 4), st.sampled_from([41, 1_000_000])
)
def test_best_partners(entries: dict[tuple[int, int], float], k: int, n: int) -> None:
    rows, partners, got = best_partners(
        np.array([row for row, _ in entries], dtype=np.int32),
        np.array([partner for _, partner in entries], dtype=np.int32),
        np.array(list(entries.values()), dtype=np.float32),
        k,
        n,
    )
    single = {pair: float(np.float32(score)) for pair, score in entries.items()}
    expected = []
    for row in range(6):
        mine = sorted((-score, partner) for (r, partner), score in single.items() if r == row)
        expected += [(row, partner, -score) for score, partner in mine[:k]]
    assert list(zip(rows.tolist(), partners.tolist(), got.tolist(), strict=True)) == expected


def test_row_score_and_partner_fit_into_one_number() -> None:
    for n in (1, 2, 3, 480_000, 1 << 20, (1 << 20) + 1, 1 << 31):
        assert rows_at_once(n) * (1 << 32) * n <= 1 << 64
        assert rows_at_once(n) * (1 << 32) * n > 1 << 62


@settings(max_examples=200, derandomize=True)
@given(
    st.dictionaries(st.tuples(st.integers(0, 12), st.integers(0, 12)), scores), st.integers(0, 4), st.sampled_from([1, 5, 16_384])
)
def test_best_of_either_is_what_taking_them_in_order_gives(entries: dict[tuple[int, int], float], k: int, at_once: int) -> None:
    pairs = {(i, j): float(np.float32(score)) for (i, j), score in sorted(entries.items()) if i < j}
    whole = auditor.block.ranking._ROWS
    auditor.block.ranking._ROWS = at_once
    try:
        codes = best_of_either(
            np.array([i for i, _ in pairs], dtype=np.int32),
            np.array([j for _, j in pairs], dtype=np.int32),
            np.array(list(pairs.values()), dtype=np.float32),
            k,
            13,
        )
    finally:
        auditor.block.ranking._ROWS = whole
    assert codes.tolist() == [i * 13 + j for i, j in sorted(reference.served(((i, j, s) for (i, j), s in pairs.items()), k))]


@settings(derandomize=True)
@given(st.lists(st.sets(st.integers(0, 150).map(str), max_size=6), min_size=1, max_size=60))
def test_shared_classes(classes: list[set[str]]) -> None:
    """With more classes than the mask has bits."""
    often = [{*row, "common"} if n % 5 == 0 else row for n, row in enumerate(classes)] + [{str(n)} for n in range(151)]
    a, b = (grid.ravel().astype(np.int32) for grid in np.indices((len(often), len(often))))
    expected = [bool(often[i] & often[j]) for i, j in zip(a.tolist(), b.tolist(), strict=True)]
    assert Shared(Keys.of(often)).between(a, b).tolist() == expected
