"""Help centres: the articles of Zendesk Guide and of Intercom, as their interfaces and exports give them out."""

from __future__ import annotations

import html
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from auditor.load.record_fields import Record
from auditor.load.record_values import Flat, day_of, flatten, short, text_of, title_of
from auditor.load.structure import words

_ZENDESK = words(
    "html_url section_id draft outdated locale source_locale label_names promoted permission_group_id comments_disabled"
)
_INTERCOM = words("workspace_id parent_type parent_id parent_ids state default_locale translated_content")
_MAX_NAMES = 100_000


@dataclass(frozen=True, slots=True)
class Shape:
    """How the articles of one product are read; `sections`, `categories` and `people` are names by their ids."""

    id: str
    sections: Mapping[str, str] = field(default_factory=dict)
    categories: Mapping[str, str] = field(default_factory=dict)  # by section
    people: Mapping[str, str] = field(default_factory=dict)

    def read(self, raw: Mapping[str, object]) -> list[Record]:
        """The article, and its translations where they come with it."""
        return self._zendesk(raw) if self.id == "zendesk" else self._intercom(raw)

    def _zendesk(self, raw: Mapping[str, object]) -> list[Record]:
        flat = flatten(raw)
        section = short(flat.get("section_id"))
        fields = {
            "last updated": day_of(flat.get("edited_at")) or day_of(flat.get("updated_at")),
            "created": day_of(flat.get("created_at")),
            "author": self._author(flat),
            "status": _status(raw),
            "outdated": "true" if raw.get("outdated") is True else "",  # a translation that its source has left behind
            "section": _first(flat, "section.name", "section_name") or self.sections.get(section, ""),
            "category": _first(flat, "category.name", "category_name") or self.categories.get(section, ""),
            "labels": short(flat.get("label_names"), 1000),
            "language": short(flat.get("locale")),
            "url": short(flat.get("html_url"), 2000),
        }
        title = title_of(flat.get("title")) or title_of(flat.get("name"))
        return [Record(short(flat.get("id")), text_of(flat.get("body")), title, _filled(fields))]

    def _intercom(self, raw: Mapping[str, object]) -> list[Record]:
        records = [self._intercom_article(raw, short(flatten(raw).get("default_locale")))]
        translated = raw.get("translated_content")
        if isinstance(translated, dict):
            for locale, content in translated.items():
                if isinstance(content, dict) and locale != raw.get("default_locale"):
                    shared = {name: value for name, value in raw.items() if name not in {"title", "description", "body"}}
                    article = self._intercom_article({**shared, **content, "id": raw.get("id")}, locale)
                    records.append(Record(article.identity, article.text, article.title, article.fields, f":{short(locale, 20)}"))
        return [records[0], *(record for record in records[1:] if record.text)]

    def _intercom_article(self, raw: Mapping[str, object], locale: str) -> Record:
        flat = flatten(raw)
        section = short(flat.get("parent_id"))
        fields = {
            "last updated": day_of(flat.get("updated_at")),
            "created": day_of(flat.get("created_at")),
            "author": self._author(flat),
            "status": _status(raw),
            "section": self.sections.get(section, ""),
            "language": locale,
            "url": short(flat.get("url"), 2000),
        }
        body, description = text_of(flat.get("body")), text_of(flat.get("description"))
        if body and description:  # it is shown below the title
            body = f"<p>{html.escape(description)}</p>\n{body}"
        return Record(short(flat.get("id")), body, title_of(flat.get("title")), _filled(fields))

    def _author(self, flat: Flat) -> str:
        return _first(flat, "author.name", "author_name", "author") or self.people.get(short(flat.get("author_id")), "")


def shape(names: Collection[str], context: Mapping[str, object]) -> Shape | None:
    """The shape of records with these fields; `context` is the object that holds them, which may name sections and people."""
    present = set(names)
    if not {"title", "body"} <= present:
        return None
    if len(_ZENDESK & present) >= 3:
        kind = "zendesk"
    elif len(_INTERCOM & present) >= 3:
        kind = "intercom"
    else:
        return None
    categories = _named(context.get("categories"))
    of_section = {
        short(section.get("id")): categories.get(short(section.get("category_id")), "")
        for section in _objects(context.get("sections"))
    }
    sections = _named(context.get("sections")) | _named(context.get("collections"))
    return Shape(kind, sections, of_section, _named(context.get("users")) | _named(context.get("admins")))


def _status(raw: Mapping[str, object]) -> str:
    if raw.get("archived") is True or raw.get("state") == "archived":
        return "archived"
    return "draft" if raw.get("draft") is True or raw.get("state") == "draft" else ""


def _objects(value: object) -> list[Flat]:
    return [flatten(item) for item in value[:_MAX_NAMES] if isinstance(item, dict)] if isinstance(value, list) else []


def _named(value: object) -> dict[str, str]:
    return {short(flat.get("id")): title_of(flat.get("name") or flat.get("title")) for flat in _objects(value)}


def _first(flat: Flat, *paths: str) -> str:
    return next((text for path in paths if (text := short(flat.get(path)))), "")


def _filled(fields: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in fields.items() if text}
