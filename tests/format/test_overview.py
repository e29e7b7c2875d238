"""Findings counted by owner, folder, pair of documents and age."""

from __future__ import annotations

from datetime import date

import pytest

from auditor.format.overview import age_of, build_overview, folder_namer, owners_of
from auditor.format.words import NO_OWNER
from auditor.model import Conflict
from tests.factories import large_result, make_conflict, make_side, realistic_result

TODAY = date(2025, 6, 2)


def pair(owner_a: str | None, owner_b: str | None, **changes: object) -> Conflict:
    a, b = make_side("x/a.md", "1", "1", owner=owner_a), make_side("y/b.md", "2", "2", owner=owner_b)
    return make_conflict(a, b, **changes)


@pytest.mark.parametrize(
    ("conflict", "asked"),
    [
        (pair("ann", "bob", winner="a"), {"ann": "stands", "bob": "correct"}),
        (pair("ann", "bob"), {"ann": "decide", "bob": "decide"}),
        (pair("ann", "ann", winner="a"), {"ann": "correct"}),
        (pair("ann", "ann", winner="b"), {"ann": "correct"}),
        (pair("ann", None, winner="b", status="decided"), {"ann": "done", NO_OWNER: "done"}),
    ],
)
def test_what_a_pair_asks_of_its_owners(conflict: Conflict, asked: dict[str, str]) -> None:
    assert owners_of(conflict) == asked


def test_folders_start_below_what_all_documents_share() -> None:
    assert folder_namer(["a.md", "x/b.md"]) == {"a.md": "", "x/b.md": "x"}
    assert folder_namer(["docs/en/x/1.md", "docs/en/y/2.md", "docs/en/3.md"]) == {
        "docs/en/x/1.md": "x",
        "docs/en/y/2.md": "y",
        "docs/en/3.md": "",
    }
    assert folder_namer(["only/one.md"]) == {"only/one.md": ""}
    assert folder_namer([]) == {}


@pytest.mark.parametrize(
    ("dates", "label"),
    [
        ({"published": date(2025, 5, 1)}, "under 1 year"),
        ({"published": date(2030, 1, 1)}, "under 1 year"),
        ({"published": date(2010, 1, 1), "effective": date(2023, 12, 1)}, "1 to 2 years"),
        ({"published": date(2010, 1, 1)}, "5 years and more"),
        ({}, "undated"),
    ],
)
def test_age_is_of_the_date_a_document_states(dates: dict[str, date], label: str) -> None:
    assert age_of(make_side("a.md", "1", "1", **dates), TODAY) == label


def test_bars_add_up_and_leave_hints_out() -> None:
    result = large_result(300)
    overview = build_overview(result.conflicts, result.documents, TODAY)
    main = sum(c.tier != "advisory" for c in result.conflicts)
    assert sum(bar.total for bar in overview.kinds) == main
    assert len(overview.folders) == 9
    assert overview.folders[-1].label == "other folders"
    assert sum(bar.total for bar in overview.folders) == main  # each pair stays within one folder here
    for bar in (*overview.folders, *overview.kinds, *overview.ages):
        assert 0 <= bar.share <= 100
        assert sum(width for _, _, width in bar.parts) == pytest.approx(bar.share, abs=0.05)


def test_only_hints_are_better_than_an_empty_chart() -> None:
    (bar,) = build_overview([pair("ann", "bob", tier="advisory")], [], TODAY).kinds
    assert (bar.label, bar.tiers) == ("Numbers", (0, 0, 1))


def test_the_worst_pair_of_documents_comes_first() -> None:
    result = realistic_result()
    overview = build_overview(result.conflicts, result.documents, TODAY)
    assert sum(sum(row.tiers) for row in overview.document_pairs) == len(result.conflicts)
    assert overview.document_pairs[0].tiers[0] == max(row.tiers[0] for row in overview.document_pairs)
    assert overview.pairs_of_documents == len(overview.document_pairs)


def test_the_matrix_is_symmetric_and_graded() -> None:
    result = realistic_result()
    matrix = build_overview(result.conflicts, result.documents, TODAY).matrix
    assert matrix is not None
    size = range(len(matrix.folders))
    assert all(matrix.rows[i][j] == matrix.rows[j][i] for i in size for j in size)
    assert max(max(row) for row in matrix.heat) == 4
    assert all(
        (count == 0) == (heat == 0)
        for counts, heats in zip(matrix.rows, matrix.heat, strict=True)
        for count, heat in zip(counts, heats, strict=True)
    )
    assert build_overview([], [], TODAY).matrix is None
