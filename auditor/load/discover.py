"""Finds the files of a corpus that are documents, in a fixed order."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from auditor.load import kinds
from auditor.load.config import LoadConfig
from auditor.model import Skipped

_SKIPPED_FOLDERS = frozenset(
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
_CONFIGURATION = frozenset({"audit.toml"})


@dataclass(slots=True)
class Found:
    """The outcome of a walk: files to try, files that look like documents and cannot be read, and how many are of no concern."""

    files: list[tuple[str, Path]] = field(default_factory=list)  # document id, path
    skipped: list[Skipped] = field(default_factory=list)
    ignored: int = 0  # code, data, images, …


def escaped(path: str) -> str:
    """A POSIX path as document id: `#` and `!` separate parts of an id, so they are percent-escaped in names."""
    return path.replace("%", "%25").replace("#", "%23").replace("!", "%21")


def discover(root: Path, config: LoadConfig) -> Found:
    """Walk the corpus in sorted order. Nothing outside of `root` is touched."""
    found = Found()
    real_root = os.path.realpath(root)
    for relative, path in _walk(root, found, real_root):
        if not config.wants(relative) or relative.rpartition("/")[2] in _CONFIGURATION:
            found.ignored += 1
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
        elif extension in kinds.UNREAD:
            found.skipped.append(
                Skipped(identity, f"{kinds.UNREAD[extension]} in a format that is not read: .{extension}", extension)
            )
        else:
            found.files.append((identity, path))
    return found


def _walk(root: Path, found: Found, real_root: str) -> Iterator[tuple[str, Path]]:
    """Files below `root` with their POSIX paths. Links are followed only within the corpus and only to files."""
    folders: list[tuple[str, Path]] = [("", root)]
    while folders:
        prefix, folder = folders.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            found.skipped.append(Skipped(escaped(prefix.rstrip("/")) or ".", f"cannot be read: {error.strerror or error}"))
            continue
        below: list[tuple[str, Path]] = []
        for entry in entries:
            relative = prefix + entry.name
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
                if entry.name not in _SKIPPED_FOLDERS:
                    below.append((relative + "/", Path(entry.path)))
            else:
                yield relative, Path(entry.path)
        folders.extend(reversed(below))
