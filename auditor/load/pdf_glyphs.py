"""The glyphs of a page of a PDF put together to words, with size, weight and place."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

MAX_GLYPHS = 200_000
"""Of one page; a page of dense print has 8,000."""

WORD_GAP = 0.16  # of the font size: more between two glyphs is a blank
_HINT_GAP = 0.08  # the same where PDFium takes the gap for a blank, too
_TINY = 1.5  # points; nobody reads that
_MAX_FONT = 10_000.0
_SUPERSCRIPT = str.maketrans("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ")
_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
_BULLETS = {0xF0B7: "•", 0xF0A7: "▪", 0xF0D8: "➢", 0xF0FC: "✓", 0xF0A8: "◦", 0xF076: "❖", 0xF02D: "–", 0xF06F: "o"}
_BLANKS = frozenset([0x09, 0x0A, 0x0D, 0x20, 0xA0, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000])
_SAMPLE = 4  # one glyph of so many is asked whether its character is known
_HYPHEN = 0x02  # PDFium's sign for the hyphen at the end of a line
_MARK = re.compile(r"[\d*†‡§]{1,3}$")
_BOLD = re.compile(r"bold|black|heavy|semibold|demi|-bd|,b\b|cmbx|cmssbx|sfbx|ecbx|lmroman\d+-bold|medi\b", re.IGNORECASE)
_SIGNS = re.compile(r"cmex|cmsy|cmmi|msam|msbm|symbol|dingbat|math", re.IGNORECASE)
_MONO = re.compile(r"mono|courier|consolas|menlo|cmtt|sftt|ectt|typewriter|inconsolata|nimbusmon|code\b|lucidacons", re.IGNORECASE)


@dataclass(slots=True)
class Word:
    """Glyphs without a blank between them. `y` is their baseline."""

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    mono: bool
    spaced: bool  # whether the file has a blank in front


@dataclass(slots=True)
class _Style:
    size: float
    bold: bool
    mono: bool
    turn: int  # direction in quarter turns; -1 is not read: askew, tiny, or outside of the page
    y: float


_ASKEW = _Style(0.0, False, False, -1, 0.0)


def _fast(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """A function of PDFium without the conversions that make calls per glyph slow."""
    address = ctypes.cast(getattr(pdfium, name), ctypes.c_void_p).value
    return ctypes.CFUNCTYPE(result, *arguments)(address or 0)


_pointer, _int = ctypes.c_void_p, ctypes.c_int
_unicode = _fast("FPDFText_GetUnicode", ctypes.c_uint, _pointer, _int)
_generated = _fast("FPDFText_IsGenerated", _int, _pointer, _int)
_unmapped = _fast("FPDFText_HasUnicodeMapError", _int, _pointer, _int)
_object = _fast("FPDFText_GetTextObject", _pointer, _pointer, _int)
_box = _fast("FPDFText_GetLooseCharBox", _int, _pointer, _int, _pointer)
_matrix = _fast("FPDFText_GetMatrix", _int, _pointer, _int, _pointer)
_origin = _fast("FPDFText_GetCharOrigin", _int, _pointer, _int, _pointer, _pointer)
_size = _fast("FPDFText_GetFontSize", ctypes.c_double, _pointer, _int)
_font = _fast("FPDFTextObj_GetFont", _pointer, _pointer)
_mode = _fast("FPDFTextObj_GetTextRenderMode", _int, _pointer)
_font_name = _fast("FPDFFont_GetBaseFontName", ctypes.c_size_t, _pointer, ctypes.c_char_p, ctypes.c_size_t)
_font_flags = _fast("FPDFFont_GetFlags", _int, _pointer)
_glyph_width = _fast("FPDFFont_GetGlyphWidth", _int, _pointer, ctypes.c_uint, ctypes.c_float, _pointer)
_font_weight = _fast("FPDFFont_GetWeight", _int, _pointer)


class Glyphs:
    """Reads the glyphs of one page: `words` by direction of the text in quarter turns, in the order of the file.

    `seen` is the number of glyphs, `bad` of those that stand for no known character, `count` of all with those that were not read.
    """

    def __init__(self, text_page: Any, box: tuple[float, ...]) -> None:
        self.handle = ctypes.cast(text_page, ctypes.c_void_p).value
        self.left, self.bottom, self.right, self.top = box
        self.words: dict[int, list[Word]] = {}
        self.fonts: dict[int, tuple[bool, bool]] = {}
        self.count = max(pdfium.FPDFText_CountChars(text_page), 0)
        self.seen = 0
        self.bad = 0
        self._collect()

    def size(self, turn: int) -> tuple[float, float]:
        """Width and height of the page for a reader of text in this direction."""
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if turn % 2 else (width, height)

    def turned(self, turn: int, x: float, y: float) -> tuple[float, float]:
        """A point of the page as a reader of text in this direction sees it, from the top left corner."""
        if turn == 0:
            return x - self.left, self.top - y
        if turn == 1:
            return y - self.bottom, x - self.left
        if turn == 2:
            return self.right - x, y - self.bottom
        return self.top - y, self.right - x

    def _collect(self) -> None:
        rect = pdfium.FS_RECTF()
        rect_at = ctypes.addressof(rect)
        handle, unicode, box, text_object = self.handle, _unicode, _box, _object
        left, turned = self.left, self.turned
        current, style, word, spaced = -1, _ASKEW, None, 2
        furthest = 0.0
        words: list[Word] = []
        for i in range(min(self.count, MAX_GLYPHS)):
            code = unicode(handle, i)
            if code in _BLANKS:
                spaced = max(spaced, 1 if _generated(handle, i) else 2)
                continue
            this = text_object(handle, i)
            if this != current:
                current = this
                style = self._style(i, this)
                if style.turn >= 0:
                    words = self.words.setdefault(style.turn, [])
                    furthest = self.size(style.turn)[0] + 2
            self.seen += 1
            text = chr(code) if 32 < code < 127 and i % _SAMPLE else self._character(code, i)
            if style.turn < 0 or not text or not box(handle, i, rect_at):
                continue
            if style.turn == 0:
                x0, x1 = rect.left - left, rect.right - left
            else:
                x0 = turned(style.turn, rect.left, rect.bottom)[0]
                x1 = turned(style.turn, rect.right, rect.top)[0]
            if x0 > x1:
                x0, x1 = x1, x0
            if not (x1 >= -2 and x0 <= furthest and x1 - x0 < furthest):
                continue  # outside of the page
            if words and words[-1] is word and word is not None:
                if spaced < 2 and _continues(word, text, x0, x1, style, _HINT_GAP if spaced else WORD_GAP):
                    spaced = 0
                    continue
                _lead_mark(word, x0, style.y, style.size)
            word = Word(text, x0, x1, style.y, style.size, style.bold, style.mono, spaced == 2)
            words.append(word)
            spaced = 0

    def _character(self, code: int, i: int) -> str:
        if code == _HYPHEN:
            return "\u00ad"
        if code in _LIGATURES:
            return _LIGATURES[code]
        if code < 0x20 or 0x7F <= code < 0xA0 or code in {0xFFFD, 0xFFFE, 0xFFFF} or 0xD800 <= code <= 0xDFFF:
            self.bad += 1
            return ""
        if 0xE000 <= code <= 0xF8FF or code > 0xF0000:
            if code in _BULLETS:
                return _BULLETS[code]
            self.bad += 1
            return "" if not 0xF021 <= code <= 0xF0FF else "•"  # a sign of a symbol font
        if code > 0x10FFFF or code in {0x00AD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF}:
            return ""
        if i % _SAMPLE == 0 and _unmapped(self.handle, i):
            self.bad += _SAMPLE
        return chr(code)

    def _style(self, i: int, text_object: int | None) -> _Style:
        matrix = pdfium.FS_MATRIX()
        x, y = ctypes.c_double(), ctypes.c_double()
        _matrix(self.handle, i, ctypes.addressof(matrix))
        _origin(self.handle, i, ctypes.addressof(x), ctypes.addressof(y))
        size = _size(self.handle, i) * math.hypot(matrix.c, matrix.d)
        if not (math.isfinite(size) and math.isfinite(x.value) and math.isfinite(y.value) and size < _MAX_FONT):
            return _ASKEW
        angle = math.degrees(math.atan2(matrix.b, matrix.a)) % 360
        turn = round(angle / 90) % 4 if min(angle % 90, 90 - angle % 90) < 6 else -1
        bold = mono = False
        if text_object:
            bold, mono = self._font(_font(text_object))
            bold = bold or _mode(text_object) == 2
        if turn < 0 or size < _TINY:
            return _ASKEW
        height = self.size(turn)[1]
        baseline = self.turned(turn, x.value, y.value)[1]
        return _Style(size, bold, mono, turn, baseline) if -2 <= baseline <= height + 2 else _ASKEW

    def _font(self, font: int | None) -> tuple[bool, bool]:
        if not font:
            return False, False
        known = self.fonts.get(font)
        if known is None:
            buffer = ctypes.create_string_buffer(256)
            _font_name(font, buffer, 256)
            name = buffer.value.decode("utf-8", "replace")
            flags = _font_flags(font)
            bold = bool(_BOLD.search(name)) or (flags > 0 and bool(flags & 1 << 18)) or (not name and _font_weight(font) >= 700)
            mono = bool(_MONO.search(name)) or (flags > 0 and bool(flags & 1)) or _fixed_pitch(font)
            known = self.fonts[font] = bold, mono and not _SIGNS.search(name)
        return known


def _fixed_pitch(font: int) -> bool:
    """Whether narrow and wide letters of a font have the same width."""
    widths: list[float] = []
    for letters in ("il", "mMW"):
        width = ctypes.c_float()
        known = [width.value for c in letters if _glyph_width(font, ord(c), 10.0, ctypes.addressof(width)) and width.value > 0]
        if not known:
            return False
        widths += known
    return max(widths) - min(widths) < 0.02


def _continues(word: Word, text: str, x0: float, x1: float, style: _Style, most: float) -> bool:
    """Add a glyph to the word if it belongs to it: if the gap is at most so wide, in font sizes."""
    gap = x0 - word.x1
    size = word.size
    if gap > most * size or gap < -0.7 * size:
        return False
    drop = style.y - word.y
    if abs(drop) <= 0.12 * size and 0.8 <= style.size / size <= 1.25:
        if style.bold != word.bold and text.isalnum() and word.text[-1:].isalnum() is False:
            return False
    elif style.size < 0.85 * size and -0.75 * size < drop < -0.12 * size:
        text = text.translate(_SUPERSCRIPT)
    elif not (style.size < 0.85 * size and 0 <= drop < 0.45 * size):
        return False
    word.text += text
    word.x1 = max(word.x1, x1)
    return True


def _lead_mark(word: Word, x0: float, y: float, size: float) -> None:
    """Lower a raised mark that stands in front of its text: the number of a footnote."""
    if (
        word.size < 0.88 * size
        and 0.12 * size < y - word.y < 0.75 * size
        and -1 <= x0 - word.x1 < 1.2 * size
        and _MARK.match(word.text)
    ):
        word.text = word.text.translate(_SUPERSCRIPT)
        word.y = y
