"""How findings are put into words: attribute, entity, scope, explanation, and the value-free keys of identity."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from auditor.model import BlockKind, Fact, FactKind, Finding, Statement, Tier
from auditor.ports import Verdict
from auditor.text.words import tokens

_SLOT_NAMES = {"plan_actual": "plan or actual"}


def _surface(statement: Statement, concept_weights: dict[str, float], fact: Fact, limit: int = 3) -> list[str]:
    """Words of a statement that stand for the given attribute, in reading order, as they are written."""
    chosen = {c for c, _ in sorted(concept_weights.items(), key=lambda kv: (-kv[1], kv[0]))[:limit]}
    seen: list[str] = []
    for token in tokens(statement.text):
        if token.is_stop or token.is_number or fact.start <= token.start < fact.end:
            continue
        if token.stem in chosen and token.lower not in seen:
            seen.append(token.lower)
    return seen


def attribute_of(a: Fact, b: Fact, sa: Statement, sb: Statement) -> str:
    """What the values are values of, in words of side a: the counted noun, the column, or the shared words nearest to the value."""
    for fact, statement in ((a, sa), (b, sb)):
        if fact.kind is FactKind.COUNT and fact.head:
            span = [t for t in tokens(statement.text[fact.start : fact.end]) if not t.is_number and not t.is_stop]
            named = [t.lower for t in span if t.lower.startswith(fact.head[:4])]
            return named[0] if named else span[0].lower if span else fact.head
        if statement.kind is BlockKind.ROW and statement.column:
            return statement.column.strip(" *_`:").lower()
    if a.kind is FactKind.IDENTIFIER:
        return a.value.unit
    shared = {c: min(a.attribute[c], b.attribute[c]) for c in a.attribute.keys() & b.attribute.keys()}
    words = _surface(sa, shared, a) or _surface(sa, dict(a.attribute), a)
    return " ".join(words[:3]) or str(a.kind)


def entity_of(a: Fact, b: Fact, sa: Statement, sb: Statement) -> str:
    """The thing the claim is about: row key, shared names, shared context, else the title."""
    if sa.row_key and sa.row_key.strip().lower() == sb.row_key.strip().lower():
        return sa.row_key.strip(" *_`")
    names = a.names & b.names
    found = [t.text for t in tokens(sa.text) if t.stem in names and len(t.text) > 1 and not a.start <= t.start < a.end]
    if found:
        return " ".join(dict.fromkeys(found[:3]))
    for fact, statement, other in ((a, sa, b), (b, sb, a)):
        for text in (*reversed(statement.heading), statement.title):
            stems = {t.stem for t in tokens(text)}
            if stems & (other.names | other.context | set(other.attribute)) and fact.context:
                return text
    return sa.heading[-1] if sa.heading else sa.title


def entity_of_statements(sa: Statement, sb: Statement) -> str:
    """The thing two statements are about, where no fact tells: the shared heading, else the first one's."""
    shared = [h for h in sa.heading if h in sb.heading]
    return shared[-1] if shared else (sa.heading[-1] if sa.heading else sa.title)


def context_key(statement: Statement) -> str:
    """Key of a statement by where it stands and its content words, for findings without typed facts."""
    words = sorted({t.stem for t in tokens(statement.text) if not t.is_stop and not t.is_number})
    heading = statement.heading[-1].lower() if statement.heading else ""
    return hashlib.sha256(f"text\0{heading}\0{' '.join(words)}".encode()).hexdigest()[:16]


def matter_of(sa: Statement, sb: Statement) -> str:
    """What two statements without typed facts are both about: up to three words they share, in the order of the first."""
    known = {t.stem for t in tokens(f"{sb.title} {' '.join(sb.heading)} {sb.text}") if not t.is_stop and not t.is_number}
    shared = [t.lower for t in tokens(sa.text[sa.body :]) if t.stem in known and len(t.text) > 2]
    return " ".join(list(dict.fromkeys(shared))[:3]) or "statement"


