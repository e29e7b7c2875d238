"""The load stage: from a folder to documents.

Adding a format is one module with a loader (or a container of several documents, see `auditor.ports`) and one line in
`load/table.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from auditor.load import history, owners
from auditor.load.config import Collection, LoadConfig
from auditor.load.discover import Found, discover
from auditor.load.read import Reading, read_bytes, read_file
from auditor.load.table import CONTAINERS, LOADERS, container_for, loader_for
from auditor.model import Document, Skipped
from auditor.ports import LoadError, NotADocument

Progress = Callable[[int, int], None]


def load_corpus(
    root: Path,
    *,
    config: LoadConfig | None = None,
    progress: Progress | None = None,
    on_found: Callable[[Found], None] | None = None,
) -> tuple[list[Document], list[Skipped]]:
    """Read all documents below `root`, sorted by id.

    Files that look like documents and cannot be read come back as `Skipped` with a reason; nothing a file holds raises an
    exception. `on_found` is told how the search for files went.
    """
    config = config or LoadConfig()
    found = discover(root, config)
    reading = Reading(config, history.superseded_folders(identity for identity, _ in found.files))
    documents: list[Document] = []
    skipped = list(found.skipped)
    for done, (identity, path) in enumerate(found.files, start=1):
        for outcome in read_file(identity, path, reading):
            if isinstance(outcome, Document):
                documents.append(outcome)
            else:
                skipped.append(outcome)
        if progress:
            progress(done, len(found.files))
    documents = owners.complete(root, config, found, documents)
    if on_found:
        on_found(found)
    documents.sort(key=lambda document: document.doc_id)
    skipped.sort(key=lambda entry: entry.doc_id)
    return documents, skipped


def load_bytes(
    data: bytes, doc_id: str, *, config: LoadConfig | None = None, old_folders: frozenset[str] = frozenset()
) -> Document:
    """The document made of the bytes of one file that holds one. Raises `LoadError` when it does not or cannot be read."""
    try:
        outcomes = list(read_bytes(data, doc_id, Reading(config or LoadConfig(), old_folders)))
    except NotADocument:
        raise LoadError("no loader reads this file") from None
    documents = [outcome for outcome in outcomes if isinstance(outcome, Document)]
    if len(documents) != 1:
        raise LoadError(f"holds {len(documents)} documents, not one")
    return documents[0]


__all__ = [
    "CONTAINERS",
    "LOADERS",
    "Collection",
    "Found",
    "LoadConfig",
    "Reading",
    "container_for",
    "discover",
    "load_bytes",
    "load_corpus",
    "loader_for",
    "read_bytes",
    "read_file",
]
