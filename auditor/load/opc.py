"""What all Office Open XML files (DOCX, PPTX, XLSX) share: relations between parts, and document properties."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass

from auditor.load.zip_parts import Parts

_CORE = {
    "title": "title",
    "creator": "author",
    "lastmodifiedby": "last modified by",
    "created": "created",
    "modified": "last modified",
    "contentstatus": "status",
    "version": "version",
    "language": "language",
    "category": "category",
}
_PEOPLE = frozenset({"author", "last modified by"})
_APP = {"Manager": "responsible", "Company": "company"}
_MACHINE = ("_", "msip_", "contenttypeid", "mediaservice", "ksoproduct")
_NOBODY = frozenset(
    {"python-docx", "user", "microsoft office user", "unknown", "unknown author", "admin", "administrator", "author"}
)
_MAX_VALUE = 300


@dataclass(frozen=True, slots=True)
class Relation:
    """A link from one part to another; `kind` is the last word of its type ("styles", "hyperlink")."""

    kind: str
    target: str  # name of the part; as written where it leads out of the file
    external: bool = False


def relations(parts: Parts, name: str) -> dict[str, Relation]:
    """The relations of a part ("" is the package) by their ids."""
    folder, _, base = name.rpartition("/")
    root = parts.optional_xml(posixpath.join(folder, "_rels", f"{base}.rels"), "links between the parts of the file")
    found: dict[str, Relation] = {}
    for element in root if root is not None else ():
        identity, target = element.get("Id", ""), element.get("Target", "")
        external = element.get("TargetMode") == "External"
        if not external:
            target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        found.setdefault(identity, Relation(element.get("Type", "").rpartition("/")[2], target, external))
    return found


def main_part(parts: Parts, default: str) -> str:
    """The name of the part that holds the document."""
    for relation in relations(parts, "").values():
        if relation.kind == "officeDocument" and not relation.external and relation.target in parts:
            return relation.target
    return default


def properties(parts: Parts) -> dict[str, str]:
    """Document properties under the names that `load/meta.py` reads; those an organisation added win over the built-in ones."""
    named = {relation.kind: relation.target for relation in relations(parts, "").values() if not relation.external}
    fields: dict[str, str] = {}
    core = parts.optional_xml(named.get("core-properties", "docProps/core.xml"), "document properties")
    for element in core if core is not None else ():
        key = _CORE.get(element.tag.rpartition("}")[2].lower())
        value = _value(element.text)
        if key and value and not (key in _PEOPLE and value.lower() in _NOBODY):
            fields.setdefault(key, value)
    app = parts.optional_xml(named.get("extended-properties", "docProps/app.xml"), "document properties")
    for element in app if app is not None else ():
        key = _APP.get(element.tag.rpartition("}")[2])
        if key and (value := _value(element.text)):
            fields.setdefault(key, value)
    custom = parts.optional_xml(named.get("custom-properties", "docProps/custom.xml"), "document properties")
    for element in custom if custom is not None else ():
        key = " ".join(element.get("name", "").lower().split())
        value = _value("".join(str(text) for text in element.itertext()))
        if value and key and len(key) <= 60 and not key.startswith(_MACHINE):
            fields[key] = value
    return fields


def _value(text: str | None) -> str:
    return " ".join((text or "").split())[:_MAX_VALUE]
