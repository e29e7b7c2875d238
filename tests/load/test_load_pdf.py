from __future__ import annotations

from pathlib import Path

import pytest
from load_helpers import check_positions
from pdf_files import line, lines, pdf, text

from auditor.load import load_bytes
from auditor.model import Block, BlockKind, Document

FILES = Path(__file__).parent / "files"
PRODUCERS = ["libreoffice", "chromium", "groff"]


def handbook(producer: str) -> Document:
    return load_bytes((FILES / f"handbook_{producer}.pdf").read_bytes(), "handbook.pdf")


def read(*pages: bytes, **options: str) -> Document:
    doc = load_bytes(pdf(*pages, **options), "a.pdf")
    check_positions(doc)
    return doc


def of(doc: Document, kind: BlockKind) -> list[Block]:
    return [block for block in doc.blocks if block.kind is kind]


def texts(doc: Document, kind: BlockKind = BlockKind.PARAGRAPH) -> list[str]:
    return [block.text for block in of(doc, kind)]


def where(doc: Document, words: str) -> tuple[str | None, int | None]:
    position = doc.text.index(words)
    return doc.place_at(position), doc.line_at(position)


@pytest.mark.parametrize("producer", PRODUCERS)
def test_files_of_other_programs(producer: str) -> None:
    doc = handbook(producer)
    check_positions(doc)
    assert doc.title == "Service Handbook"
    assert [(block.level, block.text) for block in of(doc, BlockKind.HEADING)] == [
        (1, "Service Handbook"),
        (2, "1. Returns"),
        (2, "2. Warranty"),
        (2, "3. Prices"),
    ]
    assert doc.published is not None
    assert (doc.published.value.isoformat(), doc.published.source) == ("2024-03-12", "visible line")
    items = of(doc, BlockKind.ITEM)
    assert [item.text.split()[0] for item in items] == ["damage", "batteries", "accessories", "Ask", "Pack", "Hand"]
    assert {item.lead_in for item in items} == {"The following are not covered by the warranty:", "To return an item:"}
    assert len({item.group for item in items}) == 2
    rows = of(doc, BlockKind.ROW)
    assert len(rows) == 46
    assert {row.header for row in rows} == {("Plan", "Seats", "Price per month", "Response time")}
    assert len({row.group for row in rows}) == 1
    assert rows[45].cells == ("Plan 46", "51 users", "148.00 EUR", "70 hours")
    assert doc.place_at(rows[0].start) == "page=1"
    assert doc.place_at(rows[45].start) == "page=2"
    assert "ACME" not in doc.text
    assert "Page" not in doc.text
    assert "who documents the reason" in doc.text  # broken with a hyphen in two of them
    assert doc.notices == ()


@pytest.mark.parametrize("producer", ["libreoffice", "chromium"])
def test_columns_are_not_mixed(producer: str) -> None:
    paragraphs = texts(handbook(producer))[1:7]
    beginnings = [paragraph.split()[0] for paragraph in paragraphs]
    assert beginnings == ["Refunds", "Requests", "The", "The", "Refunds", "Requests"]
    assert all(paragraph.endswith(("delay.", "day.", "from.")) for paragraph in paragraphs)


def test_footnote() -> None:
    doc = handbook("libreoffice")
    assert "on the day of arrival." in doc.text  # without the number of the note
    assert where(doc, "The day of arrival is the day")[0] == "page=1"
    assert doc.owner == "Jane Roe"


def test_lines_of_a_page_are_counted_with_its_header() -> None:
    doc = handbook("libreoffice")
    assert where(doc, "Last updated") == ("page=1", 3)
    assert where(doc, "Refunds are paid") == ("page=1", 5)
    assert where(doc, "which the returned goods") == ("page=1", 6)


def test_hyphens_at_the_end_of_lines() -> None:
    doc = read(
        lines(
            72,
            100,
            "The docu-",
            "mentation of the self-",
            "service desk and of COVID-",
            "19 rules names a well-known and well-",
            "known rule.",
        )
    )
    assert texts(doc) == [
        "The documentation of the self-service desk and of COVID-19 rules names a well-known and well-known rule."
    ]
    assert where(doc, "mentation") == ("page=1", 2)


