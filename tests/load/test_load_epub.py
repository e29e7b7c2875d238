"""Books, as pandoc and LibreOffice write them, and ones made to be wrong."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from members_helpers import documents, outcomes

from auditor.model import BlockKind, Document
from auditor.ports import LoadError

FILES = Path(__file__).with_name("files")
CONTAINER = '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="O/b.opf"/></rootfiles></container>'
PACKAGE = """<?xml version="1.0"?>{doctype}<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">
<metadata>{metadata}</metadata><manifest>{manifest}</manifest><spine>{spine}</spine></package>"""


def book(
    pages: dict[str, str], metadata: str = "<dc:title>Fees</dc:title>", doctype: str = "", extra: dict[str, str] | None = None
) -> bytes:
    manifest = "".join(
        f'<item id="p{n}" href="{name.replace(" ", "%20")}" media-type="application/xhtml+xml" properties="{"nav" if name == "nav.xhtml" else ""}"/>'
        for n, name in enumerate(pages)
    )
    spine = "".join(f'<itemref idref="p{n}"/>' for n in range(len(pages)))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", CONTAINER)
        archive.writestr("O/b.opf", PACKAGE.format(doctype=doctype, metadata=metadata, manifest=manifest, spine=spine))
        for name, body in pages.items():
            archive.writestr(f"O/{name}", f"<?xml version='1.0'?><html xmlns:epub='e'><head><title/></head>{body}</html>")
        for name, content in (extra or {}).items():
            archive.writestr(name, content)
    return out.getvalue()


def read(data: bytes) -> Document:
    return documents(data, "a.epub")["a.epub"]


@pytest.mark.parametrize("name", ["handbook.epub", "handbook-2.epub"])
def test_pandoc(name: str) -> None:
    document = read((FILES / name).read_bytes())
    assert (document.title, document.owner, document.format, document.language) == (
        "Retention handbook",
        "Ann Lee, Bo Berg",
        "epub",
        "en",
    )
    assert document.published is not None
    assert str(document.published.value) == "2024-03-05"  # not when the file was made
    assert [(b.kind.value, b.level, b.text, document.place_at(b.start)) for b in document.blocks[4:]] == [
        ("heading", 1, "Logs", "chapter=1"),
        ("paragraph", 0, "Audit logs are kept for 90 days.", "chapter=1"),
        ("paragraph", 0, "The following are not allowed:", "chapter=1"),
        ("item", 0, "deleting logs", "chapter=1"),
        ("item", 0, "copying logs", "chapter=1"),
        ("row", 0, "audit | 90", "chapter=1"),
        ("row", 0, "debug | 7", "chapter=1"),
        ("item", 0, "Counted from the day of the entry.", "chapter=1"),
        ("heading", 1, "Backups", "chapter=2"),
        ("heading", 2, "Daily", "chapter=2"),
        ("paragraph", 0, "Daily backups are kept for 14 days.", "chapter=2"),
    ]
    rows = [block for block in document.blocks if block.kind is BlockKind.ROW]
    assert [(row.header, row.group) for row in rows] == [(("Log", "Days"), rows[0].group)] * 2
    assert document.line_map == ()
    for block in document.blocks:
        assert document.text[block.start : block.end] == block.text


def test_libreoffice() -> None:
    """It writes headings as paragraphs; the table of contents tells which they are."""
    document = read((FILES / "handbook-3.epub").read_bytes())
    found = [(block.kind.value, block.text) for block in document.blocks]
    assert ("heading", "Logs") in found
    assert ("heading", "Backups") in found
    assert ("row", "audit | 90") in found


def test_what_is_no_chapter() -> None:
    pages = {
        "cover.xhtml": "<body epub:type='cover'><p>The cover costs 1 EUR.</p></body>",
        "nav.xhtml": "<body><nav epub:type='toc'><ol><li><a href='b.xhtml#x'>The fees</a></li></ol></nav></body>",
        "title.xhtml": "<body><section epub:type='titlepage'><h1>Fees</h1></section></body>",
        "b.xhtml": "<body><p>The fee is 20<sup><a href='#n'>1</a></sup> EUR.</p><aside epub:type='footnote' id='n'>Or 25 CHF.</aside><a id='x'/>"
        "<p>Section <a href='c.xhtml#s'>4</a> has more.</p></body>",
        "c d.xhtml": "<body><h2>Rent</h2><p>The rent is 300 EUR.</p></body>",
    }
    document = read(book(pages, doctype="<!DOCTYPE package PUBLIC '+//ISBN//DTD OEB 1.2//EN' 'http://x/oeb.dtd'>"))
    assert [(block.kind.value, block.text, document.place_at(block.start)) for block in document.blocks] == [
        ("heading", "Fees", "chapter=0"),
        ("heading", "The fees", "chapter=1"),
        ("paragraph", "The fee is 20 EUR.", "chapter=1"),
        ("paragraph", "Or 25 CHF.", "chapter=1"),
        ("paragraph", "Section 4 has more.", "chapter=1"),
        ("heading", "Rent", "chapter=2"),
        ("paragraph", "The rent is 300 EUR.", "chapter=2"),
    ]


FEE = {"a.xhtml": "<body><p>The fee is 20 EUR.</p></body>"}
ENCRYPTED = "<encryption><EncryptedData><EncryptionMethod Algorithm='{}'/><CipherData><CipherReference URI='{}'/></CipherData></EncryptedData></encryption>"


def test_protection() -> None:
    strong = ENCRYPTED.format("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "O/a.xhtml")
    for extra in ({"META-INF/encryption.xml": strong}, {"META-INF/rights.xml": "<rights/>"}):
        with pytest.raises(LoadError, match="digital rights"):
            outcomes(book(FEE, extra=extra), "a.epub")
    fonts = ENCRYPTED.format("http://www.idpf.org/2008/embedding", "O/font.otf")
    assert read(book(FEE, extra={"META-INF/encryption.xml": fonts})).text == "The fee is 20 EUR."


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (book({}), "no readable chapter"),
        (book({"a.xhtml": "<body><img src='1.png'/></body>"}), "the pages are images"),
        (book(FEE).replace(b"full-path", b"half-path"), "list of its contents is missing|damaged"),
        (book(FEE)[:-40], "damaged"),
        (book(FEE, doctype="<!DOCTYPE package [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]>"), "document type definition"),
    ],
)
def test_books_that_cannot_be_read(data: bytes, reason: str) -> None:
    with pytest.raises(LoadError, match=reason):
        outcomes(data, "a.epub")


def test_a_chapter_that_is_lost() -> None:
    data = book(FEE | {"b.xhtml": "<body><p>The fee is 30 EUR.</p></body>"}, metadata="<dc:creator>Unknown Author</dc:creator>")
    document = read(data.replace(b"O/b.xhtml", b"O/x.xhtml"))
    assert document.notices == ("chapter 2 (b.xhtml) could not be read: it is missing",)
    assert (document.text, document.owner) == ("The fee is 20 EUR.", None)


def test_a_bomb() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive, zipfile.ZipFile(io.BytesIO(book(FEE))) as source:
        for info in source.infolist():
            archive.writestr(info.filename, b"<p>a</p>" * 4_000_000 if info.filename == "O/a.xhtml" else source.read(info))
    with pytest.raises(LoadError, match="no readable chapter"):
        outcomes(out.getvalue(), "a.epub")
