from __future__ import annotations

import os
from pathlib import Path

import pytest

from auditor.load import Collection, LoadConfig, load_corpus
from auditor.load.config import matches
from auditor.load.decode import decode
from auditor.ports import LoadError


def write(root: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def ids(root: Path, config: LoadConfig | None = None) -> tuple[list[str], dict[str, str]]:
    documents, skipped = load_corpus(root, config=config)
    return [document.doc_id for document in documents], {entry.doc_id: entry.reason for entry in skipped}


def test_walk(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "b.md": "x",
            "a/z.txt": "x",
            "a/README": "x",
            ".github/CONTRIBUTING.md": "x",
            ".git/x.md": "x",
            "node_modules/x.md": "x",
            "audit-out/report.md": "x",
            ".audit/x.md": "x",
            "audit.toml": "x",
            "code.py": "x",
            "data.json": "{}",
            "pic.png": b"\x89PNG",
            "deck.pptx": b"PK",
            "scan.pdf": b"%PDF",
            "empty.md": " \n",
            "LICENSE": "x",
            "odd #1!%.md": "x",
        },
    )
    documents, skipped = ids(tmp_path)
    assert documents == [".github/CONTRIBUTING.md", "LICENSE", "a/README", "a/z.txt", "b.md", "odd %231%21%25.md"]
    assert skipped == {
        "deck.pptx": "named .pptx, but its content is something else",
        "scan.pdf": "named .pdf, but its content is something else",
        "empty.md": "empty",
    }


def test_unreadable_files_are_skipped_with_a_reason(tmp_path: Path) -> None:
    write(tmp_path, {"nul.md": b"a\0b", "bin.txt": bytes(range(128, 160)), "big.md": "x" * 3000, "ok.md": "x"})
    os.mkfifo(tmp_path / "pipe.md")
    documents, skipped = ids(tmp_path, LoadConfig(max_bytes=2000))
    assert documents == ["ok.md"]
    assert "NUL" in skipped["nul.md"]
    assert "not readable as text" in skipped["bin.txt"]
    assert "larger than the limit" in skipped["big.md"]
    assert skipped["pipe.md"] == "not a regular file"


def test_links_stay_in_the_corpus(tmp_path: Path) -> None:
    corpus, outside = tmp_path / "corpus", tmp_path / "outside"
    write(corpus, {"docs/a.md": "x"})
    write(outside, {"secret.md": "x"})
    (corpus / "in.md").symlink_to(corpus / "docs/a.md")
    (corpus / "out.md").symlink_to(outside / "secret.md")
    (corpus / "outdir").symlink_to(outside)
    (corpus / "indir").symlink_to(corpus / "docs")
    (corpus / "loop").symlink_to(corpus)
    (corpus / "gone.md").symlink_to(corpus / "nothing.md")
    documents, skipped = ids(corpus)
    assert documents == ["docs/a.md", "in.md"]
    assert skipped["out.md"] == skipped["outdir"] == "symbolic link that leaves the corpus"
    assert skipped["gone.md"] == "symbolic link to nothing"


def test_a_failing_loader_costs_one_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from auditor.load.plain import PlainLoader

    def fail(*_: object) -> None:
        raise KeyError("x")

    write(tmp_path, {"a.txt": "x", "b.md": "x"})
    monkeypatch.setattr(PlainLoader, "load", fail)
    documents, skipped = ids(tmp_path)
    assert documents == ["b.md"]
    assert skipped["a.txt"].startswith("the loader failed: KeyError")


def test_collections(tmp_path: Path) -> None:
    write(tmp_path, {"policies/a.md": "---\nowner: Ann\n---\nx", "policies/old/b.md": "x", "faq/c.md": "x", "d.md": "x"})
    config = LoadConfig(
        collections=(
            Collection(("policies/old/**",), tier="archive"),
            Collection(
                ("policies/**",),
                tier="primary",
                owner="legal@example.org",
                scope={"category": "returns"},
                url="https://x/{path}#L{line}",
            ),
            Collection(("faq/",), tier="tertiary"),
        ),
        exclude=("d.*",),
    )
    documents, _ = load_corpus(tmp_path, config=config)
    found = {document.doc_id: document for document in documents}
    assert list(found) == ["faq/c.md", "policies/a.md", "policies/old/b.md"]
    policy = found["policies/a.md"]
    assert (policy.tier, policy.owner, policy.scope, policy.url) == (
        "primary",
        "legal@example.org",
        {"category": "returns"},
        "https://x/{path}#L{line}",
    )
    assert (found["policies/old/b.md"].tier, found["policies/old/b.md"].history) == ("archive", True)
    assert found["faq/c.md"].tier == "tertiary"


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("policies/**", "policies/a/b.md", True),
        ("policies/**", "x/policies/a.md", False),
        ("**/faq/*.md", "faq/a.md", True),
        ("**/faq/*.md", "x/y/faq/a.md", True),
        ("*.pdf", "a/b.pdf", True),
        ("contracts/*.pdf", "contracts/x/a.pdf", False),
        ("a/**/b.md", "a/b.md", True),
        ("a/**/b.md", "a/x/y/b.md", True),
        ("a?.md", "ab.md", True),
        ("a?.md", "a/.md", False),
        ("[ab].md", "a.md", True),
        ("[!ab].md", "a.md", False),
        ("x/{a,b}.md", "x/b.md", True),
        ("a.b+c", "a.b+c", True),
        ("./a/", "a/b", True),
        ("a.md", "aXmd", False),
    ],
)
def test_globs(glob: str, path: str, expected: bool) -> None:
    assert matches(path, (glob,)) == expected


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("\ufeffa\r\nb\rc".encode(), "a\nb\nc"),
        ("größer".encode("utf-16"), "größer"),
        ("größer – “x”".encode("cp1252"), "größer – “x”"),
        (b"a\x0cb\x1b[0m", "a\x0cb\x1b[0m"),
    ],
)
def test_decode(data: bytes, text: str) -> None:
    assert decode(data) == text


@pytest.mark.parametrize("data", [b"a\0b", b"\xff\xfe\x00", b"caf\xe9 \x81", b"\x00\xd8\x00\xd8", b"caf\xe9 \x02"])
def test_undecodable(data: bytes) -> None:
    with pytest.raises(LoadError, match="not readable as text"):
        decode(data)


def test_titles_and_progress(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.md": "---\ntitle: Front\n---\n# Head",
            "b.md": "## Sub\n\n# Head",
            "some-page_name.md": "x",
            "guide/index.md": "x",
            "h.html": "<h1>H</h1>x",
        },
    )
    calls: list[tuple[int, int]] = []
    documents, _ = load_corpus(tmp_path, progress=lambda done, total: calls.append((done, total)))
    assert {document.doc_id: document.title for document in documents} == {
        "a.md": "Front",
        "b.md": "Head",
        "guide/index.md": "Guide",
        "h.html": "H",
        "some-page_name.md": "Some page name",
    }
    assert calls == [(i, 5) for i in range(1, 6)]


def test_deterministic(tmp_path: Path) -> None:
    write(tmp_path, {f"d{i}/{n}.md": f"# T{n}\n\nText {i}.\n\n- a\n- b\n" for i in range(3) for n in "zyx"})
    assert load_corpus(tmp_path) == load_corpus(tmp_path)
