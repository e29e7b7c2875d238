"""`audit scan`: read a folder of documents and write where they contradict each other."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.commands.blocking_view import blocking_lines
from auditor.commands.console import TIER_STYLES, console, plain, styled
from auditor.commands.guard import Code, complain
from auditor.commands.options import (
    AsOf,
    CacheFolder,
    ConfigFile,
    DateField,
    EncoderName,
    Engine,
    Exclude,
    Git,
    IdField,
    Include,
    Jobs,
    MinTier,
    NliModel,
    NoCache,
    NoColor,
    PathPrefix,
    Redact,
    RulesDir,
    TextField,
    TitleField,
    day,
    effective_config,
    scan_options,
)
from auditor.commands.past_view import past_lines
from auditor.errors import UserError
from auditor.history import SETTLED
from auditor.model import TIER_ORDER

if TYPE_CHECKING:
    from rich.console import Console

    from auditor.model import Conflict, ScanResult

EPILOG = """[bold]Examples[/bold]

audit scan ./handbook

audit scan ./handbook --out /tmp/report --min-tier medium

audit scan ./handbook --fail-on high --strict --quiet  [dim]# in a CI job[/dim]

audit scan ./handbook --baseline audit-baseline.json --fail-on new  [dim]# only what was not there before[/dim]

audit scan ./handbook --format sarif --format csv --redact

audit scan ./exports --text-field fields.body --title-field fields.name  [dim]# records of JSON, JSON lines and Parquet[/dim]

