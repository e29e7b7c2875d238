from __future__ import annotations

import time
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from load_helpers import blocks, check_positions, document, lines, readings

from auditor.load import LoadConfig, Reading, read_bytes
from auditor.load.mediawiki_dump import MediawikiDump
from auditor.model import BlockKind, Document, Skipped
from auditor.ports import LoadError, NotADocument, Unread

FILES = Path(__file__).parent / "files"

STRUCTURE = [
    ("== A ==\n=== B ===\n'''x''' ''y''\n", [("heading", "A"), ("heading", "B"), ("paragraph", "x y")]),
    ("a\nb\n\nc\n----\nd\n", [("paragraph", "a b"), ("paragraph", "c"), ("paragraph", "d")]),
    ("* a\n** b\n*# c\n* d\n", [("item", "a"), ("item", "b"), ("item", "c"), ("item", "d")]),
    ("; T : says\n; U\n: so\n", [("definition", "T: says"), ("definition", "U: so")]),
    (" code\n  more\nx\n", [("code", "code\n more"), ("paragraph", "x")]),
    ('<syntaxhighlight lang="py">\nx = 1\n\ny\n</syntaxhighlight>\nz\n', [("code", "x = 1\n\ny"), ("paragraph", "z")]),
    ("3<!-- \n x -->0 kg\n", [("paragraph", "30 kg")]),
    ("{{Cite|a={{b}}|c}}a {{nowrap|5 users}} {{convert|5|km|mi}}\n", [("paragraph", "a 5 users 5 km")]),
    (
        "a<ref>{{cite|x}}</ref>.<ref name=n>This holds since May only.</ref>\n",
        [("paragraph", "a."), ("paragraph", "This holds since May only.")],
    ),
    ("[[A|b]] [[C]]s [http://x.y z] [http://x.y]\n", [("paragraph", "b Cs z")]),
    ("[[File:a.png|thumb|A [[b]] c]]\nx\n[[Category:P]]\n[[de:Foo]]\n", [("paragraph", "x")]),
    ("<s>5</s> 6 &lt; 7<br/>8 __TOC__\n", [("paragraph", "6 < 7 8")]),
    ("<blockquote>\nSo.\n</blockquote>\nx\n", [("quote", "So."), ("paragraph", "x")]),
]


@pytest.mark.parametrize(("source", "expected"), STRUCTURE)
def test_structure(source: str, expected: list[tuple[str, str]]) -> None:
    assert readings(source, "a.mediawiki") == expected
    check_positions(document(source, "a.mediawiki"))


TABLE = """The plans are:
{| class="wikitable"
|+ Plans '''now'''
|-
! Plan !! Price
|- style="x"
| Free || 0 EUR
|-
| rowspan="2" | Pro
| class="y" | 5 EUR
|-
| 6 EUR
* net
|}
after
"""


def test_table() -> None:
    doc = document(TABLE, "a.mediawiki")
    rows = [block for block in doc.blocks if block.kind is BlockKind.ROW]
    assert [(b.cells, b.header, b.caption) for b in rows] == [
        (("Free", "0 EUR"), ("Plan", "Price"), "Plans now"),
        (("Pro", "5 EUR"), ("Plan", "Price"), "Plans now"),
        (("Pro", "6 EUR net"), ("Plan", "Price"), "Plans now"),
    ]
    assert [lines(doc, b) for b in rows] == [(7, 7), (9, 10), (12, 13)]
    check_positions(doc)


def test_lead_ins() -> None:
    items = blocks("'''Not allowed:'''\n* a\n** b\n\n* c\n", "a.mediawiki", BlockKind.ITEM)
    assert [(b.text, b.level, b.lead_in) for b in items] == [("a", 0, "Not allowed:"), ("b", 1, "Not allowed: a"), ("c", 0, "")]


def test_information_boxes_and_banners() -> None:
    source = "{{Infobox policy\n| owner = [[Jane Doe]]\n| days = 30\n| logo = x.png\n}}\n{{Draft}}\n{{Note|Mind the gap.}}\nx\n"
    doc = document(source, "Leave_policy.mediawiki")
    assert (doc.title, doc.owner, doc.fields["status"]) == ("Leave policy", "Jane Doe", "draft")
    assert [(b.text, b.container) for b in doc.blocks] == [
        ("owner: Jane Doe", ""),
        ("days: 30", ""),
        ("Mind the gap.", "Note"),
        ("x", ""),
    ]
    assert lines(doc, doc.blocks[1]) == (3, 3)
    check_positions(doc)


def test_a_page_that_leads_elsewhere_is_no_document() -> None:
    with pytest.raises(LoadError, match="no loader"):
        document("#REDIRECT [[Other]]\n", "a.mediawiki")


def test_a_file_that_pandoc_wrote() -> None:
    doc = document((FILES / "wiki_policy.mediawiki").read_text(encoding="utf-8"), "wiki_policy.mediawiki")
    found = [(block.kind.value, block.text) for block in doc.blocks]
    assert ("paragraph", "Every employee has 30 days of annual leave, see the manual.") in found
    assert ("paragraph", "Since January 2023 this holds for trainees as well.") in found
    assert ("code", "int days = 30;") in found
    assert next((b.cells, b.caption) for b in doc.blocks if b.kind is BlockKind.ROW) == (("Junior", "28"), "Days by grade")
    check_positions(doc)


