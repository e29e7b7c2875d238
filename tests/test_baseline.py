from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from auditor.baseline import Snapshot, compare, first_seen, holders_in, snapshot_of, update
from auditor.baseline_file import read_baseline, write_baseline
from auditor.errors import UserError
from auditor.history import Comparison, comparison_of, record
from auditor.model import ScanResult
from tests.factories import make_values
from tests.review.review_factories import found, run_of

ONE = found("faq.md", "policy.md", keys=("k1", "k2"))
TWO = found("faq.md", "ops.md", ("5 GB", "Up to 5 GB."), ("8 GB", "Up to 8 GB."))
TWO_CHANGED = found("faq.md", "ops.md", ("5 GB", "Up to 5 GB."), ("9 GB", "Up to 9 GB."))
ALL = ("faq.md", "ops.md", "policy.md")


def day(number: int, *conflicts: object, **changes: object) -> ScanResult:
    return run_of(*conflicts, as_of=date(2026, 1, number), **{"read": ALL, **changes})  # type: ignore[arg-type]


def between(old: ScanResult, new: ScanResult) -> Comparison:
    return compare(snapshot_of(old), snapshot_of(new), holders_in(new))


def gone(comparison: Comparison) -> dict[str, str]:
    return {g.conflict_id: g.state for g in comparison.gone}


def test_new_persisting_and_resolved() -> None:
    comparison = between(day(1, ONE), day(2, TWO))
    assert comparison.states == {TWO.conflict_id: "new"}
    assert gone(comparison) == {ONE.conflict_id: "resolved"}
    same = between(day(1, ONE, TWO), day(2, ONE, TWO_CHANGED))
    assert set(same.states.values()) == {"persisting"}
    assert same.changed == (TWO.conflict_id,)
    assert same.unknown_to_it == frozenset()


def test_lines_and_formatting_are_no_identity() -> None:
    moved = replace(ONE, a=replace(ONE.a, line_start=900, line_end=901, char_start=7, char_end=9, quote=f"*{ONE.a.quote}*"))
    assert between(day(1, ONE), day(2, moved)).states == {ONE.conflict_id: "persisting"}


def test_a_renamed_file_takes_its_findings_along() -> None:
    renamed = found("faq.md", "zpolicy.md", keys=("k1", "k2"))
    comparison = between(day(1, ONE), run_of(renamed, as_of=date(2026, 1, 2)))
    assert (comparison.states, comparison.gone) == ({renamed.conflict_id: "persisting"}, ())


@pytest.mark.parametrize(
    ("read", "unread", "state"),
    [
        (("faq.md", "policy.md"), (), "resolved"),
        (("faq.md",), (), "removed"),
        (("faq.md",), ("policy.md",), "unknown"),
        ((), ("faq.md",), "removed"),  # policy.md is gone for certain
        ((), ("faq.md", "policy.md"), "unknown"),
        ((), (".",), "unknown"),
    ],
)
def test_what_became_of_a_finding(read: tuple[str, ...], unread: tuple[str, ...], state: str) -> None:
    comparison = between(day(1, ONE), run_of(read=read, unread=unread))
    assert gone(comparison) == {ONE.conflict_id: state}


@pytest.mark.parametrize("unread", ["hr", "hr/old", "hr/old/a.zip"])
def test_below_a_folder_that_could_not_be_read_nothing_is_known(unread: str) -> None:
    inner = found("hr/old/a.zip!/x.md", "policy.md")
    assert gone(between(run_of(inner), run_of(read=("policy.md",), unread=(unread,)))) == {inner.conflict_id: "unknown"}


def test_what_a_run_did_not_look_at_is_unknown() -> None:
    advisory = replace(ONE, tier="advisory")
    read_by_model = replace(TWO, kind="nli")
    full = day(1, advisory, read_by_model, nli=True)
    assert set(gone(between(full, day(2, min_tier="medium"))).values()) == {"unknown"}
    assert set(gone(between(full, day(2, nli=True))).values()) == {"resolved"}
    # The other way round it is not new either: the earlier run could not have had it.
    back = between(day(1, min_tier="medium"), full)
    assert set(back.states.values()) == {"unknown"}
    assert back.unknown_to_it == frozenset()


@pytest.mark.parametrize(
    ("before", "now", "state"),
    [
        ("decided", "reopened", "reopened"),
        ("dismissed", "escalated", "reopened"),
        ("escalated", "reopened", "reopened"),
        ("reopened", "reopened", "persisting"),
        ("escalated", "decided", "persisting"),
        ("decided", "decided", "persisting"),
    ],
)
def test_reopened(before: str, now: str, state: str) -> None:
    comparison = between(day(1, replace(ONE, status=before)), day(2, replace(ONE, status=now)))
    assert comparison.states == {ONE.conflict_id: state}
    assert comparison.unknown_to_it == frozenset()  # it is in the baseline


