"""Proposed edits: Git applies them, and whatever is doubtful is listed instead."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.errors import UserError
from auditor.format import write_all
from auditor.format.patch import PatchFormat, render_patch
from auditor.format.unified import file_diff
from auditor.load.discover import escaped
from auditor.model import Conflict, ScanResult, Side
from tests.factories import hostile_result, make_conflict, make_document, make_result, make_side

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

POLICY = "# Returns\n\nGoods go back within 30 days.\n"
FAQ = "# FAQ\n\nHow long?\n\nYou have 14 days for it.\nAsk us.\n"


def git(folder: Path, *arguments: str) -> str:
    """Git without the user's settings, and without any repository around the folder."""
    env = {
        "PATH": "/usr/bin:/bin:/usr/local/bin",
        "GIT_CONFIG_NOSYSTEM": "1",
        "HOME": str(folder),
        "GIT_CEILING_DIRECTORIES": str(folder.parent),
    }
    done = subprocess.run(["git", *arguments], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def side(corpus: Path, path: str, quote: str, value: str, **changes: Any) -> Side:
    """A side quoted from a file; its place is looked up there."""
    text = (corpus / path).read_bytes().decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    start = text.index(quote)
    return make_side(escaped(path), quote, value, char_start=start, char_end=start + len(quote), **changes)


def corpus_of(folder: Path, **files: str | bytes) -> Path:
    corpus = folder / "corpus"
    for name, content in files.items():
        path = corpus / name.replace("__", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return corpus


def result_of(corpus: Path, *conflicts: Conflict, formats: dict[str, str] | None = None) -> ScanResult:
    paths = [path for path in sorted(corpus.rglob("*")) if path.is_file()]
    rows = [
        make_document(
            escaped(path.relative_to(corpus).as_posix()),
            format=(formats or {}).get(path.name, "markdown"),
            sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        )
        for path in paths
    ]
    return make_result(conflicts, [], rows)


def settled(loser: Side, winner: Side, **changes: Any) -> Conflict:
    return make_conflict(loser, winner, **{"winner": "b", "status": "auto_resolved", "rule_applied": ("timestamp",), **changes})


def returns(
    folder: Path, faq: str | bytes = FAQ, loser: dict[str, Any] | None = None, winner: dict[str, Any] | None = None, **changes: Any
) -> tuple[Path, ScanResult]:
    """faq.md gives 14 days and loses against the 30 days of policy.md."""
    corpus = corpus_of(folder, faq__md=faq, policy__md=POLICY)
    loser = {"quote": "You have 14 days for it.", "value": "14 days", **(loser or {})}
    winner = {"quote": "Goods go back within 30 days.", "value": "30 days", **(winner or {})}
    return corpus, result_of(corpus, settled(side(corpus, "faq.md", **loser), side(corpus, "policy.md", **winner), **changes))


@needs_git
def test_git_applies_the_patch_in_the_corpus(tmp_path: Path) -> None:
    corpus, result = returns(tmp_path)
    (patch,) = write_all(result, tmp_path / "out", [PatchFormat(corpus)])
    assert (corpus / "faq.md").read_text() == FAQ  # nothing is edited in place
    text = patch.read_text(encoding="utf-8")
    assert text.startswith("# PROPOSAL, not a decision: 1 of 1 contradictions in handbook")
    assert "# proposed: faq.md:5 “14 days” becomes “30 days” as in policy.md (timestamp; conflict " in text
    git(corpus, "apply", "--check", str(patch))
    git(corpus, "apply", str(patch))
    assert (corpus / "faq.md").read_text() == FAQ.replace("14 days", "30 days")
    assert (corpus / "policy.md").read_text() == POLICY


@needs_git
def test_git_applies_the_patch_from_the_root_of_a_repository(tmp_path: Path) -> None:
    corpus, result = returns(tmp_path / "repository")
    (patch,) = write_all(result, tmp_path / "out", [PatchFormat(corpus)])
    git(tmp_path / "repository", "init", "-q")
    git(tmp_path / "repository", "apply", "--directory=corpus", str(patch))
    assert (corpus / "faq.md").read_text() == FAQ.replace("14 days", "30 days")


@needs_git
@pytest.mark.parametrize(
    "faq",
    [
        FAQ.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + FAQ.replace("\n", "\r\n").encode(),
        FAQ.removesuffix("\nAsk us.\n").encode(),  # no line feed at the end
        ("é" * 300 + "\n\r\n\rlone\r" + FAQ).encode(),
        ("x" * 200_000 + "\n" + FAQ).encode(),
        b"You have 14 days for it.",
        b"@@ -1 +1 @@\n--- a/x\n+++ b/x\ndiff --git a/x b/x\nYou have 14 days for it.\n-- \n\\ No newline\n# x\n",
    ],
)
def test_every_byte_but_the_value_stays(faq: bytes, tmp_path: Path) -> None:
    corpus, result = returns(tmp_path, faq)
    (patch,) = write_all(result, tmp_path / "out", [PatchFormat(corpus)])
    git(corpus, "apply", str(patch))
    assert (corpus / "faq.md").read_bytes() == faq.replace(b"14 days", b"30 days")


@needs_git
@pytest.mark.parametrize(
    "name", ["with space.md", "a # b! 100%.md", 'quo"te\\.md', "tab\there.md", "übergröße/ünter.md", "line\nend.md", "-dash.md"]
)
def test_names_of_all_sorts(name: str, tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, policy__md=POLICY)
    (corpus / name).parent.mkdir(exist_ok=True)
    (corpus / name).write_text(FAQ)
    conflict = settled(
        side(corpus, name, "You have 14 days for it.", "14 days"),
        side(corpus, "policy.md", "Goods go back within 30 days.", "30 days"),
    )
    (patch,) = write_all(result_of(corpus, conflict), tmp_path / "out", [PatchFormat(corpus)])
    git(corpus, "apply", str(patch))
    assert (corpus / name).read_text() == FAQ.replace("14 days", "30 days")


@needs_git
def test_several_edits_of_a_file_near_and_far(tmp_path: Path) -> None:
    text = "".join(f"Item {n} takes {n} minutes.\n" for n in range(10, 60))
    target = "".join(f"Item {n} takes {n + 100} minutes.\n" for n in range(10, 60))
    corpus = corpus_of(tmp_path, a__md=text, b__md=target)
    chosen = (10, 12, 18, 19, 26, 40, 59)
    conflicts = [
        settled(
            side(corpus, "a.md", f"Item {n} takes {n} minutes.", f"{n} minutes"),
            side(corpus, "b.md", f"Item {n} takes {n + 100} minutes.", f"{n + 100} minutes"),
            entity_key=f"item {n}",
        )
        for n in chosen
    ]
    (patch,) = write_all(result_of(corpus, *conflicts), tmp_path / "out", [PatchFormat(corpus)])
    git(corpus, "apply", str(patch))
    for n in chosen:
        text = text.replace(f"takes {n} ", f"takes {n + 100} ")
    assert (corpus / "a.md").read_text() == text


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"winner": {"value": "1 month"}}, "the value to follow, “1 month”, does not stand word for word in its passage"),
        ({"loser": {"value": "4 days"}}, "the value to replace, “4 days”, does not stand word for word in its passage"),
        ({"loser": {"scope": "plan: pro"}}, "only one side is limited to “plan: pro”"),
        ({"winner": {"scope": "exception: opened"}}, "only one side is limited to “exception: opened”"),
        ({"kind": "modality"}, "a change of wording, not of a value"),
        ({"fields": ("value", "basis")}, "a change of wording, not of a value"),
        ({"tier": "advisory"}, "only a hint (advisory)"),
        ({"winner_": None, "status": "escalated"}, "no side is to be followed"),
        ({"status": "dismissed"}, "dismissed: no contradiction"),
        ({"status": "decided", "reviewer_decision": "neither"}, "no side is to be followed"),
        (
            {"loser": {"quote": "How long?\n\nYou have 14 days for it.\nAsk us.", "value": "days for it. Ask us."}},
            "broken over two lines",
        ),
        (
            {"faq": FAQ + "You have 14 days for it, not 30 days.\n", "loser": {"quote": "You have 14 days for it, not 30 days."}},
            "names the value to follow as well",
        ),
        ({"faq": FAQ + "14 days are 14 days.\n", "loser": {"quote": "14 days are 14 days."}}, "stands more than once"),
        (
            {
                "faq": FAQ + "You have 1.14 days, or 14 days-2, -14 days, 14 daysx.\n",
                "loser": {"quote": "You have 1.14 days, or 14 days-2, -14 days, 14 daysx."},
            },
            "does not stand word for word",
        ),
    ],
)
def test_what_is_doubtful_is_listed_with_the_reason(changes: dict[str, Any], reason: str, tmp_path: Path) -> None:
    if "winner_" in changes:
        corpus, result = returns(tmp_path)
        result = replace(result, conflicts=tuple(replace(c, winner=None, status="escalated") for c in result.conflicts))
    else:
        corpus, result = returns(tmp_path, **changes)
    text = render_patch(result, corpus).decode()
    assert "diff --git" not in text
    assert all(line.startswith("#") for line in text.splitlines() if line)
    (line,) = (line for line in text.splitlines() if line.startswith("# not proposed: "))
    assert line.startswith("# not proposed: faq.md / policy.md: ")
    assert reason in line


