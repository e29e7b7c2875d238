"""Quality on everything that is labelled, in one table: `python benchmarks/quality.py [BENCH] [--write FILE.json]`.

Scans `sample_corpus` and the corpora of `tests/corpora` (both halves), compares the pairs of `tests/cases/pairs`, and, where BENCH is
given (a folder with `policy_pairs.jsonl` and `field/TREE/docs` beside `field/TREE/gold.jsonl`), the policy pairs and the documentation
trees with pairs that people reported. Prints

- what was found and what is false, at high, high + medium and any tier;
- what blocking reaches: recall of the listed contradictions against candidates per typed statement, for each list alone and for all;
- whether `confidence` means what it says: how many findings of each range are right (reliability).

A tree's gold is not complete, so its findings outside the list are unjudged: they count as clusters a person has to read, not as wrong.
Corpora and domains that weights were fitted on are marked; their figures are upper bounds. Corpora that the readers learned from are left
out, unless `--only` names them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # run as a file; another package may be called "benchmarks"

from auditor import scan
from auditor.config import load_config
from auditor.evaluation.gold import OPEN, SEALED, Bench, open_bench
from auditor.evaluation.match import locate_all
from auditor.evaluation.metrics import LEVELS, MAIN, Evaluation, Score, evaluate
from auditor.evaluation.pairs import evaluate_pairs, pair_judge, read_pairs
from auditor.evaluation.reach import LISTS, Reach, reach
from auditor.evaluation.reliability import Reliability, reliability
from auditor.evaluation.stages import Diagnosis, Stage
from auditor.format import write_all

ROOT = Path(__file__).resolve().parents[1]
SEALED_TREES = (
    "datasette",
    "flow",
    "matrix-spec",
    "secure_headers",
    "thin-edge.io",
    "wasmcloud.com",
    "Problem-Based-SRS-8d20582",
)
_AS_OF = date(2026, 1, 1)


@dataclass(slots=True)
class Row:
    """Figures of one source. `wrong` is None where the gold is not complete; `clusters` and `words` only for documents."""

    name: str
    fitted: str
    scores: dict[str, Score]
    negatives: int
    fired: int  # hard negatives in the main list
    clusters: int | None = None  # in the main list
    words: int = 0
    lost: dict[str, int] = field(default_factory=dict)  # stage → contradictions that are not in the main list
    reached: Reach | None = None


def main() -> None:
    """Measure everything and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("bench", type=Path, nargs="?", help="folder with policy_pairs.jsonl and field/")
    parser.add_argument("--only", default="", metavar="NAME,...", help="measure only sources whose name contains one of these")
    parser.add_argument("--reports", type=Path, metavar="DIR", help="write the report of each corpus there as well")
    parser.add_argument("--write", type=Path, metavar="FILE.json", help="keep the figures")
    args = parser.parse_args()
    rows: list[Row] = []
    judged: list[tuple[str, float, bool]] = []  # fitted or not, confidence, right
    for row, findings in _sources(args.bench, args.only, args.reports):
        rows.append(row)
        judged += findings
        print(f"measured {row.name}", file=sys.stderr, flush=True)
    tables = [_quality(rows), _trees(rows), _blocking(rows), _losses(rows)]
    tables += [
        _reliability(name, reliability([(c, ok) for kind, c, ok in judged if kind == name])) for name in ("fitted", "never fitted")
    ]
    print("\n\n".join("\n".join(t) for t in tables if t))
    if args.write:
        kept = {"sources": [asdict(r) for r in rows], "findings": judged}
        args.write.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def _sources(bench: Path | None, only: str, reports: Path | None) -> Iterator[tuple[Row, list[tuple[str, float, bool]]]]:
    from scripts.fit_score import CORPORA, FIT_DOMAINS, WHOLE
    from scripts.reader_data import ALL

    folders = [ROOT / "sample_corpus", *sorted(p.parent for p in (ROOT / "tests/corpora").glob("*/gold.jsonl"))]
    for folder in folders:
        if _named(folder.name, only) and (only or folder.name not in ALL):
            known = (
                {OPEN, SEALED} if folder.name in (*WHOLE, *ALL) else {OPEN} if str(folder.relative_to(ROOT)) in CORPORA else set()
            )
            yield from _corpus(open_bench(folder), folder.name, (OPEN, SEALED), known, reports)
    files = sorted((ROOT / "tests/cases/pairs").glob("*.jsonl"))
    for name, chosen, fitted in (
        ("pairs, fitted domains", [f for f in files if f.stem in FIT_DOMAINS], True),
        ("pairs, other domains", [f for f in files if f.stem not in FIT_DOMAINS], False),
        ("policy_pairs", [bench / "policy_pairs.jsonl"] if bench else [], False),
    ):
        if chosen and _named(name, only):
            yield _pairs(name, chosen, fitted)
    for folder in sorted(p.parent for p in bench.glob("field/*/gold.jsonl")) if bench else []:
        name = f"{'sealed' if folder.name.startswith(SEALED_TREES) else 'open'} tree {folder.name}"
        if _named(name, only):
            yield from _corpus(open_bench(folder), name, ("all",), set(), reports)


