"""Baselines: what was found before, so that a run can be held against an earlier one.

A `Snapshot` is what a comparison needs of a run. It comes from a run folder or from a baseline file, which keeps more than one run: since
when each finding is known, the findings that went away, and how often each entity key escalated. Nothing in it is a line number.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from auditor.history import NEW, PERSISTING, REOPENED, SETTLED, UNKNOWN, Comparison, Escalation, Gone, RunPoint
from auditor.model import TIER_ORDER, ClusterValue, Conflict, ScanResult
from auditor.resolve import ids
from auditor.review.carry import what_became
from auditor.review.matching import Holders, Match, Presence, Trace, holders_of, match, no_holders, trace_of
from auditor.store import utf8

STANDING = ""
_ESCALATE = "escalate"  # the last of the resolution rules: none of the others could tell


@dataclass(frozen=True, slots=True)
class Entry:
    """One finding. `gone` is empty while it stands, else resolved or removed, with the day of the run that missed it first."""

    conflict_id: str
    content_hash: str
    doc_a: str
    doc_b: str
    side_a: str
    side_b: str
    kind: str
    fields: tuple[str, ...]
    tier: str
    status: str
    escalates: bool  # no rule could decide, and nobody has
    entity_key: str
    attribute: str
    value_a: str
    value_b: str
    first_seen: date
    gone: str = STANDING
    gone_on: date | None = None

    @property
    def trace(self) -> Trace:
        """What identifies it."""
        return Trace(self.conflict_id, self.content_hash, self.doc_a, self.doc_b, self.side_a, self.side_b)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A run as later ones are compared with it. `read` and `unread` are document ids; `runs` is the trend, oldest first."""

    corpus: str
    as_of: date
    min_tier: str
    nli: bool
    read: tuple[str, ...]
    unread: tuple[str, ...]
    findings: tuple[Entry, ...]
    escalations: tuple[Escalation, ...]
    runs: tuple[RunPoint, ...]

    @property
    def standing(self) -> tuple[Entry, ...]:
        """Findings that were there in the last run."""
        return tuple(entry for entry in self.findings if entry.gone == STANDING)

    @property
    def presence(self) -> Presence:
        """Which documents the run read."""
        return Presence(self.read, self.unread)


def snapshot_of(result: ScanResult) -> Snapshot:
    """The snapshot of one run."""
    entries = tuple(sorted((_entry(conflict, result.as_of) for conflict in result.conflicts), key=_place))
    rows = result.documents
    return Snapshot(
        corpus=utf8(result.corpus),
        as_of=result.as_of,
        min_tier=result.min_tier,
        nli=result.nli,
        read=tuple(sorted(utf8(row.path) for row in rows if row.skipped_reason is None)),
        unread=tuple(sorted(utf8(row.path) for row in rows if row.skipped_reason is not None)),
        findings=entries,
        escalations=_escalations(entries, result.as_of),
        runs=(_point(result, entries),),
    )


def compare(old: Snapshot, new: Snapshot, holders: Holders = no_holders) -> Comparison:
    """`new` against `old`.

    `holders` is about the standing findings of `new` in their order; see `holders_in`. A finding that one of the two could not have
    reported (an unreadable document, --min-tier, no NLI model) is unknown: neither resolved nor new.
    """
    pairing = _pair(old, new, holders)
    states: dict[str, str] = {}
    changed, returned = [], []
    presence = new.presence
    for entry, before, is_changed in pairing.current:
        if not _reports(new, entry) or presence.was_unread(entry.doc_a) or presence.was_unread(entry.doc_b):
            states[entry.conflict_id] = UNKNOWN  # a baseline keeps what its last run could not see
        elif before is None:
            states[entry.conflict_id] = NEW if _reports(old, entry) else UNKNOWN
        elif before.gone or _opened_again(before, entry):
            states[entry.conflict_id] = REOPENED
            if before.gone:
                returned.append(entry.conflict_id)
        else:
            states[entry.conflict_id] = PERSISTING
            if is_changed:
                changed.append(entry.conflict_id)
    return Comparison(
        old_as_of=old.as_of,
        new_as_of=new.as_of,
        states=states,
        changed=tuple(changed),
        returned=tuple(returned),
        gone=tuple(_gone(entry, new, presence) for entry in pairing.lost),
        escalations=_added(old, new),
        runs=_trend(old, new),
    )


