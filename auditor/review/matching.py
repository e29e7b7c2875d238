"""Recognises the findings of one run in another, whatever happened to the documents in between.

The identity of a finding (`resolve/ids.py`) survives moved lines, reformatting and changed values, its content hash survives everything
but a change of what it says. Between them a finding is found again after a renamed heading, a renamed or moved file, or when another
copy of a passage has come to represent it. Nothing is guessed: where several findings fit equally well, none is taken.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from auditor.cluster_facts import rows_about
from auditor.model import ClusterValue, Conflict, DocumentRow
from auditor.resolve import ids
from auditor.store import utf8


@dataclass(frozen=True, slots=True)
class Trace:
    """What is kept of a finding to know it again. `side_a` and `side_b` are hashes of value and quote."""

    conflict_id: str
    content_hash: str
    doc_a: str
    doc_b: str
    side_a: str
    side_b: str

    @property
    def docs(self) -> tuple[str, ...]:
        """Both documents in alphabetical order."""
        return tuple(sorted((self.doc_a, self.doc_b)))


@dataclass(frozen=True, slots=True)
class Match:
    """Positions of one finding in both runs.

    `changed`: a value or the wording differs. `swapped`: what was side a is side b now.
    """

    known: int
    current: int
    changed: bool
    swapped: bool


def side_hash(value: str, quote: str) -> str:
    """Hash of one side, as free of formatting as the content hash of both."""
    value, quote = ids.same_value(utf8(value)), ids.normalised(utf8(quote))
    return hashlib.sha256(f"{len(value)}:{value}{quote}".encode()).hexdigest()[: ids.ID_LENGTH]


def trace_of(conflict: Conflict) -> Trace:
    """The trace of a finding."""
    a, b = conflict.a, conflict.b
    return Trace(
        conflict.conflict_id,
        conflict.content_hash,
        utf8(a.doc),
        utf8(b.doc),
        side_hash(a.value, a.quote),
        side_hash(b.value, b.quote),
    )


class Presence:
    """Which documents a run read, which it could not read, and so which are gone."""

    def __init__(self, read: Iterable[str], unread: Iterable[str]) -> None:
        self.read = frozenset(map(utf8, read))
        self.unread = frozenset(map(utf8, unread))

    @classmethod
    def of(cls, documents: Iterable[DocumentRow]) -> Presence:
        """From the rows of `documents.parquet`."""
        rows = tuple(documents)
        return cls(
            (row.path for row in rows if row.skipped_reason is None), (row.path for row in rows if row.skipped_reason is not None)
        )

    def was_read(self, doc: str) -> bool:
        """Whether the run read the document."""
        return doc in self.read

    def was_unread(self, doc: str) -> bool:
        """Whether the document, or the folder, archive or file around it, is there and could not be read."""
        if doc in self.read:
            return False
        if doc in self.unread or "." in self.unread:
            return True
        return any(doc[:i] in self.unread for i, char in enumerate(doc) if char in "/#!")

    def is_gone(self, doc: str) -> bool:
        """Whether the corpus does not hold the document."""
        return doc not in self.read and not self.was_unread(doc)


Holders = Callable[[int, str], frozenset[str]]
"""Documents that hold a copy of side "a" or "b" of a current finding, by its position."""


def no_holders(position: int, side: str) -> frozenset[str]:
    """Holders where nothing is known of copies."""
    return frozenset()


def holders_of(conflicts: Sequence[Conflict], clusters: Iterable[ClusterValue]) -> Holders:
    """Documents of the clusters: copies of a passage share one row, and any of them may stand for it next time."""
    rows: dict[str, list[ClusterValue]] = defaultdict(list)
    for row in clusters:
        rows[row.cluster_id].append(row)

    def holders(position: int, side: str) -> frozenset[str]:
        conflict = conflicts[position]
        value = " ".join((conflict.a if side == "a" else conflict.b).value.split())
        about = rows_about(conflict, rows[conflict.cluster_id])
        # Where equal values are in conflict, the cluster names them with an excerpt: "14 days (“14 days of delivery”)".
        held = [r for r in about if r.value == value or r.value.startswith(f"{value} (“")]
        return frozenset(utf8(doc) for r in held for doc in r.documents)

    return holders


def match(known: Sequence[Trace], current: Sequence[Trace], presence: Presence, holders: Holders = no_holders) -> list[Match]:
    """Pairs of findings that are the same one, each at most once, in the order of `known`.

    `presence` is about the run of `current`.
    """
    return _Matching(known, current, presence, holders).run()


class _Matching:
    """The steps of a matching, surest first; each looks only at what the earlier ones left over."""

    def __init__(self, known: Sequence[Trace], current: Sequence[Trace], presence: Presence, holders: Holders) -> None:
        self._known, self._current = known, current
        self._presence, self._holders = presence, holders
        self._left_known = dict.fromkeys(range(len(known)))
        self._left_current = dict.fromkeys(range(len(current)))
        self._found: list[Match] = []

    def run(self) -> list[Match]:
        self._equal(lambda t: (t.conflict_id, t.content_hash), changed=False)
        # The same words in the same documents under another heading, or with another ordinal.
        self._equal(lambda t: (t.docs, t.content_hash), changed=False)
        self._renamed()
        self._equal(lambda t: t.conflict_id, changed=True)
        self._one_side_kept()
        return sorted(self._found, key=lambda m: m.known)

    def _take(self, known: int, current: int, *, changed: bool) -> None:
        del self._left_known[known], self._left_current[current]
        self._found.append(Match(known, current, changed, _swapped(self._known[known], self._current[current])))

    def _equal(self, key: Callable[[Trace], Hashable], *, changed: bool) -> None:
        """Take findings whose key agrees and is unique on both sides."""
        ours, theirs = self._by(self._known, self._left_known, key), self._by(self._current, self._left_current, key)
        for value, members in ours.items():
            others = theirs.get(value, [])
            if len(members) == len(others) == 1:
                self._take(members[0], others[0], changed=changed)

    def _by(self, traces: Sequence[Trace], left: Iterable[int], key: Callable[[Trace], Hashable]) -> dict[Hashable, list[int]]:
        groups: dict[Hashable, list[int]] = defaultdict(list)
        for i in left:
            groups[key(traces[i])].append(i)
        return groups

    def _renamed(self) -> None:
        """The same words in documents of other names: renamed or moved files, or another copy of the same passage."""
        reported = {self._current[j].conflict_id for j in self._left_current}
        theirs = self._by(self._current, self._left_current, lambda t: t.content_hash)
        pairs = [
            (i, j)
            for i in self._left_known
            if self._known[i].conflict_id not in reported
            for j in theirs.get(self._known[i].content_hash, [])
            if self._moved(i, j)
        ]
        self._unique(pairs, changed=False)

    def _unique(self, pairs: Sequence[tuple[int, int]], *, changed: bool) -> None:
        ours, theirs = Counter(i for i, _ in pairs), Counter(j for _, j in pairs)
        for i, j in pairs:
            if ours[i] == theirs[j] == 1:
                self._take(i, j, changed=changed)

    def _moved(self, i: int, j: int) -> bool:
        known, current = self._known[i], self._current[j]
        straight = ((known.doc_a, current.doc_a, "a"), (known.doc_b, current.doc_b, "b"))
        crossed = ((known.doc_a, current.doc_b, "b"), (known.doc_b, current.doc_a, "a"))
        sides = crossed if _swapped(known, current) else straight
        kept = [old == new for old, new, _ in sides]
        followed = [
            same or self._presence.is_gone(old) or old in self._holders(j, side)
            for same, (old, _, side) in zip(kept, sides, strict=True)
        ]
        one_file = known.doc_a == known.doc_b and current.doc_a == current.doc_b
        one_folder = all(_name(old) == _name(new) for old, new, _ in sides)
        return all(followed) and (any(kept) or one_file or one_folder)

    def _one_side_kept(self) -> None:
        """One passage word for word as it was, against the same document, which says something else by now."""

        def keys(trace: Trace) -> Iterable[Hashable]:
            yield trace.docs, trace.doc_a, trace.side_a
            yield trace.docs, trace.doc_b, trace.side_b

        theirs: Mapping[Hashable, list[int]] = defaultdict(list)
        for j in self._left_current:
            for key in keys(self._current[j]):
                theirs[key].append(j)
        pairs = [(i, j) for i in self._left_known for key in keys(self._known[i]) for j in theirs.get(key, [])]
        self._unique(list(dict.fromkeys(pairs)), changed=True)


def _swapped(known: Trace, current: Trace) -> bool:
    """Whether the sides changed places: by what they say, else by where they stand."""
    straight = (known.side_a == current.side_a) + (known.side_b == current.side_b)
    crossed = (known.side_a == current.side_b) + (known.side_b == current.side_a)
    if straight != crossed:
        return crossed > straight
    straight = (known.doc_a == current.doc_a) + (known.doc_b == current.doc_b)
    crossed = (known.doc_a == current.doc_b) + (known.doc_b == current.doc_a)
    return crossed > straight


def _name(doc: str) -> str:
    return doc.rpartition("/")[2]
