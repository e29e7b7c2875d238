"""A verb asserted on one side and negated on the other, and opposite directions of one trend.

Fires: "Voice recordings are stored for training." / "We do not store voice recordings."; "Churn increased in 2023." / "Churn fell in 2023."

Must not fire: "The tool does not store passwords." / "The tool stores settings." (another object).
"""

from __future__ import annotations

from collections.abc import Iterable

from auditor.detect import reasons
from auditor.model import Fact, FactKind, Statement
from auditor.ports import Verdict


class NegationDetector:
    """See the module's docstring."""

    id = "negation"
    kind = "negation"

    def handles(self, fact: Fact) -> bool:
        """Asserted or negated verbs."""
        return fact.kind is FactKind.POLARITY and not fact.incidental

    def keys(self, fact: Fact) -> Iterable[str]:
        """The verb with each word around it."""
        return (f"{fact.head}|{word}" for word in fact.attribute)

    def comparable(self, fact: Fact) -> str:
        """The verb."""
        return f"polarity:{fact.head}"

    def compare(self, a: Fact, b: Fact, sa: Statement, sb: Statement) -> Verdict:
        """Compare the polarity of one verb."""
        if a.polarity == b.polarity:
            return Verdict(False, reasons.EQUAL, "same polarity")
        return Verdict(True, "negation", f"“{a.value.text}” against “{b.value.text}”", differs="negation", strength=0.9)


class DirectionDetector:
    """Rise against fall of the same thing."""

    id = "direction"
    kind = "negation"

    def handles(self, fact: Fact) -> bool:
        """Directional words."""
        return fact.kind is FactKind.DIRECTION and not fact.incidental

    def keys(self, fact: Fact) -> Iterable[str]:
        """What is said to move."""
        return (f"d|{word}" for word, weight in fact.attribute.items() if weight >= 0.5)

    def comparable(self, fact: Fact) -> str:
        """All trends are of one class."""
        return "direction"

    def compare(self, a: Fact, b: Fact, sa: Statement, sb: Statement) -> Verdict:
        """Compare up and down."""
        if a.polarity == b.polarity:
            return Verdict(False, reasons.EQUAL, "same direction")
        return Verdict(True, "direction", f"“{a.value.text}” against “{b.value.text}”", differs="direction", strength=0.8)
