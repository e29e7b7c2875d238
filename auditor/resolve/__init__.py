"""From findings to conflicts: clusters, suggested winners, and rows with everything a reader needs.

Resolution suggests, it never edits: both sides stay in the result word for word.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from auditor.config import Config
from auditor.duplicates import within
from auditor.model import TIER_ORDER, BlockKind, ClusterValue, Conflict, Document, Finding, Statement, Tier
from auditor.resolve import ids
from auditor.resolve.category import categorise
from auditor.resolve.cluster import SOURCE_RANK, Cluster, build, claims_of, representatives
from auditor.resolve.factor import one_factor
from auditor.resolve.outcome import DISMISSED, Outcome, outcome
from auditor.resolve.ranking import Ranked, advice, rank_sources
from auditor.resolve.rules import Case, Decision, Escalate, decide, first_rule, own_date
from auditor.resolve.sides import build_side

__all__ = ["resolve"]

ROWS_OF_ONE_CAUSE = 4
"""Facts about which the tables of two documents disagree from which that is told as one."""
_TWO_BASES = " The amounts of these two tables differ by one factor throughout, {:.3g}: they may be stated on two bases, such as with and without tax."


def resolve(
    findings: Iterable[Finding],
    statements: Sequence[Statement],
    documents: Iterable[Document],
    config: Config,
    as_of: date,
    copies: Mapping[str, str] | None = None,
) -> tuple[list[Conflict], list[ClusterValue]]:
    """Conflicts (most pressing first) and the values of their clusters.

    `copies` names the original of every document that has a copy or is one: what only copies of one document disagree about has one
    cause, and gets one cluster id.

    `statements[i].index` is i, as the findings refer to them. The result depends on nothing but the content of the arguments: not
    on the order of findings or documents, nor on the clock.
    """
    return _Resolution(statements, documents, config, as_of, copies or {}).run(findings)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A row before it has its identity."""

    cluster: Cluster
    finding: Finding
    outcome: Outcome


