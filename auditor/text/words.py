"""Tokens and stems.

Stems (Snowball English, Porter 2001) make "retained", "retaining" and "retains" one word. Synonym groups of `rules/synonyms.toml` are
applied on stems by `Lexicon.concept`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import Stemmer

_WORD = re.compile(
    r"""
    [^\W\d]\w*(?:[.\-/:'’_][^\W_]\w*)*\*?   # words, code names (a.b, a-b, a/b, blockrun_*), contractions
  | \d+(?:[.,:]\d+)*                                # numbers
    """,
    re.VERBOSE,
)

_STEMMER = Stemmer.Stemmer("english", 0)

STOPWORDS = frozenset(
    [
        "a",
        "about",
        "above",
        "after",
        "again",
        "all",
        "also",
        "am",
        "an",
        "and",
        "any",
        "are",
        "aren't",
        "as",
        "at",
        "be",
        "because",
        "been",
        "before",
        "being",
        "below",
        "between",
        "both",
        "but",
        "by",
        "can",
        "cannot",
        "could",
        "did",
        "do",
        "does",
        "doing",
        "don't",
        "down",
        "during",
        "each",
        "either",
        "else",
        "etc",
        "few",
        "for",
        "from",
        "further",
        "had",
        "has",
        "have",
        "having",
        "he",
        "her",
        "here",
        "hers",
        "him",
        "his",
        "how",
        "however",
        "i",
        "if",
        "in",
        "into",
        "is",
        "isn't",
        "it",
        "its",
        "itself",
        "just",
        "let",
        "like",
        "made",
        "make",
        "makes",
        "many",
        "may",
        "me",
        "might",
        "more",
        "most",
        "much",
        "must",
        "my",
        "near",
        "need",
        "needs",
        "neither",
        "no",
        "nor",
        "not",
        "now",
        "of",
        "off",
        "on",
        "once",
        "one",
        "only",
        "onto",
        "or",
        "other",
        "our",
        "ours",
        "out",
        "over",
        "own",
        "per",
        "please",
        "shall",
        "she",
        "should",
        "since",
        "so",
        "some",
        "still",
        "such",
        "than",
        "that",
        "the",
        "their",
        "theirs",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "through",
        "thus",
        "to",
        "too",
        "under",
        "until",
        "up",
        "upon",
        "us",
        "use",
        "used",
        "uses",
        "using",
        "via",
        "very",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "whether",
        "which",
        "while",
        "who",
        "whom",
        "whose",
        "why",
        "will",
        "with",
        "within",
        "without",
        "would",
        "yes",
        "yet",
        "you",
        "your",
        "yours",
        "it's",
        "we're",
        "you're",
        "they're",
        "that's",
        "there's",
        "i.e",
        "e.g",
        "eg",
        "ie",
        "will've",
        "we've",
        "also",
        "within",
        "least",
        "most",
        "maximum",
        "minimum",
        "approximately",
    ]
)


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Stem of one lower-case word. Possessives are dropped; words with digits, underscores or dots (code, versions) stay whole."""
    word = word.replace("’", "'")
    if word.endswith("'s"):
        word = word[:-2]
    if not word.isalpha():
        if "-" in word and word.replace("-", "").isalpha():
            head, _, tail = word.rpartition("-")
            return f"{head}-{_STEMMER.stemWord(tail)}"
        return word
    return str(_STEMMER.stemWord(word))


class Token:
    """A word with its place; `lower` and `stem` are computed once."""

    __slots__ = ("end", "lower", "start", "stem", "text")

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.lower = text.lower()
        self.stem = stem(self.lower)

    def __repr__(self) -> str:
        return f"Token({self.text!r}, {self.start})"

    @property
    def is_stop(self) -> bool:
        """A function word."""
        return self.lower in STOPWORDS

    @property
    def is_number(self) -> bool:
        """Begins with a digit."""
        return self.text[0].isdigit()


def tokens(text: str) -> list[Token]:
    """All words, code names and numbers of a text, in order."""
    return [Token(m.group(), m.start(), m.end()) for m in _WORD.finditer(text)]


def content_stems(text: str) -> Iterator[str]:
    """Stems of the words that carry meaning (no function words, no bare numbers)."""
    for token in tokens(text):
        if not token.is_stop and not token.is_number and len(token.lower) > 1:
            yield token.stem
