"""Options that several commands share, and the checks that go with them."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auditor.errors import UserError

if TYPE_CHECKING:
    from auditor.config import Config
    from auditor.scan import ScanOptions


class MinTier(StrEnum):
    """Values of --min-tier."""

    HIGH = "high"
    MEDIUM = "medium"
    ADVISORY = "advisory"


ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="Configuration to use instead of the audit.toml in the corpus."),
]
RulesDir = Annotated[
    Path | None,
    typer.Option("--rules", metavar="DIR", help="Folder with your own rule packs; see [bold]audit rules export[/bold]."),
]
EncoderName = Annotated[
    str | None,
    typer.Option(
        "--encoder",
        metavar="NAME",
        help="What finds passages on the same topic: static (default), minilm, minilm-torch, or the folder or cached id of any "
        "sentence-transformers model.",
        show_default=False,
    ),
]
NliModel = Annotated[
    str | None,
    typer.Option("--nli", metavar="MODEL", help="Folder or cached id of a CrossEncoder that reads what the typed rules left open."),
]
AsOf = Annotated[
    datetime | None,
    typer.Option("--as-of", metavar="DATE", formats=["%Y-%m-%d"], help="The day to take for today, as YYYY-MM-DD."),
]


class EngineName(StrEnum):
    """Values of --engine."""

    PROCESSES = "processes"
    SERIAL = "serial"
    RAY = "ray"


Engine = Annotated[
    EngineName | None,
    typer.Option(
        "--engine",
        help="Who does the work: processes on this machine (default), serial (one after the other, for debugging), or ray (a cluster "
        'at RAY_ADDRESS, else a local one; needs the extra "ray").',
        show_default=False,
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=0, metavar="N", help="Worker processes (default: one for each core).", show_default=False),
]
CacheFolder = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        metavar="DIR",
        help="Folder for what later scans can use again (default: .audit/cache in CORPUS); in CI, name a folder that is kept.",
        show_default=False,
    ),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Compute everything anew and keep nothing.")]
Redact = Annotated[
    bool,
    typer.Option("--redact", help="Mask e-mail addresses, phone, account and card numbers and IBANs in everything written."),
]
PathPrefix = Annotated[
    str | None,
    typer.Option(
        "--path-prefix",
        metavar="PATH",
        help="Folder of the documents in the repository, for sarif, junit, github and gitlab (default: as found from here).",
        show_default=False,
    ),
]
Include = Annotated[
    list[str] | None,
    typer.Option(
        "--include",
        metavar="GLOB",
        help="Read only what matches, such as 'policies/**'; may be given several times (default: include of audit.toml).",
        show_default=False,
    ),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude",
        metavar="GLOB",
        help="Leave out what matches, as well as what audit.toml excludes; may be given several times.",
        show_default=False,
    ),
]
Git = Annotated[
    bool, typer.Option("--git", help="Record who changed each document last, and when, from the Git repository around it.")
]
IdField = Annotated[
    str | None,
    typer.Option(
        "--id-field",
        metavar="NAME",
        help="Field of records (JSON, JSON lines, Parquet) that names them, such as id or fields.key (default: guessed).",
        show_default=False,
    ),
]
TextField = Annotated[
    str | None,
    typer.Option(
        "--text-field",
        metavar="NAME",
        help="Field that holds their text, such as body or fields.description; dots lead into inner objects (default: guessed).",
        show_default=False,
    ),
]
TitleField = Annotated[
    str | None,
    typer.Option("--title-field", metavar="NAME", help="Field that holds their title (default: guessed).", show_default=False),
]
DateField = Annotated[
    str | None,
    typer.Option(
        "--date-field",
        metavar="NAME",
        help="Field that says when they were last changed, such as updated_at (default: guessed).",
        show_default=False,
    ),
]
NoColor = Annotated[bool, typer.Option("--no-color", help="Plain output. The environment variable NO_COLOR does the same.")]


def corpus_folder(path: Path) -> Path:
    """`path`, if it is a folder with something in it. Raises `UserError` otherwise."""
    if not path.exists():
        raise UserError(f"{path}: no such folder")
    if not path.is_dir():
        raise UserError(f"{path} is a file; name the folder that holds the documents")
    if not any(entry.is_file() for entry in path.rglob("*")):
        raise UserError(f"{path} is empty: there is nothing to scan")
    return path


def effective_config(corpus: Path, file: Path | None, **given: Any) -> Config:
    """The configuration of the corpus, overridden by the options of a command line (None: not given). Raises `UserError`."""
    from auditor.config import load_config

    return load_config(corpus_folder(corpus), file).with_scan(**given)


def scan_options(
    corpus: Path, config: Config, rules: Path | None, *, min_tier: str | None = None, as_of: date | None = None
) -> ScanOptions:
    """What to scan and how.

    `min_tier` and `as_of` override the configuration without changing its identity: a command may need to see everything, or to
    repeat an earlier day.
    """
    from auditor.cache import FOLDER
    from auditor.scan import ScanOptions

    return ScanOptions(
        corpus=corpus,
        config=config,
        rules=rules,
        encoder=config.scan.encoder,
        nli=config.scan.nli,
        min_tier=min_tier or config.scan.min_tier,
        as_of=as_of or config.scan.as_of or date.today(),
        decisions=config.scan.decisions,
        cache=(config.scan.cache or corpus / FOLDER) if config.scan.use_cache else None,
        jobs=config.scan.jobs,
        engine=config.scan.engine,
    )


def day(value: datetime | None) -> date | None:
    """The date of an --as-of option."""
    return value.date() if value else None
