from __future__ import annotations

import contextlib
import random
import re
import time
import zlib

import pytest
from load_helpers import check_positions
from pdf_files import IMAGE, SCAN, lines, pdf, stream, text

from auditor.load import load_bytes
from auditor.ports import LoadError

FEE = text(72, 100, "The fee is 30 EUR.")


def test_pages_without_text_are_reported() -> None:
    doc = load_bytes(pdf(FEE, FEE, SCAN, FEE, SCAN, b"", objects=[IMAGE]), "a.pdf")
    assert doc.notices == ("pages 3 and 5 hold no text (scanned images?)",)
    assert load_bytes(pdf(FEE, SCAN, objects=[IMAGE]), "a.pdf").notices == ("page 2 holds no text (scanned images?)",)


def test_scan_below_a_running_header_is_reported() -> None:
    header = text(72, 40, "Archive of ACME")
    doc = load_bytes(pdf(header + FEE, header + SCAN, objects=[IMAGE]), "a.pdf")
    assert doc.notices == ("page 2 holds no text (scanned images?)",)


def test_text_behind_a_scan_is_read() -> None:
    doc = load_bytes(pdf(SCAN + text(72, 100, "The fee is 30 EUR.", more="3 Tr"), objects=[IMAGE]), "a.pdf")
    assert doc.text == "The fee is 30 EUR."


GOOD = pdf(FEE)
BAD = [
    ("no text: the pages are images", pdf(SCAN, SCAN, objects=[IMAGE])),
    ("no text: the pages are empty", pdf(b"", b"")),
    ("no text: the pages are empty", pdf(text(9000, 9000, "Outside of the page"))),
    ("damaged or cut off", b"%PDF-1.7\n" + random.Random(1).randbytes(20_000)),
    ("damaged or cut off", GOOD[: len(GOOD) // 2]),
    ("damaged or cut off", b"%PDF-1.4\n"),
    ("encrypted in a way", pdf(FEE, trailer="/Encrypt<</Filter/Foo/V 9>>")),
    (
        "protected by a password",
        pdf(FEE, trailer=f"/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<{'41' * 32}>/U<{'42' * 32}>>>/ID[<00><00>]"),
    ),
    ("cannot be decoded", pdf(text(72, 100, bytes(range(1, 9)) * 8))),
    ("no page of it can be read", GOOD.replace(b"/Kids[8 0 R]", b"/Kids[2 0 R]")),
]


@pytest.mark.parametrize(("reason", "data"), BAD)
def test_unreadable_files(reason: str, data: bytes) -> None:
    with pytest.raises(LoadError, match=re.escape(reason)):
        load_bytes(data, "a.pdf")


STRANGE = {
    "wrong offsets": GOOD.replace(b"startxref\n", b"startxref\n9"),
    "huge page": pdf(FEE, box="0 0 1e9 1e9"),
    "no page size": pdf(FEE, box="0 0 0 0"),
    "page upside down": pdf(FEE, box="595 842 0 0"),
    "deep nesting": pdf(FEE, page="/Foo " + "[" * 50_000 + "]" * 50_000),
    "deep states": pdf(b"q " * 200_000 + FEE),
    "form in itself": pdf(
        b"/X Do " + FEE,
        objects=[stream(b"/X Do", "/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</XObject<</X 10 0 R>>>>")],
    ),
    "pages that are not there": GOOD.replace(b"/Count 1>>", b"/Count 900000>>"),
    "many lines": pdf(FEE + b" 10 10 m 90 10 l S 10 10 m 10 90 l S" * 30_000),
    "script": GOOD.replace(b"/Type/Catalog", b"/Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>"),
    "tiny print": pdf(FEE + text(72, 200, "nobody reads this", 1)),
    "compressed": pdf(stream(zlib.compress(FEE + b"\n" * 20_000_000), "/Filter/FlateDecode")),
}


@pytest.mark.parametrize("name", STRANGE)
def test_strange_files(name: str) -> None:
    start = time.process_time()
    doc = load_bytes(STRANGE[name], "a.pdf")
    assert doc.text == "The fee is 30 EUR."
    assert time.process_time() - start < 5
    check_positions(doc)


def test_too_much_on_a_page() -> None:
    rows = b"".join(b"(%d " % n + b"many words on a line " * 5 + b") Tj 0 -0.3 Td " for n in range(2_600))
    start = time.process_time()
    doc = load_bytes(pdf(b"BT /F1 4 Tf 10 840 Td " + rows + b"ET"), "a.pdf")
    assert doc.notices == ("page 1 was read only in part: too much stands on it",)
    assert time.process_time() - start < 20


def test_names_of_characters_are_kept_apart() -> None:
    doc = load_bytes(pdf(text(72, 100, "Café – 50\xa0€ and\xadso on…")), "a.pdf")
    assert doc.text.startswith("Café – 50 € and")
    assert doc.text.endswith("so on…")
    assert "\u00ad" not in doc.text
    assert "\x00" not in load_bytes(pdf(text(72, 100, b"The fee\x00is 30 EUR.")), "a.pdf").text


def test_mutations_end_in_a_document_or_a_reason() -> None:
    rng = random.Random(7)
    source = pdf(FEE + lines(72, 140, "a b", "c d"), FEE, info="/Title(x y)")
    for _ in range(150):
        data = bytearray(source)
        for _ in range(rng.choice([1, 4, 30])):
            data[rng.randrange(9, len(data))] = rng.randrange(256)
        with contextlib.suppress(LoadError):
            check_positions(load_bytes(bytes(data), "a.pdf"))
