"""Time lookups at query time: `python benchmarks/query.py [ROWS ...]` (default 10,000 100,000 1,000,000).

For each number of synthetic conflict rows one line: seconds to open the index, memory afterwards, and the median and 99th percentile
of `among` for 100 passages, named by chunk, by span and by document. A document holds five facts, each contradicted by another document,
and every tenth fact has a copy; half of the 100 passages contradict another of them, the others are drawn from the whole store. Seconds depend on the machine; how little they grow from line to line does not.
"""

from __future__ import annotations

import gc
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median, quantiles

import numpy as np
import polars as pl

from auditor import ConflictIndex
from auditor.query import Passage
from auditor.schema import CHUNKS, CLUSTERS, CONFLICTS, DOCUMENTS, Table, Type
from auditor.store import parquet_bytes, polars_schema

IDS = 100
QUERIES = 1000
SPAN = 200  # characters between two facts of a document


def main() -> None:
    print("| conflict rows | open, s | MiB | conflicts found | by chunk, ms | by span, ms | by document, ms |")
    print("|---|---|---|---|---|---|---|")
    for rows in [int(text.replace(",", "")) for text in sys.argv[1:]] or [10_000, 100_000, 1_000_000]:
        with tempfile.TemporaryDirectory() as folder:
            write_store(Path(folder), rows)
            gc.collect()
            begin = time.perf_counter()
            index = ConflictIndex.open(folder)
            seconds = time.perf_counter() - begin
        rng = random.Random(7)
        queries = [draw(rng, rows) for _ in range(QUERIES)]
        found = median(len(index.among([chunk(*fact) for fact in query])) for query in queries[:50])
        timed = [measure(index, queries, name) for name in (chunk, span, document)]
        print(f"| {rows:,} | {seconds:.1f} | {resident():.0f} | {found:.0f} | {' | '.join(timed)} |", flush=True)
        del index


def measure(index: ConflictIndex, queries: Sequence[Sequence[tuple[int, int]]], name: Callable[[int, int], Passage]) -> str:
    asked = [[name(*fact) for fact in query] for query in queries]
    for passages in asked[:20]:
        index.among(passages)
    times = []
    for passages in asked:
        begin = time.perf_counter_ns()
        index.among(passages)
        times.append((time.perf_counter_ns() - begin) / 1e6)
    return f"{median(times):.2f} ({quantiles(times, n=100)[98]:.2f})"


# -- the store ---------------------------------------------------------------------------------------------------------------------
#
# Row r is fact r; five facts in a row share their two documents. Row and side give the passage.


def place(row: int, side: int) -> tuple[int, int]:
    """Number of the document of a side, and which of its passages it is."""
    return row // 5 * 2 + side, row % 5


def chunk(row: int, side: int) -> Passage:
    doc, at = place(row, side)
    return f"area-{doc % 97}/page-{doc}.md:{at:012x}"


def span(row: int, side: int) -> Passage:
    doc, at = place(row, side)
    return f"area-{doc % 97}/page-{doc}.md", at * SPAN + 10, at * SPAN + 60


def document(row: int, side: int) -> Passage:
    doc, _ = place(row, side)
    return f"area-{doc % 97}/page-{doc}.md"


def draw(rng: random.Random, rows: int) -> list[tuple[int, int]]:
    """100 passages as (row, side): 25 facts with both sides, 50 with one."""
    both = [(row, side) for row in rng.sample(range(rows), IDS // 4) for side in (0, 1)]
    return both + [(row, rng.randrange(2)) for row in rng.sample(range(rows), IDS - len(both))]


def write_store(folder: Path, rows: int) -> None:
    row = pl.int_range(rows, eager=True, dtype=pl.Int64)
    columns: dict[str, pl.Series] = {
        "conflict_id": pl.Series([f"{n:016x}" for n in range(rows)]),
        "cluster_id": pl.Series([f"{n:016x}" for n in range(rows)]),
        "tier": pl.Series(np.array(["high", "medium", "advisory"])[np.minimum(np.arange(rows) * 4 // rows, 2)]),
    }
    for side, name in enumerate("ab"):
        columns |= {
            f"doc_{name}": pl.Series([str(document(n, side)) for n in range(rows)]),
            f"chunk_id_{name}": pl.Series([str(chunk(n, side)) for n in range(rows)]),
            f"char_start_{name}": (row % 5) * SPAN,
            f"char_end_{name}": (row % 5) * SPAN + 50,
            f"quote_{name}": pl.Series(
                [f"Each workspace keeps {10 + side} snapshots of product {n}, over all regions." for n in range(rows)]
            ),
            f"value_{name}": pl.Series([f"{10 + side} snapshots"]).new_from_index(0, rows),
        }
    write(folder, CONFLICTS, columns, rows)
    numbers = [(n, side) for n in range(rows) for side in (0, 1)]
    write(
        folder,
        CLUSTERS,
        {
            "cluster_id": pl.Series([f"{n:016x}" for n, _ in numbers]),
            "value": pl.Series([f"{10 + side} snapshots" for _, side in numbers]),
            "documents": pl.Series(
                [[str(document(n, side)), *([f"copies/{n}.md"] if side == 0 and n % 10 == 0 else [])] for n, side in numbers]
            ),
        },
        len(numbers),
    )
    chunks = {str(chunk(*each)): each for each in numbers}
    copied = [(f"copies/{n}.md", n) for n in range(0, rows, 10)]
    write(
        folder,
        CHUNKS,
        {
            "chunk_id": pl.Series([*chunks, *(f"{doc}:0" for doc, _ in copied)]),
            "doc": pl.Series([*(str(document(*each)) for each in chunks.values()), *(doc for doc, _ in copied)]),
            "char_start": pl.Series([*((n % 5) * SPAN for n, _ in chunks.values()), *(0 for _ in copied)]),
            "char_end": pl.Series([*((n % 5) * SPAN + SPAN for n, _ in chunks.values()), *(SPAN for _ in copied)]),
            "text_hash": pl.Series([*(f"{n}.{side}" for n, side in chunks.values()), *(f"{n}.0" for _, n in copied)]),
        },
        len(chunks) + len(copied),
    )
    docs = sorted({str(document(*each)) for each in numbers})
    write(folder, DOCUMENTS, {"path": pl.Series(docs)}, len(docs))


def write(folder: Path, table: Table, columns: dict[str, pl.Series], rows: int) -> None:
    """The table with these columns, the others filled with one value."""
    filler = {Type.STRING: "", Type.STRINGS: [], Type.INTEGER: 0, Type.FLOAT: 0.5, Type.BOOLEAN: False, Type.DATE: None}
    schema = polars_schema(table)
    frame = pl.DataFrame(
        {
            column.name: columns[column.name]
            if column.name in columns
            else pl.Series([None if column.nullable else filler[column.type]], dtype=schema[column.name]).new_from_index(0, rows)
            for column in table.columns
        },
        schema=schema,
    )
    (folder / table.filename).write_bytes(parquet_bytes(frame))


def resident() -> float:
    """MiB of memory in use; 0 where the platform does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * 4096 / 1024**2


if __name__ == "__main__":
    main()
