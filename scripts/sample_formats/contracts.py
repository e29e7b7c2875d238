"""A supply agreement as DOCX, an addendum as RTF, and the small DOCX files that stand in a mail and in an archive."""

from __future__ import annotations

from datetime import datetime
from xml.sax.saxutils import escape

from docx.enum.text import WD_ALIGN_PARAGRAPH

from sample_formats.packing import packed
from sample_formats.word import Draft

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

ADDENDUM = """
# Data Processing Addendum
Standard form, version 5 of 12 February 2024. Owner: legal@orrinvale.example
This addendum is part of the main agreement between Orrinvale Inc. ("Orrinvale") and the customer that signs it ("Customer").
## 1. Subject
Orrinvale processes personal data of the Customer's members in order to provide Tideline. It does so only on documented instructions.
## 2. People
Everybody at Orrinvale who may see personal data has undertaken to keep it confidential. Access to production is granted for eight hours at a time, and each command is recorded.
## 3. Technical measures
Data is encrypted on the way (TLS 1.2 or later) and where it is stored (AES-256). The keys under which stored data is encrypted are replaced twice a year.
An external firm tests Tideline once a year. The Customer receives a summary of the report on request.
## 4. Sub-processors
| Sub-processor | Service | Since
| Quillmail | sending of e-mail | 2021
| Bracken Telecom | text messages to members | 2022
| Osprey Hosting | computing and storage | 2020
A new sub-processor is announced 30 days ahead. The Customer may object within this time.
## 5. Breaches
Orrinvale informs the Customer of a personal data breach not later than 72 hours after it has become aware of it, unless the main agreement names a shorter period.
## 6. Requests of members
If a member writes to Orrinvale, the letter is passed on to the Customer within three business days and is not answered by Orrinvale.
## 7. Audits
The Customer may audit Orrinvale once a year, with notice of four weeks. Further audits are possible after a breach.
## 8. End
Thirty days after the end of the main agreement the data of the Customer is erased, unless the law requires that it is kept.
## 9. Order of precedence
If this addendum and the main agreement say different things about personal data, this addendum prevails, except where it says otherwise.
"""


def assembly_agreement() -> bytes:
    draft = Draft("Assembly agreement", "Greta Holm", datetime(2023, 2, 14, 11, 0))
    draft.docx.sections[0].header.paragraphs[0].text = "Orrinvale / Fundy · Assembly agreement · confidential"
    parties = draft.paragraph('between Orrinvale Inc. ("Orrinvale") and Électronique Fundy inc., Sherbrooke, Quebec ("Fundy")')
    parties.alignment = WD_ALIGN_PARAGRAPH.CENTER
    draft.paragraph("Signed on 14 February 2023")
    draft.heading("1. Subject", 2)
    draft.paragraph(
        "Fundy assembles the Luma 3 from parts that Orrinvale provides. Other devices are assembled elsewhere and are not covered."
    )
    draft.heading("2. Orders", 2)
    draft.paragraph("Orrinvale places firm orders ten weeks before delivery. An order covers at least 2,000 devices.")
    draft.paragraph("An order goes through these steps:")
    draft.steps(
        "Orrinvale sends the order and the list of parts.",
        "Fundy confirms within five business days.",
        "Parts arrive in Sherbrooke four weeks before the first day of production.",
        "Fundy hands the devices to the carrier, packed on pallets of 480.",
    )
    draft.heading("3. Prices", 2)
    draft.table(
        [
            ["Prices for assembly in US dollars", "", ""],
            ["Devices per order", "Price per device", "Remark"],
            ["2,000 to 4,999", "$9.40", "packing included"],
            ["5,000 and more", "$8.75", ""],
        ],
        (0, 0, 0, 2),
        (2, 2, 3, 2),
    )
    draft.heading("4. Payment", 2)
    draft.paragraph(
        "In deviation from the terms that Orrinvale otherwise has for suppliers, Fundy is paid 45 days after receipt of the invoice."
    )
    draft.heading("5. Quality", 2)
    draft.paragraph(
        "Of the devices delivered in a quarter, no more than 0.8 percent may be faulty on arrival. Above that, Fundy pays for the "
        "replacement, and both sides look for the cause together."
    )
    draft.heading("6. Records", 2)
    draft.paragraph("Fundy keeps the production records of each device for ten years and gives Orrinvale access to them.")
    draft.heading("7. Term", 2)
    draft.paragraph(
        "The agreement begins on 1 March 2023 and runs for three years. Either side may end it with six months' notice. Parts that "
        "belong to Orrinvale are returned within a month of the end."
    )
    draft.heading("8. Confidentiality", 2)
    draft.paragraph("Drawings and firmware are not shown to anybody who does not need them for the work.")
    return draft.bytes()


