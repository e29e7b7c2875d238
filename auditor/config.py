"""What the user configures: collections, owner rules, which files, and the settings of a scan.

Read from `--config`, else `audit.toml` in the corpus root, else `[tool.audit]` of a `pyproject.toml` in the corpus root or the
current folder. Environment variables (`AUDIT_ENCODER`, `AUDIT_OUT`, ...) override the file's `[scan]`, and the command line
overrides both. Whatever is wrong is one line that names the file and the key.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, field_validator, model_validator

from auditor.errors import UserError
from auditor.globs import is_valid, match_document
from auditor.load.config import MEBIBYTE, LoadConfig, RecordFields
from auditor.load.config import Collection as LoadCollection

ENVIRONMENT_PREFIX = "AUDIT_"

SourceTier = Literal["primary", "secondary", "tertiary", "archive"]
ExtraFormat = Literal["csv", "sarif", "junit", "github", "gitlab"]
M = TypeVar("M", bound=BaseModel)
_MOST_BYTES = 1 << 20  # of a configuration
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _check_glob(glob: str) -> str:
    if not is_valid(glob):
        raise ValueError(f"{glob if len(glob) < 80 else glob[:80] + '…'!r} is not a usable glob")
    if glob.startswith("/") or "\\" in glob or ".." in glob.split("/"):
        raise ValueError(f"{glob!r} must be relative to the corpus root, with / between folders")
    return glob


Glob = Annotated[str, AfterValidator(_check_glob)]
Globs = Annotated[tuple[Glob, ...], Field(max_length=1000)]
FieldName = Annotated[str, Field(min_length=1)]


class Collection(_Strict):
    """`[[collection]]`: a part of the corpus and what holds for every document in it. The first one that matches wins."""

    paths: Annotated[Globs, Field(min_length=1)]
    tier: SourceTier = "secondary"
    owner: str | None = None
    scope: dict[str, str] = {}
    url: str | None = None

    @field_validator("url")
    @classmethod
    def _known_placeholders(cls, url: str | None) -> str | None:
        for name in _PLACEHOLDER.findall(url or ""):
            if name not in ("path", "line"):
                raise ValueError(f"unknown placeholder {{{name}}}; there are {{path}} and {{line}}")
        return url


class OwnerRule(_Strict):
    """`[[rule]]`: which of two groups of documents takes precedence, or that both may stand."""

    between: tuple[Glob, Glob]
    prefer: str | None = None
    both_valid: bool = False
    topic: str | None = None

    @model_validator(mode="after")
    def _says_one_thing(self) -> OwnerRule:
        if (self.prefer is not None) == self.both_valid:
            raise ValueError("needs either prefer or both_valid = true")
        if self.prefer is not None and self.prefer not in self.between:
            raise ValueError(f"prefer must be one of the two globs of between, not {self.prefer!r}")
        return self

    def covers(self, doc_a: str, doc_b: str) -> bool:
        """Whether one document belongs to the first group and the other to the second."""
        first, second = self.between
        return (match_document(first, doc_a) and match_document(second, doc_b)) or (
            match_document(first, doc_b) and match_document(second, doc_a)
        )


class ScanSettings(_Strict):
    """`[scan]`: what the options of `audit scan` are when they are not given. Relative paths start at the current folder."""

    encoder: Annotated[str, Field(min_length=1)] = "static"
    nli: str | None = None
    min_tier: Literal["high", "medium", "advisory"] = "advisory"
    fail_on: Literal["never", "high", "medium", "new", "new:high"] = "never"
    out: Path = Path("audit-out")
    max_skipped: Annotated[int, Field(ge=0)] | None = None
    strict: bool = False
    as_of: date | None = None
    decisions: Path | None = None
    baseline: Path | None = None
    format: tuple[ExtraFormat, ...] = ()
    redact: bool = False
    engine: Literal["processes", "serial", "ray"] = "processes"
    jobs: Annotated[int, Field(ge=0)] = 0
    cache: Path | None = None
    use_cache: bool = True

    @field_validator("format", mode="before")
    @classmethod
    def _separated_by_commas(cls, value: Any) -> Any:
        return [name.strip() for name in value.split(",") if name.strip()] if isinstance(value, str) else value


class RecordSettings(_Strict):
    """`[records]`: which fields of records (JSON, JSON lines, Parquet) say what, inner ones with dots; guessed if not given."""

    id: FieldName | None = None
    text: FieldName | None = None
    title: FieldName | None = None
    date: FieldName | None = None


class HistorySettings(_Strict):
    """`[history]`: which documents are history, over what names and titles tell; `not_paths` counts before `paths`."""

    paths: Globs = ()
    not_paths: Globs = ()


class ProvenanceSettings(_Strict):
    """`[provenance]`: whether Git is asked who changed a document last, and when."""

    git: bool = False


class ReportSettings(_Strict):
    """`[report]`: how the report is headed. `logo` is a PNG or JPEG below the corpus."""

    title: str | None = None
    customer: str | None = None
    logo: str | None = None


class Limits(_Strict):
    """`[limits]`: what one document may cost. What costs more is skipped, with the reason."""

    megabytes: Annotated[float, Field(gt=0, le=1 << 20)] = 20
    seconds: Annotated[float, Field(gt=0, le=86_400)] = 120
    memory_megabytes: Annotated[int, Field(ge=256, le=1 << 24)] = 2048


class Config(_Strict):
    """The effective configuration of a scan."""

    collection: Annotated[tuple[Collection, ...], Field(max_length=1000)] = ()
    rule: Annotated[tuple[OwnerRule, ...], Field(max_length=1000)] = ()
    include: Globs = ()
    exclude: Globs = ()
    history: HistorySettings = HistorySettings()
    provenance: ProvenanceSettings = ProvenanceSettings()
    records: RecordSettings = RecordSettings()
    scan: ScanSettings = ScanSettings()
    report: ReportSettings = ReportSettings()
    limits: Limits = Limits()

    _source: Path | None = PrivateAttr(default=None)

    @property
    def source(self) -> Path | None:
        """The file it was read from; None when there is none."""
        return self._source

    @property
    def sha256(self) -> str:
        """Identity of everything that bears on the result. The order of keys does not count, nor what is written of it and where."""
        content = self.model_dump(
            mode="json",
            exclude={
                "scan": {"out", "decisions", "baseline", "format", "redact", "engine", "jobs", "cache", "use_cache"},
                "report": True,
                "limits": True,
            },
        )
        return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()

    def load_config(self) -> LoadConfig:
        """What the load stage has to know of it."""
        return LoadConfig(
            collections=tuple(
                LoadCollection(paths=c.paths, tier=c.tier, owner=c.owner, scope=dict(c.scope), url=c.url) for c in self.collection
            ),
            include=self.include,
            exclude=self.exclude,
            max_bytes=round(self.limits.megabytes * MEBIBYTE),
            seconds=self.limits.seconds,
            memory_mib=self.limits.memory_megabytes,
            history=self.history.paths,
            not_history=self.history.not_paths,
            git=self.provenance.git,
            records=RecordFields(**{name: value or "" for name, value in self.records.model_dump().items()}),
        )

    def with_scan(self, **options: Any) -> Config:
        """The same with these options of the command line; None means that an option was not given."""
        given = {name: value for name, value in options.items() if value is not None}
        settings = _validate(ScanSettings, {**self.scan.model_dump(), **given}, lambda key: f"--{key.replace('_', '-')}")
        changed = self.model_copy(update={"scan": settings})
        changed._source = self._source
        return changed

    def with_files(self, *, include: Sequence[str] = (), exclude: Sequence[str] = (), git: bool = False) -> Config:
        """The same with these options of the command line: `include` takes the place of the configured globs, `exclude` adds to them."""
        given = _validate(Config, {"include": include, "exclude": exclude}, lambda key: f"--{key.partition('.')[0]}")
        changed = self.model_copy(
            update={
                "include": given.include or self.include,
                "exclude": self.exclude + given.exclude,
                "provenance": ProvenanceSettings(git=git or self.provenance.git),
            }
        )
        changed._source = self._source
        return changed

    def with_records(self, **options: str | None) -> Config:
        """The same with these fields of records (`id`, `text`, `title`, `date`); None means that an option was not given."""
        given = {name: value for name, value in options.items() if value is not None}
        settings = _validate(RecordSettings, {**self.records.model_dump(), **given}, lambda key: f"--{key}-field")
        changed = self.model_copy(update={"records": settings})
        changed._source = self._source
        return changed


def load_config(corpus: Path, explicit: Path | None = None) -> Config:
    """The configuration for a corpus. Raises `UserError` in one line that names the file and the key."""
    source, table, prefix = _find(corpus, explicit)
    label = str(explicit) if explicit is not None else source.name if source is not None else ""
    config = _validate(Config, table, lambda key: f"{label}: {prefix}{key}")
    overrides = _from_environment(os.environ)
    if overrides:
        scan = _validate(ScanSettings, {**config.scan.model_dump(), **overrides}, lambda key: ENVIRONMENT_PREFIX + key.upper())
        config = config.model_copy(update={"scan": scan})
    config._source = source
    return config


# -- finding and reading -----------------------------------------------------------------------------------------------------------


def _find(corpus: Path, explicit: Path | None) -> tuple[Path | None, Mapping[str, Any], str]:
    """File, its table, and what stands in front of its keys."""
    if explicit is not None:
        if not explicit.is_file():
            raise UserError(f"--config {explicit}: no such file")
        table = _read(explicit)
        if explicit.name == "pyproject.toml":
            return explicit, _tool_audit(table, str(explicit)) or {}, "tool.audit."
        return explicit, table, ""
    root = corpus if corpus.is_dir() else corpus.parent
    if os.path.lexists(path := root / "audit.toml"):
        return path, _read(path), ""
    for path in (root / "pyproject.toml", Path.cwd() / "pyproject.toml"):
        # A document store may hold broken projects of all kinds; only a file that speaks of this program has to be right.
        if path.is_file() and path.stat().st_size <= _MOST_BYTES and b"tool.audit" in path.read_bytes():
            found = _tool_audit(_read(path), path.name)
            if found is not None:
                return path, found, "tool.audit."
    return None, {}, ""


def _read(path: Path) -> Mapping[str, Any]:
    try:
        if not path.is_file():  # a pipe would wait for ever, a device has no end
            raise UserError(f"{path.name}: cannot be read: it is no file")
        if path.stat().st_size > _MOST_BYTES:
            raise UserError(f"{path.name}: larger than 1 MiB")
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except RecursionError:
        raise UserError(f"{path.name}: not valid TOML: nested too deeply") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path.name}: not valid TOML: {error}") from error
    except ValueError:  # more digits than Python reads
        raise UserError(f"{path.name}: not valid TOML: a number is too long") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error


def _tool_audit(table: Mapping[str, Any], label: str) -> Mapping[str, Any] | None:
    tool = table.get("tool")
    found = tool.get("audit") if isinstance(tool, dict) else None
    if found is not None and not isinstance(found, dict):
        raise UserError(f"{label}: tool.audit: has to be a table")
    return found


def _from_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Settings from variables. An empty variable counts as not set: that is how a shell or a CI job blanks one."""
    named = {name: environment.get(ENVIRONMENT_PREFIX + name.upper(), "") for name in ScanSettings.model_fields}
    return {name: text for name, text in named.items() if text.strip()}


