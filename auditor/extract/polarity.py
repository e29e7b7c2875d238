"""Asserted and negated verbs.

Only verbs that the corpus negates somewhere are worth a fact: a first pass collects them, a second gives every statement that holds such
a verb a polarity fact, so that "is not stored" can meet "are stored".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from auditor.text.words import Token, tokens

_NEGATION = re.compile(
    r"(?<![\w-])(?:not|never|no longer|cannot|(?:do|does|did|is|are|was|were|has|have|will|would|should|could|ca|wo)n['’]t)(?![\w-])",
    re.I,
)
_NOT_VERBS = frozenset(
    [
        "only",
        "just",
        "yet",
        "even",
        "always",
        "necessarily",
        "also",
        "longer",
        "more",
        "less",
        "later",
        "earlier",
        "least",
        "all",
        "every",
        "any",
        "much",
        "very",
        "really",
        "sure",
        "true",
        "false",
        "case",
        "to",
        "be",
        "been",
        "being",
        "have",
        "has",
        "had",
        "do",
        "does",
        "done",
        "so",
        "such",
        "same",
        "able",
        "apply",
        "applicable",
        "limited",
        "possible",
        "recommended",
        "intended",
        "meant",
        "include",
        "included",
        "including",
        "available",
        "required",
        "allowed",
        "permitted",
        "supported",
        "enough",
        "specified",
        "necessary",
    ]
)
MAX_GAP = 2


@dataclass(frozen=True, slots=True)
class Negated:
    """A negated verb: its stem and the span from the negation to the verb."""

    verb: str
    start: int
    end: int


def negated_verbs(text: str, words: list[Token] | None = None) -> list[Negated]:
    """Verbs that stand within two words behind a negation ("does not automatically renew")."""
    found: list[Negated] = []
    if not _NEGATION.search(text):
        return found
    words = words if words is not None else tokens(text)
    for match in _NEGATION.finditer(text):
        if re.match(r"\s+only\b", text[match.end() :], re.I):
            continue  # "not only stored"
        behind = [t for t in words if t.start >= match.end()][: MAX_GAP + 1]
        for token in behind:
            if text[match.end() : token.start].strip(" ,") and any(c in ".;:,()" for c in text[match.end() : token.start]):
                break
            if token.lower in _NOT_VERBS or token.is_number or token.is_stop or token.lower.endswith("ly"):
                continue
            if token.text[0].isupper():
                break
            if token.lower.isalpha() and len(token.lower) > 2:
                found.append(Negated(token.stem, match.start(), token.end))
            break
    return found


def asserted(words: Iterable[Token], verbs: frozenset[str], negated: list[Negated]) -> list[Token]:
    """Tokens that are one of `verbs` and not part of a negated span."""
    return [
        t for t in words if t.stem in verbs and not t.text[0].isupper() and not any(n.start <= t.start < n.end for n in negated)
    ]