def update(baseline: Snapshot, run: Snapshot, holders: Holders = no_holders) -> Snapshot:
    """The baseline with a later run taken in.

    Known findings keep the day of their first report. What went away is kept as resolved or removed, so that it is noticed when it
    comes back; what is unknown stays as it was. The same run counts once, however often it is taken in.
    """
    pairing = _pair(baseline, run, holders)
    presence = run.presence
    entries = [replace(entry, first_seen=before.first_seen if before else entry.first_seen) for entry, before, _ in pairing.current]
    for entry in pairing.lost:
        state = _gone(entry, run, presence).state
        entries.append(entry if state == UNKNOWN else replace(entry, gone=state, gone_on=run.as_of))
    entries += pairing.still_gone
    return replace(
        run,
        findings=tuple(sorted(_distinct(entries), key=_place)),
        escalations=_added(baseline, run),
        runs=_trend(baseline, run),
    )


def holders_in(result: ScanResult) -> Holders:
    """Which documents hold copies, for the standing findings of the result's snapshot."""
    ordered: Sequence[Conflict] = sorted(result.conflicts, key=lambda c: (utf8(c.a.doc), utf8(c.b.doc), c.conflict_id))
    clusters: Iterable[ClusterValue] = result.clusters
    return holders_of(ordered, clusters)


def first_seen(baseline: Snapshot, result: ScanResult) -> Mapping[str, date]:
    """Conflict id → day of the first report, for the findings of a run that the baseline knows."""
    pairing = _pair(baseline, snapshot_of(result), holders_in(result))
    return {entry.conflict_id: before.first_seen for entry, before, _ in pairing.current if before is not None}


# -- pairing -----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Pairing:
    current: list[tuple[Entry, Entry | None, bool]]  # finding of the later run, the same one before, whether it changed
    lost: list[Entry]  # standing before, not reported now
    still_gone: list[Entry]


def _pair(old: Snapshot, new: Snapshot, holders: Holders) -> _Pairing:
    current = new.standing
    standing = old.standing
    departed = tuple(entry for entry in old.findings if entry.gone != STANDING)
    presence = new.presence
    before: dict[int, tuple[Entry, bool]] = {}
    pairs: list[Match] = match([e.trace for e in standing], [e.trace for e in current], presence, holders)
    before.update((pair.current, (standing[pair.known], pair.changed)) for pair in pairs)
    rest = [i for i in range(len(current)) if i not in before]
    back = match([e.trace for e in departed], [current[i].trace for i in rest], presence)
    before.update((rest[pair.current], (departed[pair.known], pair.changed)) for pair in back)
    kept, returned = {pair.known for pair in pairs}, {pair.known for pair in back}
    nothing: tuple[None, bool] = (None, False)
    return _Pairing(
        current=[(entry, *before.get(i, nothing)) for i, entry in enumerate(current)],
        lost=[entry for i, entry in enumerate(standing) if i not in kept],
        still_gone=[entry for i, entry in enumerate(departed) if i not in returned],
    )


def _opened_again(before: Entry, now: Entry) -> bool:
    """Whether a finding that was settled has to be looked at again."""
    if now.status in SETTLED:
        return False
    return before.status in SETTLED or (now.status == REOPENED and before.status != REOPENED)


def _reports(run: Snapshot, entry: Entry) -> bool:
    """Whether the run would have reported a finding of this tier and kind."""
    if _by_nli(entry) and not run.nli:
        return False
    return TIER_ORDER.get(entry.tier, len(TIER_ORDER)) <= TIER_ORDER.get(run.min_tier, len(TIER_ORDER))


def _by_nli(entry: Entry) -> bool:
    """Whether an optional NLI model found it; what the pair readers find has another field."""
    return entry.kind == "nli" and "wording" not in entry.fields


