"""The findings as data for the script of `report.html`, which builds the page from them piece by piece.

Every text in it has been cut and has its controls made visible, as everywhere in a report; the script sets texts only as text. What
repeats (documents, passages, sentences of the rules) is stored once and named by its index, so that ten thousand findings stay small.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from auditor.format import words
from auditor.format.overview import folder_namer
from auditor.format.templates import PRINTED_LIMIT
from auditor.format.text import Segment, clip, visible
from auditor.format.views import ClusterView, PairView, ReportView, SideView, ValueView
from auditor.model import Conflict

_DOCUMENTS = 200  # documents named per value; clusters.parquet names all
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029\x7f"}


class _Interned:
    """Values by index; equal ones once."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._index: dict[Any, int] = {}

    def add(self, value: Any) -> int:
        key = value if isinstance(value, str) else json.dumps(value)
        found = self._index.get(key)
        if found is None:
            found = self._index[key] = len(self.values)
            self.values.append(value)
        return found


def shown(text: str | None) -> str:
    """`text` as a report shows it."""
    return visible(clip(text or "", PRINTED_LIMIT))


def build_payload(view: ReportView) -> dict[str, Any]:
    """The findings as JSON-ready data: `facts` in the order of the report, `pairs` in the order of the facts."""
    return _Builder(view).build()


def script_json(payload: Mapping[str, Any]) -> str:
    """JSON that can stand in a script element: nothing in it can end the element or start a comment."""
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)


class _Builder:
    def __init__(self, view: ReportView) -> None:
        self._view = view
        clusters = (*view.clusters, *view.advisory)
        paths = {path for cluster in clusters for value in cluster.values for path in value.documents[:_DOCUMENTS]}
        paths |= {side.side.doc for cluster in clusters for pair in cluster.pairs for side in pair.sides}
        self._folder = folder_namer([*view.documents, *paths])
        self._documents, self._sources, self._sides, self._texts = _Interned(), _Interned(), _Interned(), _Interned()
        self._pairs: list[dict[str, Any]] = []

    def build(self) -> dict[str, Any]:
        """All tables."""
        facts = [self._fact(cluster) for cluster in (*self._view.clusters, *self._view.advisory)]
        return {
            "schema": 1,
            "corpus": shown(self._view.corpus),
            "words": {
                "kinds": dict(words.KINDS),
                "states": dict(words.STATES),
                "decisions": dict(words.DECISIONS),
                "tiers": dict(words.TIERS),
                "nobody": words.NO_OWNER,
                "top": words.TOP_FOLDER,
            },
            "documents": self._documents.values,  # [path, folder]
            "sources": self._sources.values,
            "sides": self._sides.values,
            "texts": self._texts.values,
            "facts": facts,
            "pairs": self._pairs,
        }

    def _document(self, path: str) -> int:
        return self._documents.add([shown(path), shown(self._folder[path])])

    def _fact(self, cluster: ClusterView) -> dict[str, Any]:
        first = len(self._pairs)
        self._pairs.extend(self._pair(pair) for pair in cluster.pairs)
        found: dict[str, Any] = {
            "n": cluster.number,
            "subject": shown(cluster.subject),
            "claims": [shown(claim) for claim in cluster.claims],
            "tier": cluster.tier,
            "winning": shown(cluster.winning),
            "values": [] if cluster.facts else [self._value(value) for value in cluster.values],
            "pairs": [first, len(self._pairs)],
        }
        if cluster.facts:
            found["facts"] = [[shown(f.subject), f.pair, [self._value(value) for value in f.values]] for f in cluster.facts]
        if cluster.notes:
            found["notes"] = [shown(note) for note in cluster.notes]
        return found

    def _value(self, value: ValueView) -> list[Any]:
        named = [self._document(path) for path in value.documents[:_DOCUMENTS]]
        return [shown(value.value), len(value.documents), named, list(value.badges)]

    def _pair(self, pair: PairView) -> dict[str, Any]:
        conflict = pair.conflict
        found: dict[str, Any] = {
            "id": conflict.conflict_id,
            "hash": conflict.content_hash,
            "tier": conflict.tier,
            "kind": shown(conflict.kind),
            "category": shown(conflict.category),
            "sure": words.sureness(conflict.confidence),
            "says": shown(conflict.explanation),
            "sides": [self._sides.add(self._side(side)) for side in pair.sides],
            "rule": shown(pair.rule),
            "reason": self._texts.add(shown(pair.reason)),
            "declined": [self._texts.add(shown(line)) for line in pair.declined],
            "status": shown(conflict.status),
        }
        optional = {
            "winner": conflict.winner,
            "note": shown(pair.scope_note),
            "reviewer": shown(conflict.reviewer),
            "decision": shown(conflict.reviewer_decision),
            "condition": shown(conflict.condition),
            "decided": shown(conflict.decided_at),
            "since": pair.since,
            "why": shown(pair.why),
            "earlier": [[c.conflict_id, shown(earlier_decision(c))] for c in pair.earlier],
        }
        return found | {name: value for name, value in optional.items() if value}

    def _side(self, view: SideView) -> dict[str, Any]:
        side = view.side
        source = [
            shown(side.title if side.title != side.doc else ""),
            shown(side.owner),
            shown(view.source),
            [[label, day.isoformat()] for label, day in view.dates],
        ]
        found: dict[str, Any] = {
            "doc": self._document(side.doc),
            "source": self._sources.add(source),
            "value": shown(view.value),
            "quote": [_segment(segment) for segment in view.quote],
        }
        optional = {
            "read": shown(view.reading),
            "url": view.url,
            "place": shown(view.place),
            "section": shown(side.heading),
            "scope": shown(side.scope),
        }
        return found | {name: value for name, value in optional.items() if value}


def earlier_decision(conflict: Conflict) -> str:
    """An earlier decision about the same subject in one sentence."""
    choice = conflict.reviewer_decision or ""
    said = words.DECISIONS.get(choice, choice)
    value = {"accept_a": conflict.a.value, "accept_b": conflict.b.value}.get(choice, "")
    return "".join(
        (
            f"{clip(value, 80)} holds" if value else said,
            f" ({clip(conflict.condition, 200)})" if conflict.condition else "",
            f", by {clip(conflict.reviewer, 80)}" if conflict.reviewer else "",
            f" on {conflict.decided_at}" if conflict.decided_at else "",
        )
    )


def _segment(segment: Segment) -> Any:
    text = shown(segment.text)
    return [text, segment.kind] if segment.kind else text
