"""The whole way round: scan, decide, edit, scan again, with the command line and real documents."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from auditor.cli import app
from auditor.model import Conflict
from auditor.review.decisions import Choice, read_decisions
from auditor.run_reader import read_result

TEXTS = {
    "policies/returns.md": "# Returns policy\n\nGoods may be returned within 30 days of delivery.\n",
    "faq/returns.md": "# Returns FAQ\n\nReturn goods within 14 days of delivery.\n",
    "api/limits.md": "# API limits\n\nEach API key may send 100 requests per minute.\n",
    "api/guide.md": "# API guide\n\nEach API key may send 500 requests per minute.\n",
    "ops/backup.md": "# Backup plan\n\nBackups of the database are kept for 90 days.\n",
    "ops/runbook.md": "# Backup runbook\n\nBackups of the database are kept for 30 days.\n",
}
STAMP = ("status", "reviewer", "reviewer_decision", "condition", "decided_at")


def audit(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def one_line(done: Result) -> str:
    assert done.exit_code == 2, done.output
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


class Desk:
    """A corpus, and the commands about it, one scan a day."""

    def __init__(self, folder: Path) -> None:
        self.corpus, self.out, self.baseline = folder / "handbook", folder / "out", folder / "audit-baseline.json"
        self.file = self.corpus / "audit-decisions.toml"
        self._folder, self._day = folder, 0
        for name, text in TEXTS.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        path = self.corpus / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def scan(self, *options: str | Path) -> Result:
        self._day += 1
        return audit("scan", self.corpus, "--out", self.out, "--as-of", f"2026-01-{self._day:02}", *options)

    @property
    def conflicts(self) -> dict[frozenset[str], Conflict]:
        """Findings by their documents; the test corpus has one for each pair."""
        found = read_result(self.out).conflicts
        by_documents = {frozenset((c.a.doc, c.b.doc)): c for c in found}
        assert len(by_documents) == len(found)
        return by_documents

    def between(self, *docs: str) -> Conflict:
        return self.conflicts[frozenset(docs)]

    def decide_all(self, **choices: str) -> Result:
        """Decide every finding as the report exports it: accept side b, or what is given for its conflict id."""
        entries = [
            {
                "conflict_id": c.conflict_id,
                "content_hash": c.content_hash,
                "choice": choices.get(c.conflict_id, "accept_b"),
                "condition": None,
                "reason": "checked",
                "reviewer": "j.doe",
                "decided_at": "2026-01-05T10:11:12.345Z",
            }
            for c in self.conflicts.values()
        ]
        export = self._folder / "decisions.json"
        export.write_text(json.dumps({"schema": 1, "corpus": "handbook", "decisions": entries}), encoding="utf-8")
        return audit("review", "apply", export, "--run", self.out)


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the corpus was scanned once."""
    folder = tmp_path_factory.mktemp("desk")
    desk = Desk(folder)
    done = desk.scan()
    assert done.exit_code == 0, done.output
    assert len(desk.conflicts) == 3
    return folder


