"""The load stage: from a folder to documents.

Adding a format is one module with a loader class (see `auditor.ports.Loader`) and one line in `LOADERS`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import cast

from auditor.load import history, language, meta
from auditor.load.config import Collection, LoadConfig
from auditor.load.discover import Found, discover
from auditor.model import BlockKind, Document, Parsed, Skipped
from auditor.ports import Loader, LoadError

LOADERS: tuple[str, ...] = (
    "auditor.load.markdown:MarkdownLoader",
    "auditor.load.html:HtmlLoader",
    "auditor.load.rst:RstLoader",
    "auditor.load.plain:PlainLoader",
)
"""Loaders by module and class, imported when first needed. The first that accepts a file reads it."""

_HEAD = 4096

Progress = Callable[[int, int], None]


def load_corpus(
    root: Path, *, config: LoadConfig | None = None, progress: Progress | None = None
) -> tuple[list[Document], list[Skipped]]:
    """Read all documents below `root`, sorted by id.

    Files that look like documents and cannot be read come back as `Skipped` with a reason; nothing a file holds raises an
    exception.
    """
    config = config or LoadConfig()
    found = discover(root, config)
    old_folders = history.superseded_folders(identity for identity, _ in found.files)
    documents: list[Document] = []
    skipped = list(found.skipped)
    for done, (identity, path) in enumerate(found.files, start=1):
        outcome = _load_file(identity, path, config, old_folders)
        if isinstance(outcome, Document):
            documents.append(outcome)
        elif outcome is not None:
            skipped.append(outcome)
        if progress:
            progress(done, len(found.files))
    documents.sort(key=lambda document: document.doc_id)
    skipped.sort(key=lambda entry: entry.doc_id)
    return documents, skipped


def load_bytes(
    data: bytes, doc_id: str, *, config: LoadConfig | None = None, old_folders: frozenset[str] = frozenset()
) -> Document:
    """The document made of one file's bytes. Raises `LoadError` when no loader reads it."""
    config = config or LoadConfig()
    if not data.strip():
        raise LoadError("empty")
    loader = loader_for(doc_id, data[:_HEAD])
    if loader is None:
        raise LoadError("no loader reads this file")
    return _document(loader.load(data, doc_id.lower()), data, doc_id, config, old_folders)


def loader_for(name: str, head: bytes) -> Loader | None:
    """The loader that reads a file with this name and these first bytes."""
    name = name.lower()
    return next((loader for loader in map(_loader, LOADERS) if loader.accepts(name, head)), None)


@cache
def _loader(spec: str) -> Loader:
    module, _, name = spec.partition(":")
    return cast("Loader", getattr(import_module(module), name)())


def _load_file(identity: str, path: Path, config: LoadConfig, old_folders: frozenset[str]) -> Document | Skipped | None:
    """A document, why there is none, or None for files that are no documents."""
    extension = path.suffix.lstrip(".").lower()
    if not _is_utf8(identity):
        return Skipped(identity.encode("utf-8", "backslashreplace").decode(), "the file name is not valid UTF-8", "")
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
            if loader_for(identity, head) is None:
                return None
            data = head + file.read(config.max_bytes + 1 - len(head))
        if len(data) > config.max_bytes:
            return Skipped(identity, "larger than the limit", extension)
        return load_bytes(data, identity, config=config, old_folders=old_folders)
    except LoadError as error:
        return Skipped(identity, str(error), extension)
    except OSError as error:
        return Skipped(identity, f"cannot be read: {error.strerror or error}", extension)
    except (MemoryError, RecursionError) as error:
        return Skipped(identity, f"too deep or too large to read ({type(error).__name__})", extension)
    except Exception as error:  # a loader's mistake about one file is no reason to lose the others
        return Skipped(identity, f"the loader failed: {type(error).__name__}: {error}", extension)


def _is_utf8(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _document(parsed: Parsed, data: bytes, doc_id: str, config: LoadConfig, old_folders: frozenset[str]) -> Document:
    collection = config.collection(doc_id) or Collection(paths=())
    code = language.detect(parsed.text)
    stated = meta.read(parsed, code)
    title = parsed.title or _first_heading(parsed) or _readable(doc_id)
    return Document(
        doc_id=doc_id,
        title=title,
        format=parsed.format,
        text=parsed.text,
        blocks=parsed.blocks,
        line_map=parsed.line_map,
        sha256=hashlib.sha256(data).hexdigest(),
        owner=collection.owner or stated.owner,
        tier=collection.tier,
        published=stated.published,
        effective=stated.effective,
        language=code,
        scope=collection.scope,
        url=collection.url,
        history=history.is_history(doc_id, title, stated.status, collection.tier, old_folders),
        fields=dict(parsed.fields) | ({"status": stated.status} if stated.status else {}),
    )


def _first_heading(parsed: Parsed) -> str:
    """The first heading of the highest of the levels 1 and 2, else the first heading of all."""
    headings = [block for block in parsed.blocks if block.kind is BlockKind.HEADING]
    for level in (1, 2):
        for block in headings:
            if block.level == level:
                return block.text
    return headings[0].text if headings else ""


def _readable(doc_id: str) -> str:
    """A title made of the file name; an index page is called by its folder."""
    *folders, name = doc_id.split("/")
    stem = name.rsplit(".", 1)[0] or name
    if stem.lower() in {"index", "readme", "_index"} and folders:
        stem = folders[-1]
    words = " ".join(stem.replace("_", " ").replace("-", " ").split())
    return words[:1].upper() + words[1:]


__all__ = ["LOADERS", "Collection", "Found", "LoadConfig", "load_bytes", "load_corpus", "loader_for"]
