"""Files on which loaders failed: found by `scripts/fuzz_loaders.py`, or as brothers of what it found; and the mutations themselves."""

from __future__ import annotations

import io
import random
import sys
import zipfile
from pathlib import Path

import polars as pl
import pytest
from members_helpers import outcomes

from auditor.load import Reading, load_corpus
from auditor.load.config import LoadConfig
from auditor.load.number_format import shown
from auditor.load.read import read_bytes
from auditor.model import Document
from auditor.ports import LoadError, NotADocument

sys.path.append(str(Path(__file__).parents[2] / "scripts"))
import fuzz_mutations
import fuzz_seeds

LONG = "9" * 5_000  # digits; `int` takes 4,300
ODD_NUMBERS = ["²", "٣", LONG, "--5", "1e5", "-1", ""]


def text(data: str | bytes, name: str) -> str:
    (found,) = outcomes(data.encode() if isinstance(data, str) else data, name)
    assert isinstance(found, Document)
    return found.text


@pytest.mark.parametrize("number", ODD_NUMBERS)
def test_numbers_that_are_none(number: str) -> None:
    assert "deep" in text(f'<table><tr><td colspan="{number}" rowspan="{number}">deep</td></tr></table>', "a.html")
    table = f"x\n\n.. csv-table::\n   :header-rows: {number}\n\n   deep,b\n   c,d\n"
    assert "deep" in text(table, "a.rst")
    table = f"x\n\n.. list-table::\n   :header-rows: {number}\n   :stub-columns: {number}\n\n   * - deep\n     - b\n"
    assert "deep" in text(table, "a.rst")


@pytest.mark.parametrize(("number", "read"), [("²", True), (LONG, True), ("--5", False), ("-1", False), ("0", True), ("10", False)])
def test_namespaces_of_a_dump(number: str, read: bool) -> None:
    data = fuzz_seeds._DUMP.replace("<ns>0<", f"<ns>{number}<").encode()
    if read:
        assert "Grade" in text(data, "dump.xml")
    else:
        with pytest.raises(NotADocument):
            outcomes(data, "dump.xml")


def test_a_name_that_lxml_refuses() -> None:
    with pytest.raises(LoadError, match="broken XML"):
        outcomes(b'<mediawiki xmlns="}">', "dump.xml")


@pytest.mark.parametrize("number", [LONG, "²"])
def test_dates_of_cells(number: str) -> None:
    """One odd cell costs itself, not the sheet."""
    source = fuzz_seeds._FODS.replace('"2024-01-01">\n<text:p>x', f'"{number}-01-01">\n<text:p>deep')
    assert "deep" in text(source, "a.fods")
    source = fuzz_seeds._FODS.replace("<text:p>x", f"<text:p>deep {number}")
    assert "2024-01-01 | 50%" in text(source, "a.fods")


@pytest.mark.parametrize("value", [1e15, 1e20, 9.99e23, 123456789012345678.0])
def test_more_digits_than_are_kept_in_a_calculation(value: float) -> None:
    assert float(shown(value, "#,##0.000000000000000").replace(",", "")) == pytest.approx(value)


def test_a_date_that_polars_cannot_show() -> None:
    """The library panics, and its panic is no ordinary exception."""
    frame = pl.DataFrame({"id": [1, 2], "text": ["Returns are accepted within 30 days of delivery."] * 2, "day": [0, 2**31 - 1]})
    out = io.BytesIO()
    frame.with_columns(pl.col("day").cast(pl.Int32).cast(pl.Date)).write_parquet(out)
    with pytest.raises(LoadError, match="the file is damaged: its content makes no sense"):
        outcomes(out.getvalue(), "a.parquet")


