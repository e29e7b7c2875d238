"""Where a quote stands in a document, whatever became of its markup and white space on the way.

Whoever writes down a quote copies it from the source or from the rendered page, or retypes it; the document's text is what a loader
made of the source. Words and numbers survive all of that, so quotes are looked up by their words.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]

_WORD = re.compile(r"[^\W_]+")
_MARKUP = re.compile(
    r"""<!--.*?-->                      # comment
      | </?[A-Za-z][^<>]*>              # tag
      | (?<=\])\([^()\s]*(?:\s"[^"]*")?\)  # target of a Markdown link
      | [ ]<(?:https?|mailto|ftp):[^<>\s]*>  # target of an RST link
      | :[a-z:]+:(?=`)                  # RST role
      | \[\^[^\]\s]+\]                  # footnote mark
      | &(?:[A-Za-z]{2,8}|\#\d{2,6}|\#x[0-9A-Fa-f]{2,6});  # entity""",
    re.VERBOSE | re.DOTALL,
)
_CUT_TAG_START = re.compile(r"^[^<>]*[\w-]+=[\"'][^<>]*>")  # the rest of a tag in which a copied quote began
_CUT_TAG_END = re.compile(r"<[A-Za-z/!][^<>]*$")  # the beginning of one in which it ended

_FUZZY_MIN = 4  # words a quote needs to be looked up with gaps
_FUZZY_SHARE = 0.85  # share of its words that have to be there
_SLACK = 6  # words that may stand between those of the quote


class Locator:
    """Looks up quotes in one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._views: list[_Words] = []

    def find(self, quote: str) -> list[Span]:
        """All places of `quote`, ascending; empty when it is not there."""
        quote = quote.strip()
        if not quote:
            return []
        exact = [(m.start(), m.end()) for m in re.finditer(re.escape(quote), self.text)]
        if exact:
            return exact
        wanted = _wordings(quote)
        views = list(self._word_views())
        for words in wanted:
            for view in views:
                if spans := view.find(words):
                    return spans
        for words in wanted:
            for view in views:
                if (span := view.find_near(words)) is not None:
                    return [span]
        return []

    def _word_views(self) -> Sequence[_Words]:
        """The text as it is, and with its markup blanked out. Made when the first quote needs them."""
        if not self._views:
            self._views = [_Words(self.text)]
            blanked = _blank(self.text)
            if blanked != self.text:
                self._views.append(_Words(blanked))
        return self._views


class _Words:
    """The words of a text with their positions."""

    def __init__(self, text: str) -> None:
        matches = list(_WORD.finditer(text))
        self.words = [m[0].casefold() for m in matches]
        self.spans = [m.span() for m in matches]
        self.places: dict[str, list[int]] = defaultdict(list)
        for position, word in enumerate(self.words):
            self.places[word].append(position)

    def find(self, wanted: Sequence[str]) -> list[Span]:
        """Places where exactly these words follow each other."""
        if not wanted:
            return []
        rare = min(range(len(wanted)), key=lambda k: len(self.places.get(wanted[k], ())))
        spans = []
        for place in self.places.get(wanted[rare], ()):
            first = place - rare
            if first >= 0 and self.words[first : first + len(wanted)] == list(wanted):
                spans.append((self.spans[first][0], self.spans[first + len(wanted) - 1][1]))
        return spans

    def find_near(self, wanted: Sequence[str]) -> Span | None:
        """The best place that has nearly all of these words in order, and every number among them."""
        if len(wanted) < _FUZZY_MIN:
            return None
        numbers = [word for word in wanted if any(c.isdigit() for c in word)]
        best: tuple[int, Span] | None = None
        for key in sorted((w for w in set(wanted) if w in self.places), key=lambda w: (len(self.places[w]), w))[:3]:
            for place in self.places[key][:200]:
                low = max(place - wanted.index(key) - _SLACK, 0)
                window = self.words[low : low + len(wanted) + 2 * _SLACK]
                blocks = [b for b in SequenceMatcher(None, wanted, window, autojunk=False).get_matching_blocks() if b.size]
                held = sum(b.size for b in blocks)
                if held < _FUZZY_SHARE * len(wanted) or (best is not None and held <= best[0]):
                    continue
                found = [word for b in blocks for word in window[b.b : b.b + b.size]]
                if all(found.count(n) >= numbers.count(n) for n in numbers):
                    first, last = low + blocks[0].b, low + blocks[-1].b + blocks[-1].size - 1
                    best = (held, (self.spans[first][0], self.spans[last][1]))
        return best[1] if best else None


def _blank(text: str) -> str:
    """Markup replaced by as many spaces, so that positions stay what they are."""
    return _MARKUP.sub(lambda m: " " * len(m[0]), text)


def _wordings(quote: str) -> list[list[str]]:
    """The words of a quote as it is, with its entities read, and without its markup; each wording once."""
    stripped = _CUT_TAG_END.sub(" ", _CUT_TAG_START.sub(" ", quote))
    out: list[list[str]] = []
    for text in (quote, html.unescape(quote), _blank(stripped), html.unescape(_blank(stripped))):
        words = [m[0].casefold() for m in _WORD.finditer(text)]
        if words and words not in out:
            out.append(words)
    return out


def overlaps(a: Span, b: Span, least: int = 3) -> bool:
    """Whether two spans share at least `least` characters, or the whole of the shorter one."""
    shared = min(a[1], b[1]) - max(a[0], b[0])
    return shared > 0 and shared >= min(least, a[1] - a[0], b[1] - b[0])


def words_of(text: str) -> list[str]:
    """The words of a text without its markup, case folded."""
    return [m[0].casefold() for m in _WORD.finditer(html.unescape(_blank(text)))]
