"""XML dumps of MediaWiki: every page as a document, in the state of its newest revision.

The dump is read as a stream, and a revision is let go as soon as it is known not to be the newest. Entities that a document type
would define are not expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, cast

from auditor.load.config import LoadConfig
from auditor.load.mediawiki import REDIRECT
from auditor.load.members import Parts, too_large
from auditor.load.structure import whole
from auditor.ports import LoadError, Member, NotADocument, Unread

if TYPE_CHECKING:
    from lxml.etree import _Element

_SIGN = re.compile(rb"<mediawiki[\s>]")
_UNREAD = frozenset({2, 6, 8, 10, 486, 710, 828, 2300, 2302, 2600})
"""Namespaces of no documents: user, file, messages of the software, templates, data, modules, gadgets, threads."""


class MediawikiDump:
    """Takes a dump apart."""

    id = "mediawiki-xml"

    def accepts(self, name: str, head: bytes) -> bool:
        """By how it begins."""
        return name.endswith(".xml") and _SIGN.search(head) is not None

    def members(self, file: BinaryIO, name: str, config: LoadConfig) -> Iterator[Member | Unread]:
        """The pages in the order of the dump: neither talk nor user, file and template pages, and no redirects."""
        from lxml import etree

        count = 0
        parts = Parts("#")
        parser = etree.iterparse(
            file,
            events=("start", "end"),
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=False,
            remove_comments=True,
        )
        page = _Page()
        try:
            for event, found in parser:
                element = cast("_Element", found)
                tag = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
                if event == "start":
                    if tag == "page":
                        page = _Page()
                    continue
                if tag == "revision":
                    page.revision(element, config.max_bytes)
                    element.clear()
                elif tag in {"title", "ns", "redirect"}:
                    page.set(tag, element.text or "")
                elif tag == "page":
                    if member := page.member(parts, config):
                        count += 1
                        yield member
                    element.clear()
                    while element.getprevious() is not None:  # pages before are kept by their parent otherwise
                        del element.getparent()[0]  # type: ignore[union-attr]
        except etree.XMLSyntaxError as error:
            if not count:
                raise LoadError(f"broken XML: {error.msg}") from error
            yield Unread("", f"broken XML after {count} pages: {error.msg}", self.id)
            return
        if not count:
            raise NotADocument(name)


class _Page:
    """A page that is being read."""

    def __init__(self) -> None:
        self.title = ""
        self.namespace = 0
        self.redirect = False
        self.size = 0
        self.stamp = self.contributor = self.identity = ""
        self.model = "wikitext"
        self.text: str | None = None

    def set(self, tag: str, text: str) -> None:
        if tag == "title":
            self.title = text.strip()
        elif tag == "ns":
            self.namespace = -1 if text.strip().startswith("-") else whole(text, 1 << 30)
        else:
            self.redirect = True

    def revision(self, element: _Element, limit: int) -> None:
        """Take a revision, if it is newer than what is known."""
        if self.unread:
            return
        values: dict[str, str] = {}
        for child in element.iter():
            if isinstance(child.tag, str):
                values.setdefault(child.tag.rpartition("}")[2], child.text or "")
        stamp = values.get("timestamp", "").strip()
        if self.text is not None and stamp < self.stamp:
            return
        self.stamp, self.contributor = stamp, (values.get("username") or "").strip()
        self.model, self.text = values.get("model", "wikitext") or "wikitext", values.get("text", "")
        self.size = len(self.text)
        if self.size > limit:
            self.text = ""

    @property
    def unread(self) -> bool:
        return self.redirect or self.namespace < 0 or self.namespace % 2 == 1 or self.namespace in _UNREAD

    def member(self, parts: Parts, config: LoadConfig) -> Member | Unread | None:
        """The page as a document; None if it is none."""
        if self.unread or not self.title or self.text is None or self.model not in {"wikitext", "text"}:
            return None
        if self.size > config.max_bytes:
            return Unread(parts.part(self.title), too_large(self.size, config.max_bytes), "mediawiki")
        if REDIRECT.match(self.text) or not self.text.strip():
            return None
        fields = {"last modified": self.stamp, "last modified by": self.contributor}
        data = self.text.encode("utf-8", "replace")
        known = {key: value for key, value in fields.items() if value}
        return Member(parts.part(self.title), f"{self.title}.mediawiki", data, self.title, known, "mediawiki", lines=False)
