"""The README and its neighbours say what is so."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

import auditor.compare
from auditor.cli import app
from auditor.config import (
    Collection,
    Config,
    HistorySettings,
    Limits,
    OwnerRule,
    ProvenanceSettings,
    RecordSettings,
    ReportSettings,
    ScanSettings,
    load_config,
)
from auditor.detect import reasons
from auditor.evaluation.gold import read_gold
from auditor.format import FORMATS
from auditor.format.words import CATEGORIES, RULES, TIERS
from auditor.pair import judge_pair
from auditor.ports import Detector
from auditor.registry import detectors
from auditor.rulepack import RulePack

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
HOW_TO = (ROOT / "docs" / "adding-a-detector.md").read_text(encoding="utf-8")
CI = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
MARKER = "<!-- test command -->"
OTHERS_FLAGS = {"--index-url", "--no-index", "--find-links", "--local-dir"}  # of pip and hf
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def commands(command: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """ "scan", "rules list", ... with their commands."""
    subcommands = getattr(command, "commands", {})
    if not subcommands:
        yield name, command
    for word, child in subcommands.items():
        yield from commands(child, f"{name} {word}".strip())


PROGRAM = typer.main.get_command(app)
COMMANDS = dict(commands(PROGRAM))


def flags(command: Any) -> set[str]:
    names = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    return {name for name in names if name.startswith("-")} - {"-h", "--help"}


def long_flags(command: Any) -> set[str]:
    return {name for name in flags(command) if name.startswith("--")}


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def section(heading: str, text: str = README) -> str:
    """From a heading to the next one."""
    found = re.search(rf"^#+ {re.escape(heading)}[^\n]*\n(.*?)(?=^#+ |\Z)", text, re.M | re.S)
    assert found, heading
    return found[1]


def marked_command() -> str:
    """The block after the marker."""
    before, after = README.split(MARKER)
    assert before.endswith("\n")
    return blocks("sh", after)[0].strip()


# -- the two commands and CI -------------------------------------------------------------------------------------------------------


def test_the_test_command_is_marked_once_and_stands_right_below() -> None:
    assert README.count(MARKER) == 1
    assert f"{MARKER}\n```sh\npython3 -m venv .venv && " in README
    assert "pytest" in marked_command()
    assert "\n" not in marked_command()


def test_ci_runs_the_test_command() -> None:
    if shutil.which("bash") is None or shutil.which("awk") is None:
        pytest.skip("no bash or awk here")
    (extraction,) = re.findall(r"^command=\$\((.*)\)$", CI, re.M)
    found = subprocess.run(["bash", "-c", extraction], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == marked_command()
    assert 'bash -euo pipefail -c "$command"' in CI


@pytest.mark.parametrize(
    ("command", "expected"), [("echo '1 passed'", 0), ("false && echo '1 failed'", 1), ("(echo '1 failed'; exit 3)", 3)]
)
def test_ci_fails_when_the_command_fails(command: str, expected: int, tmp_path: Path) -> None:
    """The script on another README, in a folder that holds nothing else."""
    if shutil.which("bash") is None or shutil.which("awk") is None:
        pytest.skip("no bash or awk here")
    (tmp_path / ".ci").mkdir()
    # What it does about a browser is not wanted here.
    script = re.sub(r"^if ! command -v chromium.*?^fi$", "", CI, flags=re.M | re.S)
    (tmp_path / ".ci" / "run").write_text(script, encoding="utf-8")
    (tmp_path / "README.md").write_text(f"{MARKER}\n```sh\n{command}\n```\n", encoding="utf-8")
    done = subprocess.run(["bash", ".ci/run"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == expected, done.stderr
    if expected != 1:
        assert re.fullmatch(r"1 (passed|failed)", done.stdout.splitlines()[-1])
    (tmp_path / "README.md").write_text("Nothing is marked here.\n", encoding="utf-8")
    assert subprocess.run(["bash", ".ci/run"], cwd=tmp_path, capture_output=True, check=False).returncode == 1


def test_both_commands_install_what_is_pinned() -> None:
    first, second = blocks("sh")[:2]
    assert "pip install -c constraints.txt ." in first
    assert "audit scan sample_corpus" in first
    assert "pip install -c constraints.txt '.[test]'" in second


def test_every_requirement_is_pinned() -> None:
    lines = [line for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    pins = {}
    for line in lines:
        found = re.fullmatch(r"([a-z0-9-]+)==(\d[\w.]*)(?: ; sys_platform == '\w+')?", line)
        assert found, line
        assert found[1] not in pins, line
        pins[found[1]] = found[2]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    names = {re.split(r"[^A-Za-z0-9._-]", requirement)[0].lower().replace("_", "-") for requirement in wanted}
    assert names <= set(pins)
    assert f"torch=={pins['torch']}" in README


# -- commands, options, words ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_stands_in_the_readme_with_all_its_options(name: str) -> None:
    assert f"`audit {name}" in README
    group, _, sub = name.partition(" ")
    text = section(f"`audit {group}")
    if sub:
        (text,) = re.findall(rf"^\| `audit {re.escape(name)}[^\n]*", text, re.M)
    mentioned = set(FLAG.findall(text)) | set(re.findall(r"`(-[a-z])`", text))
    assert flags(COMMANDS[name]) <= mentioned
    # With --pairs and the like, a description may also name another option of the same command, but none that does not exist.
    assert mentioned <= flags(COMMANDS[name])


def test_every_option_in_the_readme_exists() -> None:
    known = set().union(*(long_flags(command) for command in COMMANDS.values()), {"--help", "--version"})
    assert set(FLAG.findall(README)) - known <= OTHERS_FLAGS


def example_lines() -> list[str]:
    lines = [
        line
        for text in (README, HOW_TO)
        for language in ("sh", "yaml")
        for block in blocks(language, text)
        for line in block.splitlines()
    ]
    found = [re.search(r"(?:^|[\s/])audit (?=[a-z])(.*)$", line) for line in lines]
    return sorted({match[1] for match in found if match})


@pytest.mark.parametrize("line", example_lines())
def test_every_example_is_a_command_line(line: str) -> None:
    words = shlex.split(line, comments=True)
    name = next(name for name in COMMANDS if words[: len(name.split())] == name.split())
    command = COMMANDS[name]
    arguments = words[len(name.split()) :]
    assert {word for word in arguments if word.startswith("-")} <= flags(command)
    command.make_context(name, arguments, resilient_parsing=False).close()


def test_tiers_categories_rules_and_files_are_explained() -> None:
    text = section("Reading the report")
    for word in (*TIERS, *CATEGORIES, *RULES, *(form.filename for form in FORMATS)):
        assert f"`{word}`" in text, word


def test_links_and_pictures_lead_somewhere() -> None:
    for name in ("README.md", "docs/adding-a-detector.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        found = re.findall(r"\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\"", text)
        for target in ("".join(pair) for pair in found):
            if target.startswith("#"):
                anchors = {
                    re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-")
                    for title in re.findall(r"^#+ (.*)$", text, re.M)
                }
                assert target[1:] in anchors, target
            elif not target.startswith("https://"):
                assert (ROOT / name).parent.joinpath(target).exists(), target


def test_pictures_are_pictures() -> None:
    for name in ("report.png", "report-dark.png", "report-phone.png", "finding.png", "owners.png", "owners-phone.png"):
        data = (ROOT / "docs" / "images" / name).read_bytes()
        assert data.startswith(b"\x89PNG\r\n")
        assert len(data) < 600_000, f"{name} is larger than a README should be"
        assert name in README


# -- examples ----------------------------------------------------------------------------------------------------------------------


def test_the_configuration_is_valid_and_complete(tmp_path: Path) -> None:
    (text,) = blocks("toml")
    (tmp_path / "audit.toml").write_text(text, encoding="utf-8")
    config = load_config(tmp_path)
    assert [c.tier for c in config.collection] == ["primary", "tertiary", "archive"]
    for key in ScanSettings.model_fields:
        assert re.search(rf"^{key} = |`{key}`", section("Configuration"), re.M), key
    tables = (Collection, OwnerRule, HistorySettings, ProvenanceSettings, RecordSettings, ReportSettings, Limits)
    for name in (*Config.model_fields, *(key for table in tables for key in table.model_fields)):
        assert re.search(rf"^\[+{name}\]|(?:^|# or: ){name} = ", text, re.M), name


def test_the_gold_is_valid(tmp_path: Path) -> None:
    (text,) = blocks("json")
    path = tmp_path / "gold.jsonl"
    path.write_text(text, encoding="utf-8")
    gold = read_gold(path)
    assert [pair.contradiction for pair in gold.pairs] == [True, False]
    first = json.loads(text.splitlines()[0])
    assert f"`{first['rule']}`" in README


def test_the_detector_of_the_manual_does_what_its_docstring_says(monkeypatch: pytest.MonkeyPatch) -> None:
    source, line = blocks("python", HOW_TO)
    names: dict[str, object] = {"__name__": "address"}
    exec(compile(source, "docs/adding-a-detector.md", "exec"), names)
    added: Detector = eval(line.strip().rstrip(","), names)

    def more(rules: RulePack) -> tuple[Detector, ...]:
        return (*detectors(rules), added)

    monkeypatch.setattr(auditor.compare, "detectors", more)
    fires, quiet = re.findall(r"^(?:Fires|Must not fire): \"(.*?)\" / \"(.*?)\"", source, re.M)
    (finding,), _ = judge_pair(*fires, wording=False)
    assert finding.detectors == (added.id,)
    assert finding.kind == added.kind
    found, rejections = judge_pair(*quiet, wording=False)
    assert found == []
    assert [(r.detector, r.reason) for r in rejections] == [(added.id, reasons.EQUAL)]
