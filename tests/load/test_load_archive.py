"""Archives: what is read of them, under which id, and what they cannot do."""

from __future__ import annotations

import bz2
import gzip
import io
import struct
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from members_helpers import documents, outcomes, skipped, texts

from auditor.load import load_corpus
from auditor.model import Skipped
from auditor.ports import LoadError, NotADocument

FEE = b"# Fees\n\nThe fee is 20 EUR.\n"


def zipped(*entries: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return out.getvalue()


def tarred(*entries: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data in entries:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def test_documents_in_the_order_of_their_names() -> None:
    data = zipped(("b/ä#1!.md", FEE), ("a.txt", b"The rent is 300 EUR.\n"), ("logo.png", b"\x89PNG"), ("run.py", b"x = 1\n"))
    found = documents(data, "in/z.zip")
    assert list(found) == ["in/z.zip!/a.txt", "in/z.zip!/b/ä%231%21.md"]
    document = found["in/z.zip!/b/ä%231%21.md"]
    assert [(block.text, document.line_at(block.start)) for block in document.blocks] == [("Fees", 1), ("The fee is 20 EUR.", 3)]


def test_members_that_are_left_out_without_a_word() -> None:
    names = ("__MACOSX/._a.md", "x/.git/b.md", "._c.md", "node_modules/d.md", ".DS_Store", "a.class", "empty/")
    assert outcomes(zipped(*((name, FEE) for name in names)), "z.zip") == []
    assert outcomes(tarred(*((name, FEE) for name in names[:-1])), "z.tar") == []


@pytest.mark.parametrize(
    ("name", "part", "reason"),
    [
        ("../evil.md", "!/../evil.md", "a path that leaves the archive"),
        ("a/../../evil.md", "!/a/../../evil.md", "a path that leaves the archive"),
        ("/etc/passwd.md", "!//etc/passwd.md", "an absolute path"),
        ("C:\\evil.md", "!/C:/evil.md", "an absolute path"),
        ("..\\evil.md", "!/../evil.md", "a path that leaves the archive"),
        ("a\x01b.md", "!/a\ufffdb.md", "a name with control characters"),
        ("old.rar", "!/old.rar", "archive in a format that is not read: .rar"),
    ],
)
def test_names_that_are_refused(name: str, part: str, reason: str) -> None:
    assert skipped(zipped((name, FEE), ("ok.md", FEE)), "z.zip") == {f"z.zip{part}": reason}
    if "\\" not in name:
        assert skipped(tarred((name, FEE), ("ok.md", FEE)), "z.tar") == {f"z.tar{part}": reason}


def test_links_and_devices() -> None:
    link = zipfile.ZipInfo("link.md")
    link.create_system, link.external_attr = 3, 0o120777 << 16
    library = zipfile.ZipInfo("lib.so")
    library.create_system, library.external_attr = 3, 0o120777 << 16
    assert skipped(zipped((link, b"/etc/passwd"), (library, b"x")), "z.zip") == {"z.zip!/link.md": "a symbolic link"}
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, kind in (("a.md", tarfile.SYMTYPE), ("b.md", tarfile.LNKTYPE), ("c.md", tarfile.CHRTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    assert skipped(out.getvalue(), "z.tar") == {
        "z.tar!/a.md": "a link",
        "z.tar!/b.md": "a link",
        "z.tar!/c.md": "not a regular file",
    }


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_names() -> None:
    plain = zipped(("Geb_hr.md", FEE)).replace(b"Geb_hr", "Gebühr".encode("cp437"))
    utf8 = zipped(("Geb__hr.md", FEE)).replace(b"Geb__hr", "Gebühr".encode())
    assert list(documents(plain, "z.zip")) == list(documents(utf8, "z.zip")) == ["z.zip!/Gebühr.md"]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for fee in range(3):
            archive.writestr("a.md", f"The fee is {fee} EUR.")
        archive.writestr("w\\b.md", FEE)
    found = documents(out.getvalue(), "z.zip")
    assert [(key, texts(doc)[0]) for key, doc in found.items()] == [
        ("z.zip!/a.md", "The fee is 0 EUR."),
        ("z.zip!/a (2).md", "The fee is 1 EUR."),
        ("z.zip!/a (3).md", "The fee is 2 EUR."),
        ("z.zip!/w/b.md", "Fees"),
    ]


def test_archives_in_archives() -> None:
    data = zipped(("a.md", FEE))
    for _ in range(4):
        data = zipped(("in.zip", data), ("m.eml", b"Subject: Fees\nFrom: a@example.org\n\nThe fee is 20 EUR.\n"))
    assert list(documents(data, "z.zip")) == ["z.zip!/in.zip!/m.eml", "z.zip!/m.eml"]
    assert skipped(data, "z.zip") == {
        "z.zip!/in.zip!/in.zip!/in.zip": "more than 3 archives in one another",
        "z.zip!/in.zip!/in.zip!/m.eml": "more than 3 archives in one another",
    }
    assert list(documents(gzip.compress(tarred(("z.zip", zipped(("a.md", FEE))))), "a.tgz")) == ["a.tgz!/z.zip!/a.md"]


def test_passwords() -> None:
    data = bytearray(zipped(("a.md", FEE), ("b.png", b"x"), ("c.md", FEE)))
    at = 0
    for name in (b"a.md", b"b.png"):  # the flag of encryption, in both headers
        at = data.index(name, at)
        data[at - 30 + 6] |= 1
        data[data.rindex(name) - 46 + 8] |= 1
    assert skipped(bytes(data), "z.zip") == {"z.zip!/a.md": "protected by a password"}
    assert list(documents(bytes(data), "z.zip")) == ["z.zip!/c.md"]


def test_sizes() -> None:
    data = zipped(("big.txt", b"a " * 5_000_000), ("big.bin", b"\0" * 30_000_000), ("ok.md", FEE))
    tracemalloc.start()
    assert skipped(data, "z.zip", max_bytes=1 << 20) == {"z.zip!/big.txt": "larger than the limit: 9.5 of 1.0 MiB"}
    assert tracemalloc.get_traced_memory()[1] < 5 << 20
    tracemalloc.stop()
    lie = bytearray(data)
    at = lie.rindex(b"big.txt")
    lie[at - 46 + 24 : at - 46 + 28] = struct.pack("<I", 100)  # the directory says that it is small
    assert skipped(bytes(lie), "z.zip", max_bytes=1 << 20) == {
        "z.zip!/big.txt": "cannot be unpacked: Bad CRC-32 for file 'big.txt'"
    }
    assert "unpacks to more than the limit" in str(
        outcomes(zipped(*((f"{n}.txt", b"a " * 9_000) for n in range(9))), "z.zip", max_container_bytes=50_000)[-1]
    )


def test_entries_that_share_their_bytes() -> None:
    data = zipped(("a.md", FEE), ("b.md", FEE * 50), ("c.md", FEE))
    at = data.rindex(b"b.md") - 46
    twice = bytearray(data)
    twice[at + 42 : at + 46] = struct.pack("<I", 0)  # b.md claims the bytes of a.md
    assert set(skipped(bytes(twice), "z.zip")) == {"z.zip!/a.md", "z.zip!/b.md"}
    assert list(documents(bytes(twice), "z.zip")) == ["z.zip!/c.md"]


def test_damage() -> None:
    data = zipped(("a.md", FEE * 30), ("b.md", FEE), method=zipfile.ZIP_STORED)
    assert skipped(data.replace(b"20 EUR", b"30 EUR", 1), "z.zip") == {
        "z.zip!/a.md": "cannot be unpacked: Bad CRC-32 for file 'a.md'"
    }
    for broken in (data[:-30], b"PK\x03\x04" + b"x" * 100, b"PK\x05\x06" + b"\xff" * 18):
        with pytest.raises(LoadError, match="damaged"):
            outcomes(broken, "z.zip")
    nameless = data.replace(b"b.md", b"\0.md")
    assert skipped(nameless, "z.zip") == {"z.zip!/\ufffd.md": "a name with control characters"}
    strange = bytearray(data)
    at = strange.rindex(b"b.md") - 46
    strange[at + 10 : at + 12] = b"\x63\0"  # a method that only one program knows
    assert skipped(bytes(strange), "z.zip") == {"z.zip!/b.md": "cannot be unpacked: packed in a way that is not read"}


@pytest.mark.parametrize(
    ("name", "pack"), [("z.tar", bytes), ("z.tar.gz", gzip.compress), ("z.tgz", gzip.compress), ("z.tar.bz2", bz2.compress)]
)
def test_tar(name: str, pack: object) -> None:
    assert callable(pack)
    data = pack(
        tarred(
            ("./b.md", FEE),
            ("a.md", FEE + b"x" * (1024 - len(FEE))),
            ("big.txt", b"a " * 600_000),
            ("n" * 150 + ".md", FEE),
            ("c.png", b"x"),
        )
    )
    assert list(documents(data, name, max_bytes=1 << 20)) == [f"{name}!/b.md", f"{name}!/a.md", f"{name}!/{'n' * 150}.md"]
    assert skipped(data, name, max_bytes=1 << 20) == {f"{name}!/big.txt": "larger than the limit: 1.1 of 1.0 MiB"}


def test_broken_tar() -> None:
    data = gzip.compress(tarred(("a.md", FEE), ("b.md", bytes(range(256)) * 400)))
    found = outcomes(data[: len(data) - 40], "a.tgz")
    assert [entry.doc_id for entry in found] == ["a.tgz!/a.md", "a.tgz"]
    assert isinstance(found[-1], Skipped)
    assert found[-1].reason.endswith("the rest was not read")
    for broken, name in ((b"x" * 2000, "a.tar"), (b"x" * 2000, "a.tgz"), (gzip.compress(b"x" * 2000), "a.tgz")):
        with pytest.raises(LoadError, match=r"damaged|something else"):
            outcomes(broken, name)


def test_a_header_of_any_size() -> None:
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 1 << 33
    data = gzip.compress(info.tobuf(tarfile.GNU_FORMAT) + bytes(5_000_000))
    with pytest.raises(LoadError, match="a header larger than the limit"):
        outcomes(data, "a.tgz")


def test_single_packed_documents() -> None:
    assert list(documents(gzip.compress(FEE), "in/fees.md.gz")) == ["in/fees.md.gz!/fees.md"]
    assert list(documents(bz2.compress(FEE), "fees.md.bz2")) == ["fees.md.bz2!/fees.md"]
    assert skipped(gzip.compress(b"a " * 2_000_000), "a.txt.gz", max_bytes=1 << 20) == {
        "a.txt.gz!/a.txt": "larger than the limit of 1.0 MiB"
    }
    with pytest.raises(NotADocument):
        outcomes(gzip.compress(b"\0" * 1000), "a.bin.gz")


def test_in_a_corpus(tmp_path: Path) -> None:
    (tmp_path / "z.zip").write_bytes(zipped(("docs/a.md", FEE)))
    (tmp_path / "b.tar.gz").write_bytes(gzip.compress(tarred(("a.md", FEE))))
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04")
    found, lost = load_corpus(tmp_path)
    assert [doc.doc_id for doc in found] == ["b.tar.gz!/a.md", "z.zip!/docs/a.md"]
    assert [entry.doc_id for entry in lost] == ["broken.zip"]
