"""Scope: what a fact holds for, slot by slot, read from the sentence outwards.

The nearest place that fills a slot wins: sentence, then lead-in, row key and column, then headings from the inside out, then the
title, then what the configuration says of the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from auditor.extract.dates import find_periods
from auditor.extract.mentions import Taken
from auditor.model import Statement
from auditor.rulepack import RulePack, Slot
from auditor.text.words import content_stems, tokens

_CONDITION = re.compile(
    r"(?<![\w-])(?:if|when|whenever|after|following|before|provided that|in case of|in the event of|in the event that|where|once(?!\s+(?:a|an|per|every|each|in)\b)|during|while|as long as|for (?=orders?|purchases?|requests?|amounts?|projects?|claims?|accounts?|transactions?|employees?|customers?|users?|patients?|items?|trips?|contracts?)|with (?=a valid|prior|written)|without|upon|subject to|on request)\s+(?P<rest>[^,;.:()]{3,80})",
    re.I,
)
_EXCEPTION = re.compile(
    r"(?<!\w)(?:except(?: for| that| in| when)?|excluding|other than|apart from|with the exception of|unless|exempt(?:ed)? from|does not apply to|do not apply to|notwithstanding)\s+(?P<rest>[^;.()]{3,80})",
    re.I,
)
_AGED = re.compile(
    r"(?:aged?|ages?|over|under|older than|younger than|above|below|between|from the age of)\s+(?:the age of\s+)?(?P<low>\d{1,3})(?:\s*(?:-|–|to|and)\s*(?P<high>\d{1,3}))?(?:\s*(?:years?|yrs?|months?)\b(?:\s*(?:old|of age))?)|(?P<plus>\d{2})\+(?!\w)|(?:aged?|ages?)\s+(?P<plus2>\d{1,3})\s+(?:and|or)\s+(?:over|older|above|up)|(?:child|children|kids|adults|people|persons|anyone|those|guests|visitors|passengers|patients)\s+(?P<rel>under|over|below|above)\s+(?P<l5>\d{1,3})|(?P<l2>\d{1,3})\s*(?:-|–|to)\s*(?P<h2>\d{1,3})\s+years?\s+(?:old|of age)|aged\s+(?P<l3>\d{1,3})(?:\s*(?:-|–|to)\s*(?P<h3>\d{1,3}))?|(?P<l4>\d{1,3})[- ]year[- ]olds?",
    re.I,
)


# "All employees", "every integration partner": the widest audience there is, no narrowing.
_EVERYBODY = re.compile(r"\b(?:all|every|any|each)\s+(?:of\s+(?:the|our)\s+)?(?:[\w-]+\s+)?$", re.I)
_VERB = re.compile(
    r"\b(?:can|may|must|shall|will|is|are|was|were|has|have)\b", re.I
)  # what follows is the rule again, not the exception
# What a condition says of time: "during probation" and "once probation is over" share their words and exclude each other.
_MARKERS = {
    "during": "during",
    "while": "during",
    "once": "after",
    "upon": "after",
    "after": "after",
    "following": "after",
    "before": "before",
    "without": "without",
    "unless": "unless",
}


class ScopeReader:
    """Compiled from `scope.toml`."""

    def __init__(self, rules: RulePack) -> None:
        pack = rules.scope
        self._slots: dict[str, tuple[Slot, re.Pattern[str]]] = {}
        for name, slot in pack.slots().items():
            words = sorted(slot.words, key=len, reverse=True)
            self._slots[name] = (
                slot,
                re.compile(r"(?<![\w.@-])(?:" + "|".join(re.escape(w) for w in words) + r")(?![\w-]|\.\w)", re.I),
            )
        sets: list[tuple[str, ...]] = list(pack.contrast.sets)
        self._contrast_sets: dict[str, set[int]] = {}
        self._contrast_forms: dict[str, str] = {}
        for i, group in enumerate(sets):
            for word in group:
                self._contrast_sets.setdefault(word, set()).add(i)
        for word in list(self._contrast_sets):  # "opens" is "open"
            for form in (f"{word}s", f"{word}es", f"{word}d", f"{word}ed"):
                if " " not in word and form not in self._contrast_sets:
                    self._contrast_forms[form] = word
        words = sorted((*self._contrast_sets, *self._contrast_forms), key=len, reverse=True)
        self._contrast_re = re.compile(r"(?<![\w-])(?:" + "|".join(re.escape(w) for w in words) + r")(?![\w-])", re.I)

    @lru_cache(maxsize=100_000)  # noqa: B019 - one reader lives as long as the scan
    def of_text(self, text: str, heading: bool = False) -> Mapping[str, frozenset[str]]:
        """Slots that a piece of text fills."""
        found: dict[str, set[str]] = {}
        for name, (slot, pattern) in self._slots.items():
            for match in pattern.finditer(text):
                word = match.group().lower()
                if word in slot.case_sensitive and (not match.group().isupper() or text[match.end() : match.end() + 1] == "$"):
                    continue
                if name == "audience" and _EVERYBODY.search(text, max(0, match.start() - 24), match.start()):
                    continue
                if slot.beside and not self._is_beside(slot, text, match):
                    continue
                word = slot.same.get(word, word)
                found.setdefault(name, set()).add(
                    word.rstrip("s") if name in {"audience", "age"} and not word.endswith("ss") else word
                )
        for match in self._contrast_re.finditer(text):
            word = match.group().lower()
            word = self._contrast_forms.get(word, word)
            for group in self._contrast_sets[word]:
                found.setdefault(f"contrast{group}", set()).add(word)
        ages = {_age(m) for m in _AGED.finditer(text)}
        if ages:
            found.setdefault("age", set()).update(ages)
        periods = find_periods(text, Taken(len(text)), heading=heading)
        if periods:
            found["period"] = set(periods)
        if not heading:
            # The exception is taken away first: "unless" must not be read as a plain condition.
            for name, pattern in (("exception", _EXCEPTION), ("condition", _CONDITION)):
                for match in pattern.finditer(text):
                    if name == "condition" and match.group().lower().startswith(("where", "while")) and match.start() == 0:
                        continue
                    rest = _VERB.split(match["rest"], maxsplit=1)[0] if name == "exception" else match["rest"]
                    stems = frozenset(content_stems(rest))
                    if stems:
                        marker = _MARKERS.get(match.group().split()[0].lower(), "if") if name == "condition" else ""
                        found.setdefault(name, set()).add(" ".join((*((marker,) if marker else ()), *sorted(stems))))
        return {name: frozenset(words) for name, words in found.items()}

    def _is_beside(self, slot: Slot, text: str, match: re.Match[str]) -> bool:
        before = re.search(r"([\w-]+)\W{1,2}$", text[max(0, match.start() - 24) : match.start()])
        after = re.match(r"\W{0,3}(?:and\s+\w+\s+|or\s+\w+\s+|/\s*\w+\s+)?([\w-]+)", text[match.end() : match.end() + 40])
        near = {m.group(1).lower() for m in (before, after) if m}
        return bool(near & set(slot.beside)) or match.group() == text.strip(" *_`")

    def _of_column(self, column: str) -> Iterator[tuple[str, str]]:
        """Slots that a column fills by its heading alone, or with a period beside it: "Plan", "Budget 2024"."""
        words = [t.lower for t in tokens(column) if not t.is_number and not _PERIOD_WORD.fullmatch(t.lower)]
        if len(words) == 1:
            yield from ((name, words[0]) for name, (slot, _) in self._slots.items() if words[0] in slot.columns)

    def of_statement(self, statement: Statement, document_scope: Mapping[str, str]) -> dict[str, tuple[frozenset[str], str]]:
        """Slot → (words, place it was read: "sentence", "lead-in", "row", "heading", "title" or "configuration")."""
        places: list[tuple[str, str, bool]] = [("sentence", statement.text[statement.body :], False)]
        if statement.lead_in:
            places.append(("lead-in", statement.lead_in, False))
        if statement.row_key or statement.column:
            places.append(("row", f"{statement.row_key} | {statement.column}", True))
        if statement.container:
            places.append(("heading", statement.container, True))
        if statement.caption:
            places.append(("heading", statement.caption, True))
        places.extend(("title" if text == statement.title else "heading", text, True) for text in reversed(statement.heading))
        if statement.title and statement.title not in statement.heading:
            places.append(("title", statement.title, True))
        scope: dict[str, tuple[frozenset[str], str]] = {}
        for place, text, heading in places:
            for slot, words in self.of_text(text, heading).items():
                if place == "title" and (slot.startswith("contrast") or slot in {"plan_actual", "example"}):
                    continue
                scope.setdefault(slot, (words, place))
        for slot, word in self._of_column(statement.column):
            scope.setdefault(slot, (frozenset({word}), "row"))
        for slot, text in document_scope.items():
            scope.setdefault(slot, (frozenset({text.lower()}), "configuration"))
        return scope


_PERIOD_WORD = re.compile(r"q[1-4]|h[12]|fy\d*|year|quarter|month|first|second|third|fourth|full|half")


def _age(match: re.Match[str]) -> str:
    groups = match.groupdict()
    if groups["plus2"]:
        return f"{groups['plus2']}+"
    if groups["rel"]:
        return f"<{groups['l5']}" if groups["rel"].lower() in {"under", "below"} else f"{groups['l5']}+"
    low = groups["low"] or groups["plus"] or groups["l2"] or groups["l3"] or groups["l4"] or ""
    high = groups["high"] or groups["h2"] or groups["h3"] or ""
    word = match.group().lower()
    if groups["plus"] or word.startswith(("over", "above", "older")):
        return f"{low}+"
    if word.startswith(("under", "below", "younger")):
        return f"<{low}"
    return f"{low}-{high}" if high else low
