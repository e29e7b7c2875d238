"""The files to copy under docs/ci: they parse, and their command lines are ones."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from auditor.cli import app
from auditor.format.choice import EXTRA, chosen

FOLDER = Path(__file__).parent.parent / "docs" / "ci"
PROGRAM: Any = typer.main.get_command(app)
YAML = ("github-actions.yml", "gitlab-ci.yml", "pre-commit-config.yaml")


def parsed(name: str) -> Any:
    return yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from value.splitlines()
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts(part)


def command_lines() -> list[tuple[str, str]]:
    lines = [(name, line) for name in YAML for line in texts(parsed(name))]
    lines += [("crontab", line) for line in (FOLDER / "crontab").read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    found = ((name, re.search(r"(?:^|[/\s])audit (?=[a-z])(.*?)(?: (?:\|\||&&|>).*)?$", line)) for name, line in lines)
    return [(name, match[1]) for name, match in found if match]


@pytest.mark.parametrize(("name", "line"), command_lines())
def test_every_command_line_is_accepted(name: str, line: str) -> None:
    word, *arguments = shlex.split(line)
    command = PROGRAM.commands[word]
    with command.make_context(word, arguments) as context:
        assert str(context.params["corpus"])
        assert context.params["out"] is not None, "the next step has to know where the files are"


def test_every_file_has_one() -> None:
    assert {name for name, _ in command_lines()} == {*YAML, "crontab"}
    assert {path.name for path in FOLDER.iterdir()} == {*YAML, "crontab", "README.md"}


def test_a_wrong_command_line_is_refused() -> None:
    import click

    with pytest.raises((click.UsageError, Exception), match="sarifx"):
        PROGRAM.commands["scan"].make_context("scan", ["docs", "--format", "sarifx"])


@pytest.mark.parametrize("name", YAML)
def test_files_that_a_job_uses_are_written_by_it(name: str) -> None:
    formats = {word for _, line in command_lines() if _ == name for word in re.findall(r"--format (\w+)", line)}
    written = {form.filename for form in chosen(formats, "", EXTRA)}
    used = {match for text in texts(parsed(name)) for match in re.findall(r"audit-out/([\w.-]+)", text)}
    assert used <= written
    assert written <= used


def test_the_workflow_may_upload_and_says_so() -> None:
    workflow = parsed("github-actions.yml")
    assert workflow["permissions"] == {"contents": "read", "security-events": "write"}
    steps = workflow["jobs"]["audit"]["steps"]
    after = steps[next(n for n, step in enumerate(steps) if step.get("name") == "Scan") + 1 :]
    assert after
    assert all(step["if"] == "${{ !cancelled() }}" for step in after), "the findings are shown also when they fail the job"


def test_the_job_keeps_its_reports_when_it_fails() -> None:
    artifacts = parsed("gitlab-ci.yml")["contradictions"]["artifacts"]
    assert artifacts["when"] == "always"
    assert artifacts["reports"] == {"codequality": "audit-out/gl-code-quality-report.json", "junit": "audit-out/junit.xml"}


def test_the_jobs_keep_the_cache_between_runs_also_when_they_fail() -> None:
    lines = dict(command_lines())
    named = {name: re.findall(r"--cache (\S+)", lines[name]) for name in ("github-actions.yml", "gitlab-ci.yml")}
    steps = parsed("github-actions.yml")["jobs"]["audit"]["steps"]
    uses = [str(step.get("uses", step.get("name"))) for step in steps]
    restore, scan, save = (next(n for n, use in enumerate(uses) if word in use) for word in ("cache/restore", "Scan", "cache/save"))
    assert restore < scan < save
    assert [steps[n]["with"]["path"] for n in (restore, save)] == named["github-actions.yml"] * 2
    assert steps[restore]["with"]["key"] == steps[save]["with"]["key"]
    assert steps[restore]["with"]["key"].startswith(steps[restore]["with"]["restore-keys"])
    kept = parsed("gitlab-ci.yml")["contradictions"]["cache"]
    assert [path.rstrip("/") for path in kept["paths"]] == named["gitlab-ci.yml"]
    assert kept["when"] == "always"


def test_the_hook_reads_all_documents() -> None:
    (hook,) = parsed("pre-commit-config.yaml")["repos"][0]["hooks"]
    assert hook["pass_filenames"] is False
    assert re.match(hook["files"], "docs/faq.md")


def test_the_cron_line_has_five_fields_and_no_percent_sign() -> None:
    (line,) = [
        line for line in (FOLDER / "crontab").read_text(encoding="utf-8").splitlines() if " audit" in line or "/audit " in line
    ]
    minute, hour, day, month, weekday = line.split()[:5]
    assert (int(minute), int(hour), day, month, int(weekday)) == (17, 4, "*", "*", 1)
    assert "%" not in line, "cron ends the command there"
