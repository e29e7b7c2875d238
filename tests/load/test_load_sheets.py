"""Spreadsheets: the same workbook as five programs and formats store it, and what real sheets look like."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from load_helpers import check_positions

from auditor.load import load_bytes, xlsb
from auditor.load.sheets import _behind
from auditor.load.workbook import Sheet, Workbook, place
from auditor.load.xls import property_set
from auditor.load.xlsx import Style
from auditor.model import Block, BlockKind, Document
from auditor.ports import LoadError

FILES = Path(__file__).parent / "files"
STORED = ("prices.ods", "prices.xls", "prices-lo.xlsx", "prices.xlsb")


def stored(name: str) -> Document:
    return load_bytes((FILES / name).read_bytes(), name)


def saved(fill: Callable[[Any], None], title: str = "Data") -> bytes:
    book = openpyxl.Workbook()
    book.active.title = title
    fill(book.active)
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def sheet(rows: list[list[Any]], title: str = "Data") -> Document:
    def fill(target: Any) -> None:
        for row in rows:
            target.append(row)

    return load_bytes(saved(fill, title), "a.xlsx")


def rows_of(doc: Document) -> list[Block]:
    return [block for block in doc.blocks if block.kind is BlockKind.ROW]


def readings(doc: Document) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for block in doc.blocks]


@pytest.mark.parametrize("name", STORED)
def test_the_same_workbook_reads_the_same_in_every_format(name: str) -> None:
    doc = stored(name)
    check_places(doc)
    expected = [
        ("heading", "Prices"),
        ("heading", "Price list 2024"),
        ("field", "Owner: legal"),
        ("field", "Valid from: 2024-03-01"),
        ("paragraph", "All prices without tax:"),
        ("row", "Starter | $1,200.00 | 12.5% | 2024-03-01"),
        ("row", "Pro | $2,400.50 | 20.0% | 2023-01-15"),
        ("row", "Backup | 1,234.50 €"),
        ("row", "Total | 3,600.50"),
        ("paragraph", "* Prices are billed yearly in advance."),
        ("row", "Germany | 19%"),
        ("row", "France | 20%"),
        ("heading", "Q1 plan"),
        ("row", "Seats | 5 | 5 | 20 | 20"),
        ("row", "Storage | 10 GB | 10 GB | 1 TB | 1 TB"),
        ("row", "Calls | 0.3"),
        ("row", "Mails | May 2024"),
        ("heading", "Notes"),
        ("heading", "Read me"),
        ("paragraph", "This workbook lists the prices. It is updated every month."),
        ("paragraph", "Rules:"),
        ("item", "no refunds after 30 days"),
        ("item", "support by mail"),
    ]
    if name == "prices.xlsb":  # its writer does not keep hidden rows
        assert [entry for entry in readings(doc) if entry[1] != "secret"] == expected
    else:
        assert readings(doc) == expected
        assert rows_of(doc)[-1].caption == "EU"
        assert "hidden rows were left out" in doc.notices
    assert doc.owner == "legal"
    assert doc.effective is not None
    assert doc.effective.value == date(2024, 3, 1)
    assert doc.fields["author"] == "Ann Lee"
    assert doc.title == "Price list"
    starter, backup, seats = rows_of(doc)[0], rows_of(doc)[2], rows_of(doc)[6]
    assert starter.header == ("Plan", "Price", "Discount", "Since")
    assert starter.caption == "All prices without tax:"
    assert backup.caption == "All prices without tax: Add-ons"
    assert seats.header == ("Item", "Starter Monthly", "Starter Yearly", "Pro Monthly", "Pro Yearly")
    assert doc.blocks[-1].lead_in == "Rules:"
    assert doc.place_at(doc.text.index("12.5%")) == "sheet=Prices!C7"
    assert doc.place_at(doc.text.index("19%")) == "sheet=Prices!G7"
    assert doc.place_at(doc.text.index("1 TB")) == "sheet='Q1 plan'!E5"
    assert doc.place_at(doc.text.index("May 2024")) == "sheet='Q1 plan'!C10"  # below a hidden row
    assert "hidden sheets were left out: Old" in doc.notices
    assert "1 cell holds an error value and was left out" in doc.notices


def check_places(doc: Document) -> None:
    check_positions(replace(doc, line_map=((0, 1),)))
    assert doc.line_map == ()
    offsets = [offset for offset, _ in doc.places]
    assert offsets[0] == 0
    assert offsets == sorted(set(offsets))


@pytest.mark.parametrize(
    ("sheet_name", "expected"),
    [
        ("Prices", "sheet=Prices!B7"),
        ("Q1 plan", "sheet='Q1 plan'!B7"),
        ("It's", "sheet='It''s'!B7"),
        ("AB12", "sheet='AB12'!B7"),
        ("2024", "sheet='2024'!B7"),
        ("Größe", "sheet=Größe!B7"),
    ],
)
def test_sheet_names_are_quoted_as_in_formulas(sheet_name: str, expected: str) -> None:
    assert place(sheet_name, 6, 1) == expected
    assert place("A", 0, 27) == "sheet=A!AB1"


def test_formulas_without_a_result_are_told() -> None:
    doc = sheet([["Plan", "Seats"], ["Pro", 5], ["Sum", "=B2*2"]])
    assert doc.notices == ("1 formula has no stored result and was left out",)
    assert "=" not in doc.text


def test_a_blank_row_does_not_lose_the_header() -> None:
    doc = sheet([["Plan", "Price", "Seats"], ["Starter", 5, 1], [], ["Pro", 10, 20], ["Team", 15, 50]])
    assert [row.header for row in rows_of(doc)] == [("Plan", "Price", "Seats")] * 3


def test_tables_below_one_another_have_their_own_titles_and_headers() -> None:
    doc = sheet(
        [
            ["Prices"],
            ["Plan", "Price", "Seats"],
            ["Starter", 5, 1],
            [],
            ["Limits"],
            ["Resource", "Limit", "Unit"],
            ["Requests", 100, "per minute"],
        ]
    )
    assert readings(doc) == [
        ("heading", "Prices"),
        ("row", "Starter | 5 | 1"),
        ("heading", "Limits"),
        ("row", "Requests | 100 | per minute"),
    ]
    assert rows_of(doc)[1].header == ("Resource", "Limit", "Unit")


def test_names_and_values_without_header_stay_rows() -> None:
    doc = sheet([["Retention", "90 days"], ["Backups", "daily"], ["Location", "Frankfurt"]], "Settings")
    assert [row.text for row in rows_of(doc)] == ["Retention | 90 days", "Backups | daily", "Location | Frankfurt"]
    assert {row.header for row in rows_of(doc)} == {()}


def test_years_and_months_are_column_names() -> None:
    doc = sheet([["Region", 2023, 2024], ["EU", 1200, 1300], ["US", 5000, 5100]])
    assert rows_of(doc)[0].header == ("Region", "2023", "2024")


def test_a_key_holds_for_the_rows_below_it() -> None:
    doc = sheet([["Region", "Country", "VAT"], ["EU", "Germany", "19 %"], [None, "France", "20 %"], [None, "Total", "39 %"]])
    assert [row.cells[0] for row in rows_of(doc)] == ["EU", "EU", ""]
    france = rows_of(doc)[1]
    assert doc.place_at(france.start) == "sheet=Data!A3"
    assert doc.place_at(france.start + france.text.index("20 %")) == "sheet=Data!C3"


def test_items_in_a_cell() -> None:
    doc = sheet([["Plan", "Includes", "Price"], ["Pro", "- 5 seats\n- mail support", 5], ["Team", "all", 9]])
    assert rows_of(doc)[0].text == "Pro | - 5 seats; - mail support | 5"


def test_a_far_cell_costs_nothing() -> None:
    def fill(target: Any) -> None:
        target["A1"], target["A1048576"], target["XFD3"] = "The first cell.", "The last cell.", "far right"

    doc = load_bytes(saved(fill), "a.xlsx")
    assert doc.place_at(doc.text.index("The last")) == "sheet=Data!A1048576"
    assert doc.notices == ("only the first 200 columns were read of: Data",)


def test_repeated_rows_of_open_document_cost_nothing() -> None:
    cell = '<table:table-cell office:value-type="string"><text:p>%s</text:p></table:table-cell>'
    rows = (
        f"<table:table-row>{cell % 'First cell'}</table:table-row>"
        '<table:table-row table:number-rows-repeated="900000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
        f'<table:table-row><table:table-cell table:number-columns-repeated="1000000000"/>{cell % "nowhere"}</table:table-row>'
        f'<table:table-row table:number-rows-repeated="2">{cell % "A sentence that is repeated."}</table:table-row>'
    )
    doc = load_bytes(flat(rows), "a.fods")
    assert [doc.place_at(block.start) for block in doc.blocks] == [
        "sheet=Sheet1!A1",
        "sheet=Sheet1!A900003",
        "sheet=Sheet1!A900004",
    ]


def flat(rows: str) -> bytes:
    names = "".join(
        f' xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for prefix, name in [("office", "office"), ("table", "table"), ("text", "text")]
    )
    body = (
        f'<office:body><office:spreadsheet><table:table table:name="Sheet1">{rows}</table:table></office:spreadsheet></office:body>'
    )
    return f'<?xml version="1.0"?><office:document{names}>{body}</office:document>'.encode()


@pytest.mark.parametrize(
    ("attributes", "shown", "expected"),
    [
        ('office:value-type="float" office:value="1200.5"', "1.200,50", "1,200.50"),
        ('office:value-type="float" office:value="1.2"', "1.200", "1.200"),
        ('office:value-type="float" office:value="1200"', "1.200", "1,200"),
        ('office:value-type="currency" office:value="1200" office:currency="EUR"', "1.200,00 €", "1,200.00 €"),
        ('office:value-type="percentage" office:value="0.125"', "12,5 %", "12.5 %"),
        ('office:value-type="percentage" office:value="0.125"', "", "12.5%"),
        ('office:value-type="date" office:date-value="2024-03-01T00:00:00"', "01.03.24", "2024-03-01"),
        ('office:value-type="date" office:date-value="2024-03-01"', "Mrz 24", "March 2024"),
    ],
)
def test_numbers_of_other_countries(attributes: str, shown: str, expected: str) -> None:
    cell = f"<table:table-cell {attributes}><text:p>{shown}</text:p></table:table-cell>"
    doc = load_bytes(flat(f"<table:table-row>{cell}</table:table-row>"), "a.fods")
    assert doc.text == expected


def test_more_cells_than_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.load.workbook.MAX_CELLS", 1000)
    line = "".join(f'<c t="str"><v>v{i}</v></c>' for i in range(200))
    doc = load_bytes(rewritten(f"<worksheet><sheetData>{f'<row>{line}</row>' * 9}</sheetData></worksheet>"), "a.xlsx")
    assert doc.place_at(len(doc.text)) == "sheet=Data!GR5"
    assert doc.notices == ("more than 1,000 cells; not read to the end: Data",)


def test_padding_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.load.cell_grid.MAX_PADDING", 1000)
    rows = "".join(
        f'<row r="{n}"><c r="A{n}" t="str"><v>a b</v></c><c r="GR{n}" t="str"><v>x y</v></c></row>' for n in range(1, 99)
    )
    middle = "".join(f'<c t="str"><v>v{i}</v></c>' for i in range(200))
    doc = load_bytes(rewritten(f'<worksheet><sheetData>{rows}<row r="99">{middle}</row></sheetData></worksheet>'), "a.xlsx")
    assert len(doc.text) < 10_000
    assert any("not read to the end" in notice for notice in doc.notices)


def rewritten(worksheet: str) -> bytes:
    """A workbook of one sheet with this XML."""
    source = saved(lambda target: target.append(["a", "b"]))
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(source)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, worksheet if name == "xl/worksheets/sheet1.xml" else old.read(name))
    return out.getvalue()


@pytest.mark.parametrize("name", STORED)
def test_damaged_files_are_refused_or_read_in_part(name: str) -> None:
    source = (FILES / name).read_bytes()
    for share in (0.1, 0.3):
        with pytest.raises(LoadError):
            load_bytes(source[: int(len(source) * share)], name)
    for at in range(0, len(source), 997):
        damaged = source[:at] + b"\xff\x00\xff" + source[at + 3 :]
        with suppress(LoadError):
            load_bytes(damaged, name)


def test_binary_records() -> None:
    """A hidden row, a hidden column, a packed number in a currency format and a record that is cut off."""

    def record(kind: int, content: bytes) -> bytes:
        return bytes([kind, len(content)]) + content

    def text(column: int, value: str) -> bytes:
        return record(6, struct.pack("<III", column, 0, len(value)) + value.encode("utf-16-le"))

    def row(number: int, hidden: bool = False) -> bytes:
        return record(0, struct.pack("<IIHBBB", number, 0, 300, 0, 0x10 if hidden else 0, 0))

    source = record(60, struct.pack("<IIIIH", 2, 2, 0, 0, 1))
    source += row(0) + text(0, "Plan") + text(1, "Price") + text(2, "Old price")
    source += row(1, hidden=True) + text(0, "Secret")
    source += row(2) + text(0, "Pro") + record(2, struct.pack("<III", 1, 1, (1250 * 100 << 2 | 3) & 0xFFFFFFFF))
    workbook, found = Workbook(), Sheet("S")
    styles = [Style(), Style("$#,##0.00")]
    xlsb._sheet(source, workbook, found, [], styles, False)
    seen = {(at, column): cell.text for at, line in found.rows.items() for column, cell in line.items()}
    assert seen == {(0, 0): "Plan", (0, 1): "Price", (2, 0): "Pro", (2, 1): "$1,250.00"}
    assert workbook.unseen == {"rows", "columns"}
    with pytest.raises(IndexError):
        xlsb._sheet(source[:-1], Workbook(), Sheet("S"), [], styles, False)


def test_entities_are_not_expanded() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><worksheet><sheetData><row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>'
    with pytest.raises(LoadError, match="document type definition"):
        load_bytes(rewritten(bomb), "a.xlsx")


def test_an_empty_workbook_says_so() -> None:
    with pytest.raises(LoadError, match="no cell"):
        sheet([])


def test_counting_seen_rows() -> None:
    hidden = [1, 2, 5]
    assert [_behind(i, hidden) for i in range(4)] == [0, 3, 4, 6]


def test_properties_of_old_files() -> None:
    def stream(kind: int, size: int, content: bytes) -> bytes:
        section = struct.pack("<II", 0, 1) + struct.pack("<II", 2, 16) + struct.pack("<II", kind, size) + content
        return bytes(44) + struct.pack("<I", 48) + section

    assert property_set(stream(30, 5, b"Plan\0"), {2: "title"}) == {"title": "Plan"}
    assert property_set(stream(0x101E, 0xFFFFFFFF, b""), {2: "title"}) == {}  # a vector of four billion parts


def test_a_password_is_named() -> None:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest><file-entry><encryption-data/></file-entry></manifest>")
        archive.writestr("content.xml", b"\x13\x37")
    with pytest.raises(LoadError, match="password"):
        load_bytes(out.getvalue(), "a.ods")
