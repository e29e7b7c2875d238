"""JUnit, GitLab and GitHub: read by their own readers, and safe with hostile text."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from junitparser import Failure, JUnitXml, Skipped
from markdown_it import MarkdownIt

from auditor.errors import UserError
from auditor.format.ci import checked_prefix, subject
from auditor.format.github import SHOWN, render_summary, workflow_commands
from auditor.format.gitlab import GitlabFormat
from auditor.format.junit import render_junit
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

RESULTS = [realistic_result(), empty_result(), hostile_result()]


def reopened(result: ScanResult) -> ScanResult:
    return replace(result, conflicts=tuple(replace(conflict, status="reopened") for conflict in result.conflicts))


def test_places_that_are_no_lines_are_said_in_words_and_point_at_no_line(tmp_path: Path) -> None:
    result = copies_result()
    words = "“25 EUR” (contracts/terms.pdf, page 3, line 5) against “20 EUR” (prices.xlsx, sheet Q1 plan, cell B7)"
    (annotation,) = (line for line in workflow_commands(result) if "terms.pdf" in line)
    assert annotation.startswith("::warning file=contracts/terms.pdf,title=")
    assert words in annotation
    GitlabFormat().write(result, tmp_path / "gl.json")
    (issue,) = (i for i in json.loads((tmp_path / "gl.json").read_text()) if i["location"]["path"].endswith(".pdf"))
    assert words in issue["description"]
    assert issue["location"]["lines"] == issue["other_locations"][0]["lines"] == {"begin": 1, "end": 1}  # it asks for one
    suite = next(s for s in JUnitXml.fromstring(render_junit(result).encode()) if s.name == "contradictions")
    (case,) = (c for c in suite if c.classname == "contracts/terms.pdf")
    assert words in case.result[0].message
    assert "A: contracts/terms.pdf, page 3, line 5" in case.result[0].text
    assert case._elem.get("line") is None
    assert "prices.xlsx, sheet Q1 plan, cell B7" in render_summary(result)


# -- JUnit -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("result", [*RESULTS, reopened(hostile_result())])
def test_junit_holds_a_case_for_each_finding_and_document(result: ScanResult) -> None:
    xml = JUnitXml.fromstring(render_junit(result).encode("utf-8", "replace"))
    suites = {suite.name: list(suite) for suite in xml}
    assert len(suites["contradictions"]) == len(result.conflicts)
    assert len(suites["documents"]) == len(result.documents)
    assert xml.tests == len(result.conflicts) + len(result.documents)
    names = [(case.classname, case.name) for case in suites["contradictions"]]
    assert len(set(names)) == len(names)


def test_junit_says_what_failed_and_what_was_not_looked_at() -> None:
    result = realistic_result()
    xml = JUnitXml.fromstring(render_junit(result, "docs").encode())
    cases = {case.name.rpartition("[")[2][:-1]: case for suite in xml for case in suite if suite.name == "contradictions"}
    for conflict in result.conflicts:
        kinds = [type(part) for part in cases[conflict.conflict_id].result]
        if conflict.status in ("decided", "dismissed"):
            assert kinds == []
        else:
            assert kinds == [Skipped if conflict.tier == "advisory" else Failure]
    (failure,) = next(case for case in cases.values() if "revenue" in case.name.lower()).result
    assert "Total revenue for fiscal 2023" in failure.text
    assert "$6.8 million" in failure.message
    assert xml.skipped == 3 + sum(c.tier == "advisory" for c in result.conflicts)
    assert "docs/" in render_junit(result, "docs")


# -- GitLab ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("result", [*RESULTS, reopened(hostile_result())])
def test_gitlab_gets_what_it_requires(result: ScanResult, tmp_path: Path) -> None:
    GitlabFormat("docs").write(result, tmp_path / "report.json")
    issues = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert len(issues) == sum(c.status not in ("decided", "dismissed") for c in result.conflicts)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    for issue in issues:
        assert issue["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert issue["description"]
        assert issue["check_name"].startswith("contradiction-")
        assert issue["location"]["path"].startswith("docs/")
        assert issue["location"]["lines"]["begin"] >= 1


# -- GitHub ------------------------------------------------------------------------------------------------------------


def test_an_annotation_is_a_workflow_command() -> None:
    a = make_side("a,b:c%.md", "10 days", "10 days", line=3)
    conflict = make_conflict(a, make_side("b.md", "20 days", "20 days"), entity_key="notice period: lab", winner="b")
    assert workflow_commands(make_result([conflict], [], []), "docs") == [
        "::error file=docs/a%2Cb%3Ac%25.md,line=3,endLine=3,title=Contradiction%3A Notice period%3A lab::"
        "“10 days” (a,b:c%25.md, line 3) against “20 days” (b.md, line 12). "
        "Suggested: “20 days” from b.md, line 12 (rule escalate)."
    ]


def test_hostile_text_gives_no_command_of_its_own() -> None:
    side = make_side("a\n::stop-commands::x.md", "q", "1\r\n::add-mask::all\u2028::error::x", line=1)
    result = make_result([make_conflict(side, side, entity_key="k\n::set-output name=x::y")], [], [])
    for lines in (workflow_commands(result), workflow_commands(reopened(hostile_result()))):
        assert lines
        for line in "\n".join(lines).splitlines():
            assert line.startswith(("::error file=", "::warning file=", "::notice file="))
        assert len("\n".join(lines).splitlines()) == len(lines)


def test_no_more_annotations_than_are_shown() -> None:
    lines = workflow_commands(large_result(300))
    assert {level: sum(line.startswith(f"::{level} ") for line in lines) for level in ("error", "warning", "notice")} == {
        "error": SHOWN,
        "warning": SHOWN,
        "notice": SHOWN,
    }


def test_the_summary_counts_and_fits() -> None:
    text = render_summary(realistic_result())
    assert "| high |" in text
    assert "3 not read" in text
    assert "the pages are pictures" in text
    assert len(render_summary(large_result(5_000)).encode()) < 2**18
    assert "more in the report" in render_summary(large_result(5_000))
    result = empty_result()
    states = {"x": "new", "y": "new", "z": "persisting"}
    assert "2 new, 1 persisting" in render_summary(replace(result, baseline=Comparison(result.as_of, result.as_of, states=states)))


def test_the_summary_holds_no_markup_of_documents() -> None:
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(render_summary(reopened(hostile_result())))
    lowered = html.lower()
    for tag in ("<script", "<img", "<svg", "<iframe", "<base", "<meta", "<a "):
        assert tag not in lowered


# -- what they share ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("given", "prefix"), [("", ""), (".", ""), ("docs/", "docs"), ("./a/b", "a/b"), ("a\\b", "a/b")])
def test_prefixes(given: str, prefix: str) -> None:
    assert checked_prefix(given) == prefix


@pytest.mark.parametrize("given", ["/docs", "../docs", "a/../..", "C:/docs", "https://x"])
def test_a_prefix_stays_in_the_repository(given: str) -> None:
    with pytest.raises(UserError, match="--path-prefix"):
        checked_prefix(given)


def test_a_finding_always_has_a_name() -> None:
    side = replace(make_side("a.md", "1", "1"), title="")
    for conflict in (make_conflict(side, side, entity_key="", attribute=""), *hostile_result().conflicts):
        assert subject(conflict).strip()
        assert "\n" not in subject(conflict)
