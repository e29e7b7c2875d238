"""What the pair readers learn from: fact families, and how much each phase is shown of what (`reader_stores` has the pairs of stores)."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from auditor.embed import get_encoder
from auditor.embed.reader import AGREE, DIFFER, UNRELATED, joined

ROOT = Path(__file__).resolve().parent.parent
FAMILIES = ROOT / "tests/corpora/families"
HELD_OUT = ("hardware", "housing")
NOT_DIFFER = 3  # label of pairs that either agree or have nothing to do with each other, nobody said which
BATCH = 32
PLAIN = 0.12  # share of pairs that are shown without title and heading
MINED_CORPORA = ("tests/corpora/harbour_city", "tests/corpora/lanternforge")
MINED_TREES = (
    "augur-a786ac5",
    "laravel-docs-b9d7263",
    "cg-site-0c340bd",
    "awesome-blockrun-741288e",
    "Problem-Based-SRS-780430b",
)
PER_TREE = 2200
# Corpora that the readers learn from, in the order in which they were written; `tests/corpora/README.md` says what the others are for.
FIRST = (
    *("quillmesh", "aldermere", "brandt_pumps", "pellucid", "stonewren", "norvale", "helixford", "westbrook", "larkspur"),
    *("siltbase", "carrow_agency", "hallam_build", "st_brannoc"),
)
TERSE = ("brackwater", "toolspindle", "thistlenode", "gaugeharbor", "corrugate")
SECOND = ("oakhurst_mutual", "pinnacle_desk", "ravensmoor_transit", "tessaly_foods", "lathework", "glimmerboard")
THIRD = (
    *("wexmoor_university", "ledgerlane", "calderon_medical", "larchfield_homes", "ashdown_arts", "skarholm_airport"),
    *("harcourt_lane", "bellmere_energy", "civicstack", "portwell_goods", "duskhaven"),
)
FOURTH = (
    *("tollbridge_ai", "ironlarch_edge", "quoin_protocol", "emberline_framework", "civic_handrail", "tessel_metrics"),
    *("coastway_hotels", "union_brightwater", "saltmarsh_pension", "halden_sports", "quayside_logistics", "mossbank_college"),
)
FIFTH = (
    *("arborlearn", "beaconkit_sdk", "packetforge", "quarrygate_group", "cloudmesa_ops", "gridspan_energy", "kilnstack"),
    *(
        "lindenhall_univ",
        "sprucebuild",
        "meridian_payments",
        "aldgate_hospital",
        "agentloom",
        "fenwick_borough",
        "vellum_insurance",
    ),
    *("nimbusforge", "grainline_foods", "quarkdeploy", "sablequeue", "heronframe", "oxbow_consulting", "ridgeport_devices"),
)
BEFORE = (*FIRST, *TERSE, *SECOND, *THIRD)
ALL = (*BEFORE, *FOURTH, *FIFTH)


@dataclass(frozen=True)
class Shown:
    """What a phase is shown of some corpora: how often a contradiction and a look-alike, how many unlisted pairs the model is asked about,
    from which probability on one is kept, how many others are, and how many that share half of their words."""

    corpora: Sequence[str]
    contradictions: int
    lookalikes: int
    asked: int
    suspicious: float
    others: int
    alike: int = 0


@dataclass(frozen=True)
class Phase:
    """One stretch of training. `floor` is the share of the learning rate that is left at its end."""

    files: str
    epochs: int
    rate: float
    floor: float
    unrelated: int  # pairs of different facts drawn from each family
    across: int  # near neighbours in other families, times the number of families
    seed: int
    related: float = 1.0  # share of the pairs of one fact that are shown
    mined: float = 0.0  # share of the mined pairs of stores that are shown
    shown: Sequence[Shown] = ()  # and of corpora
    edited: Sequence[int] = ()  # how many pairs `reader_edits.edited` makes of the statements of these corpora, by kind
    kept: int = 0  # pairs of each well-kept store that the model takes for contradictions, at most
    edited_kept: Sequence[int] = ()  # how many edited pairs are made of the statements of those stores
    planted: int = 0  # how often each contradiction is shown of a store of real documents in which some were planted


@dataclass(frozen=True)
class Row:
    """One statement of a family."""

    family: int
    fact: str
    value: str
    title: str
    heading: str
    text: str

    def reading(self, plain: bool = False) -> str:
        return joined("", "", self.text) if plain else joined(self.title, self.heading, self.text)


def families(pattern: str) -> tuple[list[Row], list[Row]]:
    """Rows to train on, of the files of this pattern, and rows of the held-out domains, of all files."""
    train: list[Row] = []
    held: list[Row] = []
    number = 0
    for path in sorted(FAMILIES.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            family = json.loads(line)
            rows = held if family["domain"] in HELD_OUT else train if path.match(pattern) else []
            rows.extend(
                Row(number, fact, value, *statement)
                for fact, values in family["facts"].items()
                for value, statements in values.items()
                for statement in statements
            )
            number += 1
    return train, held


def relation(a: Row, b: Row) -> int:
    """The label of a pair."""
    if a.family != b.family or a.fact != b.fact:
        return UNRELATED
    return AGREE if a.value == b.value else DIFFER


class Sampler:
    """Draws the pairs of an epoch."""

    def __init__(self, rows: Sequence[Row], phase: Phase, labelled: Sequence[tuple[str, str, int]]) -> None:
        self.rows, self.phase, self.labelled = rows, phase, labelled
        encoder = get_encoder("static")
        vectors = encoder.encode([r.reading() for r in rows])
        alone = encoder.encode([r.text for r in rows])
        alike = (vectors @ vectors.T + alone @ alone.T) / 2
        owner = np.array([r.family for r in rows])
        self.related: list[tuple[int, int]] = []
        self.others: list[tuple[list[tuple[int, int]], np.ndarray]] = []
        for family in dict.fromkeys(owner.tolist()):
            members = np.flatnonzero(owner == family).tolist()
            pairs = list(combinations(members, 2))
            self.related += [(i, j) for i, j in pairs if relation(rows[i], rows[j]) != UNRELATED]
            apart = [(i, j) for i, j in pairs if relation(rows[i], rows[j]) == UNRELATED]
            weights = np.array([math.exp(4 * alike[i, j]) for i, j in apart])
            self.others.append((apart, weights / weights.sum()))
        self.across = []
        for i in range(len(rows)):
            likeness = alike[i].copy()
            likeness[owner == owner[i]] = -1
            self.across.append(np.argpartition(-likeness, 8)[:8])

    def draw(self) -> list[tuple[int, int]]:
        """Pairs of one epoch, shuffled; (-1, n) stands for labelled pair n."""
        pairs = [pair for pair in self.related if random.random() < self.phase.related]
        pairs.extend((-1, n) for n in range(len(self.labelled)))
        for apart, weights in self.others:
            chosen = np.random.choice(len(apart), min(self.phase.unrelated, len(apart)), replace=False, p=weights)
            pairs.extend(apart[n] for n in chosen)
        for i in np.random.choice(len(self.rows), self.phase.across * len(self.others)):
            pairs.append((int(i), int(np.random.choice(self.across[i]))))
        random.shuffle(pairs)
        return pairs

    def batches(self) -> list[list[tuple[str, str, int]]]:
        """Batches of pairs of similar length, in either order."""
        batches = []
        pairs = self.draw()
        for start in range(0, len(pairs), BATCH * 16):
            built = []
            for i, j in pairs[start : start + BATCH * 16]:
                if i < 0:
                    built.append(self.labelled[j])
                    continue
                plain = random.random() < PLAIN
                a, b = (i, j) if random.random() < 0.5 else (j, i)
                built.append((self.rows[a].reading(plain), self.rows[b].reading(plain), relation(self.rows[i], self.rows[j])))
            built.sort(key=lambda item: len(item[0]) + len(item[1]))
            parts = [built[n : n + BATCH] for n in range(0, len(built), BATCH)]
            random.shuffle(parts)
            batches.extend(parts)
        return batches


def alike(a: str, b: str) -> bool:
    """Whether two readings share half of their words and are not the same: siblings of one kind, most often."""
    left, right = (frozenset(re.findall(r"[a-z]{3,}", text.partition(": ")[2].lower() or text.lower())) for text in (a, b))
    return a != b and min(len(left), len(right)) > 1 and len(left & right) >= len(left | right) / 2
