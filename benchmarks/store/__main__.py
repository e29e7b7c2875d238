"""`python -m benchmarks.store OUT --statements 100000 --seed 1`: writes OUT/corpus and OUT/gold.jsonl."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from benchmarks.store.generator import write_store


def main() -> None:
    """Write a store and say what it holds."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.store", description="Write a store of documents with known contradictions."
    )
    parser.add_argument("out", type=Path, help="folder to write; the documents go to OUT/corpus, the known pairs to OUT/gold.jsonl")
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--statements", type=int, help="about so many statements")
    size.add_argument("--documents", type=int, help="exactly so many documents")
    parser.add_argument("--per-document", type=int, default=25, help="statements of a document on average (default 25)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    start = time.perf_counter()
    done = write_store(
        args.out, statements=args.statements, documents=args.documents, per_document=args.per_document, seed=args.seed
    )
    print(
        f"{done.documents:,} documents, about {done.statements:,} statements, {done.conflicts:,} contradictions, "
        f"{done.negatives:,} hard negatives, {done.copies:,} changed copies in {time.perf_counter() - start:.1f} s"
    )


if __name__ == "__main__":
    main()