# -- errors ------------------------------------------------------------------------------------------------------------------------


def _validate(model: type[M], table: Mapping[str, Any], describe: Callable[[str], str]) -> M:
    """The table as a model; `describe` turns a key path into what the user has to look at."""
    try:
        return model.model_validate(table)
    except ValidationError as error:
        # A misspelt key often makes a required one missing: the misspelling is what has to be mended.
        problems = sorted(error.errors(), key=lambda problem: problem["type"] != "extra_forbidden")
        key = ".".join(str(part) for part in problems[0]["loc"])
        raise UserError(f"{describe(key)}: {_message(problems[0], model)}") from error


def _message(problem: Any, model: type[BaseModel]) -> str:
    kind, given = problem["type"], problem.get("input")
    if kind == "extra_forbidden":
        return "unknown key" + _suggestion(str(problem["loc"][-1]), _known_keys(model, problem["loc"][:-1]))
    if kind == "missing":
        return "is required"
    if kind == "literal_error":
        choices = re.findall(r"'([^']*)'", problem["ctx"]["expected"])
        return f"{given!r} is not one of {', '.join(choices)}" + _suggestion(str(given), choices)
    message = str(problem["msg"])
    if kind == "value_error":
        return message.removeprefix("Value error, ")
    message = message.replace("Input should", "should", 1)
    return " ".join(f"{message}, not {given!r}".split()) if isinstance(given, str | int | float | bool) else message


def _suggestion(word: str, known: list[str]) -> str:
    close = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else f"; known are {', '.join(known)}" if len(known) <= 8 else ""


def _known_keys(model: type[BaseModel], location: tuple[str | int, ...]) -> list[str]:
    """Keys of the table at this place."""
    tables: Mapping[str, type[BaseModel]] = {
        "collection": Collection,
        "rule": OwnerRule,
        "history": HistorySettings,
        "provenance": ProvenanceSettings,
        "records": RecordSettings,
        "scan": ScanSettings,
        "report": ReportSettings,
        "limits": Limits,
    }
    names = [part for part in location if isinstance(part, str)]
    return list((tables.get(names[-1], model) if names else model).model_fields)
