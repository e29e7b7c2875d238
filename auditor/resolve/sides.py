"""Sides: everything a reader needs to find a passage and to judge it."""

from __future__ import annotations

import re
from urllib.parse import quote as percent_encoded

from auditor.globs import container, plain
from auditor.model import BlockKind, Document, Side, Statement
from auditor.resolve.cluster import Claim

HEADING_SEPARATOR = " › "

_TOKEN = re.compile(r"[^\W_]+(?:[.,:][^\W_]+)*|[%$€£¥]")
# What may stand between the words of a value: white space, markup of emphasis, code, links and cells, tags, entities, quotes.
_BETWEEN = r"(?:[\s*_`~|\\\[\]'’\"“”/+-]|<[^<>]{0,200}>|&\#?\w{1,8};)*"


def build_side(statement: Statement, document: Document, claim: Claim) -> Side:
    """One side of a conflict. The quote is the passage as it stands in the document."""
    quote = document.text[statement.start : statement.end]
    first = document.line_at(statement.start)
    last = document.line_at(max(statement.start, statement.end - 1))
    spans = marks(quote, statement, claim.span)
    place = _place(document, statement, spans)
    page = re.fullmatch(r"page=(\d+)(?:-\d+)?", place or "")
    return Side(
        doc=document.doc_id,
        title=document.title,
        owner=document.owner,
        source_tier=document.tier,
        published=document.published.value if document.published else None,
        effective=document.effective.value if document.effective else None,
        heading=HEADING_SEPARATOR.join(statement.heading),
        chunk_id=statement.chunk_id,
        quote=quote,
        statement=statement.text,
        char_start=statement.start,
        char_end=statement.end,
        line_start=first,
        line_end=last,
        page=int(page[1]) if page else None,
        locator=place or (_range("line", first, last) if first is not None else None),
        url=url(document, first),
        value=claim.value,
        scope=claim.scope,
        marks=spans,
    )


def _place(document: Document, statement: Statement, spans: tuple[tuple[int, int], ...]) -> str | None:
    """Locator in a document without lines: of the deciding words in a table, else from the first to the last word of the quote."""
    if spans and statement.kind is BlockKind.ROW:
        return document.place_at(statement.start + spans[0][0])
    first = document.place_at(statement.start)
    last = document.place_at(max(statement.start, statement.end - 1))
    if first is None or last is None or first == last:
        return first
    name, _, begin = first.partition("=")
    other, _, end = last.partition("=")
    return _range(name, begin, end) if name == other else first


def _range(name: str, first: object, last: object) -> str:
    return f"{name}={first}" if first == last else f"{name}={first}-{last}"


def url(document: Document, line: int | None) -> str | None:
    """Link to a line, by the template of the document's collection; a record or archive member is reached by its file."""
    if document.url is None:
        return None
    path = percent_encoded(plain(container(document.doc_id)).encode("utf-8", "replace"), safe="/")
    # Not str.format: a template may hold other braces, and a path that holds "{line}" must not be filled in.
    parts = {"{path}": path, "{line}": str(line or 1)}
    return re.sub(r"\{path\}|\{line\}", lambda match: parts[match.group()], document.url)


def marks(quote: str, statement: Statement, span: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """Spans in the quote of the words of the value, which may be interspersed with markup there.

    Of several places the one is taken that comes as late in the quote as the value does in the statement's own words. A value in
    the lead-in, which is not quoted, has no mark.
    """
    words = _TOKEN.findall(statement.text[span[0] : span[1]])
    if not words:
        return ()
    pattern = re.compile(_BETWEEN.join(f"({_bounded(word)})" for word in words), re.I)
    found = list(pattern.finditer(quote))
    if not found:
        return _scattered(quote, words)
    before = sum(match.start() < span[0] for match in pattern.finditer(statement.text, statement.body))
    match = found[min(before, len(found) - 1)]
    return _merged(quote, [match.span(i + 1) for i in range(len(words))])


def _bounded(word: str) -> str:
    """A word that is not part of a longer word or number."""
    before = r"(?<![^\W_])(?<!\d[.,])" if word[0].isalnum() else ""
    after = r"(?![^\W_])(?![.,]\d)" if word[-1].isalnum() else ""
    # Inside a value "5GB" and "5 GB" are cut alike only where digits and letters meet.
    return f"{before}{re.escape(word)}{after}"


def _scattered(quote: str, words: list[str]) -> tuple[tuple[int, int], ...]:
    """The words one after the other, with others in between; () when one that matters is missing."""
    spans = []
    position = 0
    for word in words:
        match = re.compile(_bounded(word), re.I).search(quote, position)
        if match is not None:
            spans.append(match.span())
            position = match.end()
        elif any(character.isdigit() for character in word):
            return ()
    return _merged(quote, spans)


def _merged(quote: str, spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Neighbouring spans joined where nothing but white space or a joint of the word ("TR-55-8120") lies between them."""
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and not quote[merged[-1][1] : start].strip(" \t\r\n-/+"):
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return tuple(merged)
