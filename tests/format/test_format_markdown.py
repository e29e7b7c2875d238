"""report.md: the same content, and document text that stays text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from auditor.format.markdown import escape_inline, render_markdown
from tests.factories import HOSTILE_TEXTS, empty_result, hostile_result, make_conflict, make_result, make_side, realistic_result

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def tokens(text: str) -> Iterator[Token]:
    for token in MARKDOWN.parse(text):
        yield token
        yield from token.children or ()


def plain(text: str) -> str:
    """What a reader sees of a piece of Markdown."""
    return "".join(token.content for token in tokens(text) if token.type in ("text", "text_special"))


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_escaped_text_reads_as_it_was(text: str) -> None:
    escaped = escape_inline(text)
    assert {token.type for token in tokens(escaped)} <= {"paragraph_open", "paragraph_close", "inline", "text", "text_special"}
    assert plain(escaped).split() == text.replace("\x00", "\ufffd").split()


@pytest.mark.parametrize(
    "text", ["1. item", "12) item", "# heading", "- item", "+ item", "=====", "-----", "* item", "> quote", "    code"]
)
def test_line_starts_are_escaped(text: str) -> None:
    assert [token.type for token in MARKDOWN.parse(escape_inline(text).strip())] == ["paragraph_open", "inline", "paragraph_close"]


def test_figures_are_left_readable() -> None:
    assert escape_inline("1.5 hours, 42.00 per seat, 3-5 days") == "1.5 hours, 42.00 per seat, 3-5 days"


def test_hostile_documents_put_no_markup_into_the_report() -> None:
    report = render_markdown(hostile_result())
    seen = list(tokens(report))
    assert not [
        token for token in seen if token.type in ("html_block", "fence", "code_block", "code_inline", "image", "s_open", "hr")
    ]
    assert {token.content for token in seen if token.type == "html_inline"} <= {"<b>", "</b>"}
    links = {str(token.attrs["href"]) for token in seen if token.type == "link_open"}
    assert links == {"https://wiki.example.org/a%20b%22%27%3E%3Cscript%3Ealert%28%27script%27%29%3C/script%3E"}
    assert len([token for token in seen if token.type == "heading_open" and token.tag == "h3"]) == len(hostile_result().conflicts)
    # Code hosting sites make links of bare addresses too, unless the colon or the dot is escaped.
    assert "https://evil" not in report


def test_tables_keep_their_shape() -> None:
    rows = 0
    cells = 0
    for token in MARKDOWN.parse(render_markdown(hostile_result())):
        rows += token.type == "tr_open"
        cells += token.type in ("th_open", "td_open")
    values = sum(1 for _ in hostile_result().clusters)
    clusters = len({value.cluster_id for value in hostile_result().clusters})
    assert rows == 4 + values + clusters  # the tiers with their head, then each fact's values with theirs
    shared = [value for value in hostile_result().clusters if value.cluster_id == hostile_result().conflicts[0].cluster_id]
    assert cells == 4 * 3 + (values + clusters) * 4 + len(shared) + 1  # one more column where a cluster holds several facts


def test_content_a_reviewer_needs() -> None:
    report = render_markdown(realistic_result())
    for expected in (
        "# Contradictions in handbook",
        "## API rate limit: requests per minute — 100 requests/min in 2 documents, 500 requests/min in 1",
        "| 500 requests/min | suggested, newest | 1 | reference/api-v2.0.md |",
        "> Each API key may send up to **100 requests** per minute; beyond that the service answers 429.",
        "- Document: API reference v1.2, [reference/api-v1.2.md](<https://wiki.example.org/reference/api-v1.2.md#L12>), line 12",
        "- Dated: effective 2024-12-01, published 2024-11-05",
        "**Suggestion: follow B, 500 requests/min.** timestamp: 2024-12-01 is later than 2023-02-14",
        "**Decided by j.doe@example.org on 2025-05-12:** B holds.",
        "**Scope.** Only A is limited to product: electronics; B does not say.",
        "archive/2019/board-minutes.pdf: no text: the pages are pictures",
        "# Hints: the advisory tier",
    ):
        assert expected in report, expected


def test_lines_of_a_quote_stay_lines() -> None:
    report = render_markdown(realistic_result())
    assert "> \\- Retention: **90 days** for nightly backups,  \n> one year for the first of each month" in report


def test_a_mark_inside_a_word_still_shows() -> None:
    a = make_side("a.md", "Version v2beta is current.", "2", "2")
    report = render_markdown(make_result([make_conflict(a, make_side("b.md", "Version 3.", "3"))], [], []))
    assert "v<b>2</b>beta" in report


def test_no_contradictions() -> None:
    assert "**No contradictions found.**" in render_markdown(empty_result())


def test_lists_are_one_list() -> None:
    """A blank line in the wrong place would pull a list apart or glue it to the text before."""
    report = render_markdown(realistic_result())
    assert "\n\n\n" not in report
    assert report.endswith("edits them.\n")
