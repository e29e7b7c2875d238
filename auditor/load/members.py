"""What all containers know about their members: parts of an id that are unique and safe, and what is not worth unpacking."""

from __future__ import annotations

import re

from auditor.load import kinds
from auditor.load.config import MEBIBYTE
from auditor.load.discover import escaped

PATH_LENGTH = 500
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class Parts:
    """Gives every member of a container a part of its own; repeated names are numbered."""

    def __init__(self, sign: str = "!/") -> None:
        self._sign = sign
        self._seen: dict[str, int] = {}

    def part(self, name: str) -> str:
        """What is appended to the id of the file for a member of this name."""
        name = printable(name)[-PATH_LENGTH:]
        count = self._seen[name] = self._seen.get(name, 0) + 1
        unique = name
        while count > 1:
            stem, dot, suffix = _split(name) if self._sign == "!/" else (name, "", "")
            unique = f"{stem} ({count}){dot}{suffix}"
            if unique not in self._seen:
                self._seen[unique] = 1
                break
            count = self._seen[name] = count + 1
        return self._sign + escaped(unique)


def printable(name: str) -> str:
    """A name without control characters and lone surrogates, which have no place in an id."""
    return _CONTROL.sub("\ufffd", name)


def too_large(size: int, limit: int) -> str:
    """The reason why a member is not read; a size that is hardly over the limit is only that to which it was unpacked."""
    if size <= limit + 1:
        return f"larger than the limit of {limit / MEBIBYTE:.1f} MiB"
    return f"larger than the limit: {size / MEBIBYTE:.1f} of {limit / MEBIBYTE:.1f} MiB"


def unsupported(name: str) -> str:
    """The reason why a document in a format that no loader reads is skipped; "" for other names."""
    return kinds.unread(kinds.extension(name))


def _split(name: str) -> tuple[str, str, str]:
    folder, slash, base = name.rpartition("/")
    stem, dot, suffix = base.rpartition(".")
    return (f"{folder}{slash}{stem}", dot, suffix) if dot and stem else (name, "", "")
