"""PDF documents: text in reading order with headings, lists, tables and footnotes; every block knows its page and line.

A PDF holds glyphs at places, no structure. What a reader sees is worked out from sizes, weights, gaps and drawn lines; the
modules `pdf_*` do one step each. Running headers and footers are dropped, pages that are images are reported.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pypdfium2  # type: ignore[import-untyped]
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

from auditor.load.pdf_columns import flows
from auditor.load.pdf_lines import parts
from auditor.load.pdf_margins import drop_running
from auditor.load.pdf_page import Page, Segment, read_page
from auditor.load.pdf_structure import Print, Reader, notes
from auditor.load.pdf_tables import Table, ruled_tables
from auditor.load.pdf_write import PAGE, Pieces, Writer
from auditor.model import Parsed
from auditor.ports import LoadError

MAX_PAGES = 20_000
MAX_SEGMENTS = 2_000_000  # of a document; a line of print is one
_MAX_PAGE_SEGMENTS = 20_000
_GARBLED = 0.5  # share of unknown glyphs from which on a page is not readable
_DATE = re.compile(r"\s*(?:D:)?(\d{4})(\d{2})?(\d{2})?")
_NO_TITLE = re.compile(
    r"^(?:microsoft (?:word|powerpoint|excel)|untitled|document\d*$|dokument\d*$|title$|presentation\d*$|slide 1|print|about:|https?:)"
    r"|\.(?:docx?|dotx?|rtf|odt|indd|qxd|tex|dvi|pages|xlsx?|pptx?|html?|pdf|txt|md|cdr|ai|ps|fm|wpd)$",
    re.IGNORECASE,
)
_NOBODY = re.compile(r"(?:\(.*\)|unknown|anonymous|user|admin|administrator|owner|author|windows user|n/?a)$", re.IGNORECASE)
_INFO = (("Author", "author"), ("Subject", "subject"), ("Keywords", "keywords"))
_DATES = (("CreationDate", "created"), ("ModDate", "modified"))


class PdfLoader:
    """Reads PDF files."""

    id = "pdf"

    def accepts(self, name: str, head: bytes) -> bool:
        """By name: a file that is a PDF by its content comes with a name that says so."""
        return name.endswith(".pdf")

    def load(self, data: bytes, name: str) -> Parsed:
        """Blocks of the text, with the page of each."""
        document = _open(data)
        unread = _Unread(mended=b"startxref" not in data[-2048:])
        try:
            info = _info(document)
            pages = _pages(document, unread)
        finally:
            document.close()
        usual = _usual(pages)
        title = info.pop("title", "")
        drop_running(pages, title)
        unread.empty += [page.number for page in pages if not page.segments and page.rulings.images]  # a header above a scan
        pieces = Pieces()
        for page in pages:
            pieces.learn(page.segments)
        for page in pages:
            _read(page, usual, pieces)
        writer = Writer(pieces)
        sink = writer.sink
        if not sink.blocks:
            raise LoadError("no text: the pages are images")
        places, lines = _located(sink.line_map)
        title = _title(title, writer.title, sink.text[:4000])
        return Parsed(
            sink.text,
            tuple(sink.blocks),
            lines,
            title=title,
            fields=({"title": title} if title else {}) | info,
            format="pdf",
            places=places,
            notices=unread.notices(),
        )


def _open(data: bytes) -> Any:
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        code = getattr(error, "err_code", None)
        if code == pdfium.FPDF_ERR_PASSWORD:
            raise LoadError("protected by a password") from error
        if code == pdfium.FPDF_ERR_SECURITY:
            raise LoadError("encrypted in a way that is not read") from error
        raise LoadError("the file is damaged or cut off") from error
    return document


def _info(document: Any) -> dict[str, str]:
    """What the document information says, under the names that `meta` reads."""
    found: dict[str, str] = {}
    title = _clean(document.get_metadata_value("Title"))
    if title and not _NO_TITLE.search(title) and any(c.isalpha() for c in title) and len(title) <= 250:
        found["title"] = title
    for key, name in _INFO:
        value = _clean(document.get_metadata_value(key))
        if value and not _NOBODY.match(value):
            found[name] = value[:500]
    for key, name in _DATES:
        match = _DATE.match(document.get_metadata_value(key) or "")
        if match and "1970" < match[1] < "2100" and "01" <= (match[2] or "01") <= "12" and "01" <= (match[3] or "01") <= "31":
            found[name] = "-".join(part for part in match.groups() if part)
    return found


def _clean(text: str | None) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text or "").split())


@dataclass(slots=True)
class _Unread:
    """Pages by what is wrong with them."""

    empty: list[int] = field(default_factory=list)
    garbled: list[int] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)
    cut: list[int] = field(default_factory=list)
    mended: bool = False  # whether the end of the file is missing, and with it the list of its parts
    end: int = 0  # the last page that was read of a document that is too long

    def reason(self) -> str:
        """Why a document without a readable page is not read."""
        if self.garbled:
            return "the text cannot be decoded: its fonts do not say which characters they show"
        if self.broken and not self.empty:
            return "the file is damaged: no page of it can be read"
        return "no text: the pages are images" if self.empty else "no text: the pages are empty"

    def notices(self) -> tuple[str, ...]:
        """What users are told about a document that is read otherwise."""
        told = [
            _told(sorted(self.empty), "holds", "hold", "no text (scanned images?)"),
            _told(self.garbled, "holds", "hold", "text that cannot be decoded"),
            _told(self.broken, "is", "are", "damaged"),
            _told(
                self.cut, "was", "were", "read only in part: too much stands on it" if len(self.cut) == 1 else "read only in part"
            ),
            "damaged or cut off at its end: parts may be missing" if self.mended else "",
            f"too long: only the first {self.end} pages were read" if self.end else "",
        ]
        return tuple(notice for notice in told if notice)


def _pages(document: Any, unread: _Unread) -> list[Page]:
    """The pages that hold text. Raises `LoadError` when there are none."""
    pages: list[Page] = []
    count, total = len(document), 0
    form = document.get_formtype() == pdfium.FORMTYPE_ACRO_FORM
    for number in range(1, count + 1):
        if number > MAX_PAGES or total > MAX_SEGMENTS:
            unread.end = number - 1
            break
        try:
            page = read_page(document, number, form=form)
        except pypdfium2.PdfiumError:
            unread.broken.append(number)
            continue
        if page.cut or len(page.segments) > _MAX_PAGE_SEGMENTS:
            unread.cut.append(number)
            page.segments = page.segments[:_MAX_PAGE_SEGMENTS]
        total += len(page.segments)
        if page.garbled > _GARBLED:
            unread.garbled.append(number)
        elif page.segments:
            pages.append(page)
        elif page.rulings.drawn:  # a blank page lacks nothing
            unread.empty.append(number)
    if not pages:
        raise LoadError(unread.reason())
    return pages


def _told(numbers: Sequence[int], verb: str, verbs: str, what: str) -> str:
    """A sentence about some pages, "" about none."""
    if not numbers:
        return ""
    return f"page {numbers[0]} {verb} {what}" if len(numbers) == 1 else f"pages {_listed(numbers)} {verbs} {what}"


def _listed(numbers: Sequence[int]) -> str:
    """Page numbers as words: `3 and 5`, `3-7 and 9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    names = [name for a, b in runs for name in ([f"{a}-{b}"] if b > a + 1 else map(str, range(a, b + 1)))]
    if len(names) > 20:
        names = [*names[:20], "others"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _usual(pages: Iterable[Page]) -> Print:
    """Size and sort of the letters most of the text is set in."""
    sizes: Counter[float] = Counter()
    mono = total = 0
    for page in pages:
        for segment in page.segments:
            letters = len(segment.text)
            sizes[round(segment.size * 2) / 2] += letters
            total += letters
            mono += letters if segment.mono else 0
    size = max(sizes, key=lambda value: (sizes[value], -value)) if sizes else 10.0
    return Print(size, mono > 0.6 * total)


def _read(page: Page, usual: Print, pieces: Pieces) -> None:
    """Add the text of a page."""
    tables, loose = ruled_tables(page.segments, page.rulings)
    line = page.dropped + 1
    boxes: list[Segment | Table] = [*loose, *tables]
    for flow in flows(boxes):
        found, line = parts(flow.boxes, page.rulings.horizontal, line, pieces.table, not usual.mono)
        found, small = notes(found, page.height, usual)
        pieces.add(Reader(found, usual).elements, small)
    for segments in page.sideways:
        found, line = parts(segments, (), line, None, not usual.mono)
        pieces.add(Reader(found, usual).elements, ())


def _located(entries: Iterable[tuple[int, int]]) -> tuple[tuple[tuple[int, str], ...], tuple[tuple[int, int], ...]]:
    """Pages and lines on them, from positions in the text that lead to both."""
    places: list[tuple[int, str]] = []
    lines: list[tuple[int, int]] = []
    for offset, source in entries:
        place = f"page={source // PAGE}"
        if not places or places[-1][1] != place:
            places.append((offset, place))
        lines.append((offset, source % PAGE))
    return tuple(places), tuple(lines)


def _title(stated: str, seen: str, beginning: str) -> str:
    """The title of the document information, unless the first page has another one: then it was left over from a template."""
    if not stated or not seen:
        return stated or seen
    words = set(re.findall(r"\w+", stated.lower()))
    return stated if len(words & set(re.findall(r"\w+", beginning.lower()))) >= 0.6 * len(words) else seen
