"""Outlook messages, on files that two other programs wrote, and on broken ones."""

from __future__ import annotations

import random
from datetime import date
from pathlib import Path

import pytest
from members_helpers import documents, outcomes, skipped, texts

from auditor.load.mail_body import from_filetime
from auditor.load.msg_rtf import decompressed, html_of, text_of_rtf
from auditor.model import BlockKind
from auditor.ports import LoadError

FILES = Path(__file__).with_name("files")
OUTLOOK = (FILES / "outlook.msg").read_bytes()


def test_message_attachments_and_attached_messages() -> None:
    found = documents(OUTLOOK, "a.msg")
    assert list(found) == [
        "a.msg",
        "a.msg!/Fées (1).md",
        "a.msg!/Retention of logs.msg",
        "a.msg!/Retention of logs.msg!/inner.txt",
        "a.msg!/Fees.msg",
    ]
    first = found["a.msg"]
    assert (first.title, first.format, first.owner) == ("Retention of logs", "msg", "Ann Lee <ann@example.org>")
    assert first.published is not None
    assert first.published.value == date(2024, 3, 5)
    assert texts(first) == ["Logs – kept:", "audit | 90"]
    row = first.blocks[1]
    assert (row.header, first.place_at(row.start)) == (("Log", "Days"), "paragraph=2")
    assert texts(found["a.msg!/Retention of logs.msg"]) == ["Logs are kept for 30 days."]
    assert texts(found["a.msg!/Retention of logs.msg!/inner.txt"]) == ["The inner fee is 3 EUR."]


def test_html_that_is_only_there_as_rtf() -> None:
    packed = documents(OUTLOOK, "a.msg")["a.msg!/Fees.msg"]
    assert [(block.kind, block.text) for block in packed.blocks] == [
        (BlockKind.PARAGRAPH, "The fee is 20 €"),
        (BlockKind.ITEM, "Да, „free“"),
    ]
    assert packed.owner == "Bo Berg"  # the address is one of the organisation's directory


def test_another_program() -> None:
    found = documents((FILES / "outlook-2.msg").read_bytes(), "b.msg")
    assert texts(found["b.msg"]) == ["Hello all,", "the retention period is 90 days."]
    assert (found["b.msg"].title, found["b.msg"].owner) == ("Retention", "Ann Lee <ann@example.org>")
    assert texts(found["b.msg!/fees.md"]) == ["Fees", "The fee is 20 EUR."]


def test_limits() -> None:
    with pytest.raises(LoadError, match="larger than the limit"):
        outcomes(OUTLOOK, "a.msg", max_bytes=1000)
    assert "a.msg!/Fées (1).md" in skipped(OUTLOOK.replace(b"The fee is 20 EUR.", b"\0" * 18), "a.msg")


def test_broken_files_end_in_reasons() -> None:
    rng = random.Random(5)
    for cut in (600, 5_000, 20_000):
        _read(OUTLOOK[:cut])
    for _ in range(150):
        damaged = bytearray(OUTLOOK)
        for _ in range(rng.randrange(1, 60)):
            damaged[rng.randrange(512 if rng.random() < 0.3 else len(damaged))] = rng.randrange(256)
        _read(bytes(damaged))


def _read(data: bytes) -> None:
    try:
        found = outcomes(data, "a.msg")
    except LoadError:
        return
    assert all("the loader failed" not in getattr(entry, "reason", "") for entry in found)


def test_packed_rtf() -> None:
    """The examples of the specification (MS-OXRTFCP 3.1)."""
    simple = "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    crossing = "1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0"
    assert decompressed(bytes.fromhex(simple), 1000) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    assert decompressed(bytes.fromhex(crossing), 1000) == b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"
    assert decompressed(bytes.fromhex(simple), 10) == b"{\\rtf1\\ans"
    assert decompressed(b"\0" * 40, 1000) == b""
    assert len(decompressed(b"\xff" * 8 + b"LZFu" + b"\0" * 4 + b"\xff" * 50, 1000)) <= 1000


def test_rtf_bodies() -> None:
    assert text_of_rtf(rb"{\rtf1\ansi The fee is \b 20\b0  EUR.\par}").strip() == "The fee is 20 EUR."
    assert html_of(rb"{\rtf1\ansi no html}") == ""
    assert (
        html_of(rb"{\rtf1\fromhtml1{\*\htmltag <b>}a\htmlrtf \b0\htmlrtf0 {\*\mhtmltag <i>}\u-3 ?{\*\htmltag </b>}" + b"{" * 2000)
        == "<b>a\ufffd</b>"
    )


@pytest.mark.parametrize(("ticks", "expected"), [(133541001000000000, "2024-03-05T08:15:00+00:00"), (0, ""), (1 << 63, "")])
def test_points_in_time(ticks: int, expected: str) -> None:
    assert from_filetime(ticks) == expected
