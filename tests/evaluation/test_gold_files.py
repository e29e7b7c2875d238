from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.errors import UserError
from auditor.evaluation.gold import open_bench, read_gold

OURS = {"id": "c1", "doc_a": "a.md", "doc_b": "b.md", "quote_a": "x", "quote_b": "y", "label": "contradiction"}
REPORTED = {
    "id": "r1",
    "path_a": "a.md",
    "path_b": "b.md",
    "anchor_a": "x",
    "anchor_b": "y",
    "strength": "clear",
    "kind": "version",
}


def write(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows), encoding="utf-8")
    return path


def test_the_complete_form(tmp_path: Path) -> None:
    rows = [
        OURS | {"kind": "numeric", "category": "factual", "winner": "b.md", "rule": "timestamp", "why": "w", "split": "sealed"},
        OURS | {"id": "c2", "label": "no_contradiction", "winner": None},
    ]
    gold = read_gold(write(tmp_path / "gold.jsonl", rows[0], "", rows[1]))
    first, second = gold.pairs
    assert gold.complete
    assert (first.contradiction, first.winner, first.rule, first.split) == (True, "b", "timestamp", "sealed")
    assert (second.contradiction, second.winner, second.split) == (False, "", "open")


def test_the_reported_form_scans_the_docs_beside_it_and_knows_the_false_alarms(tmp_path: Path) -> None:
    tree = tmp_path / "field" / "tree-1"
    (tree / "docs").mkdir(parents=True)
    write(tree / "gold.jsonl", REPORTED, REPORTED | {"id": "r2", "strength": "borderline"})
    alarm = {"id": "fa1", "path_a": "a.md", "path_b": "b.md", "anchor_a": "p", "anchor_b": "q", "why_fine": "other plan"}
    write(tmp_path / "field" / "false_alarms.jsonl", alarm | {"corpus": "tree-1"}, alarm | {"id": "fa2", "corpus": "tree-2"})
    bench = open_bench(tree)
    assert bench.corpus == tree / "docs"
    assert not bench.gold.complete
    assert [(p.id, p.contradiction, p.optional) for p in bench.gold.pairs] == [
        ("r1", True, False),
        ("r2", True, True),
        ("fa1", False, False),
    ]


def test_a_complete_gold_speaks_of_its_own_folder_even_if_it_has_docs(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    write(tmp_path / "gold.jsonl", OURS)
    assert open_bench(tmp_path).corpus == tmp_path


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "holds no pairs"),
        (["{"], "gold.jsonl:1: not JSON"),
        (["[]"], "gold.jsonl:1: not an object"),
        ([OURS, {**OURS, "id": "c2", "label": "maybe"}], "gold.jsonl:2: label “maybe” is neither"),
        ([{**OURS, "quote_b": 5}], "gold.jsonl:1: “quote_b” is not a text"),
        ([{k: v for k, v in OURS.items() if k != "quote_a"}], "gold.jsonl:1: “quote_a” is missing"),
        ([OURS, OURS], "the id c1 is given twice"),
        ([OURS, REPORTED], "are mixed"),
        ([{**OURS, "winner": "c.md"}], "winner “c.md”"),
        ([{**OURS, "split": "half"}], "split “half”"),
    ],
)
def test_a_bad_gold_is_refused_with_its_line(tmp_path: Path, rows: list[Any], said: str) -> None:
    with pytest.raises(UserError) as caught:
        read_gold(write(tmp_path / "gold.jsonl", *rows))
    assert said in str(caught.value)


def test_a_missing_or_undecodable_gold_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        read_gold(tmp_path / "gold.jsonl")
    (tmp_path / "gold.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match="not UTF-8"):
        read_gold(tmp_path / "gold.jsonl")
