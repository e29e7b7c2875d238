"""What of an AsciiDoc paragraph a reader sees: marks, macros, cross references, anchors and passthroughs are cut away.

One deliberate difference from Asciidoctor: what stands in backticks is literal, so that the stars of `*.txt` are no bold text.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Mapping

from auditor.text.inline_markdown import Kept, cut
from auditor.text.inline_marks import Scan

_SPECIAL = re.compile(r"[\\`*_#+^~{<\[&(]")
_TOKEN = re.compile(
    r"""
      (?P<escape>\\(?=[*_`\#+^~{<\[&\\(]|[a-z]+:))
    | (?P<plus>\+{1,3})
    | (?P<ticks>``?(?!`))
    | (?P<macro>\b(?P<name>link|xref|mailto|tel|image|icon|kbd|btn|menu|footnote|footnoteref|indexterm2?|anchor|stem|latexmath
        |asciimath|pass|chat|bibitem):(?P<target>[^\s\[\]:][^\s\[\]]{0,400}+|)\[)
    | (?P<url>\b(?:https?|ftp|irc|file)://[^\s\[\]<>`]{1,2000})
    | (?P<reference><<(?P<id>[^<>,\n]{1,300})(?P<comma>,\s*)?)
    | (?P<after>>>)
    | (?P<auto><(?=(?:https?|ftp|mailto)[^\s<>]{1,2000}>))
    | (?P<anchor>\[\[[^\[\]\n]{1,200}\]\])
    | (?P<role>\[(?P<roles>[\w.\#%\ -]{1,80})\](?=[\#*_`]))
    | (?P<index>\(\(\((?:[^()]{1,200})\)\)\))
    | (?P<term>\(\((?=[^()]{1,200}\)\)))
    | (?P<termend>\)\))
    | (?P<marks>\*\*?|__?|\#\#?|\^|~)
    | (?P<attribute>\{(?P<key>\w[\w-]{0,60})\})
    | (?P<counter>\{(?:set|counter2?):[^{}\n]{0,100}\})
    | (?P<entity>&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)
    """,
    re.VERBOSE,
)
_REST = re.compile(r"[^\s\[\]<>]{0,400}+\[")
_BREAK = re.compile(r"(?<=\s)\+[ \t]*(?=\n|$)")
_ATTRIBUTE = re.compile(r"(\\)?\{(\w[\w-]{0,60})\}")
_SETTINGS = re.compile(
    r"\^?(?:,\s*(?:window|role|opts|options|id|title|rel|target|subs|xrefstyle)\s*=.*|,\s*(?:nofollow|noopener).*)?$"
)
_MACRO_LIMIT = 2000  # how far a macro may reach
_DROPPED = frozenset({"image", "icon", "footnote", "footnoteref", "indexterm", "anchor", "bibitem"})
_BUILT_IN = {
    "nbsp": " ", "sp": " ", "empty": "", "blank": "", "zwsp": "", "wj": "", "apos": "'", "quot": '"', "lsquo": "‘", "rsquo": "’",
    "ldquo": "“", "rdquo": "”", "deg": "°", "plus": "+", "brvbar": "¦", "vbar": "|", "amp": "&", "lt": "<", "gt": ">",
    "startsb": "[", "endsb": "]", "caret": "^", "asterisk": "*", "tilde": "~", "backslash": "\\", "backtick": "`",
    "two-colons": "::", "two-semicolons": ";;", "cpp": "C++", "cxx": "C++", "pp": "++",
}  # fmt: skip


def scan(source: str, attributes: Mapping[str, str], keep_struck: bool) -> tuple[list[Kept], bool]:
    """The kept parts of `source` in order, and whether any of it is struck out. `attributes` are the values of `{name}`."""
    if not _SPECIAL.search(source):
        return [(source, 0, False)], False
    state = _State(source, attributes)
    position = 0
    while match := _TOKEN.search(source, position):
        position = state.token(match)
    for line_break in _BREAK.finditer(source):
        state.scan.drop(line_break.start(), line_break.end())
    return cut(source, state.scan.finished(keep_struck)), bool(state.scan.struck)


class _State:
    def __init__(self, source: str, attributes: Mapping[str, str]) -> None:
        self.source, self.attributes = source, attributes
        self.scan = Scan(source)
        self.closers: dict[str, list[int]] = {}  # ends of literal text by mark, found when first needed
        self.references = self.terms = 0
        self.struck_role = -1  # where a role that crosses out ends

    def token(self, match: re.Match[str]) -> int:
        """Take a token; returns where to go on."""
        source, scan = self.source, self.scan
        kind = next(name for name in _KINDS if match[name] is not None)
        start, end = match.span()
        if kind == "escape":
            scan.drop(start, end)
            following = _TOKEN.match(source, end)
            return following.end() if following else end + 1
        if kind in {"plus", "ticks"}:
            return self._literal(match.group(), start, end)
        if kind == "macro":
            return self._macro(match["name"], match.start("target"), start, end)
        if kind == "url":
            return self._labelled(start, end) if source.startswith("[", end) else end
        if kind == "reference":
            if source.find(">>", end, end + _MACRO_LIMIT) < 0:
                return end
            self.references += 1
            scan.drop(start, end if match["comma"] else start + 2)
        elif kind == "after":
            if self.references:
                self.references -= 1
                scan.drop(start, end)
        elif kind == "auto":
            scan.drop(start, end)
            close = source.find(">", end)
            scan.drop(close, close + 1)
            return close + 1
        elif kind in {"anchor", "index", "counter"}:
            scan.drop(start, end)
        elif kind == "role":
            scan.drop(start, end)
            if "line-through" in match["roles"]:
                self.struck_role = end
        elif kind == "term":
            self.terms += 1
            scan.drop(start, end)
        elif kind == "termend":
            if self.terms:
                self.terms -= 1
                scan.drop(start, end)
        elif kind == "marks":
            self._marks(match.group(), start)
        elif kind == "attribute":
            return self._attribute(match)
        elif kind == "entity" and (text := html.unescape(match.group())) != match.group():
            scan.drop(start, end, text)
        return end

    def _marks(self, mark: str, start: int) -> None:
        if mark == "^":  # 10^6^ must not become 106
            opened = self.scan.opened.pop("^", None)
            if opened is None:
                self.scan.opened["^"] = start
            else:
                self.scan.drop(start, start + 1)
            return
        if self.struck_role == start:
            self.scan.opened["struck" + mark] = start
        begun = self.scan.opened.get(mark)
        self.scan.mark(mark, start, free=len(mark) == 2 or mark == "~")
        if begun is not None and mark not in self.scan.opened and self.scan.opened.get("struck" + mark) == begun:
            del self.scan.opened["struck" + mark]
            self.scan.struck.append((begun, start + len(mark)))

    def _literal(self, mark: str, start: int, end: int) -> int:
        """What stands between backticks or plus signs is kept as it is, but for attribute references between backticks."""
        free = len(mark) > 1
        before = self.source[start - 1] if start else " "
        after = self.source[end] if end < len(self.source) else " "
        if not free and (after.isspace() or before.isalnum() or before == "_"):
            return end
        if mark not in self.closers:
            self.closers[mark] = _closers(self.source, mark)
        closers = self.closers[mark]
        i = bisect_left(closers, end + 1)
        if i >= len(closers):
            if mark == "``" and (close := self.source.find("''", end, end + _MACRO_LIMIT)) > 0:  # quotation marks of old
                self.scan.drop(start, end, "“")
                self.scan.drop(close, close + 2, "”")
            return end
        close = closers[i]
        self.scan.drop(start, end)
        self.scan.drop(close, close + len(mark))
        if mark[0] == "`":
            if self.source[end] == "+" and self.source[close - 1] == "+" and close - end > 2:
                self.scan.drop(end, end + 1)
                self.scan.drop(close - 1, close)
            else:
                for match in _ATTRIBUTE.finditer(self.source, end, close):
                    self._substitute(match[2], match.start(2) - 1, match.end(), match.start() if match[1] else -1)
        return close + len(mark)

    def _substitute(self, name: str, start: int, end: int, escape: int = -1) -> str | None:
        if escape >= 0:
            self.scan.drop(escape, escape + 1)
            return None
        value = self.attributes.get(name.lower())
        if value is None:
            value = _BUILT_IN.get(name.lower())
        if value is not None:
            self.scan.drop(start, end, value)
        return value

    def _attribute(self, match: re.Match[str]) -> int:
        """A reference, or one with which the target of a link begins: `{docs}/setup[the manual]`."""
        end = match.end("key") + 1
        value = self.attributes.get(match["key"].lower(), "")
        if ("://" in value or value.startswith(("link:", "xref:", "mailto:"))) and (rest := _REST.match(self.source, end)):
            return self._labelled(match.start(), rest.end() - 1)
        value_ = self._substitute(match["key"], match.start(), end)
        if value_ and _MARKED.search(value_):  # a value may hold markup of its own; most hold none
            plain = "".join(text for text, _, _ in scan(value_, {}, True)[0])
            self.scan.drops[-1] = (match.start(), end, plain)
        return end

    def _labelled(self, start: int, bracket: int) -> int:
        """A target with its label in brackets: the label is read, without its settings; without a label the target."""
        close = self.source.find("]", bracket + 1, bracket + 1 + _MACRO_LIMIT)
        if close < 0:
            return bracket + 1
        label = self.source[bracket + 1 : close]
        settings = _SETTINGS.search(label)
        cut_at = bracket + 1 + (settings.start() if settings else len(label))
        if not self.source[bracket + 1 : cut_at].strip():
            target = self.source.find(":", start, bracket)
            if self.source[start:target] in {"link", "xref", "mailto", "tel"}:
                self.scan.drop(start, target + 1)
            self.scan.drop(bracket, close + 1)
            return close + 1
        self.scan.drop(start, bracket + 1)
        self.scan.drop(cut_at, close + 1)
        return bracket + 1

    def _macro(self, name: str, target: int, start: int, end: int) -> int:
        bracket = end - 1
        if name in {"link", "xref", "mailto", "tel", "chat"}:
            return self._labelled(start, bracket)
        close = self.source.find("]", end, end + _MACRO_LIMIT)
        while close > 0 and self.source[close - 1] == "\\":
            close = self.source.find("]", close + 1, end + _MACRO_LIMIT)
        if close < 0:
            return end
        if name == "footnote" and (nested := self.source.count("[", end, close)):
            for _ in range(min(nested, 5)):  # a link in a footnote
                further = self.source.find("]", close + 1, end + _MACRO_LIMIT)
                close = further if further > 0 else close
        if name in _DROPPED:
            self.scan.drop(start, close + 1)
            return close + 1
        if name == "menu":
            self.scan.drop(start, target)
            self.scan.drop(bracket, end, " > ")
        else:
            self.scan.drop(start, end)
        self.scan.drop(close, close + 1)
        return close + 1 if name in {"pass", "stem", "latexmath", "asciimath", "kbd", "btn"} else end


_KINDS = (
    *("escape", "plus", "ticks", "macro", "url", "reference", "after", "auto", "anchor", "role", "index", "termend", "marks"),
    *("attribute", "counter", "entity", "term"),
)
_MARKED = re.compile(r"[*_`+#\[]")


def footnotes(source: str) -> list[tuple[int, int]]:
    """Spans of the texts of footnotes."""
    spans: list[tuple[int, int]] = []
    failures = 0
    for match in _FOOTNOTE.finditer(source):
        if failures > 20 or (spans and match.start() < spans[-1][1]):
            continue
        depth, end = 1, match.end()
        for end in range(match.end(), min(match.end() + _MACRO_LIMIT, len(source))):
            depth += (source[end] == "[") - (source[end] == "]")
            if not depth:
                break
        failures += depth > 0
        if not depth and end > match.end():
            spans.append((match.end(), end))
    return spans


_FOOTNOTE = re.compile(r"footnote:[\w-]{0,60}\[")


def _closers(source: str, mark: str) -> list[int]:
    found: list[int] = []
    at = source.find(mark, 1)
    while at >= 0:
        after = source[at + len(mark) : at + len(mark) + 1]
        if len(mark) > 1 or (not source[at - 1].isspace() and not (after.isalnum() or after == "_")):
            found.append(at)
        at = source.find(mark, at + 1)
    return found
