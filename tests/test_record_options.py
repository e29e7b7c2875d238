"""Fields of records, from the configuration and the command line to the findings."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from auditor.cli import app
from auditor.config import Config, load_config
from auditor.errors import UserError
from auditor.load.config import RecordFields

LAW = "# Refunds\n\nThe refund period is 30 days from delivery.\n"
ARTICLE = {
    "key": "KB-7",
    "fields": {"main": "<p>The refund period is 14 days from delivery.</p>", "label": "Refunds"},
    "seen": 1709251200,
}


def test_configuration(tmp_path: Path) -> None:
    without = load_config(tmp_path, None)
    assert without.load_config().records == RecordFields()
    (tmp_path / "audit.toml").write_text('[records]\ntext = "fields.body"\nid = "key"\n')
    config = load_config(tmp_path, None)
    changed = config.with_records(id=None, text="body", title=None, date="seen")
    assert config.load_config().records == RecordFields(text="fields.body", id="key")
    assert changed.load_config().records == RecordFields(text="body", id="key", date="seen")
    assert changed.source == config.source
    assert len({without.sha256, config.sha256, changed.sha256}) == 3
    with pytest.raises(UserError, match=r"^--text-field: .*at least 1 character"):
        Config().with_records(text="")
    (tmp_path / "audit.toml").write_text('[records]\ntexts = "body"\n')
    with pytest.raises(UserError, match=r"^audit\.toml: records\.texts: unknown key; did you mean 'text'\?$"):
        load_config(tmp_path, None)


@pytest.mark.parametrize("by_file", [True, False])
def test_scan(tmp_path: Path, by_file: bool) -> None:
    corpus, out = tmp_path / "store", tmp_path / "out"
    corpus.mkdir()
    (corpus / "law.md").write_text(LAW)
    (corpus / "kb.jsonl").write_text(json.dumps(ARTICLE) + "\n{\n")
    given = {"text": "fields.main", "title": "fields.label", "date": "seen"}
    if by_file:
        (corpus / "audit.toml").write_text("[records]\n" + "".join(f'{name} = "{field}"\n' for name, field in given.items()))
    options = [] if by_file else [part for name, field in given.items() for part in (f"--{name}-field", field)]
    result = CliRunner().invoke(app, ["scan", str(corpus), "--out", str(out), "--no-color", *options])
    assert result.exit_code == 0, result.output
    documents = {row["path"]: row for row in pl.read_parquet(out / "documents.parquet").iter_rows(named=True)}
    assert sorted(documents) == ["kb.jsonl#KB-7", "kb.jsonl#line 2", "law.md"]
    record = documents["kb.jsonl#KB-7"]
    assert (record["title"], record["format"], str(record["published"]), record["published_source"]) == (
        "Refunds",
        "jsonl",
        "2024-03-01",
        "record",
    )
    assert "not JSON" in documents["kb.jsonl#line 2"]["skipped_reason"]
    (conflict,) = pl.read_parquet(out / "conflicts.parquet").iter_rows(named=True)
    assert (conflict["doc_a"], conflict["locator_a"], conflict["line_start_a"]) == ("kb.jsonl#KB-7", "paragraph=1", None)
    assert (conflict["quote_a"], conflict["quote_b"]) == (
        "The refund period is 14 days from delivery.",
        "The refund period is 30 days from delivery.",
    )
