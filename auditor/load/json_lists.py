"""Where in a JSON file the list of records is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from auditor.load.record_values import role
from auditor.load.structure import words

_USUAL = (
    "articles data items records documents docs pages results entries posts faqs faq questions rows value values list hits content "
    "nodes topics knowledge_articles kb_articles help_articles solutions policies notes threads issues products result"
)
_AROUND = words("data response result results hits d embedded payload help_center export feed body")
_SINGLE = words("article document page post record data item")
_SETTINGS = words(
    "openapi swagger asyncapi $schema lockfileVersion dependencies devDependencies compilerOptions manifest_version "
    "corpus_auditor_baseline schema_version nbformat"
)
"""Keys of files that are no documents, whatever they describe in words."""


@dataclass(frozen=True, slots=True)
class Found:
    """A list of objects, and the object that holds it; `usual` says that it stands where records stand."""

    records: Sequence[object]
    around: Mapping[str, object]
    usual: bool = True


def lists(value: object, *, any_name: bool) -> Iterator[Found]:
    """The lists of objects in a JSON value, the likeliest first.

    They stand at the top, or under one of the usual names in an object or in an object of that. With `any_name` any name will do.
    """
    if isinstance(value, list):
        if _of_objects(value):
            yield Found(value, {})
        return
    if not isinstance(value, dict) or _SETTINGS & value.keys():
        return
    yield from _below(value, any_name)
    for name, inner in value.items():
        if isinstance(inner, dict) and role(name) in _AROUND:
            yield from _below(inner, any_name)


def _below(value: Mapping[str, object], any_name: bool) -> Iterator[Found]:
    named: dict[str, str] = {}
    for name in value:
        named.setdefault(role(name), name)
    usual = [named[name] for name in _USUAL.split() if name in named]
    known = frozenset(usual)
    for name in usual + ([name for name in value if name not in known] if any_name else []):
        found = value[name]
        if isinstance(found, list) and _of_objects(found):
            yield Found(found, value, name in known)


def _of_objects(value: list[object]) -> bool:
    return 2 * sum(isinstance(item, dict) for item in value) > len(value)


def single(value: object) -> Mapping[str, object] | None:
    """The object that may be one record: the value itself, or what it holds as its only important part (`{"article": {...}}`)."""
    if not isinstance(value, dict) or _SETTINGS & value.keys():
        return None
    for name, inner in value.items():
        if isinstance(inner, dict) and role(name) in _SINGLE and len(value) <= 3:
            return inner
    return value
