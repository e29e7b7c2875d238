"""What the files of word processors hold, whatever their format: paragraphs and tables, with what their styles say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from auditor.text.inline import EMPTY, Inline

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2028-\u202f\u2060\ufeff]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


_RAISABLE = re.compile(r"[0-9+\-−()n ]+")
_RAISED = str.maketrans("0123456789+-−()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁿ")


@dataclass(slots=True)
class Paragraph:
    """A paragraph as written. `source` has its tabs and line breaks, `struck` the text that is crossed out."""

    source: str
    struck: str = ""
    bold: bool = False  # all of it
    level: int = 0  # of a heading
    title: bool = False
    style: str = ""  # "quote", "code", "contents" (an entry of a table of contents, which is left out)
    item: int | None = None  # nesting depth of a list item
    list_key: str = ""  # items of one list have one key
    continued: bool = False  # belongs to the list item above
    place: int = 0  # number of the paragraph, given out by the writer
    notes: list[Note] = field(default_factory=list)  # footnotes and endnotes that it refers to


@dataclass(slots=True)
class Note:
    """A footnote or endnote."""

    kind: str
    number: int
    blocks: Sequence[Part]


@dataclass(slots=True)
class TableCell:
    """A cell; `shaded` and `bold` are signs of a header."""

    parts: list[Part]
    colspan: int = 1
    rowspan: int = 1
    shaded: bool = False
    bold: bool = False


@dataclass(slots=True)
class TableRow:
    """A row; `head` says that it is repeated on every page."""

    cells: list[TableCell]
    head: bool = False


@dataclass(slots=True)
class Table:
    """A table; `styled_head` says that its style sets the first row apart."""

    rows: list[TableRow]
    styled_head: bool = False


Part: TypeAlias = "Paragraph | Table"


class Runs:
    """Gathers the text of one paragraph run by run. `breaks` in it are line feeds and tabs."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._struck: list[str] = []
        self._bold = self._plain = False

    def add(self, text: str, struck: bool = False, bold: bool = False, raised: bool = False) -> None:
        """Add the text of a run. Superscript figures are written as such: 10⁶ is not 106."""
        if not text:
            return
        if raised and _RAISABLE.fullmatch(text):
            text = text.translate(_RAISED)
        (self._struck if struck else self._text).append(text)
        if text.strip():
            if bold:
                self._bold = True
            else:
                self._plain = True

    def paragraph(self) -> Paragraph:
        """The paragraph; nothing is gathered afterwards."""
        found = Paragraph("".join(self._text), "".join(self._struck), self._bold and not self._plain)
        self.__init__()  # type: ignore[misc]
        return found

    def __bool__(self) -> bool:
        return bool(self._text or self._struck)


def fold(text: str) -> str:
    """White space folded to single blanks, what nobody sees removed."""
    return " ".join(_INVISIBLE.sub("", text).split())


def reading(paragraph: Paragraph) -> Inline:
    """The clean reading; text that is struck out only counts where there is no other."""
    if text := fold(paragraph.source):
        return Inline(text, ((0, paragraph.place),))
    if text := fold(paragraph.struck):
        return Inline(text, ((0, paragraph.place),), True)
    return EMPTY


HEADING_NAMES = re.compile(
    r"(?:heading|head|header|überschrift|titre|título|titulo|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|naslov|"
    r"címsor|titlu|başlık|заголовок|επικεφαλίδα|見出し|标题|標題|제목)[\s_-]*([1-9])(?:\b|_|$)",
    re.IGNORECASE,
)
"""Names of heading styles; some programs write those of the user's language."""
_TITLES = re.compile(
    r"(?:document |doc )?(?:title|titel|titre|título|titulo|titolo|tytuł|otsikko|название|標題|表題|标题|제목)", re.IGNORECASE
)
_CONTENTS = re.compile(
    r"(?:toc|contents|table of (?:contents|figures|authorities)|verzeichnis|inhaltsverzeichnis|"
    r"index|illustration index|object index|table index|user index)\b(?:\s*(?:\d|heading|level).*)?",
    re.IGNORECASE,
)
_QUOTE = re.compile(r"(?:intense )?quot(?:e|ation)s?|block (?:text|quotation)|zitat|citation", re.IGNORECASE)
_CODE = re.compile(
    r"html preformatted|preformatted text|source ?code|code(?: ?block)?|plain text|verbatim|macro text|listing", re.IGNORECASE
)


def style_level(name: str) -> int:
    """The level of headings with a style of this name, 0 for others."""
    match = HEADING_NAMES.match(name.strip())
    return int(match[1]) if match else 0


def style_role(name: str) -> str:
    """What a style of this name is for: "title", "contents", "quote", "code", or ""."""
    name = " ".join(name.replace("_20_", " ").split())
    for role, pattern in (("title", _TITLES), ("contents", _CONTENTS), ("quote", _QUOTE), ("code", _CODE)):
        if pattern.fullmatch(name):
            return role
    return ""


def listed(name: str) -> bool:
    """Whether a style of this name is one for text in lists."""
    return bool(re.match(r"list\b|aufzählung|liste\b|lista\b", name.strip(), re.IGNORECASE))
