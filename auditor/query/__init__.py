"""At query time: the known conflicts among the passages that a retrieval system has found.

index = auditor.ConflictIndex.open("audit-out")
for known in index.among(["policies/returns.md", "faq/returns.md"]):
    print(known.conflict.explanation)
"""

from __future__ import annotations

from auditor.query.citations import cited, cites_all
from auditor.query.index import ConflictIndex, KnownConflict
from auditor.query.passages import Passage, Span

__all__ = ["ConflictIndex", "KnownConflict", "Passage", "Span", "cited", "cites_all"]
