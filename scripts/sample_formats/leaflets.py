"""Two PDF files: a leaflet in two columns for customers, and a letter of the landlord."""

from __future__ import annotations

import io
from datetime import datetime

from reportlab import rl_config
from reportlab.lib import colors
from reportlab.lib.pagesizes import LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import inch
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Paragraph, Spacer, Table

rl_config.invariant = 1  # no clock and no random identifier
UNDATED = b"D:20000101000000+00'00'"  # what the library writes then

HALF_LETTER = (5.5 * inch, 8.5 * inch)
BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=9, leading=11.5, spaceAfter=5)
HEAD = ParagraphStyle("head", parent=BODY, fontName="Helvetica-Bold", fontSize=11, leading=13, spaceBefore=7, spaceAfter=3)
TITLE = ParagraphStyle("title", parent=HEAD, fontSize=15, leading=18, spaceAfter=6)
BULLET = ParagraphStyle("bullet", parent=BODY, leftIndent=10, bulletIndent=0, spaceAfter=2)
LETTER_BODY = ParagraphStyle("letter", parent=BODY, fontName="Times-Roman", fontSize=11, leading=14.5, spaceAfter=9)
LETTER_BOLD = ParagraphStyle("subject", parent=LETTER_BODY, fontName="Times-Bold")

LEAFLET = """
# Repair, take-back and recycling
Edition of 2 April 2024, in force since that day. Issued by Legal together with the repair team in Westbrook.
This leaflet is about devices whose warranty has ended or does not apply. For everything that is under warranty, the warranty terms hold.
## Before we repair
Describe the fault on the help page, pack the device and send it to us with the label that you receive. Please do not bring it in person; the warehouse has no counter.
We look at a device that came in for repair within five business days and tell you the price before we touch anything.
You pay nothing for our estimate, even if you decide against the repair.
While you make up your mind, the device stays on our shelf for up to eight weeks. After that it goes back to you as it came.
## What it costs
TABLE
The flat price covers labour, parts and the way back to you within the United States. Customers in other countries pay for the way back themselves.
If we find that a repair would cost more than the flat price, we tell you and do nothing until we have heard from you.
## After the repair
A repair that you have paid for is covered for six months. The cover is for the repaired part, not for the rest of the device.
Engraved devices are repaired like all others, and the engraving stays as it is.
Before a repair we copy nothing and read nothing. Your readings are in your account and not on our bench.
## What we leave alone
* We no longer repair the Luma 1. Send it to us for recycling.
* A Cuffline with a cracked housing is not repaired, because it would no longer measure reliably.
* Water in a device is not always the end. We open it, dry it and tell you what we think.
## Spare parts
Spare parts for a model can be had for seven years after the last device of that model was sold. Small parts such as wall brackets are sent without a charge for postage when they are ordered together with a repair.
## Taking back old devices
We take back any device that carries our name, however old it is and wherever it was bought. You pay nothing for this, and you need not buy a new one.
Devices are electronic waste and do not belong in the household bin. Take the cells out of a Poise before you send it, and put tape over their ends.
In 2023 we took back 3,140 devices. Of these, 1,260 were air monitors of the Luma family, most of them from offices.
Nine tenths of the weight of a device can be used again. What remains is mostly the coating of the glass and the glue.
## Your data
Readings that are still stored in a device are erased before it is taken apart. A device that we repair keeps its readings.
## Sending a device in
* Save your readings first, if the device still starts.
* Use a carton with five centimetres of padding on all sides.
* Leave cables, cuffs and cells at home. We cannot tell whose they are and do not send them back.
* Put a note into the parcel that says what happened and when. Two lines are enough.
## Customers in Europe
Devices from the European Union go to our partner in Venlo, who works by the same rules. The flat prices are charged in euros at the rate of the day.
Questions? Write to support@orrinvale.example and add the serial number of the device.
"""

FLAT_PRICES = [
    ["Device", "Flat price", "Battery only"],
    ["Luma 3", "$45", "$18"],
    ["Poise", "$30", "none"],
    ["Cuffline", "$38", "$22"],
]

