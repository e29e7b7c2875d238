"""Findings counted the ways a reader asks for them: whose they are, in which folders, between which documents, how old.

Counts are of pairs. Charts leave the advisory tier out unless there is nothing else: hints must not drown what counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from auditor.format.words import KINDS, NO_OWNER, TOP_FOLDER
from auditor.history import SETTLED
from auditor.model import TIER_ORDER, Conflict, DocumentRow, Side

Tiers: TypeAlias = tuple[int, int, int]
"""Counts of high, medium and advisory."""

_BARS = 8  # bars of a chart; the rest is one more
_MATRIX = 10  # folders in the matrix
_WORST = 100  # pairs of documents listed
_AGES: tuple[tuple[float, str], ...] = (
    (1, "under 1 year"),
    (2, "1 to 2 years"),
    (3, "2 to 3 years"),
    (5, "3 to 5 years"),
    (float("inf"), "5 years and more"),
)
UNDATED = "undated"


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart. `key` is what the report can be filtered by, "" when it cannot be."""

    label: str
    key: str
    tiers: Tiers
    total: int
    share: float  # of the longest bar, in percent

    @property
    def parts(self) -> tuple[tuple[str, float, float], ...]:
        """Tier, start and width of each piece of the bar, in percent of the chart's width."""
        counted = sum(self.tiers)
        if not counted:
            return (("all", 0.0, round(self.share, 2)),)
        out = []
        start = 0.0
        for tier, count in zip(TIER_ORDER, self.tiers, strict=True):
            width = self.share * count / counted
            if count:
                out.append((str(tier), round(start, 2), round(width, 2)))
            start += width
        return tuple(out)


@dataclass(frozen=True, slots=True)
class OwnerRow:
    """The worklist of an owner in figures. `correct`: the suggestion is against their document; `decide`: no side is suggested."""

    owner: str
    findings: int
    correct: int
    decide: int
    stands: int
    done: int


@dataclass(frozen=True, slots=True)
class DocumentPair:
    """Two documents and how often they disagree. `b` equals `a` for a document that contradicts itself."""

    a: str
    b: str
    tiers: Tiers


