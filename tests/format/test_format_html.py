"""report.html as text: what is in it, and what can never be."""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from auditor.format.html import render_html
from auditor.format.markdown import render_markdown
from auditor.model import ScanResult
from tests.factories import (
    empty_result,
    hostile_result,
    make_conflict,
    make_result,
    make_side,
    make_skipped,
    make_values,
    realistic_result,
)

RESULTS = [realistic_result, empty_result, hostile_result]


class Page(HTMLParser):
    """Every tag with its attributes, and the text of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.raw: dict[str, str] = {}
        self.text = ""
        self._in = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self._in = tag if tag in ("script", "style") else ""

    def handle_data(self, data: str) -> None:
        if self._in:
            self.raw[self._in] = self.raw.get(self._in, "") + data
        else:
            self.text += data

    def handle_endtag(self, tag: str) -> None:
        self._in = ""


@pytest.mark.parametrize("make", RESULTS)
def test_nothing_foreign_can_be_in_it(make: Callable[[], ScanResult]) -> None:
    page = Page(render_html(make()))
    counts = Counter(tag for tag, _ in page.tags)
    assert counts["script"] == counts["style"] == 1
    assert not {"img", "svg", "iframe", "object", "embed", "link", "base", "video", "audio"} & set(counts)
    for tag, attributes in page.tags:
        handlers = [
            name for name in attributes if name.startswith("on") or name in ("style", "src", "srcdoc", "action", "formaction")
        ]
        assert handlers == [], (tag, attributes)
        if "href" in attributes:
            assert re.match(r"https?://[^\s\"'<>]+$|#[\w-]+$", attributes["href"]), attributes["href"]


@pytest.mark.parametrize("make", RESULTS)
def test_the_policy_names_exactly_our_style_and_script(make: Callable[[], ScanResult]) -> None:
    page = Page(render_html(make()))
    policy = next(a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")

    def source(text: str) -> str:
        return "'sha256-" + base64.b64encode(sha256(text.encode()).digest()).decode() + "'"

    assert policy.split("; ") == [
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        f"style-src {source(page.raw['style'])}",
        f"script-src {source(page.raw['script'])}",
    ]


@pytest.mark.parametrize("make", RESULTS)
def test_ids_are_unique_and_labels_point_somewhere(make: Callable[[], ScanResult]) -> None:
    page = Page(render_html(make()))
    ids = Counter(attributes["id"] for _, attributes in page.tags if "id" in attributes)
    assert max(ids.values(), default=0) <= 1
    for _, attributes in page.tags:
        if "aria-labelledby" in attributes:
            assert attributes["aria-labelledby"] in ids
        if attributes.get("href", "").startswith("#"):
            assert attributes["href"][1:] in ids


def test_hostile_text_is_shown_as_text() -> None:
    html = render_html(hostile_result())
    page = Page(html)
    assert "<script>alert('script')</script>" in page.text
    assert "{{ 7 * 7 }}" in page.text
    assert "49" not in page.text.split("{{ 7 * 7 }}")[1][:20]
    for hidden in ("\u202e", "\u2066", "\x00", "\x1b", "\u2028", "\U000e0041", "\ufeff"):
        assert hidden not in html
    assert "⟨U+202E⟩" in page.text


def test_no_text_is_long_enough_to_bury_the_rest() -> None:
    assert len(render_html(hostile_result())) < 400_000


def test_content_a_reviewer_needs() -> None:
    text = " ".join(Page(render_html(realistic_result())).text.split())
    for expected in (
        "Contradictions in handbook",
        "14 contradictions about 10 facts",
        "API rate limit: requests per minute — 100 requests/min in 2 documents, 500 requests/min in 1",
        "MCP server: tools — 18 tools in 10 documents, 20 tools in 2, 23 tools in 1",
        "2 more pairs of passages about this fact",
        "What could not be read (3)",
        "no text: the pages are pictures",
        "Limits › Rate limits",
        "effective 2024-12-01, published 2024-11-05",
        "platform@example.org · secondary source",
        "undated",
        "nobody named",
        "Suggestion: follow B, 500 requests/min.",
        "2024-12-01 is later than 2023-02-14",
        "Needs a decision.",
        "Both positions stand.",
        "Decided by j.doe@example.org on 2025-05-12: B holds.",
        "Only A is limited to product: electronics; B does not say.",
        "Read as Fiscal 2023, Revenue: $4.2M",
        "slide 9",
        "lines 131–132",
        "97% confidence",
    ):
        assert expected in text, expected


def test_values_that_only_copies_hold_are_listed_in_full() -> None:
    text = Page(render_html(realistic_result())).text
    assert "4 more documents" in text
    assert "examples/client-7/README.md" in text


def test_the_deciding_words_are_marked() -> None:
    html = render_html(realistic_result())
    assert "up to <mark>100 requests</mark> per minute" in html


def test_without_marks_the_differing_words_are_marked() -> None:
    a, b = make_side("a.md", "Up to 100 requests.", "", marks=()), make_side("b.md", "Up to 500 requests.", "", marks=())
    html = render_html(make_result([make_conflict(a, b)], [], []))
    assert "Up to <mark>100</mark> requests." in html


def test_other_differences_are_marked_less() -> None:
    a = make_side("a.md", "Keys expire after 30 days unless a team asks for more.", "30 days")
    b = make_side("b.md", "Keys expire after 60 days unless an owner asks for more.", "60 days")
    html = render_html(make_result([make_conflict(a, b)], [], []))
    assert '<mark>30 days</mark> unless <span class="diff">a team</span>' in html


def test_a_rule_may_win_for_a_value_that_neither_passage_holds() -> None:
    a, b = make_side("a.md", "18 tools", "18 tools"), make_side("b.md", "20 tools", "20 tools")
    conflict = make_conflict(a, b, rule_applied=("timestamp",), rule_trace=("timestamp: c.md is newer",))
    values = make_values(conflict, ("18 tools", ["a.md"], ""), ("20 tools", ["b.md"], ""), ("23 tools", ["c.md"], "nw"))
    assert "Neither passage holds the suggested value, 23 tools." in Page(render_html(make_result([conflict], values, []))).text


def test_a_settled_pair_asks_for_nothing() -> None:
    a, b = make_side("a.md", "18 tools", "18 tools"), make_side("b.md", "20 tools", "20 tools")
    changes = {"rule_applied": ("owner_rule",), "rule_trace": ("owner_rule: both are valid",), "status": "dismissed"}
    result = make_result([make_conflict(a, b, **changes), make_conflict(b, a, entity_key="x", status="dismissed")], [], [])
    text = " ".join(Page(render_html(result)).text.split())
    assert "Dismissed. Rule: owner_rule both are valid" in text
    assert "Neither passage" not in text
    assert "Needs a decision." not in text
    assert "Dismissed.**\n\nRule: owner\\_rule: both are valid" in render_markdown(result)


def test_a_cluster_without_rows_takes_the_values_of_its_pairs() -> None:
    result = replace(realistic_result(), clusters=())
    assert "— 18 tools in 2 documents, 20 tools in 2, 23 tools in 1" in Page(render_html(result)).text


def test_no_contradictions_is_good_news() -> None:
    text = Page(render_html(empty_result())).text
    assert "No contradictions found" in text
    assert "24" in text


def test_nothing_read_is_no_good_news() -> None:
    text = Page(render_html(make_result([], [], [make_skipped("a.bin", "not a document")]))).text
    assert "No contradictions found" not in text
    assert "Nothing was read" in text
    assert "not a document" in text


def test_advisory_facts_are_folded_at_the_end() -> None:
    html = render_html(realistic_result())
    folded = html[html.index('<details class="advisory"') :]
    assert folded.count('data-tier="advisory"') == 1
    assert 'data-tier="high"' not in folded


def test_facts_come_in_the_order_of_their_best_pair() -> None:
    html = render_html(realistic_result())
    confidences = [int(n) for n in re.findall(r'data-tier="high".*?(\d+)% confidence', html, re.DOTALL)]
    first_of_each = [int(block) for block in re.findall(r'<article class="cluster".*?(\d+)% confidence', html, re.DOTALL)]
    assert first_of_each[:3] == sorted(confidences, reverse=True)[:3]