HOSTILE = {
    "templates": "deep " + "{{" * 100_000,
    "templates of text": "deep\n" + "{{convert|1|2}} " * 15_000,
    "links": "deep " + "[[File:a|" * 20_000,
    "comments": "deep " + "<!--" * 50_000,
    "references": "deep " + "<ref>a" * 30_000,
    "tables": "deep\n" + "{|\n|-\n| a\n" * 15_000,
    "attributes": "deep\n{|\n| " + "a=b=" * 40_000 + "\n|}",
    "heading": "=deep" + " " * 200_000 + "x",
}


@pytest.mark.parametrize("case", HOSTILE)
def test_bounded_time(case: str) -> None:
    began = time.perf_counter()
    doc = document(HOSTILE[case], "a.mediawiki")
    assert time.perf_counter() - began < 8
    assert any("deep" in block.text for block in doc.blocks)


MARKS = (
    "== H ==\n`* `# `: `; a : b\n`{|\n`|}\n`|-\n`| a || b\n`! c !! d\n`|+ cap\n`{{`}}`|`{{nowrap|a}}`{{Infobox|a=b}}`{{note|x y}}`<ref>a b c d e</ref>`<!--"
    "`-->`<nowiki>`</nowiki>`<pre>`</pre>`[[a|b]]`[[File:x|`]]`[http://x y]`'''`word `\n`\n\n`<s>`</s>`&lt;`<br>`----\n` x\n`é`<blockquote>`="
)
PIECES = st.sampled_from(MARKS.split("`"))


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_mixture_keeps_positions(source: str) -> None:
    check_positions(document("x" + source, "a.mediawiki"))


def page(title: str, *revisions: str, ns: int = 0, more: str = "") -> str:
    return f"<page><title>{title}</title><ns>{ns}</ns><id>1</id>{more}{''.join(revisions)}</page>"


def revision(day: str, text: str, user: str = "Jane") -> str:
    return (
        f"<revision><id>1</id><timestamp>{day}T10:00:00Z</timestamp><contributor><username>{user}</username></contributor>"
        f"<model>wikitext</model><text>{text}</text></revision>"
    )


def dump(*pages: str, head: str = "") -> bytes:
    space = "http://www.mediawiki.org/xml/export-0.11/"
    return f'{head}<mediawiki xmlns="{space}"><siteinfo><sitename>W</sitename></siteinfo>{"".join(pages)}</mediawiki>'.encode()


def outcomes(data: bytes, config: LoadConfig | None = None) -> list[Document | Skipped]:
    return list(read_bytes(data, "dump.xml", Reading(config or LoadConfig())))


def test_dump() -> None:
    found = outcomes(
        dump(
            page(
                "Leave policy",
                revision("2024-03-03", "Intro.\n\n== Days ==\nTake '''30''' days."),
                revision("2023-01-01", "Take 20 days."),
            ),
            page("Old name", revision("2023-01-01", "#REDIRECT [[Leave policy]]"), more='<redirect title="Leave policy" />'),
            page("Talk:Leave policy", revision("2023-01-01", "hm"), ns=1),
            page("User:Jane", revision("2023-01-01", "hi"), ns=2),
            page("File:A.png", revision("2023-01-01", "pic"), ns=6),
            page("Template:T", revision("2023-01-01", "{{{1}}}"), ns=10),
            page("C# guide", revision("2023-01-01", "Help text."), ns=12),
        )
    )
    assert [(d.doc_id, d.title, d.format) for d in found if isinstance(d, Document)] == [
        ("dump.xml#Leave policy", "Leave policy", "mediawiki"),
        ("dump.xml#C%23 guide", "C# guide", "mediawiki"),
    ]
    first = found[0]
    assert isinstance(first, Document)
    assert [block.text for block in first.blocks] == ["Intro.", "Days", "Take 30 days."]
    assert (first.line_at(first.blocks[2].start), first.place_at(first.blocks[2].start)) == (None, "paragraph=3")
    assert first.published is not None
    assert first.published.value.isoformat() == "2024-03-03"
    assert first.owner == "Jane"


def test_dumps_that_are_broken() -> None:
    whole = dump(page("A", revision("2024-01-01", "Text one.")), page("B", revision("2024-01-01", "Text two.")))
    cut = outcomes(whole[:-60])
    assert isinstance(cut[0], Document)
    assert isinstance(cut[-1], Skipped)
    assert cut[-1].reason.startswith("broken XML after 1 pages")
    with pytest.raises(LoadError, match="broken XML"):
        outcomes(whole[:200])
    with pytest.raises(NotADocument):
        outcomes(dump(page("T", revision("2024-01-01", "x"), ns=10)))


def test_entities_are_not_expanded() -> None:
    bomb = '<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    data = dump(page("A", revision("2024-01-01", "deep &b;&f;")), head=bomb)
    texts = [block.text for d in outcomes(data) if isinstance(d, Document) for block in d.blocks]
    assert texts == ["deep"]


def test_a_page_beyond_the_limit() -> None:
    data = dump(page("A", revision("2024-01-01", "x" * 500)), page("B", revision("2024-01-01", "small")))
    found = list(MediawikiDump().members(BytesIO(data), "dump.xml", LoadConfig(max_bytes=100)))
    assert isinstance(found[0], Unread)
    assert found[0].part == "#A"
    assert "larger than the limit" in found[0].reason
    assert [member.part for member in found[1:]] == ["#B"]
