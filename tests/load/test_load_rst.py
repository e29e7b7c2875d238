from __future__ import annotations

from textwrap import indent

import pytest
from load_helpers import blocks, check_positions, document, lines, readings

from auditor.model import BlockKind


def rst(source: str) -> list[tuple[str, str]]:
    return readings(source, "a.rst")


STRUCTURE = [
    (
        "====\nTop\n====\n\nA\n===\n\nB\n---\n\ntext\nmore\n",
        [("heading", "Top"), ("heading", "A"), ("heading", "B"), ("paragraph", "text more")],
    ),
    ("Short\n---\n\nLonger title\n----\n", [("heading", "Short"), ("heading", "Longer title")]),
    ("a\n\n----\n\nb\n", [("paragraph", "a"), ("paragraph", "b")]),
    (".. a comment\n   goes on\n\n..\n\n   quote\n\nx\n", [("paragraph", "quote"), ("paragraph", "x")]),
    (".. _target:\n\n.. _url: http://x\n\n__ http://y\n\nSee url_.\n", [("paragraph", "See url.")]),
    ("Run::\n\n    x\n      y\n\nNext\n", [("paragraph", "Run:"), ("code", "x\n  y"), ("paragraph", "Next")]),
    ("::\n\n  only\n", [("code", "only")]),
    (".. code-block:: sh\n   :linenos:\n\n   ls\n", [("code", "ls")]),
    ("Text\n.. code-block:: sh\n\n   ls\n", [("paragraph", "Text"), ("code", "ls")]),
    (".. code-block::bash\n    ls\n", [("code", "ls")]),
    (">>> 1 + 1\n2\n", [("code", ">>> 1 + 1\n2")]),
    ("* a\n  b\n\n* c\n\n  d\n", [("item", "a b"), ("item", "c"), ("paragraph", "d")]),
    ("1. a\ngoes on\n2. b\n", [("item", "a goes on"), ("item", "b")]),
    ("#. a\n#. b\n\n(c) d\n", [("item", "a"), ("item", "b"), ("item", "d")]),
    ("Term\n  Says *it*\n  all.\n", [("definition", "Term: Says it all.")]),
    ("Do this\n  1. a\n  2. b\n", [("paragraph", "Do this"), ("item", "a"), ("item", "b")]),
    ("-p, --port=N  The port.\n--host  Bind.\n", [("definition", "-p, --port=N: The port."), ("definition", "--host: Bind.")]),
    ("| a\n| b\n", [("paragraph", "a b")]),
    (".. [1] Note *text*\n   more\n", [("paragraph", "Note text more")]),
    ("A [#x]_ b\n", [("paragraph", "A b")]),
    ("  wise words\n\n  -- Someone\n", [("quote", "wise words"), ("quote", "-- Someone")]),
    ("just\n\n   indented\n", [("paragraph", "just"), ("paragraph", "indented")]),
    (".. |v| replace:: 2.4\n\nNow |v|.\n", [("paragraph", "Now 2.4.")]),
    (".. toctree::\n   :maxdepth: 2\n\n   a\n   b\n\nx\n", [("paragraph", "x")]),
    (".. image:: x.png\n   :alt: no\n\n.. figure:: y.png\n   :width: 5\n\n   The caption.\n", [("paragraph", "The caption.")]),
    (".. unknown:: arg\n   :opt: v\n\n   Kept text.\n", [("paragraph", "Kept text.")]),
    (
        ".. confval:: timeout\n   :type: int\n\n   Seconds to wait.\n\n   Default 30.\n",
        [("definition", "timeout: Seconds to wait."), ("paragraph", "Default 30.")],
    ),
    (".. only:: html\n\n   Kept.\n", [("paragraph", "Kept.")]),
    (".. raw:: html\n\n   <b>no</b>\n", []),
    (".. glossary::\n\n   Word\n     Meaning.\n", [("definition", "Word: Meaning.")]),
]


@pytest.mark.parametrize(("source", "expected"), STRUCTURE)
def test_structure(source: str, expected: list[tuple[str, str]]) -> None:
    assert rst(source) == expected
    check_positions(document(source, "a.rst"))


def test_heading_levels_follow_the_order_of_styles() -> None:
    source = "===\nT\n===\n\nA\n===\n\nB\n~~~\n\nC\n===\n"
    assert [block.level for block in blocks(source, "a.rst", BlockKind.HEADING)] == [1, 2, 3, 2]


