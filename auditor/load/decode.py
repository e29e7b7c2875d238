"""Bytes to text: strict, so that a wrong guess never turns into a quote."""

from __future__ import annotations

import codecs
import re

from auditor.ports import LoadError

_CODING = re.compile(rb"(?:charset\s*=\s*[\"']?\s*|coding[:=]\s*|encoding\s*=\s*[\"'])([A-Za-z0-9_.:-]{2,40})", re.IGNORECASE)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f]")
_UNDEFINED = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x81\x8d\x8f\x90\x9d]")


def decode(data: bytes, declared: bool = False) -> str:
    """Text with `\\n` line ends and without byte order mark. `declared` lets the document name its own encoding (HTML).

    Raises `LoadError` for binary data and for bytes that fit none of UTF-8, UTF-16 with mark, the declared encoding and cp1252.
    """
    text = _decode(data, declared)
    if "\0" in text:
        raise LoadError("not readable as text: it holds NUL bytes")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decode(data: bytes, declared: bool) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and not data.startswith(codecs.BOM_UTF32_LE):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError as error:
            raise LoadError("not readable as text: broken UTF-16") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        position = error.start
    if b"\0" in data:
        raise LoadError("not readable as text: it holds NUL bytes")
    if declared and (match := _CODING.search(data[:4096])):
        name = match.group(1).decode("ascii")
        try:
            info = codecs.lookup(name)
            if info.name not in {"utf-8", "utf-16", "utf-7", "utf-32"} and getattr(info, "_is_text_encoding", True):
                return data.decode(info.name)
        except (LookupError, UnicodeDecodeError, ValueError):
            pass  # a wrong declaration is common; the plain rules go on
    if not _UNDEFINED.search(data):
        text = data.decode("cp1252")
        if not _CONTROL.search(text):
            return text
    raise LoadError(f"not readable as text: neither UTF-8 (byte {position}) nor Windows-1252")
