"""The Parquet tables of the contract, one file each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from auditor.model import ScanResult
from auditor.schema import CHUNKS, CLUSTERS, CONFLICTS, DOCUMENTS, Table
from auditor.store import in_order, parquet_bytes, to_frame


class ParquetFormat:
    """Writes one table; `rows` picks its rows from a result."""

    def __init__(self, id: str, table: Table, rows: Callable[[ScanResult], Sequence[object]]) -> None:
        self.id = id
        self.filename = table.filename
        self._table = table
        self._rows = rows

    def write(self, result: ScanResult, path: Path) -> None:
        """Write the table to `path`."""
        path.write_bytes(parquet_bytes(to_frame(self._table, self._rows(result))))


PARQUET: tuple[ParquetFormat, ...] = (
    ParquetFormat("parquet", CONFLICTS, lambda result: in_order(result.conflicts)),
    ParquetFormat("parquet-clusters", CLUSTERS, lambda result: result.clusters),
    ParquetFormat("parquet-documents", DOCUMENTS, lambda result: result.documents),
    ParquetFormat("parquet-chunks", CHUNKS, lambda result: result.chunks),
)