def _named(name: str, only: str) -> bool:
    return any(part in name for part in only.split(","))


def _corpus(
    bench: Bench, name: str, splits: Sequence[str], fitted: Collection[str], reports: Path | None
) -> Iterator[tuple[Row, list[tuple[str, float, bool]]]]:
    audit = scan.run(scan.ScanOptions(bench.corpus, load_config(bench.corpus, None), as_of=_AS_OF))
    if reports is not None:
        write_all(audit.result, reports / name.replace(" ", "-"))
    located = locate_all(bench.gold.pairs, audit.documents)
    for split in splits:
        result = evaluate(audit.result, bench.gold, located, Diagnosis(audit).trace, split)
        chosen = [p for p in located if split in ("all", p.gold.split) and p.gold.contradiction and not p.gold.optional]
        known = split in fitted
        yield (
            Row(
                name=f"{name}, {split}" if split != "all" else name,
                fitted="fitted" if known else "never fitted",
                scores=dict(result.scores),
                negatives=result.negatives,
                fired=result.fired[MAIN],
                clusters=len({c.cluster_id for c in audit.result.conflicts if c.tier in ("high", "medium")}),
                words=audit.result.counts["words"],
                lost=_lost(result),
                reached=reach(audit, chosen),
            ),
            _judged(result, "fitted" if known else "never fitted") if bench.gold.complete else [],
        )


def _lost(result: Evaluation) -> dict[str, int]:
    lost: dict[str, int] = {}
    for missed in result.missed:
        lost[missed.loss.stage.value] = lost.get(missed.loss.stage.value, 0) + 1
    return lost


def _judged(result: Evaluation, kind: str) -> list[tuple[str, float, bool]]:
    found = [(kind, conflict.confidence, True) for conflict in result.right]
    return found + [(kind, alarm.conflict.confidence, False) for alarm in result.alarms]


def _pairs(name: str, files: Sequence[Path], fitted: bool) -> tuple[Row, list[tuple[str, float, bool]]]:
    result = evaluate_pairs(read_pairs(files), pair_judge())
    kind = "fitted" if fitted else "never fitted"
    main = result.levels[MAIN]
    row = Row(
        name=name,
        fitted=kind,
        scores={level: found.score for level, found in result.levels.items()},
        negatives=main.negatives,
        fired=main.score.wrong or 0,
        lost=dict(result.lost),
    )
    return row, [(kind, o.finding.confidence, o.pair.contradiction) for o in result.outcomes if o.finding is not None]


