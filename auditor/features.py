"""Named features of a pair of facts and the confidence computed from them.

The model is a logistic regression over the features below (weights in `rules/score.toml`, fitted by `scripts/fit_score.py`). Value facts
and clause facts have weights of their own. Every feature lies in [0, 1], so that a weight reads as "what the full effect is worth".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from auditor.model import BlockKind, Fact, FactKind, Statement
from auditor.parallel import siblings
from auditor.ports import Detector, Verdict
from auditor.rulepack import RulePack
from auditor.scopes import ScopeRelation, clausal, hard_slots
from auditor.text.words import stem, tokens
from auditor.word_vectors import WordVectors

_NEAR = 0.72  # attribute weight from which a word counts as standing beside the value (up to three words away)

_OTHER_OBJECT = 0.45  # agreement of word vectors below which two objects are two things
_COLUMN_WORDS = frozenset(
    stem(w)
    for w in [
        "value",
        "description",
        "note",
        "notes",
        "detail",
        "details",
        "comment",
        "comments",
        "default",
        "amount",
        "setting",
        "settings",
        "what",
        "meaning",
        "type",
        "name",
        "item",
    ]
)


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
        """Weight in [0.3, 1], in steps, so that one more statement seldom changes it."""
        if self.total < 50:
            return 1.0
        return 0.3 + 0.7 * max(0.0, 1 - _stepped(self.frequency.get(concept, 1)) / _stepped(self.total))


_FEW = 8  # occurrences up to which each counts


def _stepped(count: int) -> float:
    """Logarithm to base 2, in steps of a quarter for larger counts."""
    log = math.log2(max(count, 1))
    return round(4 * log) / 4 if count > _FEW else log


_MOST_FACTS = 50_000  # facts whose own part is kept at a time


@dataclass(frozen=True, slots=True)
class _Own:
    """Of a fact: mass of its attribute, the concepts beside the value, all concepts with those of the context, and their mass."""

    mass: float
    near: frozenset[str]
    full: frozenset[str]
    full_mass: float


class FeatureMaker:
    """Computes features and confidence for the pairs of one scan."""

    def __init__(
        self, rules: RulePack, rarity: Rarity, concept: Callable[[str], str] = str, words: WordVectors | None = None
    ) -> None:
        self.concept = concept
        self._words = words
        self.generic = frozenset(stem(w) for w in rules.scope.generic.words)
        self._rarity = rarity
        self._cache: dict[str, float] = {}
        self._facts: dict[int, tuple[Fact, _Own]] = {}  # by identity; the fact is held so that no other can take its place
        self._soft: dict[tuple[int, int], tuple[Fact, Fact, dict[str, float]]] = {}  # likewise
        self._weights = rules.score.weights
        self._screen = rules.score.screen
        self._close = rules.score.close

    def _own(self, fact: Fact) -> _Own:
        """What every pair of the fact needs."""
        held = self._facts.get(id(fact))
        if held is None:
            if len(self._facts) > _MOST_FACTS:
                self._facts.clear()
            attribute = fact.attribute
            full = frozenset(attribute.keys() | fact.context)
            own = _Own(
                sum(w * self._w(c) for c, w in attribute.items()),
                frozenset(c for c, w in attribute.items() if w >= _NEAR),
                full,
                self._mass(full),
            )
            held = self._facts[id(fact)] = (fact, own)
        return held[1]

    def weights_of(self, statement: Statement, facts: Sequence[Fact]) -> list[float]:
        """Weights of all concepts that the features of these facts can look up, in the order of the concepts."""
        concepts = {*self._key(statement), *self._specific(statement.title), *self._specific(" ".join(statement.heading[1:]))}
        for fact in facts:
            concepts.update(fact.attribute, fact.context, fact.names, fact.objects)
        return [self._w(c) for c in sorted(concepts)]

    def _key(self, statement: Statement) -> frozenset[str]:
        """Concepts of the row key and column of a cell: what the row is about has to turn up on the other side."""
        if statement.kind is not BlockKind.ROW:
            return frozenset()
        words = tokens(f"{statement.row_key} {statement.column}")
        return frozenset(self.concept(t.stem) for t in words if not t.is_stop and not t.is_number and t.stem not in _COLUMN_WORDS)

    @lru_cache(maxsize=50_000)  # noqa: B019 - one maker lives as long as the scan
    def _specific(self, text: str) -> frozenset[str]:
        """Concepts of a title or heading that name something."""
        return frozenset(
            self.concept(t.stem)
            for t in tokens(text)
            if not t.is_stop and not t.is_number and t.stem not in self.generic and len(t.lower) > 1
        )

    def _missing(self, part: frozenset[str], whole: Iterable[str]) -> float:
        """Share of a title or heading of which the other side knows nothing."""
        return 1.0 - self._coverage(part, whole) if part else 0.0

    def _parallel(self, x: frozenset[str], y: frozenset[str], full_x: Iterable[str], full_y: Iterable[str]) -> float:
        """How far two titles run parallel and name different things ("Care label: wool jumper", "Care label: cotton shirt")."""
        own_x, own_y = x - set(full_y), y - set(full_x)
        if not own_x or not own_y:
            return 0.0
        return 0.5 + 0.5 * self._overlap(x, y) if x & y else 0.5

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
        own_x, own_y = self._own(a), self._own(b)
        mass_x, mass_y = own_x.mass, own_y.mass
        common = sum(min(x[c], y[c]) * self._w(c) for c in shared)
        near_x, near_y = own_x.near, own_y.near
        full_x, full_y = own_x.full, own_y.full
        crossed = self._mass(full_x & full_y)
        names_x, names_y = a.names - full_y, b.names - full_x
        key_x, key_y = self._key(sa), self._key(sb)
        title_x, title_y = self._specific(sa.title), self._specific(sb.title)
        heading_x, heading_y = self._specific(" ".join(sa.heading[1:])), self._specific(" ".join(sb.heading[1:]))
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
            "everything": crossed / math.sqrt(max(own_x.full_mass * own_y.full_mass, 1e-9)),
            "near_clash": min(1 - self._coverage(near_x, full_y), 1 - self._coverage(near_y, full_x)) if near_x and near_y else 0.0,
            "title_clash": self._parallel(title_x, title_y, full_x, full_y),
            "title_missing": max(self._missing(title_x, full_y), self._missing(title_y, full_x)),
            "heading_clash": min(self._missing(heading_x, full_y), self._missing(heading_y, full_x))
            if sa.chunk_id != sb.chunk_id
            else 0.0,
            "siblings": float(siblings(sa, sb)),
            "names_shared": self._overlap(a.names, b.names),
            "names_clash": min(self._coverage(a.names, names_x), self._coverage(b.names, names_y)),
            "names_missing": max(self._coverage(a.names, names_x), self._coverage(b.names, names_y)),
            "key_missing": max(
                1 - self._coverage(key_x, full_y | b.names) if key_x else 0.0,
                1 - self._coverage(key_y, full_x | a.names) if key_y else 0.0,
            ),
            "similarity": max(0.0, similarity),
            "strength": verdict.strength,
            "bound_only": float(verdict.reason == "bound"),
            "basis": float(verdict.differs == "basis"),
            "per_missing": float(bool(a.per) != bool(b.per)),
            "per_equal": float(bool(a.per) and a.per == b.per),
            **{f"only_{slot}": 1.0 for slot in scope.one_sided if slot not in {"condition", "exception"}},
            "only_named": min(len(set(scope.named) - {"condition", "exception", "period"}), 2) / 2,
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
            "many_values": min(max(_other_numbers(sa, a), _other_numbers(sb, b)), 4) / 4,
        }
        features[f"is_{a.kind.value}"] = 1.0
        if a.kind is FactKind.IDENTIFIER:
            features[f"is_{a.value.unit.replace(' ', '_')}"] = 1.0
        if clausal(a):
            features["actor"] = float(bool(a.actor) and a.actor == b.actor)
            features["object"] = self._overlap(frozenset(a.objects), frozenset(b.objects))
            features[f"pair_{'_'.join(sorted((a.value.symbol, b.value.symbol)))}"] = 1.0
            features["words_x"] = min(max(len(x), len(y)), 14) / 14
            features["length_ratio"] = min(len(x), len(y)) / max(len(x), len(y), 1)
        return {name: round(value, 4) for name, value in features.items() if value}

    def soft(self, a: Fact, b: Fact) -> dict[str, float]:
        """Agreement of the attributes by word vectors: "readings" is near "measurements"."""
        if self._words is None:
            return {}
        held = self._soft.get((id(a), id(b)))
        if held is None:
            if len(self._soft) > _MOST_FACTS:
                self._soft.clear()
            near_x = {c: w for c, w in a.attribute.items() if w >= _NEAR}
            near_y = {c: w for c, w in b.attribute.items() if w >= _NEAR}
            found = {
                "soft": self._words.agreement(a.attribute, b.attribute, self._w),
                "soft_near": self._words.agreement(near_x, near_y, self._w),
            }
            held = self._soft[id(a), id(b)] = (a, b, found)
        return held[2]

    def other_object(self, a: Fact, b: Fact) -> bool:
        """Whether two clauses act on different things: "must not share passwords", "may share calendars"."""
        if self._words is None or not a.objects or not b.objects:
            return False
        known_a, known_b = a.attribute.keys() | a.context, b.attribute.keys() | b.context
        left = {c: 1.0 for c in a.objects if c not in known_b}
        right = {c: 1.0 for c in b.objects if c not in known_a}
        if len(left) < len(a.objects) or len(right) < len(b.objects):
            return False
        return self._words.agreement(left, right, self._w) < _OTHER_OBJECT

    def screen(self, features: Mapping[str, float]) -> float:
        """Confidence before the later stages have spoken: what is hopeless here is not looked at again."""
        return _logistic(self._screen, features)

    def screened(self, columns: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        """`screen` of many near passages at once: feature → values. Rounded, so that the same features give the same confidence."""
        z = np.full(len(columns["is_text"]), self._screen.get("text.intercept", 0.0))
        for name, values in columns.items():
            z += self._screen.get(f"text.{name}", 0.0) * values
        found: NDArray[np.float64] = np.round(1.0 / (1.0 + np.exp(-np.clip(z, -30.0, 30.0))), 9)
        return found

    def completed(self, features: Mapping[str, float], more: Mapping[str, float]) -> dict[str, float]:
        """All features of a pair: the first look's, the second look's, and those that need both."""
        found = {**features, **more}
        topic = more.get("topic_context", 0.0)
        found["agree_all"] = features.get("everything", 0.0) * topic
        found["agree_words"] = features.get("attribute", 0.0) * more.get("topic", 0.0)
        found["agree_near"] = features.get("near", 0.0) * topic
        found["agree_contained"] = features.get("contained", 0.0) * topic
        return {name: round(value, 4) for name, value in found.items() if value}

    def confidence(self, features: Mapping[str, float]) -> float:
        """Probability that a careful reader calls it a contradiction."""
        return _logistic(self._weights_for(features), features)

    def contributions(self, features: Mapping[str, float]) -> dict[str, float]:
        """Feature → weight times value, for `audit explain`."""
        prefix, weights = family(features), self._weights_for(features)
        found = {name: round(weights.get(f"{prefix}.{name}", 0.0) * value, 4) for name, value in features.items()}
        found["intercept"] = weights.get(f"{prefix}.intercept", 0.0)
        return found

    def _weights_for(self, features: Mapping[str, float]) -> Mapping[str, float]:
        """The weights of the last look that a pair got."""
        if "closely" in features:
            return self._close
        return self._weights if "reads" in features else self._screen

    def _mass(self, concepts: Iterable[str]) -> float:
        return sum(self._w(c) for c in concepts)

    def _overlap(self, x: frozenset[str] | set[str], y: frozenset[str] | set[str]) -> float:
        """Weighted cosine of two sets."""
        if not x or not y:
            return 0.0
        return self._mass(x & y) / math.sqrt(self._mass(x) * self._mass(y))

    def _coverage(self, part: frozenset[str] | set[str], whole: Iterable[str]) -> float:
        """Share of `part` that `whole` holds."""
        if not part:
            return 0.0
        return self._mass(part & whole if isinstance(whole, frozenset) else part.intersection(whole)) / self._mass(part)


def family(features: Mapping[str, float]) -> str:
    """Which weights apply: "text" without typed values, "clause" for modality, status, direction and polarity, else "value"."""
    if "is_text" in features:
        return "text"
    return "clause" if any(f in features for f in ("is_modality", "is_status", "is_direction", "is_polarity")) else "value"


def _logistic(weights: Mapping[str, float], features: Mapping[str, float]) -> float:
    prefix = family(features)
    z = weights.get(f"{prefix}.intercept", 0.0)
    for name, value in features.items():
        z += weights.get(f"{prefix}.{name}", 0.0) * value
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, z))))


def _row_key(statement: Statement) -> str:
    return " ".join(statement.row_key.strip(" *_`").lower().split()) if statement.kind in {BlockKind.ROW, BlockKind.FIELD} else ""


def _other_numbers(statement: Statement, fact: Fact) -> int:
    """Groups of digits outside the value: lists of numbers pair up badly."""
    return _numbers(statement.text[: fact.start] + " " + statement.text[fact.end :])


@lru_cache(maxsize=100_000)
def _numbers(text: str) -> int:
    return sum(c.isdigit() and not p.isdigit() for p, c in zip(" " + text, text, strict=False))
