"""Plain prose without figures or rules: sentences from many grammars over the words of a domain.

Some words ("support", "request", "ticket") turn up everywhere, as they do in any organisation.
"""

from __future__ import annotations

import random
import re

from benchmarks.store import names
from benchmarks.store.world import Domain, Entity

_PLAIN = [
    "{Actor} {does} {moment}.",
    "{Moment}, {actor} {does} and {does2}.",
    "{Doing} is the job of {actor}.",
    "{Actor} keeps {thing} {place}.",
    "You find {thing} {place}, next to {thing2}.",
    "{Thing} has its place {place} because {reason}.",
    "We wrote this page for {audience} who {do} {moment}.",
    "{Audience} tend to ask {actor} about {thing}.",
    "Most questions about {thing} come up {moment}.",
    "Experience shows that {reason}, so {actor} {does} early.",
    "{Actor} {does}; {actor2} looks after {thing}.",
    "While {actor} {does}, {actor2} {does2}.",
    "What helps {audience} most is {doing}.",
    "Think of {thing} as the memory of the whole team.",
    "Since {reason}, {thing} is kept {place}.",
    "{Moment}, {thing} moves {place}.",
    "As {reason}, {actor} {did} twice last time.",
    "The usual order: {actor} {does}, then {actor2} {does2}.",
    "{Doing} {moment} saves {actor} a second walk.",
    "{Thing} and {thing2} belong together.",
    "Whoever {does} also looks at {thing}.",
    "A short word to {actor} {moment} goes a long way.",
    "{Actor} likes to {do} together with {audience}.",
    "Good to know: {reason}.",
    "In everyday work, {doing} comes first and {doing2} second.",
    "{Thing} tells {audience} where things stand.",
    "The best time for {doing} is {moment}.",
    "{Actor} {did} and told {actor2} about it.",
    "It was {actor} who suggested {doing} {moment}.",
    "Nobody knows {thing} better than {actor}.",
    "Pictures of {thing} hang {place}.",
    "Ask {actor} how to {do}; the answer is short.",
    "{Audience} learn to {do} by watching {actor}.",
    "Behind {doing} lies a simple thought: {reason}.",
    "{Actor} shares {thing} with {actor2}.",
    "Feedback on {thing} reaches {actor} through {actor2}.",
    "Before {doing}, look at {thing} {place}.",
    "After {doing}, {actor} puts {thing} back {place}.",
    "The idea of {doing} {moment} came from {audience}.",
    "Where {thing} lies, {thing2} is close by.",
    "{Person} in {town} {does} {moment}.",
    "{Person} and {person2} look after {thing}.",
    "The colleagues in {town} keep {thing} {place}.",
    "{Person} once compared {thing} with the one in {town}.",
    "When {person} {did} in {town}, {actor} took notes.",
    "Ideas for {thing} come from {person} and {audience}.",
    "{Person} showed {audience} how to {do} {moment}.",
    "The story of {thing} goes back to {person} of {town}.",
]
_BEFORE = [
    "In {town}, ",
    "As {person} puts it, ",
    "According to {person}, ",
    "At the {town} site, ",
    "To quote {person} of {town}, ",
]
_BEHIND = [
    ", says {person}",
    ", much like in {town}",
    ", as {person} noticed",
    ", at least in {town}",
    ", to the delight of {person}",
]
_NAMED = [
    "{Actor} knows {e} well.",
    "{Audience} ask about {e} {moment}.",
    "Around {e}, {actor} {does} {moment}.",
    "{E} owes its name to an earlier project of {actor}.",
    "The folder on {e} lies {place}.",
    "Stories about {e} are told {moment}.",
    "For {e}, {actor} {does} in the usual way.",
    "{Actor} wrote the first page about {e}.",
    "{E} came up in many talks with {audience}.",
    "Pictures of {e} hang {place}.",
    "With {e} in mind, {actor} {did} again.",
    "What {audience} like about {e} is how plain it is.",
]
_HOT = [
    "Send a request to {team} {moment}.",
    "Requests about {thing} go to {team}.",
    "The support team answers requests about {thing}.",
    "A support ticket names {thing} and the place.",
    "{Actor} reads every support request {moment}.",
    "For support with {thing}, open a ticket.",
    "Support and {team} share one inbox for requests.",
    "The request form lists {thing} and {thing2}.",
    "A request without a subject lands with {team}.",
    "Contact support {moment} or talk to {actor}.",
    "Support tickets about {e} are tagged by {actor}.",
    "A request about {e} names {thing}.",
]
_LEADS = [
    "What to know about {e}:",
    "For {e}, the following holds:",
    "The main points on {e}:",
    "{E} in short:",
    "Facts about {e} at a glance:",
]
_TITLES = ["How {actor} {does}", "{Doing}", "{Doing}: notes from {team}", "{Team}: {doing} {moment}", "Working with {thing}"]
_HEADINGS = [
    "Background",
    "In practice",
    "Good to know",
    "Details",
    "Notes",
    "How we work",
    "{Doing}",
    "{Thing}",
    "Everyday work",
    "Contacts",
]
_IRREGULAR = {"set": ("sets", "setting", "set"), "read": ("reads", "reading", "read"), "draw": ("draws", "drawing", "drew")}
_DOUBLED = frozenset({"label", "log", "tag", "plan", "scan"})
_SITES = 10_000  # places that prose mentions
_SLOT = re.compile(r"\{(\w+)\}")


