"""The plug-in point: which detectors there are, in the order in which they are tried (cheapest and surest first)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.detect.date import DateDetector
from auditor.detect.entity import EntityDetector
from auditor.detect.identifier import IdentifierDetector, VersionDetector
from auditor.detect.modality import ModalityDetector
from auditor.detect.negation import DirectionDetector, NegationDetector
from auditor.detect.numeric import NumericDetector
from auditor.detect.status import StatusDetector

if TYPE_CHECKING:
    from auditor.ports import Detector
    from auditor.rulepack import RulePack


def detectors(rules: RulePack) -> tuple[Detector, ...]:
    """All detectors, built from the rule packs. A new one is one file under `detect/` and one line here."""
    conflicts = frozenset(frozenset(pair) for pair in rules.lexicon.modality.conflicts)
    return (
        NumericDetector(rules.score.tolerance),
        DateDetector(),
        IdentifierDetector(),
        VersionDetector(),
        ModalityDetector(conflicts),
        StatusDetector(),
        NegationDetector(),
        DirectionDetector(),
        EntityDetector(),
    )
