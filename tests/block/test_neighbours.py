from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from auditor.block.neighbours import neighbours


def unit(rows: int, dimension: int, seed: int) -> NDArray[np.float32]:
    vectors = np.random.default_rng(seed).normal(size=(rows, dimension)).astype(np.float32)
    return np.ascontiguousarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def by_hand(vectors: NDArray[np.float32], k: int, floor: float) -> dict[tuple[int, int], float]:
    cosine = vectors.astype(np.float64) @ vectors.T.astype(np.float64)
    np.fill_diagonal(cosine, -2)
    found: dict[tuple[int, int], float] = {}
    for i in range(len(vectors)):
        for j in np.argsort(-cosine[i], kind="stable")[:k]:
            if cosine[i, j] >= floor:
                found[(min(i, int(j)), max(i, int(j)))] = float(cosine[i, j])
    return found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("rows", "k", "floor"), [(40, 3, -1.0), (40, 1, -1.0), (25, 24, -1.0), (60, 5, 0.3), (2, 5, -1.0), (12, 40, 0.0)]
)
def test_exact(seed: int, rows: int, k: int, floor: float) -> None:
    vectors = unit(rows, 8, seed)
    found = neighbours(vectors, k, floor)
    expected = by_hand(vectors, k, floor)
    assert {(i, j) for i, j, _ in found} == set(expected)
    assert [s for *_, s in found] == pytest.approx([expected[(i, j)] for i, j, _ in found], abs=1e-5)
    assert [(i, j) for i, j, _ in found] == sorted((i, j) for i, j, _ in found)


def test_order_of_rows_does_not_matter() -> None:
    vectors = unit(50, 8, 1)
    order = np.random.default_rng(2).permutation(50)
    there = {(i, j) for i, j, _ in neighbours(vectors, 4, 0.1)}
    back = {tuple(sorted((int(order[i]), int(order[j])))) for i, j, _ in neighbours(np.ascontiguousarray(vectors[order]), 4, 0.1)}
    assert there == back


def test_bounded() -> None:
    assert len(neighbours(unit(80, 4, 3), 3, -1.0)) <= 80 * 3


def test_rows_of_zeros_have_no_neighbours() -> None:
    vectors = unit(10, 8, 4)
    vectors[3] = 0
    assert all(3 not in (i, j) for i, j, _ in neighbours(vectors, 9, 0.01))


@pytest.mark.parametrize("rows", [0, 1])
def test_too_few(rows: int) -> None:
    assert neighbours(unit(4, 8, 0)[:rows], 3, -1.0) == []


def test_none_asked_for() -> None:
    assert neighbours(unit(4, 8, 0), 0, -1.0) == []


def test_copies_find_each_other() -> None:
    vectors = unit(6, 8, 5)
    vectors[5] = vectors[0]
    assert (0, 5) in {(i, j) for i, j, s in neighbours(vectors, 1, 0.99) if s == pytest.approx(1.0, abs=1e-5)}


def test_many_copies_leave_no_pair_with_itself() -> None:
    """With more copies than neighbours asked for, a row need not be among its own nearest."""
    vectors = np.ascontiguousarray(np.repeat(unit(1, 8, 6), 20, axis=0))
    found = neighbours(vectors, 2, 0.5)
    assert found
    assert all(i < j for i, j, _ in found)
