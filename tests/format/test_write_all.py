"""All files or none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from auditor.errors import UserError
from auditor.format import FORMATS, write_all
from auditor.model import ScanResult
from tests.factories import copies_result, empty_result, hostile_result, realistic_result

NAMES = {
    "conflicts.parquet",
    "conflicts.jsonl",
    "clusters.parquet",
    "documents.parquet",
    "chunks.parquet",
    "report.html",
    "report.md",
    "run.json",
}


class Failing:
    """Writes half of its file, then fails."""

    id = "failing"
    filename = "failing.txt"

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def write(self, result: ScanResult, path: Path) -> None:
        path.write_text("half")
        raise self.error


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b"" for path in folder.rglob("*")}


@pytest.mark.parametrize("make", [realistic_result, empty_result, hostile_result])
def test_the_files_of_the_contract_are_written(make: Callable[[], ScanResult], tmp_path: Path) -> None:
    paths = write_all(make(), tmp_path / "new" / "folder")
    assert {path.name for path in paths} == NAMES
    assert {path.name for path in (tmp_path / "new" / "folder").iterdir()} == NAMES


def test_only_run_json_differs_between_runs_of_different_speed(tmp_path: Path) -> None:
    result = realistic_result()
    slow = replace(result, stages=tuple(replace(stage, seconds=stage.seconds * 9) for stage in result.stages))
    write_all(result, tmp_path / "a")
    write_all(slow, tmp_path / "b")
    a, b = tree(tmp_path / "a"), tree(tmp_path / "b")
    assert {name for name in a if a[name] != b[name]} == {"run.json"}


def test_text_files_have_line_feeds_only(tmp_path: Path) -> None:
    for path in write_all(hostile_result(), tmp_path):
        if path.suffix != ".parquet":
            assert b"\r" not in path.read_bytes(), path.name


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "sub").mkdir()
    (tmp_path / "report.html").write_text("of the last run")
    write_all(empty_result(), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == NAMES | {"notes.txt", "sub"}
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert "last run" not in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (OSError(28, "No space left on device"), UserError),
        (ValueError("a bug"), ValueError),
        (KeyboardInterrupt(), KeyboardInterrupt),
    ],
)
def test_a_failure_leaves_the_last_run_as_it_was(error: BaseException, raised: type[BaseException], tmp_path: Path) -> None:
    write_all(empty_result(), tmp_path)
    before = tree(tmp_path)
    with pytest.raises(raised):
        write_all(realistic_result(), tmp_path, (*FORMATS, Failing(error)))
    assert tree(tmp_path) == before


def test_a_failure_leaves_no_new_folder(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="No space left"):
        write_all(realistic_result(), tmp_path / "a" / "b", (*FORMATS, Failing(OSError(28, "No space left on device"))))
    assert list(tmp_path.iterdir()) == []


def test_a_failing_move_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: Path, target: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.replace", refuse)
    with pytest.raises(UserError, match=r"cannot write to .*Permission denied"):
        write_all(empty_result(), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_way_is_reported(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(UserError, match="cannot write to"):
        write_all(empty_result(), tmp_path / "out")
    with pytest.raises(UserError, match="cannot write to"):
        write_all(empty_result(), tmp_path / "out" / "below")
    assert (tmp_path / "out").read_text() == "a file"


def test_a_folder_in_the_way_is_reported_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "report.md").mkdir()
    with pytest.raises(UserError, match="there is a folder of that name"):
        write_all(empty_result(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["report.md"]


def test_run_json_tells_how_it_went(tmp_path: Path) -> None:
    result = realistic_result()
    write_all(result, tmp_path)
    run = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert run["counts"]["documents"] == 72
    assert run["skipped"][0] == {
        "path": "archive/2019/board-minutes.pdf",
        "reason": "no text: the pages are pictures",
        "format": "",
    }
    assert run["stages"][0] == {"name": "load", "seconds": 1.203, "peak_mib": 210.4}
    assert set(run) >= {"schema_version", "versions", "model_hashes", "config_hash", "crowded_keys", "as_of", "corpus"}


def test_a_run_without_the_later_columns_reads_as_read_in_full_and_no_copy(tmp_path: Path) -> None:
    import polars as pl

    from auditor.run_reader import read_result
    from auditor.store import VERSION_KEY

    write_all(copies_result(), tmp_path)
    assert read_result(tmp_path).documents == copies_result().documents
    path = tmp_path / "documents.parquet"
    version = pl.read_parquet_metadata(path)[VERSION_KEY]
    old = pl.read_parquet(path).drop("notices", "copy_of", "copy_share", "copy_exact")
    old.write_parquet(path, metadata={VERSION_KEY: version})
    for row in read_result(tmp_path).documents:
        assert (row.notices, row.copy_of, row.copy_share, row.copy_exact) == ((), None, None, None)


def test_importing_the_formats_is_cheap() -> None:
    """`audit --help` must not wait for polars or jinja2."""
    program = "import sys, auditor.format, auditor.store; print(*(m for m in ('polars', 'jinja2', 'numpy') if m in sys.modules))"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, cwd=root)
    assert done.stdout.strip() == ""


def test_what_a_killed_scan_left_is_removed_once_it_is_old(tmp_path: Path) -> None:
    old, young, foreign = (tmp_path / name for name in (".audit-unfinished-aaaa", ".audit-unfinished-bbbb", ".audit-mine"))
    for folder in (old, young, foreign):
        folder.mkdir()
        (folder / "report.html").write_text("half")
    for folder in (old, foreign):
        os.utime(folder, (0, 0))
    write_all(empty_result(), tmp_path)
    assert not old.exists()
    assert young.exists()
    assert foreign.exists()
