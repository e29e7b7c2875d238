from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from auditor.commands.console import console
from auditor.evaluation.gold import Gold, GoldPair
from auditor.evaluation.match import locate_all, match_all
from auditor.evaluation.metrics import Evaluation, Score, evaluate
from auditor.evaluation.render import as_json, show
from auditor.evaluation.stages import Diagnosis, Loss, Stage
from auditor.model import ClusterValue, FactKind, Rejection, ScanResult, Skipped
from tests.evaluation.builders import DOCUMENTS, FakeAudit, conflict, fact, finding, gold, scanned, without

RATE = gold(
    "rate",
    "api/limits.md",
    "100 requests per minute",
    "api/v2.md",
    "500 requests per minute",
    category="outdated",
    rule="timestamp",
    winner="b",
)
UPLOAD = gold(
    "upload", "api/limits.md", "Uploads may be 5 GB", "api/v2.md", "Uploads may be 8 GB", category="factual", rule="escalate"
)
RETURNS = gold("returns", "policies/returns.md", "within 30 days", "faq/returns.md", "within 14 days", kind="date", split="sealed")
SHOPS = gold(
    "shops", "faq/returns.md", "Leeds opens at 9 am", "policies/returns.md", "York opens at 10 am", False, why="other shop"
)
DESK = gold("desk", "faq/returns.md", "Call us at any time", "policies/returns.md", "closed on Sunday", False)

FOUND_RATE = conflict(
    "api/limits.md",
    "Each key may send 100 requests per minute.",
    "api/v2.md",
    "Each key may send 500 requests per minute.",
    category="factual",
    rule_applied=("owner_rule", "timestamp"),
    winner="b",
)
FOUND_UPLOAD = conflict(
    "api/limits.md", "Uploads may be 5 GB large.", "api/v2.md", "Uploads may be 8 GB large.", tier="advisory", confidence=0.31
)
FIRED_SHOPS = conflict(
    "faq/returns.md",
    "The shop in Leeds opens at 9 am.",
    "policies/returns.md",
    "The shop in York opens at 10 am.",
    tier="medium",
    confidence=0.6,
)
UNLISTED = conflict(
    "api/limits.md", "Uploads may be 5 GB large.", "faq/returns.md", "Call us at any time.", kind="modality", tier="high"
)
FOUND_RETURNS = conflict(
    "faq/returns.md", "Send it back within 14 days.", "policies/returns.md", "Goods may be returned within 30 days.", winner="a"
)


def measure(result: ScanResult, *pairs: GoldPair, complete: bool = True, split: str = "all", trace: Any = None) -> Evaluation:
    def lost(pair: object) -> Loss:
        return Loss(Stage.NOT_BLOCKED, "for the test")

    return evaluate(result, Gold(Path("gold.jsonl"), pairs, complete), locate_all(pairs, DOCUMENTS), trace or lost, split)


def test_score() -> None:
    assert Score(found=3, wanted=4, right=3, wrong=1).f1 == pytest.approx(0.75)
    assert (Score(0, 0, 0, 0).precision, Score(0, 0, 0, 0).recall, Score(0, 0, 0, 0).f1) == (None, None, None)
    assert Score(0, 2, 0, 3).f1 == 0.0
    assert Score(1, 2, 1, None).precision is None


def test_known_figures() -> None:
    ev = measure(scanned(FOUND_RATE, FOUND_UPLOAD, FIRED_SHOPS, UNLISTED), RATE, UPLOAD, RETURNS, SHOPS, DESK)
    high, main, every = ev.scores["high"], ev.scores["high+medium"], ev.scores["any"]
    assert (high.found, high.wanted, high.right, high.wrong) == (1, 3, 1, 1)
    assert (main.found, main.right, main.wrong) == (1, 1, 2)
    assert (main.precision, main.recall) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert (every.found, every.right, every.wrong) == (2, 2, 2)
    assert ev.fired == {"high": 0, "high+medium": 1, "any": 1}
    assert [(a.conflict.conflict_id, a.gold and a.gold.id) for a in ev.alarms] == [
        (UNLISTED.conflict_id, None),
        (FIRED_SHOPS.conflict_id, "shops"),
    ]
    assert [(m.gold.id, m.loss.stage) for m in ev.missed] == [("upload", Stage.BELOW_TIER), ("returns", Stage.NOT_BLOCKED)]
    assert ev.kinds["numeric"]["high+medium"] == Score(found=1, wanted=2, right=1, wrong=1)
    assert ev.kinds["date"]["any"] == Score(found=0, wanted=1, right=0, wrong=0)
    assert ev.kinds["modality"]["any"] == Score(found=0, wanted=0, right=0, wrong=1)


