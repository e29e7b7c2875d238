"""The parts of a message in MIME, read without trust.

Only headers go through the `email` package. Its body parser holds every line against the boundaries of all multiparts around it,
gives up at some hundred levels, and its modern header objects take quadratic time for long headers, so bodies are taken apart here:
one search for the boundary per level, a bounded number of levels and parts, and no copies before a part is decoded.
"""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.errors import MessageError
from email.header import decode_header
from email.message import Message

MAX_PARTS = 10_000
_MAX_LEVELS = 20
_MAX_HEADERS = 1 << 18  # bytes of the header of one part
_MAX_VALUE = 4_000
_NAME = re.compile(rb"([!-9;-~]{1,120})[ \t]*:")
_DELIMITER_END = re.compile(rb"(--)?[ \t]*(?:\r?\n|\Z)")
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_NO_BASE64 = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="))
_CODECS = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "shift_jis": "cp932",
    "iso-8859-8-i": "iso-8859-8",
    "utf8mb4": "utf-8",
    "cp-850": "cp850",
}
_WESTERN = frozenset({"ascii", "iso8859-1", "cp1252"})
_NO_CHARSET = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "utf-7", "undefined", "mbcs", "oem"})


@dataclass(slots=True)
class Part:
    """A part of a message. `start:end` is its body in the bytes of the message, still encoded."""

    type: str
    headers: Mapping[str, str]  # lower-case name → first value, unfolded
    start: int
    end: int
    charset: str = ""
    filename: str = ""
    attached: bool = False  # its header says that it is an attachment
    parts: list[Part] = field(default_factory=list)

    @property
    def multipart(self) -> bool:
        """Whether it consists of parts."""
        return self.type.startswith("multipart/")

    def payload(self, data: bytes, limit: int) -> bytes | None:
        """The decoded body of a leaf, None if it is larger than the limit. Broken encodings give what can be saved."""
        encoding = self.headers.get("content-transfer-encoding", "").lower().strip()
        if self.end - self.start > limit * (3.2 if encoding == "quoted-printable" else 1.5):
            return None
        body = data[self.start : self.end]
        if encoding == "base64":
            body = from_base64(body)
        elif encoding == "quoted-printable":
            body = binascii.a2b_qp(body)
        return body if len(body) <= limit else None


class Parser:
    """Takes one message apart; `truncated` tells that it had more parts than the limit."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.count = 0
        self.truncated = False

    def parse(self) -> Part:
        """The message as a tree of parts."""
        return self._part(0, len(self.data), 0, "text/plain")

    def _part(self, start: int, end: int, level: int, default: str) -> Part:
        self.count += 1
        headers, body = read_headers(self.data, start, end)
        kind = Message()
        kind["Content-Type"] = headers.get("content-type", default) or default
        if "content-disposition" in headers:
            kind["Content-Disposition"] = headers["content-disposition"]
        part = Part(
            type=kind.get_content_type() if "content-type" in headers else default,
            headers=headers,
            start=body,
            end=end,
            charset=_parameter(kind, "charset"),
            filename=_filename(kind),
            attached=kind.get_content_disposition() == "attachment",
        )
        boundary = _parameter(kind, "boundary").encode("utf-8", "replace")
        if not part.multipart:
            return part
        if not boundary or level >= _MAX_LEVELS:
            part.type = "text/plain" if not boundary else "application/octet-stream"
            return part
        inner = "message/rfc822" if part.type == "multipart/digest" else "text/plain"
        for first, last in self._bodies(boundary, body, end):
            if self.count >= MAX_PARTS:
                self.truncated = True
                break
            part.parts.append(self._part(first, last, level + 1, inner))
        return part

    def _bodies(self, boundary: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Spans between the delimiters of a multipart. A delimiter that is missing at the end is forgiven."""
        data, delimiter = self.data, b"--" + boundary
        at = data.find(delimiter, start, end)
        begun = -1
        while at >= 0:
            after = at + len(delimiter)
            match = _DELIMITER_END.match(data, after, min(after + 200, end))
            if match and (at == start or data[at - 1 : at] == b"\n"):
                if begun >= 0:
                    yield begun, max(begun, at - (2 if data[at - 2 : at] == b"\r\n" else 1))
                if match[1]:
                    return
                begun = match.end()
            at = data.find(delimiter, after, end)
        if begun >= 0:
            yield begun, end


