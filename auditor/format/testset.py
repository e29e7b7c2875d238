"""`testset.jsonl`: the conflicts of a run as test cases for a question-answering system over the same documents."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from auditor.cluster_facts import facts_in
from auditor.format.files import write_text
from auditor.format.text import one_line, restore_case
from auditor.model import TIER_ORDER, ClusterValue, Conflict, ScanResult, Side
from auditor.store import in_order
from auditor.verdict import decision, followed, is_dismissed


class TestsetFormat:
    """Writes `testset.jsonl`, one case a line. `min_tier`: how sure a conflict has to be."""

    __test__ = False  # its name looks like a class of tests
    id = "testset"
    filename = "testset.jsonl"

    def __init__(self, min_tier: str = "medium") -> None:
        self.min_tier = min_tier

    def write(self, result: ScanResult, path: Path) -> None:
        """Write the cases."""
        # Plain ASCII: what ends a line in some readers but not in JSON stays escaped.
        write_text(path, "".join(json.dumps(case, allow_nan=False) + "\n" for case in cases(result, self.min_tier)))


def cases(result: ScanResult, min_tier: str = "medium") -> Iterator[dict[str, Any]]:
    """One case for each fact: `{query, docs, conflict_type, must_cite}`, the most pressing first.

    `docs` holds one passage for each value (`id`, `title`, `updated`, `path`, `text`), `conflict_type` is the conflict's category.
    An answer must cite the passage of the value to follow where rules or a reviewer say which; where nothing does, all of them:
    it has to say that the sources disagree. Conflicts that were dismissed, or of which no side holds, make no case. Check an
    answer with `auditor.cites_all`.
    """
    clusters: dict[str, list[Conflict]] = defaultdict(list)
    for conflict in in_order(result.conflicts):
        if TIER_ORDER.get(conflict.tier, len(TIER_ORDER)) <= TIER_ORDER[min_tier] and not is_dismissed(conflict):
            clusters[conflict.cluster_id].append(conflict)
    values: dict[str, list[ClusterValue]] = defaultdict(list)
    for row in result.clusters:
        values[row.cluster_id].append(row)
    # A question is about one fact, though several of one cause (copies, tables of two documents) share a cluster.
    facts = [fact.conflicts for key, found in clusters.items() for fact in facts_in(found, values.get(key, ()))]
    for conflicts in facts:
        if conflicts and all(decision(conflict) != "neither" for conflict in conflicts):
            yield _case(conflicts)


def _case(conflicts: Sequence[Conflict]) -> dict[str, Any]:
    passages: dict[str, Side] = {}  # by value
    winners: set[str] = set()
    for conflict in conflicts:
        for name, side in (("a", conflict.a), ("b", conflict.b)):
            key = _identity(conflict, side)
            passages.setdefault(key, side)
            if followed(conflict) == name:
                winners.add(key)
    # Values that win a pair each and exclude each other leave it to the answer to say so.
    opposed = any({_identity(c, c.a), _identity(c, c.b)} <= winners for c in conflicts)
    names = {key: f"D{n}" for n, key in enumerate(passages, start=1)}
    return {
        "query": f"What do our documents say about {_subject(conflicts[0])}?",
        "docs": [_document(names[key], side) for key, side in passages.items()],
        "conflict_type": conflicts[0].category,
        "must_cite": [name for key, name in names.items() if not winners or opposed or key in winners],
    }


def _identity(conflict: Conflict, side: Side) -> str:
    """What tells values apart; where both sides read the same ("14 days" of delivery and of purchase), the quote does."""
    value = " ".join(side.value.casefold().split())
    return f"{value}\x1f{side.quote}" if conflict.a.value == conflict.b.value else value


def _document(name: str, side: Side) -> dict[str, Any]:
    day = side.effective or side.published
    return {
        "id": name,
        "title": side.title,
        "updated": day.isoformat() if day else None,
        "path": side.doc,
        "text": side.quote,
    }


def _subject(conflict: Conflict) -> str:
    """What the fact is about, without its values."""
    sources = [text for side in (conflict.a, conflict.b) for text in (side.statement, side.heading, side.title)]
    entity, attribute = (one_line(restore_case(text, sources), 120) for text in (conflict.entity_key, conflict.attribute))
    if not entity or not attribute:
        return entity or attribute or one_line(conflict.a.title, 120) or conflict.a.doc
    if set(attribute.lower().split()) <= set(entity.lower().split()):
        return entity
    return f"{entity} ({attribute[:1].lower()}{attribute[1:]})" if attribute[1:2].islower() else f"{entity} ({attribute})"