def _gone(entry: Entry, new: Snapshot, presence: Presence) -> Gone:
    state, why = what_became(presence, entry.doc_a, entry.doc_b)
    if state != "removed" and not _reports(new, entry):
        state, why = UNKNOWN, "the later run had no NLI model" if _by_nli(entry) and not new.nli else "below --min-tier"
    return Gone(
        conflict_id=entry.conflict_id,
        state=state,
        why=why,
        tier=entry.tier,
        doc_a=entry.doc_a,
        doc_b=entry.doc_b,
        entity_key=entry.entity_key,
        attribute=entry.attribute,
        value_a=entry.value_a,
        value_b=entry.value_b,
    )


def _distinct(entries: Iterable[Entry]) -> list[Entry]:
    """Each conflict id once; the first wins. An ordinal that moved on may leave two with one id."""
    found: dict[str, Entry] = {}
    for entry in entries:
        found.setdefault(entry.conflict_id, entry)
    return list(found.values())


# -- entries -----------------------------------------------------------------------------------------------------------------------


def _entry(conflict: Conflict, as_of: date) -> Entry:
    trace = trace_of(conflict)
    return Entry(
        conflict_id=trace.conflict_id,
        content_hash=trace.content_hash,
        doc_a=trace.doc_a,
        doc_b=trace.doc_b,
        side_a=trace.side_a,
        side_b=trace.side_b,
        kind=conflict.kind,
        fields=conflict.fields,
        tier=conflict.tier,
        status=conflict.status,
        escalates=conflict.rule_applied[-1:] == (_ESCALATE,) and conflict.status not in SETTLED,
        entity_key=utf8(conflict.entity_key),
        attribute=utf8(conflict.attribute),
        value_a=utf8(conflict.a.value),
        value_b=utf8(conflict.b.value),
        first_seen=as_of,
    )


def _place(entry: Entry) -> tuple[str, str, str]:
    return entry.doc_a, entry.doc_b, entry.conflict_id


def _point(result: ScanResult, entries: Sequence[Entry]) -> RunPoint:
    tiers = Counter(entry.tier for entry in entries if entry.status not in SETTLED)
    found = sorted((e.conflict_id, e.content_hash, e.status, e.tier) for e in entries)
    read = sorted((utf8(row.path), row.sha256 or "", row.skipped_reason is None) for row in result.documents)
    return RunPoint(
        as_of=result.as_of,
        fingerprint=hashlib.sha256(repr((result.as_of, result.min_tier, found, read)).encode()).hexdigest()[:16],
        high=tiers["high"],
        medium=tiers["medium"],
        advisory=tiers["advisory"],
        settled=sum(entry.status in SETTLED for entry in entries),
    )


def _trend(old: Snapshot, new: Snapshot) -> tuple[RunPoint, ...]:
    longer = _longer(old, new)
    return longer.runs if longer is not None else (*old.runs, *new.runs)


def _longer(old: Snapshot, new: Snapshot) -> Snapshot | None:
    """The snapshot that has taken in the other's last run as well, None when both tell of runs of their own."""
    if not old.runs or not new.runs:
        return old if old.runs else new
    if old.runs[-1].fingerprint in {run.fingerprint for run in new.runs}:
        return new if len(new.runs) > len(old.runs) else old
    return None


# -- escalations -------------------------------------------------------------------------------------------------------------------


def _escalations(entries: Iterable[Entry], as_of: date) -> tuple[Escalation, ...]:
    """What escalated in one run, by entity key and field."""
    names: dict[tuple[str, str], str] = {}
    count: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        if entry.escalates:
            for field in entry.fields:
                key = _key(entry.entity_key, field)
                names.setdefault(key, entry.entity_key)
                count[key] += 1
    return tuple(Escalation(names[key], key[1], 1, count[key], as_of) for key in sorted(count))


def _added(old: Snapshot, new: Snapshot) -> tuple[Escalation, ...]:
    """Escalations of both, the most frequent first; those of the last run count on top of those before."""
    longer = _longer(old, new)
    total = {_key(e.entity_key, e.field): e for e in (longer or old).escalations}
    for escalation in () if longer is not None else new.escalations:
        key = _key(escalation.entity_key, escalation.field)
        runs = total[key].runs if key in total else 0
        total[key] = replace(escalation, runs=runs + escalation.runs)
    return tuple(sorted(total.values(), key=lambda e: (-e.runs, -e.findings, e.entity_key, e.field)))


def _key(entity: str, field: str) -> tuple[str, str]:
    return ids.normalised(entity), field
