"""`conflicts.jsonl`: one nested record for each conflict."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from auditor.format.files import to_json, write_text
from auditor.model import Conflict, ScanResult, Side
from auditor.store import in_order, rounded


class JsonlFormat:
    """Writes `conflicts.jsonl`."""

    id = "jsonl"
    filename = "conflicts.jsonl"

    def write(self, result: ScanResult, path: Path) -> None:
        """Write one record a line, in the order of every output."""
        # U+2028 and U+2029 are legal in JSON, but some line readers (Python's splitlines among them) take them for line ends.
        lines = (to_json(record(conflict)) for conflict in in_order(result.conflicts))
        write_text(path, "".join(line.translate(_LINE_ENDS) + "\n" for line in lines))


_LINE_ENDS = {ord(char): f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029"}


def record(conflict: Conflict) -> dict[str, Any]:
    """The nested record of a conflict."""
    sides: Mapping[str, Side] = {"a": conflict.a, "b": conflict.b}
    return {
        "conflict_id": conflict.conflict_id,
        "content_hash": conflict.content_hash,
        "cluster_id": conflict.cluster_id,
        "kind": conflict.kind,
        "detectors": conflict.detectors,
        "detected_fields": conflict.fields,
        "attribute": conflict.attribute,
        "entity_key": conflict.entity_key,
        "category": conflict.category,
        "tier": conflict.tier,
        "confidence": rounded(conflict.confidence),
        "topic_similarity": rounded(conflict.topic_similarity),
        "via": conflict.via,
        "chunks": [_chunk(name, side) for name, side in sides.items()],
        "rule_applied": conflict.rule_applied,
        "rule_trace": conflict.rule_trace,
        # Both sides may stand in one chunk: the chunk id names the passage to follow, `winner_side` which statement in it.
        "winner": sides[conflict.winner].chunk_id if conflict.winner else None,
        "winner_side": conflict.winner,
        "loser_retained": conflict.loser_retained,
        "status": conflict.status,
        "reviewer": conflict.reviewer,
        "reviewer_decision": conflict.reviewer_decision,
        "condition": conflict.condition,
        "decided_at": conflict.decided_at,
        "explanation": conflict.explanation,
    }


def _chunk(name: str, side: Side) -> dict[str, Any]:
    return {
        "side": name,
        "chunk_id": side.chunk_id,
        "doc": side.doc,
        "title": side.title,
        "owner": side.owner,
        "source_tier": side.source_tier,
        "published_date": side.published,
        "effective_date": side.effective,
        "heading": side.heading,
        "verbatim": side.quote,
        "statement": side.statement,
        "value": side.value,
        "scope": side.scope,
        "char_start": side.char_start,
        "char_end": side.char_end,
        "line_start": side.line_start,
        "line_end": side.line_end,
        "page": side.page,
        "locator": side.locator,
        "url": side.url,
    }
