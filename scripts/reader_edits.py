"""Pairs made from statements of the training corpora by a small edit: the same sentence with another value, or the opposite.

Authors who plant contradictions are asked for few shared words, and for look-alikes that share many. A reader that learns from those alone
takes two sentences that are equal but for the value for a look-alike, although a figure that one page forgot to update is the commonest
contradiction there is. So each kind of edit has a label: another number, name or day, or the opposite, DIFFERs; nothing changed but the
wording AGREEs; another year and another number is no contradiction.
"""

from __future__ import annotations

import calendar
import random
import re
from collections.abc import Callable, Sequence

from auditor.embed.reader import AGREE, DIFFER, joined
from scripts.reader_data import NOT_DIFFER


def _listed(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(","))


def _paired(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((old.strip(), new.strip()) for old, new in (item.split(">") for item in text.split(",")))


TITLES = _listed(
    """FAQ, Handbook, Overview, README, Wiki, Price list, Newsletter, Help centre, Notes, Quick start, Guide, Policy, Manual,
At a glance, Intranet, Summary, Memo, Report, Docs, Reference, Terms, Onboarding, Web page, Leaflet"""
)
WORDS = _listed(
    """one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, fifteen, twenty, thirty, sixty, ninety"""
)
DAYS, MONTHS = tuple(calendar.day_name), tuple(calendar.month_name)[1:]
PARTS = _listed(
    """main, core, health, status, gateway, service, office, desk, team, admin, data, cache, node, app, api, docs, help,
portal, root, base, config, user, public, local, legacy, support, info, care, billing"""
)
OPPOSITES = _paired(
    """is not > is, are not > are, cannot > can, must not > may, may not > may, is required > is optional,
required > optional, optional > required, enabled > disabled, disabled > enabled, allowed > forbidden,
forbidden > allowed, permitted > prohibited, included > not included, automatically > only by hand, must > need not,
can > cannot, is supported > is not supported, supported > unsupported, always > never, never > always,
free of charge > charged extra, free > charged, before > after, is > is not, are > are not, may > may not, yes > no,
true > false, recommended > discouraged, first > last, open > closed, has to > does not have to,
have to > do not have to"""
)
REWORDED = _paired(
    """within > in, must > has to, may > can, employees > staff, customers > clients, per month > a month, per day > a day,
per year > a year, at least > no fewer than, up to > at most, default > standard, supports > works with,
requires > needs, contact > write to"""
)
_NUMBER = re.compile(r"(?<![\w.])\d(?:[\d,]*\d)?(?:\.\d+)?(?!\w*\d)")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_CODE = re.compile(r"[\w.-]+@[\w.-]+|https?://\S+|`[^`\s]{4,}`|\b[\w-]+/[\w./-]+")
_READING = re.compile(r"(.{2,120}?): (.+)$", re.DOTALL)


def edited(readings: Sequence[str], names: int, opposites: int, numbers: int, same: int, years: int) -> list[tuple[str, str, int]]:
    """Labelled pairs of a reading and its edited copy, under the same title, another one or none; at most so many of each kind."""
    left = {"names": names, "opposites": opposites, "numbers": numbers, "same": same, "years": years}
    found: list[tuple[str, str, int]] = []

    def add(kind: str, context: str, text: str, changed: str | None, label: int) -> bool:
        if not left[kind] or not changed or (label == DIFFER and changed == text):
            return False
        left[kind] -= 1
        found.append((joined(_context(context), "", text), joined(_context(context), "", _reworded(changed)), label))
        return True

    for whole in random.sample(list(readings), len(readings)):
        parts = _READING.match(whole)
        context, text = (parts[1], parts[2]) if parts else ("", whole)
        if len(text.split()) < 3 or len(text) > 260:
            continue
        if _YEAR.search(text) and left["years"] and (changed := other_number(text)):
            changed = _YEAR.sub(lambda m: str(int(m[0]) + random.choice((-2, -1, 1, 2))), changed)
            add("years", context, text, changed, NOT_DIFFER)
            continue
        kinds: list[tuple[str, Callable[[str], str | None]]] = [("names", other_name), ("opposites", opposite)]
        tried = kinds if random.random() <= 0.5 else []
        if not any(add(kind, context, text, edit(text), DIFFER) for kind, edit in [*tried, ("numbers", other_number)]):
            add("same", context, text, text, AGREE)
    return found


def other_number(text: str) -> str | None:
    """The text with one number, no year, changed as numbers in documents do; None without one."""
    places = [m for m in _NUMBER.finditer(text) if not _YEAR.fullmatch(m[0])]
    places += re.finditer(rf"\b(?:{'|'.join(WORDS)})\b", text, re.IGNORECASE)
    if not places:
        return None
    place = random.choice(places)
    if place[0][0].isalpha():
        new = random.choice([w for w in WORDS if w != place[0].lower()])
        new = new.capitalize() if place[0][0].isupper() else new
    else:
        new = _changed(place[0])
    return None if new == place[0] else text[: place.start()] + new + text[place.end() :]


def _changed(number: str) -> str:
    plain = number.replace(",", "")
    if "." in plain:
        value = float(plain)
        value = (
            value * random.choice((0.5, 0.8, 0.9, 1.1, 1.25, 1.5, 2, 3))
            if random.random() < 0.5
            else value + random.choice((-1, 0.1, 0.5, 1, 2))
        )
        return f"{abs(value) or 1.5:.{len(plain.split('.')[1])}f}"
    whole, kind = int(plain[:12]), random.random()
    if kind < 0.45:
        whole += random.choice((-5, -3, -2, -1, 1, 2, 3, 5, 10))
    elif kind < 0.85:
        whole = round(whole * random.choice((0.5, 0.6, 0.75, 0.8, 1.2, 1.25, 1.5, 2, 3)))
    else:
        whole = int("".join(random.sample(plain, len(plain)))) if len(plain) > 1 else whole + random.choice((1, 2, 4))
    whole = abs(whole)
    return f"{whole:,}" if "," in number else str(whole).zfill(len(plain)) if plain.startswith("0") else str(whole)


def other_name(text: str) -> str | None:
    """The text with another day, month, or part of a path, address or code name; None without one."""
    for names in random.sample([DAYS, MONTHS], 2):
        if places := list(re.finditer(rf"\b({'|'.join(names)})s?\b", text)):
            place = random.choice(places)
            return text[: place.start(1)] + random.choice([n for n in names if n != place[1]]) + text[place.end(1) :]
    if codes := list(_CODE.finditer(text)):
        code = random.choice(codes)
        common = {"https", "http", "www", "com", "org", "example"}
        parts = [p for p in re.finditer(r"[A-Za-z]{3,}", code[0]) if p[0].lower() not in common]
        if parts:
            part, new = random.choice(parts), random.choice(PARTS)
            changed = code[0][: part.start()] + new + code[0][part.end() :]
            return text[: code.start()] + changed + text[code.end() :]
    return None


def opposite(text: str) -> str | None:
    """The text turned into its opposite by one of the first words that can be; None without one."""
    fitting = [(a, b) for a, b in OPPOSITES if re.search(rf"\b{a}\b", text)]
    if not fitting:
        return None
    old, new = random.choice(fitting[:4])
    return re.sub(rf"\b{old}\b", new, text, count=1)


def _reworded(text: str) -> str:
    kind = random.random()
    if kind < 0.55:
        return text
    if kind < 0.65:
        return text.rstrip(".")
    if kind < 0.75:
        return random.choice(("Note: ", "In short: ", "Please note: ", "Remember: ", "Currently: ")) + text
    for old, new in random.sample(REWORDED, 8):
        if random.random() < 0.5:
            text = text.replace(old, new, 1)
    return text


def _context(context: str) -> str:
    """Title and heading, as they are or as another document would have them."""
    title, _, heading = context.partition(" - ")
    kind = random.random()
    if kind < 0.35:
        return context
    if kind < 0.55:
        return " - ".join(part for part in (random.choice(TITLES), heading or title) if part)
    if kind < 0.8:
        return " - ".join(part for part in (random.choice(TITLES), title) if part)
    return title if kind < 0.95 else ""
