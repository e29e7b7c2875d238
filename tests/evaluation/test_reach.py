"""Reliability of confidence, and what blocking reaches."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from auditor.block.candidates import KEYS, VECTORS, Candidates
from auditor.evaluation.match import locate_all
from auditor.evaluation.reach import reach
from auditor.evaluation.reliability import reliability
from tests.evaluation.builders import DOCUMENTS, gold, statements


def test_reliability_counts_each_finding_in_one_range() -> None:
    bins = reliability([(0.15, False), (0.29, True), (0.3, False), (0.65, True), (0.8, True), (1.0, True), (0.1, True)])
    assert [(b.low, b.findings) for b in bins] == [(0.15, 2), (0.3, 1), (0.5, 0), (0.65, 1), (0.8, 1), (0.9, 1)]
    assert bins[0].share == 0.5
    assert math.isclose(bins[0].mean, 0.22)
    assert (bins[2].mean, bins[2].share) == (0.0, 0.0)


def test_reach_counts_lists_alone_and_together() -> None:
    made = statements()
    row = {s.text: s.index for s in made}
    limits, other = row["Each key may send 100 requests per minute."], row["Each key may send 500 requests per minute."]
    five, eight = row["Uploads may be 5 GB large."], row["Uploads may be 8 GB large."]
    brought = sorted([(*sorted((limits, other)), KEYS | VECTORS), (*sorted((five, eight)), KEYS)])
    columns: Any = [np.array(c, dtype=np.int32) for c in zip(*brought, strict=True)]
    candidates = Candidates(columns[0], columns[1], columns[2].astype(np.uint8), np.zeros(2, dtype=np.float32))
    back = row["Goods may be returned within 30 days."], row["Send it back within 14 days."]
    near = {tuple(sorted(back)), tuple(sorted((five, eight)))}
    looks = SimpleNamespace(wording=SimpleNamespace(pairs=near))
    audit: Any = SimpleNamespace(statements=made, candidates=candidates, compared=[[object()] for _ in made], looks=looks)
    pairs = locate_all(
        [
            gold("rate", "api/limits.md", "100 requests", "api/v2.md", "500 requests"),
            gold("upload", "api/v2.md", "8 GB", "api/limits.md", "5 GB"),
            gold("returns", "policies/returns.md", "30 days", "faq/returns.md", "14 days"),
        ],
        DOCUMENTS,
    )
    found = reach(audit, pairs)
    assert found.wanted == 3
    assert {name: hits for name, (hits, _) in found.lists.items()} == {
        "keys": 2,
        "vectors": 1,
        "words": 0,
        "typed lists": 2,
        "near passages": 2,
        "all": 3,
    }
    assert found.lists["typed lists"][1] == pytest.approx(2 * 2 / len(made), abs=0.005)
    assert found.lists["all"][1] == pytest.approx(2 * 3 / len(made), abs=0.005)
