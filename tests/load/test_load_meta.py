from __future__ import annotations

from datetime import date

import pytest
from load_helpers import document

from auditor.load import dates, history, language

DATES = [
    ("2024-03-12", date(2024, 3, 12)),
    ("2024-03-12T10:00:00Z", date(2024, 3, 12)),
    ("2024/03/12 10:00:00 +0100", date(2024, 3, 12)),
    ("12 March 2024", date(2024, 3, 12)),
    ("12th of Mar. 2024", date(2024, 3, 12)),
    ("March 12, 2024", date(2024, 3, 12)),
    ("Sept 3rd 2024", date(2024, 9, 3)),
    ("March 2024", date(2024, 3, 1)),
    ("2024-03", date(2024, 3, 1)),
    ("03/04/2024", None),
    ("25/04/2024", date(2024, 4, 25)),
    ("04/25/2024", date(2024, 4, 25)),
    ("2024-13-45", None),
    ("30 February 2024", None),
    ("version 2024", None),
    ("1.2.2024.5", None),
    ("12. März 2024", date(2024, 3, 12)),
    ("3 de mayo de 2024", date(2024, 5, 3)),
]


@pytest.mark.parametrize(("text", "expected"), DATES)
def test_dates(text: str, expected: date | None) -> None:
    assert dates.parse(text) == expected


LINES = [
    ("Last updated: 12 March 2024", "published", date(2024, 3, 12)),
    ("*Last reviewed on 2024-03-12*", "published", date(2024, 3, 12)),
    ("Published March 3, 2024 by Ann", "published", date(2024, 3, 3)),
    ("Version 2.0 (March 2024)", "published", date(2024, 3, 1)),
    ("Prices as of 1 June 2023.", "published", date(2023, 6, 1)),
    ("Date: 2024-03-12", "published", date(2024, 3, 12)),
    ("March 12, 2024", "published", date(2024, 3, 12)),
    ("Effective 1 June 2023", "effective", date(2023, 6, 1)),
    ("**Effective date:** June 1, 2023", "effective", date(2023, 6, 1)),
    ("In force since 2023-06-01", "effective", date(2023, 6, 1)),
    ("Last updated: 03/04/2024", "published", None),
    ("We launched on 12 March 2024.", "published", None),
    ("The updated policy of the year before covers events that end by 12 March 2024.", "published", None),
]


@pytest.mark.parametrize(("line", "which", "expected"), LINES)
def test_visible_lines(line: str, which: str, expected: date | None) -> None:
    doc = document(f"# Policy\n\n{line}\n\nText.\n")
    stated = getattr(doc, which)
    assert (stated.value if stated else None) == expected
    assert stated is None or stated.source == "visible line"


def test_lines_in_the_middle_of_a_long_document_do_not_count() -> None:
    filler = "Some text.\n\n" * 30
    assert document(f"{filler}Last updated: 2024-03-12\n\n{filler}").published is None
    assert document(f"{filler}Last updated: 2024-03-12\n").published is not None


def test_front_matter_beats_visible_lines() -> None:
    doc = document(
        "---\nlast_updated: 2024-05-01\nvalid_from: 2024-06-01\nowner: ops@example.org\n---\n\nLast updated: 2020-01-01\n"
    )
    assert doc.published is not None
    assert doc.effective is not None
    assert (doc.published.value, doc.published.source) == (date(2024, 5, 1), "front matter")
    assert (doc.effective.value, doc.effective.source) == (date(2024, 6, 1), "front matter")
    assert doc.owner == "ops@example.org"


@pytest.mark.parametrize(
    ("source", "owner"),
    [
        ("Owner: People team", "People team"),
        ("| Owner | Legal |\n|--|--|\n| Approver | Bob |", None),
        ("| Field | Value |\n|--|--|\n| Owner | Legal |", "Legal"),
        ("Maintained by the platform team.", "the platform team"),
        ("The table is owned by a user who can create tables", None),
        ("Owner: TBD", None),
    ],
)
def test_owner(source: str, owner: str | None) -> None:
    assert document(source).owner == owner


@pytest.mark.parametrize(
    ("source", "status"),
    [
        ("---\nstatus: Deprecated\n---\nx", "deprecated"),
        ("---\nstatus: current\n---\nx", None),
        ("---\nsuperseded_by: b.md\n---\nx", "superseded"),
        ("---\ndraft: true\n---\nx", "draft"),
        ("# T\n\nThis document is superseded by B.", "superseded"),
        ("# T\n\n> **Warning:** This page has been archived.", "archived"),
        ("# T\n\n**DEPRECATED**: use B.", "deprecated"),
        ("# T\n\nThis project is no longer maintained.", "obsolete"),
        ("# T\n\nDeprecated functions are listed below.", None),
        ("# T\n\nThis page is maintained by Ann.", None),
    ],
)
def test_status(source: str, status: str | None) -> None:
    doc = document(source)
    stated = doc.fields.get("status")
    assert (stated if status else None) == status
    assert doc.history == (status in {"superseded", "archived", "obsolete"})


@pytest.mark.parametrize(
    ("path", "title", "expected"),
    [
        ("CHANGELOG.md", "", True),
        ("docs/HISTORY-2.0.rst", "", True),
        ("RELEASE_NOTES.md", "", True),
        ("docs/release-notes/1.2.md", "", True),
        ("News.txt", "", True),
        ("minutes/2024-01.md", "", True),
        ("a/archive/x.md", "", True),
        ("_posts/2020-01-01-x.md", "", True),
        ("versioned_docs/version-1.0/a.md", "", True),
        ("a.md", "Changelog", True),
        ("a.md", "Minutes of the board meeting", True),
        ("a.md", "Release notes – 2.4", True),
        ("release-process.md", "How we release", False),
        ("newsletter.md", "", False),
        ("docs/old-town.md", "", False),
        ("a.md", "What changes for you", False),
        ("exchange-log.md", "", False),
        ("changes-in-law.md", "", False),
    ],
)
def test_history(path: str, title: str, expected: bool) -> None:
    assert history.is_history(path, title, None, "secondary") == expected


def test_version_folders_with_a_newer_sibling_are_history() -> None:
    old = history.superseded_folders(
        ["docs/v1/a.md", "docs/v2/a.md", "docs/v10/a.md", "api/v1/b.md", "docs/2024/x.md", "x/1.x/a.md", "x/2.x/a.md"]
    )
    assert old == {"docs/v1", "docs/v2", "x/1.x"}
    assert history.is_history("docs/v1/a.md", "", None, "secondary", old)
    assert not history.is_history("api/v1/b.md", "", None, "secondary", old)
    assert history.is_history("a.md", "", None, "archive")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The cat and the dog are in the house, and this is not for you to say.", "en"),
        ("Der Hund und die Katze sind nicht in dem Haus, und das ist für sie ein Problem.", "de"),
        ("Le chat et les chiens sont dans la maison, et ce n'est pas pour vous que nous avons une clef.", "fr"),
        ("El perro y los gatos están en la casa, pero no es para usted que se puede abrir con las llaves del señor.", "es"),
        ("do os do os do os do os", "en"),
        ("", "en"),
    ],
)
def test_language(text: str, code: str) -> None:
    assert language.detect(text) == code
