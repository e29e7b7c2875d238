"""The union of all lists, over a small store whose order must not matter."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from auditor.block import Blocked, block
from auditor.compare import Judge
from auditor.extract.facts import Extractor
from auditor.features import FeatureMaker, Rarity
from auditor.model import Fact, Statement
from auditor.rulepack import RulePack, load_rules
from tests.block import reference
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


def store(order: Sequence[str], pages: dict[str, list[str]] = PAGES, start: int = 0) -> list[Statement]:
    found: list[Statement] = []
    for doc in order:
        for n, text in enumerate(pages[doc]):
            found.append(
                statement(text, index=start + len(found), doc_id=doc, chunk_id=f"{doc}:0", start=n * 500, end=n * 500 + len(text))
            )
    return found


def blocked(statements: list[Statement], rules: RulePack | None = None) -> tuple[Blocked, list[list[Fact]], Judge]:
    rules = rules or load_rules()
    reader: Extractor = extractor()
    facts = reader.extract_all(statements)
    judge = Judge(rules, FeatureMaker(rules, Rarity.of(facts), reader.concept), statements)
    return block(judge, statements, facts, *embedded(statements, facts)), facts, judge


def embedded(statements: list[Statement], facts: list[list[Fact]]) -> tuple[NDArray[np.float32], list[int]]:
    """Vectors that depend on the text alone, and the statements that have one."""
    rows = [i for i, found in enumerate(facts) if found]
    rng = {s.text: np.random.default_rng(abs(hash_of(s.text))).normal(size=12) for s in statements}
    vectors = np.array([rng[statements[r].text] for r in rows], dtype=np.float32).reshape(len(rows), 12)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.ascontiguousarray(vectors), rows


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
    assert (len(found.candidates), list(found.candidates), found.crowded, found.untyped) == (0, [], (), [])


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


@pytest.mark.parametrize("bounds", [{}, {"max_group": 20}, {"neighbours": 1, "words": 1, "keyed": 2, "max_group": 7}])
@pytest.mark.parametrize("pages", ["few", "alike"])
def test_same_as_in_plain_loops(pages: str, bounds: dict[str, int]) -> None:
    statements = store(list(PAGES)) if pages == "few" else alike(60) + store(list(PAGES), start=60)
    found, facts, judge = blocked(statements, bounded(**bounds))
    candidates, untyped = reference.candidates(judge, statements, facts, *embedded(statements, facts))
    assert list(found.candidates) == candidates
    assert found.untyped == untyped
    assert candidates


def test_what_was_cut_is_counted() -> None:
    found, _, _ = blocked(alike(60), bounded(max_group=20))
    keys, words = found.record.cuts
    assert (keys.list, words.list) == ("keys", "words")
    assert keys.keys + words.keys == len(found.crowded)
    assert keys.pairs == keys.keys * 60 * 59 // 2
    # Every value stands once, so that no part of a crowded key holds two statements.
    assert (keys.dropped, keys.joined, keys.rows) == (keys.keys, 0, 60)
    assert found.record.dropped == keys.dropped + words.dropped > 0
    assert found.record.search.index == "exact"


def test_pairs_are_looked_up() -> None:
    found, _, _ = blocked(store(list(PAGES)))
    columns = found.candidates
    pairs = list(columns.pairs())
    assert pairs == [(c.a, c.b) for c in columns]
    for n, candidate in enumerate(columns):
        a, b = candidate.a, candidate.b
        assert columns.index(a, b) == columns.index(b, a) == n
        assert columns.get((a, b)) == columns[a, b] == candidate.via
        assert (a, b) in columns
        assert columns.cosine(n) == candidate.similarity
    strangers = [(i, j) for i in range(-1, 17) for j in range(-1, 17) if (min(i, j), max(i, j)) not in set(pairs)]
    assert strangers
    assert all(columns.index(i, j) == -1 and (i, j) not in columns for i, j in strangers)
    assert columns.get(strangers[0]) is None
    assert columns.get(strangers[0], ()) == ()
    with pytest.raises(KeyError):
        columns[strangers[0]]


def test_lists_can_be_switched_off() -> None:
    statements = store(list(PAGES))
    found, _, _ = blocked(statements, bounded(neighbours=0, words=0))
    assert {c.via for c in found.candidates} == {("keys",)}
