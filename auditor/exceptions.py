"""Exceptions that a section states: "Exception: electronics ...", "This does not apply to sale items", "goods other than food".

A rule is not contradicted by what its own section excepts, even where the exception stands in another sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from auditor.model import Fact, Statement
from auditor.text.words import tokens

_OPENING = re.compile(r"^\W*(?:exceptions?|exemptions?)\s*[:–—-]\s*(?P<rest>.{3,80})", re.I)
_INSIDE = re.compile(
    r"\b(?:except(?:ion)?(?:\s+(?:for|that|in|of|is|are|when))?|excluding|other than|apart from|does not apply to|do not apply to|not (?:valid|available) for|exempt(?:ed)?\s+from\s+this\s+(?:is|are))\s+(?P<rest>[^.;()]{3,80})",
    re.I,
)
_YIELDS = re.compile(
    r"\bunless\s+(?:otherwise\s+\w+|(?:it\s+is\s+)?(?:agreed|stated|specified)\s+otherwise|"
    r"(?:(?:the|your|our|its|their|an?|any|local|another)\s+)?(?:[\w-]+\s+){0,3}?"
    r"(?:agreements?|contracts?|polic(?:y|ies)|rules?|laws?|regulations?|orders?|schedules?|addend(?:um|a)|annex(?:es)?|offers?|"
    r"documents?|terms|manuals?|labels?|datasheets?|managers?)\s+(?:names?|says?|states?|provides?|specif(?:y|ies)|sets?|requires?|allows?|"
    r"agrees?|prescribes?|demands?|differs?|asks?)\b)",
    re.I,
)
_DEVIATES = re.compile(
    r"\b(?:in deviation from|by way of (?:an )?exception|as an exception|by derogation from|in derogation (?:of|from)|notwithstanding|"
    r"(?:contrary to|unlike|other than in|different from) (?:our|the|its|their) (?:usual|general|standard|ordinary|normal)\b)",
    re.I,
)
_END = re.compile(
    r"\b(?:can|may|must|shall|will|is|are|have|has|which|that|who|where|need|needs|within|for|up to|only|if|when)\b", re.I
)
MAX_WORDS = 4
SHARE = 0.6
"""Of the excepted words that the other side has to name."""


def stated_exceptions(statements: Iterable[Statement], concept: Callable[[str], str]) -> dict[str, list[frozenset[str]]]:
    """Section (chunk id) → the things that it excepts, as sets of concepts."""
    found: dict[str, list[frozenset[str]]] = {}
    for statement in statements:
        own = statement.text[statement.body :]
        for match in (_OPENING.search(own), _INSIDE.search(own)):
            if match is None:
                continue
            rest = _END.split(match["rest"], maxsplit=1)[0]
            words = [concept(t.stem) for t in tokens(rest) if not t.is_stop and not t.is_number][:MAX_WORDS]
            if words:
                found.setdefault(statement.chunk_id, []).append(frozenset(words))
    return found


class StatedExceptions:
    """Looks facts up among the exceptions that sections state."""

    def __init__(self, by_chunk: Mapping[str, list[frozenset[str]]]) -> None:
        self._by_chunk = by_chunk

    def between(self, a: Fact, b: Fact, sa: Statement, sb: Statement) -> str:
        """The exception of one section that the other side is about, "" if there is none."""
        for one, other, statement in ((a, b, sa), (b, a, sb)):
            for excepted in self._by_chunk.get(statement.chunk_id, ()):
                mine, theirs = _known(one, own=True), _known(other)
                if excepted <= mine:
                    continue  # the sentence is itself about the exception
                if len(excepted & theirs) >= SHARE * len(excepted):
                    return ", ".join(sorted(excepted))
        return ""

    def named(self, sa: Statement, sb: Statement, concept: Callable[[str], str]) -> bool:
        """Whether the section of one statement excepts what the other one is about, whatever facts they hold."""
        for one, other in ((sa, sb), (sb, sa)):
            excepted = self._by_chunk.get(one.chunk_id)
            if excepted and other.chunk_id != one.chunk_id:
                known = {concept(t.stem) for t in tokens(f"{other.title} {' '.join(other.heading)} {other.text}")}
                if any(len(words & known) >= SHARE * len(words) for words in excepted):
                    return True
        return False


def yields(sa: Statement, sb: Statement) -> bool:
    """Whether one of two documents gives way to others by its own words: "within 72 hours, unless the contract names a shorter period";
    or says itself that it departs from what is said elsewhere: "in deviation from the general terms".
    """
    if sa.doc_id == sb.doc_id:
        return False
    return any(pattern.search(s.text, s.body) for s in (sa, sb) for pattern in (_YIELDS, _DEVIATES))


def _known(fact: Fact, *, own: bool = False) -> frozenset[str]:
    words: Mapping[str, float] = fact.attribute
    return frozenset(words) | fact.names | (frozenset() if own else fact.context)
