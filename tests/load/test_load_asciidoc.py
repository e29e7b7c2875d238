from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from load_helpers import blocks, check_positions, document, lines, readings

from auditor.load.asciidoc import AsciidocLoader
from auditor.model import BlockKind
from auditor.text import inline

FILES = Path(__file__).parent / "files"


def adoc(source: str) -> list[tuple[str, str]]:
    return readings(source, "a.adoc")


STRUCTURE = [
    ("= T\n\n== A\n\n=== B ===\n\n## C\n", [("heading", "T"), ("heading", "A"), ("heading", "B"), ("heading", "C")]),
    ("Title\n=====\n\nPart\n----\n\nx\n", [("heading", "Title"), ("heading", "Part"), ("paragraph", "x")]),
    ("a\nb\n\n// no\nc\n\n////\nhidden\n////\n", [("paragraph", "a b"), ("paragraph", "c")]),
    ("* a\nb\n** c\n\n* d\n\nx\n", [("item", "a b"), ("item", "c"), ("item", "d"), ("paragraph", "x")]),
    ("* a\n+\nmore\n\n* b\n", [("item", "a"), ("paragraph", "more"), ("item", "b")]),
    (". a\n.. b\n. c\n", [("item", "a"), ("item", "b"), ("item", "c")]),
    ("* [x] done\n* [ ] open\n", [("item", "done"), ("item", "open")]),
    ("Term:: Says *it*\nall.\nOther::\n  So.\n", [("definition", "Term: Says it all."), ("definition", "Other: So.")]),
    ("----\na <1>\n  b\n----\n<1> Why\n", [("code", "a <1>\n  b"), ("item", "Why")]),
    ("[source,java]\nint x;\n\n....\ny\n....\n", [("code", "int x;"), ("code", "y")]),
    ("text\n\n  literal\n   more\n", [("paragraph", "text"), ("code", "literal\n more")]),
    ("[quote,Someone]\n____\nWise.\n____\n", [("quote", "Wise.")]),
    ("a\n\n'''\n\nb\n\n<<<\n\nimage::x.png[Alt]\n", [("paragraph", "a"), ("paragraph", "b")]),
    ("++++\n<b>no</b>\n++++\nyes\n", [("paragraph", "yes")]),
    ("A note.footnote:[Since 2023, see https://x.y[z].]\n", [("paragraph", "A note."), ("paragraph", "Since 2023, see z.")]),
    ("Not allowed:\n* a\n", [("paragraph", "Not allowed:"), ("item", "a")]),
    ("ifdef::x[]\na\nendif::[]\nifndef::x[b]\n", [("paragraph", "a"), ("paragraph", "b")]),
    ("[[id]]\n[.lead]\nText\n", [("paragraph", "Text")]),
]


@pytest.mark.parametrize(("source", "expected"), STRUCTURE)
def test_structure(source: str, expected: list[tuple[str, str]]) -> None:
    assert adoc(source) == expected
    check_positions(document(source, "a.adoc"))


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("The *limit* is `50` and _never_ **m**ore.", "The limit is 50 and never more."),
        (
            "See link:x.html[the docs,window=_blank] or https://a.b[site^] or https://a.b/c.",
            "See the docs or site or https://a.b/c.",
        ),
        ("<<limits,the limits>> and xref:a.adoc#b[chapter]", "the limits and chapter"),
        ("Use `*.txt` and `*.md` or `+{v}+`", "Use *.txt and *.md or {v}"),
        ("10^6^ H~2~O", "10^6 H2O"),
        ("[.line-through]#5 days# 6 days", "6 days"),
        ("menu:File[Save] kbd:[Ctrl+C] ((term)) (((a,b))) icon:x[]", "File > Save Ctrl+C term"),
        (r"\*no* pass:[*x*] a_b_c 2*3*4", "*no* *x* a_b_c 2*3*4"),
        ('one +\ntwo &amp; "`three`"', 'one two & "three"'),
        ("Version {v}, {docs}/a[the manual], {unknown}", "Version 2.4, the manual, {unknown}"),
    ],
)
def test_inline_markup(source: str, text: str) -> None:
    read = inline.read(((source, 7),), "asciidoc", substitutions={"v": "2.4", "docs": "https://x.y"})
    assert read.text == text
    assert all(7 <= at <= 7 + len(source) for _, at in read.anchors)


