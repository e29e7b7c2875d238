"""The rules that suggest which value of a cluster to follow, in the order in which they are tried.

A rule looks at the values still standing and says which of them remain, and why. The first rule that leaves one value
decides; a rule that rules out some of them hands the rest on. Adding a rule is a class and a line in `RULES`.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from auditor.config import OwnerRule as RuleConfig
from auditor.globs import match_document
from auditor.model import Document
from auditor.resolve.cluster import SOURCE_RANK, Cluster
from auditor.resolve.scopes import slots, years
from auditor.text.words import stem, tokens


@dataclass(frozen=True, slots=True)
class Case:
    """A cluster before the rules."""

    cluster: Cluster
    documents: Mapping[str, Document]
    configured: Sequence[RuleConfig]
    as_of: date

    def held_by(self, value: str) -> list[Document]:
        """Documents that hold a value, sorted by name."""
        return [self.documents[name] for name in self.cluster.holdings[value].documents]

    def name(self, value: str) -> str:
        """A value as a reader knows it."""
        return f"“{self.cluster.holdings[value].value}”"

    def one_document(self, alive: Iterable[str]) -> bool:
        """Whether all passages stand in the same document."""
        return len({name for value in alive for name in self.cluster.holdings[value].documents}) == 1

    def opposed(self, alive: Iterable[str]) -> bool:
        """Whether some finding holds two of these values against each other."""
        among = set(alive)
        return any(value_a in among and value_b in among for value_a, value_b in self.cluster.values)

    def archived(self, value: str) -> bool:
        """Whether only archives hold the value; such a value never wins."""
        return all(document.tier == "archive" for document in self.held_by(value))

    def plural(self, alive: Sequence[str], noun: str = "document") -> str:
        """ "both documents" or "all documents"."""
        count = len({name for value in alive for name in self.cluster.holdings[value].documents})
        return f"{'both' if count == 2 else 'all'} {noun}s"


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a rule makes of the values: which remain, why, and whether the matter ends here without a winner."""

    remaining: tuple[str, ...]
    reason: str
    final: bool = False


class Rule(Protocol):
    """One way to separate values."""

    name: str

    def apply(self, case: Case, alive: tuple[str, ...]) -> Ruling:
        """Judge the values in `alive` (two or more). Declining is to let all of them remain, with the reason."""
        ...


class OwnerRule:
    """The owner's configuration says which of two groups of documents takes precedence."""

    name = "owner_rule"

    def apply(self, case: Case, alive: tuple[str, ...]) -> Ruling:
        """Rules out a value when a configured rule prefers a document of another value, and none the other way round."""
        beats: dict[tuple[str, str], str] = {}
        archived = False
        for winner in alive:
            for loser in alive:
                for preferred in case.held_by(winner) if winner != loser else ():
                    for other in case.held_by(loser):
                        rule = first_rule(case.configured, preferred.doc_id, other.doc_id, case.cluster.topics)
                        if rule is None or not _prefers(rule, preferred.doc_id, other.doc_id):
                            continue
                        if preferred.tier == "archive":
                            archived = True
                            continue
                        beats.setdefault((winner, loser), f"{rule.prefer} is preferred to {_opposite(rule)}")
        if not beats:
            reason = "an archived document never wins" if archived else f"no configured rule covers {case.plural(alive)}"
            return Ruling(alive, "both passages are in the same document" if case.one_document(alive) else reason)
        remaining = _unbeaten(alive, beats)
        if not remaining or remaining == alive:
            return Ruling(alive, "the configured rules contradict each other")
        return Ruling(remaining, "; ".join(sorted(set(beats.values()))))


class PresentBoth:
    """The documents' own recommendations or judgements differ: an opinion has no winner."""

    name = "present_both"
    reason = "the passages recommend or judge differently"

    def apply(self, case: Case, alive: tuple[str, ...]) -> Ruling:
        """Ends the matter when everything in the cluster is opinion."""
        if all(finding.opinion for finding in case.cluster.findings):
            return Ruling(alive, self.reason, final=True)
        return Ruling(alive, "")  # nothing to say: that facts are no opinions is not worth a line