@pytest.mark.parametrize(
    ("source", "container", "flags"),
    [
        (".. note::\n   x\n", "Note", {"note"}),
        (".. warning:: x\n", "Warning", {"note"}),
        (".. admonition:: Mind *this*\n   :class: tip\n\n   x\n", "Mind this", {"note"}),
        (".. deprecated:: 2.0 x\n", "Deprecated since 2.0", {"note"}),
        (".. versionadded:: 1.5\n   x\n", "Added in 1.5", {"note"}),
        (".. tabs::\n\n   .. tab:: Linux\n\n      x\n", "Linux", set()),
        (".. topic:: Title\n\n   x\n", "Title", set()),
    ],
)
def test_boxes(source: str, container: str, flags: set[str]) -> None:
    doc = document(source + "\nafter\n", "a.rst")
    assert [(block.text, block.container, set(block.flags)) for block in doc.blocks] == [
        ("x", container, flags),
        ("after", "", set()),
    ]
    check_positions(doc)


def test_lead_ins_and_nesting() -> None:
    items = blocks("Not allowed:\n\n- a\n\n  - b\n\n    - c\n\n- d\n", "a.rst", BlockKind.ITEM)
    assert [(b.text, b.level, b.lead_in, b.group) for b in items] == [
        ("a", 0, "Not allowed:", 1),
        ("b", 1, "Not allowed: a", 2),
        ("c", 2, "Not allowed: a b", 3),
        ("d", 0, "Not allowed:", 1),
    ]


GRID = """Limits:

+-------+------------+
| Plan  | Requests   |
|       +-----+------+
|       | min | day  |
+=======+=====+======+
| Free  | 10  | 100  |
|       +-----+------+
|       | 20  | many |
|       |     | more |
+-------+-----+------+
"""
SIMPLE = """Limits:

=====  ========
Plan   Requests
=====  ========
Free   10
Pro    ``20``
       more
=====  ========

After
"""
LISTED = """Limits:

.. list-table:: The *limits*
   :header-rows: 1
   :widths: 10 20

   * - Plan
     - Requests
   * - Free
     - 10
       more
   * - Pro
     -
"""
CSV = """.. csv-table:: Limits
   :header: "Plan", "Requests, daily"

   Free, "1,000"
   Pro, 20
"""


@pytest.mark.parametrize(
    ("source", "cells", "header", "caption", "rows"),
    [
        (GRID, [("Free", "10", "100"), ("Free", "20", "many more")], ("Plan", "Requests min", "Requests day"), "Limits:", [8, 10]),
        (SIMPLE, [("Free", "10"), ("Pro", "20 more")], ("Plan", "Requests"), "Limits:", [6, 7]),
        (LISTED, [("Free", "10 more"), ("Pro", "")], ("Plan", "Requests"), "The limits", [9, 12]),
        (CSV, [("Free", "1,000"), ("Pro", "20")], ("Plan", "Requests, daily"), "Limits", [4, 5]),
        (
            f".. table:: Named\n\n{indent(SIMPLE[9:-6], '   ')}",
            [("Free", "10"), ("Pro", "20 more")],
            ("Plan", "Requests"),
            "Named",
            [6, 7],
        ),
    ],
)
def test_tables(source: str, cells: list[tuple[str, ...]], header: tuple[str, ...], caption: str, rows: list[int]) -> None:
    doc = document(source, "a.rst")
    found = [block for block in doc.blocks if block.kind is BlockKind.ROW]
    assert {block.caption for block in found} == {caption}
    assert [block.cells for block in found] == cells
    assert found[0].header == header
    assert [lines(doc, block)[0] for block in found] == rows
    check_positions(doc)


def test_malformed_table_is_not_lost() -> None:
    assert any("broken" in text for _, text in rst("+---+---+\n| broken |\n+--+\n\nx\n"))


def test_fields_and_docinfo() -> None:
    source = "Title\n=====\n\n:Author: Ann\n:Last updated: 2024-03-12\n:Abstract: First\n   line.\n\nText\n\n:param x: The *x*.\n"
    doc = document(source, "a.rst")
    fields = [block for block in doc.blocks if block.kind is BlockKind.FIELD]
    assert [block.cells for block in fields] == [
        ("Author", "Ann"),
        ("Last updated", "2024-03-12"),
        ("Abstract", "First line."),
        ("param x", "The x."),
    ]
    assert doc.owner == "Ann"
    assert doc.published is not None
    assert doc.published.source == "front matter"
    assert "param x" not in doc.fields
    check_positions(doc)


def test_tabs_and_lines() -> None:
    source = "Intro\n\n.. code-block:: sh\n\n\tif x\n\t    y\n\n-  a\n   b\n\n\t.. note::\n\n\t\tn\n"
    doc = document(source, "a.rst")
    assert [(b.kind.value, b.text, *lines(doc, b)) for b in doc.blocks] == [
        ("paragraph", "Intro", 1, 1),
        ("code", "if x\n    y", 5, 6),
        ("item", "a b", 8, 9),
        ("paragraph", "n", 13, 13),
    ]
    check_positions(doc)


def test_nothing_is_read_from_other_files() -> None:
    assert rst(".. include:: /etc/passwd\n\n.. csv-table::\n   :file: /etc/passwd\n\nx\n") == [("paragraph", "x")]