def test_categories_rules_and_winners_are_held_against_the_gold() -> None:
    held = measure(scanned(FOUND_RATE, FOUND_UPLOAD), RATE, UPLOAD).attribution
    assert held.categories == {("outdated", "factual"): 1, ("factual", "factual"): 1}
    assert held.rules == (2, 2)
    assert held.winners == (2, 2)


def test_a_gold_pair_may_name_the_sides_the_other_way_round() -> None:
    pair = replace(RETURNS, rule="escalate", winner="b")  # b of the gold is a of the finding
    held = measure(scanned(FOUND_RETURNS), pair)
    assert held.scores["high"].found == 1
    assert held.attribution.winners == (1, 1)


def test_the_sealed_half_stays_unseen() -> None:
    touching_sealed = conflict(
        "faq/returns.md", "Send it back within 14 days.", "policies/returns.md", "The desk is closed on Sunday.", kind="status"
    )
    result = scanned(FOUND_RATE, FOUND_RETURNS, touching_sealed, UNLISTED)
    pairs = (RATE, RETURNS)
    opened, sealed = (measure(result, *pairs, split=split) for split in ("open", "sealed"))
    assert (opened.left_out, sealed.left_out) == (1, 1)
    assert [a.conflict for a in opened.alarms] == [UNLISTED]
    assert [a.conflict for a in sealed.alarms] == [touching_sealed]
    assert opened.scores["high"] == sealed.scores["high"] == Score(found=1, wanted=1, right=1, wrong=1)


def test_outside_a_reported_gold_a_finding_is_unjudged_and_debatable_pairs_do_not_count() -> None:
    ev = measure(
        scanned(FOUND_RATE, FOUND_UPLOAD, FIRED_SHOPS, UNLISTED), RATE, replace(UPLOAD, optional=True), SHOPS, complete=False
    )
    assert ev.scores["any"] == Score(found=1, wanted=1, right=2, wrong=None)
    assert ev.optional == (1, 1)
    assert ev.unjudged == (UNLISTED,)
    assert ev.fired["any"] == 1


def test_a_copy_answers_through_its_cluster() -> None:
    pair = gold("copy", "api/limits.md", "100 requests per minute", "api/copy.md", "Each key may send 500 requests per minute.")
    rows = tuple(
        ClusterValue(FOUND_RATE.cluster_id, "key", "requests", value, documents, False, False, False, False)
        for value, documents in (("100", ("api/limits.md",)), ("500", ("api/copy.md", "api/v2.md")))
    )
    assert measure(scanned(FOUND_RATE), pair).scores["any"].found == 0
    ev = measure(scanned(FOUND_RATE, clusters=rows), pair)
    assert ev.scores["any"] == Score(found=1, wanted=1, right=1, wrong=0)
    other = replace(pair, quote_b="500 requests for every hour of the night shift")
    assert measure(scanned(FOUND_RATE, clusters=rows), other).scores["any"].found == 0


def test_in_a_table_row_the_deciding_words_choose_the_gold_pair() -> None:
    quote_a, quote_b = FOUND_RATE.a.quote, FOUND_RATE.b.quote
    spans = [((at := q.index("per minute")), at + 10) for q in (quote_a, quote_b)]
    found = replace(FOUND_RATE, a=replace(FOUND_RATE.a, marks=(spans[0],)), b=replace(FOUND_RATE.b, marks=(spans[1],)))
    wrong_cell = gold("number", "api/limits.md", "send 100", "api/v2.md", "send 500")
    right_cell = gold("minute", "api/limits.md", "per minute", "api/v2.md", "per minute", False)
    matching = match_all(scanned(found), locate_all([wrong_cell, right_cell], DOCUMENTS))
    assert [m.located.gold.id for m in matching.by_conflict[found.conflict_id]] == ["minute"]


def test_negatives_that_are_not_there_are_pointed_out() -> None:
    assert measure(scanned(), replace(SHOPS, quote_a="nowhere to be seen")).unlocated == ("shops",)


# -- the stage that lost a pair ---------------------------------------------------------------------------------------------------


def trace(audit: FakeAudit, pair: GoldPair) -> tuple[Stage, str]:
    (located,) = locate_all([pair], audit.documents)
    loss = Diagnosis(audit).trace(located)  # type: ignore[arg-type]
    return loss.stage, loss.detail


