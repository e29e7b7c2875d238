"""The office, mail and export files of `sample_corpus`: what is committed is what the script writes, and the gold list quotes it."""

from __future__ import annotations

import importlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from auditor.load import load_corpus

ROOT = Path(__file__).parent.parent
CORPUS = ROOT / "sample_corpus"
SCRIPTS = ROOT / "scripts"
NEW = 60  # lines of the gold list about these files, the last ones
MODULES = sorted(path.stem for path in (SCRIPTS / "sample_formats").glob("*.py") if path.stem not in ("__init__", "packing"))


def gold() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CORPUS / "gold.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return {document.doc_id: document.text for document in load_corpus(CORPUS)[0]}


def unpacked(data: bytes) -> Any:
    """A ZIP file without its compression, which is the matter of the zlib at hand; any other file as it is."""
    if not data.startswith(b"PK\x03\x04"):
        return data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(member.filename, member.date_time, unpacked(archive.read(member))) for member in archive.infolist()]


@pytest.mark.parametrize("family", MODULES)
def test_the_script_writes_what_is_committed(family: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    assert sorted(importlib.import_module("make_sample_formats").FAMILIES) == MODULES
    try:
        made = importlib.import_module(f"sample_formats.{family}").DOCUMENTS
    except ModuleNotFoundError as absent:
        pytest.skip(f"{absent.name} is not installed (test extra)")
    assert made
    for name, make in made.items():
        data, committed = make(), (CORPUS / name).read_bytes()
        assert data == make(), f"{name}: two runs, two files"
        assert len(committed) < 60_000, name
        if name.endswith(".parquet") and data != committed:  # the writer puts its version in
            assert pl.read_parquet(io.BytesIO(data)).equals(pl.read_parquet(CORPUS / name)), name
        else:
            assert unpacked(data) == unpacked(committed), (
                f"{name}: run scripts/make_sample_formats.py, with the versions of constraints.txt"
            )


def test_the_new_gold_lines_are_complete() -> None:
    lines = gold()
    assert len({line["id"] for line in lines}) == len(lines)
    new = lines[-NEW:]
    assert [line["label"] for line in new].count("contradiction") == 20
    assert [line["split"] for line in new] == ["open", "sealed"] * (NEW // 2)
    assert all(line["doc_a"] <= line["doc_b"] for line in new)
    assert {tuple(line) for line in lines} == {tuple(lines[0])}


@pytest.mark.parametrize("line", gold()[-NEW:], ids=lambda line: line["id"])
def test_a_reader_of_the_document_finds_the_quote(line: dict[str, Any], texts: dict[str, str]) -> None:
    for side in "ab":
        assert line[f"quote_{side}"] in texts[line[f"doc_{side}"]]


def test_only_the_accepted_side_of_a_tracked_change_is_read(texts: dict[str, str]) -> None:
    text = texts["hr/working-time-and-remote-work.docx"]
    assert "up to 30 working days a year" in text
    assert not [old for old in ("2030", "3020", "paid out", "30 days after the trip") if old in text]
