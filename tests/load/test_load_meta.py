from __future__ import annotations

from datetime import date

import pytest
from load_helpers import document

from auditor.load import LoadConfig, dates, history, language, load_bytes, meta
from auditor.model import Parsed, StatedDate

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
        ("do os do os do os do os", "und"),
        ("", "und"),
        ("CPU 4 GB 1.5\nRAM 8 GB 2.5", "und"),
        ("Die Frist: 30 Tage.", "und"),
        ("Žádost se podává do 30 dnů a je nutné, že ji podepíše osoba, která má oprávnění podle zákona pro tuto oblast.", "cs"),
        ("Wniosek składa się przez portal, który jest dostępny dla każdego, oraz nie może być złożony po terminie.", "pl"),
        ("Ansökan ska skickas till kommunen och den får inte vara äldre än en månad, eller så kan den avvisas.", "sv"),
        ("Ansøgningen skal sendes til kommunen, og den må ikke være ældre end en måned, hvis den skal behandles af os.", "da"),
        ("Søknaden skal sendes til kommunen, og den kan ikke være eldre enn en måned hvis den skal behandles av oss.", "no"),
        ("Hakemus on lähetettävä ja se ei voi olla vanhempi kuin kuukausi, mutta sen voi myös tuoda, jos ei ole kiire.", "fi"),
        ("A kérelmet be kell nyújtani, és az nem lehet régebbi egy hónapnál, mert az csak így vagy úgy fogadható el.", "hu"),
        (
            "Cererea se depune la primărie și nu poate fi mai veche de o lună, dacă este trimisă prin poștă sau din străinătate.",
            "ro",
        ),
        ("Başvuru belediyeye yapılır ve bir aydan daha eski olamaz; bu belge için ücret alınır, ancak kadar gibi değil.", "tr"),
        ("Заявление подаётся в управу, и оно не может быть старше одного месяца.", "ru"),
        ("Заява подається до управи, і вона не може бути старшою за один місяць.", "uk"),
        ("Η αίτηση υποβάλλεται στον δήμο.", "el"),
        ("يجب تقديم الطلب إلى البلدية خلال ثلاثين يوما.", "ar"),
        ("این گزارش باید پس از سی روز ثبت شود و چاپ گردد.", "fa"),
        ("יש להגיש את הבקשה לעירייה בתוך שלושים יום.", "he"),
        ("申请应在30天内提交给市政府，逾期不予受理。The API returns JSON.", "zh"),
        ("申請は30日以内に市役所へ提出してください。", "ja"),
        ("신청서는 30일 이내에 시청에 제출해야 합니다.", "ko"),
        ("Our office in Αθήνα is open for you, and the staff of the office will help you with that.", "en"),
    ],
)
def test_language(text: str, code: str) -> None:
    assert language.detect(text) == code
    assert language.has_rules(code) == (code in {"en", "und"})


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("---\nvalid_until: 2025-06-30\n---\nx", (date(2025, 6, 30), "front matter")),
        ("---\nexpires: 30 June 2025\n---\nValid until 2020-01-01", (date(2025, 6, 30), "front matter")),
        ("# T\n\nValid until: 30 June 2025\n", (date(2025, 6, 30), "visible line")),
        ("# T\n\n**Expiry date:** 2025-06-30\n", (date(2025, 6, 30), "visible line")),
        ("# T\n\nThis policy expires on 30 June 2025.\n", (date(2025, 6, 30), "visible line")),
        ("# T\n\nEffective 1 July 2024 to 30 June 2025\n", (date(2025, 6, 30), "visible line")),
        ("# T\n\nValid from 2024-07-01 until 2025-06-30.\n", (date(2025, 6, 30), "visible line")),
        ("# T\n\nNext review: 30 June 2025\n", None),
        ("# T\n\nReview by 30 June 2025\n", None),
        ("# T\n\nVouchers are valid until 30 June 2025.\n", None),
        ("# T\n\nThe offer expires on 30 June 2025.\n", None),
    ],
)
def test_until_when_a_document_holds(source: str, expected: tuple[date, str] | None) -> None:
    stated = document(source).effective_to
    assert (stated and (stated.value, stated.source)) == expected


@pytest.mark.parametrize(
    ("source", "published", "modified"),
    [
        ("---\ndate: 2020-01-01\nupdated: 2024-05-01\n---\nx", date(2024, 5, 1), date(2024, 5, 1)),
        ("---\ndate: 2020-01-01\nlast_reviewed: 2024-05-01\n---\nx", date(2024, 5, 1), None),
        ("Last updated: 2024-05-01\n\nPublished 2020-01-01", date(2024, 5, 1), date(2024, 5, 1)),
        ("Published 2020-01-01\n\nLast modified 2024-05-01", date(2020, 1, 1), date(2024, 5, 1)),
        ("Version 2.0 (March 2024)", date(2024, 3, 1), None),
    ],
)
def test_the_last_change_is_kept_apart(source: str, published: date, modified: date | None) -> None:
    doc = document(source)
    assert doc.published is not None
    assert doc.published.value == published
    assert (doc.modified.value if doc.modified else None) == modified


def test_of_office_files_the_visible_lines_come_first() -> None:
    lines = document("Owner: Legal\n\nLast updated: 2020-01-01\n").blocks
    fields = {"author": "Intern", "modified": "2024-05-01", "effective": "2023-01-01"}
    stated = meta.read(Parsed("", lines, (), fields=fields, format="docx"))
    assert (stated.owner, stated.owner_source) == ("Legal", "visible line")
    assert stated.published == stated.modified == StatedDate(date(2020, 1, 1), "visible line")
    assert stated.effective == StatedDate(date(2023, 1, 1), "document properties")
    alone = meta.read(Parsed("", (), (), fields=fields, format="docx"))
    assert (alone.owner, alone.owner_source) == ("Intern", "document properties")
    assert alone.modified == StatedDate(date(2024, 5, 1), "document properties")


def test_the_user_says_what_is_history() -> None:
    config = LoadConfig(history=("old-town/**", "*.txt"), not_history=("old-town/now.md", "releases/"))
    flags = {
        name: load_bytes(b"---\nstatus: archived\n---\nx" if name == "releases/2.md" else b"x", name, config=config).history
        for name in ("old-town/a.md", "old-town/now.md", "a.txt", "releases/1.md", "releases/2.md", "minutes/1.md", "a.md")
    }
    assert [name for name, flag in flags.items() if flag] == ["old-town/a.md", "a.txt", "minutes/1.md"]
