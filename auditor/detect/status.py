"""Support and life-cycle status: supported or not, available or retired, enabled or disabled.

Fires: "The export service was retired in May." / "The export service is available to all customers."

Must not fire: "Windows is supported." / "Windows 7 is no longer supported." (another thing); two statements on different services.
"""

from __future__ import annotations

from collections.abc import Iterable

from auditor.detect import reasons
from auditor.model import Fact, FactKind, Statement
from auditor.ports import Verdict

_ALLIED = frozenset(
    {frozenset({"support", "availability"}), frozenset({"presence", "availability"}), frozenset({"presence", "support"})}
)


class StatusDetector:
    """See the module's docstring."""

    id = "status"
    kind = "status"

    def handles(self, fact: Fact) -> bool:
        """Status claims."""
        return fact.kind is FactKind.STATUS and not fact.incidental

    def keys(self, fact: Fact) -> Iterable[str]:
        """What the status is said of."""
        return (f"s|{word}" for word in fact.attribute)

    def comparable(self, fact: Fact) -> str:
        """Families are compared in `compare`, since support and availability overlap."""
        return "status"

    def compare(self, a: Fact, b: Fact, sa: Statement, sb: Statement) -> Verdict:
        """Compare polarity within a family."""
        if a.value.symbol == b.value.symbol:
            return Verdict(False, reasons.EQUAL, f"both “{a.value.text}”")
        if a.value.unit != b.value.unit and frozenset({a.value.unit, b.value.unit}) not in _ALLIED:
            return Verdict(False, reasons.UNRELATED, f"{a.value.unit} against {b.value.unit}")
        if {a.value.unit, b.value.unit} == {"presence"}:
            return Verdict(False, reasons.EQUAL, "both count on it")
        strength = 1.0 if a.value.unit == b.value.unit else 0.7
        return Verdict(True, "status", f"“{a.value.text}” against “{b.value.text}”", differs="status", strength=strength)
