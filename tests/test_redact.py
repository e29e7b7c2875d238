"""What --redact masks, and what it leaves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from auditor.format import FORMATS, write_all
from auditor.format.choice import EXTRA, chosen
from auditor.history import Orphan, Review
from auditor.redact import Mask, redact
from tests.factories import hostile_result, make_conflict, make_document, make_result, make_side, make_skipped, make_values


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Write to Jane.Doe+x@mail.example.org.", "Write to [e-mail 1]."),
        ("bob[at]example.org or mailto:bob@example.org", "[e-mail 1] or mailto:[e-mail 1]"),
        ("ring +44 (0)20 7946 0958 now", "ring [phone 1] now"),
        ("(207) 555-0142, 207-555-0199", "[phone 1], [phone 2]"),
        ("Telephone: 555 01 42", "Telephone: [phone 1]"),
        ("020 7946 0958 / 0049 30 901820", "[phone 1] / [phone 2]"),
        ("pay to DE89 3704 0044 0532 0130 00 today", "pay to [IBAN 1] today"),
        ("GB29NWBK60161331926819", "[IBAN 1]"),
        ("account number NGC-448120, account no. 12345678", "account number [account 1], account no. [account 2]"),
        ("| Account number | `MDG 209337` |", "| Account number | `[account 1]` |"),
        ("Sort code: 12-34-56", "Sort code: [account 1]"),
        ("card 4111 1111 1111 1111", "card [account 1]"),
    ],
)
def test_personal_values_are_masked(text: str, masked: str) -> None:
    assert Mask().text(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "from 2024-03-12 to 01-02-2024 or 31.12.2023",
        "10,000,000 users, 100 000 000 km, $4.2M, 6,800,000 USD, 99.95 %",
        "v1.2.3, Python 3.11, port 8443, 192.168.10.25, ISO 27001:2013",
        "order 4111 1111 1111 1112",
        "policy 2024-15, customers 12000, account for 30 days, member of 1234567",
        "call within 14 days, desk 24/7, rows 10 20 30",
        "@app.route and a @mention, 5 @ 3",
    ],
)
def test_other_numbers_stay(text: str) -> None:
    assert Mask().text(text) == text


def test_the_same_value_has_the_same_mask() -> None:
    mask = Mask()
    assert mask.text("a@x.example b@x.example A@X.example") == "[e-mail 1] [e-mail 2] [e-mail 1]"
    assert mask.text("+1 207 555 0142") == mask.text("+1 (207) 555-0142") == "[phone 1]"
    assert mask.text(mask.text("a@x.example, tel 555 0142 77")) == "[e-mail 1], tel [phone 2]"


def test_digits_in_paths_stay() -> None:
    mask = Mask()
    assert mask.path("scans/0800 123456/2024-03-12-4111111111111111.md") == "scans/0800 123456/2024-03-12-4111111111111111.md"
    assert mask.path("inbox/jane@example.org.md#3") == "inbox/[e-mail 1]#3"


SECRETS = (
    "jane.doe@example.org",
    "+1 207 555 0142",
    "555 0142",
    "NGC-448120",
    "NGC 448 120",
    "448120",
    "DE89370400440532013000",
    "boss@example.org",
)


def personal_result() -> object:
    a = make_side(
        "mail/jane.doe@example.org.md",
        "Reach jane.doe@example.org, ref NGC 448 120.",
        "NGC-448120",
        "NGC 448 120",
        owner="boss@example.org",
        title="jane.doe@example.org",
        heading="Call +1 207 555 0142",
        url="https://wiki.example.org/mail/jane.doe%40example.org.md",
    )
    b = make_side("b.md", "IBAN DE89370400440532013000", "NGC-448121", owner="boss@example.org", scope="plan: jane.doe@example.org")
    conflict = make_conflict(
        a,
        b,
        kind="identifier",
        attribute="account number",
        entity_key="jane.doe@example.org",
        explanation="NGC-448120 against NGC-448121",
        reviewer="boss@example.org",
        condition="ask +1 207 555 0142",
        rule_trace=("timestamp: jane.doe@example.org",),
    )
    orphan = Orphan(
        "x",
        a.doc,
        b.doc,
        "k",
        "account number",
        "a: jane.doe@example.org",
        "b",
        "accept_a",
        "boss@example.org",
        "2025-01-01",
        "why",
    )
    return make_result(
        [conflict],
        make_values(conflict, ("NGC-448120", [a.doc], ""), ("NGC-448121", [b.doc], "")),
        [make_document(a.doc, owner="boss@example.org"), make_document(b.doc), make_skipped("c", "see jane.doe@example.org")],
        review=Review(decisions=1, reasons={"x": "said jane.doe@example.org"}, orphans=(orphan,)),
    )


def test_no_written_file_holds_a_personal_value(tmp_path: Path) -> None:
    import polars as pl

    everything = (*FORMATS, *chosen(EXTRA))
    for path in write_all(redact(personal_result()), tmp_path / "masked", everything):  # type: ignore[arg-type]
        text = path.read_text("utf-8") if path.suffix != ".parquet" else pl.read_parquet(path).write_json()
        for secret in SECRETS:
            assert secret not in text, (path.name, secret)
    # They would be found if they were there.
    plain = write_all(personal_result(), tmp_path / "plain", everything)  # type: ignore[arg-type]
    assert all(
        "jane.doe@example.org" in path.read_text("utf-8")
        for path in plain
        if path.name in ("conflicts.jsonl", "report.md", "junit.xml")
    )


def test_joins_and_identities_hold() -> None:
    before = personal_result()
    after = redact(before)  # type: ignore[arg-type]
    (conflict,) = after.conflicts
    assert conflict.conflict_id == before.conflicts[0].conflict_id  # type: ignore[attr-defined]
    assert conflict.a.value != conflict.b.value
    assert conflict.a.doc in {row.path for row in after.documents}
    assert conflict.a.doc in {doc for row in after.clusters for doc in row.documents}
    assert conflict.a.chunk_id in {chunk.chunk_id for chunk in after.chunks}
    assert redact(after) == after


def test_marks_move_with_the_text() -> None:
    quote = "Write jane@example.org within 14 days to +1 207 555 0142."
    side = make_side("a.md", quote, "14 days")
    phone = replace(side, marks=((quote.index("+1"), len(quote) - 1), (quote.index("jane") + 2, quote.index("within") - 3)))
    result = redact(make_result([make_conflict(side, phone)], [], []))
    (conflict,) = result.conflicts
    assert [conflict.a.quote[start:end] for start, end in conflict.a.marks] == ["14 days"]
    assert [conflict.b.quote[start:end] for start, end in conflict.b.marks] == ["[phone 1]", "[e-mail 1]"]


def test_hostile_text_is_no_trouble() -> None:
    assert len(redact(hostile_result()).conflicts) == len(hostile_result().conflicts)
