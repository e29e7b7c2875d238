from __future__ import annotations

from word_files import odt

from auditor.load import load_bytes
from auditor.model import BlockKind, Document

STYLES = (
    '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Heading_20_2"/>'
    '<style:style style:name="P2" style:family="paragraph" style:parent-style-name="Title"/>'
    '<style:style style:name="P3" style:family="paragraph" style:parent-style-name="P3"/>'
    '<style:style style:name="Kapitel" style:family="paragraph" style:default-outline-level="3"/>'
    '<style:style style:name="S" style:family="text"><style:text-properties style:text-line-through-style="solid"/></style:style>'
    '<style:style style:name="V" style:family="text"><style:text-properties text:display="none"/></style:style>'
    '<style:style style:name="U" style:family="text"><style:text-properties style:text-position="33% 58%"/></style:style>'
    '<style:style style:name="B" style:family="paragraph"><style:text-properties fo:font-weight="700"/></style:style>'
)


def read(body: str) -> Document:
    return load_bytes(odt(body, STYLES), "a.odt")


def readings(body: str) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for block in read(body).blocks]


def p(text: str, style: str = "Standard") -> str:
    return f'<text:p text:style-name="{style}">{text}</text:p>'


def cell(text: str, attributes: str = "") -> str:
    return f"<table:table-cell {attributes}>{p(text) if text else ''}</table:table-cell>"


def test_headings_by_level_and_by_style() -> None:
    doc = read(
        p("The policy", "P2")
        + '<text:h text:outline-level="2">One</text:h><text:h>Two</text:h>'
        + p("Three", "P1")
        + p("Four", "Kapitel")
        + p("Five", "P3")
        + '<text:h text:outline-level="99">Six</text:h>'
    )
    assert doc.title == "The policy"
    assert [block.level if block.kind is BlockKind.HEADING else 0 for block in doc.blocks] == [1, 2, 1, 2, 3, 0, 6]


def test_inline() -> None:
    inline = (
        'a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d <text:span text:style-name="S">struck</text:span>'
        '<text:span text:style-name="V">hidden</text:span>\n      <text:ruby><text:ruby-base>e</text:ruby-base><text:ruby-text>x</text:ruby-text></text:ruby>'
        "<office:annotation><text:p>comment</text:p></office:annotation><text:bookmark/> <text:page-number>7</text:page-number>"
        ' 10<text:span text:style-name="U">6</text:span>'
    )
    assert readings(p(inline)) == [("paragraph", "a b c d e 7 10⁶")]


def test_indexes_changes_and_hidden_sections_are_left_out() -> None:
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes>"
        + f"<text:table-of-content><text:index-body>{p('Scope 1')}</text:index-body></text:table-of-content>"
        + f"<text:section>{p('Seen.')}</text:section>"
        + f'<text:section text:display="none">{p("Not seen.")}</text:section>'
    )
    assert readings(body) == [("paragraph", "Seen.")]


def test_lists() -> None:
    inner = f"<text:list><text:list-item>{p('a phone')}</text:list-item></text:list>"
    body = p("You need:") + (
        f"<text:list><text:list-header>{p('Above')}</text:list-header><text:list-item>{p('a key')}{p('of steel')}</text:list-item>"
        f"<text:list-item>{p('one of:')}{inner}</text:list-item></text:list>"
    )
    assert [(block.kind.value, block.text, block.level, block.lead_in) for block in read(body).blocks[1:]] == [
        ("paragraph", "Above", 0, ""),
        ("item", "a key", 0, ""),
        ("paragraph", "of steel", 1, "a key"),
        ("item", "one of:", 0, ""),
        ("item", "a phone", 1, "one of:"),
    ]


def test_tables_with_spans_repeated_cells_and_bold_first_row() -> None:
    bold = "".join(f"<table:table-cell>{p(text, 'B')}</table:table-cell>" for text in ("Plan", "Place", "Mode"))
    free = cell("Free", 'table:number-rows-spanned="2"') + cell("here", 'table:number-columns-repeated="2"')
    empty = cell("", 'table:number-columns-repeated="16384"')
    body = (
        f"<table:table><table:table-rows><table:table-row>{bold}</table:table-row><table:table-row>{free}</table:table-row>"
        f"<table:table-row><table:covered-table-cell/>{cell('there')}{cell('slow')}</table:table-row>"
        f'<table:table-row table:number-rows-repeated="1000000">{empty}</table:table-row></table:table-rows></table:table>'
    )
    doc = read(body)
    assert [(block.cells, block.header) for block in doc.blocks] == [
        (("Free", "here", "here"), ("Plan", "Place", "Mode")),
        (("Free", "there", "slow"), ("Plan", "Place", "Mode")),
    ]


def test_repetitions_are_bounded() -> None:
    many = 'table:number-columns-repeated="1000"'
    row = f'<table:table-row table:number-rows-repeated="1000000">{cell("word " * 2000, many)}</table:table-row>'
    assert len(read(f"<table:table>{row * 20}</table:table>").text) < 2_000_000


def test_notes_keep_their_numbers() -> None:
    note = (
        '<text:note text:note-class="{}"><text:note-citation>{}</text:note-citation><text:note-body>{}</text:note-body></text:note>'
    )
    body = p("One" + note.format("footnote", "*", p("first")) + " two" + note.format("endnote", "i", p("last")) + ".")
    doc = read(body + p("Next" + note.format("footnote", "2", p("second"))))
    assert [(block.text, doc.place_at(block.start)) for block in doc.blocks] == [
        ("One two.", "paragraph=1"),
        ("first", "footnote=1"),
        ("last", "endnote=1"),
        ("Next", "paragraph=2"),
        ("second", "footnote=2"),
    ]