def test_paragraphs_go_on_over_pages() -> None:
    long = "This line is as long as the others of the page, so that it ends at the edge"
    doc = read(lines(72, 100, long, long), lines(72, 100, "and goes on here. The end."))
    assert texts(doc) == [f"{long} {long} and goes on here. The end."]
    assert where(doc, "and goes on")[0] == "page=2"


def test_running_headers_and_page_numbers() -> None:
    words = ("first", "second", "third")
    pages = [
        text(72, 40, f"Chapter {n}: {word}")
        + text(500, 40, str(n))
        + text(72, 200, f"The {word} page costs {n}0 EUR.")
        + text(290, 800, f"- {n} -")
        for n, word in enumerate(words, start=1)
    ]
    assert texts(read(*pages)) == ["The first page costs 10 EUR.", "The second page costs 20 EUR.", "The third page costs 30 EUR."]


def test_numbers_that_do_not_count_pages_stay() -> None:
    pages = [text(72, 200, "Some text on the page.") + text(72, 780, f"Total {total} EUR") for total in (100, 250, 260)]
    assert [total for total in texts(read(*pages)) if "Total" in total] == ["Total 100 EUR", "Total 250 EUR", "Total 260 EUR"]


def test_pages_of_one_line_are_not_headers() -> None:
    assert texts(read(*(text(72, 60, f"Slide number {n}") for n in (1, 2, 3)))) == [
        "Slide number 1",
        "Slide number 2",
        "Slide number 3",
    ]


HEAD, BODY = ("Plan", "Seats", "Price"), (("Basic", "5", "10 EUR"), ("Team", "20", "30 EUR"), ("Large", "99", "80 EUR"))


def table(y: float, *rows: tuple[str, ...], columns: tuple[float, ...] = (72, 180, 300), step: float = 15) -> bytes:
    return b"".join(text(x, y + i * step, cell) for i, row in enumerate(rows) for x, cell in zip(columns, row, strict=True) if cell)


def grid(y: float, rows: int, columns: tuple[float, ...] = (68, 176, 296, 400), step: float = 15) -> bytes:
    across = b"".join(line(columns[0], y + i * step, columns[-1], y + i * step) for i in range(rows + 1))
    return across + b"".join(line(x, y, x, y + rows * step) for x in columns)


@pytest.mark.parametrize("drawn", [True, False])
def test_tables_with_and_without_lines(drawn: bool) -> None:
    page = text(72, 80, "These are our plans:") + table(111, HEAD, *BODY) + text(72, 200, "All prices are net.")
    doc = read(page + (grid(100, 4) if drawn else b""))
    rows = of(doc, BlockKind.ROW)
    assert [row.cells for row in rows] == list(BODY)
    assert {(row.header, row.caption) for row in rows} == {(HEAD, "These are our plans:")}
    assert texts(doc) == ["These are our plans:", "All prices are net."]
    assert where(doc, "Team") == ("page=1", 4)


def test_joined_cells() -> None:
    page = text(72, 111, "Plan") + text(180, 111, "Limits") + table(126, ("", "Users", "Storage"), *BODY)
    lines_of_table = b"".join(line(68, y, 400, y) for y in (100, 130, 145, 160, 175)) + line(176, 115, 400, 115)
    bars = b"".join(line(x, 100, x, 175) for x in (68, 176, 400)) + line(296, 115, 296, 175)
    doc = read(page + lines_of_table + bars)
    assert of(doc, BlockKind.ROW)[0].header == ("Plan", "Limits Users", "Limits Storage")


def test_cells_of_several_lines() -> None:
    rows = [
        ("Online", "Customers may return", "30 days"),
        ("purchases", "unopened goods", ""),
        ("Gift cards", "Not refundable", "none"),
    ]
    page = b"".join(table(y, row) for y, row in zip((100, 112, 135), rows, strict=True))
    assert [row.cells for row in of(read(page), BlockKind.ROW)] == [
        ("Online purchases", "Customers may return unopened goods", "30 days"),
        ("Gift cards", "Not refundable", "none"),
    ]


def test_names_and_values_have_no_header() -> None:
    page = table(100, ("Owner", "Finance"), ("Review", "12 months"), ("Kept for", "7 years"), columns=(72, 180))
    assert {row.header for row in of(read(page), BlockKind.ROW)} == {()}


