"""Makes the spreadsheets and presentations of this folder that other programs wrote.

    python make_sheets.py    # needs openpyxl, python-pptx and soffice; for prices.xlsb node with the package xlsx (SheetJS)

prices.ods, prices.xls, prices-lo.xlsx and handbook.odp are written by LibreOffice, prices.xlsb by SheetJS.
"""

from __future__ import annotations

import datetime
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
XLSB = """
const xlsx = require("xlsx");
xlsx.writeFile(xlsx.readFile(process.argv[1], {cellNF: true, cellStyles: true}), process.argv[2], {bookType: "xlsb", cellStyles: true});
"""


def prices(path: Path) -> None:
    """A workbook with a title, metadata, two tables side by side, two header rows, a section, hidden things and prose."""
    import openpyxl
    from openpyxl.styles import Font

    book = openpyxl.Workbook()
    book.properties.title, book.properties.creator = "Price list", "Ann Lee"
    sheet = book.active
    sheet.title = "Prices"
    bold = Font(bold=True)
    sheet["A1"] = "Price list 2024"
    sheet["A1"].font = bold
    sheet.append(["Owner", "legal"])
    sheet.append(["Valid from", datetime.date(2024, 3, 1)])
    sheet["A5"] = "All prices without tax:"
    for column, name in zip("ABCD", ["Plan", "Price", "Discount", "Since"], strict=True):
        sheet[f"{column}6"] = name
        sheet[f"{column}6"].font = bold
    rows = [("Starter", 1200, 0.125, datetime.datetime(2024, 3, 1)), ("Pro", 2400.5, 0.2, datetime.datetime(2023, 1, 15))]
    for row, values in enumerate(rows, start=7):
        for column, value in zip("ABCD", values, strict=True):
            sheet[f"{column}{row}"] = value
        sheet[f"B{row}"].number_format = "$#,##0.00"
        sheet[f"C{row}"].number_format = "0.0%"
        sheet[f"D{row}"].number_format = "d/m/yyyy"
    sheet["A9"] = "Add-ons"
    sheet["A10"], sheet["B10"] = "Backup", 1234.5
    sheet["B10"].number_format = "#,##0.00 [$€-407]"
    sheet["A11"], sheet["B11"] = "Total", "=SUM(B7:B9)"
    sheet["B11"].number_format = "[$-407]#,##0.00"
    sheet["A12"] = "* Prices are billed yearly in advance."
    sheet["F6"], sheet["G6"] = "Region", "VAT"
    for row, (name, rate) in enumerate([("Germany", 0.19), ("France", 0.2)], start=7):
        sheet[f"F{row}"], sheet[f"G{row}"] = name, rate
        sheet[f"G{row}"].number_format = "0%"

    plan = book.create_sheet("Q1 plan")
    plan["B2"], plan["C2"], plan["E2"] = "Item", "Starter", "Pro"
    for cells in ("B2:B3", "C2:D2", "E2:F2", "B7:F7"):
        plan.merge_cells(cells)
    for column, name in zip("CDEF", ["Monthly", "Yearly"] * 2, strict=True):
        plan[f"{column}3"] = name
    for row, values in enumerate([("Seats", 5, 5, 20, 20), ("Storage", "10 GB", "10 GB", "1 TB", "1 TB")], start=4):
        for column, value in zip("BCDEF", values, strict=True):
            plan[f"{column}{row}"] = value
    plan["B7"] = "EU"
    plan["B8"], plan["C8"], plan["D8"] = "Calls", 0.1 + 0.2, "=1/0"
    plan["B9"] = "secret"
    plan.row_dimensions[9].hidden = True
    plan["B10"] = "Mails"
    plan["C10"] = datetime.datetime(2024, 5, 1)
    plan["C10"].number_format = "mmm yyyy"

    old = book.create_sheet("Old")
    old.sheet_state = "hidden"
    old["A1"] = "The price is $1."
    notes = book.create_sheet("Notes")
    notes["A1"] = "Read me"
    notes["A1"].font = bold
    notes["A2"] = "This workbook lists the prices. It is updated every month."
    notes["A3"] = "Rules:"
    notes["A4"], notes["A5"] = "- no refunds after 30 days", "- support by mail"
    book.save(path)


def handbook(path: Path) -> None:
    """A presentation with a title slide, a list in a list, notes, a table, a group, a hidden slide and a chart."""
    from pptx import Presentation
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.util import Inches

    deck = Presentation()
    deck.core_properties.title, deck.core_properties.author = "Support handbook", "Ann Lee"
    slide = deck.slides.add_slide(deck.slide_layouts[0])
    slide.shapes.title.text, slide.placeholders[1].text = "Support handbook", "Version 2, March 2024"
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Response times"
    frame = slide.placeholders[1].text_frame
    frame.text = "Critical incidents:"
    for text, level in [("answered within 4 hours", 1), ("solved within 2 days", 1), ("Support is open on weekdays", 0)]:
        paragraph = frame.add_paragraph()
        paragraph.text, paragraph.level = text, level
    slide.notes_slide.notes_text_frame.text = "The hotline closes at 18:00."
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Plans"
    below = slide.shapes.add_textbox(Inches(1), Inches(5), Inches(3), Inches(1))
    below.text_frame.text = "This stands at the bottom."
    group = slide.shapes.add_group_shape()
    for text, left in [("Right box in a group", 5), ("Left box in a group", 1)]:
        group.shapes.add_textbox(Inches(left), Inches(4), Inches(2), Inches(0.5)).text_frame.text = text
    table = slide.shapes.add_table(3, 3, Inches(1), Inches(2), Inches(6), Inches(1.5)).table
    for i, row in enumerate([("Plan", "Price", "Seats"), ("Starter", "$5", "3"), ("Pro", "$10", "20")]):
        for j, value in enumerate(row):
            table.cell(i, j).text = value
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "The hidden one"
    slide._element.set("show", "0")
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_textbox(Inches(1), Inches(0.5), Inches(5), Inches(1)).text_frame.text = "Uptime by quarter"
    data = CategoryChartData(number_format="0.0%")
    data.categories = ["Q1", "Q2"]
    data.add_series("EU", (0.999, 0.995))
    data.add_series("US", (0.99, 0.98))
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(2), Inches(6), Inches(4), data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Uptime"
    deck.save(path)


def _convert(source: Path, kind: str, out: Path, profile: Path) -> Path:
    command = [
        "soffice",
        f"-env:UserInstallation=file://{profile}",
        "--headless",
        "--convert-to",
        kind,
        "--outdir",
        str(out),
        str(source),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return out / f"{source.stem}.{kind}"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        work, profile = Path(folder), Path(folder) / "profile"
        prices(work / "prices.xlsx")
        handbook(work / "handbook.pptx")
        _convert(work / "prices.xlsx", "ods", HERE, profile)
        _convert(work / "prices.xlsx", "xls", HERE, profile)
        _convert(work / "handbook.pptx", "odp", HERE, profile)
        (work / "lo").mkdir()
        _convert(HERE / "prices.ods", "xlsx", work / "lo", profile).rename(HERE / "prices-lo.xlsx")
    if len(sys.argv) > 1:  # a folder where the package xlsx is installed
        files = [str(HERE / "prices-lo.xlsx"), str(HERE / "prices.xlsb")]
        subprocess.run(["node", "-e", XLSB, *files], check=True, cwd=sys.argv[1], timeout=60)


if __name__ == "__main__":
    main()
