"""How cost and recall grow with the store: `python benchmarks/scale.py --sizes 1000,10000,100000,1000000 --workdir DIR`.

Generates a store of each size (`benchmarks/store`, kept in DIR), runs `audit scan` on it and prints tables: time and memory of each
stage, how they grow, planted contradictions found, hard negatives hit, and in the same run the time of the static encoder alone and
of comparing all pairs (measured up to a minute, beyond that extrapolated from a random part). Draws the times as an SVG. `--documents N`
takes a number of documents instead; `--rescan` changes one document, then one in a hundred, and scans again with the cache of the
first scan.
Results are kept in DIR as JSON; `--reuse` prints them again without scanning. Seconds depend on the machine, exponents and counts
hardly.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # run as a file; another package may be called "benchmarks"

import itertools

from benchmarks.chart import svg
from benchmarks.measure import Run, all_pairs, edited, encoding_seconds, judge, make_store, same_files, scan

_NAIVE_UP_TO = 12_000  # statements; above, the seconds are extrapolated from a smaller store's cost per pair
_STAGES = ("load", "duplicates", "statements", "extract", "embed", "block", "compare", "resolve", "review")


def main() -> None:
    """Parse the options, measure, print."""
    args = _arguments()
    args.workdir.mkdir(parents=True, exist_ok=True)
    if args.rescan:
        for store in _stores(args):
            _rescan(store, args.workdir)
        return
    results = []
    for store in _stores(args):
        results.append(_measure(store, args))
    results.sort(key=lambda r: r["run"]["counts"]["statements"])
    _fill_naive(results)
    for lines in (_overview(results), _times(results), _memory(results), _growth(results), _recall(results), _kinds(results[-1])):
        print("\n".join(lines) + "\n")
    if args.svg:
        args.svg.write_text(_chart(results), encoding="utf-8")
        print(f"wrote {args.svg}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--sizes", default="1000,10000", help="statements, separated by commas")
    size.add_argument("--documents", help="documents, separated by commas, instead of statements")
    parser.add_argument("--per-document", type=int, default=25, help="statements of a document on average")
    parser.add_argument("--workdir", type=Path, required=True, help="folder for stores, runs and results")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--naive-seconds", type=float, default=60.0, help="time for comparing all pairs; 0 leaves it out")
    parser.add_argument("--rescan", action="store_true", help="measure a second scan after small changes instead")
    parser.add_argument("--reuse", action="store_true", help="use results of earlier runs where there are any")
    parser.add_argument("--svg", type=Path, help="file to draw the times to, for example docs/scale.svg")
    return parser.parse_args()


def _stores(args: argparse.Namespace) -> list[Path]:
    sizes = [int(size.replace("_", "")) for size in (args.documents or args.sizes).split(",")]
    return [
        make_store(
            args.workdir,
            statements=None if args.documents else size,
            documents=size if args.documents else None,
            per_document=args.per_document,
            seed=args.seed,
        )
        for size in sizes
    ]


def _measure(store: Path, args: argparse.Namespace) -> dict[str, Any]:
    """All figures of a store. They are kept one by one: a long scan is not lost when what follows it fails."""
    kept, out = args.workdir / f"{store.name}.json", args.workdir / f"run-{store.name}"
    result: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8")) if args.reuse and kept.exists() else {}

    def keep(**figures: Any) -> None:
        result.update(figures)
        kept.write_text(json.dumps(result, indent=1), encoding="utf-8")

    if "run" not in result:
        keep(run=asdict(scan(store / "corpus", out)))
        _say(f"{store.name}: scanned in {result['run']['wall']:.0f} s")
    if "found" not in result:
        keep(found=asdict(judge(store, out)))
    if "encoding" not in result:
        statements, seconds = encoding_seconds(store / "corpus")
        keep(encoded=statements, encoding=seconds)
    if "naive" not in result:
        wanted = args.naive_seconds and result["run"]["counts"]["statements"] <= _NAIVE_UP_TO
        keep(naive=asdict(all_pairs(store, args.naive_seconds)) if wanted else None)
    return result


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


# -- tables ---------------------------------------------------------------------------------------------------------------------


def _fill_naive(results: Sequence[dict[str, Any]]) -> None:
    """Seconds for all pairs of every store: its own sample, else the cost per pair of the largest store that has one."""
    per_pair = 0.0
    for result in results:
        typed = result["run"]["counts"]["typed_statements"]
        if result["naive"]:
            per_pair = result["naive"]["seconds"] / max(result["naive"]["compared"], 1)
        result["all_pairs"] = per_pair * typed * (typed - 1) / 2
        result["all_pairs_measured"] = bool(result["naive"]) and result["naive"]["compared"] == result["naive"]["pairs"]


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    lines = [header, ["---"] * len(header), *([str(cell) for cell in row] for row in rows)]
    return ["| " + " | ".join(line) + " |" for line in lines]


def _total(result: dict[str, Any]) -> float:
    return sum(result["run"]["seconds"].values())


def _overview(results: Sequence[dict[str, Any]]) -> list[str]:
    rows = []
    for result in results:
        counts, total = result["run"]["counts"], _total(result)
        naive = f"{'' if result['all_pairs_measured'] else '≈ '}{_seconds(result['all_pairs'])}" if result["all_pairs"] else "–"
        pairs = max(counts["possible_pairs"], 1)
        rows.append(
            (
                f"{counts['documents']:,}",
                f"{counts['statements']:,}",
                f"{counts['typed_statements'] / counts['statements']:.0%}",
                f"{counts['candidates']:,} ({100 * counts['candidates'] / pairs:.2g} %)",
                _seconds(total),
                f"{counts['statements'] / total:,.0f}",
                f"{_seconds(result['encoding'])} ({result['encoding'] / total:.1%})",
                naive,
                f"{max(result['run']['peaks'].values()):,.0f}",
            )
        )
    header = (
        "documents",
        "statements",
        "typed",
        "compared pairs",
        "scan",
        "statements/s",
        "encoding alone",
        "all typed pairs",
        "peak MiB",
    )
    return _table(header, rows)


def _stages(results: Sequence[dict[str, Any]]) -> list[str]:
    """Stages in the order of the scan, those that this program does not know behind them."""
    there = dict.fromkeys(name for result in results for name in result["run"]["seconds"])
    return [s for s in _STAGES if s in there] + [s for s in there if s not in _STAGES]


def _times(results: Sequence[dict[str, Any]]) -> list[str]:
    rows = [
        (
            f"{r['run']['counts']['statements']:,}",
            *(_seconds(r["run"]["seconds"].get(s, 0.0)) for s in _stages(results)),
            _seconds(r["run"]["wall"]),
            _seconds(r["run"]["cpu"]),
        )
        for r in results
    ]
    return _table(("seconds per stage", *_stages(results), "process", "processor"), rows)


def _memory(results: Sequence[dict[str, Any]]) -> list[str]:
    rows = [
        (f"{r['run']['counts']['statements']:,}", *(f"{r['run']['peaks'].get(s, 0.0):,.0f}" for s in _stages(results)))
        for r in results
    ]
    return _table(("peak MiB up to the end of", *_stages(results)), rows)


def _growth(results: Sequence[dict[str, Any]]) -> list[str]:
    """Exponent b of n^b from one size to the next."""
    rows = []
    for small, large in itertools.pairwise(results):
        n, m = (r["run"]["counts"]["statements"] for r in (small, large))
        ratio = math.log(m / n)

        def exponent(x: float, y: float, ratio: float = ratio) -> str:
            return f"{math.log(y / x) / ratio:.2f}" if x >= 0.05 and y > 0 else "–"

        stages = [exponent(*(r["run"]["seconds"].get(s, 0.0) for r in (small, large))) for s in _stages(results)]
        candidates = exponent(*(float(r["run"]["counts"]["candidates"]) for r in (small, large)))
        cpu = exponent(*(r["run"]["cpu"] for r in (small, large)))
        rows.append((f"{n:,} → {m:,}", *stages, exponent(_total(small), _total(large)), cpu, candidates))
    return _table(("growth exponent", *_stages(results), "whole scan", "processor time", "candidates"), rows)


def _recall(results: Sequence[dict[str, Any]]) -> list[str]:
    rows = []
    for result in results:
        found, counts = result["found"], result["run"]["counts"]
        naive = result["naive"]
        rows.append(
            (
                f"{counts['statements']:,}",
                found["planted"],
                f"{naive['comparable']} / {naive['blocked']}" if naive else "–",
                f"{found['main'] / max(found['planted'], 1):.2f}",
                f"{found['any'] / max(found['planted'], 1):.2f}",
                f"{found['negatives_main']} / {found['negatives_any']} of {found['negatives']}",
                f"{found['right_main']} / {found['right_any']}",
                f"{found['other_main']} / {found['other_any']}",
            )
        )
    header = (
        "statements",
        "planted",
        "of these comparable / candidates",
        "recall high+medium",
        "recall any tier",
        "hard negatives hit (main / any)",
        "findings on planted pairs (main / any)",
        "other findings (main / any)",
    )
    return _table(header, rows)


def _kinds(result: dict[str, Any]) -> list[str]:
    """Of the largest store."""
    rows = [(name, *counts) for name, counts in sorted(result["found"]["kinds"].items())]
    return _table(("pairs of the largest store (+ planted, - hard negative)", "pairs", "in the main list", "in any tier"), rows)


def _seconds(value: float) -> str:
    if value >= 48 * 3600:
        return f"{value / 86400:,.0f} days"
    return f"{value / 3600:.1f} h" if value >= 2 * 3600 else f"{value:,.0f} s" if value >= 100 else f"{value:.1f} s"


def _chart(results: Sequence[dict[str, Any]]) -> str:
    def line(value: Any) -> list[tuple[float, float]]:
        return [(r["run"]["counts"]["statements"], value(r)) for r in results]

    shown = [s for s in _stages(results) if max(r["run"]["seconds"].get(s, 0.0) / _total(r) for r in results) >= 0.02]
    series = {"whole scan": line(_total)}
    series |= {stage: line(lambda r, stage=stage: r["run"]["seconds"].get(stage, 0.0)) for stage in shown}
    series["static encoding alone"] = line(lambda r: r["encoding"])
    series["all typed pairs"] = line(lambda r: r["all_pairs"])
    return svg("Time of a scan", "statements", "seconds", series, frozenset({"static encoding alone", "all typed pairs"}))


# -- scanning again -------------------------------------------------------------------------------------------------------------


def _rescan(store: Path, workdir: Path) -> None:
    """Print what a scan costs after small changes, as a share of the first one."""
    corpus, out = workdir / f"rescan-{store.name}", workdir / f"run-rescan-{store.name}"
    shutil.rmtree(corpus, ignore_errors=True)
    shutil.copytree(store / "corpus", corpus, ignore=shutil.ignore_patterns(".audit"))
    first = scan(corpus, out)
    documents = first.counts["documents"]
    rows: list[Sequence[object]] = [("first scan", documents, _seconds(first.wall), "", _slowest(first), "")]
    for name, count in (("nothing changed", 0), ("one document changed", 1), ("1 % changed", max(1, documents // 100))):
        if count:
            edited(corpus, count)
        again = scan(corpus, out, keep_cache=True)
        rows.append((name, count, _seconds(again.wall), f"{again.wall / first.wall:.0%}", _slowest(again), _compared(corpus, out)))
    print(
        "\n".join(
            _table((store.name, "documents", "process", "share of the first", "slowest stages", "against a fresh scan"), rows)
        )
    )


def _compared(corpus: Path, out: Path) -> str:
    """Whether a scan that reads everything writes the same tables; the cache stays as it is."""
    cache, aside = corpus / ".audit", corpus.with_name(corpus.name + "-cache")
    shutil.rmtree(aside, ignore_errors=True)
    if cache.exists():
        cache.rename(aside)
    fresh = out.with_name(out.name + "-fresh")
    scan(corpus, fresh)
    if aside.exists():
        shutil.rmtree(cache, ignore_errors=True)
        aside.rename(cache)
    differ = same_files(out, fresh)
    return f"differ: {', '.join(differ)}" if differ else "the same tables"


def _slowest(run: Run) -> str:
    top = sorted(run.seconds.items(), key=lambda item: -item[1])[:3]
    return ", ".join(f"{name} {seconds:.1f}" for name, seconds in top)


if __name__ == "__main__":
    main()
