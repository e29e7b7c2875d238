"""`ConflictIndex`: looks up what the passages at hand contradict each other about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.errors import UserError
from auditor.model import TIER_ORDER, Conflict
from auditor.query.build import FACT, build_tables, with_facts
from auditor.query.citations import cites_all
from auditor.query.context import Found, Source, render
from auditor.query.passages import Passage, document_of, read_span
from auditor.query.tables import Ints, Tables
from auditor.schema import CHUNKS, CLUSTERS, CONFLICTS, DOCUMENTS
from auditor.store import conflict_at, read_frame
from auditor.verdict import dismisses, followed

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class KnownConflict:
    """A row of `conflicts.parquet` whose two values stand among the passages asked for.

    `a` and `b` are the passages that give the value of side a and of side b, in the order in which they were given. A passage is
    in both when it holds both values.
    """

    row: int
    a: tuple[Passage, ...]
    b: tuple[Passage, ...]
    _frame: pl.DataFrame = field(repr=False, compare=False)

    @cached_property
    def conflict(self) -> Conflict:
        """Everything the run recorded about it."""
        return conflict_at(self._frame, self.row)

    @property
    def winners(self) -> tuple[Passage, ...]:
        """Passages of the side to follow; () when nothing tells which."""
        side = followed(self.conflict)
        return self.a if side == "a" else self.b if side == "b" else ()


class ConflictIndex:
    """The conflicts of a run, for programs that retrieve passages of the same documents.

    Passages are named by our chunk ids, by document ids (`doc_a` of a row), or by `(document, start, end)`: characters of the
    extracted text, cut by anybody's chunker and matched by overlap. Copies of a passage count as the passage. An index never
    changes, so that threads may share it; after a new scan open a new one. The tables are kept in memory as they are.
    """

    cites_all = staticmethod(cites_all)

    def __init__(self, tables: Tables, conflicts: pl.DataFrame, documents: pl.DataFrame) -> None:
        """See `open`."""
        self._tables = tables
        self._frame = conflicts
        self._tier = np.array([TIER_ORDER.get(tier, len(TIER_ORDER)) for tier in conflicts["tier"].to_list()], dtype=np.int8)
        self._dismissed = np.array(
            [dismisses(s, d) for s, d in zip(conflicts["status"], conflicts["reviewer_decision"], strict=True)], dtype=np.bool_
        )
        self._fact: list[str] = conflicts[FACT].to_list()
        self._documents = documents
        self._row_of_document = {path: n for n, path in enumerate(documents["path"].to_list())}

    @classmethod
    def open(cls, run_dir: str | Path) -> ConflictIndex:
        """The index of a run. `run_dir` is the output folder of `audit scan`.

        Raises `UserError` when a table is missing, damaged or of another schema version.
        """
        folder = Path(run_dir)
        conflicts, clusters, chunks, documents = (read_frame(table, folder) for table in (CONFLICTS, CLUSTERS, CHUNKS, DOCUMENTS))
        conflicts, clusters = with_facts(conflicts, clusters)
        return cls(build_tables(conflicts, clusters, chunks), conflicts, documents)

    def __len__(self) -> int:
        return len(self._frame)

    def among(
        self, passages: Iterable[Passage], *, min_tier: str = "advisory", dismissed: bool = False
    ) -> tuple[KnownConflict, ...]:
        """The known conflicts both of whose values stand in one of these passages, the most pressing first.

        The time depends on how many conflicts the passages take part in, not on how many the run has. Every row whose own passages
        are here is among them; where two values meet only in copies, one row stands for them. `min_tier` leaves out what is less
        certain; what was dismissed as no contradiction is left out unless `dismissed`. A passage that the run did not see has no
        conflicts (see `unknown`). Raises `UserError` for something that names no passage, or an unknown tier.
        """
        tier = _tier(min_tier)
        given = _listed(passages)
        places, owners = self._places(given)
        if not len(places):
            return ()
        tables = self._tables
        values, at = np.unique(tables.value[places], return_inverse=True)
        edges, _ = tables.edges_of.lists(values)
        edges = np.sort(edges)
        edges = edges[:-1][edges[1:] == edges[:-1]]  # listed under both of its values
        rows, edge_of_row = tables.rows_of.lists(edges)
        wanted = self._tier[rows] <= tier
        if not dismissed:
            wanted &= ~self._dismissed[rows]
        rows, edge_of_row = rows[wanted], edge_of_row[wanted]
        if not len(rows):
            return ()
        quoted = np.unique(tables.side[places])
        kept = _contains(quoted, 2 * rows) & _contains(quoted, 2 * rows + 1)
        # Rows are in order within an edge: where none is quoted here, the first one stands for the others.
        first = np.r_[True, edge_of_row[1:] != edge_of_row[:-1]]
        kept |= first & ~np.isin(edge_of_row, edge_of_row[kept])
        holders = _Holders(values, at, owners, given)
        return tuple(
            KnownConflict(row, holders.of(a), holders.of(b), self._frame)
            for row, (a, b) in ((row, tables.row_values[row].tolist()) for row in np.sort(rows[kept]).tolist())
        )

    def resolve(self, passages: Iterable[Passage], *, min_tier: str = "medium") -> tuple[Passage, ...]:
        """The passages without those that lose, in the order given.

        For each fact the side stays that the recorded rules, or a reviewer's decision, say to follow. A passage goes only when it
        gives a losing value of one fact and is not needed for another: where it holds the value to follow, or where nothing was
        decided. So one fact's winner never discards another's, a winner always stays, and passages without conflicts are never
        touched. Hints (`advisory`) drop nothing unless `min_tier` says so.
        """
        given = _listed(passages)
        stands: dict[tuple[str, Passage], bool] = {}
        won: set[tuple[str, Passage]] = set()
        for known in self.among(given, min_tier=min_tier):
            fact, winners = self._fact[known.row], set(known.winners)
            won.update((fact, passage) for passage in winners)
            for passage in {*known.a, *known.b}:
                lost = bool(winners) and passage not in winners
                stands[fact, passage] = stands.get((fact, passage), True) and not lost
        needed = {passage for (fact, passage), stays in stands.items() if stays or (fact, passage) in won}
        losing = {passage for _, passage in stands} - needed
        return tuple(passage for passage in given if passage not in losing)

    def context(self, passages: Sequence[Passage], texts: Mapping[Passage, str] | None = None, *, min_tier: str = "medium") -> str:
        """What a language model has to know to answer from these passages: labelled sources, and what they contradict each other about.

        The n-th passage is the source D*n*: `<doc id="D1" title="…" updated="2024-03-01">`. `updated` is the date from which the
        document holds, else its date of publication, else `unknown`. Its text is that of `texts`, else what the run quotes of it; a
        passage without either is left out. Each conflict follows with its category, the values, and the basis that an answer must
        state. Whatever comes from a document is escaped and cannot end the element it stands in, nor open one.
        """
        given = _listed(passages)
        names = {passage: f"D{n}" for n, passage in reversed(list(enumerate(given, start=1)))}
        found = [
            Found(known.conflict, tuple(names[p] for p in known.a), tuple(names[p] for p in known.b))
            for known in self.among(given, min_tier=min_tier)
        ]
        sources = [self._source(name, passage, (texts or {}).get(passage)) for passage, name in reversed(names.items())]
        return render(sources, found)

    def unknown(self, passages: Iterable[Passage]) -> tuple[Passage, ...]:
        """The passages of documents that the run did not see: often a path that is not relative to the corpus."""
        return tuple(passage for passage in _listed(passages) if self._document(passage) is None)

    # -- steps -------------------------------------------------------------------------------------------------------------------

    def _places(self, passages: Sequence[Passage]) -> tuple[Ints, Ints]:
        """Places in the passages, and beside each the number of its passage."""
        tables = self._tables
        parts: list[Ints] = []
        owners: list[int] = []
        for n, passage in enumerate(passages):
            if not isinstance(passage, str):
                found = tables.overlapping(*passage)
            elif (whole := tables.documents.get(passage)) is not None:
                found = np.arange(*whole)
            elif (chunk := tables.in_chunk(passage, document_of(passage))) is not None:
                found = chunk
            else:
                continue
            if len(found):
                parts.append(found)
                owners.append(n)
        if not parts:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        return np.concatenate(parts), np.repeat(owners, [len(part) for part in parts])

    def _document(self, passage: Passage) -> int | None:
        """Row of the passage's document in `documents.parquet`."""
        if isinstance(passage, str) and (row := self._row_of_document.get(passage)) is not None:
            return row
        return self._row_of_document.get(document_of(passage))

    def _source(self, name: str, passage: Passage, text: str | None) -> Source:
        row = self._document(passage)
        document: dict[str, Any] = self._documents.row(row, named=True) if row is not None else {}
        path = document.get("path") or (passage if isinstance(passage, str) else passage[0])
        return Source(name, document.get("title") or path, document.get("effective") or document.get("published"), path, text)


