"""Clean reading of inline markup, with the way back to the source.

`clean` turns the source of one paragraph into what a reader sees, and says for every part of it where it came from. Nothing is
parsed into a tree: the source is cut into kept and dropped pieces, the kept ones are joined and white space is folded. The
scanners run in linear time, since their input is not trusted.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from auditor.text import inline_asciidoc, inline_markdown, inline_rst, inline_wiki

Syntax: TypeAlias = Literal["markdown", "rst", "asciidoc", "mediawiki", "confluence", "plain"]
Anchors: TypeAlias = tuple[tuple[int, int], ...]
Piece: TypeAlias = tuple[str, int]
"""Source text and its position in the document."""
Kept: TypeAlias = tuple[str, int, bool]
"""Text, its position in the scanned source, and whether it replaces the source instead of repeating it."""

_WORDS = re.compile(r"\S+(?: \S+)*")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]+")


class Inline(NamedTuple):
    """A clean reading; `struck` says that all of it is crossed out in the source."""

    text: str
    anchors: Anchors
    struck: bool = False


EMPTY = Inline("", ())


def clean(source: str, offset: int, syntax: Syntax) -> tuple[str, Anchors]:
    """The clean reading of `source`, which stands at `offset` of the document, and its anchors (see `Block.to_source`)."""
    result = read(((source, offset),), syntax)
    return result.text, result.anchors


def read(
    pieces: Sequence[Piece],
    syntax: Syntax,
    *,
    refs: frozenset[str] = frozenset(),
    substitutions: Mapping[str, str] | None = None,
) -> Inline:
    """Clean reading of a paragraph that stands in several pieces (its lines without list or quote prefixes).

    `refs` holds the upper-case labels of link reference definitions, so that `[label]` is told from plain brackets;
    `substitutions` the `|name|` definitions of reStructuredText and the `{name}` attributes of AsciiDoc. Struck-out text is
    dropped; when nothing else is there, it is kept and `struck` set.
    """
    joined = pieces[0][0] if len(pieces) == 1 else "\n".join([text for text, _ in pieces])
    for keep_struck in (False, True):
        if syntax == "markdown":
            kept, struck = inline_markdown.scan(joined, refs, keep_struck)
        elif syntax == "rst":
            kept, struck = inline_rst.scan(joined, substitutions or {}, keep_struck)
        elif syntax == "asciidoc":
            kept, struck = inline_asciidoc.scan(joined, substitutions or {}, keep_struck)
        elif syntax == "mediawiki":
            kept, struck = inline_wiki.scan_mediawiki(joined, keep_struck)
        elif syntax == "confluence":
            kept, struck = inline_wiki.scan_confluence(joined, keep_struck)
        else:
            kept, struck = [(joined, 0, False)], False
        text, anchors = _fold(kept, pieces)
        if text or not struck:
            break
    return Inline(text, anchors, keep_struck and bool(text))


def join(parts: Sequence[Inline], separator: str) -> Inline:
    """Several readings as one, with `separator` between them; empty parts keep their place."""
    texts: list[str] = []
    anchors: list[tuple[int, int]] = []
    position = 0
    for part in parts:
        anchors += [(position + at, source) for at, source in part.anchors]
        texts.append(part.text)
        position += len(part.text) + len(separator)
    filled = [part for part in parts if part.text]
    return Inline(separator.join(texts), tuple(anchors), bool(filled) and all(part.struck for part in filled))


def pinned(text: str, source: int) -> Inline:
    """A reading all of whose characters stand for one position of the source."""
    return Inline(text, tuple((i, source) for i in range(len(text))))


def _fold(kept: Sequence[Kept], pieces: Sequence[Piece]) -> tuple[str, Anchors]:
    folder = _Folder(pieces)
    for text, at, replaced in kept:
        if replaced:
            folder.replacement(text, at)
        elif _INVISIBLE.search(text):
            last = 0
            for match in _INVISIBLE.finditer(text):
                folder.add(text[last : match.start()], at + last)
                last = match.end()
            folder.add(text[last:], at + last)
        else:
            folder.add(text, at)
    return "".join(folder.out), tuple(folder.anchors)


class _Folder:
    """Joins kept text, folds white space to single blanks and translates positions to the document."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.offsets = [offset for _, offset in pieces]
        self.starts: list[int] = []
        position = 0
        for text, _ in pieces:
            self.starts.append(position)
            position += len(text) + 1
        self.out: list[str] = []
        self.anchors: list[tuple[int, int]] = []
        self.length = 0
        self.shift: int | None = None  # source position minus clean position of the last anchor
        self.blank: int | None = None  # white space that was seen and not written yet

    def add(self, text: str, at: int) -> None:
        end = 0
        for match in _WORDS.finditer(text):
            start = match.start()
            if start:
                self.blank = at + start - 1
            self._word(match.group(), at + start)
            end = match.end()
        if end < len(text):
            self.blank = at + len(text) - 1

    def replacement(self, text: str, at: int) -> None:
        stripped = text.strip()
        if text[:1].isspace() and self.blank is None:
            self.blank = at
        if stripped:
            for character in stripped:  # all of them stand for the one source position
                self.shift = None
                self._word(character, at)
            if text[-1].isspace():
                self.blank = at

    def _word(self, text: str, at: int) -> None:
        if self.blank is not None:
            blank, self.blank = self.blank, None
            if self.length:
                self._write(" ", blank)
        self._write(text, at)

    def _write(self, text: str, at: int) -> None:
        i = bisect_right(self.starts, at) - 1 if len(self.starts) > 1 else 0
        source = self.offsets[i] + at - self.starts[i]
        if source - self.length != self.shift:
            self.shift = source - self.length
            self.anchors.append((self.length, source))
        self.out.append(text)
        self.length += len(text)
