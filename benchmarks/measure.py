"""What a scan of a generated store costs and finds: the program as a user runs it, plain encoding, and all pairs for comparison."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from benchmarks.store.generator import write_store

ROOT = Path(__file__).resolve().parents[1]
MAIN = ("high", "medium")
_ENCODED_AT_ONCE = 20_000
_AS_OF = "2026-01-01"


@dataclass(slots=True)
class Run:
    """One scan: what it says of itself in run.json, and the clock on the wall."""

    counts: Mapping[str, int]
    seconds: dict[str, float]  # by stage
    peaks: dict[str, float]  # MiB by stage
    wall: float
    cpu: float = 0.0  # processor seconds of all cores: steadier than the wall where other work runs
    crowded: int = 0

    @property
    def peak(self) -> float:
        """Peak memory of the program."""
        return max(self.peaks.values(), default=0.0)


@dataclass(slots=True)
class Found:
    """Findings held against the gold of the store."""

    planted: int = 0
    main: int = 0  # planted pairs in the main list
    any: int = 0  # planted pairs in any tier
    negatives: int = 0
    negatives_main: int = 0  # hard negatives that were taken for contradictions
    negatives_any: int = 0
    other_main: int = 0  # findings that answer to no gold pair
    other_any: int = 0
    right_main: int = 0  # findings that answer to a planted pair
    right_any: int = 0
    kinds: dict[str, list[int]] = field(default_factory=dict)  # reason → pairs, in the main list, in any tier


def make_store(workdir: Path, *, statements: int | None, documents: int | None, per_document: int, seed: int) -> Path:
    """A store of this size; one that lies there already is used again."""
    size = f"s{statements}" if statements is not None else f"d{documents}"
    folder = workdir / f"store-{size}-p{per_document}-seed{seed}"
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        write_store(folder, statements=statements, documents=documents, per_document=per_document, seed=seed)
        (folder / "done").write_text("", encoding="utf-8")
    return folder


def scan(corpus: Path, out: Path, *, keep_cache: bool = False, options: Sequence[str] = ()) -> Run:
    """`audit scan` in a process of its own. Without `keep_cache` it has to read everything."""
    if not keep_cache:
        shutil.rmtree(corpus / ".audit", ignore_errors=True)
    shutil.rmtree(out, ignore_errors=True)
    path = os.pathsep.join(p for p in (str(ROOT), os.environ.get("PYTHONPATH", "")) if p)
    command = [sys.executable, "-m", "auditor.cli", "scan", str(corpus), "--out", str(out), "--as-of", _AS_OF, *options]
    start, before = time.perf_counter(), os.times()
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    wall, after = time.perf_counter() - start, os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    if done.returncode not in (0, 1) or not (out / "run.json").exists():
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    record = json.loads((out / "run.json").read_text(encoding="utf-8"))
    seconds: dict[str, float] = defaultdict(float)
    peaks: dict[str, float] = defaultdict(float)
    for stage in record["stages"]:
        seconds[stage["name"]] += stage["seconds"]
        peaks[stage["name"]] = max(peaks[stage["name"]], stage["peak_mib"])
    return Run(record["counts"], dict(seconds), dict(peaks), wall, cpu, len(record["crowded_keys"]))


# -- what was found -------------------------------------------------------------------------------------------------------------


def judge(store: Path, out: Path) -> Found:
    """Hold `conflicts.parquet` against `gold.jsonl` with the matching of `audit eval`."""
    from auditor.evaluation.gold import read_gold
    from auditor.evaluation.match import LocatedPair, locate_all, match_all
    from auditor.store import read_clusters, read_conflicts

    gold = read_gold(store / "gold.jsonl")
    reasons = _reasons(store / "gold.jsonl")
    documents = _documents(store / "corpus", {d for pair in gold.pairs for d in (pair.doc_a, pair.doc_b)})
    located = locate_all(gold.pairs, documents)
    lost = [pair.gold.id for pair in located if not (pair.spans_a and pair.spans_b)]
    if lost:
        raise SystemExit(f"{store}: {len(lost)} quotes of the gold are not in the documents, the first of {lost[0]}")
    by_document: dict[str, dict[str, LocatedPair]] = defaultdict(dict)
    for pair in located:
        for document in (pair.gold.doc_a, pair.gold.doc_b):
            by_document[document][pair.gold.id] = pair
    clusters = defaultdict(list)
    for row in read_clusters(out):
        clusters[row.cluster_id].append(row)
    found = Found(
        planted=sum(pair.gold.contradiction for pair in located), negatives=sum(not pair.gold.contradiction for pair in located)
    )
    best: dict[str, bool] = {}  # gold id → whether a finding of the main list answers to it
    for conflict in read_conflicts(out):
        rows = clusters[conflict.cluster_id]
        near = {conflict.a.doc, conflict.b.doc} | {d for row in rows for d in row.documents}
        pairs = {key: pair for document in near for key, pair in by_document.get(document, {}).items()}
        main = conflict.tier in MAIN
        result: Any = SimpleNamespace(conflicts=(conflict,), clusters=tuple(rows))
        matches = match_all(result, list(pairs.values())).by_conflict[conflict.conflict_id]
        for match in matches:
            best[match.located.gold.id] = best.get(match.located.gold.id, False) or main
        if any(match.located.gold.contradiction for match in matches):
            found.right_any += 1
            found.right_main += main
        elif not matches:
            found.other_any += 1
            found.other_main += main
    for pair in located:
        hit, main = pair.gold.id in best, best.get(pair.gold.id, False)
        counts = found.kinds.setdefault(f"{'+' if pair.gold.contradiction else '-'} {reasons[pair.gold.id]}", [0, 0, 0])
        for n, more in enumerate((1, int(main), int(hit))):
            counts[n] += more
        if pair.gold.contradiction:
            found.any, found.main = found.any + hit, found.main + main
        else:
            found.negatives_any, found.negatives_main = found.negatives_any + hit, found.negatives_main + main
    return found


def _reasons(gold: Path) -> dict[str, str]:
    rows = (json.loads(line) for line in gold.read_text(encoding="utf-8").splitlines())
    return {row["id"]: f"{row['kind']}, {row['why']}" if row["label"] == "contradiction" else row["why"] for row in rows}


def _documents(corpus: Path, wanted: Iterable[str]) -> list[Any]:
    from auditor.load import load_bytes

    return [load_bytes((corpus / doc_id).read_bytes(), doc_id) for doc_id in sorted(wanted)]


# -- what it is compared with ---------------------------------------------------------------------------------------------------


def encoding_seconds(corpus: Path) -> tuple[int, float]:
    """How many statements the store has, and how long the static encoder alone takes for them."""
    from auditor.embed import get_encoder

    encoder = get_encoder("static")
    encoder.encode(["warm up"])
    texts: list[str] = []
    count, seconds = 0, 0.0
    for text in _statements(corpus):
        texts.append(text)
        if len(texts) == _ENCODED_AT_ONCE:
            count, seconds = count + len(texts), seconds + _timed(encoder, texts)
            texts = []
    return count + len(texts), seconds + _timed(encoder, texts)


def _timed(encoder: Any, texts: Sequence[str]) -> float:
    start = time.perf_counter()
    encoder.encode(texts)
    return time.perf_counter() - start


def _statements(corpus: Path) -> Iterator[str]:
    from auditor.load import load_bytes
    from auditor.rulepack import load_rules
    from auditor.text.statements import ContextWords, build

    words = ContextWords.of(load_rules(None).scope)
    for path in sorted(p for p in corpus.rglob("*") if p.is_file() and ".audit" not in p.parts):
        document = load_bytes(path.read_bytes(), path.relative_to(corpus).as_posix())
        for statement in build(document, words, 0)[1]:
            yield statement.text


@dataclass(frozen=True, slots=True)
class AllPairs:
    """Comparison of every pair of typed statements with the typed detectors: no blocking, no models."""

    pairs: int
    compared: int  # within the time
    seconds: float
    planted: int
    comparable: int  # planted pairs whose statements hold facts that a detector compares
    blocked: int  # planted pairs of which blocking makes a candidate

    @property
    def whole(self) -> float:
        """Seconds for all pairs: measured, or extrapolated from a random part of them."""
        return self.seconds * self.pairs / max(self.compared, 1)


def all_pairs(store: Path, seconds: float) -> AllPairs:
    """Compare all pairs of typed statements for so many seconds; a random sample where that is not enough. In this process."""
    from auditor.evaluation.gold import read_gold
    from auditor.evaluation.match import locate_all

    audit = _blocked(store / "corpus")
    judge_, statements = audit.judge_, audit.statements
    typed = [i for i, facts in enumerate(audit.facts) if facts]
    classes = {i: judge_.classes(audit.facts[i]) for i in typed}
    pairs = len(typed) * (len(typed) - 1) // 2
    compared = 0
    start = time.perf_counter()
    for i, j in _pairs_at_random(typed):
        judge_.compare(statements[i], statements[j], classes[i], classes[j], audit.similarity(i, j))
        compared += 1
        if compared % 256 == 0 and time.perf_counter() - start > seconds:
            break
    spent = time.perf_counter() - start
    gold = read_gold(store / "gold.jsonl")
    located = [pair for pair in locate_all(gold.pairs, audit.documents) if pair.gold.contradiction]
    by_document: dict[str, list[Any]] = defaultdict(list)
    for statement in statements:
        by_document[statement.doc_id].append(statement)

    def at(document: str, spans: Sequence[tuple[int, int]]) -> list[int]:
        return [s.index for s in by_document[document] if any(s.start < end and start < s.end for start, end in spans)]

    statement_pairs = [
        [
            (min(i, j), max(i, j))
            for i in at(pair.gold.doc_a, pair.spans_a)
            for j in at(pair.gold.doc_b, pair.spans_b)
            if i in classes and j in classes and classes[i].keys() & classes[j].keys()
        ]
        for pair in located
    ]
    blocked = sum(any(pair in audit.candidates for pair in found) for found in statement_pairs)
    comparable = sum(map(bool, statement_pairs))
    return AllPairs(pairs, compared, spent, len(located), comparable, blocked)


def _blocked(corpus: Path) -> Any:
    """The state of a scan before its comparison, which takes most of the time and is not wanted here."""
    from datetime import date

    from auditor import scan as stages
    from auditor.config import load_config

    held: list[Any] = []
    compare = stages._compare
    stages._compare = lambda audit, *rest: held.append(audit)
    try:
        stages.analyse(stages.ScanOptions(corpus, load_config(corpus, None), as_of=date.fromisoformat(_AS_OF)))
    finally:
        stages._compare = compare
    return held[0]


def _pairs_at_random(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """All pairs once, those of a few rows after those of a few others: any beginning is a fair sample."""
    order = list(rows)
    random.Random(1).shuffle(order)
    for distance in range(1, len(order)):
        for n in range(len(order) - distance):
            i, j = order[n], order[n + distance]
            yield (i, j) if i < j else (j, i)


# -- scanning again -------------------------------------------------------------------------------------------------------------


def edited(corpus: Path, count: int) -> list[str]:
    """Change a figure, or add a sentence where there is none, in `count` documents spread over the store."""
    files = sorted(p for p in corpus.rglob("*") if p.is_file() and ".audit" not in p.parts)
    step = max(1, len(files) // count)
    chosen = files[step // 2 :: step][:count]
    for path in chosen:
        lines = path.read_text(encoding="utf-8").split("\n")
        body = [n for n, line in enumerate(lines) if n > len(lines) // 3 and any(c.isdigit() for c in line) and "<" not in line]
        if body:
            at = body[0]
            lines[at] = "".join(str((int(c) + 3) % 10) if c.isdigit() else c for c in lines[at])
        else:
            end = next((n for n, line in enumerate(lines) if "</body>" in line), len(lines))
            lines.insert(end, "\nThe corrected page was sent to everybody.\n")
        path.write_text("\n".join(lines), encoding="utf-8")
    return [path.relative_to(corpus).as_posix() for path in chosen]


def same_files(one: Path, other: Path) -> list[str]:
    """Names of the Parquet files of two runs that differ."""
    names = Counter(p.name for folder in (one, other) for p in folder.glob("*.parquet"))
    return sorted(n for n in names if names[n] != 2 or (one / n).read_bytes() != (other / n).read_bytes())
