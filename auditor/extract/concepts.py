"""Concepts: stems whose words mean the same stand for one of them."""

from __future__ import annotations

from auditor.rulepack import RulePack
from auditor.text.words import stem


class Concepts:
    """Maps the stem of a word to the concept it stands for: the representative of its synonym group, else the stem itself."""

    def __init__(self, rules: RulePack) -> None:
        self._table: dict[str, str] = {}
        for group in rules.synonyms.groups:
            single = [stem(w.lower()) for w in group if " " not in w]
            representative = next((self._table[s] for s in single if s in self._table), single[0] if single else "")
            for word in single:
                self._table.setdefault(word, representative)

    def __call__(self, word: str) -> str:
        """The concept of a stem."""
        return self._table.get(word, word)
