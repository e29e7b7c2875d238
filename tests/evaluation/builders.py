"""A small corpus and what a scan might say of it, with every figure known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from auditor.evaluation.gold import GoldPair
from auditor.model import (
    BlockKind,
    ClusterValue,
    Conflict,
    Document,
    Fact,
    FactKind,
    Finding,
    Rejection,
    ScanResult,
    Skipped,
    Statement,
    Value,
)
from tests.factories import make_conflict, make_document, make_result, make_side

TEXTS = {
    "api/limits.md": "Each key may send 100 requests per minute.\n\nUploads may be 5 GB large.\n",
    "api/v2.md": "Each key may send 500 requests per minute.\n\nUploads may be 8 GB large.\n",
    "api/copy.md": "Each key may send 500 requests per minute.\n",
    "faq/returns.md": "Send it back within 14 days.\n\nThe shop in Leeds opens at 9 am.\n\nCall us at any time.\n",
    "policies/returns.md": (
        "Goods may be returned within 30 days.\n\nThe shop in York opens at 10 am.\n\nThe desk is closed on Sunday.\n"
    ),
}


def document(doc_id: str, text: str) -> Document:
    """A document with exact lines."""
    starts = [0] + [i + 1 for i, char in enumerate(text) if char == "\n"]
    return Document(doc_id, doc_id, "markdown", text, (), tuple((start, n) for n, start in enumerate(starts, start=1)), doc_id)


DOCUMENTS = [document(doc_id, text) for doc_id, text in sorted(TEXTS.items())]


def gold(id: str, doc_a: str, quote_a: str, doc_b: str, quote_b: str, contradiction: bool = True, **changes: Any) -> GoldPair:
    """A gold pair."""
    return GoldPair(id, doc_a, doc_b, quote_a, quote_b, contradiction, **{"kind": "numeric", **changes})


def conflict(doc_a: str, quote_a: str, doc_b: str, quote_b: str, **changes: Any) -> Conflict:
    """A finding whose quotes stand where they do in `TEXTS`."""

    def side(doc: str, quote: str) -> Any:
        at = TEXTS[doc].index(quote)
        line = TEXTS[doc].count("\n", 0, at) + 1
        return make_side(doc, quote, quote, line=line, char_start=at, char_end=at + len(quote))

    return make_conflict(side(doc_a, quote_a), side(doc_b, quote_b), **changes)


def scanned(*conflicts: Conflict, clusters: Sequence[ClusterValue] = (), **changes: Any) -> ScanResult:
    """A result with these findings."""
    rows = [make_document(doc_id, sha256=doc_id) for doc_id in TEXTS]
    return make_result(conflicts, clusters, rows, **changes)


def statements() -> list[Statement]:
    """One statement a line of `TEXTS`."""
    made: list[Statement] = []
    for doc in DOCUMENTS:
        start = 0
        for line in doc.text.split("\n"):
            if line:
                made.append(
                    Statement(len(made), doc.doc_id, "c", BlockKind.PARAGRAPH, line, 0, start, start + len(line), title=doc.title)
                )
            start += len(line) + 1
    return made


def fact(index: int, kind: FactKind = FactKind.COUNT, text: str = "1") -> Fact:
    """A fact of a statement."""
    return Fact(index, kind, Value(text), 0, 4, attribute={"key": 1.0})


def finding(a: int, b: int, tier: str = "high", confidence: float = 0.9) -> Finding:
    """A finding about two statements."""
    return Finding(
        a=a,
        b=b,
        kind="numeric",
        detectors=("numeric",),
        fields=("value",),
        attribute="requests",
        entity_key="key",
        key_a="ka",
        key_b="kb",
        value_a="100",
        value_b="500",
        span_a=(0, 4),
        span_b=(0, 4),
        scope_a="",
        scope_b="",
        one_sided=(),
        specific=None,
        opinion=False,
        tier=tier,
        confidence=confidence,
        topic_similarity=0.8,
        via=("keys",),
        explanation="They differ.",
        features={"near": 0.5, "strength": 1.0},
    )


class _Features:
    def contributions(self, features: dict[str, float]) -> dict[str, float]:
        return (
            {"intercept": -1.0} | {name: 2.0 * value for name, value in features.items() if name != "strength"} | {"strength": 0.0}
        )


@dataclass
class FakeAudit:
    """What a scan leaves in memory, with verdicts by pair of statements."""

    result: ScanResult = field(default_factory=scanned)
    documents: list[Document] = field(default_factory=lambda: list(DOCUMENTS))
    skipped: list[Skipped] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=statements)
    facts: list[list[Fact]] = field(default_factory=list)
    candidates: dict[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    verdicts: dict[tuple[int, int], tuple[list[Finding], list[Rejection]]] = field(default_factory=dict)
    rules: Any = None

    def reached(self, i: int, j: int) -> bool:
        """Whether the pair is a candidate."""
        return (min(i, j), max(i, j)) in self.candidates

    def __post_init__(self) -> None:
        self.facts = self.facts or [[fact(s.index)] for s in self.statements]
        self.judge_ = type("Judge", (), {"features": _Features()})()

    def at(self, doc: str, quote: str) -> int:
        """Index of the statement that holds this quote."""
        return next(s.index for s in self.statements if s.doc_id == doc and quote in s.text)

    def judge(self, i: int, j: int) -> tuple[list[Finding], list[Rejection]]:
        """The verdict prepared for this pair."""
        return self.verdicts.get((min(i, j), max(i, j)), ([], []))

    def similarity(self, i: int, j: int) -> float:
        """Any two statements are alike."""
        return 0.5


def without(items: list[list[Fact]], index: int) -> list[list[Fact]]:
    """The facts with those of one statement removed."""
    return [[] if n == index else facts for n, facts in enumerate(items)]
