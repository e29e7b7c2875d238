"""Domains, their kinds of things and attributes, as the files in `domains/` describe them, and the things made of them."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.store import names
from benchmarks.store.values import Spec, Value

CLAUSES = {"modal": "clause", "status": "status"}
_OWN, _RECORDS = 3, 4  # attributes of its kind and records that are stated of a thing


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """What is said of a thing, in at least five wordings; of a clause, in five that affirm and five that deny it."""

    id: str
    label: str
    spec: Spec
    say: Sequence[str] = ()
    yes: Sequence[str] = ()
    no: Sequence[str] = ()

    @property
    def clause(self) -> bool:
        """Whether it is a rule or a status rather than a figure."""
        return not self.say

    def wordings(self, value: Value) -> Sequence[str]:
        """The sentences that state this value."""
        return self.say or (self.yes if value.number else self.no)


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A kind of thing: stores, wards, funds."""

    id: str
    nouns: Sequence[str]
    style: str
    variants: Sequence[str]
    apart: Sequence[Sequence[str]]  # pairs of scopes that exclude each other
    exceptions: Sequence[str]
    attributes: Sequence[Attribute]


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """A field of work: its vocabulary for plain prose, its kinds of things."""

    id: str
    title: str
    words: Mapping[str, Sequence[str]]
    kinds: Sequence[Kind]


@dataclass(frozen=True, slots=True, eq=False)
class Entity:
    """One thing with one value for each of its attributes."""

    kind: Kind
    family: str
    title: str  # "Hartwell North store"
    noun: str  # "store"
    owner: str
    values: Mapping[Attribute, Value] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """As a sentence names it: "the Hartwell North store"."""
        return f"the {self.title}"


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """Records that are kept about things, and their properties: attributes by the thousand."""

    first: Sequence[str]
    second: Sequence[str]
    properties: Sequence[Attribute]

    def draw(self, count: int, rng: random.Random) -> list[Attribute]:
        """Attributes of different records."""
        found: dict[str, Attribute] = {}
        while len(found) < count:
            record = f"{rng.choice(self.first)} {rng.choice(self.second)}"
            base = rng.choice(self.properties)
            found.setdefault(
                record,
                Attribute(
                    f"{record} {base.id}",
                    f"{record.capitalize()}, {base.label}" if rng.random() < 0.3 else f"{record.capitalize()} {base.label}",
                    base.spec,
                    *(tuple(text.replace("{c}", record) for text in texts) for texts in (base.say, base.yes, base.no)),
                ),
            )
        return list(found.values())


@cache
def records() -> Records:
    """The records of `records.toml`."""
    with (Path(__file__).parent / "records.toml").open("rb") as file:
        data = tomllib.load(file)
    return Records(data["first"], data["second"], _attributes(data["property"]))


@cache
def domains() -> tuple[Domain, ...]:
    """All domains, in the order of their names."""
    return tuple(_domain(path) for path in sorted((Path(__file__).parent / "domains").glob("*.toml")))


def _domain(path: Path) -> Domain:
    with path.open("rb") as file:
        data = tomllib.load(file)
    words = {key: tuple(data[key]) for key in ("teams", "actors", "audience", "tasks", "things", "places", "reasons", "moments")}
    return Domain(path.stem, data["title"], words, tuple(_kind(path.stem, key, value) for key, value in data["kind"].items()))


def _kind(domain: str, key: str, data: Mapping[str, Any]) -> Kind:
    attributes = _attributes(data)
    return Kind(f"{domain}.{key}", data["nouns"], data["style"], data["variants"], data["apart"], data["exceptions"], attributes)


def _attributes(data: Mapping[str, Any]) -> tuple[Attribute, ...]:
    return tuple(
        Attribute(
            name,
            value["label"],
            Spec(CLAUSES.get(value.get("kind", ""), "") or value["value"]),
            tuple(value.get("say", ())),
            tuple(value.get("yes", ())),
            tuple(value.get("no", ())),
        )
        for name, value in data.items()
        if isinstance(value, dict)
    )


def family(domain: Domain, kind: Kind, number: int, members: int, rng: random.Random) -> list[Entity]:
    """The things of the `number`-th name of a kind. Several have similar names ("Hartwell North store", "Hartwell South store")."""
    stem = names.name(kind.style, kind.id, number)
    noun = rng.choice(kind.nouns)
    single = members == 1 and rng.random() < 0.5
    variants = [""] if single else rng.sample(kind.variants, min(members, len(kind.variants)))
    owner = rng.choice(domain.words["teams"])
    attributes = [*rng.sample(kind.attributes, _OWN), *records().draw(_RECORDS, rng)]
    found = []
    for variant in variants:
        title = " ".join(part for part in (stem, variant, noun) if part)
        found.append(Entity(kind, stem, title, noun, owner, {a: a.spec.draw(rng) for a in attributes}))
    return found
