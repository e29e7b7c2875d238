"""Lookups: every way of naming a passage, copies, and what a lookup must never lose."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor import ConflictIndex, Span
from auditor.errors import UserError
from auditor.format import write_all
from auditor.format.parquet import PARQUET
from auditor.model import Chunk, ClusterValue, Conflict, Side
from auditor.query import Passage
from auditor.store import in_order
from tests.factories import (
    copies_result,
    empty_result,
    make_conflict,
    make_document,
    make_result,
    make_side,
    make_values,
    realistic_result,
)


def opened(
    folder: Path, conflicts: Sequence[Conflict], values: Sequence[ClusterValue], chunks: Sequence[Chunk] = ()
) -> ConflictIndex:
    paths = sorted({doc for value in values for doc in value.documents} | {s.doc for c in conflicts for s in (c.a, c.b)})
    result = make_result(conflicts, values, [make_document(path) for path in paths])
    known = {chunk.chunk_id for chunk in chunks}
    result = replace(result, chunks=(*chunks, *(c for c in result.chunks if c.chunk_id not in known)))
    write_all(result, folder, PARQUET)
    return ConflictIndex.open(folder)


def ids(index: ConflictIndex, passages: Sequence[Passage], **options: object) -> list[str]:
    return [known.conflict.conflict_id for known in index.among(passages, **options)]  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def run_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    write_all(realistic_result(), folder)
    return folder


@pytest.fixture(scope="module")
def index(run_dir: Path) -> ConflictIndex:
    return ConflictIndex.open(run_dir)


# -- copies ------------------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def of_copies(tmp_path_factory: pytest.TempPathFactory) -> ConflictIndex:
    folder = tmp_path_factory.mktemp("copies")
    write_all(copies_result(), folder, PARQUET)
    return ConflictIndex.open(folder)


def test_facts_of_one_cluster_are_looked_up_one_by_one(of_copies: ConflictIndex) -> None:
    conflicts = {c.attribute: c for c in copies_result().conflicts}
    carry, notice = conflicts["carry over"], conflicts["notice"]
    assert carry.b.value == notice.b.value  # “5 days” is a value of two facts
    spans = [(side.doc, side.char_start, side.char_end) for side in (carry.a, carry.b)]
    assert ids(of_copies, spans) == [carry.conflict_id]
    exact_copy = "share/leave-2023 (1).md"
    found = of_copies.among([exact_copy, (notice.a.doc, notice.a.char_start, notice.a.char_end)])
    assert [(known.conflict.conflict_id, known.b) for known in found] == [(notice.conflict_id, (exact_copy,))]


def test_a_stale_copy_stays_as_long_as_one_of_its_differences_is_open(of_copies: ConflictIndex) -> None:
    """All they disagree about shares a cluster; that it loses two facts says nothing about the third."""
    original, copy = "policies/leave.md", "share/leave-2023.md"
    assert of_copies.resolve([original, copy]) == (original, copy)
    lost = [c for c in copies_result().conflicts if c.attribute == "parental leave"]
    spans = [(side.doc, side.char_start, side.char_end) for c in lost for side in (c.a, c.b)]
    assert of_copies.resolve(spans) == (spans[0],)


# -- among -------------------------------------------------------------------------------------------------------------------------


def test_every_row_is_found_by_chunk_by_document_and_by_span(index: ConflictIndex) -> None:
    for conflict in realistic_result().conflicts:
        a, b = conflict.a, conflict.b
        for passages in (
            [a.chunk_id, b.chunk_id],
            [a.doc, b.doc],
            [(a.doc, a.char_start, a.char_end), Span(b.doc, b.char_end - 1, b.char_end + 40)],
            [a.doc, "not/in/the/run.md", (b.doc, b.char_start - 5, b.char_start + 1)],
        ):
            assert conflict.conflict_id in ids(index, passages), passages


def test_a_whole_conflict_is_read_back(index: ConflictIndex) -> None:
    expected = next(c for c in realistic_result().conflicts if c.entity_key == "api rate limit")
    (known,) = index.among([expected.b.doc, expected.a.doc])
    assert known.conflict == replace(
        expected, a=replace(expected.a, marks=()), b=replace(expected.b, marks=()), features={}, explanation=expected.explanation
    )
    assert (known.a, known.b, known.winners) == ((expected.a.doc,), (expected.b.doc,), (expected.b.doc,))


def test_one_side_alone_is_no_conflict(index: ConflictIndex) -> None:
    assert index.among(["reference/api-v1.2.md"]) == ()
    assert index.among([]) == ()
    assert index.among(["reference/api-v1.2.md", "nowhere.md", ("nowhere.md", 0, 9)]) == ()


def test_a_span_beside_the_quote_does_not_match(index: ConflictIndex) -> None:
    conflict = next(c for c in realistic_result().conflicts if c.entity_key == "api rate limit")
    a, b = conflict.a, conflict.b
    assert index.among([(a.doc, 0, a.char_start), b.doc]) == ()
    assert index.among([(a.doc, a.char_end, a.char_end + 100), b.doc]) == ()
    assert index.among([(a.doc, a.char_start + 3, a.char_start + 3), b.doc]) == ()
    assert len(index.among([(a.doc, a.char_start, a.char_start + 1), b.doc])) == 1


def test_a_short_quote_inside_a_long_one_is_not_what_follows_it(tmp_path: Path) -> None:
    long, short = ((0, 100), (10, 20))
    rows = [
        make_conflict(
            make_side("a.md", "x" * (end - start), f"{key} 1", char_start=start, char_end=end),
            make_side("b.md", "y", f"{key} 2", char_start=start, char_end=end),
            entity_key=key,
        )
        for key, (start, end) in (("long", long), ("short", short))
    ]
    index = opened(tmp_path, rows, [])
    assert ids(index, [("a.md", 20, 30), "b.md"]) == [rows[0].conflict_id]
    assert set(ids(index, [("a.md", 19, 30), "b.md"])) == {row.conflict_id for row in rows}


def test_one_passage_may_hold_both_sides(index: ConflictIndex) -> None:
    (known,) = index.among(["operations/backup-runbook.md"])
    assert known.a == known.b == ("operations/backup-runbook.md",)
    assert index.among([("operations/backup-runbook.md", 22 * 60, 22 * 60 + 10)]) == ()


def test_a_document_that_only_the_clusters_name_counts(index: ConflictIndex) -> None:
    """`faq/developers.md` holds the old value and is quoted in no row."""
    (known,) = index.among(["faq/developers.md", "reference/api-v2.0.md"])
    assert known.a == ("faq/developers.md",)
    assert known.conflict.a.doc == "reference/api-v1.2.md"
    assert index.resolve(["faq/developers.md", "reference/api-v2.0.md"]) == ("reference/api-v2.0.md",)


def copied(tmp_path: Path, text_hash: str, heading: tuple[str, ...]) -> ConflictIndex:
    """a.md and b.md disagree; copy.md holds a copy of what a.md says, in a chunk of this text and heading."""
    a = make_side(
        "a.md", "Goods go back within 14 days.", "14 days", chunk_id="a.md:1", char_start=110, char_end=139, heading="Returns"
    )
    b = make_side("b.md", "Goods go back within 30 days.", "30 days", chunk_id="b.md:1")
    conflict = make_conflict(a, b, winner="b", status="auto_resolved", rule_applied=("timestamp",))
    values = make_values(conflict, ("14 days", ["a.md", "copy.md"], ""), ("30 days", ["b.md"], "w"))
    chunks = [
        Chunk("a.md:1", "a.md", 100, 200, ("Returns",), "same"),
        Chunk("b.md:1", "b.md", 0, 2000, ("Returns",), "other"),
        Chunk("copy.md:1", "copy.md", 0, 300, ("Intro",), "nothing"),
        Chunk("copy.md:2", "copy.md", 500, 600, heading, text_hash),
    ]
    return opened(tmp_path, [conflict], values, chunks)


def test_a_copy_is_found_in_the_chunk_of_the_same_text(tmp_path: Path) -> None:
    index = copied(tmp_path, "same", ("Elsewhere",))
    for passage, found in (
        ("copy.md", True),
        ("copy.md:2", True),
        ("copy.md:1", False),
        (("copy.md", 505, 511), True),  # the quote begins ten characters into the chunk
        (("copy.md", 505, 510), False),
        (("copy.md", 538, 560), True),
        (("copy.md", 539, 560), False),
    ):
        assert bool(index.among([passage, "b.md"])) is found, passage


def test_a_copy_is_found_in_the_chunk_under_the_same_headings(tmp_path: Path) -> None:
    index = copied(tmp_path, "changed elsewhere in the chunk", ("Returns",))
    for passage, found in (("copy.md:2", True), ("copy.md:1", False), (("copy.md", 599, 700), True), (("copy.md", 0, 400), False)):
        assert bool(index.among([passage, "b.md"])) is found, passage


def test_a_copy_without_a_known_place_may_be_anywhere_in_its_document(tmp_path: Path) -> None:
    index = copied(tmp_path, "unknown", ("Unknown",))
    for passage in ("copy.md:2", "copy.md:1", ("copy.md", 599, 700), ("copy.md", 0, 4), "copy.md"):
        assert index.among([passage, "b.md"]), passage
    assert not index.among(["a.md", "copy.md"])


def test_two_copies_stand_for_a_row_that_neither_is_in(tmp_path: Path) -> None:
    """18 in two documents against 20 in two: the rows hold two pairs, the clusters say the rest."""
    sides = [
        make_side(f"{name}.md", f"It has {n} tools.", f"{n} tools") for name, n in (("a", 18), ("b", 20), ("c", 18), ("d", 20))
    ]
    rows = [make_conflict(sides[0], sides[1], entity_key="tools"), make_conflict(sides[2], sides[3], entity_key="tools")]
    index = opened(tmp_path, rows, make_values(rows[0], ("18 tools", ["a.md", "c.md"], ""), ("20 tools", ["b.md", "d.md"], "")))
    (known,) = index.among(["a.md", "d.md"])
    assert (known.a, known.b) == (("a.md",), ("d.md",))
    assert ids(index, ["a.md", "b.md"]) == [rows[0].conflict_id]
    assert set(ids(index, ["a.md", "b.md", "c.md", "d.md"])) == {row.conflict_id for row in rows}


def test_tiers_and_dismissed_ones(tmp_path: Path) -> None:
    pairs = {
        tier: make_conflict(
            make_side(f"{tier}-a.md", "It is 1 m.", "1 m"),
            make_side(f"{tier}-b.md", "It is 2 m.", "2 m"),
            tier=tier,
            entity_key=tier,
        )
        for tier in ("high", "medium", "advisory")
    }
    settled = {
        name: replace(pairs["high"], conflict_id=name, cluster_id=name, status=status, reviewer_decision=said)
        for name, status, said in (
            ("by-rule", "dismissed", None),
            ("by-reviewer", "decided", "not_a_contradiction"),
            ("again", "reopened", "not_a_contradiction"),
        )
    }
    index = opened(tmp_path, [*pairs.values(), *settled.values()], [])
    everything = [side.doc for pair in pairs.values() for side in (pair.a, pair.b)]
    assert set(ids(index, everything)) == {*(pair.conflict_id for pair in pairs.values()), "again"}
    assert len(ids(index, everything, dismissed=True)) == 6
    assert set(ids(index, everything, min_tier="high")) == {pairs["high"].conflict_id, "again"}
    assert "advisory-a.md" not in index.context(everything)


def test_rows_come_most_pressing_first(index: ConflictIndex) -> None:
    result = realistic_result()
    everything = sorted({side.doc for c in result.conflicts for side in (c.a, c.b)})
    assert ids(index, everything) == [c.conflict_id for c in in_order(result.conflicts)]


@pytest.mark.parametrize(
    "passages",
    ["a.md", [("a.md", 1)], [("a.md", 5, 4)], [("a.md", -1, 4)], [("a.md", 0.5, 4)], [(1, 2, 3)], [None], [42]],
)
def test_what_names_no_passage_is_one_clear_error(index: ConflictIndex, passages: object) -> None:
    with pytest.raises(UserError, match=r"passage"):
        index.among(passages)  # type: ignore[arg-type]


def test_an_unknown_tier_is_an_error(index: ConflictIndex) -> None:
    with pytest.raises(UserError, match="not one of high, medium, advisory"):
        index.among(["a.md"], min_tier="certain")


def test_unknown_passages_are_told(index: ConflictIndex) -> None:
    known = ["reference/api-v1.2.md", ("reference/api-v1.2.md", 0, 1), "reference/api-v1.2.md:0123456789ab"]
    strange = ["./reference/api-v1.2.md", ("x.md", 0, 1)]
    assert index.unknown([*known, *strange]) == tuple(strange)


def test_a_folder_without_a_run_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"holds no conflicts\.parquet"):
        ConflictIndex.open(tmp_path)


def test_a_run_without_findings(tmp_path: Path) -> None:
    write_all(empty_result(), tmp_path)
    index = ConflictIndex.open(tmp_path)
    assert len(index) == 0
    assert index.among(["guides/page-00.md", "guides/page-01.md", ("guides/page-00.md", 0, 9)]) == ()
    assert index.resolve(["guides/page-00.md"]) == ("guides/page-00.md",)
    assert index.context(["guides/page-00.md"]) == ""


def test_importing_the_package_stays_cheap() -> None:
    code = "import sys, auditor; print(sorted({'numpy', 'polars', 'pydantic'} & set(sys.modules))); auditor.ConflictIndex"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


# -- against a plain search ---------------------------------------------------------------------------------------------------------


@st.composite
def stores(draw: st.DrawFn) -> tuple[list[Conflict], list[ClusterValue], list[Passage]]:
    """Rows of up to four clusters over six documents whose quotes may overlap, and passages of all sorts."""
    rows: list[Conflict] = []
    values: list[ClusterValue] = []
    for cluster in range(draw(st.integers(1, 4))):
        held: dict[str, set[str]] = {}
        made = []
        for n in range(draw(st.integers(1, 4))):
            pair = [_side(draw, f"{cluster}.{value}") for value in draw(st.permutations(range(3)))[:2]]
            for side in pair:
                held.setdefault(side.value, set()).add(side.doc)
            tier = draw(st.sampled_from(("high", "advisory")))
            made.append(
                replace(make_conflict(*pair), conflict_id=f"{cluster}-{n}", cluster_id=str(cluster), tier=tier, confidence=0.5)
            )
        rows += made
        values += make_values(made[0], *((value, sorted(docs), "") for value, docs in held.items()))
    passage = st.one_of(
        st.sampled_from(_DOCS),
        st.builds(lambda doc, n: f"{doc}:{n}", st.sampled_from(_DOCS), st.integers(0, 4)),
        st.builds(
            lambda doc, start, size: (doc, start, start + size), st.sampled_from(_DOCS), st.integers(0, 100), st.integers(0, 40)
        ),
    )
    return rows, values, draw(st.lists(passage, max_size=6))


_DOCS = [f"{name}.md" for name in "abcdef"]


def _side(draw: st.DrawFn, value: str) -> Side:
    doc, start, size = draw(st.sampled_from(_DOCS)), draw(st.integers(0, 90)), draw(st.integers(1, 30))
    return make_side(doc, "x" * size, value, char_start=start, char_end=start + size, chunk_id=f"{doc}:{start // 25}")


def _holds(passage: Passage, side: Side) -> bool:
    if isinstance(passage, str):
        return passage in (side.doc, side.chunk_id)
    return passage[0] == side.doc and max(passage[1], side.char_start) < min(passage[2], side.char_end)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(store=stores(), all_tiers=st.booleans())
def test_lookups_find_what_a_search_through_all_rows_finds(
    store: tuple[list[Conflict], list[ClusterValue], list[Passage]], all_tiers: bool, tmp_path: Path
) -> None:
    rows, values, passages = store
    index = opened(tmp_path, rows, values)
    wanted = in_order(row for row in rows if all_tiers or row.tier == "high")

    def holders(value: str) -> tuple[Passage, ...]:
        sides = [side for row in rows for side in (row.a, row.b) if side.value == value]
        # A document that gives two values of a fact under one text has places of both; the text tells them apart.
        return tuple(dict.fromkeys(p for p in passages if any(_holds(p, side) for side in sides)))

    direct = [r for r in wanted if any(_holds(p, r.a) for p in passages) and any(_holds(p, r.b) for p in passages)]
    met = {frozenset((r.a.value, r.b.value)) for r in direct}
    expected = list(direct)
    for row in wanted:
        pair = frozenset((row.a.value, row.b.value))
        if pair not in met and holders(row.a.value) and holders(row.b.value):
            met.add(pair)
            expected.append(row)
    found = index.among(passages, min_tier="advisory" if all_tiers else "high")
    assert {k.conflict.conflict_id for k in found} == {r.conflict_id for r in expected}
    for known in found:
        assert set(known.a) == set(holders(known.conflict.a.value))
        assert set(known.b) == set(holders(known.conflict.b.value))


# -- resolve -----------------------------------------------------------------------------------------------------------------------


def decided(a: str, b: str, key: str, winner: str | None, **changes: object) -> Conflict:
    sides = (
        make_side(f"{name}.md", f"The {key} of {name} is said here.", f"{key} {name}", chunk_id=f"{name}.md:1") for name in (a, b)
    )
    rule = ("timestamp",) if winner else ("escalate",)
    status = "auto_resolved" if winner else "escalated"
    return make_conflict(*sides, **{"entity_key": key, "winner": winner, "rule_applied": rule, "status": status, **changes})


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        ([decided("a", "b", "x", "a")], "a c d"),
        ([decided("a", "b", "x", None)], "a b c d"),
        # Three values, one of which is to be followed.
        ([decided("a", "b", "x", "a"), decided("a", "c", "x", "a"), decided("b", "c", "x", None)], "a d"),
        # The winner of one cluster loses in another, and is still needed; so is what nothing was decided about.
        ([decided("a", "b", "x", "a"), decided("a", "c", "y", "b")], "a c d"),
        ([decided("a", "b", "x", "a"), decided("b", "c", "y", None)], "a b c d"),
        ([decided("a", "b", "x", "a"), decided("a", "b", "y", "b")], "a b c d"),
        # A reviewer counts for more than the rules, unless a value has changed since.
        ([decided("a", "b", "x", "a", status="decided", reviewer_decision="accept_b")], "b c d"),
        ([decided("a", "b", "x", "a", status="decided", reviewer_decision="both_with_condition")], "a b c d"),
        ([decided("a", "b", "x", "a", status="reopened", reviewer_decision="accept_b")], "a c d"),
        ([decided("a", "b", "x", "a", status="dismissed")], "a b c d"),
        ([decided("a", "b", "x", "a", tier="advisory")], "a b c d"),
    ],
)
def test_resolve(rows: list[Conflict], kept: str, tmp_path: Path) -> None:
    given_ = ["d.md", "b.md", "a.md:1", "c.md", "b.md"]
    index = opened(tmp_path, rows, [])
    expected = {"a": "a.md:1", **{name: f"{name}.md" for name in "bcd"}}
    assert index.resolve(given_) == tuple(p for p in given_ if p in {expected[name] for name in kept.split()})


def test_resolve_keeps_the_winner_whatever_the_order(index: ConflictIndex) -> None:
    for passages in (["reference/api-v1.2.md", "reference/api-v2.0.md"], ["reference/api-v2.0.md", "reference/api-v1.2.md"]):
        assert index.resolve([*passages, "guides/onboarding/step-01.md", "elsewhere.md"]) == (
            "reference/api-v2.0.md",
            "guides/onboarding/step-01.md",
            "elsewhere.md",
        )
