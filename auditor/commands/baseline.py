"""`audit baseline` and `audit diff`: what is new, what went away, and what nobody can tell."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.commands.console import console
from auditor.commands.explain import OUT
from auditor.commands.guard import guarded
from auditor.commands.options import NoColor
from auditor.errors import UserError
from auditor.review.files import BASELINE_FILE

if TYPE_CHECKING:
    from auditor.baseline import Snapshot

EPILOG = """[bold]Examples[/bold]

audit baseline write audit-out                                      [dim]# 1. what there is today[/dim]

audit scan ./handbook --baseline audit-baseline.json --fail-on new  [dim]# 2. in a CI job: only what is new counts[/dim]

audit baseline update audit-out                                     [dim]# 3. after each run on the main branch[/dim]
"""

DIFF_EPILOG = """[bold]Examples[/bold]

audit diff audit-baseline.json audit-out

audit diff /tmp/run-monday /tmp/run-friday --json
"""

app = typer.Typer(help="Keep what was found, so that the next scan can say what is new.", epilog=EPILOG)

RunDir = Annotated[Path, typer.Argument(metavar="RUN_DIR", help="Output folder of a scan.")]
File = Annotated[Path, typer.Option("--file", metavar="FILE", help="The baseline file.")]


@app.command("write", epilog="audit baseline write audit-out --file audit-baseline.json")
@guarded
def write(
    run: RunDir = OUT,
    file: File = Path(BASELINE_FILE),
    force: Annotated[bool, typer.Option("--force", help="Overwrite a baseline and the history in it.")] = False,
) -> None:
    """Write a new baseline from a run."""
    from auditor.baseline import snapshot_of
    from auditor.baseline_file import write_baseline
    from auditor.run_reader import read_result

    snapshot = snapshot_of(read_result(run))
    if file.exists() and not force:
        raise UserError(f"{file} is there already: `audit baseline update` keeps its history, --force begins anew")
    write_baseline(file, snapshot)
    _say(file, snapshot)


@app.command("update", epilog="audit baseline update audit-out --file audit-baseline.json")
@guarded
def update(run: RunDir = OUT, file: File = Path(BASELINE_FILE)) -> None:
    """Take a later run into a baseline.

    It keeps since when each finding is known, what went away, and how often each entity key escalated. A run counts once.
    """
    from auditor import baseline
    from auditor.baseline_file import read_baseline, write_baseline
    from auditor.run_reader import read_result

    if not file.exists():
        raise UserError(f"{file}: no such file; begin with `audit baseline write`")
    known = read_baseline(file)
    result = read_result(run)
    snapshot = baseline.snapshot_of(result)
    if known.corpus != snapshot.corpus:
        raise UserError(f"{file} is about “{known.corpus}”, the run about “{snapshot.corpus}”; name the right one with --file")
    if snapshot.as_of < known.as_of:
        raise UserError(f"{run} is of {snapshot.as_of}, before {known.as_of}, the last run in {file}; take runs in by their order")
    renewed = baseline.update(known, snapshot, baseline.holders_in(result))
    write_baseline(file, renewed)
    _say(file, renewed)


def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="Earlier run folder or baseline file.", show_default=False)],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="Later run folder or baseline file.", show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    no_color: NoColor = False,
) -> None:
    """Compare two runs: what is new, persists, was resolved or is open again.

    The findings of a document that is gone are [bold]removed[/bold]; of one that could not be read they are [bold]unknown[/bold],
    never resolved.
    """
    for path in (old, new):
        if not path.exists():
            raise UserError(f"{path}: no such run folder or baseline file")
    from auditor.baseline import compare
    from auditor.baseline_file import read_snapshot
    from auditor.commands.past_view import described, show_comparison
    from auditor.format.files import to_json
    from auditor.history import record

    before, _ = read_snapshot(old)
    after, holders = read_snapshot(new)
    comparison = compare(before, after, holders)
    if as_json:
        typer.echo(to_json(record(comparison), indent=2))
        return
    names = {
        entry.conflict_id: f"{entry.conflict_id[:8]}  {entry.tier}  "
        f"{described(entry.entity_key, entry.attribute, entry.value_a, entry.value_b)}  {entry.doc_a} ↔ {entry.doc_b}"
        for entry in after.standing
    }
    show_comparison(console(color=not no_color), comparison, names)


def _say(file: Path, snapshot: Snapshot) -> None:
    runs = len(snapshot.runs)
    typer.echo(f"{file}: {len(snapshot.standing):,} findings after {runs:,} run{'' if runs == 1 else 's'}, as of {snapshot.as_of}")
