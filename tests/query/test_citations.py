from __future__ import annotations

from typing import Any

import pytest

from auditor import cites_all
from auditor.errors import UserError
from auditor.query import ConflictIndex, cited

LABELS = ["D1", "D2", "D10"]


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("It is 30 days [D1].", "D1"),
        ("See D10.", "D10"),
        ("See D1, D2 and D10!", "D1 D2 D10"),
        ("(D1/D2) and D10–D1", "D1 D2 D10"),
        ("D1-D2", "D1 D2"),
        ("sources:D1", "D1"),
        ("D1: thirty days", "D1"),
        ("“D1”, *D2*", "D1 D2"),
        ("d1 D 1 D01 D11 D100 AD1 D1a D1_ _D1", ""),
        ("D1.5 and D1-old and D1:old", ""),
        ("é D1é", ""),
        ("Ends with D2", "D2"),
        ("", ""),
    ],
)
def test_labels_are_found_whole(answer: str, found: str) -> None:
    assert cited(answer, LABELS) == frozenset(found.split())


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("as a.md says", {"a.md"}),
        ("as a.md. And", {"a.md"}),
        ("as data.md, x/a.md, a.md.bak or a.mdx say", set()),
        ("as a.md:6d50852b0f47 says", {"a.md:6d50852b0f47"}),
        ("as a.md:ffffffffffff says", set()),
        ("(f/a+b.md)", {"f/a+b.md"}),
        ("f/aab.md", set()),
    ],
)
def test_paths_and_chunk_ids_are_found_whole(answer: str, found: set[str]) -> None:
    assert cited(answer, ["a.md", "a.md:6d50852b0f47", "f/a+b.md", ""]) == found


def test_all_have_to_be_cited() -> None:
    case = {"query": "?", "docs": [{"id": name} for name in LABELS], "conflict_type": "factual", "must_cite": ["D1", "D2"]}
    assert cites_all("D1 says 14, D2 says 30.", case)
    assert not cites_all("D1 says 14.", case)
    assert not cites_all("D10 says 14, D2 says 30.", case)
    assert ConflictIndex.cites_all("[D2] [D1]", case)


@pytest.mark.parametrize("must_cite", [None, "D1", [1], [""], {"D1": 1}])
def test_a_case_without_a_list_is_an_error(must_cite: Any) -> None:
    with pytest.raises(UserError, match="must_cite"):
        cites_all("D1", {"docs": [], "must_cite": must_cite})
