"""Counts, quantities, durations, money and percentages.

Fires: "Items may be returned within 30 days of delivery." / "Returns are accepted within 14 days of purchase." (value and basis differ)

Must not fire: "The batch takes 90 minutes." / "The batch takes 1.5 hours." (equal after conversion); "At least 3 reviewers." / "Four
reviewers signed." (satisfies the bound and is a different claim).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from auditor.detect import intervals, reasons
from auditor.model import Fact, FactKind, Statement
from auditor.ports import Verdict

KINDS = frozenset({FactKind.COUNT, FactKind.QUANTITY, FactKind.DURATION, FactKind.MONEY, FactKind.PERCENT})


class NumericDetector:
    """See the module's docstring."""

    id = "numeric"
    kind = "numeric"

    def __init__(self, tolerance: Mapping[str, float] | None = None) -> None:
        self._tolerance = dict(tolerance or {})

    def handles(self, fact: Fact) -> bool:
        """Numeric facts that are claims."""
        return fact.kind in KINDS and not fact.incidental

    def keys(self, fact: Fact) -> Iterable[str]:
        """The counted noun with each name, modifier and strong word beside it; other quantities by unit and near words."""
        if fact.kind is FactKind.COUNT:
            yield f"n:{fact.head}"
        for word, weight in fact.attribute.items():
            if weight >= 0.6 and word != fact.head:
                yield f"{fact.head or fact.value.unit}|{word}"

    def comparable(self, fact: Fact) -> str:
        """Class within which facts are compared: the counted noun, or the kind and unit."""
        if fact.kind is FactKind.COUNT:
            return f"count:{fact.head}"
        return f"{fact.kind}:{fact.value.unit.removeprefix('calendar ')}"

    def compare(self, a: Fact, b: Fact, sa: Statement, sb: Statement) -> Verdict:
        """Compare values, then the basis of periods."""
        if a.per and b.per and a.per != b.per:
            return Verdict(False, reasons.UNRELATED, f"per {a.per} against per {b.per}")
        if a.value.unit != b.value.unit:
            calendar, plain = (a, b) if a.value.unit.startswith("calendar") else (b, a)
            verdict = intervals.across(calendar.value, plain.value)
        else:
            verdict = intervals.compare(
                a.value, b.value, self._tolerance.get(a.kind.value, 0.0), threshold=a.kind is FactKind.MONEY
            )
        if a.basis and b.basis and a.basis != b.basis:
            if not verdict.conflict and verdict.reason == reasons.EQUAL:
                return Verdict(True, "basis", f"counted from {a.basis} against {b.basis}", differs="basis", strength=0.8)
            if verdict.conflict:
                return replace(verdict, differs="value+basis")
        return verdict