@pytest.fixture
def desk(scanned: Path, tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    shutil.copytree(scanned / "out", tmp_path / "out")
    desk._day = 1
    return desk


def unstamped(conflict: Conflict) -> Conflict:
    nothing: dict[str, Any] = dict.fromkeys(STAMP[1:])
    return replace(conflict, status="escalated", **nothing)


def test_exactly_the_affected_decision_reopens_and_nothing_else_changes(desk: Desk) -> None:
    before = desk.conflicts
    false_alarm = desk.between("ops/backup.md", "ops/runbook.md").conflict_id
    done = desk.decide_all(**{false_alarm: "not_a_contradiction"})
    assert done.stdout == f"{desk.file}: 3 new\n", done.output
    assert desk.scan("--fail-on", "medium").exit_code == 0  # all is settled
    decided = desk.conflicts
    assert sorted(c.status for c in decided.values()) == ["decided", "decided", "dismissed"]
    assert {docs: unstamped(c) for docs, c in decided.items()} == before
    assert {c.decided_at for c in decided.values()} == {"2026-01-05T10:11:12Z"}

    desk.write("faq/returns.md", TEXTS["faq/returns.md"].replace("14 days", "21 days"))
    kept = desk.file.read_bytes()
    done = desk.scan("--fail-on", "medium")
    assert done.exit_code == 1
    assert "2 of 3 carried · 1 reopened" in done.stdout
    now = desk.conflicts
    affected = frozenset(("faq/returns.md", "policies/returns.md"))
    assert {docs for docs, c in now.items() if c.status == "reopened"} == {affected}
    assert now[affected].conflict_id == decided[affected].conflict_id
    assert (now[affected].reviewer, now[affected].reviewer_decision) == ("j.doe", "accept_b")
    assert {docs: c for docs, c in now.items() if docs != affected} == {d: c for d, c in decided.items() if d != affected}
    assert desk.file.read_bytes() == kept  # a scan never writes to the corpus


def test_decisions_survive_what_does_not_change_what_is_said(desk: Desk) -> None:
    desk.decide_all()
    sides = {frozenset((c.a.value, c.b.value)): c.b.value for c in desk.conflicts.values()}  # the accepted value
    # Moved lines and reformatting, a renamed heading, a renamed file that changes sides.
    desk.write("faq/returns.md", "# Returns FAQ\n\n" + "Ask us.\n\n" * 3 + "Return goods\nwithin **14 days** of delivery.\n")
    desk.write("api/guide.md", TEXTS["api/guide.md"].replace("# API guide", "# Guide to the API"))
    (desk.corpus / "ops/backup.md").rename(desk.corpus / "ops/zz-backup.md")
    done = desk.scan()
    assert "3 of 3 carried\n" in done.stdout, done.output
    for conflict in desk.conflicts.values():
        assert conflict.status == "decided"
        accepted = conflict.b if conflict.reviewer_decision == "accept_b" else conflict.a
        assert accepted.value == sides[frozenset((conflict.a.value, conflict.b.value))]
    assert desk.between("ops/runbook.md", "ops/zz-backup.md").reviewer_decision == "accept_a"


def test_a_decision_without_a_finding_is_listed_and_kept(desk: Desk) -> None:
    desk.decide_all()
    (desk.corpus / "ops/runbook.md").unlink()
    done = desk.scan()
    assert "1 without a finding (orphans)" in done.stdout
    assert "ops/runbook.md is not in the corpus any more" in done.stdout
    (orphan,) = json.loads((desk.out / "run.json").read_text(encoding="utf-8"))["review"]["orphans"]
    assert orphan["doc_b"] == "ops/runbook.md"
    assert read_result(desk.out).review.orphans[0].conflict_id == orphan["conflict_id"]
    assert len(read_decisions(desk.file)) == 3


def test_an_expired_decision_reopens_on_its_day(desk: Desk) -> None:
    desk.decide_all()
    conflict = desk.between("api/guide.md", "api/limits.md")
    done = audit("review", "expire", conflict.conflict_id[:6], "--on", "2026-01-03", "--run", desk.out)
    assert done.exit_code == 0, done.output
    for status in ("decided", "reopened"):  # on the second and the third
        desk.scan()
        assert desk.between("api/guide.md", "api/limits.md").status == status


def test_add_and_list(desk: Desk) -> None:
    conflict = desk.between("api/guide.md", "api/limits.md")
    start = conflict.conflict_id[:6]
    about = ["--run", desk.out, "--reviewer", "m.roe"]
    add = ["review", "add", start, *about]
    assert "needs --condition" in one_line(audit(*add, "--choice", "both_with_condition"))
    assert "needs --reason" in one_line(audit(*add, "--choice", "not_a_contradiction"))
    assert "no finding has an id" in one_line(audit("review", "add", "zzz", *about, "--choice", "neither"))
    assert audit(*add, "--choice", "maybe").exit_code == 2
    assert not desk.file.exists()
    assert "no such file; record a decision" in one_line(audit("review", "list", "--run", desk.out))
    made = audit(*add, "--choice", "neither", "--decided-at", "2026-01-09", "--expires", "2026-06-01")
    assert made.stdout == f"{desk.file}: 1 new\n", made.output
    (one,) = read_decisions(desk.file)
    assert (one.choice, one.reviewer, str(one.first_seen), str(one.expires)) == (
        Choice.NEITHER,
        "m.roe",
        "2026-01-01",
        "2026-06-01",
    )
    listed = audit("review", "list", "--run", desk.out, "--as-of", "2026-06-01").stdout
    assert all(said in listed for said in (start, "neither", "m.roe", "api/guide.md ↔", "api/limits.md", "expired 2026-06-01"))
    stats = audit("review", "list", "--run", desk.out, "--stats").stdout.split()
    assert stats[-8:] == ["numeric", "1", "8", "8", "all", "1", "8", "8"]
    assert "no decision has an id" in one_line(audit("review", "expire", "zzz", "--file", desk.file))


def test_an_export_of_another_time_is_not_taken_blindly(desk: Desk) -> None:
    desk.decide_all()
    desk.file.unlink()
    export = desk.file.parent.parent / "decisions.json"
    desk.write("faq/returns.md", TEXTS["faq/returns.md"].replace("14 days", "21 days"))
    desk.scan()
    done = audit("review", "apply", export, "--run", desk.out)
    assert (done.exit_code, done.stdout) == (0, f"{desk.file}: 2 new\n")
    assert done.stderr.startswith("warning: ")
    assert "not taken: what the finding says changed since it was decided" in done.stderr
    content = json.loads(export.read_text(encoding="utf-8"))
    export.write_text(json.dumps({**content, "corpus": "another"}), encoding="utf-8")
    assert "is about “another”, the run in" in one_line(audit("review", "apply", export, "--run", desk.out))
    content["decisions"] = [{**entry, "conflict_id": "x" * 16} for entry in content["decisions"][:1]]
    export.write_text(json.dumps(content), encoding="utf-8")
    assert "no decision was taken: xxxxxxxx: the run has no such finding" in one_line(
        audit("review", "apply", export, "--run", desk.out)
    )


def test_a_wrong_decisions_file_is_noticed_before_the_work(desk: Desk, tmp_path: Path) -> None:
    desk.file.write_text("version = 1\n[[decision]]\nconflict_id = 3\n", encoding="utf-8")
    assert "audit-decisions.toml: decision 1: " in one_line(desk.scan())
    assert "none.toml: no such file" in one_line(desk.scan("--decisions", tmp_path / "none.toml"))


def test_only_what_is_new_fails_a_build(desk: Desk) -> None:
    assert audit("baseline", "write", desk.out, "--file", desk.baseline).exit_code == 0
    against = ("--baseline", desk.baseline, "--fail-on", "new")
    done = desk.scan(*against)
    assert (done.exit_code, "0 new · 3 persisting\n" in done.stdout) == (0, True), done.output

    desk.write("ops/onboarding.md", "# Onboarding\n\nBackups of the database are kept for 7 days.\n")
    done = desk.scan(*against)
    assert done.exit_code == 1
    states = read_result(desk.out).baseline
    assert states is not None
    new = {docs for docs, c in desk.conflicts.items() if states.states[c.conflict_id] == "new"}
    assert new
    assert all("ops/onboarding.md" in docs for docs in new)
    high = any(c.tier == "high" for docs, c in desk.conflicts.items() if docs in new)
    assert desk.scan("--baseline", desk.baseline, "--fail-on", "new:high").exit_code == int(high)
    assert "0 new" in audit("diff", desk.out, desk.out).stdout

    desk.decide_all()  # what is decided does not count
    assert desk.scan(*against).exit_code == 0


def test_gone_is_removed_unreadable_is_unknown_and_only_the_rest_is_resolved(desk: Desk) -> None:
    audit("baseline", "write", desk.out, "--file", desk.baseline)
    shutil.copytree(desk.out, desk.out.parent / "first")
    (desk.corpus / "faq/returns.md").unlink()
    (desk.corpus / "api/guide.md").write_bytes(b"\x00\x01\x02" * 400)
    desk.write("ops/runbook.md", TEXTS["ops/runbook.md"].replace("30 days", "90 days"))
    done = desk.scan("--baseline", desk.baseline)
    assert "0 new · 0 persisting · 1 resolved · 1 removed · 1 unknown\n" in done.stdout, done.output
    for old in (desk.baseline, desk.out.parent / "first"):
        counts = json.loads(audit("diff", old, desk.out, "--json").stdout)["counts"]
        assert counts == {"new": 0, "persisting": 0, "reopened": 0, "resolved": 1, "removed": 1, "unknown": 1}
    shown = audit("diff", desk.baseline, desk.out, "--no-color").stdout
    assert "faq/returns.md is not in the corpus any more" in shown
    assert "api/guide.md could not be read" in shown


def test_a_key_that_keeps_escalating_is_named(desk: Desk) -> None:
    audit("baseline", "write", desk.out, "--file", desk.baseline)
    assert "escalated in" not in desk.scan("--baseline", desk.baseline).stdout
    for _ in range(2):  # the second time the run is known
        assert "after 2 runs" in audit("baseline", "update", desk.out, "--file", desk.baseline).stdout
    done = desk.scan("--baseline", desk.baseline)
    assert "escalated in 3 runs: say in audit.toml which source has authority" in done.stdout
    assert "escalated in 3 runs" in audit("diff", desk.baseline, desk.out).stdout


def test_a_baseline_is_not_overwritten_by_mistake(desk: Desk, tmp_path: Path) -> None:
    write = ("baseline", "write", desk.out, "--file", desk.baseline)
    assert "begin with `audit baseline write`" in one_line(audit("baseline", "update", desk.out, "--file", desk.baseline))
    assert audit(*write).exit_code == 0
    assert "--force begins anew" in one_line(audit(*write))
    assert audit(*write, "--force").exit_code == 0
    assert "no such folder" in one_line(audit("baseline", "write", tmp_path / "none", "--file", tmp_path / "b"))
    assert "no such run folder or baseline file" in one_line(audit("diff", tmp_path / "none", desk.out))
    text = desk.baseline.read_text(encoding="utf-8")
    desk.baseline.write_text(text.replace('_baseline": 1', '_baseline": 7'), encoding="utf-8")
    refused = "is a baseline of version 7, this program reads 1"
    assert refused in one_line(audit("diff", desk.baseline, desk.out))
    assert refused in one_line(desk.scan("--baseline", desk.baseline))
    desk.baseline.write_text(text.replace('"handbook"', '"another"'), encoding="utf-8")
    assert "is about “another”, the run about “handbook”" in one_line(
        audit("baseline", "update", desk.out, "--file", desk.baseline)
    )
