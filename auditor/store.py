"""Parquet in and out: the data model as polars tables and back.

The same rows give the same bytes: fixed compression, one row group size, no clock in the file. The schema version travels in the
file's metadata, so that a reader can tell tables it does not understand.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from auditor.errors import UserError
from auditor.model import TIER_ORDER, Chunk, ClusterValue, Conflict, DocumentRow, Side
from auditor.schema import CHUNKS, CLUSTERS, CONFLICTS, DOCUMENTS, SCHEMA_VERSION, Column, Table, Type

if TYPE_CHECKING:
    import polars as pl

VERSION_KEY = "corpus_auditor_schema"
"""Key of the schema version in the metadata of every Parquet file."""

_COMPRESSION_LEVEL = 3
_ROW_GROUP = 100_000  # fixed: the default of polars may change with its version

T = TypeVar("T")


def in_order(conflicts: Iterable[Conflict]) -> tuple[Conflict, ...]:
    """Conflicts as every output lists them: by tier, then the more certain first."""
    return tuple(sorted(conflicts, key=lambda c: (TIER_ORDER.get(c.tier, len(TIER_ORDER)), -rounded(c.confidence), c.conflict_id)))


def rounded(number: float) -> float:
    """A similarity or confidence as it is written: four places, and never -0.0."""
    return round(number, 4) + 0.0


def utf8(text: str) -> str:
    """`text` without lone surrogates (a file name that is not UTF-8), which no UTF-8 file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def polars_schema(table: Table) -> dict[str, pl.DataType]:
    """Column name → polars type."""
    import polars as pl

    types: dict[Type, pl.DataType] = {
        Type.STRING: pl.String(),
        Type.STRINGS: pl.List(pl.String()),
        Type.INTEGER: pl.Int64(),
        Type.FLOAT: pl.Float64(),
        Type.BOOLEAN: pl.Boolean(),
        Type.DATE: pl.Date(),
    }
    return {column.name: types[column.type] for column in table.columns}


def to_frame(table: Table, rows: Sequence[object]) -> pl.DataFrame:
    """The rows (dataclasses of the table's kind) as a polars table. Raises `ValueError` when a required value is missing."""
    import polars as pl

    return pl.DataFrame({column.name: _values(table, column, rows) for column in table.columns}, schema=polars_schema(table))


def conflicts_frame(conflicts: Iterable[Conflict]) -> pl.DataFrame:
    """`conflicts.parquet` as a table, in the order of every output."""
    return to_frame(CONFLICTS, in_order(conflicts))


def parquet_bytes(frame: pl.DataFrame) -> bytes:
    """The Parquet file of a table. Equal frames give equal bytes."""
    buffer = io.BytesIO()
    frame.rechunk().write_parquet(
        buffer,
        compression="zstd",
        compression_level=_COMPRESSION_LEVEL,
        statistics=True,
        row_group_size=_ROW_GROUP,
        metadata={VERSION_KEY: str(SCHEMA_VERSION)},
    )
    return buffer.getvalue()


def read_frame(table: Table, run_dir: Path) -> pl.DataFrame:
    """One table of an earlier run. Raises `UserError` when it is missing, damaged or of another schema version."""
    import polars as pl

    path = run_dir / table.filename
    try:
        version = pl.read_parquet_metadata(path).get(VERSION_KEY, "none")
        frame = pl.read_parquet(path)
    except FileNotFoundError:
        raise UserError(f"{run_dir} holds no {table.filename}: is it the output folder of a scan?") from None
    except (OSError, pl.exceptions.PolarsError) as error:
        raise UserError(f"{path} cannot be read: {error}") from error
    if version != str(SCHEMA_VERSION):
        raise UserError(f"{path} has schema version {version}, this program reads {SCHEMA_VERSION}: scan again")
    return frame


def read_conflicts(run_dir: Path) -> tuple[Conflict, ...]:
    """The conflicts of an earlier run, without what the contract leaves out (`Side.marks`, `Conflict.features`)."""
    return tuple(_conflict(row) for row in read_frame(CONFLICTS, run_dir).iter_rows(named=True))


def conflict_at(frame: pl.DataFrame, row: int) -> Conflict:
    """One conflict of the table that `read_frame(CONFLICTS, ...)` gives."""
    return _conflict(frame.row(row, named=True))


def read_clusters(run_dir: Path) -> tuple[ClusterValue, ...]:
    """The cluster values of an earlier run."""
    return _rows(CLUSTERS, run_dir, ClusterValue)


def read_documents(run_dir: Path) -> tuple[DocumentRow, ...]:
    """The documents of an earlier run, skipped ones included."""
    return _rows(DOCUMENTS, run_dir, DocumentRow)


def read_chunks(run_dir: Path) -> tuple[Chunk, ...]:
    """The chunks of an earlier run."""
    return _rows(CHUNKS, run_dir, Chunk)


def _values(table: Table, column: Column, rows: Sequence[object]) -> list[Any]:
    get = attrgetter(column.source)
    write = _WRITE.get(column.type)
    values: list[Any] = []
    for row in rows:
        value = get(row)
        if value is not None:
            values.append(write(value) if write else value)
        elif column.nullable:
            values.append(None)
        else:
            raise ValueError(f"{table.name}.{column.name} is required and missing in {row!r:.200}")
    return values


_WRITE: dict[Type, Callable[[Any], Any]] = {
    Type.STRING: utf8,
    Type.STRINGS: lambda texts: [utf8(text) for text in texts],
    Type.FLOAT: rounded,
}


def _conflict(row: dict[str, Any]) -> Conflict:
    values = _attributes(CONFLICTS, row)
    sides: dict[str, Any] = {
        side: Side(**{f.name: values.pop(f"{side}.{f.name}") for f in fields(Side) if f"{side}.{f.name}" in values})
        for side in ("a", "b")
    }
    return Conflict(**values, **sides)


def _rows(table: Table, run_dir: Path, row_type: Callable[..., T]) -> tuple[T, ...]:
    return tuple(row_type(**_attributes(table, row)) for row in read_frame(table, run_dir).iter_rows(named=True))


def _attributes(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    """Values by attribute of the dataclass; lists become the tuples the model uses."""
    return {column.source: _read(column, row.get(column.name) if column.added else row[column.name]) for column in table.columns}


def _read(column: Column, value: Any) -> Any:
    if value is None and column.type is Type.STRINGS and not column.nullable:
        return ()  # of a run that did not write the column yet
    return tuple(value) if isinstance(value, list) else value
