from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.errors import UserError
from auditor.review.exported import read_exported

ENTRY = {
    "conflict_id": "c1",
    "content_hash": "h1",
    "choice": "accept_b",
    "condition": None,
    "reason": "newer",
    "reviewer": "j.doe",
    "decided_at": "2026-01-05T10:11:12.345Z",
}


def export(tmp_path: Path, content: Any) -> Path:
    path = tmp_path / "decisions.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_an_export_is_read_and_what_a_later_report_adds_is_ignored(tmp_path: Path) -> None:
    content = {"schema": 1, "corpus": "handbook", "theme": "dark", "decisions": [{**ENTRY, "seconds": 12}]}
    exported = read_exported(export(tmp_path, content))
    assert exported.corpus == "handbook"
    (entry,) = exported.decisions
    assert (entry.choice.value, entry.condition, entry.decided_at) == ("accept_b", "", "2026-01-05T10:11:12Z")


def test_a_reviewer_can_be_named_for_entries_without_one(tmp_path: Path) -> None:
    path = export(tmp_path, {"schema": 1, "decisions": [{**ENTRY, "reviewer": ""}, {**ENTRY, "conflict_id": "c2"}]})
    assert [d.reviewer for d in read_exported(path, "m.roe").decisions] == ["m.roe", "j.doe"]
    with pytest.raises(UserError, match="--reviewer"):
        read_exported(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ([], "is not an export of decisions"),
        ({"schema": 2, "decisions": []}, "schema 2 is not known, this program reads 1"),
        ({"schema": True, "decisions": []}, "schema True is not known"),
        ({"schema": 1, "decisions": {}}, "has to be a list"),
        ({"schema": 1, "decisions": ["x"]}, "decision 1"),
        ({"schema": 1, "decisions": [{**ENTRY, "choice": "yes"}]}, "“yes” is not one of accept_a"),
        ({"schema": 1, "decisions": [{**ENTRY, "choice": "both_with_condition"}]}, "needs a condition"),
        ({"schema": 1, "decisions": [{**ENTRY, "decided_at": "today"}]}, "is not a date"),
        ({"schema": 1, "decisions": [ENTRY, ENTRY]}, "decision 2: there are two for conflict_id c1"),
        ({"schema": 1, "corpus": 3, "decisions": []}, "corpus: has to be a text"),
    ],
)
def test_bad_exports_are_one_line(content: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        read_exported(export(tmp_path, content))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
