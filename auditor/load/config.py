"""What the load stage is told: which files, and what holds for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Collection:
    """A part of the corpus, by globs relative to its root, and what holds for all documents in it."""

    paths: tuple[str, ...]
    tier: str = "secondary"  # primary | secondary | tertiary | archive
    owner: str | None = None
    scope: Mapping[str, str] = field(default_factory=dict)
    url: str | None = None  # template with {path} and {line}

    def holds(self, doc_id: str) -> bool:
        """Whether the document belongs to it."""
        return holds(doc_id, self.paths)


@dataclass(frozen=True, slots=True)
class RecordFields:
    """Which fields of a record (JSON, JSON lines, Parquet) say what; "" is guessed from the usual names."""

    id: str = ""
    text: str = ""
    title: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class LoadConfig:
    """Configuration of the load stage. The first collection that holds a document wins."""

    collections: tuple[Collection, ...] = ()
    include: tuple[str, ...] = ()  # globs; empty: everything
    exclude: tuple[str, ...] = ()
    max_bytes: int = 20 * MEBIBYTE  # of one document
    max_container_bytes: int = 2048 * MEBIBYTE  # of a file of several documents, and of all that is unpacked from it
    max_members: int = 200_000  # of a file of several documents
    max_depth: int = 3  # of containers in containers
    seconds: float = 120.0  # for one document
    memory_mib: int = 2048  # for one document
    records: RecordFields = RecordFields()
    history: tuple[str, ...] = ()  # globs of documents that are history, whatever they are called
    not_history: tuple[str, ...] = ()  # and of those that are not; they count before `history`
    git: bool = False  # whether git is asked for owners and dates

    def wants(self, path: str) -> bool:
        """Whether the file at this POSIX path is to be looked at."""
        return (not self.include or matches(path, self.include)) and not matches(path, self.exclude)

    def collection(self, doc_id: str) -> Collection | None:
        """The collection of the document."""
        return next((collection for collection in self.collections if collection.holds(doc_id)), None)

    def says_history(self, doc_id: str) -> bool | None:
        """Whether the document is history, where the user says so."""
        if self.not_history and holds(doc_id, self.not_history):
            return False
        return True if self.history and holds(doc_id, self.history) else None


def container(doc_id: str) -> str:
    """The file that holds the document: everything before a record (`#`) or an archive member (`!/`)."""
    return doc_id.partition("#")[0].partition("!/")[0]


def plain(path: str) -> str:
    """A path with the two escapes of document ids undone."""
    return path.replace("%23", "#").replace("%21", "!")


def holds(doc_id: str, globs: tuple[str, ...]) -> bool:
    """Whether the document, or the file that holds it, matches one of the globs. In a glob `#` and `!` are written plainly."""
    return any(matches(path, globs) for path in dict.fromkeys((doc_id, container(doc_id), plain(container(doc_id)))))


def matches(path: str, globs: tuple[str, ...]) -> bool:
    """Whether a POSIX path matches one of the globs."""
    return any(_compiled(glob).fullmatch(path) for glob in globs)


@lru_cache(maxsize=1024)
def _compiled(glob: str) -> re.Pattern[str]:
    """`**` is any number of folders, `*` and `?` stay within one name, `{a,b}` and `[abc]` work as in a shell.

    A glob without a slash matches a name in any folder; one that names a folder (`policies/`) matches all below it.
    """
    glob = glob.removeprefix("./")
    if glob.endswith("/"):
        glob += "**"
    prefix = "" if "/" in glob else "(?:.*/)?"
    out: list[str] = []
    i = 0
    braces = 0
    while i < len(glob):
        character = glob[i]
        if glob.startswith("**/", i):
            out.append("(?:.*/)?")
            i += 3
            continue
        if glob.startswith("**", i):
            out.append(".*")
            i += 2
            continue
        if character == "*":
            out.append("[^/]*")
        elif character == "?":
            out.append("[^/]")
        elif character == "[" and (end := glob.find("]", i + 2)) > 0:
            body = glob[i + 1 : end].replace("\\", "\\\\")
            out.append(f"[{'^' + body[1:] if body[0] in '!^' else body}]")
            i = end + 1
            continue
        elif character == "{" and "}" in glob[i:]:
            out.append("(?:")
            braces += 1
        elif character == "}" and braces:
            out.append(")")
            braces -= 1
        elif character == "," and braces:
            out.append("|")
        else:
            out.append(re.escape(character))
        i += 1
    return re.compile(prefix + "".join(out), re.DOTALL)
