"""Parquet in and out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from auditor.errors import UserError
from auditor.format import write_all
from auditor.format.jsonl import record
from auditor.format.parquet import PARQUET
from auditor.model import ScanResult
from auditor.resources import resource_dir
from auditor.schema import CONFLICTS, SCHEMA_VERSION, TABLES
from auditor.store import (
    VERSION_KEY,
    in_order,
    parquet_bytes,
    polars_schema,
    read_chunks,
    read_clusters,
    read_conflicts,
    read_documents,
    to_frame,
)
from tests.factories import empty_result, hostile_result, make_conflict, make_side, realistic_result


def write_tables(result: ScanResult, out: Path) -> Path:
    write_all(result, out, PARQUET)
    return out


def test_everything_in_the_contract_comes_back(tmp_path: Path) -> None:
    result = realistic_result()
    out = write_tables(result, tmp_path / "out")
    plain = [
        replace(conflict, features={}, a=replace(conflict.a, marks=()), b=replace(conflict.b, marks=()))
        for conflict in in_order(result.conflicts)
    ]
    assert list(read_conflicts(out)) == plain
    assert read_clusters(out) == result.clusters
    assert read_documents(out) == result.documents
    assert read_chunks(out) == result.chunks


def test_columns_are_those_of_the_contract() -> None:
    sides = [
        f"{name}_{side}"
        for side in "ab"
        for name in [
            "doc",
            "title",
            "owner",
            "source_tier",
            "published",
            "effective",
            "heading",
            "chunk_id",
            "quote",
            "statement",
            "char_start",
            "char_end",
            "line_start",
            "line_end",
            "page",
            "locator",
            "url",
            "value",
            "scope",
        ]
    ]
    head = [
        "conflict_id",
        "content_hash",
        "cluster_id",
        "kind",
        "detectors",
        "fields",
        "attribute",
        "entity_key",
        "category",
        "tier",
        "confidence",
        "topic_similarity",
        "via",
    ]
    tail = [
        "rule_applied",
        "rule_trace",
        "winner",
        "loser_retained",
        "status",
        "reviewer",
        "reviewer_decision",
        "condition",
        "decided_at",
        "explanation",
    ]
    assert [column.name for column in CONFLICTS.columns] == [*head, *sides, *tail]


def test_empty_tables_have_all_their_columns(tmp_path: Path) -> None:
    write_tables(empty_result(), tmp_path)
    for table in TABLES:
        assert pl.read_parquet_schema(tmp_path / table.filename) == pl.Schema(polars_schema(table))
        assert pl.read_parquet_metadata(tmp_path / table.filename)[VERSION_KEY] == str(SCHEMA_VERSION)


def test_order_is_tier_then_confidence_then_identity() -> None:
    conflicts = in_order(reversed(realistic_result().conflicts))
    keys = [(["high", "medium", "advisory"].index(c.tier), -c.confidence, c.conflict_id) for c in conflicts]
    assert keys == sorted(keys)


def test_a_missing_required_value_is_refused() -> None:
    conflict = replace(make_conflict(make_side("a.md", "1", "1"), make_side("b.md", "2", "2")), tier=None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"conflicts\.tier is required"):
        to_frame(CONFLICTS, [conflict])


def test_confidences_have_four_places() -> None:
    conflict = make_conflict(
        make_side("a.md", "1", "1"), make_side("b.md", "2", "2"), confidence=0.123456, topic_similarity=-0.00001
    )
    row = to_frame(CONFLICTS, [conflict]).row(0, named=True)
    assert (row["confidence"], str(row["topic_similarity"])) == (0.1235, "0.0")


def test_hostile_text_is_kept_verbatim(tmp_path: Path) -> None:
    result = hostile_result()
    back = read_conflicts(write_tables(result, tmp_path))
    for written, read in zip(in_order(result.conflicts), back, strict=True):
        # A lone surrogate is the only thing UTF-8 cannot hold.
        assert read.a.quote == written.a.quote.replace("\ud800", "?")


def test_a_folder_without_tables_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"holds no conflicts\.parquet"):
        read_conflicts(tmp_path)


def test_a_damaged_table_is_named(tmp_path: Path) -> None:
    (tmp_path / "conflicts.parquet").write_bytes(b"PAR1 no table PAR1")
    with pytest.raises(UserError, match=r"conflicts\.parquet cannot be read"):
        read_conflicts(tmp_path)


def test_a_table_of_another_schema_is_refused(tmp_path: Path) -> None:
    to_frame(CONFLICTS, []).write_parquet(tmp_path / "conflicts.parquet", metadata={VERSION_KEY: "99"})
    with pytest.raises(UserError, match="schema version 99"):
        read_conflicts(tmp_path)


def test_equal_results_give_equal_bytes_in_another_process(tmp_path: Path) -> None:
    """Another process has other hash seeds and another number of threads."""
    program = (
        "import hashlib, sys; from pathlib import Path; from tests.factories import realistic_result;"
        "from auditor.format import write_all;"
        "paths = write_all(realistic_result(), Path(sys.argv[1]));"
        "print(*(p.name + ' ' + hashlib.sha256(p.read_bytes()).hexdigest() for p in paths), sep='\\n')"
    )
    root = Path(__file__).parents[2]
    outputs = []
    for seed, threads in (("1", "1"), ("2", "2")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "POLARS_MAX_THREADS": threads, "PYTHONPATH": str(root)}
        command = [sys.executable, "-c", program, str(tmp_path / seed)]
        outputs.append(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)
    assert outputs[0] == outputs[1]
    assert len(outputs[0].splitlines()) == 8


def test_bytes_do_not_depend_on_how_the_frame_was_built() -> None:
    conflicts = in_order(realistic_result().conflicts)
    whole = to_frame(CONFLICTS, conflicts)
    parts = pl.concat([to_frame(CONFLICTS, [conflict]) for conflict in conflicts], rechunk=False)
    assert parquet_bytes(whole) == parquet_bytes(parts)


def test_jsonl_says_the_same_as_parquet(tmp_path: Path) -> None:
    result = realistic_result()
    write_all(result, tmp_path)
    records = [json.loads(line) for line in (tmp_path / "conflicts.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = pl.read_parquet(tmp_path / "conflicts.parquet").to_dicts()
    renamed = {"verbatim": "quote", "published_date": "published", "effective_date": "effective"}
    for row, rec in zip(rows, records, strict=True):
        flat = {("fields" if key == "detected_fields" else key): value for key, value in rec.items()}
        winner = flat.pop("winner")
        flat["winner"] = flat.pop("winner_side")
        assert winner == (row[f"chunk_id_{row['winner']}"] if row["winner"] else None)
        for chunk in flat.pop("chunks"):
            side = chunk.pop("side")
            flat |= {f"{renamed.get(key, key)}_{side}": value for key, value in chunk.items()}
        assert flat == {key: value.isoformat() if hasattr(value, "isoformat") else value for key, value in row.items()}


def test_jsonl_is_one_record_a_line_with_sorted_keys(tmp_path: Path) -> None:
    write_all(hostile_result(), tmp_path)
    data = (tmp_path / "conflicts.jsonl").read_bytes()
    assert b"\r" not in data
    lines = data.decode("utf-8").splitlines()  # splits at U+2028 and U+0085 as well
    assert len(lines) == len(hostile_result().conflicts)
    for line in lines:
        assert list(json.loads(line)) == sorted(json.loads(line))


def test_two_sides_of_one_chunk_are_told_apart() -> None:
    a, b = (make_side("a.md", f"{n} days", f"{n} days", line=line) for n, line in ((30, 2), (90, 3)))
    assert a.chunk_id == b.chunk_id
    written = record(make_conflict(a, b, winner="b"))
    assert (written["winner"], written["winner_side"]) == (b.chunk_id, "b")


def test_resources_are_found() -> None:
    assert (resource_dir("reports") / "report.html.j2").is_file()
