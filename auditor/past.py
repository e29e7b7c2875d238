"""What a scan takes from earlier ones: the decisions of people, and a baseline to hold the findings against."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.errors import UserError
from auditor.history import Review
from auditor.model import ClusterValue, Conflict, DocumentRow, ScanResult
from auditor.review.files import DECISIONS_FILE

if TYPE_CHECKING:
    from auditor.baseline import Snapshot
    from auditor.review.decisions import Decision


@dataclass(frozen=True, slots=True)
class Past:
    """Decisions and baseline, read and checked."""

    decisions: Sequence[Decision]
    baseline: Snapshot | None

    @classmethod
    def read(cls, corpus: Path, decisions: Path | None, baseline: Path | None) -> Past:
        """Both files, where there are any. Raises `UserError` when a named one is missing, or one is wrong."""
        made: Sequence[Decision] = ()
        file = decisions or corpus / DECISIONS_FILE
        if decisions is None and os.path.lexists(file) and not file.is_file():  # a pipe would be waited for, a device has no end
            raise UserError(f"{file} is not a file")
        if decisions is not None or file.exists():
            from auditor.review.decisions import read_decisions

            made = read_decisions(file)
        earlier = None
        if baseline is not None:
            from auditor.baseline_file import read_snapshot

            if not baseline.exists():
                raise UserError(f"--baseline {baseline}: no such file; make it with `audit baseline write`")
            earlier, _ = read_snapshot(baseline)
        return cls(made, earlier)

    def carry(
        self,
        conflicts: Sequence[Conflict],
        clusters: Iterable[ClusterValue],
        documents: Sequence[DocumentRow],
        as_of: date,
        min_tier: str,
    ) -> tuple[list[Conflict], Review]:
        """The findings with their decisions, and what became of every decision; see `review.carry`."""
        if not self.decisions:
            return list(conflicts), Review()
        from auditor.review.carry import carry

        return carry(self.decisions, conflicts, clusters, documents, as_of, min_tier)

    def compare(self, result: ScanResult) -> ScanResult:
        """The result with its comparison with the baseline, if there is one."""
        if self.baseline is None:
            return result
        from auditor.baseline import compare, holders_in, snapshot_of

        return replace(result, baseline=compare(self.baseline, snapshot_of(result), holders_in(result)))
