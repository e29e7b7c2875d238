"""Evaluation on bare pairs of texts: comparison alone, without documents and without blocking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from auditor.detect.reasons import ALIGNED, EQUAL, SCORE, UNRELATED
from auditor.errors import UserError
from auditor.evaluation.gold import is_contradiction, read_jsonl, text_of
from auditor.evaluation.metrics import LEVELS, MAIN, Score
from auditor.model import TIER_ORDER, Finding, Rejection
from auditor.rulepack import RulePack

_SAYS_LITTLE = (UNRELATED, EQUAL, ALIGNED)  # reasons that come last when another one is there


@dataclass(frozen=True, slots=True)
class TextPair:
    """Two texts and whether they contradict each other. `group` is the domain, or the file where none is given."""

    id: str
    text_a: str
    text_b: str
    contradiction: bool
    title_a: str = ""
    title_b: str = ""
    heading_a: str = ""
    heading_b: str = ""
    kind: str = ""
    group: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the comparison says of a pair."""

    pair: TextPair
    finding: Finding | None  # the surest
    rejections: tuple[Rejection, ...]

    @property
    def tier(self) -> int:
        """Rank of the tier; beyond the last one when nothing was found."""
        return len(TIER_ORDER) if self.finding is None else TIER_ORDER[self.finding.tier]

    @property
    def why_not(self) -> str:
        """Why nothing was found, or not enough."""
        if self.finding is not None:
            return f"scored {self.finding.confidence:.2f}, {self.finding.tier}"
        if not self.rejections:
            return "no comparable facts"
        if scored := [r for r in self.rejections if r.reason == SCORE]:
            best = max(scored, key=lambda r: r.confidence)
            return f"scored {best.confidence:.2f} by {best.detector}: {best.detail}"
        best = min(self.rejections, key=lambda r: r.reason in _SAYS_LITTLE)
        return f"{best.reason} ({best.detector}): {best.detail}"


Judge: TypeAlias = Callable[[TextPair], tuple[Sequence[Finding], Sequence[Rejection]]]


@dataclass(frozen=True, slots=True)
class PairScore:
    """Figures over some pairs at one level."""

    score: Score
    negatives: int

    @property
    def false_positive_rate(self) -> float | None:
        """Share of the pairs without a contradiction in which one was found."""
        return (self.score.wrong or 0) / self.negatives if self.negatives else None


@dataclass(frozen=True, slots=True)
class PairEvaluation:
    """Everything that is shown. `reasons`: why a pair is fine → (such pairs, those with a finding in the main list)."""

    outcomes: tuple[Outcome, ...]
    levels: Mapping[str, PairScore]
    kinds: Mapping[str, PairScore]
    groups: Mapping[str, PairScore]
    reasons: Mapping[str, tuple[int, int]]
    lost: Mapping[str, int]  # what a missed contradiction was lost to → how many

    @property
    def misses(self) -> tuple[Outcome, ...]:
        """Contradictions that are not in the main list."""
        return tuple(o for o in self.outcomes if o.pair.contradiction and o.tier > LEVELS[MAIN])

    @property
    def false(self) -> tuple[Outcome, ...]:
        """Findings of the main list that are none, the surest first."""
        wrong = (o for o in self.outcomes if not o.pair.contradiction and o.tier <= LEVELS[MAIN])
        return tuple(sorted(wrong, key=lambda o: -(o.finding.confidence if o.finding else 0.0)))


def pair_judge(rules: RulePack | None = None, encoder: str = "static") -> Judge:
    """A judge of bare pairs that loads its models once. Raises `UserError` for an unknown encoder."""
    from auditor.embed import get_encoder
    from auditor.pair import judge_pair

    vectors, topics = get_encoder(encoder), get_encoder("minilm")

    def judge(pair: TextPair) -> tuple[Sequence[Finding], Sequence[Rejection]]:
        return judge_pair(
            pair.text_a,
            pair.text_b,
            title_a=pair.title_a,
            title_b=pair.title_b,
            heading_a=pair.heading_a,
            heading_b=pair.heading_b,
            rules=rules,
            encoder=vectors,
            topic_encoder=topics,
        )

    return judge


def read_pairs(files: Iterable[Path]) -> list[TextPair]:
    """Read pairs from JSON lines files. Raises `UserError` naming file and line."""
    pairs: list[TextPair] = []
    for file in files:
        before = len(pairs)
        for number, (where, row) in enumerate(read_jsonl(file), start=1):
            texts = {
                key: text_of(row, key, where, "") for key in ("title_a", "title_b", "heading_a", "heading_b", "kind", "reason")
            }
            pairs.append(
                TextPair(
                    id=text_of(row, "id", where, f"{file.stem}:{number}"),
                    text_a=text_of(row, "text_a", where),
                    text_b=text_of(row, "text_b", where),
                    contradiction=is_contradiction(row, where),
                    group=text_of(row, "domain", where, "") or file.stem,
                    **texts,
                )
            )
        if len(pairs) == before:
            raise UserError(f"{file} holds no pairs")
    return pairs


def evaluate_pairs(
    pairs: Sequence[TextPair], judge: Judge, progress: Callable[[str, int, int], None] | None = None
) -> PairEvaluation:
    """Compare every pair and count."""
    outcomes: list[Outcome] = []
    for number, pair in enumerate(pairs):
        if progress is not None:
            progress("compare", number, len(pairs))
        findings, rejections = judge(pair)
        best = min(findings, key=lambda f: (TIER_ORDER[f.tier], -f.confidence), default=None)
        outcomes.append(Outcome(pair, best, tuple(rejections)))
    main = LEVELS[MAIN]
    reasons: dict[str, tuple[int, int]] = {}
    for outcome in outcomes:
        if not outcome.pair.contradiction:
            total, fired = reasons.get(outcome.pair.reason or "–", (0, 0))
            reasons[outcome.pair.reason or "–"] = (total + 1, fired + (outcome.tier <= main))
    return PairEvaluation(
        outcomes=tuple(outcomes),
        levels={name: _score(outcomes, last) for name, last in LEVELS.items()},
        kinds={kind: _score([o for o in outcomes if o.pair.kind == kind], main) for kind in sorted({p.kind for p in pairs})},
        groups={group: _score([o for o in outcomes if o.pair.group == group], main) for group in sorted({p.group for p in pairs})},
        reasons=dict(sorted(reasons.items(), key=lambda item: (-item[1][1], -item[1][0], item[0]))),
        lost=dict(Counter(_lost_to(o) for o in outcomes if o.pair.contradiction and o.tier > main).most_common()),
    )


def _lost_to(outcome: Outcome) -> str:
    if outcome.finding is not None:
        return outcome.finding.tier
    if not outcome.rejections:
        return "no comparable facts"
    if any(r.reason == SCORE for r in outcome.rejections):
        return SCORE
    return min(outcome.rejections, key=lambda r: r.reason in _SAYS_LITTLE).reason


def _score(outcomes: Sequence[Outcome], last: int) -> PairScore:
    right = sum(o.pair.contradiction and o.tier <= last for o in outcomes)
    wrong = sum(not o.pair.contradiction and o.tier <= last for o in outcomes)
    wanted = sum(o.pair.contradiction for o in outcomes)
    return PairScore(Score(found=right, wanted=wanted, right=right, wrong=wrong), negatives=len(outcomes) - wanted)
