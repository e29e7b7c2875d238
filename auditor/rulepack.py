"""Rule packs: the data in `rules/*.toml` that tells the auditor what units, words, scopes and thresholds there are.

A user's folder (`--rules`) may hold any of the files; each one found there replaces the shipped file of the same name. A pack that
cannot be used is refused with file, key and reason.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from auditor.errors import UserError
from auditor.resources import resource_dir


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Unit(_Strict):
    """A unit of measure: `factor` converts to the base unit of its dimension."""

    dimension: str
    factor: Annotated[float, Field(gt=0)]
    names: tuple[str, ...]
    symbols: tuple[str, ...]


class UnitsPack(_Strict):
    """`units.toml`."""

    unit: tuple[Unit, ...]
    currencies: dict[str, str]
    magnitudes: dict[str, float]
    number_words: dict[str, float]

    @model_validator(mode="after")
    def _names_are_unique(self) -> UnitsPack:
        seen: set[str] = set()
        for unit in self.unit:
            for name in (*unit.names, *unit.symbols):
                if name in seen:
                    raise ValueError(f"unit name {name!r} is defined twice")
                seen.add(name)
        return self


class Negation(_Strict):
    """Words that negate."""

    words: tuple[str, ...]


class Modality(_Strict):
    """Modal phrases by class, in order of precedence, and the classes that exclude each other."""

    exemption: tuple[str, ...]
    prohibition: tuple[str, ...]
    obligation: tuple[str, ...]
    discouraged: tuple[str, ...]
    recommended: tuple[str, ...]
    permission: tuple[str, ...]
    optional: tuple[str, ...]
    conflicts: tuple[tuple[str, str], ...]


class Status(_Strict):
    """Life-cycle and support phrases, and the families within which they are compared (stems)."""

    positive: tuple[str, ...]
    negative: tuple[str, ...]
    families: dict[str, tuple[str, ...]]


class Direction(_Strict):
    """Directional words."""

    up: tuple[str, ...]
    down: tuple[str, ...]


class Incidental(_Strict):
    """Words before a number that make it a reference, not a claim."""

    before: tuple[str, ...]
    generic_nouns: tuple[str, ...] = ()


class LexiconPack(_Strict):
    """`lexicon.toml`."""

    negation: Negation
    modality: Modality
    status: Status
    direction: Direction
    comparator: dict[str, tuple[str, ...]]
    incidental: Incidental


class Slot(_Strict):
    """The words that fill one slot of scope."""

    words: tuple[str, ...]
    same: dict[str, str] = {}
    beside: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()  # headings of columns that fill it by themselves
    case_sensitive: tuple[str, ...] = ()
    one_sided: bool = False


class Contrast(_Strict):
    """Groups of words that mark different attributes of one thing."""

    sets: tuple[tuple[str, ...], ...]


class Places(_Strict):
    """Words by the place where they count."""

    headings: tuple[str, ...] = ()
    sentence: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


class ScopePack(_Strict):
    """`scope.toml`."""

    plan: Slot
    platform: Slot
    environment: Slot
    region: Slot
    audience: Slot
    age: Slot
    cadence: Slot
    plan_actual: Slot
    example: Slot
    contrast: Contrast
    history: Places
    false_statements: Places
    hypothetical: Places
    examples: Places
    metadata: Places
    generic: Places

    def slots(self) -> dict[str, Slot]:
        """Slot name → words, for the slots that hold word lists."""
        names = ("plan", "platform", "environment", "region", "audience", "age", "cadence", "plan_actual", "example")
        return {name: getattr(self, name) for name in names}


class SynonymsPack(_Strict):
    """`synonyms.toml`."""

    groups: tuple[tuple[str, ...], ...]
    phrases: tuple[tuple[str, str, str], ...] = ()


class Blocking(_Strict):
    """How many candidates each list may bring per statement, and how large a key group may grow."""

    neighbours: Annotated[int, Field(ge=0, le=1000)]
    words: Annotated[int, Field(ge=0, le=1000)]
    keyed: Annotated[int, Field(ge=0, le=1000)]
    max_group: Annotated[int, Field(ge=2)]
    min_similarity: Annotated[float, Field(ge=-1, le=1)]


class Cuts(_Strict):
    """Confidence at which a conflict enters a tier."""

    high: Annotated[float, Field(gt=0, le=1)]
    medium: Annotated[float, Field(gt=0, le=1)]
    advisory: Annotated[float, Field(gt=0, le=1)]

    @model_validator(mode="after")
    def _are_ordered(self) -> Cuts:
        if not self.high > self.medium > self.advisory:
            raise ValueError("high must be above medium, medium above advisory")
        return self


class ReadingBounds(_Strict):
    """How much the pair readers read: never less than `*_least` pairs where there are so many, else `*_share` for each statement."""

    open_statements: Annotated[int, Field(ge=0)]  # readable statements above which near passages are not sought
    open_floor: Annotated[float, Field(ge=0, lt=1)]  # confidence of the screen below which near passages are not read
    open_least: Annotated[int, Field(ge=0)]
    open_share: Annotated[float, Field(ge=0)]
    close_floor: Annotated[float, Field(ge=0, lt=1)]  # confidence below which a pair is not read closely
    close_least: Annotated[int, Field(ge=0)]
    close_share: Annotated[float, Field(ge=0)]


class ScorePack(_Strict):
    """`score.toml`: blocking bounds, tolerances, the weights of the confidence model and the tier cuts."""

    blocking: Blocking
    tolerance: dict[str, Annotated[float, Field(ge=0)]]
    tiers: Cuts
    screen_floor: Annotated[float, Field(ge=0, lt=1)]
    screen_floor_many: Annotated[float, Field(ge=0, lt=1)]
    screen_many: Annotated[int, Field(ge=0)]
    screen_share: Annotated[float, Field(ge=0)]
    reading: ReadingBounds
    screen: dict[str, float]
    weights: dict[str, float]
    close: dict[str, float]


@dataclass(frozen=True, slots=True)
class RulePack:
    """All rule packs of a scan. `origin` tells for each file where it came from; `sha256` identifies the whole."""

    units: UnitsPack
    lexicon: LexiconPack
    scope: ScopePack
    synonyms: SynonymsPack
    score: ScorePack
    origin: dict[str, Path]
    sha256: str


PACKS: dict[str, type[_Strict]] = {
    "units": UnitsPack,
    "lexicon": LexiconPack,
    "scope": ScopePack,
    "synonyms": SynonymsPack,
    "score": ScorePack,
}


@lru_cache(maxsize=8)
def load_rules(override: Path | None = None) -> RulePack:
    """Read the shipped packs, replaced file by file by those in `override`.

    Raises `UserError` naming file, key and reason when a pack cannot be used.
    """
    shipped = resource_dir("rules")
    if override is not None:
        if not override.is_dir():
            raise UserError(f"--rules {override}: no such folder")
        for path in sorted(override.glob("*.toml")):
            if path.stem not in PACKS:
                raise UserError(f"{path}: not a rule pack; known are {', '.join(f'{n}.toml' for n in PACKS)}")
    digest = hashlib.sha256()
    packs: dict[str, Any] = {}
    origin: dict[str, Path] = {}
    for name, model in PACKS.items():
        path = shipped / f"{name}.toml"
        if override is not None and (override / f"{name}.toml").is_file():
            path = override / f"{name}.toml"
        data = path.read_bytes()
        digest.update(name.encode() + b"\0" + data)
        packs[name] = _parse(path, data, model)
        origin[name] = path
    return RulePack(**packs, origin=origin, sha256=digest.hexdigest())


def _parse(path: Path, data: bytes, model: type[_Strict]) -> _Strict:
    try:
        return model.model_validate(tomllib.loads(data.decode("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not valid TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "(top level)"
        raise UserError(f"{path}: {key}: {first['msg']}") from error
