"""The parts of a report, worked out once for HTML and Markdown.

Texts are the documents' own, uncut and unescaped: the templates' environments do both for every text they print.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from auditor.format.copies import CopyView
from auditor.format.overview import Overview
from auditor.format.since import Since
from auditor.format.text import Segment
from auditor.format.words import BADGES
from auditor.model import Conflict, DocumentRow, Side


@dataclass(frozen=True, slots=True)
class SideView:
    """One passage of a pair. `reading` is set where the quote alone does not say what it means."""

    letter: str
    side: Side
    value: str
    quote: tuple[Segment, ...]
    reading: str
    url: str | None
    place: str
    dates: tuple[tuple[str, date], ...]
    source: str
    suggested: bool


@dataclass(frozen=True, slots=True)
class PairView:
    """Two passages that contradict each other, and what the rules make of it."""

    conflict: Conflict
    sides: tuple[SideView, SideView]
    scope_note: str
    rule: str
    reason: str
    declined: tuple[str, ...]
    earlier: tuple[Conflict, ...] = ()  # decided pairs about the same subject
    since: str = ""  # "new" or "reopened" against the earlier run
    why: str = ""  # the reviewer's reason, or why the decision reopened


@dataclass(frozen=True, slots=True)
class ValueView:
    """One value of a fact."""

    value: str
    documents: tuple[str, ...]
    badges: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FactView:
    """One of the facts that a document and its copies disagree about. `pair` is the id of a conflict about it, "" for none."""

    subject: str
    values: tuple[ValueView, ...]
    pair: str


@dataclass(frozen=True, slots=True)
class ClusterView:
    """One fact: its values, and the pairs of passages that disagree about it.

    The cluster of a document and its copies may hold several `facts`; then `values` are those of all of them.
    """

    number: int
    subject: str
    claims: tuple[str, ...]  # "100/min in 2 documents"
    tier: str
    values: tuple[ValueView, ...]
    pairs: tuple[PairView, ...]
    facts: tuple[FactView, ...] = ()
    notes: tuple[str, ...] = ()  # which documents are copies of which

    @property
    def winning(self) -> str:
        """The value the rules suggest, "" when they suggest none."""
        return "" if self.facts else next((value.value for value in self.values if BADGES["winning"] in value.badges), "")


@dataclass(frozen=True, slots=True)
class ReportView:
    """The whole report."""

    corpus: str
    as_of: date
    title: str  # "" for the usual one
    customer: str
    logo: str  # data URI
    summary: str
    points: tuple[tuple[str, str], ...]  # heading, sentence
    scanned: tuple[tuple[str, str], ...]  # label, figure
    overview: Overview
    documents: tuple[str, ...]  # paths
    since: Since | None
    tiers: tuple[tuple[str, int], ...]
    kinds: tuple[tuple[str, int], ...]
    read: int  # documents
    skipped: tuple[DocumentRow, ...]
    plain: tuple[DocumentRow, ...]  # in languages without a rule pack
    expired: tuple[DocumentRow, ...]  # that say they held until a day in the past
    partial: tuple[DocumentRow, ...]  # of which something could not be read
    copies: tuple[CopyView, ...]
    notices: tuple[str, ...]
    clusters: tuple[ClusterView, ...]  # best tier high or medium
    advisory: tuple[ClusterView, ...]
    rules: tuple[str, ...]  # those that the report mentions
    categories: tuple[str, ...]

    def subject_of(self, number: int) -> str:
        """What the cluster of this number is about."""
        return next(cluster.subject for cluster in (*self.clusters, *self.advisory) if cluster.number == number)

    @property
    def total(self) -> int:
        """Number of conflicts."""
        return sum(count for _, count in self.tiers)