LEASE = """
Stroudwater Property LLC
1180 Saccarappa Street, Westbrook, ME 04092

6 May 2024

Orrinvale Inc.
Attn. Dana Okafor, CFO
P.O. Box 418, Portland, ME 04104

**Additional space at Mill Creek Drive, Westbrook (Unit B)**

Dear Ms. Okafor,

thank you for the visit on 2 May. We confirm what we agreed.

1. We let Unit B to you, which has 1,800 square feet and adjoins your warehouse (Unit A, 5,400 square feet). Together with Unit A you will then occupy 7,200 square feet.

2. The lease of Unit B commences on 1 July 2024 and runs for five years, that is until 30 June 2029.

3. The rent for Unit B is $1,950 per month, due on the third business day. The rent for Unit A remains at $5,850 per month until the end of 2026.

4. A deposit of two months' rent is payable by 14 June 2024.

5. You will receive the keys on 24 June, so that you can put up your racks before the lease begins. No rent is charged for that week.

6. The loading dock is shared with the bakery. Deliveries are possible from 5:30 am; between 11 am and noon the dock belongs to the bakery.

7. After the first three years, either party may end the lease of Unit B with six months' notice.

Please sign the enclosed copy and return it by 20 May. If we do not hear from you, we will offer the space to others.

Yours sincerely,

Walter Pruett
Stroudwater Property LLC
"""


def dated(data: bytes, when: datetime) -> bytes:
    """The file with its own date instead of the one the library puts in when it is told to have no clock."""
    return data.replace(UNDATED, when.strftime("D:%Y%m%d%H%M%S+00'00'").encode())


def _flowables(text: str) -> list[Flowable]:
    flow: list[Flowable] = []
    for line in filter(None, text.splitlines()):
        mark, _, rest = line.partition(" ")
        if line == "TABLE":
            grid = Table(FLAT_PRICES, colWidths=[0.72 * inch, 0.66 * inch, 0.78 * inch])
            grid.setStyle(
                [
                    ("FONT", (0, 0), (-1, 0), "Helvetica-Bold", 8.5),
                    ("FONT", (0, 1), (-1, -1), "Helvetica", 8.5),
                    ("GRID", (0, 0), (-1, -1), 0.5, colors.grey),
                    ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
                ]
            )
            flow += [grid, Spacer(1, 6)]
        elif mark == "*":
            flow.append(Paragraph(rest, BULLET, bulletText="•"))
        else:
            flow.append(Paragraph(rest if mark in ("#", "##") else line, {"#": TITLE, "##": HEAD}.get(mark, BODY)))
    return flow


def _margins(canvas: Canvas, document: BaseDocTemplate) -> None:
    width, height = HALF_LETTER
    canvas.saveState()
    canvas.setFont("Helvetica", 7.5)
    canvas.drawString(0.45 * inch, height - 0.38 * inch, "Orrinvale · Repair and take-back")
    canvas.drawRightString(width - 0.45 * inch, height - 0.38 * inch, "LG-44")
    canvas.line(0.45 * inch, height - 0.43 * inch, width - 0.45 * inch, height - 0.43 * inch)
    canvas.drawString(0.45 * inch, 0.35 * inch, "Edition of 2 April 2024")
    canvas.drawRightString(width - 0.45 * inch, 0.35 * inch, f"Page {document.page} of 2")
    canvas.restoreState()


def leaflet() -> bytes:
    out = io.BytesIO()
    width, height = HALF_LETTER
    gap, side, top = 0.22 * inch, 0.45 * inch, 0.55 * inch
    column = (width - 2 * side - gap) / 2
    frames = [Frame(x, top, column, height - 2 * top, 0, 0, 0, 0) for x in (side, side + column + gap)]
    document = BaseDocTemplate(
        out,
        pagesize=HALF_LETTER,
        title="Repair, take-back and recycling",
        author="Greta Holm",
        subject="Leaflet LG-44",
        pageCompression=0,
    )
    document.addPageTemplates(PageTemplate("two columns", frames, onPage=_margins))
    document.build(_flowables(LEAFLET))
    return dated(out.getvalue(), datetime(2024, 4, 2, 8, 30))


def lease_letter() -> bytes:
    out = io.BytesIO()
    document = BaseDocTemplate(out, pagesize=LETTER, title="Unit B, Mill Creek Drive", author="Walter Pruett", pageCompression=0)
    frame = Frame(1.1 * inch, 0.9 * inch, LETTER[0] - 2.2 * inch, LETTER[1] - 1.8 * inch)
    document.addPageTemplates(PageTemplate("letter", [frame]))
    flow: list[Flowable] = []
    for block in LEASE.strip().split("\n\n"):
        bold = block.startswith("**")
        flow.append(Paragraph(block.strip("*").replace("\n", "<br/>"), LETTER_BOLD if bold else LETTER_BODY))
    document.build(flow)
    return dated(out.getvalue(), datetime(2024, 5, 6, 14, 5))


DOCUMENTS = {
    "policies/repair-and-take-back-leaflet.pdf": leaflet,
    "contracts/westbrook-lease-letter.pdf": lease_letter,
}
