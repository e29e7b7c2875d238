"""Text helpers of the report formats: what may be shown of a text that somebody else wrote, and which words of it to mark."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TypeAlias
from urllib.parse import quote, urlsplit

Span: TypeAlias = tuple[int, int]

QUOTE_LIMIT = 900
"""Quotes longer than this are shown in excerpts around their marks. The whole quote stands in the tables."""

_AROUND = 220  # characters kept on either side of a mark in an excerpt
_DIFF_TOKENS = 250  # comparing is quadratic; longer quotes are not compared
_TOKEN = re.compile(r"\w+(?:[.,:]\d+)*|[^\w\s]")
# Break opportunities and joiners hide nothing, and some scripts cannot be spelled without the joiners.
_KEPT = "\n\t\u00ad\u200b\u200c\u200d"
_BLANK = "\u115f\u1160\u3164\uffa0"  # letters without a glyph
_HIDDEN = re.compile(r"[^\n -~\u00a1-\u00ac\u00ae-\u02ff]")  # everything that is worth a look


def visible(text: str) -> str:
    """`text` with every control made visible: a right-to-left override as `⟨U+202E⟩`, NUL as `␀`.

    Such characters can reorder or hide what stands beside them, so that a reader would see something else than what is written.
    """
    return _HIDDEN.sub(_show, text.replace("\r\n", "\n"))


def _show(match: re.Match[str]) -> str:
    char = match[0]
    if char in _KEPT or (unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") and char not in _BLANK):
        return char
    if char < " ":
        return chr(0x2400 + ord(char))
    return "␡" if char == "\x7f" else f"⟨U+{ord(char):04X}⟩"


def clip(text: str, limit: int) -> str:
    """`text`, cut with an ellipsis when it is longer than `limit` characters."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def one_line(text: str, limit: int) -> str:
    """`text` on one line and no longer than `limit`."""
    return clip(" ".join(text[: limit * 4].split()), limit)


def safe_url(url: str | None) -> str | None:
    """`url` when it is a web address (http or https), with everything that could end an attribute or a link escaped; else None."""
    if not url:
        return None
    escaped = quote(url.encode("utf-8", "replace"), safe="%/:?#[]@!$&+,;=~-._")
    try:
        parts = urlsplit(escaped)
    except ValueError:
        return None
    return escaped if parts.scheme in ("http", "https") and parts.netloc else None


def differing_marks(quote_a: str, quote_b: str, likeness: float = 0.4) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Spans of the words in which two quotes differ.

    Nothing when they are long, or less alike than `likeness` (0 to 1): marks on most of the words tell nothing.
    """
    tokens_a, tokens_b = list(_TOKEN.finditer(quote_a[:8000])), list(_TOKEN.finditer(quote_b[:8000]))
    if not tokens_a or not tokens_b or max(len(tokens_a), len(tokens_b)) > _DIFF_TOKENS:
        return (), ()
    words_a, words_b = [t[0].casefold() for t in tokens_a], [t[0].casefold() for t in tokens_b]
    matcher = SequenceMatcher(None, words_a, words_b, autojunk=False)
    if matcher.ratio() < likeness:
        return (), ()
    spans_a: list[Span] = []
    spans_b: list[Span] = []
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        if a2 > a1:
            spans_a.append((tokens_a[a1].start(), tokens_a[a2 - 1].end()))
        if b2 > b1:
            spans_b.append((tokens_b[b1].start(), tokens_b[b2 - 1].end()))
    return tuple(spans_a), tuple(spans_b)


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a quote. `kind`: "" plain, "mark" decides, "diff" differs otherwise, "gap" stands for what is left out."""

    text: str
    kind: str = ""


def segments(text: str, marks: Iterable[Span], differences: Iterable[Span] = (), limit: int = QUOTE_LIMIT) -> tuple[Segment, ...]:
    """The quote cut into marked and plain pieces; a quote longer than `limit` in excerpts around its marks.

    Marks may overlap, be empty or lie outside the text: they come from other stages and must not break a report.
    """
    strong = _tidy(marks, len(text))
    windows = _windows(len(text), strong, limit)
    strong = _tidy(((max(s, lo), min(e, hi)) for s, e in strong for lo, hi in windows), len(text))
    weak = [span for span in _tidy(differences, len(text)) if not any(s < span[1] and span[0] < e for s, e in strong)]
    spans = sorted([(s, e, "mark") for s, e in strong] + [(s, e, "diff") for s, e in weak])
    out: list[Segment] = []
    position = 0
    for low, high in windows:
        if low > position:
            out.append(_gap(low - position))
        position = low
        for start, end, kind in spans:
            if low <= start and end <= high:
                if start > position:
                    out.append(Segment(text[position:start]))
                out.append(Segment(text[start:end], kind))
                position = end
        if high > position:
            out.append(Segment(text[position:high]))
        position = high
    if position < len(text):
        out.append(_gap(len(text) - position))
    return tuple(out)


def _gap(length: int) -> Segment:
    return Segment(f"… {length:,} characters left out …", "gap")


def _tidy(spans: Iterable[Span], length: int) -> list[Span]:
    """Inside the text, not empty, ascending, overlaps joined."""
    out: list[Span] = []
    for start, end in sorted((max(start, 0), min(end, length)) for start, end in spans):
        if end <= start:
            continue
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out


def _windows(length: int, marks: Sequence[Span], limit: int) -> list[Span]:
    """The parts of a text of this length that are shown: all of it, or the surroundings of its first marks."""
    if length <= limit:
        return [(0, length)]
    if not marks:
        return [(0, limit)]
    out: list[Span] = []
    shown = 0
    for start, end in marks:
        low, high = max(start - _AROUND, 0), min(end, start + limit // 2) + _AROUND
        if out and low <= out[-1][1]:
            low = out[-1][1]
            if high <= low:
                continue
        high = min(high, length, low + limit - shown)
        if high <= low:
            break
        shown += high - low
        if out and low == out[-1][1]:
            out[-1] = (out[-1][0], high)
        else:
            out.append((low, high))
    return out


def restore_case(key: str, sources: Iterable[str]) -> str:
    """A lower-case key as the documents spell it, with the first letter raised: "mcp server" → "MCP server".

    Only spellings that cannot come from the start of a sentence or a headline in capitals are taken: acronyms and inner capitals.
    """
    spelled: dict[str, str] = {}
    for source in sources:
        for word in re.findall(r"\w+", source[:2000]):
            inner = word[1:] != word[1:].lower()
            if inner and (not word.isupper() or len(word) <= 5):
                spelled.setdefault(word.lower(), word)
    words = [spelled.get(word, word) for word in re.split(r"[\s_|]+", one_line(key, 400)) if word]
    text = " ".join(words)
    return text[:1].upper() + text[1:] if words and words[0] not in spelled.values() else text
