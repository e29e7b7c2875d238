"""The looks after typed comparison, each dearer than the one before and given only what the one before left in doubt.

Pairs whose values disagree get a second look (`SecondLook`: better vectors, the quick reader). Near passages without comparable values
(`OpenWording`) are screened by cheap features and read by the quick reader. What still looks like a contradiction is read by the close
reader. How much is read, `[reading]` in `rules/score.toml` says; who stays below a floor keeps the confidence of the look before.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import TypeAlias

from auditor.cache import Cache
from auditor.compare import Compared, Judge
from auditor.detect.reasons import COMPATIBLE, EQUAL, EXAMPLE, EXCEPTION, HISTORY, PLAN, SCOPE
from auditor.embed.reader import CloseReader, PairReader, close_reader, pair_reader
from auditor.model import Fact, Finding, Rejection, Statement
from auditor.open_wording import OpenWording
from auditor.ports import Encoder
from auditor.readings import Readings
from auditor.second_look import SecondLook
from auditor.topic_vectors import TopicVectors

Pair: TypeAlias = tuple[int, int]
Progress: TypeAlias = Callable[[str, int, int], None]
_APART = frozenset([EXCEPTION, SCOPE, PLAN, HISTORY, EXAMPLE])  # reasons that hold for the passages, whatever a model makes of them
QUICK, CLOSE = "reads", "closely"  # prefixes of features


class Looks:
    """All looks of one scan. `opened` are the pairs whose values disagree, `facts` is indexed by statement; for `unread` see `OpenWording`, for
    `foreign` `Readings`."""

    def __init__(
        self,
        judge: Judge,
        statements: Sequence[Statement],
        facts: Sequence[Sequence[Fact]],
        opened: Sequence[tuple[int, int, Sequence[Compared]]],
        agreements: Sequence[Pair],
        encoder: str | Encoder = "minilm",
        cache: Cache | None = None,
        similarity: Callable[[int, int], float] = lambda i, j: 0.0,
        unread: Container[int] = frozenset(),
        foreign: Container[int] = frozenset(),
    ) -> None:
        self._judge = judge
        self._statements = statements
        self._facts = facts
        self._opened = opened
        self._similarity = similarity
        self._vectors = TopicVectors(statements, encoder, cache)
        self.quick = Readings(statements, pair_reader, PairReader.hashes(), cache, foreign)
        self.close = Readings(statements, close_reader, CloseReader.hashes(), cache, foreign)
        self.second = SecondLook(statements, opened, agreements, self._vectors, self.quick)
        self.wording = OpenWording(statements, facts, self._vectors, unread)
        self.near = 0  # pairs of near passages without comparable values
        self.read = 0  # of them, those that the quick reader read
        self.unsought = 0  # readable statements, where they were too many to look for near passages
        self.closely = 0  # pairs that the close reader read

    def hashes(self) -> dict[str, str]:
        """Model hashes of the models that were needed."""
        return self._vectors.hashes() | self.quick.hashes() | self.close.hashes()

    def typed(self, via: Callable[[int, int], tuple[str, ...]], report: Progress) -> list[Finding]:
        """Findings among the pairs whose values disagree."""
        self.second.prepare(report)
        seen = [(i, j, compared, *self.second.features(i, j)) for i, j, compared in self._opened]
        sure = [max(c.confidence for c in self._judge.rescored(compared, more)) for _, _, compared, more, _ in seen]
        self._read_closely([(i, j) for i, j, *_ in seen], sure, report, rivals=0)
        found: list[Finding] = []
        for i, j, compared, more, topic in seen:
            closer = more | (self.close.features(i, j, CLOSE) if (i, j) in self.close else {})
            found += self._judge.conclude(self._statements[i], self._statements[j], compared, closer, topic, via(i, j))[0]
        return found

    def open_wording(self, report: Progress) -> list[Finding]:
        """Findings among near passages that no detector could compare."""
        bounds = self._judge.rules.score.reading
        if (count := len(self.wording.readable())) > bounds.open_statements:
            self.unsought = count
            return []
        most = round(max(bounds.open_least, bounds.open_share * len(self._statements)))
        near = [p for p in self.near_passages(lambda done, of: report("topic", done, of)) if self._comparable(*p)]
        self.near = len(near)
        columns = self.wording.columns(near)
        screened = self._judge.features.screened(columns).tolist()
        chosen = sorted(n for n in _likeliest(screened, most, bounds.open_floor))
        typed = {n: self._rejections(*near[n]) for n in chosen}
        chosen = [n for n in chosen if not _set_apart(typed[n])]
        features = dict(zip(chosen, self.wording.rows(columns, chosen), strict=True))
        pairs = [near[n] for n in chosen]
        self.read = len(pairs)
        self.quick.add(pairs, lambda done, of: report("read", done, of), rivals=1)
        known = [
            features[n] | _typed_features(typed[n]) | self.quick.features(*p, QUICK, 1) for p, n in zip(pairs, chosen, strict=True)
        ]
        sure = [self._judge.features.confidence(f) for f in known]
        self._read_closely(pairs, sure, report, rivals=1)
        found: list[Finding] = []
        for pair, own in zip(pairs, known, strict=True):
            closer = own | (self.close.features(*pair, CLOSE, 1) if pair in self.close else {})
            found += self._judge.read(self._statements[pair[0]], self._statements[pair[1]], closer)[0]
        return found

    def near_passages(self, report: Callable[[int, int], None] = lambda done, total: None) -> list[Pair]:
        """Pairs of near passages whose values do not disagree, sorted; see `OpenWording.nearest`."""
        return self.wording.nearest({(i, j) for i, j, _ in self._opened}, self._judge.features.screened, report, self._comparable)

    def judge(
        self, i: int, j: int, compared: Sequence[Compared], rejections: Sequence[Rejection], via: tuple[str, ...] = ()
    ) -> tuple[list[Finding], list[Rejection]]:
        """All looks at one pair, `i` < `j`, for whoever asks about it; what the typed comparison said is given."""
        sa, sb = self._statements[i], self._statements[j]
        floor = self._judge.rules.score.reading.close_floor
        if compared:
            more, topic = self.second.features(i, j)
            if (i, j) in self.close or max(c.confidence for c in self._judge.rescored(compared, more)) >= floor:
                more |= self.close.features(i, j, CLOSE)
            return self._judge.conclude(sa, sb, compared, more, topic, via)
        if not self._comparable(i, j) or _set_apart(rejections):
            return [], []
        own = _typed_features(rejections) | self.wording.features(i, j)
        if self._judge.features.screen(own) < self._judge.rules.score.reading.open_floor:
            return self._judge.read(sa, sb, own)
        own |= self.quick.features(i, j, QUICK, 1)
        if (i, j) in self.close or self._judge.features.confidence(own) >= floor:
            own |= self.close.features(i, j, CLOSE, 1)
        return self._judge.read(sa, sb, own)

    def typed_features(self, i: int, j: int) -> dict[str, float]:
        """What typed comparison found compatible in a pair, as features."""
        return _typed_features(self._rejections(i, j))

    def _comparable(self, i: int, j: int) -> bool:
        """Whether two statements without comparable values may be held against each other."""
        if i in self.wording.unread or j in self.wording.unread:
            return False
        sa, sb = self._statements[i], self._statements[j]
        return not self._judge.bars(sa, sb) and not self._judge.excuses(sa, sb)

    def _rejections(self, i: int, j: int) -> list[Rejection]:
        judge = self._judge
        sides = self._statements[i], self._statements[j]
        classes = judge.classes(self._facts[i]), judge.classes(self._facts[j])
        return judge.compare(*sides, *classes, self._similarity(i, j))[1]

    def _read_closely(self, pairs: Sequence[Pair], sure: Sequence[float], report: Progress, rivals: int) -> None:
        bounds = self._judge.rules.score.reading
        most = max(bounds.close_least, bounds.close_share * len(self._statements))
        chosen = [pairs[n] for n in sorted(_likeliest(sure, most, bounds.close_floor))]
        self.close.add(chosen, lambda done, of: report("close", done, of), rivals=rivals)
        self.closely += sum(pair in self.close for pair in chosen)


def _set_apart(rejections: Iterable[Rejection]) -> bool:
    """Whether typed comparison found that the two sides do not speak of one case."""
    return any(r.reason in _APART for r in rejections)


def _typed_features(rejections: Iterable[Rejection]) -> dict[str, float]:
    """What typed comparison found compatible in a pair: values that agree, and values that something sets apart."""
    reasons = {r.reason for r in rejections}
    found = {"agrees": float(EQUAL in reasons), "set_apart": float(bool(reasons - {EQUAL, COMPATIBLE}))}
    return {name: value for name, value in found.items() if value}


def _likeliest(confidence: Sequence[float], most: float, floor: float) -> list[int]:
    """Positions of what lies at or above the floor, the surest first, no more than `most`."""
    ranked = sorted((n for n, c in enumerate(confidence) if c >= floor), key=lambda n: (-confidence[n], n))
    return ranked[: round(most)]
