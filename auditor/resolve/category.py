"""What sort of disagreement a finding is."""

from __future__ import annotations

import re

from auditor.model import Document, Finding, Statement
from auditor.resolve.rules import own_date

# Words by which one text says that something came before or after it. They are counted only where the other side has none of them.
_SUPERSEDING = re.compile(
    r"(?<!\w)(?:no longer|not any ?more|preliminary|provisional|interim|restate[ds]?|restatement|revised?|revision"
    r"|supersed(?:ed?|es|ing)|replace[sd]|retired|deprecated|obsolete|formerly|previously|until now|so far|as amended"
    r"|amended|from now on|going forward|effective immediately|has (?:since )?changed|was changed|in beta)(?!\w)",
    re.I,
)
_HEADING = re.compile(r"(?<!\w)(?:legacy|old|outdated|draft|archived?|what applies now)(?!\w)", re.I)
# Parts of a title or path that number an edition: v2, 1.2, 2023, 2023-06, 2024-q1.
_EDITION = re.compile(
    r"(?<![^\W_])(?:v\d+(?:\.\d+)*|\d+(?:\.\d+)+|(?:fy)?(?:19|20)\d\d(?:-(?:\d\d|q\d)){0,2})(?![^\W_]|\.\d)", re.I
)


def categorise(finding: Finding, statements: tuple[Statement, Statement], documents: tuple[Document, Document]) -> str:
    """The category of a finding.

    - `opinion`: both sides recommend or judge.
    - `outdated`: one side supersedes the other, which shows in one of these: the documents state different dates about themselves;
      one of the two is archived; they are editions of one document (title or path equal but for a version or a year, or different
      `version` fields under one title); only one side uses a word that tells of a change ("no longer", "preliminary", "restated").
    - `factual`: everything else.
    """
    if finding.opinion:
        return "opinion"
    if documents[0].doc_id != documents[1].doc_id:
        first, second = (own_date(document) for document in documents)
        if first is not None and second is not None and first != second:
            return "outdated"
        if (documents[0].tier == "archive") != (documents[1].tier == "archive") or _editions(*documents):
            return "outdated"
    told = [_tells_of_change(statement) for statement in statements]
    return "outdated" if told[0] != told[1] else "factual"


def _tells_of_change(statement: Statement) -> bool:
    around = " | ".join((statement.title, *statement.heading, statement.container))
    return bool(_SUPERSEDING.search(statement.text) or _SUPERSEDING.search(around) or _HEADING.search(around))


def _editions(a: Document, b: Document) -> bool:
    """Whether two documents are editions of one."""
    for name_a, name_b in ((a.title, b.title), (a.doc_id, b.doc_id)):
        if name_a != name_b and _EDITION.search(name_a) and _EDITION.search(name_b) and _unnumbered(name_a) == _unnumbered(name_b):
            return True
    version_a, version_b = a.fields.get("version", ""), b.fields.get("version", "")
    return bool(version_a and version_b) and version_a != version_b and _unnumbered(a.title) == _unnumbered(b.title)


def _unnumbered(name: str) -> str:
    return _EDITION.sub("#", name.casefold())