@dataclass(frozen=True, slots=True)
class Matrix:
    """Folders against folders: `rows[i][j]` counts pairs between folder i and folder j. `heat` grades them from 0 to 4."""

    folders: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]
    heat: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything that is counted for a report."""

    owners: tuple[OwnerRow, ...]
    document_pairs: tuple[DocumentPair, ...]
    pairs_of_documents: int  # in all; `document_pairs` holds the worst
    folders: tuple[Bar, ...]
    kinds: tuple[Bar, ...]
    ages: tuple[Bar, ...]
    matrix: Matrix | None


def build_overview(conflicts: Sequence[Conflict], documents: Iterable[DocumentRow], as_of: date) -> Overview:
    """Count the findings; `conflicts` in the order of every output."""
    main = [conflict for conflict in conflicts if conflict.tier != "advisory"] or list(conflicts)
    folder = folder_namer([*(row.path for row in documents), *(side.doc for c in conflicts for side in (c.a, c.b))])
    pairs = _document_pairs(conflicts)
    return Overview(
        owners=_owners(conflicts),
        document_pairs=tuple(pairs[:_WORST]),
        pairs_of_documents=len(pairs),
        folders=_bars(
            ((name or TOP_FOLDER, name or TOP_FOLDER, c.tier) for c in main for name in {folder[c.a.doc], folder[c.b.doc]}),
            others="other folders",
        ),
        kinds=_bars(((c.kind, KINDS.get(c.kind, c.kind), c.tier) for c in main), others="other kinds"),
        ages=_ages(main, as_of),
        matrix=_matrix(main, folder),
    )


def folder_namer(paths: Iterable[str]) -> Mapping[str, str]:
    """Document → the folder it is counted under: the first one below what all documents share, "" for none."""
    parts = {path: path.split("/")[:-1] for path in paths}
    shared = 0
    folders = list(parts.values())
    while folders and all(len(folder) > shared and folder[shared] == folders[0][shared] for folder in folders):
        shared += 1
    return {path: folder[shared] if len(folder) > shared else "" for path, folder in parts.items()}


def owners_of(conflict: Conflict) -> Mapping[str, str]:
    """Owner → what the pair asks of them: "done", "decide", "correct" (a losing side is theirs) or "stands"."""
    asked: dict[str, str] = {}
    for letter, side in (("a", conflict.a), ("b", conflict.b)):
        if conflict.status in SETTLED:
            state = "done"
        elif conflict.winner is None:
            state = "decide"
        else:
            state = "stands" if conflict.winner == letter else "correct"
        owner = side.owner or NO_OWNER
        if asked.get(owner) != "correct":  # with both sides theirs, there is something to correct
            asked[owner] = state
    return asked


def _owners(conflicts: Sequence[Conflict]) -> tuple[OwnerRow, ...]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for conflict in conflicts:
        if conflict.tier == "advisory":
            continue
        for owner, state in owners_of(conflict).items():
            counts[owner][state] += 1
    rows = [OwnerRow(owner, sum(n.values()), n["correct"], n["decide"], n["stands"], n["done"]) for owner, n in counts.items()]
    return tuple(sorted(rows, key=lambda row: (-(row.correct + row.decide), -row.findings, row.owner)))


def _document_pairs(conflicts: Sequence[Conflict]) -> list[DocumentPair]:
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for conflict in conflicts:
        counts[conflict.a.doc, conflict.b.doc][conflict.tier] += 1
    pairs = [DocumentPair(a, b, _tiers(tiers)) for (a, b), tiers in counts.items()]
    return sorted(pairs, key=lambda pair: ([-n for n in pair.tiers], pair.a, pair.b))


def _tiers(counts: Mapping[str, int]) -> Tiers:
    high, medium, advisory = (counts.get(tier, 0) for tier in TIER_ORDER)
    return high, medium, advisory


def _bars(rows: Iterable[tuple[str, str, str]], others: str) -> tuple[Bar, ...]:
    """Bars from (key, label, tier), longest first; what exceeds the chart is added up as `others`."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for key, label, tier in rows:
        counts[key, label][tier] += 1
    ranked = sorted(counts.items(), key=lambda item: (-item[1].total(), item[0]))
    if len(ranked) > _BARS + 1:
        rest = sum((tiers for _, tiers in ranked[_BARS:]), Counter[str]())
        ranked = [*ranked[:_BARS], (("", others), rest)]
    longest = max((tiers.total() for _, tiers in ranked), default=0)
    return tuple(Bar(label, key, _tiers(tiers), tiers.total(), 100 * tiers.total() / longest) for (key, label), tiers in ranked)


def _ages(conflicts: Sequence[Conflict], as_of: date) -> tuple[Bar, ...]:
    """Documents involved by the age of the date they state about themselves."""
    ages = Counter(age_of(side, as_of) for side in {s.doc: s for c in conflicts for s in (c.a, c.b)}.values())
    longest = max(ages.values(), default=0)
    labels = [*(label for _, label in _AGES), UNDATED]
    return tuple(Bar(label, "", (0, 0, 0), ages[label], 100 * ages[label] / longest) for label in labels) if longest else ()


def age_of(side: Side, as_of: date) -> str:
    """The class of age a document belongs to."""
    stated = side.effective or side.published
    if stated is None:
        return UNDATED
    years = (as_of - stated).days / 365.25
    return next(label for limit, label in _AGES if years < limit)


def _matrix(conflicts: Sequence[Conflict], folder: Mapping[str, str]) -> Matrix | None:
    """The folders with the most pairs against each other; None when there is only one folder."""
    counts: Counter[tuple[str, str]] = Counter()
    totals: Counter[str] = Counter()
    for conflict in conflicts:
        a, b = folder[conflict.a.doc], folder[conflict.b.doc]
        for pair in {(a, b), (b, a)}:
            counts[pair] += 1
        totals.update({a, b})
    if len(totals) < 2:
        return None
    names = sorted(sorted(totals, key=lambda name: (-totals[name], name))[:_MATRIX])
    most = max(counts.values())
    rows = tuple(tuple(counts[a, b] for b in names) for a in names)
    heat = tuple(tuple(-(-4 * n // most) for n in row) for row in rows)
    return Matrix(tuple(name or TOP_FOLDER for name in names), rows, heat)
