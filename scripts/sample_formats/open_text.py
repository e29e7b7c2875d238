"""Instructions for the field team as an ODT file, written part by part."""

from __future__ import annotations

from datetime import datetime
from xml.sax.saxutils import escape

from sample_formats.packing import packed

WHEN = datetime(2024, 3, 18, 7, 45)
TYPE = "application/vnd.oasis.opendocument.text"
SPACES = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for short, name in (
        ("office", "office"),
        ("text", "text"),
        ("table", "table"),
        ("style", "style"),
        ("meta", "meta"),
        ("manifest", "manifest"),
    )
)
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'

VISIT = """
# Field service: device gateways in clinics
For technicians of the field team. Owner: field@orrinvale.example. Last updated: 18 March 2024
## Before the visit
- Announce yourself a week ahead, to the clinic and to its IT department.
- Take a spare box along. It has 4 cores and 8 GB, like all that we use.
- Ask how many devices the clinic has by now.
## How often
| Work | How often | Who
| Visit with a look at fan and cables | once a year | field team
| Change of the power supply | every four years | field team
| Software of the gateway | automatically, at night | platform team
A clinic that has outgrown its gateway gets a second one. That is the case as soon as it has more than 250 devices.
## On site
1. Tell the devices to pause.
2. Clean the fan and look at the cables. Replace what is brittle.
3. Copy the logs of the last seven days to your laptop. There are no older ones.
4. Restart the gateway and wait until it says that it is connected.
5. Let somebody in the clinic take a reading and look at it together.
## Certificate
The certificate of a gateway is valid for two years. When it is about to run out, start the renewal from your desk: it is fetched through the network while the box stays where it is.
Look at the date in the status first, and do not renew a certificate that is good for more than three months.
## After the visit
Write the report on the same day. It has four lines: what you saw, what you did, what you replaced, what worries you.
Parts that you took out come back to Westbrook. Nothing that has held readings is left in the clinic.
"""


def _content(text: str) -> str:
    out: list[str] = []
    listed = tabled = ""
    for line in [*text.strip().splitlines(), ""]:
        mark, _, rest = line.partition(" ")
        kind = "-" if mark == "-" else "1" if mark.rstrip(".").isdigit() and mark.endswith(".") else ""
        if listed and kind != listed:
            out.append("</text:list>")
            listed = ""
        if tabled and mark != "|":
            out.append("</table:table>")
            tabled = ""
        if mark in ("#", "##"):
            out.append(f'<text:h text:style-name="Heading_20_{len(mark)}" text:outline-level="{len(mark)}">{escape(rest)}</text:h>')
        elif kind:
            if not listed:
                out.append(f'<text:list text:style-name="{"Bullets" if kind == "-" else "Numbers"}">')
                listed = kind
            out.append(f"<text:list-item><text:p>{escape(rest)}</text:p></text:list-item>")
        elif mark == "|":
            cells = "".join(
                f'<table:table-cell office:value-type="string"><text:p>{escape(c.strip())}</text:p></table:table-cell>'
                for c in rest.split("|")
            )
            row = f"<table:table-row>{cells}</table:table-row>"
            if not tabled:
                tabled = "yes"
                columns = f'<table:table-column table:number-columns-repeated="{rest.count("|") + 1}"/>'
                row = f'<table:table table:name="Intervals">{columns}<table:table-header-rows>{row}</table:table-header-rows>'
            out.append(row)
        elif line:
            out.append(f"<text:p>{escape(line)}</text:p>")
    return "".join(out)


def field_service() -> bytes:
    bullets = '<text:list-style style:name="Bullets"><text:list-level-style-bullet text:level="1" text:bullet-char="•"/></text:list-style>'
    numbers = (
        '<text:list-style style:name="Numbers"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>'
        "</text:list-style>"
    )
    headings = "".join(
        f'<style:style style:name="Heading_20_{n}" style:display-name="Heading {n}" style:family="paragraph" style:default-outline-level="{n}"/>'
        for n in (1, 2)
    )
    stamp = WHEN.isoformat()
    files = "".join(
        f'<manifest:file-entry manifest:full-path="{n}" manifest:media-type="text/xml"/>'
        for n in ("content.xml", "styles.xml", "meta.xml")
    )
    root = f'{SPACES} office:version="1.3"'
    return packed(
        [
            ("mimetype", TYPE),
            (
                "META-INF/manifest.xml",
                f'{XML}<manifest:manifest {SPACES} manifest:version="1.3"><manifest:file-entry manifest:full-path="/" '
                f'manifest:media-type="{TYPE}"/>{files}</manifest:manifest>',
            ),
            (
                "meta.xml",
                f'{XML}<office:document-meta {root} xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta>'
                "<dc:title>Field service: device gateways in clinics</dc:title><meta:initial-creator>Cole Abernathy</meta:initial-creator>"
                f"<dc:creator>Cole Abernathy</dc:creator><meta:creation-date>{stamp}</meta:creation-date><dc:date>{stamp}</dc:date>"
                "</office:meta></office:document-meta>",
            ),
            (
                "styles.xml",
                f"{XML}<office:document-styles {root}><office:styles>{headings}</office:styles></office:document-styles>",
            ),
            (
                "content.xml",
                f"{XML}<office:document-content {root}><office:automatic-styles>{bullets}{numbers}</office:automatic-styles>"
                f"<office:body><office:text>{_content(VISIT)}</office:text></office:body></office:document-content>",
            ),
        ],
        WHEN,
        stored=frozenset({"mimetype"}),
    )


DOCUMENTS = {"runbooks/gateway-field-service.odt": field_service}
