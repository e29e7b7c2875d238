"""Finds the files of a corpus that are documents, in a fixed order."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path

from auditor.load import ignore, kinds, notion
from auditor.load.config import LoadConfig
from auditor.model import Skipped

SKIPPED_FOLDERS = frozenset(
    {
        ".git",
        ".hg",
        ".svn",
        "node_modules",
        "__pycache__",
        ".venv",
        ".tox",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        "audit-out",
        ".audit",
    }
)
_CONFIGURATION = frozenset({"audit.toml", ignore.NAME})
_RUN = frozenset({"run.json", "report.html", "conflicts.jsonl", "documents.parquet"})
"""Names that a folder has only if a scan wrote its report there."""
_OF_A_RUN = re.compile(
    r"(?:report|conflicts|clusters|documents|chunks|run|proposals|testset|junit|gl-code-quality-report|github-annotations|github-summary)"
    r"(?:-[\w.-]+)?\.(?:html|md|parquet|jsonl|json|csv|sarif|xml|txt|patch)"
)
"""What it writes; the name of an owner may stand behind the dash."""


@dataclass(slots=True)
class Found:
    """The outcome of a walk: files to try, files that look like documents and cannot be read, and how many were left out."""

    files: list[tuple[str, Path]] = field(default_factory=list)  # document id, path
    skipped: list[Skipped] = field(default_factory=list)
    ignored: int = 0  # files and whole folders that the configuration or `.auditignore` leaves out
    times: dict[str, date] = field(default_factory=dict)  # document id → day (UTC) on which the file was last written
    notices: list[str] = field(default_factory=list)  # what else the user has to know: a `CODEOWNERS` that cannot be read


def escaped(path: str) -> str:
    """A POSIX path as document id: `#` and `!` separate parts of an id, so they are percent-escaped in names."""
    return path.replace("%", "%25").replace("#", "%23").replace("!", "%21")


def unescaped(identity: str) -> str:
    """The path that `escaped` made this id of."""
    return identity.replace("%21", "!").replace("%23", "#").replace("%25", "%")


def discover(root: Path, config: LoadConfig) -> Found:
    """Walk the corpus in sorted order. Nothing outside of `root` is touched."""
    found = Found()
    real_root = os.path.realpath(root)
    for relative, path in _walk(root, found, real_root):
        if not config.wants(relative):
            found.ignored += 1
            continue
        if kinds.is_clutter(relative.rpartition("/")[2]):
            continue
        identity = escaped(relative)
        extension = kinds.extension(relative)
        try:
            info = os.stat(path)
        except OSError as error:
            found.skipped.append(Skipped(identity, f"cannot be read: {error.strerror or error}", extension))
            continue
        if not stat.S_ISREG(info.st_mode):
            found.skipped.append(Skipped(identity, "not a regular file", extension))
        elif reason := kinds.unread(extension):
            found.skipped.append(Skipped(identity, reason, extension))
        else:
            found.files.append((identity, path))
            if (day := _day(info.st_mtime)) is not None:
                found.times[identity] = day
    if doubled := notion.doubled(identity for identity, _ in found.files):
        found.files = [entry for entry in found.files if entry[0] not in doubled]
    return found


def _day(seconds: float) -> date | None:
    """None for a time that is no date: file systems hold nonsense."""
    try:
        return datetime.fromtimestamp(seconds, UTC).date()
    except (ValueError, OverflowError, OSError):
        return None


def _walk(root: Path, found: Found, real_root: str) -> Iterator[tuple[str, Path]]:
    """Files below `root` with their POSIX paths. Links are followed only within the corpus and only to files."""
    folders: list[tuple[str, Path, tuple[ignore.Rules, ...]]] = [("", root, ())]
    while folders:
        prefix, folder, rules = folders.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            found.skipped.append(Skipped(escaped(prefix.rstrip("/")) or ".", f"cannot be read: {error.strerror or error}"))
            continue
        if any(entry.name == ignore.NAME for entry in entries):
            rules = _with_rules(rules, prefix, folder, found)
        below: list[tuple[str, Path, tuple[ignore.Rules, ...]]] = []
        reported = {entry.name for entry in entries} >= _RUN
        for entry in entries:
            relative = prefix + entry.name
            if entry.name in _CONFIGURATION or (reported and _OF_A_RUN.fullmatch(entry.name)):
                continue
            if rules and ignore.left_out(rules, relative, folder=entry.is_dir(follow_symlinks=False)):
                found.ignored += 1
                continue
            if entry.is_symlink():
                target = os.path.realpath(entry.path)
                if os.path.commonpath([real_root, target]) != real_root:
                    found.skipped.append(Skipped(escaped(relative), "symbolic link that leaves the corpus"))
                elif os.path.isfile(target):
                    yield relative, Path(entry.path)
                elif not os.path.isdir(target):
                    found.skipped.append(Skipped(escaped(relative), "symbolic link to nothing"))
                continue  # a linked folder is read where it stands
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in SKIPPED_FOLDERS:
                    below.append((relative + "/", Path(entry.path), rules))
            else:
                yield relative, Path(entry.path)
        folders.extend(reversed(below))


def _with_rules(rules: tuple[ignore.Rules, ...], prefix: str, folder: Path, found: Found) -> tuple[ignore.Rules, ...]:
    """The rules with the `.auditignore` of this folder. That it cannot be read is said: its user counts on it."""
    try:
        return (*rules, ignore.read_rules(folder / ignore.NAME, prefix, rules))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        found.skipped.append(Skipped(escaped(prefix + ignore.NAME), f"cannot be read: {reason}"))
        return rules
