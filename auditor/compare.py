"""Comparison of two statements: detectors, scope, score.

The order is cheapest first: what the statements are (history, example, sibling rows), what the values say, whom they hold for, and last
how sure it is that both are about one thing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from auditor.barred import barred
from auditor.detect import reasons
from auditor.exceptions import StatedExceptions, stated_exceptions, yields
from auditor.features import FeatureMaker
from auditor.model import BlockKind, Fact, FactKind, Finding, Rejection, Statement, Tier
from auditor.parallel import Parallels
from auditor.ports import Detector, Verdict
from auditor.registry import detectors
from auditor.rulepack import RulePack
from auditor.scopes import ScopeRelation, clausal, relate
from auditor.wording import attribute_of, entity_of, explain, fact_key, matter_of, readable_scope, untyped_finding

_EQUAL = frozenset({reasons.EQUAL})
_ALIGNS = {"date": frozenset({reasons.EQUAL, reasons.CONTAINED})}
Classes: TypeAlias = Mapping[str, "list[tuple[Detector, Fact]]"]
"""Facts of a statement by comparability class."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A pair of facts that disagree, with everything the score needs."""

    detector: Detector
    a: Fact
    b: Fact
    verdict: Verdict
    scope: ScopeRelation
    features: Mapping[str, float]
    confidence: float


@dataclass(frozen=True, slots=True)
class Known:
    """What the statements of a scan say about one another."""

    copies: Mapping[str, frozenset[str]] = field(default_factory=dict)  # text that stands in several documents → those documents
    exceptions: Mapping[str, list[frozenset[str]]] = field(default_factory=dict)  # section → what it excepts, as concepts

    @classmethod
    def of(cls, statements: Sequence[Statement], concept: Callable[[str], str]) -> Known:
        """Look through all statements."""
        return cls(_copies(statements), stated_exceptions(statements, concept))


