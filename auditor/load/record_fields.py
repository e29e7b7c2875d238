"""Which field of a record says what: the configured ones, else guesses by the names and by what the fields hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from auditor.load.config import RecordFields
from auditor.load.record_values import Flat, day_of, flatten, role, short, text_of, title_of
from auditor.load.structure import words
from auditor.ports import LoadError

_TEXT = words(
    "text body content html markdown body_html body_text body_markdown content_html content_text page_content full_text article "
    "article_body answer answers solution resolution context passage document wikitext post_content chunk chunk_text"
)
_WEAK_TEXT = words(
    "description long_description summary abstract message details detail notes note comment response reply output excerpt"
)
_ANSWER = words("answer answers solution resolution response reply accepted_answer a")
_QUESTION = "question query problem prompt q"
_TITLE = (
    "title heading headline page_title article_title document_title post_title name display_name subject question query problem topic "
    "short_description label"
)
_ID = (
    "id uuid guid doc_id document_id article_id page_id record_id node_id oid key slug identifier number code sku chunk_id path "
    "filename file_name file permalink url html_url web_url link source_url"
)
_UPDATED = words(
    "updated_at updated modified modified_at modified_on modified_date last_modified last_modified_at last_modified_date last_updated "
    "last_updated_at last_update lastmod date_modified date_updated edited_at last_edited_at last_edited_time updated_on updated_date "
    "update_date changed sys_updated_on revised revision_date post_modified"
)
_PUBLISHED = words(
    "published published_at published_on published_date publish_date date_published pub_date pubdate publication_date release_date "
    "released issued posted_at post_date timestamp"
)
_CREATED = words("created_at created created_on created_date created_time date_created creation_date sys_created_on")
_EFFECTIVE = words("effective effective_date effective_from valid_from in_force_since applies_from")
_UNTIL = words(
    "valid_until valid_to valid_through expires expires_at expires_on expiry_date expiration_date effective_to effective_until"
)
_OWNER = words("owner owner_name owned_by document_owner maintainer maintained_by responsible team department")
_AUTHOR = words("author author_name authors created_by updated_by editor writer")
_PERSON = words("name display_name full_name email")
_URL = words("url html_url web_url link permalink source_url canonical_url")
_DATES = frozenset({"last updated", "published", "created", "effective", "valid until", "date"})
_KNOWN = {
    name: known
    for known, names in (
        ("owner", _OWNER),
        ("author", _AUTHOR),
        ("last updated", _UPDATED),
        ("published", _PUBLISHED),
        ("created", _CREATED),
        ("effective", _EFFECTIVE),
        ("valid until", _UNTIL),
        ("date", words("date")),
        ("url", _URL),
        ("language", words("language lang locale")),
        ("status", words("status state")),
    )
    for name in names
}
_FLAGS = {"draft": "draft", "is_draft": "draft", "archived": "archived", "is_archived": "archived", "deprecated": "deprecated"}
_MAX_FACTS, _MAX_FACT, _MAX_ID = 30, 80, 200
_LONG_NAME = 200
_UNIQUE = 0.9  # so many of the records have an id of their own; a few exports repeat one


@dataclass(frozen=True, slots=True)
class Record:
    """A record as a document. `part` tells documents of one record apart (translations)."""

    identity: str
    text: str
    title: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    part: str = ""


@dataclass(slots=True)
class _Seen:
    """What one field holds in the records looked at."""

    filled: int = 0
    texts: int = 0
    characters: int = 0
    word_count: int = 0
    values: set[str] = field(default_factory=set)

    @property
    def mean_characters(self) -> float:
        return self.characters / max(self.texts, 1)

    @property
    def mean_words(self) -> float:
        return self.word_count / max(self.texts, 1)


class Profile:
    """What the first records of a file hold. It is made by looking at them one by one and keeps none of them."""

    def __init__(self) -> None:
        self.count = 0
        self.seen: dict[str, _Seen] = {}
        self.names: set[str] = set()  # of all fields at the top, empty ones as well

    def add(self, record: Mapping[str, object]) -> None:
        """Look at one more record."""
        self.count += 1
        self.names.update(islice(map(str, record), 1000))
        for path, value in flatten(record).items():
            if path not in self.seen and len(self.seen) >= 1000:
                continue
            seen = self.seen.setdefault(path, _Seen())
            if text := text_of(value):
                seen.texts += 1
                seen.characters += len(text)
                seen.word_count += len(text[:20_000].split())
            if text or not isinstance(value, str | list):
                seen.filled += 1
                seen.values.add(short(value, _MAX_ID + 1))

    def fields(self) -> str:
        """The names of the fields, to show."""
        names = sorted(self.seen) or sorted(self.names)
        more = len(names) - 20
        return ", ".join(name[:60] for name in names[:20]) + (f" and {more} more" if more > 0 else "")


@dataclass(frozen=True, slots=True)
class Chosen:
    """The fields that say what, by their dotted names; of several the first that is filled counts."""

    text: tuple[str, ...]
    title: tuple[str, ...] = ()
    identity: str = ""
    day: str = ""  # configured; else all fields called like dates are looked at

    def read(self, raw: Mapping[str, object]) -> Record:
        """A record by these fields."""
        flat = flatten(raw)
        source, text = next(((path, text) for path in self.text if (text := text_of(flat.get(path)))), ("", ""))
        title = next((title for path in self.title if path != source and (title := title_of(flat.get(path)))), "")
        identity = short(flat.get(self.identity), 4 * _MAX_ID)
        fields = _facts(flat, {source, self.identity, *self.text, *self.title})
        if self.day:
            for name in _DATES - {"effective", "valid until"}:
                fields.pop(name, None)
            if day := day_of(flat.get(self.day)):
                fields["last updated"] = day
        return Record(identity, text, title, fields)


def choose(profile: Profile, wanted: RecordFields, *, few_words: bool) -> Chosen | None:
    """The fields of the records in a file; None where none of them is recognisable as text.

    With `few_words` off a text has to be longer, and called like one: in a format that holds all kinds of data. Raises `LoadError`
    for a configured field that no record has.
    """
    for name in (wanted.text, wanted.id, wanted.title, wanted.date):
        if name and name not in profile.seen and name not in profile.names:
            raise LoadError(f"the records have no field “{name}”; there are {profile.fields()}")
    texts = (wanted.text,) if wanted.text else _texts(profile, few_words)
    if not texts:
        return None
    titles = (wanted.title,) if wanted.title else _titles(profile, texts)
    return Chosen(texts, titles, wanted.id or _identity(profile, texts), wanted.date)


def _texts(profile: Profile, few_words: bool) -> tuple[str, ...]:
    scored: list[tuple[float, str]] = []
    unnamed: list[tuple[float, str]] = []
    for path, seen in profile.seen.items():
        name = role(path)
        strong = name in _TEXT or (name == "a" and "q" in profile.names)
        if not seen.texts:
            continue
        if (strong and seen.mean_words >= (3 if few_words else 8)) or (name in _WEAK_TEXT and seen.mean_words >= 8):
            scored.append((seen.characters * (4 if strong else 1), path))
        elif few_words and "." not in name and seen.mean_characters >= _LONG_NAME and seen.mean_words >= 30:
            unnamed.append((seen.characters, path))
    found = scored or unnamed
    return tuple(path for _, path in sorted(found, key=lambda entry: (-entry[0], entry[1])))


def _titles(profile: Profile, texts: Sequence[str]) -> tuple[str, ...]:
    order = _TITLE.split()
    if role(texts[0]) in _ANSWER:
        order = _QUESTION.split() + order
    found = [
        (order.index(name), path)
        for path, seen in profile.seen.items()
        if (name := role(path)) in order and path not in texts and seen.texts and seen.mean_characters <= _LONG_NAME
    ]
    return tuple(path for _, path in sorted(found))


def _identity(profile: Profile, texts: Sequence[str]) -> str:
    order = _ID.split()
    found = [
        (len(seen.values) < profile.count, order.index(name), path)
        for path, seen in profile.seen.items()
        if (name := role(path)) in order
        and path not in texts
        and len(seen.values) >= _UNIQUE * profile.count
        and max(map(len, seen.values), default=0) <= _MAX_ID
    ]
    return min(found, default=(False, 0, ""))[2]


def _facts(flat: Flat, used: set[str]) -> dict[str, str]:
    """What the other fields say of a record, under the names that `load/meta.py` reads where they are known."""
    fields: dict[str, str] = {}
    others: dict[str, str] = {}
    for path, value in flat.items():
        name = role(path)
        if path in used and name not in _URL:
            continue
        if isinstance(value, bool):
            if name in _FLAGS and value:
                fields["status"] = _FLAGS[name]
            elif name in {"published", "is_published"} and not value:
                fields.setdefault("status", "draft")
            continue
        known = _known(name)
        if known in _DATES:
            if day := day_of(value):
                fields.setdefault(known, day)
        elif known == "url":
            if (url := short(value, 2000)).startswith(("https://", "http://")):
                fields.setdefault(known, url)
        elif known:
            if isinstance(value, str | list) and (text := short(value)):
                fields.setdefault(known, text)
        elif len(others) < _MAX_FACTS:
            text = short(value, _MAX_FACT + 1)
            if text and len(text) <= _MAX_FACT:
                others.setdefault(name.replace("_", " "), text)
    return others | fields


def _known(name: str) -> str:
    """What `load/meta.py` calls a field of this role, "" for others."""
    outer, _, inner = name.partition(".")
    known = _KNOWN.get(outer, "")
    if inner and (inner not in _PERSON or known not in {"owner", "author"}):
        return ""
    return known