def read_headers(data: bytes, start: int, end: int) -> tuple[dict[str, str], int]:
    """The headers of a part (the first of each name) and where its body begins."""
    values: dict[str, list[bytes]] = {}
    current: list[bytes] = []
    position, limit = start, min(end, start + _MAX_HEADERS)
    while position < limit:
        stop = data.find(b"\n", position, end)
        after = end if stop < 0 else stop + 1
        line = data[position : min(after, position + _MAX_VALUE)].rstrip(b"\r\n")
        if not line:
            position = after
            break
        match = _NAME.match(line)
        if line[:1] in (b" ", b"\t"):
            current.append(line.strip())
        elif match:
            current = [line[match.end() :].strip()]
            values.setdefault(match[1].decode("ascii").lower(), current)
        elif not (position == start and line.startswith((b"From ", b">From "))):
            break  # no blank line between header and body
        position = after
    return {name: _raw(b" ".join(parts)[:_MAX_VALUE]) for name, parts in values.items()}, position


def decode_words(value: str) -> str:
    """A header value with its encoded words decoded, on one line."""
    value = value[:_MAX_VALUE]
    if "=?" in value:
        with suppress(MessageError, ValueError):  # shown as it stands
            value = "".join(_decoded(chunk, charset) for chunk, charset in decode_header(value))
    return " ".join(_CONTROL.sub(" ", value).split())


def _decoded(chunk: str | bytes, charset: str | None) -> str:
    if isinstance(chunk, str):
        return chunk
    return text_of(chunk, charset) if charset else chunk.decode("raw-unicode-escape", "replace")


def text_of(data: bytes, charset: str) -> str:
    """Bytes as text with `\\n` line ends. What neither the declared encoding nor UTF-8 nor Windows-1252 explains becomes `�`."""
    name = _codec(charset)
    attempts = ["utf-8", name, "cp1252"] if name in _WESTERN or not name else [name, "utf-8"]
    for attempt in filter(None, attempts):
        try:
            text = data.decode("cp1252" if attempt in _WESTERN else attempt)
            break
        except (UnicodeDecodeError, ValueError):
            continue
    else:
        text = data.decode(name if name and name not in _WESTERN else "utf-8", "replace")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("", text)


def from_base64(data: bytes) -> bytes:
    """Decoded base64; stray characters are ignored, an incomplete end is dropped."""
    data = data.translate(None, _NO_BASE64)
    if padding := data.find(b"=") + 1:
        data = data[: padding - 1]
    data += b"=" * (-len(data) % 4)
    try:
        return binascii.a2b_base64(data)
    except binascii.Error:  # one letter too many
        return binascii.a2b_base64(data.rstrip(b"=")[:-1])


def _codec(charset: str) -> str:
    """The name of a text codec, "" for none that may be used."""
    name = charset.strip(" \"'").lower()
    try:
        info = codecs.lookup(_CODECS.get(name, name) if name else "ascii")
    except (LookupError, ValueError):
        return ""
    return info.name if getattr(info, "_is_text_encoding", True) and info.name not in _NO_CHARSET else ""


def _parameter(message: Message, name: str) -> str:
    try:
        value = message.get_param(name)
        if isinstance(value, tuple):
            return value[2] if value[2].isascii() else ""
        return str(value or "")
    except (MessageError, ValueError, LookupError, TypeError):
        return ""


def _filename(message: Message) -> str:
    """The file name without folders, decoded."""
    try:
        name = message.get_filename() or ""
    except (MessageError, ValueError, LookupError, TypeError):
        return ""
    return decode_words(name).replace("\\", "/").rpartition("/")[2].strip()


def _raw(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("cp1252", "replace")
