"""Which finding answers to which gold pair.

A finding answers when its two quotes overlap the gold's two quotes, in either order. Near-identical copies share one finding, so a
quote in a copy answers too, if its cluster says that the copy's document holds the same value.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from auditor.evaluation.gold import GoldPair
from auditor.evaluation.locate import Locator, Span, overlaps, words_of
from auditor.model import Conflict, Document, ScanResult, Side

_COPY_SHARE = 0.8  # words that a gold quote shares with a finding's quote to pass for its copy


@dataclass(frozen=True, slots=True)
class LocatedPair:
    """A gold pair and where its quotes stand. No spans: the document or the quote is not there."""

    gold: GoldPair
    spans_a: tuple[Span, ...]
    spans_b: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """A finding that answers to a gold pair. `hits` counts the sides whose deciding words lie in the gold's quote."""

    conflict: Conflict
    located: LocatedPair
    swapped: bool
    hits: int


@dataclass(frozen=True, slots=True)
class Matching:
    """All findings and what they answer to."""

    by_gold: Mapping[str, tuple[Match, ...]]  # gold id → its findings, the surest first
    by_conflict: Mapping[str, tuple[Match, ...]]  # conflict id → its gold pairs


def locate_all(pairs: Iterable[GoldPair], documents: Sequence[Document]) -> list[LocatedPair]:
    """Look up the quotes of all pairs."""
    texts = {document.doc_id: document.text for document in documents}
    locators: dict[str, Locator] = {}

    def find(doc: str, quote: str) -> tuple[Span, ...]:
        if doc not in texts:
            return ()
        if doc not in locators:
            locators[doc] = Locator(texts[doc])
        return tuple(locators[doc].find(quote))

    return [LocatedPair(pair, find(pair.doc_a, pair.quote_a), find(pair.doc_b, pair.quote_b)) for pair in pairs]


def match_all(result: ScanResult, located: Sequence[LocatedPair]) -> Matching:
    """Hold every finding against every gold pair.

    A table row is one quote, and several gold pairs may lie in it: a finding answers to those in which most of its deciding words
    lie, and to a contradiction rather than to a pair that is fine.
    """
    holders = _Holders(result)
    by_gold: dict[str, list[Match]] = defaultdict(list)
    by_conflict: dict[str, tuple[Match, ...]] = {}
    for conflict in result.conflicts:
        matches = [m for m in (_match(conflict, pair, holders) for pair in located) if m is not None]
        best = max(((m.hits, m.located.gold.contradiction) for m in matches), default=None)
        matches = [m for m in matches if (m.hits, m.located.gold.contradiction) == best]
        by_conflict[conflict.conflict_id] = tuple(matches)
        for match in matches:
            by_gold[match.located.gold.id].append(match)
    return Matching(
        {
            key: tuple(sorted(found, key=lambda m: (-m.conflict.confidence, m.conflict.conflict_id)))
            for key, found in by_gold.items()
        },
        by_conflict,
    )


class _Holders:
    """Which documents hold which value of a cluster."""

    def __init__(self, result: ScanResult) -> None:
        self._documents: dict[str, list[frozenset[str]]] = defaultdict(list)
        for row in result.clusters:
            self._documents[row.cluster_id].append(frozenset(row.documents))

    def agree(self, cluster_id: str, doc: str, other: str) -> bool:
        """Whether two documents stand for one value of the cluster."""
        return any(doc in held and other in held for held in self._documents[cluster_id])


def _match(conflict: Conflict, pair: LocatedPair, holders: _Holders) -> Match | None:
    best: Match | None = None
    for swapped, (first, second) in ((False, (conflict.a, conflict.b)), (True, (conflict.b, conflict.a))):
        hit_a = _answers(first, pair.gold.doc_a, pair.gold.quote_a, pair.spans_a, conflict.cluster_id, holders)
        hit_b = _answers(second, pair.gold.doc_b, pair.gold.quote_b, pair.spans_b, conflict.cluster_id, holders)
        if hit_a is None or hit_b is None:
            continue
        if best is None or hit_a + hit_b > best.hits:
            best = Match(conflict, pair, swapped, hit_a + hit_b)
    return best


def _answers(side: Side, doc: str, quote: str, spans: Sequence[Span], cluster_id: str, holders: _Holders) -> int | None:
    """None if this side is another passage; else 1 if its deciding words lie in the gold's quote, or nobody says which they are."""
    if side.doc == doc:
        whole = (side.char_start, side.char_end)
        touching = [span for span in spans if overlaps(whole, span)]
        if touching:
            marks = [(side.char_start + start, side.char_start + end) for start, end in side.marks]
            return int(not marks or any(overlaps(mark, span, least=1) for mark in marks for span in touching))
        return None
    # Only what the document really says may be answered for by a copy.
    if spans and holders.agree(cluster_id, doc, side.doc) and _is_copy(quote, side):
        return 1
    return None


def _is_copy(quote: str, side: Side) -> bool:
    wanted = set(words_of(quote))
    held = set(words_of(side.quote)) | set(words_of(side.statement))
    return bool(wanted) and len(wanted & held) >= _COPY_SHARE * len(wanted)
