from __future__ import annotations

from pathlib import Path

import pytest

from auditor.load import Collection, LoadConfig, load_corpus, owners
from auditor.load.discover import Found
from auditor.model import Document

GITHUB = """
# the default
*                 @everyone
*.txt             @writers  # in any folder
/build/logs/      @ops
docs/*            docs@example.org
apps/             @apps @mobile
/apps/github
**/minutes        @board
/a\\ b/            @spaces
[broken           @nobody
/deep/**/x.md     @deep
"""
GITLAB = """
* @default

[Legal] @legal @counsel
/policies/
/policies/prices.md @sales

^[Optional text][2] @editors
*.md
!/policies/draft.md

[LEGAL]
/contracts/ @contracts
"""


def write(root: Path, name: str, text: str = "x") -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def loaded(root: Path, config: LoadConfig | None = None) -> tuple[dict[str, Document], Found]:
    found: list[Found] = []
    documents, _ = load_corpus(root, config=config, on_found=found.append)
    return {document.doc_id: document for document in documents}, found[0]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("readme.md", "@everyone"),
        ("x/y/a.txt", "@writers"),
        ("build/logs/a.md", "@ops"),
        ("x/build/logs/a.md", "@everyone"),
        ("docs/a.md", "docs@example.org"),
        ("docs/in/a.md", "@everyone"),
        ("x/docs/a.md", "@everyone"),
        ("apps/x/a.md", "@apps @mobile"),
        ("x/apps/a.md", "@apps @mobile"),
        ("apps/github/a.md", ""),
        ("x/minutes/2024.md", "@board"),
        ("a b/c.md", "@spaces"),
        ("deep/x.md", "@deep"),
        ("deep/1/2/x.md", "@deep"),
    ],
)
def test_lines_of_github(path: str, expected: str) -> None:
    assert " ".join(owners.parse(GITHUB).owners(path)) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.txt", "@default"),
        ("a.md", "@default @editors"),
        ("policies/returns.md", "@default @legal @counsel @editors"),
        ("policies/prices.md", "@default @sales @editors"),
        ("policies/draft.md", "@default @legal @counsel"),
        ("contracts/a.txt", "@default @contracts"),
    ],
)
def test_sections_of_gitlab(path: str, expected: str) -> None:
    assert " ".join(owners.parse(GITLAB).owners(path)) == expected


def test_who_names_the_owner(tmp_path: Path) -> None:
    write(tmp_path, "policies/configured.md", "---\nowner: Ann\n---\nx")
    write(tmp_path, "front.md", "---\nowner: Ann\n---\nOwner: Bob")
    write(tmp_path, "line.md", "# T\n\nOwner: Bob\n")
    write(tmp_path, "page.html", "<meta name=author content=Cem><p>x")
    write(tmp_path, "none.md")
    write(tmp_path, "odd #1!%.md")
    write(tmp_path, "free/none.md")
    write(tmp_path, ".github/CODEOWNERS", "* @all a@example.org\n/free/\n/odd* @odd\n")
    write(tmp_path, "docs/CODEOWNERS", "* @later")
    documents, found = loaded(tmp_path, LoadConfig(collections=(Collection(("policies/**",), owner="Legal"),)))
    assert {name: (document.owner, document.owner_source) for name, document in documents.items()} == {
        "policies/configured.md": ("Legal", "configuration"),
        "front.md": ("Ann", "front matter"),
        "line.md": ("Bob", "visible line"),
        "page.html": ("Cem", "meta tag"),
        "none.md": ("@all, a@example.org", "CODEOWNERS"),
        "odd %231%21%25.md": ("@odd", "CODEOWNERS"),
        "free/none.md": (None, None),
    }
    assert not found.notices


def test_a_corpus_in_a_work_tree_has_the_owners_of_the_tree(tmp_path: Path) -> None:
    write(tmp_path, "repo/.git/HEAD", "ref: refs/heads/main")
    write(tmp_path, "repo/docs/CODEOWNERS", "/docs/ @docs\n/docs/in/ @in\n")
    write(tmp_path, "repo/docs/a.md")
    write(tmp_path, "repo/docs/in/a.md")
    documents, _ = loaded(tmp_path / "repo/docs")
    assert {name: document.owner for name, document in documents.items()} == {"a.md": "@docs", "in/a.md": "@in"}


def test_no_other_file_outside_of_the_corpus_is_read(tmp_path: Path) -> None:
    write(tmp_path, "CODEOWNERS", "* @outside")
    write(tmp_path, "elsewhere/CODEOWNERS", "* @outside")
    write(tmp_path, "corpus/a.md")
    assert loaded(tmp_path / "corpus")[0]["a.md"].owner is None
    (tmp_path / "corpus/docs").symlink_to(tmp_path / "elsewhere")
    documents, found = loaded(tmp_path / "corpus")
    assert (documents["a.md"].owner, found.notices) == (None, ["CODEOWNERS cannot be read: its folder is a link"])
    (tmp_path / "corpus/CODEOWNERS").symlink_to(tmp_path / "CODEOWNERS")
    documents, found = loaded(tmp_path / "corpus")
    assert (documents["a.md"].owner, found.notices) == (None, ["CODEOWNERS cannot be read: not a regular file"])


def test_records_and_archive_members_belong_to_the_owner_of_their_file(tmp_path: Path) -> None:
    write(
        tmp_path, "export.jsonl", '{"id": 7, "title": "Returns", "body": "Goods can be returned within 30 days of the purchase."}\n'
    )
    write(tmp_path, "CODEOWNERS", "*.jsonl @exports")
    documents, found = loaded(tmp_path)
    assert [(name, document.owner, document.file_time) for name, document in documents.items()] == [
        ("export.jsonl#7", "@exports", found.times["export.jsonl"])
    ]
