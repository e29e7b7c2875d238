"""Messages and mailboxes: what becomes a document, under which id, with whose name and date."""

from __future__ import annotations

from datetime import date
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from members_helpers import documents, outcomes, skipped, texts

from auditor.load import load_corpus
from auditor.load.mail_mime import decode_words, from_base64, text_of
from auditor.model import BlockKind
from auditor.ports import LoadError

HEADER = b"From: Ann Lee <ann@example.org>\nDate: Tue, 5 Mar 2024 09:15:00 +0100\nSubject: Fees\n"


def message(text: str = "The fee is 20 EUR.\n", **headers: str) -> EmailMessage:
    made = EmailMessage()
    headers = {"From": "Ann Lee <ann@example.org>", "Date": "Tue, 05 Mar 2024 09:15:00 +0100", "Subject": "Re: Fees"} | headers
    for name, value in headers.items():
        made[name.replace("_", "-")] = value
    made.set_content(text)
    return made


def multipart(*parts: bytes, kind: bytes = b"mixed") -> bytes:
    body = b"".join(b"--b\n" + part + b"\n" for part in parts)
    return HEADER + b"Content-Type: multipart/" + kind + b'; boundary="b"\n\n' + body + b"--b--\n"


def test_a_message_and_its_attachments() -> None:
    made = message(
        "The following are free:\n\n- returns\n- repairs\n", From="Jörg Müller <jm@example.org>", Subject="AW: Gebühren – neu"
    )
    for fee in (20, 21):
        made.add_attachment(f"# Prices\n\nThe fee is {fee} EUR.\n", subtype="markdown", filename="préis.md")
    made.add_attachment(b"\x89PNG", "image", "png", filename="logo.png")
    made.add_attachment(b"Rar!", "application", "octet-stream", filename="old.rar")
    made.add_attachment(b"x", "application", "octet-stream", filename="run.exe")
    found = documents(bytes(made), "in/a.eml")
    assert list(found) == ["in/a.eml", "in/a.eml!/préis.md", "in/a.eml!/préis (2).md"]
    first = found["in/a.eml"]
    assert (first.title, first.format, first.owner) == ("Gebühren – neu", "eml", "Jörg Müller <jm@example.org>")
    assert first.published is not None
    assert first.published.value == date(2024, 3, 5)
    items = [block for block in first.blocks if block.kind is BlockKind.ITEM]
    assert [(item.text, item.lead_in, first.place_at(item.start), first.line_at(item.start)) for item in items] == [
        ("returns", "The following are free:", "paragraph=2", None),
        ("repairs", "The following are free:", "paragraph=3", None),
    ]
    attached = found["in/a.eml!/préis (2).md"]
    assert [attached.line_at(block.start) for block in attached.blocks] == [1, 3]
    assert attached.published is None  # the date of the message says nothing about how old the file is
    assert skipped(bytes(made), "a.eml") == {"a.eml!/old.rar": "archive in a format that is not read: .rar"}


@pytest.mark.parametrize(
    ("rich", "expected"),
    [
        ("<p>The fee is <b>20</b> EUR.</p>", ("The fee is 20 EUR.", "paragraph")),
        ("<table><tr><th>Plan</th><th>Fee</th></tr><tr><td>Pro</td><td>20 EUR</td></tr></table>", ("Pro | 20 EUR", "row")),
        ("<ul><li>The fee is 20 EUR.</li></ul>", ("The fee is 20 EUR.", "item")),
    ],
)
def test_the_better_of_two_bodies(rich: str, expected: tuple[str, str]) -> None:
    made = message()
    made.add_alternative(f"<html><body>{rich}</body></html>", subtype="html")
    [document] = documents(bytes(made), "a.eml").values()
    assert [(block.text, block.kind.value) for block in document.blocks] == [expected]


def test_a_plain_body_that_only_refers_to_the_other() -> None:
    made = message("View this in a browser.\n")
    made.add_alternative("<p>" + "The fee is 20 EUR. " * 20 + "</p>", subtype="html")
    assert "The fee is 20 EUR." in documents(bytes(made), "a.eml")["a.eml"].text


def test_pieces_around_an_attachment_are_one_body() -> None:
    data = multipart(
        b"Content-Type: text/plain\n\nThe fee is 20 EUR.\n",
        b"Content-Type: text/plain; name=a.txt\n\nThe deposit is 50 EUR.\n",
        b"Content-Type: text/html\n\n<p>The rent is 300 EUR.</p>",
    )
    found = documents(data, "a.eml")
    assert texts(found["a.eml"]) == ["The fee is 20 EUR.", "The rent is 300 EUR."]
    assert texts(found["a.eml!/a.txt"]) == ["The deposit is 50 EUR."]


