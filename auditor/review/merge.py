"""Takes new decisions into the decisions file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from auditor.model import Conflict, ScanResult
from auditor.review.carry import matched
from auditor.review.decisions import Choice, Decision, about
from auditor.review.exported import ExportedDecision

_SAID = ("choice", "condition", "reason", "reviewer", "decided_at")


@dataclass(frozen=True, slots=True)
class Merged:
    """The decisions after a merge. `refused` are entries that were not taken, each with its reason.

    `refreshed` counts decisions whose finding is known by another id or another file name by now.
    """

    decisions: tuple[Decision, ...]
    added: int
    replaced: int
    unchanged: int
    refreshed: int
    refused: tuple[tuple[str, str], ...]


def merge(
    existing: Sequence[Decision], made: Iterable[ExportedDecision], run: ScanResult, first_seen: Mapping[str, date]
) -> Merged:
    """The existing decisions with those made about the findings of `run`.

    A decision takes the place of an earlier one about the same finding, found as a scan finds it. An entry is refused when the run
    has no such finding, when the finding changed since, and when the file holds a later decision on the same content.
    `first_seen` says since when findings are known; for others it is the day of the run.
    """
    findings = {conflict.conflict_id: conflict for conflict in run.conflicts}
    kept, earlier, refreshed = _anchored(existing, run)
    added = replaced = unchanged = 0
    refused: list[tuple[str, str]] = []
    for entry in made:
        conflict = findings.get(entry.conflict_id)
        if conflict is None:
            refused.append((entry.conflict_id, "the run has no such finding"))
            continue
        if conflict.content_hash != entry.content_hash:
            refused.append((entry.conflict_id, "what the finding says changed since it was decided"))
            continue
        before = earlier.get(entry.conflict_id)
        standing = before if before is not None and before.content_hash == conflict.content_hash else None
        decision = decided(conflict, entry, standing.first_seen if standing else first_seen.get(entry.conflict_id, run.as_of))
        if standing is not None and all(getattr(decision, name) == getattr(standing, name) for name in _SAID):
            unchanged += 1
            continue
        if standing is not None and standing.decided_at > decision.decided_at:
            refused.append((entry.conflict_id, f"the file holds a later decision, of {standing.decided_at}"))
            continue
        if before is not None:
            del kept[before.conflict_id]
        added, replaced = added + (before is None), replaced + (before is not None)
        kept[decision.conflict_id] = decision
    return Merged(tuple(kept.values()), added, replaced, unchanged, refreshed, tuple(refused))


def decided(conflict: Conflict, entry: ExportedDecision, first_seen: date, expires: date | None = None) -> Decision:
    """The block for a decision about a finding."""
    return Decision.model_validate(
        {
            **about(conflict),
            "choice": Choice(entry.choice),
            "condition": entry.condition.strip(),
            "reason": entry.reason.strip(),
            "reviewer": entry.reviewer.strip(),
            "decided_at": entry.decided_at,
            "first_seen": first_seen,
            "expires": expires,
        }
    )


def _anchored(existing: Sequence[Decision], run: ScanResult) -> tuple[dict[str, Decision], dict[str, Decision], int]:
    """The decisions by id, with ids and file names of today where the finding still says the same; those that belong to a finding of
    the run by the finding's id; and how many were brought up to date.
    """
    kept: dict[str, Decision] = {}
    earlier: dict[str, Decision] = {}
    pairs = {pair.known: pair for pair in matched(existing, run.conflicts, run.clusters, run.documents)}
    anchored: dict[int, Decision] = {}
    for i, pair in pairs.items():
        if not pair.changed:
            moved = existing[i].moved_to(run.conflicts[pair.current], swapped=pair.swapped)
            # A block that is right as it stands is left alone: a file under version control changes only where it has to.
            anchored[i] = moved if _identity(moved) != _identity(existing[i]) else existing[i]
    taken = {decision.conflict_id: i for i, decision in anchored.items()}
    refreshed = 0
    for i, before in enumerate(existing):
        decision = anchored.get(i, before)
        if taken.get(decision.conflict_id, i) != i:
            # Its ordinal passed to a neighbour, whose decision stands in the file as well. It is found by its content from now on.
            decision = decision.model_copy(update={"conflict_id": f"{decision.conflict_id}-{decision.content_hash}"})
        refreshed += _identity(decision) != _identity(before)
        kept[decision.conflict_id] = decision
        if i in pairs:
            earlier[run.conflicts[pairs[i].current].conflict_id] = decision
    return kept, earlier, refreshed


def _identity(decision: Decision) -> tuple[str, str, str]:
    return decision.conflict_id, decision.doc_a, decision.doc_b
