"""Results of earlier scans, kept by the content they were computed from.

One file, `scan.pack`: a header with the fingerprint of everything that bears on the results, then records that are only ever appended,
so that a scan which is killed loses at most the record it was writing. A file with another fingerprint (another version, other rules,
another configuration of the machine) is replaced, never read. Every record carries a checksum; what does not fit it is not there.

The default place, `.audit/cache` in the corpus, is bound to that very folder: a copy of a corpus brings no cache along, because who
hands over documents should not be able to hand over what was read in them, too. A folder named with `--cache` is the user's own word.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import stat
import struct
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

FOLDER = Path(".audit") / "cache"
"""Where the cache lies in a corpus."""

_NAME = "scan.pack"
_MAGIC = b"audit cache 1\n"
_RECORD = struct.Struct(">I16s16s")  # length of the value, key, checksum
_MOST_WASTE = 0.5  # share of the file that may be of no use any more
_SMALL = 1 << 20  # a file up to this size is never worth tidying
_LIBRARIES = (
    "docutils",
    "lxml",
    "markdown-it-py",
    "mdit-py-plugins",
    "msgspec",
    "numpy",
    "olefile",
    "onnxruntime",
    "polars",
    "PyStemmer",
    "pypdfium2",
    "pyyaml",
    "tokenizers",
    "xlrd",
)


def key_of(*parts: bytes | str) -> bytes:
    """A key (16 bytes) for a value that depends on these parts and on nothing else."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(struct.pack(">Q", len(data)))
        digest.update(data)
    return digest.digest()


