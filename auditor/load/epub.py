"""EPUB books: the chapters in reading order as one document, each read as the web page that it is."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from lxml import etree

from auditor.load.config import MEBIBYTE
from auditor.load.decode import decode
from auditor.load.html import HtmlLoader
from auditor.load.html_notes import without_note_signs
from auditor.load.zip_parts import Parts, open_parts, parse_xml
from auditor.model import Block, BlockKind, Parsed
from auditor.ports import LoadError

_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_RIGHTS = ("META-INF/rights.xml", "META-INF/sinf.xml", "rights.xml")
_FONTS_ONLY = frozenset({"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"})
_DRM = "protected by digital rights management"
_PART, _TOTAL = 16 * MEBIBYTE, 64 * MEBIBYTE
_MAX_CHAPTERS = 5_000
_MAX_TEXT = 300
_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/xml", "text/x-oeb1-document"})
_LEFT_OUT = frozenset({"cover", "toc", "landmarks", "page-list", "loi", "lot", "index"})

_NOBODY = frozenset({"unknown", "unknown author", "anonymous"})
_TITLE_PAGE = "title page"
_TITLE_ID = re.compile(r"(?:half-?)?title[-_]?page", re.IGNORECASE)
_TITLE_PAGES = frozenset({"titlepage", "halftitlepage", "frontispiece"})

_BODY = re.compile(r"<body\b([^<>]*)>", re.IGNORECASE)
_EMPTY = re.compile(
    r"<(?!(?:br|hr|img|wbr|col|input|area|link|meta|base|source|track|param|embed)\b)([A-Za-z][\w:.-]*)([^<>]*)/>", re.IGNORECASE
)
_ASIDE = re.compile(r"<(/?)aside(?=[\s>])", re.IGNORECASE)
_TYPE = re.compile(r"epub:type\s*=\s*[\"']([^\"'<>]{1,200})[\"']", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?:start|section|chapter|part|page|abschnitt|kapitel|teil|seite|sección|capítulo|chapitre)?[\W_]*[\divxlc]*", re.IGNORECASE
)
_DOCTYPE = re.compile(rb"<!DOCTYPE[^\[<>]{0,500}>", re.IGNORECASE)


class EpubLoader:
    """Reads electronic books."""

    id = "epub"

    def accepts(self, name: str, head: bytes) -> bool:
        """By extension, which `kinds` gives by content."""
        return name.endswith(".epub")

    def load(self, data: bytes, name: str) -> Parsed:
        """The chapters one under the other. Places are chapters, counted from the first that is read."""
        parts = open_parts(data, _PART, _TOTAL)
        package = _package(parts)
        protected = _protected(parts)
        text: list[str] = []
        length = groups = count = 0
        blocks: list[Block] = []
        places: list[tuple[int, str]] = []
        notices = list(parts.notices)
        for number, path in enumerate(package.chapters, start=1):
            if path.lower() in protected:
                raise LoadError(_DRM)
            try:
                chapter = _chapter(parts, path)
            except LoadError as error:
                notices.append(f"chapter {number} ({posixpath.basename(path)}) could not be read: {error}")
                continue
            if chapter is None or not chapter.blocks:
                continue
            count += chapter.title != _TITLE_PAGE and path not in package.title_pages
            places.append((length, f"chapter={count}"))
            added = list(chapter.blocks)
            if label := _missing_heading(chapter, package.labels.get(path, "")):
                if added[0].text.casefold() == label.casefold():  # programs that know no headings set them in large letters
                    added[0] = replace(added[0], kind=BlockKind.HEADING, level=1)
                else:
                    blocks.append(Block(BlockKind.HEADING, label, length, length + len(label), level=1))
                    text.append(label)
                    length += len(label) + 1
            blocks += [_moved(block, length, groups) for block in added]
            groups = max(groups, *(block.group for block in blocks[-len(added) :]))
            text.append(chapter.text)
            length += len(chapter.text) + 1
        if not blocks:
            raise LoadError(
                "no text: the pages are images" if package.chapters and not notices else "the book holds no readable chapter"
            )
        return Parsed(
            "\n".join(text),
            tuple(blocks),
            (),
            title=package.title,
            fields=package.fields,
            format="epub",
            places=tuple(places),
            notices=tuple(notices),
        )


@dataclass(slots=True)
class _Package:
    """What the package document says: metadata, and the pages in reading order."""

    title: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    chapters: list[str] = field(default_factory=list)
    title_pages: set[str] = field(default_factory=set)
    labels: dict[str, str] = field(default_factory=dict)  # page → its title in the table of contents


def _package(parts: Parts) -> _Package:
    container = _xml(parts, _CONTAINER)
    if container is None:
        raise LoadError("the file is damaged: it does not say where its contents are listed")
    path = next((element.get("full-path", "") for element in container.iter() if _name(element) == "rootfile"), "")
    root = _xml(parts, path) if path else None
    if root is None:
        raise LoadError("the file is damaged: the list of its contents is missing")
    package = _Package()
    _metadata(root, package)
    folder = posixpath.dirname(path)
    items = {element.get("id", ""): element for element in root.iter() if _name(element) == "item"}
    paths = {key: _resolved(folder, element.get("href", "")) for key, element in items.items()}
    left_out = {
        _resolved(folder, element.get("href", ""))
        for element in root.iter()
        if _name(element) == "reference" and element.get("type", "").lower() in _LEFT_OUT
    }
    package.title_pages = {path for key, path in paths.items() if _TITLE_ID.match(key)}
    left_out |= {paths[key] for key, element in items.items() if "nav" in element.get("properties", "").split()}
    spine = next((element for element in root.iter() if _name(element) == "spine"), None)
    for reference in spine if spine is not None else ():
        key = reference.get("idref", "")
        page = paths.get(key, "")
        known = key in items and items[key].get("media-type", "").lower() in _PAGES
        if (
            known
            and page not in left_out
            and page not in package.chapters[-1:]
            and key.lower() not in {"cover", "coverpage", "cover-page"}
        ):
            package.chapters.append(page)
    if len(package.chapters) > _MAX_CHAPTERS:
        parts.notices.append(f"only the first {_MAX_CHAPTERS} of {len(package.chapters)} chapters were read")
        del package.chapters[_MAX_CHAPTERS:]
    contents = [paths[key] for key, element in items.items() if "nav" in element.get("properties", "").split()]
    contents += [paths[key] for key, element in items.items() if element.get("media-type") == "application/x-dtbncx+xml"]
    for page in contents:
        for target, label in _labels(parts, page):
            package.labels.setdefault(target, label)
    return package


def _metadata(root: etree._Element, package: _Package) -> None:
    fields = package.fields
    titles: list[str] = []
    authors: list[str] = []
    made = ""
    for element in root.iter():
        name, value = _name(element), _text(element)
        if element.tag == f"{{http://purl.org/dc/elements/1.1/}}{name}" and value:
            event = next((text for key, text in element.attrib.items() if str(key).endswith("event")), "")
            if name == "title":
                titles.append(value)
            elif name == "creator":
                authors += [value] if value.lower() not in _NOBODY else []
            elif name == "date" and event:
                fields.setdefault({"modification": "last modified", "creation": "created"}.get(str(event), "published"), value)
            elif name in {"date", "language", "publisher", "description", "rights"}:
                fields.setdefault(name, value)
        elif name == "meta" and element.get("property") == "dcterms:modified" and value:
            made = value
    package.title = titles[0] if titles else ""
    if made and not fields.keys() & {"date", "published", "last modified"}:  # when the file was made: all that is known then
        fields["last modified"] = made
    if authors:
        fields["author"] = ", ".join(authors)[:_MAX_TEXT]


def _xml(parts: Parts, path: str) -> etree._Element | None:
    """The root element of a part; a mere mention of a document type, as older books have it, is dropped."""
    data = parts.read(path)
    return None if data is None else parse_xml(_DOCTYPE.sub(b"", data[:4096], count=1) + data[4096:], path)


def _labels(parts: Parts, path: str) -> Iterator[tuple[str, str]]:
    """Pages and their titles in a table of contents (EPUB 3 or NCX). One that is broken is done without."""
    try:
        root = _xml(parts, path)
    except LoadError:
        return
    folder = posixpath.dirname(path)
    for element in root.iter() if root is not None else ():
        name = _name(element)
        if name == "a" and (href := element.get("href")):
            yield _resolved(folder, href), _text(element)
        elif name == "navpoint":
            children = {_name(child): child for child in element}
            if "content" in children and "navlabel" in children:
                yield _resolved(folder, children["content"].get("src", "")), _text(children["navlabel"])


def _protected(parts: Parts) -> set[str]:
    """Parts that are encrypted (lower case). Fonts often are, and are of no concern."""
    if any(name in parts for name in _RIGHTS):
        raise LoadError(_DRM)
    found: set[str] = set()
    root = _xml(parts, _ENCRYPTION)
    for element in root.iter() if root is not None else ():
        if _name(element) == "encrypteddata":
            method = next((inner.get("Algorithm", "") for inner in element.iter() if _name(inner) == "encryptionmethod"), "")
            uri = next((inner.get("URI", "") for inner in element.iter() if _name(inner) == "cipherreference"), "")
            if method not in _FONTS_ONLY:
                found.add(_resolved("", uri).lower())
    return found


def _chapter(parts: Parts, path: str) -> Parsed | None:
    """A page of the book; None for a cover or a list of contents, and for one that is not there."""
    data = parts.read(path)
    if data is None:
        raise LoadError("it is missing")
    page = decode(data, declared=True)
    body = _BODY.search(page)
    kinds = _TYPE.search(body[1]) if body else None
    roles = frozenset(kinds[1].lower().split()) if kinds else frozenset()
    if roles & _LEFT_OUT:
        return None
    if body:
        opening = {role for match in _TYPE.finditer(page, body.start(), body.end() + 200) for role in match[1].lower().split()}
        page = page[body.start() :]
    else:
        opening = set()
    page = without_note_signs(page)
    page = _ASIDE.sub(r"<\1div", _EMPTY.sub(r"<\1\2></\1>", page))  # notes and boxes belong to a book
    if not page.strip():
        return None
    return replace(HtmlLoader().load(page.encode("utf-8", "replace"), path), title=_TITLE_PAGE if opening & _TITLE_PAGES else "")


def _missing_heading(chapter: Parsed, label: str) -> str:
    """The title of a chapter in the table of contents, if the chapter has no heading and the title says something."""
    if not label or _NUMBERED.fullmatch(label) or any(block.kind is BlockKind.HEADING for block in chapter.blocks):
        return ""
    return label


def _moved(block: Block, by: int, groups: int) -> Block:
    anchors = tuple((clean, source + by) for clean, source in block.anchors)
    return replace(
        block, start=block.start + by, end=block.end + by, group=block.group + groups if block.group else 0, anchors=anchors
    )


def _resolved(folder: str, href: str) -> str:
    """The path of a part that a reference leads to."""
    return posixpath.normpath(posixpath.join("/", folder, unquote(href.partition("#")[0]))).lstrip("/")


def _name(element: etree._Element) -> str:
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""


def _text(element: etree._Element) -> str:
    return " ".join("".join(str(text) for text in element.itertext()).split())[:_MAX_TEXT]
