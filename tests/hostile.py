"""A corpus made to hurt, by code: files that break parsers, lie about what they are, unpack without end, or lead elsewhere."""

from __future__ import annotations

import io
import json
import os
import random
import struct
import zipfile
import zlib
from pathlib import Path

BIG = 200 * 1024 * 1024

_ENTITIES = (
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a0 "lol">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    + "]>"
)
_EXTERNAL = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/></Types>'
)


def zipped(parts: dict[str, bytes | str], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A ZIP archive of these parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def word(body: str, head: str = '<?xml version="1.0"?>') -> bytes:
    """A Word document with this body."""
    return zipped(
        {"[Content_Types].xml": _TYPES, "word/document.xml": f"{head}<w:document {_W}><w:body>{body}</w:body></w:document>"}
    )


def paragraph(text: str) -> str:
    """A paragraph of it."""
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def open_text(body: str, head: str = '<?xml version="1.0"?>') -> bytes:
    """An OpenDocument text with this body."""
    content = (
        f'{head}<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        f'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0">'
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    return zipped({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content})


def sheet(rows: str, head: str = '<?xml version="1.0"?>') -> bytes:
    """A workbook with one sheet."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    return zipped(
        {
            "[Content_Types].xml": _TYPES,
            "_rels/.rels": f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship '
            f'Id="r1" Type="{rel}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="r1" Type="{rel}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{rel}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets>'
            "</workbook>",
            "xl/worksheets/sheet1.xml": f'{head}<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>',
        }
    )


def bomb(size: int) -> bytes:
    """Deflated zeros of this size, behind each other."""
    packer = zlib.compressobj(9)
    chunk = bytes(1 << 20)
    return b"".join(packer.compress(chunk) for _ in range(size >> 20)) + packer.flush()


def lying_zip() -> bytes:
    """An archive whose entry says that it holds 10 bytes and unpacks to many more."""
    data = bytearray(zipped({"a.txt": b"x" * 5_000_000}))
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.find(signature)
        struct.pack_into("<I", data, at + offset, 10)
    return bytes(data)


def pdf(objects: list[str]) -> bytes:
    """A PDF of these objects, with a right table of contents."""
    out = io.BytesIO(b"")
    out.write(b"%PDF-1.7\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1"))
    start = out.tell()
    out.write(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode())
    out.write(b"".join(f"{place:010d} 00000 n \n".encode() for place in places))
    out.write(f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode())
    return out.getvalue()


def files() -> dict[str, bytes]:
    """Name → content of every hostile file that is made of bytes."""
    noise = random.Random(11)
    deep = "[" * 100_000
    inner = zipped({"deep.txt": "Returns are accepted within 99 days of delivery."})
    for _ in range(8):
        inner = zipped({"inner.zip": inner})
    found: dict[str, bytes] = {
        "bomb.docx": word(paragraph("&a9;"), _ENTITIES),
        "outside.docx": word(paragraph("&e;"), _EXTERNAL),
        "bomb.odt": open_text("<text:p>&a9;</text:p>", _ENTITIES),
        "outside.odt": open_text("<text:p>&e;</text:p>", _EXTERNAL),
        "bomb.xlsx": sheet('<row r="1"><c r="A1" t="inlineStr"><is><t>&a9;</t></is></c></row>', _ENTITIES),
        "outside.xlsx": sheet('<row r="1"><c r="A1" t="inlineStr"><is><t>&e;</t></is></c></row>', _EXTERNAL),
        "far.xlsx": sheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
        "deep.docx": word("<w:tbl><w:tr><w:tc>" * 20_000 + paragraph("x")),
        "deep.odt": open_text("<text:section>" * 20_000),
        "repeated.ods": zipped(
            {
                "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
                "content.xml": '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
                'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">'
                '<office:body><office:spreadsheet><table:table table:name="S"><table:table-row table:number-rows-repeated="1048576">'
                '<table:table-cell table:number-columns-repeated="16384"><text:p>7</text:p></table:table-cell></table:table-row>'
                "</table:table></office:spreadsheet></office:body></office:document-content>",
            }
        ),
        "unpacks.docx": zipped({"[Content_Types].xml": _TYPES, "word/document.xml": b" " * (300 << 20)}),
        "many.zip": zipped({f"{n}.txt": "x" for n in range(30_000)}, zipfile.ZIP_STORED),
        "nested.zip": inner,
        "lying.zip": lying_zip(),
        "paths.zip": zipped(
            {
                "../../outside.md": "# Outside",
                "/etc/outside.md": "# Outside",
                "C:\\outside.md": "# Outside",
                "..\\..\\outside.md": "# Outside",
                "a/../../outside.md": "# Outside",
            }
        ),
        "bomb.zip": zipped({"zeros.txt": b"0" * (300 << 20)}),
        "cut.zip": zipped({"a.md": "# Cut" + "x" * 5000})[:-200],
        "named.pdf": b"this is no PDF",
        "cut.pdf": pdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"])[:80],
        "circle.pdf": pdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R] /Count 1 >>"]),
        "claims.pdf": pdf(
            [
                "<< /Type /Catalog /Pages 2 0 R >>",
                "<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>",
                "<< /Type /Page /Parent 2 0 R >>",
            ]
        ),
        "noise.pdf": b"%PDF-1.4\n" + noise.randbytes(50_000),
        "noise.docx": b"PK\x03\x04" + noise.randbytes(50_000),
        "noise.xls": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + noise.randbytes(50_000),
        "noise.msg": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + noise.randbytes(50_000),
        "noise.parquet": b"PAR1" + noise.randbytes(50_000) + b"PAR1",
        "length.parquet": b"PAR1" + b"\xff" * 64 + struct.pack("<I", 0x7FFFFFFF) + b"PAR1",
        "deep.json": deep.encode(),
        "deep.jsonl": (deep + "\n").encode() * 3,
        "huge.jsonl": b'{"id": 1, "text": "' + b"x" * (25 << 20) + b'"}\n',
        "odd.jsonl": json.dumps({"id": "../../x", "text": "\ud800 \x00 Returns are accepted within 1e999 days." * 5}).encode(),
        "deep.ipynb": ('{"cells": ' + deep).encode(),
        "deep.html": b"<div>" * 200_000 + b"deep",
        "deep.rtf": b"{\\rtf1 " + b"{" * 200_000 + b"deep",
        "big.rtf": b"{\\rtf1 \\bin2000000000 x}",
        "deep.adoc": b"".join(b"*" * (n % 40 + 1) + b" item\n" for n in range(40_000)),
        "deep.mediawiki": b"{{" * 60_000 + b"deep",
        "deep.xml": b"<mediawiki>" + b"<page>" * 100_000,
        "bomb.xml": (_ENTITIES + "<mediawiki><page><title>&a9;</title></page></mediawiki>").encode(),
        "parts.eml": b"Subject: parts\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
        + b"--b\n\nx\n" * 30_000
        + b"--b--\n",
        "nested.eml": b"".join(
            b"Subject: nested\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n)
            for n in range(2_000)
        ),
        "headers.eml": b"Subject: " + b"=?utf-8?q?" + b"a" * 2_000_000 + b"?=\n\nbody\n",
        "long.csv": b'"' + b"a,b\n" * 500_000,
        "wide.csv": b",".join(b"c%d" % n for n in range(100_000)) + b"\n" + b",".join(b"%d" % n for n in range(100_000)),
        "nul.md": b"# Title\n\nReturns within 5 days\0\0\0\n",
        "mixed.txt": "größer\n".encode("latin-1") + "größer\n".encode() + b"\x81\x8d\n",
        "half.txt": "größer".encode("utf-16")[:-1],
        "cells.epub": zipped(
            {"mimetype": "application/epub+zip", "META-INF/container.xml": _ENTITIES + "<container>&a9;</container>"}
        ),
        "script.html": b"<title><script>alert(1)</script></title><p onclick=x>Returns are <img src=x onerror=alert(1)> not allowed</p>",
        "empty.docx": b"",
        "spaces.md": b" \n" * 1000,
    }
    return found


def build(folder: Path) -> None:
    """Write the corpus: the files, and what is more than bytes (links, pipes, odd names, a file of 200 MB)."""
    for name, data in files().items():
        (folder / name).write_bytes(data)
    with (folder / "big.txt").open("wb") as file:
        file.write(b"Returns are accepted within 5 days.\n")
        file.truncate(BIG)
    with (folder / "big.md").open("wb") as file:
        file.seek(BIG)
        file.write(b"x")
    (folder / "out.md").symlink_to("/etc/passwd")
    (folder / "above").symlink_to("..")
    (folder / "device.txt").symlink_to("/dev/zero")
    (folder / "circle.md").symlink_to("circle.md")
    os.mkfifo(folder / "pipe.md")
    with open(os.fsencode(folder) + b"/\xff\xfe.md", "wb") as file:
        file.write(b"# A name that is no text\n")
    (folder / "line\nbreak\x1b[31m.md").write_bytes(b"# A name with control characters\n")
    closed = folder / "closed"
    closed.mkdir()
    (closed / "a.md").write_bytes(b"# Closed\n")
    closed.chmod(0)
