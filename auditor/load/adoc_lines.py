"""What the lines of an AsciiDoc document look like that are more than text."""

from __future__ import annotations

import re

SECTION = re.compile(r"(={1,6}|#{1,6})[ \t]+(?=\S)")
DELIMITER = re.compile(r"(?:(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|`{3,})([\w+#.-]{0,40}))[ \t]*$")
TABLE = re.compile(r"([|,:!]={3,})[ \t]*$")
TITLE = re.compile(r"\.(?=[^\s.])(?=\S)")
STYLE = re.compile(r"\[(?!\[)[^\n]*\][ \t]*$")
ANCHOR = re.compile(r"\[\[[^\[\]\n]*\]\][ \t]*$")
RULE = re.compile(r"(?:'{3,}|<{3,}|-{3}|\*{3}|- - -|\* \* \*)[ \t]*$")
MACRO = re.compile(r"(?:image|video|audio|toc|gallery|diagram|plantuml|mermaid|ditaa|graphviz|asciinema)::\S*\[[^\n]*\][ \t]*$")
ADMONITION = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+(?=\S)")
ITEM = re.compile(
    r"[ \t]*(?:(\*{1,6}|-|•|\.{1,6})|(\d{1,4}\.)|([a-z]\.)|([A-Z]\.)|([ivx]{1,6}\)|[IVX]{1,6}\))|(<(?:\d{1,3}|\.)>))[ \t]+(?=\S)"
)
CHECK = re.compile(r"\[[ xX*]\][ \t]+(?=\S)")
TERM = re.compile(r"[ \t]*(?!//|include::)(\S(?:[^\n]*?\S)??)[ \t]*(:{2,4}|;;)(?:[ \t]+(?=\S)|[ \t]*$)")
UNDERLINE = re.compile(r"([=\-~^+])\1{3,}[ \t]*$")


def term(line: str) -> re.Match[str] | None:
    """A term of a description list at the beginning of a line."""
    return TERM.match(line) if "::" in line or ";;" in line else None
