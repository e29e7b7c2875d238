"""CSV and TSV: encoding, separator and header by content; lines of the file as places."""

from __future__ import annotations

import pytest
from load_helpers import check_positions

from auditor.load import load_bytes
from auditor.model import BlockKind, Document
from auditor.ports import LoadError


def read(source: str | bytes, name: str = "a.csv") -> Document:
    doc = load_bytes(source.encode() if isinstance(source, str) else source, name)
    check_positions(doc)
    return doc


def table(source: str | bytes, name: str = "a.csv") -> list[tuple[str, ...]]:
    blocks = [block for block in read(source, name).blocks if block.kind is BlockKind.ROW]
    return [blocks[0].header, *(block.cells for block in blocks)]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separators(separator: str) -> None:
    lines = [["Plan", "Price", "Note"], ["Pro", "$10", "one, two"], ["Team", "$15", "a; b"]]
    source = "\n".join(separator.join(f'"{cell}"' if set(",;") & set(cell) else cell for cell in line) for line in lines)
    assert table(source) == [tuple(line) for line in lines]


def test_german_export() -> None:
    source = (
        "sep=;\nPlan;Preis;Rabatt;Größe;Datum\nStarter;1.200,50 €;12,5 %;3,0 GB;01.02.2024\nPro;2.400 €;20,0 %;10 GB;02.02.2024\n"
    )
    expected = [
        ("Plan", "Preis", "Rabatt", "Größe", "Datum"),
        ("Starter", "1,200.50 €", "12.5 %", "3.0 GB", "01.02.2024"),
        ("Pro", "2,400 €", "20.0 %", "10 GB", "02.02.2024"),
    ]
    assert table(source) == expected
    assert table(source.encode("cp1252")) == expected
    assert table(source.encode("utf-16")) == expected


def test_decimal_points_are_left_alone() -> None:
    assert table("Plan;Price;Users\nPro;1.5;1,200\n")[1] == ("Pro", "1.5", "1,200")


def test_records_over_several_lines() -> None:
    doc = read('Plan,Note,Price\nPro,"first line\n\nthird line",$10\n\nTeam,x,$15\n')
    pro, team = (block for block in doc.blocks if block.kind is BlockKind.ROW)
    assert pro.text == "Pro | first line third line | $10"
    assert [doc.line_at(pro.start + pro.text.index(word)) for word in ("Pro", "first", "third", "$10")] == [2, 2, 4, 4]
    assert doc.line_at(team.start) == 6
    assert doc.places == ()


def test_titles_above_the_table() -> None:
    doc = read("Price list 2024,,\nOwner,legal,\n,,\nPlan,Price,Seats\nPro,$10,20\n")
    assert doc.title == "Price list 2024"
    assert doc.owner == "legal"
    row = doc.blocks[-1]
    assert (row.header, row.text) == (("Plan", "Price", "Seats"), "Pro | $10 | 20")
    assert doc.line_at(row.start) == 5


def test_without_header() -> None:
    assert table("Pro,10,20\nTeam,15,50\n") == [(), ("Pro", "10", "20"), ("Team", "15", "50")]


def test_notion_export() -> None:
    source = "\ufeffName,Owner,Keep\nLogs (https://www.notion.so/Logs-12ab?pvs=21),Ann,90 days\nBackups,Bob (Team%20A%2012ab.md),30 days\n"
    assert table(source)[1:] == [("Logs", "Ann", "90 days"), ("Backups", "Bob", "30 days")]


def test_a_quotation_mark_that_is_never_closed() -> None:
    source = 'Plan,Price\nPro,"$10\n' + "Team,$15\n" * 3000
    rows = table(source)
    assert rows[1] == ("Pro", "$10")
    assert rows[-1] == ("Team", "$15")


def test_errors_and_bounds_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    doc = read("Plan,Price\nPro,#REF!\nTeam,$5\n")
    assert doc.notices == ("1 cell holds an error value and was left out",)
    wide = read(",".join(f"column {n}" for n in range(300)) + "\n" + ",".join("v" for _ in range(300)))
    assert wide.notices == ("only the first 200 columns were read",)
    monkeypatch.setattr("auditor.load.delimited.MAX_CELLS", 1000)
    long = load_bytes(("a,b\n" + "x,y\n" * 510).encode(), "a.csv")
    assert long.notices == ("more than 1,000 cells; not read beyond line 500",)


@pytest.mark.parametrize("data", [b"a,b\n\0,c\n", b"\x89PNG\r\n\x1a\n\0\0", b",,,\n,,\n"])
def test_what_is_no_table(data: bytes) -> None:
    with pytest.raises(LoadError):
        read(data)