def small_docx(title: str, author: str, when: datetime, paragraphs: list[tuple[str, str]]) -> bytes:
    """A DOCX file, not compressed, with nothing in it that is not needed; `paragraphs` are pairs of a style ("Heading1" or "") and a text."""
    stamp = when.strftime("%Y-%m-%dT%H:%M:%SZ")
    body = "".join(
        "<w:p>"
        + (f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else "")
        + f'<w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'
        for style, text in paragraphs
    )
    kinds = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    core = "application/vnd.openxmlformats-package.core-properties+xml"
    parts = [
        (
            "[Content_Types].xml",
            f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{kinds}.document.main+xml"/>'
            f'<Override PartName="/word/styles.xml" ContentType="{kinds}.styles+xml"/>'
            f'<Override PartName="/docProps/core.xml" ContentType="{core}"/></Types>',
        ),
        (
            "_rels/.rels",
            f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" Type="{OFFICE}/officeDocument" '
            f'Target="word/document.xml"/><Relationship Id="rId2" Type="{PACKAGE}/relationships/metadata/core-properties" '
            'Target="docProps/core.xml"/></Relationships>',
        ),
        (
            "docProps/core.xml",
            f'<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" '
            'xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
            f"<dc:title>{escape(title)}</dc:title><dc:creator>{escape(author)}</dc:creator>"
            f'<dcterms:created xsi:type="dcterms:W3CDTF">{stamp}</dcterms:created>'
            f'<dcterms:modified xsi:type="dcterms:W3CDTF">{stamp}</dcterms:modified></cp:coreProperties>',
        ),
        (
            "word/_rels/document.xml.rels",
            f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>',
        ),
        (
            "word/styles.xml",
            f'<w:styles xmlns:w="{WORD}"><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'
            '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/><w:pPr>'
            '<w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="32"/></w:rPr></w:style></w:styles>',
        ),
        ("word/document.xml", f'<w:document xmlns:w="{WORD}"><w:body>{body}<w:sectPr/></w:body></w:document>'),
    ]
    return packed(((name, XML + text) for name, text in parts), when, stored=frozenset(name for name, _ in parts))


def _rtf(text: str) -> str:
    return "".join(
        c if ord(c) < 128 else f"\\u{ord(c)}?" for c in text.replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}")
    )


def addendum() -> bytes:
    lines = [
        r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss Arial;}}",
        r"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0\b\fs32 heading 1;}{\s2\outlinelevel1\b\fs26 heading 2;}}",
        r"{\info{\title Data Processing Addendum}{\author Greta Holm}{\creatim\yr2024\mo2\dy12\hr9\min30}{\revtim\yr2024\mo2\dy12\hr9\min30}}",
        r"\paperw12240\paperh15840\margl1440\margr1440\f0\fs22",
    ]
    for line in ADDENDUM.strip().splitlines():
        mark, _, rest = line.partition(" ")
        if mark in ("#", "##"):
            level = len(mark)
            lines.append(rf"\pard\s{level}\outlinelevel{level - 1}\b\fs{38 - 6 * level} {_rtf(rest)}\b0\fs22\par")
        elif mark == "|":
            cells = [cell.strip() for cell in rest.split("|")]
            edges = "".join(rf"\cellx{3000 * (n + 1)}" for n in range(len(cells)))
            lines.append(rf"\trowd\trgaph108{edges}\pard\intbl " + "".join(rf"{_rtf(cell)}\cell " for cell in cells) + r"\row")
        else:
            lines.append(rf"\pard\sa120 {_rtf(line)}\par")
    return "\n".join([*lines, "}\n"]).encode("ascii")


DOCUMENTS = {
    "contracts/fundy-assembly-agreement.docx": assembly_agreement,
    "contracts/data-processing-addendum.rtf": addendum,
}
