"""The RTF body of Outlook messages: unpacked (MS-OXRTFCP), and the HTML that it may be made of (MS-OXRTFEX)."""

from __future__ import annotations

import re

from auditor.load.mail_mime import text_of
from auditor.load.rtf import RtfLoader
from auditor.model import BlockKind
from auditor.ports import LoadError

_DICTIONARY = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbol"
    b"ArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
_WINDOW = 4096
_TOKEN = re.compile(rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|([^\\{}\r\n]+)|[\r\n\\]")
_CHARSETS = {
    0: "cp1252", 77: "mac-roman", 128: "cp932", 129: "cp949", 134: "gb18030", 136: "cp950", 161: "cp1253", 162: "cp1254", 163: "cp1258",
    177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
_SIGNS = {
    b"par": "\n", b"line": "\n", b"tab": "\t", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”",
    b"bullet": "•", b"endash": "–", b"emdash": "—",
}  # fmt: skip
_SYMBOLS = {b"~": "\u00a0", b"_": "\u2011", b"-": "", b"{": "{", b"}": "}", b"\\": "\\"}
_MAX_LEVELS = 500


def decompressed(data: bytes, limit: int) -> bytes:
    """The RTF of a packed body, as far as it is whole and within the limit; b"" if it is something else."""
    if len(data) < 16:
        return b""
    size, kind = min(int.from_bytes(data[4:8], "little"), limit), data[8:12]
    if kind == b"MELA":
        return data[16 : 16 + size]
    if kind != b"LZFu":
        return b""
    out = bytearray(_DICTIONARY)
    wanted = size + len(_DICTIONARY)
    position = 16
    while position < len(data) and len(out) < wanted:
        flags = data[position]
        position += 1
        for bit in range(8):
            if position + (flags >> bit & 1) >= len(data) or len(out) >= wanted:
                break
            if not flags >> bit & 1:
                out.append(data[position])
                position += 1
                continue
            reference = int.from_bytes(data[position : position + 2], "big")
            position += 2
            distance = (len(out) - (reference >> 4)) % _WINDOW or _WINDOW
            if distance == _WINDOW or distance > len(out):  # the sign for the end, or nonsense
                return bytes(out[len(_DICTIONARY) :])
            for _ in range((reference & 15) + 2):
                out.append(out[-distance])
    return bytes(out[len(_DICTIONARY) : wanted])


def html_of(rtf: bytes) -> str:
    """The HTML that an RTF body was made of; "" when it was made of something else."""
    return _Html(rtf).read() if b"\\fromhtml" in rtf[:2000] else ""


def text_of_rtf(rtf: bytes) -> str:
    """The text of a body that was written in RTF, a paragraph for every block."""
    try:
        blocks = RtfLoader().load(rtf, "body.rtf").blocks
    except LoadError:
        return ""
    return "\n\n".join(f"- {block.text}" if block.kind is BlockKind.ITEM else block.text for block in blocks)


class _Html:
    """Takes HTML out of RTF: tags stand in groups of their own, text outside of them, and what only RTF needs between `\\htmlrtf`."""

    def __init__(self, rtf: bytes) -> None:
        self._rtf = rtf
        self._out: list[str] = []
        self._bytes = bytearray()  # characters of a code page that may take several bytes
        self._page = "cp1252"
        self._fonts: dict[int, str] = {}
        self._font = 0
        self._skip = 0  # characters that stand for the Unicode character before

    def read(self) -> str:
        """The HTML."""
        mode, in_rtf, unicode_skip = "text", False, 1
        stack: list[tuple[str, bool, int, int]] = []
        fresh = star = False  # a group has just begun, with `\\*`
        for match in _TOKEN.finditer(self._rtf):
            word, number, code, symbol, brace, text = match.groups()
            if brace == b"{":
                if len(stack) < _MAX_LEVELS:
                    stack.append((mode, in_rtf, unicode_skip, self._font))
                fresh, star = True, False
                continue
            if brace == b"}":
                self._flush()
                if stack:
                    mode, in_rtf, unicode_skip, self._font = stack.pop()
                fresh = False
                continue
            if symbol == b"*" and fresh:
                star = True
                continue
            if word and fresh and mode != "none":
                if star:
                    mode = "tag" if word == b"htmltag" else "none"
                elif word in {b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pntext"}:
                    mode = "fonts" if word == b"fonttbl" else "none"
            fresh = star = False
            value = int(number) if number else 0
            if word == b"ansicpg":
                self._page = f"cp{value}"
            elif word == b"f":
                self._flush()
                self._font = value
            elif word == b"fcharset" and mode == "fonts" and value in _CHARSETS:
                self._fonts[self._font] = _CHARSETS[value]
            elif word == b"uc":
                unicode_skip = min(value, 10)
            elif word == b"htmlrtf":
                self._flush()
                in_rtf = number != b"0"
            if mode not in {"text", "tag"} or in_rtf:
                continue
            if code:
                self._byte(int(code, 16))
            elif text:
                self._plain(text)
            elif word == b"u":
                self._flush()
                self._out.append(chr(value % 65536))
                self._skip = unicode_skip
            elif word in _SIGNS:
                self._sign(_SIGNS[word] if mode == "text" else {"\n": "\n", "\t": "\t"}.get(_SIGNS[word], _SIGNS[word]))
            elif symbol in _SYMBOLS:
                self._sign(_SYMBOLS[symbol])
        self._flush()
        joined = "".join(self._out).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return text_of(joined.encode("utf-8", "replace"), "utf-8")

    def _byte(self, code: int) -> None:
        if self._skip:
            self._skip -= 1
        else:
            self._bytes.append(code)

    def _plain(self, text: bytes) -> None:
        skipped = min(self._skip, len(text))
        self._skip -= skipped
        self._bytes += text[skipped:]

    def _sign(self, sign: str) -> None:
        self._flush()
        self._skip = 0
        self._out.append(sign)

    def _flush(self) -> None:
        if self._bytes:
            self._out.append(text_of(bytes(self._bytes), "") if self._bytes.isascii() else self._decoded(bytes(self._bytes)))
            self._bytes.clear()

    def _decoded(self, data: bytes) -> str:
        for page in (self._fonts.get(self._font, self._page), self._page, "cp1252"):
            try:
                return data.decode(page)
            except (UnicodeDecodeError, LookupError):
                continue
        return data.decode("latin-1")
