"""Characters that documents give by the font and its code instead of Unicode."""

from __future__ import annotations

_SYMBOLS = {
    "symbol": {
        0xA3: "≤",
        0xB3: "≥",
        0xB1: "±",
        0xB0: "°",
        0xB4: "×",
        0xB9: "≠",
        0xBB: "≈",
        0x6D: "μ",
        0xAE: "→",
        0xB7: "•",
        0x2D: "−",
    },
    "wingdings": {0xFC: "✓", 0xFB: "✗", 0xFE: "☑", 0xFD: "☒", 0xA8: "☐", 0x6F: "☐", 0xE0: "→", 0xDF: "←", 0xA7: "•"},
    "wingdings 2": {0x50: "✓", 0x4F: "✗", 0x52: "☑", 0x51: "☒", 0xA3: "☐"},
}
"""By font; of the others only what documents say something with is known."""


def symbol(font: str, code: int) -> str:
    """The character with this code in this font; "" when its meaning is not known."""
    font = font.strip().lower()
    if font in _SYMBOLS:
        return _SYMBOLS[font].get(code & 0xFF, "")
    if 0xF000 <= code <= 0xF0FF:
        code &= 0xFF
    private = 0xE000 <= code <= 0xF8FF or 0xD800 <= code <= 0xDFFF
    return chr(code) if 0x20 <= code < 0x110000 and not private else ""


def has_symbols(font: str) -> bool:
    """Whether the codes of this font are no letters."""
    return font.strip().lower() in _SYMBOLS
