"""Findings and decisions with every identity known."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from auditor.model import Conflict, ScanResult
from auditor.resolve import ids
from auditor.review.decisions import Choice, Decision, about
from tests.factories import make_conflict, make_document, make_result, make_side, make_skipped

THIRTY = ("30 days", "Goods may be returned within 30 days.")
FOURTEEN = ("14 days", "Return goods within 14 days.")


def found(
    doc_a: str,
    doc_b: str,
    a: tuple[str, str] = THIRTY,
    b: tuple[str, str] = FOURTEEN,
    *,
    keys: tuple[str, str] = ("ka", "kb"),
    ordinal: int = 0,
    **changes: Any,
) -> Conflict:
    """A finding, its identities made as a scan makes them; sides are put in the order of their documents."""
    sides = [(doc_a, a, keys[0]), (doc_b, b, keys[1])]
    sides.sort(key=lambda side: side[0])
    (doc_a, a, key_a), (doc_b, b, key_b) = sides
    conflict = make_conflict(make_side(doc_a, a[1], a[0], None), make_side(doc_b, b[1], b[0], None))
    return replace(
        conflict,
        conflict_id=ids.conflict_id((doc_a, key_a), (doc_b, key_b), ordinal),
        content_hash=ids.content_hash(a, b),
        entity_key="returns",
        attribute="return period",
        **changes,
    )


def decision(conflict: Conflict, choice: Choice = Choice.ACCEPT_A, **changes: Any) -> Decision:
    """A decision about a finding."""
    values: dict[str, Any] = {
        **about(conflict),
        "choice": choice,
        "reviewer": "j.doe",
        "decided_at": "2026-01-05",
        "first_seen": date(2026, 1, 1),
        **changes,
    }
    return Decision.model_validate(values)


def run_of(*conflicts: Conflict, read: tuple[str, ...] = (), unread: tuple[str, ...] = (), **changes: Any) -> ScanResult:
    """A run that found these; documents of the findings are read, `read` and `unread` come on top."""
    names = {side.doc for c in conflicts for side in (c.a, c.b)} | set(read)
    rows = [make_document(name) for name in sorted(names)] + [make_skipped(name, "cannot be read") for name in unread]
    return make_result(conflicts, (), rows, **{"as_of": date(2026, 1, 1), **changes})
