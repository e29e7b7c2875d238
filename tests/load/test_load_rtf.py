from __future__ import annotations

import pytest
from word_files import rtf

from auditor.load import load_bytes
from auditor.model import Block, BlockKind, Document
from auditor.ports import LoadError

HEAD = (
    r"\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset2 Symbol;}{\f3\fcharset128 MS Mincho;}"
    r"{\f4\fnil Wingdings;}}{\colortbl;\red0\green0\blue0;\red255\green255\blue255;\red217\green226\blue243;}"
    r"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0\b heading 1;}{\s2\sbasedon1 Clause;}{\s3 Title;}{\*\cs9 Strong;}{\s4 Titre 2;}{\s5 toc 1;}}"
)


def read(body: str) -> Document:
    return load_bytes(rtf(body, HEAD), "a.rtf")


def readings(body: str) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for block in read(body).blocks]


def rows(body: str) -> list[Block]:
    return [block for block in read(body).blocks if block.kind is BlockKind.ROW]


INLINE = {
    "Grüße 50 €": r"Gr\'fc\'dfe 50 \'80",
    "Привет": r"{\f1 \'cf\'f0\'e8\'e2\'e5\'f2}",
    "≥ 5 ✓": r"{\f2\'b3} 5 {\f4\'fc}",
    "日本ア": r"{\f3 \'93\'fa\'96\'7b\'83A}",
    "€ and “x”": r"\u8364? and \ldblquote x\rdblquote",
    "naïve": r"na\u239\'efve",
    "no stand-in": r"{\uc0 no\u32 stand\u45 in}",
    "two stand-ins": r"{\uc2 two\u32 xxstand\u45\'2d\'2dins}",
    "𝄞 clef": r"\u-10188?\u-8930? clef",
    "a b": r"a\~b",
    "well-known": r"well\_kno\-wn",
    "{braces} \\": r"\{braces\} \\",
    "kept": r"kept{\deleted  gone}{\v  hidden}{\strike  struck}{\*\unknown  ignored}",
    "10⁻³ m": r"10{\super -3}\super\nosupersub  m",
    "accepted": r"{\revised accepted}{\mvf moved away}",
    "chapter 3": r"{\field{\*\fldinst REF x}{\fldrslt chapter 3}}",
    "picture": r"picture{\pict\pngblip 89504e47}{\*\shppict{\pict 8950}}{\nonshppict{\pict 89}}",
    "binary": "binary{\\pict\\bin12 }}{{\\par x}}}",
    "no comment": r"no comment{\*\annotation{\*\atnref 1} Is it?}{\*\bkmkstart b}{\*\bkmkend b}",
}


@pytest.mark.parametrize("text", INLINE)
def test_inline(text: str) -> None:
    assert readings(INLINE[text] + r"\par") == [("paragraph", text)]


def test_headings_by_outline_style_and_name() -> None:
    body = (
        r"\pard\s3 The policy\par\pard\s1 One\par\pard\s2 Two\par\pard\s4 Three\par\pard\outlinelevel2 Four\par"
        r"\pard\s1\outlinelevel9 Five\par\pard\s5 One 3\par\pard\s77 Six\par"
    )
    doc = read(body)
    assert doc.title == "The policy"
    assert [(block.text, block.level if block.kind is BlockKind.HEADING else 0) for block in doc.blocks] == [
        ("The policy", 1),
        ("One", 1),
        ("Two", 1),
        ("Three", 2),
        ("Four", 3),
        ("Five", 0),
        ("Six", 0),
    ]
    assert doc.place_at(doc.blocks[-1].start) == "paragraph=8"


def test_lists_of_newer_and_older_programs() -> None:
    body = (
        r"\pard You need:\par{\listtext\u8226?\tab}\pard\ls1\ilvl0 a key\par\pard\ls1\ilvl1{\listtext o\tab}of steel\par"
        r"\pard Then:\par\pard{\pntext\f2\'B7\tab}{\*\pn\pnlvlblt{\pntxtb\'B7}}go\par{\pntext\'B7\tab}away\par\pard Done.\par"
    )
    assert [(block.kind.value, block.text, block.level, block.lead_in) for block in read(body).blocks] == [
        ("paragraph", "You need:", 0, ""),
        ("item", "a key", 0, "You need:"),
        ("item", "of steel", 1, "You need: a key"),
        ("paragraph", "Then:", 0, ""),
        ("item", "go", 0, "Then:"),
        ("item", "away", 0, "Then:"),
        ("paragraph", "Done.", 0, ""),
    ]


