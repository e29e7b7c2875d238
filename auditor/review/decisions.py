"""`audit-decisions.toml`: what people decided about findings, made for version control.

One block for each decision, sorted by documents, always written the same way, so that a change of one decision is a change of its block
and nothing else. The file may be edited by hand; whatever is wrong with it is said in one line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from auditor.errors import UserError
from auditor.format.text import one_line, visible
from auditor.model import Conflict
from auditor.review.files import read_text, write_atomically
from auditor.review.matching import Trace, side_hash
from auditor.store import utf8

VERSION = 1

HEADER = """\
# Decisions about contradictions between documents; later scans carry them. Written by `audit review`, one block per decision.
# From the day `expires` on, a finding is open again.
"""


class Choice(StrEnum):
    """What a reviewer can say about a finding."""

    ACCEPT_A = "accept_a"
    ACCEPT_B = "accept_b"
    BOTH_WITH_CONDITION = "both_with_condition"
    NEITHER = "neither"
    REQUEST_FRESHER = "request_fresher"
    NOT_A_CONTRADICTION = "not_a_contradiction"


_OTHER_SIDE = {Choice.ACCEPT_A: Choice.ACCEPT_B, Choice.ACCEPT_B: Choice.ACCEPT_A}


def moment(given: Any) -> str:
    """A time as it is kept: `2026-01-31`, or `2026-01-31T09:30:00Z`. Raises `ValueError` for anything that is none."""
    if isinstance(given, str):
        text = given.strip()
        try:
            given = date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
        except ValueError:
            raise ValueError(f"“{one_line(text, 40)}” is not a date such as 2026-01-31 or 2026-01-31T09:30:00Z") from None
    if isinstance(given, datetime):
        aware = given if given.tzinfo else given.replace(tzinfo=UTC)
        try:
            return aware.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"
        except OverflowError:
            raise ValueError("is not a date that any calendar knows") from None
    if isinstance(given, date):
        return given.isoformat()
    raise ValueError("has to be a date such as 2026-01-31 or 2026-01-31T09:30:00Z")


Text = Annotated[str, Field(min_length=1)]
Moment = Annotated[str, BeforeValidator(moment)]


class Decision(BaseModel):
    """One block of the file: the finding as it was decided upon, and the decision. The fields are in the order of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    conflict_id: Text
    content_hash: Text
    kind: Text
    tier: Literal["high", "medium", "advisory"]
    entity_key: str
    attribute: str
    doc_a: Text
    value_a: str
    quote_a: str
    doc_b: Text
    value_b: str
    quote_b: str
    choice: Choice
    condition: str = ""
    reason: str = ""
    reviewer: Text
    decided_at: Moment
    first_seen: date
    expires: date | None = None

    @model_validator(mode="after")
    def _says_the_condition(self) -> Decision:
        if self.choice is Choice.BOTH_WITH_CONDITION and not self.condition.strip():
            raise ValueError("both_with_condition needs a condition under which both hold")
        return self

    @property
    def trace(self) -> Trace:
        """What identifies its finding."""
        sides = side_hash(self.value_a, self.quote_a), side_hash(self.value_b, self.quote_b)
        return Trace(self.conflict_id, self.content_hash, self.doc_a, self.doc_b, *sides)

    def expired(self, as_of: date) -> bool:
        """Whether it no longer holds on that day."""
        return self.expires is not None and as_of >= self.expires

    @property
    def days(self) -> int | None:
        """Days from the first report to the decision; None where the dates contradict that order."""
        days = (date.fromisoformat(self.decided_at[:10]) - self.first_seen).days
        return days if days >= 0 else None

    def moved_to(self, conflict: Conflict, *, swapped: bool) -> Decision:
        """The same decision about the same finding, as the finding is known today."""
        return self.model_copy(update={**about(conflict), "choice": oriented(self.choice, swapped=swapped)})


def oriented(choice: Choice, *, swapped: bool) -> Choice:
    """The choice where what was side a may be side b by now."""
    return _OTHER_SIDE.get(choice, choice) if swapped else choice


def about(conflict: Conflict) -> dict[str, str]:
    """The fields of a decision that describe the finding."""
    a, b = conflict.a, conflict.b
    return {
        "conflict_id": conflict.conflict_id,
        "content_hash": conflict.content_hash,
        "kind": conflict.kind,
        "tier": conflict.tier,
        "entity_key": utf8(conflict.entity_key),
        "attribute": utf8(conflict.attribute),
        "doc_a": utf8(a.doc),
        "value_a": utf8(a.value),
        "quote_a": utf8(a.quote),
        "doc_b": utf8(b.doc),
        "value_b": utf8(b.value),
        "quote_b": utf8(b.quote),
    }


