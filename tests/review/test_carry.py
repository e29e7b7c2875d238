"""Which decision a finding is met by, and in what state it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest

from auditor.history import Review
from auditor.model import ClusterValue, Conflict
from auditor.review.carry import carry
from auditor.review.decisions import Choice, Decision
from tests.factories import make_document, make_skipped, make_values
from tests.review.review_factories import FOURTEEN, THIRTY, decision, found

DAY = date(2026, 2, 1)
TWENTY = ("20 days", "Return goods within 20 days.")


def carried(
    decisions: Sequence[Decision],
    *conflicts: Conflict,
    clusters: Sequence[ClusterValue] = (),
    read: Sequence[str] = (),
    unread: Sequence[str] = (),
    as_of: date = DAY,
    min_tier: str = "advisory",
) -> tuple[list[Conflict], Review]:
    names = sorted({side.doc for c in conflicts for side in (c.a, c.b)} | set(read))
    rows = [make_document(name) for name in names] + [make_skipped(name, "damaged") for name in unread]
    return carry(decisions, conflicts, clusters, rows, as_of, min_tier)


@pytest.mark.parametrize("choice", list(Choice))
def test_a_finding_shows_its_decision(choice: Choice) -> None:
    conflict = found("faq.md", "policy.md")
    (now,), review = carried([decision(conflict, choice, condition="until March", reason="because")], conflict)
    settled = "dismissed" if choice is Choice.NOT_A_CONTRADICTION else "decided"
    assert now == replace(
        conflict,
        status=settled,
        reviewer="j.doe",
        reviewer_decision=choice.value,
        condition="until March",
        decided_at="2026-01-05",
    )
    assert review.reasons == {conflict.conflict_id: "because"}
    assert (review.orphans, review.reopened) == ((), {})


def test_formatting_does_not_reopen() -> None:
    conflict = found("faq.md", "policy.md")
    reformatted = found("faq.md", "policy.md", b=("14 days", "Return  goods **within 14 days**."))
    (now,), _ = carried([decision(conflict)], reformatted)
    assert now.status == "decided"


def test_a_changed_value_reopens_and_still_shows_the_decision() -> None:
    (now,), review = carried([decision(found("faq.md", "policy.md"))], found("faq.md", "policy.md", b=TWENTY))
    assert (now.status, now.reviewer_decision, now.reviewer) == ("reopened", "accept_a", "j.doe")
    assert "changed" in review.reopened[now.conflict_id]
    assert review.orphans == ()


def test_a_reworded_sentence_reopens_although_its_key_changed() -> None:
    reworded = found("faq.md", "policy.md", b=("2 weeks", "You have 2 weeks."), keys=("ka", "other"))
    (now,), _ = carried([decision(found("faq.md", "policy.md"))], reworded)
    assert now.status == "reopened"


def test_an_expired_decision_reopens_by_the_day_of_the_scan() -> None:
    conflict = found("faq.md", "policy.md")
    decisions = [decision(conflict, expires=date(2026, 2, 1))]
    assert carried(decisions, conflict, as_of=date(2026, 1, 31))[0][0].status == "decided"
    (now,), review = carried(decisions, conflict, as_of=date(2026, 2, 1))
    assert now.status == "reopened"
    assert review.reopened == {conflict.conflict_id: "the decision expired on 2026-02-01"}


def test_what_the_configuration_calls_valid_stays_dismissed() -> None:
    conflict = found("faq.md", "policy.md", status="dismissed")
    (now,), review = carried([decision(conflict, expires=DAY)], conflict)
    assert (now.status, review.reopened) == ("dismissed", {})


def test_a_renamed_heading_keeps_the_decision() -> None:
    (now,), _ = carried([decision(found("faq.md", "policy.md"))], found("faq.md", "policy.md", keys=("k1", "k2")))
    assert now.status == "decided"


def test_another_finding_before_it_does_not_take_its_decision() -> None:
    """Findings with equal documents and keys are told apart by an ordinal, which moves on when one comes in between."""
    first, second = found("faq.md", "policy.md"), found("faq.md", "policy.md", b=TWENTY, ordinal=1)
    new = found("faq.md", "policy.md", b=("7 days", "Within 7 days."))
    moved = [found("faq.md", "policy.md", ordinal=1), found("faq.md", "policy.md", b=TWENTY, ordinal=2)]
    made = [decision(first, Choice.ACCEPT_A), decision(second, Choice.ACCEPT_B)]
    now, review = carried(made, new, *moved)
    assert [(c.status, c.reviewer_decision) for c in now] == [("escalated", None), ("decided", "accept_a"), ("decided", "accept_b")]
    assert review.orphans == ()


def test_a_renamed_file_keeps_the_decision_and_its_side() -> None:
    before = found("faq.md", "policy.md")  # faq.md is side a and holds 30 days
    after = found("zfaq.md", "policy.md")  # by the new name it is side b
    assert after.b.value == "30 days"
    (now,), review = carried([decision(before, Choice.ACCEPT_A)], after)
    assert (now.status, now.reviewer_decision) == ("decided", "accept_b")
    assert review.orphans == ()


def test_a_moved_folder_keeps_the_decision() -> None:
    (now,), _ = carried([decision(found("old/faq.md", "old/policy.md"))], found("new/faq.md", "new/policy.md"))
    assert now.status == "decided"


def test_a_file_that_contradicts_itself_may_be_renamed() -> None:
    (now,), _ = carried([decision(found("a.md", "a.md"))], found("b.md", "b.md"))
    assert now.status == "decided"


def test_a_renamed_file_that_could_be_either_of_two_is_not_guessed() -> None:
    now, review = carried([decision(found("faq.md", "policy.md"))], found("one.md", "policy.md"), found("two.md", "policy.md"))
    assert [c.status for c in now] == ["escalated", "escalated"]
    assert [o.why for o in review.orphans] == ["faq.md is not in the corpus any more"]


@pytest.mark.parametrize("there", ["read", "unread"])
def test_the_same_words_elsewhere_are_no_rename_while_the_file_is_there(there: str) -> None:
    present = {there: ("faq.md",)}
    (now,), review = carried([decision(found("faq.md", "policy.md"))], found("other.md", "policy.md"), **present)  # type: ignore[arg-type]
    assert now.status == "escalated"
    assert len(review.orphans) == 1


def test_another_copy_of_the_passage_may_stand_for_it() -> None:
    """Copies share one row. When the copy that stood for them is no longer the first, the decision goes with the words."""
    before, after = found("m.md", "policy.md"), found("a-copy.md", "policy.md")
    clusters = make_values(after, ("30 days", ["a-copy.md", "m.md"], ""), ("14 days", ["policy.md"], ""))
    (now,), review = carried([decision(before)], after, clusters=clusters, read=("m.md",))
    assert now.status == "decided"
    assert review.orphans == ()


@pytest.mark.parametrize(
    ("documents", "why"),
    [
        ({"read": ("faq.md",)}, "policy.md is not in the corpus any more"),
        ({"read": ("faq.md",), "unread": ("policy.md",)}, "policy.md could not be read"),
        ({"read": ("faq.md", "policy.md")}, "the documents do not contradict each other there any more"),
        ({}, "faq.md and policy.md are not in the corpus any more"),
    ],
)
def test_a_decision_that_fits_nothing_is_listed(documents: dict[str, tuple[str, ...]], why: str) -> None:
    one = decision(found("faq.md", "policy.md"))
    _, review = carried([one], **documents)  # type: ignore[arg-type]
    (orphan,) = review.orphans
    assert (orphan.conflict_id, orphan.why, orphan.choice) == (one.conflict_id, why, "accept_a")


def test_a_decision_that_min_tier_hides_is_no_orphan() -> None:
    one = decision(found("faq.md", "policy.md", tier="medium"))
    _, review = carried([one], min_tier="high", read=("faq.md", "policy.md"))
    assert (review.orphans, review.not_shown) == ((), 1)


def test_documents_that_swapped_what_they_say_keep_the_decision_on_the_value() -> None:
    before = found("faq.md", "policy.md", THIRTY, FOURTEEN)
    after = found("faq.md", "policy.md", FOURTEEN, THIRTY)
    (now,), _ = carried([decision(before, Choice.ACCEPT_A)], after)
    assert (now.status, now.reviewer_decision) == ("decided", "accept_b")  # still 30 days
