"""Records in Parquet files, read in slices: neither the file nor a column has to fit into memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

import polars as pl

from auditor.load.config import LoadConfig
from auditor.load.records import Row, check_size, members_of, sampled
from auditor.ports import LoadError, Member, Unread

_SLICE = 500  # rows
_SLICE_BYTES = 64 << 20  # of texts at once


class ParquetContainer:
    """One record a row."""

    id = "parquet"

    def accepts(self, name: str, head: bytes) -> bool:
        """By file name, which `kinds.py` gives to what begins like a Parquet file."""
        return name.endswith(".parquet")

    def members(self, file: BinaryIO, name: str, config: LoadConfig) -> Iterator[Member | Unread]:
        """The rows, in the order of the file."""
        check_size(file, config.max_container_bytes)
        table = _Table(file)
        profile = sampled(table.rows)
        profile.names.update(table.names)
        yield from members_of(table.rows, profile, config, self.id)


class _Table:
    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        with _damage():
            schema = self._scan().collect_schema()
            self.names = list(schema)
            self.columns = [name for name, kind in schema.items() if _is_readable(kind)]
            self.texts = [pl.col(name).str.len_bytes() for name in self.columns if schema[name] == pl.String]
            self.height = int(self._scan().select(pl.len()).collect().item())

    def _scan(self) -> pl.LazyFrame:
        self.file.seek(0)
        return pl.scan_parquet(self.file, glob=False, hive_partitioning=False)

    def rows(self) -> Iterator[Row]:
        """The rows, without the columns of vectors, pictures and the like."""
        start, step = 0, _SLICE
        while start < self.height and self.columns:
            with _damage():
                scan = self._scan().select(self.columns).slice(start, step)
                if self.texts and step > 1 and scan.select(pl.sum_horizontal(self.texts).sum()).collect().item() > _SLICE_BYTES:
                    step = max(step // 8, 1)
                    continue
                rows = list(scan.collect().iter_rows(named=True, buffer_size=1))
            for number, record in enumerate(rows, start=start + 1):
                yield Row(number, record, size=sum(len(value) for value in record.values() if isinstance(value, str)))
            start += step


@contextmanager
def _damage() -> Iterator[None]:
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, OverflowError) as error:
        said = (
            "its content makes no sense" if isinstance(error, pl.exceptions.PanicException) else " ".join(str(error).split())[:200]
        )
        raise LoadError(f"the file is damaged: {said}") from error


def _is_readable(kind: pl.DataType) -> bool:
    """Whether a column may hold something to read."""
    if isinstance(kind, pl.Struct):
        return any(_is_readable(_instance(inner.dtype)) for inner in kind.fields)
    if isinstance(kind, pl.List):
        return _instance(kind.inner) == pl.String
    return kind in (pl.String, pl.Categorical, pl.Enum, pl.Boolean, pl.Date, pl.Datetime) or kind.is_integer() or kind.is_float()


def _instance(kind: object) -> pl.DataType:
    return kind() if isinstance(kind, type) else kind  # type: ignore[return-value]