def test_head_and_attributes() -> None:
    source = (
        "// c\n= Leave *policy*\nJane Doe <j@x.org>; Bob Roe\nv1.2, 2024-03-01: New\n:days: 30\n:toc:\n:status: draft\n"
        ":long: one \\\n  two\n\nTake {days} days, {long}.\n\n:days: 31\n\nNow {days}.\n"
    )
    doc = document(source, "a.adoc")
    assert (doc.title, doc.owner) == ("Leave policy", "Jane Doe, Bob Roe")
    assert doc.published is not None
    assert doc.published.value.isoformat() == "2024-03-01"
    assert (doc.fields["version"], doc.fields["days"], doc.fields["status"], "toc" in doc.fields) == ("1.2", "30", "draft", False)
    body = [block for block in doc.blocks if block.kind is BlockKind.PARAGRAPH]
    assert [block.text for block in body] == ["Take 30 days, one two.", "Now 31."]
    assert doc.text[body[0].to_source(body[0].text.index("30"))] == "{"
    assert lines(doc, body[1]) == (15, 15)
    check_positions(doc)


@pytest.mark.parametrize(
    ("source", "container", "flags"),
    [
        ("NOTE: x", "Note", {"note"}),
        ("[WARNING]\n.Hot\n====\nx\n====", "Hot", {"note"}),
        ("[TIP]\nx", "Tip", {"note"}),
        (".Aside\n****\nx\n****", "Aside", set()),
        (".Title\nx", "Title", set()),
        ("ifdef::pro[]\nx\nendif::pro[]", "pro", set()),
        ("ifndef::on-prem[]\nx\nendif::[]", "not on prem", set()),
        ("ifdef::env-github[]\nx\nendif::[]", "", set()),
        (".Case\n====\nx\n====", "Case", {"example"}),
    ],
)
def test_boxes(source: str, container: str, flags: set[str]) -> None:
    doc = document(source + "\n\nafter\n", "a.adoc")
    assert [(block.text, block.container, set(block.flags)) for block in doc.blocks] == [
        ("x", container, flags),
        ("after", "", set()),
    ]
    check_positions(doc)


def test_lead_ins_and_nesting() -> None:
    items = blocks("Not allowed:\n\n* a\n** b\n*** c\n* d\n\n.Steps\n. e\n", "a.adoc", BlockKind.ITEM)
    assert [(b.text, b.level, b.lead_in) for b in items] == [
        ("a", 0, "Not allowed:"),
        ("b", 1, "Not allowed: a"),
        ("c", 2, "Not allowed: a b"),
        ("d", 0, "Not allowed:"),
        ("e", 0, "Steps"),
    ]


TABLE = """.Plans
[%header,cols="1,2a"]
|===
|Plan |Price

|Free |0 EUR
.2+|Pro
|
* 5 EUR
* net
|6 \\| 7
2+|No more than three plans are sold.
|===
"""


def test_table() -> None:
    doc = document(TABLE, "a.adoc")
    assert [(b.cells, b.header, b.caption) for b in doc.blocks] == [
        (("Free", "0 EUR"), ("Plan", "Price"), "Plans"),
        (("Pro", "5 EUR net"), ("Plan", "Price"), "Plans"),
        (("Pro", "6 | 7"), ("Plan", "Price"), "Plans"),
        (("No more than three plans are sold.",) * 2, ("Plan", "Price"), "Plans"),
    ]
    assert [lines(doc, b) for b in doc.blocks] == [(6, 6), (7, 10), (11, 11), (12, 12)]
    check_positions(doc)