class _Holders:
    """Which passages give a value."""

    def __init__(self, values: Ints, at: Ints, owners: Ints, given: Sequence[Passage]) -> None:
        order = np.lexsort((owners, at))
        self._values, self._owners, self._given = values, owners[order], given
        self._bounds = np.searchsorted(at[order], np.arange(len(values) + 1))

    def of(self, value: int) -> tuple[Passage, ...]:
        """The passages, each once, in the order given."""
        n = int(np.searchsorted(self._values, value))
        owners = self._owners[self._bounds[n] : self._bounds[n + 1]].tolist()
        return tuple(dict.fromkeys(self._given[owner] for owner in owners))


def _listed(passages: Iterable[Passage]) -> list[Passage]:
    if isinstance(passages, str):
        raise UserError(f"passages come as a list; for a single one write [{passages!r:.80}]")
    return [passage if isinstance(passage, str) else read_span(passage) for passage in passages]


def _tier(name: str) -> int:
    if name not in TIER_ORDER:
        raise UserError(f"min_tier {name!r} is not one of {', '.join(TIER_ORDER)}")
    return TIER_ORDER[name]


def _contains(ascending: Ints, wanted: Ints) -> Any:
    """For each of `wanted` whether it is in `ascending`."""
    at = np.searchsorted(ascending, wanted)
    at[at == len(ascending)] = 0
    return ascending[at] == wanted
