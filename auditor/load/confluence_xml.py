"""XML exports of a Confluence space: every current page and blog post as a document.

`entities.xml` holds objects in no particular order, so it is read twice as a stream: first what is known of pages, spaces and users,
then the bodies. In a ZIP archive it is unpacked on the way, never as a whole. Attachments in the archive are not read.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO, cast

from auditor.load.config import MEBIBYTE, LoadConfig
from auditor.load.confluence_storage import to_html
from auditor.load.kinds import DAMAGED_ZIP, zip_damage
from auditor.load.members import Parts, too_large
from auditor.ports import LoadError, Member, NotADocument, Unread

if TYPE_CHECKING:
    from lxml.etree import _Element

ENTITIES = "entities.xml"
_SIGN = re.compile(rb"<hibernate-generic[\s>]")
_CONTENT = frozenset({"Page", "BlogPost"})
_BROKEN = (*DAMAGED_ZIP, KeyError)  # an archive of this name without the file
_WIKI_MARKUP = "0"


@dataclass(slots=True)
class _Page:
    title: str
    space: str
    modifier: str
    modified: str
    created: str
    version: str


@dataclass(slots=True)
class _Known:
    """What the first reading found."""

    pages: dict[str, _Page] = field(default_factory=dict)  # id → page
    spaces: dict[str, str] = field(default_factory=dict)  # id → name
    users: dict[str, str] = field(default_factory=dict)  # key → name


class ConfluenceContainer:
    """Takes an export apart."""

    id = "confluence-xml"

    def accepts(self, name: str, head: bytes) -> bool:
        """The unpacked file by its name and beginning, the archive by what `kinds` calls it."""
        return name.endswith(".confluence-xml") or (name.rpartition("/")[2] == ENTITIES and _SIGN.search(head) is not None)

    def members(self, file: BinaryIO, name: str, config: LoadConfig) -> Iterator[Member | Unread]:
        """The pages in the order of their bodies. Drafts, deleted pages and earlier versions are left out."""
        try:
            opened = _opener(file, name, config.max_container_bytes)
            known = _Known()
            with opened() as stream:
                for element in _objects(stream):
                    _learn(element, known)
            if not known.pages:
                raise NotADocument(name)
            seen: set[str] = set()
            parts = Parts("#")
            with opened() as stream:
                for element in _objects(stream):
                    if element.get("class") == "BodyContent" and (member := _member(element, known, seen, parts, config)):
                        yield member
        except _BROKEN as error:
            raise LoadError(f"the export is damaged: {zip_damage(error)}") from error


class _Limited:
    """A stream that ends with an error when more than a limit comes out of it."""

    def __init__(self, stream: BinaryIO, limit: int) -> None:
        self._stream, self._left = stream, limit

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size if 0 <= size <= MEBIBYTE else MEBIBYTE)
        self._left -= len(data)
        if self._left < 0:
            raise LoadError("unpacks to more than the limit")
        return data


def _opener(file: BinaryIO, name: str, limit: int) -> Callable[[], AbstractContextManager[_Limited]]:
    """A function that opens `entities.xml` from its beginning."""
    if not name.endswith(".confluence-xml"):

        def from_file() -> AbstractContextManager[_Limited]:
            file.seek(0)
            return nullcontext(_Limited(file, limit))

        return from_file
    archive = zipfile.ZipFile(file)

    def from_archive() -> AbstractContextManager[_Limited]:
        return nullcontext(_Limited(cast("BinaryIO", archive.open(ENTITIES)), limit))

    return from_archive


def _objects(stream: _Limited) -> Iterator[_Element]:
    """The objects of an export, each let go when the next one is asked for."""
    from lxml import etree

    parser = etree.iterparse(
        cast("BinaryIO", stream),
        events=("end",),
        tag="object",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    try:
        for _, element in parser:
            parent = element.getparent()
            if parent is None or parent.getparent() is not None:
                continue
            yield element
            element.clear()
            while element.getprevious() is not None:
                del parent[0]
    except etree.XMLSyntaxError as error:
        raise LoadError(f"broken XML: {error.msg}") from error


def _values(element: _Element) -> dict[str, str]:
    """The plain properties of an object, and of those that name another object its id."""
    values: dict[str, str] = {}
    for child in element:
        name = child.get("name", "")
        if child.tag == "id":
            values["id"] = (child.text or "").strip()
        elif child.tag == "property" and name:
            inner = child.find("id")
            values[name] = (inner.text if inner is not None else child.text) or ""
    return values


def _learn(element: _Element, known: _Known) -> None:
    kind = element.get("class", "")
    if kind == "Space":
        values = _values(element)
        known.spaces[values.get("id", "")] = values.get("name", "").strip() or values.get("key", "")
    elif kind in {"ConfluenceUserImpl", "InternalUser"}:
        values = _values(element)
        known.users[values.get("id", "")] = (values.get("fullName") or values.get("name") or values.get("lowerName") or "").strip()
    elif kind in _CONTENT:
        values = _values(element)
        current = values.get("contentStatus", "current").strip() in {"", "current"}
        if current and not values.get("originalVersion", "").strip() and values.get("title", "").strip():
            known.pages[values.get("id", "")] = _Page(
                " ".join(values["title"].split()),
                values.get("space", "").strip(),
                (
                    values.get("lastModifier")
                    or values.get("creator")
                    or values.get("lastModifierName")
                    or values.get("creatorName")
                    or ""
                ).strip(),
                values.get("lastModificationDate", "").strip(),
                values.get("creationDate", "").strip(),
                values.get("version", "").strip(),
            )


def _member(element: _Element, known: _Known, seen: set[str], parts: Parts, config: LoadConfig) -> Member | Unread | None:
    values = _values(element)
    identity = values.get("content", "").strip()
    page = known.pages.get(identity)
    body = values.get("body", "")
    if page is None or not body.strip():
        return None
    if identity in seen:
        return None
    seen.add(identity)
    part = parts.part(page.title)
    if len(body) > config.max_bytes:
        return Unread(part, too_large(len(body), config.max_bytes), "confluence")
    markup = values.get("bodyType", "2").strip() == _WIKI_MARKUP
    data = body if markup else to_html(body)
    fields = {
        "last modified": page.modified,
        "created": page.created,
        "last modified by": known.users.get(page.modifier, "" if len(page.modifier) == 32 else page.modifier),
        "space": known.spaces.get(page.space, ""),
    }
    stated = {key: value for key, value in fields.items() if value}
    suffix = "confluence" if markup else "html"
    return Member(part, f"{page.title}.{suffix}", data.encode("utf-8", "replace"), page.title, stated, "confluence", lines=False)
