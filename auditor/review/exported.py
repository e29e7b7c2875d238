"""`decisions.json`: the choices that a reviewer made in the HTML report and exported.

Schema 1, UTF-8 JSON:

    {
      "schema": 1,
      "corpus": "handbook",                      name of the corpus, as in run.json; "" or absent: not checked
      "decisions": [
        {
          "conflict_id": "3fa9c1…",              of the finding, as in conflicts.parquet
          "content_hash": "77b0aa…",             of the finding when it was decided; the decision is refused when it differs by now
          "choice": "accept_b",                  accept_a | accept_b | both_with_condition | neither | request_fresher |
                                                 not_a_contradiction
          "condition": "until March",            required by both_with_condition, else "" or null
          "reason": "",                          why, in the reviewer's words; may be "" or null
          "reviewer": "j.doe@example.org",       may be "" when `audit review apply --reviewer` names one
          "decided_at": "2026-01-31T09:30:00Z"   ISO 8601, with or without a time
        }
      ]
    }

A finding has at most one entry. Unknown keys are ignored, so that a later report can say more.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict

from auditor.errors import UserError
from auditor.review.decisions import Choice, Moment, Text, validated
from auditor.review.files import read_text

SCHEMA = 1

_Optional = Annotated[str, BeforeValidator(lambda given: "" if given is None else given)]


class ExportedDecision(BaseModel):
    """One entry of the export."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    conflict_id: Text
    content_hash: Text
    choice: Choice
    condition: _Optional = ""
    reason: _Optional = ""
    reviewer: _Optional = ""
    decided_at: Moment


class Exported(BaseModel):
    """A whole export."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    corpus: _Optional = ""
    decisions: tuple[ExportedDecision, ...]


def read_exported(path: Path, reviewer: str = "") -> Exported:
    """The export in a file; `reviewer` stands in where an entry names none. Raises `UserError` for whatever is wrong with it."""
    try:
        content = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: not valid JSON: {error}") from None
    if not isinstance(content, dict) or "decisions" not in content:
        raise UserError(f"{path} is not an export of decisions; make one with the export button of report.html")
    schema = content.get("schema")
    if schema != SCHEMA or isinstance(schema, bool):
        raise UserError(f"{path}: schema {schema!r} is not known, this program reads {SCHEMA}; export again from a report it wrote")
    entries = content["decisions"]
    if not isinstance(entries, list):
        raise UserError(f"{path}: decisions: has to be a list")
    found: dict[str, ExportedDecision] = {}
    for number, entry in enumerate(entries, start=1):
        label = f"{path}: decision {number}"
        decision = validated(ExportedDecision, entry, label)
        if decision.choice is Choice.BOTH_WITH_CONDITION and not decision.condition.strip():
            raise UserError(f"{label} ({decision.conflict_id}): both_with_condition needs a condition under which both hold")
        if not decision.reviewer.strip():
            if not reviewer:
                raise UserError(f"{label} ({decision.conflict_id}): names no reviewer; say who decided with --reviewer")
            decision = decision.model_copy(update={"reviewer": reviewer})
        if decision.conflict_id in found:
            raise UserError(f"{label}: there are two for conflict_id {decision.conflict_id}")
        found[decision.conflict_id] = decision
    corpus = content.get("corpus") or ""
    if not isinstance(corpus, str):
        raise UserError(f"{path}: corpus: has to be a text")
    return Exported(corpus=corpus, decisions=tuple(found.values()))
