"""Role fillers: who approves, decides, provides; where something is hosted or made.

Fires: "International trips are approved by the CFO." / "International travel is signed off by your head of department."

Must not fire: "Invoices are approved by the CFO." / "Holidays are approved by the team lead." (another object); "hosted in Frankfurt" /
"hosted in our Frankfurt data centre" (one contains the other).
"""

from __future__ import annotations

from collections.abc import Iterable

from auditor.detect import reasons
from auditor.model import Fact, FactKind, Statement
from auditor.ports import Verdict


class EntityDetector:
    """See the module's docstring."""

    id = "entity"
    kind = "entity"

    def handles(self, fact: Fact) -> bool:
        """Role fillers."""
        return fact.kind is FactKind.NAME and not fact.incidental

    def keys(self, fact: Fact) -> Iterable[str]:
        """The role with each strong word around it."""
        return (f"{fact.value.unit}:{fact.head}|{word}" for word, weight in fact.attribute.items() if weight >= 0.5)

    def comparable(self, fact: Fact) -> str:
        """The role."""
        return f"role:{fact.value.unit}:{fact.head}"

    def compare(self, a: Fact, b: Fact, sa: Statement, sb: Statement) -> Verdict:
        """Compare the fillers: one whose words the other holds is the same ("the Frankfurt data centre", "Frankfurt")."""
        x, y = set(a.value.symbol.split()), set(b.value.symbol.split())
        if x <= y or y <= x:
            return Verdict(False, reasons.EQUAL, f"“{a.value.text}” and “{b.value.text}”")
        return Verdict(True, "filler", f"“{a.value.text}” against “{b.value.text}”", differs="name", strength=0.8)
