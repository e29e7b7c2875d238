"""The whole way on `sample_corpus`: offline, deterministic, verbatim."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from part_of_sample import copy_part
from pytest_socket import disable_socket, enable_socket

from auditor import scan
from auditor.config import load_config
from auditor.format import write_all
from auditor.load import load_corpus
from auditor.store import read_conflicts

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "sample_corpus"
FIXED = (
    "conflicts.parquet",
    "conflicts.jsonl",
    "clusters.parquet",
    "documents.parquet",
    "chunks.parquet",
    "report.html",
    "report.md",
)


@pytest.fixture(scope="module")
def audit() -> scan.Audit:
    """One scan of the sample corpus with all sockets disabled: the whole way has to work without a network."""
    disable_socket()
    try:
        return scan.run(scan.ScanOptions(CORPUS, load_config(CORPUS, None), as_of=date(2026, 1, 1)))
    finally:
        enable_socket()


@pytest.fixture(scope="module")
def out(audit: scan.Audit, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    write_all(audit.result, folder)
    return folder


def test_it_finds_what_it_is_sold_for(audit: scan.Audit) -> None:
    pairs = {(c.a.doc, c.b.doc) for c in audit.result.conflicts}
    assert (
        "finance/fy2023-audited-restatement.md",
        "finance/fy2023-preliminary-memo.txt",
    ) in pairs  # preliminary and restated revenue
    assert ("LICENSE", "api/sdk-python-README.md") in pairs
    assert ("clinical/vitamin-d-guidance-2010.md", "clinical/vitamin-d-guidance-2020.md") in pairs
    assert ("api/errors-and-limits.html", "api/reference-v1.2.md") in pairs
    assert ("engineering/architecture-overview.html", "partners/integration-guide-clinova.md") in pairs  # retired and available


def test_blocking_avoids_nearly_all_pairs(audit: scan.Audit) -> None:
    counts = audit.result.counts
    assert counts["candidates"] + counts["pairs_avoided"] == counts["possible_pairs"]
    assert counts["candidates"] < 0.02 * counts["possible_pairs"]


def test_quotes_are_verbatim_and_lines_exact(audit: scan.Audit) -> None:
    texts = {d.doc_id: d for d in audit.documents}
    assert audit.result.conflicts
    for conflict in audit.result.conflicts:
        assert conflict.a.doc <= conflict.b.doc
        for side in (conflict.a, conflict.b):
            document = texts[side.doc]
            assert document.text[side.char_start : side.char_end] == side.quote
            assert side.line_start == document.line_at(side.char_start)
            if document.format in {"markdown", "text", "rst"} and "!/" not in side.doc and "#" not in side.doc:
                source = (CORPUS / side.doc).read_text(encoding="utf-8").splitlines()
                assert side.quote.splitlines()[0] in source[side.line_start - 1]


def test_history_is_not_held_against_standing_text(audit: scan.Audit) -> None:
    history = {d.doc_id for d in audit.documents if d.history}
    assert history
    assert not [c for c in audit.result.conflicts if c.a.doc in history or c.b.doc in history]


def test_opinions_have_no_winner(audit: scan.Audit) -> None:
    opinions = [c for c in audit.result.conflicts if c.category == "opinion"]
    assert opinions
    assert all(c.winner is None and c.rule_applied[-1] == "present_both" for c in opinions)


def test_one_sided_scope_is_never_high(audit: scan.Audit) -> None:
    one_sided = [f for f in audit.findings if f.one_sided]
    assert one_sided
    assert all(f.tier != "high" for f in one_sided)


def test_what_is_written_can_be_read(audit: scan.Audit, out: Path) -> None:
    assert [c.conflict_id for c in read_conflicts(out)] == [
        json.loads(line)["conflict_id"] for line in (out / "conflicts.jsonl").open()
    ]
    run = json.loads((out / "run.json").read_text())
    assert run["counts"]["documents"] == len(audit.documents) == 136
    html = (out / "report.html").read_text()
    assert "http://" not in html.split("<main")[0]
    assert all(c.conflict_id in html for c in audit.result.conflicts)


def test_explaining_again_gives_the_same(audit: scan.Audit) -> None:
    for finding in audit.findings[:20]:
        again, _ = audit.judge(finding.a, finding.b)
        assert [(f.kind, f.confidence) for f in again] == [(finding.kind, finding.confidence)]


def test_same_bytes_with_any_hash_seed(tmp_path: Path) -> None:
    digests = []
    corpus = copy_part(tmp_path / "corpus")
    for seed in ("1", "2"):
        folder = tmp_path / seed
        subprocess.run(
            [
                sys.executable,
                "-m",
                "auditor.cli",
                "scan",
                str(corpus),
                "--out",
                str(folder),
                "--as-of",
                "2026-01-01",
                "--quiet",
                "--no-cache",
            ],
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        )
        digests.append({name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in FIXED})
    assert digests[0] == digests[1]


def test_no_document_depends_on_the_order_of_files(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    texts = {
        "a.md": "# Returns\n\nGoods may be returned within 30 days of delivery.\n",
        "b.md": "# Shop FAQ\n\nReturn goods within 14 days of delivery.\n",
    }
    for folder, names in ((one, ("a.md", "b.md")), (two, ("b.md", "a.md"))):
        folder.mkdir()
        for name in names:
            (folder / name).write_text(texts[name])
    results = [scan.run(scan.ScanOptions(f, load_config(f, None), as_of=date(2026, 1, 1))).result for f in (one, two)]
    assert results[0].conflicts
    assert results[0].conflicts == results[1].conflicts


def test_documents_of_the_gold_list_are_read() -> None:
    documents, skipped = load_corpus(CORPUS)
    names = {d.doc_id for d in documents}
    gold = [json.loads(line) for line in (CORPUS / "gold.jsonl").open()]
    assert {g["doc_a"] for g in gold} | {g["doc_b"] for g in gold} <= names
    assert not skipped
