"""Places in words: whatever a loader calls a place, a person can follow it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from auditor.config import load_config
from auditor.places import in_words, passage_at, place_of
from auditor.scan import ScanOptions, run
from tests.factories import make_side

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("locator", "line", "words"),
    [
        ("line=12", 12, "line 12"),
        ("line=12-14", 12, "lines 12–14"),
        ("line=12-12", 12, "line 12"),
        ("page=3", 5, "page 3, line 5"),
        ("page=3", None, "page 3"),
        ("page=3-4", 40, "pages 3–4"),
        ("slide=4", None, "slide 4"),
        ("sheet=Prices!B7", None, "sheet Prices, cell B7"),
        ("sheet='Q1 plan'!B7", None, "sheet Q1 plan, cell B7"),
        ("sheet='it''s!A1'!AB12-'it''s!A1'!AC13", None, "sheet it's!A1, cells AB12–AC13"),
        ("sheet=Prices", None, "sheet Prices"),
        ("sheet='Q1!B7'", None, "sheet Q1!B7"),
        ("paragraph=12", None, "paragraph 12"),
        ("paragraph=12-15", None, "paragraphs 12–15"),
        ("cell=2", 3, "cell 2, line 3"),
        ("chapter=2", None, "chapter 2"),
        ("footnote=1", None, "footnote 1"),
        ("header", None, "page header or footer"),
        ("properties", None, "document properties"),
        ("row=4", None, "row 4"),
        ("line=", 4, "line 4"),
        ("", 4, "line 4"),
        (None, 4, "line 4"),
        (None, None, ""),
    ],
)
def test_a_locator_in_words(locator: str | None, line: int | None, words: str) -> None:
    assert in_words(locator, line) == words


def test_a_page_without_a_locator() -> None:
    assert place_of(make_side("a.pdf", "x", "x", line=None, page=7)) == "page 7"


def test_only_lines_of_the_file_are_named_as_editors_take_them() -> None:
    assert passage_at("faq.md", "line=12-14", 12) == "faq.md:12"
    assert passage_at("terms.pdf", "page=3", 5) == "terms.pdf, page 3, line 5"
    assert passage_at("prices.xlsx", "sheet=Prices!B7", None) == "prices.xlsx, sheet Prices, cell B7"
    assert passage_at("x.md", None, None) == "x.md"


def test_no_locator_of_a_real_scan_is_left_as_it_is(tmp_path: Path) -> None:
    """Loaders name places; one that is not known here would show up as it is written."""
    for name in ("contracts/westbrook-lease-letter.pdf", "finance/price-list-2024-q2.xlsx", "finance/board-deck-2024-04.pptx"):
        (tmp_path / Path(name).name).write_bytes((ROOT / "sample_corpus" / name).read_bytes())
    documents = run(ScanOptions(tmp_path, load_config(tmp_path, None))).documents
    words = {in_words(place) for document in documents for _, place in document.places}
    assert len(words) > 5
    known = re.compile(r"page \d+|slide \d+|sheet [^=!]+(, cell [A-Z]+\d+)?")
    assert [text for text in words if not known.fullmatch(text)] == []