@pytest.mark.parametrize(
    ("source", "header", "rows"),
    [
        ("|===\n|A |B\n\n|1 |2\n|===\n", ("A", "B"), [("1", "2")]),
        ("|===\n|A |B\n|1 |2\n|===\n", (), [("A", "B"), ("1", "2")]),
        ("[cols=2*]\n|===\n|1\n|2\n2*|3\n|===\n", (), [("1", "2"), ("3", "3")]),
        ('[options="header",format=csv]\n|===\nA,B\n"1, x",2\n|===\n', ("A", "B"), [("1, x", "2")]),
        (",===\n1,2\n,===\n", (), [("1", "2")]),
        ('[cols="1h,1"]\n|===\n|k |v\n|===\n', (), [("k", "v")]),
    ],
)
def test_table_forms(source: str, header: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    found = blocks(source, "a.adoc", BlockKind.ROW)
    assert [block.cells for block in found] == rows
    assert all(block.header == header for block in found)


def test_included_files_are_noted() -> None:
    doc = document("include::../secret.adoc[]\n\ntext\n\ninclude::b.adoc[tag=x]\n", "a.adoc")
    assert doc.notices == ("included files are not followed: ../secret.adoc, b.adoc",)
    assert [block.text for block in doc.blocks] == ["text"]


def test_a_signature_is_no_document() -> None:
    assert not AsciidocLoader().accepts("a.asc", b"-----BEGIN PGP SIGNATURE-----\n")
    assert AsciidocLoader().accepts("a.asc", b"= Title\n")


def test_a_file_that_pandoc_wrote() -> None:
    source = (FILES / "wiki_policy.adoc").read_text(encoding="utf-8")
    doc = document(source, "wiki_policy.adoc")
    found = [(block.kind.value, block.text) for block in doc.blocks]
    assert (doc.title, doc.owner) == ("Leave policy", "Jane Doe")
    assert ("paragraph", "Every employee has 30 days of annual leave, see the manual.") in found
    assert ("definition", "Carry over: Up to 5 days until March.") in found
    assert ("quote", "“Rest is not idleness.”") in found
    assert [block.header for block in doc.blocks if block.kind is BlockKind.ROW] == [("Grade", "Days")] * 2
    assert found[-1] == ("paragraph", "This was before.")
    check_positions(doc)


HOSTILE = {
    "references": ":a: " + "x" * 900 + "\n\n" + "{a} " * 50_000 + "deep",
    "doubling": ":a0: xx\n" + "".join(f":a{i + 1}: {{a{i}}}{{a{i}}}\n" for i in range(200)) + "\n{a200} deep\n",
    "blocks": "deep\n\n" + "".join("=" * (4 + i % 40) + "\n" for i in range(20_000)),
    "repeated cells": "deep\n\n|===\n" + "200*|a\n" * 5_000 + "|===\n",
    "macros": "deep " + "xref:" * 100_000 + "footnote:[" * 20_000,
    "marks": "deep " + "*a _b `c +d #e ^f " * 20_000,
    "spaces": "deep" + " " * 300_000 + "x::y",
    "nested lists": "deep\n\n" + "* a\n. b\n" * 20_000,
}


@pytest.mark.parametrize("case", HOSTILE)
def test_bounded_time_and_size(case: str) -> None:
    began = time.perf_counter()
    doc = document(HOSTILE[case], "a.adoc")
    assert time.perf_counter() - began < 8
    assert any("deep" in block.text for block in doc.blocks)
    assert sum(len(block.text) for block in doc.blocks) < 3_000_000


MARKS = (
    "= T\n|== S\n|* |** |. |a:: |a::\n|+\n|----\n|====\n|____\n|--\n|[cols=2]\n|[NOTE]\n|NOTE: |.T\n|{a}|:a: b\n|footnote:[x]|link:u[t]|<<a,b>>"
    "|*b*|_e_|`c`|word |\n|\n\n|ifdef::a[]\n|endif::[]\n|////\n|  |é|[|]|\\|&amp;|<1> |,===\n|a,b\n|~~~~\n|v1, 2024-01-01\n|\t"
)
PIECES = st.sampled_from([*MARKS.split("|"), "|===\n", "|a |b\n", "2+|x\n", ".2+|y\n", "|"])


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_mixture_keeps_positions(source: str) -> None:
    check_positions(document("x" + source, "a.adoc"))
