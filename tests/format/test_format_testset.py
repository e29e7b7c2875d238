from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from auditor import cites_all
from auditor.format import write_all
from auditor.format.testset import TestsetFormat, cases
from auditor.model import Conflict, ScanResult
from tests.factories import copies_result, hostile_result, make_conflict, make_result, make_side, realistic_result


def by_subject(result: ScanResult) -> dict[str, dict[str, Any]]:
    return {case["query"]: case for case in cases(result)}


def test_cases_of_a_run(tmp_path: Path) -> None:
    (path,) = write_all(realistic_result(), tmp_path, [TestsetFormat()])
    assert path.name == "testset.jsonl"
    read = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert read == list(cases(realistic_result()))
    assert all(set(case) == {"query", "docs", "conflict_type", "must_cite"} for case in read)
    assert {case["conflict_type"] for case in read} == {"factual", "outdated", "opinion"}
    main = [c for c in realistic_result().conflicts if c.tier != "advisory"]
    assert len(read) == len({c.cluster_id for c in main}) < len(main)  # one case for a fact, not for a pair


def test_a_question_is_about_one_fact_though_copies_share_a_cluster() -> None:
    made = by_subject(copies_result())
    about = [made[f"What do our documents say about Leave policy ({name})?"] for name in ("carry over", "parental leave", "notice")]
    assert [[doc["path"] for doc in case["docs"]] for case in about] == [["policies/leave.md", "share/leave-2023.md"]] * 3
    # Only of the last one nothing says which value to follow.
    assert [case["must_cite"] for case in about] == [["D1"], ["D1"], ["D1", "D2"]]


def test_the_passage_to_follow_must_be_cited() -> None:
    case = next(c for c in cases(realistic_result()) if "rate limit" in c["query"])
    assert case["docs"][1] == {
        "id": "D2",
        "title": "API reference v2.0",
        "updated": "2024-12-01",
        "path": "reference/api-v2.0.md",
        "text": "Each API key may send up to 500 requests per minute; bursts above that are queued for ten seconds.",
    }
    assert case["must_cite"] == ["D2"]
    assert cites_all("500 since December [D2].", case)
    assert not cites_all("100 [D1].", case)
    assert not any(value in case["query"] for value in ("100", "500"))


def test_where_nothing_decides_every_value_must_be_cited() -> None:
    tools = next(c for c in cases(realistic_result()) if "tools" in c["query"].lower())
    assert [doc["text"].split()[3] for doc in tools["docs"]] == ["18", "20", "23"]
    assert tools["must_cite"] == ["D1", "D2", "D3"]


def pair(**changes: Any) -> ScanResult:
    conflict = make_conflict(make_side("a.md", "It is 1 m.", "1 m"), make_side("b.md", "It is 2 m.", "2 m"), winner="a", **changes)
    return make_result([conflict], [], [])


@pytest.mark.parametrize(
    ("changes", "must_cite"),
    [
        ({}, [["D1"]]),
        ({"status": "decided", "reviewer_decision": "accept_b"}, [["D2"]]),
        ({"status": "decided", "reviewer_decision": "both_with_condition"}, [["D1", "D2"]]),
        ({"status": "decided", "reviewer_decision": "neither"}, []),
        ({"status": "decided", "reviewer_decision": "not_a_contradiction"}, []),
        ({"status": "dismissed"}, []),
        ({"tier": "advisory"}, []),
    ],
)
def test_decisions_count(changes: dict[str, Any], must_cite: list[list[str]]) -> None:
    assert [case["must_cite"] for case in cases(pair(**changes))] == must_cite


def test_equal_values_of_different_facts_are_two_passages() -> None:
    """14 days of delivery against 14 days of purchase."""
    a, b = make_side("a.md", "14 days of delivery.", "14 days"), make_side("b.md", "14 days of purchase.", "14 days")
    (case,) = cases(make_result([make_conflict(a, b, fields=("basis",))], [], []))
    assert [doc["path"] for doc in case["docs"]] == ["a.md", "b.md"]
    assert case["must_cite"] == ["D1", "D2"]


@pytest.mark.parametrize("make", [hostile_result, realistic_result])
def test_every_case_is_one_line_for_every_reader(make: Callable[[], ScanResult], tmp_path: Path) -> None:
    result = make()
    conflicts: list[Conflict] = [replace(c, status="escalated", reviewer_decision=None, tier="high") for c in result.conflicts]
    (path,) = write_all(replace(result, conflicts=tuple(conflicts)), tmp_path, [TestsetFormat()])
    lines = path.read_bytes().decode("ascii").splitlines()
    assert len(lines) == len({(c.cluster_id, c.entity_key) for c in conflicts})
    assert all(json.loads(line)["docs"] for line in lines)
