"""A part of `sample_corpus` that is scanned in seconds: each main format, and contradictions between them."""

from __future__ import annotations

import shutil
from pathlib import Path

SAMPLE = Path(__file__).parent.parent / "sample_corpus"
PART = (
    "audit.toml",
    "contracts/data-processing-addendum.rtf",
    "contracts/fundy-assembly-agreement.docx",
    "contracts/meridian-amendment.eml",
    "contracts/meridian-order-form.md",
    "faq/help-centre-export.jsonl",
    "faq/returns-faq.html",
    "finance/board-deck-2024-04.pptx",
    "finance/fy2023-audited-restatement.md",
    "finance/fy2023-preliminary-memo.txt",
    "finance/price-list-2024-q2.xlsx",
    "finance/price-sheet-2024-03.md",
    "policies/data-retention-schedule.rst",
    "policies/repair-and-take-back-leaflet.pdf",
    "policies/returns-policy.md",
    "support/known-issues.parquet",
)


def copy_part(target: Path) -> Path:
    """Copy the part into a new folder and give it back."""
    for name in PART:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(SAMPLE / name, target / name)
    return target
