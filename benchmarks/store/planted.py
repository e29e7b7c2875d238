"""Known contradictions and pairs that look like one, put among the placements of a group of pages."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from benchmarks.store.claims import Placement, noun_label, sentence
from benchmarks.store.world import Entity


@dataclass(slots=True, eq=False)
class Plan:
    """What one page is to hold."""

    target: int  # statements
    placements: list[Placement] = field(default_factory=list)

    @property
    def entities(self) -> list[Entity]:
        """The things that this page is about."""
        return list(dict.fromkeys(p.entity for p in self.placements if p.home))


@dataclass(frozen=True, slots=True)
class Pair:
    """A gold pair before its pages have names."""

    a: Placement
    b: Placement
    contradiction: bool
    why: str


class Planter:
    """Plants pairs among the plans of a group of pages. A placement takes part in one pair at most."""

    def __init__(self, plans: Sequence[Plan], rng: random.Random) -> None:
        self._plans = plans
        self._rng = rng
        self._where = {id(p): plan for plan in plans for p in plan.placements}
        counts: dict[tuple[int, int], int] = {}
        for plan in plans:
            for p in plan.placements:
                key = id(p.entity), id(p.attribute)
                counts[key] = counts.get(key, 0) + 1
        self._single = [p for plan in plans for p in plan.placements if counts[id(p.entity), id(p.attribute)] == 1]
        rng.shuffle(self._single)

    def conflict(self) -> Pair | None:
        """One value stated in two ways, on two pages or far apart on one."""
        first = next(self._free(), None)
        if first is None:
            return None
        first.kept = True
        scope = self._rng.choice(first.entity.kind.apart)[0] if self._rng.random() < 0.2 else ""
        if scope:
            first.text = self._say(first, first, scope=scope)
        elif first.attribute.clause or self._rng.random() < 0.5:
            first.text = self._say(first, first, named=self._rng.random() < 0.6 or not self._alone(first))
        second = self._second(first, same_page=self._rng.random() < 0.25)
        second.value = first.attribute.spec.other(first.value, self._rng)
        second.text = self._say(first, second, scope=scope)
        return Pair(first, second, True, "scope named on both sides" if scope else "another value")

    def negative(self) -> Pair | None:
        """A pair that looks like a contradiction and is none; of the kinds that can be made here, any."""
        ways: list[Callable[[], Pair | None]] = [
            self._other_entity,
            self._other_entity,
            self._other_scope,
            self._other_scope,
            self._exception,
            self._exception,
            self._example,
            self._past,
            self._changelog,
            self._range,
            self._converted,
            self._proposal,
        ]
        self._rng.shuffle(ways)
        return next((pair for way in ways if (pair := way()) is not None), None)

    # -- ways to look alike -----------------------------------------------------------------------------------------------------

    def _other_entity(self) -> Pair | None:
        free = list(self._free())
        for n, first in enumerate(free):
            for second in free[n + 1 :]:
                if (
                    first.attribute is second.attribute
                    and first.entity.family == second.entity.family
                    and first.value != second.value
                ):
                    first.kept = second.kept = True
                    second.wording = first.wording
                    first.text, second.text = self._say(first, first), self._say(first, second, entity=second.entity)
                    return Pair(first, second, False, "other entity of a similar name")
        return None

    def _other_scope(self) -> Pair | None:
        first = self._take()
        if first is None:
            return None
        one, other = self._rng.choice(first.entity.kind.apart)
        first.text = self._say(first, first, scope=one)
        return self._against(first, "other scope", scope=other)

    def _exception(self) -> Pair | None:
        first = self._take()
        if first is None:
            return None
        excepted = self._rng.choice(first.entity.kind.exceptions)
        first.text = f"{self._say(first, first)[:-1]}, except for {excepted}."
        return self._against(first, "exception stated", scope=f"For {excepted}")

    def _example(self) -> Pair | None:
        first = self._take(lambda p: p.value.numeric)
        return self._against(first, "example", scope="Suppose, for example, that", comma=False) if first else None

    def _past(self) -> Pair | None:
        first = self._take(lambda p: p.value.numeric and bool(noun_label(p.attribute)))
        if first is None:
            return None
        second = self._second(first)
        second.value = first.attribute.spec.other(first.value, self._rng)
        label, year = noun_label(first.attribute), self._rng.randrange(2012, 2021)
        second.text = f"Back in {year}, the {label} of {first.entity.name} was still {second.value.plain()}."
        return Pair(first, second, False, "past value")

    def _changelog(self) -> Pair | None:
        first = self._take(lambda p: p.value.numeric and bool(noun_label(p.attribute)))
        if first is None:
            return None
        second = self._second(first)
        second.value = first.attribute.spec.other(first.value, self._rng)
        label = first.attribute.label
        second.text = f"{label} of {first.entity.name} changed from {second.value.plain()} to {first.value.plain()}."
        return Pair(first, second, False, "changelog entry")

    def _range(self) -> Pair | None:
        first = self._take(lambda p: p.value.numeric and "up to" not in p.attribute.wordings(p.value)[p.wording])
        if first is None:
            return None
        second = self._second(first)
        second.text = self._say(first, second, written=second.value.around(self._rng))
        return Pair(first, second, False, "range that holds the value")

    def _converted(self) -> Pair | None:
        first = self._take(lambda p: p.value.converted() is not None)
        if first is None:
            return None
        second = self._second(first)
        second.text = self._say(first, second, written=second.value.converted())
        return Pair(first, second, False, "same value in another unit")

    def _proposal(self) -> Pair | None:
        first = self._take(lambda p: p.value.numeric and bool(noun_label(p.attribute)))
        if first is None:
            return None
        second = self._second(first)
        second.value = first.attribute.spec.other(first.value, self._rng)
        label = noun_label(first.attribute)
        second.text = f"A proposal to set the {label} of {first.entity.name} at {second.value.plain()} was turned down."
        return Pair(first, second, False, "proposal")

    # -- parts ------------------------------------------------------------------------------------------------------------------

    def _free(self, fits: Callable[[Placement], bool] = lambda p: True) -> Iterator[Placement]:
        return (p for p in self._single if not p.kept and fits(p))

    def _take(self, fits: Callable[[Placement], bool] = lambda p: True) -> Placement | None:
        first = next(self._free(fits), None)
        if first is not None:
            first.kept = True
        return first

    def _alone(self, placement: Placement) -> bool:
        """Whether the page is about nothing else, so that "the store" can be meant by it only."""
        return len(self._where[id(placement)].entities) == 1

    def _second(self, first: Placement, same_page: bool = False) -> Placement:
        """A second placement, worded otherwise, on another page if there is one."""
        here = self._where[id(first)]
        others = [plan for plan in self._plans if plan is not here]
        plan = here if same_page or not others else self._rng.choice(others)
        words = len(first.attribute.wordings(first.value))
        wording = (first.wording + self._rng.randrange(1, words)) % words
        second = Placement(first.entity, first.attribute, first.value, wording, home=False, kept=True)
        plan.placements.append(second)
        self._where[id(second)] = plan
        return second

    def _against(self, first: Placement, why: str, scope: str, comma: bool = True) -> Pair:
        second = self._second(first)
        second.value = first.attribute.spec.other(first.value, self._rng)
        text = self._say(first, second, scope=scope)
        second.text = text if comma else text.replace(f"{scope},", scope, 1)
        return Pair(first, second, False, why)

    def _say(
        self,
        first: Placement,
        placement: Placement,
        *,
        entity: Entity | None = None,
        named: bool = True,
        scope: str = "",
        written: str | None = None,
    ) -> str:
        return sentence(
            entity or first.entity,
            first.attribute,
            placement.value,
            placement.wording,
            self._rng,
            named=named,
            scope=scope,
            written=written,
        )
