from __future__ import annotations

import zipfile
from io import BytesIO

import docx as python_docx
import pytest
from word_files import docx, p, r, tbl, tc, tr, zipped

from auditor.load import load_bytes
from auditor.model import Block, BlockKind, Document
from auditor.ports import LoadError

STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
LISTS = "".join(
    f'<w:abstractNum w:abstractNumId="{n}">'
    + "".join(
        f'<w:lvl w:ilvl="{level}"><w:numFmt w:val="{form}"/><w:lvlText w:val="{"" if form == "none" else "x"}"/></w:lvl>'
        for level in range(3)
    )
    + "</w:abstractNum>"
    for n, form in enumerate(("bullet", "decimal", "none"))
) + "".join(f'<w:num w:numId="{n + 1}"><w:abstractNumId w:val="{n}"/></w:num>' for n in range(3))


def read(body: str, **parts: str) -> Document:
    return load_bytes(docx(body, **parts), "a.docx")


def readings(body: str, **parts: str) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for block in read(body, **parts).blocks]


def rows(body: str, **parts: str) -> list[Block]:
    return [block for block in read(body, **parts).blocks if block.kind is BlockKind.ROW]


def style(identity: str, name: str, inner: str = "", based_on: str = "", kind: str = "paragraph") -> str:
    based = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    return f'<w:style w:type="{kind}" w:styleId="{identity}"><w:name w:val="{name}"/>{based}{inner}</w:style>'


