from __future__ import annotations

import pytest

from auditor.extract.polarity import negated_verbs
from auditor.model import FactKind
from tests.extract.reading import extractor, facts, gap, statement


def modal(text: str, **changes: str) -> list[str]:
    return [f.value.symbol for f in facts(text, **changes) if f.kind is FactKind.MODALITY]


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("You must sign.", "obligation"),
        ("You shall sign.", "obligation"),
        ("You have to sign.", "obligation"),
        ("You need to sign.", "obligation"),
        ("You are obliged to sign.", "obligation"),
        ("Signing is required.", "obligation"),
        ("Signing is mandatory.", "obligation"),
        ("Signing is compulsory.", "obligation"),
        ("Once a day you must sign.", "obligation"),
        ("When in doubt and in haste you must sign.", "obligation"),
        ("You must not sign.", "prohibition"),
        ("You mustn't sign.", "prohibition"),
        ("You shall not sign.", "prohibition"),
        ("You may not sign.", "prohibition"),
        ("You cannot sign.", "prohibition"),
        ("You can't sign.", "prohibition"),
        ("You can’t sign.", "prohibition"),
        ("Signing is forbidden.", "prohibition"),
        ("Signing is not allowed.", "prohibition"),
        ("Signing isn't allowed.", "prohibition"),
        gap("Signing isn’t allowed.", "prohibition", why="a curly apostrophe"),
        ("You are no longer allowed to sign.", "prohibition"),
        ("It is impossible to sign.", "prohibition"),
        ("No member may sign.", "prohibition"),
        gap("No member must sign.", "prohibition", why="the negated subject is turned round twice"),
        gap("Nobody may sign.", "prohibition", why="negative pronouns"),
        gap("Never sign in pencil.", "prohibition", why="a bare “never” with a command"),
        gap("Do not sign in pencil.", "prohibition", why="a command that forbids"),
        gap("It is illegal to sign.", "prohibition", why="illegal"),
        ("You may sign.", "permission"),
        ("You can sign.", "permission"),
        ("You are free to sign.", "permission"),
        ("Signing is allowed.", "permission"),
        ("Signing is permitted.", "permission"),
        ("Signing is not forbidden.", "permission"),
        gap("Members are entitled to sign.", "permission", why="entitled to"),
        ("You need not sign.", "exemption"),
        ("You don't need to sign.", "exemption"),
        ("You do not have to sign.", "exemption"),
        ("You are not required to sign.", "exemption"),
        ("Signing is not required.", "exemption"),
        ("Signing is no longer required.", "exemption"),
        ("Signing is not mandatory.", "exemption"),
        ("You are exempt from signing.", "exemption"),
        ("Signing is optional.", "optional"),
        ("Signing is voluntary.", "optional"),
        ("Signing is not optional.", "obligation"),
        ("You should sign.", "recommended"),
        ("Signing is recommended.", "recommended"),
        ("You should not sign.", "discouraged"),
        ("You shouldn't sign.", "discouraged"),
        ("Signing is not recommended.", "discouraged"),
        ("We advise against signing.", "discouraged"),
        gap("We recommend against signing.", "discouraged", why="“we recommend” is found first"),
        ("Avoid signing in pencil.", "discouraged"),
    ],
)
def test_modal_class(text: str, symbol: str) -> None:
    assert modal(text) == [symbol]


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("You must not sign unless a witness is there.", "conditional"),
        ("You may not leave without a pass.", "conditional"),
        ("You are not allowed to sign except in ink.", "conditional"),
        ("Only adults may sign.", "only-permission"),
        ("You may only sign in ink.", "only-permission"),
    ],
)
def test_two_negations_and_only(text: str, symbol: str) -> None:
    assert symbol in modal(text)
    assert "prohibition" not in modal(text)


def test_never_without_obliges() -> None:
    assert modal("Never deploy without approval.") in ([], ["obligation"])
    assert modal("Staff must never deploy without prior approval.")[-1] == "obligation"


@pytest.mark.parametrize(
    "text",
    [
        "Must you sign?",
        "May I sign here?",
        "If you must sign, use ink.",
        "Pencils are for those who draw and once they must sign, ink is better.",
        "When signing is required, use ink.",
        "We met in May 2024.",
        "He bought a can of paint.",
        "The required form is here.",
        "There is no business need to sign.",
        "Signing took a day.",
    ],
)
def test_no_modal(text: str) -> None:
    assert modal(text) == []


def test_lead_in_forbids_its_items() -> None:
    """What the lead-in says holds for the item; it is one claim of the item's statement."""
    assert modal("Glass bottles", lead_in="The following are not allowed:") == ["prohibition"]


def test_modal_in_a_column_header_is_no_claim() -> None:
    assert modal("12 days", row_key="Leave", column="Required notice") == []


def status(text: str) -> list[tuple[str, str]]:
    return [(f.value.unit, f.value.symbol) for f in facts(text) if f.kind is FactKind.STATUS]


