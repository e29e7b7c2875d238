"""A handbook as EPUB, and a ZIP file with three small documents for new customers."""

from __future__ import annotations

from datetime import datetime
from html import escape

from sample_formats.contracts import small_docx
from sample_formats.packing import packed

WHEN = datetime(2024, 1, 22, 8, 0)
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'

CHAPTERS = {
    "welcome": """
# Welcome
This book is for everybody who works at one of our two sites. It was put together by Amara Diallo; edition of January 2024.
In Portland we develop, sell and help. In Westbrook we store, repair and send. Between the two runs a van, at nine and at three.
Rooms are booked in the calendar, for no more than two hours.
""",
    "fire": """
# Fire and first aid
## Portland
When the bell rings, leave at once by the stairs. Everybody gathers on the lawn behind the library. Stay there until a warden has counted you.
The alarm is rehearsed in spring and in autumn.
First-aid boxes hang beside the coffee machines. Whoever takes something out tells Amara.
## Westbrook
In Westbrook the meeting point is the car park of the bakery.
Forklifts are left where they are, with the key in.
""",
    "westbrook": """
# The warehouse in Westbrook
- The gate opens at 5:30 am and closes at 8 pm.
- There are 22 parking spaces, all on the street side.
- Shoes with steel caps are worn everywhere behind the yellow doors. Visitors borrow a pair.
- The microwave is for lunch only. Parts are not dried in it.
## Deliveries
Parcels are accepted until 4 pm. Pallets are announced the day before.
## Stock
Whoever takes a device for a demonstration signs for it in the book by the door, and brings it back within a week.
""",
    "visitors": """
# Visitors
Visitors ring at the side entrance and get a badge. They are never left alone with a screen that shows customers' data.
School classes are welcome on Wednesdays, up to 24 pupils at a time.
Journalists are looked after by the communications team.
""",
}

WELCOME = """\
# Welcome to Tideline Enterprise

_February 2024, from the customer success team_

This pack has three parts: this page, a plan for the first days, and a list of people.

## What others have done

For example, Harbourside Clinics began on Professional with 20 seats and moved to Enterprise after a year, with 64.

Start with one clinic. When everybody there is content, take the next.
"""

PLAN = [
    ("Heading1", "Plan for the first days"),
    ("", "Day 1. Your tenant is created and you name two administrators."),
    (
        "",
        "Day 2. We talk to your team. Tideline Enterprise comes with an onboarding call of 90 minutes; bring everybody who will invite members.",
    ),
    ("", "Day 4. You invite the first 20 members. Do not invite all of them on one day."),
    ("", "After a month we look at the alerts together and switch off what nobody reads."),
]

PEOPLE = """\
Role,Who,How
Success manager,named in the contract,by phone or e-mail
Questions about invoices,billing team,billing@orrinvale.example
Weakness found,security team,security@orrinvale.example
"""


def _xhtml(text: str) -> tuple[str, str]:
    title, body, listed = "", [], False
    for line in [*text.strip().splitlines(), ""]:
        mark, _, rest = line.partition(" ")
        if (mark == "-") != listed:
            listed = not listed
            body.append("<ul>" if listed else "</ul>")
        if mark in ("#", "##"):
            title = title or rest
            body.append(f"<h{len(mark)}>{escape(rest)}</h{len(mark)}>")
        elif line:
            body.append(f"<li>{escape(rest)}</li>" if listed else f"<p>{escape(line)}</p>")
    head = f"<head><title>{escape(title)}</title></head>"
    return title, f'{XML}<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en">{head}<body>\n' + "\n".join(
        body
    ) + "\n</body></html>\n"


def site_handbook() -> bytes:
    made = {name: _xhtml(text) for name, text in CHAPTERS.items()}
    items = "".join(f'<item id="{n}" href="{n}.xhtml" media-type="application/xhtml+xml"/>' for n in made)
    spine = "".join(f'<itemref idref="{n}"/>' for n in made)
    links = "".join(f'<li><a href="{n}.xhtml">{escape(title)}</a></li>' for n, (title, _) in made.items())
    package = (
        f'{XML}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:orrinvale:site-handbook</dc:identifier>'
        "<dc:title>Site handbook: Portland and Westbrook</dc:title><dc:creator>Amara Diallo</dc:creator><dc:language>en</dc:language>"
        f'<dc:date>{WHEN:%Y-%m-%d}</dc:date><meta property="dcterms:modified">{WHEN:%Y-%m-%dT%H:%M:%SZ}</meta></metadata>'
        f'<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>{items}</manifest>'
        f"<spine>{spine}</spine></package>\n"
    )
    container = (
        f'{XML}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="book/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>\n'
    )
    nav = (
        f'{XML}<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Contents</title></head>'
        f'<body><nav epub:type="toc"><h1>Contents</h1><ol>{links}</ol></nav></body></html>\n'
    )
    parts = [
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", container),
        ("book/package.opf", package),
        ("book/nav.xhtml", nav),
    ]
    chapters = [(f"book/{name}.xhtml", text) for name, (_, text) in made.items()]
    return packed([*parts, *chapters], WHEN, stored=frozenset({"mimetype"}))


def welcome_pack() -> bytes:
    when = datetime(2024, 2, 5, 12, 0)
    plan = small_docx("Plan for the first days", "Mina Oduya", when, PLAN)
    return packed([("welcome.md", WELCOME), ("onboarding-plan.docx", plan), ("people.csv", PEOPLE)], when)


DOCUMENTS = {"hr/site-handbook.epub": site_handbook, "partners/enterprise-welcome-pack.zip": welcome_pack}
