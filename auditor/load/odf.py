"""The parts of an OpenDocument file, packed or flat."""

from __future__ import annotations

from dataclasses import dataclass, field

from lxml import etree

from auditor.load.zip_parts import open_parts, parse_xml
from auditor.ports import LoadError


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """Content, styles and properties (of a flat file one and the same element), and what could not be read."""

    content: etree._Element | None
    styles: etree._Element | None
    meta: etree._Element | None
    notices: list[str] = field(default_factory=list)


def open_document(data: bytes, what: str, *, flat: bool) -> OpenDocument:
    """The parts of a file; `what` names a flat one in reasons. Raises `LoadError` when it cannot be read or has a password."""
    if flat:
        root = parse_xml(data, what)
        return OpenDocument(root, root, root)
    parts = open_parts(data)
    if b"encryption-data" in (parts.read("META-INF/manifest.xml") or b""):
        raise LoadError("protected by a password")
    content = parts.xml("content.xml")
    styles = parts.optional_xml("styles.xml", "styles")
    meta = parts.optional_xml("meta.xml", "document properties")
    return OpenDocument(content, styles, meta, parts.notices)
