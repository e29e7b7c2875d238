"""Character data on its way to a block: decoded, white space folded, and every part with the line it stands on."""

from __future__ import annotations

import html
import re

from auditor.text.inline import EMPTY, Inline

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")


class Gathered:
    """The text of the block that is being read. Struck-out text is kept apart: it only counts if there is no other."""

    def __init__(self) -> None:
        self.parts: list[tuple[str, int]] = []  # decoded text of one line, line number
        self.struck: list[tuple[str, int]] = []
        self.plain_marks = False  # whether any of it is not set in bold

    def add(self, source: str, line: int, struck: bool, bold: bool) -> None:
        """Add character data that begins on `line`."""
        target = self.struck if struck else self.parts
        decoded = html.unescape(source) if "&" in source else source
        if decoded.count("\n") != source.count("\n"):
            decoded = html.unescape(source.replace("\n", " "))
        for i, text in enumerate(decoded.split("\n")):
            target.append((text if i == 0 else "\n" + text, line + i))
        if not bold and source.strip():
            self.plain_marks = True

    def space(self, line: int) -> None:
        """A boundary of elements that separates words."""
        self.parts.append((" ", line))
        if self.struck:
            self.struck.append((" ", line))

    def last_character(self) -> str:
        """What was read last, to see whether words would run together."""
        return self.parts[-1][0][-1:] if self.parts else ""

    def take(self) -> tuple[Inline, bool]:
        """The folded reading (anchors lead to lines) and whether all of it is bold; the gathered text is cleared."""
        reading = _fold(self.parts)
        if not reading.text and self.struck:
            struck = _fold(self.struck)
            reading = Inline(struck.text, struck.anchors, bool(struck.text))
        bold = bool(reading.text) and not self.plain_marks
        self._clear()
        return reading, bold

    def take_verbatim(self) -> Inline:
        """The text with its line breaks (code)."""
        text: list[str] = []
        anchors: list[tuple[int, int]] = []
        length = 0
        parts = self.parts or self.struck
        if not any(part.strip() for part, _ in parts):
            self._clear()
            return EMPTY
        started = False
        for part, line in parts:
            if not started:
                part = part.lstrip("\n")
                if not part:
                    continue
                started = True
            if not anchors or anchors[-1][1] != line:
                anchors.append((length + (1 if part.startswith("\n") else 0), line))
            text.append(part)
            length += len(part)
        self._clear()
        return Inline("".join(text).rstrip(), tuple(anchors))

    def _clear(self) -> None:
        self.parts, self.struck, self.plain_marks = [], [], False


def _fold(parts: list[tuple[str, int]]) -> Inline:
    out: list[str] = []
    anchors: list[tuple[int, int]] = []
    length, blank = 0, False
    for part, line in parts:
        words = _INVISIBLE.sub("", part).split()
        if not words:
            blank = blank or bool(part)
            continue
        if length and (blank or part[0].isspace()):
            out.append(" ")
            length += 1
        if not anchors or anchors[-1][1] != line:
            anchors.append((length, line))
        text = " ".join(words)
        out.append(text)
        length += len(text)
        blank = part[-1].isspace()
    return Inline("".join(out), tuple(anchors)) if out else EMPTY
