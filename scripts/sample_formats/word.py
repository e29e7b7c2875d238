"""Two DOCX files with tracked changes, of which only the accepted text is true, and what all DOCX files here are written with."""

from __future__ import annotations

import io
from dataclasses import dataclass
from datetime import datetime

from docx import Document
from docx.document import Document as Docx
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.text.paragraph import Paragraph

from sample_formats.packing import repacked


@dataclass(frozen=True)
class Old:
    """Text that a tracked change took out."""

    text: str


@dataclass(frozen=True)
class New:
    """Text that a tracked change put in."""

    text: str


@dataclass
class Draft:
    """A DOCX file being written, with the hand and the day of its tracked changes."""

    title: str
    author: str
    when: datetime
    editor: str = ""

    def __post_init__(self) -> None:
        self.docx: Docx = Document()
        properties = self.docx.core_properties
        properties.title, properties.author, properties.last_modified_by = self.title, self.author, self.editor or self.author
        properties.comments, properties.created, properties.modified = "", self.when, self.when
        self.docx.add_heading(self.title, 0)
        self.changes = 0

    def heading(self, text: str, level: int = 1) -> None:
        self.docx.add_heading(text, level)

    def paragraph(self, *parts: str | Old | New, style: str | None = None) -> Paragraph:
        paragraph = self.docx.add_paragraph(style=style)
        for part in parts:
            if isinstance(part, str):
                paragraph.add_run(part)
            else:
                self._change(paragraph, part)
        return paragraph

    def steps(self, *items: str) -> None:
        for item in items:
            self.paragraph(item, style="List Number")

    def bullets(self, *items: str) -> None:
        for item in items:
            self.paragraph(item, style="List Bullet")

    def table(self, rows: list[list[str]], *merges: tuple[int, int, int, int]) -> None:
        """A grid; each of `merges` is the first row and column of a merged cell and the last ones. Only its first cell has text."""
        grid = self.docx.add_table(len(rows), len(rows[0]), style="Table Grid")
        for cells, row in zip(grid.rows, rows, strict=True):
            for cell, text in zip(cells.cells, row, strict=True):
                cell.text = text
        for top, left, bottom, right in merges:
            text = rows[top][left]
            grid.cell(top, left).merge(grid.cell(bottom, right)).text = text
        self.docx.add_paragraph()

    def comment(self, paragraph: Paragraph, text: str, author: str, initials: str) -> None:
        made = self.docx.add_comment(paragraph.runs, text, author, initials)
        made._comment_elm.set(qn("w:date"), self._stamp)

    def bytes(self) -> bytes:
        out = io.BytesIO()
        self.docx.save(out)
        return repacked(out.getvalue(), self.when)

    @property
    def _stamp(self) -> str:
        return self.when.strftime("%Y-%m-%dT%H:%M:%SZ")

    def _change(self, paragraph: Paragraph, part: Old | New) -> None:
        self.changes += 1
        taken_out = isinstance(part, Old)
        mark = OxmlElement("w:del" if taken_out else "w:ins")
        mark.set(qn("w:id"), str(900 + self.changes))
        mark.set(qn("w:author"), self.editor)
        mark.set(qn("w:date"), self._stamp)
        run, text = OxmlElement("w:r"), OxmlElement("w:delText" if taken_out else "w:t")
        text.set(qn("xml:space"), "preserve")
        text.text = part.text
        run.append(text)
        mark.append(run)
        paragraph._p.append(mark)


