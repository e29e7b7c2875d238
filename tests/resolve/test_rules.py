from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from resolve_corpus import Corpus, pair

from auditor.config import Config, OwnerRule
from auditor.model import Conflict
from auditor.resolve.rules import RULES, on_topic

OLD, NEW = date(2023, 2, 1), date(2024, 3, 1)
SCOPED = {"scope_b": "category: electronics", "one_sided": ("category",), "specific": "b"}


def configured(*rules: dict[str, Any]) -> Config:
    return Config.model_validate({"rule": list(rules)})


def only(corpus: Corpus, config: Config | None = None) -> Conflict:
    (conflict,), _ = corpus.resolve(config)
    return conflict


def said(conflict: Conflict, rule: str) -> str:
    return next(reason for name, _, reason in (line.partition(": ") for line in conflict.rule_trace) if name == rule)


@pytest.mark.parametrize(
    ("first", "second", "finding", "rule", "winner", "reason"),
    [
        ({"tier": "primary"}, {"tier": "tertiary"}, {}, "authoritative_source", "a", "primary is above tertiary"),
        ({"tier": "archive"}, {"tier": "tertiary"}, {}, "authoritative_source", "b", "tertiary is above archive"),
        ({"tier": "primary", "published": OLD}, {"published": NEW}, {}, "authoritative_source", "a", "primary is above secondary"),
        ({"published": OLD}, {"published": NEW}, {}, "timestamp", "b", "2024-03-01 is later than 2023-02-01"),
        ({"published": OLD}, {}, {}, "timestamp", "a", "dated 2023-02-01, the other is undated"),
        # The effective date counts for a document that has one, even if another was published later.
        ({"published": NEW, "effective": OLD}, {"published": date(2023, 9, 1)}, {}, "timestamp", "b", "2023-09-01 is later than"),
        ({"effective": NEW}, {"published": date(2023, 9, 1)}, {}, "timestamp", "a", "2024-03-01 is later than"),
        ({}, {}, SCOPED, "specificity", "b", "only “30 days” names category"),
        # A later report about the same year is newer.
        (
            {"published": OLD},
            {"published": NEW},
            {"scope_a": "period: fy2022", "scope_b": "period: 2022"},
            "timestamp",
            "b",
            "2024-03-01 is later than",
        ),
    ],
)
def test_a_rule_decides(
    first: dict[str, Any], second: dict[str, Any], finding: dict[str, Any], rule: str, winner: str, reason: str
) -> None:
    conflict = only(pair(first, second, **finding))
    assert conflict.rule_applied == (rule,)
    assert conflict.winner == winner
    assert conflict.status == "auto_resolved"
    assert conflict.loser_retained
    assert said(conflict, rule).startswith(reason)
    assert conflict.rule_trace[-1].startswith(f"{rule}: ")


@pytest.mark.parametrize(
    ("first", "second", "finding", "rule", "reason"),
    [
        ({}, {}, {}, "owner_rule", "no configured rule covers both documents"),
        ({}, {}, {}, "authoritative_source", "both documents are secondary"),
        ({"tier": "archive"}, {"tier": "archive"}, {}, "authoritative_source", "both documents are archived"),
        ({"tier": "archive", "published": OLD}, {"tier": "archive", "published": NEW}, {}, "timestamp", "an archived document"),
        ({"tier": "archive"}, {"tier": "archive"}, SCOPED, "specificity", "an archived document"),
        ({}, {}, {}, "timestamp", "neither document is dated"),
        ({"published": OLD}, {"published": OLD}, {}, "timestamp", "both documents are of 2023-02-01"),
        ({"published": OLD}, {"effective": date(2025, 6, 1)}, {}, "timestamp", "2025-06-01 is after 2025-01-01: not yet in force"),
        (
            {"published": OLD},
            {"published": NEW},
            {"scope_a": "period: fy2023", "scope_b": "period: fy2022"},
            "timestamp",
            "the statements are about different periods (2022, 2023)",
        ),
        # Published later, but about an earlier year than the other document is from.
        ({"published": OLD}, {"published": NEW}, {"scope_b": "period: fy2022"}, "timestamp", "the later document speaks about"),
        ({}, {}, {}, "specificity", "both statements are equally general"),
        # Both sides name something: neither is the specific one.
        (
            {},
            {},
            {"scope_a": "condition: sale", "scope_b": "plan: pro", "one_sided": ("condition", "plan")},
            "specificity",
            "both statements are equally",
        ),
    ],
)
def test_a_rule_declines(first: dict[str, Any], second: dict[str, Any], finding: dict[str, Any], rule: str, reason: str) -> None:
    conflict = only(pair(first, second, **finding))
    assert said(conflict, rule).startswith(reason)
    assert conflict.rule_applied == ("escalate",)
    assert (conflict.winner, conflict.status) == (None, "escalated")


