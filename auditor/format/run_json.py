"""`run.json`: how the scan went. Unlike every other file it differs from run to run, because it holds the seconds."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from auditor import blocking
from auditor.format.files import to_json, write_text
from auditor.history import record
from auditor.model import ScanResult
from auditor.schema import SCHEMA_VERSION


class RunJsonFormat:
    """Writes `run.json`."""

    id = "run"
    filename = "run.json"

    def write(self, result: ScanResult, path: Path) -> None:
        """Write the record of the run."""
        write_text(path, to_json(run_record(result), indent=2) + "\n")


def languages(result: ScanResult) -> dict[str, int]:
    """Language code → number of documents that were read, the most frequent first."""
    counts = Counter(row.language for row in result.documents if row.skipped_reason is None and row.language)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def run_record(result: ScanResult) -> dict[str, Any]:
    """Counts, what was skipped and why, cost of each stage, and everything needed to repeat the run."""
    return {
        "schema_version": SCHEMA_VERSION,
        "corpus": result.corpus,
        "report": asdict(result.branding),
        "as_of": result.as_of,
        "counts": dict(result.counts),
        "skipped": [
            {"path": row.path, "reason": row.skipped_reason, "format": row.format}
            for row in result.documents
            if row.skipped_reason is not None
        ],
        "stages": [
            {"name": stage.name, "seconds": round(stage.seconds, 3), "peak_mib": round(stage.peak_mib, 1)}
            for stage in result.stages
        ],
        "crowded_keys": result.crowded_keys,
        "blocking": blocking.record(result.blocking),
        "notices": result.notices,
        "languages": languages(result),
        "min_tier": result.min_tier,
        "nli": result.nli,
        "review": record(result.review),
        "baseline": record(result.baseline) if result.baseline is not None else None,
        "versions": dict(result.versions),
        "model_hashes": dict(result.model_hashes),
        "config_hash": result.config_hash,
    }