def test_a_reviewers_choice_is_proposed_whatever_the_rules_said(tmp_path: Path) -> None:
    corpus, result = returns(tmp_path, tier="advisory", status="decided", reviewer_decision="accept_a")
    text = render_patch(result, corpus).decode()
    assert "# proposed: policy.md:3 “30 days” becomes “14 days” as in faq.md (a reviewer; " in text
    assert "+Goods go back within 14 days.\n" in text


def test_a_condition_made_of_the_value_itself_limits_nothing(tmp_path: Path) -> None:
    corpus, result = returns(tmp_path, loser={"scope": "condition: after 14 day"})
    assert "+You have 30 days for it.\n" in render_patch(result, corpus).decode()


def test_capitals_follow_the_sentence(tmp_path: Path) -> None:
    corpus, result = returns(
        tmp_path,
        "# F\n\nIt is signed by the head of sales.\n",
        loser={"quote": "It is signed by the head of sales.", "value": "head of sales"},
        kind="entity",
        fields=("name",),
    )
    (corpus / "policy.md").write_text("Finance signs it.\n")
    conflict = replace(result.conflicts[0], b=side(corpus, "policy.md", "Finance signs it.", "finance"))
    assert "+It is signed by the finance.\n" in render_patch(result_of(corpus, conflict), corpus).decode()


