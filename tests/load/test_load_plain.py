from __future__ import annotations

import pytest
from load_helpers import blocks, check_positions, document, readings

from auditor.load import loader_for
from auditor.model import BlockKind

POLICY = """RETURNS POLICY

Owner: Legal
Effective date: 1 June 2023

1. General

The following are not
allowed:

- smoking
  in rooms
- drinking
   * beer
   * wine

1.1 Scope
This section holds
for all.

Title Here
==========
   Body text (see
   below).
 1) one
 2) two

Plan      Price
Free      0
"""


def test_structure_and_positions() -> None:
    doc = document(POLICY, "policy.txt")
    assert [(b.kind.value, b.text, doc.line_at(b.start)) for b in doc.blocks] == [
        ("heading", "RETURNS POLICY", 1),
        ("field", "Owner: Legal", 3),
        ("field", "Effective date: 1 June 2023", 4),
        ("heading", "1. General", 6),
        ("paragraph", "The following are not allowed:", 8),
        ("item", "smoking in rooms", 11),
        ("item", "drinking", 13),
        ("item", "beer", 14),
        ("item", "wine", 15),
        ("heading", "1.1 Scope", 17),
        ("paragraph", "This section holds for all.", 18),
        ("heading", "Title Here", 21),
        ("paragraph", "Body text (see below).", 23),
        ("item", "one", 25),
        ("item", "two", 26),
        ("paragraph", "Plan Price Free 0", 28),
    ]
    assert doc.owner == "Legal"
    assert doc.effective is not None
    check_positions(doc)


def test_lead_ins() -> None:
    items = blocks(POLICY, "policy.txt", BlockKind.ITEM)
    assert [item.lead_in for item in items[:4]] == [
        "The following are not allowed:",
        "The following are not allowed:",
        "The following are not allowed: drinking",
        "The following are not allowed: drinking",
    ]
    assert [item.level for item in items[:4]] == [0, 0, 1, 1]
    assert len({item.group for item in items}) == 3


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("1. First point.\n\n2. Second point.\n", [("item", "First point."), ("item", "Second point.")]),
        ("NOTE: this is a sentence.\n", [("paragraph", "NOTE: this is a sentence.")]),
        ("=====\nTITLE\n=====\n\ntext\n", [("heading", "TITLE"), ("paragraph", "text")]),
        ("2.4 million users\n\ntext\n", [("paragraph", "2.4 million users"), ("paragraph", "text")]),
        ("From: a\nnot a field\n", [("paragraph", "From: a not a field")]),
        ("*not* `markup` [x](y) <b>\n", [("paragraph", "*not* `markup` [x](y) <b>")]),
    ],
)
def test_cases(source: str, expected: list[tuple[str, str]]) -> None:
    assert readings(source, "a.txt") == expected


@pytest.mark.parametrize(
    ("name", "head", "loader"),
    [
        ("README", b"text", "text"),
        ("LICENSE-MIT", b"text", "text"),
        ("docs/NOTICE", b"x", "text"),
        ("a.text", b"", "text"),
        ("README", b"\0\1", None),
        ("Makefile", b"all:", None),
        ("a.log", b"x", None),
        ("data.json", b"{}", None),
        ("page", b" <!DOCTYPE html>", "html"),
        ("a.MD", b"", "markdown"),
        ("a.mdx", b"", "markdown"),
        ("a.htm", b"", "html"),
        ("a.rst", b"", "rst"),
        ("README.rst", b"", "rst"),
    ],
)
def test_who_reads_what(name: str, head: bytes, loader: str | None) -> None:
    found = loader_for(name, head)
    assert (found.id if found else None) == loader
