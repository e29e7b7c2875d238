from __future__ import annotations

import json
from pathlib import Path

import pytest

from auditor.commands.console import console
from auditor.errors import UserError
from auditor.evaluation.pairs import PairEvaluation, TextPair, evaluate_pairs, read_pairs
from auditor.evaluation.render_pairs import pairs_json, show_pairs
from auditor.model import Finding, Rejection
from tests.evaluation.builders import finding

PAIRS = [
    TextPair("hit", "a", "b", True, kind="numeric", group="hr", reason="REAL"),
    TextPair("low", "a", "b", True, kind="numeric", group="hr", reason="REAL"),
    TextPair("scored", "a", "b", True, kind="numeric", group="law", reason="REAL"),
    TextPair("silent", "a", "b", True, kind="modality", group="law", reason="REAL"),
    TextPair("fine", "a", "b", False, kind="numeric", group="hr", reason="SCOPE"),
    TextPair("false", "a", "b", False, kind="modality", group="hr", reason="SCOPE"),
]
VERDICTS: dict[str, tuple[list[Finding], list[Rejection]]] = {
    "hit": ([finding(0, 1, "advisory", 0.3), finding(0, 1, "high", 0.9)], []),
    "low": ([finding(0, 1, "advisory", 0.3)], []),
    "scored": ([], [Rejection(0, 1, "date", "equal", "same"), Rejection(0, 1, "numeric", "score", "5 against 6", 0.1)]),
    "silent": ([], []),
    "fine": ([], [Rejection(0, 1, "numeric", "scope", "eu against us")]),
    "false": ([finding(0, 1, "medium", 0.6)], []),
}


@pytest.fixture
def evaluation() -> PairEvaluation:
    return evaluate_pairs(PAIRS, lambda pair: VERDICTS[pair.id])


def test_known_figures(evaluation: PairEvaluation) -> None:
    main = evaluation.levels["high+medium"]
    assert (main.score.precision, main.score.recall, main.false_positive_rate) == (0.5, 0.25, 0.5)
    assert evaluation.levels["high"].score.precision == 1.0
    assert evaluation.levels["any"].score.found == 2
    assert evaluation.groups["law"].score.recall == 0.0
    assert evaluation.kinds["modality"].false_positive_rate == 1.0
    assert evaluation.reasons == {"SCOPE": (2, 1)}
    assert evaluation.lost == {"advisory": 1, "score": 1, "no comparable facts": 1}


def test_reasons_of_misses(evaluation: PairEvaluation) -> None:
    assert {o.pair.id: o.why_not for o in evaluation.misses} == {
        "low": "scored 0.30, advisory",
        "scored": "scored 0.10 by numeric: 5 against 6",
        "silent": "no comparable facts",
    }
    assert [o.pair.id for o in evaluation.false] == ["false"]


def test_what_is_printed(evaluation: PairEvaluation, capsys: pytest.CaptureFixture[str]) -> None:
    show_pairs(console(color=False), evaluation, misses=True, false=False)
    out = capsys.readouterr().out
    assert "Missed at high+medium  3" in out
    assert "False positives at" not in out
    data = json.loads(json.dumps(pairs_json(evaluation)))
    assert data["levels"]["high+medium"]["false_positive_rate"] == 0.5
    assert [m["id"] for m in data["missed"]] == ["low", "scored", "silent"]


def test_reading(tmp_path: Path) -> None:
    file = tmp_path / "hr.jsonl"
    file.write_text('{"text_a": "x", "text_b": "y", "label": "contradiction", "title_a": "T"}\n', encoding="utf-8")
    (pair,) = read_pairs([file])
    assert (pair.id, pair.group, pair.title_a, pair.contradiction) == ("hr:1", "hr", "T", True)
    file.write_text('{"text_a": "x", "text_b": "y", "label": 1}\n', encoding="utf-8")
    with pytest.raises(UserError, match=r"hr\.jsonl:1: “label” is not a text"):
        read_pairs([file])
    file.write_text("\n", encoding="utf-8")
    with pytest.raises(UserError, match="holds no pairs"):
        read_pairs([file])
