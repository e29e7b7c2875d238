"""Presentations as python-pptx and LibreOffice write them."""

from __future__ import annotations

import sys
import zipfile
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pytest
from pptx import Presentation
from pptx.util import Inches

from auditor.load import load_bytes
from auditor.model import Block, BlockKind, Document
from auditor.ports import LoadError

FILES = Path(__file__).parent / "files"
sys.path.insert(0, str(FILES))

from make_sheets import handbook  # noqa: E402


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("deck") / "handbook.pptx"
    handbook(path)
    return path.read_bytes()


def readings(doc: Document) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for block in doc.blocks]


def find(doc: Document, text: str) -> Block:
    return next(block for block in doc.blocks if text in block.text)


SHARED = [
    ("heading", "Support handbook"),
    ("paragraph", "Version 2, March 2024"),
    ("heading", "Response times"),
    ("item", "Critical incidents:"),
    ("item", "answered within 4 hours"),
    ("item", "solved within 2 days"),
    ("item", "Support is open on weekdays"),
    ("paragraph", "The hotline closes at 18:00."),
    ("heading", "Plans"),
    ("row", "Starter | $5 | 3"),
    ("row", "Pro | $10 | 20"),
    ("paragraph", "Left box in a group"),
    ("paragraph", "Right box in a group"),
    ("paragraph", "This stands at the bottom."),
    ("heading", "Uptime by quarter"),
]


@pytest.mark.parametrize("name", ["handbook.pptx", "handbook.odp"])
def test_a_deck(name: str, deck: bytes) -> None:
    doc = load_bytes(deck if name.endswith("pptx") else (FILES / name).read_bytes(), name)
    assert readings(doc)[: len(SHARED)] == SHARED
    assert doc.title == "Support handbook"
    assert doc.fields["author"] == "Ann Lee"
    assert doc.notices == ("hidden slides were left out: 4",)
    assert [block.level for block in doc.blocks if block.kind is BlockKind.HEADING] == [1, 2, 2, 2]
    answered = find(doc, "answered")
    assert (answered.level, answered.lead_in) == (1, "Critical incidents:")
    assert find(doc, "hotline").container == "Notes"
    pro = find(doc, "Pro |")
    assert pro.header == ("Plan", "Price", "Seats")
    for text, place in (("Version 2", "slide=1"), ("18:00", "slide=2"), ("$10", "slide=3"), ("Uptime by", "slide=5")):
        assert doc.place_at(doc.text.index(text)) == place
    assert doc.line_map == ()


def test_charts_are_tables(deck: bytes) -> None:
    doc = load_bytes(deck, "handbook.pptx")
    rows = [block for block in doc.blocks if block.caption == "Uptime"]
    assert [row.text for row in rows] == ["Q1 | 99.9% | 99.0%", "Q2 | 99.5% | 98.0%"]
    assert rows[0].header == ("", "EU", "US")


def made(*texts: tuple[str, float, float]) -> bytes:
    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    for text, left, top in texts:
        slide.shapes.add_textbox(Inches(left), Inches(top), Inches(2), Inches(1)).text_frame.text = text
    out = BytesIO()
    show.save(out)
    return out.getvalue()


def test_text_is_read_from_top_to_bottom_and_left_to_right() -> None:
    doc = load_bytes(made(("Right one.", 5, 2.05), ("Bottom one.", 0, 5), ("Left one.", 1, 2), ("Top line", 1, 0.2)), "a.pptx")
    assert readings(doc) == [
        ("heading", "Top line"),
        ("paragraph", "Left one."),
        ("paragraph", "Right one."),
        ("paragraph", "Bottom one."),
    ]


def test_pictures_only() -> None:
    with pytest.raises(LoadError, match="pictures only"):
        load_bytes(made(), "a.pptx")


def test_damaged_decks(deck: bytes) -> None:
    for data, name in ((deck, "a.pptx"), ((FILES / "handbook.odp").read_bytes(), "a.odp")):
        with pytest.raises(LoadError):
            load_bytes(data[: len(data) // 2], name)
        for at in range(0, len(data), 2999):
            with suppress(LoadError):
                load_bytes(data[:at] + b"\xff\x00\xff" + data[at + 3 :], name)


def test_a_slide_with_entities_is_left_out(deck: bytes) -> None:
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(deck)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "ppt/slides/slide2.xml":
                start = data.index(b"?>") + 2
                data = data[:start] + b'<!DOCTYPE p [<!ENTITY a "aaa">]>' + data[start:]
            new.writestr(name, data)
    doc = load_bytes(out.getvalue(), "a.pptx")
    assert any("slide 2 could not be read" in notice for notice in doc.notices)
    assert "Response times" not in doc.text
    assert "Plans" in doc.text
