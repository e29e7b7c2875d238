from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from auditor.load import LoadConfig, git_log, load_corpus
from auditor.load.discover import Found
from auditor.load.git_log import Commit, GitError, last_commits

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
Git = Callable[..., str]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    run(folder, "init", "-q", "-b", "main", ".")
    return folder


def run(folder: Path, *arguments: str, **environment: str) -> str:
    known = {"PATH": os.environ["PATH"], "HOME": str(folder.parent), "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run(
        ["git", *arguments], cwd=folder, check=True, capture_output=True, text=True, env=known | environment
    ).stdout.strip()


def commit(folder: Path, files: dict[str, str], day: str, author: str = "Ann Example") -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    run(folder, "add", "-A")
    who = {
        "GIT_AUTHOR_NAME": author,
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "GitHub",
        "GIT_COMMITTER_EMAIL": "noreply@example.org",
        "GIT_AUTHOR_DATE": f"{day}T23:30:00+0000",
        "GIT_COMMITTER_DATE": f"{day}T23:30:00+0000",
    }
    run(folder, "commit", "-q", "--allow-empty", "-m", "x\n\nfile names of a message do not count: a.md", **who)


ANN = Commit("Ann Example", date(2023, 2, 3))


def test_the_last_commit_of_each_file(repo: Path) -> None:
    odd = "docs/ü \n#1!%.md"
    commit(repo, {"a.md": "1", "docs/b.md": "1", odd: "1", "docs/c.md": "1"}, "2023-02-03")
    commit(repo, {"a.md": "2"}, "2024-03-04", "Bob  von Test")
    commit(repo, {"docs/c.md": "2"}, "2025-01-01", "renovate[bot]")
    (repo / "docs/new.md").write_text("not yet in git", encoding="utf-8")
    wanted = ["a.md", "docs/b.md", "docs/c.md", odd, "docs/new.md"]
    assert last_commits(repo, wanted) == {
        "a.md": Commit("Bob von Test", date(2024, 3, 4)),
        "docs/b.md": ANN,
        "docs/c.md": Commit(None, date(2025, 1, 1)),
        odd: ANN,
    }
    assert last_commits(repo / "docs", ["b.md", "a.md"]) == {"b.md": ANN}
    run(repo, "gc", "-q")  # the branch stands in packed-refs now
    assert last_commits(repo, ["a.md"])["a.md"].day == date(2024, 3, 4)
    run(repo, "checkout", "-q", "--detach")
    assert last_commits(repo, ["docs/b.md"]) == {"docs/b.md": ANN}


def test_owners_and_dates_are_recorded_and_decide_nothing(repo: Path) -> None:
    commit(repo, {"a.md": "x", "b.md": "---\nowner: Ops\nupdated: 2020-01-01\n---\nx"}, "2023-02-03")
    found: list[Found] = []
    documents, _ = load_corpus(repo, config=LoadConfig(git=True), on_found=found.append)
    a, b = documents
    assert (a.owner, a.owner_source, a.git_date, a.published, a.effective) == ("Ann Example", "git", date(2023, 2, 3), None, None)
    assert (b.owner, b.owner_source, b.git_date) == ("Ops", "front matter", date(2023, 2, 3))
    assert b.published is not None
    assert b.published.value == date(2020, 1, 1)
    assert not found[0].notices
    assert load_corpus(repo)[0][0].git_date is None  # only where it is asked for


