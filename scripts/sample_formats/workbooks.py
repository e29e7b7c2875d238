"""Two workbooks and a table of rooms as CSV."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import date, datetime

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from sample_formats.packing import repacked

MONEY, PERCENT, DAY, MONTH, COUNT = '"$"#,##0.00', "0%", "d mmmm yyyy", "mmm yyyy", "#,##0"
Value = str | int | float | date | None
BOLD, TITLE = Font(bold=True), Font(bold=True, size=14)
SHADE = PatternFill("solid", fgColor="DDE6ED")


def _sheet(
    book: Workbook, name: str, title: Sequence[str], header: Sequence[str], rows: Sequence[Sequence[Value]], formats: Sequence[str]
) -> Worksheet:
    """A sheet as people make them: title lines over the whole width, an empty row, the header, the rows."""
    sheet = book.create_sheet(name)
    for line, text in enumerate(title, 1):
        sheet.cell(line, 1, text).font = TITLE if line == 1 else Font()
        sheet.merge_cells(start_row=line, start_column=1, end_row=line, end_column=max(2, len(header)))
    top = len(title) + 2
    for column, text in enumerate(header, 1):
        cell = sheet.cell(top, column, text)
        cell.font, cell.fill, cell.alignment = BOLD, SHADE, Alignment(wrap_text=True)
        sheet.column_dimensions[get_column_letter(column)].width = 30 if column == 1 else 18
    for line, row in enumerate(rows, top + 1):
        for column, (value, form) in enumerate(zip(row, formats, strict=True), 1):
            cell = sheet.cell(line, column, value)
            if form and not isinstance(value, str):
                cell.number_format = form
    sheet.freeze_panes = sheet.cell(top + 1, 2)
    return sheet


def _notes(book: Workbook, title: str, lines: Sequence[str]) -> None:
    sheet = book.create_sheet("Notes")
    sheet.column_dimensions["A"].width = 100
    for line, text in enumerate([title, "", *lines], 1):
        if text:
            sheet.cell(line, 1, text).font = TITLE if line == 1 else Font()


def _book(title: str, author: str) -> Workbook:
    book = Workbook()
    book.remove(book.worksheets[0])
    book.properties.title, book.properties.creator, book.properties.lastModifiedBy = title, author, author
    return book


def _bytes(book: Workbook, when: datetime) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return repacked(out.getvalue(), when)


def price_list() -> bytes:
    book = _book("Price list, second quarter 2024", "Tomasz Wieland")
    since = date(2024, 3, 1)
    _sheet(
        book,
        "Tideline",
        [
            "Orrinvale price list, second quarter 2024",
            "Extract of the price sheet for the sales team. US dollars, without sales tax. 5 April 2024",
        ],
        ["Plan", "Price per seat and month", "Minimum seats", "Off for a year in advance", "Valid from"],
        [
            ["Starter", 18, 5, 0.1, since],
            ["Starter for non-profit organisations", 13.5, 5, 0.1, since],
            ["Professional", 42, 10, 0.1, since],
            ["Enterprise", 68, 50, 0.1, since],
        ],
        ["", MONEY, "0", PERCENT, DAY],
    )
    _sheet(
        book,
        "Add-ons",
        ["Add-ons for all plans"],
        ["Add-on", "Price", "Unit"],
        [["Extra storage", 12, "per 100 GB and month"], ["Sandbox tenant", 95, "per month"], ["Data import", 1200, "once"]],
        ["", MONEY, ""],
    )
    devices = _sheet(
        book,
        "Devices",
        ["Devices, price per piece", "Staff prices are for personal use and are not passed on to customers."],
        ["Device", "Single", "From 25 units", "Staff"],
        [
            ["Luma 3", 149, 134, 104.3],
            ["Poise", 89, 82, 62.3],
            ["Cuffline", 119, 107, 83.3],
            ["Office set (12 Luma 3)", 1590, "on request", "not sold"],
        ],
        ["", MONEY, MONEY, MONEY],
    )
    devices["A10"] = "Orders from 250 units: ask Tomasz, the price is made for each order."
    _sheet(
        book,
        "Spares",
        ["Spare parts"],
        ["Part", "Fits", "Price"],
        [
            ["Cuff S", "Cuffline", 22],
            ["Cuff M", "Cuffline", 24],
            ["Cuff L", "Cuffline", 26],
            ["Wall bracket", "Luma 3", 6],
            ["USB cable, 1.5 m", "Luma 3", 8],
            ["Set of four feet", "Poise", 7],
        ],
        ["", "", MONEY],
    )
    _notes(
        book,
        "Notes",
        [
            "Prices are looked at once a year, in January.",
            "The discount for a year in advance is not given on add-ons.",
            "Customers who signed before March keep the price in their contract until it ends.",
            "A quotation is valid for 30 days. After that, look into this list again.",
            "Questions: Tomasz Wieland, sales, +1 207 555 0150",
        ],
    )
    return _bytes(book, datetime(2024, 4, 5, 15, 10))


def desk_figures() -> bytes:
    book = _book("Support desk, key figures 2024", "Hannah Brandt")
    _sheet(
        book,
        "Summary",
        ["Support desk: key figures", "Prepared by Hannah Brandt on 3 June 2024"],
        ["Figure", "2023", "January to May 2024", "Target for 2024"],
        [
            ["Tickets", 9412, 4105, "none"],
            ["Share of tickets about devices", 0.61, 0.58, "none"],
            ["Solved in the first answer", 0.68, 0.7, 0.75],
            ["Calls taken within a minute", 0.77, 0.79, 0.8],
        ],
        ["", PERCENT, PERCENT, PERCENT],
    )
    for cell in ("B5", "C5"):
        book["Summary"][cell].number_format = COUNT
    _sheet(
        book,
        "Months",
        ["Tickets by month"],
        ["Month", "Tickets", "About devices", "About Tideline and orders"],
        [
            [date(2024, month, 1), total, devices, total - devices]
            for month, total, devices in ((1, 846, 498), (2, 792, 457), (3, 815, 474), (4, 803, 463), (5, 849, 489))
        ],
        [MONTH, COUNT, COUNT, COUNT],
    )
    _sheet(
        book,
        "Targets",
        ["Targets for 2024", "As agreed in December"],
        ["Figure", "Target", "Who looks after it"],
        [
            ["Solved in the first answer", 0.72, "Hannah"],
            ["Calls taken within a minute", 0.8, "Hannah"],
            ["Satisfaction, from 1 to 5", 4.5, "Rosa"],
        ],
        ["", PERCENT, ""],
    )
    book["Targets"]["B7"].number_format = "0.0"
    _notes(
        book,
        "Notes",
        [
            "Counted are tickets that a person opened, not copies and not spam.",
            "A ticket about a device and an order counts as a ticket about a device.",
        ],
    )
    return _bytes(book, datetime(2024, 6, 3, 9, 40))


ROOMS = """\
Room,Floor,Seats,Screen,Extension,Remark
Peaks,2,6,yes,2206,
Chebeague,2,10,yes,2212,whiteboard on two walls
Monhegan,3,4,no,2304,
Great Diamond,3,20,yes,2320,"chairs can be stacked, tables cannot"
"""


def rooms() -> bytes:
    return ROOMS.encode("utf-8")


DOCUMENTS = {
    "finance/price-list-2024-q2.xlsx": price_list,
    "support/desk-figures-2024.xlsx": desk_figures,
    "hr/meeting-rooms.csv": rooms,
}
