"""Pages: what stands on them, and how Markdown, HTML and plain text write it."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from benchmarks.store.claims import Placement

_MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, a list item or the cells of a row, and the placement that it states."""

    cells: tuple[str, ...]
    placements: tuple[Placement, ...] = ()

    @property
    def text(self) -> str:
        """As a gold pair quotes it."""
        return " | ".join(self.cells)


@dataclass(frozen=True, slots=True)
class Part:
    """A heading, or what stands below one: a paragraph, a list, fields, a table (its first line is the header)."""

    kind: str  # heading | paragraph | list | fields | table
    lines: tuple[Line, ...]
    lead_in: str = ""
    level: int = 2

    def statements(self) -> int:
        """How many statements a reader makes of it."""
        if self.kind == "table":
            return sum(len(line.cells) - 1 for line in self.lines[1:])
        return len(self.lines) + bool(self.lead_in)


@dataclass(slots=True)
class Page:
    """One document."""

    path: str  # without the extension
    extension: str
    title: str
    owner: str
    updated: date
    effective: bool  # the date says since when it holds
    front: bool  # front matter, where the format has it
    parts: list[Part] = field(default_factory=list)

    @property
    def doc_id(self) -> str:
        """Path in the corpus."""
        return self.path + self.extension

    def statements(self) -> int:
        """How many statements a reader makes of it, about."""
        return 3 + sum(part.statements() for part in self.parts)

    def placements(self) -> Iterator[tuple[Line, Placement]]:
        """Everything that is stated here."""
        for part in self.parts:
            for line in part.lines:
                for placement in line.placements:
                    yield line, placement

    def copy(self, path: str, updated: date) -> Page:
        """The same page elsewhere."""
        return replace(self, path=path, updated=updated, parts=list(self.parts))

    def source(self) -> str:
        """The file."""
        return {".md": _markdown, ".html": _html, ".txt": _plain}[self.extension](self)


def _day(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _dated(page: Page) -> str:
    return f"{'Effective from' if page.effective else 'Last updated'}: {_day(page.updated)}"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _markdown(page: Page) -> str:
    out: list[str] = []
    if page.front:
        key = "effective" if page.effective else "updated"
        out.append(f"---\ntitle: {page.title!r}\nowner: {page.owner}\n{key}: {page.updated.isoformat()}\n---\n")
        out.append(f"# {page.title}\n")
    else:
        out.append(f"# {page.title}\n\nOwner: {page.owner}\n\n{_dated(page)}\n")
    for part in page.parts:
        texts = [line.text for line in part.lines]
        if part.kind == "heading":
            out.append(f"{'#' * part.level} {texts[0]}\n")
        elif part.kind == "paragraph":
            out.append(" ".join(texts) + "\n")
        elif part.kind == "list":
            out.append(f"{part.lead_in}\n\n" + "\n".join(f"- {text}" for text in texts) + "\n")
        elif part.kind == "fields":
            out.append("\n".join(f"**{line.cells[0]}:** {line.cells[1]}  " for line in part.lines) + "\n")
        else:
            rows = [_row(line.cells) for line in part.lines]
            rows.insert(1, _row(["---"] * len(part.lines[0].cells)))
            out.append("\n".join(rows) + "\n")
    return "\n".join(out)


def _html(page: Page) -> str:
    escape = html.escape
    out = [
        f"<!DOCTYPE html>\n<html><head><title>{escape(page.title)}</title>",
        f'<meta name="author" content="{escape(page.owner)}"></head>\n<body>',
        f'<h1>{escape(page.title)}</h1>\n<p class="date">{_dated(page)}</p>',
    ]
    for part in page.parts:
        texts = [escape(line.text, quote=False) for line in part.lines]
        if part.kind == "heading":
            out.append(f"<h{part.level}>{texts[0]}</h{part.level}>")
        elif part.kind == "paragraph":
            out.append(f"<p>{' '.join(texts)}</p>")
        elif part.kind == "list":
            items = "\n".join(f"<li>{text}</li>" for text in texts)
            out.append(f"<p>{escape(part.lead_in, quote=False)}</p>\n<ul>\n{items}\n</ul>")
        elif part.kind == "fields":
            pairs = [(escape(line.cells[0]), escape(line.cells[1], quote=False)) for line in part.lines]
            out.append("<dl>\n" + "\n".join(f"<dt>{k}</dt><dd>{v}</dd>" for k, v in pairs) + "\n</dl>")
        else:
            rows = []
            for n, line in enumerate(part.lines):
                tag = "td" if n else "th"
                cells = "".join(f"<{tag}>{escape(cell, quote=False)}</{tag}>" for cell in line.cells)
                rows.append(f"<tr>{cells}</tr>")
            out.append("<table>\n" + "\n".join(rows) + "\n</table>")
    out.append("</body></html>\n")
    return "\n".join(out)


def _plain(page: Page) -> str:
    out = [page.title.upper(), "", f"Owner: {page.owner}", _dated(page), ""]
    for part in page.parts:
        texts = [line.text for line in part.lines]
        if part.kind == "heading":
            out += [texts[0], "-" * len(texts[0])]
        elif part.kind == "paragraph":
            out += textwrap.wrap(" ".join(texts), 78)
        elif part.kind == "list":
            out += [part.lead_in, ""]
            for text in texts:
                out += textwrap.wrap(text, 78, initial_indent="- ", subsequent_indent="  ")
        elif part.kind == "fields":
            out += [f"{line.cells[0]}: {line.cells[1]}" for line in part.lines]
        else:
            widths = [max(len(line.cells[i]) for line in part.lines) + 3 for i in range(len(part.lines[0].cells))]
            out += ["".join(c.ljust(w) for c, w in zip(line.cells, widths, strict=True)).rstrip() for line in part.lines]
        out.append("")
    return "\n".join(out)