class AuthoritativeSource:
    """The collection of higher tier is followed: primary, secondary, tertiary. An archive never wins."""

    name = "authoritative_source"

    def apply(self, case: Case, alive: tuple[str, ...]) -> Ruling:
        """Keeps the values that a document of the highest tier holds."""
        if case.one_document(alive):
            return Ruling(alive, "both passages are in the same document")
        best = {value: min((d.tier for d in case.held_by(value)), key=_rank) for value in alive}
        top = min(best.values(), key=_rank)
        if top == "archive":
            return Ruling(alive, f"{case.plural(alive)} are archived")
        remaining = tuple(value for value in alive if best[value] == top)
        if len(remaining) == len(alive):
            return Ruling(
                alive, f"{case.plural(alive)} are {top}" if self._level(case, alive) else f"each value stands in a {top} document"
            )
        below = sorted({best[value] for value in alive if best[value] != top}, key=_rank)
        return Ruling(remaining, f"{top} is above {' and '.join(below)}")

    @staticmethod
    def _level(case: Case, alive: tuple[str, ...]) -> bool:
        return len({document.tier for value in alive for document in case.held_by(value)}) == 1


class Timestamp:
    """The later date that documents state about themselves is followed; a dated document before an undated one.

    The date from which a document holds counts before the date on which it was published. File and version control times never do.
    """

    name = "timestamp"

    def apply(self, case: Case, alive: tuple[str, ...]) -> Ruling:
        """Keeps the values of the latest document, if that is the latest word on the same period and in force."""
        if case.one_document(alive):
            return Ruling(alive, "both passages are in the same document")
        if all(case.archived(value) for value in alive):
            return Ruling(alive, "an archived document never wins")
        dates = {value: _latest(case.held_by(value)) for value in alive}
        dated = sorted(day for day in dates.values() if day is not None)
        if not dated:
            return Ruling(alive, "neither document is dated" if len(alive) == 2 else "no document is dated")
        if dated[-1] > case.as_of:
            return Ruling(alive, f"{dated[-1]} is after {case.as_of}: not yet in force")
        remaining = tuple(value for value in alive if dates[value] == dated[-1])
        if len(remaining) == len(alive):
            return Ruling(alive, f"{case.plural(alive)} are of {dated[-1]}")
        if period := self._other_period(case, alive, remaining, dates):
            return Ruling(alive, period)
        if len(dated) == 1 or dated[0] == dated[-1]:
            return Ruling(
                remaining, f"dated {dated[-1]}, the other is undated" if len(alive) == 2 else f"only {dated[-1]} is stated"
            )
        others = sorted({day for day in dated if day != dated[-1]}, reverse=True)
        return Ruling(remaining, f"{dated[-1]} is later than {others[0]}")

    @staticmethod
    def _other_period(case: Case, alive: tuple[str, ...], latest: tuple[str, ...], dates: Mapping[str, date | None]) -> str:
        """Why the latest document is not the latest word on the matter; "" when it is."""
        periods = {value: _periods(case, value) for value in alive}
        if len({words for words in periods.values() if words}) > 1:
            return f"the statements are about different periods ({', '.join(sorted(set().union(*periods.values())))})"
        mine = years(word for value in latest for word in periods[value])
        general = [dates[value] for value in alive if value not in latest and not periods[value]]
        if mine and any(day is not None and max(mine) < day.year for day in general):
            named = sorted(set().union(*(periods[value] for value in latest)))
            return f"the later document speaks about an earlier period ({', '.join(named)})"
        return ""


class Specificity:
    """The passage that names the condition or the exception is followed where the other is silent about it."""

    name = "specificity"

    def apply(self, case: Case, alive: tuple[str, ...]) -> Ruling:
        """Rules out the values of general passages, if only one side of the findings names a scope."""
        if all(case.archived(value) for value in alive):
            return Ruling(alive, "an archived document never wins")
        beats: dict[tuple[str, str], str] = {}
        for finding, (value_a, value_b) in zip(case.cluster.findings, case.cluster.values, strict=True):
            if value_a not in alive or value_b not in alive or not finding.one_sided or finding.specific not in ("a", "b"):
                continue
            pair = (value_a, value_b) if finding.specific == "a" else (value_b, value_a)
            beats.setdefault(pair, f"only {case.name(pair[0])} names {' and '.join(finding.one_sided)}")
        remaining = _unbeaten(alive, beats)
        if not beats:
            return Ruling(alive, "both statements are equally general" if len(alive) == 2 else "the statements are equally general")
        if not remaining or remaining == alive:
            return Ruling(alive, "each statement names a condition that the other does not")
        return Ruling(remaining, "; ".join(sorted(set(beats.values()))))


