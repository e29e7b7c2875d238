"""Relation of two scopes, slot by slot: equal, different, or one-sided."""

from __future__ import annotations

import re
from dataclasses import dataclass

from auditor.detect import reasons
from auditor.model import CLAUSAL, Fact, FactKind
from auditor.rulepack import RulePack
from auditor.text.words import stem

# Slots whose presence on one side only makes the statement an example or a plan, not a claim of the same sort.
_PLAN_SLOTS = {"plan_actual": reasons.PLAN, "example": reasons.EXAMPLE}
_AGE = re.compile(r"(<)?(\d+)(?:-(\d+))?(\+)?")


@dataclass(frozen=True, slots=True)
class ScopeRelation:
    """`different` names the slot and both fillings, "" if the scopes are compatible; `one_sided` lists slots that only one side fills."""

    different: str
    reason: str
    one_sided: tuple[str, ...]
    specific: str | None  # "a" or "b": the side that fills the one-sided slots, None where both do
    named: tuple[str, ...] = ()  # of `one_sided`: filled in the sentence itself, not only by heading or title
    contrast: int = 0  # contrast groups in which the sides use different words, softly counted


# Subjects that stand for all there is of a kind.
_GENERAL = frozenset(
    stem(w)
    for w in [
        "goods",
        "item",
        "items",
        "product",
        "products",
        "article",
        "articles",
        "purchase",
        "purchases",
        "customer",
        "customers",
        "employee",
        "employees",
        "people",
        "person",
        "everyone",
        "everybody",
        "anyone",
        "user",
        "users",
        "member",
        "members",
        "visitor",
        "visitors",
        "guest",
        "guests",
    ]
)


def relate(a: Fact, b: Fact, rules: RulePack) -> ScopeRelation:
    """Compare the scopes of two facts."""
    for one, other in ((a, b), (b, a)):
        for exception in one.scope.get("exception", ()):
            stems = set(exception.split())
            known = other.attribute.keys() | other.context | other.names
            if stems and len({s for s in stems if s in known}) >= 0.6 * len(stems):
                return ScopeRelation(
                    f"exception: one side excepts “{exception}”, the other is about it", reasons.EXCEPTION, (), None
                )
    one_sided: list[str] = []
    sides: set[str] = set()
    contrast = 0
    for slot in sorted(a.scope.keys() | b.scope.keys()):
        x, y = a.scope.get(slot), b.scope.get(slot)
        if slot.startswith("contrast"):
            if x and y and x.isdisjoint(y):
                if _bears(a, x) and _bears(b, y):
                    return ScopeRelation(f"{', '.join(sorted(x))} against {', '.join(sorted(y))}", reasons.SCOPE, (), None)
                contrast += 1
            continue
        if slot == "region" and a.kind is FactKind.NAME:
            continue  # where it is, is the claim itself
        if slot == "period" and (FactKind.DATE in (a.kind, b.kind) or FactKind.STATUS in (a.kind, b.kind)):
            continue  # "retired in 2023" dates the retirement
        if slot in _PLAN_SLOTS:
            if (x is None) != (y is None):
                return ScopeRelation(
                    f"{slot.replace('_', ' and ')}: only one side ({', '.join(sorted(x or y or ()))})", _PLAN_SLOTS[slot], (), None
                )
            continue
        if x is None or y is None:
            one_sided.append(slot)
            sides.add("a" if x is not None else "b")
            continue
        if slot == "age" and a.value.unit == b.value.unit == "age":
            continue
        if slot == "audience" and slot in a.titled_slots | b.titled_slots and not _compatible(slot, x, y):
            one_sided.append(slot)  # whom a document is written for is not yet whom its rules are for
            continue
        if slot == "condition" and _opposed(x, y):
            return ScopeRelation(
                f"condition: {', '.join(sorted(x))} against {', '.join(sorted(y))}", reasons.SCOPE, (), None, (), contrast
            )
        if _compatible(slot, x, y):
            continue
        reason = reasons.EXCEPTION if slot == "exception" else reasons.SCOPE
        if slot in {"condition", "exception"}:
            # Two conditions in other words may be one; the score weighs it.
            one_sided.append(slot)
            continue
        return ScopeRelation(f"{slot}: {', '.join(sorted(x))} against {', '.join(sorted(y))}", reason, (), None, (), contrast)
    for one, other, letter in ((a, b, "b"), (b, a, "a")):
        if narrowed(one, other):
            one_sided.append("subject")
            sides.add(letter)
    named = tuple(slot for slot in one_sided if slot in a.named_slots or slot in b.named_slots)
    return ScopeRelation("", "", tuple(one_sided), sides.pop() if len(sides) == 1 else None, named, contrast)


def narrowed(wide: Fact, narrow: Fact) -> bool:
    """Whether `wide` speaks of goods, people or things in general where `narrow` names some of them: "goods" against "electronics"."""
    own = {c for c in narrow.attribute if c not in wide.attribute and c not in wide.context and c not in wide.names}
    general = {c for c in wide.attribute if c in _GENERAL and c not in narrow.attribute and c not in narrow.context}
    return bool(general) and bool(own - _GENERAL) and wide.attribute.keys() & narrow.attribute.keys() != set()


def _bears(fact: Fact, words: frozenset[str]) -> bool:
    """Whether one of the words stands near the value or in a heading, so that it marks the fact and not just the sentence."""
    return any(fact.attribute.get(s, 0.0) >= 0.5 or s in fact.context for word in words for s in (stem(w) for w in word.split()))


def _compatible(slot: str, x: frozenset[str], y: frozenset[str]) -> bool:
    if x & y:
        return True
    if slot == "age":
        ages_x, ages_y = [_age(w) for w in x], [_age(w) for w in y]
        numeric = [(i, j) for i in ages_x for j in ages_y if i and j]
        return any(i[0] <= j[1] and j[0] <= i[1] for i, j in numeric) if numeric else False
    if slot == "period":
        # "2024-03" lies in "2024"; "fy2023" and "2023" may be one
        return any(
            p.removeprefix("fy").startswith(q.removeprefix("fy")) or q.removeprefix("fy").startswith(p.removeprefix("fy"))
            for p in x
            for q in y
        )
    if slot == "condition":
        return any(_share(p, q) for p in x for q in y)
    return False


_TIMES = frozenset({"during", "after", "before"})


def _share(p: str, q: str) -> bool:
    """Whether two conditions ("marker word word ...") speak of the same thing."""
    left, right = set(p.split()[1:]), set(q.split()[1:])
    return len(left & right) >= 0.5 * min(len(left), len(right))


def _opposed(x: frozenset[str], y: frozenset[str]) -> bool:
    """Whether two conditions name one event and different times of it: during against after."""
    pairs = [(p.split()[0], q.split()[0]) for p in x for q in y if _share(p, q)]
    return bool(pairs) and all(p != q and {p, q} <= _TIMES for p, q in pairs)


def _age(word: str) -> tuple[int, int] | None:
    match = _AGE.fullmatch(word)
    if match is None:
        return None
    low = int(match[2])
    if match[1]:
        return (0, low - 1)
    if match[4]:
        return (low, 200)
    return (low, int(match[3] or low))


def hard_slots(relation: ScopeRelation) -> tuple[str, ...]:
    """One-sided slots that narrow a rule rather than merely name where it stands."""
    return tuple(
        s
        for s in relation.one_sided
        if s in {"condition", "exception", "audience", "age", "plan", "region", "environment", "platform"}
    )


def clausal(fact: Fact) -> bool:
    """Whether the fact is a clause (modality, status, direction, polarity) rather than a value."""
    return fact.kind in CLAUSAL
