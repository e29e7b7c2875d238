"""Which documents are history: changelogs, release notes, minutes, news, archives, and versions with a newer sibling.

History is a container, not a date: what a changelog said in 2019 was true then, and is not held against what holds now. These are
defaults: the globs under `[history]` in the configuration count before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_FILE = re.compile(
    r"(?:change[-_ ]?log|changes|history|release[-_ ]?notes?|releases|news|minutes|meeting[-_ ]?(?:notes|minutes)|"
    r"what'?s[-_ ]?new|whatsnew)(?:[-_ .]?v?\d[\w.-]*)?"
    r"|(?:change[-_ ]?log|release[-_ ]?notes?|minutes|meeting[-_ ]?notes)[-_ .].*"
    r"|.*[-_ .](?:change[-_ ]?log|release[-_ ]?notes?|minutes)",
    re.IGNORECASE,
)
_FOLDER = re.compile(
    r"_?(?:release[-_ ]?notes?|releases|change[-_ ]?logs?|minutes|meetings|meeting[-_ ]notes|archived?|archives|old|legacy|blogs?|"
    r"posts|news|whatsnew|versioned_docs|versioned_sidebars|history)",
    re.IGNORECASE,
)
_TITLE = re.compile(
    r"(?:(?:the\s+)?change\s?log|release notes?|(?:release|version|revision) history|"
    r"minutes (?:of|for|from)\b.*|meeting (?:minutes|notes)\b.*|"
    r".*\b(?:meeting minutes|release notes|change\s?log)|what['’]?s new\b.*)(?:\s*[-–—:(]?\s*v?\d.*)?",
    re.IGNORECASE,
)
_VERSION = re.compile(r"v?(\d{1,4}(?:\.\d{1,4}){0,3})(?:\.x)?", re.IGNORECASE)
_STATUS = frozenset({"superseded", "archived", "obsolete"})


def is_history(path: str, title: str, status: str | None, tier: str, old_folders: frozenset[str] = frozenset()) -> bool:
    """Whether a document is history, by its POSIX path, title, status, tier and the version folders that have a newer sibling."""
    if tier == "archive" or status in _STATUS:
        return True
    *folders, name = path.split("/")
    stem = name.rsplit(".", 1)[0] if "." in name[1:] else name
    if _FILE.fullmatch(stem) or any(_FOLDER.fullmatch(folder) for folder in folders):
        return True
    if _TITLE.fullmatch(title.strip()):
        return True
    return any("/".join(folders[: i + 1]) in old_folders for i in range(len(folders)))


def superseded_folders(paths: Iterable[str]) -> frozenset[str]:
    """Version folders (`v1/`, `1.x/`, `version-2.0/`) beside which a folder with a higher version stands."""
    versions: dict[str, dict[tuple[int, ...], str]] = {}
    for path in paths:
        folders = path.split("/")[:-1]
        for i, folder in enumerate(folders):
            match = _VERSION.fullmatch(folder.removeprefix("version-"))
            if match and (folder[0] in "vV" or "." in folder):
                number = tuple(int(part) for part in match[1].split("."))
                versions.setdefault("/".join(folders[:i]), {})[number] = "/".join(folders[: i + 1])
    old: set[str] = set()
    for siblings in versions.values():
        newest = max(siblings)
        old.update(folder for number, folder in siblings.items() if number != newest)
    return frozenset(old)
