"""Named features of a pair of facts and the confidence computed from them.

The model is a logistic regression over the features below (weights in `rules/score.toml`, fitted by `scripts/fit_score.py`). Value facts
and clause facts have weights of their own. Every feature lies in [0, 1], so that a weight reads as "what the full effect is worth".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from auditor.model import BlockKind, Fact, Statement
from auditor.ports import Detector, Verdict
from auditor.rulepack import RulePack
from auditor.scopes import ScopeRelation, clausal, hard_slots

_NEAR = 0.72  # attribute weight from which a word counts as standing beside the value (up to three words away)


@dataclass(frozen=True, slots=True)
class Rarity:
    """How much a concept tells, from its document frequency over the statements of a scan: 1 for unique words, 0.3 for the commonest."""

    frequency: Mapping[str, int]
    total: int

    @classmethod
    def of(cls, facts: Iterable[Sequence[Fact]]) -> Rarity:
        """Count concepts over all statements with facts."""
        counts: Counter[str] = Counter()
        total = 0
        for group in facts:
            if not group:
                continue
            total += 1
            counts.update(set().union(*(f.attribute.keys() for f in group)) | group[0].context)
        return cls(counts, total)

    def weight(self, concept: str) -> float:
        """Weight in [0.3, 1]."""
        if self.total < 50:
            return 1.0
        count = self.frequency.get(concept, 1)
        return 0.3 + 0.7 * max(0.0, 1 - math.log(max(count, 1)) / math.log(max(self.total, 2)))


class FeatureMaker:
    """Computes features and confidence for the pairs of one scan."""

    def __init__(self, rules: RulePack, rarity: Rarity) -> None:
        self._rarity = rarity
        self._cache: dict[str, float] = {}
        self._weights = rules.score.weights

    def _w(self, concept: str) -> float:
        weight = self._cache.get(concept)
        if weight is None:
            weight = self._cache[concept] = self._rarity.weight(concept)
        return weight

    def make(
        self,
        detector: Detector,
        a: Fact,
        b: Fact,
        sa: Statement,
        sb: Statement,
        verdict: Verdict,
        scope: ScopeRelation,
        similarity: float,
    ) -> dict[str, float]:
        """Features of a pair of facts that disagree."""
        x, y = a.attribute, b.attribute
        shared = x.keys() & y.keys()
        mass_x = sum(w * self._w(c) for c, w in x.items())
        mass_y = sum(w * self._w(c) for c, w in y.items())
        common = sum(min(x[c], y[c]) * self._w(c) for c in shared)
        near_x = {c for c, w in x.items() if w >= _NEAR}
        near_y = {c for c, w in y.items() if w >= _NEAR}
        full_x, full_y = x.keys() | a.context, y.keys() | b.context
        crossed = self._mass(full_x & full_y)
        names_x, names_y = a.names - b.context, b.names - a.context
        features = {
            "attribute": common / math.sqrt(mass_x * mass_y) if mass_x and mass_y else 0.0,
            "contained": common / min(mass_x, mass_y) if mass_x and mass_y else 0.0,
            "near": self._overlap(near_x, near_y),
            "near_in_all": max(self._coverage(near_x, full_y), self._coverage(near_y, full_x)),
            "both_differ": min(mass_x - common, mass_y - common) / max(mass_x, mass_y, 1e-9),
            "shared_rare": max((self._w(c) for c in shared), default=0.0),
            "shared_many": min(len(shared), 6) / 6,
            "head": float(bool(a.head) and a.head == b.head),
            "context": self._overlap(a.context, b.context),
            "everything": crossed / math.sqrt(max(self._mass(full_x) * self._mass(full_y), 1e-9)),
            "names_shared": self._overlap(a.names, b.names),
            "names_clash": self._clash(names_x, names_y),
            "similarity": max(0.0, similarity),
            "strength": verdict.strength,
            "bound_only": float(verdict.reason == "bound"),
            "basis": float(verdict.differs == "basis"),
            "per_missing": float(bool(a.per) != bool(b.per)),
            "per_equal": float(bool(a.per) and a.per == b.per),
            "scope_one_sided": min(len(set(scope.one_sided) - {"condition", "exception"}), 2) / 2,
            "scope_condition": float("condition" in scope.one_sided),
            "scope_exception": float("exception" in scope.one_sided),
            "scope_hard": min(len(hard_slots(scope)), 2) / 2,
            "contrast": min(scope.contrast, 2) / 2,
            "same_document": float(sa.doc_id == sb.doc_id),
            "same_section": float(sa.chunk_id == sb.chunk_id),
            "same_list": float(sa.doc_id == sb.doc_id and sa.group != 0 and sa.group == sb.group),
            "row_equal": float(_row_key(sa) != "" and _row_key(sa) == _row_key(sb)),
            "row_differs": float(_row_key(sa) != "" and _row_key(sb) != "" and _row_key(sa) != _row_key(sb)),
            "column_equal": float(sa.column != "" and sa.column.lower() == sb.column.lower()),
            "column_differs": float(sa.column != "" and sb.column != "" and sa.column.lower() != sb.column.lower()),
            "code": float("code" in sa.flags or "code" in sb.flags),
            "example": float("example" in sa.flags or "example" in sb.flags),
            "heading": float(BlockKind.HEADING in (sa.kind, sb.kind)),
            "many_values": min(_values_in(sa, sb, a, b), 4) / 4,
        }
        features[f"is_{a.kind.value}"] = 1.0
        if clausal(a):
            features["actor"] = float(bool(a.actor) and a.actor == b.actor)
            features[f"pair_{'_'.join(sorted((a.value.symbol, b.value.symbol)))}"] = 1.0
            features["words_x"] = min(len(x), 14) / 14
            features["length_ratio"] = min(len(x), len(y)) / max(len(x), len(y), 1)
        return {name: round(value, 4) for name, value in features.items() if value}

    def confidence(self, detector: Detector, features: Mapping[str, float]) -> float:
        """Probability that a careful reader calls it a contradiction."""
        family = "clause" if any(f in features for f in ("is_modality", "is_status", "is_direction", "is_polarity")) else "value"
        z = self._weights.get(f"{family}.intercept", 0.0)
        for name, value in features.items():
            z += self._weights.get(f"{family}.{name}", 0.0) * value
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, z))))

    def contributions(self, features: Mapping[str, float]) -> dict[str, float]:
        """Feature → weight times value, for `audit explain`."""
        family = "clause" if any(f in features for f in ("is_modality", "is_status", "is_direction", "is_polarity")) else "value"
        found = {name: round(self._weights.get(f"{family}.{name}", 0.0) * value, 4) for name, value in features.items()}
        found["intercept"] = self._weights.get(f"{family}.intercept", 0.0)
        return found

    def _mass(self, concepts: Iterable[str]) -> float:
        return sum(self._w(c) for c in concepts)

    def _overlap(self, x: frozenset[str] | set[str], y: frozenset[str] | set[str]) -> float:
        """Weighted cosine of two sets."""
        if not x or not y:
            return 0.0
        return self._mass(x & y) / math.sqrt(self._mass(x) * self._mass(y))

    def _coverage(self, part: set[str], whole: Iterable[str]) -> float:
        """Share of `part` that `whole` holds."""
        if not part:
            return 0.0
        return self._mass(part & set(whole)) / self._mass(part)

    def _clash(self, x: frozenset[str] | set[str], y: frozenset[str] | set[str]) -> float:
        """How far both sides name things that the other does not: 1 when each has own names and none is shared."""
        if not x or not y:
            return 0.0
        return min(self._mass(x - y) / self._mass(x), self._mass(y - x) / self._mass(y))


def _row_key(statement: Statement) -> str:
    return " ".join(statement.row_key.strip(" *_`").lower().split()) if statement.kind in {BlockKind.ROW, BlockKind.FIELD} else ""


def _values_in(sa: Statement, sb: Statement, a: Fact, b: Fact) -> int:
    """How many digits-groups the longer statement holds: lists of numbers pair up badly."""
    return max(sum(c.isdigit() and not p.isdigit() for p, c in zip(" " + s.text, s.text, strict=False)) for s in (sa, sb)) - 1


