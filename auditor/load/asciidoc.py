"""AsciiDoc documents.

The text of the document is its source. A line scanner reads the structure: no parser of AsciiDoc in Python is under a permissive
licence and knows positions.
"""

from __future__ import annotations

from auditor.load.adoc_blocks import Scanner
from auditor.load.decode import decode
from auditor.load.structure import Sink, line_map
from auditor.model import Parsed

SUFFIXES = (".adoc", ".asciidoc", ".asc")
_SIGNED = (b"-----BEGIN PGP", b"-----BEGIN SSH")


class AsciidocLoader:
    """Reads AsciiDoc."""

    id = "asciidoc"

    def accepts(self, name: str, head: bytes) -> bool:
        """By file name; keys and signatures have the extension `.asc` as well."""
        return name.endswith(SUFFIXES) and not head.lstrip().startswith(_SIGNED)

    def load(self, data: bytes, name: str) -> Parsed:
        """Blocks with positions in the source text."""
        text = decode(data)
        scanner = Scanner(text, Sink())
        scanner.document()
        blocks = scanner.sink.sorted()
        return Parsed(
            text, blocks, line_map(text), scanner.title, scanner.fields, format="asciidoc", notices=scanner.directives.notices()
        )
