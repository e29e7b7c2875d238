"""`audit report --format patch` and `--format testset`, from a scan of real files to the edited file."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from auditor.cli import app

NOTES = "# Gateway setup\n\nThe device gateway listens on port 8443 for connections of devices.\n"
GUIDE = "---\ndate: 2024-02-05\n---\n# Gateway guide\n\nThe device gateway listens on port 9443 for connections of devices.\n"


def audit(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scanned")
    corpus = folder / "corpus"
    corpus.mkdir()
    (corpus / "notes.md").write_text(NOTES)
    (corpus / "guide.md").write_text(GUIDE)
    done = audit("scan", corpus, "--out", folder / "run", "--quiet")
    assert done.exit_code == 0, done.output
    return folder


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_scanned_contradiction_is_mended_by_the_patch(scanned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = Path(shutil.copytree(scanned / "corpus", tmp_path / "corpus"))
    monkeypatch.chdir(tmp_path)  # the corpus is found by its name
    done = audit("report", scanned / "run", "--format", "patch", "--out", tmp_path)
    assert done.exit_code == 0, done.output
    subprocess.run(["git", "apply", tmp_path / "proposals.patch"], cwd=corpus, check=True)
    assert (corpus / "notes.md").read_text() == NOTES.replace("8443", "9443")
    assert (corpus / "guide.md").read_text() == GUIDE
    assert audit("scan", corpus, "--out", tmp_path / "again", "--quiet", "--fail-on", "medium").exit_code == 0


def test_cases_of_a_scan(scanned: Path, tmp_path: Path) -> None:
    done = audit("report", scanned / "run", "--format", "testset", "--out", tmp_path)
    assert done.exit_code == 0, done.output
    (case,) = (json.loads(line) for line in (tmp_path / "testset.jsonl").read_text().splitlines())
    cited = next(doc for doc in case["docs"] if [doc["id"]] == case["must_cite"])
    assert (cited["path"], cited["updated"]) == ("guide.md", "2024-02-05")


def test_mistakes_are_one_line(scanned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments, said in (
        ([], "there is no folder corpus here; name it with --corpus"),
        (["--corpus", "nowhere"], "nowhere: no such folder"),
        (["--corpus", scanned / "corpus", "--redact"], "cannot be combined with --redact"),
    ):
        done = audit("report", scanned / "run", "--format", "patch", "--out", tmp_path / "out", *arguments)
        assert done.exit_code == 2
        assert said in " ".join(done.output.split())
        assert "Traceback" not in done.output
    assert not (tmp_path / "out").exists()
