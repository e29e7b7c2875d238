"""What the load stage is told: which files, and what holds for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from auditor.load.ignore import joined, starred

MEBIBYTE = 1 << 20
_GLOB_LENGTH = 1000
_ALTERNATIVES = 256  # that braces stand for
_WILDCARDS = 3  # in a glob with `**` within a name


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


@lru_cache(maxsize=4096)
def _compiled(glob: str) -> re.Pattern[str]:
    """`**` is any number of folders, `*` and `?` stay within one name, `{a,b}` and `[abc]` work as in a shell.

    A glob without a slash matches a name in any folder; one that names a folder (`policies/`) matches all below it. The time for a
    match is bounded whatever the glob. Raises `re.error` for one that cannot be used.
    """
    if len(glob) > _GLOB_LENGTH:
        raise re.error("longer than the limit")
    glob = glob.removeprefix("./")
    if glob.endswith("/"):
        glob += "**"
    prefix = "" if "/" in glob else "(?:[^/]+/)*"
    return re.compile(f"{prefix}(?:{'|'.join(map(_expression, _alternatives(glob)))})", re.DOTALL)


def _alternatives(glob: str) -> list[str]:
    """The globs without braces that one with braces stands for."""
    found: list[str] = []
    waiting = [glob]
    while waiting:
        current = waiting.pop()
        cuts = _braces(current)
        if cuts:
            head, tail = current[: cuts[0]], current[cuts[-1] + 1 :]
            waiting += [head + current[a + 1 : b] + tail for a, b in pairwise(cuts)]
        else:
            found.append(current)
        if len(found) + len(waiting) > _ALTERNATIVES:
            raise re.error("too many alternatives in braces")
    return found


def _braces(glob: str) -> list[int]:
    """Where the first pair of braces begins, is parted by commas, and ends; empty if there is none."""
    cuts: list[int] = []
    i = depth = 0
    while i < len(glob):
        if glob[i] == "[" and (end := glob.find("]", i + 2)) > 0:
            i = end
        elif glob[i] == "{" and (depth or "}" in glob[i:]):
            depth += 1
            if depth == 1:
                cuts.append(i)
        elif glob[i] == "," and depth == 1:
            cuts.append(i)
        elif glob[i] == "}" and depth:
            depth -= 1
            if not depth:
                return [*cuts, i]
        i += 1
    if depth:
        raise re.error("a brace without end")
    return []


def _expression(glob: str) -> str:
    """The regular expression for a glob without braces."""
    segments = glob.split("/")
    if not any("**" in segment and segment != "**" for segment in segments):
        runs: list[list[str]] = [[]]
        for segment in segments:
            if segment == "**":
                runs.append([])
            else:
                runs[-1].append(starred(_pieces(segment)))
        return joined(runs)
    pieces = glob.split("**")  # `**` within a name: here a match may go back, so that there must not be many places to go back to
    if len(pieces) + sum(piece.count("*") for piece in pieces) > _WILDCARDS + 1:
        raise re.error("too many wildcards beside ** within a name")
    return ".*".join("[^/]*".join(_pieces(piece)) for piece in pieces)


def _pieces(segment: str) -> list[str]:
    """Regular expressions for what stands between the stars."""
    pieces = [""]
    i = 0
    while i < len(segment):
        character = segment[i]
        if character == "*":
            pieces.append("")
        elif character == "?":
            pieces[-1] += "[^/]"
        elif character == "[" and (end := segment.find("]", i + 2)) > 0:
            negated = segment[i + 1] in "!^"
            body = re.sub(r"[^-]|(?<=-)-", lambda match: re.escape(match[0]), segment[i + 1 + negated : end])
            pieces[-1] += f"[^/{body}]" if negated else f"(?!/)[{body}]"
            i = end
        else:
            pieces[-1] += re.escape(character)
        i += 1
    return pieces
