"""What a report says, worked out once for HTML and Markdown; the templates only lay it out.

Texts are the documents' own, uncut and unescaped: the templates' environments do both for every text they print.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from auditor.format.overview import Overview, build_overview
from auditor.format.since import Since, build_since, states
from auditor.format.summary import plain_documents, points, scanned, summary
from auditor.format.text import Segment, differing_marks, one_line, restore_case, safe_url, segments
from auditor.format.words import BADGES, RULES, SOURCE_TIERS, plural
from auditor.history import SETTLED
from auditor.model import TIER_ORDER, ClusterValue, Conflict, DocumentRow, ScanResult, Side
from auditor.store import in_order

_TITLE_VALUES = 4  # values named in the heading of a fact
_TITLE_VALUE_LENGTH = 60
_VALUE_LENGTH = 200
_EARLIER = 3  # earlier decisions shown with a pair
_SOMEWHAT_ALIKE, _NEARLY_THE_SAME = 0.4, 0.7


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
class ClusterView:
    """One fact: its values, and the pairs of passages that disagree about it."""

    number: int
    subject: str
    claims: tuple[str, ...]  # "100/min in 2 documents"
    tier: str
    values: tuple[ValueView, ...]
    pairs: tuple[PairView, ...]

    @property
    def winning(self) -> str:
        """The value the rules suggest, "" when they suggest none."""
        return next((value.value for value in self.values if BADGES["winning"] in value.badges), "")


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
    notices: tuple[str, ...]
    clusters: tuple[ClusterView, ...]  # best tier high or medium
    advisory: tuple[ClusterView, ...]
    rules: tuple[str, ...]  # those that the report mentions
    categories: tuple[str, ...]

    @property
    def total(self) -> int:
        """Number of conflicts."""
        return sum(count for _, count in self.tiers)


def build_view(result: ScanResult) -> ReportView:
    """The report of a scan."""
    conflicts = in_order(result.conflicts)
    clusters = _clusters(conflicts, result)
    tiers = Counter(conflict.tier for conflict in conflicts)
    kinds = Counter(conflict.kind for conflict in conflicts)
    deciding = {conflict.rule_applied[-1] for conflict in conflicts if conflict.rule_applied}
    categories = {conflict.category for conflict in conflicts}
    skipped = tuple(row for row in result.documents if row.skipped_reason is not None)
    since = build_since(result)
    overview = build_overview(conflicts, result.documents, result.as_of)
    main = tuple(cluster for cluster in clusters if cluster.tier != "advisory")
    return ReportView(
        corpus=one_line(result.corpus, 120),
        as_of=result.as_of,
        title=one_line(result.branding.title, 160),
        customer=one_line(result.branding.customer, 120),
        logo=result.branding.logo,
        summary=summary(result, conflicts, len(clusters), len(skipped)),
        points=points(overview, [cluster.subject for cluster in main], skipped, since) if conflicts else (),
        scanned=tuple(scanned(result, len(skipped))),
        overview=overview,
        documents=tuple(row.path for row in result.documents),
        since=since,
        tiers=tuple((tier, tiers[tier]) for tier in TIER_ORDER),
        kinds=tuple(sorted(kinds.items(), key=lambda item: (-item[1], item[0]))),
        read=len(result.documents) - len(skipped),
        skipped=skipped,
        plain=plain_documents(result),
        expired=tuple(row for row in result.documents if row.expired(result.as_of)),
        notices=result.notices,
        clusters=main,
        advisory=tuple(cluster for cluster in clusters if cluster.tier == "advisory"),
        rules=tuple(rule for rule in RULES if rule in deciding),
        categories=tuple(category for category in ("outdated", "factual", "opinion") if category in categories),
    )


def _clusters(conflicts: Sequence[Conflict], result: ScanResult) -> list[ClusterView]:
    """Clusters in the order of their best pair: `conflicts` is sorted, so that is the order in which they appear."""
    pairs: dict[str, list[Conflict]] = defaultdict(list)
    for conflict in conflicts:
        pairs[conflict.cluster_id].append(conflict)
    values: dict[str, list[ClusterValue]] = defaultdict(list)
    for row in result.clusters:
        values[row.cluster_id].append(row)
    decided: dict[str, list[Conflict]] = defaultdict(list)
    for conflict in conflicts:
        if conflict.status in SETTLED and conflict.reviewer_decision:
            decided[conflict.entity_key].append(conflict)
    since, why = states(result), {**result.review.reasons, **result.review.reopened}

    def view(conflict: Conflict) -> PairView:
        earlier = [other for other in decided.get(conflict.entity_key, ()) if other is not conflict][:_EARLIER]
        return _pair(conflict, earlier, since.get(conflict.conflict_id, ""), why.get(conflict.conflict_id, ""))

    return [
        _cluster(n, held, values.get(key, ()), tuple(view(conflict) for conflict in held))
        for n, (key, held) in enumerate(pairs.items(), start=1)
    ]


def _cluster(number: int, conflicts: Sequence[Conflict], rows: Sequence[ClusterValue], pairs: tuple[PairView, ...]) -> ClusterView:
    best = conflicts[0]
    if len({(row.entity_key, row.attribute) for row in rows}) > 1:
        return _copies(number, best, rows, pairs)
    values = [_value(row) for row in rows] or _values_of(conflicts)
    values.sort(key=lambda value: (-len(value.documents), value.value))
    claims = []
    for n, value in enumerate(values[:_TITLE_VALUES]):
        holders = len(value.documents)
        claims.append(f"{one_line(value.value, _TITLE_VALUE_LENGTH)} in {holders if n else plural(holders, 'document')}")
    if len(values) > _TITLE_VALUES:
        claims.append(f"{plural(len(values) - _TITLE_VALUES, 'more value')}")
    return ClusterView(number, _subject(best), tuple(claims), best.tier, tuple(values), pairs)


def _copies(number: int, best: Conflict, rows: Sequence[ClusterValue], pairs: tuple[PairView, ...]) -> ClusterView:
    """A document and its copies: the one cause of all that they disagree about."""
    holders = sorted({name for row in rows for name in row.documents})
    facts = len({(row.entity_key, row.attribute) for row in rows})
    values = tuple(
        replace(_value(row), value=one_line(f"{row.attribute or row.entity_key}: {row.value}", _VALUE_LENGTH)) for row in rows
    )
    title = one_line(best.a.title or best.b.title, 120)
    return ClusterView(
        number, f"Copies of “{title}”", (f"{facts} differences in {len(holders)} documents",), best.tier, values, pairs
    )


def _subject(conflict: Conflict) -> str:
    """What the fact is about: the entity, and the attribute where it adds something."""
    sources = [text for side in (conflict.a, conflict.b) for text in (side.statement, side.heading, side.title)]
    entity, attribute = (restore_case(text, sources) for text in (conflict.entity_key, conflict.attribute))
    if not entity or not attribute or set(attribute.lower().split()) <= set(entity.lower().split()):
        return one_line(entity or attribute or conflict.a.title, 120)
    if set(entity.lower().split()) <= set(attribute.lower().split()):
        return one_line(attribute, 120)
    if attribute[1:2].islower():
        attribute = attribute[0].lower() + attribute[1:]
    return f"{one_line(entity, 120)}: {one_line(attribute, 120)}"


def _value(row: ClusterValue) -> ValueView:
    return ValueView(
        one_line(row.value, _VALUE_LENGTH), row.documents, tuple(word for name, word in BADGES.items() if getattr(row, name))
    )


def _values_of(conflicts: Sequence[Conflict]) -> list[ValueView]:
    """The values of the pairs themselves, for a cluster without rows."""
    held: dict[str, set[str]] = defaultdict(set)
    for conflict in conflicts:
        for side in (conflict.a, conflict.b):
            held[side.value].add(side.doc)
    return [ValueView(one_line(value, _VALUE_LENGTH), tuple(sorted(documents)), ()) for value, documents in held.items()]


def _pair(conflict: Conflict, earlier: Sequence[Conflict], since: str, why: str) -> PairView:
    a, b = conflict.a, conflict.b
    # Without marks (a report made from the tables of an earlier run) the differing words are the best guess at the deciding ones;
    # beside marks they are a help only where the passages are nearly the same.
    differ_a, differ_b = differing_marks(a.quote, b.quote, _NEARLY_THE_SAME if a.marks and b.marks else _SOMEWHAT_ALIKE)
    rule = conflict.rule_applied[-1] if conflict.rule_applied else "escalate"
    reasons = [trace.partition(":") for trace in conflict.rule_trace]
    reason = next((why.strip() for name, _, why in reasons if name == rule and why.strip()), "")
    return PairView(
        conflict=conflict,
        sides=(_side("A", a, differ_a, conflict.winner == "a"), _side("B", b, differ_b, conflict.winner == "b")),
        scope_note=scope_note(a.scope, b.scope),
        rule=rule,
        reason=reason or RULES.get(rule, ""),
        declined=tuple(trace for trace, (name, _, _) in zip(conflict.rule_trace, reasons, strict=True) if name != rule),
        earlier=tuple(earlier),
        since=since,
        why=one_line(why, 300),
    )


def _side(letter: str, side: Side, differences: Sequence[tuple[int, int]], suggested: bool) -> SideView:
    quote = segments(side.quote, side.marks, differences) if side.marks else segments(side.quote, differences)
    same = " ".join(side.statement.split()) == " ".join(side.quote.split())
    dates = (("effective", side.effective), ("published", side.published))
    return SideView(
        letter=letter,
        side=side,
        value=one_line(side.value, _VALUE_LENGTH),
        quote=quote,
        reading="" if same else one_line(side.statement, 300),
        url=safe_url(side.url),
        place=_place(side),
        dates=tuple((label, day) for label, day in dates if day is not None),
        source=SOURCE_TIERS.get(side.source_tier, side.source_tier),
        suggested=suggested,
    )


def _place(side: Side) -> str:
    """Where in the document, in words: "line 12–14", "sheet Prices!B7"."""
    if side.locator:
        name, _, where = side.locator.partition("=")
        if not where:
            return name
        if name == "line":
            first, _, last = where.partition("-")
            return f"lines {first}–{last}" if last and last != first else f"line {first}"
        return f"{name} {where}" + (f", line {side.line_start}" if side.line_start is not None else "")
    if side.page is not None:
        return f"page {side.page}"
    return f"line {side.line_start}" if side.line_start is not None else ""


def scope_note(scope_a: str, scope_b: str) -> str:
    """A sentence about limits that only one of two statements names, "" when both name the same."""
    slots_a, slots_b = _slots(scope_a), _slots(scope_b)
    only_a = "; ".join(text for name, text in slots_a.items() if name not in slots_b)
    only_b = "; ".join(text for name, text in slots_b.items() if name not in slots_a)
    if only_a and only_b:
        return f"A is limited to {only_a}, B to {only_b}."
    if only_a or only_b:
        limited, general = ("A", "B") if only_a else ("B", "A")
        return f"Only {limited} is limited to {only_a or only_b}; {general} does not say."
    return ""


def _slots(scope: str) -> Mapping[str, str]:
    return {part.partition(":")[0].strip(): part.strip() for part in scope.split(";") if part.strip()}
