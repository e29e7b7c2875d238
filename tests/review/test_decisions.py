from __future__ import annotations

import os
import random
import stat
import tomllib
from datetime import date
from pathlib import Path

import pytest

from auditor.errors import UserError
from auditor.review.decisions import Choice, Decision, moment, read_decisions, to_toml, write_decisions
from tests.review.review_factories import decision, found

NASTY = 'a "quoted"\\ \r\n\ttab\x00\x1b[31m\x7f \u202eevil\u2066 \u2028 \ufeff 💥 [[decision]]\n# no comment'


def made() -> list[Decision]:
    return [
        decision(found("policy.md", f"faq{n}.md"), Choice.BOTH_WITH_CONDITION, condition=f"case {n}", expires=date(2027, 1, n + 1))
        for n in range(5)
    ]


def test_what_is_written_is_read_and_the_order_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "audit-decisions.toml"
    decisions = made()
    write_decisions(path, decisions)
    first = path.read_bytes()
    assert read_decisions(path) == tuple(decisions)
    random.Random(3).shuffle(decisions)
    write_decisions(path, decisions)
    assert path.read_bytes() == first
    assert [p.name for p in tmp_path.iterdir()] == [path.name]  # nothing half-written


def test_one_decision_more_is_one_block_more() -> None:
    few, more = to_toml(made()[1:]).split("\n\n"), to_toml(made()).split("\n\n")
    assert len(more) == len(few) + 1
    assert set(few) < set(more)


def test_hostile_text_survives_and_stays_on_its_line(tmp_path: Path) -> None:
    path = tmp_path / "d.toml"
    one = decision(found("a.md", "b.md"), reason=NASTY, reviewer=NASTY)
    write_decisions(path, [one])
    assert read_decisions(path) == (one,)
    text = path.read_text(encoding="utf-8")
    assert not set("\x00\x1b\x7f\u202e\u2066\u2028\ufeff\r\t") & set(text)
    assert text.count("\n[[decision]]") == 1


def test_a_new_file_gets_the_usual_permissions_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    path, plain = tmp_path / "d.toml", tmp_path / "plain"
    plain.touch()
    write_decisions(path, made())
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    path.chmod(0o640)
    link = tmp_path / "link.toml"
    os.symlink(path, link)
    write_decisions(link, [])
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert link.is_symlink()
    assert read_decisions(path) == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("version = 1", "version = 2"), "version 2 is not known, this program reads 1"),
        (("version = 1", ""), "version None is not known"),
        (("version = 1", "version = 1\nextra = 1"), "extra: unknown key"),
        (('choice = "accept_a"', 'choice = "accept"'), "choice: “accept” is not one of accept_a, accept_b, both_with_condition"),
        (('choice = "accept_a"', 'choice = "both_with_condition"'), "both_with_condition needs a condition"),
        (('choice = "accept_a"', 'chioce = "accept_a"'), "chioce: unknown key; known are conflict_id"),
        (('reviewer = "j.doe"', ""), "reviewer: is missing"),
        (('reviewer = "j.doe"', 'reviewer = ""'), "reviewer: is empty"),
        (("decided_at = 2026-01-05", 'decided_at = "soon"'), "decided_at: “soon” is not a date"),
        (("first_seen = 2026-01-01", "first_seen = true"), "first_seen: "),
        (("[[decision]]", "[decision]"), "has to be written as [[decision]]"),
        (("[[decision]]", "<<<<<<< HEAD\n[[decision]]"), "marks of a merge that was not finished"),
        (("[[decision]]", "[[decision"), "not valid TOML"),
    ],
)
def test_whatever_is_wrong_is_one_line_that_names_it(change: tuple[str, str], said: str, tmp_path: Path) -> None:
    path = tmp_path / "d.toml"
    text = to_toml([decision(found("a.md", "b.md"))])
    assert change[0] in text
    path.write_text(text.replace(*change), encoding="utf-8")
    with pytest.raises(UserError) as caught:
        read_decisions(path)
    assert said in str(caught.value)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_two_decisions_on_one_finding_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "d.toml"
    text = to_toml([decision(found("a.md", "b.md"))])
    path.write_text(text + text[text.index("\n[[decision]]") :], encoding="utf-8")
    with pytest.raises(UserError, match=r"decision 2: there are two for conflict_id"):
        read_decisions(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        read_decisions(tmp_path / "none.toml")
    with pytest.raises(UserError, match="is a folder"):
        read_decisions(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b"version = 1 # \xe9")
    with pytest.raises(UserError, match="not UTF-8"):
        read_decisions(tmp_path / "latin.toml")
    with pytest.raises(UserError, match="cannot write"):
        write_decisions(tmp_path / "nowhere" / "d.toml", [])


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("2026-01-05", "2026-01-05"),
        ("2026-01-05T10:11:12.345Z", "2026-01-05T10:11:12Z"),
        ("2026-01-05T10:11:12+02:00", "2026-01-05T08:11:12Z"),
        (tomllib.loads("x = 2026-01-05 10:11:12Z")["x"], "2026-01-05T10:11:12Z"),
        (date(2026, 1, 5), "2026-01-05"),
    ],
)
def test_times_are_kept_in_one_form(given: object, kept: str) -> None:
    assert moment(given) == kept
    assert moment(kept) == kept


def test_days_to_a_decision_are_unknown_where_the_dates_contradict_each_other() -> None:
    conflict = found("a.md", "b.md")
    assert decision(conflict, decided_at="2026-01-05T23:00:00Z").days == 4
    assert decision(conflict, decided_at="2025-12-31").days is None


def test_a_decision_ends_on_the_day_it_names() -> None:
    one = decision(found("a.md", "b.md"), expires=date(2026, 7, 1))
    assert not one.expired(date(2026, 6, 30))
    assert one.expired(date(2026, 7, 1))
