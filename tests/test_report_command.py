"""`audit report`, and what `audit scan` writes on request."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import auditor.scan
from auditor.cli import app
from auditor.config import load_config
from auditor.errors import UserError
from auditor.format import write_all
from auditor.format.by_owner import by_owner, file_names, owners, part_of
from auditor.format.csv import CsvFormat
from tests.factories import empty_result, make_conflict, make_document, make_result, make_side, make_skipped, realistic_result


def audit(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    write_all(realistic_result(), tmp_path / "run")
    return tmp_path / "run"


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_formats_are_written_beside_the_run(run_dir: Path) -> None:
    before = {path.name: path.read_bytes() for path in run_dir.iterdir()}
    done = audit("report", run_dir, "--format", "csv", "-f", "sarif", "-f", "csv")
    assert done.exit_code == 0, done.output
    assert names(run_dir) == {*before, "conflicts.csv", "conflicts.sarif"}
    assert {Path(line).name for line in done.output.split()} == {"conflicts.csv", "conflicts.sarif"}
    assert {name: (run_dir / name).read_bytes() for name in before} == before


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("html", {"report.html"}),
        ("md", {"report.md"}),
        ("jsonl", {"conflicts.jsonl"}),
        ("junit", {"junit.xml"}),
        ("github", {"github-annotations.txt", "github-summary.md"}),
        ("gitlab", {"gl-code-quality-report.json"}),
    ],
)
def test_each_format_elsewhere(name: str, files: set[str], run_dir: Path, tmp_path: Path) -> None:
    done = audit("report", run_dir, "--format", name, "--out", tmp_path / "new" / "out", "--quiet")
    assert (done.exit_code, done.output) == (0, "")
    assert names(tmp_path / "new" / "out") == files


def test_redacted(run_dir: Path, tmp_path: Path) -> None:
    audit("report", run_dir, "-f", "jsonl", "-f", "html", "--redact", "--out", tmp_path / "out")
    for path in (tmp_path / "out").iterdir():
        assert "[e-mail 1]" in path.read_text("utf-8")
        assert "@example.org" not in path.read_text("utf-8")


def test_by_owner(run_dir: Path, tmp_path: Path) -> None:
    done = audit("report", run_dir, "-f", "csv", "-f", "html", "--by", "owner", "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    found = owners(realistic_result())
    assert found[-1] is None
    assert len(names(tmp_path / "out")) == 2 * len(found)
    assert {"conflicts-no-owner.csv", "report-legal-at-example.org.html"} <= names(tmp_path / "out")
    rows = list(csv.DictReader((tmp_path / "out" / "conflicts-legal-at-example.org.csv").open(encoding="utf-8-sig")))
    assert rows
    assert all("legal@example.org" in (row["owner_a"], row["owner_b"]) for row in rows)


def test_by_owner_without_findings(tmp_path: Path) -> None:
    write_all(empty_result(), tmp_path / "run")
    done = audit("report", tmp_path / "run", "-f", "md", "--by", "owner", "--out", tmp_path / "out")
    assert done.exit_code == 0
    assert "no owner has anything to do" in done.output


def test_a_part_counts_only_itself() -> None:
    a = make_side("a.md", "1 day", "1 day", owner="ann")
    b, c = make_side("b.md", "2 days", "2 days", owner="bob"), make_side("c.md", "3 days", "3 days")
    conflicts = [make_conflict(a, b), make_conflict(b, c, tier="advisory")]
    documents = [
        make_document("a.md", owner="ann"),
        make_document("b.md", owner="bob"),
        make_document("c.md"),
        make_skipped("d.pdf", "?"),
    ]
    result = make_result(conflicts, [], documents)
    assert owners(result) == ("ann", "bob", None)
    parts = {owner: part_of(result, owner) for owner in owners(result)}
    assert {owner: len(part.conflicts) for owner, part in parts.items()} == {"ann": 1, "bob": 2, None: 1}
    assert [row.path for row in parts["ann"].documents] == ["a.md", "b.md"]
    assert [row.path for row in parts[None].documents] == ["b.md", "c.md", "d.pdf"]
    assert parts["ann"].counts["conflicts_advisory"] == 0
    assert {chunk.doc_id for chunk in parts["ann"].chunks} == {"a.md", "b.md"}


def test_file_names_are_safe_and_different() -> None:
    given = [
        "../../etc/passwd",
        "Legal",
        "legal",
        "con",
        "法务",
        "a" * 300,
        "x\n\0y",
        "no-owner",
        "Größe & Co.",
        None,
        "..",
        "b@x.org",
    ]
    found = file_names(given)
    assert len({name.lower() for name in found.values()}) == len(given)
    for name in found.values():
        assert name == name.strip(".-_ ")
        assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789._-")
        assert ".." not in name
        assert 0 < len(name) <= 80
    assert found[None] == "no-owner"
    assert found["b@x.org"] == "b-at-x.org"
    assert file_names(reversed(given)) == found


def test_owners_of_hostile_names_stay_in_the_folder(tmp_path: Path) -> None:
    sides = [make_side(f"{n}.md", "q", str(n), owner=owner) for n, owner in enumerate(["../up", "/abs", "a\\b", "C:x"])]
    result = make_result([make_conflict(a, b) for a, b in pairwise(sides)], [], [])
    paths = write_all(result, tmp_path / "out", by_owner(result, [CsvFormat()]))
    assert len({path.name for path in paths}) == 4
    assert {path.parent for path in paths} == {tmp_path / "out"}
    assert names(tmp_path) == {"out"}


def test_paths_in_the_repository(run_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def first_path(*options: str) -> str:
        assert audit("report", run_dir, "-f", "gitlab", *options).exit_code == 0
        return str(json.loads((run_dir / "gl-code-quality-report.json").read_text("utf-8"))[0]["location"]["path"])

    plain = first_path()
    assert not plain.startswith("handbook/")
    (tmp_path / "handbook").mkdir()
    assert first_path() == f"handbook/{plain}"
    assert first_path("--path-prefix", "docs/en/") == f"docs/en/{plain}"
    assert first_path("--path-prefix", "") == plain


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--format", "pdf"], "pdf"),
        ([], "--format"),
        (["--format", "csv", "--by", "folder"], "folder"),
        (["--format", "sarif", "--path-prefix", "../x"], "--path-prefix"),
    ],
)
def test_bad_options(arguments: list[str], said: str, run_dir: Path) -> None:
    done = audit("report", run_dir, *arguments)
    assert done.exit_code == 2
    assert said in done.output
    assert "Traceback" not in done.output


def test_a_folder_that_is_no_run(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        done = audit("report", folder, "--format", "csv")
        assert done.exit_code == 2
        assert done.output.startswith("error: ")
        assert done.output.count("\n") == 1
    assert names(tmp_path) == set()


# -- audit scan --------------------------------------------------------------------------------------------------------


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose scan finds the realistic result, below the current folder."""
    (tmp_path / "docs" / "handbook").mkdir(parents=True)
    (tmp_path / "docs" / "handbook" / "a.md").write_text("text")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(auditor.scan, "run", lambda *_: SimpleNamespace(result=realistic_result()))
    return tmp_path / "docs" / "handbook"