class _Resolution:
    """The arguments of a resolution, and its steps."""

    def __init__(
        self,
        statements: Sequence[Statement],
        documents: Iterable[Document],
        config: Config,
        as_of: date,
        copies: Mapping[str, str],
    ) -> None:
        self._statements = statements
        self._copies = copies
        self._documents = {document.doc_id: document for document in documents}
        self._config = config
        self._as_of = as_of
        self._factors: dict[str, float] = {}  # id of a cluster → factor by which the amounts of the two tables differ throughout
        self._shared: dict[str, str] = {}  # id of a cluster of one fact → the id that it shares with others of the same cause

    def run(self, findings: Iterable[Finding]) -> tuple[list[Conflict], list[ClusterValue]]:
        """Cluster, decide, and write the rows."""
        # What the owner calls valid on both sides is settled: it must neither tie other findings together nor bear on their winner.
        unsettled: list[Finding] = []
        settled: list[Finding] = []
        for finding in findings:
            (settled if self._both_valid(finding) else unsettled).append(finding)
        drafts: list[_Draft] = []
        values: list[ClusterValue] = []
        clusters = build(unsettled, self._statements, self._documents)
        self._shared = self._shared_ids(clusters)
        for cluster in clusters:
            decision = decide(Case(cluster, self._documents, self._config.rule, self._as_of))
            drafts += self._drafts(cluster, decision)
            values += self._values(cluster, decision.winners)
        settled_clusters = build(settled, self._statements, self._documents, "dismissed")
        self._shared |= self._shared_ids(settled_clusters, "dismissed")
        for cluster in settled_clusters:
            drafts += self._drafts(cluster, None)
            values += self._values(cluster, frozenset())
        conflicts = [self._conflict(draft, ordinal) for draft, ordinal in self._numbered(drafts)]
        conflicts.sort(key=lambda c: (TIER_ORDER.get(c.tier, len(TIER_ORDER)), -round(c.confidence, 4), c.conflict_id))
        return conflicts, sorted(values, key=lambda row: row.cluster_id)  # stable: the order within a cluster stays

    def _both_valid(self, finding: Finding) -> bool:
        doc_a, doc_b = (self._statements[index].doc_id for index in (finding.a, finding.b))
        rule = first_rule(self._config.rule, doc_a, doc_b, (f"{finding.entity_key} {finding.attribute}",))
        return rule is not None and rule.both_valid

    # -- rows ----------------------------------------------------------------------------------------------------------------------

    def _drafts(self, cluster: Cluster, decision: Decision | None) -> Iterator[_Draft]:
        ranked: Mapping[tuple[str, str], Ranked] = {}
        if decision is not None and not decision.winners:
            sources = rank_sources(cluster, self._statements, self._documents, self._as_of)
            ranked = {(source.document, source.value): source for source in sources if source.value not in decision.ruled_out}
        for i in representatives(cluster, self._statements, self._documents):
            seen = DISMISSED if decision is None else outcome(cluster, i, decision)
            yield _Draft(cluster, cluster.findings[i], self._advised(seen, cluster, i, ranked))

    def _advised(self, seen: Outcome, cluster: Cluster, i: int, ranked: Mapping[tuple[str, str], Ranked]) -> Outcome:
        """The outcome with a word about the two sources, where the rules leave it to somebody. It changes nothing else."""
        finding, values = cluster.findings[i], cluster.values[i]
        sources = [
            ranked.get((self._statements[statement].doc_id, value))
            for statement, value in zip((finding.a, finding.b), values, strict=True)
        ]
        if seen.rules != (Escalate.name,) or sources[0] is None or sources[1] is None or not seen.trace:
            return seen
        said = advice(sources[0], sources[1])
        return replace(seen, trace=(*seen.trace[:-1], f"{seen.trace[-1]}; {said}")) if said else seen

    def _numbered(self, drafts: list[_Draft]) -> Iterator[tuple[_Draft, int]]:
        """Rows with the ordinal that separates those of equal documents and fact keys, in reading order."""
        equal: dict[tuple[tuple[str, str], ...], list[_Draft]] = defaultdict(list)
        for draft in drafts:
            equal[tuple(sorted(self._identities(draft.finding)))].append(draft)
        for group in equal.values():
            yield from ((draft, ordinal) for ordinal, draft in enumerate(sorted(group, key=self._reading_order)))

    def _identities(self, finding: Finding) -> tuple[tuple[str, str], tuple[str, str]]:
        return (self._statements[finding.a].doc_id, finding.key_a), (self._statements[finding.b].doc_id, finding.key_b)

    def _reading_order(self, draft: _Draft) -> tuple[int, int, tuple[int, int], tuple[int, int], str, str]:
        f = draft.finding
        return self._statements[f.a].start, self._statements[f.b].start, f.span_a, f.span_b, f.kind, f.attribute

    def _conflict(self, draft: _Draft, ordinal: int) -> Conflict:
        finding, outcome = draft.finding, draft.outcome
        statement_a, statement_b = self._statements[finding.a], self._statements[finding.b]
        document_a, document_b = self._documents[statement_a.doc_id], self._documents[statement_b.doc_id]
        factor = self._factors.get(draft.cluster.cluster_id)
        claim_a, claim_b = claims_of(finding)
        a, b = build_side(statement_a, document_a, claim_a), build_side(statement_b, document_b, claim_b)
        return Conflict(
            conflict_id=ids.conflict_id(*self._identities(finding), ordinal),
            content_hash=ids.content_hash((a.value, a.quote), (b.value, b.quote)),
            cluster_id=self._shared.get(draft.cluster.cluster_id, draft.cluster.cluster_id),
            kind=finding.kind,
            detectors=finding.detectors,
            fields=finding.fields,
            attribute=finding.attribute,
            entity_key=finding.entity_key,
            category=categorise(finding, (statement_a, statement_b), (document_a, document_b)),
            tier=Tier.ADVISORY.value if outcome.status == "dismissed" or factor is not None else finding.tier,
            confidence=finding.confidence,
            topic_similarity=finding.topic_similarity,
            via=finding.via,
            a=a,
            b=b,
            rule_applied=outcome.rules,
            rule_trace=outcome.trace,
            winner=outcome.winner,
            loser_retained=True,
            status=outcome.status,
            explanation=finding.explanation + (_TWO_BASES.format(factor) if factor is not None else ""),
            features=finding.features,
        )

    def _shared_ids(self, clusters: Iterable[Cluster], namespace: str = "") -> dict[str, str]:
        """Ids that clusters of one cause share. Each stays a fact of its own, with its own winner.

        Where only copies of one document disagree, the stale copy is the one cause. Where rows of tables in the same two documents
        disagree time and again, one of the two was not kept up, or both mean something else by their figures; nobody wants to read
        that once for each row. Hints and findings of the main list stay apart. What tables differ by throughout goes into `_factors`.
        """
        copies: dict[str, list[Cluster]] = defaultdict(list)
        tables: dict[str, list[Cluster]] = defaultdict(list)
        for cluster in clusters:
            documents = {name for holding in cluster.holdings.values() for name in holding.documents}
            if (original := within(documents, self._copies)) is not None:
                copies[ids.copies_id(original)].append(cluster)
            elif len(documents) == 2 and self._between_rows(cluster):
                best = cluster.findings[0]
                listed = "hints" if best.tier == Tier.ADVISORY.value else "findings"
                tables[ids.tables_id(documents, namespace, best.kind, listed)].append(cluster)
        shared = {cluster.cluster_id: identity for identity, members in copies.items() for cluster in _told_apart(members)}
        for identity, members in tables.items():
            if len(apart := _told_apart(members)) >= ROWS_OF_ONE_CAUSE:
                shared |= {cluster.cluster_id: identity for cluster in apart}
            if (factor := one_factor([_first_values(cluster) for cluster in members])) is not None:
                self._factors |= {cluster.cluster_id: factor for cluster in members}
        return shared

    def _between_rows(self, cluster: Cluster) -> bool:
        return all(
            self._statements[index].kind is BlockKind.ROW for finding in cluster.findings for index in (finding.a, finding.b)
        )

    def _values(self, cluster: Cluster, winners: frozenset[str]) -> list[ClusterValue]:
        """Rows of the cluster, the value that most documents hold first."""
        identity = self._shared.get(cluster.cluster_id, cluster.cluster_id)
        held = {key: [self._documents[name] for name in holding.documents] for key, holding in cluster.holdings.items()}
        latest = {key: max((day for d in docs if (day := own_date(d))), default=None) for key, docs in held.items()}
        newest = max((day for day in latest.values() if day is not None), default=None)
        ranks = {key: min(SOURCE_RANK.get(d.tier, 1) for d in docs) for key, docs in held.items()}
        counts = sorted((len(docs) for docs in held.values()), reverse=True)
        rows = [
            ClusterValue(
                cluster_id=identity,
                entity_key=cluster.entity_key,
                attribute=cluster.attribute,
                value=cluster.holdings[key].value,
                documents=cluster.holdings[key].documents,
                newest=newest is not None and latest[key] == newest,
                authoritative=len(set(ranks.values())) > 1 and ranks[key] == min(ranks.values()),
                majority=len(docs) == counts[0] and (len(counts) == 1 or counts[0] > counts[1]),
                winning=key in winners,
            )
            for key, docs in held.items()
        ]
        return sorted(rows, key=lambda row: (-len(row.documents), row.value))


def _told_apart(clusters: Sequence[Cluster]) -> list[Cluster]:
    """Those whose name no other has: within a shared id facts are told apart by what they are called."""
    names = Counter((cluster.entity_key, cluster.attribute) for cluster in clusters)
    return [cluster for cluster in clusters if names[cluster.entity_key, cluster.attribute] == 1]


def _first_values(cluster: Cluster) -> tuple[str, str]:
    return cluster.findings[0].value_a, cluster.findings[0].value_b
