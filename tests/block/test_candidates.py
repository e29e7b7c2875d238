"""The union of all lists, over a small store whose order must not matter."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from auditor.block import Blocked, block
from auditor.compare import Judge
from auditor.extract.facts import Extractor
from auditor.features import FeatureMaker, Rarity
from auditor.model import Fact, Statement
from auditor.rulepack import RulePack, load_rules
from tests.extract.reading import extractor, statement

PAGES = {
    "faq.md": [
        "Items may be returned within 14 days of purchase.",
        "The gateway takes 500 requests per minute.",
        "Call +44 20 7946 0018 for help.",
        "Dogs are allowed.",
    ],
    "legal.md": [
        "Items may be returned within 30 days of delivery.",
        "The lease ends on 31 March 2025.",
        "Smoking is prohibited in all rooms.",
    ],
    "api.md": [
        "The gateway takes 100 requests per minute.",
        "Python 3.8 is supported.",
        "The library is licensed under the MIT licence.",
    ],
    "ops.md": [
        "Backups are kept for 30 days.",
        "Python 3.8 is no longer supported.",
        "Smoking is allowed in two rooms.",
        "The server room is closed.",
    ],
    "empty.md": ["Welcome to the guide.", "Have fun."],
}


def store(order: Sequence[str], pages: dict[str, list[str]] = PAGES) -> list[Statement]:
    found: list[Statement] = []
    for doc in order:
        for n, text in enumerate(pages[doc]):
            found.append(statement(text, index=len(found), doc_id=doc, chunk_id=f"{doc}:0", start=n * 500, end=n * 500 + len(text)))
    return found


def blocked(statements: list[Statement], rules: RulePack | None = None) -> tuple[Blocked, list[list[Fact]], Judge]:
    rules = rules or load_rules()
    reader: Extractor = extractor()
    facts = reader.extract_all(statements)
    judge = Judge(rules, FeatureMaker(rules, Rarity.of(facts), reader.concept), statements)
    rows = [i for i, found in enumerate(facts) if found]
    rng = {s.text: np.random.default_rng(abs(hash_of(s.text))).normal(size=12) for s in statements}
    vectors = np.array([rng[statements[r].text] for r in rows], dtype=np.float32).reshape(len(rows), 12)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return block(judge, statements, facts, np.ascontiguousarray(vectors), rows), facts, judge


def hash_of(text: str) -> int:
    return int.from_bytes(text.encode()[:6].ljust(6, b"\0"), "big") + len(text)


def named(found: Blocked, statements: list[Statement]) -> set[tuple[frozenset[str], tuple[str, ...], float]]:
    return {(frozenset({statements[c.a].text, statements[c.b].text}), c.via, round(c.similarity, 3)) for c in found.candidates}


@pytest.mark.parametrize("seed", range(5))
def test_order_of_documents_does_not_matter(seed: int) -> None:
    order = list(PAGES)
    straight = store(order)
    random.Random(seed).shuffle(order)
    shuffled = store(order)
    assert named(blocked(straight)[0], straight) == named(blocked(shuffled)[0], shuffled)


def test_contradictions_are_candidates() -> None:
    statements = store(list(PAGES))
    found = {frozenset({statements[c.a].text, statements[c.b].text}) for c in blocked(statements)[0].candidates}
    assert {
        frozenset({"Items may be returned within 14 days of purchase.", "Items may be returned within 30 days of delivery."}),
        frozenset({"The gateway takes 500 requests per minute.", "The gateway takes 100 requests per minute."}),
        frozenset({"Python 3.8 is supported.", "Python 3.8 is no longer supported."}),
        frozenset({"Smoking is prohibited in all rooms.", "Smoking is allowed in two rooms."}),
    } <= found


def test_candidates_are_sorted_comparable_and_say_why() -> None:
    statements = store(list(PAGES))
    found, facts, judge = blocked(statements)
    assert [(c.a, c.b) for c in found.candidates] == sorted({(c.a, c.b) for c in found.candidates})
    for candidate in found.candidates:
        assert candidate.a < candidate.b
        assert candidate.via
        assert set(candidate.via) <= {"keys", "words", "vectors"}
        assert list(candidate.via) == sorted(candidate.via)
        assert judge.classes(facts[candidate.a]).keys() & judge.classes(facts[candidate.b]).keys()


def test_statements_without_claims_are_no_candidates() -> None:
    statements = store(list(PAGES))
    found, facts, _ = blocked(statements)
    assert all(facts[c.a] and facts[c.b] for c in found.candidates)


def test_nothing_to_block() -> None:
    statements = store(["empty.md"])
    found, _, _ = blocked(statements)
    assert (found.candidates, found.crowded) == ([], ())


def bounded(**changes: int) -> RulePack:
    rules = load_rules()
    score = rules.score.model_copy(update={"blocking": rules.score.blocking.model_copy(update=changes)})
    return replace(rules, score=score)


def alike(n: int) -> list[Statement]:
    """As many documents that say the same thing with other figures."""
    return store(
        [f"d{i:03}.md" for i in range(n)], {f"d{i:03}.md": [f"The gateway takes {100 + i} requests per minute."] for i in range(n)}
    )


def test_never_all_pairs() -> None:
    """Each list adds at most its number of candidates for every statement."""
    rules = bounded(neighbours=2, words=2, keyed=3)
    n = 120
    found, _, _ = blocked(alike(n), rules)
    assert 0 < len(found.candidates) <= n * (2 + 2 * 2 + 3)
    assert len(found.candidates) < n * (n - 1) // 4


def test_crowded_keys_are_named() -> None:
    found, _, _ = blocked(alike(60), bounded(max_group=20))
    assert any("request" in line and "(60 statements)" in line for line in found.crowded)
    assert list(found.crowded) == list(blocked(alike(60), bounded(max_group=20))[0].crowded)


def test_lists_can_be_switched_off() -> None:
    statements = store(list(PAGES))
    found, _, _ = blocked(statements, bounded(neighbours=0, words=0))
    assert {c.via for c in found.candidates} == {("keys",)}
