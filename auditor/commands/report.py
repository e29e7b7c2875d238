"""`audit report`: render a finished scan again, in other formats or for each owner, without scanning."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from auditor.commands.console import console, plain, styled
from auditor.commands.options import NoColor, PathPrefix, Redact
from auditor.errors import UserError

EPILOG = """[bold]Examples[/bold]

audit report audit-out --format csv

audit report audit-out --format html --by owner --out worklists

audit report audit-out --format sarif --format gitlab --path-prefix docs  [dim]# in a CI job[/dim]

audit report audit-out --format html --redact --out for-the-customer

audit report audit-out --format patch --corpus ./handbook  [dim]# proposed edits, for git apply[/dim]

audit report audit-out --format testset  [dim]# test cases for answers from these documents[/dim]

[bold]Exit codes[/bold]  0 done · 2 error
"""


class ReportFormat(StrEnum):
    """Values of --format."""

    HTML = "html"
    MD = "md"
    JSONL = "jsonl"
    CSV = "csv"
    SARIF = "sarif"
    JUNIT = "junit"
    GITHUB = "github"
    GITLAB = "gitlab"
    TESTSET = "testset"
    PATCH = "patch"


class By(StrEnum):
    """Values of --by."""

    OWNER = "owner"


def report(
    run_dir: Annotated[Path, typer.Argument(metavar="RUN_DIR", help="Output folder of a scan.", show_default=False)],
    formats: Annotated[list[ReportFormat], typer.Option("--format", "-f", help="What to write; may be given several times.")],
    by: Annotated[
        By | None, typer.Option("--by", help="One file for each owner, with what that owner has to look at.", show_default=False)
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", help="Folder for the files (default: RUN_DIR).", show_default=False),
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option(
            "--corpus", metavar="DIR", help="Folder that was scanned; --format patch reads its files.", show_default=False
        ),
    ] = None,
    redact: Redact = False,
    path_prefix: PathPrefix = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
    no_color: NoColor = False,
) -> None:
    """Write the findings of a scan again, from its tables and without reading a document (but for --format patch).

    Names of the written files are printed one a line. With --by owner they are called after the owners.
    """
    from auditor.format import write_all
    from auditor.format.by_owner import by_owner
    from auditor.format.choice import chosen
    from auditor.run_reader import read_result

    result = read_result(run_dir)
    prefix = found_prefix(result.corpus) if path_prefix is None else path_prefix
    wanted = chosen([form.value for form in formats if form is not ReportFormat.PATCH], prefix)
    if ReportFormat.PATCH in formats:
        if redact:
            raise UserError("--format patch repeats lines of the documents as they are, so it cannot be combined with --redact")
        from auditor.format.patch import PatchFormat

        wanted = [*wanted, PatchFormat(corpus or found_corpus(result.corpus))]
    if redact:
        from auditor.redact import redact as redacted

        result = redacted(result)
    if by is By.OWNER:
        wanted = by_owner(result, wanted)
    paths = write_all(result, out or run_dir, wanted)
    screen = console(color=not no_color)
    if not paths and not quiet:
        screen.print(styled(("no findings, so no owner has anything to do", "green")), soft_wrap=True)
    for path in paths if not quiet else ():
        screen.print(plain(str(path), 1000), soft_wrap=True)


def found_corpus(name: str) -> Path:
    """The folder that was scanned, if this is it or it is found here: a run names its corpus without its place."""
    here = Path.cwd()
    if here.name == name:
        return here
    if prefix := found_prefix(name):
        return here / prefix
    raise UserError(
        f"--format patch reads the files that were scanned, and there is no folder {plain(name, 100)} here; name it with --corpus"
    )


def found_prefix(corpus: str) -> str:
    """The folder of the corpus in the repository, if it is found here: a run names its corpus without its place."""
    here = Path.cwd()
    # The name stands in a file that may come from elsewhere.
    inside = corpus not in ("", ".", "..") and not set(corpus) & set("/\\:")
    return corpus if inside and here.name != corpus and (here / corpus).is_dir() else ""
