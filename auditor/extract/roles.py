"""Who does it and where it is: the filler of a role ("approved by the CFO", "hosted in Frankfurt", "the general counsel decides")."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.extract.mentions import Mention, Taken
from auditor.model import FactKind
from auditor.text.words import STOPWORDS, Token, stem, tokens

# Roles that one party fills. "Managed by", "provided by" and the like have many fillers at once and are left out.
_ROLES = {
    "approve": "approved|signed off|authori[sz]ed|sanctioned|countersigned",
    "decide": "decided|determined|ruled on",
}
_ACTIVE = {
    "approve": r"approves?|signs? off|authori[sz]es?",
    "decide": r"decides?|rules? on",
}
_PLACE = {
    "host": "hosted|housed|located|based|headquartered|(?:run|runs)(?=\\s+in\\s+(?:our|the|its|their)\\s+[A-Z])|resides?",
    "make": "made|manufactured|produced|sewn|built|assembled",
}
_DETERMINER = r"(?:the\s+|your\s+|our\s+|its\s+|their\s+|an?\s+)?"
_NOUN_PHRASE = r"(?P<filler>[A-Za-z][\w'’&-]*(?:\s+(?:of\s+(?:the\s+)?)?[A-Za-z][\w'’&-]*){0,4})"
_NAME = r"(?P<filler>[A-Z][\w'’&-]*(?:\s+[A-Z][\w'’&-]*){0,2})"

_PASSIVE_RE = {
    role: re.compile(rf"\b(?:{verbs})\s+(?:\w+ly\s+)?(?:only\s+)?by\s+{_DETERMINER}{_NOUN_PHRASE}", re.I)
    for role, verbs in _ROLES.items()
}
_ACTIVE_RE = {
    role: re.compile(
        rf"(?:^|[.;:,]\s+|\b(?:and|only)\s+)(?:only\s+)?(?:the|our|your)\s+(?P<filler>[A-Za-z][\w'’&-]*(?:\s+(?:of\s+(?:the\s+)?)?[A-Za-z][\w'’&-]*){{0,3}})\s+(?:{verbs})\b",
        re.I,
    )
    for role, verbs in _ACTIVE.items()
}
_PLACE_RE = {
    role: re.compile(rf"\b(?i:{verbs})\s+(?:\w+\s+){{0,2}}(?:in|at|on)\s+(?:our\s+|the\s+)?{_NAME}")
    for role, verbs in _PLACE.items()
}
_APPROVAL_OF = re.compile(
    rf"\b(?:approval|consent|permission|agreement|sign-off|authori[sz]ation)\s+(?:of|from|by)\s+{_DETERMINER}{_NOUN_PHRASE}", re.I
)
_DECISION = re.compile(
    r"(?:^|[.;:,]\s+)(?:the|our)\s+(?P<filler>[A-Za-z][\w'’&-]*(?:\s+[A-Za-z][\w'’&-]*){0,3})\s+(?:takes|makes|has)\s+the\s+(?:final\s+)?(?:decision|say)\b",
    re.I,
)
_UP_TO = re.compile(rf"\bis\s+(?:entirely\s+)?up\s+to\s+{_DETERMINER}{_NOUN_PHRASE}", re.I)
_INSURED = re.compile(rf"\b(?:insured|enrolled|covered|registered)\s+with\s+{_NAME}")

_ENDS = frozenset(
    [
        "in",
        "on",
        "at",
        "for",
        "before",
        "after",
        "within",
        "from",
        "to",
        "who",
        "which",
        "that",
        "when",
        "if",
        "and",
        "or",
        "as",
        "with",
        "without",
        "until",
        "unless",
        "during",
        "per",
        "by",
        "is",
        "are",
        "was",
        "were",
        "will",
        "must",
        "may",
        "can",
        "shall",
        "not",
        "than",
        "then",
        "but",
        "via",
        "using",
    ]
)
_NOBODY = frozenset(
    [
        "hand",
        "default",
        "mail",
        "email",
        "phone",
        "post",
        "law",
        "contract",
        "you",
        "us",
        "them",
        "it",
        "him",
        "her",
        "user",
        "users",
        "customer",
        "customers",
        "system",
        "hand",
        "one",
        "two",
        "three",
        "anyone",
        "everyone",
        "someone",
        "nobody",
        "people",
        "others",
        "another",
    ]
)


def find_roles(text: str, taken: Taken) -> Iterator[Mention]:
    """Role fillers. `head` is the role, `unit` "by" or "at", `symbol` the stems of the filler."""
    seen: set[tuple[str, int]] = set()
    for unit, patterns in (("by", _PASSIVE_RE), ("by", _ACTIVE_RE), ("at", _PLACE_RE)):
        for role, pattern in patterns.items():
            for match in pattern.finditer(text):
                yield from _filler(text, match, role, unit, taken, seen)
    for match in _APPROVAL_OF.finditer(text):
        yield from _filler(text, match, "approve", "by", taken, seen)
    for match in _DECISION.finditer(text):
        yield from _filler(text, match, "decide", "by", taken, seen)
    for match in _UP_TO.finditer(text):
        yield from _filler(text, match, "decide", "by", taken, seen)
    for match in _INSURED.finditer(text):
        yield from _filler(text, match, "provide", "by", taken, seen)


def _filler(text: str, match: re.Match[str], role: str, unit: str, taken: Taken, seen: set[tuple[str, int]]) -> Iterator[Mention]:
    start, end = match.span("filler")
    words = tokens(text[start:end])
    kept: list[Token] = []
    for word in words:
        if word.lower in _ENDS or (word.is_number and not kept):
            break
        kept.append(word)
    while kept and (kept[-1].lower in STOPWORDS or kept[-1].lower.endswith("ly")):
        kept.pop()
    content = [w for w in kept if w.lower not in STOPWORDS]
    if not content or content[-1].lower in _NOBODY or not taken.free(start, start + kept[-1].end) or (role, start) in seen:
        return
    if unit == "by" and content[-1].lower.endswith("ing"):
        return  # "checked by comparing"
    seen.add((role, start))
    span_end = start + kept[-1].end
    symbol = " ".join(sorted({stem(w.lower) for w in content}))
    yield Mention(FactKind.NAME, start, span_end, unit=unit, symbol=symbol, text=text[start:span_end], head=role)
