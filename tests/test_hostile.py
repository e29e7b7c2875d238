"""A scan with hostile documents among the others: bounded time and memory, a reason for each, and the rest of the scan unchanged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import hostile
import pytest

from auditor.store import read_conflicts, read_documents

PAGES = {
    "policy.md": "# Returns\n\nReturns are accepted within 30 days of delivery.\n\nThe fee for express delivery is 12.50 EUR.\n",
    "faq.md": "# Questions about returns\n\nReturns are accepted within 14 days of delivery.\n\nExpress delivery costs 12.50 EUR.\n",
}
SECONDS, MEMORY_MIB = 10, 1024
READ = {"script.html", "circle.pdf"}  # what a parser may well make something of


def scan(corpus: Path, out: Path) -> None:
    (corpus / "audit.toml").write_text(f"[limits]\nseconds = {SECONDS}\nmemory_megabytes = {MEMORY_MIB}\n")
    command = [sys.executable, "-c", "from auditor.cli import main; main()", "scan", str(corpus), "--out", str(out), "--quiet"]
    finished = subprocess.run(command, timeout=400, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Output folders of a scan of two good pages, and of the same pages in a hostile company."""
    clean, hurt = tmp_path_factory.mktemp("clean"), tmp_path_factory.mktemp("hurt")
    for folder in (clean, hurt):
        (folder / "corpus" / "good").mkdir(parents=True)
        for name, text in PAGES.items():
            (folder / "corpus" / "good" / name).write_text(text)
    (hurt / "corpus" / "bad").mkdir()
    hostile.build(hurt / "corpus" / "bad")
    scan(clean / "corpus", clean / "out")
    scan(hurt / "corpus", hurt / "out")
    return clean / "out", hurt / "out"


def test_the_rest_of_the_scan_is_unchanged(runs: tuple[Path, Path]) -> None:
    # Hints aside: which passages are near enough to be read depends on what else lies in the store.
    clean, hurt = ([c for c in read_conflicts(folder) if c.tier != "advisory"] for folder in runs)
    assert len(clean) == 1
    found = [c for c in hurt if not {c.a.doc, c.b.doc} & {d.path for d in read_documents(runs[1]) if d.path.startswith("bad/")}]
    assert [(c.conflict_id, c.a.quote, c.b.quote) for c in found] == [(c.conflict_id, c.a.quote, c.b.quote) for c in clean]


def test_every_hostile_file_is_a_row_with_its_reason(runs: tuple[Path, Path]) -> None:
    rows = {row.path: row for row in read_documents(runs[1])}
    for name in hostile.files():
        held = [row for path, row in rows.items() if path == f"bad/{name}" or path.startswith((f"bad/{name}!/", f"bad/{name}#"))]
        if name.endswith((".json", ".xml")):
            continue  # a JSON or XML file that is no export is no document
        assert held, name
        if name in {"bomb.docx", "outside.docx", "bomb.odt", "outside.odt", "bomb.xlsx", "outside.xlsx", "unpacks.docx", "noise.pdf",
                    "noise.docx", "noise.xls", "noise.msg", "noise.parquet", "length.parquet", "named.pdf", "cut.pdf", "nul.md",
                    "mixed.txt", "half.txt", "empty.docx", "spaces.md", "cells.epub"}:  # fmt: skip
            assert all(row.skipped_reason for row in held), (name, [row.skipped_reason for row in held])
    for name in ("big.txt", "big.md"):
        assert "larger than the limit" in str(rows[f"bad/{name}"].skipped_reason)
    for name in ("out.md", "device.txt"):
        assert rows[f"bad/{name}"].skipped_reason == "symbolic link that leaves the corpus"
    assert rows["bad/pipe.md"].skipped_reason == "not a regular file"


def test_nothing_from_outside_was_read(runs: tuple[Path, Path]) -> None:
    for path in runs[1].iterdir():
        data = path.read_bytes()
        assert b"root:x:0:0" not in data
        assert b"# Outside" not in data
    assert not any("outside.md" in row.path and not row.skipped_reason for row in read_documents(runs[1]))


def test_memory_stayed_within_bounds(runs: tuple[Path, Path]) -> None:
    record = json.loads((runs[1] / "run.json").read_text())
    assert max(stage["peak_mib"] for stage in record["stages"]) < 1200


def test_no_name_reaches_the_terminal_or_the_report_raw(runs: tuple[Path, Path]) -> None:
    assert b"\x1b" not in (runs[1] / "report.html").read_bytes()
    assert b"\x1b" not in (runs[1] / "report.md").read_bytes()
    assert b"<img src=x" not in (runs[1] / "report.html").read_bytes()
