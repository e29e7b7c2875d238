"""From one file to its documents: what kind it is, containers taken apart, loaders, and what each document says about itself."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, TypeAlias

from auditor.load import history, kinds, language, meta, notion
from auditor.load.config import MEBIBYTE, Collection, LoadConfig
from auditor.load.table import container_for, loader_for
from auditor.model import BlockKind, Document, Parsed, Skipped
from auditor.ports import Container, LoadError, NotADocument, TimeLimit, Unread

Outcome: TypeAlias = Document | Skipped


@dataclass(frozen=True, slots=True)
class Reading:
    """What is known before a file is opened: the configuration, and the version folders that have a newer sibling."""

    config: LoadConfig
    old_folders: frozenset[str] = frozenset()

    def bearing_on(self, doc_id: str) -> bytes:
        """Identity of all that this says about the documents of one file."""
        return repr((self.config, self._superseded(doc_id))).encode("utf-8", "backslashreplace")

    def _superseded(self, doc_id: str) -> bool:
        folders = doc_id.split("/")[:-1]
        return any("/".join(folders[: i + 1]) in self.old_folders for i in range(len(folders)))


def read_file(identity: str, path: Path, reading: Reading) -> Iterator[Outcome]:
    """The documents of a file, and what could not be read of it. Nothing for a file that is no document; no exception escapes."""
    extension = kinds.extension(identity)
    if not is_utf8(identity):
        yield Skipped(identity.encode("utf-8", "backslashreplace").decode(), "the file name is not valid UTF-8", "")
        return
    try:
        with open_regular(path) as file:
            yield from _read(file, identity, identity, reading, {}, "", 0)
    except NotADocument:
        return
    except LoadError as error:
        yield Skipped(identity, str(error), extension)
    except OSError as error:
        yield Skipped(identity, f"cannot be read: {error.strerror or error}", extension)
    except (MemoryError, RecursionError) as error:
        yield Skipped(identity, f"too deep or too large to read ({type(error).__name__})", extension)
    except TimeLimit:
        yield Skipped(identity, _late(reading.config), extension)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # a loader's mistake or a library's panic is no reason to lose the others
        yield Skipped(identity, f"the loader failed: {type(error).__name__}: {error}", extension)


def open_regular(path: Path) -> BinaryIO:
    """Open a file to read it. Raises `OSError` for anything but a regular file: a pipe would wait for ever, a device has no end."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("not a regular file")
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def _late(config: LoadConfig) -> str:
    return f"took longer than the limit of {config.seconds:g} s"


def read_bytes(data: bytes, doc_id: str, reading: Reading) -> Iterator[Outcome]:
    """The same for a file in memory. Raises `LoadError` and `NotADocument` about the file as a whole."""
    yield from _read(BytesIO(data), doc_id, doc_id, reading, {}, "", 0)


def _read(
    file: BinaryIO, doc_id: str, name: str, reading: Reading, fields: Mapping[str, str], title: str, depth: int, form: str = ""
) -> Iterator[Outcome]:
    config = reading.config
    head = file.read(kinds.HEAD)
    effective = kinds.effective_name(name, head, file)
    container = container_for(effective, head)
    if container is not None and depth < config.max_depth:
        file.seek(0)
        yield from _members(container, file, doc_id, effective, reading, depth)
        return
    if container is not None:
        raise LoadError(f"more than {config.max_depth} archives in one another")
    loader = loader_for(effective, head)
    if loader is None:
        raise NotADocument(name)
    file.seek(0)
    data = file.read(config.max_bytes + 1)
    if len(data) > config.max_bytes:
        file.seek(0, 2)
        raise LoadError(f"larger than the limit: {file.tell() / MEBIBYTE:.1f} of {config.max_bytes / MEBIBYTE:.1f} MiB")
    if not data.strip():
        raise LoadError("empty")
    parsed = loader.load(data, effective)
    if fields or title or form:
        parsed = replace(parsed, title=title or parsed.title, fields={**fields, **parsed.fields}, format=form or parsed.format)
    yield to_document(parsed, data, doc_id, reading)


def _members(container: Container, file: BinaryIO, doc_id: str, name: str, reading: Reading, depth: int) -> Iterator[Outcome]:
    """The documents of a container. What goes wrong with one of them costs only that one."""
    config = reading.config
    total = 0
    for count, member in enumerate(container.members(file, name, config), start=1):
        if count > config.max_members:
            yield Skipped(doc_id, f"holds more than {config.max_members} documents; the others were not read", container.id)
            return
        part = doc_id + member.part
        if isinstance(member, Unread):
            yield Skipped(part, member.reason, member.format)
            continue
        total += len(member.data)
        if total > config.max_container_bytes:
            yield Skipped(doc_id, "unpacks to more than the limit; the rest was not read", container.id)
            return
        try:
            for outcome in _read(
                BytesIO(member.data), part, member.name, reading, member.fields, member.title, depth + 1, member.format
            ):
                yield outcome if member.lines or not isinstance(outcome, Document) else _by_paragraph(outcome)
        except NotADocument:
            continue
        except LoadError as error:
            yield Skipped(part, str(error), kinds.extension(member.name))
        except RecursionError as error:
            yield Skipped(part, f"too deep to read ({type(error).__name__})", kinds.extension(member.name))
        except TimeLimit:
            yield Skipped(part, _late(config), kinds.extension(member.name))
        except (MemoryError, OSError):
            raise
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:  # as in `read_file`
            yield Skipped(part, f"the loader failed: {type(error).__name__}: {error}", kinds.extension(member.name))


def _by_paragraph(document: Document) -> Document:
    """A document without countable lines: its paragraphs are numbered instead."""
    if document.places:
        return replace(document, line_map=())
    places = tuple((block.start, f"paragraph={n}") for n, block in enumerate(document.blocks, start=1))
    return replace(document, line_map=(), places=places)


def is_utf8(name: str) -> bool:
    """Whether a file name is text at all."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def to_document(parsed: Parsed, data: bytes, doc_id: str, reading: Reading) -> Document:
    """A document made of what a loader read, the configuration and what the document says about itself."""
    config = reading.config
    collection = config.collection(doc_id) or Collection(paths=())
    said = config.says_history(doc_id)
    code = language.detect(parsed.text)
    stated = meta.read(parsed, code, record="#" in doc_id)
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
        owner_source="configuration" if collection.owner else stated.owner_source,
        tier=collection.tier,
        published=stated.published,
        effective=stated.effective,
        effective_to=stated.effective_to,
        modified=stated.modified,
        language=code,
        scope=collection.scope,
        url=collection.url,
        history=history.is_history(doc_id, title, stated.status, collection.tier, reading.old_folders) if said is None else said,
        fields=dict(parsed.fields) | ({"status": stated.status} if stated.status else {}),
        places=parsed.places,
        notices=parsed.notices,
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
    stem = notion.readable(stem)
    words = " ".join(stem.replace("_", " ").replace("-", " ").split())
    return words[:1].upper() + words[1:]