def test_lists() -> None:
    page = (
        text(72, 100, "You need:")
        + lines(90, 115, "• a passport", "• a proof of address that is", step=12)
        + text(99, 139, "not older than 3 months")
        + text(108, 151, "1. a bill")
        + text(90, 163, "• a number")
        + text(72, 190, "11. 3. 2024 is no item.")
    )
    doc = read(page)
    assert [(block.level, block.text, block.lead_in) for block in of(doc, BlockKind.ITEM)] == [
        (0, "a passport", "You need:"),
        (0, "a proof of address that is not older than 3 months", "You need:"),
        (1, "a bill", "You need: a proof of address that is not older than 3 months"),
        (0, "a number", "You need:"),
    ]
    assert texts(doc)[-1] == "11. 3. 2024 is no item."


def test_names_and_addresses_are_no_lists() -> None:
    page = b"".join(
        text(72, 100 + 30 * i, row)
        for i, row in enumerate(("P.O. Box 418, Portland.", "J. Doe signs.", "A. First part", "B. Second part"))
    )
    doc = read(page)
    assert texts(doc) == ["P.O. Box 418, Portland.", "J. Doe signs."]
    assert texts(doc, BlockKind.ITEM) == ["First part", "Second part"]


def test_headings_by_size_weight_and_number() -> None:
    body = ("This is the text of the section, which is longer than", "one line and ends here.")
    page = text(72, 80, "Travel policy", 20) + text(72, 110, "1 Scope", 12, "F2") + lines(72, 130, *body)
    page += (
        text(72, 170, "1.1 Exceptions", 12, "F2")
        + lines(72, 190, *body)
        + text(72, 225, "Hotels", 10, "F2")
        + lines(72, 240, *body)
    )
    doc = read(page)
    assert [(block.level, block.text) for block in of(doc, BlockKind.HEADING)] == [
        (1, "Travel policy"),
        (2, "1 Scope"),
        (3, "1.1 Exceptions"),
        (3, "Hotels"),
    ]
    assert doc.title == "Travel policy"


def test_superscripts() -> None:
    page = text(72, 100, "An area of 20 m") + text(140.6, 96, "2", 6) + text(148, 100, "is covered.") + text(200, 96, "3", 6)
    page += lines(72, 112, "More text stands here.") + text(72, 796, "3", 6) + text(76, 800, "Since 2024.", 7)
    doc = read(page)
    assert texts(doc) == ["An area of 20 m² is covered. More text stands here.", "Since 2024."]


def test_table_of_contents_is_left_out() -> None:
    page = (
        text(72, 80, "Contents", 14)
        + lines(72, 100, "1 Scope ............... 3", "2 Fees ............... 12")
        + text(72, 150, "2 Fees", 14)
    )
    page += text(72, 170, "The fee is 5 EUR.")
    assert "12" not in read(page).text


def test_code() -> None:
    page = (
        lines(72, 100, "Run this:")
        + lines(72, 115, "audit scan docs \\", "  --out here", font="F3")
        + lines(72, 150, "That is all there is to say.")
    )
    assert texts(read(page), BlockKind.CODE) == ["audit scan docs \\\n  --out here"]


def test_text_that_is_turned() -> None:
    page = b"BT 0 1 -1 0 300 100 Tm /F1 12 Tf (Within 30 days of the) Tj 0 -14 Td (receipt.) Tj ET\n"
    page += b"BT 0.7 0.7 -0.7 0.7 100 100 Tm /F1 60 Tf (DRAFT) Tj ET"
    assert texts(read(page)) == ["Within 30 days of the receipt."]
    assert texts(read(lines(72, 100, "Within 30 days."), page="/Rotate 90")) == ["Within 30 days."]


def test_document_information() -> None:
    info = "/Title(Travel policy)/Author(Jane Roe)/CreationDate(D:20240131120000+01'00')/ModDate(D:20240305)"
    doc = read(text(72, 100, "Travel policy", 20) + text(72, 130, "Hotels cost 100 EUR."), info=info)
    assert dict(doc.fields) == {"title": "Travel policy", "author": "Jane Roe", "created": "2024-01-31", "modified": "2024-03-05"}
    assert doc.published is not None
    assert doc.published.source == "document properties"


@pytest.mark.parametrize("title", ["Microsoft Word - hotels.docx", "hotels.pdf", "Untitled", "Price list of another document"])
def test_title_that_is_none(title: str) -> None:
    doc = read(text(72, 100, "Travel policy", 20) + text(72, 130, "Hotels cost 100 EUR."), info=f"/Title({title})")
    assert doc.title == "Travel policy"
