"""The corpora with planted contradictions are what figures rest on: their gold lists have to fit their documents."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

CORPORA = Path(__file__).parent / "corpora"
FOLDERS = sorted(path.parent for path in CORPORA.glob("*/gold.jsonl"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_gold_quote_stands_in_its_document(folder: Path) -> None:
    lines = [json.loads(line) for line in (folder / "gold.jsonl").read_text(encoding="utf-8").splitlines()]
    assert all(count == 1 for count in Counter(line["id"] for line in lines).values())
    assert {line["label"] for line in lines} == {"contradiction", "no_contradiction"}
    for line in lines:
        for side in ("a", "b"):
            assert line[f"quote_{side}"] in (folder / line[f"doc_{side}"]).read_text(encoding="utf-8"), line["id"]


def test_no_corpus_is_both_learned_from_and_reported_as_unseen() -> None:
    """The table in the README says what each corpus is for; the two scripts that learn have to agree with it."""
    rows = [line for line in (CORPORA / "README.md").read_text(encoding="utf-8").splitlines() if line.startswith("|")][2:]
    uses = [set(re.findall(r"[a-z]+(?:_[a-z]+)*", row.split("|")[2])) & {f.name for f in FOLDERS} for row in rows]
    learned, fitted, unseen = uses
    from scripts.fit_score import CORPORA as FITTED
    from scripts.fit_score import WHOLE
    from scripts.reader_data import ALL

    assert learned == set(ALL)
    assert fitted == {Path(name).name for name in FITTED} - {"sample_corpus"}
    assert not learned & fitted
    assert not unseen & (learned | set(WHOLE))
    assert {f.name for f in FOLDERS} == learned | fitted | unseen
