"""The body of a message in HTML as lines, and back again without some of them."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Collection, Mapping

from auditor.load.html_rules import BLOCKS, VOID
from auditor.load.html_tokens import Tag, Text, tokens
from auditor.load.mail_quotes import Line

_SEARCH = 500  # how far up the stack an end tag may look
_REPLY = re.compile(
    r"(?:^|\s)(?:gmail_quote|protonmail_quote|tutanota_quote|yahoo_quoted|moz-cite|zmail_extra|quoted-text)(?:\s|$)", re.IGNORECASE
)
_INTRODUCTION = re.compile(r"(?:^|\s)(?:gmail_attr|moz-cite-prefix|moz-email-headers-table)(?:\s|$)", re.IGNORECASE)
_SIGNATURE = re.compile(
    r"(?:^|\s)(?:gmail_signature(?:_prefix)?|moz-signature|protonmail_signature_block|ms-outlook-mobile-signature|(?:x_)?signature|"
    r"(?:x_)?appleMailSignature|(?:x_)?lineBreakAtBeginningOfSignature|tutanota_signature)(?:\s|$)",
    re.IGNORECASE,
)
_DIVIDER = re.compile(
    r"(?:^|\s)(?:(?:x_)?divRplyFwdMsg|(?:x_)?outlookMessageHeader|(?:x_)?mail-editor-reference-message-container)(?:\s|$)",
    re.IGNORECASE,
)
_DIVIDER_STYLE = re.compile(r"border-top\s*:\s*solid\s+#?(?:E1E1E1|B5C4DF)\s+1\.0pt", re.IGNORECASE)
_UNREAD = frozenset({"script", "style", "title", "xmp", "iframe", "noembed", "noframes", "textarea"})


class HtmlBody:
    """Lines of a body, each with the pieces of the source that make it up."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.lines: list[Line] = []
        self.length = 0  # characters of readable text
        self._pieces: list[tuple[int, int, int]] = []  # start, end, number of the line
        self._open: Counter[str] = Counter()
        self._stack: list[tuple[str, str]] = []
        self._marks: Counter[str] = Counter()
        self._parts: list[str] = []
        self._flags: tuple[int, bool, str] | None = None
        self._begun = 0  # pieces before the current line
        for token in tokens(source):
            if isinstance(token, Text):
                self._text(token)
            else:
                self._tag(token)
        self._end_line()

    def without(self, kept: Collection[int]) -> str:
        """The source with the text of the kept lines only. All tags stay, so that its structure does."""
        wanted = set(kept)
        out: list[str] = []
        position = 0
        for start, end, number in self._pieces:
            if number in wanted:
                continue
            out.append(self.source[position:start])
            position = end
        out.append(self.source[position:])
        return "".join(out)

    def _text(self, token: Text) -> None:
        if token.raw in _UNREAD or not token.source:
            return
        if self._flags is None:
            if not token.source.strip():
                return
            mark = next((mark for mark in ("signature", "attribution", "divider") if self._marks[mark]), "")
            self._flags = (self._marks["reply"], bool(self._marks["quotation"]), mark)
        self._parts.append(token.source)
        end = token.at + len(token.source)
        last = self._pieces[-1] if self._pieces else None
        if last and last[1] == token.at and last[2] == len(self.lines):
            self._pieces[-1] = (last[0], end, last[2])
        else:
            self._pieces.append((token.at, end, len(self.lines)))

    def _tag(self, tag: Tag) -> None:
        name = tag.name
        if name in BLOCKS or name == "br":
            self._end_line()
        if name == "img":  # its text would stand for a cell that has no other
            self._pieces.append((tag.at, self.source.find(">", tag.at) + 1, max(len(self.lines) - (self._flags is None), 0)))
        if name in VOID:
            return
        if not tag.closing:
            mark = _mark(name, tag.attributes) if tag.attributes or name == "blockquote" else ""
            self._stack.append((name, mark))
            self._open[name] += 1
            self._marks[mark] += 1
        elif self._open[name]:
            for i in range(len(self._stack) - 1, max(len(self._stack) - _SEARCH, 0) - 1, -1):
                if self._stack[i][0] == name:
                    while len(self._stack) > i:
                        inner, mark = self._stack.pop()
                        self._open[inner] -= 1
                        self._marks[mark] -= 1
                    break

    def _end_line(self) -> None:
        if self._flags is None:
            return
        text = " ".join(html.unescape("".join(self._parts)).split())
        depth, soft, mark = self._flags
        self.lines.append(Line(text, depth, soft and not depth, True, mark))
        self.length += len(text)
        self._parts, self._flags = [], None


def _mark(name: str, attributes: Mapping[str, str]) -> str:
    """What an element says about the lines in it."""
    called = f"{attributes.get('class', '')} {attributes.get('id', '')}"
    if name == "blockquote":
        cited = attributes.get("type", "").lower() == "cite" or attributes.get("cite", "").startswith(("mid:", "cid:"))
        return "reply" if cited or _REPLY.search(called) else "quotation"
    if _SIGNATURE.search(called) or attributes.get("data-smartmail") == "gmail_signature":
        return "signature"
    if _INTRODUCTION.search(called):
        return "attribution"
    if _DIVIDER.search(called) or _DIVIDER_STYLE.search(attributes.get("style", "")):
        return "divider"
    if name == "div" and (attributes.get("name") == "quote" or ("gmail_quote" not in called and _REPLY.search(called))):
        return "reply"
    return ""
