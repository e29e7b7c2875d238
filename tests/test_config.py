from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from auditor.config import Config, ScanSettings, load_config
from auditor.errors import UserError
from auditor.globs import match_document

FULL = """
include = ["**/*.md"]
exclude = ["drafts/**"]

[scan]
encoder = "minilm"
fail_on = "high"
max_skipped = 3
as_of = 2024-05-01

[[collection]]
paths = ["policies/**", "contracts/*.pdf"]
tier = "primary"
owner = "legal@example.org"
scope = { category = "electronics" }
url = "https://wiki.example.org/{path}#L{line}"

[[rule]]
between = ["policies/**", "faq/**"]
prefer = "policies/**"
topic = "returns"

[[rule]]
between = ["eu/**", "us/**"]
both_valid = true
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ScanSettings.model_fields:
        monkeypatch.delenv(f"AUDIT_{name.upper()}", raising=False)
    (tmp_path / "cwd").mkdir()
    (tmp_path / "corpus").mkdir()
    monkeypatch.chdir(tmp_path / "cwd")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return tmp_path / "corpus"


def written(corpus: Path, text: str, name: str = "audit.toml") -> Path:
    (corpus / name).write_text(text, encoding="utf-8")
    return corpus / name


def test_everything_there_is(corpus: Path) -> None:
    source = written(corpus, FULL)
    config = load_config(corpus, None)
    assert config.source == source
    assert (config.scan.encoder, config.scan.fail_on, config.scan.max_skipped) == ("minilm", "high", 3)
    assert config.scan.as_of == date(2024, 5, 1)
    load = config.load_config()
    assert load.exclude == ("drafts/**",)
    held = load.collection("policies/a/b.md")
    assert held is not None
    assert (held.tier, held.owner, held.scope) == ("primary", "legal@example.org", {"category": "electronics"})
    assert load.collection("contracts/2020/a.pdf") is None
    assert [rule.both_valid for rule in config.rule] == [False, True]


def test_history_provenance_and_the_files_of_the_command_line(corpus: Path) -> None:
    written(
        corpus,
        """
        include = ["**/*.md"]
        exclude = ["drafts/**"]
        [history]
        paths = ["minutes-of-old/**"]
        not_paths = ["releases/process.md"]
        [provenance]
        git = true
        """,
    )
    config = load_config(corpus)
    load = config.load_config()
    assert (load.history, load.not_history, load.git) == (("minutes-of-old/**",), ("releases/process.md",), True)
    changed = config.with_files(include=["*.txt"], exclude=["x.*"])
    assert (changed.include, changed.exclude, changed.provenance.git) == (("*.txt",), ("drafts/**", "x.*"), True)
    assert changed.source == config.source
    assert changed.sha256 != config.sha256 == config.with_files().sha256
    assert Config().with_files(git=True).load_config().git
    with pytest.raises(UserError, match=r"^--exclude: '/etc' must be relative to the corpus root"):
        config.with_files(exclude=["a", "/etc"])
    written(corpus, "[history]\nnot_path = ['a']")
    with pytest.raises(UserError, match=r"history\.not_path: unknown key; did you mean 'not_paths'\?"):
        load_config(corpus)


def test_collections_hold_archive_members_and_records(corpus: Path) -> None:
    written(corpus, "[[collection]]\npaths = ['exports/*.jsonl', 'a#1.zip']\ntier = 'archive'")
    load = load_config(corpus).load_config()
    assert load.collection("exports/x.jsonl#42") is not None
    assert load.collection("a%231.zip!/in/x.md") is not None
    assert load.collection("x.jsonl#42") is None


def test_nothing_configured(corpus: Path) -> None:
    config = load_config(corpus, None)
    assert config == Config()
    assert config.source is None
    assert (config.scan.encoder, config.scan.fail_on, str(config.scan.out), config.scan.nli) == (
        "static",
        "never",
        "audit-out",
        None,
    )


def test_where_it_is_looked_for(corpus: Path, tmp_path: Path) -> None:
    written(tmp_path / "cwd", '[tool.audit.scan]\nencoder = "in-cwd"\n', "pyproject.toml")
    assert load_config(corpus, None).scan.encoder == "in-cwd"
    written(corpus, '[tool.audit.scan]\nencoder = "in-corpus"\n', "pyproject.toml")
    assert load_config(corpus, None).scan.encoder == "in-corpus"
    written(corpus, '[scan]\nencoder = "audit-toml"\n')
    assert load_config(corpus, None).scan.encoder == "audit-toml"
    explicit = written(tmp_path, '[scan]\nencoder = "explicit"\n', "mine.toml")
    assert load_config(corpus, explicit).scan.encoder == "explicit"


def test_a_broken_project_file_that_is_none_of_ours(corpus: Path) -> None:
    written(corpus, "[tool.other\n", "pyproject.toml")
    assert load_config(corpus, None) == Config()


def test_environment_goes_before_the_file_and_options_before_both(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(corpus, FULL)
    for name, text in (
        ("ENCODER", "env"),
        ("OUT", "/tmp/x"),
        ("STRICT", "true"),
        ("MAX_SKIPPED", "7"),
        ("AS_OF", "2024-06-01"),
        ("NLI", ""),
    ):
        monkeypatch.setenv(f"AUDIT_{name}", text)
    monkeypatch.setenv("AUDIT_LOG_OF_SOMEBODY_ELSE", "1")
    config = load_config(corpus, None)
    scan = config.scan
    assert (scan.encoder, scan.out, scan.strict, scan.max_skipped, scan.as_of, scan.nli) == (
        "env",
        Path("/tmp/x"),
        True,
        7,
        date(2024, 6, 1),
        None,
    )
    changed = config.with_scan(encoder="cli", strict=None, max_skipped=0)
    assert (changed.scan.encoder, changed.scan.strict, changed.scan.max_skipped) == ("cli", True, 0)
    assert changed.rule == config.rule
    assert changed.source == config.source


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[collection]]\npaths = ["a/**"]\nteir = "primary"', "audit.toml: collection.0.teir: unknown key; did you mean 'tier'?"),
        ('[[collection]]\npath = ["a/**"]', "audit.toml: collection.0.path: unknown key; did you mean 'paths'?"),
        ('[[collections]]\npaths = ["a/**"]', "audit.toml: collections: unknown key; did you mean 'collection'?"),
        ('[scan]\nencodr = "x"', "audit.toml: scan.encodr: unknown key; did you mean 'encoder'?"),
        (
            '[[rule]]\nbetween = ["a/**", "b/**"]\nzzz = 1',
            "audit.toml: rule.0.zzz: unknown key; known are between, prefer, both_valid, topic",
        ),
        (
            '[[collection]]\npaths = ["a/**"]\ntier = "primry"',
            "audit.toml: collection.0.tier: 'primry' is not one of primary, secondary, tertiary, archive; did you mean 'primary'?",
        ),
        ('[[collection]]\ntier = "primary"', "audit.toml: collection.0.paths: is required"),
        ('[[collection]]\npaths = ["/abs/**"]', "audit.toml: collection.0.paths.0: '/abs/**' must be relative to the corpus root"),
        ('[[collection]]\npaths = ["[z-a]"]', "audit.toml: collection.0.paths.0: '[z-a]' is not a usable glob"),
        ('[[collection]]\npaths = ["a"]\nurl = "https://x/{file}"', "audit.toml: collection.0.url: unknown placeholder {file}"),
        ('[[rule]]\nbetween = ["a/**"]\nprefer = "a/**"', "audit.toml: rule.0.between.1: is required"),
        ('[[rule]]\nbetween = ["a/**", "b/**"]\nprefer = "c/**"', "audit.toml: rule.0: prefer must be one of the two globs"),
        ('[[rule]]\nbetween = ["a/**", "b/**"]', "audit.toml: rule.0: needs either prefer or both_valid = true"),
        ("[scan]\nmax_skipped = -1", "audit.toml: scan.max_skipped: should be greater than or equal to 0, not -1"),
        ("[scan]\nstrict = [1]", "audit.toml: scan.strict: "),
        ("x = [", "audit.toml: not valid TOML: "),
    ],
)
def test_errors_are_one_line_with_file_and_key(corpus: Path, text: str, message: str) -> None:
    written(corpus, text)
    with pytest.raises(UserError) as caught:
        load_config(corpus, None)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_errors_elsewhere(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="no such file"):
        load_config(corpus, tmp_path / "missing.toml")
    with pytest.raises(UserError, match=r"--fail-on: 'sometimes' is not one of never, high"):
        Config().with_scan(fail_on="sometimes")
    monkeypatch.setenv("AUDIT_MAX_SKIPPED", "many")
    with pytest.raises(UserError, match=r"^AUDIT_MAX_SKIPPED: should be a valid integer"):
        load_config(corpus, None)
    monkeypatch.delenv("AUDIT_MAX_SKIPPED")
    written(corpus, "[tool.audit]\nruel = 1\n", "pyproject.toml")
    with pytest.raises(UserError, match=r"^pyproject.toml: tool.audit.ruel: unknown key; did you mean 'rule'\?$"):
        load_config(corpus, None)


def test_hash_is_of_the_effective_configuration(corpus: Path) -> None:
    written(corpus, FULL)
    one = load_config(corpus, None)
    blocks = FULL.split("\n[[")
    collection = blocks[1].splitlines()
    written(corpus, "\n[[".join([blocks[0], "\n".join([collection[0], *reversed(collection[1:])]), *blocks[2:]]))
    assert load_config(corpus, None).sha256 == one.sha256
    assert one.with_scan(out="elsewhere").sha256 == one.sha256
    assert one.with_scan(encoder="static").sha256 != one.sha256
    written(corpus, FULL.replace("primary", "tertiary"))
    assert load_config(corpus, None).sha256 != one.sha256


@pytest.mark.parametrize(
    ("glob", "doc_id", "fits"),
    [
        ("policies/**", "policies/a.md", True),
        ("policies/**", "policies/a/b.md", True),
        ("policies/**", "old/policies/a.md", False),
        ("policies/*", "policies/a/b.md", False),
        ("**/a.md", "a.md", True),
        ("a/*.md", "a/b.md", True),
        ("exports/*.jsonl", "exports/x.jsonl#1/2", True),
        ("a.zip", "a.zip!/x/y.md", True),
        ("c#/*.md", "c%23/x.md", True),
        ("a?.md", "ab.md", True),
    ],
)
def test_globs(glob: str, doc_id: str, fits: bool) -> None:
    assert match_document(glob, doc_id) is fits
