"""What a report may show of somebody else's text."""

from __future__ import annotations

import pytest

from auditor.format.text import QUOTE_LIMIT, clip, differing_marks, one_line, restore_case, safe_url, segments, visible
from auditor.format.view import scope_note
from auditor.format.words import sureness


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, naïve – “quoted” 100 €", "plain text, naïve – “quoted” 100 €"),
        ("a\u202eb\u202c", "a⟨U+202E⟩b⟨U+202C⟩"),
        ("a\u2066b\u2069\u200f", "a⟨U+2066⟩b⟨U+2069⟩⟨U+200F⟩"),
        ("nul\x00 bell\x07 esc\x1b[31m", "nul␀ bell␇ esc␛[31m"),
        ("del\x7f c1\x9b", "del␡ c1⟨U+009B⟩"),
        ("tab\tand\nline\r\nend", "tab\tand\nline\nend"),
        ("lone\rreturn", "lone␍return"),
        ("a\u2028b", "a⟨U+2028⟩b"),
        ("hidden \U000e0041 tag", "hidden ⟨U+E0041⟩ tag"),
        ("blank \u3164 letter", "blank ⟨U+3164⟩ letter"),
        ("\ud800", "⟨U+D800⟩"),
        ("family 👨\u200d👩\u200d👧 می\u200cشود soft\u00adhyphen", "family 👨\u200d👩\u200d👧 می\u200cشود soft\u00adhyphen"),
    ],
)
def test_controls_are_made_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("url", "link"),
    [
        ("https://wiki.example.org/a.md#L12", "https://wiki.example.org/a.md#L12"),
        ("http://host:8080/x?y=1&z=2", "http://host:8080/x?y=1&z=2"),
        ("HTTPS://host/x", "HTTPS://host/x"),
        ('https://host/a b"><script>', "https://host/a%20b%22%3E%3Cscript%3E"),
        ("https://host/ü/\u202e", "https://host/%C3%BC/%E2%80%AE"),
        ("https://host/(x)|`y`\n", "https://host/%28x%29%7C%60y%60%0A"),
        ("javascript:alert(1)", None),
        (" javascript:alert(1)", None),
        ("java\nscript:alert(1)", None),
        ("data:text/html,<script>alert(1)</script>", None),
        ("file:///etc/passwd", None),
        ("//host/x", None),
        ("https:host", None),
        ("https://[broken", None),
        ("docs/page.md", None),
        ("", None),
        (None, None),
    ],
)
def test_only_web_addresses_become_links(url: str | None, link: str | None) -> None:
    assert safe_url(url) == link


def marked(quote: str, spans: tuple[tuple[int, int], ...]) -> list[str]:
    return [quote[start:end] for start, end in spans]


def test_differing_words_are_marked_on_both_sides() -> None:
    a, b = "Send up to 100 requests per minute.", "Send up to 500 requests per hour."
    spans_a, spans_b = differing_marks(a, b)
    assert marked(a, spans_a) == ["100", "minute"]
    assert marked(b, spans_b) == ["500", "hour"]


def test_a_number_with_a_decimal_point_is_one_word() -> None:
    a, b = "It costs 42.00 per seat.", "It costs 37.50 per seat."
    assert marked(a, differing_marks(a, b)[0]) == ["42.00"]


def test_a_word_on_one_side_only() -> None:
    a, b = "The feature is supported.", "The feature is not supported."
    spans_a, spans_b = differing_marks(a, b)
    assert marked(a, spans_a) == []
    assert marked(b, spans_b) == ["not"]


@pytest.mark.parametrize(("a", "b"), [("", "x"), ("one two three", "four five six"), ("w " * 9000, "w " * 9000 + "v")])
def test_nothing_is_marked_where_marks_tell_nothing(a: str, b: str) -> None:
    assert differing_marks(a, b) == ((), ())


def test_segments_join_to_the_quote() -> None:
    quote = "Up to 100 requests per minute."
    parts = segments(quote, [(6, 9)], [(6, 9), (23, 29)])
    assert "".join(part.text for part in parts) == quote
    assert [(part.text, part.kind) for part in parts if part.kind] == [("100", "mark"), ("minute", "diff")]


def test_marks_may_be_nonsense() -> None:
    parts = segments("abcdef", [(4, 2), (-3, 1), (0, 2), (5, 900), (700, 900), (1, 3)])
    assert "".join(part.text for part in parts) == "abcdef"
    assert [part.text for part in parts if part.kind == "mark"] == ["abc", "f"]


def test_a_long_quote_is_shown_around_its_marks() -> None:
    quote = "x" * 500_000 + " 100 " + "y" * 500_000
    parts = segments(quote, [(500_001, 500_004)])
    assert [part.text for part in parts if part.kind == "mark"] == ["100"]
    assert sum(len(part.text) for part in parts) < QUOTE_LIMIT
    left_out = [part.text for part in parts if part.kind == "gap"]
    assert len(left_out) == 2
    assert "499,781 characters" in left_out[0]


@pytest.mark.parametrize("marks", [[], [(0, 900_000)], [(n * 1000, n * 1000 + 5) for n in range(900)], [(999_999, 1_000_000)]])
def test_an_excerpt_stays_short(marks: list[tuple[int, int]]) -> None:
    parts = segments("z" * 1_000_000, marks)
    assert sum(len(part.text) for part in parts if part.kind != "gap") <= QUOTE_LIMIT
    assert parts


def test_clip_and_one_line() -> None:
    assert clip("short", 10) == "short"
    assert clip("a" * 20, 10) == "a" * 9 + "…"
    assert one_line(" a\n b\t c ", 10) == "a b c"


@pytest.mark.parametrize(
    ("key", "source", "title"),
    [
        ("api rate limit", "The API answers 429", "API rate limit"),
        ("ios app", "Get the iOS app", "iOS app"),
        ("minilm vectors", "MiniLM", "MiniLM vectors"),
        ("return window", "RETURNS POLICY AND WINDOW SIZES", "Return window"),
        ("mcp_server|tools", "MCP", "MCP server tools"),
        ("", "", ""),
    ],
)
def test_keys_get_the_documents_spelling_back(key: str, source: str, title: str) -> None:
    assert restore_case(key, [source]) == title


@pytest.mark.parametrize(
    ("a", "b", "note"),
    [
        ("", "", ""),
        ("plan: team", "plan: free", ""),
        ("product: electronics", "", "Only A is limited to product: electronics; B does not say."),
        ("region: eu", "region: eu; plan: team", "Only B is limited to plan: team; A does not say."),
        ("region: eu", "plan: team", "A is limited to region: eu, B to plan: team."),
    ],
)
def test_one_sided_scope_is_said(a: str, b: str, note: str) -> None:
    assert scope_note(a, b) == note


@pytest.mark.parametrize(("confidence", "shown"), [(0.154, 15), (0.985, 98), (0.9931, 99), (0.9968, 99), (1.0, 99)])
def test_no_finding_is_shown_as_certain(confidence: float, shown: int) -> None:
    assert sureness(confidence) == shown