[bold]Exit codes[/bold]  0 done · 1 contradictions at or above --fail-on · 2 error · 130 interrupted
"""

_LISTED = 5  # skipped documents named in the summary; documents.parquet and the report name them all


class ExtraFormat(StrEnum):
    """Values of --format: what is written only when asked for."""

    CSV = "csv"
    SARIF = "sarif"
    JUNIT = "junit"
    GITHUB = "github"
    GITLAB = "gitlab"


class FailOn(StrEnum):
    """Values of --fail-on."""

    NEVER = "never"
    HIGH = "high"
    MEDIUM = "medium"
    NEW = "new"
    NEW_HIGH = "new:high"


def scan(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="Folder with the documents.", show_default=False)],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="DIR", help="Folder for the report and the tables (default: audit-out).", show_default=False
        ),
    ] = None,
    config: ConfigFile = None,
    rules: RulesDir = None,
    encoder: EncoderName = None,
    nli: NliModel = None,
    min_tier: Annotated[
        MinTier | None, typer.Option("--min-tier", help="Leave out what is less certain (default: advisory).", show_default=False)
    ] = None,
    fail_on: Annotated[
        FailOn | None,
        typer.Option(
            "--fail-on",
            help="End with exit code 1 if there is such a contradiction; medium includes high; new (high or medium) and new:high are "
            "those that the --baseline does not know (default: never).",
            show_default=False,
        ),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="End with exit code 2 if any document could not be read.")] = False,
    max_skipped: Annotated[
        int | None,
        typer.Option(
            "--max-skipped", min=0, metavar="N", help="End with exit code 2 if more than N could not be read.", show_default=False
        ),
    ] = None,
    as_of: AsOf = None,
    decisions: Annotated[
        Path | None,
        typer.Option(
            "--decisions", metavar="FILE", help="Decisions to carry (default: audit-decisions.toml in CORPUS).", show_default=False
        ),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(
            "--baseline",
            metavar="PATH",
            help="Baseline file or folder of an earlier run to compare with; see [bold]audit baseline[/bold].",
            show_default=False,
        ),
    ] = None,
    formats: Annotated[
        list[ExtraFormat] | None,
        typer.Option("--format", "-f", help="Write this as well; may be given several times.", show_default=False),
    ] = None,
    path_prefix: PathPrefix = None,
    include: Include = None,
    exclude: Exclude = None,
    git: Git = False,
    id_field: IdField = None,
    text_field: TextField = None,
    title_field: TitleField = None,
    date_field: DateField = None,
    redact: Redact = False,
    estimate_recall: Annotated[
        int | None,
        typer.Option(
            "--estimate-recall",
            min=1,
            metavar="N",
            help="Compare N statements, drawn by chance, with all others as well, and say how many contradictions were missed.",
            show_default=False,
        ),
    ] = None,
    engine: Engine = None,
    jobs: Jobs = None,
    cache: CacheFolder = None,
    no_cache: NoCache = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
    no_color: NoColor = False,
) -> None:
    """Find the passages that cannot both be true, and write a report of them.

    Reads the documents below CORPUS (docs/formats.md lists the formats) and never changes one. The report is report.html in the
    output folder; the same findings stand beside it as Parquet and JSON lines. What was read is kept in .audit/cache, so that the
    next scan reads only what changed. Nothing leaves this machine.

    What is not given here is taken from audit.toml in the corpus.
    """
    from auditor.commands.progress import progress

    started = time.monotonic()
    settings = effective_config(
        corpus,
        config,
        out=out,
        encoder=encoder,
        nli=nli,
        min_tier=min_tier,
        fail_on=fail_on,
        strict=strict or None,
        max_skipped=max_skipped,
        as_of=day(as_of),
        decisions=decisions,
        baseline=baseline,
        format=[form.value for form in formats] if formats else None,
        redact=redact or None,
        engine=engine,
        jobs=jobs,
        cache=cache,
        use_cache=False if no_cache else None,
    ).with_records(id=id_field, text=text_field, title=title_field, date=date_field)
    settings = settings.with_files(include=include or (), exclude=exclude or (), git=git)
    bar = FailOn(settings.scan.fail_on)
    if bar in (FailOn.NEW, FailOn.NEW_HIGH) and settings.scan.baseline is None:
        raise UserError(f"--fail-on {bar.value} needs --baseline PATH: what is new, only an earlier run can tell")
    folder = settings.scan.out
    if folder.resolve() == corpus.resolve():
        raise UserError(f"--out {folder} is the corpus itself: the next scan would read its own report; give another folder")
    check_writable(folder)  # before the work, not after it
    from auditor.format.choice import EXTRA, chosen

    extra = chosen(settings.scan.format, folder_in_repository(corpus) if path_prefix is None else path_prefix, EXTRA)
    from auditor.format.branding import load_branding
    from auditor.scan import run

    branding = load_branding(corpus, settings.report)
    with progress(quiet=quiet, color=not no_color) as report:
        options = scan_options(corpus, settings, rules)
        audit = run(replace(options, baseline=settings.scan.baseline, estimate_recall=estimate_recall or 0), report)
    audit.result = replace(audit.result, branding=branding)

    from auditor.format import FORMATS, write_all

    if settings.scan.redact:
        from auditor.redact import redact as redacted

        audit.result = redacted(audit.result)
    write_all(audit.result, folder, (*extra, *FORMATS))
    if not quiet:
        summarise(console(color=not no_color), audit.result, folder, time.monotonic() - started)
    raise typer.Exit(exit_code(audit.result, bar, 0 if settings.scan.strict else settings.scan.max_skipped))


def folder_in_repository(corpus: Path) -> str:
    """The corpus as seen from the current folder, "" when it lies elsewhere. A CI job runs at the top of the repository."""
    here, there = Path.cwd(), corpus.resolve()
    return there.relative_to(here).as_posix() if there.is_relative_to(here) else ""


def check_writable(out: Path) -> None:
    """Raise `UserError` if the output folder could not be written."""
    nearest = next(folder for folder in (out, *out.absolute().parents) if folder.exists())
    if not nearest.is_dir():
        raise UserError(f"cannot write to {out}: {nearest if nearest != out else 'it'} is a file")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise UserError(f"cannot write to {out}: {nearest} does not allow it")
    _check_foreign(out)


def _check_foreign(out: Path) -> None:
    """Raise `UserError` if the folder holds files of our names that an earlier run did not write."""
    present = [name for name in _OURS if (out / name).exists()]
    if present and not _is_run(out):
        raise UserError(f"{out} holds {present[0]}, which no scan wrote; give another folder with --out")


_OURS = (
    "report.html",
    "report.md",
    "conflicts.parquet",
    "conflicts.jsonl",
    "clusters.parquet",
    "documents.parquet",
    "chunks.parquet",
)


def _is_run(out: Path) -> bool:
    import json

    try:
        return "schema_version" in json.loads((out / "run.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False


def exit_code(result: ScanResult, fail_on: FailOn, max_skipped: int | None) -> Code:
    """What the scan tells its caller. The report is written in any case: it says which documents are missing."""
    skipped = sum(row.skipped_reason is not None for row in result.documents)
    if max_skipped is not None and skipped > max_skipped:
        were = "document was" if skipped == 1 else "documents were"
        allowed = "none" if max_skipped == 0 else f"at most {max_skipped:,}"
        complain(f"{skipped:,} {were} not read ({allowed} allowed); the report is written and lists what is missing")
        return Code.ERROR
    if fail_on is FailOn.NEVER:
        return Code.OK
    bar = TIER_ORDER["medium" if fail_on is FailOn.NEW else "high" if fail_on is FailOn.NEW_HIGH else fail_on.value]
    open_conflicts: Iterable[Conflict] = (c for c in result.conflicts if c.status not in SETTLED)
    if fail_on in (FailOn.NEW, FailOn.NEW_HIGH) and result.baseline is not None:
        unknown_to_it = result.baseline.unknown_to_it
        open_conflicts = (c for c in open_conflicts if c.conflict_id in unknown_to_it)
    return Code.FINDINGS if any(TIER_ORDER[c.tier] <= bar for c in open_conflicts) else Code.OK


def summarise(out: Console, result: ScanResult, folder: Path, seconds: float) -> None:
    """The last words of a scan."""
    from auditor.load.language import has_rules

    counts = result.counts
    skipped = [row for row in result.documents if row.skipped_reason is not None]
    read = len(result.documents) - len(skipped)
    tiers = {tier: sum(c.tier == tier for c in result.conflicts) for tier in TIER_ORDER}
    clusters = len({c.cluster_id for c in result.conflicts})
    candidates, possible = counts.get("candidates", 0), counts.get("possible_pairs", 0)

    def line(label: str, *parts: str | tuple[str, str]) -> None:
        out.print(styled((f"  {label:<12}", "dim"), *parts), soft_wrap=True)

    out.print(styled(("Scanned ", "bold"), (plain(result.corpus), "bold"), f" in {seconds:.1f} s"), soft_wrap=True)
    ignored = counts.get("ignored", 0)
    line(
        "documents",
        f"{read:,} read",
        *([(f", {len(skipped):,} skipped", "yellow")] if skipped else []),
        *([(f", {ignored:,} left out", "dim")] if ignored else []),
    )
    for row in skipped[:_LISTED]:
        line("", (f"{plain(row.path, 120)}: {plain(row.skipped_reason or '', 200)}", "dim"))
    if len(skipped) > _LISTED:
        line("", (f"and {len(skipped) - _LISTED:,} more, listed in the report", "dim"))
    if partial := sum(bool(row.notices) for row in result.documents):
        line("in part", (f"{partial:,} of those read; the report says what is missing", "yellow"))
    if copies := sum(row.copy_of is not None for row in result.documents):
        line("copies", f"{copies:,} of other documents")
    if unruled := [row for row in result.documents if row.skipped_reason is None and not has_rules(row.language)]:
        line("languages", (f"{len(unruled):,} compared by numbers, dates and identifiers only", "yellow"))
        for row in unruled[:_LISTED]:
            line("", (f"{plain(row.path, 120)}: {row.language}", "dim"))
        if len(unruled) > _LISTED:
            line("", (f"and {len(unruled) - _LISTED:,} more, listed in the report", "dim"))
    for notice in result.notices:
        line("note", (plain(notice, 300), "yellow"))
    line("statements", f"{counts.get('statements', 0):,}")
    line("facts", f"{counts.get('facts', 0):,}")
    line("compared", f"{candidates:,} of {possible:,} possible pairs", (f"  ({share(candidates, possible)})", "dim"))
    for label, *parts in blocking_lines(result.blocking):
        line(label, *parts)
    if result.conflicts:
        graded: list[str | tuple[str, str]] = []
        for tier, count in tiers.items():
            graded += [" · "] if graded else []
            graded.append((f"{count:,} {tier}", TIER_STYLES[tier] if count else "dim"))
        line("conflicts", *graded, f"  in {clusters:,} cluster{'' if clusters == 1 else 's'}")
    else:
        line("conflicts", ("none found", "green"))
    for label, *parts in past_lines(result):
        line(label, *parts)
    line("report", (str(folder / "report.html"), "bold"))


def share(part: int, whole: int) -> str:
    """A percentage with as many digits as it takes to say something."""
    if not whole:
        return "0 %"
    percent = 100 * part / whole
    return f"{percent:.1f} %" if percent >= 0.1 or not part else f"{percent:.2g} %" if percent >= 0.001 else "< 0.001 %"