def _quality(rows: Sequence[Row]) -> list[str]:
    out = ["| source | weights | " + " | ".join(f"{level}: found, precision" for level in LEVELS) + " | negatives hit |"]
    out.append("|---|---|" + "---|" * (len(LEVELS) + 1))
    for row in rows:
        cells = []
        for level in LEVELS:
            score = row.scores[level]
            cells.append(f"{score.found} of {score.wanted}" + (f", {score.precision:.2f}" if score.precision is not None else ""))
        out.append(f"| {row.name} | {row.fitted} | {' | '.join(cells)} | {row.fired} of {row.negatives} |")
    return out + _pooled(rows)


def _pooled(rows: Sequence[Row]) -> list[str]:
    """One line for all corpora of which nothing was fitted."""
    halves = {row.name: row for row in rows if row.reached is not None and "tree " not in row.name}
    names = {name.rsplit(", ", 1)[0] for name in halves}
    unseen = [
        name for name in sorted(names) if all(halves[f"{name}, {split}"].fitted == "never fitted" for split in (OPEN, SEALED))
    ]
    if len(unseen) < 2:
        return []
    chosen = [halves[f"{name}, {split}"] for name in unseen for split in (OPEN, SEALED)]
    cells = []
    for level in LEVELS:
        scores = [row.scores[level] for row in chosen]
        right, wrong = sum(s.right for s in scores), sum(s.wrong or 0 for s in scores)
        cells.append(
            f"{sum(s.found for s in scores)} of {sum(s.wanted for s in scores)}"
            + (f", {right / (right + wrong):.2f}" if right + wrong else "")
        )
    fired, negatives = sum(row.fired for row in chosen), sum(row.negatives for row in chosen)
    return [f"| **{', '.join(unseen)}** | never fitted | {' | '.join(cells)} | {fired} of {negatives} |"]


def _trees(rows: Sequence[Row]) -> list[str]:
    trees = [r for r in rows if "tree " in r.name]
    if not trees:
        return []
    out = ["| tree | words | clusters in the main list | limit: max(5, 25 per 100,000 words) |", "|---|---|---|---|"]
    for row in trees:
        out.append(f"| {row.name} | {row.words:,} | {row.clusters} | {max(5.0, 25 * row.words / 100_000):.0f} |")
    for kind in ("open tree", "sealed tree"):
        chosen = [r for r in trees if r.name.startswith(kind)]
        wanted = sum(r.scores[MAIN].wanted for r in chosen)
        out.append(
            f"| all {kind}s: {sum(r.scores[MAIN].found for r in chosen)} of {wanted} reported pairs in the main list, "
            f"{sum(r.scores['any'].found for r in chosen)} in any tier | {sum(r.words for r in chosen):,} "
            f"| {sum(r.clusters or 0 for r in chosen)} | |"
        )
    return out


def _blocking(rows: Sequence[Row]) -> list[str]:
    out = ["| source | " + " | ".join(LISTS) + " |", "|---|" + "---|" * len(LISTS)]
    for row in rows:
        if row.reached is not None:
            cells = (f"{found} of {row.reached.wanted} @ {cost:.1f}" for found, cost in row.reached.lists.values())
            out.append(f"| {row.name} | {' | '.join(cells)} |")
    return out if len(out) > 2 else []


def _losses(rows: Sequence[Row]) -> list[str]:
    stages = [stage.value for stage in Stage]
    out = ["| not in the main list | " + " | ".join(stages) + " |", "|---|" + "---|" * len(stages)]
    for row in rows:
        if row.lost and row.reached is not None:
            out.append(f"| {row.name} | " + " | ".join(str(row.lost.get(stage, 0)) for stage in stages) + " |")
    return out if len(out) > 2 else []


def _reliability(name: str, bins: Sequence[Reliability]) -> list[str]:
    out = [f"| confidence, sources {name} | findings | mean confidence | right |", "|---|---|---|---|"]
    for one in bins:
        if one.findings:
            out.append(f"| {one.low:.2f} to {one.high:.2f} | {one.findings} | {one.mean:.2f} | {one.share:.2f} |")
    return out if len(out) > 2 else []


if __name__ == "__main__":
    main()
