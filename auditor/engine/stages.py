"""The stages of a scan that workers do, reading, extraction and comparison, with what is kept from earlier scans."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.cache import Cache, key_of
from auditor.engine.comparing import BLOCK, FEW, BlockResult, Ground, Outcomes, blocks, compare_block
from auditor.engine.kept_pairs import Comparisons, digests
from auditor.engine.parts import (
    DocumentFacts,
    DocumentParts,
    FactsOrder,
    Outcome,
    Setup,
    decoded,
    digest,
    encoded,
    identity,
    placed,
    placed_facts,
)
from auditor.engine.tasks import Done, Engine, Task
from auditor.engine.worker import COMPARE, FACTS, GROUND, READ, SETUP
from auditor.extract.survey import Shared
from auditor.load import history, owners
from auditor.load.discover import discover
from auditor.load.kinds import extension
from auditor.load.language import has_rules
from auditor.load.read import Reading, is_utf8
from auditor.model import Chunk, Document, Fact, Skipped, Statement

if TYPE_CHECKING:
    from auditor.block.candidates import Candidates
    from auditor.compare import Judge
    from auditor.load.config import LoadConfig

Progress = Callable[[int, int], None]

_COMPARING = 3600.0  # seconds that a block of pairs may take: nobody else does it, so it is not given up
_PASSING = ("limit of", "MemoryError", "cannot be read:")
_FILES_A_WORKER = 4  # fewer are read by one worker before a second has started


@dataclass(slots=True)
class Corpus:
    """A corpus as read: documents by id, and chunks, statements and facts in their order."""

    documents: list[Document] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    chunks: list[Chunk] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    facts: list[list[Fact]] = field(default_factory=list)
    surface: dict[str, str] = field(default_factory=dict)  # concept → a word that stands for it
    ignored: int = 0  # files and folders that the configuration or `.auditignore` leaves out
    notices: tuple[str, ...] = ()  # what else the user has to know
    kept: int = 0  # documents taken from the cache


@dataclass(frozen=True, slots=True)
class _Read:
    """A document as it came from a worker or the cache; `key` is the identity of its content and of all that bore on its reading."""

    parts: DocumentParts
    key: bytes


class Stages:
    """Reads one corpus. `rules` is the folder of the user's rule packs."""

    def __init__(self, root: Path, config: LoadConfig, rules: Path | None, cache: Cache, engine: Engine, jobs: int = 0) -> None:
        """`jobs` 0: as many workers as there are cores."""
        self._root, self._config, self._cache = root, config, cache
        self._rules = str(rules) if rules else None
        self._engine = engine
        self._jobs = jobs or os.cpu_count() or 1
        self._read: list[_Read] = []
        self._setup = b""
        self.corpus = Corpus()

    def read(self, progress: Progress) -> None:
        """Find the documents, read them, and count their statements."""
        found = discover(self._root, self._config)
        reading = Reading(self._config, history.superseded_folders(name for name, _ in found.files))
        self._setup = encoded(Setup(reading, self._rules))
        corpus = self.corpus
        corpus.skipped = list(found.skipped)
        corpus.ignored = found.ignored
        frames: dict[int, list[bytes]] = {}
        keys: dict[int, bytes] = {}
        digests: dict[int, bytes] = {}
        missing: list[int] = []
        for number, (doc_id, path) in enumerate(found.files):
            if not is_utf8(doc_id):
                corpus.skipped.append(
                    Skipped(doc_id.encode("utf-8", "backslashreplace").decode(), "the file name is not valid UTF-8", "")
                )
                continue
            digests[number] = digest(path)
            keys[number] = key_of(b"read", digests[number], doc_id, reading.bearing_on(doc_id))
            kept = self._cache.get(keys[number]) if digests[number] else None
            if kept is None:
                missing.append(number)
            else:
                frames[number] = decoded(kept, list[bytes])
                corpus.kept += 1
        total, done_before = len(found.files), len(frames)
        progress(done_before, total)
        tasks = (Task(n, READ, encoded((found.files[n][0], os.fsencode(found.files[n][1])))) for n in missing)
        for count, done in enumerate(self._run(tasks, len(missing)), start=done_before + 1):
            frames[done.number] = done.frames
            doc_id = found.files[done.number][0]
            if done.failure:
                corpus.skipped.append(Skipped(doc_id, done.failure, extension(doc_id)))
            elif done.end == digests[done.number] and not _timely(done.frames):
                self._cache.put(keys[done.number], encoded(done.frames))
            progress(count, total)
        self._gather([(keys[number], data) for number in sorted(frames) for data in frames[number]])
        corpus.documents = owners.complete(self._root, self._config, found, corpus.documents)
        corpus.notices = tuple(found.notices)

    def _gather(self, outcomes: Sequence[tuple[bytes, bytes]]) -> None:
        corpus = self.corpus
        for key, data in outcomes:
            outcome = decoded(data, Outcome)
            if outcome.parts is not None:
                self._read.append(_Read(outcome.parts, key))
            elif outcome.skipped is not None:
                corpus.skipped.append(outcome.skipped)
        self._read.sort(key=lambda read: read.parts.document.doc_id)
        corpus.skipped.sort(key=lambda entry: (entry.doc_id, entry.reason))
        for read in self._read:
            placed(read.parts.statements, len(corpus.statements))
            corpus.documents.append(read.parts.document)
            corpus.chunks.extend(read.parts.chunks)
            corpus.statements.extend(read.parts.statements)

    def extract(self, progress: Progress) -> None:
        """Read the facts of all statements, once the whole corpus is known."""
        corpus = self.corpus
        shared = Shared.of([read.parts.survey for read in self._read], [len(read.parts.statements) for read in self._read])
        found: list[bytes | None] = []
        keys: list[bytes] = []
        within: list[Shared] = []
        first = 0
        for read in self._read:
            statements = read.parts.statements
            bearing = shared.within(read.parts.survey, first, len(statements))
            key = key_of(b"facts", read.key, read.parts.document.doc_id, identity((bearing, read.parts.document.scope)))
            found.append(self._cache.get(key) if statements else encoded(DocumentFacts([])))
            keys.append(key)
            within.append(bearing)
            first += len(statements)
        missing = [n for n, data in enumerate(found) if data is None]
        progress(0, len(missing))
        for count, done in enumerate(self._run((self._order(n, within[n]) for n in missing), len(missing)), start=1):
            if done.frames:
                found[done.number] = done.frames[0]
                self._cache.put(keys[done.number], done.frames[0])
            else:
                self._lose(done)
                found[done.number] = encoded(DocumentFacts([[] for _ in self._read[done.number].parts.statements]))
            progress(count, len(missing))
        for data in found:
            assert data is not None
            facts = decoded(data, DocumentFacts)
            placed_facts(facts.facts, len(corpus.facts))
            corpus.facts.extend(facts.facts)
            for concept, word in facts.surface.items():
                corpus.surface.setdefault(concept, word)

    def _order(self, number: int, shared: Shared) -> Task:
        parts = self._read[number].parts
        plain = not has_rules(parts.document.language)
        order = FactsOrder(_counted(parts.statements), parts.document.scope, parts.survey, shared, plain)
        return Task(number, FACTS, encoded(order))

    def _lose(self, done: Done) -> None:
        """A document whose statements broke the extraction stays in the list of documents, with what happened as a notice."""
        document = self.corpus.documents[done.number]
        notice = f"its facts were not read: {done.failure}"
        self.corpus.documents[done.number] = replace(document, notices=(*document.notices, notice))

    def compare(
        self,
        ground: Ground,
        judge: Judge,
        candidates: Candidates,
        facts: Sequence[list[Fact]],
        progress: Progress,
    ) -> Outcomes:
        """Compare candidate pairs; `judge` is that of this process, for few pairs.

        What comes of a block is put into the cache as soon as it is done: a scan that was killed, or whose cluster was lost, does only
        the others, and a scan of a corpus that has changed only what bears on the change.
        """
        similarity = candidates.cosines()
        statements = self.corpus.statements
        marks = digests(statements, facts, ground, judge) if self._cache.is_open else None
        known = Comparisons(candidates.a, candidates.b, similarity, marks, self._cache)
        missing = known.missing()
        a, b = candidates.a[missing], candidates.b[missing]
        progress(0, len(a))
        done = 0

        def finished(number: int, result: BlockResult) -> None:
            nonlocal done
            done += 1
            known.add(missing[number * BLOCK : (number + 1) * BLOCK], result)
            progress(min(done * BLOCK, len(a)), len(a))

        parts = blocks(a, b, similarity[missing], statements, facts, BLOCK)
        if len(a) <= FEW or self._jobs == 1:
            for number, part in enumerate(parts):
                finished(number, compare_block(judge, part, ground.floor))
        else:
            tasks = (Task(number, COMPARE, encoded(part)) for number, part in enumerate(parts))
            for task in self._engine.run(tasks, encoded(ground), jobs=self._jobs, seconds=_COMPARING, kind=GROUND):
                if not task.frames:
                    raise RuntimeError(f"pairs could not be compared: {task.failure}")
                finished(task.number, decoded(task.frames[0], BlockResult))
        progress(len(a), len(a))
        return known.outcomes(facts, judge, done)

    def _run(self, tasks: Iterator[Task], count: int) -> Iterator[Done]:
        if not count:
            return iter(())
        jobs = max(1, min(self._jobs, count // _FILES_A_WORKER))
        return self._engine.run(tasks, self._setup, jobs=jobs, seconds=self._config.seconds, kind=SETUP)


def _counted(statements: list[Statement]) -> list[Statement]:
    """The statements counted from 0, as the surveys count them."""
    copies = decoded(encoded(statements), list[Statement])
    placed(copies, 0)
    return copies


def _timely(frames: Sequence[bytes]) -> bool:
    """Whether a limit of time or memory, or the disk, had a part in what was read: another day it may be read in full."""
    skipped = (decoded(data, Outcome).skipped for data in frames)
    return any(s is not None and any(words in s.reason for words in _PASSING) for s in skipped)
