"""What the inline scanners of AsciiDoc and wiki markup share: pairs of marks around words, and struck-out spans."""

from __future__ import annotations

from dataclasses import dataclass, field

Drop = tuple[int, int, str]
"""Cut from, to, and what is put in its place."""


@dataclass(slots=True)
class Scan:
    """What one pass over a paragraph gathers."""

    source: str
    drops: list[Drop] = field(default_factory=list)
    struck: list[tuple[int, int]] = field(default_factory=list)
    opened: dict[str, int] = field(default_factory=dict)  # mark or tag → where it was opened

    def drop(self, start: int, end: int, instead: str = "") -> None:
        """Cut a span out, or put something in its place."""
        if end > start:
            self.drops.append((start, end, instead))

    def mark(self, mark: str, start: int, *, free: bool = False, struck: bool = False) -> None:
        """A mark that opens before a word and closes behind one; a `free` one may stand within a word as well.

        The first mark that can open waits for the first that can close, so every mark is looked at once.
        """
        end = start + len(mark)
        before = self.source[start - 1] if start else " "
        after = self.source[end] if end < len(self.source) else " "
        if mark in self.opened and not before.isspace() and (free or not (after.isalnum() or after == "_")):
            begin = self.opened.pop(mark)
            if begin + len(mark) < start:
                self.drop(begin, begin + len(mark))
                self.drop(start, end)
                if struck:
                    self.struck.append((begin, end))
                return
        if mark not in self.opened and not after.isspace() and (free or not (before.isalnum() or before in "_;:}")):
            self.opened[mark] = start

    def tag(self, name: str, start: int, end: int, closing: bool, struck: bool = False) -> None:
        """An HTML tag: dropped, and what a pair of crossing-out ones encloses is struck."""
        self.drop(start, end, " " if name in _BREAKING else "")
        if struck and closing and name in self.opened:
            self.struck.append((self.opened.pop(name), end))
        elif struck and not closing:
            self.opened.setdefault(name, start)

    def finished(self, keep_struck: bool) -> list[Drop]:
        """All that is to be cut."""
        return self.drops if keep_struck else self.drops + [(start, end, "") for start, end in self.struck]


_BREAKING = frozenset(
    ["br", "p", "div", "li", "td", "th", "tr", "table", "ul", "ol", "dd", "dt", "hr", "h1", "h2", "h3", "h4", "h5", "h6"]
)
