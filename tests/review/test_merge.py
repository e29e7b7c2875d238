from __future__ import annotations

from dataclasses import replace
from datetime import date

from auditor.model import Conflict
from auditor.review.decisions import Choice, Decision
from auditor.review.exported import ExportedDecision
from auditor.review.merge import Merged, merge
from tests.review.review_factories import decision, found, run_of

TWENTY = ("20 days", "Return goods within 20 days.")


def entry(conflict: Conflict, choice: str = "accept_b", decided_at: str = "2026-01-09", **changes: str) -> ExportedDecision:
    values = {
        "conflict_id": conflict.conflict_id,
        "content_hash": conflict.content_hash,
        "choice": choice,
        "reviewer": "m.roe",
        "decided_at": decided_at,
        **changes,
    }
    return ExportedDecision.model_validate(values)


def counts(merged: Merged) -> tuple[int, int, int, int, int]:
    return merged.added, merged.replaced, merged.unchanged, merged.refreshed, len(merged.refused)


def test_a_first_decision_holds_what_was_decided_upon() -> None:
    conflict = found("faq.md", "policy.md")
    merged = merge((), [entry(conflict)], run_of(conflict, as_of=date(2026, 1, 8)), {})
    (one,) = merged.decisions
    assert (one.quote_a, one.value_b, one.kind) == (conflict.a.quote, conflict.b.value, "numeric")
    assert one.first_seen == date(2026, 1, 8)
    assert one.days == 1
    again = merge(merged.decisions, [entry(conflict)], run_of(conflict), {})
    assert counts(again) == (0, 0, 1, 0, 0)
    assert again.decisions == merged.decisions


def test_a_baseline_knows_the_first_report() -> None:
    conflict = found("faq.md", "policy.md")
    merged = merge((), [entry(conflict)], run_of(conflict), {conflict.conflict_id: date(2025, 12, 1)})
    assert merged.decisions[0].first_seen == date(2025, 12, 1)


def test_a_later_decision_takes_the_place_of_an_earlier_one_and_not_the_other_way_round() -> None:
    conflict = found("faq.md", "policy.md")
    old = decision(conflict, decided_at="2026-01-05", first_seen=date(2025, 11, 1), expires=date(2027, 1, 1))
    merged = merge([old], [entry(conflict)], run_of(conflict), {})
    (one,) = merged.decisions
    assert (one.choice, one.reviewer, one.first_seen, one.expires) == (Choice.ACCEPT_B, "m.roe", date(2025, 11, 1), None)
    assert counts(merged) == (0, 1, 0, 0, 0)
    stale = merge([old], [entry(conflict, decided_at="2026-01-04")], run_of(conflict), {})
    assert stale.decisions == (old,)
    assert stale.refused == ((conflict.conflict_id, "the file holds a later decision, of 2026-01-05"),)


def test_applying_an_export_again_does_not_undo_an_expiry() -> None:
    conflict = found("faq.md", "policy.md")
    (one,) = merge((), [entry(conflict)], run_of(conflict), {}).decisions
    ended = one.model_copy(update={"expires": date(2026, 2, 1)})
    assert merge([ended], [entry(conflict)], run_of(conflict), {}).decisions == (ended,)


def test_a_reopened_finding_is_decided_anew() -> None:
    before, after = found("faq.md", "policy.md"), found("faq.md", "policy.md", b=TWENTY)
    merged = merge([decision(before)], [entry(after)], run_of(after, as_of=date(2026, 3, 1)), {})
    (one,) = merged.decisions
    assert (one.content_hash, one.value_b, one.first_seen) == (after.content_hash, "20 days", date(2026, 3, 1))
    assert counts(merged) == (0, 1, 0, 0, 0)


def test_what_does_not_fit_the_run_is_refused_with_its_reason() -> None:
    before, after, other = found("faq.md", "policy.md"), found("faq.md", "policy.md", b=TWENTY), found("x.md", "y.md")
    merged = merge((), [entry(before), entry(other)], run_of(after), {})
    assert merged.decisions == ()
    assert [why for _, why in merged.refused] == [
        "what the finding says changed since it was decided",
        "the run has no such finding",
    ]


def test_a_renamed_file_is_brought_up_to_date_so_that_a_later_change_reopens() -> None:
    before, after, other = found("faq.md", "policy.md"), found("zfaq.md", "policy.md"), found("x.md", "y.md")
    merged = merge([decision(before, Choice.ACCEPT_A)], [entry(other)], run_of(after, other), {})
    moved = next(d for d in merged.decisions if d.reviewer == "j.doe")
    assert (moved.conflict_id, moved.doc_b, moved.choice) == (after.conflict_id, "zfaq.md", Choice.ACCEPT_B)
    assert counts(merged) == (1, 0, 0, 1, 0)


def test_orphans_stay() -> None:
    gone, conflict = decision(found("old.md", "policy.md", keys=("k", "l"))), found("faq.md", "policy.md", TWENTY)
    merged = merge([gone], [entry(conflict)], run_of(conflict), {})
    assert gone in merged.decisions
    assert len(merged.decisions) == 2


def test_an_orphan_whose_ordinal_passed_to_a_neighbour_stays_beside_it() -> None:
    first, second = found("faq.md", "policy.md"), found("faq.md", "policy.md", b=TWENTY, ordinal=1)
    left = found("faq.md", "policy.md", b=TWENTY)  # the first was resolved: the second has its ordinal now
    assert left.conflict_id == first.conflict_id
    other = found("x.md", "y.md", ("1 day", "It takes 1 day."))
    merged = merge([decision(first), decision(second, Choice.NEITHER)], [entry(other)], run_of(left, other), {})
    by_hash: dict[str, Decision] = {d.content_hash: d for d in merged.decisions}
    assert by_hash[left.content_hash].conflict_id == left.conflict_id
    assert by_hash[left.content_hash].choice is Choice.NEITHER
    assert by_hash[first.content_hash].choice is Choice.ACCEPT_A
    assert len({d.conflict_id for d in merged.decisions}) == 3


def test_a_block_that_is_right_is_left_alone() -> None:
    conflict, other = found("faq.md", "policy.md"), found("x.md", "y.md")
    one = decision(conflict)
    reformatted = replace(conflict, a=replace(conflict.a, quote="Goods may be **returned** within 30 days."))
    assert one in merge([one], [entry(other)], run_of(reformatted, other), {}).decisions
