"""Dates and clock times.

Fires: "The contract ends on 31 March 2025." / "Contract end: 30 June 2025."

Must not fire: "3 March 2024" / "March 2024" (contained); "starts on 1 May" / "ends on 31 May" (different roles).
"""

from __future__ import annotations

from collections.abc import Iterable

from auditor.detect import intervals, reasons
from auditor.model import Fact, FactKind, Statement
from auditor.ports import Verdict

_OPPOSITE = {
    frozenset({"from", "until"}),
    frozenset({"after", "by"}),
    frozenset({"from", "by"}),
    frozenset({"after", "until"}),
    frozenset({"signed", "closed"}),
}


class DateDetector:
    """See the module's docstring."""

    id = "date"
    kind = "date"

    def handles(self, fact: Fact) -> bool:
        """Dates and clock times; the date of an update is the document's, no claim."""
        return fact.kind in {FactKind.DATE, FactKind.CLOCK} and not fact.incidental and fact.basis != "updated"

    def keys(self, fact: Fact) -> Iterable[str]:
        """Strong words beside the date."""
        for word, weight in fact.attribute.items():
            if weight >= 0.5:
                yield f"{fact.kind}|{word}"

    def comparable(self, fact: Fact) -> str:
        """Dates with a year, dates without, and clock times (single or as a span)."""
        if fact.kind is FactKind.CLOCK:
            return "clock:span" if fact.value.comparator == "range" else "clock"
        return "date:yearly" if fact.value.unit == "yearly" else "date"

    def compare(self, a: Fact, b: Fact, sa: Statement, sb: Statement) -> Verdict:
        """Compare days, months or minutes."""
        roles = frozenset({a.basis, b.basis})
        if a.basis and b.basis and a.basis != b.basis and roles in _OPPOSITE:
            return Verdict(False, reasons.UNRELATED, f"{a.basis} against {b.basis}")
        verdict = intervals.compare(a.value, b.value)
        if verdict.reason == reasons.EQUAL:
            return verdict
        if verdict.conflict and verdict.reason == "ranges differ" and a.kind is FactKind.DATE and not _overlap(a, b):
            return verdict
        if a.kind is FactKind.DATE and _overlap(a, b):
            return Verdict(False, reasons.CONTAINED, f"{a.value.text} and {b.value.text} agree at their precision")
        if verdict.conflict and (a.basis or b.basis) and a.basis != b.basis:
            return Verdict(True, verdict.reason, verdict.detail, strength=0.7 * verdict.strength)
        return verdict


def _overlap(a: Fact, b: Fact) -> bool:
    x, y = a.value, b.value
    return (
        x.low is not None
        and y.low is not None
        and x.high is not None
        and y.high is not None
        and x.low <= y.high
        and y.low <= x.high
    )
