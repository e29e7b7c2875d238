"""Writes the PDF files beside it with three programs: LibreOffice, Chromium and groff (Debian: libreoffice-writer, chromium, groff, qpdf).

    python tests/load/files/make_pdf.py

All three hold the same handbook: title, two columns (LibreOffice, Chromium), lists, a table over two pages, running header and footer;
LibreOffice a footnote besides. Dates of creation differ from run to run, the text does not.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
INTRO = "Last updated: 12 March 2024. Returned parcels are handled on the day of arrival."
NOTE = "The day of arrival is the day on which the carrier scans the parcel."
TEXT = (
    "Refunds are paid within 14 days of the day on which the returned goods arrive at the warehouse. The warehouse inspects each parcel "
    "and confirms the condition in the register, so that the customer service team can decide without delay.",
    "Requests for reimbursement that exceed 500 EUR need the approval of the regional manager. Smaller amounts are approved by the team "
    "lead, who documents the reason for the decision in one sentence and closes the ticket on the same day.",
    "The documentation is coordinated by the publications office. Translations are commissioned only after the English original has been "
    "released, and they carry the version number of the original they were made from.",
)
COLUMNS = (*TEXT, TEXT[2], TEXT[0], TEXT[1])
COVER = "The following are not covered by the warranty:"
NOT_COVERED = (
    "damage caused by liquids or by improper storage of the goods, in particular storage outside of the temperature range that is printed "
    "on the label",
    "batteries older than 24 months",
    "accessories",
)
STEPS = ("Ask for a return label.", "Pack the item.", "Hand the parcel in within 10 days.")
HEAD = ("Plan", "Seats", "Price per month", "Response time")
ROWS = tuple((f"Plan {i}", f"{5 + i} users", f"{10 + 3 * i}.00 EUR", f"{24 + i} hours") for i in range(1, 47))
END = "Prices are net of taxes."


def html() -> str:
    columns = "".join(f"<p>{text}</p>" for text in COLUMNS)
    rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in ROWS)
    head = "".join(f"<th>{cell}</th>" for cell in HEAD)
    return f"""<!doctype html><html lang=en><head><meta charset=utf-8><title>Service Handbook</title><style>
