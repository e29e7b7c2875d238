"""What of a message is its own, in the ways that mail programs write replies, forwards and signatures."""

from __future__ import annotations

import pytest

from auditor.load.mail_body import title
from auditor.load.mail_html import HtmlBody
from auditor.load.mail_quotes import Line, split


def own(text: str, subject: str = "Re: x") -> str:
    lines = [Line(line.lstrip("> "), line[: len(line) - len(line.lstrip("> "))].count(">")) for line in text.split("\n")]
    return "\n".join(lines[i].text for i in split(lines, subject)[0].lines).strip()


def sections(source: str, subject: str) -> list[tuple[str, list[str]]]:
    body = HtmlBody(source)
    return [(found.header.get("from", ""), [body.lines[i].text for i in found.lines]) for found in split(body.lines, subject)]


INTRODUCTIONS = [
    "On Mon, Mar 4, 2024 at 3:14 PM John Smith <john@example.org> wrote:",
    "On Mon, Mar 4, 2024 at 3:14 PM John Smith <\njohn@example.org> wrote:",
    "Am Mo., 4. März 2024 um 15:14 Uhr schrieb John Smith <\njohn@example.org>:",
    "John Smith schrieb am 04.03.2024 um 15:14:",
    "Le lun. 4 mars 2024 à 15:14, John Smith <john@example.org> a écrit :",
    "El lun, 4 mar 2024 a las 15:14, John Smith (<john@example.org>) escribió:",
]
DIVIDERS = [
    "-----Original Message-----\nFrom: John Smith",
    "-----Ursprüngliche Nachricht-----\nVon: John Smith",
    "-----Message d'origine-----\nDe : John Smith",
    "-----Mensaje original-----\nDe: John Smith",
    "From: John Smith <john@example.org>\nSent: Monday, March 4, 2024 3:14 PM\nTo: Ann Lee\nSubject: Retention",
    "*From:* John Smith\n*Sent:* Monday, March 4, 2024 3:14 PM\n*To:* Ann Lee\n*Subject:* Retention",
    "________________________________\nVon: John Smith\nGesendet: Montag, 4. März 2024 15:14\nAn: Ann Lee;\nBetreff: Frist",
    "De : John Smith\nEnvoyé : lundi 4 mars 2024 15:14\nÀ : Ann Lee\nObjet : Délai",
    "De: John Smith\nEnviado el: lunes, 4 de marzo de 2024 15:14\nPara: Ann Lee\nAsunto: Plazo",
]


@pytest.mark.parametrize("introduction", INTRODUCTIONS)
def test_reply_above_the_older_message(introduction: str) -> None:
    assert (
        own(f"The period is 30 days.\n\n{introduction}\n\n> The period is 14 days.\n> > And 7 before.\n")
        == "The period is 30 days."
    )


@pytest.mark.parametrize("introduction", INTRODUCTIONS)
def test_older_message_without_signs(introduction: str) -> None:
    assert own(f"The period is 30 days.\n\n{introduction}\n\nThe period is 14 days.\n") == "The period is 30 days."


@pytest.mark.parametrize("divider", DIVIDERS)
def test_dividers(divider: str) -> None:
    assert own(f"The period is 30 days.\n\n{divider}\n\nThe period is 14 days.\n") == "The period is 30 days."


def test_answers_between_the_lines_stay() -> None:
    text = "On 4 March 2024 Bo wrote:\n> Is the period 14 days?\n\nNo, it is 30 days.\n\n> And the fee?\n\nIt is 20 EUR."
    assert [line for line in own(text).split("\n") if line] == ["No, it is 30 days.", "It is 20 EUR."]


@pytest.mark.parametrize(
    "text",
    [
        "From: Berlin\nTo: Munich\nDate: 3 April\n\nThe ticket costs 30 EUR.",
        "On weekdays the board wrote:\nWe meet at nine.",
        "The customer wrote:\nplease send it back within 14 days.",
        "To: all\nThe office closes at six.",
        "Thanks!\nThe office closes at six, as it always has.",
        "# Rules\n\n-- a dash is no signature --\n\nThe limit is 30.",
    ],
)
def test_what_only_looks_like_a_reply(text: str) -> None:
    assert own(text) == text


@pytest.mark.parametrize(
    "signature",
    [
        "-- \nAnn Lee\nPhone: 030 1234",
        "Best regards,\nAnn Lee\nHead of Support\n+49 30 1234",
        "Mit freundlichen Grüßen\n\nAnn Lee\nTelefon: 030 1234",
        "Cordialement,\nAnn Lee",
        "Sent from my iPhone",
        "Von meinem iPhone gesendet",
        "Envoyé de mon iPhone",
        "Get Outlook for iOS",
        "This e-mail and any attachments are confidential and intended solely for the addressee.\n\nIf you are not the intended recipient, delete it.",
        "Diese E-Mail enthält vertrauliche und/oder rechtlich geschützte Informationen.",
        "Ce message et toutes les pièces jointes sont confidentiels.",
        "_______________________________________________\nUsers mailing list\nUsers@example.org",
        "Regards\nAnn\n\nConfidentiality notice: for the addressee only.\n\nSent from my iPad",
    ],
)
def test_signatures(signature: str) -> None:
    assert own(f"The period is 30 days.\nThe fee is 20 EUR.\n\n{signature}\n") == "The period is 30 days.\nThe fee is 20 EUR."


