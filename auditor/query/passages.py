"""How a passage is named: by our chunk id, by its document, or by a span of its document."""

from __future__ import annotations

import operator
from typing import NamedTuple, TypeAlias

from auditor.errors import UserError


class Span(NamedTuple):
    """A piece of a document's extracted text, as some other program cut it: characters `start` up to, not including, `end`."""

    doc: str
    start: int
    end: int


Passage: TypeAlias = str | tuple[str, int, int]
"""A chunk id, a document id, or (document, start, end)."""


def read_span(passage: object) -> Span:
    """`passage` as a span. Raises `UserError` when it is not (document, start, end)."""
    if not isinstance(passage, tuple | list) or len(passage) != 3 or not isinstance(passage[0], str):
        raise UserError(f"a passage is a chunk id, a document id or (document, start, end), not {passage!r:.80}")
    try:
        start, end = operator.index(passage[1]), operator.index(passage[2])
    except TypeError:
        raise UserError(f"start and end of a passage are whole numbers of characters, not {passage!r:.80}") from None
    if not 0 <= start <= end:
        raise UserError(f"a passage cannot go from character {start} to {end} (of {passage[0]!r:.80})")
    return Span(passage[0], start, end)


def document_of(passage: Passage) -> str:
    """The document that a span is cut from, or what stands in front of the last colon of a chunk id."""
    return passage[0] if not isinstance(passage, str) else passage.rpartition(":")[0]