@pytest.mark.parametrize(
    ("text", "family", "symbol"),
    [
        ("Fax is supported.", "support", "yes"),
        ("We support fax.", "support", "yes"),
        ("Fax works with email.", "support", "yes"),
        ("Fax is not supported.", "support", "no"),
        ("Fax isn't supported.", "support", "no"),
        gap("Fax isn’t supported.", "support", "no", why="a curly apostrophe"),
        ("We do not support fax.", "support", "no"),
        ("We don't support fax.", "support", "no"),
        ("Fax is unsupported.", "support", "no"),
        ("Fax is no longer supported.", "support", "no"),
        ("Fax is available.", "availability", "yes"),
        ("Fax is back in service.", "availability", "yes"),
        ("Fax is unavailable.", "availability", "no"),
        ("Fax is not yet available.", "availability", "no"),
        ("Fax was retired.", "availability", "no"),
        ("Fax has been discontinued.", "availability", "no"),
        ("Fax is deprecated.", "availability", "no"),
        gap("Fax is out of stock.", "availability", "no", why="out of stock"),
        gap("Fax is not discontinued.", "availability", "yes", why="a negated negative word"),
        ("Fax is enabled.", "switch", "yes"),
        ("Fax is disabled.", "switch", "no"),
        gap("Fax is turned off.", "switch", "no", why="turned off"),
        ("Fax is included.", "inclusion", "yes"),
        ("Fax is not included.", "inclusion", "no"),
        ("The law is in force.", "validity", "yes"),
        ("The law was repealed.", "validity", "no"),
        ("Fax is accepted.", "approval", "yes"),
        ("Fax was rejected.", "approval", "no"),
        ("The bar is open.", "opening", "yes"),
        ("The bar is closed.", "opening", "no"),
        gap("The bar is closed permanently.", "opening", "no", why="“closed permanently” belongs to another family than “open”"),
        ("Delivery is guaranteed.", "guarantee", "yes"),
        ("Delivery is not guaranteed.", "guarantee", "no"),
    ],
)
def test_status(text: str, family: str, symbol: str) -> None:
    assert status(text) == [(family, symbol)]


@pytest.mark.parametrize(
    "text",
    [
        "Is fax supported?",
        "If fax is supported, dial.",
        "Only fax is supported.",
        "The support team is here.",
        "A supported printer is needed.",
        "Open the door.",
        "Close the door.",
        gap("In production, tests are skipped.", why="the environment “in production” is read as a life-cycle status"),
    ],
)
def test_no_status(text: str) -> None:
    assert status(text) == []


def trend(text: str) -> list[str]:
    return [f.value.symbol for f in facts(text) if f.kind is FactKind.DIRECTION]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sales rose.", ["up"]),
        ("Sales increased.", ["up"]),
        ("Sales fell.", ["down"]),
        ("Sales declined.", ["down"]),
        ("Sales did not rise.", []),
        ("Sales are 5 or higher.", []),
        gap("Sales are falling.", ["down"], why="forms in -ing"),
        gap("Sales went down.", ["down"], why="the particle “down”"),
        gap("The drug worsens sleep.", ["down"], why="worsens"),
        gap("Send up to 5 boxes.", [], why="“up to” is a bound"),
        gap("Sign up today.", [], why="“up” of a phrasal verb"),
    ],
)
def test_direction(text: str, expected: list[str]) -> None:
    assert trend(text) == expected


@pytest.mark.parametrize(
    ("text", "verbs"),
    [
        ("We do not store data.", ["store"]),
        ("We don't store data.", ["store"]),
        ("We don’t store data.", ["store"]),
        ("Data is not stored.", ["store"]),
        ("Data isn't stored.", ["store"]),
        ("Data is never stored.", ["store"]),
        ("Data is no longer stored.", ["store"]),
        ("It does not automatically renew.", ["renew"]),
        ("It cannot start.", ["start"]),
        ("It won't start.", ["start"]),
        ("It is not, however, stored.", []),
        ("It does not apply.", []),
        ("It is not true.", []),
        ("It is stored.", []),
        gap("It does not log.", ["log"], why="verbs that end in g"),
        gap("It does not mix.", ["mix"], why="verbs that end in x"),
        gap("It is not only stored.", [], why="“not only” asserts"),
        gap("Nobody stores data.", ["store"], why="negative pronouns"),
    ],
)
def test_negated_verbs(text: str, verbs: list[str]) -> None:
    assert [n.verb for n in negated_verbs(text)] == verbs


def test_polarity_needs_a_negation_somewhere() -> None:
    """A verb becomes a fact only in a store that negates it."""
    alone = extractor().extract_all([statement("Voice is stored.")])
    assert [f for f in alone[0] if f.kind is FactKind.POLARITY] == []
    both = extractor().extract_all([statement("Voice is stored."), statement("Voice is not stored.", index=1)])
    assert [[f.polarity for f in found if f.kind is FactKind.POLARITY] for found in both] == [[1], [-1]]


def test_a_verb_negated_everywhere_tells_nothing() -> None:
    many = [statement(f"Tool {n} does not store data.", index=n) for n in range(30)]
    assert all(f.kind is not FactKind.POLARITY for found in extractor().extract_all(many) for f in found)


def test_modal_negation_is_left_to_the_modal() -> None:
    found = facts("Voice must not be stored.")
    assert [f.kind for f in found if f.kind in {FactKind.MODALITY, FactKind.POLARITY}] == [FactKind.MODALITY]


@pytest.mark.parametrize("flag", ["struck", "false"])
def test_struck_text_and_false_statements_claim_nothing(flag: str) -> None:
    assert facts("You must pay $5 within 3 days.", flags=frozenset({flag})) == []


def test_words_of_others_are_incidental() -> None:
    found = facts("The screen shows “please wait for 30 minutes now” until the end.")
    assert [f.incidental for f in found if f.kind is FactKind.DURATION] == [True]
