"""What a report says, worked out once for HTML and Markdown; the templates only lay it out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from auditor.cluster_facts import by_label, facts_in
from auditor.format.copies import Repeats
from auditor.format.overview import build_overview
from auditor.format.since import build_since, states
from auditor.format.summary import plain_documents, points, scanned, summary
from auditor.format.text import differing_marks, one_line, restore_case, safe_url, segments
from auditor.format.views import ClusterView, FactView, PairView, ReportView, SideView, ValueView
from auditor.format.words import BADGES, RULES, SOURCE_TIERS, plural
from auditor.history import SETTLED
from auditor.model import TIER_ORDER, ClusterValue, Conflict, ScanResult, Side
from auditor.places import place_of
from auditor.store import in_order

_TITLE_VALUES = 4  # values named in the heading of a fact
_TITLE_VALUE_LENGTH = 60
_VALUE_LENGTH = 200
_PLACE_LENGTH = 120
_EARLIER = 3  # earlier decisions shown with a pair
_SOMEWHAT_ALIKE, _NEARLY_THE_SAME = 0.4, 0.7


def build_view(result: ScanResult) -> ReportView:
    """The report of a scan."""
    conflicts = in_order(result.conflicts)
    repeats = Repeats(result)
    clusters = _clusters(conflicts, result, repeats)
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
        summary=summary(result, conflicts, sum(len(cluster.facts) or 1 for cluster in clusters), len(skipped)),
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
        partial=tuple(row for row in result.documents if row.notices),
        copies=repeats.views({key: n for n, key in enumerate(dict.fromkeys(c.cluster_id for c in conflicts), start=1)}),
        notices=result.notices,
        clusters=main,
        advisory=tuple(cluster for cluster in clusters if cluster.tier == "advisory"),
        rules=tuple(rule for rule in RULES if rule in deciding),
        categories=tuple(category for category in ("outdated", "factual", "opinion") if category in categories),
    )


def _clusters(conflicts: Sequence[Conflict], result: ScanResult, repeats: Repeats) -> list[ClusterView]:
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
        _cluster(n, held, values.get(key, ()), tuple(view(conflict) for conflict in held), repeats)
        for n, (key, held) in enumerate(pairs.items(), start=1)
    ]


def _cluster(
    number: int, conflicts: Sequence[Conflict], rows: Sequence[ClusterValue], pairs: tuple[PairView, ...], repeats: Repeats
) -> ClusterView:
    best = conflicts[0]
    if len(by_label(rows)) > 1:
        return _of_one_cause(number, conflicts, rows, pairs, repeats)
    values = [_value(row) for row in rows] or _values_of(conflicts)
    values.sort(key=lambda value: (-len(value.documents), value.value))
    claims = []
    for n, value in enumerate(values[:_TITLE_VALUES]):
        holders = len(value.documents)
        claims.append(f"{one_line(value.value, _TITLE_VALUE_LENGTH)} in {holders if n else plural(holders, 'document')}")
    if len(values) > _TITLE_VALUES:
        claims.append(f"{plural(len(values) - _TITLE_VALUES, 'more value')}")
    involved = {document for row in rows for document in row.documents}
    notes = repeats.notes(involved) if repeats.are_copies(involved) else ()
    return ClusterView(number, _subject(best), tuple(claims), best.tier, tuple(values), pairs, notes=notes)


def _of_one_cause(
    number: int, conflicts: Sequence[Conflict], rows: Sequence[ClusterValue], pairs: tuple[PairView, ...], repeats: Repeats
) -> ClusterView:
    """Several facts with one cause: what a document and its copies disagree about, or the tables of two documents."""
    best = conflicts[0]
    holders = {document for row in rows for document in row.documents}
    if repeats.are_copies(holders):
        original = repeats.original(holders)
        title = one_line((original.title or original.path) if original is not None else (best.a.title or best.a.doc), 120)
        subject, notes = f"{title} and its copies", repeats.notes(holders)
    else:
        title = ""
        subject = " and ".join(one_line(side.title or side.doc, 120) for side in (best.a, best.b)) + ": their tables"
        notes = ("All of these stand in tables of the same two documents: look for one cause before you look at each.",)
    facts = tuple(
        FactView(
            _within(title, _subject(fact.conflicts[0])) if fact.conflicts else one_line(" ".join(filter(None, fact.label)), 120),
            tuple(_value(row) for row in fact.values) or tuple(_values_of(fact.conflicts)),
            fact.conflicts[0].conflict_id if fact.conflicts else "",
        )
        for fact in facts_in(conflicts, rows)
    )
    return ClusterView(
        number,
        subject,
        (f"{plural(len(facts), 'difference')} in {plural(len(holders), 'document')}",),
        best.tier,
        tuple(value for fact in facts for value in fact.values),
        pairs,
        facts,
        notes,
    )


def _within(title: str, subject: str) -> str:
    """A subject without the title of the document, where that has been said."""
    rest = subject.removeprefix(f"{title}: ") if title else subject
    return rest[:1].upper() + rest[1:]


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
        place=one_line(place_of(side), _PLACE_LENGTH),
        dates=tuple((label, day) for label, day in dates if day is not None),
        source=SOURCE_TIERS.get(side.source_tier, side.source_tier),
        suggested=suggested,
    )


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
