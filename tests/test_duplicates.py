"""Copies: one root cause, found whatever their order, and nothing that is merely alike."""

from __future__ import annotations

from pathlib import Path

from auditor.config import load_config
from auditor.duplicates import Copies, Copy, groups
from auditor.scan import ScanOptions, run

TEXT = """# Leave policy

Employees are entitled to 28 days of paid leave a year.

Requests must be sent to the line manager two weeks ahead.

Up to 5 days may be carried over into the next year.

Sick leave is reported by 9 in the morning of the first day.

A medical certificate is required from the fourth day on.

Parental leave is granted for 12 months.

Unpaid leave needs the approval of the director.
"""
OTHER = "# Canteen\n\n" + "\n\n".join(f"Dish number {n} is served with {word}." for n, word in enumerate(["rice", "beans", "fish"]))


def scanned(folder: Path, files: dict[str, str]):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return run(ScanOptions(folder, load_config(folder, None)))


def test_a_stale_copy_is_one_cluster(tmp_path: Path) -> None:
    new = TEXT.replace("28 days", "30 days").replace("Up to 5 days", "Up to 10 days").replace("12 months", "14 months")
    audit = scanned(
        tmp_path, {"leave.md": f"---\nupdated: 2025-03-01\n---\n{new}", "share/leave-2023.md": TEXT, "canteen.md": OTHER}
    )
    (copy,) = audit.copies.values()
    assert (copy.exact, copy.newer) == (False, "leave.md")
    assert {copy.doc, copy.original} == {"leave.md", "share/leave-2023.md"}
    assert copy.share > 0.8
    main = [c for c in audit.result.conflicts if c.tier != "advisory"]
    assert len({(c.a.value, c.b.value) for c in main}) >= 2
    assert len({c.cluster_id for c in main}) == 1
    assert all(c.winner == ("a" if c.a.doc == "leave.md" else "b") for c in main)


def test_the_table_of_documents_names_copies_and_what_was_not_read(tmp_path: Path) -> None:
    stale = TEXT.replace("28 days", "30 days")
    pages = "---\nupdated: 2025-03-01\n---\n" + TEXT
    audit = scanned(tmp_path, {"a.md": pages, "b.md": stale, "c.md": stale, "canteen.md": OTHER})
    rows = {row.path: row for row in audit.result.documents}
    assert (rows["a.md"].copy_of, rows["a.md"].copy_share, rows["a.md"].copy_exact) == (None, None, None)
    assert (rows["b.md"].copy_of, rows["b.md"].copy_exact) == ("a.md", False)
    assert 0.8 <= (rows["b.md"].copy_share or 0) <= 1
    assert (rows["c.md"].copy_of, rows["c.md"].copy_share, rows["c.md"].copy_exact) == ("b.md", 1.0, True)
    assert rows["canteen.md"].copy_of is None
    assert (audit.result.counts["copies"], audit.result.counts["read_in_part"]) == (2, 0)


def test_groups_end_also_where_somebody_made_a_circle() -> None:
    copies = {a: Copy(a, b, 1.0, True, None) for a, b in (("a", "b"), ("b", "c"), ("c", "b"))}
    assert groups(copies).keys() == {"a", "b", "c"}


def test_an_exact_copy_is_not_compared_and_still_counted(tmp_path: Path) -> None:
    faq = "# Leave questions\n\nEmployees are entitled to 25 days of paid leave a year.\n"
    alone = scanned(tmp_path / "alone", {"leave.md": TEXT, "faq.md": faq, "canteen.md": OTHER})
    twice = scanned(tmp_path / "twice", {"leave.md": TEXT, "share/leave.md": TEXT, "faq.md": faq, "canteen.md": OTHER})
    assert twice.copies["share/leave.md"].exact
    assert [c.confidence for c in twice.result.conflicts] == [c.confidence for c in alone.result.conflicts]
    main = [c for c in twice.result.conflicts if c.tier != "advisory"]
    assert {doc for c in main for doc in (c.a.doc, c.b.doc)} == {"faq.md", "leave.md"}
    held = {row.value: row.documents for row in twice.result.clusters}
    assert ("leave.md", "share/leave.md") in held.values()


def test_a_page_of_another_thing_is_no_copy(tmp_path: Path) -> None:
    other = OTHER + "\n\n" + "\n\n".join(f"The {word} is closed on Mondays." for word in ("kitchen", "bar", "terrace", "shop"))
    audit = scanned(tmp_path, {"leave.md": TEXT, "canteen.md": other, "short.md": "# Leave policy\n\n" + TEXT.split("\n\n")[1]})
    assert audit.copies == {}


def test_history_is_no_copy_of_what_stands(tmp_path: Path) -> None:
    audit = scanned(tmp_path, {"leave.md": TEXT, "archive/leave.md": TEXT})
    assert audit.copies == {}


def test_the_order_of_documents_does_not_matter(tmp_path: Path) -> None:
    files = {f"{n}.md": TEXT.replace("28", str(28 + n // 2)) for n in range(5)}
    audit = scanned(tmp_path, files)
    forwards = Copies(audit.documents, audit.statements)
    backwards = Copies(audit.documents[::-1], audit.statements)
    assert forwards.copies == backwards.copies
    assert len(forwards.copies) == 4
    assert forwards.repeated() == backwards.repeated()