def test_banner_of_the_mail_gateway() -> None:
    assert own("CAUTION: This email originated from outside of the organization.\n\nThe fee is 20 EUR.") == "The fee is 20 EUR."


GMAIL = (
    '<div>The period is 30 days.</div><br><div class="gmail_quote"><div class="gmail_attr">{}<br></div>'
    '<blockquote class="gmail_quote"><div>It was 14 days.</div></blockquote></div>'
)


@pytest.mark.parametrize(
    "source",
    [
        GMAIL.format("On Mon, Mar 4, 2024 Bo &lt;bo@example.org&gt; wrote:"),
        GMAIL.format("2024. március 4. Bo &lt;bo@example.org&gt; ezt írta:"),  # no word of it is known
        '<p>The period is 30 days.</p><div class="moz-cite-prefix">Bo:</div><blockquote type="cite"><p>It was 14 days.</p></blockquote>',
        "<p>The period is 30 days.</p><hr><div id='divRplyFwdMsg'><b>De la:</b> Bo<br><b>Trimis:</b> luni</div><p>It was 14 days.</p>",
        "<p>The period is 30 days.</p><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p><b>Von:</b> Bo<br>"
        "<b>Gesendet:</b> Montag<br><b>An:</b> Ann<br><b>Betreff:</b> Frist</p></div><p>It was 14 days.</p>",
        "<p>The period is 30 days.</p><p>On 4 Mar 2024, at 10:00, Bo wrote:</p><blockquote><p>It was 14 days.</p></blockquote>",
        "<p>The period is 30 days.</p><div class='gmail_signature'>Bo<br>It was 14 days.</div>",
    ],
)
def test_replies_in_html(source: str) -> None:
    assert sections(source, "Re: x") == [("", ["The period is 30 days."])]


def test_a_quotation_of_the_writer_stays() -> None:
    assert sections("<p>The law says:</p><blockquote>14 days.</blockquote><p>So be it.</p>", "x")[0][1] == [
        "The law says:",
        "14 days.",
        "So be it.",
    ]


HEADER = "{}<br>From: Bo &lt;bo@example.org&gt;<br>Date: Mon, 4 Mar 2024 10:00<br>Subject: Fees<br>To: ann@example.org<br><br>"


@pytest.mark.parametrize(
    ("source", "subject"),
    [
        (f"<p>See below.</p><div>{HEADER.format('---------- Forwarded message ---------')}</div><p>The fee is 20 EUR.</p>", "Fees"),
        (f"<p>See below.</p><div>{HEADER.format('Begin forwarded message:')}</div><p>The fee is 20 EUR.</p>", "Fees"),
        (
            f"<p>See below.</p><div>{HEADER.format('-------- Weitergeleitete Nachricht --------')}</div><p>The fee is 20 EUR.</p>",
            "Fees",
        ),
        (f"<p>See below.</p><div>{HEADER.format('')}</div><p>The fee is 20 EUR.</p>", "WG: Fees"),
        (
            f"<p>See below.</p><blockquote type=cite>{HEADER.format('Begin forwarded message:')}<p>The fee is 20 EUR.</p></blockquote>",
            "Fees",
        ),
    ],
)
def test_forwarded_messages_are_documents_of_their_own(source: str, subject: str) -> None:
    source += (
        f"<div>{HEADER.format('-----Original Message-----')}</div><p>The fee was 10 EUR.</p>" if "blockquote" not in source else ""
    )
    assert sections(source, subject) == [("", ["See below."]), ("Bo <bo@example.org>", ["The fee is 20 EUR."])]


def test_a_reply_to_a_forward_is_a_reply() -> None:
    assert own(
        "Agreed: 30 days.\n\nOn 4 March 2024, Bo wrote:\n> ---------- Forwarded message ----------\n> From: X\n> 14 days.",
        "Re: Fwd: x",
    ) == ("Agreed: 30 days.")


def test_html_keeps_its_structure() -> None:
    body = HtmlBody(
        "<ul><li>one</li></ul><blockquote type=cite><table><tr><td>old</td></tr></table></blockquote><p>a <b>b</b> &amp; c</p>"
    )
    assert body.without(split(body.lines, "x")[0].lines) == (
        "<ul><li>one</li></ul><blockquote type=cite><table><tr><td></td></tr></table></blockquote><p>a <b>b</b> &amp; c</p>"
    )


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("Re: AW: Fwd: Fees", "Fees"),
        ("[list] Re[2]: Fees", "[list] Fees"),
        ("=?utf-8?q?R=C3=BCckgabe?= =?utf-8?q?_frist?=", "Rückgabe frist"),
        ("RE：Fees", "Fees"),
        ("Reference: fees", "Reference: fees"),
        ("a\n b\x07", "a b"),
    ],
)
def test_titles(subject: str, expected: str) -> None:
    assert title(subject) == expected
