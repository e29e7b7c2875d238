"""docs/formats.md says what is read as the code has it: endings, reasons, locators, limits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from auditor.config import Limits
from auditor.load import CONTAINERS, LOADERS, LoadConfig, Reading, kinds, read_file
from auditor.load.discover import SKIPPED_FOLDERS
from auditor.load.ignore import MAX_BYTES, MAX_PATTERNS
from auditor.load.language import STOPWORDS
from auditor.load.records import MAX_JSON
from auditor.model import Document
from auditor.places import in_words

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
FILES = ROOT / "tests" / "load" / "files"
CORPUS = ROOT / "sample_corpus"

READ = (
    FILES / "backup_policy.docx",
    FILES / "backup_policy.odt",
    FILES / "handbook_groff.pdf",
    FILES / "handbook.odp",
    FILES / "handbook.epub",
    FILES / "notebook-4.ipynb",
    FILES / "outlook.msg",
    FILES / "prices.xls",
    FILES / "wiki_policy.adoc",
    CORPUS / "hr" / "meeting-rooms.csv",
    CORPUS / "faq" / "help-centre-export.jsonl",
    CORPUS / "partners" / "enterprise-welcome-pack.zip",
)
"""Files with all kinds of places among them, but for endnotes."""


def section(heading: str) -> str:
    """From a heading to the next one."""
    return TEXT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def rows(text: str) -> list[list[str]]:
    """The cells of the rows of all tables, without headers."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return [row for row in cells if row[0] not in ("format", "id", "locator", "", "extensions")]


def listed(cell: str) -> set[str]:
    """The extensions that a cell names; of `.tar.gz` the last part counts."""
    return {name.rpartition(".")[2] for name in re.findall(r"`(?:[\w.]*)?\.(\w+)`", cell)}


FORMATS = rows(TEXT.partition("\n## ")[0])
LOCATORS = [[cell.strip("`") for cell in row] for row in rows(section("Locators"))]
NAMES = {locator.partition("=")[0] for locator, _, _ in LOCATORS}


def test_the_table_has_a_cell_for_every_question() -> None:
    assert len(FORMATS) > 25
    assert {len(row) for row in FORMATS} == {7}


@pytest.mark.parametrize(
    ("reader", "endings"), [*LOADERS, *CONTAINERS], ids=lambda value: value.rpartition(":")[2].replace(" ", "-")
)
def test_every_ending_that_is_read_stands_in_the_table(reader: str, endings: str) -> None:
    named = set().union(*(listed(row[1]) for row in FORMATS))
    inner = {"confluence-xml"}  # an ending that no file has: what `kinds` calls an archive
    assert set(endings.split()) - {"-"} - inner <= named, reader
    assert all(f".{ending}`" in TEXT for ending in inner)


def test_the_table_promises_no_more_than_is_read() -> None:
    """Templates and macro files go by their content; all other endings stand in the tables of the code."""
    known = {ending for _, endings in (*LOADERS, *CONTAINERS) for ending in endings.split()}
    by_content = {"docm", "dotx", "dotm", "ott", "xlsm", "xltx", "xltm", "ots", "pptm", "ppsx", "potx"}
    assert set().union(*(listed(row[1]) for row in FORMATS)) <= known | by_content


@pytest.mark.parametrize("table", [kinds.UNREAD, kinds.POINTERS], ids=["unread", "pointers"])
def test_every_format_that_is_not_read_stands_there_with_its_reason(table: dict[str, str]) -> None:
    found = {ending: row[1] for row in rows(section("What is skipped, and how it is reported")) for ending in listed(row[0])}
    assert set(found) == {*kinds.UNREAD, *kinds.POINTERS}
    for ending in table:
        assert kinds.unread(ending).startswith(found[ending]), ending


def places(path: Path) -> set[str]:
    """Locators of a file; "line" where lines tell the place."""
    found: set[str] = set()
    for outcome in read_file(path.name, path, Reading(LoadConfig())):
        assert isinstance(outcome, Document), outcome
        found |= {place for _, place in outcome.places} or ({"line=1"} if outcome.line_map else set())
    return found


def shape(locator: str) -> str:
    """A locator with the same number, cell and sheet as all others of its kind."""
    name, _, where = locator.partition("=")
    if name == "sheet":
        where = re.sub(r"(?:'[^']*'|[^!]*)(?:(!)[A-Z]+\d+)?", r"Sheet\1", where, count=1)
    return f"{name}={re.sub(r'[0-9]+', '1', where)}"


def test_the_locators_are_those_of_documents(tmp_path: Path) -> None:
    note = tmp_path / "note.rtf"
    note.write_text(r"{\rtf1\ansi Logs are kept for 30 days{\footnote\ftnalt Backups for 90.}.\par}", encoding="ascii")
    found = set().union(*map(places, (*READ, note)))
    assert {place.partition("=")[0] for place in found} == NAMES
    assert {shape(locator.partition("-")[0]) for locator, _, _ in LOCATORS} == set(map(shape, found))


def test_no_locator_of_the_code_is_missing() -> None:
    written = {
        name
        for path in (ROOT / "auditor" / "load").glob("*.py")
        for name in re.findall(r"""[("' ]f["']([a-z]+)=\{""", path.read_text(encoding="utf-8"))
    }
    assert {"page", "sheet", "slide", "cell", "chapter", "paragraph"} <= written <= NAMES


@pytest.mark.parametrize(("locator", "words"), [row[:2] for row in LOCATORS])
def test_the_report_says_it_like_that(locator: str, words: str) -> None:
    line = re.search(r", line (\d+)$", words)
    assert in_words(locator, int(line[1]) if line else None) == words


def test_the_limits_are_those_of_the_code() -> None:
    cells = {row[0]: row[1:] for row in rows(section("Limits"))}
    limits, load = Limits(), LoadConfig()
    mebibytes = 1 << 20
    assert cells["size of one document"] == [f"{limits.megabytes:g} MiB", "`[limits] megabytes`"]
    assert cells["time for one document"] == [f"{limits.seconds:g} s", "`[limits] seconds`"]
    assert cells["memory for one document, on Linux"][0] == f"{limits.memory_megabytes} MiB"
    assert (
        cells["a file of several documents, and all that is unpacked from it"][0] == f"{load.max_container_bytes // mebibytes} MiB"
    )
    assert cells["documents in such a file"][0] == f"{load.max_members:,}"
    assert cells["archives in one another"][0] == str(load.max_depth)
    assert cells["a JSON file (not JSON lines)"][0].startswith(f"{MAX_JSON // mebibytes} MiB, ")
    assert cells["an `.auditignore` file"][0].startswith(f"{MAX_BYTES // mebibytes} MiB; {MAX_PATTERNS:,} patterns")


def test_folders_that_are_never_looked_at_are_named() -> None:
    named = set(re.findall(r"`(\.?\w[\w-]*)`", section("What is skipped, and how it is reported")))
    assert named >= SKIPPED_FOLDERS


def test_the_languages_are_named() -> None:
    text = section("Languages")
    by_words = text.partition("frequent words: ")[2].partition(";")[0]
    assert len(by_words.split(",")) == len(STOPWORDS)
