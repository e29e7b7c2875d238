"""XML parts that may be large, read as a stream of events: nothing is kept of them but what the reader takes.

No document type definitions, no entities but the built-in ones, no network; nesting is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol
from xml.parsers import expat

from auditor.ports import LoadError

_DEPTH = 500
_CHUNK = 1 << 16


class Stop(Exception):
    """A handler has seen enough."""


class Handler(Protocol):
    """Takes the events of one part. Names come without their namespace prefix."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        ...

    def text(self, data: str) -> None:
        """Text, possibly in several pieces."""
        ...

    def end(self, name: str) -> None:
        """An element ends."""
        ...


def feed(data: bytes, part: str, handler: Handler) -> None:
    """Run a handler over an XML source until it ends or the handler raises `Stop`. Raises `LoadError` when it is damaged."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.buffer_size = _CHUNK
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEPTH:
            raise LoadError(f"{part} is nested too deeply")
        handler.start(name.rpartition(":")[2], attributes)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        handler.end(name.rpartition(":")[2])

    def doctype(*_: object) -> None:
        raise LoadError(f"{part} holds a document type definition, which is not read")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = handler.text
    parser.StartDoctypeDeclHandler = doctype
    try:
        for chunk in _chunks(data):
            parser.Parse(chunk, False)
        parser.Parse(b"", True)
    except Stop:
        return
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise LoadError(f"{part} is damaged: {str(error)[:200]}") from error


def _chunks(data: bytes) -> Iterator[bytes]:
    for at in range(0, len(data), _CHUNK):
        yield data[at : at + _CHUNK]


def attribute(attributes: Mapping[str, str], name: str) -> str:
    """An attribute by its name without prefix; "" when it is missing."""
    found = attributes.get(name)
    if found is not None:
        return found
    return next((value for key, value in attributes.items() if key.rpartition(":")[2] == name), "")
