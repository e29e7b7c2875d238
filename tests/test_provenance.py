"""Owners, dates, languages and files that are left out, the whole way from a folder to the report."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

from auditor import scan
from auditor.cli import app
from auditor.config import load_config
from auditor.format import write_all
from auditor.format.markdown import render_markdown
from auditor.format.run_json import run_record
from auditor.run_reader import read_record, read_result
from auditor.store import VERSION_KEY, read_documents
from tests.factories import empty_result, make_document

ENGLISH = "# Returns\n\nEffective 1 January 2024 until 31 December 2024.\n\nCustomers can return goods within {} days.\n"
GERMAN = """# Aufbewahrung

Die Rechnungen werden {} Tage aufbewahrt, und die Frist ist nicht verlängerbar. {}
Die Gebühr ist {} Euro für eine Auskunft von der Stelle. Der Bericht wird am {} auf dem Portal und im Archiv abgelegt.
"""
NOW = datetime(2026, 1, 2, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("provenance") / "store"
    files = {
        "a.md": ENGLISH.format(30),
        "b.md": "---\nowner: Ops\nupdated: 2024-06-01\n---\n" + ENGLISH.format(14),
        "de/a.md": GERMAN.format(30, "Sie müssen nicht unterschrieben werden.", "1.000", "2024-12-31"),
        "de/b.md": GERMAN.format(60, "Sie müssen unterschrieben werden.", "2.000", "2025-12-31"),
        "out/c.md": ENGLISH.format(7),
        ".auditignore": "out/\n",
        "CODEOWNERS": "*.md @store\n",
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        os.utime(path, (NOW.timestamp(), NOW.timestamp()))
    return root


def scanned(corpus: Path) -> scan.Audit:
    return scan.run(scan.ScanOptions(corpus, load_config(corpus), as_of=date(2025, 6, 1)))


@pytest.fixture(scope="module")
def audit(corpus: Path) -> scan.Audit:
    return scanned(corpus)


def test_everything_is_recorded_with_its_source(audit: scan.Audit) -> None:
    rows = {row.path: row for row in audit.result.documents}
    assert list(rows) == ["a.md", "b.md", "de/a.md", "de/b.md"]
    a, b = rows["a.md"], rows["b.md"]
    assert (a.owner, a.owner_source, b.owner, b.owner_source) == ("@store", "CODEOWNERS", "Ops", "front matter")
    assert (b.modified, b.modified_source, b.published) == (date(2024, 6, 1), "front matter", date(2024, 6, 1))
    assert (a.effective, a.effective_to, a.effective_to_source) == (date(2024, 1, 1), date(2024, 12, 31), "visible line")
    assert {row.file_time for row in rows.values()} == {NOW.date()}
    assert {row.git_date for row in rows.values()} == {None}
    assert {side.owner for conflict in audit.result.conflicts for side in (conflict.a, conflict.b)} == {"@store", "Ops"}


def test_other_languages_are_compared_by_numbers_dates_and_identifiers(audit: scan.Audit) -> None:
    german = [c for c in audit.result.conflicts if c.a.doc.startswith("de/")]
    assert {(c.kind, c.a.value, c.b.value) for c in german} == {("numeric", "30", "60"), ("date", "2024-12-31", "2025-12-31")}
    english = "reads", "closely"  # what the readers of English say
    read = [f for f in audit.findings if audit.statements[f.a].doc_id.startswith("de/")]
    assert read
    assert not [f for f in read if any(name.startswith(english) for name in f.features)]
    kinds = {f.kind for s, found in zip(audit.statements, audit.facts, strict=True) if s.doc_id.startswith("de/") for f in found}
    assert kinds == {"count", "date"}
    assert audit.result.counts["other_languages"] == 2
    assert run_record(audit.result)["languages"] == {"de": 2, "und": 2}


def test_the_report_says_what_it_does_not_know(audit: scan.Audit, tmp_path: Path) -> None:
    result = replace(audit.result, notices=("no owner or date from Git: <b>git is not installed</b>",))
    write_all(result, tmp_path)
    markdown = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "- de/a.md: German\n- de/b.md: German\n" in markdown
    assert "- a.md: valid until 2024-12-31\n- b.md: valid until 2024-12-31\n" in markdown
    assert "- left out by configuration or .auditignore: 1\n" in markdown
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "without rules for their language (2)</h2>" in html
    assert "<h3>German" in html
    assert ">Expired (2)</h2>" in html
    assert "<b>git is" not in html
    assert "&lt;b&gt;git is" in html
    assert read_record(tmp_path)["counts"]["ignored"] == 1
    assert read_result(tmp_path).notices == result.notices


def test_nothing_is_said_where_there_is_nothing_to_say() -> None:
    documents = (make_document("a.md", language="und"), make_document("b.md", effective_to=date(2025, 6, 2)))
    text = render_markdown(replace(empty_result(), documents=documents))  # as of 2025-06-02, its last day
    assert not any(word in text for word in ("Expired", "no rules", "left out"))


def test_a_copy_differs_in_the_time_of_its_files_only(corpus: Path, audit: scan.Audit, tmp_path: Path) -> None:
    copy = tmp_path / "store"
    shutil.copytree(corpus, copy, copy_function=shutil.copyfile)
    tables: dict[str, Mapping[str, bytes]] = {}
    for name, run in (("first", audit), ("again", scanned(corpus)), ("copy", scanned(copy))):
        write_all(run.result, tmp_path / name)
        tables[name] = {path.name: path.read_bytes() for path in (tmp_path / name).iterdir() if path.name != "run.json"}
    assert tables["first"] == tables["again"]
    assert {name for name, data in tables["first"].items() if tables["copy"][name] != data} == {"documents.parquet"}
    first, other = (pl.read_parquet(tmp_path / name / "documents.parquet").drop("file_time") for name in ("first", "copy"))
    assert first.equals(other)


def test_a_run_from_before_these_columns_is_read(audit: scan.Audit, tmp_path: Path) -> None:
    write_all(audit.result, tmp_path)
    path = tmp_path / "documents.parquet"
    version = pl.read_parquet_metadata(path)[VERSION_KEY]
    pl.read_parquet(path).drop("owner_source", "effective_to", "file_time").write_parquet(path, metadata={VERSION_KEY: version})
    row = read_documents(tmp_path)[0]
    assert (row.owner, row.owner_source, row.effective_to, row.file_time, row.effective) == (
        "@store",
        None,
        None,
        None,
        date(2024, 1, 1),
    )


def test_options_of_the_command_line(corpus: Path, tmp_path: Path) -> None:
    def ran(*options: str) -> tuple[str, dict[str, Any]]:
        out = tmp_path / "-".join(options).replace("/", "_").replace("*", "_")
        run = CliRunner().invoke(app, ["scan", str(corpus), "--out", str(out), "--no-color", *options])
        assert run.exit_code == 0, run.output
        return run.output, {row.path: row for row in read_documents(out)}

    output, rows = ran("--include", "de/**", "--include", "b.*", "--exclude", "de/b.md", "--git")
    assert list(rows) == ["b.md", "de/a.md"]
    assert "2 read, 4 left out" in output  # a.md, de/b.md, CODEOWNERS, out/
    assert "1 compared by numbers, dates and identifiers only" in output
    assert "de/a.md: de" in output
    assert "note        no owner or date from Git: the folder is in no Git repository" in output
    bad = CliRunner().invoke(app, ["scan", str(corpus), "--out", str(tmp_path / "bad"), "--exclude", "../x"])
    assert (bad.exit_code, "--exclude: '../x' must be relative to the corpus root" in bad.output) == (2, True)