class Prose:
    """Sentences of one domain; the same random numbers give the same sentences."""

    def __init__(self, domain: Domain, rng: random.Random) -> None:
        self._words = domain.words
        self._rng = rng

    def sentence(self, about: Entity | None = None) -> str:
        """A sentence of plain prose, one in four about this thing, one in ten with words that are everywhere."""
        dice = self._rng.random()
        if dice < 0.1:
            return self._fill(self._rng.choice(_HOT if about else _HOT[:-2]), about)
        pattern = self._rng.choice(_NAMED if about and dice < 0.35 else _PLAIN)
        if "{person}" not in pattern.lower() and "{town}" not in pattern:
            turn = self._rng.random()
            if turn < 0.15 and ":" not in pattern and not pattern.startswith("What"):
                pattern = (
                    self._rng.choice(_BEFORE) + pattern.replace("{" + pattern[1], "{" + pattern[1].lower(), 1)
                    if pattern[0] == "{"
                    else pattern
                )
            elif turn < 0.35:
                pattern = pattern[:-1] + self._rng.choice(_BEHIND) + "."
        return self._fill(pattern, about)

    def lead_in(self, about: Entity) -> str:
        """The words that open a list of facts."""
        return self._fill(self._rng.choice(_LEADS), about)

    def title(self) -> str:
        """The title of a page that is about work rather than about a thing."""
        return self._fill(self._rng.choice(_TITLES), None)

    def heading(self) -> str:
        """A heading; most of them stand in many documents."""
        return self._fill(self._rng.choice(_HEADINGS), None)

    def _fill(self, pattern: str, about: Entity | None) -> str:
        taken: set[str] = set()
        out = _SLOT.sub(lambda m: self._slot(m[1], about, taken), pattern)
        return out[0].upper() + out[1:]

    def _slot(self, slot: str, about: Entity | None, taken: set[str]) -> str:
        key = slot.rstrip("2").lower()
        if key == "e":
            text = about.name if about else self._pick("things", taken)
        elif key in ("do", "does", "doing", "did"):
            verb, _, rest = self._pick("tasks", taken).partition("|")
            text = f"{_inflected(verb, key)} {rest}"
        elif key == "person":
            text = names.person(self._rng)
        elif key == "town":
            text = names.name("place", "site", self._rng.randrange(_SITES))
        else:
            text = self._pick(key if key == "audience" else key + "s", taken)
        return text[0].upper() + text[1:] if slot[0].isupper() else text

    def _pick(self, key: str, taken: set[str]) -> str:
        """Words of which the sentence does not hold the noun yet: no picture of the notice board hangs on the notice board."""
        for _ in range(20):
            words = self._rng.choice(self._words[key])
            noun = words.replace("|", " ").rsplit(" ", 1)[-1]
            if noun not in taken:
                break
        taken.add(noun)
        return words


def _inflected(verb: str, form: str) -> str:
    """ "check" as "checks", "checking" or "checked"; what follows the verb ("hand over") stays."""
    verb, blank, rest = verb.partition(" ")
    return _form(verb, form) + blank + rest


def _form(verb: str, form: str) -> str:
    if form == "do":
        return verb
    if verb in _IRREGULAR:
        return _IRREGULAR[verb][("does", "doing", "did").index(form)]
    if form == "does":
        if verb.endswith(("s", "sh", "ch", "x")):
            return verb + "es"
        return verb[:-1] + "ies" if verb.endswith("y") and verb[-2] not in "aeiou" else verb + "s"
    if verb in _DOUBLED:
        verb += verb[-1]
    if form == "doing":
        return (verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else verb) + "ing"
    if verb.endswith("e"):
        return verb + "d"
    return verb[:-1] + "ied" if verb.endswith("y") and verb[-2] not in "aeiou" else verb + "ed"
