"""What stands below one entry of a reference is not held against what stands below another."""

from __future__ import annotations

from datetime import date
from itertools import combinations
from pathlib import Path

import pytest

from auditor import scan
from auditor.barred import barred
from auditor.config import load_config
from auditor.detect.reasons import SCORE
from auditor.model import BlockKind, Statement

PAGE = """# Rules

## {first}

The field must be included in the list.

The value is kept for 30 days.

## {second}

The field must not be included in the list.

The value is kept for 10 days.
"""


def found(folder: Path, page: str) -> int:
    """Pairs of statements with values that disagree, whatever the score makes of them."""
    (folder / "rules.md").write_text(page, encoding="utf-8")
    audit = scan.analyse(scan.ScanOptions(folder, load_config(folder, None), as_of=date(2026, 1, 1)))
    judged = [audit.judge(i, j) for i, j in combinations(range(len(audit.statements)), 2)]
    return sum(any(r.reason == SCORE and r.detector != "reader" for r in refused) for _, refused in judged) + sum(
        any(f.kind != "nli" for f in findings) for findings, _ in judged
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("in:foo,bar", "not_in:foo,bar"),
        ("`max_size`", "`timeout`"),
        ("save()", "delete()"),
        ("--keep", "--drop"),
        ("retries", "max_size"),
    ],
)
def test_entries_of_one_reference_stand_apart(first: str, second: str, tmp_path: Path) -> None:
    assert found(tmp_path, PAGE.format(first=first, second=second)) == 0


def test_sections_do_not(tmp_path: Path) -> None:
    assert found(tmp_path, PAGE.format(first="Storage", second="Clean up")) > 0
    assert found(tmp_path, PAGE.format(first="returns", second="faq")) > 0


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("returns/refunds", "faq/help"),
        ("TCP/IP", "HTTP/2"),
        ("1.1", "1.2"),
        ("iOS", "macOS"),
        ("Returns(EU)", "Returns(US)"),
        ("保留/删除", "删除/保留"),
    ],
)
def test_what_is_no_name_in_code_is_no_entry(first: str, second: str) -> None:
    assert barred(*under(first, second)) is None


def under(*headings: str) -> list[Statement]:
    """Statements of one document below headings of one level."""
    return [
        Statement(n, "a.md", f"{n}", BlockKind.PARAGRAPH, "x", 0, 2 * n, 2 * n + 1, heading=("Rules", heading))
        for n, heading in enumerate(headings)
    ]


def test_fields_that_describe_a_page_are_not_read(tmp_path: Path) -> None:
    for name, weight in (("a.md", -100), ("b.md", -50)):
        (tmp_path / name).write_text(
            f"---\nweight: {weight}\nlayout: wide\n---\n# Accounts\n\nAn account has one owner.\n", encoding="utf-8"
        )
    audit = scan.run(scan.ScanOptions(tmp_path, load_config(tmp_path, None), as_of=date(2026, 1, 1)))
    assert audit.looks is not None
    assert not [pair for pair in audit.looks.wording.pairs if any(audit.statements[i].row_key for i in pair)]


def test_a_hostile_heading_costs_nothing() -> None:
    heading = "a_" * 100_000 + " b"
    assert barred(*under(heading, heading + "c")) is None  # by its length, or this would take minutes
