"""report.html as text: what is in it, and what can never be."""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from hashlib import sha256
from html.parser import HTMLParser
from typing import Any

import pytest

from auditor.format.html import FIRST_FACTS, FIRST_HINTS, render_html
from auditor.format.markdown import render_markdown
from auditor.history import Comparison, Escalation, Gone, Orphan, Review, RunPoint
from auditor.model import Branding, ScanResult
from tests.factories import (
    SCRIPT,
    empty_result,
    hostile_result,
    large_result,
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
        if (tag, dict(attrs).get("id")) == ("script", "data"):
            self._in = "data"

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
    # One script that runs, and the data it reads.
    assert [a for tag, a in page.tags if tag == "script"][-1:] == [{}]
    assert [a for tag, a in page.tags if tag == "script"][:-1] in ([], [{"type": "application/json", "id": "data"}])
    assert counts["style"] == 1
    assert {a["class"] for tag, a in page.tags if tag == "svg"} <= {"bar"}  # the charts
    assert not {"img", "iframe", "object", "embed", "link", "base", "video", "audio"} & set(counts)
    for tag, attributes in page.tags:
        handlers = [
            name for name in attributes if name.startswith("on") or name in ("style", "src", "srcdoc", "action", "formaction")
        ]
        assert handlers == [], (tag, attributes)
        if "href" in attributes:
            assert re.match(r"https?://[^\s\"'<>]+$|#[\w-]+$|#\w+=[\w.~%-]+$", attributes["href"]), attributes["href"]


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
        if attributes.get("href", "").startswith("#") and "=" not in attributes["href"]:
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
        "13 contradictions and 1 hint at a contradiction about 10 facts",
        "API rate limit: requests per minute — 100 requests/min in 2 documents, 500 requests/min in 1",
        "MCP server: tools — 18 tools in 10 documents, 20 tools in 2, 23 tools in 1",
        "2 more pairs of passages about this fact",
        "What could not be read (3)",
        "docs (5), (top folder) (2) and faq (2) hold the most findings.",
        "To correct or decide: sales@example.org has 1",
        "Of 20 documents involved, 10 state no date.",
        "3 files: no text: the pages are pictures (1)",
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
    folded = folded[: folded.index('</details>\n<p class="nothing"')]
    assert folded.count('data-tier="advisory"') == 1
    assert 'data-tier="high"' not in folded


def test_facts_come_in_the_order_of_their_best_pair() -> None:
    html = render_html(realistic_result())
    confidences = [int(n) for n in re.findall(r'data-tier="high".*?(\d+)% confidence', html, re.DOTALL)]
    first_of_each = [int(block) for block in re.findall(r'<article class="cluster".*?(\d+)% confidence', html, re.DOTALL)]
    assert first_of_each[:3] == sorted(confidences, reverse=True)[:3]


# -- the data of the script --------------------------------------------------------------------------------------------------------


def data_of(html: str) -> Any:
    return json.loads(Page(html).raw["data"])


@pytest.mark.parametrize("make", [realistic_result, hostile_result])
def test_the_data_holds_every_finding_as_the_report_shows_it(make: Callable[[], ScanResult]) -> None:
    result = make()
    data = data_of(render_html(result))
    hashes = {c.conflict_id: c.content_hash for c in result.conflicts}
    assert sorted(pair["id"] for pair in data["pairs"]) == sorted(hashes)
    assert all(hashes[pair["id"]] == pair["hash"] for pair in data["pairs"])
    assert [n for fact in data["facts"] for n in range(*fact["pairs"])] == list(range(len(data["pairs"])))
    for pair in data["pairs"]:
        for n in pair["sides"]:
            assert data["documents"][data["sides"][n]["doc"]]


def test_nothing_in_the_data_can_end_it() -> None:
    raw = Page(render_html(hostile_result())).raw["data"]
    assert not set("<>&\u2028\u2029") & set(raw)
    assert "alert('script')" in raw


def test_addresses_in_the_data_are_web_addresses() -> None:
    sides = data_of(render_html(hostile_result()))["sides"]
    urls = [side["url"] for side in sides if "url" in side]
    assert urls
    assert all(re.fullmatch(r"https?://[^\s\"'<>]+", url) for url in urls)


def test_without_a_script_the_main_list_is_there() -> None:
    """Passages of the first facts, and a line for each of the others."""
    result = large_result(300)
    html = render_html(result)
    static = html[: html.index('<script type="application/json"')]
    assert static.count('<article class="cluster"') == FIRST_FACTS + FIRST_HINTS
    text = Page(static).text
    main = {c.entity_key for c in result.conflicts if c.tier != "advisory"}
    assert all(re.search(rf"\b{key}\b", text, re.I) for key in main)
    assert "50 more facts in the main list" in text


def test_the_file_stays_small() -> None:
    """About 800 bytes a finding in this synthetic result; texts that repeat are stored once."""
    small, large = (len(render_html(large_result(count))) for count in (300, 900))
    assert large - small < 600 * 1_200


# -- hand-over ---------------------------------------------------------------------------------------------------------------------

PIXEL = "data:image/png;base64,iVBORw0KGgo="


def test_title_customer_and_logo_head_the_report() -> None:
    branding = Branding("Audit, spring", "Harbour & Sons <Ltd>", PIXEL)
    html = render_html(replace(realistic_result(), branding=branding))
    page = Page(html)
    text = " ".join(page.text.split())
    assert "Audit, spring – Harbour & Sons <Ltd>" in text
    assert "Contradiction report for Harbour & Sons <Ltd>, as of 2 June 2025" in text
    assert [a["src"] for tag, a in page.tags if tag == "img"] == [PIXEL]
    policy = next(a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.endswith("; img-src data:")


def test_earlier_runs_are_told() -> None:
    result = realistic_result()
    ids = [c.conflict_id for c in result.conflicts]
    gone = Gone("x", "resolved", "both say 30 days", "high", "a.md", SCRIPT, "return window", "", "30 days", SCRIPT)
    orphan = Orphan("y", "a.md", "b.md", "office hours", "", "9", "10", "accept_a", "j.doe", "2025-05-02", "a.md is gone")
    baseline = Comparison(
        date(2025, 5, 1),
        date(2025, 6, 2),
        states={name: "new" if n < 2 else "persisting" for n, name in enumerate(ids)},
        gone=(gone,),
        escalations=(Escalation("mcp server", "value", 4, 3, date(2025, 6, 2)),),
        runs=tuple(RunPoint(date(2025, month, 1), str(month), 9 - month, 3, 0, month) for month in range(1, 4)),
    )
    review = Review(decisions=2, decided=1, orphans=(orphan,))
    html = render_html(replace(result, baseline=baseline, review=review))
    text = " ".join(Page(html).text.split())
    for expected in (
        "Since 2025-05-01: 2 new, 12 persisting and 1 resolved. 1 decision fits no finding any more.",
        "mcp server value, escalated in 4 runs, 3 findings now",
        f"return window: 30 days against {SCRIPT} both say 30 days",
        "A holds, by j.doe on 2025-05-02; a.md is gone",
        "2025-02-01 7 high 3 medium 2 settled",
    ):
        assert expected in text, expected
    assert sum(pair.get("since") == "new" for pair in data_of(html)["pairs"]) == 2
    assert "Earlier runs" not in Page(render_html(result)).text


def test_an_earlier_decision_on_the_same_subject_is_named() -> None:
    a, b, c = (make_side(f"{name}.md", f"{n} tools", f"{n} tools") for n, name in enumerate("abc", start=1))
    decided = make_conflict(a, b, status="decided", reviewer="j.doe", reviewer_decision="accept_b", decided_at="2025-05-12")
    html = render_html(make_result([decided, make_conflict(a, c)], [], []))
    assert "Decided before on this subject: 2 tools holds, by j.doe on 2025-05-12" in " ".join(Page(html).text.split())
    assert [len(pair.get("earlier", ())) for pair in data_of(html)["pairs"]].count(1) == 1
