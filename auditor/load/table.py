"""Which loader or container reads what: the plug-in point of the load stage.

A new format is one module and one line here. The endings only say which modules come into question, so that a scan of Markdown imports
no PDF library; what is read is up to `accepts`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from io import BytesIO
from typing import Any, TypeAlias, cast

from auditor.load import kinds
from auditor.ports import Container, Loader, LoadError

Entry: TypeAlias = tuple[str, str]
"""Module and class, and the endings of (effective) file names in question; "-" stands for names without one."""

LOADERS: tuple[Entry, ...] = (
    ("auditor.load.markdown:MarkdownLoader", "md markdown mdown mkd mkdn mdx mdc qmd rmd myst"),
    ("auditor.load.html:HtmlLoader", "html htm xhtml shtml -"),
    ("auditor.load.pdf:PdfLoader", "pdf"),
    ("auditor.load.docx:DocxLoader", "docx"),
    ("auditor.load.sheets:SheetLoader", "xlsx xlsb xls ods fods"),
    ("auditor.load.slides:SlideLoader", "pptx odp fodp"),
    ("auditor.load.odt:OdtLoader", "odt fodt"),
    ("auditor.load.rtf:RtfLoader", "rtf"),
    ("auditor.load.delimited:DelimitedLoader", "csv tsv tab psv"),
    ("auditor.load.epub:EpubLoader", "epub"),
    ("auditor.load.notebook:NotebookLoader", "ipynb"),
    ("auditor.load.rst:RstLoader", "rst rest"),
    ("auditor.load.asciidoc:AsciidocLoader", "adoc asciidoc asc"),
    ("auditor.load.confluence_wiki:ConfluenceWikiLoader", "confluence jira wiki"),
    ("auditor.load.mediawiki:MediawikiLoader", "mediawiki wiki wikitext mw"),
    ("auditor.load.plain:PlainLoader", "txt text -"),
)
"""The first that accepts a file reads it."""

CONTAINERS: tuple[Entry, ...] = (
    ("auditor.load.mail:MailContainer", "eml emlx mbox"),
    ("auditor.load.msg:MsgContainer", "msg"),
    ("auditor.load.archive:ZipContainer", "zip"),
    ("auditor.load.tar:TarContainer", "tar gz tgz bz2 tbz2 tbz"),
    ("auditor.load.records:JsonLinesContainer", "jsonl ndjson jsonlines"),
    ("auditor.load.records:JsonContainer", "json"),
    ("auditor.load.records_parquet:ParquetContainer", "parquet"),
    ("auditor.load.confluence_xml:ConfluenceContainer", "confluence-xml xml"),
    ("auditor.load.mediawiki_dump:MediawikiDump", "xml"),
)
"""Containers likewise; they are asked before the loaders."""


def loader_for(name: str, head: bytes) -> Loader | None:
    """The loader that reads a file whose (effective) name and first bytes are these."""
    return cast("Loader | None", _first(LOADERS, name.lower(), head))


def container_for(name: str, head: bytes) -> Container | None:
    """The container that takes such a file apart."""
    return cast("Container | None", _first(CONTAINERS, name.lower(), head))


def is_read(name: str, head: bytes) -> bool:
    """Whether a member of a container with this name and these first `kinds.HEAD` bytes is worth unpacking.

    Of an archive in an archive the beginning does not tell what is in it.
    """
    name = name.lower()
    try:
        name = kinds.effective_name(name, head, BytesIO(head)) if not kinds.is_zip(head) else name
    except LoadError:
        return True  # reading it gives the reason
    if kinds.is_zip(head):
        return kinds.extension(name) not in kinds.PROGRAMS
    return container_for(name, head) is not None or loader_for(name, head) is not None


def _first(table: tuple[Entry, ...], name: str, head: bytes) -> Any:
    ending = kinds.extension(name) or "-"
    found = (_instance(spec) for spec, endings in table if ending in endings.split())
    return next((reader for reader in found if reader.accepts(name, head)), None)


@cache
def _instance(spec: str) -> Any:
    module, _, name = spec.partition(":")
    return getattr(import_module(module), name)()
