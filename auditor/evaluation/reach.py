"""What blocking reaches: which lists bring the two sides of known contradictions together, and at what cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.block.candidates import KEYS, VECTORS, WORDS
from auditor.evaluation.locate import Span, overlaps
from auditor.evaluation.match import LocatedPair

if TYPE_CHECKING:
    from auditor.scan import Audit

NEAR = 8
LISTS: Mapping[str, int] = {
    "keys": KEYS,
    "vectors": VECTORS,
    "words": WORDS,
    "typed lists": KEYS | VECTORS | WORDS,
    "near passages": NEAR,
    "all": KEYS | VECTORS | WORDS | NEAR,
}
"""Lists of candidates by name, as bits of `Candidates.via`; near passages are what the pair readers choose from, of any statements."""


@dataclass(frozen=True, slots=True)
class Reach:
    """List → (contradictions whose two passages it brings together, candidates per typed statement), of `wanted` contradictions."""

    wanted: int
    lists: Mapping[str, tuple[int, float]]


def reach(audit: Audit, pairs: Sequence[LocatedPair]) -> Reach:
    """Look up in which lists each of these pairs is. Lists of one scan overlap: each is counted as if it were alone."""
    by_document: dict[str, list[int]] = {}
    for statement in audit.statements:
        by_document.setdefault(statement.doc_id, []).append(statement.index)

    def at(doc: str, spans: Sequence[Span]) -> list[int]:
        held = ((i, (audit.statements[i].start, audit.statements[i].end)) for i in by_document.get(doc, ()))
        return [i for i, whole in held if any(overlaps(whole, span) for span in spans)]

    candidates, near = audit.candidates, audit.looks.wording.pairs
    found = dict.fromkeys(LISTS, 0)
    for pair in pairs:
        via = 0
        for i in at(pair.gold.doc_a, pair.spans_a):
            for j in at(pair.gold.doc_b, pair.spans_b):
                n = candidates.index(i, j) if i != j else -1
                via |= int(candidates.via[n]) if n >= 0 else 0
                via |= NEAR if (min(i, j), max(i, j)) in near else 0
        for name, bits in LISTS.items():
            found[name] += bool(via & bits)
    typed = max(1, sum(1 for facts in audit.compared if facts))
    brought = {name: int(np.count_nonzero(candidates.via & np.uint8(bits & ~NEAR))) for name, bits in LISTS.items()}
    further = sum(pair not in candidates for pair in near)
    brought["near passages"] = len(near)
    brought["all"] += further
    cost = {name: 2 * count / typed for name, count in brought.items()}
    return Reach(len(pairs), {name: (found[name], round(cost[name], 2)) for name in LISTS})