def test_forwarded_message() -> None:
    text = "See below.\n\n---------- Forwarded message ---------\nFrom: Bo <bo@example.org>\nDate: Fri, 1 Mar 2024 at 10:00\nSubject: Re: Limits\n\nThe limit is 500.\n"
    found = documents(bytes(message(text)), "a.eml")
    forwarded = found["a.eml!/forwarded message"]
    assert (texts(found["a.eml"]), texts(forwarded)) == (["See below."], ["The limit is 500."])
    assert (forwarded.title, forwarded.owner) == ("Limits", "Bo <bo@example.org>")
    assert forwarded.published is not None
    assert forwarded.published.value == date(2024, 3, 1)


def test_attached_messages_nest_to_a_limit() -> None:
    inner = message("The fee is 5 EUR.\n", Subject="Innermost")
    for level in range(4):
        outer = message(f"Level {level} costs {level} EUR.\n", Subject=f"Level {level}")
        outer.add_attachment(inner)
        inner = outer
    assert list(documents(bytes(inner), "a.eml")) == ["a.eml", "a.eml!/message.eml", "a.eml!/message.eml!/message.eml"]
    assert list(skipped(bytes(inner), "a.eml").values()) == ["more than 3 archives in one another"]


def test_mailbox() -> None:
    first = bytes(message("The fee is 20 EUR.\n>From here on it is 30 EUR.\n", Message_ID="<a#1!@example.org>"))
    second = b"Subject: Limits\nFrom: bo@example.org\n\nFrom the start\n\nFrom now on\nthe limit is 500.\n"
    mailbox = b"".join(b"From x@example.org Tue Mar  5 15:14:00 2024\n" + data + b"\n" for data in (first, second, first))
    found = documents(mailbox, "all.mbox")
    assert list(found) == ["all.mbox#a%231%21@example.org", "all.mbox#2", "all.mbox#a%231%21@example.org (2)"]
    assert texts(found["all.mbox#a%231%21@example.org"]) == ["The fee is 20 EUR. From here on it is 30 EUR."]
    limits = found["all.mbox#2"]
    assert texts(limits) == ["From the start", "From now on the limit is 500."]
    assert (limits.format, limits.owner) == ("mbox", "bo@example.org")
    assert limits.published is not None  # of the envelope: the message has no date
    assert limits.published.value == date(2024, 3, 5)
    assert documents(mailbox.replace(b"\n", b"\r\n"), "all.mbox").keys() == found.keys()


def test_a_message_over_the_limit_costs_only_itself() -> None:
    mailbox = b"From a\nSubject: a\n\n" + b"x " * 5000 + b"\n\nFrom b\nSubject: b\n\nThe fee is 20 EUR.\n"
    assert list(documents(mailbox, "a.mbox", max_bytes=1000)) == ["a.mbox#2"]
    assert skipped(mailbox, "a.mbox", max_bytes=1000) == {"a.mbox#1": "larger than the limit: 0.0 of 0.0 MiB"}


def test_mail_folders_are_known_by_their_content(tmp_path: Path) -> None:
    folder = tmp_path / "Inbox" / "cur"
    folder.mkdir(parents=True)
    data = b"Return-Path: <a@example.org>\nReceived: by mx; Tue, 5 Mar 2024 09:15:00 +0000\nFrom: a@example.org\n\nThe fee is 20 EUR.\n"
    (folder / "1709630100.M1P2.mail.example.com:2,S").write_bytes(data)
    (folder / "17").write_bytes(data)
    (tmp_path / "Sent").write_bytes(b"From a@example.org Tue Mar  5 15:14:00 2024\n" + data)
    found, lost = load_corpus(tmp_path)
    assert [(doc.doc_id, doc.format, str(doc.published and doc.published.value)) for doc in found] == [
        ("Inbox/cur/17", "eml", "2024-03-05"),
        ("Inbox/cur/1709630100.M1P2.mail.example.com:2,S", "eml", "2024-03-05"),
        ("Sent#1", "mbox", "2024-03-05"),
    ]
    assert not lost


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (multipart(b"\nThe fee is 20 EUR.").removesuffix(b"--b--\n"), "The fee is 20 EUR."),  # never closed
        (HEADER + b"Content-Type: multipart/mixed\n\nThe fee is 20 EUR.\n", "The fee is 20 EUR."),  # no boundary
        (HEADER + b"Content-Type: ;;;=\n\nThe fee is 20 EUR.\n", "The fee is 20 EUR."),
        (HEADER + b"The fee is 20 EUR.\n", "The fee is 20 EUR."),  # no blank line
        (HEADER + b"Content-Type: text/plain; charset=nonsense\n\nDie Geb\xfchr\n", "Die Gebühr"),
        (HEADER + b"Content-Type: text/plain; charset=us-ascii\n\nDie Geb\xc3\xbchr\n", "Die Gebühr"),
        (HEADER + b"Content-Type: text/plain; charset=iso-2022-jp\n\n\x1b$B?tNL\x1b(B 20\n", "数量 20"),
        (HEADER + b"Content-Type: text/plain; charset=idna\n\nfee\n", "fee"),
        (HEADER + b"Content-Transfer-Encoding: base64\n\nVGhlIGZlZSBpcyAyMCBFVVIu*\n=junk", "The fee is 20 EUR."),
        (HEADER + b"Content-Transfer-Encoding: quoted-printable\n\nThe fee is=\n 20=ZZ EUR=2E=\n", "The fee is 20=ZZ EUR."),
        (HEADER + b"\nThe fee\0 is 20 EUR.\x1b\n", "The fee is 20 EUR."),
    ],
)
def test_broken_mime(data: bytes, expected: str) -> None:
    [document] = documents(data, "a.eml").values()
    assert texts(document) == [expected]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (HEADER + b'Content-Type: multipart/encrypted; boundary="b"\n\n--b\n\nx\n--b--\n', "encrypted message"),
        (HEADER + b"Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nAAAA\n", "encrypted message"),
        (HEADER + b"\n-----BEGIN PGP MESSAGE-----\n\nhQEM\n", "encrypted message"),
        (HEADER + b"\n> The fee is 20 EUR.\n", "nothing but older messages and a signature"),
        (HEADER + b"Content-Type: image/png\n\nx\n", "the message holds no text"),
        (HEADER + b"\n", "the message holds no text"),
    ],
)
def test_messages_without_readable_text(data: bytes, reason: str) -> None:
    assert (documents(data, "a.eml"), skipped(data, "a.eml")) == ({}, {"a.eml": reason})


