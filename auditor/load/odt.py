"""OpenDocument texts (ODT, OTT, and FODT, the same in one XML file): tracked deletions and comments are left out."""

from __future__ import annotations

from lxml import etree

from auditor.load.odf import open_document
from auditor.load.odt_reader import OdtReader
from auditor.load.odt_styles import OFFICE, STYLE, OdtStyles, metadata
from auditor.load.word_fields import known, page_fields
from auditor.load.word_writer import Writer
from auditor.model import Parsed
from auditor.ports import LoadError

_BUILT_IN = frozenset({"author", "title", "created", "last modified", "last modified by", "language"})
_PAGE_PARTS = 60


class OdtLoader:
    """Reads the texts of LibreOffice and other programs that write OpenDocument."""

    id = "odt"

    def accepts(self, name: str, head: bytes) -> bool:
        """By extension, which the content has decided."""
        return name.endswith((".odt", ".fodt"))

    def load(self, data: bytes, name: str) -> Parsed:
        """Blocks of the document, properties and page headers as fields."""
        file = open_document(data, "the document", flat=name.endswith(".fodt"))
        content, styles, notices = file.content, file.styles, file.notices
        body = content.find(f"{OFFICE}body/{OFFICE}text") if content is not None else None
        if body is None:
            raise LoadError("holds no text document")
        reader = OdtReader(OdtStyles((content, styles)))
        shown = _page_fields(styles, OdtReader(OdtStyles((styles,))))
        stated = metadata(file.meta)
        writer = Writer()
        writer.fields(shown, "header")
        own = {key: value for key, value in stated.items() if key not in shown and key not in _BUILT_IN and known(key)}
        writer.fields(own, "properties")
        visible = writer.write(reader.body(body))
        if reader.too_deep:
            notices.append("tables or text boxes nested too deeply were not read")
        return writer.parsed({**stated, **shown, **visible}, "odt", notices)


def _page_fields(styles: etree._Element | None, reader: OdtReader) -> dict[str, str]:
    """What the headers and footers of the master pages state."""
    fields: dict[str, str] = {}
    pages = (
        styles.iter(STYLE + "header", STYLE + "footer", STYLE + "header-first", STYLE + "footer-first")
        if styles is not None
        else ()
    )
    for count, page in enumerate(pages):
        if count >= _PAGE_PARTS:
            break
        for name, value in page_fields(reader.body(page)).items():
            fields.setdefault(name, value)
    return fields
