"""Readable scopes of findings, read back: which of them may share a cluster."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TypeAlias

Slots: TypeAlias = Mapping[str, frozenset[str]]
Agreed: TypeAlias = frozenset[tuple[str, frozenset[str], frozenset[str]]]

_BETWEEN_WORDS = re.compile(r"\s*(?:,|/|\|)\s*|\s+(?:or|and)\s+")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@lru_cache(maxsize=4096)
def slots(scope: str) -> Slots:
    """Slot → words of a readable scope ("plan: enterprise; region: eu")."""
    found: dict[str, frozenset[str]] = {}
    for part in scope.split(";"):
        name, _, words = part.partition(":")
        values = frozenset(word for word in _BETWEEN_WORDS.split(words.strip().casefold()) if word)
        if name.strip() and values:
            found[name.strip().casefold()] = values
    return MappingProxyType(found)


def one_sided(scope_a: str, scope_b: str, names: Iterable[str]) -> tuple[str, ...]:
    """What only one of two sides is limited to, as sorted "slot=words". Findings that differ in it are about different things."""
    a, b = slots(scope_a), slots(scope_b)
    return tuple(
        sorted(
            f"{name}={','.join(sorted(a.get(name, frozenset()) | b.get(name, frozenset())))}" for name in map(str.casefold, names)
        )
    )


def agreed(sides: Iterable[tuple[str, str, tuple[str, ...]]]) -> Agreed:
    """Slots and fillings without a common word that were compared and found to go together ("2024" and "2024-03").

    `sides` are both scopes of each finding and its one-sided slots; those were left open, not found to agree.
    """
    found: set[tuple[str, frozenset[str], frozenset[str]]] = set()
    for scope_a, scope_b, open_slots in sides:
        a, b = slots(scope_a), slots(scope_b)
        for name in (a.keys() & b.keys()) - set(map(str.casefold, open_slots)):
            found |= {(name, a[name], b[name]), (name, b[name], a[name])}
    return frozenset(found)


def years(words: Iterable[str]) -> frozenset[int]:
    """Years that periods such as "fy2023", "2024q3" or "2024-03" lie in."""
    return frozenset(int(year) for word in words for year in _YEAR.findall(word))


class ScopeSet:
    """All scopes of the sides in a cluster. It may grow only as long as no two of its members exclude each other."""

    __slots__ = ("_held",)

    def __init__(self, scopes: Iterable[str]) -> None:
        self._held: dict[str, set[frozenset[str]]] = {}
        for scope in scopes:
            for name, words in slots(scope).items():
                self._held.setdefault(name, set()).add(words)

    def admits(self, other: ScopeSet, known: Agreed = frozenset()) -> bool:
        """Whether each scope here can hold together with each one there: slots that both fill share a word or are in `known`.

        Every pair counts, not only neighbours: "eu" and "eu, us" are compatible, so are "eu, us" and "us", "eu" and "us" are not.
        """
        return all(
            mine & theirs or (name, mine, theirs) in known
            for name in self._held.keys() & other._held.keys()
            for mine in self._held[name]
            for theirs in other._held[name]
        )

    def absorb(self, other: ScopeSet) -> None:
        """Take in the scopes of another cluster."""
        for name, words in other._held.items():
            self._held.setdefault(name, set()).update(words)

    def signature(self) -> tuple[str, ...]:
        """The scopes as sorted text, for identities."""
        return tuple(f"{name}={'|'.join(sorted(','.join(sorted(w)) for w in words))}" for name, words in sorted(self._held.items()))
