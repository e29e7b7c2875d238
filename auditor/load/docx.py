"""Word documents (DOCX, DOCM, DOTX): the text as it reads when all tracked changes are accepted, without comments."""

from __future__ import annotations

from lxml import etree

from auditor.load.docx_reader import Reader
from auditor.load.docx_styles import Numbering, Styles, attribute, children, local
from auditor.load.opc import Relation, main_part, properties, relations
from auditor.load.word_fields import known, page_fields
from auditor.load.word_writer import Writer
from auditor.load.zip_parts import Parts, open_parts
from auditor.model import Parsed
from auditor.ports import LoadError

_NOTES = {"footnotes": "footnote", "endnotes": "endnote"}
_NO_NOTES = frozenset({"separator", "continuationSeparator", "continuationNotice"})
_PAGE_PARTS = 60  # headers and footers that are looked at


class DocxLoader:
    """Reads Word documents."""

    id = "docx"

    def accepts(self, name: str, head: bytes) -> bool:
        """By extension, which the content has decided."""
        return name.endswith(".docx")

    def load(self, data: bytes, name: str) -> Parsed:
        """Blocks of the document, properties and page headers as fields."""
        parts = open_parts(data)
        main = main_part(parts, "word/document.xml")
        root = parts.xml(main)
        body = children(root).get("body")
        if body is None:
            raise LoadError("holds no Word document")
        linked = relations(parts, main)
        named = {relation.kind: relation for relation in linked.values() if not relation.external}
        reader = Reader(
            Styles(_optional(parts, named.get("styles"), "styles")),
            Numbering(_optional(parts, named.get("numbering"), "numbering")),
            {kind: _notes(_optional(parts, named.get(part), part)) for part, kind in _NOTES.items()},
        )
        writer = Writer()
        shown = _page_fields(parts, linked, reader)
        stated = properties(parts)
        writer.fields(shown, "header")
        writer.fields({key: value for key, value in stated.items() if key not in shown and _own(key)}, "properties")
        visible = writer.write(reader.body(body))
        notices = [*dict.fromkeys(parts.notices)]
        if reader.chunks:
            notices.append(f"{reader.chunks} embedded documents of other formats were not read")
        if reader.too_deep:
            notices.append("tables or text boxes nested too deeply were not read")
        return writer.parsed({**stated, **shown, **visible}, "docx", notices)


def _optional(parts: Parts, relation: Relation | None, what: str) -> etree._Element | None:
    return parts.optional_xml(relation.target, what) if relation else None


def _notes(root: etree._Element | None) -> dict[str, etree._Element]:
    return {
        attribute(element, "id"): element
        for element in (root if root is not None else ())
        if local(element) in {"footnote", "endnote"} and attribute(element, "type") not in _NO_NOTES
    }


def _page_fields(parts: Parts, linked: dict[str, Relation], reader: Reader) -> dict[str, str]:
    fields: dict[str, str] = {}
    targets = [relation.target for kind in ("header", "footer") for relation in linked.values() if relation.kind == kind]
    for target in sorted(set(targets), key=targets.index)[:_PAGE_PARTS]:
        root = parts.optional_xml(target, "a page header or footer")
        if root is not None:
            for name, value in page_fields(reader.body(root)).items():
                fields.setdefault(name, value)
    return fields


_BUILT_IN = frozenset(
    {"author", "title", "created", "last modified", "last modified by", "company", "language", "category", "version"}
)


def _own(key: str) -> bool:
    """Whether a property states a fact that authors put there, rather than the program."""
    return known(key) and key not in _BUILT_IN