class Cache:
    """A store of bytes by key. Without a folder it keeps nothing; one that cannot be written is only read."""

    def __init__(self, folder: Path | None, fingerprint: bytes = b"", *, bound: bool = False) -> None:
        """Open the cache in this folder. `bound` ties it to the folder itself (see above)."""
        self.hits = 0
        self.misses = 0
        self._index: dict[bytes, tuple[int, int]] = {}  # key → position of the record, length of the value
        self._used: set[bytes] = set()
        self._file: BinaryIO | None = None
        self._lock: BinaryIO | None = None
        self._end = 0
        self._path: Path | None = None
        if folder is not None:
            with contextlib.suppress(OSError):
                self._open(folder, fingerprint, bound)

    @property
    def is_open(self) -> bool:
        """Whether anything can be found here at all."""
        return self._file is not None

    @property
    def is_writable(self) -> bool:
        """Whether what is put here is kept."""
        return self._file is not None and self._lock is not None

    def get(self, key: bytes) -> bytes | None:
        """The value kept under this key; None when there is none or it was damaged."""
        where = self._index.get(key)
        if where is None or self._file is None:
            self.misses += 1
            return None
        position, length = where
        try:
            self._file.seek(position)
            record = self._file.read(_RECORD.size + length)
        except OSError:
            record = b""
        value = record[_RECORD.size :]
        if len(value) != length or record[: _RECORD.size] != _RECORD.pack(length, key, _checksum(key, value)):
            self._index.pop(key, None)
            self.misses += 1
            return None
        self.hits += 1
        self._used.add(key)
        return value

    def put(self, key: bytes, value: bytes) -> None:
        """Keep a value. A disk that is full ends the keeping, not the scan."""
        if self._lock is None or self._file is None:
            return
        try:
            self._file.seek(self._end)
            self._file.write(_RECORD.pack(len(value), key, _checksum(key, value)) + value)
        except OSError:
            self._release()
            return
        self._index[key] = (self._end, len(value))
        self._used.add(key)
        self._end += _RECORD.size + len(value)

    def close(self, *, tidy: bool = False) -> None:
        """End the use of the cache. With `tidy`, what this scan had no use for is thrown away when it is most of the file."""
        if tidy and self._lock is not None and self._file is not None and self._path is not None:
            used = sum(_RECORD.size + self._index[key][1] for key in self._used if key in self._index)
            if self._end > _SMALL and used < (1 - _MOST_WASTE) * self._end:
                with contextlib.suppress(OSError):
                    self._tidy()
        self._release()

    def __enter__(self) -> Cache:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close(tidy=kind is None)

    # -- the file -------------------------------------------------------------------------------------------------------------

    def _open(self, folder: Path, fingerprint: bytes, bound: bool) -> None:
        if bound and any(part.is_symlink() for part in (folder, folder.parent)):
            return  # it may lead out of the corpus
        folder.mkdir(parents=True, exist_ok=True)
        if bound:
            status = folder.stat()
            fingerprint = key_of(fingerprint, f"{status.st_dev}/{status.st_ino}")
            with contextlib.suppress(FileExistsError), (folder / ".gitignore").open("x", encoding="utf-8") as ignore:
                ignore.write("*\n")
        self._path = folder / _NAME
        if self._path.is_symlink() or (folder / "lock").is_symlink():
            return
        self._lock = _locked(folder / "lock")
        header = _MAGIC + hashlib.sha256(fingerprint).digest()
        if not self._read_index(header):
            if self._lock is None:
                return
            self._replace(header, iter(()))
            self._read_index(header)

    def _read_index(self, header: bytes) -> bool:
        """Open the file and find its records. False when there is none of this fingerprint."""
        assert self._path is not None
        try:
            file = _opened(self._path, os.O_RDWR if self._lock is not None else os.O_RDONLY)
        except OSError:
            return False
        size = os.fstat(file.fileno()).st_size
        if file.read(len(header)) != header:
            file.close()
            return False
        position = len(header)
        while position + _RECORD.size <= size:
            file.seek(position)
            length, key, _ = _RECORD.unpack(file.read(_RECORD.size))
            if position + _RECORD.size + length > size:
                break  # the scan that wrote it was killed
            self._index[key] = (position, length)
            position += _RECORD.size + length
        self._file, self._end = file, position
        if self._lock is not None:
            file.truncate(position)
        return True

    def _tidy(self) -> None:
        assert self._file is not None
        assert self._path is not None
        self._file.seek(0)
        header = self._file.read(len(_MAGIC) + 32)
        kept = ((key, value) for key in sorted(self._used, key=self._index.__getitem__) if (value := self.get(key)) is not None)
        self._replace(header, kept)

    def _replace(self, header: bytes, records: Iterator[tuple[bytes, bytes]]) -> None:
        assert self._path is not None
        new = self._path.with_suffix(".new")
        with contextlib.suppress(FileNotFoundError):
            new.unlink()
        with new.open("xb") as file:
            file.write(header)
            for key, value in records:
                file.write(_RECORD.pack(len(value), key, _checksum(key, value)) + value)
        new.replace(self._path)

    def _release(self) -> None:
        for file in (self._file, self._lock):
            if file is not None:
                with contextlib.suppress(OSError):
                    file.close()
        self._file = self._lock = None


def _checksum(key: bytes, value: bytes) -> bytes:
    return hashlib.blake2b(value, digest_size=16, key=key).digest()


def _opened(path: Path, flags: int) -> BinaryIO:
    """A regular file, unbuffered. Raises `OSError` for a link, which may lead elsewhere, and for a pipe, which would be waited for."""
    for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY", "O_NOINHERIT"):
        flags |= getattr(os, name, 0)
    descriptor = os.open(path, flags, 0o666)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("not a regular file")
        return os.fdopen(descriptor, "r+b" if flags & os.O_RDWR else "rb", buffering=0)
    except BaseException:
        os.close(descriptor)
        raise


def _locked(path: Path) -> BinaryIO | None:
    """An open file that no other process holds; None when another scan of the corpus is running: it writes, this one only reads."""
    file = _opened(path, os.O_RDWR | os.O_CREAT)
    try:
        import fcntl
    except ImportError:
        return file  # a platform without locks
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file


def fingerprint(*more: str) -> bytes:
    """Identity of everything besides the documents that bears on results: this program, its libraries, and what the caller adds."""
    return key_of(_program(), platform.python_version(), *_versions(), *more)


@cache
def _program() -> bytes:
    """Hash of the source of this program, so that a change counts even where the version stays."""
    digest = hashlib.sha256()
    root = Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.digest()


@cache
def _versions() -> tuple[str, ...]:
    found = []
    for name in _LIBRARIES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            found.append(f"{name} {metadata.version(name)}")
    return tuple(found)