def the_pair(audit: FakeAudit) -> tuple[int, int]:
    i, j = audit.at("api/limits.md", "100 requests"), audit.at("api/v2.md", "500 requests")
    return min(i, j), max(i, j)


def test_lost_before_comparison() -> None:
    audit = FakeAudit(skipped=[Skipped("scan.pdf", "no text in it")])
    assert trace(audit, replace(RATE, doc_b="scan.pdf")) == (Stage.NOT_READ, "B scan.pdf: no text in it")
    assert trace(audit, replace(RATE, doc_b="x.md")) == (Stage.NOT_READ, "B x.md: not in the corpus")
    assert trace(audit, replace(RATE, quote_a="not to be found"))[0] is Stage.NOT_QUOTED
    empty = FakeAudit(statements=[s for s in audit.statements if s.doc_id != "api/v2.md"], facts=[[]] * 99)
    assert trace(empty, RATE)[1].startswith("no statement in B")
    i, _ = the_pair(audit)
    assert trace(FakeAudit(facts=without(audit.facts, i)), RATE) == (
        Stage.NOT_EXTRACTED,
        "no fact in A: “Each key may send 100 requests per minute.”",
    )
    facts = list(audit.facts)
    facts[i] = [fact(i, FactKind.MONEY, "5 USD")]
    assert trace(FakeAudit(facts=facts), RATE) == (Stage.NOT_EXTRACTED, "no comparable facts: A has money 5 USD; B has count 1")


def test_lost_in_blocking() -> None:
    audit = FakeAudit()
    pair = the_pair(audit)
    audit.verdicts[pair] = ([finding(*pair)], [])
    assert trace(audit, RATE) == (Stage.NOT_BLOCKED, "would be scored 0.90, high")
    audit.verdicts[pair] = ([], [Rejection(*pair, "numeric", "scope", "eu against us")])
    assert trace(audit, RATE) == (Stage.NOT_BLOCKED, "would be rejected: scope (numeric): eu against us")


def test_lost_in_comparison() -> None:
    audit = FakeAudit()
    pair = the_pair(audit)
    audit.candidates[pair] = ("keys",)
    audit.verdicts[pair] = (
        [],
        [Rejection(*pair, "date", "equal", "same day"), Rejection(*pair, "numeric", "scope", "eu against us")],
    )
    assert trace(audit, RATE) == (Stage.REJECTED, "scope (numeric): eu against us; equal (date): same day")
    audit.verdicts[pair] = ([], [Rejection(*pair, "numeric", "score", "100 against 500", 0.14)])
    assert trace(audit, RATE) == (Stage.BELOW_TIER, "scored 0.14 by numeric: 100 against 500")
    audit.verdicts[pair] = ([], [Rejection(*pair, "date", "equal", "same day")])
    assert trace(audit, RATE)[0] is Stage.NOT_EXTRACTED
    audit.verdicts[pair] = ([finding(*pair)], [])
    assert trace(audit, RATE) == (Stage.NOT_REPORTED, "scored 0.90, high, and stands in no row")


# -- what is printed ---------------------------------------------------------------------------------------------------------------


def test_tables_and_json_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = replace(UNLISTED, a=replace(UNLISTED.a, quote="[bold]red[/bold] \x1b[31m"))
    ev = measure(scanned(FOUND_RATE, FOUND_UPLOAD, FIRED_SHOPS, hostile), RATE, UPLOAD, RETURNS, SHOPS, DESK)
    show(console(color=False), ev, "corpus")
    out = capsys.readouterr().out
    for said in (
        "1 of 3",
        "0.333",
        "below the tier",
        "not blocked",
        "hard negative shops",
        "unlisted",
        "fine because other shop",
        "rule right in 2 of 2",
    ):
        assert said in out
    assert "[bold]red[/bold] ␛[31m" in out
    data = json.loads(json.dumps(as_json(ev, "corpus")))
    assert data["levels"]["high+medium"] == {
        "precision": 0.3333,
        "recall": 0.3333,
        "f1": 0.3333,
        "found": 1,
        "wanted": 3,
        "right": 1,
        "wrong": 2,
        "negatives_fired": 1,
    }
    assert [m["id"] for m in data["missed"]] == ["upload", "returns"]
    assert [f["gold"] for f in data["false_positives"]] == [None, "shops"]


def test_an_evaluation_without_any_finding_prints(capsys: pytest.CaptureFixture[str]) -> None:
    show(console(color=False), measure(scanned(), RATE, complete=False), "corpus")
    assert "Unjudged at high+medium  0" in capsys.readouterr().out
