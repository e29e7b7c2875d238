"""`--estimate-recall`: what blocking missed, measured on a sample of statements that is compared with everything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from auditor.block.classes import Shared
from auditor.block.keys import Keys
from auditor.blocking import RecallEstimate

if TYPE_CHECKING:
    from auditor.compare import Classes, Compared
    from auditor.scan import Audit

_SEED = 20_261_130
_NLI = "nli"


def estimate_recall(
    audit: Audit, sample: int, report: Callable[[str, int, int], None] = lambda stage, done, total: None
) -> RecallEstimate:
    """Compare `sample` typed statements, drawn with a fixed seed, with all typed statements, and count the conflicts blocking missed.

    `audit` has been compared. A pair that was a candidate counts as found if the scan made a finding of it (of the typed detectors, not
    of an NLI model); every other pair is compared and scored as the scan would have: first the values, then, where they disagree and
    the first score is above the floor, with the second look. All tiers count.
    """
    typed = np.array([i for i, facts in enumerate(audit.compared) if facts], dtype=np.int32)
    classes = [audit.judge_.classes(audit.compared[i]) for i in typed]
    drawn = np.sort(np.random.default_rng(_SEED).choice(len(typed), min(sample, len(typed)), replace=False))
    missed_by_values: list[tuple[int, int, list[Compared]]] = []
    pairs = compared = 0
    for n, (others, comparable) in enumerate(_partners(drawn, Shared(Keys.of(classes)), len(typed))):
        report("estimate", n, len(drawn))
        pairs += others
        compared += len(comparable)
        for p, q in _ordered(int(drawn[n]), comparable):
            i, j = int(typed[p]), int(typed[q])
            if (i, j) not in audit.candidates and (disagree := _disagree(audit, i, j, classes[p], classes[q])):
                missed_by_values.append((i, j, disagree))
    report("estimate", len(drawn), len(drawn))
    chosen = set(typed[drawn].tolist())
    found = {(min(f.a, f.b), max(f.a, f.b)) for f in audit.findings if f.kind != _NLI and (f.a in chosen or f.b in chosen)}
    return RecallEstimate(len(drawn), pairs, compared, len(found), sum(_conflicts(audit, missed_by_values, report)))


def _partners(drawn: NDArray[np.int64], shared: Shared, n: int) -> Iterator[tuple[int, NDArray[np.int32]]]:
    """For every drawn row how many rows it is held against, and those of them that share a class with it; every pair comes once."""
    everything = np.arange(n, dtype=np.int32)
    before = np.zeros(n, dtype=np.bool_)
    for row in drawn:
        before[row] = True
        others = everything[~before]
        yield len(others), others[shared.between(np.full(len(others), row, dtype=np.int32), others)]


def _ordered(row: int, others: NDArray[np.int32]) -> Iterator[tuple[int, int]]:
    return ((min(row, other), max(row, other)) for other in others.tolist())


def _disagree(audit: Audit, i: int, j: int, classes_i: Classes, classes_j: Classes) -> list[Compared]:
    """Fact pairs of two statements that disagree and that the scan would have looked at a second time."""
    found, _ = audit.judge_.compare(audit.statements[i], audit.statements[j], classes_i, classes_j, audit.similarity(i, j))
    return [c for c in found if c.confidence >= audit.rules.score.screen_floor]


def _conflicts(
    audit: Audit, pairs: list[tuple[int, int, list[Compared]]], report: Callable[[str, int, int], None]
) -> Iterator[bool]:
    """Of every pair whether the second look leaves a finding."""
    audit.looks.second.look_at([(i, j) for i, j, _ in pairs], report)
    for i, j, compared in pairs:
        found, _ = audit.looks.judge(i, j, compared, ())
        yield bool(found)
