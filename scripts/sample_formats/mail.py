"""Three mails and the archive of a mailing list."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from sample_formats.contracts import small_docx

EASTERN = timezone(timedelta(hours=-4))
POLICY = SMTP.clone(linesep="\n")

ALLOWANCE = """\
Hi all,

good news: from 1 June 2024 you get $520 for each week in which you carry
the pager. The half day off after a call at night stays as it is, and so
does everything else.

I will change the page when I am back from holiday. Until then this mail
counts.

Priya

On Tue, 21 May 2024 at 16:48, Dana Okafor wrote:
> Priya, at the moment we pay $450 a week, and that has not moved since
> 2021. I can live with $520 as long as the rota does not grow.
>
> On Mon, 20 May 2024 at 11:02, Priya Raman wrote:
> > Dana, two of my people asked what a broken night is worth to us. Can we
> > talk about the allowance before the summer?
"""

PARTNER_NEWS = """\
<html><head><style>td { padding: 4px } .small { color: #888 }</style></head>
<body>
<p>Dear partners,</p>
<p>the course that leads to the certificate changes a little. Here is what is different, and what you have been asking about.</p>
<table border="1">
<tr><th>Topic</th><th>Until now</th><th>From 1 June 2024</th></tr>
<tr><td>Length of the exam</td><td>75 minutes</td><td>75 minutes</td></tr>
<tr><td>Trying a third time in one year</td><td>no</td><td>yes, after a talk with the trainer</td></tr>
<tr><td>Course in Spanish</td><td>no</td><td>twice a year, online</td></tr>
</table>
<h3>What does not change</h3>
<ul>
<li>Two of your people come for free each year. From the third on it is $480 for each.</li>
<li>Gold partners buy at a quarter off the list price.</li>
<li>Unsold devices come back to us within 90 days, in the box in which they left.</li>
</ul>
<p>The next course begins on 11 June in Portland; three places are left.</p>
<p>Kind regards<br>Marisol Vega, partner team</p>
<p class="small">You get this mail because you are a contact of a partner. <a href="https://news.orrinvale.example/off">No more of these</a></p>
</body></html>
"""

AMENDMENT_MAIL = """\
Dear Dr. Lindgren,

attached you find the draft of amendment no. 1, as discussed on the phone.
With the twelve additional seats you will have 48 seats from 1 July 2024.

Please read it and tell me whether anything is missing. Once you agree, we
send you the final text for signature.

Best regards,
Anselm Kofi
Account team, Orrinvale
"""

AMENDMENT = [
    ("Heading1", "Amendment no. 1 (draft)"),
    ("", "to the order form of 21 March 2024 between Orrinvale Inc. and Meridian Dental Group"),
    ("", "1. From 1 July 2024 the Customer takes twelve additional seats at the price that was agreed in the order form."),
    ("", "2. The seats are for all seven sites at which the Customer uses Tideline."),
    ("", "3. The additional seats end together with the others. Everything else remains as it is."),
    ("", "Draft of 10 June 2024, not signed"),
]

THREAD = [
    (
        "20240506.1842@lists.orrinvale.example",
        "Yusuf Adan <yusuf@clinova.example>",
        datetime(2024, 5, 6, 18, 42, tzinfo=UTC),
        "Webhooks and a strict firewall",
        """\
Hello list,

one of our clinics has a firewall team that wants to know where your calls
come from. "Anywhere" is not an answer that they accept. Is there a list?

Yusuf
""",
    ),
    (
        "20240507.1310@lists.orrinvale.example",
        "Lena Brookes <lena@orrinvale.example>",
        datetime(2024, 5, 7, 13, 10, tzinfo=UTC),
        "Re: Webhooks and a strict firewall",
        """\
Hi Yusuf,

there is. Since the move in April all webhook calls leave from 198.51.100.32/28
and from nowhere else. Allow that range on port 443 and they will be happy.

> "Anywhere" is not an answer that they accept.

Good for them.

Lena, platform team
""",
    ),
    (
        "20240513.0905@lists.orrinvale.example",
        "Lena Brookes <lena@orrinvale.example>",
        datetime(2024, 5, 13, 9, 5, tzinfo=UTC),
        "How many export files will I get?",
        """\
Somebody asked me this twice last week, so here it is for everybody.

Suppose a tenant has 26,000 readings in the period. You then get three files,
because a file is full at 10,000 rows. The last one is shorter.

Fetch them within a day. After that they are gone and you start again.

Lena
""",
    ),
]


def _mail(sender: str, to: str, when: datetime, subject: str, message_id: str) -> EmailMessage:
    mail = EmailMessage(policy=POLICY)
    mail["From"], mail["To"], mail["Subject"] = sender, to, subject
    mail["Date"], mail["Message-ID"] = format_datetime(when), f"<{message_id}>"
    return mail


def allowance() -> bytes:
    when = datetime(2024, 5, 28, 9, 12, tzinfo=EASTERN)
    mail = _mail(
        "Priya Raman <priya@orrinvale.example>",
        "on-call@orrinvale.example",
        when,
        "Re: Pager allowance from June",
        "b7d1.0528@mail.orrinvale.example",
    )
    mail["In-Reply-To"] = "<a11f.0521@mail.orrinvale.example>"
    mail.set_content(ALLOWANCE, cte="7bit")
    return mail.as_bytes()


def partner_news() -> bytes:
    when = datetime(2024, 5, 27, 14, 0, tzinfo=EASTERN)
    mail = _mail(
        "Orrinvale partner team <partners@orrinvale.example>",
        "partner-contacts@orrinvale.example",
        when,
        "Partner news, May 2024",
        "news.202405@mail.orrinvale.example",
    )
    mail.set_content(PARTNER_NEWS, subtype="html", cte="quoted-printable")
    return mail.as_bytes()


def amendment() -> bytes:
    when = datetime(2024, 6, 10, 10, 26, tzinfo=EASTERN)
    mail = _mail(
        "Anselm Kofi <anselm@orrinvale.example>",
        "Petra Lindgren <lindgren@meridiandental.example>",
        when,
        "Amendment no. 1, draft",
        "ak.0610@mail.orrinvale.example",
    )
    mail.set_content(AMENDMENT_MAIL, cte="7bit")
    attached = small_docx("Amendment no. 1", "Anselm Kofi", datetime(2024, 6, 10, 10, 0), AMENDMENT)
    kind = "vnd.openxmlformats-officedocument.wordprocessingml.document"
    mail.add_attachment(attached, maintype="application", subtype=kind, filename="meridian-amendment-1.docx")
    mail.set_boundary("=_orrinvale_0610_1026")
    return mail.as_bytes()


def developers_list() -> bytes:
    out: list[bytes] = []
    for message_id, sender, when, subject, text in THREAD:
        mail = _mail(sender, "developers@lists.orrinvale.example", when, subject, message_id)
        mail["List-Id"] = "Tideline developers <developers.lists.orrinvale.example>"
        mail.set_content(text, cte="7bit")
        address = sender.split("<")[1].rstrip(">")
        out.append(f"From {address} {when:%a %b} {when.day:>2} {when:%H:%M:%S %Y}\n".encode() + mail.as_bytes() + b"\n")
    return b"".join(out)


DOCUMENTS = {
    "runbooks/on-call-allowance.eml": allowance,
    "partners/partner-news-2024-05.eml": partner_news,
    "contracts/meridian-amendment.eml": amendment,
    "api/developers.mbox": developers_list,
}
