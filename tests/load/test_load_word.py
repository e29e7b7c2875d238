"""What DOCX, ODT and RTF have in common, on files that LibreOffice wrote, and safe unpacking."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from word_files import docx, odt, p, rtf, zipped

from auditor.load import load_bytes
from auditor.load.zip_parts import open_parts, parse_xml
from auditor.model import BlockKind, Document
from auditor.ports import LoadError

FILES = Path(__file__).parent / "files"
FORMATS = ["fodt", "odt", "docx", "rtf"]


def libreoffice(form: str) -> Document:
    return load_bytes((FILES / f"backup_policy.{form}").read_bytes(), f"backup_policy.{form}")


EXPECTED = [
    ("field", "header", "Version: 2.1"),
    ("field", "header", "Effective date: 1 April 2024"),
    ("field", "properties", "Owner: Storage team"),
    ("field", "properties", "Status: approved"),
    ("heading", "paragraph=1", "Backup policy"),
    ("heading", "paragraph=2", "Retention"),
    ("paragraph", "paragraph=3", "Daily backups are kept for 30 days in the vault."),
    ("paragraph", "footnote=1", "Counted from the end of the job."),
    ("paragraph", "paragraph=4", "Weekly copies are kept for 12 weeks."),
    ("paragraph", "paragraph=5", "The following are not backed up:"),
    ("item", "paragraph=6", "scratch volumes"),
    ("item", "paragraph=7", "developer machines:"),
    ("item", "paragraph=8", "laptops"),
    ("item", "paragraph=9", "test servers"),
    ("item", "paragraph=10", "caches"),
    ("heading", "paragraph=11", "Schedule by system"),
    ("paragraph", "paragraph=12", "Backups run at these times:"),
    ("row", "paragraph=16", "Billing | 02:00 | 3"),
    ("row", "paragraph=19", "Billing | 14:00 | 2"),
    ("row", "paragraph=21", "Archive | on request only | on request only"),
    ("paragraph", "paragraph=23", "Restores need the approval of the storage lead."),
    ("paragraph", "paragraph=24", "Restore tests run twice a year."),
    ("paragraph", "paragraph=25", "Grüße – “≥ 5 €”, see the portal."),
]


@pytest.mark.parametrize("form", FORMATS)
def test_libreoffice_file_reads_the_same_in_every_format(form: str) -> None:
    doc = libreoffice(form)
    assert [(block.kind.value, doc.place_at(block.start), block.text) for block in doc.blocks] == EXPECTED
    assert all(doc.text[block.start : block.end] == block.text for block in doc.blocks)
    assert doc.line_map == ()
    assert doc.notices == ()
    assert doc.places[0][0] == 0
    assert list(doc.places) == sorted(doc.places, key=lambda place: place[0])


@pytest.mark.parametrize("form", FORMATS)
def test_libreoffice_structure_and_properties(form: str) -> None:
    doc = libreoffice(form)
    assert doc.title == "Backup policy"
    assert doc.owner == "Storage team"
    assert str(doc.effective and doc.effective.value) == "2024-04-01"
    assert doc.fields["author"] == "Dana Reyes"
    assert doc.fields["last modified by"] == "Ines Roth"
    assert doc.fields["last modified"].startswith("2024-03-05")
    headings = [block.level for block in doc.blocks if block.kind is BlockKind.HEADING]
    assert headings == [1, 1, 2]
    items = [block for block in doc.blocks if block.kind is BlockKind.ITEM]
    assert [block.level for block in items] == [0, 0, 1, 1, 0]
    assert {block.lead_in for block in items if block.level == 0} == {"The following are not backed up:"}
    assert {block.lead_in for block in items if block.level == 1} == {"The following are not backed up: developer machines:"}
    assert len({block.group for block in items if block.level == 0}) == 1
    rows = [block for block in doc.blocks if block.kind is BlockKind.ROW]
    assert {block.header for block in rows} == {("System", "Start", "Copies")}
    assert {block.caption for block in rows} == {"Backups run at these times:"}
    cell = rows[1].text.index("14:00")
    assert doc.place_at(rows[1].to_source(cell)) == "paragraph=19"
    assert doc.place_at(rows[0].to_source(rows[0].text.index("02:00"))) == "paragraph=17"


@pytest.mark.parametrize(("form", "size"), [("odt", 0.5), ("docx", 0.5), ("odt", 0.99), ("docx", 0.99)])
def test_truncated_files_are_damaged(form: str, size: float) -> None:
    data = (FILES / f"backup_policy.{form}").read_bytes()
    with pytest.raises(LoadError, match="damaged"):
        load_bytes(data[: int(len(data) * size)], f"a.{form}")


def test_a_truncated_rich_text_file_says_so() -> None:
    data = (FILES / "backup_policy.rtf").read_bytes()
    doc = load_bytes(data[: data.index(b"Schedule by")], "a.rtf")
    assert doc.notices == ("the file ends early: the rest of it is missing",)
    assert doc.blocks[-1].text == "caches"


@pytest.mark.parametrize("name", ["a.docx", "a.odt", "a.rtf"])
def test_garbage(name: str) -> None:
    with pytest.raises(LoadError, match=f"named .{name[2:]}, but its content is something else"):
        load_bytes(b"\x00\x01\x02 nothing of the kind" * 20, name)


def test_a_damaged_part_costs_only_itself() -> None:
    doc = load_bytes(docx(p("Kept for 30 days."), styles="<w:broken>"), "a.docx")
    assert [block.text for block in doc.blocks] == ["Kept for 30 days."]
    assert len(doc.notices) == 1
    assert doc.notices[0].startswith("styles could not be read: word/styles.xml is damaged")


ENTITIES = "<!DOCTYPE a [" + "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(9)) + '<!ENTITY l0 "ha">]><a>&l9;</a>'


@pytest.mark.parametrize(
    "source",
    [
        ENTITIES.encode(),
        ENTITIES.encode("utf-16"),
        b'<!DOCTYPE a SYSTEM "http://127.0.0.1/x.dtd"><a/>',
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        b" " * 70_000 + b"<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
    ],
)
def test_document_type_definitions_are_refused(source: bytes) -> None:
    with pytest.raises(LoadError, match="document type definition"):
        parse_xml(source, "part")


def test_markup_is_bounded() -> None:
    with pytest.raises(LoadError, match="more markup than the limit"):
        parse_xml(b"<a>" + b"<b/>" * 8_100_000 + b"</a>", "part")
    with pytest.raises(LoadError, match="damaged"):
        parse_xml(b"<a>" * 5000 + b"</a>" * 5000, "part")
    with pytest.raises(LoadError, match="encoding that is not read: UTF-7"):
        parse_xml(b'<?xml version="1.0" encoding="UTF-7"?><a/>', "part")


def test_parts_are_unpacked_up_to_the_limit() -> None:
    data = zipped({"a.xml": b"<a/>" + b" " * 3_000_000, "b.xml": b"<b/>"})
    parts = open_parts(data, part_bytes=1_000_000)
    with pytest.raises(LoadError, match="unpacks to more than the limit"):
        parts.read("a.xml")
    assert parts.xml("b.xml") is not None
    assert parts.xml("c.xml") is None
    lying = bytearray(data)  # the directory says that the part is small
    at = lying.index(b"PK\x01\x02")
    lying[at + 24 : at + 28] = (10).to_bytes(4, "little")
    with pytest.raises(LoadError, match="damaged"):
        open_parts(bytes(lying), part_bytes=1_000_000).read("a.xml")
    total = open_parts(data, total_bytes=3_000_005)
    total.read("a.xml")
    with pytest.raises(LoadError, match="limit"):
        total.read("b.xml")


def test_part_names_do_not_depend_on_case_and_strange_packing_is_refused() -> None:
    assert open_parts(zipped({"Word\\Document.XML": b"<a/>"})).xml("/word/document.xml") is not None
    with pytest.raises(LoadError, match="packed in a way"):
        open_parts(zipped({"a.xml": b"<a/>"}, zipfile.ZIP_LZMA)).read("a.xml")


def test_protected_texts() -> None:
    with pytest.raises(LoadError, match="protected by a password"):
        load_bytes(odt("", manifest="<manifest><encryption-data/></manifest>"), "a.odt")
    data = bytearray(docx(p("secret")))
    at = data.index(b"word/document.xml") - 30
    data[at + 6] |= 1
    for at in range(len(data) - 4):
        if data[at : at + 4] == b"PK\x01\x02" and data[at + 46 : at + 63] == b"word/document.xml":
            data[at + 8] |= 1
    with pytest.raises(LoadError, match="protected by a password"):
        load_bytes(bytes(data), "a.docx")


FIELDS_AT_TOP = [
    "Access standard",
    "Version: 3.0",
    "Owner: Identity team",
    "Effective date: 2 May 2024",
    "Passwords have 14 characters.",
]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.docx", docx("".join(map(p, FIELDS_AT_TOP)))),
        ("a.odt", odt("".join(f"<text:p>{line}</text:p>" for line in FIELDS_AT_TOP))),
        ("b.odt", odt(f"<text:p>{FIELDS_AT_TOP[0]}</text:p><text:p>{'<text:line-break/>'.join(FIELDS_AT_TOP[1:4])}</text:p>")),
        ("a.rtf", rtf("".join(rf"{line}\par " for line in FIELDS_AT_TOP))),
    ],
)
def test_lines_at_the_top_that_state_fields(name: str, data: bytes) -> None:
    doc = load_bytes(data, name)
    assert doc.owner == "Identity team"
    assert doc.fields["version"] == "3.0"
    assert str(doc.effective and doc.effective.value) == "2024-05-02"
    assert [block.cells for block in doc.blocks if block.kind is BlockKind.FIELD] == [
        ("Version", "3.0"),
        ("Owner", "Identity team"),
        ("Effective date", "2 May 2024"),
    ]
