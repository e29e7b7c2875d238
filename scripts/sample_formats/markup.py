"""Text formats of engineers: a runbook in AsciiDoc, a page of the engineering wiki, a notebook."""

from __future__ import annotations

import json

STATUS_PAGE = """\
= Status page
Operations <support@orrinvale.example>
v1.3, 2023-06-12
:toc:

What is written on the status page, by whom, and how often.

== Who writes

The support desk writes, and the scribe of the incident reads it before it goes out.
Nobody writes there on their own account.

== During an incident

.How often
[cols="1,3"]
|===
|Severity |New entry

|S1
|An S1 gets a fresh entry every full hour until it is over.

|S2
|An S2 gets a fresh entry every two hours during the day.

|S3
|No entry, unless customers ask.
|===

An entry has three sentences:

. What does not work.
. Who is affected.
. When the next entry comes.

NOTE: Do not guess at causes. "We are looking into it" is good enough for the first entry.

== Planned work

Work that customers will notice is announced on the page five days ahead.
Work that they will not notice is not announced there at all.

== Every month

The availability of the past month is put on the page by the fifth.
Months are counted in UTC.

== An example

----
14:20  Readings from some devices arrive late. Members in the United States
       are affected. Next entry at 15:20.
----
"""

DEVICE_LAB = """\
{{Infobox page|owner=devices team|edited=9 November 2023|editor=Pia}}
'''The device lab''' is on the third floor, behind the printer. [[Ferdi]] has the key.

== Equipment ==
{| class="wikitable"
! Equipment !! What it does !! Booked for at most
|-
| Climate chamber || from -20 to 60 °C, 10 to 95 % humidity || two days
|-
| Drop tower || one metre, onto oak || half a day
|-
| Dust box || PM2.5 from 5 to 500 µg/m³ || two days
|}
Book it in the calendar of the lab, not in the one for rooms.

== Cells ==
* Spare lithium cells are kept half full.
* They go into the steel cabinet, sorted by batch.
* Old cells are collected on the first Friday of the month.

== Samples ==
Of each production run we keep twelve devices for two years. After that they are taken apart.

== Data ==
Readings from the lab go to a tenant of their own. It is emptied after each test, so copy what you need.

[[Category:Devices]]
"""

CELLS: list[tuple[str, str, str]] = [
    (
        "markdown",
        "# Load test of the ingest service\n\n*Tom Okello, 7 May 2024, platform team*\n\n"
        "How many readings can we take in before the queue begins to grow? Measured with made-up readings that arrive in the rhythm of a day in March.",
        "",
    ),
    (
        "code",
        "import tideload as tl\n\nrun = tl.send(rhythm='2024-03-12', target='rig', web=12, workers=8)\nrun.table()",
        "rate  queue  lag_s\n 310      0    0.2\n 600      0    0.3\n 900      0    0.4\n1000  18220   17.9\n",
    ),
    (
        "markdown",
        "## Result\n\nThe ingest service keeps up with 950 readings a second; beyond that the queue grows without end.\n\n"
        "In the week of the test the load at noon was 310 readings a second.",
        "",
    ),
    ("code", "small = tl.send(rhythm='2024-03-12', target='staging', web=2, workers=2)\nsmall.limit", "210"),
    (
        "markdown",
        "On staging, with two web instances, the queue began to grow at 210 readings a second.\n\n"
        "## Next steps\n\n- Look at the locks in the writer.\n- Repeat the test in September.\n\n"
        "Nothing was lost in any of the runs.",
        "",
    ),
]


def status_page() -> bytes:
    return STATUS_PAGE.encode("utf-8")


def device_lab() -> bytes:
    return DEVICE_LAB.encode("utf-8")


def load_test() -> bytes:
    cells: list[dict[str, object]] = []
    for number, (kind, source, output) in enumerate(CELLS, 1):
        cell: dict[str, object] = {
            "cell_type": kind,
            "id": f"cell-{number}",
            "metadata": {},
            "source": source.splitlines(keepends=True),
        }
        if kind == "code":
            stream = {"name": "stdout", "output_type": "stream", "text": output.splitlines(keepends=True)}
            cell |= {"execution_count": number, "outputs": [stream]}
        cells.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python", "version": "3.12.3"}}
    book = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(book, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


DOCUMENTS = {
    "runbooks/status-page.adoc": status_page,
    "engineering/device-lab.mediawiki": device_lab,
    "engineering/ingest-load-test.ipynb": load_test,
}
