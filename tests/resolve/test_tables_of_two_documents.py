"""Rows of tables in the same two documents that disagree time and again share one cluster; each stays a fact of its own."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from resolve_corpus import Corpus

from auditor.format.markdown import render_markdown
from auditor.format.view import build_view
from auditor.model import BlockKind
from auditor.resolve import ROWS_OF_ONE_CAUSE
from tests.factories import make_document, make_result

PRICES = ((10, 12), (20, 23), (30, 31), (45, 49), (50, 60))


def price_lists(count: int, kind: BlockKind = BlockKind.ROW, tier: str = "high") -> Corpus:
    corpus = Corpus()
    old = corpus.document("list.md", *(f"Plan {n}: {a} EUR" for n, (a, _) in enumerate(PRICES)), title="Price list")
    new = corpus.document(
        "page.md", *(f"Plan {n}: {b} EUR" for n, (_, b) in enumerate(PRICES)), title="Price page", published=date(2024, 5, 1)
    )
    corpus.statements[:] = [replace(s, kind=kind) for s in corpus.statements]
    for n, (a, b) in enumerate(PRICES[:count]):
        facts = {"entity_key": f"plan {n}", "attribute": "price", "key_a": f"k{n}", "key_b": f"k{n}"}
        corpus.finding(old[n], new[n], f"{a} EUR", f"{b} EUR", tier=tier, **facts)
    return corpus


def clusters(corpus: Corpus) -> set[str]:
    return {conflict.cluster_id for conflict in corpus.resolve()[0]}


def test_from_some_rows_on_they_share_a_cluster() -> None:
    for count in range(1, len(PRICES) + 1):
        assert len(clusters(price_lists(count))) == (1 if count >= ROWS_OF_ONE_CAUSE else count)


def test_sentences_do_not() -> None:
    assert len(clusters(price_lists(5, BlockKind.PARAGRAPH))) == 5


def test_a_third_document_stands_apart() -> None:
    corpus = price_lists(4)
    (third,) = corpus.document("deck.md", "Plan 0: 11 EUR", title="Deck")
    corpus.statements[third] = replace(corpus.statements[third], kind=BlockKind.ROW)
    facts = {"entity_key": "plan 0", "attribute": "price", "key_a": "k0", "key_b": "k0"}
    corpus.finding(third, 0, "11 EUR", "10 EUR", **facts)
    assert len(clusters(corpus)) == 4  # plan 0 is a fact of three documents, and three rows are too few


def test_facts_of_one_name_stay_apart() -> None:
    """Basic plan in Europe, in Asia, ...: within one id nothing would tell them from each other."""
    corpus = price_lists(5)
    corpus.findings[:] = [
        replace(f, entity_key="basic plan", scope_a=f"region: {n}", scope_b=f"region: {n}") for n, f in enumerate(corpus.findings)
    ]
    assert len(clusters(corpus)) == 5


def test_hints_do_not_join_findings() -> None:
    corpus = price_lists(5)
    corpus.findings[4] = replace(corpus.findings[4], tier="advisory", confidence=0.3)
    conflicts, _ = corpus.resolve()
    by_tier = {c.tier: c.cluster_id for c in conflicts}
    assert by_tier["high"] != by_tier["advisory"]
    assert len({c.cluster_id for c in conflicts}) == 2


def test_each_row_keeps_its_values_its_winner_and_its_id() -> None:
    conflicts, values = price_lists(4).resolve()
    alone, _ = price_lists(3).resolve()
    assert {c.conflict_id for c in alone} < {c.conflict_id for c in conflicts}
    assert {c.cluster_id for c in alone}.isdisjoint(c.cluster_id for c in conflicts)
    assert {(row.entity_key, row.value) for row in values} == {
        (f"plan {n}", f"{v} EUR") for n, pair in enumerate(PRICES[:4]) for v in pair
    }
    assert all(sum(row.winning for row in values if row.entity_key == f"plan {n}") == 1 for n in range(4))
    assert all(c.winner == "b" for c in conflicts)  # the dated page


def test_the_report_tells_it_once_with_a_row_for_each() -> None:
    conflicts, values = price_lists(4).resolve()
    result = make_result(
        conflicts, values, [make_document("list.md", title="Price list"), make_document("page.md", title="Price page")]
    )
    (cluster,) = build_view(result).clusters
    assert cluster.subject == "Price list and Price page: their tables"
    assert cluster.claims == ("4 differences in 2 documents",)
    assert sorted(fact.subject for fact in cluster.facts) == [f"Plan {n}: price" for n in range(4)]
    assert "look for one cause" in cluster.notes[0]
    assert "Price list and Price page: their tables" in render_markdown(result)
