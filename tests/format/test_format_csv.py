"""conflicts.csv: a spreadsheet shows it, and runs nothing of it."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from auditor.format.csv import CELL_LIMIT, COLUMNS, CsvFormat, cell
from auditor.model import ScanResult
from tests.factories import copies_result, empty_result, hostile_result, make_conflict, make_result, make_side, realistic_result

DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n")


def rows(result: ScanResult, path: Path) -> list[dict[str, str]]:
    CsvFormat().write(result, path)
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+49 30 1", "'+49 30 1"),
        ("-5 °C", "'-5 °C"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'=1"),
        ("\rx", "'x"),
        ("  =1", "'=1"),
        ('"=1"', '\'"=1"'),
        ("\u200b=1", "'\u200b=1"),
        ("＝1", "'＝1"),
        ("a;=1+1", "a;'=1+1"),
        ("a; =1", "a;' =1"),
        ("5-7 days, =x", "5-7 days, =x"),
        ("two\nlines", "two lines"),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_a_cell_is_no_formula(text: str, written: str) -> None:
    found = cell(text)
    assert found.lstrip("'") == written.lstrip("'")
    assert found.startswith("'") == written.startswith("'")


def test_numbers_and_nothing() -> None:
    assert (cell(None), cell(12), cell(0.5)) == ("", "12", "0.5")
    assert len(cell("x" * 100_000)) <= CELL_LIMIT


@pytest.mark.parametrize("result", [realistic_result(), hostile_result(), empty_result()])
def test_every_finding_is_one_row(result: ScanResult, tmp_path: Path) -> None:
    found = rows(result, tmp_path / "c.csv")
    assert [row["conflict_id"] for row in found] == [c.conflict_id for c in sorted_as_written(result)]
    for row in found:
        assert list(row) == list(COLUMNS)
        assert not [text for text in row.values() if text.startswith(DANGEROUS)]


def sorted_as_written(result: ScanResult) -> list[object]:
    from auditor.store import in_order

    return list(in_order(result.conflicts))


def test_the_values_are_there(tmp_path: Path) -> None:
    a = replace(make_side("a.md", "within 10 days", "10 days"), owner="legal@example.org")
    (row,) = rows(make_result([make_conflict(a, make_side("b.md", "20 days", "20 days"), winner="b")], [], []), tmp_path / "c.csv")
    assert (row["value_a"], row["value_b"], row["suggested"], row["owner_a"]) == ("10 days", "20 days", "b", "legal@example.org")
    assert (row["document_a"], row["line_a"], row["place_a"], row["quote_a"]) == ("a.md", "12", "line 12", "within 10 days")


def test_a_line_of_a_page_is_not_given_as_one_of_the_file(tmp_path: Path) -> None:
    row = next(row for row in rows(copies_result(), tmp_path / "c.csv") if row["document_a"].endswith(".pdf"))
    assert (row["line_a"], row["place_a"]) == ("", "page 3, line 5")
    assert (row["line_b"], row["place_b"]) == ("", "sheet Q1 plan, cell B7")
