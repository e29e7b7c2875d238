"""What a scan knows of the past: decisions that were carried over, and how its findings compare with an earlier run.

Plain data, so that `model.ScanResult` can hold it and every format can show it. `record` and `review_of`, `comparison_of` turn it into
the blocks of `run.json` and back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any

NEW = "new"
PERSISTING = "persisting"
REOPENED = "reopened"
RESOLVED = "resolved"
REMOVED = "removed"
UNKNOWN = "unknown"

SETTLED = frozenset({"decided", "dismissed"})
"""Statuses of findings that nobody has to act on."""

OFTEN = 3
"""An entity key that escalated in this many runs needs an authority rather than another decision."""


@dataclass(frozen=True, slots=True)
class Orphan:
    """A decision that fits no finding of this scan. It stays in the decisions file; `why` says what became of its finding."""

    conflict_id: str
    doc_a: str
    doc_b: str
    entity_key: str
    attribute: str
    value_a: str
    value_b: str
    choice: str
    reviewer: str
    decided_at: str
    why: str


@dataclass(frozen=True, slots=True)
class Review:
    """How the decisions of the decisions file met the findings of a scan.

    `reopened` maps a conflict id to the reason, `reasons` to what the reviewer gave as the reason of a decision that holds.
    `not_shown` counts decisions on findings that --min-tier leaves out.
    """

    decisions: int = 0
    decided: int = 0
    dismissed: int = 0
    not_shown: int = 0
    reopened: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    orphans: tuple[Orphan, ...] = ()


@dataclass(frozen=True, slots=True)
class Escalation:
    """An entity key and a field that the rules could not settle, and in how many runs; `findings` counts those of the last one."""

    entity_key: str
    field: str  # what differs: "value", "basis", "modality", ...
    runs: int
    findings: int
    last: date


@dataclass(frozen=True, slots=True)
class Gone:
    """A finding of the earlier run that this one does not have. `state` is resolved, removed or unknown; `why` says it in words."""

    conflict_id: str
    state: str
    why: str
    tier: str
    doc_a: str
    doc_b: str
    entity_key: str
    attribute: str
    value_a: str
    value_b: str


@dataclass(frozen=True, slots=True)
class RunPoint:
    """One run in the trend: how many findings of each tier were open, and how many were settled."""

    as_of: date
    fingerprint: str  # of everything the run found; the same run is counted once
    high: int
    medium: int
    advisory: int
    settled: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """A run against an earlier one. `states` maps each conflict id of the later run to new, persisting, reopened or unknown.

    `changed` are persisting findings with other values or words, `returned` reopened ones that had gone away. `escalations` and `runs` (oldest first) include the later run.
    """

    old_as_of: date
    new_as_of: date
    states: Mapping[str, str] = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()
    gone: tuple[Gone, ...] = ()
    escalations: tuple[Escalation, ...] = ()
    runs: tuple[RunPoint, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How many findings are new, persisting, reopened, resolved, removed and unknown."""
        states = [*self.states.values(), *(gone.state for gone in self.gone)]
        return {state: states.count(state) for state in (NEW, PERSISTING, REOPENED, RESOLVED, REMOVED, UNKNOWN)}

    @property
    def unknown_to_it(self) -> frozenset[str]:
        """Conflict ids of findings that did not stand in the earlier run: new ones, and those that went away and came back."""
        return frozenset(name for name, state in self.states.items() if state == NEW) | frozenset(self.returned)

    @property
    def escalating(self) -> tuple[Escalation, ...]:
        """What escalated often enough to need an authority, the most frequent first."""
        return tuple(e for e in self.escalations if e.runs >= OFTEN)


def record(past: Review | Comparison) -> dict[str, Any]:
    """The block of `run.json`; dates stay dates, the JSON writer spells them."""
    block = asdict(past)
    if isinstance(past, Comparison):
        block["counts"] = past.counts
    return block


def review_of(block: Mapping[str, Any]) -> Review:
    """The review of a block that `record` made. Raises `KeyError` or `TypeError` for anything else."""
    return Review(**{**block, "orphans": tuple(Orphan(**row) for row in block["orphans"])})


def comparison_of(block: Mapping[str, Any]) -> Comparison:
    """The comparison of a block that `record` made. Raises `KeyError`, `TypeError` or `ValueError` for anything else."""
    return Comparison(
        old_as_of=date.fromisoformat(str(block["old_as_of"])),
        new_as_of=date.fromisoformat(str(block["new_as_of"])),
        states=dict(block["states"]),
        changed=tuple(block["changed"]),
        returned=tuple(block["returned"]),
        gone=tuple(Gone(**row) for row in block["gone"]),
        escalations=tuple(Escalation(**{**row, "last": date.fromisoformat(str(row["last"]))}) for row in block["escalations"]),
        runs=tuple(RunPoint(**{**row, "as_of": date.fromisoformat(str(row["as_of"]))}) for row in block["runs"]),
    )