def working_time() -> bytes:
    draft = Draft("Working time and remote work", "Jo Marchetti", datetime(2024, 5, 13, 10, 20), "Luis Ferreira")
    draft.paragraph("People team, version 3 of 13 May 2024. Questions go to people@orrinvale.example.")
    draft.heading("Working time")
    draft.paragraph(
        "A full-time position has 40 hours a week. The table shows the models that we offer. Whoever wants to change the model tells "
        "the manager three months ahead."
    )
    draft.table(
        [
            ["Group", "Model", "Hours a week", "Days of leave"],
            ["Office", "Full time", "40", "25"],
            ["", "Four days", "32", "20"],
            ["", "Half time", "20", "12.5"],
            ["Warehouse", "Full time", "40", "25"],
            ["", "Weekend crew", "16", "10"],
            ["Hours are averages over a quarter. Leave follows the hours.", "", "", ""],
        ],
        (1, 0, 3, 0),
        (4, 0, 5, 0),
        (6, 0, 6, 3),
    )
    draft.paragraph("Core hours are 10 am to 3 pm Eastern Time. Meetings outside of them need a good reason.")
    draft.heading("Overtime")
    draft.paragraph("Overtime is ", Old("paid out with the next salary"), New("made up for with time off"), ". It works like this:")
    draft.steps(
        "Agree on it beforehand with your manager, in writing.",
        "Enter the hours in the HR portal by the end of the week.",
        "Take the time off within six months. After that, the hours lapse.",
    )
    draft.paragraph("A week on the pager is not overtime. It is paid for separately.")
    draft.heading("Rest")
    draft.paragraph(
        "Between two working days there are at least eleven hours of rest. After six hours of work you take a break of half an hour."
    )
    draft.heading("Remote work")
    draft.paragraph("Where you work within the country is described on the pages about flexibility.")
    abroad = draft.paragraph(
        "You can do your job from another country for up to ",
        Old("20"),
        New("30"),
        " working days a year. The People team has to agree, because of taxes and insurance.",
    )
    draft.comment(
        abroad, "Agreed with the tax adviser on 6 May; 30 is fine in all countries we asked about.", "Luis Ferreira", "LF"
    )
    draft.paragraph(
        "The application is sent in ",
        Old("two"),
        New("four"),
        " weeks ahead and names the country, the dates and a telephone number.",
    )
    draft.heading("Travel")
    draft.paragraph(
        "Travelling time on a business trip is working time, ", New("but not overtime, "), "except on the way to the office."
    )
    draft.paragraph("Claims for a trip must be in no later than ", Old("30"), New("60"), " days after the trip has ended.")
    draft.heading("Who decides")
    draft.bullets("Model and overtime: your manager.", "Work from abroad: the People team.", "Everything else: ask Jo or Amara.")
    return draft.bytes()


def lab_rules() -> bytes:
    draft = Draft("Safety rules for the device lab", "Ferdi Hallström", datetime(2024, 4, 15, 16, 0), "Pia Sorensen")
    draft.paragraph("Owner: devices team. Last updated: 15 April 2024. Applies to the lab on the third floor in Portland.")
    draft.heading("Access")
    draft.paragraph(
        "Only people who have had the lab briefing work here without company. The briefing takes 20 minutes and is repeated once a year. "
        "Visitors stay behind the yellow line."
    )
    draft.heading("Cells and batteries")
    cells = draft.paragraph(
        "Loose lithium cells are stored at a charge of ",
        Old("50"),
        New("30"),
        " percent, in the steel cabinet and never in a drawer.",
    )
    draft.comment(
        cells,
        "The maker of the cells lowered this in its new sheet. Please tell everybody who has cells on the desk.",
        "Pia Sorensen",
        "PS",
    )
    draft.paragraph(
        "Cells are charged under supervision", New(" and never overnight"), ". No more than ten cells are on a bench at a time."
    )
    draft.paragraph("When a cell swells or becomes hot:")
    draft.steps(
        "Switch off the charger and step back.",
        "Use the tongs to put the cell into the bucket with sand.",
        "Carry the bucket to the balcony and call Ferdi.",
        "Write down the batch number. Do not throw the cell away.",
    )
    draft.heading("Soldering")
    draft.paragraph("The extraction is on whenever an iron is hot. Lead-free solder is used for everything that leaves the lab.")
    draft.heading("Chemicals")
    draft.table(
        [
            ["Substance", "Kept in", "At most", "Remark"],
            ["Isopropanol", "Fume cupboard", "2 litres", "closed when not in use"],
            ["Flux remover", "", "1 litre", "gloves"],
            ["Epoxy resin", "Fridge", "500 g", "write the date on it"],
            ["Anything else is agreed with Ferdi before it is ordered.", "", "", ""],
        ],
        (1, 1, 2, 1),
        (4, 0, 4, 3),
    )
    draft.heading("Climate chamber")
    draft.paragraph(
        "Devices with cells are not tested above ",
        Old("70"),
        New("60"),
        " °C. The door stays closed until the chamber is below 40 °C.",
    )
    draft.heading("When the alarm sounds")
    draft.paragraph(
        "Put down what you have in your hands, switch off the main switch by the door and leave. Lifts must not be used."
    )
    return draft.bytes()


DOCUMENTS = {
    "hr/working-time-and-remote-work.docx": working_time,
    "engineering/lab-safety-rules.docx": lab_rules,
}
