"""What has to be known of a whole corpus before the facts of one statement can be read.

Two kinds of facts depend on other documents: a verb gets a polarity fact only where the corpus negates it somewhere, and a thing counts as
"still counted on" only if some passage retires it. So extraction has two passes: a survey of every document alone, and after that, with
the surveys put together, the facts of every document alone. Both can be kept as long as the document, and the part of the whole that
bears on it, do not change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from auditor.extract.polarity import Negated, negated_verbs
from auditor.extract.presence import Retired, retired_subjects
from auditor.model import Statement
from auditor.text.words import tokens

_FEW = 10
_SHARE = 100  # a verb in more than one statement of so many tells nothing when it is asserted


@dataclass(frozen=True, slots=True)
class Survey:
    """What one document contributes. Statements are named by their index."""

    negated: dict[int, list[Negated]] = field(default_factory=dict)
    stems: dict[str, int] = field(
        default_factory=dict
    )  # stem → statements with it in their own words (0: only in what introduces them)
    retired: list[Retired] = field(default_factory=list)
    size: int = 0  # statements


@dataclass(frozen=True, slots=True)
class Shared:
    """What all surveys together say: verbs whose assertion may answer a negation, and subjects of retirements."""

    verbs: frozenset[str] = frozenset()
    retired: tuple[Retired, ...] = ()
    polar: bool = False  # whether there are such verbs at all

    @classmethod
    def of(cls, surveys: Sequence[Survey], statements: Sequence[int]) -> Shared:
        """Put together the surveys of documents with so many statements each.

        A verb is telling when it stands in at most one statement in a hundred (or ten in all).
        """
        verbs = {n.verb for noted in surveys for found in noted.negated.values() for n in found}
        counts = dict.fromkeys(verbs, 0)
        for noted in surveys:
            for verb in verbs & noted.stems.keys():
                counts[verb] += noted.stems[verb]
        most = max(_FEW, sum(noted.size for noted in surveys) // _SHARE)
        telling = frozenset(v for v, n in counts.items() if n <= most)
        firsts = accumulate(statements, initial=0)
        retired = tuple(
            Retired(r.stems, first + r.statement) for noted, first in zip(surveys, firsts, strict=False) for r in noted.retired
        )
        return cls(telling, retired, bool(telling))

    def within(self, noted: Survey, first: int, count: int) -> Shared:
        """The part that bears on one document, whose statements are counted from `first`; there they are counted from 0.

        Two corpora that agree in this part give the document the same facts.
        """
        known = noted.stems.keys()
        retired = tuple(
            Retired(subject.stems, subject.statement - first if first <= subject.statement < first + count else -1)
            for subject in self.retired
            if subject.stems <= known
        )
        return Shared(self.verbs & known, retired, self.polar)


NOTHING_SHARED = Shared()


def survey(statements: Iterable[Statement]) -> Survey:
    """Look through statements for what other documents have to know of them."""
    statements = list(statements)
    negated: dict[int, list[Negated]] = {}
    stems: dict[str, int] = {}
    for statement in statements:
        words = tokens(statement.text)
        for word in {t.stem for t in words}:
            stems.setdefault(word, 0)
        own = statement.text[statement.body :]
        for word in {t.stem for t in (tokens(own) if statement.body else words)}:
            stems[word] = stems.get(word, 0) + 1
        if found := negated_verbs(own):
            shift = statement.body
            negated[statement.index] = [Negated(n.verb, n.start + shift, n.end + shift) for n in found]
    return Survey(negated, stems, retired_subjects(statements), len(statements))
