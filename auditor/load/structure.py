"""What all loaders know about structure: introducing sentences, callout labels, and a place to gather blocks."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from auditor.model import Block, BlockKind
from auditor.text.inline import Inline


def words(text: str) -> frozenset[str]:
    """The words of a text, to write long sets down readably."""
    return frozenset(text.split())


CALLOUTS: dict[str, str] = dict.fromkeys(
    words(
        "note notes tip tips hint info information important warning warnings caution danger attention alert error success "
        "check question "
        "remember notice admonition callout seealso versionadded versionchanged deprecated deprecation abstract summary todo "
        "bug failure "
        "pro-tip best-practice security"
    ),
    "note",
) | {"example": "example", "examples": "example", "quote": "quote", "cite": "quote"}
"""Names of boxed remarks, in directives and components, with the flag their content gets."""

_LABEL = re.compile(
    r"""^[^\w\[{*_]*                                         # an emoji or other sign in front
        (?:\[!(?P<alert>[A-Za-z]+)\][+-]?
          |\{(?P<brace>[a-z]+)\}
          |(?P<marks>\*\*|__)(?P<bold>[A-Za-z][\w /&-]{0,30}?)\s*:?\s*(?P=marks)\s*:?
          |(?P<plain>Note|NOTE|Tip|TIP|Warning|WARNING|Important|IMPORTANT|Caution|CAUTION|Info|INFO|Attention|Danger|Hint)\s*:
        )\s*""",
    re.VERBOSE,
)
_LABEL_WORDS = words(
    "note notes tip hint info important warning caution danger attention alert remember notice example deprecated update beta "
    "security "
    "prerequisite prerequisites requirement requirements"
) | {"please note", "heads up", "heads-up", "pro tip", "see also", "good to know", "best practice", "fyi"}

_SENTENCE_BREAK = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'(“])")
_BOLD_LINE = re.compile(r"\s*(\*\*|__)(?!\s)[^*_\n]{1,90}(?<!\s)\1\s*:?\s*$")
_ATTRIBUTION = re.compile(r"[>\s]*(?:—|–|―|--+|~)\s?[A-Z@\[*_<]")
_SAID = re.compile(r"\b(?:said|says|wrote|writes|quoted?|according to|in the words of|stated)\b[^.]*[:,]$", re.IGNORECASE)
_TABLE_TITLE = re.compile(r"(?:Table|Tab\.|Figure|Fig\.)\s+[\dA-Z]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Container:
    """An admonition, tab or card: its title, and the flag it gives to what stands inside."""

    title: str
    flag: str = ""


def whole(text: str, most: int = 9999) -> int:
    """The number that a text of plain digits writes, up to `most`; 0 for any other text, such as "²" or "1.5"."""
    text = text.strip()
    return min(int(text), most) if text.isascii() and text.isdigit() and len(text) < 12 else 0


def titled(title: str, name: str) -> Container:
    """The container of a box called `name` (`note`, `tab`, `card`); without a title a callout is called by its name."""
    flag = CALLOUTS.get(name.lower(), "")
    title = title.strip()
    return Container(title or (name.capitalize() if flag else ""), flag)


def callout(source: str) -> tuple[Container, int] | None:
    """The callout a quoted paragraph begins with (`**Note:**`, `[!WARNING]`) and how much of `source` its label takes."""
    match = _LABEL.match(source)
    if not match:
        return None
    label = match["alert"] or match["brace"] or match["bold"] or match["plain"]
    word = label.strip().rstrip(":").lower()
    if not (match["alert"] or match["plain"]) and word not in _LABEL_WORDS:
        return None
    return Container(word.capitalize(), "example" if word == "example" else "note"), match.end()


def lead_in(text: str, source: str) -> str:
    """What a paragraph says about the list or table below it: its last sentence if it ends with a colon, or a short bold line."""
    if text.endswith((":", "：")):
        sentences = _SENTENCE_BREAK.split(text)
        last = sentences[-1]
        if len(sentences) > 1 and len(last.split()) < 3:  # "These are:" says nothing without the sentence before
            last = f"{sentences[-2]} {last}"
        return last
    if len(text) <= 90 and (_BOLD_LINE.match(source) or _TABLE_TITLE.match(text)):
        return text
    return ""


def label(text: str) -> bool:
    """Whether a list item is a label for what stands under it rather than a sentence of its own."""
    return text.endswith((":", "：")) or (len(text.split()) <= 8 and not text.endswith((".", "!", "?")))


def spoken(*parts: str) -> str:
    """Lead-ins of several levels as one, outer ones first; empty and repeated ones fall away."""
    kept: list[str] = []
    for part in parts:
        if part and part not in kept:
            kept.append(part)
    return " ".join(kept)


class Sink:
    """Gathers the blocks of one document and numbers its lists and tables."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._groups = 0

    def new_group(self) -> int:
        """A number for the next list or table."""
        self._groups += 1
        return self._groups

    def add(
        self,
        kind: BlockKind,
        inline: Inline,
        start: int,
        end: int,
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
        """Add a block unless it reads as nothing. Its container and flags come from the boxes it stands in."""
        if not inline.text:
            return None
        marks = {box.flag for box in within if box.flag} | set(flags)
        if inline.struck:
            marks.add("struck")
        anchors = inline.anchors
        block = Block(
            kind=kind,
            text=inline.text,
            start=start,
            end=end,
            level=level,
            lead_in=lead_in,
            cells=cells,
            header=header,
            caption=caption,
            container=" › ".join(box.title for box in within if box.title),
            lang=lang,
            flags=frozenset(marks),
            group=group,
            anchors=() if anchors == ((0, start),) else anchors,
        )
        self.blocks.append(block)
        return block

    def end_quotation(self, since: int, last_line: str, intro: str = "", cited: bool = False) -> None:
        """Flag the blocks added since a block quote began if they quote somebody.

        Most block quotes in documentation are remarks of the author. Those of others carry an attribution or quotation marks, or
        the sentence before says so.
        """
        blocks = self.blocks[since:]
        if not blocks or not (
            cited or _ATTRIBUTION.match(last_line) or blocks[0].text.startswith(("“", '"', "«", "„")) or _SAID.search(intro)
        ):
            return
        self.blocks[since:] = [replace(block, flags=block.flags | {"quote"}) for block in blocks]

    def sorted(self) -> tuple[Block, ...]:
        """The blocks in the order of the document, groups renumbered so that they ascend."""
        self.blocks.sort(key=lambda block: (block.start, block.end))
        numbers: dict[int, int] = {0: 0}
        ordered: list[Block] = []
        for block in self.blocks:
            number = numbers.setdefault(block.group, len(numbers))
            ordered.append(block if number == block.group else replace(block, group=number))
        return tuple(ordered)


def line_map(text: str) -> tuple[tuple[int, int], ...]:
    """The line map of a text that is its own source."""
    entries: list[tuple[int, int]] = []
    position = 0
    for number, line in enumerate(text.split("\n"), start=1):
        entries.append((position, number))
        position += len(line) + 1
    return tuple(entries)
