"""A scan: wires the stages. Nothing else knows their order."""

from __future__ import annotations

import importlib.metadata
import platform
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from auditor import __version__
from auditor.block.candidates import Candidates
from auditor.blocking import Blocking
from auditor.cache import FOLDER, Cache, fingerprint
from auditor.compare import Compared, Judge, Known
from auditor.duplicates import Copies, Copy, groups
from auditor.engine import get_engine
from auditor.engine.comparing import Ground
from auditor.engine.stages import Stages
from auditor.errors import UserError
from auditor.extract.concepts import Concepts
from auditor.extract.facts import describes_document
from auditor.features import Rarity
from auditor.load.language import has_rules
from auditor.looks import Looks
from auditor.model import (
    TIER_ORDER,
    Chunk,
    Document,
    DocumentRow,
    Fact,
    Finding,
    Rejection,
    ScanResult,
    Skipped,
    StageStats,
    Statement,
)
from auditor.rulepack import RulePack, ScorePack, load_rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from auditor.config import Config

Progress: TypeAlias = Callable[[str, int, int], None]

_PACKAGES = (
    "corpus-auditor",
    "torch",
    "sentence-transformers",
    "numpy",
    "faiss-cpu",
    "polars",
    "onnxruntime",
    "tokenizers",
    "scipy",
)


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """What to scan and how. `encoder` embeds the whole store, `topic_encoder` the statements of pairs that a detector fired on."""

    corpus: Path
    config: Config
    rules: Path | None = None
    encoder: str = "static"
    topic_encoder: str = "minilm"
    nli: str | None = None
    min_tier: str = "advisory"
    as_of: date = field(default_factory=date.today)
    decisions: Path | None = None  # None: the decisions file in the corpus, if there is one
    baseline: Path | None = None  # a baseline file or the folder of an earlier run
    cache: Path | None = None  # folder of what earlier scans left; None: everything is computed anew
    jobs: int = 0  # workers; 0: one for each core
    engine: str = "processes"  # who does the work: processes | serial | ray
    estimate_recall: int = 0  # statements to compare with everything, to tell what blocking missed


