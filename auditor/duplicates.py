"""Copies: documents that say the same as another, and documents that nearly do.

A copy is one root cause, however many of its passages went stale. Of an exact copy nothing is compared; of a near-copy only what does not
stand in its original word for word, so that the same contradiction with a third document is found once, and a passage is not taken for
its own rival. Near-copies are found by shared statements, values masked: a page and its revision differ in values.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations

from auditor.model import BlockKind, Document, Statement

_SHARE = 0.8  # of the statements of the smaller document that have to stand in the other, values masked
_RATIO = 0.6  # of the sizes
_FEWEST = 6  # statements below which a document is too short to be a copy of anything
_COMMON = 12  # documents with a statement from which it is boilerplate and tells nothing
_TIERS = {"primary": 0, "secondary": 1, "tertiary": 2, "archive": 3}
_NUMBER = re.compile(r"\d[\d.,:/-]*")


@dataclass(frozen=True, slots=True)
class Copy:
    """A document that repeats another. `share` is the part of its statements that stand in the original, values masked."""

    doc: str
    original: str
    share: float
    exact: bool
    newer: str | None  # which of the two is newer by the dates that they state; None when they do not tell


class Copies:
    """The copies of a corpus. Nothing depends on the order of documents."""

    def __init__(self, documents: Sequence[Document], statements: Sequence[Statement]) -> None:
        self._documents = {d.doc_id: d for d in documents}
        self._of: dict[str, list[Statement]] = defaultdict(list)
        for statement in statements:
            self._of[statement.doc_id].append(statement)
        self._ranked = sorted(self._documents, key=self._rank)
        self.copies: dict[str, Copy] = {}
        self._exact()
        self._near()

    def repeated(self) -> frozenset[int]:
        """Statements that need not be compared: they stand in the original, in the same place, word for word."""
        found: set[int] = set()
        for copy in self.copies.values():
            original = Counter(map(_place, self._of[copy.original]))
            for statement in self._of[copy.doc]:
                if copy.exact or original[_place(statement)] > 0:
                    original[_place(statement)] -= 1
                    found.add(statement.index)
        return frozenset(found)

    def _rank(self, doc_id: str) -> tuple[int, int, str]:
        """Originals before copies: the better source, then the newer one, then the name."""
        document = self._documents[doc_id]
        stated = _date(document)
        return _TIERS.get(document.tier, 1), -(stated.toordinal() if stated else 0), doc_id

    def _exact(self) -> None:
        same: dict[tuple[tuple[str, ...], ...], str] = {}
        for doc_id in self._ranked:
            said = tuple((s.text, *s.heading) for s in self._of[doc_id])
            if not said:
                continue
            original = same.setdefault(said, doc_id)
            if original != doc_id and self._comparable(original, doc_id):
                self.copies[doc_id] = Copy(doc_id, original, 1.0, True, self._newer(doc_id, original))

    def _near(self) -> None:
        masked = {
            doc_id: Counter(_masked(s) for s in self._of[doc_id])
            for doc_id in self._ranked
            if doc_id not in self.copies and len(self._of[doc_id]) >= _FEWEST
        }
        where: dict[str, list[str]] = defaultdict(list)
        for doc_id, texts in masked.items():
            for text in texts:
                where[text].append(doc_id)
        shared: Counter[tuple[str, str]] = Counter()
        for text, holders in where.items():
            if len(holders) <= _COMMON:
                for pair in combinations(holders, 2):
                    shared[pair] += min(masked[one][text] for one in pair)
        for (first, second), count in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
            sizes = sorted((masked[first].total(), masked[second].total()))
            if count < _SHARE * sizes[0] or sizes[0] < _RATIO * sizes[1] or not self._comparable(first, second):
                continue
            original, copy = sorted((first, second), key=self._rank)
            if copy not in self.copies:  # the closest original counts
                self.copies[copy] = Copy(copy, original, round(count / sizes[1], 4), False, self._newer(copy, original))

    def _comparable(self, one: str, other: str) -> bool:
        """History is no copy of what stands now, nor the other way round."""
        return self._documents[one].history == self._documents[other].history

    def _newer(self, one: str, other: str) -> str | None:
        return newer(one, _date(self._documents[one]), other, _date(self._documents[other]))


def newer(one: str, first: date | None, other: str, second: date | None) -> str | None:
    """Which of two documents is newer by the dates that they state: a dated one rather than an undated one; None for equal dates."""
    if first == second:
        return None
    if first is None or second is None:
        return one if first else other
    return one if first > second else other


def _date(document: Document) -> date | None:
    stated = document.effective or document.published
    return stated.value if stated else None


def _place(statement: Statement) -> tuple[str, ...]:
    return (statement.text, statement.kind, *statement.heading[1:])


def _masked(statement: Statement) -> str:
    text = _NUMBER.sub("#", statement.text.casefold())
    return text if statement.kind is not BlockKind.HEADING else f"{len(statement.heading)} {text}"


def groups(copies: Mapping[str, Copy]) -> dict[str, str]:
    """Document → the original of its group of copies, for every document that takes part in one."""
    found: dict[str, str] = {}
    for copy in copies.values():
        original, passed = copy.original, {copy.doc}
        while original in copies and original not in passed:  # only tables that somebody edited lead round in circles
            passed.add(original)
            original = copies[original].original
        found[copy.doc] = found[original] = original
    return found


def within(documents: Iterable[str], group: Mapping[str, str]) -> str | None:
    """The original of the one group to which all these documents belong, None when there is no such group."""
    names = set(documents)
    originals = {group.get(document) for document in names}
    return originals.pop() if len(names) > 1 and len(originals) == 1 else None
