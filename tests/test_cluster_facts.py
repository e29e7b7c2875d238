"""The facts of a cluster that a document and its copies share."""

from __future__ import annotations

from dataclasses import replace

from auditor.cluster_facts import facts_in, rows_about
from auditor.format.by_owner import part_of
from auditor.review.matching import holders_of
from tests.factories import copies_result, make_conflict, make_side, make_values, realistic_result


def test_an_ordinary_cluster_is_one_fact_whatever_its_conflicts_are_called() -> None:
    result = realistic_result()
    row = result.clusters[0]
    conflicts = [replace(c, entity_key="other") for c in result.conflicts if c.cluster_id == row.cluster_id]
    rows = [r for r in result.clusters if r.cluster_id == row.cluster_id]
    (fact,) = facts_in(conflicts, rows)
    assert (fact.values, fact.conflicts) == (tuple(rows), tuple(conflicts))


def test_a_conflict_finds_its_fact_by_its_values_where_its_name_differs() -> None:
    result = copies_result()
    conflicts = [c for c in result.conflicts if c.cluster_id == "k-copies"]
    rows = [r for r in result.clusters if r.cluster_id == "k-copies"]
    renamed = [replace(c, entity_key="leave", attribute=f"about {n}") for n, c in enumerate(conflicts)]
    for given in (conflicts, renamed):
        facts = facts_in(given, rows)
        assert [fact.label[1] for fact in facts] == ["carry over", "parental leave", "notice"]
        assert [fact.conflicts for fact in facts] == [(c,) for c in given]
        assert [{v.value for v in fact.values} for fact in facts] == [
            {"5 days", "10 days"},
            {"12 months", "14 months"},
            {"5 days", "14 days"},
        ]


def test_an_excerpt_behind_a_value_does_not_hide_it() -> None:
    a, b = make_side("a.md", "14 days of delivery", "14 days"), make_side("b.md", "14 days of purchase", "14 days")
    conflict = make_conflict(a, b, entity_key="returns", cluster_id="k")
    rows = make_values(conflict, ("14 days (“of delivery”)", ["a.md"], ""), ("14 days (“of purchase”)", ["b.md"], ""))
    other = make_values(replace(conflict, entity_key="x"), ("1", ["a.md"], ""), ("2", ["b.md"], ""))
    assert list(rows_about(replace(conflict, entity_key="y"), [*other, *rows])) == rows


def test_a_fact_that_the_rows_do_not_know_stands_alone() -> None:
    result = copies_result()
    rows = [r for r in result.clusters if r.cluster_id == "k-copies"]
    stranger = make_conflict(make_side("x.md", "1", "1"), make_side("y.md", "2", "2"), entity_key="x", attribute="y")
    fact, *others = facts_in([stranger], rows)
    assert (fact.label, fact.values) == (("x", "y"), ())
    assert all(not other.conflicts for other in others)


def test_who_holds_a_value_is_asked_of_the_fact() -> None:
    """“5 days” is a value of two facts of the cluster; only the documents that hold it for the same fact may stand in for it."""
    result = copies_result()
    rows = [replace(r, documents=("other.md",)) if (r.attribute, r.value) == ("notice", "5 days") else r for r in result.clusters]
    conflicts = list(result.conflicts)
    holders = holders_of(conflicts, rows)
    at = next(n for n, c in enumerate(conflicts) if c.attribute == "carry over")
    assert holders(at, "b") == {"share/leave-2023.md", "share/leave-2023 (1).md"}


def test_the_part_of_an_owner_holds_the_facts_of_that_owner() -> None:
    result = copies_result()
    owned = replace(
        result,
        conflicts=tuple(
            replace(c, b=replace(c.b, owner="hr@example.org")) if c.attribute == "notice" else c for c in result.conflicts
        ),
    )
    part = part_of(owned, "hr@example.org")
    assert {row.attribute for row in part.clusters} == {"notice"}
    assert len(part_of(owned, None).clusters) == len(result.clusters)
