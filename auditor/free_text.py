"""The optional last stage: an NLI model reads the candidates that the typed detectors left open.

A small NLI model on its own flags exceptions and other scopes as contradictions, so what it finds is advisory unless it is sure in both
directions; it never overrules a typed verdict.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from auditor.model import Finding, Statement, Tier
from auditor.ports import Verifier
from auditor.wording import untyped_finding

MAX_PAIRS = 4000
"""Pairs read at most, the most similar first: a cross-encoder reads some ten pairs a second on one core."""

MIN_SIMILARITY = 0.55
ADVISORY = 0.6  # mean of both directions from which a pair is reported
SURE = 0.95  # lower of both directions from which it is more than advisory


class Via(Protocol):
    """Tells which lists brought a pair together."""

    def get(self, pair: tuple[int, int], default: tuple[str, ...], /) -> tuple[str, ...]:
        """The names of the lists, `default` for a pair that is no candidate."""
        ...


def read_open(
    verifier: Verifier,
    pairs: Iterable[tuple[int, int]],
    statements: Sequence[Statement],
    similarity: Callable[[int, int], float],
    via: Via,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> list[Finding]:
    """Findings of kind "nli" among pairs that no typed detector settled."""
    ranked = ((similarity(i, j), i, j) for i, j in pairs)
    chosen = heapq.nlargest(MAX_PAIRS, (r for r in ranked if r[0] >= MIN_SIMILARITY), key=lambda r: (r[0], -r[1], -r[2]))
    if not chosen:
        return []
    report(0, len(chosen))
    scores = verifier.contradiction([(statements[i].text, statements[j].text) for _, i, j in chosen])
    report(len(chosen), len(chosen))
    found = []
    for (likeness, i, j), (forward, backward) in zip(chosen, scores.tolist(), strict=True):
        confidence = (forward + backward) / 2
        if confidence < ADVISORY:
            continue
        sa, sb = statements[i], statements[j]
        found.append(
            untyped_finding(
                sa,
                sb,
                detector="nli",
                field="statement",
                attribute="statement",
                tier=Tier.MEDIUM if min(forward, backward) >= SURE else Tier.ADVISORY,
                confidence=round(confidence, 4),
                topic_similarity=round(likeness, 4),
                via=via.get((i, j), ()),
                explanation=f"An NLI model reads “{sa.title}” and “{sb.title}” as contradicting each other; no typed value was compared.",
                features={"nli_forward": round(forward, 4), "nli_backward": round(backward, 4)},
            )
        )
    return found