def test_no_message() -> None:
    for name in ("a.eml", "a.mbox"):
        with pytest.raises(LoadError, match="no m"):
            outcomes(b"\x00\x01garbage\n\nmore", name)


def test_headers_cannot_inject_fields() -> None:
    data = b"From: a@example.org\nSubject: =?utf-8?q?x=0AStatus=3A_withdrawn?=\nStatus: withdrawn\nOwner: mallory\n\nThe fee is 20 EUR.\n"
    [document] = documents(data, "a.eml").values()
    assert (document.title, document.owner, document.fields.get("status")) == ("x Status: withdrawn", "a@example.org", None)


@pytest.mark.parametrize(
    "value", ["", "nonsense", "Thu, 01 Jan 1970 00:00:00 +0000", "Tue, 31 Feb 2024 10:00:00", "Tue, 5 Mar 99999 1:1:1"]
)
def test_dates_that_are_none(value: str) -> None:
    data = f"From: a@example.org\nDate: {value}\n\nThe fee is 20 EUR.\n".encode()
    assert documents(data, "a.eml")["a.eml"].published is None


def test_many_parts() -> None:
    part = b'Content-Disposition: attachment; filename="../a.txt"\n\nThe fee is 20 EUR.'
    found = outcomes(multipart(*[part] * 12_000), "a.eml", max_members=50)
    assert [doc.doc_id for doc in found[:2]] == ["a.eml!/a.txt", "a.eml!/a (2).txt"]
    assert len(found) == 51
    nested = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (i, i) for i in range(5_000))
    assert list(skipped(nested + b"\n\nx", "a.eml").values()) == ["the message holds no text"]


def test_decoding() -> None:
    assert from_base64(b"QU JD\nRA") == b"ABCD"
    assert from_base64(b"QUJDR") == b"ABC"
    assert decode_words("=?utf-8?b?R2Vi?= =?utf-8?b?w7xocg==?=") == "Gebühr"
    assert decode_words("=?utf-8?b?!!?= =?x?y?z?=") == "=?x?y?z?="
    assert text_of(b"\xb5\xc4", "gb2312") == "的"
    assert text_of("Gebühr".encode("utf-16-le"), "utf-16-le") == "Gebühr"


PIECES = st.sampled_from(
    [
        b"\n",
        b"\n\n",
        b"--b\n",
        b"--b--\n",
        b"Content-Type: multipart/mixed; boundary=b\n",
        b"Content-Type: message/rfc822\n",
        b"=?utf-8?b?=",
        b"From x\n",
        b"Content-Transfer-Encoding: base64\n",
        b"Content-Disposition: attachment; filename*0*=utf-8''%ff\n",
        b"Subject: a\n",
        b"From: a\n",
        b"Sent: b\n",
        b"> a\n",
        b"-- \n",
        b"On 1.1.2024 a@b wrote:\n",
        b"\xff\xfe",
        b"\x00",
        b"<html>",
        b"<blockquote type=cite>",
        b"</p>",
        b"---- Forwarded message ----\n",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=30).map(b"".join), st.sampled_from(["a.eml", "a.mbox"]))
def test_any_mixture_ends_in_documents_or_reasons(data: bytes, name: str) -> None:
    for prefix in (b"", HEADER, b"From x\n" + HEADER):
        try:
            found = outcomes(prefix + data, name)
        except LoadError:
            continue
        assert all("the loader failed" not in getattr(entry, "reason", "") for entry in found)
