from __future__ import annotations

import sys

import numpy as np
import pytest
from numpy.typing import NDArray

from auditor.block.neighbours import Near, neighbours
from auditor.blocking import Search

MODULE = sys.modules[neighbours.__module__]  # the package has a function of that name


def unit(rows: int, dimension: int, seed: int) -> NDArray[np.float32]:
    vectors = np.random.default_rng(seed).normal(size=(rows, dimension)).astype(np.float32)
    return np.ascontiguousarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def listed(near: Near) -> list[tuple[int, int, float]]:
    return list(zip(near.first.tolist(), near.second.tolist(), near.similarity.tolist(), strict=True))


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
    found = listed(neighbours(vectors, k, floor))
    expected = by_hand(vectors, k, floor)
    assert {(i, j) for i, j, _ in found} == set(expected)
    assert [s for *_, s in found] == pytest.approx([expected[(i, j)] for i, j, _ in found], abs=1e-5)
    assert [(i, j) for i, j, _ in found] == sorted((i, j) for i, j, _ in found)


def test_order_of_rows_does_not_matter() -> None:
    vectors = unit(50, 8, 1)
    order = np.random.default_rng(2).permutation(50)
    there = {(i, j) for i, j, _ in listed(neighbours(vectors, 4, 0.1))}
    back = {
        tuple(sorted((int(order[i]), int(order[j]))))
        for i, j, _ in listed(neighbours(np.ascontiguousarray(vectors[order]), 4, 0.1))
    }
    assert there == back


def test_bounded() -> None:
    assert len(listed(neighbours(unit(80, 4, 3), 3, -1.0))) <= 80 * 3


def test_rows_of_zeros_have_no_neighbours() -> None:
    vectors = unit(10, 8, 4)
    vectors[3] = 0
    assert all(3 not in (i, j) for i, j, _ in listed(neighbours(vectors, 9, 0.01)))


@pytest.mark.parametrize("rows", [0, 1])
def test_too_few(rows: int) -> None:
    assert listed(neighbours(unit(4, 8, 0)[:rows], 3, -1.0)) == []


def test_none_asked_for() -> None:
    assert listed(neighbours(unit(4, 8, 0), 0, -1.0)) == []


def test_copies_find_each_other() -> None:
    vectors = unit(6, 8, 5)
    vectors[5] = vectors[0]
    assert (0, 5) in {(i, j) for i, j, s in listed(neighbours(vectors, 1, 0.99)) if s == pytest.approx(1.0, abs=1e-5)}


def test_many_copies_leave_no_pair_with_itself() -> None:
    """With more copies than neighbours asked for, a row need not be among its own nearest."""
    vectors = np.ascontiguousarray(np.repeat(unit(1, 8, 6), 20, axis=0))
    found = listed(neighbours(vectors, 2, 0.5))
    assert found
    assert all(i < j for i, j, _ in found)


def test_says_that_it_was_exact() -> None:
    assert neighbours(unit(20, 8, 7), 3, 0.0).search == Search("exact", 20)


@pytest.mark.parametrize("rows", [63, 64, 65, 100, 256])
def test_blocks_change_nothing(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = unit(rows, 8, 8)
    whole = listed(neighbours(vectors, 5, 0.1))
    monkeypatch.setattr(MODULE, "_BATCH", 32)
    monkeypatch.setattr(MODULE, "_TAIL", 20)
    assert [(i, j) for i, j, _ in listed(neighbours(vectors, 5, 0.1))] == [(i, j) for i, j, _ in whole]


# -- above FLAT_UP_TO ------------------------------------------------------------------------------------------------------------


def clustered(rows: int, seed: int) -> NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    vectors = (rng.normal(size=(40, 16))[rng.integers(40, size=rows)] + 0.6 * rng.normal(size=(rows, 16))).astype(np.float32)
    return np.ascontiguousarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


@pytest.fixture
def approximate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "FLAT_UP_TO", 100)


@pytest.mark.usefixtures("approximate")
def test_recall_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """With every row in the sample, the recall is what all true neighbours say."""
    vectors = clustered(1500, 1)
    monkeypatch.setattr(MODULE, "SAMPLE", 1500)
    monkeypatch.setattr(MODULE, "_PROBED", (2,))
    near = neighbours(vectors, 6, 0.2)
    assert (near.search.index, near.search.rows, near.search.probed, near.search.sample) == ("ivf", 1500, 2, 1500)
    true = by_hand(vectors, 6, 0.2)
    found = {(i, j) for i, j, _ in listed(near)}
    # A pair may be found from one side and missed from the other, so that pairs fare better than the lists of single rows.
    assert near.search.recall is not None
    assert 0.3 < near.search.recall < 1
    assert near.search.recall <= len(found & set(true)) / len(true) + 0.01
    assert all(s >= 0.2 and i < j for i, j, s in listed(near))


@pytest.mark.usefixtures("approximate")
def test_looks_through_as_many_clusters_as_it_takes() -> None:
    vectors = clustered(1500, 2)
    near = neighbours(vectors, 6, 0.2)
    assert near.search.recall is not None
    assert near.search.recall >= 0.9 or near.search.probed == 64
    # Through all clusters the search is exact.
    assert near.search.lists <= 128


@pytest.mark.usefixtures("approximate")
def test_all_clusters_are_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = clustered(600, 3)
    monkeypatch.setattr(MODULE, "_PROBED", (1024,))
    near = neighbours(vectors, 6, 0.2)
    assert near.search.recall == 1.0
    found, true = {(i, j): s for i, j, s in listed(near)}, by_hand(vectors, 6, 0.2)
    assert len(found.keys() ^ true.keys()) <= 0.02 * len(true)  # half precision changes the order of what is equally near
    assert all(abs(found[pair] - true[pair]) < 5e-4 for pair in found.keys() & true.keys())


@pytest.mark.parametrize("flat_up_to", [100, 50_000])
def test_number_of_threads_does_not_matter(flat_up_to: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Down to the last bit. An exact search that threads share would differ from some 4,000 rows of some 100 dimensions on."""
    import faiss

    monkeypatch.setattr(MODULE, "FLAT_UP_TO", flat_up_to)
    vectors = np.ascontiguousarray(np.tile(clustered(6000, 4), (1, 8)) / np.float32(np.sqrt(8)))
    threads = faiss.omp_get_max_threads()
    results = []
    try:
        for n in (1, 2, 3):
            faiss.omp_set_num_threads(n)
            near = neighbours(vectors, 6, 0.2)
            results.append((listed(near), near.search))
    finally:
        faiss.omp_set_num_threads(threads)
    assert results[0] == results[1] == results[2]


@pytest.mark.usefixtures("approximate")
def test_store_without_neighbours() -> None:
    vectors = unit(200, 256, 9)
    near = neighbours(vectors, 5, 0.9)
    assert listed(near) == []
    assert near.search.recall == 1.0
