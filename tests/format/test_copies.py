"""Copies and what was read in part, as both reports tell of them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date

import pytest

from auditor.format.html import render_html
from auditor.format.markdown import render_markdown
from auditor.format.view import build_view
from auditor.model import ScanResult
from auditor.redact import redact
from tests.factories import copies_result, empty_result, make_document, realistic_result

NEW, OLD, SAME = "policies/leave.md", "share/leave-2023.md", "share/leave-2023 (1).md"


def with_rows(**changes: dict[str, object]) -> ScanResult:
    """The copies, with changed rows of documents: "new", "old" or "same"."""
    names = {{"new": NEW, "old": OLD, "same": SAME}[name]: values for name, values in changes.items()}
    result = copies_result()
    rows = tuple(replace(row, **names.get(row.path, {})) for row in result.documents)  # type: ignore[arg-type]
    return replace(result, documents=rows)


def test_a_copy_is_told_with_what_it_repeats_and_how_it_differs() -> None:
    stale, exact = sorted(build_view(copies_result()).copies, key=lambda copy: copy.exact)
    assert (stale.document, stale.original, stale.alike) == (OLD, NEW, "90 % the same, numbers aside")
    assert (stale.newer, stale.dates) == (NEW, "dated 2025-03-01, the other undated")
    assert (stale.count, stale.fact) == ("3 differences", 1)
    assert (exact.document, exact.original, exact.alike) == (SAME, OLD, "word for word the same")
    assert (exact.newer, exact.dates, exact.count, exact.fact) == ("", "neither states a date", "nothing differs", 0)


@pytest.mark.parametrize(
    ("new", "old", "newer", "dates"),
    [
        (date(2025, 3, 1), date(2023, 1, 2), NEW, "dated 2025-03-01, the other 2023-01-02"),
        (None, date(2023, 1, 2), OLD, "dated 2023-01-02, the other undated"),
        (date(2025, 3, 1), date(2025, 3, 1), "", "both are dated 2025-03-01"),
    ],
)
def test_which_is_newer_is_said_as_far_as_the_dates_tell(new: date | None, old: date | None, newer: str, dates: str) -> None:
    view = build_view(with_rows(new={"published": new}, old={"effective": old}))
    stale = next(copy for copy in view.copies if copy.document == OLD)
    assert (stale.newer, stale.dates) == (newer, dates)


def test_a_copy_with_other_numbers_only_is_not_called_exact_nor_a_nearly_same_one_the_same() -> None:
    for share, words in ((1.0, "100 % the same, numbers aside"), (0.9999, "99 % the same, numbers aside")):
        view = build_view(with_rows(old={"copy_share": share}))
        assert next(copy for copy in view.copies if copy.document == OLD).alike == words


def test_differences_that_other_documents_share_are_counted_apart() -> None:
    result = copies_result()
    clusters = tuple(
        replace(row, cluster_id="k-shared", documents=(*row.documents, "faq.md") if row.value == "5 days" else row.documents)
        if row.attribute == "notice"
        else row
        for row in result.clusters
    )
    conflicts = tuple(replace(c, cluster_id="k-shared") if c.attribute == "notice" else c for c in result.conflicts)
    stale = next(c for c in build_view(replace(result, conflicts=conflicts, clusters=clusters)).copies if c.document == OLD)
    assert stale.count == "2 differences, and 1 about which other documents disagree as well"
    only = replace(result, conflicts=conflicts[2:3], clusters=tuple(row for row in clusters if row.cluster_id == "k-shared"))
    stale = next(c for c in build_view(only).copies if c.document == OLD)
    assert (stale.count, stale.fact) == ("1 difference about which other documents disagree as well", 1)


def test_the_cluster_of_copies_has_a_row_for_each_difference() -> None:
    cluster = build_view(copies_result()).clusters[0]
    assert (cluster.subject, cluster.claims) == ("Leave policy and its copies", ("3 differences in 3 documents",))
    assert cluster.notes == (
        f"{SAME} repeats {OLD} (word for word the same); neither states a date.",
        f"{OLD} repeats {NEW} (90 % the same, numbers aside); {NEW} is newer, dated 2025-03-01, the other undated.",
    )
    assert [fact.subject for fact in cluster.facts] == ["Carry over", "Parental leave", "Notice"]
    by_value = {(fact.subject, value.value): value for fact in cluster.facts for value in fact.values}
    assert by_value["Carry over", "10 days"].documents == (NEW,)
    assert "suggested" in by_value["Carry over", "10 days"].badges
    assert by_value["Notice", "5 days"].documents == (SAME, OLD)
    assert [fact.pair for fact in cluster.facts] == [pair.conflict.conflict_id for pair in cluster.pairs]
    assert cluster.winning == ""  # no value of one fact is suggested for another


def test_one_difference_of_copies_is_a_fact_like_any_other_and_says_so() -> None:
    result = copies_result()
    rows = tuple(row for row in result.clusters if row.attribute == "carry over")
    (cluster,) = build_view(replace(result, conflicts=result.conflicts[:1], clusters=rows)).clusters
    assert (cluster.facts, cluster.subject) == ((), "Leave policy: carry over")
    assert len(cluster.notes) == 2
    assert build_view(realistic_result()).clusters[0].notes == ()


def test_many_copies_are_not_all_told_above_a_cluster() -> None:
    result = copies_result()
    more = [make_document(f"share/{n}.md", copy_of=NEW, copy_share=1.0, copy_exact=True) for n in range(9)]
    rows = tuple(replace(row, documents=(*row.documents, *(m.path for m in more))) for row in result.clusters)
    view = build_view(replace(result, documents=(*result.documents, *more), clusters=rows))
    assert len(view.copies) == 11
    assert len(view.clusters[0].notes) == 6
    assert view.clusters[0].notes[-1] == "And 6 more copies."


def test_a_copy_whose_original_is_not_part_of_the_report_is_told_without_dates() -> None:
    result = copies_result()
    view = build_view(replace(result, documents=tuple(row for row in result.documents if row.path != NEW)))
    stale = next(copy for copy in view.copies if copy.document == OLD)
    assert (stale.newer, stale.dates) == ("", "")
    assert view.clusters[0].notes[1] == f"{OLD} repeats {NEW} (90 % the same, numbers aside)."


def test_masked_names_still_lead_to_each_other() -> None:
    result = with_rows(old={"copy_of": "a@example.org.md"})
    rows = tuple(replace(row, path="a@example.org.md") if row.path == NEW else row for row in result.documents)
    (stale,) = (row for row in redact(replace(result, documents=rows)).documents if row.path == OLD)
    assert stale.copy_of in {row.path for row in redact(replace(result, documents=rows)).documents}
    assert "example.org" not in str(stale.copy_of)


def test_markdown_lists_copies_and_what_was_read_in_part() -> None:
    text = render_markdown(copies_result())
    assert (
        "- share/leave-2023.md repeats policies/leave.md: 90 % the same, numbers aside; 3 differences, see “Leave policy and its copies”;"
        " policies/leave.md is newer, dated 2025-03-01, the other undated\n"
    ) in text
    assert "- prices.xlsx: 1 hidden sheet left out; 2 formulas have no stored result\n" in text
    assert "| Carry over | 5 days | majority | 2 | share/leave-2023 (1).md, share/leave-2023.md |" in text
    assert "contracts/terms.pdf, page 3, line 5\n" in text
    assert "prices.xlsx, sheet Q1 plan, cell B7\n" in text


def test_html_lists_copies_and_what_was_read_in_part() -> None:
    text = render_html(copies_result())
    copies = text[text.index('id="copies"') : text.index('id="unread"')]
    assert '<a href="#fact-1">3 differences</a>' in copies
    assert re.search(r"policies/leave.md</span> <span class=\"badge\">newer</span>", copies)
    unread = text[text.index('id="unread"') :]
    assert "pages 3 and 5 hold no text (scanned images?)" in unread
    assert "Read in part (2)" in unread
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])  # type: ignore[index]
    fact = data["facts"][0]
    assert (fact["values"], [subject for subject, *_ in fact["facts"]]) == ([], ["Carry over", "Parental leave", "Notice"])
    assert len(fact["notes"]) == 2
    assert "facts" not in data["facts"][1]


@pytest.mark.parametrize("render", [render_html, render_markdown])
def test_without_findings_copies_are_still_told(render: object) -> None:
    rows = (make_document("a.md"), make_document("b.md", copy_of="a.md", copy_share=1.0, copy_exact=True, notices=("no text",)))
    text = render(replace(empty_result(), documents=rows))  # type: ignore[operator]
    assert "word for word the same" in text
    assert "no text" in text


def test_without_copies_nothing_is_said_of_them() -> None:
    for text in (render_html(realistic_result()), render_markdown(realistic_result())):
        assert "opies of other documents" not in text
        assert "Read in part" not in text
        assert 'id="copies"' not in text
