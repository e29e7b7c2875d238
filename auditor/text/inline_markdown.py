"""What of a Markdown paragraph a reader sees: emphasis, code ticks, links, tags, comments and template code are cut away.

The cases are those of CommonMark (delimiter runs with flanking rules, code spans, links with nested brackets), plus
`~~struck~~`, raw HTML, footnote references, Liquid/Jinja/Hugo template code and kramdown attribute lists. One deliberate
difference: a single `*` between two letters or digits is a multiplication sign, not emphasis.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right

_SPECIAL = re.compile(r"[\\`*_\[<&{]|~~")

_TEMPLATE = r"\{\{(?:(?!\}\}).){0,300}+\}\}|\{%(?:(?!%\}).){0,300}+%\}"
_TOKEN = re.compile(
    r"""
      (?P<escape>\\[!-/:-@\[-`{-~\n])
    | (?P<ticks>`+)
    | (?P<stars>\*+|_+)
    | (?P<strike>~~(?!~))
    | (?P<open>!?\[)
    | (?P<close>\])
    | (?P<auto><(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+|[\w.!#$%&'*+/=?^`{|}~-]++@[\w.-]++)>)
    | (?P<tag></?[A-Za-z][A-Za-z0-9:.-]*+(?:\s(?:[^<>"']|"[^"]*+"|'[^']*+')*+)?>)
    | (?P<entity>&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)
    | (?P<until><!--|\{\{|\{%|\{/\*)
    | (?P<attributes>\{:[^{}\n]*+\}|\{[.\#][\w-]+(?:\s[^{}\n]*+)?\})
    """,
    re.VERBOSE | re.DOTALL,
)
_TARGET = re.compile(
    rf"""\(\s*+(?:<[^<>\n]*+>|(?:{_TEMPLATE}|[^\s()\\{{]|\{{|\\.|\((?:[^\s()\\]|\\.)*+\))*+)
         (?:\s++(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|\([^()]*+\)))?+\s*+\)""",
    re.VERBOSE | re.DOTALL,
)
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){0,999})\]", re.DOTALL)
_TAG_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9:.-]*)")
_TICKS = re.compile(r"`+")
_SPACE = re.compile(r"\s+")
_CLOSERS = {"<!--": "-->", "{{": "}}", "{%": "%}", "{/*": "*/}"}

_BREAKING = re.compile(r"br|p|div|li|[uod]l|t[rdh]|table|tbody|thead|d[td]|h[1-6r]|summary|details|section|pre")
_STRUCK = frozenset({"del", "s", "strike"})
_UNREAD = frozenset({"script", "style", "svg"})

Kept = tuple[str, int, bool]


class _Run:
    """A delimiter run of `*` or `_`, or a struck-out mark."""

    __slots__ = ("can_close", "can_open", "char", "head", "order", "size", "start", "tail")

    def __init__(self, start: int, char: str, size: int, order: int) -> None:
        self.start, self.char, self.size, self.order = start, char, size, order
        self.head = self.tail = 0  # how many marks at either end were used up as emphasis
        self.can_open = self.can_close = False

    @property
    def left(self) -> int:
        return self.size - self.head - self.tail


class _Scan:
    """What one pass over the tokens gathers."""

    def __init__(self) -> None:
        self.drops: list[tuple[int, int, str]] = []  # cut from, to, and what is put in its place
        self.struck: list[tuple[int, int]] = []
        self.runs: list[_Run] = []
        self.brackets: list[tuple[int, bool, int]] = []  # start, is image, number of runs before
        self.open_struck: dict[str, list[int]] = {}
        self.open_unread: dict[str, int] = {}


def scan(source: str, refs: frozenset[str], keep_struck: bool) -> tuple[list[Kept], bool]:
    """The kept parts of `source` in order, and whether any of it is struck out."""
    if not _SPECIAL.search(source):
        return [(source, 0, False)], False
    state = _Scan()
    ticks: dict[int, list[int]] | None = None
    unclosed: set[str] = set()  # ends that were searched for in vain; hostile texts would have them searched for again and again
    position = 0
    while match := _TOKEN.search(source, position):
        kind, start, position = match.lastgroup, match.start(), match.end()
        if kind == "escape":
            state.drops.append((start, start + 1, ""))
        elif kind == "ticks":
            if ticks is None:
                ticks = {}
                for run in _TICKS.finditer(source):
                    ticks.setdefault(run.end() - run.start(), []).append(run.start())
            position = _code(source, start, position, ticks, state)
        elif kind == "stars":
            state.runs.append(_run(source, start, position, len(state.runs)))
        elif kind == "strike":
            _strike(source, start, state)
        elif kind == "open":
            state.brackets.append((start, source[start] == "!", len(state.runs)))
        elif kind == "close":
            position = _bracket(source, start, refs, state)
        elif kind == "auto":
            state.drops += [(start, start + 1, ""), (position - 1, position, "")]
        elif kind == "tag":
            _tag(match.group(), start, position, state)
        elif kind == "entity":
            text = html.unescape(match.group())
            if text != match.group():
                state.drops.append((start, position, text))
        elif kind == "until":
            close = _CLOSERS[match.group()]
            end = source.find(close, position) if close not in unclosed else -1
            if end < 0:
                unclosed.add(close)
            else:
                position = end + len(close)
                state.drops.append((start, position, ""))
        else:  # attribute list
            state.drops.append((start, position, ""))
    _emphasis(state.runs)
    for marks in state.runs:
        if marks.head:
            state.drops.append((marks.start, marks.start + marks.head, ""))
        if marks.tail:
            state.drops.append((marks.start + marks.size - marks.tail, marks.start + marks.size, ""))
    if not keep_struck:
        state.drops += [(start, end, "") for start, end in state.struck]
    return cut(source, state.drops), bool(state.struck)


def cut(source: str, drops: list[tuple[int, int, str]]) -> list[Kept]:
    """The source without the dropped ranges; of overlapping ranges the first one counts."""
    drops.sort(key=lambda drop: (drop[0], -drop[1]))
    kept: list[Kept] = []
    position = 0
    for start, end, text in drops:
        if start < position:
            position = max(position, end)
            continue
        if start > position:
            kept.append((source[position:start], position, False))
        if text:
            kept.append((text, start, True))
        position = end
    if position < len(source):
        kept.append((source[position:], position, False))
    return kept


def _code(source: str, start: int, end: int, ticks: dict[int, list[int]], state: _Scan) -> int:
    """A code span keeps its content, without one blank of padding. Returns where to go on."""
    size = end - start
    places = ticks.get(size, [])
    i = bisect_right(places, start)
    if i >= len(places):
        return end
    close = places[i]
    state.drops += [(start, end, ""), (close, close + size, "")]
    if "\\|" in source[end:close]:  # in table cells a pipe needs the backslash even in code
        state.drops += [(end + at.start(), end + at.start() + 1, "") for at in re.finditer(r"\\\|", source[end:close])]
    return close + size


def _run(source: str, start: int, end: int, order: int) -> _Run:
    run = _Run(start, source[start], end - start, order)
    before = source[start - 1] if start else " "
    after = source[end] if end < len(source) else " "
    if run.char == "*" and run.size == 1 and before.isalnum() and after.isalnum():
        return run
    space_before, space_after = before.isspace(), after.isspace()
    sign_before = not space_before and not before.isalnum()
    sign_after = not space_after and not after.isalnum()
    left = not space_after and (not sign_after or space_before or sign_before)
    right = not space_before and (not sign_before or space_after or sign_after)
    if run.char == "_":
        run.can_open = left and (not right or sign_before)
        run.can_close = right and (not left or sign_after)
    else:
        run.can_open, run.can_close = left, right
    return run


def _emphasis(runs: list[_Run]) -> None:
    """Pair openers with closers as CommonMark does. `bottom` keeps failed searches from being repeated."""
    stack: list[_Run] = []
    bottom: dict[tuple[str, bool, int], int] = {}
    for run in runs:
        if run.can_close:
            key = (run.char, run.can_open, run.size % 3)
            while run.left > 0:
                i = len(stack) - 1
                floor = bottom.get(key, -1)
                while i >= 0 and stack[i].order > floor and not _pairs(stack[i], run):
                    i -= 1
                if i < 0 or stack[i].order <= floor:
                    bottom[key] = run.order - 1
                    break
                opener = stack[i]
                used = 2 if opener.left >= 2 and run.left >= 2 else 1
                opener.tail += used
                run.head += used
                del stack[i + 1 :]
                if opener.left == 0:
                    stack.pop()
        if run.can_open and run.left > 0:
            stack.append(run)


def _pairs(opener: _Run, closer: _Run) -> bool:
    if opener.char != closer.char:
        return False
    both = opener.can_close or closer.can_open
    return not (both and (opener.size + closer.size) % 3 == 0 and (opener.size % 3 or closer.size % 3))


def _strike(source: str, start: int, state: _Scan) -> None:
    opened = state.open_struck.get("~~")
    after = source[start + 2 : start + 3]
    if opened and not source[start - 1].isspace():
        begin = opened.pop()
        state.struck.append((begin, start + 2))
        state.drops += [(begin, begin + 2, ""), (start, start + 2, "")]
    elif after and not after.isspace():
        state.open_struck["~~"] = [start]


def _bracket(source: str, start: int, refs: frozenset[str], state: _Scan) -> int:
    """A closing bracket: link, image, reference, footnote reference or plain text. Returns where to go on."""
    if not state.brackets:
        return start + 1
    opened, image, runs_before = state.brackets.pop()
    begin = opened + (2 if image else 1)
    label = source[begin : min(start, begin + 1000)]
    end = start + 1
    target = _TARGET.match(source, end) if source.startswith("(", end) else None
    reference = _LABEL.match(source, end) if target is None and source.startswith("[", end) else None
    if target:
        end = target.end()
    elif label.startswith("^") and not image:
        state.drops.append((opened, end, ""))
        return end
    elif reference and _known(reference.group(1) or label, refs):
        end = reference.end()
    elif not _known(label, refs):
        return end
    if image:
        state.drops.append((opened, end, ""))
        return end
    state.drops += [(opened, begin, ""), (start, end, "")]
    state.brackets = [bracket for bracket in state.brackets if bracket[1]]  # links hold no links
    inner = state.runs[runs_before:]
    _emphasis(inner)  # emphasis never crosses the bounds of a link
    for run in inner:
        run.can_open = run.can_close = False
    return end


def _known(label: str, refs: frozenset[str]) -> bool:
    return bool(refs) and len(label) < 1000 and _SPACE.sub(" ", label.strip()).upper() in refs


def _tag(text: str, start: int, end: int, state: _Scan) -> None:
    match = _TAG_NAME.match(text)
    name = match.group(1).lower() if match else ""
    state.drops.append((start, end, " " if _BREAKING.fullmatch(name) else ""))
    if text.endswith("/>"):
        return
    if name in _STRUCK:
        opened = state.open_struck.setdefault(name, [])
        if not text.startswith("</"):
            opened.append(start)
        elif opened:
            state.struck.append((opened.pop(), end))
    elif name in _UNREAD:
        if not text.startswith("</"):
            state.open_unread.setdefault(name, start)
        elif name in state.open_unread:
            state.drops.append((state.open_unread.pop(name), end, ""))