# -- reading -----------------------------------------------------------------------------------------------------------------------


def read_decisions(path: Path) -> tuple[Decision, ...]:
    """The decisions of a file, in its order. Raises `UserError` in one line that says where and what is wrong."""
    text = read_text(path)
    if re.search(r"^(<{7}|>{7}|={7})(\s|$)", text, re.M):
        raise UserError(f"{path}: holds the marks of a merge that was not finished; resolve it first")
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: not valid TOML: {error}") from None
    except ValueError:  # more digits than Python reads
        raise UserError(f"{path}: not valid TOML: a number is too long") from None
    except RecursionError:
        raise UserError(f"{path}: not a decisions file: nested too deeply") from None
    version = table.pop("version", None)
    if version != VERSION or isinstance(version, bool):
        raise UserError(
            f"{path}: version {version!r} is not known, this program reads {VERSION}; use the version that wrote the file"
        )
    blocks = table.pop("decision", [])
    if table:
        raise UserError(f"{path}: {min(table)}: unknown key; there are version and [[decision]]")
    if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
        raise UserError(f"{path}: decision: has to be written as [[decision]]")
    found: dict[str, Decision] = {}
    for number, block in enumerate(blocks, start=1):
        decision = validated(Decision, block, f"{path}: decision {number}{_named(block)}")
        if decision.conflict_id in found:
            raise UserError(f"{path}: decision {number}: there are two for conflict_id {decision.conflict_id}; delete one")
        found[decision.conflict_id] = decision
    return tuple(found.values())


M = TypeVar("M", bound=BaseModel)


def validated(model: type[M], table: Any, label: str) -> M:
    """The table as a model. Raises `UserError` that starts with the label and names the key."""
    try:
        return model.model_validate(table)
    except ValidationError as error:
        # A misspelt key often makes a required one missing: the misspelling is what has to be mended.
        problem = min(error.errors(), key=lambda p: p["type"] != "extra_forbidden")
        where = ".".join(str(part) for part in problem["loc"])
        raise UserError(f"{label}: {visible(where) + ': ' if where else ''}{_in_words(problem, model)}") from None


def _in_words(problem: Mapping[str, Any], model: type[BaseModel]) -> str:
    kind = problem["type"]
    if kind == "extra_forbidden":
        return f"unknown key; known are {', '.join(model.model_fields)}"
    if kind == "missing":
        return "is missing"
    if kind in ("enum", "literal_error"):
        choices = str(problem["ctx"]["expected"]).replace("'", "").replace(" or ", ", ")
        return f"“{visible(one_line(str(problem['input']), 60))}” is not one of {choices}"
    if kind == "string_too_short":
        return "is empty"
    return str(problem["msg"]).removeprefix("Value error, ").replace("Input should", "should")


def _named(block: Mapping[str, Any]) -> str:
    name = block.get("conflict_id")
    return f" ({visible(one_line(name, 40))})" if isinstance(name, str) and name else ""


# -- writing -----------------------------------------------------------------------------------------------------------------------


def write_decisions(path: Path, decisions: Iterable[Decision]) -> None:
    """Write the file, whole or not at all. Equal decisions give equal bytes, in whatever order they come. Raises `UserError`."""
    write_atomically(path, to_toml(decisions))


def to_toml(decisions: Iterable[Decision]) -> str:
    """The text of a decisions file."""
    ordered = sorted(decisions, key=lambda d: (d.doc_a, d.doc_b, d.conflict_id))
    return HEADER + f"\nversion = {VERSION}\n" + "".join(map(_block, ordered))


def _block(decision: Decision) -> str:
    lines = ["", "[[decision]]"]
    for name in Decision.model_fields:
        value = getattr(decision, name)
        if value is None or (value == "" and name in ("condition", "reason")):
            continue
        if isinstance(value, date) or name == "decided_at":
            lines.append(f"{name} = {value}")
        else:
            lines.append(f"{name} = {_string(str(value))}")
    return "\n".join(lines) + "\n"


# Besides what TOML demands: characters that would let a line of the file read differently from what it says.
_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _string(text: str) -> str:
    return '"' + _ESCAPED.sub(lambda m: _SHORT.get(m[0], f"\\u{ord(m[0]):04X}"), utf8(text)) + '"'
