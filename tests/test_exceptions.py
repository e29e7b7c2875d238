"""A rule, its exception, and a passage about the exception: whatever sentence of the section states it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from auditor import scan
from auditor.config import load_config
from auditor.model import Conflict

FAQ = "Electronics can be returned within 14 days of delivery."


def conflicts(folder: Path, policy: str, faq: str = FAQ) -> tuple[Conflict, ...]:
    (folder / "policy.md").write_text(f"# Returns policy\n\n{policy}\n", encoding="utf-8")
    (folder / "faq.md").write_text(f"# Shop FAQ\n\n{faq}\n", encoding="utf-8")
    return scan.run(scan.ScanOptions(folder, load_config(folder, None), as_of=date(2026, 1, 1))).result.conflicts


@pytest.mark.parametrize(
    "policy",
    [
        "Goods may be returned within 30 days of delivery, except electronics, which can be returned within 14 days.",
        "Goods may be returned within 30 days of delivery. Exception: electronics can be returned within 14 days.",
        "Goods may be returned within 30 days of delivery. This does not apply to electronics.",
        "Goods other than electronics may be returned within 30 days of delivery.",
    ],
)
def test_a_stated_exception_is_no_contradiction(policy: str, tmp_path: Path) -> None:
    assert conflicts(tmp_path, policy) == ()


def test_an_unstated_narrowing_is_medium_at_most(tmp_path: Path) -> None:
    (found,) = conflicts(tmp_path, "Goods may be returned within 30 days of delivery.")
    assert found.tier != "high"
    assert "subject" in found.explanation
    assert {found.a.value, found.b.value} == {"at most 14 days of delivery", "at most 30 days of delivery"}


def test_an_exception_for_something_else_excuses_nothing(tmp_path: Path) -> None:
    found = conflicts(tmp_path, "Goods may be returned within 30 days of delivery. This does not apply to gift cards.")
    assert [c.kind for c in found] == ["numeric"]


def test_the_exception_of_another_section_excuses_nothing(tmp_path: Path) -> None:
    policy = "Goods may be returned within 30 days of delivery.\n\n## Shipping\n\nFree shipping does not apply to electronics."
    assert conflicts(tmp_path, policy)


def test_one_period_ties_bare_values_together(tmp_path: Path) -> None:
    """Two papers on one fiscal year speak of one revenue, whatever they are called; their other bare values are apart."""
    (tmp_path / "report.md").write_text("# Annual report\n\nRevenue in fiscal 2024 was $6.8 million.\n", encoding="utf-8")
    (tmp_path / "memo.md").write_text("# Board memo\n\nRevenue in fiscal 2024 was $4.2 million.\n", encoding="utf-8")
    options = scan.ScanOptions(tmp_path, load_config(tmp_path, None), as_of=date(2026, 1, 1))
    (found,) = scan.run(options).result.conflicts
    assert found.kind == "numeric"
    (tmp_path / "memo.md").write_text("# Board memo\n\nRevenue in fiscal 2023 was $4.2 million.\n", encoding="utf-8")
    assert scan.run(options).result.conflicts == ()


def test_what_is_expected_is_not_held_against_what_was(tmp_path: Path) -> None:
    (tmp_path / "memo.md").write_text(
        "# Board memo\n\nThe year 2024 closed with revenue of $1.9M, slightly above plan.\n", encoding="utf-8"
    )
    (tmp_path / "outlook.md").write_text("# Outlook\n\nWe expect revenue of $9.5M in 2024.\n", encoding="utf-8")
    assert scan.run(scan.ScanOptions(tmp_path, load_config(tmp_path, None), as_of=date(2026, 1, 1))).result.conflicts == ()
