"""Obligation, prohibition, permission, exemption and recommendation.

Fires: "Employees must work in the office three days a week." / "Office attendance is no longer required."

Must not fire: "Never deploy without approval." / "Approval is required before each deployment." (equal); "Staff must not share
passwords." / "Staff may share calendars." (another object).
"""

from __future__ import annotations

from collections.abc import Iterable

from auditor.detect import reasons
from auditor.model import Fact, FactKind, Statement
from auditor.ports import Verdict

_STRENGTH = {
    frozenset({"obligation", "prohibition"}): 1.0,
    frozenset({"prohibition", "permission"}): 0.9,
    frozenset({"obligation", "exemption"}): 1.0,
    frozenset({"obligation", "optional"}): 0.9,
}


class ModalityDetector:
    """See the module's docstring."""

    id = "modality"
    kind = "modality"

    def __init__(self, conflicts: frozenset[frozenset[str]]) -> None:
        self._conflicts = conflicts

    def handles(self, fact: Fact) -> bool:
        """Modal claims."""
        return fact.kind is FactKind.MODALITY and not fact.incidental

    def keys(self, fact: Fact) -> Iterable[str]:
        """Pairs of content words would be too many: the words themselves, bounded by the word list of blocking."""
        return (f"m|{word}" for word in fact.attribute)

    def comparable(self, fact: Fact) -> str:
        """All modal claims are of one class."""
        return "modality"

    def compare(self, a: Fact, b: Fact, sa: Statement, sb: Statement) -> Verdict:
        """Compare the modal classes; whether actor, action and object agree is the score's to say."""
        classes = frozenset({a.value.symbol.removeprefix("only-"), b.value.symbol.removeprefix("only-")})
        if len(classes) == 1:
            return Verdict(False, reasons.EQUAL, f"both {a.value.symbol}")
        if classes not in self._conflicts:
            return Verdict(False, reasons.COMPATIBLE, f"{a.value.symbol} and {b.value.symbol} can both hold")
        if classes == {"permission", "prohibition"} and any("exception" in f.attribute for f in (a, b)):
            return Verdict(False, reasons.EXCEPTION, "the prohibition knows exceptions")
        for one in (a, b):
            if one.value.symbol.startswith("only-") and classes == {"permission", "prohibition"}:
                return Verdict(False, reasons.EXCEPTION, "“only” states what else is prohibited")
        return Verdict(
            True, "modality", f"{a.value.symbol} against {b.value.symbol}", differs="modality", strength=_STRENGTH.get(classes, 0.7)
        )
