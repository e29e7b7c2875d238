"""One file per owner: a result cut down to what an owner has to see, and file names that any file system takes."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from auditor.cluster_facts import facts_in
from auditor.history import Comparison, Review
from auditor.model import TIER_ORDER, ClusterValue, Conflict, ScanResult
from auditor.ports import Format

NOBODY = "no-owner"
"""Stands in file names for documents that nobody answers for."""

_NAME_LIMIT = 60


class OfOwner:
    """A format that writes the part of one owner, whatever result it is given."""

    def __init__(self, form: Format, part: ScanResult, slug: str) -> None:
        self.id = form.id
        stem, dot, suffix = form.filename.partition(".")
        self.filename = f"{stem}-{slug}{dot}{suffix}"
        self._form = form
        self._part = part

    def write(self, result: ScanResult, path: Path) -> None:
        """Write the owner's part to `path`."""
        self._form.write(self._part, path)


def by_owner(result: ScanResult, formats: Sequence[Format]) -> tuple[Format, ...]:
    """Each format once for each owner who has something to do, for `write_all`; ordered by owner, documents of nobody last."""
    found = owners(result)
    slugs = file_names(found)
    return tuple(OfOwner(form, part_of(result, owner), slugs[owner]) for owner in found for form in formats)


def owners(result: ScanResult) -> tuple[str | None, ...]:
    """Who answers for a document with a finding; None last, for documents that nobody answers for."""
    named = {side.owner or None for conflict in result.conflicts for side in (conflict.a, conflict.b)}
    return tuple(sorted(named, key=lambda owner: (owner is None, owner or "")))


def part_of(result: ScanResult, owner: str | None) -> ScanResult:
    """The findings with a document of this owner on either side, and the documents and clusters that belong to them.

    A document that was not read stands with its owner; if nothing says who that is, with the documents of nobody.
    """
    conflicts = tuple(c for c in result.conflicts if owner in ((c.a.owner or None), (c.b.owner or None)))
    involved = {side.doc for conflict in conflicts for side in (conflict.a, conflict.b)}
    clusters = {conflict.cluster_id for conflict in conflicts}
    values = _values(conflicts, result.clusters)
    documents = tuple(row for row in result.documents if row.path in involved or (row.owner or None) == owner)
    paths = {row.path for row in documents}
    return replace(
        result,
        conflicts=conflicts,
        clusters=values,
        documents=documents,
        chunks=tuple(chunk for chunk in result.chunks if chunk.doc_id in paths),
        review=_review(result.review, conflicts, paths),
        baseline=None if result.baseline is None else _baseline(result.baseline, conflicts, paths),
        counts=_counts(conflicts, len(clusters), sum(row.skipped_reason is None for row in documents), len(documents)),
    )


def _values(conflicts: Sequence[Conflict], rows: Sequence[ClusterValue]) -> tuple[ClusterValue, ...]:
    """The rows of the facts that these conflicts are about; a cluster of one cause may hold facts of other owners only."""
    held: dict[str, list[ClusterValue]] = defaultdict(list)
    for row in rows:
        held[row.cluster_id].append(row)
    about: dict[str, list[Conflict]] = defaultdict(list)
    for conflict in conflicts:
        about[conflict.cluster_id].append(conflict)
    wanted = {(key, fact.label) for key, found in about.items() for fact in facts_in(found, held.get(key, ())) if fact.conflicts}
    return tuple(row for row in rows if (row.cluster_id, (row.entity_key, row.attribute)) in wanted)


def _review(review: Review, conflicts: Sequence[Conflict], paths: Set[str]) -> Review:
    ids = {conflict.conflict_id for conflict in conflicts}
    orphans = tuple(orphan for orphan in review.orphans if paths & {orphan.doc_a, orphan.doc_b})
    decided, dismissed = (sum(c.status == status for c in conflicts) for status in ("decided", "dismissed"))
    reopened = {key: why for key, why in review.reopened.items() if key in ids}
    return Review(
        decisions=decided + dismissed + len(reopened) + len(orphans),
        decided=decided,
        dismissed=dismissed,
        reopened=reopened,
        reasons={key: why for key, why in review.reasons.items() if key in ids},
        orphans=orphans,
    )


def _baseline(baseline: Comparison, conflicts: Sequence[Conflict], paths: Set[str]) -> Comparison:
    """The comparison without the trend, which counts the findings of everybody."""
    ids = {conflict.conflict_id for conflict in conflicts}
    keys = {conflict.entity_key for conflict in conflicts}
    return replace(
        baseline,
        states={key: state for key, state in baseline.states.items() if key in ids},
        changed=tuple(key for key in baseline.changed if key in ids),
        gone=tuple(gone for gone in baseline.gone if paths & {gone.doc_a, gone.doc_b}),
        escalations=tuple(escalation for escalation in baseline.escalations if escalation.entity_key in keys),
        runs=(),
    )


def _counts(conflicts: Sequence[Conflict], clusters: int, read: int, documents: int) -> dict[str, int]:
    """Only what can be said of a part: pairs are compared across owners."""
    tiers = {f"conflicts_{tier}": sum(c.tier == tier for c in conflicts) for tier in TIER_ORDER}
    return {"documents": read, "skipped": documents - read, "conflicts": len(conflicts), "clusters": clusters, **tiers}


def file_names(names: Iterable[str | None]) -> dict[str | None, str]:
    """A part of a file name for each owner: lower case, ASCII, and different also where upper and lower case are the same."""
    taken: dict[str, list[str | None]] = defaultdict(list)
    for name in names:
        taken[NOBODY if name is None else _slug(name)].append(name)
    found: dict[str | None, str] = {}
    for slug, held in taken.items():
        for name in held:
            # Whoever is called like another, or like nobody, is told apart by a hash, so that the name does not depend on order.
            alone = (len(held) == 1 and slug not in ("", NOBODY)) or name is None
            found[name] = slug if alone else f"{slug or 'owner'}-{sha256((name or '').encode('utf-8', 'replace')).hexdigest()[:8]}"
    return found


def _slug(name: str) -> str:
    ascii_only = unicodedata.normalize("NFKD", name[: _NAME_LIMIT * 4]).encode("ascii", "ignore").decode("ascii")
    words = re.sub(r"[^a-z0-9._]+", "-", ascii_only.lower().replace("@", "-at-"))
    return re.sub(r"[-._]{2,}", "-", words)[:_NAME_LIMIT].strip("-._")
