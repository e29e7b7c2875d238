"""What the trainers take from a corpus with a gold list."""

from __future__ import annotations

import json
from pathlib import Path

from auditor.embed.reader import DIFFER
from scripts.reader_data import NOT_DIFFER
from scripts.reader_stores import listed, near_pairs

HOURS = "# Opening hours\n\nThe shop opens at nine in the morning.\n\nDogs may come in on a lead.\n"
VISIT = "# Your visit\n\nThe shop opens at ten in the morning.\n\nDogs on a lead may come in.\n\nDoes the shop open on Sundays?\n"


def store(folder: Path) -> Path:
    """Two documents that disagree about one thing and agree about another."""
    (folder / "hours.md").write_text(HOURS, encoding="utf-8")
    (folder / "visit.md").write_text(VISIT, encoding="utf-8")
    pairs = [
        ("The shop opens at nine in the morning.", "The shop opens at ten in the morning.", "contradiction"),
        ("Dogs may come in on a lead.", "Dogs on a lead may come in.", "no_contradiction"),
    ]
    gold = [{"doc_a": "hours.md", "doc_b": "visit.md", "quote_a": a, "quote_b": b, "label": label} for a, b, label in pairs]
    (folder / "gold.jsonl").write_text("\n".join(map(json.dumps, gold)) + "\n", encoding="utf-8")
    return folder


def test_listed_pairs_have_their_labels_and_are_not_drawn_again(tmp_path: Path) -> None:
    found = listed(store(tmp_path))
    assert [(a.partition(": ")[2], b.partition(": ")[2], label) for a, b, label in found.labelled] == [
        ("The shop opens at nine in the morning.", "The shop opens at ten in the morning.", DIFFER),
        ("Dogs may come in on a lead.", "Dogs on a lead may come in.", NOT_DIFFER),
    ]
    assert not {frozenset(pair) for pair in found.unlisted} & {frozenset((a, b)) for a, b, _ in found.labelled}
    assert len(found.readings) == 4  # neither headings nor questions


def test_near_pairs_of_a_store_are_its_likest_statements(tmp_path: Path) -> None:
    pairs = near_pairs(store(tmp_path), (1,), 3, 0.5)
    assert {frozenset(text.partition(": ")[2][:8] for text in pair) for pair in pairs} >= {frozenset({"The shop"})}
