"""Jupyter notebooks: one document; the text is that of the cells, one under the other, and places are cells.

Outputs are left out: they are what a run has computed, not what somebody has written down.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count

from auditor.load.decode import decode
from auditor.load.markdown import MarkdownLoader
from auditor.load.record_values import Malformed, clean, flatten, parse, short, title_of
from auditor.load.structure import line_map
from auditor.model import Block, BlockKind, Parsed
from auditor.ports import LoadError

_GAP = "\n\n"
_MAX_HEADING = 6


class NotebookLoader:
    """Reads notebooks of the formats 3 and 4."""

    id = "notebook"

    def accepts(self, name: str, head: bytes) -> bool:
        """By file name only."""
        return name.endswith(".ipynb")

    def load(self, data: bytes, name: str) -> Parsed:
        """Markdown cells as Markdown, code cells as code blocks."""
        try:
            notebook = parse(decode(data))
        except Malformed as error:
            raise LoadError(f"no notebook: {error}") from None
        if not isinstance(notebook, dict):
            raise LoadError("no notebook: not an object")
        metadata = notebook.get("metadata")
        writer = _Writer(_language(metadata))
        for number, cell in _cells(notebook):
            writer.add(number, cell)
        if not writer.blocks:
            raise LoadError("no text: the notebook has no cell with something in it")
        fields = _fields(metadata) | writer.fields
        return Parsed(
            _GAP.join(writer.texts),
            tuple(writer.blocks),
            tuple(writer.lines),
            title=fields.get("title", ""),
            fields=fields,
            format=self.id,
            places=tuple(writer.places),
        )


class _Writer:
    def __init__(self, language: str) -> None:
        self.language = language
        self.texts: list[str] = []
        self.blocks: list[Block] = []
        self.lines: list[tuple[int, int]] = []  # of a cell
        self.places: list[tuple[int, str]] = []
        self.fields: dict[str, str] = {}
        self._length = 0
        self._groups = 0

    def add(self, number: int, cell: Mapping[str, object]) -> None:
        """Add a cell. Its text stands in the document as it stands in the cell."""
        source = _source(cell.get("source", cell.get("input")))
        kind = cell.get("cell_type")
        if not source.strip():
            return
        if kind == "heading":  # format 3
            level = cell.get("level")
            depth = min(max(level, 1), _MAX_HEADING) if isinstance(level, int) else 1
            kind, source = "markdown", "#" * depth + " " + " ".join(source.split())
        matter = kind == "raw" and not self.texts and source.startswith("---")
        if kind == "code":
            blocks: tuple[Block, ...] = (self._code(cell, source),)
        elif kind == "markdown" or matter:
            # Only the first cell may begin with front matter: elsewhere three hyphens are a rule.
            lead = "\n" if self.texts else ""
            parsed = MarkdownLoader().load((lead + source).encode(), "cell.md")
            blocks = tuple(self._moved(block, self._length - len(lead)) for block in parsed.blocks)
            self.fields |= parsed.fields
            self._groups = max((block.group for block in blocks), default=self._groups)
        else:
            return
        self.places.append((self._length, f"cell={number}"))
        self.lines += [(self._length + offset, line) for offset, line in line_map(source)]
        self.blocks += blocks
        self.texts.append(source)
        self._length += len(source) + len(_GAP)

    def _code(self, cell: Mapping[str, object], source: str) -> Block:
        language = cell.get("language")
        start = len(source) - len(source.lstrip("\n"))
        text = source[start:].rstrip()
        at = self._length + start
        return Block(BlockKind.CODE, text, at, at + len(text), lang=language if isinstance(language, str) else self.language)

    def _moved(self, block: Block, by: int) -> Block:
        return replace(
            block,
            start=block.start + by,
            end=block.end + by,
            group=block.group + self._groups if block.group else 0,
            anchors=tuple((clean_at, source_at + by) for clean_at, source_at in block.anchors),
        )


def _cells(notebook: Mapping[str, object]) -> Iterator[tuple[int, Mapping[str, object]]]:
    """The cells, counted from 1. In format 3 they stand in worksheets."""
    holders = [notebook]
    worksheets = notebook.get("worksheets")
    if isinstance(worksheets, list):
        holders += [sheet for sheet in worksheets if isinstance(sheet, dict)]
    numbers = count(1)
    found = False
    for holder in holders:
        cells = holder.get("cells")
        if not isinstance(cells, list):
            continue
        found = True
        for cell in cells:
            number = next(numbers)
            if isinstance(cell, dict):
                yield number, cell
    if not found:
        raise LoadError("no notebook: it has no cells")


def _source(value: object) -> str:
    """The text of a cell, which is a string or a list of lines with their ends."""
    if isinstance(value, list):
        value = "".join(part for part in value if isinstance(part, str))
    if not isinstance(value, str):
        return ""
    return clean(value).replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "").rstrip()


def _language(metadata: object) -> str:
    flat = flatten(metadata) if isinstance(metadata, dict) else {}
    for path in ("kernelspec.language", "language_info.name"):
        if name := short(flat.get(path), 40):
            return name.lower()
    return ""


def _fields(metadata: object) -> dict[str, str]:
    """What the notebook says about itself: few do."""
    flat = flatten(metadata) if isinstance(metadata, dict) else {}
    found = {"title": title_of(flat.get("title")), "authors": short(flat.get("authors")), "date": short(flat.get("date"))}
    return {name: text for name, text in found.items() if text}
