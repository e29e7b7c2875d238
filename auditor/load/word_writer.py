"""Paragraphs and tables of a word processor's file become the blocks of a document."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from auditor.load.grid import add_table
from auditor.load.structure import label, lead_in, spoken
from auditor.load.text_sink import TextSink
from auditor.load.word_body import Note, Paragraph, Part, Table, fold, reading
from auditor.load.word_fields import LINE, known
from auditor.load.word_tables import REPEATED, grid_rows, head_rows, is_layout
from auditor.model import BlockKind, Parsed
from auditor.text.inline import Inline

_BULLET = re.compile(r"\s*(?:[•●▪◦‣·∙○■□➢\uf0b7\uf0a7]\s*|[–-]\s+|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})\)\s+)(?=\S)")
_JUNK_TITLE = re.compile(
    r"(?:microsoft word|document\d*$|untitled|template|word document|normal\b|.*\.(?:docx?|odt|rtf|dotx?)$)", re.IGNORECASE
)
_MAX_LEVEL = 6
_HEADING_LENGTH = 90
_TOP = 6  # paragraphs before the lines that state owner, version and date


@dataclass(slots=True)
class _List:
    depth: int
    group: int
    key: str
    lead: str
    item: str = ""


class Writer:
    """Adds blocks to a sink and numbers the paragraphs that a reader sees, those of tables among them."""

    def __init__(self) -> None:
        self.sink = TextSink()
        self.title = ""
        self._places = [""]  # locators by the number that stands for them
        self._paragraphs = 0
        self._lists: list[_List] = []
        self._intro = ""
        self._last = 0
        self._repeated = REPEATED

    def fields(self, named: Mapping[str, str], place: str) -> None:
        """Facts about the document that stand at `place` ("header", "properties")."""
        for name, value in named.items():
            self._field(name, value, self._place(place))

    def write(self, parts: Sequence[Part]) -> dict[str, str]:
        """Add the body of the document. Returns the fields that lines at its top state."""
        self._number(parts, "paragraph")
        flat = [line for part in parts for line in (_lines(part) if isinstance(part, Paragraph) else (part,))]
        if not any(isinstance(part, Paragraph) and part.level for part in flat):
            _find_headings(flat)
        begin, end = _fields_at_top(flat)
        found: dict[str, str] = {}
        self._parts(flat[:begin])
        for part in flat[begin:end]:
            if isinstance(part, Paragraph) and (match := LINE.fullmatch(fold(part.source))):
                found.setdefault(match["name"].lower(), match["value"])
                self._field(match["name"], match["value"], part.place)
        self._parts(flat[end:])
        return found

    def parsed(self, fields: Mapping[str, str], form: str, notices: Sequence[str]) -> Parsed:
        """The document as far as it was written."""
        title = self.title
        stated = fields.get("title", "")
        if not title and stated and not _JUNK_TITLE.match(stated):
            title = stated
        places = tuple((offset, self._places[number]) for offset, number in self.sink.line_map if number < len(self._places))
        fields = {name: value for name, value in fields.items() if name != "title"} | ({"title": title} if title else {})
        return Parsed(
            self.sink.text,
            tuple(self.sink.blocks),
            (),
            title=title,
            fields=fields,
            format=form,
            places=places,
            notices=tuple(notices),
        )

    def _place(self, locator: str) -> int:
        if self._places[-1] != locator:
            self._places.append(locator)
        return len(self._places) - 1

    def _number(self, parts: Sequence[Part], kind: str) -> None:
        """Give every paragraph with text its number."""
        for part in parts:
            if isinstance(part, Table):
                for row in part.rows:
                    for cell in row.cells:
                        self._number(cell.parts, kind)
            elif part.source.strip() or part.struck.strip():
                self._paragraphs += 1
                part.place = self._place(f"paragraph={self._paragraphs}")

    def _field(self, name: str, value: str, place: int) -> None:
        name = name[:1].upper() + name[1:]
        self.sink.add(BlockKind.FIELD, Inline(f"{name}: {value}", ((0, place),)), place, cells=(name, value))

    def _parts(self, parts: Sequence[Part]) -> None:
        code: list[Paragraph] = []
        for part in parts:
            if isinstance(part, Paragraph) and part.style == "code" and part.item is None:
                code.append(part)
                continue
            self._code(code)
            code = []
            if isinstance(part, Table):
                self._table(part)
            elif part.style != "contents":
                self._paragraph(part)
                self._notes(part.notes)
        self._code(code)

    def _code(self, lines: Sequence[Paragraph]) -> None:
        text: list[str] = []
        anchors: list[tuple[int, int]] = []
        position = 0
        for line in lines:
            anchors.append((position, line.place or self._last))
            text.append(line.source.replace("\t", "    ").rstrip())
            position += len(text[-1]) + 1
        joined = "\n".join(text)
        if joined.strip():
            cut = len(joined) - len(joined.lstrip("\n"))
            kept = [(max(at - cut, 0), place) for at, place in anchors]
            self.sink.add(BlockKind.CODE, Inline(joined[cut:].rstrip(), tuple(kept)), kept[0][1])
            self._intro = ""
        for line in lines:
            self._notes(line.notes)

    def _paragraph(self, paragraph: Paragraph) -> None:
        inline = reading(paragraph)
        if not inline.text:
            return
        text, place = inline.text, paragraph.place
        self._last = place
        if paragraph.title or paragraph.level:
            self._lists, self._intro = [], ""
            if paragraph.title and not self.title and not inline.struck:
                self.title = text
            self.sink.add(BlockKind.HEADING, inline, place, level=min(paragraph.level or 1, _MAX_LEVEL))
            return
        if paragraph.item is not None:
            self._item(inline, paragraph)
            return
        above, level = "", 0
        if paragraph.continued and self._lists:
            current = self._lists[-1]
            above, level = spoken(current.lead, current.item) if label(current.item) else "", len(self._lists)
        else:
            self._lists = []
        kind = BlockKind.QUOTE if paragraph.style == "quote" else BlockKind.PARAGRAPH
        self.sink.add(kind, inline, place, level=level, lead_in=above)
        self._intro = lead_in(text, f"**{text}**" if paragraph.bold else text)

    def _item(self, inline: Inline, paragraph: Paragraph) -> None:
        depth = min(paragraph.item or 0, 20)
        while self._lists and self._lists[-1].depth > depth:
            self._lists.pop()
        current = self._lists[-1] if self._lists else None
        if current is None or current.depth < depth or (self._intro and current.key != paragraph.list_key):
            if current and current.depth == depth:
                self._lists.pop()
                current = self._lists[-1] if self._lists else None
            lead = spoken(current.lead, current.item if label(current.item) else "", self._intro) if current else self._intro
            current = _List(depth, self.sink.new_group(), paragraph.list_key, lead)
            self._lists.append(current)
        current.item = inline.text
        self.sink.add(
            BlockKind.ITEM, inline, paragraph.place, level=len(self._lists) - 1, lead_in=current.lead, group=current.group
        )
        self._intro = ""

    def _notes(self, notes: Sequence[Note]) -> None:
        """Footnotes stand below the paragraph that refers to them and change nothing for what follows."""
        for note in notes:
            place = self._place(f"{note.kind}={note.number}")
            for paragraph in _paragraphs(note.blocks):
                paragraph.place = place
                self.sink.add(BlockKind.PARAGRAPH, reading(paragraph), place)

    def _table(self, table: Table) -> None:
        table = replace(table, rows=[row for row in table.rows if row.cells])
        if is_layout(table):
            self._lists = []
            for row in table.rows:
                for cell in row.cells:
                    self._parts(
                        [line for part in cell.parts for line in (_lines(part) if isinstance(part, Paragraph) else (part,))]
                    )
            return
        caption, rows = self._intro, table.rows
        if len(rows) > 1 and len(rows[0].cells) == 1 and any(len(row.cells) > 1 for row in rows[1:]):
            above = " ".join(fold(part.source) for part in _paragraphs(rows[0].cells[0].parts)).strip()
            if above and len(above.split()) <= 12 and not above.endswith("."):  # its title, in a row of its own
                caption, rows = spoken(caption.rstrip(":"), above), rows[1:]
        heads = head_rows(replace(table, rows=rows))
        grid, self._repeated = grid_rows(rows, heads, self._last or 1, self._repeated)
        add_table(self.sink, grid, caption=caption, guess_head=False)
        self._lists, self._intro = [], ""
        for row in table.rows:
            for cell in row.cells:
                for part in cell.parts:
                    if isinstance(part, Table):
                        texts = [fold(other.source) for other in cell.parts if isinstance(other, Paragraph)]
                        self._intro = next((text for text in texts if text), "") or fold(
                            " ".join(other.source for other in _paragraphs(row.cells[0].parts))
                        )
                        self._table(part)
                    else:
                        self._notes(part.notes)
        self._intro = ""


def _paragraphs(parts: Sequence[Part]) -> list[Paragraph]:
    """All paragraphs, those of tables among them."""
    found: list[Paragraph] = []
    for part in parts:
        if isinstance(part, Paragraph):
            found.append(part)
        else:
            for row in part.rows:
                for cell in row.cells:
                    found += _paragraphs(cell.parts)
    return found


def _lines(paragraph: Paragraph) -> list[Paragraph]:
    """A paragraph; its lines where they are items or fields that only line breaks set apart."""
    if paragraph.level or paragraph.title or paragraph.style or paragraph.item is not None:
        return [paragraph]
    lines = [line for line in paragraph.source.split("\n") if line.strip()]
    if len(lines) > 1:
        bullets = sum(bool(_BULLET.match(line)) for line in lines)
        if bullets >= 2 or all(LINE.fullmatch(fold(line)) for line in lines):
            out = [replace(paragraph, source=line, struck="", notes=[]) for line in lines]
            out[-1].notes = paragraph.notes
            return [_typed_item(line) for line in out]
    return [_typed_item(paragraph)]


def _typed_item(paragraph: Paragraph) -> Paragraph:
    """A paragraph whose bullet was typed is an item."""
    match = _BULLET.match(paragraph.source)
    if not match:
        return paragraph
    return replace(paragraph, source=paragraph.source[match.end() :], item=0, list_key="typed")


def _find_headings(parts: Sequence[Part]) -> None:
    """In a document without heading styles, short bold lines are the headings."""
    for part, following in pairwise(parts):
        if (
            isinstance(part, Paragraph)
            and part.bold
            and not part.title
            and not part.style
            and not (isinstance(following, Paragraph) and following.bold and following.item is not None)
        ):
            text = fold(part.source)
            if 0 < len(text) <= _HEADING_LENGTH and text[-1] not in ".,;:!?" and re.search(r"[^\W\d]", text):
                part.level = 2
                part.item = None


def _fields_at_top(parts: Sequence[Part]) -> tuple[int, int]:
    """The run of "Name: value" lines at the top of the document, as indexes; at least two, one of them under a known name."""
    before = 0
    for i, part in enumerate(parts[:200]):
        if not isinstance(part, Paragraph) or before > _TOP:
            break
        if not part.source.strip():
            continue
        end, names = i, []
        while end < len(parts):
            line = parts[end]
            if not isinstance(line, Paragraph) or line.item is not None or line.level or line.notes:
                break
            text = fold(line.source)
            match = LINE.fullmatch(text)
            if text and not (match and len(match["name"].split()) <= 4):
                break
            if match:
                names.append(match["name"])
            end += 1
        if len(names) >= 2 and any(map(known, names)):
            return i, end
        before += 1
    return 0, 0
