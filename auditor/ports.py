"""The seams of the auditor: what a loader, encoder, detector, output format and verifier have to offer.

An implementation is one file and one line in `registry.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from auditor.load.config import LoadConfig
    from auditor.model import Fact, Parsed, ScanResult, Statement


class LoadError(Exception):
    """A document cannot be read; the message is the reason shown to the user. The scan goes on without it."""


class TimeLimit(BaseException):
    """Reading a document took too long. Not an `Exception`, so that no parser takes it for a mistake of its own and goes on."""


class NotADocument(Exception):
    """A file that holds nothing to audit (a configuration in JSON): it is left out without a word."""


class Loader(Protocol):
    """Turns the bytes of one document into text and blocks."""

    id: str

    def accepts(self, name: str, head: bytes) -> bool:
        """Whether this loader reads a file with this lower-case name and these first 4 KiB.

        The name ends as the content tells (`load/kinds.py`): a PDF that is called `report.txt` comes as `report.txt.pdf`.
        """
        ...

    def load(self, data: bytes, name: str) -> Parsed:
        """Parse the file. Raises `LoadError` with a reason a user understands."""
        ...


@dataclass(frozen=True, slots=True)
class Member:
    """A document inside a file of several: a record of an export, a file of an archive, a message or its attachment.

    `part` is appended to the id of the file: `#42` for a record, `!/inner/report.pdf` for a file, "" for the document that the file
    itself is (a message, beside its attachments). `name` decides which loader reads `data`. `fields` are what the container knows
    of it, under the names that `load/meta.py` reads ("title", "author", "date", "updated", "owner"); what the document states
    itself takes precedence.
    """

    part: str
    name: str
    data: bytes
    title: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    format: str = ""  # "" is the format of the loader
    lines: bool = True  # whether the lines of `data` are lines that a reader of the file can count


@dataclass(frozen=True, slots=True)
class Unread:
    """A member that cannot be read, and why."""

    part: str
    reason: str
    format: str = ""


class Container(Protocol):
    """Takes a file of several documents apart."""

    id: str

    def accepts(self, name: str, head: bytes) -> bool:
        """As `Loader.accepts`; containers are asked before loaders."""
        ...

    def members(self, file: BinaryIO, name: str, config: LoadConfig) -> Iterator[Member | Unread]:
        """The documents in it, in a fixed order. `file` stands at its beginning and can seek.

        One member larger than `config.max_bytes` is `Unread`, and nothing larger is unpacked. Raises `LoadError` when the file as
        a whole is broken, `NotADocument` when it holds nothing to audit.
        """
        ...


class Encoder(Protocol):
    """Maps texts to unit vectors.

    An encoder with an attribute `alone` that is true gives a text the same vector, bit by bit, whatever texts are encoded with it; only
    then are vectors kept from scan to scan.
    """

    id: str

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension), rows of length 1 (a row of zeros for a text without known tokens)."""
        ...

    def hashes(self) -> dict[str, str]:
        """Model file name → sha256, for `run.json`."""
        ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a detector says about two facts.

    `conflict` false is an explicit non-finding and `reason` one of the words of `detect/reasons.py`; `detail` is readable. For a
    conflict `differs` names what differs ("value", "basis", "unit") and `strength` in [0, 1] says how clear-cut the value relation is.
    """

    conflict: bool
    reason: str
    detail: str = ""
    differs: str = "value"
    strength: float = 1.0
    features: dict[str, float] = field(default_factory=dict)


class Detector(Protocol):
    """Owns the comparison of one family of facts and the keys that block it. Never renders."""

    id: str
    kind: str  # the conflict kind it reports

    def handles(self, fact: Fact) -> bool:
        """Whether facts of this sort are compared here."""
        ...

    def keys(self, fact: Fact) -> Iterable[str]:
        """Blocking keys: two facts that share one are worth comparing."""
        ...

    def comparable(self, fact: Fact) -> str:
        """Class of the fact: only facts of one class are compared."""
        ...

    def compare(self, a: Fact, b: Fact, sa: Statement, sb: Statement) -> Verdict:
        """Compare the values of two facts it handles; scope and topic are judged elsewhere."""
        ...


class Format(Protocol):
    """Writes one output file."""

    id: str
    filename: str

    def write(self, result: ScanResult, path: Path) -> None:
        """Write to `path` (a temporary name; the caller renames it into place)."""
        ...


class Verifier(Protocol):
    """A model that reads two statements and gives probabilities."""

    id: str

    def contradiction(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Shape (len(pairs), 2): probability of contradiction read forwards and backwards."""
        ...

    def hashes(self) -> dict[str, str]:
        """Model file name → sha256."""
        ...
