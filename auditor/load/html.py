"""HTML documents: the text of the page without the site around it.

The text is that of the blocks, one under the other; `line_map` leads every part of it back to the line of the source it stands on.
"""

from __future__ import annotations

import re

from auditor.load import front_matter, html_confluence
from auditor.load.decode import decode
from auditor.load.html_head import SHOWN, Head
from auditor.load.html_notes import without_note_signs
from auditor.load.html_reader import Reader
from auditor.load.html_tokens import tokens
from auditor.load.text_sink import TextSink
from auditor.model import BlockKind, Parsed
from auditor.text.inline import Inline

SUFFIXES = (".html", ".htm", ".xhtml", ".shtml")

_TEMPLATE = re.compile(r"\{%(?:(?!%\}).){0,2000}+%\}|\{\{(?:(?!\}\}).){0,2000}+\}\}", re.DOTALL)
_SIGNS = (b"<!doctype html", b"<html")
_LITTLE = 0.1  # of the visible text: less means that the rules took the document for the site


class HtmlLoader:
    """Reads web pages."""

    id = "html"

    def accepts(self, name: str, head: bytes) -> bool:
        """By file name, or a page without an extension by how it begins."""
        base = name.rpartition("/")[2]
        return base.endswith(SUFFIXES) or ("." not in base and head.lstrip()[:100].lower().startswith(_SIGNS))

    def load(self, data: bytes, name: str) -> Parsed:
        """Blocks of the readable part of the page."""
        source = decode(data, declared=True)
        matter = front_matter.read(source)
        page = source
        if matter.end:
            page = "\n" * source.count("\n", 0, matter.end) + source[matter.end :]
        if "{%" in page or matter.end:  # a template of a site generator; plain pages may well show braces
            page = _TEMPLATE.sub(lambda match: "\n" * match.group().count("\n"), page)
        exported = html_confluence.prepared(page, name)
        if exported:
            page, known, page_title = exported
        page = without_note_signs(page)
        sink, head, reader = _read(page, matter, source, by_name=True)
        if reader.dropped > 400 and reader.kept < _LITTLE * (reader.kept + reader.dropped):
            sink, head, reader = _read(page, matter, source, by_name=False)
        blocks = tuple(sink.blocks)
        fields = head.fields | matter.fields
        if exported:
            fields = known | fields
        if reader.versions:
            fields.setdefault("version", next(iter(reader.versions)))
        title = matter.fields.get("title") or head.title or head.fields.get("og:title", "")
        if exported:
            title = page_title or title
        return Parsed(sink.text, blocks, sink.line_map, title=title, fields=fields, format="html")


def _read(page: str, matter: front_matter.FrontMatter, source: str, by_name: bool) -> tuple[TextSink, Head, Reader]:
    sink, head = TextSink(), Head()
    for entry in matter.entries:
        _field(sink, entry.name, entry.value, source.count("\n", 0, entry.start) + 1)
    reader = Reader(page, sink, head, by_name)
    for token in tokens(page):
        reader.feed(token)
    reader.close()
    for name, value in head.fields.items():
        if name in SHOWN:
            _field(sink, name, value, head.lines[name])
    for version, line in reader.versions.items():
        _field(sink, "version", version, line)
    return sink, head, reader


def _field(sink: TextSink, name: str, value: str, line: int) -> None:
    sink.add(BlockKind.FIELD, Inline(f"{name}: {value}", ((0, line),)), line, cells=(name, value))
