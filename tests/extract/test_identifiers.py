from __future__ import annotations

import pytest

from auditor.model import FactKind
from tests.extract.reading import facts, gap, of_kind, only


def symbols(text: str) -> set[tuple[str, str]]:
    return {(f.value.unit, f.value.symbol) for f in of_kind(text, FactKind.IDENTIFIER)}


@pytest.mark.parametrize(
    ("text", "unit", "symbol"),
    [
        ("Call +44 20 7946 0018 for help.", "phone", "442079460018"),
        ("Call 020 7946 0018 for help.", "phone", "02079460018"),
        ("Call (415) 555-0100 for help.", "phone", "4155550100"),
        ("Call +1-415-555-0100 for help.", "phone", "14155550100"),
        ("Call +44 20 7946 0018.", "phone", "442079460018"),
        gap("Call +49 30 445500 for help.", "phone", "4930445500", why="six digits in one group"),
        gap("Call 030/901820 for help.", "phone", "030901820", why="a slash behind the area code"),
        ("Write to A.B@c.example today.", "email", "a.b@c.example"),
        ("Write to a.b@c.example.", "email", "a.b@c.example"),
        ("See https://a.example/x/ for more.", "url", "a.example/x"),
        ("See https://www.a.example/x.", "url", "a.example/x"),
        ("The port 8080 is used.", "port", "8080"),
        ("Set port: 5432 there.", "port", "5432"),
        gap("It listens on port 8080.", "port", "8080", why="a port at the end of the sentence"),
        ("It runs on localhost:3000 by default.", "port", "3000"),
        ("The host is 10.0.0.1 here.", "ip address", "10.0.0.1"),
        gap("The host is 10.0.0.1.", "ip address", "10.0.0.1", why="an address at the end of the sentence"),
        ("The account number is 88-1204.", "account number", "881204"),
        ("The account no. 881204 is closed for now.", "account number", "881204"),
        ("Pay invoice INV-2024-001 today.", "invoice number", "INV2024001"),
        ("Pay to IBAN DE89 3704 0044 0532 0130 00 today.", "iban", "DE89370400440532013000"),
        ("Pay to DE89370400440532013000.", "iban", "DE89370400440532013000"),
        gap("The ISIN is US0378331005.", "isin", "US0378331005", why="an ISIN is taken for an IBAN"),
        ("The order code is ORV-L3-010.", "order number", "ORVL3010"),
        gap(
            "The order code of the relay is ORV-L3-010.",
            "order number",
            "ORVL3010",
            why="words between the name of the code and the code",
        ),
        ("The extension 4410 is hers.", "extension number", "4410"),
        gap("The VAT number GB 245 7193 48 is ours.", "vat number", "GB245719348", why="a tax number is taken for a phone number"),
        ("It is licensed under the MIT license.", "licence", "mit"),
        ("It is under the Apache License, Version 2.0.", "licence", "apache"),
        ("It is under the Apache-2.0 licence.", "licence", "apache"),
        ("It is under the BSD 3-Clause License.", "licence", "bsd"),
    ],
)
def test_identifier(text: str, unit: str, symbol: str) -> None:
    assert (unit, symbol) in symbols(text)


@pytest.mark.parametrize(
    "text",
    [
        "He studied at MIT for years.",
        "It is built from commit 9f3c2a1.",
        "Use the colour #a1b2c3 there.",
        "The run 9f3c2a1e-0000-4000-8000-123456789abc failed.",
        "Publish it with -p 8080:80 today.",
        "The harbour is a port of call.",
        "Meet us in room 101.",
        "We met on 2024-10-05.",
        "The account of 2019 was closed.",
        "In order to win you need luck.",
    ],
)
def test_no_identifier(text: str) -> None:
    assert symbols(text) == set()


def test_licence_versions_differ() -> None:
    two, three = symbols("It is under the GPLv2 licence."), symbols("It is under the GPLv3 licence.")
    if two == three:
        pytest.xfail("known gap: versions of one licence count as one licence")


@pytest.mark.parametrize(
    ("row_key", "column", "text", "unit", "symbol"),
    [
        ("Relay", "Order code", "ORV-L3-010", "order number", "ORVL3010"),
        ("Gateway", "Port", "8443", "port", "8443"),
        ("http_port", "Default", "9090", "port", "9090"),
    ],
)
def test_codes_in_cells(row_key: str, column: str, text: str, unit: str, symbol: str) -> None:
    fact = only(text, FactKind.IDENTIFIER, row_key=row_key, column=column)
    assert (fact.value.unit, fact.value.symbol) == (unit, symbol)


@pytest.mark.parametrize(
    ("text", "head", "comparator", "low", "high"),
    [
        ("It needs Python 3.8 or newer.", "python", ">=", (3, 8), None),
        ("It needs Python 3.8+ there.", "python", ">=", (3, 8), None),
        ("It needs Python >=3.8 there.", "python", ">=", (3, 8), None),
        gap("It needs at least Python 3.8.", "python", ">=", (3, 8), None, why="a bound in front of the product"),
        ("It needs Python version 3.11 there.", "python", "=", (3, 11), (3, 11)),
        ("It runs on Python 3.8 to 3.12.", "python", "range", (3, 8), (3, 12)),
        ("It runs on Python 3.8–3.12.", "python", "range", (3, 8), (3, 12)),
        ("It runs on Ubuntu 22.04.", "ubuntu", "=", (22, 4), (22, 4)),
        ("It needs PostgreSQL 14 or later.", "postgresql", ">=", (14,), None),
        ("The release v2.4.1 is out.", "", "=", (2, 4, 1), (2, 4, 1)),
        ("The release 2.4.1 is out.", "", "=", (2, 4, 1), (2, 4, 1)),
        ("The release v2.0.0-rc1 is out.", "", "=", (2, 0, 0), (2, 0, 0)),
        ("The flag was added in 3.4 last year.", "", "=", (3, 4), (3, 4)),
        gap("Node.js 18 or later is needed.", "node", ">=", (18,), None, why="Node.js at the start of the sentence"),
        gap("It needs Node.js 18.", "node", "=", (18,), (18,), why="a whole version without “or newer”"),
        gap("It needs macOS 12 or later.", "macos", ">=", (12,), None, why="macOS is written with a small m"),
        gap("It runs on PostgreSQL 12 through 15.", "postgresql", "range", (12,), (15,), why="a range of whole versions"),
    ],
)
def test_version(text: str, head: str, comparator: str, low: tuple[float, ...], high: tuple[float, ...] | None) -> None:
    fact = only(text, FactKind.VERSION)
    assert (fact.head, fact.value.comparator, fact.value.low, fact.value.high) == (head, comparator, low, high)


@pytest.mark.parametrize(
    "text", ["It holds 1.7 litres.", "See Section 4.2.", "It costs 3.10 EUR.", "It fell by 3.5%.", "Table 2.1 lists them."]
)
def test_no_version(text: str) -> None:
    assert [f for f in facts(text) if f.kind is FactKind.VERSION] == []


def test_versions_are_ordered_by_their_parts() -> None:
    old, new = (only(f"It needs Python {v} there.", FactKind.VERSION).value.low for v in ("3.8", "3.10"))
    assert old is not None
    assert new is not None
    assert old < new


@pytest.mark.parametrize(
    ("text", "polarity"),
    [("Python 3.8 is supported.", 1), ("Python 3.8 is no longer supported.", -1), ("It needs Python 3.8 here.", 1)],
)
def test_support_of_a_version(text: str, polarity: int) -> None:
    assert only(text, FactKind.VERSION).polarity == polarity
