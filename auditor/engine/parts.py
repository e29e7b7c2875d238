"""The two per-document steps of a scan as pure functions, and the form in which their results travel and are kept.

*Reading* turns a file into documents with chunks, statements and a survey; *extraction* turns the statements of one document, and what
the corpus as a whole knows, into facts. Statements are counted from 0 within their document here; `placed` and `placed_facts` give
them their numbers in the scan.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec

from auditor.extract.facts import Extractor
from auditor.extract.survey import Shared, Survey, survey
from auditor.load.language import has_rules
from auditor.load.read import Reading, open_regular, read_file
from auditor.model import Chunk, Document, Fact, Skipped, Statement
from auditor.rulepack import RulePack, load_rules
from auditor.text.statements import ContextWords, build

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DocumentParts:
    """A document without its blocks, its chunks and statements, and what other documents have to know of it."""

    document: Document
    chunks: list[Chunk]
    statements: list[Statement]
    survey: Survey


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one document of a file: one of the two is set."""

    parts: DocumentParts | None = None
    skipped: Skipped | None = None


@dataclass(frozen=True, slots=True)
class FactsOrder:
    """Everything that the facts of one document depend on."""

    statements: list[Statement]
    scope: Mapping[str, str]
    survey: Survey
    shared: Shared
    plain: bool = False  # in a language without a rule pack: only what is written in figures counts


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """Facts of the statements of a document, one list each, and the words that stand for its concepts."""

    facts: list[list[Fact]]
    surface: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Setup:
    """What a worker is told before its first task."""

    reading: Reading
    rules: str | None = None


_encoder = msgspec.msgpack.Encoder()
_ordered = msgspec.msgpack.Encoder(order="deterministic")


def encoded(value: object) -> bytes:
    """The value as bytes, for another process or the cache."""
    return _encoder.encode(value)


def identity(value: object) -> bytes:
    """The same with sets in a fixed order, to compute keys from."""
    return _ordered.encode(value)


def decoded(data: bytes, kind: type[T]) -> T:
    """The value of this type. Raises `msgspec.DecodeError` (a `ValueError`) for anything else."""
    decoder: msgspec.msgpack.Decoder[T] = _decoder(cast("Hashable", kind))
    return decoder.decode(data)


@cache
def _decoder(kind: Hashable) -> Any:
    return msgspec.msgpack.Decoder(kind)


def digest(path: Path) -> bytes:
    """SHA-256 of what a file holds, b"" when it cannot be read."""
    try:
        with open_regular(path) as file:
            found = hashlib.sha256()
            while data := file.read(1 << 20):
                found.update(data)
            return found.digest()
    except OSError:
        return b""


class Reader:
    """Does both steps; holds what the rule packs are compiled to."""

    def __init__(self, reading: Reading, rules: RulePack) -> None:
        self.reading = reading
        self._words = ContextWords.of(rules.scope)
        self._extractor = Extractor(rules)

    @classmethod
    def of(cls, setup: Setup) -> Reader:
        """The reader that a worker needs."""
        return cls(setup.reading, load_rules(Path(setup.rules) if setup.rules else None))

    def read(self, doc_id: str, path: Path) -> Iterator[Outcome]:
        """The documents of a file."""
        for outcome in read_file(doc_id, path, self.reading):
            if isinstance(outcome, Skipped):
                yield Outcome(skipped=outcome)
                continue
            chunks, statements = build(outcome, self._words, 0)
            noted = survey(statements) if has_rules(outcome.language) else Survey()
            yield Outcome(DocumentParts(replace(outcome, blocks=()), chunks, statements, noted))

    def facts(self, order: FactsOrder) -> DocumentFacts:
        """The facts of a document."""
        found = self._extractor.extract_document(order.statements, order.scope, order.survey, order.shared, plain=order.plain)
        return DocumentFacts(*found)


def placed(statements: list[Statement], first: int) -> None:
    """Count the statements of a document from `first`. They were just decoded and are known to nobody else yet."""
    for number, statement in enumerate(statements, start=first):
        object.__setattr__(statement, "index", number)


def placed_facts(facts: list[list[Fact]], first: int) -> None:
    """The same for the statements that facts name."""
    for number, found in enumerate(facts, start=first):
        for fact in found:
            object.__setattr__(fact, "statement", number)
