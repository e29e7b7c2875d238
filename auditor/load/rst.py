"""reStructuredText documents, plain and Sphinx.

The text of the document is its source. A line scanner reads the structure instead of docutils, because docutils keeps line
numbers for some nodes only and no positions at all, drops the content of directives it does not know (most of Sphinx), and can
be made to read files. It is also more forgiving: a directive right under a paragraph is meant as one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from auditor.load.decode import decode
from auditor.load.rst_blocks import Scanner
from auditor.load.structure import Sink, line_map
from auditor.model import BlockKind, Parsed

SUFFIXES = (".rst", ".rest")
_SUBSTITUTION = re.compile(r"^[ \t]*\.\.[ \t]+\|([^|\n]{1,80})\|[ \t]+replace::[ \t]*(\S.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class RstLoader:
    """Reads reStructuredText."""

    id: str = "rst"

    def accepts(self, name: str, head: bytes) -> bool:
        """By file name; `.txt` belongs to plain text."""
        return name.endswith(SUFFIXES)

    def load(self, data: bytes, name: str) -> Parsed:
        """Blocks with positions in the source text."""
        text = decode(data)
        substitutions = {match[1].strip().lower(): match[2].strip() for match in _SUBSTITUTION.finditer(text)}
        sink = Sink()
        scanner = Scanner(text, sink, substitutions)
        scanner.read()
        blocks = sink.sorted()
        title = next((block.text for block in blocks if block.kind is BlockKind.HEADING), "")
        return Parsed(text, blocks, line_map(text), title=title, fields=scanner.fields, format="rst")
