"""A run folder read back, and what is said of one that is none."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from auditor.errors import UserError
from auditor.format import write_all
from auditor.history import Comparison, Gone, Review
from auditor.model import Branding, ScanResult
from auditor.run_reader import read_result
from auditor.store import VERSION_KEY
from tests.factories import empty_result, hostile_result, realistic_result


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    write_all(realistic_result(), tmp_path / "run")
    return tmp_path / "run"


def bare(result: ScanResult) -> ScanResult:
    """Without what the tables leave out or spell their own way."""
    sides = (
        replace(c, features={}, a=replace(c.a, marks=()), b=replace(c.b, marks=()))
        for c in sorted(result.conflicts, key=lambda c: c.conflict_id)
    )
    return replace(result, conflicts=tuple(sides))


@pytest.mark.parametrize("result", [realistic_result(), empty_result()])
def test_what_was_written_is_read(result: ScanResult, tmp_path: Path) -> None:
    gone = Gone("id", "resolved", "why", "high", "a", "b", "k", "t", "1", "2")
    result = replace(
        result,
        branding=Branding("Title", "Customer", "data:image/png;base64,AAAA"),
        review=Review(decisions=2, reopened={"x": "changed"}),
        baseline=Comparison(result.as_of, result.as_of, states={"x": "new"}, gone=(gone,)),
        min_tier="medium",
    )
    write_all(result, tmp_path)
    assert bare(read_result(tmp_path)) == bare(result)


def test_written_again_it_is_the_same(run_dir: Path, tmp_path: Path) -> None:
    write_all(read_result(run_dir), tmp_path / "again")
    for path in run_dir.iterdir():
        if path.suffix != ".html" and path.suffix != ".md":  # they mark words, which the tables do not hold
            assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes(), path.name


def test_the_deciding_words_are_marked_again(run_dir: Path) -> None:
    marked = {c.conflict_id: c for c in realistic_result().conflicts}
    restored = read_result(run_dir).conflicts
    same = [c.a.quote[slice(*c.a.marks[0])] for c in restored if c.a.marks and c.a.marks == marked[c.conflict_id].a.marks]
    assert "14 days of purchase" in same
    for conflict in restored:
        for side in (conflict.a, conflict.b):
            assert all(0 <= start < end <= len(side.quote) for start, end in side.marks)


def test_hostile_text_comes_back(tmp_path: Path) -> None:
    write_all(hostile_result(), tmp_path)
    assert len(read_result(tmp_path).conflicts) == len(hostile_result().conflicts)


def edit(change: Callable[[dict[str, object]], object]) -> Callable[[Path], object]:
    def run(folder: Path) -> None:
        record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        change(record)
        (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")

    return run


def drop_column(folder: Path) -> None:
    path = folder / "conflicts.parquet"
    version = pl.read_parquet_metadata(path)[VERSION_KEY]
    pl.read_parquet(path).drop("winner").write_parquet(path, metadata={VERSION_KEY: version})


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda folder: (folder / "run.json").unlink(), r"holds no run\.json"),
        (lambda folder: (folder / "run.json").write_text("{"), "not valid JSON"),
        (lambda folder: (folder / "run.json").write_bytes(b"\xff\xfe"), "not valid JSON"),
        (lambda folder: (folder / "run.json").write_text("[" * 100_000), "not valid JSON"),
        (lambda folder: (folder / "run.json").write_text('{"name": "x"}'), "not the record of a scan"),
        (lambda folder: (folder / "run.json").write_text("[]"), "not the record of a scan"),
        (edit(lambda record: record.update(schema_version=99)), "schema version 99, this program reads 1: scan again"),
        (edit(lambda record: record.pop("corpus")), "has no 'corpus'"),
        (edit(lambda record: record.update(as_of="yesterday")), "not the record of a scan"),
        (edit(lambda record: record.update(counts=[1])), "not the record of a scan"),
        (edit(lambda record: record.update(review={"orphans": 3})), "not the record of a scan"),
        (edit(lambda record: record.update(counts={"documents": 1, "skipped": 0})), "are of different scans"),
        (lambda folder: (folder / "clusters.parquet").unlink(), r"holds no clusters\.parquet"),
        (lambda folder: (folder / "chunks.parquet").write_bytes(b"PAR1"), r"chunks\.parquet cannot be read"),
        (lambda folder: pl.DataFrame({"a": [1]}).write_parquet(folder / "documents.parquet"), "schema version none"),
        (drop_column, "lacks columns"),
    ],
)
def test_a_damaged_run_is_told_in_one_line(damage: Callable[[Path], object], said: str, run_dir: Path) -> None:
    damage(run_dir)
    with pytest.raises(UserError, match=said):
        read_result(run_dir)


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such folder"):
        read_result(tmp_path / "missing")
    (tmp_path / "file").write_text("x")
    with pytest.raises(UserError, match="is a file"):
        read_result(tmp_path / "file")


def test_a_record_brings_no_foreign_picture(run_dir: Path) -> None:
    edit(lambda record: record.update(report={"title": "T", "logo": "https://evil.example/x.png"}))(run_dir)
    assert read_result(run_dir).branding == Branding("T", "", "")
