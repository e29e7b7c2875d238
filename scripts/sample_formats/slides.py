"""Two PPTX files: the deck of a board meeting, and training slides whose notes say more than the slides."""

from __future__ import annotations

import io
from datetime import datetime

from pptx import Presentation
from pptx.presentation import Presentation as Deck
from pptx.util import Inches

from sample_formats.packing import repacked

TITLE, BULLETS, TITLE_ONLY = 0, 1, 5  # layouts of the standard template


def _deck(title: str, author: str, when: datetime, subtitle: str) -> Deck:
    deck: Deck = Presentation()
    properties = deck.core_properties
    properties.title, properties.author, properties.last_modified_by = title, author, author
    properties.created = properties.modified = when
    slide = deck.slides.add_slide(deck.slide_layouts[TITLE])
    slide.shapes.title.text, slide.placeholders[1].text = title, subtitle
    return deck


def _slide(deck: Deck, title: str, bullets: list[str], notes: str = "") -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[BULLETS])
    slide.shapes.title.text = title
    frame = slide.placeholders[1].text_frame
    for number, text in enumerate(bullets):
        paragraph = frame.paragraphs[0] if number == 0 else frame.add_paragraph()
        paragraph.text, paragraph.level = text.lstrip(">"), int(text.startswith(">"))
    if notes:
        slide.notes_slide.notes_text_frame.text = notes


def _table(deck: Deck, title: str, rows: list[list[str]], notes: str = "") -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY])
    slide.shapes.title.text = title
    grid = slide.shapes.add_table(len(rows), len(rows[0]), Inches(0.7), Inches(1.8), Inches(8.6), Inches(2.6)).table
    for line, row in enumerate(rows):
        for column, text in enumerate(row):
            grid.cell(line, column).text = text
    if notes:
        slide.notes_slide.notes_text_frame.text = notes


def _bytes(deck: Deck, when: datetime) -> bytes:
    out = io.BytesIO()
    deck.save(out)
    return repacked(out.getvalue(), when)


def board_deck() -> bytes:
    when = datetime(2024, 4, 22, 17, 30)
    deck = _deck("Board meeting, 24 April 2024", "Marit Solheim", when, "Orrinvale Inc. · confidential")
    _slide(
        deck, "Agenda", ["First quarter", "Space in Westbrook", "Risks", "Decisions"], "Start on time. Ruth has to leave at four."
    )
    _table(
        deck,
        "First quarter: plan and actual",
        [
            ["Figure", "Plan", "Actual"],
            ["Revenue", "$1.8M", "$1.9M"],
            ["Cash at the end of March", "$1.5M", "$1.6M"],
            ["New Tideline customers", "9", "11"],
        ],
        "Churn stayed where it was. If asked about the year: the forecast comes in May.",
    )
    _slide(
        deck,
        "More space in Westbrook",
        [
            "1,800 square feet next to the warehouse",
            "We can move in on 1 September 2024",
            "Rent: $23,400 a year",
            ">Racks and lighting: about $31,000, once",
        ],
        "The landlord has been patient. Without the space we rent pallets elsewhere before Christmas, as last year.",
    )
    _slide(
        deck,
        "Risks",
        [
            "Cloud costs: plus 7 % from July",
            "Approval of the Cuffline in Canada may slip into the fourth quarter",
            "One supplier for the laser of the Luma 3",
        ],
        "A second supplier for the laser is being looked for. First samples in June.",
    )
    _slide(
        deck,
        "Decisions",
        [
            "Pay of the chair: $2,000 a month, unchanged",
            "Lease in Westbrook",
            "Autumn strategy day: 17 or 24 September",
        ],
    )
    return _bytes(deck, when)


def security_training() -> bytes:
    when = datetime(2024, 2, 20, 11, 15)
    deck = _deck("Security awareness", "Ikram Bensaid", when, "45 minutes that pay off · for everybody who joins")
    _slide(
        deck,
        "Your screen",
        [
            "A laptop that nobody touches locks itself after a quarter of an hour",
            "Do not wait for it: lock the screen whenever you get up",
            "Never leave a laptop in a parked car",
        ],
        "Show the key combination. Ask who has found an unlocked laptop this week.",
    )
    _slide(
        deck,
        "Lost or stolen",
        ["Tell the service desk right away, at the latest within a day", "It is not your money, so do not be ashamed"],
        "Example: Nora left her phone on a train. She called forty minutes later, and it could still be wiped. She got a cake for that.",
    )
    _slide(
        deck,
        "Mails that want something",
        [
            "Look at the address, not at the name",
            "Money, hurry, secrecy: two of the three mean stop",
            "Report it with the button; do not forward it",
        ],
        "In 2023 we sent seven test mails. Of the people who got them, 12 % clicked on the first and 3 % on the last.",
    )
    _slide(
        deck,
        "Second factor",
        [
            "Use the authenticator app or a key",
            "No codes by text message",
            "A request that you did not start: refuse it and tell us",
        ],
        "Keys are handed out after the talk.",
    )
    _slide(
        deck,
        "Exceptions",
        ["They are written down, with a date on which they end", "The CTO signs them, for a year at most"],
        "People ask for exceptions for laptops. There are none.",
    )
    _slide(deck, "Questions", ["security@orrinvale.example", "The desk by the window on the third floor"])
    return _bytes(deck, when)


DOCUMENTS = {"finance/board-deck-2024-04.pptx": board_deck, "hr/security-awareness.pptx": security_training}
