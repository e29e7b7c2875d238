"""Puts earlier decisions on the findings of a scan, and says which decisions fit nothing any more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from auditor.history import Orphan, Review
from auditor.model import TIER_ORDER, ClusterValue, Conflict, DocumentRow
from auditor.review.decisions import Choice, Decision, oriented
from auditor.review.matching import Match, Presence, holders_of, match, trace_of

CHANGED = "a value or its wording changed since the decision"


def matched(
    decisions: Sequence[Decision], conflicts: Sequence[Conflict], clusters: Iterable[ClusterValue], documents: Iterable[DocumentRow]
) -> list[Match]:
    """Which decision belongs to which finding, as positions in both."""
    traces = [decision.trace for decision in decisions], [trace_of(conflict) for conflict in conflicts]
    return match(*traces, Presence.of(documents), holders_of(conflicts, clusters))


def carry(
    decisions: Sequence[Decision],
    conflicts: Sequence[Conflict],
    clusters: Iterable[ClusterValue],
    documents: Sequence[DocumentRow],
    as_of: date,
    min_tier: str = "advisory",
) -> tuple[list[Conflict], Review]:
    """The findings with their decisions, in the same order, and what became of every decision.

    A decision holds while its finding says the same and it has not expired on `as_of`; else the finding is reopened and still shows
    it. What the configuration calls valid on both sides stays dismissed.
    """
    carried = list(conflicts)
    reopened: dict[str, str] = {}
    reasons: dict[str, str] = {}
    pairs = matched(decisions, conflicts, clusters, documents)
    for pair in pairs:
        decision, conflict = decisions[pair.known], conflicts[pair.current]
        choice = oriented(decision.choice, swapped=pair.swapped)
        if pair.changed:
            open_because = CHANGED
        elif decision.expired(as_of):
            open_because = f"the decision expired on {decision.expires}"
        else:
            open_because = ""
        if not open_because:
            status = "dismissed" if choice is Choice.NOT_A_CONTRADICTION else "decided"
            if decision.reason:
                reasons[conflict.conflict_id] = decision.reason
        elif conflict.status == "dismissed":
            status = "dismissed"
        else:
            status = "reopened"
            reopened[conflict.conflict_id] = open_because
        carried[pair.current] = replace(
            conflict,
            status=status,
            reviewer=decision.reviewer,
            reviewer_decision=choice.value,
            condition=decision.condition or None,
            decided_at=decision.decided_at,
        )
    lost = sorted(set(range(len(decisions))) - {pair.known for pair in pairs})
    hidden = {i for i in lost if TIER_ORDER[decisions[i].tier] > TIER_ORDER.get(min_tier, len(TIER_ORDER))}
    presence = Presence.of(documents)
    now = [carried[pair.current].status for pair in pairs]
    return carried, Review(
        decisions=len(decisions),
        decided=now.count("decided"),
        dismissed=now.count("dismissed"),
        not_shown=len(hidden),
        reopened=reopened,
        reasons=reasons,
        orphans=tuple(_orphan(decisions[i], presence) for i in lost if i not in hidden),
    )


def _orphan(decision: Decision, presence: Presence) -> Orphan:
    return Orphan(
        conflict_id=decision.conflict_id,
        doc_a=decision.doc_a,
        doc_b=decision.doc_b,
        entity_key=decision.entity_key,
        attribute=decision.attribute,
        value_a=decision.value_a,
        value_b=decision.value_b,
        choice=decision.choice.value,
        reviewer=decision.reviewer,
        decided_at=decision.decided_at,
        why=what_became(presence, decision.doc_a, decision.doc_b)[1],
    )


def what_became(presence: Presence, doc_a: str, doc_b: str) -> tuple[str, str]:
    """What became of a finding that is not reported any more, and why: removed, unknown or resolved.

    A document that is gone takes its findings with it; of one that could not be read nothing is known, least of all that it is right.
    """
    docs = tuple(dict.fromkeys((doc_a, doc_b)))
    if gone := [doc for doc in docs if presence.is_gone(doc)]:
        return "removed", f"{' and '.join(gone)} {'is' if len(gone) == 1 else 'are'} not in the corpus any more"
    if unread := [doc for doc in docs if presence.was_unread(doc)]:
        return "unknown", f"{' and '.join(unread)} could not be read"
    return (
        "resolved",
        f"{'the document does' if len(docs) == 1 else 'the documents do'} not contradict {'itself' if len(docs) == 1 else 'each other'} there any more",
    )
