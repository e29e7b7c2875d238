"""What blocking missed: estimated, written, printed."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from auditor.blocking import Blocking, Cut, RecallEstimate, Search, blocking_of, record, wilson
from auditor.cli import app
from auditor.commands.blocking_view import blocking_lines
from auditor.config import load_config
from auditor.resources import resource_dir
from auditor.run_reader import read_result
from auditor.scan import Audit, ScanOptions, run

PAGES = {
    "faq.md": "# Returns\n\nItems may be returned within 14 days of purchase.\n\n# Limits\n\nThe gateway takes 500 requests per minute.\n",
    "legal.md": "# Returns\n\nItems may be returned within 30 days of purchase.\n\n# House rules\n\nSmoking is prohibited in all rooms.\n",
    "api.md": "# Limits\n\nThe gateway takes 100 requests per minute.\n\n# Lease\n\nThe lease ends on 31 March 2025.\n",
    "ops.md": "# Backups\n\nBackups are kept for 30 days.\n\n# House rules\n\nSmoking is allowed in all rooms.\n",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("estimate") / "handbook"
    folder.mkdir()
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def blind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rules by which no list brings a candidate."""
    folder = tmp_path_factory.mktemp("rules")
    text = (resource_dir("rules") / "score.toml").read_text(encoding="utf-8")
    for name in ("neighbours = 12", "words = 15", "keyed = 30"):
        assert name in text
        text = text.replace(name, name.split("=")[0] + "= 0")
    (folder / "score.toml").write_text(text, encoding="utf-8")
    return folder


@cache
def scanned(corpus: Path, sample: int, rules: Path | None = None) -> Audit:
    return run(ScanOptions(corpus, load_config(corpus, None), rules=rules, as_of=date(2026, 1, 1), estimate_recall=sample))


def by_hand(audit: Audit) -> set[tuple[int, int]]:
    """The pairs of typed statements that the scan would make a finding of if it compared all pairs."""
    typed = [i for i, facts in enumerate(audit.facts) if facts]
    return {(i, j) for i in typed for j in typed if i < j and audit.judge(i, j)[0] and screened(audit, i, j)}


def screened(audit: Audit, i: int, j: int) -> bool:
    """Whether the first look, with which `Audit.judge` does not stop, leaves anything."""
    judge, statements = audit.judge_, audit.statements
    a, b = (judge.classes(audit.facts[n]) for n in (i, j))
    found, _ = judge.compare(statements[i], statements[j], a, b, audit.similarity(i, j))
    return any(c.confidence >= audit.rules.score.screen_floor for c in found)


def estimate_of(audit: Audit) -> RecallEstimate:
    found = audit.result.blocking.estimate
    assert found is not None
    return found


def test_nothing_is_missed_where_everything_was_a_candidate(corpus: Path) -> None:
    audit = scanned(corpus, 1000)
    found, true = estimate_of(audit), by_hand(audit)
    typed = sum(bool(facts) for facts in audit.facts)
    assert (found.statements, found.pairs) == (typed, typed * (typed - 1) // 2)
    assert 0 < found.compared < found.pairs
    assert len(true) >= 2
    assert (found.found, found.missed, found.share) == (len(true), 0, 0.0)


def test_everything_is_missed_where_nothing_was_a_candidate(corpus: Path, blind: Path) -> None:
    audit = scanned(corpus, 1000, blind)
    found, true = estimate_of(audit), by_hand(audit)
    assert len(audit.candidates) == 0
    assert not [f for f in audit.findings if f.detectors != ("reader",)]  # near passages are not sought by blocking
    assert len(true) >= 2
    assert (found.found, found.missed, found.share) == (0, len(true), 1.0)


def test_sample_is_the_same_every_time_and_counts_its_own_conflicts_only(corpus: Path, blind: Path) -> None:
    first, second = (estimate_of(scanned.__wrapped__(corpus, 2, blind)) for _ in range(2))
    assert first == second
    whole = estimate_of(scanned(corpus, 1000, blind))
    typed = whole.statements
    assert (first.statements, first.pairs) == (2, 2 * typed - 3)  # the pair of the two is one
    assert first.missed < whole.missed


def test_no_estimate_unless_asked_for(corpus: Path) -> None:
    audit = scanned(corpus, 0)
    assert audit.result.blocking.estimate is None
    assert "estimate" not in {stage.name for stage in audit.result.stages}


def test_findings_are_the_same_with_and_without(corpus: Path) -> None:
    assert scanned(corpus, 1000).result.conflicts == scanned(corpus, 0).result.conflicts


def test_command(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = [
        "scan",
        str(corpus),
        "--out",
        str(out),
        "--no-cache",
        "--as-of",
        "2026-01-01",
        "--estimate-recall",
        "1000",
        "--no-color",
    ]
    ended = CliRunner().invoke(app, arguments)
    assert ended.exit_code == 0, ended.output
    assert "missed 0.0 % of the conflicts" in " ".join(ended.output.split())
    written = json.loads((out / "run.json").read_text(encoding="utf-8"))["blocking"]
    assert written["estimate"]["missed"] == 0
    assert written["estimate"]["share_missed"] == 0.0
    assert written["estimate"]["interval"][0] == 0.0
    assert written["search"]["index"] == "exact"
    assert [cut["list"] for cut in written["cuts"]] == ["keys", "words"]
    assert read_result(out).blocking == blocking_of(written)


def test_sample_has_to_be_positive(corpus: Path) -> None:
    assert CliRunner().invoke(app, ["scan", str(corpus), "--estimate-recall", "0"]).exit_code == 2


# -- the record ------------------------------------------------------------------------------------------------------------------

FULL = Blocking(
    (Cut("keys", 5, 2, 900, 81_000, 1_000), Cut("words", 1, 1, 300, 44_850, 0)),
    Search("ivf", 60_000, 490, 16, 1000, 0.9312),
    RecallEstimate(100, 5_000_000, 400_000, 57, 3),
)


@pytest.mark.parametrize("blocking", [Blocking(), FULL, replace(FULL, estimate=RecallEstimate(5, 10, 4, 0, 0))])
def test_record_is_read_back(blocking: Blocking) -> None:
    assert blocking_of(json.loads(json.dumps(record(blocking)))) == blocking


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (1, 10, 0.0179, 0.4042),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (0, 0, 0.0, 1.0),
        (3, 60, 0.0171, 0.1370),
    ],
)
def test_wilson(hits: int, of: int, low: float, high: float) -> None:
    assert wilson(hits, of) == pytest.approx((low, high), abs=5e-5)


def shown(blocking: Blocking) -> list[str]:
    return [
        " ".join([label, *(part if isinstance(part, str) else part[0] for part in parts)])
        for label, *parts in blocking_lines(blocking)
    ]


def test_nothing_to_say() -> None:
    assert shown(Blocking((Cut("keys", 4, 0, 30, 1000, 900),), Search("exact", 10))) == []


def test_what_was_left_out_is_said() -> None:
    keys, near, missed = shown(FULL)
    assert keys.startswith("too common 3 keys or words")
    assert "124,850 pairs" in keys
    assert near.startswith("neighbours 93.1 % of the nearest found")
    assert missed.startswith("missed 5.0 % of the conflicts, 1.7 % to 13.7 % with 95 % confidence")
    assert "3 of 60" in missed
    assert "5,000,000 pairs" in missed


def test_estimate_without_a_conflict() -> None:
    assert shown(Blocking(estimate=RecallEstimate(1, 9, 4, 0, 0))) == [
        "missed no estimate: no conflict   (1 statement against all: 9 pairs)"
    ]
