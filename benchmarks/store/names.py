"""Names of places, products, subjects and people: many, pronounceable, and none given twice within one kind of thing.

The n-th name of a kind follows from n alone, so that a store can be written piece by piece; the number of names grows with the store.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import gcd, prod
from zlib import crc32


def _words(text: str) -> list[str]:
    return text.split()


_TOWN = _words(
    "Hart Ash Bram Cold Dun Elm Fair Gold Hal Ken Lang Mar Nor Oak Pem Quar Rad Sand Thorn Up Wal Whit Yar Bex Chip Dar Ever Fen Gris "
    "Hazel Ivy Kes Lin Mel Nether Ot Pres Rush Sel Tam Uls Ven Wex Yel Birch Cray Dove Eger Farn Glen Hol Inver Kirk Lock Moor Nap Orm "
    "Pick Raven Stan"
)
_TOWN_MIDDLE = ["", "en", "ing", "er", "les", "a"]
_TOWN_END = _words(
    "well ford ton mere ham ley field worth bury wick stead bourne combe dale gate hurst cote minster mouth port pool by thorpe ridge "
    "stow bridge den haven holm low moor nest over shaw side stone wade water wold yard"
)
_ONSET = _words("B Br C D Dr F Fl G Gr H J K L M N P Pr R S St T Tr V Z")
_VOWEL = _words("a e i o u ai ea io au y")
_MIDDLE = _words("l r n m t d v z lm nd rv st lt rn x sk b p nt ll")
_CODA = _words("o a en is or ex on ia um ant ix ara elle eon ic ode une ora ith ami")
_FIELD = _words(
    "Geology Chemistry Economics History Linguistics Logic Mechanics Optics Statistics Botany Zoology Law Accounting Sociology Music "
    "Archaeology Genetics Robotics Anatomy Drama Philosophy Design Acoustics Ecology Nutrition Journalism Astronomy Finance Theology "
    "Cartography Pharmacology Pedagogy Criminology Informatics Metallurgy Hydrology Ethics Rhetoric Anthropology Marketing Toxicology "
    "Virology Neurology Ceramics Forestry Surveying Epidemiology Typography Seismology Immunology Algebra Geometry Topology Cybernetics "
    "Thermodynamics Agronomy Conservation Textiles Translation Dance"
)
_ANGLE = _words(
    "Coastal Applied Modern Medieval Structural Rural Urban Comparative Marine Experimental Industrial Colonial Clinical Social Formal "
    "Tropical Alpine Digital Economic Cultural Molecular Quantitative Historical Environmental Political Cognitive Regional Ancient "
    "Public Sustainable Theoretical Baroque Nordic Global Computational Visual Material Arctic Legal Behavioural Islamic Celtic Soviet "
    "Byzantine Atlantic Andean Victorian Classical Evolutionary Spatial Descriptive Analytical Maritime Botanical Critical Imperial "
    "Renaissance Numerical Renewable Forensic"
)
_FIRST = _words(
    "Ada Ben Clara David Elin Farid Grace Hugo Irene Jonas Karin Leo Mina Nils Olga Petra Quentin Rosa Samir Tara Ulrich Vera Wanda Yusuf "
    "Zoe Anton Bella Carlos Dilan Emma"
)
_LAST = _words(
    "Adler Brandt Castell Dorn Ekman Fiske Grant Holm Ibsen Jarvis Keller Lindt Moreau Novak Osei Pryce Quist Rahman Sorel Thorne Usman "
    "Varga Weiss Xenakis Yates Zimmer Aldous Barrow Cole Deacon"
)

_PARTS: dict[str, Sequence[Sequence[str]]] = {
    "place": (_TOWN, _TOWN_MIDDLE, _TOWN_END),
    "coin": (_ONSET, _VOWEL, _MIDDLE, _CODA),
    "model": (_ONSET, _VOWEL, _MIDDLE, _CODA),
    "subject": (_ANGLE, _FIELD),
}
_LETTERS = "BCDFGHKLMNPRSTVW"


def name(style: str, kind: str, number: int) -> str:
    """The `number`-th name of a kind of thing. Kinds of one style begin at different places, so that they share few names."""
    parts = _PARTS[style]
    size = prod(map(len, parts))
    step = int(size * 0.6180339)  # neighbours in number are far apart in the alphabet
    while gcd(step, size) != 1:
        step += 1
    round_, number = divmod(number, size)
    place = (number * step + crc32(kind.encode())) % size
    picked = []
    for part in parts:
        place, at = divmod(place, len(part))
        picked.append(part[at])
    found = (" " if style == "subject" else "").join(picked)
    if style == "model":
        found = f"{found} {_LETTERS[number % len(_LETTERS)]}{_LETTERS[number * 7 % 15]}"
    return f"{found} Series {round_ + 1}" if round_ else found


def person(rng: random.Random) -> str:
    """A person, from 900 that occur everywhere."""
    return f"{rng.choice(_FIRST)} {rng.choice(_LAST)}"


def word(rng: random.Random) -> str:
    """A coined word for the local part of an address."""
    return "".join(rng.choice(part) for part in (_ONSET, _VOWEL, _MIDDLE, _CODA)).lower()
