"""From the plan of a page to the page: where its statements stand, and the prose around them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import date

from benchmarks.store.claims import Placement, labelled, sentence
from benchmarks.store.pages import Line, Page, Part
from benchmarks.store.planted import Plan
from benchmarks.store.prose import Prose
from benchmarks.store.values import day_between
from benchmarks.store.world import Domain, Entity

_HEADER = Line(("Item", "Value", "Owner"))  # the table header that stands everywhere
_FACT_HEADINGS = ["Key facts", "At a glance", "Details", "Overview", "What applies"]
_SUMMARY_HEADINGS = ["Also worth knowing", "Related", "In short", "Neighbouring topics"]
_SINGLE = [
    "{n}",
    "{n}: fact sheet",
    "About the {n}",
    "Notes on the {n}",
    "{n} at a glance",
    "Guide to the {n}",
    "{n}: questions and answers",
]
_FIRST, _LAST = date(2022, 1, 10), date(2025, 9, 30)


class Layout:
    """Writes the pages of one domain."""

    def __init__(self, domain: Domain, rng: random.Random) -> None:
        self._domain = domain
        self._rng = rng
        self._prose = Prose(domain, rng)

    def page(self, plan: Plan, folder: str, number: str) -> Page:
        """The page of a plan."""
        rng = self._rng
        extension = rng.choices([".md", ".html", ".txt"], [6, 2, 2])[0]
        title = self._title(plan.entities)
        page = Page(
            path=f"{folder}/{slug(title)}-{number}",
            extension=extension,
            title=title,
            owner=rng.choice(self._domain.words["teams"]),
            updated=day_between(rng, _FIRST, _LAST),
            effective=rng.random() < 0.2,
            front=rng.random() < 0.6,
        )
        entities = plan.entities
        if rng.random() < 0.5:
            page.parts.append(self._paragraph(self._some(entities), rng.randint(1, 2)))
        homes = [p for p in plan.placements if p.home]
        for kin in _by_kind(entities) if rng.random() < 0.5 else ():
            page.parts += self._comparison(kin, homes)
        for entity in entities:
            own = [p for p in homes if p.entity is entity and not p.quote]
            if own:
                page.parts += self._section(entity, own, alone=len(entities) == 1)
        guests = [p for p in plan.placements if not p.home]
        changes = [p for p in guests if " changed from " in p.text]
        page.parts += self._prose_sections([p for p in guests if p not in changes], entities, plan.target - page.statements())
        if changes:
            page.parts += [_heading("Change log"), self._items("", [self._line(p) for p in changes])]
        for line, placement in page.placements():
            placement.quote = line.text
        return page

    def changed(self, page: Page, path: str) -> tuple[Page, Placement | None, Placement | None]:
        """A copy of a page with one sentence changed; the placement whose value that is, and the changed one, if it is a value."""
        copy = page.copy(path, day_between(self._rng, _FIRST, _LAST))
        places = [(n, m) for n, part in enumerate(copy.parts) if part.kind in ("paragraph", "list") for m in range(len(part.lines))]
        if not places:
            return copy, None, None
        stated = [(n, m) for n, m in places if len(copy.parts[n].lines[m].placements) == 1]
        n, m = self._rng.choice(stated if stated and self._rng.random() < 0.5 else places)
        old = copy.parts[n].lines[m]
        if not old.placements:
            copy.parts[n] = _with(copy.parts[n], m, Line((self._prose.sentence(),)))
            return copy, None, None
        before = old.placements[0]
        value = before.attribute.spec.other(before.value, self._rng)
        after = Placement(before.entity, before.attribute, value, before.wording, before.home)
        named = before.entity.name in old.text or before.entity.name.capitalize() in old.text
        after.text = sentence(after.entity, after.attribute, value, after.wording, self._rng, named=named)
        line = self._line(after)
        after.quote = line.text
        copy.parts[n] = _with(copy.parts[n], m, line)
        return copy, before, after

    # -- parts of a page ----------------------------------------------------------------------------------------------------------

    def _title(self, entities: Sequence[Entity]) -> str:
        if not entities:
            return self._prose.title()
        if len(entities) == 1:
            return self._rng.choice(_SINGLE).format(n=entities[0].title)
        if len(entities) == 2:
            return f"{entities[0].title} and {entities[1].title}"
        team = self._rng.choice(self._domain.words["teams"])
        return f"{team} overview: {', '.join(dict.fromkeys(e.family for e in entities))}"

    def _comparison(self, kin: Sequence[Entity], homes: Sequence[Placement]) -> list[Part]:
        """A table with things of one kind as rows and attributes as columns."""
        by_cell = {(p.entity, p.attribute): p for p in homes if not p.kept and labelled(p)}
        columns = [a for a in kin[0].kind.attributes if all((e, a) in by_cell for e in kin)]
        columns = self._rng.sample(columns, min(len(columns), 3))
        if len(columns) < 2:
            return []
        rows = [Line((kin[0].kind.nouns[0].capitalize(), *(a.label for a in columns)))]
        for entity in kin:
            placed = tuple(by_cell[entity, a] for a in columns)
            line = Line((entity.title, *(p.value.plain() for p in placed)), placed)
            for p in placed:
                p.quote = line.text  # it is placed
            rows.append(line)
        return [_heading("Comparison"), Part("table", tuple(rows))]

    def _section(self, entity: Entity, placements: Sequence[Placement], alone: bool) -> list[Part]:
        """What is stated about one thing."""
        rng = self._rng
        parts = [_heading(rng.choice(_FACT_HEADINGS) if alone else entity.title)]
        style = rng.choices(["paragraphs", "list", "items", "table", "fields"], [45, 20, 10, 15, 10])[0]
        plain = [p for p in placements if labelled(p)]
        if style in ("table", "fields", "items") and len(plain) >= 2:
            parts.append(self._labelled(style, entity, plain))
            placements = [p for p in placements if p not in plain]
        lines = [self._line(p) for p in placements]
        if style == "list" and len(lines) >= 2:
            parts.append(self._items(self._prose.lead_in(entity), lines))
        else:
            parts += self._mixed(lines, entity)
        return parts

    def _labelled(self, style: str, entity: Entity, placements: Sequence[Placement]) -> Part:
        cells = [(p, *(labelled(p) or ("", ""))) for p in placements]
        if style == "table":
            return Part("table", (_HEADER, *(Line((label, value, entity.owner), (p,)) for p, label, value in cells)))
        if style == "fields":
            return Part("fields", tuple(Line((label, value), (p,)) for p, label, value in cells))
        return self._items(self._prose.lead_in(entity), [Line((f"{label}: {value}",), (p,)) for p, label, value in cells])

    def _items(self, lead_in: str, lines: Sequence[Line]) -> Part:
        return Part("list", tuple(lines), lead_in or "What changed:")

    def _mixed(self, lines: Sequence[Line], entity: Entity) -> Iterator[Part]:
        """Paragraphs in which statements and prose take turns."""
        paragraph: list[Line] = []
        for line in lines:
            paragraph.append(line)
            if self._rng.random() < 0.3:
                paragraph.append(Line((self._prose.sentence(entity),)))
            if len(paragraph) >= 3 or self._rng.random() < 0.3:
                yield Part("paragraph", tuple(paragraph))
                paragraph = []
        if paragraph:
            yield Part("paragraph", tuple(paragraph))

    def _prose_sections(self, guests: Sequence[Placement], entities: Sequence[Entity], room: int) -> Iterator[Part]:
        """Sections of prose until the page is full, with what is said in passing about things of other pages."""
        waiting = list(guests)
        while room > 0 or waiting:
            yield _heading(self._rng.choice(_SUMMARY_HEADINGS) if waiting and self._rng.random() < 0.5 else self._prose.heading())
            room -= 1
            for _ in range(self._rng.randint(1, 3)):
                part = self._paragraph(self._some(entities), self._rng.randint(1, 4 if room > 4 else 2))
                for _ in range(self._rng.randint(1, 2) if len(waiting) > 1 else len(waiting)):
                    at = self._rng.randint(0, len(part.lines))
                    part = Part("paragraph", (*part.lines[:at], self._line(waiting.pop()), *part.lines[at:]))
                yield part
                room -= part.statements()
                if room <= 0 and not waiting:
                    return

    def _paragraph(self, about: Entity | None, sentences: int) -> Part:
        return Part("paragraph", tuple(Line((self._prose.sentence(about),)) for _ in range(sentences)))

    def _some(self, entities: Sequence[Entity]) -> Entity | None:
        return self._rng.choice(entities) if entities else None

    def _line(self, p: Placement) -> Line:
        """The sentence of a placement. On the page of the thing "the store" is often enough."""
        named = not p.home or self._rng.random() < 0.45
        text = p.text or sentence(p.entity, p.attribute, p.value, p.wording, self._rng, named=named)
        return Line((text,), (p,))


def slug(title: str) -> str:
    """A file name of a title."""
    return "-".join("".join(c if c.isalnum() else " " for c in title.lower()).split())[:60].rstrip("-")


def _heading(text: str, level: int = 2) -> Part:
    return Part("heading", (Line((text,)),), level=level)


def _with(part: Part, at: int, line: Line) -> Part:
    return Part(part.kind, (*part.lines[:at], line, *part.lines[at + 1 :]), part.lead_in, part.level)


def _by_kind(entities: Sequence[Entity]) -> Iterator[list[Entity]]:
    """Things of one kind that stand on one page, at least two."""
    kinds: dict[int, list[Entity]] = {}
    for entity in entities:
        kinds.setdefault(id(entity.kind), []).append(entity)
    return (kin for kin in kinds.values() if len(kin) > 1)
