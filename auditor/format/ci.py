"""What the formats for other programs have in common: where a passage is, how a finding is called, how it is said in one line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from urllib.parse import quote

from auditor.errors import UserError
from auditor.format.text import one_line, restore_case, visible
from auditor.globs import container, plain
from auditor.history import SETTLED
from auditor.model import Conflict, Side
from auditor.places import place_of

VALUE_LIMIT = 120
PLACE_LIMIT = 120
_TEXT_LIMIT = 600


def is_open(conflict: Conflict) -> bool:
    """Whether somebody still has to look at it."""
    return conflict.status not in SETTLED


def checked_prefix(prefix: str) -> str:
    """The folder to put in front of document paths, without a slash at its ends. Raises `UserError` if it leaves the repository."""
    text = prefix.replace("\\", "/")
    path = PurePosixPath(text)
    if path.is_absolute() or ".." in path.parts or ":" in text.partition("/")[0]:
        raise UserError(f"--path-prefix {prefix}: has to be a folder below the top of the repository, such as docs")
    return "" if str(path) == "." else str(path)


def file_path(doc: str, prefix: str = "") -> str:
    """Path of the file that holds a document; of a record or an archive member, the file around it."""
    path = plain(container(doc))
    return f"{prefix}/{path}" if prefix else path


def file_uri(doc: str, prefix: str = "") -> str:
    """The same as a relative URI reference."""
    return quote(file_path(doc, prefix).encode("utf-8", "replace"), safe="/")


def file_lines(side: Side) -> tuple[int, int] | None:
    """First and last line in that file; None where the format has no lines, and inside a record or archive member."""
    if side.line_start is None or container(side.doc) != side.doc or not (side.locator or "line=").startswith("line="):
        return None
    first = max(side.line_start, 1)
    return first, max(side.line_end or first, first)


def place(side: Side) -> str:
    """Where a passage stands, in words: "faq/returns.md, line 12", "prices.xlsx, sheet Prices, cell B7"."""
    return ", ".join(filter(None, (shown(side.doc, 200), where(side))))


def where(side: Side) -> str:
    """The same without the document: "line 12", "sheet Prices, cell B7"; "" when nothing tells."""
    return shown(place_of(side), PLACE_LIMIT)


def shown(text: str, limit: int = _TEXT_LIMIT) -> str:
    """Text of a document on one line, cut, with control characters made visible."""
    return visible(one_line(text, limit))


def subject(conflict: Conflict) -> str:
    """What the finding is about: the entity, and the attribute where it adds something."""
    sources = [text for side in (conflict.a, conflict.b) for text in (side.statement, side.heading, side.title)]
    entity, attribute = (restore_case(text, sources) for text in (conflict.entity_key, conflict.attribute))
    words, more = set(entity.lower().split()), set(attribute.lower().split())
    if entity and attribute and not more <= words:
        return shown(attribute if words <= more else f"{entity}: {attribute}", VALUE_LIMIT)
    return shown(entity or attribute or conflict.a.title or conflict.conflict_id, VALUE_LIMIT)


def claims(conflict: Conflict) -> str:
    """Both values and where they stand: "“14 days” (faq/returns.md, line 3) against “30 days” (policies/returns.md, line 7)"."""
    a, b = (f"“{shown(side.value, VALUE_LIMIT)}” ({place(side)})" for side in (conflict.a, conflict.b))
    return f"{a} against {b}"


def suggestion(conflict: Conflict) -> str:
    """Which side the rules suggest, as a sentence; "" when they suggest none."""
    if conflict.winner is None:
        return ""
    side = conflict.a if conflict.winner == "a" else conflict.b
    rule = conflict.rule_applied[-1] if conflict.rule_applied else ""
    return f"Suggested: “{shown(side.value, VALUE_LIMIT)}” from {place(side)}" + (f" (rule {shown(rule, 60)})." if rule else ".")


def message(conflict: Conflict) -> str:
    """The finding in one or two sentences."""
    return " ".join(filter(None, (shown(conflict.explanation) or f"{claims(conflict)}.", suggestion(conflict))))


RULE_HELP: Mapping[str, tuple[str, str]] = {
    "numeric": (
        "Two passages give different numbers",
        "Counts, quantities, durations, amounts of money or percentages that cannot both hold.",
    ),
    "date": ("Two passages give different dates", "Dates, deadlines or clock times of the same thing that cannot both hold."),
    "identifier": (
        "Two passages give different identifiers",
        "Phone numbers, addresses, account or part numbers, ports or versions of the same thing.",
    ),
    "modality": ("Two passages oblige differently", "One requires, allows or forbids what the other does not."),
    "negation": ("Two passages contradict each other by negation", "One states what the other denies."),
    "status": (
        "Two passages give different states",
        "One treats as available, supported or in force what the other calls ended or withdrawn.",
    ),
    "entity": ("Two passages name different ones", "Two names for the same role, place or part: who approves, where it is hosted."),
    "nli": (
        "Two passages contradict each other in their wording",
        "Models that read both passages take them to contradict each other, though no value of theirs could be compared.",
    ),
}
"""Conflict kind → what a finding of it says, in short and in full. The kinds are the rules of the CI formats."""


def rule_id(kind: str) -> str:
    """Id of a kind in the CI formats."""
    return f"contradiction-{kind}"
