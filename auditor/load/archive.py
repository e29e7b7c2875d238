"""ZIP archives: every document in them, read in memory.

Nothing is written to disk, so a path can do no harm; names that try are reported all the same. What an archive says about sizes is not
believed: a member is unpacked until it is complete or larger than the limit, and only after its first 4 KiB tell that it is read at all.
"""

from __future__ import annotations

import contextlib
import re
import stat
import zipfile
from collections.abc import Iterator
from typing import BinaryIO

from auditor.load import kinds, notion, table
from auditor.load.config import LoadConfig
from auditor.load.discover import SKIPPED_FOLDERS
from auditor.load.members import Parts, printable, too_large, unsupported
from auditor.ports import LoadError, Member, Unread

DAMAGED = kinds.DAMAGED_ZIP
"""What reading a broken archive raises."""

_ENCRYPTED, _UTF8 = 0x1, 0x800
_UNIX = 3
_IGNORED = SKIPPED_FOLDERS | {"__MACOSX"}
_DRIVE = re.compile(r"[A-Za-z]:")
_UNSAFE = re.compile("[\x00-\x1f\x7f]")


class ZipContainer:
    """Takes ZIP archives apart."""

    id = "zip"

    def accepts(self, name: str, head: bytes) -> bool:
        """By extension, which `kinds` gives only to archives that are no office file."""
        return name.endswith(".zip")

    def members(self, file: BinaryIO, name: str, config: LoadConfig) -> Iterator[Member | Unread]:
        """The documents in it, in the order of their names."""
        try:
            archive = zipfile.ZipFile(file)
        except DAMAGED as error:
            raise LoadError(f"the file is damaged: {error}") from error
        with archive:
            parts = Parts()
            infos = [(path, info) for info in archive.infolist() if (path := path_of(info)) and not path.endswith("/")]
            infos.sort(key=lambda entry: (entry[0], entry[1].header_offset))
            overlapping = _overlapping([info for _, info in infos])
            doubled = notion.doubled(path for path, _ in infos)
            for path, info in infos:
                if ignored(path) or path in doubled:
                    continue
                member = _member(archive, info, path, parts, config, info.header_offset in overlapping)
                if member is not None:
                    yield member


def _member(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: str, parts: Parts, config: LoadConfig, overlaps: bool
) -> Member | Unread | None:
    """A member, why it is not read, or None for one that is of no concern."""
    mode = info.external_attr >> 16
    if reason := unsafe(path):
        return Unread(parts.part(path), reason)
    if info.create_system == _UNIX and (reason := not_regular(mode)):
        return Unread(parts.part(path), reason, kinds.extension(path)) if looks_read(path) else None
    if reason := unsupported(path):
        return Unread(parts.part(path), reason, kinds.extension(path))
    if info.flag_bits & _ENCRYPTED:
        return Unread(parts.part(path), "protected by a password", kinds.extension(path)) if looks_read(path) else None
    try:
        with archive.open(info) as stream:
            head = stream.read(kinds.HEAD)
            if not table.is_read(path, head):
                return None
            part = parts.part(path)
            if overlaps:
                return Unread(part, "its bytes belong to another file of the archive, too", kinds.extension(path))
            if info.file_size > config.max_bytes:
                return Unread(part, too_large(info.file_size, config.max_bytes), kinds.extension(path))
            data = head + stream.read(config.max_bytes + 1 - len(head))
    except DAMAGED as error:
        return Unread(parts.part(path), f"cannot be unpacked: {_reason(error)}", kinds.extension(path))
    if len(data) > config.max_bytes:
        return Unread(part, too_large(len(data), config.max_bytes), kinds.extension(path))
    return Member(part, path, data)


def looks_read(path: str) -> bool:
    """Whether a member whose content cannot be seen is a document by its name."""
    return table.is_read(path, b"") or kinds.extension(path) in kinds.BINARY


def ignored(path: str) -> bool:
    """Whether a member lies in a folder that is never looked at, or is what a Mac keeps beside every file."""
    *folders, name = path.split("/")
    return kinds.is_clutter(name) or not _IGNORED.isdisjoint(folders)


def unsafe(path: str) -> str:
    """What is wrong with the path of a member, "" if nothing is."""
    if path.startswith("/") or _DRIVE.match(path):
        return "an absolute path"
    if ".." in path.split("/"):
        return "a path that leaves the archive"
    return "a name with control characters" if _UNSAFE.search(path) else ""


def not_regular(mode: int) -> str:
    """What a member with this Unix mode is instead of a file."""
    kind = stat.S_IFMT(mode)
    if kind == stat.S_IFLNK:
        return "a symbolic link"
    return "" if kind in {0, stat.S_IFREG} else "not a regular file"


def path_of(info: zipfile.ZipInfo) -> str:
    """The path of a member with `/` between folders. Names that are UTF-8 without saying so are read as such."""
    name = info.orig_filename  # `filename` ends at the first NUL
    if not info.flag_bits & _UTF8 and not name.isascii():
        with contextlib.suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    path = name.replace("\\", "/")
    while path.startswith("./"):
        path = path[2:]
    return path


def _overlapping(infos: list[zipfile.ZipInfo]) -> set[int]:
    """Offsets of members whose packed bytes run into those of another: a small archive claims to be a large one."""
    found: set[int] = set()
    end, previous = 0, -1
    for info in sorted(infos, key=lambda info: (info.header_offset, info.compress_size)):
        if info.header_offset < end:
            found.update((info.header_offset, previous))
        if info.header_offset + info.compress_size > end:
            end, previous = info.header_offset + info.compress_size, info.header_offset
    return found


def _reason(error: BaseException) -> str:
    return printable(kinds.zip_damage(error))[:200]
