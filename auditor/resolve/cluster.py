"""Clusters: findings that are about one fact, and the values that documents give for it.

Two findings are about one fact when one passage takes part in both with the same value of the same fact, or with an identical copy
of it. They stay apart when they are limited to different things: a cluster of electronics and one of furniture may share the
general rule that both deviate from, but nothing that is decided about one must reach the other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from auditor.model import TIER_ORDER, Document, Finding, Statement
from auditor.resolve import ids
from auditor.resolve.scopes import ScopeSet, agreed, one_sided

SOURCE_RANK: Mapping[str, int] = {"primary": 0, "secondary": 1, "tertiary": 2, "archive": 3}


@dataclass(frozen=True, slots=True)
class Claim:
    """One side of a finding: a passage and the value that it gives."""

    statement: int
    span: tuple[int, int]
    key: str  # value-free fact key
    value: str
    scope: str


@dataclass(slots=True)
class Holding:
    """A value of a cluster: how it reads, the claims, and the documents that hold it (copies included)."""

    value: str
    claims: list[Claim] = field(default_factory=list)
    documents: tuple[str, ...] = ()


@dataclass(slots=True)
class Cluster:
    """Findings about one fact. `holdings` maps the identity of a value to what is known of it."""

    cluster_id: str
    entity_key: str
    attribute: str
    findings: list[Finding]  # best first
    holdings: dict[str, Holding]
    values: list[tuple[str, str]]  # for each finding: identities of the values of a and b
    topics: tuple[str, ...]  # every name that the findings give the fact


def claims_of(finding: Finding) -> tuple[Claim, Claim]:
    """Both sides of a finding."""
    return (
        Claim(finding.a, finding.span_a, finding.key_a, finding.value_a, finding.scope_a),
        Claim(finding.b, finding.span_b, finding.key_b, finding.value_b, finding.scope_b),
    )


def build(
    findings: Iterable[Finding], statements: Sequence[Statement], documents: Mapping[str, Document], namespace: str = ""
) -> list[Cluster]:
    """Clusters of the findings. Nothing depends on the order in which the findings come.

    `namespace` keeps the ids of clusters apart that are built separately.
    """
    ordered = sorted(findings, key=lambda finding: _order(finding, statements, documents))
    groups = _Joiner(ordered, statements).groups()
    copies = _copies(ordered, statements)
    # Clusters that look alike from outside are numbered in the order of their first passage.
    named: dict[tuple[str, str, str, tuple[str, ...]], list[tuple[tuple[str, str, int], list[int]]]] = defaultdict(list)
    for members in groups:
        entity, attribute = _label([ordered[i] for i in members])
        scope = ScopeSet(s for i in members for s in (ordered[i].scope_a, ordered[i].scope_b)).signature()
        anchor = min((statements[c.statement].doc_id, c.key, c.statement) for i in members for c in claims_of(ordered[i]))
        named[(ordered[members[0]].kind, ids.normalised(entity), ids.normalised(attribute), scope)].append((anchor, members))
    clusters = []
    for (kind, entity, attribute, scope), equal in named.items():
        for ordinal, (_, members) in enumerate(sorted(equal)):
            identity = ids.cluster_id(namespace + kind, entity, attribute, scope, ordinal)
            clusters.append(_cluster(identity, [ordered[i] for i in members], statements, copies))
    return sorted(clusters, key=lambda cluster: cluster.cluster_id)


def representatives(cluster: Cluster, statements: Sequence[Statement], documents: Mapping[str, Document]) -> Iterator[int]:
    """Positions of the findings that get a row: one for each pair of passages with their values, copies counting as one passage.

    Findings come best first (tier and confidence, then the sources of higher authority, then the names), so that the first of a
    kind represents it.
    """
    seen: set[tuple[tuple[str, str], ...]] = set()
    for position, (finding, (value_a, value_b)) in enumerate(zip(cluster.findings, cluster.values, strict=True)):
        pair = tuple(
            sorted(
                (value, ids.normalised(_quote(statements[index], documents)))
                for value, index in ((value_a, finding.a), (value_b, finding.b))
            )
        )
        if pair not in seen:
            seen.add(pair)
            yield position


# -- joining -----------------------------------------------------------------------------------------------------------------------


class _Joiner:
    """Union-find that refuses to join what excludes each other."""

    def __init__(self, findings: Sequence[Finding], statements: Sequence[Statement]) -> None:
        self._findings = findings
        self._parent = list(range(len(findings)))
        self._scopes = [ScopeSet((f.scope_a, f.scope_b)) for f in findings]
        self._agreed = agreed((f.scope_a, f.scope_b, f.one_sided) for f in findings)
        # What only one side is limited to has to be the same throughout a cluster: against the general rule, an exception for
        # electronics is another question than the general rule against its own outdated copy.
        self._limits = [one_sided(f.scope_a, f.scope_b, f.one_sided) for f in findings]
        for members in self._linked(statements):
            roots: list[int] = []
            for i in members:
                roots = list(dict.fromkeys(self._root(j) for j in roots))
                for root in roots:
                    self._join(root, i)
                roots.append(i)

    def groups(self) -> list[list[int]]:
        """Positions of the findings of each cluster, ascending."""
        found: dict[int, list[int]] = defaultdict(list)
        for i in range(len(self._findings)):
            found[self._root(i)].append(i)
        return list(found.values())

    def _linked(self, statements: Sequence[Statement]) -> list[list[int]]:
        """Groups of findings that share a passage's fact, in a fixed order."""
        linked: dict[tuple[object, ...], list[int]] = {}
        for i, finding in enumerate(self._findings):
            attribute = ids.normalised(finding.attribute)
            keys: list[tuple[object, ...]] = []
            for claim in claims_of(finding):
                statement = statements[claim.statement]
                # One fact of one statement. Its readable attribute may depend on the other side, its key and place do not.
                keys.append(("statement", finding.kind, claim.statement, claim.span, claim.key))
                keys.append(("statement", finding.kind, claim.statement, claim.span, attribute))
                place = len(ids.normalised(statement.text[: claim.span[0]]))
                text = ids.normalised(statement.text)
                keys.append(("copy", finding.kind, text, place, ids.normalised(finding.entity_key), attribute))
            for key in dict.fromkeys(keys):
                linked.setdefault(key, []).append(i)
        return [members for members in linked.values() if len(members) > 1]

    def _root(self, i: int) -> int:
        while self._parent[i] != i:
            self._parent[i] = self._parent[self._parent[i]]
            i = self._parent[i]
        return i

    def _join(self, i: int, j: int) -> None:
        first, second = sorted((self._root(i), self._root(j)))
        if first == second or self._limits[first] != self._limits[second]:
            return
        if not self._scopes[first].admits(self._scopes[second], self._agreed):
            return
        self._parent[second] = first
        self._scopes[first].absorb(self._scopes[second])


