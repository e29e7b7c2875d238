"""The storage format of Confluence as HTML: macros become what they are shown as.

The source is well-formed by promise only, so it is read with the scanner for HTML, and what it holds is written out anew.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from auditor.load.html_tokens import Tag, Text, tokens
from auditor.load.structure import CALLOUTS, words

_LITERAL_END = re.compile(r"\]\]\s?>")  # within an export the end of an inner section is written `]] >`
_EMPTY = re.compile(r"<([A-Za-z][\w:.-]*+)((?:[^<>\"'/]|\"[^\"]*+\"|'[^']*+'|/(?!>))*+)/>")
_BOXES = {"info": "info", "note": "note", "warning": "warning", "tip": "tip", "panel": "", "expand": ""}
_CODE = frozenset({"code", "noformat"})
_DROPPED = words(
    "ac:parameter ac:image ac:emoticon ac:placeholder ac:task-id ac:task-uuid ac:task-status ac:adf-attribute ac:adf-fallback "
    "ri:attachment ri:user ri:url ri:shortcut ri:space"
)
_UNREAD_MACROS = words(
    "toc toc-zone children pagetree recently-updated contentbylabel attachments gallery livesearch space-details profile-picture "
    "include excerpt-include jirachart chart widget iframe html rss drawio gliffy viewpdf viewdoc viewxls viewppt anchor "
    "contributors create-from-template change-history listlabels blog-posts detailssummary pagetreesearch roadmap view-file"
)
_KEPT = words(
    "p h1 h2 h3 h4 h5 h6 ul ol li table thead tbody tfoot tr th td caption pre blockquote code strong b em i u s del sub sup dl dt dd"
)
_DIVISIONS = frozenset({"div", "ac:layout-section", "ac:layout-cell", "ac:task-body"})
_MAX_DEPTH = 2000


@dataclass(slots=True)
class _Macro:
    """An open macro."""

    name: str
    language: str = ""
    titled: bool = False


def to_html(storage: str) -> str:
    """The page as HTML, without a head."""
    writer = _Writer()
    for token in tokens(_EMPTY.sub(r"<\1\2></\1>", _without_sections(storage))):
        writer.feed(token)
    return "<html><body>" + "".join(writer.out) + "</body></html>"


def _without_sections(source: str) -> str:
    """With the content of CDATA sections as escaped text."""
    out: list[str] = []
    position = 0
    while (at := source.find("<![CDATA[", position)) >= 0 and (end := _LITERAL_END.search(source, at)):
        out += [source[position:at], html.escape(source[at + 9 : end.start()])]
        position = end.end()
    out.append(source[position:])
    return "".join(out)


class _Writer:
    def __init__(self) -> None:
        self.out: list[str] = []
        self.macros: list[_Macro] = []
        self.parameter = ""
        self.dropping: list[str] = []  # elements open in one that is left out
        self.link: str | None = None  # title of the page a link leads to, until its own text is seen

    def feed(self, token: Tag | Text) -> None:
        if isinstance(token, Text):
            self._text(token)
        elif token.closing:
            self._end(token.name)
        else:
            self._start(token)

    def _text(self, token: Text) -> None:
        if self.parameter:
            self._parameter(html.unescape(token.source).strip())
        elif not self.dropping and not token.raw:
            if self.link is not None and token.source.strip():
                self.link = ""
            self.out.append(token.source)

    def _parameter(self, value: str) -> None:
        """A setting of the macro that is open: titles and states are shown."""
        macro = self.macros[-1] if self.macros else None
        if macro is None or not value:
            return
        if (macro.name, self.parameter) in {("status", "title"), ("jira", "key")}:
            self.out.append(html.escape(value))
        elif macro.name in _BOXES and self.parameter == "title" and not macro.titled:
            macro.titled = True
            self.out.append(f'<p class="admonition-title">{html.escape(value)}</p>')
        elif macro.name in _CODE and self.parameter == "language":
            macro.language = value

    def _start(self, tag: Tag) -> None:
        name = tag.name
        if self.dropping:
            if len(self.dropping) < _MAX_DEPTH:
                self.dropping.append(name)
            return
        if name == "ac:parameter":
            self.parameter = tag.attributes.get("ac:name", "-") or "-"
        elif name in {"ac:structured-macro", "ac:macro"}:
            self._open_macro(tag)
        elif name == "ac:plain-text-body":
            macro = self.macros[-1] if self.macros else None
            language = re.sub(r"[^\w+#-]", "", macro.language) if macro else ""
            self.out.append(f'<pre class="language-{language}">' if language else "<pre>")
        elif name == "ac:link":
            self.link = ""
        elif name in {"ri:page", "ri:blog-post"}:
            if self.link is not None:
                self.link = tag.attributes.get("ri:content-title", "")
        elif name in _DROPPED:
            self.dropping = [name]
        elif name == "ac:adf-node":
            self.out.append('<div class="admonition note">' if tag.attributes.get("type") == "panel" else "<div>")
        elif name == "ac:task-list":
            self.out.append("<ul>")
        elif name == "ac:task":
            self.out.append("<li>")
        elif name == "time":
            self.out.append(html.escape(tag.attributes.get("datetime", "")))
        elif name == "br" or name == "hr":
            self.out.append(f"<{name}/>")
        elif name in _KEPT:
            spans = "".join(
                f' {key}="{tag.attributes[key]}"' for key in ("colspan", "rowspan") if tag.attributes.get(key, "").isdigit()
            )
            self.out.append(f"<{name}{spans}>")
        elif name in _DIVISIONS:
            self.out.append("<div>")

    def _open_macro(self, tag: Tag) -> None:
        name = tag.attributes.get("ac:name", "").lower()
        if name in _UNREAD_MACROS:
            self.dropping = [tag.name]
            return
        if len(self.macros) >= _MAX_DEPTH:
            return
        if name in _BOXES:
            kind = _BOXES[name]
            flag = f"admonition {kind}" if kind in CALLOUTS else "admonition-panel"
            self.out.append(f'<div class="{flag}">')
        self.macros.append(_Macro(name))

    def _end(self, name: str) -> None:
        if self.dropping:
            if name in self.dropping[-50:]:
                while self.dropping.pop() != name:
                    pass
            return
        if name == "ac:parameter":
            self.parameter = ""
        elif name in {"ac:structured-macro", "ac:macro"}:
            if self.macros:
                macro = self.macros.pop()
                self.out.append("</div>" if macro.name in _BOXES else "")
        elif name == "ac:plain-text-body":
            self.out.append("</pre>")
        elif name == "ac:link":
            if self.link:
                self.out.append(html.escape(self.link))
            self.link = None
        elif name == "ac:task-list":
            self.out.append("</ul>")
        elif name == "ac:task":
            self.out.append("</li>")
        elif name in _KEPT:
            self.out.append(f"</{name}>")
        elif name in _DIVISIONS or name == "ac:adf-node":
            self.out.append("</div>")
