"""Where a value is stated: one placement is one sentence, list item or table row of one page."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from benchmarks.store.values import Value
from benchmarks.store.world import Attribute, Entity

_VERBAL = re.compile(r"\b(?:after|within|by|since|starts?|for|released|included|inception|overnight)$", re.IGNORECASE)


@dataclass(slots=True, eq=False)
class Placement:
    """A statement of one attribute of one thing. `text` is a sentence that is given; `quote` is known once the page is made."""

    entity: Entity
    attribute: Attribute
    value: Value
    wording: int
    home: bool = True  # on the page of the thing, where "the store" is enough
    text: str = ""
    kept: bool = False  # part of a gold pair: nothing else is done with it
    quote: str = ""


def sentence(
    entity: Entity,
    attribute: Attribute,
    value: Value,
    wording: int,
    rng: random.Random,
    *,
    named: bool = True,
    scope: str = "",
    written: str | None = None,
) -> str:
    """The sentence of a wording. `scope` is put in front; `written` replaces the notation of the value."""
    wordings = attribute.wordings(value)
    pattern = wordings[wording % len(wordings)]
    name = entity.name if named else f"the {entity.noun}"
    upper = name[0].upper() + name[1:]
    lowers = bool(scope) and not pattern.startswith("{v}")
    text = pattern.replace("{E}", name if lowers else upper).replace("{e}", name)
    if "{v}" in text:
        text = text.replace("{v}", written if written is not None else value.written(rng))
    text = text.replace("{a}", written.replace(" ", "-") if written is not None else value.adjective())
    if scope:
        return f"{scope}, {text[0].lower() + text[1:] if lowers else text}"
    return text[0].upper() + text[1:]


def labelled(placement: Placement) -> tuple[str, str] | None:
    """Label and value, as tables and fields hold them; None for rules, which need a sentence."""
    if placement.attribute.clause or placement.text:
        return None
    return placement.attribute.label, placement.value.plain()


def noun_label(attribute: Attribute) -> str:
    """The label as it reads in "the ... of the store", "" if it does not."""
    return "" if attribute.clause or _VERBAL.search(attribute.label) else attribute.label[0].lower() + attribute.label[1:]
