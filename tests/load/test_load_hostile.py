"""Input made to hurt: it must be read, or refused, in bounded time, and never crash."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from load_helpers import check_positions, document

MEGABYTE = 1_000_000
CASES = {
    "nested divs": ("a.html", "<div>" * 10_000 + "deep" + "</div>" * 10_000),
    "unclosed divs": ("a.html", "<div>" * 10_000 + "deep"),
    "stray ends in a cell": ("a.html", "<div><table><td>" + "<b>" * 5_000 + "</div>" * 50_000 + "deep"),
    "unclosed comments": ("a.html", "deep" + "<!--" * 200_000),
    "unclosed tags": ("a.html", "deep" + "<a " * 200_000),
    "unclosed quotes": ("a.html", "deep" + '<a b="' * 100_000),
    "items without a list": ("a.html", "<div>" * 5_000 + "<li></li>" * 30_000 + "deep"),
    "huge spans": ("a.html", "<table><tr><td colspan=9999 rowspan=9999>deep</td></tr>" + "<tr><td>x</td></tr>" * 500 + "</table>"),
    "nested tables": ("a.html", "<table><tr><td>" * 3_000 + "deep"),
    "nested quotes": ("a.md", ">" * 5_000 + " deep\n"),
    "nested quotes with blanks": ("a.md", "> " * 5_000 + "deep\n"),
    "nested lists": ("a.md", "deep\n\n" + "".join("  " * i + "- x\n" for i in range(700))),
    "long line": ("a.md", "deep " + "word " * (MEGABYTE // 5)),
    "long marked-up line": ("a.md", "deep " + "**a** `b` [c](d) " * (MEGABYTE // 17)),
    "wide table": ("a.md", "|a" * 20_000 + "|\n" + "|-" * 20_000 + "|\n" + "|deep" * 20_000 + "|\n"),
    "many containers": ("a.md", ":::note\n" * 5_000 + "deep\n"),
    "many components": ("a.mdx", '<A title="x">\n' * 3_000 + "deep\n"),
    "unclosed components": ("a.mdx", "deep\n" + "<Aa b={" * 20_000),
    "unclosed comment": ("a.md", "deep\n\n" + "<!-- " * 100_000),
    "unclosed table": ("a.md", "deep\n\n" + "<table><tr><td>x\n" * 20_000),
    "brackets": ("a.md", "deep " + "[" * 100_000),
    "references": ("a.md", "deep\n\n" + "[a]: b\n" * 20_000),
    "fences": ("a.md", "deep\n\n" + "```\n" * 50_001),
    "definition lists": ("a.md", "deep\n\n" + "a\n: b\n\n" * 20_000),
    "nested rst": ("a.rst", "deep\n\n" + "".join(" " * i + "- x\n\n" for i in range(1_000))),
    "rst rules": ("a.rst", "deep\n\n" + "====\n" * 50_000),
    "rst grid": ("a.rst", "deep\n\n" + "+-+-+\n| | |\n" * 20_000),
    "rst definitions": ("a.rst", "".join(" " * (i % 300) + "deep\n" for i in range(20_000))),
    "long rst line": ("a.rst", "deep " + "*a* ``b`` `c`_ " * (MEGABYTE // 15)),
    "text without breaks": ("a.txt", "deep" + "x" * MEGABYTE),
    "text of items": ("a.txt", "deep\n\n" + "- a\n" * 100_000),
    "text of rules": ("a.txt", "deep\n\n" + "- - - -\n" * 50_000),
    "spaces": ("a.txt", "deep" + " " * MEGABYTE + "x"),
}


@pytest.mark.parametrize("case", CASES)
def test_bounded_time(case: str) -> None:
    name, source = CASES[case]
    began = time.perf_counter()
    doc = document(source, name)
    assert time.perf_counter() - began < 8
    assert any("deep" in block.text for block in doc.blocks)


PIECES = st.sampled_from(
    [
        *(
            "# ",
            "- ",
            "* ",
            "> ",
            "1. ",
            "    ",
            "\t",
            "```",
            "~~~",
            ":::",
            ":::note\n",
            "!!! note\n",
            "\n",
            "\n\n",
            "word ",
            "é",
            "&amp;",
        ),
        *(
            "<table>",
            "<tr>",
            "<td>",
            "</table>",
            "<!--",
            "-->",
            "<details>",
            "<summary>",
            "</summary>",
            "<Tab title='x'>",
            "</Tab>",
        ),
        *(
            "{%",
            "%}",
            "{{",
            "}}",
            "[a](b)",
            "**",
            "`",
            "~~",
            "a: b",
            "---\n",
            "===\n",
            "|a|b|\n",
            "|-|-|\n",
            "<s>",
            "</s>",
            "<nav>",
        ),
        *(
            "::\n",
            ".. ",
            ".. note:: ",
            ".. [1] ",
            ":x: ",
            "+--+\n",
            "<p>",
            "<li>",
            "<ul>",
            "<pre>",
            "</pre>",
            "<dl><dt>",
            "<dd>",
            "<main>",
        ),
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join), st.sampled_from(["a.md", "a.mdx", "a.html", "a.rst", "a.txt"]))
def test_any_mixture_keeps_positions(source: str, name: str) -> None:
    check_positions(document("x" + source, name))
