"""Small PDF files made by hand: text at places, lines, pages."""

from __future__ import annotations

from collections.abc import Sequence

FONTS = {"F1": "Helvetica", "F2": "Helvetica-Bold", "F3": "Courier", "F4": "Symbol"}


def text(x: float, y: float, words: str | bytes, size: float = 10, font: str = "F1", more: str = "") -> bytes:
    """Text with its baseline `y` points below the top of an A4 page."""
    raw = words if isinstance(words, bytes) else words.encode("cp1252")
    raw = raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    return f"BT {more} /{font} {size} Tf 1 0 0 1 {x} {842 - y} Tm (".encode() + raw + b") Tj ET\n"


def lines(x: float, y: float, *rows: str, step: float = 12, size: float = 10, font: str = "F1") -> bytes:
    """Lines one below the other."""
    return b"".join(text(x, y + i * step, row, size, font) for i, row in enumerate(rows))


def line(x0: float, y0: float, x1: float, y1: float) -> bytes:
    return f"{x0} {842 - y0} m {x1} {842 - y1} l S\n".encode()


def stream(data: bytes, entries: str = "") -> bytes:
    return f"<</Length {len(data)} {entries}>>\nstream\n".encode() + data + b"\nendstream"


def pdf(
    *pages: bytes, info: str = "", page: str = "", box: str = "0 0 595 842", trailer: str = "", objects: Sequence[bytes] = ()
) -> bytes:
    """A file of these content streams. `page` are further entries of each page, `objects` come after all others."""
    first = 4 + len(FONTS)
    fonts = " ".join(f"/{name} {4 + i} 0 R" for i, name in enumerate(FONTS))
    extra = first + 2 * len(pages)
    kids = " ".join(f"{first + 2 * i} 0 R" for i in range(len(pages)))
    made = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>".encode(),
        f"<<{info}>>".encode("latin-1"),
        *(f"<</Type/Font/Subtype/Type1/BaseFont/{name}/Encoding/WinAnsiEncoding>>".encode() for name in FONTS.values()),
    ]
    for i, content in enumerate(pages):
        resources = f"/Resources<</Font<<{fonts}>>/XObject<</X {extra} 0 R>>>>"
        made.append(f"<</Type/Page/Parent 2 0 R/MediaBox[{box}]{resources}/Contents {first + 2 * i + 1} 0 R {page}>>".encode())
        made.append(content if content.startswith(b"<<") else stream(content))
    made += objects
    out = b"%PDF-1.7\n"
    offsets = []
    for number, body in enumerate(made, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    root = f"trailer\n<</Size {len(made) + 1}/Root 1 0 R/Info 3 0 R{trailer}>>\nstartxref\n{len(out)}\n%%EOF\n".encode()
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % (len(made) + 1) + table + root


IMAGE = stream(b"\x80" * 64, "/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceGray/BitsPerComponent 8")
SCAN = b"q 595 0 0 842 0 0 cm /X Do Q\n"
"""A page that is nothing but the picture `objects=[IMAGE]`."""
