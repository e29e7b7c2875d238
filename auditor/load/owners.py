"""What is known about documents from outside of them: owners from `CODEOWNERS` and Git, times of files and commits.

It is added when all documents are read, because it may change while the documents do not. What a document or the configuration
says itself takes precedence, and no date from here decides anything.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from auditor.load.config import LoadConfig, container
from auditor.load.discover import Found, unescaped
from auditor.load.git_log import Commit, GitError, last_commits, work_tree
from auditor.load.ignore import owned_paths, read_small
from auditor.model import Document

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
"""Where the file may stand, the first counts; GitHub and GitLab look in the first three and last three."""

_MAX_BYTES = 3 << 20  # GitHub's own limit
_MAX_LINES = 5000
_SECTION = re.compile(r"\^?\[(?P<name>[^\]]+)\](?:\[\d+\])?(?P<owners>.*)")
_GAP = re.compile(r"(?<!\\)\s+")


@dataclass(slots=True)
class Codeowners:
    """The lines of a `CODEOWNERS` file by section (a file of GitHub has one), each with its owners."""

    sections: dict[str, list[tuple[re.Pattern[str], tuple[str, ...]]]] = field(default_factory=dict)

    def owners(self, path: str) -> tuple[str, ...]:
        """Who owns the file: of each section the last line that covers it counts, also when it names nobody."""
        found: dict[str, None] = {}
        for lines in self.sections.values():
            for covers, owners in reversed(lines):
                if covers.fullmatch(path):
                    found.update(dict.fromkeys(owners))
                    break
        return tuple(found)


def parse(text: str) -> Codeowners:
    """The content of a `CODEOWNERS` file, with the sections of GitLab. Lines that are not understood are left out."""
    found = Codeowners()
    section, defaults = "", tuple[str, ...]()
    for line in text.splitlines()[:_MAX_LINES]:
        words = _words(line)
        if not words:
            continue
        if head := _SECTION.fullmatch(" ".join(words)):
            section, defaults = head["name"].strip().lower(), tuple(head["owners"].split())
            continue
        pattern, owners = words[0], tuple(words[1:]) or defaults
        if pattern.startswith("!"):  # GitLab: nobody of this section
            pattern, owners = pattern[1:], ()
        covers = owned_paths(pattern)
        if covers is not None:
            found.sections.setdefault(section, []).append((covers, owners))
    return found


def _words(line: str) -> list[str]:
    """Words of a line up to a comment. A space in a path has a backslash in front."""
    words: list[str] = []
    for word in _GAP.split(line.strip()):
        if word.startswith("#"):
            break
        words.append(word)
    return [word for word in words if word]


def codeowners(root: Path) -> tuple[Path, str] | None:
    """The `CODEOWNERS` file that speaks of the corpus, and the path of the corpus as that file sees it.

    Of a corpus inside a Git work tree it is the file of the whole tree: that is where it is looked for by those who keep it, and its
    patterns start there. This is the only file outside of the corpus that is ever read, and a corpus cannot name another.
    """
    top, real = work_tree(root), Path(os.path.realpath(root))
    for folder in dict.fromkeys(folder for folder in (top, real) if folder is not None):
        for place in PLACES:
            path = folder / place
            if os.path.lexists(path):
                below = real.relative_to(folder).as_posix()
                return path, "" if below == "." else below + "/"
    return None


def complete(root: Path, config: LoadConfig, found: Found, documents: Sequence[Document]) -> list[Document]:
    """The documents with file times, and with owners where neither they nor the configuration name one."""
    paths = {document.doc_id: unescaped(container(document.doc_id)) for document in documents}
    named = _named(root, found) if any(not document.owner for document in documents) else None
    commits: dict[str, Commit] = {}
    if config.git:
        try:
            commits = last_commits(root, paths.values())
        except GitError as error:
            found.notices.append(f"no owner or date from Git: {error}")
    return [_completed(document, paths[document.doc_id], found, named, commits) for document in documents]


def _named(root: Path, found: Found) -> tuple[Codeowners, str] | None:
    place = codeowners(root)
    if place is None:
        return None
    path, prefix = place
    try:
        if os.path.realpath(path.parent) != str(path.parent):
            raise ValueError("its folder is a link")
        return parse(read_small(path, _MAX_BYTES)), prefix
    except (OSError, ValueError) as error:
        found.notices.append(f"CODEOWNERS cannot be read: {getattr(error, 'strerror', None) or error}")
        return None


def _completed(
    document: Document, path: str, found: Found, named: tuple[Codeowners, str] | None, commits: dict[str, Commit]
) -> Document:
    owner, source = document.owner, document.owner_source
    commit = commits.get(path)
    if not owner and named is not None and (owners := named[0].owners(named[1] + path)):
        owner, source = ", ".join(owners), "CODEOWNERS"
    if not owner and commit is not None and commit.author:
        owner, source = commit.author, "git"
    return replace(
        document,
        owner=owner,
        owner_source=source,
        file_time=found.times.get(container(document.doc_id)),
        git_date=commit.day if commit is not None else None,
    )
