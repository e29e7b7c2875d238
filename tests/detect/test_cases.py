"""The tables of `tests/cases/*.yml`: two short texts, and what the comparison has to make of them.

`expect: conflict` asks the detector for a conflict, whatever the score makes of it: a finding, or a rejection by score alone.
`expect: none` asks for no finding in the main list; with `reason`, some rejection has to give that word of `detect/reasons.py`.
`known_gap: true` marks what a careful reader sees and the auditor does not see yet. Such a case is run and may fail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
import yaml
from numpy.typing import NDArray

from auditor.detect import reasons
from auditor.model import Finding, Rejection, Tier
from auditor.pair import judge_pair
from auditor.ports import Encoder
from auditor.registry import detectors
from auditor.rulepack import load_rules

TABLES = sorted((Path(__file__).parents[1] / "cases").glob("*.yml"))
REASONS = {value for name, value in vars(reasons).items() if name.isupper()} - {reasons.SCORE}
FAMILIES = {"identifier": {"identifier", "version"}, "negation": {"negation", "direction"}}
MAIN_LIST = (Tier.HIGH, Tier.MEDIUM)


@dataclass(frozen=True)
class Case:
    """One row of a table."""

    id: str
    a: str
    b: str
    expect: str
    detector: str
    why: str
    title_a: str = ""
    title_b: str = ""
    heading_a: str = ""
    heading_b: str = ""
    reason: str = ""
    known_gap: bool = False

    def judged(self, encoder: Encoder, topic_encoder: Encoder) -> tuple[list[Finding], list[Rejection]]:
        return judge_pair(
            self.a,
            self.b,
            title_a=self.title_a,
            title_b=self.title_b,
            heading_a=self.heading_a,
            heading_b=self.heading_b,
            encoder=encoder,
            topic_encoder=topic_encoder,
            wording=False,
        )


def read(path: Path) -> list[Case]:
    return [Case(**row) for row in yaml.safe_load(path.read_text(encoding="utf-8"))]


CASES = [case for path in TABLES for case in read(path)]


class Lazy:
    """An encoder that is loaded when it is first asked, once for all cases."""

    def __init__(self, name: str) -> None:
        self.id = name

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return _encoder(self.id).encode(texts)

    def hashes(self) -> dict[str, str]:
        return {}


@lru_cache(maxsize=2)
def _encoder(name: str) -> Encoder:
    from auditor.embed import get_encoder

    return get_encoder(name)


def marked(case: Case) -> object:
    marks = [pytest.mark.xfail(reason=f"known gap: {case.why}", strict=False)] if case.known_gap else []
    return pytest.param(case, id=case.id, marks=marks)


def told(findings: Sequence[Finding], rejections: Sequence[Rejection]) -> str:
    lines = [f"finding: {f.kind} {f.tier} {f.confidence}: {f.value_a} | {f.value_b}" for f in findings]
    lines += [f"rejection: {r.detector}: {r.reason}: {r.detail} {r.confidence or ''}" for r in rejections]
    return "\n".join(lines) or "nothing was compared"


@pytest.mark.parametrize("case", [marked(c) for c in CASES if c.expect == "conflict"])
def test_conflict(case: Case) -> None:
    findings, rejections = case.judged(Lazy("static"), Lazy("minilm"))
    family = FAMILIES.get(case.detector, {case.detector})
    found = any(family & set(f.detectors) for f in findings)
    unsure = any(r.reason == reasons.SCORE and r.detector in family for r in rejections)
    assert found or unsure, f"{case.a} | {case.b}: {case.why}\n{told(findings, rejections)}"


@pytest.mark.parametrize("case", [marked(c) for c in CASES if c.expect == "none"])
def test_no_conflict(case: Case) -> None:
    findings, rejections = case.judged(Lazy("static"), Lazy("minilm"))
    shown = [f for f in findings if f.tier in MAIN_LIST]
    assert not shown, f"{case.a} | {case.b}: {case.why}\n{told(findings, rejections)}"
    if case.reason:
        assert case.reason in {r.reason for r in rejections}, f"{case.a} | {case.b}: {case.why}\n{told(findings, rejections)}"


def test_tables_are_well_formed() -> None:
    known = {d.id for d in detectors(load_rules(None))}
    ids = Counter(c.id for c in CASES)
    assert [i for i, n in ids.items() if n > 1] == []
    for case in CASES:
        assert case.expect in {"conflict", "none"}, case.id
        assert case.detector in known, case.id
        assert not case.reason or (case.expect == "none" and case.reason in REASONS), case.id
        assert all(isinstance(getattr(case, f.name), bool if f.name == "known_gap" else str) for f in fields(Case)), case.id
        assert case.why, case.id
        assert case.a != case.b, case.id


@pytest.mark.parametrize("path", TABLES, ids=lambda p: p.stem)
def test_tables_cover_both_verdicts(path: Path) -> None:
    """Enough of either sort, most of it seen correctly: a table of gaps would test nothing."""
    cases = read(path)
    assert sum(c.expect == "conflict" for c in cases) >= 14
    assert sum(c.expect == "none" for c in cases) >= 18
    assert sum(c.known_gap for c in cases) <= len(cases) // 3
