"""TOPSIS as advice: what holds for every matrix, and what a reader sees of it."""

from __future__ import annotations

from datetime import date
from math import isclose, log

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from resolve_corpus import AS_OF, Corpus, pair

from auditor.resolve.cluster import build
from auditor.resolve.ranking import CRITERIA, Ranked, advice, entropy_weights, rank_sources, topsis

numbers = st.floats(0, 1, allow_subnormal=False).map(lambda x: round(x, 3))
matrices = st.integers(1, 8).flatmap(lambda rows: st.lists(st.tuples(*[numbers] * 5), min_size=rows, max_size=rows))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(matrices)
def test_weights_add_up_and_what_tells_nothing_apart_weighs_nothing(matrix: list[tuple[float, ...]]) -> None:
    weights = entropy_weights(matrix)
    assert isclose(sum(weights), 1, abs_tol=1e-9)
    assert all(0 <= weight <= 1 + 1e-9 for weight in weights)
    differing = [len(set(column)) > 1 for column in zip(*matrix, strict=True)]
    if any(weight > 0 for weight, differs in zip(weights, differing, strict=True) if differs):
        assert all(weight == 0 for weight, differs in zip(weights, differing, strict=True) if not differs)
    if not any(differing):
        assert set(weights) == {0.2}


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(matrices)
def test_closeness_is_defined_for_every_matrix(matrix: list[tuple[float, ...]]) -> None:
    closeness = topsis(matrix, entropy_weights(matrix))
    assert len(closeness) == len(matrix)
    assert all(0 <= c <= 1 for c in closeness)
    if len(set(matrix)) == 1:
        assert set(closeness) == {0.5}


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(matrices, st.randoms())
def test_the_order_of_the_sources_does_not_matter(matrix: list[tuple[float, ...]], random: object) -> None:
    closeness = topsis(matrix, entropy_weights(matrix))
    order = list(range(len(matrix)))
    random.shuffle(order)  # type: ignore[attr-defined]
    shuffled = [matrix[i] for i in order]
    assert topsis(shuffled, entropy_weights(shuffled)) == tuple(closeness[i] for i in order)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(matrices)
def test_a_source_at_least_as_good_in_everything_comes_first(matrix: list[tuple[float, ...]]) -> None:
    closeness = topsis(matrix, entropy_weights(matrix))
    for i, row in enumerate(matrix):
        for j, other in enumerate(matrix):
            if all(x >= y for x, y in zip(row, other, strict=True)):
                assert closeness[i] >= closeness[j] - 1e-9


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(matrices, st.floats(0.1, 10))
def test_the_unit_of_a_criterion_does_not_matter(matrix: list[tuple[float, ...]], factor: float) -> None:
    scaled = [(row[0] * factor, *row[1:]) for row in matrix]
    before, after = topsis(matrix, entropy_weights(matrix)), topsis(scaled, entropy_weights(scaled))
    assert all(isclose(x, y, abs_tol=1e-6) for x, y in zip(before, after, strict=True))


def test_an_example_worked_by_hand() -> None:
    """Two criteria: shares (3/4, 1/4) and (1/2, 1/2). Only the first one weighs; closeness is then all or nothing."""
    matrix = [(0.9, 0.4), (0.3, 0.4), (0.6, 0.4)]
    assert entropy_weights(matrix) == (1.0, 0.0)
    assert topsis(matrix, (1.0, 0.0)) == pytest.approx((1.0, 0.0, 0.5))
    two = [(3.0, 1.0), (1.0, 2.0)]
    d1 = 1 + (0.75 * log(0.75) + 0.25 * log(0.25)) / log(2)
    d2 = 1 + (1 / 3 * log(1 / 3) + 2 / 3 * log(2 / 3)) / log(2)
    assert entropy_weights(two) == pytest.approx((d1 / (d1 + d2), d2 / (d1 + d2)))
    # Distances with these weights: the first row has the best of criterion 1 and the worst of criterion 2.
    w1, w2 = entropy_weights(two)
    gain, loss = w1 * 2 / 10**0.5, w2 * 1 / 5**0.5
    assert topsis(two, (w1, w2)) == pytest.approx((gain / (gain + loss), loss / (gain + loss)))


# -- sources -----------------------------------------------------------------------------------------------------------------------


def ranked(corpus: Corpus) -> tuple[Ranked, ...]:
    (cluster,) = build(corpus.findings, corpus.statements, corpus.documents)
    return rank_sources(cluster, corpus.statements, corpus.documents, AS_OF)


