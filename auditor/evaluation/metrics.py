"""Figures of an evaluation: what was found, what was made up, and what was lost where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from auditor.evaluation.gold import OPEN, SEALED, Gold, GoldPair
from auditor.evaluation.locate import overlaps
from auditor.evaluation.match import LocatedPair, Match, Matching, match_all
from auditor.evaluation.stages import Loss, Stage
from auditor.model import TIER_ORDER, Conflict, ScanResult, Side, Tier

ALL = "all"
LEVELS: Mapping[str, int] = {
    "high": TIER_ORDER[Tier.HIGH],
    "high+medium": TIER_ORDER[Tier.MEDIUM],
    "any": TIER_ORDER[Tier.ADVISORY],
}
"""What a reader may look at: name → the last tier that it holds."""

MAIN = "high+medium"
"""The level that a document owner sees first, and that is measured."""


@dataclass(frozen=True, slots=True)
class Score:
    """`found` of `wanted` contradictions, by `right` findings; `wrong` is None where the gold cannot tell."""

    found: int
    wanted: int
    right: int
    wrong: int | None

    @property
    def precision(self) -> float | None:
        """Share of findings that are right."""
        return None if self.wrong is None else _ratio(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float | None:
        """Share of contradictions that were found."""
        return _ratio(self.found, self.wanted)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of the two; 0 when nothing is right."""
        p, r = self.precision, self.recall
        if p is None or r is None:
            return None
        return 2 * p * r / (p + r) if p + r else 0.0


@dataclass(frozen=True, slots=True)
class Missed:
    """A contradiction that is not in the main list, and why."""

    gold: GoldPair
    loss: Loss


@dataclass(frozen=True, slots=True)
class Alarm:
    """A finding that should not be there: on a pair that is fine (`gold`), or on one that nobody listed (`gold` is None)."""

    conflict: Conflict
    gold: GoldPair | None


@dataclass(frozen=True, slots=True)
class Attribution:
    """Category, rule and winner of what was found, where the gold names them. Pairs of numbers: right, and all."""

    categories: Mapping[tuple[str, str], int]  # (gold, found) → pairs
    rules: tuple[int, int]
    winners: tuple[int, int]
    wrong_rules: Mapping[tuple[str, str], int]  # (gold, found) → pairs


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Everything that is shown. Levels are those of `LEVELS`; a kind is the gold's, of a false finding its own."""

    gold: Gold
    split: str
    left_out: int  # gold pairs of the other split
    scores: Mapping[str, Score]
    kinds: Mapping[str, Mapping[str, Score]]
    negatives: int
    fired: Mapping[str, int]  # level → hard negatives with a finding
    optional: tuple[int, int]  # debatable pairs: found at any tier, all
    right: tuple[Conflict, ...]  # findings that answer to a contradiction
    alarms: tuple[Alarm, ...]
    unjudged: tuple[Conflict, ...]
    missed: tuple[Missed, ...]
    unlocated: tuple[str, ...]  # ids of negatives whose quotes are not there: they prove nothing
    attribution: Attribution


def evaluate(
    result: ScanResult, gold: Gold, located: Sequence[LocatedPair], trace: Callable[[LocatedPair], Loss], split: str = ALL
) -> Evaluation:
    """Hold the findings of a scan against the gold. `trace` says where a pair was lost."""
    matching = match_all(result, located)
    chosen = [pair for pair in located if split in (ALL, pair.gold.split)]
    positives = [p for p in chosen if p.gold.contradiction and not p.gold.optional]
    optional = [p for p in chosen if p.gold.contradiction and p.gold.optional]
    negatives = [p for p in chosen if not p.gold.contradiction]
    judged, unjudged = _judge(result, gold, located, matching, split)
    right = [c for c, listed in judged if listed is not None and listed.contradiction]
    wrong = [Alarm(c, listed) for c, listed in judged if listed is None or not listed.contradiction]
    found = {p.gold.id: matches[0] for p in positives if (matches := matching.by_gold.get(p.gold.id))}
    kind_of = {c.conflict_id: _gold_kind(matching.by_conflict[c.conflict_id]) for c in right}

    def score(wanted: Sequence[LocatedPair], good: Iterable[Conflict], bad: Iterable[Alarm], last: int) -> Score:
        return Score(
            found=sum(_tier(found.get(p.gold.id)) <= last for p in wanted),
            wanted=len(wanted),
            right=sum(TIER_ORDER[c.tier] <= last for c in good),
            wrong=sum(TIER_ORDER[alarm.conflict.tier] <= last for alarm in bad) if gold.complete else None,
        )

    kinds = sorted({p.gold.kind for p in positives} | ({alarm.conflict.kind for alarm in wrong} if gold.complete else set()))
    fired = {p.gold.id: min(_tier(m) for m in matches) for p in negatives if (matches := matching.by_gold.get(p.gold.id))}
    return Evaluation(
        gold=gold,
        split=split,
        left_out=len(located) - len(chosen),
        scores={name: score(positives, right, wrong, last) for name, last in LEVELS.items()},
        kinds={
            kind: {
                name: score(
                    [p for p in positives if p.gold.kind == kind],
                    [c for c in right if kind_of[c.conflict_id] == kind],
                    [alarm for alarm in wrong if alarm.conflict.kind == kind],
                    last,
                )
                for name, last in LEVELS.items()
            }
            for kind in kinds
        },
        negatives=len(negatives),
        fired={name: sum(tier <= last for tier in fired.values()) for name, last in LEVELS.items()},
        optional=(sum(p.gold.id in matching.by_gold for p in optional), len(optional)),
        right=tuple(sorted(right, key=_order)),
        alarms=tuple(sorted(wrong, key=lambda alarm: _order(alarm.conflict))),
        unjudged=tuple(sorted(unjudged, key=_order)),
        missed=tuple(_missed(positives, found, trace)),
        unlocated=tuple(p.gold.id for p in negatives if not (p.spans_a and p.spans_b)),
        attribution=_attribution(found.values()),
    )


