"""All commands of the command line: `audit scan`, `report`, `review`, `baseline`, `diff`, `explain`, `eval`, `rules`, `doctor`.

Thin: a command is one module of this package, and the stages are imported when one runs, so that help answers at once.
"""

from __future__ import annotations

from typing import Annotated

import typer

from auditor import __version__
from auditor.commands import baseline, doctor, evaluate, explain, report, review, rules, scan
from auditor.commands.guard import guarded

EPILOG = """[bold]Start here[/bold]

audit scan ./documents     [dim]# then open audit-out/report.html[/dim]

audit explain 3fa9c1       [dim]# why is this a finding?[/dim]

audit eval ./sample_corpus [dim]# how good are the findings?[/dim]
"""

app = typer.Typer(
    name="audit",
    help="Finds where your documents contradict each other. Offline: nothing leaves this machine.",
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("scan", epilog=scan.EPILOG)(guarded(scan.scan))
app.command("explain", epilog=explain.EPILOG)(guarded(explain.explain))
app.command("eval", epilog=evaluate.EPILOG)(guarded(evaluate.evaluate))
app.command("report", epilog=report.EPILOG)(guarded(report.report))
app.add_typer(review.app, name="review", no_args_is_help=True)
app.add_typer(baseline.app, name="baseline", no_args_is_help=True)
app.command("diff", epilog=baseline.DIFF_EPILOG)(guarded(baseline.diff))
app.add_typer(rules.app, name="rules", no_args_is_help=True)
app.command("doctor", epilog=doctor.EPILOG)(guarded(doctor.doctor))


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"corpus-auditor {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Options before the command."""
