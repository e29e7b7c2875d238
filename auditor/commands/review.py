"""`audit review`: take decisions from the report into the decisions file, list them, add one, end one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.commands.console import console, plain
from auditor.commands.explain import OUT, pick
from auditor.commands.guard import complain, guarded
from auditor.commands.options import AsOf, NoColor, day
from auditor.errors import UserError
from auditor.review.files import BASELINE_FILE, DECISIONS_FILE

if TYPE_CHECKING:
    from auditor.model import ScanResult
    from auditor.review.exported import ExportedDecision

EPILOG = """[bold]Examples[/bold]

audit review apply decisions.json                [dim]# as exported by report.html of the scan in audit-out[/dim]

audit review add 3fa9c1 --choice accept_b --reviewer j.doe@example.org

audit review list --stats                        [dim]# how long do findings wait for a decision?[/dim]

audit review expire 3fa9c1 --on 2026-07-01       [dim]# open again from that day on[/dim]
"""

app = typer.Typer(help="Keep what people decided about findings, so that a finding does not come back once decided.", epilog=EPILOG)


class ChoiceName(StrEnum):
    """Values of --choice, as in `review.decisions.Choice`, which is not imported for a help text."""

    ACCEPT_A = "accept_a"
    ACCEPT_B = "accept_b"
    BOTH_WITH_CONDITION = "both_with_condition"
    NEITHER = "neither"
    REQUEST_FRESHER = "request_fresher"
    NOT_A_CONTRADICTION = "not_a_contradiction"


Run = Annotated[Path, typer.Option("--run", metavar="RUN_DIR", help="Output folder of the scan the decisions are about.")]
File = Annotated[
    Path | None,
    typer.Option(
        "--file",
        metavar="FILE",
        help=f"Decisions file (default: {DECISIONS_FILE} in the corpus of the run, where scans look for it).",
        show_default=False,
    ),
]
Corpus = Annotated[
    Path | None,
    typer.Option("--corpus", metavar="DIR", help="Folder with the documents, if it is not found by its name.", show_default=False),
]
Baseline = Annotated[
    Path | None,
    typer.Option(
        "--baseline",
        metavar="FILE",
        help=f"Baseline that knows since when findings are reported (default: {BASELINE_FILE} beside the decisions or here).",
        show_default=False,
    ),
]


@app.command("apply", epilog="audit review apply ~/Downloads/decisions.json --run audit-out")
@guarded
def apply(
    decisions: Annotated[Path, typer.Argument(metavar="DECISIONS.json", help="Export of the report.", show_default=False)],
    run: Run = OUT,
    file: File = None,
    corpus: Corpus = None,
    baseline: Baseline = None,
    reviewer: Annotated[
        str, typer.Option("--reviewer", metavar="NAME", help="Who decided, where the export does not say.", show_default=False)
    ] = "",
) -> None:
    """Take the decisions that a reviewer exported from the report into the decisions file.

    A decision on a finding that changed since, or that the run does not have, is not taken, and said so.
    """
    from auditor.review.exported import read_exported

    exported = read_exported(decisions, reviewer.strip())
    result = _run(run)
    if exported.corpus and exported.corpus != result.corpus:
        raise UserError(
            f"{decisions} is about “{plain(exported.corpus)}”, the run in {run} about “{plain(result.corpus)}”; name the run with --run"
        )
    _merge(exported.decisions, result, run, file, corpus, baseline)


@app.command("add", epilog="audit review add 3fa9c1 --choice both_with_condition --condition 'until March' --reviewer j.doe")
@guarded
def add(
    conflict_id: Annotated[
        str, typer.Argument(metavar="CONFLICT_ID", help="Id of a finding, or the start of one.", show_default=False)
    ],
    choice: Annotated[ChoiceName, typer.Option("--choice", help="What was decided.", show_default=False)],
    reviewer: Annotated[str, typer.Option("--reviewer", metavar="NAME", help="Who decided.", show_default=False)],
    condition: Annotated[str, typer.Option("--condition", metavar="TEXT", help="When both hold.", show_default=False)] = "",
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.", show_default=False)] = "",
    expires: Annotated[
        datetime | None,
        typer.Option("--expires", metavar="DATE", formats=["%Y-%m-%d"], help="Day from which the finding is open again."),
    ] = None,
    decided_at: Annotated[
        datetime | None,
        typer.Option("--decided-at", metavar="DATE", formats=["%Y-%m-%d"], help="Day of the decision, if it was not now."),
    ] = None,
    run: Run = OUT,
    file: File = None,
    corpus: Corpus = None,
    baseline: Baseline = None,
) -> None:
    """Record one decision."""
    if not reviewer.strip():
        raise UserError("--reviewer is empty; say who decided")
    if choice is ChoiceName.BOTH_WITH_CONDITION and not condition.strip():
        raise UserError("--choice both_with_condition needs --condition: when does each side hold?")
    if choice is ChoiceName.NOT_A_CONTRADICTION and not reason.strip():
        raise UserError("--choice not_a_contradiction needs --reason: why do both hold?")
    from auditor.review.decisions import Choice, moment
    from auditor.review.exported import ExportedDecision

    result = _run(run)
    conflict = pick(result.conflicts, conflict_id)
    made = ExportedDecision(
        conflict_id=conflict.conflict_id,
        content_hash=conflict.content_hash,
        choice=Choice(choice.value),
        condition=condition,
        reason=reason,
        reviewer=reviewer,
        decided_at=moment(decided_at.date() if decided_at else datetime.now(UTC)),
    )
    _merge((made,), result, run, file, corpus, baseline, day(expires))


@app.command("list", epilog="audit review list --stats")
@guarded
def list_decisions(
    file: File = None,
    run: Run = OUT,
    corpus: Corpus = None,
    stats: Annotated[bool, typer.Option("--stats", help="Days from the first report to the decision, for each kind.")] = False,
    as_of: AsOf = None,
    no_color: NoColor = False,
) -> None:
    """List the decisions of the decisions file."""
    path = _existing(file, run, corpus)
    from auditor.commands.review_view import decision_table, statistics_table
    from auditor.review.decisions import read_decisions

    made = read_decisions(path)
    out = console(color=not no_color)
    if not made:
        out.print(f"{plain(str(path))} holds no decision", soft_wrap=True)
        return
    out.print(statistics_table(made) if stats else decision_table(made, day(as_of) or date.today()))


@app.command("expire", epilog="audit review expire 3fa9c1 7b01e2 --on 2026-07-01")
@guarded
def expire(
    conflict_ids: Annotated[
        list[str], typer.Argument(metavar="CONFLICT_ID...", help="Ids of decisions, or the start of each.", show_default=False)
    ],
    on: Annotated[
        datetime | None,
        typer.Option(
            "--on", metavar="DATE", formats=["%Y-%m-%d"], help="Day from which the finding is open again (default: today)."
        ),
    ] = None,
    file: File = None,
    run: Run = OUT,
    corpus: Corpus = None,
) -> None:
    """End decisions: from a day on, their findings are open again. The blocks stay in the file."""
    path = _existing(file, run, corpus)
    from auditor.review.decisions import read_decisions, write_decisions

    made = {decision.conflict_id: decision for decision in read_decisions(path)}
    wanted = {_one(list(made), start) for start in conflict_ids}
    until = day(on) or date.today()
    write_decisions(path, (d.model_copy(update={"expires": until}) if name in wanted else d for name, d in made.items()))
    typer.echo(f"{path}: {len(wanted):,} decision{'' if len(wanted) == 1 else 's'} end{'s' if len(wanted) == 1 else ''} on {until}")


# -- files -------------------------------------------------------------------------------------------------------------------------


def _run(folder: Path) -> ScanResult:
    from auditor.run_reader import read_result

    return read_result(folder)


def _place(file: Path | None, run: Path, corpus: Path | None, name: str) -> Path:
    """The decisions file. Raises `UserError` when nothing says where it is."""
    if file is not None:
        return file
    if corpus is not None:
        if not corpus.is_dir():
            raise UserError(f"--corpus {corpus}: no such folder")
        return corpus / DECISIONS_FILE
    here, near = Path.cwd(), run.resolve().parent
    for place in (here / name, here, near / name, near):
        if place.name == name and place.is_dir():
            return place / DECISIONS_FILE
    raise UserError(
        f"the run is about a folder called “{plain(name)}”, which is not here; name it with --corpus, or the file with --file"
    )


def _existing(file: Path | None, run: Path, corpus: Path | None) -> Path:
    """The decisions file, if it is there. Raises `UserError` otherwise."""
    if file is None and corpus is None:
        if (run / "run.json").is_file():
            from auditor.run_reader import read_record

            file = _place(None, run, None, str(read_record(run).get("corpus", "")))
        else:
            file = Path(DECISIONS_FILE)
    path = _place(file, run, corpus, "")
    if not path.is_file():
        raise UserError(f"{path}: no such file; record a decision with `audit review apply` or `add`, or name the file with --file")
    return path


def _first_seen(baseline: Path | None, beside: Path, result: ScanResult) -> Mapping[str, date]:
    """Since when findings are known. A baseline that is not named is used if it is there and about this corpus."""
    from auditor.baseline import first_seen
    from auditor.baseline_file import read_baseline

    if baseline is not None:
        return first_seen(read_baseline(baseline), result)
    for place in (beside.parent / BASELINE_FILE, Path(BASELINE_FILE)):
        if place.is_file() and (known := read_baseline(place)).corpus == result.corpus:
            return first_seen(known, result)
    return {}


def _merge(
    made: Sequence[ExportedDecision],
    result: ScanResult,
    run: Path,
    file: Path | None,
    corpus: Path | None,
    baseline: Path | None,
    expires: date | None = None,
) -> None:
    """Merge, write, and say what became of every decision."""
    from auditor.review.decisions import read_decisions, write_decisions
    from auditor.review.merge import merge

    path = _place(file, run, corpus, result.corpus)
    existing = read_decisions(path) if path.exists() else ()
    merged = merge(existing, made, result, _first_seen(baseline, path, result))
    refused = dict(merged.refused)
    if made and len(refused) == len(made):
        name, why = merged.refused[0]
        raise UserError(f"no decision was taken: {name[:8]}: {why}{'' if len(refused) == 1 else f', and {len(refused) - 1:,} more'}; is {run} the run they were made about?")  # fmt: skip
    named = {entry.conflict_id for entry in made}
    final = [d.model_copy(update={"expires": expires}) if expires and d.conflict_id in named else d for d in merged.decisions]
    write_decisions(path, final)
    counts = {
        "new": merged.added,
        "replaced": merged.replaced,
        "unchanged": merged.unchanged,
        "brought up to date": merged.refreshed,
    }
    typer.echo(f"{path}: {' · '.join(f'{count:,} {what}' for what, count in counts.items() if count) or 'nothing to do'}")
    for name, why in merged.refused:
        complain(f"{name[:8]} not taken: {why}", label="warning: ")


def _one(ids: Sequence[str], start: str) -> str:
    matches = [name for name in ids if name.startswith(start)]
    if start in matches or len(matches) == 1:
        return start if start in matches else matches[0]
    if matches:
        raise UserError(f"{len(matches):,} decisions have an id that starts with “{start}”: {', '.join(sorted(matches)[:5])}")
    raise UserError(f"no decision has an id that starts with “{start}”; `audit review list` shows them")