def test_what_a_repository_configures_is_never_run(repo: Path, tmp_path: Path) -> None:
    commit(repo, {"a.md": "1", ".gitattributes": "*.md diff=evil filter=evil\n"}, "2023-02-03")
    tree = run(repo, "rev-parse", "HEAD^{tree}")
    trap = tmp_path / "trap"
    script = tmp_path / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch '{trap}'\nexit 0\n", encoding="utf-8")
    script.chmod(0o755)
    (repo / ".git/config").write_text(
        f"""[core]
    repositoryformatversion = 1
    fsmonitor = {script}
    pager = {script}
    sshCommand = {script}
    hooksPath = {tmp_path}
    editor = {script}
    gitProxy = {script}
    alternateRefsCommand = {script}
[extensions]
    partialClone = origin
[remote "origin"]
    url = ext::{script}
    promisor = true
    uploadpack = {script}
[protocol]
    allow = always
[protocol "ext"]
    allow = always
[log]
    showSignature = true
[gpg]
    program = {script}
[gpg "ssh"]
    program = {script}
[diff]
    external = {script}
[diff "evil"]
    textconv = {script}
    command = {script}
[filter "evil"]
    clean = {script}
    smudge = {script}
[pager]
    log = {script}
[alias]
    log = !{script}
[include]
    path = {tmp_path}/more
""",
        encoding="utf-8",
    )
    assert last_commits(repo, ["a.md"]) == {"a.md": ANN}
    (repo / ".git/objects" / tree[:2] / tree[2:]).unlink()  # Git itself would now ask the promisor for it
    with pytest.raises(GitError, match=r"^git log failed: "):
        last_commits(repo, ["a.md"])
    assert not trap.exists()
    subprocess.run(["git", "log", "--name-only"], cwd=repo, capture_output=True, check=False, env={"PATH": os.environ["PATH"]})
    assert trap.exists()  # what Git does with this configuration when it reads it


def test_work_trees_and_submodules(repo: Path, tmp_path: Path) -> None:
    commit(repo, {"a.md": "1"}, "2023-02-03")
    run(repo, "worktree", "add", "-q", str(tmp_path / "second"))
    assert last_commits(tmp_path / "second", ["a.md"]) == {"a.md": ANN}
    outer = tmp_path / "outer"
    outer.mkdir()
    run(outer, "init", "-q", ".")
    run(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repo), "inner")
    assert last_commits(outer / "inner", ["a.md"]) == {"a.md": ANN}


def test_a_shallow_clone(repo: Path, tmp_path: Path) -> None:
    commit(repo, {"a.md": "1", "b.md": "1"}, "2023-02-03")
    commit(repo, {"a.md": "2"}, "2024-03-04")
    run(tmp_path, "clone", "-q", "--depth", "1", f"file://{repo}", "shallow")
    assert {path: commit.day for path, commit in last_commits(tmp_path / "shallow", ["a.md", "b.md"]).items()} == {
        "a.md": date(2024, 3, 4),
        "b.md": date(2024, 3, 4),  # as far as the clone can tell
    }


def test_why_git_cannot_tell(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GitError, match="it has no commit yet"):
        last_commits(repo, ["a.md"])
    commit(repo, {"a.md": "1"}, "2023-02-03")
    with pytest.raises(GitError, match="took too long"):
        last_commits(repo, ["a.md"], seconds=0)

    stolen = tmp_path / "stolen"
    stolen.mkdir()
    (stolen / "a.md").write_text("x", encoding="utf-8")
    (stolen / ".git").write_text(f"gitdir: {repo}/.git\n", encoding="utf-8")
    with pytest.raises(GitError, match="leads to a folder that does not know of it"):
        last_commits(stolen, ["a.md"])
    (stolen / ".git").unlink()
    (stolen / ".git").symlink_to(repo / ".git")
    with pytest.raises(GitError, match=r"\.git is a link"):
        last_commits(stolen, ["a.md"])
    (stolen / ".git").unlink()
    found: list[Found] = []
    load_corpus(stolen, config=LoadConfig(git=True), on_found=found.append)
    assert found[0].notices == ["no owner or date from Git: the folder is in no Git repository"]

    (repo / ".git/HEAD").unlink()
    os.mkfifo(repo / ".git/HEAD")
    with pytest.raises(GitError, match="not a regular file"):
        last_commits(repo, ["a.md"])
    monkeypatch.setattr(git_log.shutil, "which", lambda _: None)
    with pytest.raises(GitError, match="git is not installed"):
        last_commits(repo, ["a.md"])