def item(text: str, level: int = 0, number: int = 1) -> str:
    return p(text, properties=f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')


def fld(kind: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def simple(text: str) -> str:
    return f"<w:r><w:t xml:space='preserve'>{text}</w:t></w:r>"


INLINE = {
    "Kept for 30 days": simple("Kept for ")
    + f"<w:ins>{r('30')}</w:ins><w:del><w:r><w:delText>14</w:delText></w:r></w:del>"
    + simple(" days"),
    "a here": simple("a ") + f"<w:moveFrom>{r('gone')}</w:moveFrom><w:moveTo>{r('here')}</w:moveTo>",
    "chapter 3.": fld("begin")
    + "<w:r><w:instrText>REF x</w:instrText></w:r>"
    + fld("separate")
    + r("chapter 3")
    + fld("end")
    + r("."),
    "yes": fld("begin") + r("IF") + fld("begin") + r("no") + fld("end") + fld("separate") + r("yes") + fld("end"),
    "3 May": f"<w:fldSimple w:instr='DATE'>{r('3 May')}</w:fldSimple>",
    "the portal": f"<w:hyperlink>{r('the portal')}</w:hyperlink>",
    "Dana": f"<w:sdt><w:sdtPr/><w:sdtContent>{r('Dana')}</w:sdtContent></w:sdt>",
    "by": r("by") + f"<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{r('Click here')}</w:sdtContent></w:sdt>",
    "a b c-de": r("a")
    + "<w:r><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/><w:t>e</w:t></w:r>",
    "≥ 5 %": "<w:r><w:sym w:font='Symbol' w:char='F0B3'/></w:r>" + simple(" 5 %"),
    "commented": f"<w:commentRangeStart/>{r('commented')}<w:commentRangeEnd/><w:r><w:commentReference w:id='1'/></w:r>",
    "new": f"<mc:AlternateContent><mc:Choice>{r('new')}</mc:Choice><mc:Fallback>{r('old')}</mc:Fallback></mc:AlternateContent>",
    "1/4": "<m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>4</m:t></m:r></m:den></m:f></m:oMath>",
    "10⁶ users on the 1st": r("10")
    + r("6", '<w:vertAlign w:val="superscript"/>')
    + simple(" users on the 1")
    + r("st", '<w:vertAlign w:val="superscript"/>'),
    "x²": "<m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>",
    "Berlin": f"<w:smartTag>{r('Berlin')}</w:smartTag>",
}


@pytest.mark.parametrize("text", INLINE)
def test_inline(text: str) -> None:
    assert readings(f"<w:p>{INLINE[text]}</w:p>") == [("paragraph", text)]


def test_looks_of_characters() -> None:
    styles = style("Secret", "Secret", "<w:rPr><w:vanish/></w:rPr>") + style(
        "Gone", "Gone", "<w:rPr><w:strike/></w:rPr>", kind="character"
    )
    body = (
        p(
            r("kept "),
            r("hidden", "<w:vanish/>"),
            r("struck", "<w:strike/>"),
            r("twice", "<w:dstrike/>"),
            r("by style", '<w:rStyle w:val="Gone"/>'),
        )
        + p("nobody sees this", style="Secret")
        + p(r("but this", '<w:vanish w:val="0"/>'), style="Secret")
        + p(r("all of it", "<w:strike/>"))
    )
    doc = read(body, styles=styles)
    assert [block.text for block in doc.blocks] == ["kept", "but this", "all of it"]
    assert ["struck" in block.flags for block in doc.blocks] == [False, False, True]
    assert [doc.place_at(block.start) for block in doc.blocks] == ["paragraph=1", "paragraph=2", "paragraph=3"]


def test_deleted_paragraph_ends_join_paragraphs_and_deleted_rows_fall_away() -> None:
    gone = "<w:rPr><w:del/></w:rPr>"
    body = (
        p("Backups are ", properties=gone)
        + p("kept for 30 days.")
        + p("<w:del><w:r><w:delText>An old paragraph.</w:delText></w:r></w:del>", properties=gone)
        + p("The last one.")
        + tbl(tr("a", "b"), tr("c", "d", properties="<w:del/>"), tr("e", tc("f") + tc("g", properties="<w:cellDel/>")))
    )
    assert readings(body) == [
        ("paragraph", "Backups are kept for 30 days."),
        ("paragraph", "The last one."),
        ("row", "a | b"),
        ("row", "e | f"),
    ]


def test_headings_by_name_by_outline_and_by_what_styles_are_based_on() -> None:
    styles = (
        style("Titel", "Title")
        + style("berschrift1", "heading 1", '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>')
        + style("Own", "Policy clause", based_on="berschrift1")
        + style("Deep", "Kapitel", '<w:pPr><w:outlineLvl w:val="2"/></w:pPr>')
        + style("Not", "Heading look", '<w:pPr><w:outlineLvl w:val="9"/></w:pPr>', based_on="berschrift1")
        + style("A", "Loop", based_on="B")
        + style("B", "Loop too", based_on="A")
    )
    body = (
        p("The policy", style="Titel")
        + p("One", style="berschrift1")
        + p("Two", style="Own")
        + p("Three", style="Deep")
        + p("Text", style="Not")
        + p("More", style="A")
        + p("Direct", properties='<w:outlineLvl w:val="1"/>')
        + p("Überschrift", style="Überschrift4")
        + p("Unknown", style="Nowhere")
    )
    doc = read(body, styles=styles)
    assert [(block.level if block.kind is BlockKind.HEADING else 0) for block in doc.blocks] == [1, 1, 1, 3, 0, 0, 2, 4, 0]
    assert doc.title == "The policy"


def test_tables_of_contents_are_left_out_but_counted() -> None:
    toc = f"<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val='Table of Contents'/></w:docPartObj></w:sdtPr><w:sdtContent>{p('Contents')}</w:sdtContent></w:sdt>"
    by_field = (
        f"<w:p>{fld('begin')}<w:r><w:instrText>TOC \\o</w:instrText></w:r>{fld('separate')}{r('Scope 3')}</w:p>"
        + p("Rules 4")
        + f"<w:p>{fld('end')}</w:p>"
    )
    body = toc + p("Scope 1", style="TOC1") + by_field + p("Scope", style="Heading1") + p("Applies to all.")
    doc = read(body, styles=style("TOC1", "toc 1") + style("Heading1", "heading 1"))
    assert [(block.text, doc.place_at(block.start)) for block in doc.blocks] == [
        ("Scope", "paragraph=4"),
        ("Applies to all.", "paragraph=5"),
    ]


def test_an_unclosed_field_does_not_swallow_the_document() -> None:
    body = f"<w:p>{fld('begin')}<w:r><w:instrText>TOC</w:instrText></w:r>{fld('separate')}{r('Scope 3')}</w:p>"
    body += p("Scope", style="Heading1") + p("Applies to all.") + f"<w:p>{fld('begin')}</w:p>" + p("To everybody.")
    assert [text for _, text in readings(body, styles=style("Heading1", "heading 1"))] == [
        "Scope",
        "Applies to all.",
        "To everybody.",
    ]


def test_lists_by_level_by_style_and_taken_out() -> None:
    styles = style("ListBullet", "List Bullet", '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>')
    body = (
        p("You need:")
        + item("a key")
        + item("one of these:")
        + item("a phone", 1)
        + p("with a camera", properties='<w:ind w:left="720"/>')
        + item("a card", 1)
        + item("a desk")
        + p("Then:")
        + p("go", style="ListBullet")
        + p("not an item", style="ListBullet", properties='<w:numPr><w:numId w:val="0"/></w:numPr>')
        + item("no bullet", number=3)
        + item("undefined", number=9)
        + p("• typed")
    )
    blocks = read(body, styles=styles, numbering=LISTS).blocks
    assert [(block.kind.value, block.level, block.lead_in) for block in blocks[1:]] == [
        ("item", 0, "You need:"),
        ("item", 0, "You need:"),
        ("item", 1, "You need: one of these:"),
        ("paragraph", 2, "You need: one of these: a phone"),
        ("item", 1, "You need: one of these:"),
        ("item", 0, "You need:"),
        ("paragraph", 0, ""),
        ("item", 0, "Then:"),
        ("paragraph", 1, "Then: go"),
        ("paragraph", 0, ""),
        ("paragraph", 0, ""),
        ("item", 0, ""),
    ]
    assert blocks[-1].text == "typed"


def test_numbered_headings_are_headings() -> None:
    numbered = '<w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr>'
    assert readings(p("Scope", style="H1"), styles=style("H1", "heading 1", numbered), numbering=LISTS) == [("heading", "Scope")]


def test_merged_cells_and_header_rows() -> None:
    body = p("Table 2: Limits") + tbl(
        tr("Plan", tc("Limit", properties='<w:gridSpan w:val="2"/>'), properties="<w:tblHeader/>"),
        tr("", "soft", "hard", properties="<w:tblHeader/>"),
        tr(tc("Free", properties='<w:vMerge w:val="restart"/>'), "1 GB", "2 GB"),
        tr(tc("", properties="<w:vMerge/>"), "3 files", "4 files"),
        tr(tc("All plans", properties='<w:gridSpan w:val="3"/>')),
        tr("Team", "5 GB", "6 GB"),
    )
    found = rows(body)
    assert [block.cells for block in found] == [
        ("Free", "1 GB", "2 GB"),
        ("Free", "3 files", "4 files"),
        ("Team", "5 GB", "6 GB"),
    ]
    assert found[0].header == ("Plan", "Limit soft", "Limit hard")
    assert [block.caption for block in found] == ["Table 2: Limits", "Table 2: Limits", "Table 2: Limits: All plans"]


BOLD = "<w:b/>"
SHADED = '<w:shd w:fill="D9E2F3"/>'
HEADERS = [
    ("bold", tbl(tr(tc(p(r("Plan", BOLD))), tc(p(r("Place", BOLD)))), tr("Free", "here")), ("Plan", "Place")),
    (
        "two rows",
        tbl(tr(tc(p(r("Plan", BOLD))), tc(p(r("Place", BOLD)))), tr("", tc(p(r("now", BOLD)))), tr("Free", "here")),
        ("Plan", "Place now"),
    ),
    ("shaded", tbl(tr(tc("Plan", properties=SHADED), tc("Place", properties=SHADED)), tr("Free", "here")), ("Plan", "Place")),
    (
        "style",
        tbl(tr("Plan", "Place"), tr("Free", "here"), properties='<w:tblStyle w:val="T"/><w:tblLook w:val="04A0"/>'),
        ("Plan", "Place"),
    ),
    ("style off", tbl(tr("Plan", "Place"), tr("Free", "here"), properties='<w:tblStyle w:val="T"/><w:tblLook w:val="0480"/>'), ()),
    ("figures", tbl(tr("Plan", "Seats"), tr("Free", "5"), tr("Team", "50")), ("Plan", "Seats")),
    ("properties", tbl(tr("Owner", "Dana"), tr("Version", "2.1"), tr("Date", "3 May 2024")), ()),
    ("none", tbl(tr("Free", "here"), tr("Team", "there")), ()),
    ("every row", tbl(*(tr(a, b, properties="<w:tblHeader/>") for a, b in (("x", "y"), ("z", "w")))), ()),
]


@pytest.mark.parametrize(("name", "table", "header"), HEADERS, ids=[name for name, _, _ in HEADERS])
def test_which_first_rows_are_headers(name: str, table: str, header: tuple[str, ...]) -> None:
    first = '<w:tblStylePr w:type="firstRow"><w:rPr><w:b/></w:rPr></w:tblStylePr>'
    found = rows(table, styles=style("T", "Grid", first, kind="table"))
    assert {block.header for block in found} == {header}


def test_tables_in_tables_and_tables_that_lay_out_the_page() -> None:
    inner = tbl(tr("Tier", "Price"), tr("A", "5 €"), tr("B", "9 €"))
    body = tbl(tr("Product", tc("Prices:", inner + p(""))), tr("Support", "none"))
    assert [(block.text, block.header, block.caption) for block in rows(body)] == [
        ("Product | Prices:", (), ""),
        ("Support | none", (), ""),
        ("A | 5 €", ("Tier", "Price"), "Prices:"),
        ("B | 9 €", ("Tier", "Price"), "Prices:"),
    ]
    box = tbl(tr(tc("Remember", "Keys expire after 90 days.")))
    columns = tbl(
        tr(
            tc(p("Left", properties='<w:outlineLvl w:val="0"/>'), "Text."),
            tc(p("Right", properties='<w:outlineLvl w:val="0"/>'), "More."),
        )
    )
    assert readings(box + columns) == [
        ("paragraph", "Remember"),
        ("paragraph", "Keys expire after 90 days."),
        ("heading", "Left"),
        ("paragraph", "Text."),
        ("heading", "Right"),
        ("paragraph", "More."),
    ]


def test_lists_in_cells_are_set_apart() -> None:
    assert rows(tbl(tr("Allowed", tc(item("tea"), item("water"))), tr("x", "y")), numbering=LISTS)[0].cells == (
        "Allowed",
        "tea; water",
    )


def test_notes_stand_below_their_paragraph() -> None:
    notes = "".join(
        f'<w:footnote w:id="{n}" {kind}>{p(text)}</w:footnote>'
        for n, kind, text in ((-1, 'w:type="separator"', "---"), (7, "", "Except Sundays."), (9, "", "Nobody refers to this."))
    )
    reference = '<w:r><w:footnoteReference w:id="7"/></w:r>'
    doc = read(p("Open daily:", reference) + item("shop") + p("End."), footnotes=notes, numbering=LISTS)
    assert [(block.text, block.lead_in, doc.place_at(block.start)) for block in doc.blocks] == [
        ("Open daily:", "", "paragraph=1"),
        ("Except Sundays.", "", "footnote=1"),
        ("shop", "Open daily:", "paragraph=2"),
        ("End.", "", "paragraph=3"),
    ]


def test_text_boxes_are_read_once() -> None:
    box = f"<w:txbxContent>{p('In the box.')}</w:txbxContent>"
    both = f"<mc:AlternateContent><mc:Choice><w:drawing>{box}</w:drawing></mc:Choice><mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent>"
    assert readings(p("Before.", f"<w:r>{both}</w:r>") + p("After.")) == [
        ("paragraph", "Before."),
        ("paragraph", "In the box."),
        ("paragraph", "After."),
    ]


def test_page_headers_give_fields() -> None:
    header = tbl(tr("Owner", "Finance"), tr("Status", "Draft")) + p("Version 2.3", "<w:r><w:tab/></w:r>", "Page 1 of 3")
    doc = read(p("Text."), header1=header, footer1=p("Effective 1 May 2024 | C:\\templates\\x.dotx: 3"))
    assert dict(doc.fields) == {"owner": "Finance", "status": "draft", "version": "2.3", "effective": "1 May 2024"}
    assert doc.owner == "Finance"
    assert str(doc.effective and doc.effective.value) == "2024-05-01"
    assert [block.text for block in doc.blocks if block.kind is not BlockKind.FIELD] == ["Text."]


def test_bold_lines_are_headings_only_where_there_are_no_others() -> None:
    body = p(r("Opening hours", BOLD)) + p("Nine to five.") + p(r("This is important.", BOLD)) + p("x")
    assert [kind for kind, _ in readings(body)] == ["heading", "paragraph", "paragraph", "paragraph"]
    assert [kind for kind, _ in readings(p("Top", properties='<w:outlineLvl w:val="0"/>') + body)][1] == "paragraph"


def test_strict_documents_and_wrappers_around_everything() -> None:
    wrapped = "<w:customXml><w:sdt><w:sdtContent>" + p("Inside.") + "</w:sdtContent></w:sdt></w:customXml>"
    table = tbl(
        f"<w:sdt><w:sdtContent>{tr('a', 'b')}</w:sdtContent></w:sdt>",
        tr(f"<w:sdt><w:sdtContent>{tc('c')}</w:sdtContent></w:sdt>", "d"),
    )
    data = docx(wrapped + p("One", properties='<w:outlineLvl w:val="0"/>') + table, namespace=STRICT)
    assert [block.text for block in load_bytes(data, "a.docx").blocks] == ["Inside.", "One", "a | b", "c | d"]


def test_embedded_documents_are_noticed() -> None:
    assert read(p("Text.") + "<w:altChunk/>").notices == ("1 embedded documents of other formats were not read",)


def test_a_file_of_python_docx() -> None:
    made = python_docx.Document()
    made.core_properties.title = "Ignored: the document has a title"
    made.core_properties.author = "Dana Reyes"
    made.add_heading("Backup policy", 0)
    made.add_heading("Retention", 1)
    made.add_paragraph("Daily backups are kept for 30 days.")
    made.add_paragraph("Kept apart:")
    made.add_paragraph("keys", style="List Bullet")
    made.add_paragraph("ledgers", style="List Number")
    table = made.add_table(3, 2, style="Light Grid Accent 1")
    for row, texts in zip(table.rows, (("System", "Owner"), ("Billing", "Finance"), ("Portal", "Web team")), strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    made.sections[0].header.paragraphs[0].text = "Version: 4"
    out = BytesIO()
    made.save(out)
    doc = load_bytes(out.getvalue(), "a.docx")
    assert doc.title == "Backup policy"
    assert doc.owner == "Dana Reyes"
    assert doc.fields["version"] == "4"
    assert [(block.kind.value, block.text, block.lead_in) for block in doc.blocks[1:]] == [
        ("heading", "Backup policy", ""),
        ("heading", "Retention", ""),
        ("paragraph", "Daily backups are kept for 30 days.", ""),
        ("paragraph", "Kept apart:", ""),
        ("item", "keys", "Kept apart:"),
        ("item", "ledgers", "Kept apart:"),
        ("row", "Billing | Finance", ""),
        ("row", "Portal | Web team", ""),
    ]
    assert doc.blocks[-1].header == ("System", "Owner")
    assert doc.place_at(doc.blocks[-1].start) == "paragraph=11"


def test_hostile_tables_stay_small() -> None:
    long = "word " * 20_000
    spans = '<w:gridSpan w:val="99999999999"/>'
    merged = (
        tr(tc(long, properties='<w:gridSpan w:val="150"/><w:vMerge w:val="restart"/>'))
        + tr(tc("", properties='<w:gridSpan w:val="150"/><w:vMerge/>'), "x") * 300
    )
    doc = read(tbl(merged) + tbl(tr(tc("a", properties=spans), "b"), tr("c", "d")))
    assert len(doc.text) < 3_000_000
    deep = p("core")
    for _ in range(45):
        deep = tbl(tr(tc(deep + p(""))))
    assert read(deep + p("Text.")).blocks[-1].text == "Text."
    for _ in range(60):
        deep = tbl(tr(tc(deep + p(""))))
    with pytest.raises(LoadError, match="damaged"):
        read(deep)


def test_the_main_part_is_found_by_its_relation() -> None:
    with zipfile.ZipFile(BytesIO(docx(p("Text.")))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    moved = {
        name.replace("document.xml", "document2.xml"): content.replace(b"document.xml", b"document2.xml")
        for name, content in parts.items()
    }
    assert [block.text for block in load_bytes(zipped(moved), "a.docx").blocks] == ["Text."]


def test_a_package_without_a_document() -> None:
    with pytest.raises(LoadError, match="holds no Word document"):
        load_bytes(zipped({"word/document.xml": "<document/>"}), "a.docx")
