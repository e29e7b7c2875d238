"""Blocks of formats whose text is not their source: the text is put together from the blocks, one under the other."""

from __future__ import annotations

from collections.abc import Collection

from auditor.load.structure import Container, Sink
from auditor.model import Block, BlockKind
from auditor.text.inline import Inline


class TextSink(Sink):
    """Gathers blocks and writes the document text while doing so.

    Here the anchors of a reading lead to source *lines* instead of positions, and `start` is the line on which a block begins;
    positions in the text are given out as blocks are added.
    """

    def __init__(self) -> None:
        super().__init__()
        self._out: list[str] = []
        self._length = 0
        self._lines: list[tuple[int, int]] = []

    def add(
        self,
        kind: BlockKind,
        inline: Inline,
        start: int,
        end: int = 0,
        *,
        within: Collection[Container] = (),
        flags: Collection[str] = (),
        level: int = 0,
        lead_in: str = "",
        cells: tuple[str, ...] = (),
        header: tuple[str, ...] = (),
        caption: str = "",
        lang: str = "",
        group: int = 0,
    ) -> Block | None:
        """Add a block at the end of the text."""
        if not inline.text:
            return None
        begin = self._length
        for position, line in inline.anchors or ((0, start),):
            entry = (begin + position, line)
            if not self._lines or (self._lines[-1][1] != line and self._lines[-1][0] < entry[0]):
                self._lines.append(entry)
        placed = Inline(inline.text, ((0, begin),), inline.struck)
        block = super().add(
            kind,
            placed,
            begin,
            begin + len(inline.text),
            within=within,
            flags=flags,
            level=level,
            lead_in=lead_in,
            cells=cells,
            header=header,
            caption=caption,
            lang=lang,
            group=group,
        )
        self._out.append(inline.text)
        self._length += len(inline.text) + 1
        return block

    @property
    def text(self) -> str:
        """The text so far."""
        return "\n".join(self._out)

    @property
    def line_map(self) -> tuple[tuple[int, int], ...]:
        """See `Parsed.line_map`."""
        return tuple(self._lines) if self._lines and self._lines[0][0] == 0 else ((0, 1), *self._lines)
