"""Messages: a file that is one message (EML), and mailboxes of many (MBOX)."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import BinaryIO

from auditor.load.config import LoadConfig
from auditor.load.mail_body import Attachment, Letter, attachment_members, iso_date, letter_members
from auditor.load.mail_mime import Parser, Part, decode_words, read_headers, text_of
from auditor.load.members import Parts, printable, too_large
from auditor.ports import LoadError, Member, Unread

_ENVELOPE = b"From "
_HEADER = re.compile(rb"(?:[!-9;-~]{1,120}[ \t]*:|>?From )")
_LINE = 1 << 16
_PER_MESSAGE = 4  # times the limit of a document: attachments are written down at four thirds of their size
_HTML = re.compile(r"\s*<(?:!doctype html|html)[\s>]", re.IGNORECASE)
_EXTENSIONS = {
    "application/pdf": ".pdf",
    "application/rtf": ".rtf",
    "text/rtf": ".rtf",
    "text/html": ".html",
    "text/plain": ".txt",
    "text/csv": ".csv",
    "text/markdown": ".md",
    "application/json": ".json",
    "application/zip": ".zip",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
    "application/vnd.ms-excel": ".xls",
    "application/vnd.oasis.opendocument.text": ".odt",
    "application/vnd.oasis.opendocument.spreadsheet": ".ods",
}
_NO_DOCUMENT = re.compile(
    r"(?:image|audio|video|font)/|application/(?:pgp-signature|(?:x-)?pkcs7-signature|pgp-keys|pgp-encrypted)|"
    r"message/(?:delivery-status|disposition-notification|external-body|feedback-report|global-)|text/(?:rfc822-headers|x-amp-html|calendar|vcard|x-vcard|directory)"
)


class MailContainer:
    """Takes messages and mailboxes apart: every message is a document, and so is every attachment that can be read."""

    id = "mail"

    def accepts(self, name: str, head: bytes) -> bool:
        """By extension, which `kinds` gives to files of mail folders that have none."""
        return name.endswith((".eml", ".emlx", ".mbox"))

    def members(self, file: BinaryIO, name: str, config: LoadConfig) -> Iterator[Member | Unread]:
        """The messages in their order, each before its attachments."""
        if name.endswith(".mbox"):
            yield from _mailbox(file, config)
            return
        limit = _PER_MESSAGE * config.max_bytes
        data = file.read(limit + 1)
        if len(data) > limit:
            raise LoadError(too_large(file.seek(0, 2), limit))
        if name.endswith(".emlx") and (match := re.match(rb"\s*(\d{1,12})\s*\n", data)):
            data = data[match.end() : match.end() + int(match[1])]
        if not data.strip():
            raise LoadError("empty")
        yield from _message(data, "", "eml", config)


def _mailbox(file: BinaryIO, config: LoadConfig) -> Iterator[Member | Unread]:
    ids = Parts("#")
    limit = _PER_MESSAGE * config.max_bytes
    number = 0
    for number, (envelope, data, size) in enumerate(_split(file, limit), start=1):
        head, _ = read_headers(data, 0, len(data))
        identity = printable(head.get("message-id", "").strip().strip("<>").strip())
        part = ids.part("".join(identity.split()) or str(number))
        if size > limit:
            yield Unread(part, too_large(size, limit), "mbox")
            continue
        yield from _message(data, part, "mbox", config, envelope)
    if not number:
        raise LoadError("no mailbox: no message begins in it")


def _split(file: BinaryIO, limit: int) -> Iterator[tuple[str, bytes, int]]:
    """The messages of a mailbox: date of the envelope, bytes and true size (of a message over the limit only the beginning is kept).

    A message begins with a line `From …` behind a blank line (or at the start) if a header follows; elsewhere such a line is text.
    """
    envelope = ""
    chunks: list[bytes] | None = None
    size = 0
    blank, fresh = True, True  # whether the line before was empty, and whether a line begins here
    line = file.readline(_LINE)
    while line:
        following = file.readline(_LINE)
        if fresh and blank and line.startswith(_ENVELOPE) and _HEADER.match(following):
            if chunks is not None:
                yield envelope, b"".join(chunks), size
            envelope, chunks, size = line.decode("ascii", "replace"), [], 0
        elif chunks is not None:
            if fresh and line.startswith(b">") and line.lstrip(b">").startswith(_ENVELOPE):
                line = line[1:]
            if size <= limit:
                chunks.append(line)
            size += len(line)
        blank = fresh and not line.strip()
        fresh = line.endswith(b"\n")
        line = following
    if chunks is not None:
        yield envelope, b"".join(chunks), size


def _message(data: bytes, part: str, form: str, config: LoadConfig, envelope: str = "") -> Iterator[Member | Unread]:
    parser = Parser(data)
    root = parser.parse()
    headers = root.headers
    if not headers:
        if part:
            yield Unread(part, "no message: it has no header", form)
            return
        raise LoadError("no message: it has no header")
    if root.type == "multipart/encrypted" or (
        root.type.endswith("pkcs7-mime") and "signed-data" not in headers.get("content-type", "")
    ):
        yield Unread(part, "encrypted message", form)
        return
    reading = _Reading(data, config.max_bytes)
    reading.read(root)
    if reading.large:
        yield Unread(part, too_large(reading.large, config.max_bytes), form)
    letter = Letter(
        subject=decode_words(headers.get("subject", "")),
        author=headers.get("from", "") or headers.get("sender", ""),
        date=_date(headers, envelope),
        plain=reading.plain,
        html=reading.html,
    )
    parts = Parts()
    documents = 0
    nothing: Unread | None = None
    for member in letter_members(letter, part, form, parts):
        if isinstance(member, Unread):
            nothing = member
            continue
        documents += 1
        yield member
    for member in attachment_members(iter(reading.attachments), part, parts, config.max_bytes):
        documents += 1
        yield member
    if not documents and not reading.large:
        yield nothing or Unread(part, "the message holds no text", form)
    if parser.truncated:
        yield Unread(part, "holds too many parts; the others were not read", form)


def _date(headers: Mapping[str, str], envelope: str) -> str:
    """When the message was sent; else when it was received, or put into the mailbox."""
    dates = (headers.get("date", ""), headers.get("received", "").rpartition(";")[2], envelope.partition(" ")[2].partition(" ")[2])
    return next((found for value in dates if value.strip() and (found := iso_date(value))), "")


class _Reading:
    """Bodies and attachments of one message, in their order."""

    def __init__(self, data: bytes, limit: int) -> None:
        self.data, self.limit = data, limit
        self.pieces: list[tuple[str, str]] = []  # the body as plain text and as HTML, either may be ""
        self.attachments: list[Attachment] = []
        self.large = 0  # size of a body that is too large

    @property
    def plain(self) -> str:
        """The body as plain text, "" if a piece of it has none."""
        return "\n\n".join(text for text, _ in self.pieces) if all(text for text, _ in self.pieces) else ""

    @property
    def html(self) -> str:
        """The body as HTML, "" if no piece of it is."""
        if not any(source for _, source in self.pieces):
            return ""
        return "\n".join(source or _as_html(text) for text, source in self.pieces)

    def read(self, part: Part) -> None:
        """Take in a part and what it consists of."""
        if part.type == "multipart/alternative":
            before = self.pieces
            self.pieces = []
            for inner in part.parts:
                self.read(inner)
            plain, source = (
                ("\n\n".join(filter(None, forms)) for forms in zip(*self.pieces, strict=True)) if self.pieces else ("", "")
            )
            self.pieces = before + [(plain, source)] * bool(plain or source)
        elif part.multipart:
            for inner in part.parts:
                self.read(inner)
        elif part.type in {"text/plain", "text/html"} and not part.attached and not part.filename:
            self._body(part)
        elif not _NO_DOCUMENT.match(part.type):
            self._attachment(part)

    def _body(self, part: Part) -> None:
        payload = part.payload(self.data, self.limit)
        if payload is None:
            self.large = max(self.large, part.end - part.start)
            return
        text = text_of(payload, part.charset)
        if text.strip():
            self.pieces.append(("", text) if part.type == "text/html" or _HTML.match(text) else (text, ""))

    def _attachment(self, part: Part) -> None:
        name = part.filename.strip(".") or f"attachment{_EXTENSIONS.get(part.type, '')}"
        if part.type in {"message/rfc822", "message/global"}:
            name = name if name.lower().endswith(".eml") else f"{part.filename.strip('.') or 'message'}.eml"
        elif "." not in name:
            name += _EXTENSIONS.get(part.type, "")
        if part.type.endswith("ms-tnef"):
            self.attachments.append(Attachment(name, None, "attachments in a form of Outlook that is not read (TNEF)"))
            return
        payload = part.payload(self.data, self.limit)
        if payload is not None and part.charset and part.type.startswith("text/"):
            payload = text_of(payload, part.charset).encode("utf-8", "replace")
        self.attachments.append(Attachment(name, payload, too_large(part.end - part.start, self.limit) if payload is None else ""))


def _as_html(text: str) -> str:
    return "".join(f"<p>{html.escape(passage).replace(chr(10), '<br>')}</p>" for passage in text.split("\n\n"))