class Escalate:
    """No rule separates the values: somebody who knows the subject decides."""

    name = "escalate"

    def apply(self, case: Case, alive: tuple[str, ...]) -> Ruling:
        """Always ends the matter."""
        return Ruling(alive, f"no rule separates {', '.join(sorted(case.name(value) for value in alive))}", final=True)


RULES: tuple[Rule, ...] = (OwnerRule(), PresentBoth(), AuthoritativeSource(), Timestamp(), Specificity(), Escalate())


@dataclass(frozen=True, slots=True)
class Decision:
    """The winning value of a cluster, which rule ruled out each other one, and what each rule said, in order.

    Several values win together where nothing holds them against each other: three cells of the newest document, of which each
    contradicts an old page. No value wins where the rules could not separate all that exclude each other.
    """

    winners: frozenset[str]
    ruled_out: Mapping[str, str]
    trace: tuple[tuple[str, str], ...]


def decide(case: Case, rules: Sequence[Rule] = RULES) -> Decision:
    """Try the rules in order until no two values remain that exclude each other."""
    alive = tuple(sorted(case.cluster.holdings))
    ruled_out: dict[str, str] = {}
    trace: list[tuple[str, str]] = []
    for rule in rules:
        if not case.opposed(alive):
            break
        ruling = rule.apply(case, alive)
        if ruling.reason:
            trace.append((rule.name, ruling.reason))
        if ruling.final:
            return Decision(frozenset(), ruled_out, tuple(trace))
        ruled_out.update((value, rule.name) for value in alive if value not in ruling.remaining)
        alive = ruling.remaining
    return Decision(frozenset(alive), ruled_out, tuple(trace))


# -- configured rules --------------------------------------------------------------------------------------------------------------


def first_rule(configured: Iterable[RuleConfig], doc_a: str, doc_b: str, topics: Iterable[str]) -> RuleConfig | None:
    """The first configured rule about these two documents and one of these topics."""
    if doc_a == doc_b:
        return None
    return next((rule for rule in configured if rule.covers(doc_a, doc_b) and on_topic(rule.topic, topics)), None)


def on_topic(topic: str | None, names: Iterable[str]) -> bool:
    """Whether a topic fits a name of the fact: as a glob, or all its words in any form ("returns" fits "return window")."""
    if topic is None:
        return True
    words = {token.stem for token in tokens(topic)} or {stem(topic.casefold())}
    return any(fnmatch.fnmatchcase(name.casefold(), topic.casefold()) or words <= {t.stem for t in tokens(name)} for name in names)


def _prefers(rule: RuleConfig, preferred: str, other: str) -> bool:
    """Whether the rule prefers the first document; a document that belongs to both groups is in neither's favour."""
    return rule.prefer is not None and match_document(rule.prefer, preferred) and not match_document(rule.prefer, other)


def _opposite(rule: RuleConfig) -> str:
    return rule.between[1] if rule.prefer == rule.between[0] else rule.between[0]


# -- small things ------------------------------------------------------------------------------------------------------------------


def own_date(document: Document) -> date | None:
    """The date that counts for a document: from when it holds, else when it was published."""
    stated = document.effective or document.published
    return stated.value if stated is not None else None


def _latest(documents: Iterable[Document]) -> date | None:
    # An archived copy does not make a value newer.
    return max((day for d in documents if d.tier != "archive" and (day := own_date(d)) is not None), default=None)


def _periods(case: Case, value: str) -> frozenset[str]:
    words = (word for claim in case.cluster.holdings[value].claims for word in slots(claim.scope).get("period", ()))
    return frozenset(word.removeprefix("fy") for word in words)  # as the comparison does: "fy2023" may be 2023


def _unbeaten(alive: tuple[str, ...], beats: Mapping[tuple[str, str], str]) -> tuple[str, ...]:
    """Values that no other beats, a mutual defeat counting for nothing."""
    beaten = {loser for winner, loser in beats if (loser, winner) not in beats}
    return tuple(value for value in alive if value not in beaten)


def _rank(tier: str) -> int:
    return SOURCE_RANK.get(tier, SOURCE_RANK["secondary"])
