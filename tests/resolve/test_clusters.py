from __future__ import annotations

import random
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st
from resolve_corpus import Corpus, pair

from auditor.resolve import ids
from auditor.resolve.cluster import build, claims_of
from auditor.resolve.scopes import ScopeSet, agreed, one_sided, slots, years


def test_three_values_are_one_cluster() -> None:
    corpus = Corpus()
    docs = {
        f"{n}.md": (f"Version {n} comes with {value} tools.", value) for n, value in enumerate(("18", "18", "18", "20", "20", "23"))
    }
    index = {name: corpus.document(name, text)[0] for name, (text, _) in docs.items()}
    for a in docs:
        for b in docs:
            if a < b and docs[a][1] != docs[b][1]:
                corpus.finding(index[a], index[b], docs[a][1], docs[b][1])
    conflicts, values = corpus.resolve()
    assert len({c.cluster_id for c in conflicts}) == 1
    assert [(row.value, len(row.documents), row.majority) for row in values] == [
        ("18", 3, True),
        ("20", 2, False),
        ("23", 1, False),
    ]
    assert {frozenset((c.a.value, c.b.value)) for c in conflicts} == {
        frozenset(p) for p in (("18", "20"), ("18", "23"), ("20", "23"))
    }


def test_copies_share_a_row() -> None:
    corpus = Corpus()
    (b,) = corpus.document("b.md", "Goods go back within 30 days.")
    for name, line in (
        ("a.md", "Return within **14 days**."),
        ("copy.md", "return  within 14 days"),
        ("old/a.md", "Return within 14 days!"),
    ):
        (a,) = corpus.document(name, line, tier="primary" if name == "copy.md" else "secondary")
        corpus.finding(
            *sorted((a, b), key=lambda i: corpus.statements[i].doc_id), *("14 days", "30 days")[:: 1 if name < "b.md" else -1]
        )
    conflicts, values = corpus.resolve()
    (conflict,) = conflicts
    assert (conflict.a.doc, conflict.b.doc) == ("b.md", "copy.md")  # equal confidence: the primary document represents them
    assert {row.value: row.documents for row in values} == {"14 days": ("a.md", "copy.md", "old/a.md"), "30 days": ("b.md",)}


def test_the_most_certain_copy_represents_the_others() -> None:
    corpus = pair({"tier": "primary"}, confidence=0.7)
    (c,) = corpus.document("c.md", "Return goods within 14 days.")
    corpus.finding(1, c, "30 days", "14 days", confidence=0.8)
    (conflict,), _ = corpus.resolve()
    assert (conflict.a.doc, conflict.b.doc) == ("b.md", "c.md")


def test_a_copy_that_was_not_compared_is_a_member() -> None:
    corpus = pair()
    corpus.document("z/a.md", "Return goods within 14 days.")
    corpus.document("other.md", "Return goods within 14 days.", title="Returns of another brand")
    _, values = corpus.resolve()
    assert {row.value: row.documents for row in values}["14 days"] == ("a.md", "z/a.md")


def test_another_wording_has_its_own_row() -> None:
    corpus = pair()
    (c,) = corpus.document("c.md", "We take things back for 14 days.")
    corpus.finding(1, c, "30 days", "14 days")
    conflicts, values = corpus.resolve()
    assert len(conflicts) == 2
    assert {row.value: row.documents for row in values}["14 days"] == ("a.md", "c.md")


def test_different_limits_are_kept_apart() -> None:
    """The general rule takes part in both clusters, and neither newest document discards the other's value."""
    corpus = Corpus()
    (g,) = corpus.document("a.md", "Return within 30 days.", published=date(2022, 1, 1))
    (e,) = corpus.document("e.md", "Electronics within 14 days.", published=date(2023, 1, 1))
    (f,) = corpus.document("f.md", "Furniture within 60 days.", published=date(2024, 1, 1))
    for index, value, word in ((e, "14 days", "electronics"), (f, "60 days", "furniture")):
        corpus.finding(g, index, "30 days", value, scope_b=f"category: {word}", one_sided=("category",), specific="b")
    conflicts, values = corpus.resolve()
    assert len({c.cluster_id for c in conflicts}) == 2
    assert [c.winner for c in conflicts] == ["b", "b"]
    assert {row.value for row in values if row.winning} == {"14 days", "60 days"}


def test_facts_of_one_statement_are_kept_apart() -> None:
    corpus = Corpus()
    (a,) = corpus.document("a.md", "Return within 14 days, exchange within 60 days.")
    (b,) = corpus.document("b.md", "Return within 30 days, exchange within 90 days.")
    corpus.finding(a, b, "14 days", "30 days", key_a="return", key_b="return")
    corpus.finding(a, b, "60 days", "90 days", key_a="exchange", key_b="exchange", attribute="exchange")
    conflicts, _ = corpus.resolve()
    assert len({c.cluster_id for c in conflicts}) == 2


