"""A text file beside the text that was extracted from it: the same characters, but for line ends and the byte order mark."""

from __future__ import annotations

import hashlib
import os
import re
from bisect import bisect_left
from dataclasses import dataclass
from pathlib import Path


class NotEditable(Exception):
    """Why no change is proposed, in words for a document's owner."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """One file. `content` is what it holds, `text` what was extracted; `path` is relative to the corpus."""

    path: str
    content: str
    text: str
    line_ends: tuple[int, ...]  # positions in `text` of line ends that are two characters in `content`
    mark: int  # 1 when `content` begins with a byte order mark

    @classmethod
    def read(cls, corpus: Path, doc_id: str, sha256: str | None) -> SourceText:
        """The file of a document below `corpus`.

        Raises `NotEditable` when there is none, when it lies elsewhere, is not UTF-8, or is not the file with this hash.
        """
        if "#" in doc_id or "!/" in doc_id:
            raise NotEditable("it is a record or a member of an archive, not a file")
        path = doc_id.replace("%23", "#").replace("%21", "!").replace("%25", "%")
        place = corpus / path
        # The table of a run may come from anywhere: it must not lead out of the folder.
        if os.path.isabs(path) or ".." in path.split("/") or "\0" in path:
            raise NotEditable("its name leads out of the folder")
        if Path(os.path.realpath(place)) != Path(os.path.realpath(corpus)) / path:
            raise NotEditable("it is reached by a symbolic link")
        try:
            data = place.read_bytes()
        except OSError as error:
            raise NotEditable(f"the file cannot be read: {error.strerror or error}") from None
        if hashlib.sha256(data).hexdigest() != sha256:
            raise NotEditable("the file has changed since the scan: scan again")
        try:
            content = data.decode("utf-8")
        except UnicodeDecodeError:
            raise NotEditable("the file is not UTF-8") from None
        mark = int(content.startswith("\ufeff"))
        pairs = (match.start() - mark for match in re.finditer("\r\n", content))
        text = content[mark:].replace("\r\n", "\n").replace("\r", "\n")
        return cls(path, content, text, tuple(position - n for n, position in enumerate(pairs)), mark)

    def raw(self, position: int) -> int:
        """Position in `content` of a position in `text`."""
        return self.mark + position + bisect_left(self.line_ends, position)

    def line(self, position: int) -> int:
        """Line of a position in `text`, counted from 1."""
        return self.text.count("\n", 0, position) + 1
