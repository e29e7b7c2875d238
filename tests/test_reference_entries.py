"""What stands below one entry of a reference is not held against what stands below another."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from auditor import scan
from auditor.config import load_config

PAGE = """# Rules

## {first}

The field must be included in the list.

The value is kept for 30 days.

## {second}

The field must not be included in the list.

The value is kept for 10 days.
"""


def found(folder: Path, page: str) -> int:
    (folder / "rules.md").write_text(page, encoding="utf-8")
    audit = scan.run(scan.ScanOptions(folder, load_config(folder, None), as_of=date(2026, 1, 1)))
    return len([f for f in audit.findings if f.kind != "nli"])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("in:foo,bar", "not_in:foo,bar"),
        ("`max_size`", "`timeout`"),
        ("save()", "delete()"),
        ("--keep", "--drop"),
        ("accepted", "declined"),
    ],
)
def test_entries_of_one_reference_stand_apart(first: str, second: str, tmp_path: Path) -> None:
    assert found(tmp_path, PAGE.format(first=first, second=second)) == 0


@pytest.mark.parametrize(("first", "second"), [("Storage", "Clean up"), ("Retention", "Retention period")])
def test_sections_do_not(first: str, second: str, tmp_path: Path) -> None:
    assert found(tmp_path, PAGE.format(first=first, second=second)) > 0


def test_fields_that_describe_a_page_are_not_read(tmp_path: Path) -> None:
    for name, weight in (("a.md", -100), ("b.md", -50)):
        (tmp_path / name).write_text(
            f"---\nweight: {weight}\nlayout: wide\n---\n# Accounts\n\nAn account has one owner.\n", encoding="utf-8"
        )
    audit = scan.run(scan.ScanOptions(tmp_path, load_config(tmp_path, None), as_of=date(2026, 1, 1)))
    assert audit.looks is not None
    assert not [pair for pair in audit.looks.wording.pairs if any(audit.statements[i].row_key for i in pair)]