def test_the_five_inputs() -> None:
    corpus = Corpus()
    (a,) = corpus.document("a.md", "Return of goods within 14 days.", tier="primary", published=date(2023, 1, 1))
    (b,) = corpus.document("b.md", "Goods go back within 30 days.", tier="tertiary", published=date(2024, 1, 1))
    (c,) = corpus.document("c.md", "Goods go back within 30 days.", published=date(2023, 7, 2))
    (d,) = corpus.document("d.md", "Goods go back within 45 days.", published=date(2030, 1, 1), heading=("Returns",))
    corpus.finding(a, b, "14 days", "30 days", entity_key="return of goods", scope_a="plan: pro; region: eu")
    corpus.finding(a, c, "14 days", "30 days", entity_key="return of goods", scope_a="plan: pro; region: eu")
    corpus.finding(a, d, "14 days", "45 days", entity_key="return of goods", scope_a="plan: pro; region: eu", scope_b="region: eu")
    sources = {source.document: dict(zip(CRITERIA, source.inputs, strict=True)) for source in ranked(corpus)}
    assert sources["a.md"] == {"authority": 1, "recency": 0, "specificity": 1, "relevance": 1, "consistency": 0.25}
    assert sources["b.md"] == pytest.approx(
        {"authority": 1 / 3, "recency": 1, "specificity": 0, "relevance": 0.5, "consistency": 0.5}
    )
    assert sources["c.md"]["recency"] == pytest.approx(182 / 365)
    assert (sources["d.md"]["recency"], sources["d.md"]["specificity"]) == (0.5, 0.5)  # not yet in force: unknown


def test_undated_is_unknown_and_not_old() -> None:
    inputs = {source.document: source.inputs[1] for source in ranked(pair({"published": date(2023, 1, 1)}))}
    assert inputs == {"a.md": 0.5, "b.md": 0.5}


def test_a_single_source_is_neither_best_nor_worst() -> None:
    assert topsis([(0.3, 0.4)], entropy_weights([(0.3, 0.4)])) == (0.5,)


# -- what is said --------------------------------------------------------------------------------------------------------------------


def test_an_escalated_conflict_carries_one_sentence_of_advice() -> None:
    (conflict,), values = pair(entity_key="return").resolve()
    assert (conflict.rule_applied, conflict.winner, conflict.status) == (("escalate",), None, "escalated")
    assert not any(value.winning for value in values)
    assert conflict.rule_trace[-1] == (
        "escalate: no rule separates “14 days”, “30 days”; as advice only, a weighing of the sources puts a.md (1.00) before b.md (0.00): "
        "authority 0.67 to 0.67, recency 0.50 to 0.50, specificity 0.00 to 0.00, relevance 1.00 to 0.00, consistency 0.50 to 0.50"
    )


def test_sources_that_do_not_differ() -> None:
    (conflict,), _ = pair(entity_key="nothing of it").resolve()
    assert "prefers neither (0.50 each)" in conflict.rule_trace[-1]


@pytest.mark.parametrize(
    ("first", "finding"),
    [({"tier": "primary"}, {}), ({"published": date(2024, 1, 1)}, {}), ({}, {"opinion": True})],
)
def test_where_the_rules_speak_nothing_is_advised(first: dict[str, object], finding: dict[str, object]) -> None:
    (conflict,), _ = pair(first, **finding).resolve()
    assert conflict.rule_applied != ("escalate",)
    assert not any("advice" in line for line in conflict.rule_trace)


def test_a_source_that_a_rule_has_ruled_out_is_not_advised() -> None:
    """Two secondary documents are left to somebody; the archived third is out, however new it is."""
    corpus = pair()
    (c,) = corpus.document("c.md", "Goods go back within 60 days.", tier="archive", published=date(2024, 12, 1))
    corpus.finding(0, c, "14 days", "60 days")
    conflicts, _ = corpus.resolve()
    advised = {(x.a.doc, x.b.doc): "advice" in x.rule_trace[-1] for x in conflicts}
    assert advised == {("a.md", "b.md"): True, ("a.md", "c.md"): False}


def test_two_values_of_one_document_are_told_apart() -> None:
    corpus = Corpus()
    a, b = corpus.document("a.md", "Return within 14 days.", "Goods within 30 days.")
    corpus.finding(a, b, "14 days", "30 days", entity_key="return")
    (conflict,), _ = corpus.resolve()
    assert "puts a.md with “14 days” (1.00) before the same with “30 days” (0.00)" in conflict.rule_trace[-1]


def test_the_same_source_twice_needs_no_advice() -> None:
    source = Ranked("a.md", "14 days", (0.0,) * 5, 0.5)
    assert advice(source, source) == ""
