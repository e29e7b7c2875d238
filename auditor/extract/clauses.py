"""Modality, status and direction: what a clause obliges, forbids, allows, supports, or says of a trend."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.extract.mentions import Mention, Taken
from auditor.model import FactKind
from auditor.rulepack import RulePack
from auditor.text.words import stem

_ENUMERATES = 4  # modal classes in one sentence from which it speaks about the words themselves
_CLASSES = ("exemption", "prohibition", "obligation", "discouraged", "recommended", "permission")
# "never without", "not ... unless": two negations that make an obligation.
_DOUBLE = re.compile(
    r"\b(?:never|not|no|cannot|must not|may not)\b[^.;]{0,60}\b(?:(?<!with or )without|unless|until|except|other than)\b", re.I
)
_ONLY = re.compile(r"\b(?:only|solely|exclusively)\b", re.I)
_NOT_BEFORE = re.compile(r"(?:\bnot|n['’]t|\bnever|\bno longer|\bno)\s+(?:\w+\s+){0,2}$", re.I)
_QUESTION = re.compile(r"\?\s*$")
# A noun use: "the requirements", "a must", "May 2024", "can of", "required fields"
_NOUN_USE = re.compile(
    r"^(?:may\s+(?:\d|of\b)|can\s+of\b|open\s+(?:the|a|an|your|source)\b|close\s+(?:the|a|an)\b|support\s+(?:team|ticket|desk|staff|hours|page|contract|portal|engineer|request|email|channel|plan|agent)s?\b)",
    re.I,
)


# "If you need caching, ..." obliges nobody; what stands behind the comma does. "Once a day" and "once in a while" are no conditions.
_IF = re.compile(
    r"\b(?:if|when|whenever|unless|whether|where|in case|once(?!\s+(?:a|an|per|every|each|in|and|or)\b)|until|as long as)\b"
    r"(?:(?!\b(?:and|but|or|so)\b)[^,;:.()])*$",
    re.I,
)
_NO_SUBJECT = re.compile(r"(?:^|[.;:,]\s+|\bthat\s+)no\s+(?:[\w-]+\s+){1,6}$", re.I)
# "Nothing can", "nobody except the treasurer may", "none of them shall"; "no visitor may" is negated by its "no".
_NOBODY = re.compile(
    r"(?:^|[.;:,]\s+|\b(?:that|and|but)\s+)(?:nothing|nobody|no[ -]one|none)\s+(?:else\s+|of\s+(?:[\w-]+\s+){1,3}|except\s+(?:[\w-]+\s+){1,3})?$",
    re.I,
)
_NEGATIVE_PHRASE = re.compile(r"\b(?:no|not|never)\b|^un|^in(?=compat|activ)")
_THE_NEED = re.compile(r"\b(?:the|a|any|no|their|your|our|this|business|real)\s+need to$", re.I)
_BE = re.compile(
    r"\b(?:is|are|was|were|be|been|being|becomes?|remains?|stays?|not|longer|currently|fully|now|yet|get|gets|has|have|officially|only|also|still|isn['’]t|aren['’]t|wasn['’]t|by default)\s+(?:\w+ly\s+)?$|[:|]\s*$|^\W*$",
    re.I,
)
_VERB_BEFORE = re.compile(
    r"\b(?:not|does|do|will|can|to|also|fully|currently|only|longer|we|they|both|all|don['’]t|doesn['’]t|won['’]t|cannot)\s+(?:\w+ly\s+)?(?:yet\s+)?$",
    re.I,
)
_AUXILIARIES = frozenset(["must", "shall", "may", "can", "cannot", "can't", "should", "mustn't", "shouldn't"])
_ADJECTIVES = frozenset(
    [
        "optional",
        "required",
        "mandatory",
        "possible",
        "allowed",
        "permitted",
        "eligible",
        "needed",
        "necessary",
        "recommended",
        "voluntary",
        "compulsory",
        "impossible",
        "forbidden",
        "prohibited",
    ]
)
_VERBS = frozenset(
    [
        "supports",
        "works",
        "with",
        "accept",
        "accepts",
        "guarantee",
        "guarantees",
        "on",
        "sale",
        "in",
        "stock",
        "in",
        "force",
        "in",
        "effect",
        "in",
        "service",
        "in",
        "production",
        "out",
        "of",
        "production",
    ]
)


def _predicative(text: str, match: re.Match[str], phrase: str) -> bool:
    """Whether a status word says something of its subject ("is supported"), rather than naming a sort ("a supported driver")."""
    if " " in phrase or phrase in _VERBS:
        return True
    if phrase == "support":
        return bool(_VERB_BEFORE.search(text, max(0, match.start() - 30), match.start()))
    return bool(_BE.search(text, max(0, match.start() - 24), match.start())) or not text[match.end() :].strip(" .*_`!|")


class ClauseGrammar:
    """Compiled from `lexicon.toml`."""

    def __init__(self, rules: RulePack) -> None:
        lexicon = rules.lexicon
        self._class_of: dict[str, str] = {}
        for name in _CLASSES:
            for phrase in getattr(lexicon.modality, name):
                self._class_of.setdefault(phrase, name)
        for phrase in lexicon.modality.optional:
            self._class_of[phrase] = "optional"
        self._modal = _phrases(self._class_of)
        self._polarity: dict[str, int] = {}
        for phrase in lexicon.status.negative:
            self._polarity[phrase] = -1
        for phrase in lexicon.status.positive:
            self._polarity.setdefault(phrase, 1)
        self._status = _phrases(self._polarity)
        self._family = {s: family for family, stems in lexicon.status.families.items() for s in stems}
        self._trend = dict.fromkeys(lexicon.direction.up, 1) | dict.fromkeys(lexicon.direction.down, -1)
        self._direction = _phrases(self._trend)
        self.conflicts = frozenset(frozenset(pair) for pair in lexicon.modality.conflicts)

    def find(self, text: str, taken: Taken) -> Iterator[Mention]:
        """Modal, status and directional phrases. Questions state nothing and give none."""
        if _QUESTION.search(text):
            return
        classes = {self._class_of[_fold(m.group())] for m in self._modal.finditer(text)}
        if len(classes) >= _ENUMERATES:
            return  # a definition of the key words, not a rule
        covered = Taken(len(text))
        double = _DOUBLE.search(text)
        for match in self._modal.finditer(text):
            phrase = _fold(match.group())
            if not covered.free(*match.span()) or _NOUN_USE.match(text[match.start() : match.start() + 24]):
                continue
            covered.take(*match.span())
            if supposed(text, match.start(), unclear=True):
                continue
            if phrase.split()[-1] in _AUXILIARIES and not re.search(
                r"\w{2,}", re.split(r"[.;:,!?]", text[match.end() :], maxsplit=1)[0]
            ):
                continue  # "things the other can't": the verb is left out, and with it what it is about
            if phrase in _ADJECTIVES and not _predicative(text, match, phrase):
                continue
            if _THE_NEED.search(text, max(0, match.start() - 24), match.end()) or (
                phrase.startswith("without") and not text[: match.start()].strip(" *_")
            ):
                continue
            symbol = self._class_of[phrase]
            ahead = (text, max(0, match.start() - 60), match.start())
            nobody = phrase in {"must", "shall", "may", "can"} and _NOBODY.search(*ahead)
            if nobody or (phrase in {"must", "shall"} and _NO_SUBJECT.search(*ahead)):
                symbol = "prohibition"
            negated = _NOT_BEFORE.search(text, max(0, match.start() - 24), match.start())
            if negated and not nobody and not (symbol == "prohibition" and phrase in {"must", "shall"}):
                symbol = {
                    "obligation": "exemption",
                    "permission": "prohibition",
                    "recommended": "discouraged",
                    "prohibition": "permission",
                    "optional": "obligation",
                }.get(symbol, symbol)
            if phrase.startswith("without") and double:
                symbol = "obligation"
            elif symbol == "prohibition" and double and double.start() <= match.end() and double.end() > match.start():
                symbol = "conditional"
            elif symbol in {"permission", "obligation"} and _ONLY.search(text):
                symbol = f"only-{symbol}"
            yield Mention(
                FactKind.MODALITY,
                *match.span(),
                symbol=symbol,
                text=symbol,
                head=phrase,
                polarity=-1 if symbol in {"prohibition", "exemption", "discouraged"} else 1,
            )
        for match in self._status.finditer(text):
            phrase = _fold(match.group())
            if (
                not covered.free(*match.span())
                or not taken.free(*match.span())
                or _NOUN_USE.match(text[match.start() : match.start() + 24])
            ):
                continue
            if supposed(text, match.start(), unclear=True) or not _predicative(text, match, phrase):
                continue
            polarity = self._polarity[phrase]
            family = next(
                (self._family[s] for w in reversed(phrase.replace("-", " ").split()) if (s := stem(w)) in self._family), ""
            )
            if not family:
                continue
            if polarity > 0 and _NOT_BEFORE.search(text, max(0, match.start() - 24), match.start()):
                polarity = -1
            elif (
                polarity < 0
                and not _NEGATIVE_PHRASE.search(phrase)
                and _NOT_BEFORE.search(text, max(0, match.start() - 12), match.start())
            ):
                polarity = 1
            if _ONLY.search(text, max(0, match.start() - 24), match.end() + 24):
                continue
            covered.take(*match.span())
            yield Mention(
                FactKind.STATUS,
                *match.span(),
                unit=family,
                symbol="yes" if polarity > 0 else "no",
                text=match.group().lower(),
                head=phrase,
                polarity=polarity,
            )
        for match in self._direction.finditer(text):
            if not covered.free(*match.span()):
                continue
            polarity = self._trend[_fold(match.group())]
            if _NOT_BEFORE.search(text, max(0, match.start() - 16), match.start()):
                continue
            yield Mention(
                FactKind.DIRECTION,
                *match.span(),
                symbol="up" if polarity > 0 else "down",
                text=match.group().lower(),
                polarity=polarity,
            )


def _phrases(table: dict[str, object] | dict[str, str] | dict[str, int]) -> re.Pattern[str]:
    ordered = sorted(table, key=len, reverse=True)
    return re.compile(
        r"(?<![\w-])(?:" + "|".join(re.escape(p).replace(r"\ ", r"\s+").replace("'", "['’]") for p in ordered) + r")(?![\w-])", re.I
    )


def _fold(phrase: str) -> str:
    return " ".join(phrase.lower().replace("’", "'").split())


def supposed(text: str, at: int, unclear: bool = False) -> bool:
    """Whether what stands there belongs to a condition: "if it is not installed, ...", "... once installed".

    A sentence that begins with its condition and has no comma behind it does not tell where the condition ends: `unclear` is the answer then.
    """
    found = _IF.search(text, max(0, at - 60), at)
    if found is None:
        return False
    opens = not text[: found.start()].rstrip(' *_"“(') or text[: found.start()].rstrip()[-1] in ".!?:;|"
    return not opens or unclear or re.match(r"[^.;!?]*?[,–—]", text[at:]) is not None
