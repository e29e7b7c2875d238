"""From a message, whatever file it came in, to documents: the best body, its own words, what it forwards, and its attachments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parseaddr, parsedate_to_datetime

from auditor.load import mail_quotes, table
from auditor.load.kinds import HEAD
from auditor.load.mail_html import HtmlBody
from auditor.load.mail_mime import decode_words
from auditor.load.mail_quotes import Line
from auditor.load.members import Parts, too_large, unsupported
from auditor.ports import Member, Unread

_STRUCTURE = re.compile(r"<(?:ul|ol|dl|table)[\s>]", re.IGNORECASE)
_LITTLE = 0.3  # of the text of the HTML body: a plain body that is shorter only says where to read the message
_QUOTED = re.compile(r"(?:>[ \t]?)+")
_PREFIX = re.compile(
    r"(\s*\[[^\]]{1,60}\])?\s*(?:re|fwd?|aw|wg|sv|vs|tr|rv|antw|doorst|rif|odp|enc|res)(?:\s?\[\d{1,3}\]|\s?\(\d{1,3}\))?\s?[:：]\s*",
    re.IGNORECASE,
)
_PGP = re.compile(
    r"-----BEGIN PGP SIGNED MESSAGE-----\n(?:[A-Z][\w-]*:[^\n]*\n)*\n(.*?)\n-----BEGIN PGP SIGNATURE-----.*", re.DOTALL
)
_MAX_AUTHOR = 200


@dataclass(frozen=True, slots=True)
class Letter:
    """A message as its file gives it; `plain` and `html` are its bodies, "" where there is none."""

    subject: str = ""
    author: str = ""
    date: str = ""
    plain: str = ""
    html: str = ""


@dataclass(frozen=True, slots=True)
class Attachment:
    """An attached file; `data` is None when it cannot be read, and `reason` says why."""

    name: str
    data: bytes | None
    reason: str = ""


def letter_members(letter: Letter, part: str, form: str, parts: Parts) -> Iterator[Member | Unread]:
    """The documents of the message itself: its own words under `part`, forwarded messages under names of their own."""
    plain, body = _bodies(letter)
    if plain.lstrip().startswith("-----BEGIN PGP MESSAGE-----"):
        yield Unread(part, "encrypted message", form)
        return
    lines = body.lines if body else _lines(plain)
    found = False
    for section in mail_quotes.split(lines, letter.subject):
        text = body.without(section.lines) if body else _text(lines, section.lines)
        if not section.lines or not text.strip():
            continue
        header = section.header
        subject = header.get("subject", "") or letter.subject
        found = True
        yield Member(
            part=part + parts.part("forwarded message") if section.forwarded else part,
            name="message.html" if body else "message.txt",
            data=text.encode("utf-8", "replace"),
            title=title(subject),
            fields=_fields(header.get("from", ""), header.get("date", ""))
            if section.forwarded
            else _fields(letter.author, letter.date),
            format=form,
            lines=False,
        )
    if not found and any(line.text.strip() for line in lines):
        yield Unread(part, "nothing but older messages and a signature", form)


def attachment_members(attachments: Iterator[Attachment], part: str, parts: Parts, limit: int) -> Iterator[Member | Unread]:
    """The attached files that are documents."""
    for attachment in attachments:
        name, data = attachment.name, attachment.data
        if data is None:
            if attachment.reason:
                yield Unread(part + parts.part(name), attachment.reason)
        elif reason := unsupported(name):
            yield Unread(part + parts.part(name), reason)
        elif len(data) > limit:
            yield Unread(part + parts.part(name), too_large(len(data), limit))
        elif table.is_read(name, data[:HEAD]):
            yield Member(part + parts.part(name), name, data)


def title(subject: str) -> str:
    """A subject without what replies and forwards put in front of it."""
    subject = decode_words(subject)
    while match := _PREFIX.match(subject):
        subject = f"{match[1] or ''} {subject[match.end() :]}".strip()
    return subject


def sender(value: str) -> str:
    """`Name <address>` of a decoded or encoded header value."""
    if "@" not in value:
        return decode_words(value)[:_MAX_AUTHOR]
    name, address = parseaddr(value[:2000])
    name, address = decode_words(name).strip("\"' "), decode_words(address)
    if not address and not name:
        return decode_words(value)[:_MAX_AUTHOR]
    if not name or name.lower() == address.lower():
        return address[:_MAX_AUTHOR]
    return (f"{name} <{address}>" if address else name)[:_MAX_AUTHOR]


def iso_date(value: str) -> str:
    """The date of a header in ISO form, "" for none or one that no message can have."""
    try:
        date = parsedate_to_datetime(value.strip()[:200])
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""
    return iso(date)


def iso(date: datetime) -> str:
    """A date in ISO form, "" for one that no message can have."""
    if not 1971 <= date.year <= 2099:  # the zero of a clock, a sender who wants to stand first
        return ""
    return date.replace(microsecond=0).isoformat()


def from_filetime(ticks: int) -> str:
    """A point in time of Windows (100 ns since 1601) in ISO form."""
    try:
        return iso(datetime.fromtimestamp(ticks / 10_000_000 - 11_644_473_600, tz=UTC))
    except (ValueError, OverflowError, OSError):
        return ""


def _fields(author: str, date: str) -> dict[str, str]:
    fields = {
        "author": sender(author),
        "date": date if re.match(r"\d{4}-\d\d-\d\dT", date) else iso_date(date) or decode_words(date)[:80],
    }
    return {name: value for name, value in fields.items() if value}


def _bodies(letter: Letter) -> tuple[str, HtmlBody | None]:
    """The plain body, or the HTML body if that says more."""
    plain, source = letter.plain, letter.html
    if not source.strip():
        return plain, None
    if not plain.strip():
        return "", HtmlBody(source)
    if not _STRUCTURE.search(source) and len(plain) >= _LITTLE * len(source):
        return plain, None
    body = HtmlBody(source)
    return (plain, body) if _STRUCTURE.search(source) or len(plain.strip()) < _LITTLE * body.length else (plain, None)


def _lines(plain: str) -> list[Line]:
    if match := _PGP.search(plain):
        plain = match[1]
    lines: list[Line] = []
    for text in plain.split("\n"):
        quoted = _QUOTED.match(text)
        lines.append(Line(text[quoted.end() :], quoted.group().count(">")) if quoted else Line(text))
    return lines


def _text(lines: list[Line], kept: list[int]) -> str:
    """The kept lines; where others were cut stands a blank line."""
    out: list[str] = []
    before = -1
    for i in kept:
        if out and i != before + 1:
            out.append("")
        out.append(lines[i].text)
        before = i
    return "\n".join(out).strip("\n")