class Clock:
    """Seconds and peak memory per stage."""

    def __init__(self) -> None:
        self.stages: list[StageStats] = []

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what runs in the `with` block."""
        start = time.perf_counter()
        yield
        peak = _peak_mib()
        self.stages.append(StageStats(name, round(time.perf_counter() - start, 3), round(peak, 1)))


def _peak_mib() -> float:
    """Peak memory of this process so far; 0 where the platform does not tell."""
    try:
        # On Linux the usage that `getrusage` tells begins with that of the process which started this one.
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return int(status.partition("VmHWM:")[2].split(maxsplit=1)[0]) / 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        import resource
    except ImportError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


class Audit:
    """Everything a scan knows, in memory: the result, and what is needed to explain it."""

    def __init__(self, options: ScanOptions, rules: RulePack) -> None:
        self.options = options
        self.rules = rules
        self.documents: list[Document] = []
        self.skipped: list[Skipped] = []
        self.chunks: list[Chunk] = []
        self.statements: list[Statement] = []
        self.facts: list[list[Fact]] = []
        self.copies: Mapping[str, Copy] = {}
        self.repeated: frozenset[int] = frozenset()  # statements of passages that only repeat their original
        self.compared: list[list[Fact]] = []  # the facts without those of passages that only repeat their original
        self.candidates = Candidates.empty()
        self.findings: list[Finding] = []
        self.similarity: Callable[[int, int], float] = lambda i, j: 0.0
        self.left_open: list[tuple[int, int]] = []  # neighbours that no typed detector could compare or settle
        self.blocks = self.pairs_kept = 0  # blocks of pairs that were compared, and pairs that an earlier scan had compared
        self.unread_pairs = 0  # pairs that disagree and were too many to be looked at again
        self.agreements: list[tuple[int, int]] = []  # candidates whose values agree
        self.judge_: Judge
        self.looks: Looks
        self.model_hashes: dict[str, str] = {}
        self.crowded_keys: tuple[str, ...] = ()
        self.blocking = Blocking()
        self.ignored = 0  # files and folders that the configuration or `.auditignore` leaves out
        self.notices: tuple[str, ...] = ()
        self.clock = Clock()
        self.result: ScanResult

    def reached(self, i: int, j: int) -> bool:
        """Whether blocking or the search for near passages brought these two statements together."""
        pair = (i, j) if i < j else (j, i)
        return pair in self.candidates or pair in self.looks.wording.pairs

    def foreign(self) -> set[str]:
        """Documents in languages without rules: nothing but their values is compared, no model reads their sentences."""
        return {d.doc_id for d in self.documents if not has_rules(d.language)}

    def judge(self, i: int, j: int) -> tuple[list[Finding], list[Rejection]]:
        """Compare any two statements again, with all reasons."""
        i, j = (i, j) if i < j else (j, i)
        judge = self.judge_
        a, b = self.statements[i], self.statements[j]
        compared, rejections = judge.compare(
            a, b, judge.classes(self.facts[i]), judge.classes(self.facts[j]), self.similarity(i, j)
        )
        found, refused = self.looks.judge(i, j, compared, rejections, self.candidates.get((i, j), ()))
        return found, rejections + refused


def run(options: ScanOptions, progress: Progress | None = None) -> Audit:
    """Scan a corpus.

    Raises `UserError` for what the user can fix: no such folder, nothing readable in it, a bad rule pack, a missing model.
    """
    from auditor.past import Past

    past = Past.read(options.corpus, options.decisions, options.baseline)  # before the work: it may be wrong
    audit = analyse(options, progress)
    with audit.clock.stage("resolve"):
        from auditor.resolve import resolve

        wanted = [f for f in audit.findings if TIER_ORDER[f.tier] <= TIER_ORDER[options.min_tier]]
        conflicts, clusters = resolve(
            wanted, audit.statements, audit.documents, options.config, options.as_of, groups(audit.copies)
        )
    rows = tuple(_document_rows(audit))
    with audit.clock.stage("review"):
        conflicts, review = past.carry(conflicts, clusters, rows, options.as_of, options.min_tier)
    counts = _counts(audit)
    for tier in TIER_ORDER:
        counts[f"conflicts_{tier}"] = sum(c.tier == tier for c in conflicts)
    counts |= {"pair_blocks": audit.blocks, "pairs_kept": audit.pairs_kept}
    counts["tasks_redone"] = get_engine(options.engine).redone
    counts["clusters"] = len({c.cluster_id for c in clusters})
    result = ScanResult(
        corpus=options.corpus.resolve().name,
        conflicts=tuple(conflicts),
        clusters=tuple(clusters),
        documents=rows,
        chunks=tuple(audit.chunks),
        counts=counts,
        stages=tuple(audit.clock.stages),
        versions=_versions(),
        model_hashes=audit.model_hashes,
        config_hash=options.config.sha256 + ":" + audit.rules.sha256[:16],
        as_of=options.as_of,
        crowded_keys=audit.crowded_keys,
        blocking=audit.blocking,
        min_tier=options.min_tier,
        nli=bool(options.nli),
        review=review,
        notices=audit.notices,
    )
    audit.result = past.compare(result)
    return audit


def analyse(options: ScanOptions, progress: Progress | None = None, rules: RulePack | None = None) -> Audit:
    """All stages up to the findings: load, extract, embed, block, compare. `audit.result` is not yet set."""

    report = progress or _silent
    rules = rules or load_rules(options.rules)
    audit = Audit(options, rules)
    with _cache(options, rules) as cache:
        with audit.clock.stage("load"):
            stages = _load(audit, cache, report)
        with audit.clock.stage("extract"):
            stages.extract(lambda done, total: report("extract", done, total))
            audit.facts = stages.corpus.facts
            copies = Copies(audit.documents, audit.statements)
            audit.copies, audit.repeated = copies.copies, copies.repeated()
            audit.compared = [[] if i in audit.repeated else facts for i, facts in enumerate(audit.facts)]
        with audit.clock.stage("embed"):
            rows, vectors = _embed(audit, report)
        known = Known.of(audit.statements, Concepts(rules))
        ground = Ground(
            Rarity.of(audit.compared),
            known,
            stages.corpus.surface,
            str(options.rules) if options.rules else None,
            rules.score.screen_floor,
        )
        audit.judge_ = ground.judge(rules)
        with audit.clock.stage("block"):
            _block(audit, rows, vectors, report)
        with audit.clock.stage("compare"):
            _compare(audit, stages, ground, cache, report)
        if options.estimate_recall:
            with audit.clock.stage("estimate"):
                from auditor.estimate import estimate_recall

                estimate = estimate_recall(audit, options.estimate_recall, report)
                audit.blocking = replace(audit.blocking, estimate=estimate)
    if options.nli:
        with audit.clock.stage("nli"):
            _nli(audit, report)
    return audit


def _silent(stage: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


def _cache(options: ScanOptions, rules: RulePack) -> Cache:
    """What earlier scans of this corpus left, if it is to be used."""
    if options.cache is None:
        return Cache(None)
    bound = options.cache == options.corpus / FOLDER
    return Cache(options.cache, fingerprint(rules.sha256), bound=bound)


def _load(audit: Audit, cache: Cache, report: Progress) -> Stages:
    options = audit.options
    corpus = options.corpus
    if not corpus.exists():
        raise UserError(f"{corpus}: no such folder")
    if not corpus.is_dir():
        raise UserError(f"{corpus}: not a folder; give the folder that holds the documents")
    stages = Stages(corpus, options.config.load_config(), options.rules, cache, get_engine(options.engine), options.jobs)
    stages.read(lambda done, total: report("load", done, total))
    read = stages.corpus
    audit.documents, audit.skipped, audit.chunks, audit.statements = read.documents, read.skipped, read.chunks, read.statements
    audit.ignored, audit.notices = read.ignored, read.notices
    if not audit.documents:
        why = (
            f": {len(audit.skipped)} skipped, the first because {audit.skipped[0].reason}"
            if audit.skipped
            else "; docs/formats.md says what is read"
        )
        raise UserError(f"{corpus}: no readable document{why}")
    return stages


def _embed(audit: Audit, report: Progress) -> tuple[list[int], NDArray[np.float32]]:
    """Vectors of the statements that carry a typed claim."""
    from auditor.embed import get_encoder

    encoder = get_encoder(audit.options.encoder)
    rows = [i for i, facts in enumerate(audit.compared) if facts]
    report("embed", 0, len(rows))
    vectors = encoder.encode([audit.statements[r].text for r in rows])
    report("embed", len(rows), len(rows))
    position = {r: n for n, r in enumerate(rows)}

    def similarity(i: int, j: int) -> float:
        if i not in position or j not in position:
            return 0.0
        return round(float(vectors[position[i]] @ vectors[position[j]]), 4)

    audit.similarity = similarity
    audit.model_hashes |= encoder.hashes()
    return rows, vectors


def _block(audit: Audit, rows: list[int], vectors: NDArray[np.float32], report: Progress) -> None:
    from auditor.block import block

    report("block", 0, 1)
    blocked = block(audit.judge_, audit.statements, audit.compared, vectors, rows)
    audit.candidates = blocked.candidates
    audit.crowded_keys = blocked.crowded
    audit.blocking = blocked.record
    audit.left_open = blocked.untyped
    report("block", 1, 1)


def _compare(audit: Audit, stages: Stages, ground: Ground, cache: Cache, report: Progress) -> None:
    """Typed comparison of all candidates, then a second look, with the better model, at what disagrees."""

    judge = audit.judge_
    outcomes = stages.compare(
        ground,
        judge,
        audit.candidates,
        audit.compared,
        lambda done, total: report("compare", done, total),
    )
    audit.left_open.extend(outcomes.left_open)
    audit.agreements = outcomes.agreements
    audit.blocks, audit.pairs_kept = outcomes.blocks, outcomes.kept
    score = audit.rules.score
    opened = outcomes.open
    if len(opened) > score.screen_many:  # the better models cost too much to read what is hopeless
        opened = _best(opened, score, len(audit.statements))
    audit.unread_pairs = len(outcomes.open) - len(opened)
    languages = audit.foreign()
    foreign = {s.index for s in audit.statements if s.doc_id in languages}
    unread = foreign | {s.index for s in audit.statements if describes_document(s, audit.rules.scope.metadata.words)}
    audit.looks = Looks(
        judge,
        audit.statements,
        audit.compared,
        opened,
        audit.agreements,
        audit.options.topic_encoder,
        cache,
        audit.similarity,
        audit.repeated | unread,
        foreign,
    )
    audit.findings.extend(audit.looks.typed(lambda i, j: audit.candidates[i, j], report))
    audit.findings.extend(audit.looks.open_wording(report))
    if audit.looks.unsought:
        audit.notices += (
            f"Passages without comparable values were not read: {audit.looks.unsought:,} statements are more than "
            f"{audit.rules.score.reading.open_statements:,} ([reading] open_statements in rules/score.toml).",
        )
    audit.model_hashes |= audit.looks.hashes()


def _best(pairs: list[tuple[int, int, list[Compared]]], score: ScorePack, statements: int) -> list[tuple[int, int, list[Compared]]]:
    """The likeliest of very many pairs, in their order; how many, `rules/score.toml` says."""
    confidence = [max(c.confidence for c in compared) for _, _, compared in pairs]
    ranked = sorted(range(len(pairs)), key=lambda n: (-confidence[n], n))
    likely = sum(c >= score.screen_floor_many for c in confidence)
    most = max(score.screen_many, min(likely, round(score.screen_share * statements)))
    return [pairs[n] for n in sorted(ranked[:most])]


def _nli(audit: Audit, report: Progress) -> None:
    """The optional NLI model, on what the typed detectors left open."""
    from auditor.free_text import read_open
    from auditor.nli import CrossEncoderVerifier

    verifier = CrossEncoderVerifier(audit.options.nli or "")
    foreign = audit.foreign()
    readable = [(i, j) for i, j in audit.left_open if not {audit.statements[i].doc_id, audit.statements[j].doc_id} & foreign]
    audit.findings.extend(
        read_open(
            verifier,
            readable,
            audit.statements,
            audit.similarity,
            audit.candidates,
            lambda done, total: report("nli", done, total),
        )
    )
    audit.model_hashes |= verifier.hashes()


def _counts(audit: Audit) -> dict[str, int]:
    typed = sum(1 for facts in audit.facts if facts)
    n = len(audit.statements)
    return {
        "documents": len(audit.documents),
        "skipped": len(audit.skipped),
        "ignored": audit.ignored,
        "other_languages": len(audit.foreign()),
        "git_dated": sum(d.git_date is not None for d in audit.documents),
        "copies": len(audit.copies),
        "read_in_part": sum(bool(d.notices) for d in audit.documents),
        "words": sum(len(d.text.split()) for d in audit.documents),
        "chunks": len(audit.chunks),
        "statements": n,
        "typed_statements": typed,
        "facts": sum(len(f) for f in audit.facts),
        "possible_pairs": n * (n - 1) // 2,
        "candidates": len(audit.candidates),
        "second_look": len(audit.looks.second.pairs),
        "near_passages": audit.looks.near,
        "read_passages": audit.looks.read,
        "read_closely": audit.looks.closely,
        "unread_pairs": audit.unread_pairs,
        "pairs_avoided": n * (n - 1) // 2 - len(audit.candidates),
    }


def _document_rows(audit: Audit) -> list[DocumentRow]:
    statements: dict[str, int] = {}
    facts: dict[str, int] = {}
    for statement, found in zip(audit.statements, audit.facts, strict=True):
        statements[statement.doc_id] = statements.get(statement.doc_id, 0) + 1
        facts[statement.doc_id] = facts.get(statement.doc_id, 0) + len(found)
    rows = [
        DocumentRow(
            path=d.doc_id,
            title=d.title,
            format=d.format,
            owner=d.owner,
            tier=d.tier,
            published=d.published.value if d.published else None,
            published_source=d.published.source if d.published else None,
            effective=d.effective.value if d.effective else None,
            effective_source=d.effective.source if d.effective else None,
            language=d.language,
            words=len(d.text.split()),
            statements=statements.get(d.doc_id, 0),
            facts=facts.get(d.doc_id, 0),
            sha256=d.sha256,
            skipped_reason=None,
            owner_source=d.owner_source,
            modified=d.modified.value if d.modified else None,
            modified_source=d.modified.source if d.modified else None,
            effective_to=d.effective_to.value if d.effective_to else None,
            effective_to_source=d.effective_to.source if d.effective_to else None,
            file_time=d.file_time,
            git_date=d.git_date,
            copy_of=copy.original if copy else None,
            copy_share=copy.share if copy else None,
            copy_exact=copy.exact if copy else None,
            notices=d.notices,
        )
        for d, copy in ((d, audit.copies.get(d.doc_id)) for d in audit.documents)
    ]
    rows.extend(
        DocumentRow(s.doc_id, "", s.format, None, "secondary", None, None, None, None, None, 0, 0, 0, None, s.reason)
        for s in audit.skipped
    )
    return sorted(rows, key=lambda r: r.path)


def _versions() -> Mapping[str, str]:
    found = {"python": platform.python_version(), "auditor": __version__}
    for name in _PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