def test_a_scan_writes_more_when_asked(corpus: Path, tmp_path: Path) -> None:
    done = audit("scan", corpus, "--out", tmp_path / "out", "-f", "csv", "--format", "gitlab", "-q")
    assert done.exit_code == 0, done.output
    assert {"conflicts.csv", "gl-code-quality-report.json", "report.html", "conflicts.parquet"} <= names(tmp_path / "out")
    issues: list[Any] = json.loads((tmp_path / "out" / "gl-code-quality-report.json").read_text("utf-8"))
    assert all(issue["location"]["path"].startswith("docs/handbook/") for issue in issues)


def test_a_scan_writes_no_more_than_it_must(corpus: Path, tmp_path: Path) -> None:
    audit("scan", corpus, "--out", tmp_path / "out", "-q")
    assert not {"conflicts.csv", "conflicts.sarif", "junit.xml"} & names(tmp_path / "out")
    assert "legal@example.org" in (tmp_path / "out" / "conflicts.jsonl").read_text("utf-8")


def test_a_redacted_scan(corpus: Path, tmp_path: Path) -> None:
    (corpus / "audit.toml").write_text('[scan]\nredact = true\nformat = ["sarif", "junit"]\n')
    done = audit("scan", corpus, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert {"conflicts.sarif", "junit.xml"} <= names(tmp_path / "out")
    for path in (tmp_path / "out").iterdir():
        assert b"@example.org" not in path.read_bytes(), path.name


def test_bad_prefix_is_noticed_before_the_work(corpus: Path, tmp_path: Path) -> None:
    done = audit("scan", corpus, "--out", tmp_path / "out", "--path-prefix", "/abs")
    assert done.exit_code == 2
    assert not (tmp_path / "out").exists()


def test_formats_of_the_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = load_config(tmp_path)
    monkeypatch.setenv("AUDIT_FORMAT", "csv, sarif")
    named = load_config(tmp_path)
    assert named.scan.format == ("csv", "sarif")
    assert named.sha256 == plain.sha256
    monkeypatch.setenv("AUDIT_FORMAT", "pdf")
    with pytest.raises(UserError, match="AUDIT_FORMAT"):
        load_config(tmp_path)


def test_the_result_given_is_left_as_it_was(tmp_path: Path) -> None:
    result = replace(realistic_result(), corpus="x")
    write_all(result, tmp_path, by_owner(result, [CsvFormat()]))
    assert result == replace(realistic_result(), corpus="x")
