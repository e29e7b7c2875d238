from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from resolve_corpus import Corpus, pair

from auditor.model import BlockKind, Statement
from auditor.resolve.sides import marks, url


def test_a_side_has_everything_to_find_the_passage() -> None:
    corpus = Corpus()
    first = corpus.document(
        "ä b/a.md", "# Returns", "Return within **14 days**.", url="https://w.example/{path}#L{line}", owner="x@y"
    )
    second = corpus.document("b.md", "Goods go back within 30 days.", effective=date(2024, 1, 2))
    corpus.finding(second[0], first[1], "30 days", "14 days", scope_b="plan: pro")
    (conflict,), _ = corpus.resolve()
    side = conflict.b
    text = corpus.documents[side.doc].text
    assert side.quote == text[side.char_start : side.char_end] == "Return within **14 days**."
    assert (side.line_start, side.line_end, side.locator, side.page) == (2, 2, "line=2", None)
    assert side.url == "https://w.example/%C3%A4%20b/a.md#L2"
    assert side.heading == "Returns › Window"
    assert [side.quote[start:end] for start, end in side.marks] == ["14 days"]
    assert (side.owner, side.scope, side.value) == ("x@y", "plan: pro", "14 days")
    assert (conflict.a.effective, conflict.a.url, conflict.a.locator) == (date(2024, 1, 2), None, "line=1")


def test_lines_of_a_long_quote() -> None:
    corpus = pair()
    document = replace(corpus.documents["a.md"], line_map=((0, 12), (7, 13), (20, 14), (28, 15)))
    corpus.documents["a.md"] = document
    (conflict,), _ = corpus.resolve()
    assert conflict.a.locator == "line=12-14"  # the end of the quote is the start of line 15, which is not part of it


@pytest.mark.parametrize(
    ("doc_id", "expected"),
    [
        ("a/b.md", "a/b.md"),
        ("wiki.jsonl#12", "wiki.jsonl"),
        ("files.zip!/a.md", "files.zip"),
        ("C%23 notes%21.md", "C%23%20notes%21.md"),
        ("{line}.md", "%7Bline%7D.md"),
        ("100%.md", "100%25.md"),
    ],
)
def test_url_paths(doc_id: str, expected: str) -> None:
    corpus = Corpus()
    corpus.document(doc_id, "x", url="https://w/{path}?l={line}&o={other}")
    found = url(corpus.documents[doc_id], 7)
    assert found is not None
    assert found.replace("%21", "!") == f"https://w/{expected}?l=7&o={{other}}".replace("%21", "!")


def reading(text: str, body: int = 0) -> Statement:
    return Statement(0, "a.md", "c", BlockKind.PARAGRAPH, text, body, 0, len(text))


@pytest.mark.parametrize(
    ("quote", "text", "value", "expected"),
    [
        ("It has **18** `tools_*` tools.", "It has 18 tools_* tools.", "18 tools_* tools", ["18", "tools", "tools"]),
        ("Costs <b>$6.8</b>&nbsp;million.", "Costs $6.8 million.", "$6.8 million", ["$6.8", "million"]),
        ("| Gold | 100 | 10 |", "Gold, seats: 10", "10", ["10"]),
        ("Plan 10: up to 10 seats", "Plan 10: up to 10 seats", "10 seats", ["10 seats"]),
        ("in _no longer_ required", "in no longer required", "no longer required", ["no longer", "required"]),
        ("code TR-58-5120 is", "code TR-58-5120 is", "TR-58-5120", ["TR-58-5120"]),
        ("within\n  14\n days", "within 14 days", "14 days", ["14\n days"]),
        ("It must really not be used", "It must not be used", "must not", ["must", "not"]),
        ("Bring your own.", "Not allowed: 5 devices. Bring your own.", "5 devices", []),
        ("version 1.20 only", "version 1.2 only", "1.2", []),
    ],
)
def test_marks(quote: str, text: str, value: str, expected: list[str]) -> None:
    at = text.rindex(value)
    found = marks(quote, reading(text), (at, at + len(value)))
    assert [quote[start:end] for start, end in found] == expected


def test_the_right_one_of_equal_words_is_marked() -> None:
    text = "14 days to return, 14 days to exchange"
    assert marks(text, reading(text), (19, 26)) == ((19, 26),)
    # The reading has a lead-in of its own in front.
    lead = "Within 14 days: "
    assert marks(text, reading(lead + text, len(lead)), (len(lead), len(lead) + 7)) == ((0, 7),)


@pytest.mark.parametrize(
    ("first", "second", "finding", "category"),
    [
        ({}, {}, {}, "factual"),
        ({"published": date(2023, 1, 1)}, {"published": date(2024, 1, 1)}, {}, "outdated"),
        ({"published": date(2023, 1, 1)}, {"published": date(2023, 1, 1)}, {}, "factual"),
        ({"published": date(2023, 1, 1)}, {}, {}, "factual"),
        ({"published": date(2023, 1, 1)}, {"published": date(2024, 1, 1)}, {"opinion": True}, "opinion"),
        ({"tier": "archive"}, {}, {}, "outdated"),
        ({"title": "API reference v1.2"}, {"title": "API reference v2.0"}, {}, "outdated"),
        ({"title": "Guidance 2010"}, {"title": "Guidance 2020"}, {}, "outdated"),
        ({"title": "Guidance 2010"}, {"title": "Handbook 2020"}, {}, "factual"),
        ({"fields": {"version": "1.2"}}, {"fields": {"version": "2.0"}}, {}, "outdated"),
        ({"title": "Preliminary results"}, {}, {}, "outdated"),
        ({"title": "Preliminary results"}, {"title": "Preliminary figures"}, {}, "factual"),
        ({"heading": ("Legacy plans",)}, {}, {}, "outdated"),
    ],
)
def test_categories(first: dict[str, Any], second: dict[str, Any], finding: dict[str, Any], category: str) -> None:
    (conflict,), _ = pair(first, second, **finding).resolve()
    assert conflict.category == category


def test_a_word_of_change_makes_it_outdated() -> None:
    corpus = Corpus()
    (a,) = corpus.document("a.md", "Attendance is required.")
    (b,) = corpus.document("b.md", "Attendance is no longer required.")
    corpus.finding(a, b, "required", "no longer required", kind="modality")
    (conflict,), _ = corpus.resolve()
    assert conflict.category == "outdated"
