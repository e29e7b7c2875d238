"""Why a gold pair was not found: the first stage of the scan that lost it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from auditor.detect.reasons import ALIGNED, EQUAL, SCORE, UNRELATED
from auditor.evaluation.locate import Span, overlaps
from auditor.evaluation.match import LocatedPair
from auditor.model import Fact, Finding, Rejection, Statement

if TYPE_CHECKING:
    from auditor.scan import Audit

_COMBINATIONS = 100  # pairs of statements that are compared again for one gold pair
_LAST = (UNRELATED, EQUAL, ALIGNED)  # reasons that say little when another one is there


class Stage(StrEnum):
    """Stages in which a pair can be lost, in the order of the scan."""

    NOT_READ = "document not read"
    NOT_QUOTED = "quote not found"
    NOT_EXTRACTED = "not extracted"
    NOT_BLOCKED = "not blocked"
    REJECTED = "compared and rejected"
    BELOW_TIER = "below the tier"
    NOT_REPORTED = "scored, not reported"


@dataclass(frozen=True, slots=True)
class Loss:
    """The stage that lost a pair, and the particulars."""

    stage: Stage
    detail: str


class Diagnosis:
    """Traces gold pairs through one scan."""

    def __init__(self, audit: Audit) -> None:
        self._audit = audit
        self._skipped = {skipped.doc_id: skipped.reason for skipped in audit.skipped}
        self._read = {document.doc_id for document in audit.documents}
        self._statements: dict[str, list[Statement]] = {}
        for statement in audit.statements:
            self._statements.setdefault(statement.doc_id, []).append(statement)

    def trace(self, pair: LocatedPair) -> Loss:
        """Which stage lost the pair."""
        gold = pair.gold
        sides = (("A", gold.doc_a, gold.quote_a, pair.spans_a), ("B", gold.doc_b, gold.quote_b, pair.spans_b))
        for letter, doc, _, _ in sides:
            if doc not in self._read:
                return Loss(Stage.NOT_READ, f"{letter} {doc}: {self._skipped.get(doc, 'not in the corpus')}")
        for letter, doc, quote, spans in sides:
            if not spans:
                return Loss(Stage.NOT_QUOTED, f"{letter} {doc}: “{quote}”")
        found_a, found_b = self._at(gold.doc_a, pair.spans_a), self._at(gold.doc_b, pair.spans_b)
        for letter, quote, found in (("A", gold.quote_a, found_a), ("B", gold.quote_b, found_b)):
            if not found:
                return Loss(Stage.NOT_EXTRACTED, f"no statement in {letter}: “{quote}”")
        facts_a, facts_b = self._facts(found_a), self._facts(found_b)
        held = f"A has {_listed(facts_a)}; B has {_listed(facts_b)}"
        if loss := self._compare(found_a, found_b, held):
            return loss
        for letter, facts, found in (("A", facts_a, found_a), ("B", facts_b, found_b)):
            if not facts:
                return Loss(Stage.NOT_EXTRACTED, f"no fact in {letter}: “{found[0].text}”")
        return Loss(Stage.NOT_EXTRACTED, f"no comparable facts: {held}")

    def _at(self, doc: str, spans: Sequence[Span]) -> list[Statement]:
        return [s for s in self._statements.get(doc, ()) if any(overlaps((s.start, s.end), span) for span in spans)]

    def _facts(self, statements: Iterable[Statement]) -> list[Fact]:
        return [fact for s in statements for fact in self._audit.facts[s.index] if not fact.incidental]

    def _compare(self, found_a: Sequence[Statement], found_b: Sequence[Statement], held: str) -> Loss | None:
        """Compare what stands in the two quotes again. None when nothing in them can be compared."""
        findings: list[Finding] = []
        rejections: list[Rejection] = []
        blocked_findings: list[Finding] = []
        blocked_rejections: list[Rejection] = []
        blocked = False
        pairs = sorted({(min(a.index, b.index), max(a.index, b.index)) for a in found_a for b in found_b if a.index != b.index})
        # What was blocked comes first, so that the bound never hides it.
        pairs.sort(key=lambda pair: not self._audit.reached(*pair))
        for i, j in pairs[:_COMBINATIONS]:
            new_findings, new_rejections = self._audit.judge(i, j)
            findings += new_findings
            rejections += new_rejections
            if (new_findings or new_rejections) and self._audit.reached(i, j):
                blocked = True
                blocked_findings += new_findings
                blocked_rejections += new_rejections
        if not findings and not rejections:
            return None
        if not findings and all(r.reason == EQUAL for r in rejections):
            # What differs was not read, or not as something that can be compared; that the rest agrees is no news.
            return Loss(Stage.NOT_EXTRACTED, f"only what agrees can be compared: {held}")
        if not blocked:
            return Loss(Stage.NOT_BLOCKED, _would(findings, rejections))
        if blocked_findings:
            best = max(blocked_findings, key=lambda f: f.confidence)
            return Loss(Stage.NOT_REPORTED, f"scored {best.confidence:.2f}, {best.tier}, and stands in no row")
        return Loss(*_rejected(blocked_rejections))


def _would(findings: Sequence[Finding], rejections: Sequence[Rejection]) -> str:
    if findings:
        best = max(findings, key=lambda f: f.confidence)
        return f"would be scored {best.confidence:.2f}, {best.tier}"
    stage, detail = _rejected(rejections)
    return f"would be {'too low: ' if stage is Stage.BELOW_TIER else 'rejected: '}{detail}"


def _rejected(rejections: Sequence[Rejection]) -> tuple[Stage, str]:
    """The most telling reason: the best score, else what bars the pair, else what merely looks elsewhere."""
    scored = [r for r in rejections if r.reason == SCORE]
    if scored:
        best = max(scored, key=lambda r: r.confidence)
        return Stage.BELOW_TIER, f"scored {best.confidence:.2f} by {best.detector}: {best.detail}"
    ordered = sorted(rejections, key=lambda r: r.reason in _LAST)
    telling = list(dict.fromkeys(f"{r.reason} ({r.detector}): {r.detail}" for r in ordered))
    return Stage.REJECTED, "; ".join(telling[:2])


def _listed(facts: Sequence[Fact]) -> str:
    return ", ".join(dict.fromkeys(f"{fact.kind.value} {fact.value.text}" for fact in facts[:8]))
