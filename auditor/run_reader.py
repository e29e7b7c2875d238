"""A run folder read back: the tables and `run.json` of an earlier scan as the `ScanResult` that wrote them.

What the tables leave out is restored as far as it can be: the marks of the deciding words are looked for again in the quotes. The
features of the score (`Conflict.features`) are gone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from auditor.blocking import Blocking, blocking_of
from auditor.errors import UserError
from auditor.history import Review, comparison_of, review_of
from auditor.model import BlockKind, Branding, Chunk, ClusterValue, Conflict, DocumentRow, ScanResult, Side, StageStats, Statement
from auditor.schema import SCHEMA_VERSION

RECORD = "run.json"


def read_result(run_dir: Path) -> ScanResult:
    """The result of an earlier scan.

    Raises `UserError` when `run_dir` is no output folder of a scan, when a file of it is missing, damaged or of another schema
    version, and when the files are not of one run.
    """
    record = read_record(run_dir)
    conflicts, clusters, documents, chunks = _read_tables(run_dir)
    try:
        result = ScanResult(
            corpus=str(record["corpus"]),
            conflicts=conflicts,
            clusters=clusters,
            documents=documents,
            chunks=chunks,
            counts={str(name): int(count) for name, count in dict(record["counts"]).items()},
            stages=tuple(StageStats(str(s["name"]), float(s["seconds"]), float(s["peak_mib"])) for s in record["stages"]),
            versions=_texts(record["versions"]),
            model_hashes=_texts(record["model_hashes"]),
            config_hash=str(record["config_hash"]),
            as_of=date.fromisoformat(record["as_of"]),
            crowded_keys=tuple(str(key) for key in record["crowded_keys"]),
            min_tier=str(record.get("min_tier", "advisory")),
            nli=bool(record.get("nli", False)),
            review=review_of(record["review"]) if record.get("review") else Review(),
            baseline=comparison_of(record["baseline"]) if record.get("baseline") else None,
            branding=_branding(record.get("report") or {}),
            notices=tuple(str(notice) for notice in record.get("notices") or ()),
            blocking=blocking_of(record["blocking"]) if record.get("blocking") else Blocking(),
        )
    except KeyError as error:
        raise UserError(f"{run_dir / RECORD} has no {error.args[0]!r}: scan again") from error
    except (TypeError, ValueError, AttributeError) as error:
        raise UserError(f"{run_dir / RECORD} is not the record of a scan ({error}): scan again") from error
    _check_one_run(result, run_dir)
    return result


def read_record(run_dir: Path) -> Mapping[str, Any]:
    """What `run.json` of a run folder says. Raises `UserError` when it is missing, damaged or of another schema version."""
    if not run_dir.exists():
        raise UserError(f"{run_dir}: no such folder; name the output folder of a scan")
    if not run_dir.is_dir():
        raise UserError(f"{run_dir} is a file; name the output folder of a scan")
    path = run_dir / RECORD
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{run_dir} holds no {RECORD}: is it the output folder of a scan?") from None
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path} is not valid JSON: scan again") from error
    version = record.get("schema_version") if isinstance(record, dict) else None
    if version is None:
        raise UserError(f"{path} is not the record of a scan: is {run_dir} its output folder?")
    if version != SCHEMA_VERSION:
        raise UserError(f"{path} has schema version {version}, this program reads {SCHEMA_VERSION}: scan again")
    return dict(record)


def _read_tables(
    run_dir: Path,
) -> tuple[tuple[Conflict, ...], tuple[ClusterValue, ...], tuple[DocumentRow, ...], tuple[Chunk, ...]]:
    from auditor.store import read_chunks, read_clusters, read_conflicts, read_documents

    try:
        conflicts = tuple(replace(c, a=_marked(c.a), b=_marked(c.b)) for c in read_conflicts(run_dir))
        return conflicts, read_clusters(run_dir), read_documents(run_dir), read_chunks(run_dir)
    except (KeyError, TypeError) as error:
        # The version says that the columns are ours: another program has written the file again.
        raise UserError(f"{run_dir}: a table lacks columns of schema version {SCHEMA_VERSION} ({error}): scan again") from error


def _marked(side: Side) -> Side:
    """The side with the words of its value marked, where the quote holds them."""
    from auditor.resolve.sides import marks

    statement = Statement(0, side.doc, side.chunk_id, BlockKind.PARAGRAPH, side.value, 0, 0, len(side.value))
    return replace(side, marks=marks(side.quote, statement, (0, len(side.value)))) if len(side.value) <= 200 else side


def _branding(table: Mapping[str, Any]) -> Branding:
    texts = {name: str(table.get(name) or "") for name in ("title", "customer", "logo")}
    if not re.fullmatch(r"data:image/(?:png|jpeg);base64,[A-Za-z0-9+/=]+", texts["logo"]):
        texts["logo"] = ""  # a record that somebody edited must not bring a picture from elsewhere into a report
    return Branding(**texts)


def _texts(table: Any) -> dict[str, str]:
    return {str(name): str(text) for name, text in dict(table).items()}


def _check_one_run(result: ScanResult, run_dir: Path) -> None:
    """A scan that was interrupted while it moved its files into place may leave tables of two runs."""
    said = [result.counts.get(name) for name in ("documents", "skipped")]
    if None not in said and sum(filter(None, said)) != len(result.documents):
        raise UserError(f"{run_dir}: {RECORD} and the tables are of different scans: scan again")