class Judge:
    """Compares statements of one scan."""

    def __init__(
        self, rules: RulePack, features: FeatureMaker, statements: Sequence[Statement] = (), *, known: Known | None = None
    ) -> None:
        """`known` is what `statements` say about one another, where that was looked up before."""
        known = known or Known.of(statements, features.concept)
        self.copies = known.copies
        self.exceptions = StatedExceptions(known.exceptions)
        self.rules = rules
        self.features = features
        self.detectors = detectors(rules)
        self.parallels = Parallels(features.concept, features.generic)

    def detector_of(self, fact: Fact) -> Detector | None:
        """The detector that compares this fact, None if it is not compared at all."""
        return next((d for d in self.detectors if d.handles(fact)), None)

    def classes(self, facts: Sequence[Fact]) -> dict[str, list[tuple[Detector, Fact]]]:
        """Facts by comparability class."""
        table: dict[str, list[tuple[Detector, Fact]]] = {}
        for fact in facts:
            detector = self.detector_of(fact)
            if detector is not None:
                table.setdefault(f"{detector.id}/{detector.comparable(fact)}", []).append((detector, fact))
        return table

    def compare(
        self,
        sa: Statement,
        sb: Statement,
        classes_a: Classes,
        classes_b: Classes,
        similarity: float,
    ) -> tuple[list[Compared], list[Rejection]]:
        """Compare two statements: all fact pairs that disagree, with features, and a reason for everything found compatible."""
        rejections: list[Rejection] = []
        shared = classes_a.keys() & classes_b.keys()
        if not shared:
            return [], []
        reason = barred(sa, sb) or self._repeated(sa, sb)
        if reason is not None:
            return [], [Rejection(sa.index, sb.index, "context", *reason)]
        compared: list[Compared] = []
        for name in sorted(shared):
            compared.extend(self._compare_class(sa, classes_a[name], sb, classes_b[name], similarity, rejections))
        if any(r.detector == "version" and r.reason == reasons.COMPATIBLE for r in rejections):
            # "2.7 is no longer supported" and "3.9 is supported" are about two versions
            compared = [c for c in compared if c.detector.id != "status"]
        return compared, rejections

    def conclude(
        self,
        sa: Statement,
        sb: Statement,
        compared: Sequence[Compared],
        more: Mapping[str, float],
        topic: float,
        via: tuple[str, ...] = (),
    ) -> tuple[list[Finding], list[Rejection]]:
        """The finding of a pair of statements (one row a pair: the surest kind), given what later stages know of it (`more` features)."""
        rejections: list[Rejection] = []
        best: dict[str, list[Compared]] = {}
        scored = self.rescored(compared, more)
        for item in sorted(scored, key=lambda c: (-c.confidence, c.a.start, c.b.start)):
            if item.confidence < self.rules.score.tiers.advisory:
                rejections.append(
                    Rejection(
                        sa.index,
                        sb.index,
                        item.detector.id,
                        reasons.SCORE,
                        item.verdict.detail,
                        round(item.confidence, 4),
                        item.features,
                    )
                )
                continue
            best.setdefault(item.detector.kind, []).append(item)
        findings = [self._finding(sa, sb, kind, items, topic, via) for kind, items in best.items()]
        findings.sort(key=lambda f: (-f.confidence, f.kind))
        return findings[:1], rejections

    def rescored(self, compared: Sequence[Compared], more: Mapping[str, float]) -> list[Compared]:
        """The same comparisons with these further features and the confidence that follows from all."""
        out = []
        for item in compared:
            features = self.features.completed(item.features, {**more, **self.features.soft(item.a, item.b)})
            out.append(replace(item, features=features, confidence=self.features.confidence(features)))
        return out

    def bars(self, sa: Statement, sb: Statement) -> bool:
        """Whether the two statements are not held against each other at all."""
        return (barred(sa, sb) or self._repeated(sa, sb)) is not None

    def excuses(self, sa: Statement, sb: Statement) -> bool:
        """Whether one statement gives way to the other by its own words, or its section excepts what the other is about."""
        return yields(sa, sb) or self.exceptions.named(sa, sb, self.features.concept)

    def read(self, sa: Statement, sb: Statement, features: Mapping[str, float]) -> tuple[list[Finding], list[Rejection]]:
        """The finding of a pair without comparable values, from the features of those who read it."""
        confidence = round(self.features.confidence(features), 4)
        if confidence < self.rules.score.tiers.advisory:
            return [], [Rejection(sa.index, sb.index, "reader", reasons.SCORE, "wording", confidence, features)]
        finding = untyped_finding(
            sa,
            sb,
            detector="reader",
            field="wording",
            attribute=matter_of(sa, sb),
            tier=self._tier(confidence),
            confidence=confidence,
            topic_similarity=round(features.get("near", 0.0), 4),
            via=("reader",),
            explanation=f"“{sa.title}” and “{sb.title}” say different things about one matter, as the pair readers see it; "
            "no typed value was compared.",
            features=features,
        )
        return [finding], []

    def _tier(self, confidence: float) -> Tier:
        tiers = self.rules.score.tiers
        return Tier.HIGH if confidence >= tiers.high else Tier.MEDIUM if confidence >= tiers.medium else Tier.ADVISORY

    def _repeated(self, sa: Statement, sb: Statement) -> tuple[str, str] | None:
        """A passage that stands in the other document word for word does not contradict that document: what differs are two facts."""
        if sa.doc_id == sb.doc_id:
            return None
        if sb.doc_id in self.copies.get(sa.text, ()) or sa.doc_id in self.copies.get(sb.text, ()):
            return reasons.ALIGNED, "the same passage stands in the other document"
        return None

    def _compare_class(
        self,
        sa: Statement,
        side_a: list[tuple[Detector, Fact]],
        sb: Statement,
        side_b: list[tuple[Detector, Fact]],
        similarity: float,
        rejections: list[Rejection],
    ) -> list[Compared]:
        def refuse(detector: Detector, reason: str, detail: str) -> None:
            rejections.append(Rejection(sa.index, sb.index, detector.id, reason, detail))

        conflicts: list[tuple[Detector, Fact, Fact, Verdict]] = []
        aligned_a: set[int] = set()
        aligned_b: set[int] = set()
        for detector, a in side_a:
            for _, b in side_b:
                verdict = detector.compare(a, b, sa, sb)
                if verdict.conflict:
                    conflicts.append((detector, a, b, verdict))
                else:
                    refuse(detector, verdict.reason, verdict.detail)
                    if verdict.reason in _ALIGNS.get(detector.id, _EQUAL) and detector.id not in {"modality", "direction"}:
                        aligned_a.add(id(a))
                        aligned_b.add(id(b))
        found: list[Compared] = []
        for detector, a, b, verdict in conflicts:
            if id(a) in aligned_a or id(b) in aligned_b:
                refuse(detector, reasons.ALIGNED, f"{verdict.detail}: one of them has its equal on the other side")
                continue
            scope = relate(a, b, self.rules)
            if apart := self._set_apart(a, b, sa, sb, scope):
                refuse(detector, apart[0], f"{verdict.detail}: {apart[1]}")
                continue
            features = self.features.make(detector, a, b, sa, sb, verdict, scope, similarity)
            found.append(Compared(detector, a, b, verdict, scope, features, self.features.screen(features)))
        return found

    def _set_apart(self, a: Fact, b: Fact, sa: Statement, sb: Statement, scope: ScopeRelation) -> tuple[str, str] | None:
        """Reason and detail why two facts whose values differ are not about one case, None if nothing sets them apart."""
        if sa.doc_id == sb.doc_id and sa.group != 0 and sa.group == sb.group and sa.kind is BlockKind.ITEM and not clausal(a):
            return reasons.SIBLING, "items of one list"
        if scope.different:
            return scope.reason, scope.different
        if excepted := self.exceptions.between(a, b, sa, sb):
            return reasons.EXCEPTION, f"one section excepts {excepted}"
        if yields(sa, sb):
            return reasons.EXCEPTION, "one side gives way to, or departs from, what is said elsewhere"
        if clausal(a) and self.features.other_object(a, b):
            return reasons.UNRELATED, "another object"
        if not _opinions(a, b) and (apart := self.parallels.different(a, b, sa, sb)):
            return reasons.SCOPE, apart
        return None

    def _finding(
        self, sa: Statement, sb: Statement, kind: str, items: list[Compared], similarity: float, via: tuple[str, ...]
    ) -> Finding:
        first = items[0]
        confidence = round(first.confidence, 4)
        tier = self._tier(confidence)
        one_sided = first.scope.one_sided
        if one_sided and tier is Tier.HIGH:
            tier = Tier.MEDIUM
        same_facts = [i for i in items if i.a is first.a and i.b is first.b]
        fields = tuple(dict.fromkeys(part for i in same_facts for part in i.verdict.differs.split("+")))
        attribute = attribute_of(first.a, first.b, sa, sb)
        return Finding(
            a=sa.index,
            b=sb.index,
            kind=kind,
            detectors=tuple(dict.fromkeys(i.detector.id for i in items)),
            fields=fields,
            attribute=attribute,
            entity_key=entity_of(first.a, first.b, sa, sb),
            key_a=fact_key(first.a, sa),
            key_b=fact_key(first.b, sb),
            value_a=first.a.value.text,
            value_b=first.b.value.text,
            span_a=(first.a.start, first.a.end),
            span_b=(first.b.start, first.b.end),
            scope_a=readable_scope(first.a),
            scope_b=readable_scope(first.b),
            one_sided=one_sided,
            specific=first.scope.specific,
            opinion=_opinions(first.a, first.b),
            tier=str(tier),
            confidence=confidence,
            topic_similarity=round(similarity, 4),
            via=via,
            explanation=explain(first.a, first.b, sa, sb, first.verdict, attribute, one_sided),
            features=first.features,
        )


def _copies(statements: Sequence[Statement]) -> dict[str, frozenset[str]]:
    """Text of statements that stand in several documents → those documents."""
    where: dict[str, set[str]] = {}
    for statement in statements:
        where.setdefault(statement.text, set()).add(statement.doc_id)
    return {text: frozenset(docs) for text, docs in where.items() if len(docs) > 1}


def _opinions(a: Fact, b: Fact) -> bool:
    """Whether both sides recommend: two teams may well disagree, whatever their documents are called."""
    return a.kind is FactKind.MODALITY and {a.value.symbol, b.value.symbol} <= {"recommended", "discouraged"}
