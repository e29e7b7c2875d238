"""Writes a store group by group: a group is a handful of pages of one domain and the things that they are about.

A group follows from the seed and its number, so that memory does not grow with the store, and a larger store begins with the pages of a
smaller one. Every attribute of every thing has one value everywhere, except where a contradiction is planted; the rates of planted
pairs and near-copies do not depend on the size.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.store.claims import Placement
from benchmarks.store.layout import Layout
from benchmarks.store.pages import Page
from benchmarks.store.planted import Pair, Plan, Planter
from benchmarks.store.world import Domain, Entity, domains, family

CONFLICTS, NEGATIVES = 0.002, 0.004  # per statement
COPIES = 0.02  # per document
_THINGS = 0.068  # per statement beyond those that every page has
_FRAME = 4  # title, owner, date and a heading
_GROUP = 100  # statements
_SHARD = 30  # groups of one domain in a folder
_PASSING = (0.72, 0.94)  # a value is stated once with the first probability, at most twice with the second


@dataclass(frozen=True, slots=True)
class Written:
    """What was written."""

    documents: int
    statements: int  # by the generator's own count, a few percent off an auditor's
    conflicts: int
    negatives: int
    copies: int


class Debts:
    """What is owed to a constant rate: whole pieces are paid when they fall due."""

    def __init__(self) -> None:
        self.owed = {"conflict": 0.0, "negative": 0.0, "copy": 0.0}

    def add(self, statements: int, documents: int) -> None:
        """A group of this size is due."""
        self.owed["conflict"] += CONFLICTS * statements
        self.owed["negative"] += NEGATIVES * statements
        self.owed["copy"] += COPIES * documents

    def due(self, what: str) -> bool:
        """Whether one more is to be made; it counts as made."""
        if self.owed[what] < 0.5:
            return False
        self.owed[what] -= 1
        return True


def write_store(
    out: Path, *, statements: int | None = None, documents: int | None = None, per_document: int = 25, seed: int = 1
) -> Written:
    """Write `out/corpus` and `out/gold.jsonl`, of about so many statements, or of exactly so many documents."""
    corpus = out / "corpus"
    if corpus.exists():
        raise FileExistsError(f"{corpus} exists")
    out.mkdir(parents=True, exist_ok=True)
    count = {"documents": 0, "statements": 0, "conflict": 0, "negative": 0, "copy": 0}
    known: dict[str, bool] = {}
    with (out / "gold.jsonl").open("w", encoding="utf-8") as gold:
        for pages, rows in groups(per_document, seed):
            for page in pages:
                if documents is not None and count["documents"] >= documents:
                    break
                _write(corpus, page)
                count["documents"] += 1
                count["statements"] += page.statements()
                known[page.doc_id] = True
            for row in rows:
                if row["doc_a"] in known and row["doc_b"] in known:
                    row["id"] = f"{'c' if row['label'] == 'contradiction' else 'n'}{count['conflict'] + count['negative']:07}"
                    count["conflict" if row["label"] == "contradiction" else "negative"] += 1
                    gold.write(json.dumps(row, ensure_ascii=False) + "\n")
            count["copy"] += sum(page.path.endswith("-copy") and page.doc_id in known for page in pages)
            known.clear()
            if (documents is not None and count["documents"] >= documents) or (
                statements is not None and count["statements"] >= statements
            ):
                break
    return Written(count["documents"], count["statements"], count["conflict"], count["negative"], count["copy"])


def groups(per_document: int, seed: int) -> Iterator[tuple[list[Page], list[dict[str, Any]]]]:
    """Pages and their gold rows, without end."""
    debts = Debts()
    number = 0
    while True:
        yield _group(number, per_document, seed, debts)
        number += 1


def _write(corpus: Path, page: Page) -> None:
    path = corpus / page.doc_id
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page.source(), encoding="utf-8")


def _group(number: int, per_document: int, seed: int, debts: Debts) -> tuple[list[Page], list[dict[str, Any]]]:
    rng = random.Random(f"{seed}/{number}")
    domain = domains()[number % len(domains())]
    turn = number // len(domains())
    count = max(4, round(_GROUP / per_document))
    plans = [Plan(max(6, round(per_document * rng.uniform(0.4, 1.6)))) for _ in range(count)]
    _place(_things(domain, turn, max(2, round(_THINGS * count * (per_document - _FRAME))), rng), plans, rng)
    planter = Planter(plans, rng)
    pairs: list[Pair] = []
    for what, make in (("conflict", planter.conflict), ("negative", planter.negative)):
        while debts.due(what):
            pair = make()
            if pair is None:
                debts.owed[what] += 1  # this group has no room for it; the next one has
                break
            pairs.append(pair)
    layout = Layout(domain, rng)
    folder = f"{domain.id}/{_folder(domain, rng)}-{turn // _SHARD + 1}"
    pages = [layout.page(plan, folder, f"{turn}{n:02}") for n, plan in enumerate(plans)]
    home = {id(p): page for page in pages for _, p in page.placements()}
    rows = [_row(pair, home) for pair in pairs]
    while debts.due("copy"):
        rows += _copy(pages, plans, home, layout, rng)
    debts.add(sum(page.statements() for page in pages), len(pages))
    return pages, rows


def _things(domain: Domain, turn: int, wanted: int, rng: random.Random) -> list[Entity]:
    """The things of a group; their names occur in no other group."""
    found: list[Entity] = []
    most = -(-wanted // len(domain.kinds))
    at = 0
    while len(found) < wanted:
        kind = domain.kinds[(at + turn) % len(domain.kinds)]
        members = rng.choices([1, 2, 3], [80, 16, 4])[0]
        found += family(domain, kind, turn * most + at // len(domain.kinds), min(members, wanted - len(found)), rng)
        at += 1
    return found


def _place(things: list[Entity], plans: list[Plan], rng: random.Random) -> None:
    """Every thing has a page of its own or shares one; some of its values are stated again elsewhere."""
    room = {id(plan): 0.55 * plan.target for plan in plans}
    last: Entity | None = None
    home = plans[0]
    for thing in things:
        kin = last is not None and last.family == thing.family
        if not (kin and rng.random() < 0.5):  # things of one family often share a page
            home = max(plans, key=lambda plan: room[id(plan)])
        last = thing
        for attribute, value in thing.values.items():
            if room[id(home)] <= -1:
                home = max(plans, key=lambda plan: room[id(plan)])
            home.placements.append(Placement(thing, attribute, value, rng.randrange(5)))
            room[id(home)] -= 1
            dice = rng.random()
            for _ in range((dice > _PASSING[0]) + (dice > _PASSING[1])):
                other = rng.choice(plans)
                if other is not home and not any(p.entity is thing and p.attribute is attribute for p in other.placements):
                    other.placements.append(Placement(thing, attribute, value, rng.randrange(5), home=False))
                    room[id(other)] -= 1


def _folder(domain: Domain, rng: random.Random) -> str:
    return rng.choice(domain.words["teams"]).lower().replace(" ", "-")


def _row(pair: Pair, home: dict[int, Page]) -> dict[str, Any]:
    return {
        "id": "",
        "doc_a": home[id(pair.a)].doc_id,
        "doc_b": home[id(pair.b)].doc_id,
        "quote_a": pair.a.quote,
        "quote_b": pair.b.quote,
        "label": "contradiction" if pair.contradiction else "no_contradiction",
        "kind": pair.a.value.gold_kind,
        "why": pair.why,
    }


def _copy(pages: list[Page], plans: list[Plan], home: dict[int, Page], layout: Layout, rng: random.Random) -> list[dict[str, Any]]:
    """Adds a copy of a page without planted pairs in which one sentence is changed."""
    fit = [page for page, plan in zip(pages, plans, strict=False) if not any(p.kept for p in plan.placements)]
    if not fit:
        return []
    page = rng.choice(fit)
    copy, before, after = layout.changed(page, page.path + "-copy")
    pages.append(copy)
    if before is None or after is None:
        return []
    home[id(after)] = copy
    same = [p for _, p in _stated(pages) if p.entity is before.entity and p.attribute is before.attribute and p is not after]
    return [_row(Pair(p, after, True, "changed copy"), home) for p in dict.fromkeys(same)]


def _stated(pages: list[Page]) -> Iterator[tuple[Page, Placement]]:
    for page in pages:
        for _, placement in page.placements():
            yield page, placement
