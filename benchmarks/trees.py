"""Scan document trees and print what it costs: `python benchmarks/trees.py FOLDER [FOLDER ...]`.

One line a tree: size, statements, share of all pairs that was compared, conflicts per tier, seconds per stage as shares of the whole, and
peak memory. Seconds depend on the machine; the shares and counts do not.
"""

from __future__ import annotations

import sys
import time
from datetime import date
from pathlib import Path

from auditor import scan
from auditor.config import load_config
from auditor.errors import UserError


def main() -> None:
    print(
        "| tree | documents | words | statements | compared | high | medium | advisory | clusters high+medium | seconds | load | extract | embed+block | compare | peak MiB |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    for name in sys.argv[1:]:
        folder = Path(name)
        start = time.perf_counter()
        try:
            audit = scan.run(scan.ScanOptions(folder, load_config(folder, None), as_of=date(2026, 1, 1)))
        except UserError as error:
            print(f"| {name} | {error} |")
            continue
        seconds = time.perf_counter() - start
        counts = audit.result.counts
        stage = {s.name: s.seconds for s in audit.result.stages}
        main_list = {c.cluster_id for c in audit.result.conflicts if c.tier in {"high", "medium"}}
        shares = [
            stage["load"] + stage["statements"],
            stage["extract"],
            stage["embed"] + stage["block"],
            stage["compare"] + stage["resolve"],
        ]
        label = folder.parent.name if folder.name == "docs" else folder.name
        print(
            f"| {label} | {counts['documents']} | {counts['words']:,} | {counts['statements']:,} "
            f"| {counts['candidates'] / max(counts['possible_pairs'], 1):.2%} | {counts['conflicts_high']} | {counts['conflicts_medium']} | {counts['conflicts_advisory']} "
            f"| {len(main_list)} | {seconds:.1f} | "
            + " | ".join(f"{s / seconds:.0%}" for s in shares)
            + f" | {max(s.peak_mib for s in audit.result.stages):.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