@pytest.mark.parametrize(
    ("rules", "winner"),
    [
        ([{"between": ["a.md", "b.md"], "prefer": "b.md"}], "b"),
        ([{"between": ["b.md", "a.md"], "prefer": "a.md", "topic": "returns"}], "a"),
        ([{"between": ["a.md", "b.md"], "prefer": "a.md", "topic": "return*"}], "a"),
        # The first rule that fits counts.
        ([{"between": ["a.md", "b.md"], "prefer": "a.md"}, {"between": ["a.md", "b.md"], "prefer": "b.md"}], "a"),
        ([{"between": ["a.md", "b.md"], "prefer": "b.md", "topic": "shipping"}], None),
        ([{"between": ["a.md", "c.md"], "prefer": "a.md"}], None),
        # Both documents belong to the preferred group.
        ([{"between": ["*.md", "b.md"], "prefer": "*.md"}], None),
    ],
)
def test_owner_rule(rules: list[dict[str, Any]], winner: str | None) -> None:
    conflict = only(pair(), configured(*rules))
    assert conflict.winner == winner
    assert conflict.rule_applied == (("owner_rule",) if winner else ("escalate",))


def test_owner_rule_goes_before_source_and_date() -> None:
    conflict = only(
        pair({"tier": "tertiary", "published": OLD}, {"tier": "primary", "published": NEW}),
        configured({"between": ["a.md", "b.md"], "prefer": "a.md"}),
    )
    assert (conflict.winner, conflict.rule_trace) == ("a", ("owner_rule: a.md is preferred to b.md",))


def test_owner_rule_cannot_prefer_an_archive() -> None:
    conflict = only(pair({"tier": "archive"}), configured({"between": ["a.md", "b.md"], "prefer": "a.md"}))
    assert (conflict.winner, conflict.rule_applied) == ("b", ("authoritative_source",))
    assert said(conflict, "owner_rule") == "an archived document never wins"


def test_both_valid_is_dismissed() -> None:
    conflicts, values = pair({"tier": "primary"}).resolve(configured({"between": ["a.md", "b.md"], "both_valid": True}))
    (conflict,) = conflicts
    assert (conflict.status, conflict.winner, conflict.tier) == ("dismissed", None, "advisory")
    assert conflict.rule_applied == ("owner_rule",)
    assert len(values) == 2
    assert not any(row.winning for row in values)


def test_both_valid_does_not_bear_on_others() -> None:
    corpus = pair({"published": OLD}, {"published": NEW})
    (c,) = corpus.document("c.md", "Send it back within 60 days.", published=date(2024, 9, 1))
    corpus.finding(0, c, "14 days", "60 days")
    conflicts, _ = corpus.resolve(configured({"between": ["a.md", "c.md"], "both_valid": True}))
    found = {(conflict.a.doc, conflict.b.doc): conflict for conflict in conflicts}
    assert found["a.md", "b.md"].winner == "b"
    assert found["a.md", "c.md"].status == "dismissed"
    assert found["a.md", "b.md"].cluster_id != found["a.md", "c.md"].cluster_id


def test_opinions_are_presented_both() -> None:
    conflict = only(pair({"tier": "primary", "published": NEW}, {"published": OLD}, opinion=True))
    assert conflict.rule_applied == ("present_both",)
    assert (conflict.winner, conflict.status, conflict.category) == (None, "escalated", "opinion")


def test_an_owner_may_settle_opinions() -> None:
    conflict = only(pair(opinion=True), configured({"between": ["a.md", "b.md"], "prefer": "b.md"}))
    assert (conflict.rule_applied, conflict.winner) == (("owner_rule",), "b")


