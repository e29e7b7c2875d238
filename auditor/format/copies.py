"""What a report says about documents that repeat another: one line for each, and the words of the cluster that they share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from auditor.cluster_facts import by_label
from auditor.duplicates import Copy, groups, newer, within
from auditor.format.text import one_line
from auditor.format.words import plural
from auditor.model import ClusterValue, DocumentRow, ScanResult

_NOTES = 5  # copies told of above a cluster
_PATH_LENGTH = 160


@dataclass(frozen=True, slots=True)
class CopyView:
    """A document that repeats another. `newer` is its path or the other's, "" when the dates do not tell."""

    document: str
    original: str
    exact: bool
    alike: str  # "word for word the same"
    newer: str
    dates: str  # what the newer one is known by; "" where the other document is not part of the report
    differences: int  # facts with different values that only copies take part in
    elsewhere: int  # the same where other documents take part, too
    fact: int  # number of the cluster that holds the former, else of the first of the latter; 0 when there is none

    @property
    def count(self) -> str:
        """How many differences the report lists: "2 differences, and 4 about which other documents disagree as well"."""
        if not self.fact:
            return "nothing differs" if self.exact else "no difference found"
        shared = " about which other documents disagree as well" if self.elsewhere else ""
        if not self.differences:
            return plural(self.elsewhere, "difference") + shared
        return plural(self.differences, "difference") + (f", and {self.elsewhere:,}{shared}" if shared else "")


class Repeats:
    """The copies of a result: which documents belong together, and how they are told of."""

    def __init__(self, result: ScanResult) -> None:
        self._rows = {row.path: row for row in result.documents}
        self._copies = {row.path: self._copy(row, row.copy_of) for row in result.documents if row.copy_of is not None}
        self._groups = groups(self._copies)
        self._values: dict[str, list[ClusterValue]] = defaultdict(list)
        for value in result.clusters:
            self._values[value.cluster_id].append(value)

    def original(self, documents: Iterable[str]) -> DocumentRow | None:
        """The document that all these are copies of, or one of them; None when they are not all copies of one."""
        found = within(documents, self._groups)
        return self._rows.get(found) if found is not None else None

    def are_copies(self, documents: Iterable[str]) -> bool:
        """Whether these are several documents, all copies of one or that one."""
        return within(documents, self._groups) is not None

    def notes(self, documents: Iterable[str]) -> tuple[str, ...]:
        """A sentence for each copy among these documents that says what it is a copy of, and which of the two is newer."""
        told = []
        for document in sorted(set(documents) & self._copies.keys()):
            copy = self._copies[document]
            said = f"{_path(document)} repeats {_path(copy.original)} ({_alike(copy)})"
            known_by = (f"{_path(copy.newer)} is newer, " if copy.newer else "") + self._dates(copy)
            told.append("; ".join(filter(None, (said, known_by))) + ".")
        more = len(told) - _NOTES
        return (*told[:_NOTES], f"And {plural(more, 'more copy', 'more copies')}.") if more > 0 else tuple(told)

    def views(self, numbers: Mapping[str, int]) -> tuple[CopyView, ...]:
        """The copies, ordered by what they repeat. `numbers` are those of the clusters in the report, by their id."""
        differing = self._differing(numbers)
        found = []
        for document, copy in self._copies.items():
            clusters = differing.get(document, [])
            own = [key for key in clusters if self.are_copies(self._holders(key))]
            found.append(
                CopyView(
                    document=document,
                    original=copy.original,
                    exact=copy.exact,
                    alike=_alike(copy),
                    newer=copy.newer or "",
                    dates=self._dates(copy),
                    differences=len(own),
                    elsewhere=len(clusters) - len(own),
                    fact=min((numbers[key] for key in own or clusters), default=0),
                )
            )
        return tuple(sorted(found, key=lambda view: (view.original, view.document)))

    def _differing(self, numbers: Mapping[str, int]) -> Mapping[str, Sequence[str]]:
        """Copy → clusters in which it holds another value than its original, once for each fact."""
        found: dict[str, list[str]] = defaultdict(list)
        for key in numbers:
            for rows in by_label(self._values.get(key, ())).values():
                values: dict[str, set[str]] = defaultdict(set)
                for row in rows:
                    for document in row.documents:
                        values[document].add(row.value)
                for document in values.keys() & self._copies.keys():
                    others = values.get(self._copies[document].original)
                    if others and others != values[document]:
                        found[document].append(key)
        return found

    def _holders(self, key: str) -> set[str]:
        return {document for row in self._values.get(key, ()) for document in row.documents}

    def _copy(self, row: DocumentRow, original: str) -> Copy:
        other = self._rows.get(original)
        later = newer(row.path, stated(row), original, stated(other)) if other is not None else None
        return Copy(row.path, original, row.copy_share or 0.0, bool(row.copy_exact), later)

    def _dates(self, copy: Copy) -> str:
        original = self._rows.get(copy.original)
        if original is None:
            return ""
        day = {row.path: stated(row) for row in (self._rows[copy.doc], original)}
        if copy.newer is None:
            same = day[copy.doc]
            return f"both are dated {same}" if same else "neither states a date"
        older = copy.original if copy.newer == copy.doc else copy.doc
        against = f"the other {day[older]}" if day[older] else "the other undated"
        return f"dated {day[copy.newer]}, {against}"


def stated(row: DocumentRow) -> date | None:
    """The date by which copies are told apart."""
    return row.effective or row.published


def _alike(copy: Copy) -> str:
    if copy.exact:
        return "word for word the same"
    # Rounded down: a document that differs is not 100 % the same; with its numbers left aside it may well be.
    return f"{int(100 * copy.share)} % the same, numbers aside"


def _path(path: str) -> str:
    return one_line(path, _PATH_LENGTH)
