"""What a report says about earlier runs: the trend, what went away, what keeps escalating, and decisions that fit nothing any more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from auditor.format.text import one_line
from auditor.format.words import listed, plural
from auditor.history import Comparison, Escalation, Gone, Orphan, Review
from auditor.model import ScanResult

_RUNS = 24  # rows of the trend: the latest runs
_LISTED = 200  # rows of each list; run.json holds all

STATE_WORDS: Mapping[str, str] = {
    "new": "not there in the earlier run",
    "persisting": "still there",
    "reopened": "decided before, and changed since",
    "resolved": "the documents agree now",
    "removed": "a document is gone",
    "unknown": "a document could not be read this time",
}


@dataclass(frozen=True, slots=True)
class TrendRow:
    """A run in the trend. `parts`: tier, start and width in percent of the chart's width."""

    as_of: date
    high: int
    medium: int
    advisory: int
    settled: int
    parts: tuple[tuple[str, float, float], ...]


@dataclass(frozen=True, slots=True)
class Since:
    """Everything about earlier runs and earlier decisions; lists are cut, the totals beside them are not."""

    old_as_of: date | None
    counts: tuple[tuple[str, int, str], ...]  # state, number, what it means
    trend: tuple[TrendRow, ...]
    gone: tuple[Gone, ...]
    gone_total: int
    escalations: tuple[Escalation, ...]
    orphans: tuple[Orphan, ...]
    orphans_total: int
    review: Review

    @property
    def sentence(self) -> str:
        """For the summary: "Since 2026-05-01: 2 new and 3 resolved."."""
        said = []
        if self.old_as_of is not None:
            told = [f"{count:,} {state}" for state, count, _ in self.counts if count]
            said.append(f"Since {self.old_as_of}: {listed(told) or 'nothing changed'}.")
        if self.review.reopened:
            said.append(f"{plural(len(self.review.reopened), 'decision')} reopened, because a value has changed.")
        if self.orphans_total:
            said.append(f"{plural(self.orphans_total, 'decision fits', 'decisions fit')} no finding any more.")
        return " ".join(said)


def build_since(result: ScanResult) -> Since | None:
    """The part about earlier runs; None for a first run without decisions."""
    baseline, review = result.baseline, result.review
    if baseline is None and not review.decisions:
        return None
    gone = baseline.gone if baseline else ()
    counts = baseline.counts if baseline else {}
    return Since(
        old_as_of=baseline.old_as_of if baseline else None,
        counts=tuple((state, counts[state], text) for state, text in STATE_WORDS.items()) if baseline else (),
        trend=_trend(baseline),
        gone=gone[:_LISTED],
        gone_total=len(gone),
        escalations=baseline.escalating[:_LISTED] if baseline else (),
        orphans=review.orphans[:_LISTED],
        orphans_total=len(review.orphans),
        review=review,
    )


def states(result: ScanResult) -> Mapping[str, str]:
    """Conflict id → what it is against the earlier run, as far as that is worth a mark: new or reopened."""
    return {} if result.baseline is None else {key: s for key, s in result.baseline.states.items() if s in ("new", "reopened")}


def gone_line(gone: Gone | Orphan) -> str:
    """What a finding that went away was about, in one line."""
    subject = one_line(" · ".join(filter(None, (gone.entity_key, gone.attribute))), 120)
    return f"{subject}: {one_line(gone.value_a, 60)} against {one_line(gone.value_b, 60)}"


def _trend(baseline: Comparison | None) -> tuple[TrendRow, ...]:
    points = baseline.runs[-_RUNS:] if baseline else ()
    if len(points) < 2:  # one point is no trend
        return ()
    most = max(max(p.high + p.medium for p in points), 1)
    rows = []
    for point in points:
        high, medium = 100 * point.high / most, 100 * point.medium / most
        parts = (("high", 0.0, round(high, 2)), ("medium", round(high, 2), round(medium, 2)))
        rows.append(TrendRow(point.as_of, point.high, point.medium, point.advisory, point.settled, parts))
    return tuple(rows)