def test_equal_words_of_different_meaning_are_two_values() -> None:
    corpus = Corpus()
    (a,) = corpus.document("a.md", "Within 14 days of delivery.")
    (b,) = corpus.document("b.md", "Within 14 days of purchase.", tier="primary")
    corpus.finding(a, b, "14 days", "14 days", fields=("basis",))
    (conflict,), values = corpus.resolve()
    assert conflict.winner == "b"
    assert [row.value for row in values] == ["14 days (“14 days of delivery.”)", "14 days (“14 days of purchase.”)"]
    assert [row.winning for row in values] == [False, True]


def test_flags_of_values() -> None:
    corpus = pair({"published": date(2024, 1, 1)}, {"published": date(2023, 1, 1), "tier": "primary"})
    _, values = corpus.resolve()
    by_value = {row.value: row for row in values}
    assert (by_value["14 days"].newest, by_value["14 days"].authoritative, by_value["14 days"].winning) == (True, False, False)
    assert (by_value["30 days"].newest, by_value["30 days"].authoritative, by_value["30 days"].winning) == (False, True, True)
    assert not any(row.majority for row in values)
    assert not any(row.authoritative or row.newest for row in pair().resolve()[1])


# -- properties --------------------------------------------------------------------------------------------------------------------

SCOPES = st.sampled_from(["", "plan: pro", "plan: free", "region: eu", "region: eu, us", "region: us", "plan: pro; region: eu"])
VALUES = ("14 days", "30 days", "60 days", "90 days")


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    corpus = Corpus()
    count = draw(st.integers(2, 7))
    held = [draw(st.sampled_from(VALUES)) for _ in range(count)]
    wording = [draw(st.sampled_from(("Return within", "Goods go back in"))) for _ in range(count)]
    scope = [draw(SCOPES) for _ in range(count)]
    for n in range(count):
        corpus.document(
            f"{n}.md",
            f"{wording[n]} {held[n]}.",
            tier=draw(st.sampled_from(["primary", "secondary", "archive"])),
            published=draw(st.sampled_from([None, date(2023, 1, 1), date(2024, 1, 1)])),
        )
    for a in range(count):
        for b in range(a + 1, count):
            names = slots(scope[a]).keys() ^ slots(scope[b]).keys()
            both = slots(scope[a]).keys() & slots(scope[b]).keys()
            if (
                held[a] == held[b]
                or any(not slots(scope[a])[name] & slots(scope[b])[name] for name in both)
                or not draw(st.booleans())
            ):
                continue
            corpus.finding(
                a,
                b,
                held[a],
                held[b],
                scope_a=scope[a],
                scope_b=scope[b],
                one_sided=tuple(sorted(names)),
                confidence=draw(st.sampled_from([0.6, 0.8])),
            )
    return corpus


@settings(deadline=None)
@given(corpora(), st.randoms(use_true_random=False))
def test_the_order_of_findings_does_not_matter(corpus: Corpus, rng: random.Random) -> None:
    shuffled = list(corpus.findings)
    rng.shuffle(shuffled)
    assert corpus.resolve(findings=shuffled) == corpus.resolve()


@settings(deadline=None)
@given(corpora())
def test_clusters_never_join_incompatible_scopes(corpus: Corpus) -> None:
    for cluster in build(corpus.findings, corpus.statements, corpus.documents):
        scopes = {scope for f in cluster.findings for scope in (f.scope_a, f.scope_b)}
        for one in scopes:
            for other in scopes:
                assert all(slots(one)[name] & slots(other)[name] for name in slots(one).keys() & slots(other).keys())
        assert len({one_sided(f.scope_a, f.scope_b, f.one_sided) for f in cluster.findings}) == 1


@settings(deadline=None)
@given(corpora())
def test_every_disagreement_keeps_a_row(corpus: Corpus) -> None:
    conflicts, values = corpus.resolve()
    rows = {(c.cluster_id, frozenset((c.a.value, c.b.value))) for c in conflicts}
    for cluster in build(corpus.findings, corpus.statements, corpus.documents):
        for finding in cluster.findings:
            assert (cluster.cluster_id, frozenset((finding.value_a, finding.value_b))) in rows
            for claim in claims_of(finding):
                doc = corpus.statements[claim.statement].doc_id
                assert any(doc in v.documents for v in values if (v.cluster_id, v.value) == (cluster.cluster_id, claim.value))
    assert len({c.conflict_id for c in conflicts}) == len(conflicts)
    for conflict in conflicts:
        winning = {row.value for row in values if row.cluster_id == conflict.cluster_id and row.winning}
        for side, winner in ((conflict.a, "a"), (conflict.b, "b")):
            assert (side.value in winning) == (conflict.winner == winner)
        winner = {"a": conflict.a, "b": conflict.b}.get(conflict.winner or "")
        if winner is not None:
            held = next(v for v in values if (v.cluster_id, v.value) == (conflict.cluster_id, winner.value))
            assert any(corpus.documents[name].tier != "archive" for name in held.documents)


