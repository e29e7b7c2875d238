"""Markdown documents: CommonMark, GFM tables, footnotes, definition lists, front matter, MDX and other dialects.

The text of the document is its source, so quotes and line numbers are exact. The block structure comes from markdown-it-py, whose
inline parser is switched off: it knows no positions, and `auditor.text.inline` reads inline markup with them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from auditor.load import front_matter, notion
from auditor.load.decode import decode
from auditor.load.md_prepare import prepare
from auditor.load.md_walker import Walker
from auditor.load.structure import Sink, line_map
from auditor.model import Parsed

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

SUFFIXES = (".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx", ".mdc", ".qmd", ".rmd", ".myst")


class MarkdownLoader:
    """Reads Markdown and MDX."""

    id = "markdown"

    def accepts(self, name: str, head: bytes) -> bool:
        """By file name only."""
        return name.endswith(SUFFIXES)

    def load(self, data: bytes, name: str) -> Parsed:
        """Blocks with positions in the source text."""
        text = decode(data)
        matter = front_matter.read(text)
        mdx = name.lower().endswith(".mdx")
        prepared = prepare(text, matter.end, mdx)
        page = notion.Properties()
        if not matter.end and notion.is_page(name):
            page = notion.properties(prepared.lines, prepared.starts)
            prepared.blank(page.begin, page.end)
        env: dict[str, dict[str, object]] = {}
        tokens = _parser(mdx).parse(prepared.source, env)
        sink = Sink()
        front_matter.add_blocks(matter, text, sink)
        front_matter.add_blocks(front_matter.FrontMatter(0, page.entries), text, sink)
        Walker(text, prepared, sink, frozenset(env.get("references", ()))).walk(tokens)
        blocks = sink.sorted()
        title = matter.fields.get("title", "")
        return Parsed(text, blocks, line_map(text), title=title, fields=matter.fields | page.fields(), format="markdown")


@cache
def _parser(mdx: bool) -> MarkdownIt:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
    parser.use(footnote_plugin, inline=False, move_to_end=False).use(deflist_plugin)
    parser.core.ruler.enableOnly(["normalize", "block"])
    if mdx:
        parser.disable("code")  # MDX has no indented code: children of components are indented
    return parser