def _judge(
    result: ScanResult, gold: Gold, located: Sequence[LocatedPair], matching: Matching, split: str
) -> tuple[list[tuple[Conflict, GoldPair | None]], list[Conflict]]:
    """Findings of this split with the gold pair they answer to, and those on which the gold is silent."""
    judged: list[tuple[Conflict, GoldPair | None]] = []
    unjudged: list[Conflict] = []
    for conflict in result.conflicts:
        matches = matching.by_conflict[conflict.conflict_id]
        pairs = [m.located.gold for m in matches if split in (ALL, m.located.gold.split)]
        if pairs:
            # One finding may answer to several contradictions; that one of them is debatable changes nothing.
            judged.append((conflict, pairs[0]))
        elif matches:
            continue  # of the other split
        elif not gold.complete:
            unjudged.append(conflict)
        elif split in (ALL, split_of(conflict, located)):
            judged.append((conflict, None))
    return judged, unjudged


def split_of(conflict: Conflict, located: Sequence[LocatedPair]) -> str:
    """The split that an unlisted finding belongs to: that of the gold pair one of whose quotes it touches, in doubt the open one.

    A sealed half stays unseen this way, and everything that a person may look at is counted.
    """
    splits = {
        pair.gold.split
        for pair in located
        if any(
            _touches(side, doc, spans)
            for side in (conflict.a, conflict.b)
            for doc, spans in ((pair.gold.doc_a, pair.spans_a), (pair.gold.doc_b, pair.spans_b))
        )
    }
    return SEALED if splits == {SEALED} else OPEN


def _touches(side: Side, doc: str, spans: Sequence[tuple[int, int]]) -> bool:
    return side.doc == doc and any(overlaps((side.char_start, side.char_end), span) for span in spans)


def _missed(positives: Sequence[LocatedPair], found: Mapping[str, Match], trace: Callable[[LocatedPair], Loss]) -> Iterable[Missed]:
    for pair in positives:
        match = found.get(pair.gold.id)
        if match is None:
            yield Missed(pair.gold, trace(pair))
        elif _tier(match) > LEVELS[MAIN]:
            conflict = match.conflict
            yield Missed(
                pair.gold, Loss(Stage.BELOW_TIER, f"scored {conflict.confidence:.2f}, {conflict.tier} ({conflict.conflict_id})")
            )


def _attribution(found: Iterable[Match]) -> Attribution:
    categories: Counter[tuple[str, str]] = Counter()
    wrong_rules: Counter[tuple[str, str]] = Counter()
    right_rules = right_winners = ruled = 0
    for match in found:
        gold, conflict = match.located.gold, match.conflict
        if gold.category:
            categories[gold.category, conflict.category] += 1
        if not gold.rule:
            continue
        rule = conflict.rule_applied[-1] if conflict.rule_applied else ""
        ruled += 1
        right_rules += rule == gold.rule
        right_winners += _winner(match) == gold.winner
        if rule != gold.rule:
            wrong_rules[gold.rule, rule] += 1
    return Attribution(dict(categories), (right_rules, ruled), (right_winners, ruled), dict(wrong_rules))


def _winner(match: Match) -> str:
    """The winning side as the gold counts sides."""
    winner = match.conflict.winner or ""
    return {"a": "b", "b": "a"}.get(winner, "") if match.swapped else winner


def _gold_kind(matches: Sequence[Match]) -> str:
    return matches[0].located.gold.kind


def _tier(match: Match | None) -> int:
    return len(TIER_ORDER) if match is None else TIER_ORDER[match.conflict.tier]


def _order(conflict: Conflict) -> tuple[int, float, str]:
    return TIER_ORDER[conflict.tier], -conflict.confidence, conflict.conflict_id


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