def test_two_values_for_one_place_are_not_both_proposed(tmp_path: Path) -> None:
    corpus, result = returns(tmp_path)
    (corpus / "terms.md").write_text("It is 60 days.\n")
    first = result.conflicts[0]
    other = settled(first.a, side(corpus, "terms.md", "It is 60 days.", "60 days"), confidence=0.5)
    copy = replace(first, conflict_id="copy", confidence=0.4)
    text = render_patch(result_of(corpus, first, other, copy), corpus).decode()
    assert text.count("diff --git") == 1
    assert f"faq.md / terms.md: another value is proposed by the proposal for {first.conflict_id}" in text
    assert f"faq.md / policy.md: settled by the proposal for {first.conflict_id} (conflict copy)" in text


def test_files_that_are_not_as_they_were(tmp_path: Path) -> None:
    corpus, result = returns(tmp_path)
    assert (
        "html is not edited as text"
        in render_patch(result_of(corpus, *result.conflicts, formats={"faq.md": "html"}), corpus).decode()
    )
    moved = replace(result.conflicts[0], a=replace(result.conflicts[0].a, char_start=3, char_end=27))
    assert "the passage is not in the file as quoted: scan again" in render_patch(result_of(corpus, moved), corpus).decode()
    (corpus / "faq.md").write_text(FAQ + "More.\n")
    assert "the file has changed since the scan: scan again" in render_patch(result, corpus).decode()
    (corpus / "faq.md").write_bytes(FAQ.encode() + b"\xff")
    assert "the file is not UTF-8" in render_patch(result_of(corpus, *result.conflicts), corpus).decode()
    (corpus / "faq.md").unlink()
    assert "the file cannot be read: No such file" in render_patch(result, corpus).decode()
    with pytest.raises(UserError, match="no such folder; give the folder that was scanned"):
        render_patch(result, tmp_path / "elsewhere")


