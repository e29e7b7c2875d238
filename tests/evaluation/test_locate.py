from __future__ import annotations

import pytest

from auditor.evaluation.locate import Locator, overlaps

CASES = [
    # text, quote, what is found
    ("Returns within 30 days.", "within 30 days", "within 30 days"),
    ("Returns **within\n  30** days.", "within 30 days", "within\n  30** days"),
    ("The full list of 18 `blockrun_*` tools.", "list of 18 blockrun_* tools", "list of 18 `blockrun_*` tools"),
    (
        "gives <!-- x:y -->66<!-- /x:y --> chat models",
        "gives <!-- x:y -->66<!-- /x:y --> chat",
        "gives <!-- x:y -->66<!-- /x:y --> chat",
    ),
    ("gives <!-- x:y -->66<!-- /x:y --> chat models", "gives 66 chat models", "gives <!-- x:y -->66<!-- /x:y --> chat models"),
    ("Footer v2.6.0 here", 'class="footer-version">v2.6.0</a>', "v2.6.0"),
    ("Home\nv2.6.0", '<a href="/x" class="v">v2.6.0</a>', "v2.6.0"),
    (
        "See [the price list](https://x.example/a-b) for 5 items",
        "the price list for 5 items",
        "the price list](https://x.example/a-b) for 5 items",
    ),
    ("Use `Python 3.6 - 3.8 <https://python.org/x>`__ here", "Python 3.6 - 3.8", "Python 3.6 - 3.8"),
    ("Cost: $5 &amp; more", "Cost: $5 & more", "Cost: $5 &amp; more"),
    ("It’s 12–15 cents — “net”", 'it\'s 12-15 cents - "net"', "It’s 12–15 cents — “net"),
    ("| `/v1/images` | $0.015–0.10/image |", "`/v1/images` | $0.015-0.10/image", "v1/images` | $0.015–0.10/image"),
    (
        "Supported since the 2019 spring release[^3] on all of the platforms.",
        "since the 2019 spring release on all platforms",
        "since the 2019 spring release[^3] on all of the platforms",
    ),
    ("nothing of the sort", "within 30 days", None),
    ("It is kept for 90 days in the vault", "It is kept for 30 days in the vault", None),  # a number may not be another one
    ("some text", "  ", None),
    ("some text", "***", None),
]


@pytest.mark.parametrize(("text", "quote", "expected"), CASES)
def test_a_quote_is_found_whatever_became_of_its_markup(text: str, quote: str, expected: str | None) -> None:
    spans = Locator(text).find(quote)
    assert [text[start:end] for start, end in spans] == ([] if expected is None else [expected])


def test_every_place_of_a_quote_is_found() -> None:
    assert Locator("v1.2 and v1.2, and v1.20").find("V1.2") == [(0, 4), (9, 13)]


def test_long_documents_take_no_time() -> None:
    text = (
        "the quick brown fox jumps over lazy dogs and then sleeps. " * 20_000 + "The odd one has 17 legs in all of the cases known."
    )
    spans = Locator(text).find("the odd one has 17 legs in all cases known")
    assert [text[a:b] for a, b in spans] == ["The odd one has 17 legs in all of the cases known"]


def test_overlap_needs_more_than_a_touch() -> None:
    assert overlaps((0, 10), (5, 20))
    assert not overlaps((0, 10), (9, 20))
    assert not overlaps((0, 10), (10, 20))
    assert overlaps((0, 100), (50, 52))  # all of a short one
