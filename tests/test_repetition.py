"""Text that repeats itself costs in proportion to its length: work is counted, not timed."""

from __future__ import annotations

import re
import shutil
from datetime import date
from pathlib import Path

import pytest

from auditor import scan
from auditor.config import load_config
from auditor.text import sentences

RULES = Path(__file__).parent.parent / "rules"


def test_looking_back_for_the_last_word_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []

    class Counting:
        def search(self, text: str, start: int, end: int) -> object:
            looked_at.append(end - start)
            return original.search(text, start, end)

    original = sentences._LAST_WORD
    monkeypatch.setattr(sentences, "_LAST_WORD", Counting())
    assert len(sentences.split("The return window is 40 days. " * 500)) == 500
    assert max(looked_at) <= sentences._WINDOW


@pytest.mark.parametrize("text", ["The return window is 40 days after delivery. {n}", "Item w{n} has weight {n} kg."])
def test_candidates_grow_with_the_statements_not_with_their_square(text: str, tmp_path: Path) -> None:
    rules = tmp_path / "rules"
    shutil.copytree(RULES, rules)
    score = (rules / "score.toml").read_text()
    (rules / "score.toml").write_text(re.sub(r"(?m)^((?:open|close)_(?:least|share)) = \S+", r"\1 = 0", score))  # no reading
    per_statement = []
    for size in (200, 800):
        folder = tmp_path / str(size)
        folder.mkdir()
        (folder / "a.md").write_text("\n\n".join(text.format(n=n) for n in range(size)))
        options = scan.ScanOptions(folder, load_config(folder, None), rules=rules, as_of=date(2026, 1, 1))
        counts = scan.run(options).result.counts
        assert counts["read_closely"] == counts["read_passages"] == 0
        per_statement.append(counts["candidates"] / counts["statements"])
    assert per_statement[1] <= 1.5 * per_statement[0]


def test_a_file_name_that_is_no_text_costs_only_that_file(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("# Returns\n\nReturn goods within 14 days.\n")
    try:
        (tmp_path / "bad\udcff.md").write_text("x 5 days\n")
    except (OSError, UnicodeEncodeError):
        pytest.skip("this file system takes no such name")
    audit = scan.run(scan.ScanOptions(tmp_path, load_config(tmp_path, None), as_of=date(2026, 1, 1)))
    assert [d.doc_id for d in audit.documents] == ["good.md"]
    assert [(s.doc_id, s.reason) for s in audit.skipped] == [("bad\\udcff.md", "the file name is not valid UTF-8")]