def untyped_finding(
    sa: Statement,
    sb: Statement,
    *,
    detector: str,
    field: str,
    attribute: str,
    tier: Tier,
    confidence: float,
    topic_similarity: float,
    via: tuple[str, ...],
    explanation: str,
    features: Mapping[str, float],
) -> Finding:
    """A finding of kind "nli": two passages contradict each other as a model reads them, no typed facts were compared."""
    return Finding(
        a=sa.index,
        b=sb.index,
        kind="nli",
        detectors=(detector,),
        fields=(field,),
        attribute=attribute,
        entity_key=entity_of_statements(sa, sb),
        key_a=context_key(sa),
        key_b=context_key(sb),
        value_a=_shortened(sa),
        value_b=_shortened(sb),
        span_a=(sa.body, len(sa.text)),
        span_b=(sb.body, len(sb.text)),
        scope_a="",
        scope_b="",
        one_sided=(),
        specific=None,
        opinion=False,
        tier=str(tier),
        confidence=confidence,
        topic_similarity=topic_similarity,
        via=via,
        explanation=explanation,
        features=features,
    )


def _shortened(statement: Statement) -> str:
    """The own words of a statement, as the value of a finding without typed facts."""
    text = statement.text[statement.body :]
    return text if len(text) <= 120 else text[:117] + "…"


def readable_scope(fact: Fact) -> str:
    """Scope as text: "plan: enterprise; region: eu"."""
    parts = [
        f"{_SLOT_NAMES.get(slot, slot)}: {', '.join(sorted(words))}"
        for slot, words in sorted(fact.scope.items())
        if not slot.startswith("contrast")
    ]
    return "; ".join(parts)


def fact_key(fact: Fact, statement: Statement) -> str:
    """Key of a fact without its value: survives moved lines, reformatting and changed values."""
    words = sorted(c for c, w in fact.attribute.items() if w >= 0.5)
    heading = statement.heading[-1].lower() if statement.heading else ""
    material = "\0".join(
        (
            fact.kind.value,
            fact.value.unit,
            fact.head,
            " ".join(words),
            re.sub(r"\W+", " ", heading),
            statement.row_key.lower(),
            statement.column.lower(),
        )
    )
    return hashlib.sha256(material.encode()).hexdigest()[:16]


_FIELD_WORDS = {
    "basis": "count the period from different events",
    "modality": "set different rules",
    "status": "give different states",
    "negation": "assert and deny",
    "direction": "report opposite directions",
    "support": "disagree on what is supported",
}


def explain(a: Fact, b: Fact, sa: Statement, sb: Statement, verdict: Verdict, attribute: str, one_sided: tuple[str, ...]) -> str:
    """One sentence a document owner understands."""
    where = "The document" if sa.doc_id == sb.doc_id else f"“{sa.title}” and “{sb.title}”"
    says = "says both" if sa.doc_id == sb.doc_id else "disagree on"
    subject = f"{attribute}"
    if verdict.differs in _FIELD_WORDS and verdict.differs != "basis":
        text = f"{where} {says if sa.doc_id != sb.doc_id else 'disagrees with itself on'} {subject}: “{a.value.text}” against “{b.value.text}”."
    elif verdict.differs == "basis":
        text = f"{where} {'count' if sa.doc_id != sb.doc_id else 'counts'} the same period from different events: “{a.value.text}” and “{b.value.text}”."
    else:
        text = f"{where} {'give' if sa.doc_id != sb.doc_id else 'gives'} different values for {subject}: {a.value.text} and {b.value.text}."
    if one_sided:
        slots = ", ".join(_SLOT_NAMES.get(s, s) for s in one_sided)
        text += f" Only one side names {'an' if slots[0] in 'aeiou' else 'a'} {slots}; check whether both mean the same case."
    return text