# -- scopes ------------------------------------------------------------------------------------------------------------------------


def test_slots() -> None:
    assert slots("plan: Enterprise, pro; region: eu; ") == {"plan": {"enterprise", "pro"}, "region": {"eu"}}
    assert slots("") == {}
    assert years(["fy2023", "2024q3", "2024-03", "q2"]) == {2023, 2024}


def test_scopes_are_compared_with_every_member() -> None:
    joined = ScopeSet(["region: eu"])
    assert joined.admits(ScopeSet(["region: eu, us"]))
    joined.absorb(ScopeSet(["region: eu, us"]))
    assert not joined.admits(ScopeSet(["region: us"]))
    assert joined.admits(ScopeSet(["plan: pro"]))


def test_fillings_that_the_comparison_accepted_go_together() -> None:
    known = agreed([("period: 2024", "period: 2024-03", ()), ("condition: sale", "condition: defect", ("condition",))])
    assert ScopeSet(["period: 2024"]).admits(ScopeSet(["period: 2024-03"]), known)
    assert not ScopeSet(["period: 2024"]).admits(ScopeSet(["period: 2024-04"]), known)
    assert not ScopeSet(["condition: sale"]).admits(ScopeSet(["condition: defect"]), known)


# -- identities --------------------------------------------------------------------------------------------------------------------

TEXT = st.text(max_size=12)


@settings(deadline=None)
@given(TEXT, TEXT, TEXT, TEXT, st.integers(0, 3))
def test_ids_do_not_depend_on_the_order_of_sides(doc_a: str, key_a: str, doc_b: str, key_b: str, ordinal: int) -> None:
    one = ids.conflict_id((doc_a, key_a), (doc_b, key_b), ordinal)
    assert one == ids.conflict_id((doc_b, key_b), (doc_a, key_a), ordinal)
    assert one != ids.conflict_id((doc_a, key_a), (doc_b, key_b), ordinal + 1)
    assert len(one) == 16
    assert ids.content_hash((doc_a, key_a), (doc_b, key_b)) == ids.content_hash((doc_b, key_b), (doc_a, key_a))


@settings(deadline=None)
@given(TEXT, TEXT)
def test_parts_of_ids_do_not_run_together(a: str, b: str) -> None:
    if b:
        assert ids.conflict_id((a, b), ("x", "y"), 0) != ids.conflict_id((a + b, ""), ("x", "y"), 0)


def test_ids_survive_changed_values_moved_lines_and_other_findings() -> None:
    (before,), _ = pair().resolve()
    corpus = Corpus()
    _, a = corpus.document("a.md", "A line above.", "Return goods within 21 days.")
    (b,) = corpus.document("b.md", "Goods go back within 45 days, unused.")
    (c,) = corpus.document("c.md", "Something else takes 3 hours.")
    (d,) = corpus.document("d.md", "Something else takes 5 hours.")
    corpus.finding(c, d, "3 hours", "5 hours", entity_key="aaa", attribute="time")
    corpus.finding(a, b, "21 days", "45 days")
    conflicts, _ = corpus.resolve()
    after = next(conflict for conflict in conflicts if conflict.a.doc == "a.md")
    assert after.conflict_id == before.conflict_id
    assert after.cluster_id == before.cluster_id
    assert after.content_hash != before.content_hash


def test_content_hash_ignores_how_it_is_set() -> None:
    plain = ids.content_hash(("14 days", "Return within 14 days."), ("30 days", "b"))
    assert plain == ids.content_hash(("14  Days", "*Return* within\n  <b>14</b> `days`"), ("30 days", "B"))
    assert plain != ids.content_hash(("14 days", "Return within 14 working days."), ("30 days", "b"))
    assert plain != ids.content_hash(("15 days", "Return within 14 days."), ("30 days", "b"))


def test_equal_keys_in_the_same_documents_are_numbered_in_reading_order() -> None:
    corpus = Corpus()
    a = corpus.document("a.md", "Return within 14 days.", "Later: return within 21 days.")
    (b,) = corpus.document("b.md", "Goods go back within 30 days.")
    corpus.finding(a[1], b, "21 days", "30 days", confidence=0.95)
    corpus.finding(a[0], b, "14 days", "30 days")
    conflicts, _ = corpus.resolve()
    found = {c.a.value: c.conflict_id for c in conflicts}
    assert found["14 days"] == ids.conflict_id(("a.md", "k1"), ("b.md", "k1"), 0)
    assert found["21 days"] == ids.conflict_id(("a.md", "k1"), ("b.md", "k1"), 1)