def test_memory_is_not_called_damage(monkeypatch: pytest.MonkeyPatch) -> None:
    """What another day may be read in full must not be remembered as damaged."""

    def refuse(*arguments: object, **options: object) -> None:
        raise MemoryError

    out = io.BytesIO()
    pl.DataFrame({"id": [1], "text": ["Returns are accepted within 30 days."]}).write_parquet(out)
    monkeypatch.setattr(pl, "scan_parquet", refuse)
    with pytest.raises(MemoryError):
        outcomes(out.getvalue(), "a.parquet")


def with_a_damaged_part(name: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, b"application/vnd.oasis.opendocument.text" * 3)
        archive.writestr("content.xml", "<x/>")
    data = bytearray(out.getvalue())
    start = 30 + len(name)
    data[start : start + 8] = b"\xff" * 8
    return bytes(data)


@pytest.mark.parametrize("name", ["a.odt", "a.ods", "a.odp", "a.epub", "a.docx"])
def test_packed_data_that_is_no_packed_data(name: str) -> None:
    with pytest.raises(LoadError, match=r"the file is damaged: its content is cut off or overwritten|content is something else"):
        outcomes(with_a_damaged_part("mimetype"), name)


def test_an_offset_beyond_all_files() -> None:
    """`OverflowError`, from the place of a part that a 64 bit field states."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        info = archive.infolist()[0]
        info.header_offset = (1 << 63) + 5
    with pytest.raises(LoadError, match="the file is damaged"):
        outcomes(out.getvalue(), "a.odt")


def test_an_export_without_its_file() -> None:
    data = fuzz_mutations.zipped([("other.xml", b"<x/>")])
    with pytest.raises(LoadError, match="the export is damaged"):
        list(read_bytes(data, "a.confluence-xml", Reading(LoadConfig())))


class Panic(BaseException):
    """As libraries in other languages raise it."""


def test_a_panic_costs_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from auditor.load.plain import PlainLoader

    def load(self: object, data: bytes, name: str) -> None:
        raise Panic("out of range")

    (tmp_path / "a.txt").write_text("Text.")
    (tmp_path / "b.md").write_text("Text.")
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("d.txt", "Text.")
        archive.writestr("e.md", "Text.")
    monkeypatch.setattr(PlainLoader, "load", load)
    documents, skipped = load_corpus(tmp_path)
    assert [document.doc_id for document in documents] == ["b.md", "c.zip!/e.md"]
    assert {entry.doc_id: entry.reason for entry in skipped} == dict.fromkeys(
        ["a.txt", "c.zip!/d.txt"], "the loader failed: Panic: out of range"
    )


# -- the mutations -----------------------------------------------------------------------------------------------------------------


def test_mutations_are_the_same_for_the_same_seed_and_differ_from_their_file() -> None:
    seeds = [seed for seed in fuzz_seeds.seeds() if seed.suffix in {"docx", "md", "pdf", "json", "msg", "xml"}]
    assert {seed.suffix for seed in seeds} == {"docx", "md", "pdf", "json", "msg", "xml"}
    changed = 0
    for number, seed in enumerate(seeds):
        one, two = (fuzz_mutations.mutated(random.Random(number), seed.data, seed.suffix, [seed.data]) for _ in range(2))
        assert one == two
        changed += one != seed.data
    assert changed > 0.9 * len(seeds)


def test_an_example_is_cut_down() -> None:
    data = b"x" * 500 + b"needle" + b"y" * 500
    assert fuzz_mutations.smaller(data, lambda shorter: b"needle" in shorter, 1_000) == b"needle"


@pytest.mark.parametrize("name", sorted(fuzz_seeds._small()))
def test_damaged_files_of_every_form(name: str) -> None:
    """A short run of what the script does for minutes, in this process."""
    data = fuzz_seeds._small()[name]
    for number in range(25):
        rng = random.Random(f"{name} {number}")
        damaged = fuzz_mutations.mutated(rng, data, name.rpartition(".")[2], list(fuzz_seeds._small().values()))
        try:
            found = outcomes(damaged, name)
        except (LoadError, NotADocument):
            continue
        assert not [entry for entry in found if not isinstance(entry, Document) and "the loader failed" in entry.reason]