def test_passages_of_one_document_are_separated_by_specificity_only() -> None:
    corpus = Corpus()
    a, b = corpus.document("a.md", "Within 14 days.", "Within 30 days for electronics.", published=NEW, tier="primary")
    corpus.finding(a, b, "14 days", "30 days")
    conflict = only(corpus)
    assert conflict.rule_applied == ("escalate",)
    for rule in ("owner_rule", "authoritative_source", "timestamp"):
        assert said(conflict, rule) == "both passages are in the same document"
    corpus.findings.clear()
    corpus.finding(a, b, "14 days", "30 days", **SCOPED)
    assert only(corpus).winner == "b"


def three(*changes: dict[str, Any]) -> Corpus:
    corpus = Corpus()
    texts = ("Return within 14 days.", "Return in 30 days.", "Back in 60 days, please.")
    names = ("a.md", "b.md", "c.md")
    a, b, c = (corpus.document(n, t, **change)[0] for n, t, change in zip(names, texts, changes, strict=True))
    corpus.finding(a, b, "14 days", "30 days")
    corpus.finding(b, c, "30 days", "60 days")
    corpus.finding(a, c, "14 days", "60 days")
    return corpus


def test_one_decision_for_a_cluster() -> None:
    conflicts, values = three({"published": OLD}, {"published": date(2023, 9, 1)}, {"published": NEW}).resolve()
    winners = {(c.a.doc, c.b.doc): c.winner for c in conflicts}
    assert winners == {("a.md", "b.md"): None, ("b.md", "c.md"): "b", ("a.md", "c.md"): "b"}
    neither = next(c for c in conflicts if c.winner is None)
    assert neither.status == "auto_resolved"
    assert neither.rule_trace[-1].endswith("neither side holds the value to follow, “60 days” in c.md")
    assert [row.value for row in values if row.winning] == ["60 days"]


def test_rules_take_turns_and_each_pair_names_its_own() -> None:
    conflicts, _ = three({"tier": "tertiary", "published": NEW}, {"published": OLD}, {"published": date(2023, 9, 1)}).resolve()
    rules = {(c.a.doc, c.b.doc): (c.rule_applied, c.winner) for c in conflicts}
    assert rules["a.md", "c.md"] == (("authoritative_source",), "b")
    assert rules["b.md", "c.md"] == (("timestamp",), "b")
    assert rules["a.md", "b.md"] == (("authoritative_source", "timestamp"), None)


def test_no_winner_where_two_of_the_best_disagree() -> None:
    conflicts, values = three({"tier": "tertiary"}, {}, {}).resolve()
    assert {(c.rule_applied, c.winner, c.status) for c in conflicts} == {(("escalate",), None, "escalated")}
    assert not any(row.winning for row in values)


def test_values_that_nothing_opposes_win_together() -> None:
    corpus = three({"published": OLD}, {"published": NEW}, {"published": NEW})
    del corpus.findings[1]
    conflicts, values = corpus.resolve()
    assert {c.winner for c in conflicts} == {"b"}
    assert {row.value for row in values if row.winning} == {"30 days", "60 days"}


def test_the_order_of_the_rules() -> None:
    assert [rule.name for rule in RULES] == [
        "owner_rule",
        "present_both",
        "authoritative_source",
        "timestamp",
        "specificity",
        "escalate",
    ]


@pytest.mark.parametrize(
    ("topic", "names", "fits"),
    [
        (None, ["anything"], True),
        ("returns", ["return window days"], True),
        ("return window", ["window for returning goods"], True),
        ("returns", ["shipping cost"], False),
        ("ship*", ["shipping cost"], True),
    ],
)
def test_topics(topic: str | None, names: list[str], fits: bool) -> None:
    assert on_topic(topic, names) is fits


def test_a_rule_covers_records_of_a_file() -> None:
    rule = OwnerRule.model_validate({"between": ["exports/*.jsonl", "b.zip"], "prefer": "b.zip"})
    assert rule.covers("exports/wiki.jsonl#12", "b.zip!/page.md")
    assert not rule.covers("exports/old/wiki.jsonl#12", "b.zip!/page.md")