def test_what_was_resolved_and_comes_back_is_reopened_and_not_known_to_the_baseline() -> None:
    baseline = update(snapshot_of(day(1, ONE)), snapshot_of(day(2)))
    assert [(e.gone, e.gone_on) for e in baseline.findings] == [("resolved", date(2026, 1, 2))]
    back = day(3, ONE)
    comparison = compare(baseline, snapshot_of(back))
    assert comparison.states == {ONE.conflict_id: "reopened"}
    assert comparison.unknown_to_it == {ONE.conflict_id}
    assert comparison.gone == ()
    again = update(baseline, snapshot_of(back))
    assert [(e.gone, e.first_seen) for e in again.findings] == [("", date(2026, 1, 1))]


def test_the_first_report_is_kept_through_changes_and_gaps() -> None:
    baseline = snapshot_of(day(1, TWO))
    baseline = update(baseline, snapshot_of(day(2, ONE, TWO_CHANGED)))
    baseline = update(baseline, snapshot_of(run_of(ONE, as_of=date(2026, 1, 3), unread=("ops.md",))))
    assert {e.conflict_id for e in baseline.standing} == {ONE.conflict_id, TWO.conflict_id}  # unknown is not resolved
    assert first_seen(baseline, day(4, ONE, TWO_CHANGED)) == {
        ONE.conflict_id: date(2026, 1, 2),
        TWO.conflict_id: date(2026, 1, 1),
    }
    known_before = compare(snapshot_of(day(1, TWO)), baseline)
    assert known_before.states == {ONE.conflict_id: "new", TWO.conflict_id: "unknown"}


def test_escalations_count_runs_and_each_run_once() -> None:
    baseline = snapshot_of(day(1, ONE))
    for number in (2, 2, 2):
        baseline = update(baseline, snapshot_of(day(number, ONE, TWO)))
    assert [(e.entity_key, e.field, e.runs, e.findings) for e in baseline.escalations] == [("returns", "value", 2, 2)]
    assert [point.as_of.day for point in baseline.runs] == [1, 2]
    assert compare(baseline, snapshot_of(day(2, ONE, TWO))).escalations == baseline.escalations  # the run is in it
    later = compare(baseline, snapshot_of(day(3, ONE)))
    assert [e.runs for e in later.escalating] == [3]
    assert compare(snapshot_of(day(1, ONE)), baseline).escalations == baseline.escalations  # two files, one history


@pytest.mark.parametrize("change", [{"status": "decided"}, {"rule_applied": ("timestamp",), "status": "auto_resolved"}])
def test_what_is_settled_does_not_escalate(change: dict[str, object]) -> None:
    assert snapshot_of(day(1, replace(ONE, **change))).escalations == ()  # type: ignore[arg-type]


def test_a_copy_that_comes_to_stand_for_a_passage_is_no_new_finding() -> None:
    before, after = found("m.md", "policy.md"), found("a-copy.md", "policy.md")
    clusters = make_values(after, ("30 days", ["a-copy.md", "m.md"], ""), ("14 days", ["policy.md"], ""))
    new = replace(run_of(after, read=("m.md",)), clusters=tuple(clusters))
    assert between(run_of(before), new).states == {after.conflict_id: "persisting"}


# -- the file ----------------------------------------------------------------------------------------------------------


def written(tmp_path: Path) -> tuple[Path, Snapshot]:
    baseline = update(snapshot_of(day(1, ONE, TWO, unread=("x.pdf",))), snapshot_of(day(2, TWO)))
    path = tmp_path / "audit-baseline.json"
    write_baseline(path, baseline)
    return path, baseline


def test_a_baseline_survives_its_file(tmp_path: Path) -> None:
    path, baseline = written(tmp_path)
    assert read_baseline(path) == baseline
    text = path.read_text(encoding="utf-8")
    assert "line_start" not in text
    assert sum("conflict_id" in line for line in text.splitlines()) == 2  # one finding a line
    write_baseline(path, read_baseline(path))
    assert path.read_text(encoding="utf-8") == text


def test_an_empty_baseline_is_valid(tmp_path: Path) -> None:
    write_baseline(tmp_path / "b.json", snapshot_of(run_of()))
    assert read_baseline(tmp_path / "b.json").findings == ()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "is not a baseline"),
        ("[" * 100_000, "is not a baseline"),
        ("[]", "is not a baseline; make one with"),
        ('{"corpus_auditor_baseline": 2, "findings": []}', "is a baseline of version 2, this program reads 1; write it again"),
        ('{"corpus_auditor_baseline": true}', "is a baseline of version True"),
        ('{"corpus_auditor_baseline": 1}', "is damaged at corpus"),
    ],
)
def test_files_that_are_no_baseline_are_one_line(content: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UserError) as caught:
        read_baseline(path)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_damaged_finding_is_named(tmp_path: Path) -> None:
    path, _ = written(tmp_path)
    content = json.loads(path.read_text(encoding="utf-8"))
    content["findings"][1]["first_seen"] = "long ago"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(UserError, match=r"is damaged at findings\.1\.first_seen"):
        read_baseline(path)


def test_a_comparison_survives_run_json() -> None:
    comparison = between(day(1, ONE), day(2, TWO))
    assert comparison_of(json.loads(json.dumps(record(comparison), default=str))) == comparison
