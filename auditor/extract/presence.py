"""Things that were retired, and passages that still count on them.

"The partner portal was shut down in December" is contradicted by "get access to the partner portal within a week", though the second
sentence holds no word of status. A first pass collects the subjects of retirements; a second gives every other statement that names all
words of such a subject in the present a status mention of the family "presence".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from auditor.extract.mentions import Mention
from auditor.model import FactKind, Statement
from auditor.text.words import Token, tokens

_RETIRED = re.compile(
    r"\b(?:(?:was|were|has been|have been|is|are)\s+(?:\w+ly\s+)?(?:retired|shut down|switched off|discontinued|decommissioned|withdrawn|abolished|closed permanently|closed for good|scrapped|taken out of service|removed from (?:service|sale))"
    r"|(?:is|are)\s+no longer (?:available|offered|supported|sold|possible|in use|maintained|accepted)|has closed permanently|ceased operation|went out of service)\b",
    re.I,
)
_PAST = re.compile(
    r"\b(?:was|were|had|used to|until|formerly|previously|no longer|not|never|instead|replaced|replaces|retired|discontinued|closed|deprecated|migrat\w+)\b",
    re.I,
)
_GENERIC = frozenset(
    [
        "service",
        "system",
        "page",
        "document",
        "option",
        "feature",
        "tool",
        "site",
        "program",
        "programme",
        "plan",
        "support",
        "api",
        "version",
    ]
)
MAX_SUBJECT = 4


@dataclass(frozen=True, slots=True)
class Retired:
    """The subject of a retirement: its stems, and the statement that says so."""

    stems: frozenset[str]
    statement: int


def retired_subjects(statements: Iterable[Statement]) -> list[Retired]:
    """Subjects of two to four content words, or one proper name with another word, in front of a phrase of retirement."""
    found = []
    for statement in statements:
        if statement.flags & {"history", "past", "struck", "false", "hypothetical", "example"}:
            continue
        own = statement.text[statement.body :]
        match = _RETIRED.search(own)
        if match is None or own.endswith("?"):
            continue
        before = re.split(r"[,;:.()]|\b(?:that|which|because|since|and|but|while|when|if|of|in|for|on)\b", own[: match.start()])[-1]
        subject = [t for t in tokens(before) if not t.is_stop]
        content = [t for t in subject if t.lower not in _GENERIC]
        named = any((t.text[0].isupper() and t.start > 4) or any(c.isdigit() for c in t.text) for t in content)
        if 2 <= len(subject) <= MAX_SUBJECT and content and (named or len(content) >= 2):
            found.append(Retired(frozenset(t.stem for t in subject), statement.index))
    return found


def presence_mentions(statement: Statement, words: Sequence[Token], subjects: Sequence[Retired]) -> list[Mention]:
    """Mentions of retired things in a statement that speaks of them in the present."""
    if not subjects or statement.text.endswith("?") or _PAST.search(statement.text[statement.body :]):
        return []
    stems = {t.stem for t in words}
    for subject in subjects:
        if subject.statement != statement.index and subject.stems <= stems:
            last = max((t for t in words if t.stem in subject.stems), key=lambda t: t.start)
            if last.start >= statement.body:
                return [
                    Mention(
                        FactKind.STATUS,
                        last.start,
                        last.end,
                        unit="presence",
                        symbol="yes",
                        text="still counted on",
                        head=last.stem,
                    )
                ]
    return []
