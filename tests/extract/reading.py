"""Statements made from bare text, and the facts that are read out of them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest

from auditor.extract.facts import Extractor
from auditor.model import BlockKind, Fact, FactKind, Statement
from auditor.rulepack import load_rules


@lru_cache(maxsize=1)
def extractor() -> Extractor:
    return Extractor(load_rules())


def statement(text: str, **changes: Any) -> Statement:
    """A sentence of a document without title or headings; of a cell give `row_key` and `column`, of an item `lead_in`."""
    values: dict[str, Any] = {"index": 0, "doc_id": "d.md", "chunk_id": "d.md:0", "kind": BlockKind.PARAGRAPH, "body": 0}
    prefix = ""
    if "row_key" in changes:
        values["kind"] = BlockKind.ROW
        prefix = ", ".join(part for part in (changes["row_key"], changes.get("column", "")) if part) + ": "
    elif "lead_in" in changes:
        values["kind"] = BlockKind.ITEM
        prefix = changes["lead_in"] + " "
    values |= {"text": prefix + text, "body": len(prefix), "start": 0, "end": len(text)}
    return Statement(**(values | changes))


def facts(text: str, **changes: Any) -> list[Fact]:
    """All facts of one statement."""
    (found,) = extractor().extract_all([statement(text, **changes)])
    return found


def of_kind(text: str, *kinds: FactKind, **changes: Any) -> list[Fact]:
    """Facts of some kinds that are claims."""
    return [f for f in facts(text, **changes) if f.kind in kinds and not f.incidental]


def only(text: str, *kinds: FactKind, **changes: Any) -> Fact:
    """The one claim of these kinds."""
    found = of_kind(text, *kinds, **changes)
    assert len(found) == 1, f"{text!r}: {[(f.kind.value, f.value.text) for f in found]}"
    return found[0]


def gap(*values: Any, why: str = "") -> Any:
    """A row of a table that a careful reader would read so and the auditor does not yet."""
    return pytest.param(*values, marks=pytest.mark.xfail(reason=f"known gap: {why or values[0]!r}", strict=False))
