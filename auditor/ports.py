"""The seams of the auditor: what a loader, encoder, detector, output format and verifier have to offer.

An implementation is one file and one line in `registry.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from auditor.model import Fact, Parsed, ScanResult, Statement


class LoadError(Exception):
    """A document cannot be read; the message is the reason shown to the user. The scan goes on without it."""


class Loader(Protocol):
    """Turns the bytes of one file into text and blocks."""

    id: str

    def accepts(self, name: str, head: bytes) -> bool:
        """Whether this loader reads a file with this (lower-case) name and these first 4 KiB."""
        ...

    def load(self, data: bytes, name: str) -> Parsed:
        """Parse the file. Raises `LoadError` with a reason a user understands."""
        ...


class Encoder(Protocol):
    """Maps texts to unit vectors."""

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
