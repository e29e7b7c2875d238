"""Outlook messages (MSG): properties in the streams of a compound file, as MS-OXMSG describes them."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import olefile

from auditor.load.config import LoadConfig
from auditor.load.mail_body import Attachment, Letter, attachment_members, from_filetime, iso_date, letter_members
from auditor.load.mail_mime import read_headers, text_of
from auditor.load.members import Parts, printable, too_large
from auditor.load.msg_rtf import decompressed, html_of, text_of_rtf
from auditor.ports import LoadError, Member, Unread

MAX_ATTACHMENTS = 2_000
_MAX_LEVELS = 3  # of messages attached to one another
_PER_MESSAGE = 4  # times the limit of a document
_SHORT = 1 << 16
_CLASS, _SUBJECT, _HEADERS = 0x001A, 0x0037, 0x007D
_SENDER_NAME, _SENDER_ADDRESS, _SENDER_SMTP = 0x0C1A, 0x0C1F, 0x5D01
_FOR_NAME, _FOR_ADDRESS, _FOR_SMTP = 0x0042, 0x0065, 0x5D02  # on whose behalf it was sent
_SUBMITTED, _DELIVERED, _CREATED = 0x0039, 0x0E06, 0x3007
_BODY, _HTML, _RTF = 0x1000, 0x1013, 0x1009
_CODE_PAGE, _MESSAGE_CODE_PAGE = 0x3FDE, 0x3FFD
_DATA, _SHORT_NAME, _METHOD, _LONG_NAME, _TITLE, _MIME = 0x3701, 0x3704, 0x3705, 0x3707, 0x3001, 0x370E
_HIDDEN = 0x7FFE
_EMBEDDED, _OLE_OBJECT = 5, 6
_NO_DOCUMENT = re.compile(r"(?:image|audio|video|font)/|application/(?:pgp|(?:x-)?pkcs7)-signature", re.IGNORECASE)
_BROKEN = (OSError, ValueError, IndexError, KeyError, struct.error, TypeError, AttributeError, OverflowError)


class MsgContainer:
    """Takes a message apart: its own words, and its attachments."""

    id = "msg"

    def accepts(self, name: str, head: bytes) -> bool:
        """By extension; `kinds` has looked at the content."""
        return name.endswith(".msg")

    def members(self, file: BinaryIO, name: str, config: LoadConfig) -> Iterator[Member | Unread]:
        """The message, then what is attached to it."""
        size = file.seek(0, 2)
        file.seek(0)
        if size > _PER_MESSAGE * config.max_bytes:
            raise LoadError(too_large(size, _PER_MESSAGE * config.max_bytes))
        try:
            compound = olefile.OleFileIO(file)
            streams = {"/".join(path).lower(): path for path in compound.listdir()}
        except (*_BROKEN, RecursionError) as error:
            reason = printable(str(error))[:200] if isinstance(error, OSError) else "its list of contents makes no sense"
            raise LoadError(f"the file is damaged: {reason}") from error
        store = _Store(compound, streams, config.max_bytes)
        message = store.properties("", 32)
        if not message.streams and not message.fixed:
            raise LoadError("an Office file, but no Outlook message")
        yield from _message(store, message, "", 0)


@dataclass(frozen=True, slots=True)
class _Properties:
    """The properties of a message or an attachment: values of a fixed size, and the streams that hold the others."""

    store: _Store
    folder: str
    fixed: dict[int, bytes]
    streams: dict[int, tuple[int, str]]  # property → type, stream

    def number(self, name: int) -> int:
        """An integer, 0 if it is not there."""
        return int.from_bytes(self.fixed.get(name, b"")[:4], "little", signed=True)

    def date(self, name: int) -> str:
        """A point in time in ISO form, "" if it is not there."""
        return from_filetime(int.from_bytes(self.fixed.get(name, b""), "little"))

    def binary(self, name: int, limit: int) -> bytes | None:
        """The bytes of a stream, b"" if it is not there, None if it is too large or damaged."""
        found = self.streams.get(name)
        return self.store.read(found[1], limit) if found else b""

    def text(self, name: int, limit: int = _SHORT) -> str:
        """A string, "" if it is not there or cannot be read."""
        kind, _ = self.streams.get(name, (0, ""))
        data = self.binary(name, limit) or b""
        if kind == 0x001F:
            return text_of(data, "utf-16-le").rstrip("\0")
        page = self.number(_MESSAGE_CODE_PAGE) or self.number(_CODE_PAGE)
        return text_of(data, code_page(page)).rstrip("\0")


class _Store:
    """The streams of a compound file, none of them read beyond a limit."""

    def __init__(self, compound: olefile.OleFileIO, streams: dict[str, list[str]], limit: int) -> None:
        self._compound, self._streams, self.limit = compound, streams, limit
        self._below: dict[str, list[str]] = {}
        for path in streams:
            folder, _, name = path.rpartition("/")
            self._below.setdefault(folder, []).append(name)
        self._attached: dict[str, list[str]] = {}
        for found in sorted(self._below):
            folder, _, name = found.rpartition("/")
            if re.fullmatch(r"__attach_version1\.0_#[0-9a-f]{8}", name):
                self._attached.setdefault(folder, []).append(found)
        self._left = 2 * _PER_MESSAGE * limit  # streams may share their bytes

    def read(self, path: str, limit: int) -> bytes | None:
        """A stream, None if it is too large or damaged."""
        try:
            size = self._compound.get_size(self._streams[path])
            if size > min(limit, self._left):
                return None
            self._left -= size
            data: bytes = self._compound.openstream(self._streams[path]).read()
        except _BROKEN:
            return None
        return data if len(data) <= limit else None

    def properties(self, folder: str, head: int) -> _Properties:
        """The properties that stand in a folder; `head` is the size of what precedes those of a fixed size."""
        fixed: dict[int, bytes] = {}
        streams: dict[int, tuple[int, str]] = {}
        prefix = f"{folder}/" if folder else ""
        for name in self._below.get(folder, ()):
            if match := re.fullmatch(r"__substg1\.0_([0-9a-f]{4})(001e|001f|0102)", name):
                streams.setdefault(int(match[1], 16), (int(match[2], 16), prefix + name))
        if f"{prefix}__properties_version1.0" in self._streams:
            table = self.read(f"{prefix}__properties_version1.0", 1 << 20) or b""
            for at in range(head, len(table) - 15, 16):
                fixed.setdefault(int.from_bytes(table[at + 2 : at + 4], "little"), table[at + 8 : at + 16])
        return _Properties(self, folder, fixed, streams)

    def attachments(self, folder: str) -> list[str]:
        """The folders of the attachments of the message in a folder, in their order."""
        return self._attached.get(folder, [])[:MAX_ATTACHMENTS]


def _message(store: _Store, message: _Properties, part: str, level: int) -> Iterator[Member | Unread]:
    limit = store.limit
    kind = message.text(_CLASS).lower()
    if kind.startswith("ipm.note.smime") and "multipartsigned" not in kind:
        yield Unread(part, "encrypted message", "msg")
        return
    parts = Parts()
    letter = _letter(message, limit)
    documents = 0
    nothing: Unread | None = None
    for member in letter_members(letter, part, "msg", parts):
        if isinstance(member, Unread):
            nothing = member
            continue
        documents += 1
        yield member
    files: list[Attachment] = []
    nested: list[tuple[str, str]] = []
    for folder in store.attachments(message.folder):
        attachment = store.properties(folder, 8)
        if attachment.fixed.get(_HIDDEN, b"\0")[:1] == b"\1" or _NO_DOCUMENT.match(attachment.text(_MIME)):
            continue
        name = attachment.text(_LONG_NAME) or attachment.text(_SHORT_NAME) or attachment.text(_TITLE) or "attachment"
        name = name.replace("\\", "/").rpartition("/")[2].strip(". \n") or "attachment"
        if attachment.number(_METHOD) == _EMBEDDED:
            nested.append((f"{folder}/__substg1.0_3701000d", name))
        elif attachment.number(_METHOD) != _OLE_OBJECT:
            data = attachment.binary(_DATA, limit)
            files.append(
                Attachment(name, data, f"cannot be read, or larger than the limit of {limit >> 20} MiB" if data is None else "")
            )
    for member in attachment_members(iter(files), part, parts, limit):
        documents += 1
        yield member
    for folder, name in nested:
        documents += 1
        inner = part + parts.part(name if name.lower().endswith(".msg") else f"{name}.msg")
        if level + 1 >= _MAX_LEVELS:
            yield Unread(inner, f"more than {_MAX_LEVELS} messages in one another", "msg")
        else:
            yield from _message(store, store.properties(folder, 24), inner, level + 1)
    if not documents:
        yield nothing or Unread(part, "the message holds no text", "msg")


def _letter(message: _Properties, limit: int) -> Letter:
    page = code_page(message.number(_CODE_PAGE))
    plain = message.text(_BODY, limit).replace("\r\n", "\n")
    html = ""
    if found := message.streams.get(_HTML):
        html = text_of(message.binary(_HTML, limit) or b"", page) if found[0] == 0x0102 else message.text(_HTML, limit)
    if not html.strip() and (packed := message.binary(_RTF, limit)):
        rtf = decompressed(packed, limit)
        html = html_of(rtf)
        if not html.strip() and not plain.strip():
            plain = text_of_rtf(rtf)
    raw = message.text(_HEADERS).encode("utf-8", "replace")
    headers, _ = read_headers(raw, 0, len(raw)) if raw else ({}, 0)
    dates = (message.date(_SUBMITTED), iso_date(headers.get("date", "")), message.date(_DELIVERED), message.date(_CREATED))
    return Letter(message.text(_SUBJECT), _sender(message) or headers.get("from", ""), next(filter(None, dates), ""), plain, html)


def _sender(message: _Properties) -> str:
    """`Name <address>`; addresses in the form of an Exchange directory are left out."""
    names = [message.text(key).strip().replace('"', "") for key in (_FOR_NAME, _SENDER_NAME)]
    addresses = [message.text(key).strip() for key in (_FOR_SMTP, _FOR_ADDRESS, _SENDER_SMTP, _SENDER_ADDRESS)]
    name = next(filter(None, names), "")
    same = not names[0] or names[0] == names[1]  # sent by a deputy: the address is another's
    address = next((text for text in addresses[: 4 if same else 2] if "@" in text and "/" not in text), "")
    return f'"{name}" <{address}>' if name and address else name or address


def code_page(number: int) -> str:
    """The name of a Windows code page as Python knows it."""
    return {65001: "utf-8", 20127: "ascii", 28591: "iso-8859-1", 28605: "iso-8859-15", 1200: "utf-16-le", 54936: "gb18030"}.get(
        number, f"cp{number}" if number > 0 else ""
    )
