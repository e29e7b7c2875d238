"""Near passages without comparable values: which are looked at, and what is known of them before anybody reads them."""

from __future__ import annotations

import pytest

from auditor import open_wording
from auditor.model import BlockKind, Statement
from auditor.open_wording import OpenWording
from auditor.topic_vectors import TopicVectors

TEXTS = (
    "Salaries are paid on the 25th of each month.",
    "Payday is the last working day of the month.",
    "Nobody but the treasurer may sign a cheque.",
    "Cheques are signed by the treasurer or the chair.",
    "When is payday?",
    "The canteen serves soup at noon.",
    "Salaries are paid on the 25th of each month.",
)


def statements(texts: tuple[str, ...] = TEXTS) -> list[Statement]:
    return [
        Statement(n, f"{n}.md", f"{n}", BlockKind.PARAGRAPH, text, 0, 0, len(text), title="Handbook")
        for n, text in enumerate(texts)
    ]


def wording(made: list[Statement]) -> OpenWording:
    return OpenWording(made, [[] for _ in made], TopicVectors(made, "minilm"))


def test_paraphrases_are_near_and_questions_and_repetitions_are_left_out() -> None:
    pairs = wording(statements()).nearest(set(), nearness)
    assert (0, 1) in pairs
    assert (2, 3) in pairs
    assert (0, 6) not in pairs  # word for word the same
    assert not any(4 in pair for pair in pairs)
    assert pairs == sorted(set(pairs))
    assert all(i < j for i, j in pairs)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("Blame users for their mistakes.", "Blaming the users for their mistake", True),
        ("The canvas — on `port` 8080 — opens at once.", "The canvas (on port 8080) opens at once.", True),
        ("The job runs before the backup.", "The job runs after the backup.", False),
        ("Users may close the account.", "Users must close the account.", False),
        ("The chair pays the treasurer.", "The treasurer pays the chair.", False),
        ("Load must stay < 5 units.", "Load must stay > 5 units.", False),
        ("Tickets are refunded.", "Tickets are not refunded.", False),
        ("Films of grade B+ are shown.", "Films of grade B- are shown.", False),
        ("Loans are secured by the house.", "Loans are security by the house.", False),
        ("Plan A includes support.", "Plan includes support.", False),
        ("Use a && b.", "Use a || b.", False),
        ("退款需要两周时间", "退款需要三天时间", False),
    ],
)
def test_the_same_words_say_the_same(a: str, b: str, same: bool) -> None:
    near = wording(statements((a, b)))
    assert near._same(0, 1) is same


def test_what_is_settled_elsewhere_is_left_out() -> None:
    assert (0, 1) not in wording(statements()).nearest({(0, 1)}, nearness)


def nearness(features: dict[str, float]) -> float:
    return features.get("near", 0.0)


def test_large_stores_are_searched_with_the_static_table_and_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_wording, "EMBEDDED", 4)
    made = statements()
    near = wording(made)
    pairs = near.nearest(set(), nearness)
    assert len({i for pair in pairs for i in pair}) <= 4
    assert (2, 3) in pairs
    assert all(near.features(*pair)["near"] == round(wording_similarity(made, pair), 4) for pair in pairs)  # the better model's
    assert (2, 3) not in wording(made).nearest({(2, 3)}, nearness)


def test_the_screen_chooses_in_large_stores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_wording, "EMBEDDED", 2)
    assert wording(statements()).nearest(set(), nearness) != wording(statements()).nearest(set(), lambda f: -f.get("near", 0.0))


def wording_similarity(made: list[Statement], pair: tuple[int, int]) -> float:
    vectors = TopicVectors(made, "minilm")
    vectors.add(pair)
    return vectors.similar(*pair)[0]


def test_what_may_not_be_compared_takes_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_wording, "EMBEDDED", 2)
    first = wording(statements()).nearest(set(), nearness)
    assert wording(statements()).nearest(set(), nearness, usable=lambda i, j: (i, j) not in first) not in (first, [])


def test_features_lie_between_nothing_and_all() -> None:
    made = statements(("The fee is 20 pounds.", "No fee is charged.", "The fee is 30 pounds.", "The fee is 20 pounds a year."))
    near = wording(made)
    near.nearest(set(), nearness)
    for i, j in ((0, 1), (0, 2), (0, 3), (1, 2)):
        assert all(0 < value <= 1 for value in near.features(i, j).values())
    assert near.features(0, 1)["negated"] == 1
    assert near.features(0, 1)["number_missing"] == 1
    assert near.features(0, 2)["numbers_differ"] == 1
    assert near.features(0, 3)["numbers_equal"] == 1
    assert "numbers_differ" not in near.features(0, 3)