@pytest.mark.parametrize("path", ["../secret.md", "/etc/secret.md", "link/secret.md", "records.jsonl#7", "x.zip!/secret.md"])
def test_a_run_from_elsewhere_cannot_lead_out_of_the_corpus(path: str, tmp_path: Path) -> None:
    corpus, result = returns(tmp_path)
    (tmp_path / "secret.md").write_text(FAQ)
    (corpus / "link").symlink_to(tmp_path)
    conflict = replace(result.conflicts[0], a=replace(result.conflicts[0].a, doc=path))
    rows = [*result.documents, make_document(path, sha256=hashlib.sha256(FAQ.encode()).hexdigest())]
    text = render_patch(make_result([conflict], [], rows), corpus).decode()
    assert "diff --git" not in text
    assert "not proposed" in text


@needs_git
def test_hostile_texts_cannot_start_a_diff(tmp_path: Path) -> None:
    corpus, result = returns(tmp_path)
    hostile = hostile_result()
    names = ["x\ndiff --git a/policy.md b/policy.md\n--- a/policy.md\n+++ b/policy.md\n@@ -1 +0,0 @@\n-# Returns\n"]
    more = [
        replace(result.conflicts[0], conflict_id=f"h{n}", b=replace(result.conflicts[0].b, doc=name, value=name))
        for n, name in enumerate(names)
    ]
    text = render_patch(replace(result, conflicts=(*result.conflicts, *hostile.conflicts, *more)), corpus)
    (tmp_path / "p.patch").write_bytes(text)
    git(corpus, "apply", str(tmp_path / "p.patch"))
    assert (corpus / "policy.md").read_text() == POLICY
    assert (corpus / "faq.md").read_text() == FAQ.replace("14 days", "30 days")


@needs_git
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    lines=st.lists(
        st.sampled_from(["", "a", "a\r", "-a", "+ b", " c", "@@ -1,1 +1,1 @@", "\\ No newline at end of file"]), max_size=25
    ),
    changed=st.sets(st.integers(0, 24), min_size=1, max_size=6),
    ended=st.booleans(),
)
def test_any_set_of_changed_lines_applies(lines: Sequence[str], changed: set[int], ended: bool, tmp_path: Path) -> None:
    lines = [f"{line}{n} old" if n in changed else line for n, line in enumerate([*lines, *["z"] * 25][:25])]
    content = "\n".join(lines) + ("\n" if ended else "")
    spans = {(at := content.index(f"{n} old") + len(f"{n} "), at + 3): "new words" for n in changed}
    spans = {span: words for span, words in spans.items() if content[span[0] : span[1]] == "old"}
    (tmp_path / "f.md").write_bytes(content.encode())
    (tmp_path / "p.patch").write_bytes(file_diff("f.md", content, spans).encode())
    git(tmp_path, "apply", "p.patch")
    assert (tmp_path / "f.md").read_bytes() == content.replace(" old", " new words").encode()
