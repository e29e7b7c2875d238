from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from auditor.load import LoadConfig, discover, load_corpus
from auditor.load.discover import Found
from auditor.load.ignore import MAX_PATTERNS, owned_paths

FILES = (
    *(
        "a.md",
        "b.txt",
        "docs/a.md",
        "docs/x/a.md",
        "docs/x/y/a.md",
        "docs/a.txt",
        "build/a.md",
        "x/build/a.md",
        "x/build/deep/a.md",
    ),
    *(
        "keep/a.md",
        "keep/b.md",
        "drafts/a.md",
        "drafts/keep/a.md",
        "drafts/keep/b.md",
        "#hash.md",
        "!bang.md",
        "sp ace.md",
        "end .md",
    ),
    *("[x].md", "ab.md", "ac.md", "a-c.md", "star*.md", "foo/bar/a.md", "foo/x/bar/a.md", "foo/x/y/bar/a.md", "deep/foo/bar/b.md"),
    *("A.md", "docs/.hidden.md", "1.md", "x1/a.md"),
)
RULES = (
    *("*.txt", "/a.md", "a.md", "docs/", "/docs/x", "docs/*", "docs/**", "**/build", "build/", "/build", "x/**/a.md", "*", "/*"),
    *(
        "docs/*\n!docs/x/",
        "drafts/*\n!drafts/keep/",
        "drafts/\n!drafts/keep/a.md",
        "/*\n!/docs",
        "*.md\n!keep/",
        "*.md\n!keep/*.md",
    ),
    *("# note\n\\#hash.md", "\\!bang.md", "sp\\ ace.md", "a.md   ", "end\\ .md", "[[]x].md", "a[bc].md", "a[!b].md", "a[^c].md"),
    *("a[a-z].md", "[[:digit:]].md", "a?.md", "star\\*.md", "foo/**/bar", "foo/**/bar/", "**/foo/**", "foo/*/bar", "**/bar/*.md"),
    *("a.md/", "docs//a.md", "a[b.md", "a.md\\", "/", "!a.md", "*.md\n!a.md\na.md", "foo**bar", "**", "a**.md", "**/", "docs/**/x"),
    *(
        "a[]-]c.md",
        "a[+--]c.md",
        "[z-a].md",
        "x[0-9]/",
        ".*",
        "*/a.md",
        "*/*/a.md",
        "keep\n!keep/\nkeep/b.md",
        "d*s/x/*/",
        "a.md\r",
    ),
)
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def write(root: Path, name: str, text: str = "x") -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def kept(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for _, path in discover(root, LoadConfig()).files}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    for name in FILES:
        write(root, name)
    return root


@needs_git
@pytest.mark.parametrize("rules", RULES)
def test_the_same_as_git(rules: str, tree: Path) -> None:
    subprocess.run(["git", "init", "-q", "."], cwd=tree, check=True)
    (tree / ".gitignore").write_text(rules, encoding="utf-8")
    (tree / ".auditignore").write_text(rules, encoding="utf-8")
    run = subprocess.run(
        ["git", "-c", "core.excludesFile=", "ls-files", "-z", "--others", "--exclude-standard"],
        cwd=tree,
        check=True,
        capture_output=True,
    )
    expected = {os.fsdecode(name) for name in run.stdout.split(b"\0") if name} - {".gitignore", ".auditignore"}
    assert kept(tree) - {".gitignore"} == expected


def test_a_deeper_file_counts_first(tmp_path: Path) -> None:
    for name in ("a.md", "sub/a.md", "sub/b.md", "sub/in/b.md", "other/b.md"):
        write(tmp_path, name)
    write(tmp_path, ".auditignore", "a.md\n")
    write(tmp_path, "sub/.auditignore", "!a.md\n/b.md\n")
    assert kept(tmp_path) == {"sub/a.md", "sub/in/b.md", "other/b.md"}


def test_what_is_left_out_is_counted_and_not_opened(tmp_path: Path) -> None:
    for name in ("a.md", "b.md", "out/a.md", "out/b.md", "out/in/c.md"):
        write(tmp_path, name)
    write(tmp_path, ".auditignore", "out/\nb.md\n/link.md\n")
    write(tmp_path, "audit.toml", "")
    (tmp_path / "link.md").symlink_to("/nowhere")
    found: list[Found] = []
    documents, skipped = load_corpus(tmp_path, config=LoadConfig(exclude=("*.html",)), on_found=found.append)
    assert ([document.doc_id for document in documents], skipped) == (["a.md"], [])
    assert found[0].ignored == 3  # a folder counts as one


def test_include_and_exclude_hold_besides(tmp_path: Path) -> None:
    for name in ("a.md", "b.md", "c.txt", "d.md"):
        write(tmp_path, name)
    write(tmp_path, ".auditignore", "a.md\n")
    found = discover(tmp_path, LoadConfig(include=("*.md",), exclude=("b.*",)))
    assert ([identity for identity, _ in found.files], found.ignored) == (["d.md"], 3)


def test_rules_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    for name in ("a.md", "link/a.md", "pipe/a.md", "many/a.md", "big/a.md"):
        write(tmp_path, name)
    (tmp_path / "link/.auditignore").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "pipe/.auditignore")
    write(tmp_path, "many/.auditignore", "x\n" * (MAX_PATTERNS + 1))
    write(tmp_path, "big/.auditignore", "#" * (2 << 20))
    documents, skipped = load_corpus(tmp_path)
    assert len(documents) == 5
    assert {entry.doc_id: entry.reason for entry in skipped} == {
        "big/.auditignore": "cannot be read: larger than 1024 KiB",
        "link/.auditignore": "cannot be read: not a regular file",
        "many/.auditignore": "cannot be read: more than 5,000 patterns",
        "pipe/.auditignore": "cannot be read: not a regular file",
    }


@pytest.mark.parametrize("pattern", ["*a" * 60 + "b", "**/a*/" * 40 + "b", "[a-z]*" * 60 + "!", "**/*/" * 60 + "x"])
def test_no_pattern_takes_long(pattern: str) -> None:
    regex = owned_paths(pattern)
    assert regex is not None
    start = time.process_time()
    assert not regex.fullmatch("/".join(["a" * 200] * 20) + "c")
    assert time.process_time() - start < 2