# -- values ------------------------------------------------------------------------------------------------------------------------


def _cluster(
    identity: str,
    findings: list[Finding],
    statements: Sequence[Statement],
    copies: Mapping[tuple[object, ...], tuple[str, ...]],
) -> Cluster:
    # "14 days" of delivery against "14 days" of purchase: where equal values are in conflict, the fact tells them apart.
    ambiguous = {ids.same_value(f.value_a) for f in findings if ids.same_value(f.value_a) == ids.same_value(f.value_b)}
    holdings: dict[str, Holding] = {}
    values = []
    documents: dict[str, set[str]] = defaultdict(set)
    for finding in findings:
        pair = []
        for claim in claims_of(finding):
            statement = statements[claim.statement]
            value = ids.same_value(claim.value)
            if value in ambiguous:
                text = f"{claim.value} (“{_excerpt(statement.text, *claim.span)}”)"
                key = f"{value}\x1f{ids.normalised(statement.text)}"
            else:
                text, key = " ".join(claim.value.split()), value
            holding = holdings.setdefault(key, Holding(text))
            if claim not in holding.claims:
                holding.claims.append(claim)
            documents[key].update((statement.doc_id, *copies.get(_passage(statement), ())))
            pair.append(key)
        values.append((pair[0], pair[1]))
    for key, holding in holdings.items():
        holding.documents = tuple(sorted(documents[key]))
    topics = tuple(sorted({f"{f.entity_key} {f.attribute}".strip() for f in findings}))
    entity, attribute = _label(findings)
    return Cluster(identity, entity, attribute, findings, holdings, values, topics)


def _copies(findings: Iterable[Finding], statements: Sequence[Statement]) -> dict[tuple[object, ...], tuple[str, ...]]:
    """Documents that hold an identical copy of a passage of a finding: same reading under the same title and headings.

    A copy need not have been compared itself. The title has to agree because the same words on the page of another product are
    another claim.
    """
    wanted = {_passage(statements[claim.statement]) for finding in findings for claim in claims_of(finding)}
    found: dict[tuple[object, ...], set[str]] = defaultdict(set)
    for statement in statements:
        if (passage := _passage(statement)) in wanted:
            found[passage].add(statement.doc_id)
    return {passage: tuple(sorted(docs)) for passage, docs in found.items()}


def _passage(statement: Statement) -> tuple[object, ...]:
    return (" ".join(statement.text.casefold().split()), statement.title.casefold(), statement.heading, statement.flags)


def _excerpt(text: str, start: int, end: int, room: int = 30) -> str:
    """The value in its own words with what follows it."""
    return " ".join(text[start : end + room].rpartition(" ")[0].split() if len(text) > end + room else text[start:].split())


def _label(findings: Sequence[Finding]) -> tuple[str, str]:
    """Entity and attribute that most findings name; of equally many the first in the alphabet."""
    count = Counter((f.entity_key, f.attribute) for f in findings)
    return min(count, key=lambda label: (-count[label], label))


def _quote(statement: Statement, documents: Mapping[str, Document]) -> str:
    return documents[statement.doc_id].text[statement.start : statement.end]


def _order(finding: Finding, statements: Sequence[Statement], documents: Mapping[str, Document]) -> tuple[object, ...]:
    a, b = statements[finding.a], statements[finding.b]
    ranks = sorted(SOURCE_RANK.get(documents[s.doc_id].tier, 1) for s in (a, b))
    return (
        TIER_ORDER.get(finding.tier, len(TIER_ORDER)),
        -round(finding.confidence, 4),
        sum(ranks),
        a.doc_id,
        b.doc_id,
        a.start,
        b.start,
        finding.kind,
        finding.key_a,
        finding.key_b,
        finding.span_a,
        finding.span_b,
        finding.attribute,
        finding.value_a,
        finding.value_b,
    )
