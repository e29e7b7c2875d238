from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.model import Block, BlockKind
from auditor.text.inline import clean, read

MARKDOWN = [
    ("18 `blockrun_*` tools", "18 blockrun_* tools"),
    ("access <!-- x -->66<!-- /x --> models", "access 66 models"),
    ("a snake_case name, 2*3*4 and 2 * 3", "a snake_case name, 2*3*4 and 2 * 3"),
    ("blockrun_* and foo_* tools", "blockrun_* and foo_* tools"),
    ("**bold *nested* text** and __x__ and _y_", "bold nested text and x and y"),
    ("***both*** and **a**b", "both and ab"),
    ('[`a`](http://x.y(z) "t") b', "a b"),
    ("![alt](i.png) x [![badge](b)](d) y", "x y"),
    ("[can]({{ site.baseurl }}{% link _docs/m/s.md %}) and", "can and"),
    ("see [here][] and [there][ref]", "see [here][] and [there][ref]"),
    ("~~old~~ new", "new"),
    ("<del>30</del> 14 days, <s>x</s>y", "14 days, y"),
    ("~~all struck~~", "all struck"),
    ("a &amp; b&nbsp;c &euro;5 \\* d\\\ne", "a & b c €5 * d e"),
    ("x\u200by <br>z <a name='q'></a>", "xy z"),
    ("<https://a.b/c> or <me@x.org> or https://a.b/c_d_e", "https://a.b/c or me@x.org or https://a.b/c_d_e"),
    ("text[^1] with [^note] notes", "text with notes"),
    ("code `` a`b `` and `unclosed", "code a`b and `unclosed"),
    ("{: .no_toc } title {#anchor}", "title"),
    ("{{ page.title }} costs {% if x %}$5{% endif %}", "costs $5"),
    ("5 < 6 and 7 > 3", "5 < 6 and 7 > 3"),
    ("H<sub>2</sub>O is <b>wet</b>", "H2O is wet"),
    ("$4.99/mo.   text\n  more", "$4.99/mo. text more"),
    ("a [b] c", "a [b] c"),
    ("GET /users/{id}/x", "GET /users/{id}/x"),
]
RST = [
    (":ref:`x <y>` and ``code *a*`` `text <http://u>`__ b", "x and code *a* text b"),
    ("**bold** *em* a*b*c foo_ `bar`_ [1]_ end", "bold em a*b*c foo bar end"),
    (":class:`~foo.Bar` snake_case_x x_", "foo.Bar snake_case_x x"),
    ("`Python 3.6 - 3.8 <https://www.python.org/downloads/>`__", "Python 3.6 - 3.8"),
    (r"\*x\* a\ b", "*x* ab"),
    ("it's 2 * 3 * 4 and `a`", "it's 2 * 3 * 4 and a"),
    ("``unclosed and **b**", "``unclosed and b"),
    ("`<https://example.org>`_ here", "https://example.org here"),
    (":strike:`gone` kept", "kept"),
    ("see :doc:`/install` (:pep:`8`).", "see /install (8)."),
]


@pytest.mark.parametrize(("source", "expected"), MARKDOWN)
def test_markdown(source: str, expected: str) -> None:
    assert clean(source, 0, "markdown")[0] == expected


@pytest.mark.parametrize(("source", "expected"), RST)
def test_rst(source: str, expected: str) -> None:
    assert clean(source, 0, "rst")[0] == expected


def test_reference_links_need_a_definition() -> None:
    pieces = (("see [here][], [there][ref] and [ref] but [other]", 0),)
    assert read(pieces, "markdown", refs=frozenset({"HERE", "REF"})).text == "see here, there and ref but [other]"


def test_substitutions_stand_for_their_place() -> None:
    result = read((("Version |release| is out", 10),), "rst", substitutions={"release": "2.4"})
    assert result.text == "Version 2.4 is out"
    block = Block(BlockKind.PARAGRAPH, result.text, 10, 34, anchors=result.anchors)
    assert [block.to_source(i) for i in (7, 8, 9, 10, 11)] == [17, 18, 18, 18, 27]


def test_struck_is_told_only_if_all_is_struck() -> None:
    assert read((("~~a~~ ~~b~~", 0),), "markdown").struck
    assert not read((("~~a~~ b", 0),), "markdown").struck


def test_offset_and_pieces() -> None:
    text = "> a **b**\n> c"
    result = read(((text[2:9], 2), (text[12:], 12)), "markdown")
    assert result.text == "a b c"
    assert result.anchors == ((0, 2), (2, 6), (3, 9), (4, 12))


ALPHABET = st.text(alphabet="ab1 *_`[]()<>!~&;{}%#|\\\n:-\u200b", max_size=60)


@settings(max_examples=300, deadline=None)
@given(ALPHABET, st.sampled_from(["markdown", "rst"]), st.integers(0, 50))
def test_anchors_are_consistent(source: str, syntax: str, offset: int) -> None:
    text, anchors = clean(source, offset, syntax)  # type: ignore[arg-type]
    assert text == " ".join(text.split())
    assert list(anchors) == sorted(set(anchors))
    assert not anchors or anchors[0][0] == 0
    shifts = dict(anchors)
    shift = 0
    for i, character in enumerate(text):
        if i in shifts:
            shift = shifts[i] - i
        position = i + shift - offset
        assert 0 <= position <= len(source)
        original = source[position : position + 1]
        # White space is folded; entities are decoded. Everything else is the character of the source.
        assert original == character or character == " " or original == "&"


@pytest.mark.parametrize(
    "unit",
    [
        "<!--",
        "{{",
        "{%",
        "[a](",
        "[",
        "![",
        "*a ",
        "**a*",
        "_a*b",
        "`a``b```",
        '<a "',
        "[*a*](x)",
        "~~a ",
        "[a]({{",
        " ``a",
        " |a",
        "a.a-",
        "<a ",
        ":a`",
    ],
)
@pytest.mark.parametrize("syntax", ["markdown", "rst"])
def test_hostile_input_takes_linear_time(unit: str, syntax: str) -> None:
    source = unit * (400_000 // len(unit))
    began = time.perf_counter()
    clean(source, 0, syntax)  # type: ignore[arg-type]
    assert time.perf_counter() - began < 5
