"""The tokens of a Rich Text file, and what its code pages are called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    rb"\\(?:(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|'(?P<hex>[0-9a-fA-F]{2})|(?P<symbol>.))"
    rb"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)|[\r\n]+|\\",
    re.DOTALL,
)


class Token(NamedTuple):
    """`kind` is "{", "}", "word" (with `value`, None without a number), "symbol", or "text" (bytes in the code page of the font)."""

    kind: str
    name: str = ""
    value: int | None = None
    data: bytes = b""


OPEN, CLOSE = Token("{"), Token("}")

_PAGES = {
    **{number: f"cp{number}" for number in (437, 850, 852, 855, 857, 860, 861, 862, 863, 864, 865, 866, 869, 874)},
    **{number: f"cp{number}" for number in (932, 936, 949, 950, *range(1250, 1259))},
    936: "gbk",
    10000: "mac_roman",
    10006: "mac_greek",
    10007: "mac_cyrillic",
    10029: "mac_latin2",
    65001: "utf-8",
}
_CHARSETS = {77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256} | {
    186: 1257,
    204: 1251,
    222: 874,
    238: 1250,
    254: 437,
}


def code_page(number: int | None, default: str = "cp1252") -> str:
    """The codec of a code page by its number."""
    return _PAGES.get(number or 0, default)


def charset_page(number: int | None, default: str) -> str:
    """The codec of a font's character set."""
    return code_page(_CHARSETS.get(number or 0), default)


def tokens(data: bytes) -> Iterator[Token]:
    """The tokens in order; line ends of the file are none, and binary data is left out."""
    position = 0
    match_at = _TOKEN.match
    while match := match_at(data, position):
        position = match.end()
        kind = match.lastgroup
        if kind == "text":
            yield Token("text", data=match["text"])
        elif kind in {"word", "number"}:
            name = match["word"].decode("ascii")
            value = int(match["number"]) if match["number"] else None
            if name == "bin":
                position += max(value or 0, 0)
            else:
                yield Token("word", name, value)
        elif kind == "brace":
            yield OPEN if match["brace"] == b"{" else CLOSE
        elif kind == "hex":
            yield Token("text", "hex", data=bytes((int(match["hex"], 16),)))
        elif kind == "symbol":
            yield Token("symbol", match["symbol"].decode("latin-1"))
