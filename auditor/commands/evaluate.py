"""`audit eval`: measure the findings against known contradictions."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auditor.commands.console import console
from auditor.commands.guard import Code, complain
from auditor.commands.options import (
    AsOf,
    ConfigFile,
    EncoderName,
    NliModel,
    NoColor,
    RulesDir,
    day,
    effective_config,
    scan_options,
)
from auditor.errors import UserError

if TYPE_CHECKING:
    from auditor.evaluation.metrics import Score

EPILOG = """[bold]Examples[/bold]

audit eval ./sample_corpus                      [dim]# gold.jsonl in the folder[/dim]

audit eval ./handbook --gold known.jsonl --json

audit eval --pairs cases/hr.jsonl cases/law.jsonl --show misses

audit eval ./sample_corpus --min-precision 0.95 [dim]# in a CI job[/dim]

[bold]Gold[/bold]  one JSON object a line: id, doc_a, doc_b, quote_a, quote_b, label (contradiction \
or no_contradiction), and if known kind, category, winner (a or b), rule, why, split. For --pairs: \
text_a, text_b, label, and if known title_a, heading_a, kind, domain, reason.

[bold]Exit codes[/bold]  0 done · 1 below --min-precision or --min-recall, at high+medium · 2 error · 130 interrupted
"""


class Split(StrEnum):
    """Values of --split."""

    OPEN = "open"
    SEALED = "sealed"
    ALL = "all"


class Show(StrEnum):
    """Values of --show."""

    MISSES = "misses"
    FALSE = "false"


def evaluate(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="DIR | FILE...", help="Corpus to scan; with --pairs, files of text pairs.", show_default=False),
    ],
    pairs: Annotated[
        bool, typer.Option("--pairs", help="Compare bare text pairs, without documents and without blocking.")
    ] = False,
    gold: Annotated[
        Path | None,
        typer.Option("--gold", metavar="FILE", help="Known contradictions (default: DIR/gold.jsonl).", show_default=False),
    ] = None,
    split: Annotated[
        Split, typer.Option("--split", help="Part of the gold to score. The sealed part is not for tuning.")
    ] = Split.OPEN,
    show: Annotated[
        list[Show] | None, typer.Option("--show", help="With --pairs: list what was missed or is false, with the reason.")
    ] = None,
    min_precision: Annotated[
        float | None,
        typer.Option("--min-precision", min=0, max=1, metavar="X", help="End with exit code 1 below this.", show_default=False),
    ] = None,
    min_recall: Annotated[
        float | None,
        typer.Option("--min-recall", min=0, max=1, metavar="X", help="End with exit code 1 below this.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON on one line.")] = False,
    config: ConfigFile = None,
    rules: RulesDir = None,
    encoder: EncoderName = None,
    nli: NliModel = None,
    as_of: AsOf = None,
    no_color: NoColor = False,
) -> None:
    """Measure the findings against known contradictions.

    Prints precision, recall and F1 by tier and kind, which hard negatives were hit, and for every miss the stage that lost it.
    """
    if pairs:
        _refuse("--pairs", {"--gold": gold, "--config": config, "--nli": nli, "--as-of": as_of})
        score = _on_pairs(paths, rules, encoder, set(show or ()), as_json, not no_color)
    else:
        _refuse("a folder", {"--show": show})
        if len(paths) != 1:
            raise UserError("name one folder, or use --pairs for files of text pairs")
        settings = {"encoder": encoder, "nli": nli, "as_of": day(as_of)}
        score = _on_corpus(paths[0], gold, split, config, settings, rules, as_json, not no_color)
    _hold_against(score, min_precision, min_recall)


def _refuse(what: str, options: dict[str, object]) -> None:
    """An option that would do nothing is a mistake, and is said to be one."""
    for name, value in options.items():
        if value:
            raise UserError(f"{name} has no meaning with {what}")


def _on_corpus(
    folder: Path,
    gold_file: Path | None,
    split: Split,
    config: Path | None,
    settings: dict[str, Any],
    rules: Path | None,
    as_json: bool,
    color: bool,
) -> Score:
    from auditor.commands.options import corpus_folder
    from auditor.commands.progress import progress
    from auditor.evaluation.gold import open_bench
    from auditor.evaluation.match import locate_all
    from auditor.evaluation.metrics import MAIN
    from auditor.evaluation.metrics import evaluate as measure
    from auditor.evaluation.render import as_json as to_json
    from auditor.evaluation.render import show
    from auditor.evaluation.stages import Diagnosis

    bench = open_bench(corpus_folder(folder), gold_file)
    options = scan_options(bench.corpus, effective_config(bench.corpus, config, **settings), rules, min_tier="advisory")
    from auditor.scan import run

    with progress(quiet=as_json, color=color) as report:
        audit = run(options, report)
    located = locate_all(bench.gold.pairs, audit.documents)
    result = measure(audit.result, bench.gold, located, Diagnosis(audit).trace, split.value)
    seconds = round(sum(stage.seconds for stage in audit.result.stages), 1)
    if as_json:
        typer.echo(json.dumps(to_json(result, str(folder)) | {"seconds": seconds}, ensure_ascii=False, separators=(",", ":")))
    else:
        out = console(color=color)
        show(out, result, str(folder))
        read, found = len(audit.documents), len(audit.result.conflicts)
        out.print(f"{read:,} documents scanned in {seconds} s, {found:,} findings of any tier", style="dim")
    return result.scores[MAIN]


def _on_pairs(files: list[Path], rules: Path | None, encoder: str | None, show: set[Show], as_json: bool, color: bool) -> Score:
    from auditor.commands.progress import progress
    from auditor.evaluation.metrics import MAIN
    from auditor.evaluation.pairs import evaluate_pairs, pair_judge, read_pairs
    from auditor.evaluation.render_pairs import pairs_json, show_pairs
    from auditor.rulepack import load_rules

    texts = read_pairs(files)
    judge = pair_judge(load_rules(rules), encoder or "static")
    with progress(quiet=as_json, color=color) as report:
        result = evaluate_pairs(texts, judge, report)
    if as_json:
        typer.echo(json.dumps(pairs_json(result), ensure_ascii=False, separators=(",", ":")))
    else:
        show_pairs(console(color=color), result, misses=Show.MISSES in show, false=Show.FALSE in show)
    return result.levels[MAIN].score


def _hold_against(score: Score, min_precision: float | None, min_recall: float | None) -> None:
    """Exit code 1 when a figure is below its bound; one that cannot be told is."""
    missed = False
    for name, value, bound in (("precision", score.precision, min_precision), ("recall", score.recall, min_recall)):
        if bound is not None and (value is None or value < bound):
            complain(f"{name} {'unknown' if value is None else f'{value:.3f}'} is below {bound}", label="")
            missed = True
    if missed:
        raise typer.Exit(Code.FINDINGS)