def test_tables_with_header_and_merged_cells() -> None:
    body = (
        r"Limits:\par\trowd\trhdr\cellx1000\cellx3000\pard\intbl Plan\cell Limit\cell\row"
        r"\trowd\clvmgf\cellx1000\cellx2010\cellx3000\pard\intbl Free\cell 1 GB\cell 2 GB\cell\row"
        r"\trowd\clvmrg\cellx1000\cellx2000\cellx3000\pard\intbl\cell 3\cell 4{\b !}\cell\row"
        r"\trowd\cellx1000\clmgf\cellx2000\clmrg\cellx3000\pard\intbl Team\cell any\cell\cell\row"
        r"\pard After.\par"
    )
    doc = read(body)
    assert [(block.cells, block.header) for block in doc.blocks[1:-1]] == [
        (("Free", "1 GB", "2 GB"), ("Plan", "Limit", "Limit")),
        (("Free", "3", "4!"), ("Plan", "Limit", "Limit")),
        (("Team", "any", "any"), ("Plan", "Limit", "Limit")),
    ]
    assert doc.blocks[1].caption == "Limits:"
    assert doc.blocks[-1].text == "After."
    assert doc.place_at(doc.blocks[1].to_source(7)) == "paragraph=5"


def test_first_rows_set_apart_by_colour() -> None:
    table = r"\trowd\clcbpat{0}\cellx10\clcbpat{0}\cellx2000\pard\intbl Plan\cell Place\cell\row\trowd\cellx10\cellx2000\pard\intbl a\cell b\cell\row"
    assert rows(table.replace("{0}", "3"))[0].header == ("Plan", "Place")
    assert [block.header for block in rows(table.replace("{0}", "2"))] == [(), ()]  # white


def test_nested_tables() -> None:
    inner = (
        r"\pard\intbl\itap2 Tier\nestcell Price\nestcell{\*\nesttableprops\trowd\trhdr\cellx10\cellx900\nestrow}{\nonesttables\par}"
        r"\pard\intbl\itap2 A\nestcell 5\nestcell{\*\nesttableprops\trowd\cellx10\cellx900\nestrow}{\nonesttables\par}"
    )
    body = (
        r"\trowd\cellx1000\cellx3000\pard\intbl Product\cell\pard\intbl Prices:\par "
        + inner
        + r"\pard\intbl\cell\row\trowd\cellx1000\cellx3000\pard\intbl Support\cell none\cell\row\pard End.\par"
    )
    assert [(block.text, block.header, block.caption) for block in rows(body)] == [
        ("Product | Prices:", (), ""),
        ("Support | none", (), ""),
        ("A | 5", ("Tier", "Price"), "Prices:"),
    ]


def test_notes_boxes_headers_and_deleted_paragraph_ends() -> None:
    body = (
        r"{\header\pard Version: 2.1\tab Page 1\par}One{\super\chftn{\footnote\pard\chftn  first}}{\super{\footnote\ftnalt last}} here.\par "
        r"Box{\shp{\*\shpinst{\sp{\sn a}{\sv 1}}{\shptxt\pard In it.\par}}{\shprslt\pard In it.\par}}\par "
        r"Joined {\deleted\par}up.\par"
    )
    doc = read(body)
    assert [(block.text, doc.place_at(block.start)) for block in doc.blocks] == [
        ("Version: 2.1", "header"),
        ("One here.", "paragraph=1"),
        ("first", "footnote=1"),
        ("last", "endnote=1"),
        ("Box", "paragraph=2"),
        ("In it.", "paragraph=3"),
        ("Joined up.", "paragraph=4"),
    ]
    assert doc.fields["version"] == "2.1"


def test_document_information() -> None:
    info = (
        r"{\info{\title Backup policy}{\author Dana Reyes}{\operator Ines Roth}{\printim\yr0\mo0\dy0}{\creatim\yr2024\mo1\dy9\hr8}{\revtim\yr2024\mo3\dy5}"
        r"{\upr{\company x}{\*\ud{\company Gr\u252?n}}}}{\*\userprops{\propname Owner}\proptype30{\staticval Storage team}}"
    )
    doc = read(info + r"Text.\par")
    assert doc.title == "Backup policy"
    assert doc.owner == "Storage team"
    assert doc.fields["last modified by"] == "Ines Roth"
    assert (doc.fields["created"], doc.fields["last modified"]) == ("2024-01-09", "2024-03-05")
    assert doc.fields["company"] == "Grün"


def test_hostile_files() -> None:
    with pytest.raises(LoadError, match="nested more than 1000 deep"):
        read("{" * 1_500_000)
    skipped = r"{\*\unknown " + "{" * 300_000 + "}" * 300_000 + "}Text."
    assert readings(skipped) == [("paragraph", "Text.")]
    odd = r"}}\par Never." + r"{\footnote " * 3
    assert read("Text." + odd).text == "Text."
    assert readings(r"a{\footnote\par{\footnote b{\footnote c") == [("paragraph", "a"), ("paragraph", "b"), ("paragraph", "c")][:1]
    cells = r"\trowd" + r"\cellx1" * 50_000 + r"\pard\intbl " + r"x\cell " * 50_000 + r"\row"
    assert len(rows(cells)[0].cells) == 200
    assert readings(r"\u999999999999 \itap99999 x\nestcell\nestrow\row\bin-5 \'zz y") != []