body {{ font: 10pt/1.3 'Liberation Serif' }} th {{ text-align: left; font-weight: normal; background: #ddd }}
h1, h2 {{ font-weight: normal }} .two {{ columns: 2; column-gap: 24pt; text-align: justify; hyphens: auto }}
table {{ border-collapse: collapse; width: 100% }} th, td {{ border: 1px solid #888; padding: 2pt 6pt }}
@page {{ size: A4; margin: 22mm; font: 10pt 'Liberation Serif'; @top-center {{ content: "ACME Service Handbook" }}
@bottom-center {{ content: "Page " counter(page) " of " counter(pages) }} }}</style></head><body>
<h1>Service Handbook</h1><p>{INTRO}</p><h2>1. Returns</h2><div class=two>{columns}</div>
<h2>2. Warranty</h2><p>{COVER}</p><ul>{"".join(f"<li>{item}" for item in NOT_COVERED)}</ul>
<p>To return an item:</p><ol>{"".join(f"<li>{step}" for step in STEPS)}</ol>
<h2>3. Prices</h2><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table><p>{END}</p></body></html>"""


def flat_odt() -> str:
    def p(text: str, style: str = "Body") -> str:
        return f'<text:p text:style-name="{style}">{text}</text:p>'

    def heading(level: int, text: str) -> str:
        return f'<text:h text:style-name="Heading_20_{level}" text:outline-level="{level}">{text}</text:h>'

    def items(style: str, texts: tuple[str, ...]) -> str:
        inner = "".join(f"<text:list-item>{p(text)}</text:list-item>" for text in texts)
        return f'<text:list text:style-name="{style}">{inner}</text:list>'

    def row(cells: tuple[str, ...], style: str) -> str:
        inner = "".join(f'<table:table-cell table:style-name="cell">{p(cell, style)}</table:table-cell>' for cell in cells)
        return f"<table:table-row>{inner}</table:table-row>"

    def label(tag: str, extra: str) -> str:
        return (
            f'<text:{tag} text:level="1" {extra}><style:list-level-properties text:list-level-position-and-space-mode="label-alignment">'
            '<style:list-level-label-alignment text:label-followed-by="listtab" fo:text-indent="-0.6cm" fo:margin-left="1.2cm"/>'
            f"</style:list-level-properties></text:{tag}>"
        )

    note = (
        '<text:note text:id="f1" text:note-class="footnote"><text:note-citation>1</text:note-citation>'
        f"<text:note-body>{p(NOTE, 'Footnote')}</text:note-body></text:note>"
    )
    names = ["office", "style", "text", "table", "meta"]
    spaces = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in names)
    rows = "".join(row(cells, "Cell") for cells in ROWS)

    def heading_style(level: int, size: int) -> str:
        return (
            f'<style:style style:name="Heading_20_{level}" style:family="paragraph" style:parent-style-name="Standard">'
            '<style:paragraph-properties fo:margin-top="0.4cm" fo:margin-bottom="0.2cm" fo:keep-with-next="always"/>'
            f'<style:text-properties fo:font-size="{size}pt"/></style:style>'
        )

    return f"""<?xml version="1.0" encoding="UTF-8"?>
<office:document {spaces} xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
 xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">
<office:meta><dc:title>Service Handbook</dc:title><meta:initial-creator>Jane Roe</meta:initial-creator></office:meta>
<office:styles>
<style:style style:name="Standard" style:family="paragraph"><style:text-properties fo:font-family="Liberation Serif" fo:font-size="11pt"
 fo:language="en" fo:country="US" fo:hyphenate="true"/></style:style>{heading_style(1, 20)}{heading_style(2, 14)}
<style:style style:name="Body" style:family="paragraph" style:parent-style-name="Standard">
<style:paragraph-properties fo:margin-bottom="0.2cm"/></style:style>
<style:style style:name="Cell" style:family="paragraph" style:parent-style-name="Standard"/>
<style:style style:name="CellHead" style:family="paragraph" style:parent-style-name="Standard">
<style:text-properties fo:font-weight="bold"/></style:style>
<style:style style:name="Footnote" style:family="paragraph" style:parent-style-name="Standard">
<style:text-properties fo:font-size="9pt"/></style:style>
<text:notes-configuration text:note-class="footnote" style:num-format="1"/></office:styles>
<office:automatic-styles>
<style:style style:name="two" style:family="section"><style:section-properties>
<style:columns fo:column-count="2" fo:column-gap="0.8cm"/></style:section-properties></style:style>
<style:style style:name="cell" style:family="table-cell">
<style:table-cell-properties fo:border="0.05pt solid #000000" fo:padding="0.05cm"/></style:style>
<text:list-style style:name="Dots">{label("list-level-style-bullet", 'text:bullet-char="•"')}</text:list-style>
<text:list-style style:name="Steps">{label("list-level-style-number", 'style:num-format="1" style:num-suffix="."')}</text:list-style>
<style:page-layout style:name="page"><style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm" fo:margin="2cm"/>
<style:header-style><style:header-footer-properties fo:min-height="0.6cm" fo:margin-bottom="0.4cm"/></style:header-style>
<style:footer-style><style:header-footer-properties fo:min-height="0.6cm" fo:margin-top="0.4cm"/></style:footer-style>
</style:page-layout></office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="page">
<style:header>{p("ACME Service Handbook", "Cell")}</style:header>
<style:footer>{p("Page <text:page-number/> of <text:page-count/>", "Cell")}</style:footer></style:master-page></office:master-styles>
<office:body><office:text>{heading(1, "Service Handbook")}{p(INTRO + note)}{heading(2, "1. Returns")}
<text:section text:style-name="two" text:name="S">{"".join(map(p, COLUMNS))}</text:section>
{heading(2, "2. Warranty")}{p(COVER)}{items("Dots", NOT_COVERED)}{p("To return an item:")}{items("Steps", STEPS)}
{heading(2, "3. Prices")}<table:table table:name="T"><table:table-column table:number-columns-repeated="4"/>
<table:table-header-rows>{row(HEAD, "CellHead")}</table:table-header-rows>{rows}</table:table>{p(END)}
</office:text></office:body></office:document>"""


def groff() -> str:
    text = "".join(f".PP\n{passage}\n" for passage in TEXT)
    items = "".join(f".IP \\(bu 2\n{item}\n" for item in NOT_COVERED)
    steps = "".join(f".IP {i}. 3\n{step}\n" for i, step in enumerate(STEPS, start=1))
    rows = "\n".join("\t".join(row) for row in ROWS)
    return (
        f".ds CH ACME Service Handbook\n.ds CF Page %\n.TL\nService Handbook\n.LP\n{INTRO}\n.NH 1\nReturns\n{text}.NH 1\nWarranty\n.LP\n"
        f"{COVER}\n{items}.LP\nTo return an item:\n{steps}.NH 1\nPrices\n.LP\n"
        f".TS H\nlb lb lb lb\nl l l l.\n" + "\t".join(HEAD) + f"\n.TH\n{rows}\n.TE\n.LP\n{END}\n"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "office.fodt").write_text(flat_odt(), "utf-8")
        (work / "page.html").write_text(html(), "utf-8")
        (work / "text.ms").write_text(groff(), "utf-8")
        profile = f"-env:UserInstallation=file://{work}/profile"
        run = subprocess.run
        run(["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", folder, work / "office.fodt"], check=True)
        run(
            [
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-pdf-tagging",
                f"--user-data-dir={work}/chromium",
                f"--print-to-pdf={work}/page.pdf",
                work / "page.html",
            ],
            check=True,
        )
        (work / "text.pdf").write_bytes(
            run(["groff", "-t", "-ms", "-Tpdf", work / "text.ms"], check=True, capture_output=True).stdout
        )
        for source, target in (("office", "libreoffice"), ("page", "chromium"), ("text", "groff")):
            options = ["--object-streams=generate", "--recompress-flate", "--compression-level=9"]
            run(["qpdf", *options, work / f"{source}.pdf", HERE / f"handbook_{target}.pdf"], check=True)


if __name__ == "__main__":
    main()
