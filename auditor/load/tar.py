"""TAR archives, packed or not, and single packed documents (`prices.csv.gz`)."""

from __future__ import annotations

import bz2
import gzip
import tarfile
from collections.abc import Iterator
from typing import IO, BinaryIO, cast

from auditor.load import kinds, table
from auditor.load.archive import DAMAGED, ignored, looks_read, unsafe
from auditor.load.config import MEBIBYTE, LoadConfig
from auditor.load.members import Parts, printable, too_large, unsupported
from auditor.ports import LoadError, Member, NotADocument, Unread

_CHUNK = 1 << 20
_TAIL = 1024
_BLOCK = 512
_PACKED = {".gz": "", ".tgz": ".tar", ".bz2": "", ".tbz2": ".tar", ".tbz": ".tar"}
"""Extension of a packed file → what its content is called instead."""


class TarContainer:
    """Takes TAR archives apart, and unpacks single packed files."""

    id = "tar"

    def accepts(self, name: str, head: bytes) -> bool:
        """By extension."""
        return name.endswith((".tar", *_PACKED))

    def members(self, file: BinaryIO, name: str, config: LoadConfig) -> Iterator[Member | Unread]:
        """The documents in it, in the order of the archive: a packed one can only be read from its beginning to its end."""
        head = file.read(4)
        file.seek(0)
        stem, _, suffix = name.rpartition("/")[2].rpartition(".")
        inner = name
        source: IO[bytes] = file
        if f".{suffix}" in _PACKED:
            inner = stem + _PACKED[f".{suffix}"]
            if head.startswith(b"\x1f\x8b"):
                source = cast("IO[bytes]", gzip.GzipFile(fileobj=file))
            elif head.startswith(b"BZh"):
                source = bz2.BZ2File(file)
            else:
                raise LoadError(f"named .{suffix}, but its content is something else")
        stream = _Forward(source, config.max_container_bytes)
        if inner.endswith(".tar"):
            yield from _archive(stream, config)
        else:
            yield _single(stream, inner, config)


def _single(stream: _Forward, name: str, config: LoadConfig) -> Member | Unread:
    part = Parts().part(name)
    try:
        head = stream.read(kinds.HEAD)
        if reason := unsupported(name):
            return Unread(part, reason, kinds.extension(name))
        if not table.is_read(name, head):
            raise NotADocument(name)
        data = head + _pieces(stream, config.max_bytes + 1 - len(head))
    except DAMAGED as error:
        raise LoadError(f"the file is damaged: {printable(str(error))[:200]}") from error
    if len(data) > config.max_bytes:
        return Unread(part, too_large(len(data), config.max_bytes), kinds.extension(name))
    return Member(part, name, data)


def _archive(stream: _Forward, config: LoadConfig) -> Iterator[Member | Unread]:
    parts = Parts()
    begun = False
    try:
        with tarfile.open(fileobj=cast("IO[bytes]", stream), mode="r:", errorlevel=0) as archive:
            while (info := archive.next()) is not None:
                begun = True
                archive.members.clear()  # type: ignore[attr-defined]  # it would remember every member
                if not info.isdir() and (member := _member(archive, info, parts, config)):
                    yield member
    except (tarfile.TarError, *DAMAGED) as error:
        reason = f"the file is damaged: {printable(str(error))[:200]}"
        if not begun:
            raise LoadError(reason) from error
        yield Unread("", f"{reason}; the rest was not read", "tar")


def _member(archive: tarfile.TarFile, info: tarfile.TarInfo, parts: Parts, config: LoadConfig) -> Member | Unread | None:
    path = info.name.removeprefix("./")
    if ignored(path):
        return None
    form = kinds.extension(path)
    if reason := unsafe(path):
        return Unread(parts.part(path), reason, form)
    if not info.isreg() or info.issparse():
        what = "a link" if info.issym() or info.islnk() else "not a regular file"
        return Unread(parts.part(path), what, form) if looks_read(path) else None
    if reason := unsupported(path):
        return Unread(parts.part(path), reason, form)
    content = archive.extractfile(info)
    if content is None:
        return None
    head = content.read(kinds.HEAD)
    if not table.is_read(path, head):
        return None
    part = parts.part(path)
    if info.size > config.max_bytes:
        return Unread(part, too_large(info.size, config.max_bytes), form)
    return Member(part, path, head + _pieces(content, info.size - len(head)))


def _pieces(stream: IO[bytes] | _Forward, size: int) -> bytes:
    """Up to `size` bytes, read in pieces."""
    out = bytearray()
    while len(out) < size and (piece := stream.read(min(_CHUNK, size - len(out)))):
        out += piece
    return bytes(out)


class _Forward:
    """A stream that is read once, from its beginning to its end, and never further than the limit.

    `tarfile` moves to the last byte before the next header; a packed stream would be unpacked from the beginning for each such step
    back, so the last bytes are kept. It also takes the size of its extended headers from the archive: no single read is a large one.
    """

    def __init__(self, source: IO[bytes], limit: int) -> None:
        self._source, self._limit = source, limit
        self._position = 0  # where the reader stands
        self._read = 0  # how much has been taken from the source
        self._tail = b""

    def tell(self) -> int:
        """Where the reader stands."""
        return self._position

    def seek(self, position: int, whence: int = 0) -> int:
        """Only remembers the place; reading goes there."""
        if whence:
            raise tarfile.ReadError("unexpected end of data")
        self._position = position
        return position

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        if not 0 <= size <= _CHUNK + _BLOCK:
            raise tarfile.ReadError("a header larger than the limit")
        while self._read < self._position and self._take(min(_CHUNK, self._position - self._read)):
            pass
        back = self._read - self._position
        if back < 0:
            return b""
        if back > len(self._tail):
            raise tarfile.ReadError("the archive refers to what was before")
        kept = self._tail[len(self._tail) - back :][:size] if back else b""
        data = kept + (self._take(size - len(kept)) if len(kept) < size else b"")
        self._position += len(data)
        return data

    def _take(self, size: int) -> bytes:
        if self._read + size > self._limit:
            raise LoadError(f"unpacks to more than the limit ({self._limit / MEBIBYTE:.0f} MiB)")
        data = self._source.read(size)
        self._read += len(data)
        self._tail = (self._tail + data)[-_TAIL:] if len(data) < _TAIL else data[-_TAIL:]
        return data
