"""Parallel headings, titles and table rows: the places where documents say that two passages are about different cases.

"Care label: wool jumper" and "Care label: cotton T-shirt" run parallel and part in one place; so do "Grades 1 to 5" and "Grades 6 and
above", or the rows "Coordinator" and "Worker". What stands below them is not comparable. Versions and years in a *title* are the
document's own and no scope; in a heading they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from auditor.model import BlockKind, Fact, FactKind, Statement
from auditor.text.words import tokens

_PREFIX = r"(?i:v|version|release|class|grade|grades|level|type|group|zone|phase|stage|step|day|week|option|annex|category|model|tier|block|building|floor|section|part|chapter|unit|module|shift|scenario|case|fund|district|ward|route|line|slide|q)"
_LABEL = re.compile(rf"(?<![\w.])(?:{_PREFIX}\s*)?(?P<label>[A-Z]|[IVX]{{1,4}}|v?\d+(?:\.[\dx]+)*)(?![\w.])")
_ENUMERATION = re.compile(r"^\W*(?:\d+(?:\.\d+)*|[A-Z])[.)]?\s+(?=\w)")
_YEAR = re.compile(r"(?:19|20)\d\d")


_CODES = re.compile(r"(?<![\w.-])(?:\d{2,4}-\d{2,5}|[A-Z]{2,8}-\d+(?:-\d+)?|#\d+)(?![\w-])")
_TOKEN = re.compile(r"[\w.]*\w")


@lru_cache(maxsize=50_000)
def _key_tokens(key: str) -> frozenset[str]:
    """Lower-case words and numbers of a row key; capitals are kept apart by `_qualifies`."""
    return frozenset(_TOKEN.findall(key))


def _same_path(x: str, y: str) -> bool:
    """Whether two keys are one path, written with and without its beginning ("/api/v1/items", "/items")."""
    left, right = (k.strip(" `*_\"'").rstrip("/") for k in (x, y))
    if "/" not in left or "/" not in right or " " in left or " " in right:
        return False
    short, long = sorted((left.lstrip("/"), right.lstrip("/")), key=len)
    return bool(short) and (long == short or long.endswith("/" + short))


def _qualifies(word: str) -> bool:
    """Whether a word of a row key tells two things apart: a name, a number, a version."""
    return any(c.isdigit() or c.isupper() for c in word)


@lru_cache(maxsize=50_000)
def labels(text: str) -> frozenset[str]:
    """Numbers, single letters and versions in a heading; years, leading enumeration ("3.2 Limits") and the words "A" and "I" are none."""
    text = _ENUMERATION.sub("", text)
    found = set()
    for match in _LABEL.finditer(text):
        label = match["label"]
        if _YEAR.fullmatch(label) or (label in {"A", "I"} and match.group() == label):
            continue
        found.add(label.lower())
    return frozenset(found)


class Parallels:
    """Compares the places of two statements. `concept` maps stems to concepts, `generic` holds stems that name no thing."""

    def __init__(self, concept: Callable[[str], str], generic: frozenset[str]) -> None:
        self._concept = concept
        self._generic = generic
        self._cache: dict[str, tuple[tuple[str, ...], frozenset[str]]] = {}

    def _words(self, text: str) -> tuple[tuple[str, ...], frozenset[str]]:
        """All content concepts of a text, and those that name something."""
        found = self._cache.get(text)
        if found is None:
            words = [t for t in tokens(text.replace("_", " ")) if not t.is_stop and not t.is_number and len(t.lower) > 1]
            concepts = tuple(dict.fromkeys(self._concept(t.stem) for t in words))
            specific = frozenset(self._concept(t.stem) for t in words if t.stem not in self._generic)
            found = self._cache[text] = (concepts, specific)
        return found

    def part(self, x: str, y: str, known_x: Iterable[str], known_y: Iterable[str]) -> str:
        """How two texts run parallel and part, "" if they do not. A word that the other side knows elsewhere parts nothing."""
        all_x, own_x = self._words(x)
        all_y, own_y = self._words(y)
        shared = set(all_x) & set(all_y)
        left = own_x - set(all_y) - set(known_y)
        right = own_y - set(all_x) - set(known_x)
        if not shared or not left or not right or len(left) > 2 or len(right) > 2:
            return ""
        if len(shared) < 0.5 * max(len(all_x), len(all_y)):
            return ""
        return f"“{x}” against “{y}”"

    def _rows(self, sa: Statement, sb: Statement) -> str:
        """Rows are comparable when their keys name the same thing to the last qualifier: "Nano" is neither "Nano Pro" nor "Nano 2"."""
        x, y = _key_tokens(sa.row_key), _key_tokens(sb.row_key)
        own_x, own_y = x - y, y - x
        if _same_path(sa.row_key, sb.row_key):
            own_x = own_y = frozenset()
        if (own_x and own_y and not self._same_words(sa.row_key, sb.row_key)) or any(_qualifies(w) for w in own_x | own_y):
            return f"rows “{sa.row_key}” and “{sb.row_key}”"
        if (
            sa.row_lists
            and sb.row_lists
            and not any(set(_TOKEN.findall(p)) == set(_TOKEN.findall(q)) for p in sa.row_lists for q in sb.row_lists)
        ):
            return f"rows “{sa.row_key}” list different things"
        if sa.column and sb.column and sa.column.lower() != sb.column.lower():
            _, own_x = self._words(sa.column)
            _, own_y = self._words(sb.column)
            if own_x - own_y and own_y - own_x:
                return f"columns “{sa.column}” and “{sb.column}”"
        return ""

    def _apart(self, x: str, y: str, known_x: Iterable[str], known_y: Iterable[str]) -> bool:
        """Whether two titles name things that share no word and that neither side mentions otherwise."""
        _, own_x = self._words(x)
        _, own_y = self._words(y)
        return bool(own_x) and bool(own_y) and own_x.isdisjoint(own_y) and own_x.isdisjoint(known_y) and own_y.isdisjoint(known_x)

    def _same_words(self, x: str, y: str) -> bool:
        return set(self._words(x)[0]) == set(self._words(y)[0]) and labels(x) == labels(y)

    def _namesakes(self, a: Fact, b: Fact, sa: Statement, sb: Statement) -> bool:
        """Sections of one name in sibling documents on different things ("Plans" of S3, "Plans" of the database)."""
        if (
            not sa.heading
            or not sb.heading
            or sa.heading[-1].lower() != sb.heading[-1].lower()
            or _folder(sa.doc_id) != _folder(sb.doc_id)
        ):
            return False
        if sa.heading[-1] == sa.title:
            return False
        _, x = self._words(sa.title)
        _, y = self._words(sb.title)
        return bool(x) and bool(y) and x.isdisjoint(y) and x.isdisjoint(b.attribute.keys()) and y.isdisjoint(a.attribute.keys())

    def _own_document(self, sa: Statement, sb: Statement, known_x: Iterable[str], known_y: Iterable[str]) -> str:
        """Two contracts that each speak of themselves: "The agreement begins on 1 March" is said of the one whose title it bears."""
        left, right = _ITSELF.search(sa.text, sa.body), _ITSELF.search(sb.text, sb.body)
        if left is None or right is None or left["noun"].lower() != right["noun"].lower():
            return ""
        own_x, own_y = self._words(sa.title)[1], self._words(sb.title)[1]
        apart = own_x - own_y - set(known_y) and own_y - own_x - set(known_x)
        return f"“{left.group()}” of “{sa.title}” against that of “{sb.title}”" if apart else ""

    def different(self, a: Fact, b: Fact, sa: Statement, sb: Statement) -> str:
        """Why the places of two statements set them apart, "" if they do not."""
        known_x = a.attribute.keys() | a.names
        known_y = b.attribute.keys() | b.names
        if sa.kind is BlockKind.ROW and sb.kind is BlockKind.ROW and sa.row_key and sb.row_key and (found := self._rows(sa, sb)):
            return found
        for row, other, known in ((sa, sb, known_y | b.context), (sb, sa, known_x | a.context)):
            if row.kind is BlockKind.ROW and other.kind is not BlockKind.ROW and row.row_key:
                _, key = self._words(row.row_key)
                if key and key.isdisjoint(known):
                    return f"row “{row.row_key}” is not what the other side is about"
        if sa.doc_id == sb.doc_id and len(a.attribute) <= 1 and len(b.attribute) <= 1 and not sa.row_key:
            return "two bare values of one document"
        if sa.chunk_id == sb.chunk_id and sa.lead_in == sb.lead_in:
            return ""
        inner_x, inner_y = _inner(sa), _inner(sb)
        for x_text in inner_x:
            for y_text in inner_y:
                if (
                    labels(x_text)
                    and labels(y_text)
                    and labels(x_text).isdisjoint(labels(y_text))
                    and set(self._words(x_text)[0]) == set(self._words(y_text)[0])
                ):
                    return f"“{x_text}” against “{y_text}”"
                if found := self.part(x_text, y_text, known_x, known_y):
                    return found
        codes_x, codes_y = frozenset(_CODES.findall(sa.text)), frozenset(_CODES.findall(sb.text))
        if codes_x and codes_y and codes_x.isdisjoint(codes_y) and a.kind is not FactKind.IDENTIFIER:
            return f"{', '.join(sorted(codes_x))} against {', '.join(sorted(codes_y))}"
        if found := _named_apart(a, b, sa, sb):
            return found
        if sa.doc_id != sb.doc_id:
            if found := self._own_document(sa, sb, known_x, known_y):
                return found
            if (
                len(a.attribute) <= 2
                and len(b.attribute) <= 2
                and not a.names & b.names
                and not a.scope.get("period", frozenset()) & b.scope.get("period", frozenset())  # one period ties them together
                and self._apart(sa.title, sb.title, known_x, known_y)
            ):
                return f"bare values under “{sa.title}” and “{sb.title}”"
            if a.kind is not FactKind.IDENTIFIER and self._namesakes(a, b, sa, sb):
                return f"sections “{sa.heading[-1]}” of documents on different things"
            return self.part(sa.title, sb.title, known_x | a.context, known_y | b.context) if sa.title != sb.title else ""
        return ""


_ITSELF = re.compile(
    r"\b(?:the|this)\s+(?P<noun>agreement|contract|lease|addendum|statement of work|order|offer|tender|licen[cs]e|subscription|"
    r"study|trial|project|course|policy|warranty)\b(?!\s+(?:of|with|between|for)\b)",
    re.I,
)
_LABELLED = re.compile(
    r"\b(?P<noun>(?i:ward|version|class|grade|level|type|group|zone|phase|stage|annex|category|model|block|building|floor|chapter|module|scenario|case|fund|district|route|line|slide|order|invoice|ticket|room|form|series|lot|batch|gate|platform|flight|appendix|section|part|step|unit|edition|option|plan|tier|hall|pool|track|league|bus|tram|train|term|semester|course|paper|clinic|site|team|shift|rule|article|figure|table|exercise|lesson|day|week|round))\s+(?P<label>[A-Z]\d{0,3}|\d+(?:\.\d+)*[a-z]?|[IVX]{1,4})(?![\w%]|\.\d)"
)
_MODEL = re.compile(r"(?<![\w-])(?P<letters>[A-Z][A-Za-z]{0,4})-?(?P<digits>\d{2,5})(?![\w-])")


def _named_apart(a: Fact, b: Fact, sa: Statement, sb: Statement) -> str:
    """Labels in the sentences themselves: "Ward A has 24 beds" is not about Ward B, nor the X200 about the X300."""
    for pattern, key, value in ((_LABELLED, "noun", "label"), (_MODEL, "letters", "digits")):
        x, y = _labelled(pattern, key, value, sa, a), _labelled(pattern, key, value, sb, b)
        for word in x.keys() & y.keys():
            if x[word].isdisjoint(y[word]):
                return f"{word} {', '.join(sorted(x[word]))} against {', '.join(sorted(y[word]))}"
    if sa.doc_id != sb.doc_id:
        # "Ward 4 welcome leaflet", "Ward 6 welcome leaflet"; the version or year of a title is the document's own
        left, right = _title_labels(sa.title), _title_labels(sb.title)
        for word in left.keys() & right.keys():
            if left[word].isdisjoint(right[word]):
                return f"“{sa.title}” against “{sb.title}”"
    return ""


_OF_THE_DOCUMENT = frozenset(
    ["version", "edition", "part", "chapter", "section", "step", "slide", "day", "week", "round", "article"]
)


@lru_cache(maxsize=20_000)
def _title_labels(title: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for match in _LABELLED.finditer(title):
        if match["noun"].lower() not in _OF_THE_DOCUMENT and not _YEAR.fullmatch(match["label"]):
            found.setdefault(match["noun"].lower(), set()).add(match["label"])
    return found


def _labelled(pattern: re.Pattern[str], key: str, value: str, statement: Statement, fact: Fact) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for start, end, word, label in _matches(pattern, key, value, statement.text):
        if not (fact.start < end and start < fact.end):
            found.setdefault(word, set()).add(label)
    return found


@lru_cache(maxsize=100_000)
def _matches(pattern: re.Pattern[str], key: str, value: str, text: str) -> tuple[tuple[int, int, str, str], ...]:
    return tuple((m.start(), m.end(), m[key].lower(), m[value]) for m in pattern.finditer(text))


def _folder(doc_id: str) -> str:
    return doc_id.rpartition("/")[0]


def _inner(statement: Statement) -> tuple[str, ...]:
    """Headings below the title, tab or card titles and the caption."""
    headings = statement.heading[1:] if statement.heading and statement.heading[0] == statement.title else statement.heading
    lead_in = statement.lead_in if len(statement.lead_in) <= 60 else ""
    return tuple(t for t in (*headings, statement.container, statement.caption, lead_in) if t)


def siblings(sa: Statement, sb: Statement) -> bool:
    """Whether the statements stand in neighbouring sections of one document."""
    return sa.doc_id == sb.doc_id and sa.chunk_id != sb.chunk_id and sa.heading[:-1] == sb.heading[:-1] and len(sa.heading) > 1
