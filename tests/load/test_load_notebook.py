from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from load_helpers import check_positions

from auditor.load import load_bytes
from auditor.model import BlockKind, Document
from auditor.ports import LoadError

FILES = Path(__file__).parent / "files"


def notebook(*cells: dict[str, Any], **more: Any) -> Document:
    return load_bytes(json.dumps({"nbformat": 4, "metadata": {}, "cells": list(cells), **more}).encode(), "a.ipynb")


def cell(source: str | list[str], kind: str = "markdown", **more: Any) -> dict[str, Any]:
    return {"cell_type": kind, "source": source, "metadata": {}, **more}


@pytest.mark.parametrize("version", [3, 4])
def test_notebooks_of_another_program(version: int) -> None:
    doc = load_bytes((FILES / f"notebook-{version}.ipynb").read_bytes(), "a.ipynb")  # written by nbformat
    assert (doc.title, doc.format, doc.owner) == ("Retention of logs", "notebook", "Ann Lee")
    assert [(block.kind.value, block.text) for block in doc.blocks] == [
        ("heading", "Retention of logs"),
        ("paragraph", "The following hold:"),
        ("item", "Logs are kept for 30 days."),
        ("item", "Backups are kept for 90 days."),
        ("code", "import os\n\n# Logs are deleted after 45 days.\nRETENTION_DAYS = 45"),
        ("heading", "Plans"),
        ("row", "Basic | 30 days"),
        ("row", "Business | 90 days"),
    ]
    items = doc.blocks[2:4]
    assert {(block.lead_in, block.group) for block in items} == {("The following hold:", 1)}
    code, row = doc.blocks[4], doc.blocks[6]
    assert code.lang == "python"
    assert (row.header, row.group) == (("Plan", "Retention"), 2)
    assert [(doc.place_at(block.start), doc.line_at(block.start)) for block in (items[1], code, row)] == [
        ("cell=1", 6),
        ("cell=2", 1),
        ("cell=3", 7),
    ]
    assert doc.text[row.start : row.end] == "| Basic | 30 days |"
    assert "99 days" not in doc.text  # outputs
    check_positions(doc)


def test_cells() -> None:
    doc = notebook(
        cell("---\ntitle: Front\ndate: 2024-03-01\n---", "raw"),
        cell(["a **b**\r\n", "c"]),
        cell("  ", "code"),
        cell("left out", "raw"),
        cell("\n\nx = 1\n", "code", outputs=[{"text": "1"}]),
        cell("---\n\nd"),
        metadata={"language_info": {"name": "R"}},
    )
    assert doc.title == "Front"
    assert doc.published is not None
    assert [(block.kind, block.text, block.lang) for block in doc.blocks if block.kind is not BlockKind.FIELD] == [
        (BlockKind.PARAGRAPH, "a b c", ""),
        (BlockKind.CODE, "x = 1", "r"),
        (BlockKind.PARAGRAPH, "d", ""),
    ]
    assert [place for _, place in doc.places] == ["cell=1", "cell=2", "cell=5", "cell=6"]
    check_positions(doc)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"cells": [', "no notebook: not JSON"),
        (b"[]", "no notebook: not an object"),
        (b'{"nbformat": 4}', "it has no cells"),
        (b'{"cells": 3}', "it has no cells"),
        (b'{"cells": []}', "no cell with something in it"),
        (b'{"cells": [1, null, {"cell_type": [], "source": {}}, {"cell_type": "code", "source": [1]}]}', "no cell with something"),
        (b'{"cells": [' + b"[" * 100_000, "nested too deeply"),
        (b"\x00\x01", "NUL"),
        (b"\x89PNG\x81", "not readable as text"),
    ],
)
def test_bad_notebooks(data: bytes, reason: str) -> None:
    with pytest.raises(LoadError, match=reason):
        load_bytes(data, "a.ipynb")


def test_odd_characters() -> None:
    doc = load_bytes(b'{"cells": [{"cell_type": "markdown", "source": "# A\\u0000\\ud800\\n\\nb \\ud83d\\ude00"}]}', "a.ipynb")
    assert doc.text == "# A\ufffd\ufffd\n\nb \U0001f600"
    check_positions(doc)
