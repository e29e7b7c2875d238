"""What can be read of a statement whose language has no rule pack: what is written in figures."""

from __future__ import annotations

import re
from collections.abc import Sequence

from auditor.extract.mentions import Mention, replace
from auditor.load.language import STOPWORDS
from auditor.model import CLAUSAL, FactKind
from auditor.text.words import Token

_AMBIGUOUS = re.compile(r"\d[.,]\d{3}(?!\d)")
_YEARS = (1900.0, 2100.0)
_LABEL = re.compile(
    r"(?:kapitel|artikel|abschnitt|abs(?:atz)?|seite|schritt|tabelle|abbildung|abb|anhang|anlage|ziffer|nr|nummer|chapitre|section"
    r"|page|étape|tableau|annexe|cap[ií]tulo|art[ií]culo|p[aá]gina|paso|passo|tabla|tabela|figura|anexo|capitolo|articolo|sezione"
    r"|allegato|hoofdstuk|stap|bijlage|paragraaf|kap|str|strana|strona|rozdział|rozdíl|článek|krok|sida|steg|tabell|tabel|side|trinn"
    r"|trin|luku|sivu|taulukko|fejezet|oldal|pagina|глава|раздел|пункт|статья|стр|таблица|розділ|стаття|bölüm|sayfa|madde|art|fig|n[°ºo])"
    r"[.:\s]*$",
    re.IGNORECASE,
)
_STOP = frozenset(word for words in STOPWORDS.values() for word in words)


def in_figures(mentions: Sequence[Mention], text: str, words: Sequence[Token]) -> list[Mention]:
    """Those of the mentions that are the same in every language; bare numbers get the word behind them as what they count."""
    return [_with_noun(mention, text, words) for mention in mentions if _plain(mention, text)]


def _plain(mention: Mention, text: str) -> bool:
    """Whether a mention has digits, and no dot or comma that may part thousands here and decimals there."""
    if mention.kind in CLAUSAL or mention.kind is FactKind.NAME:
        return False
    if mention.kind in {FactKind.IDENTIFIER, FactKind.VERSION}:
        return True
    written = text[mention.start : mention.end]
    return any(character.isdigit() for character in written) and not _AMBIGUOUS.search(written)


def _with_noun(mention: Mention, text: str, words: Sequence[Token]) -> Mention:
    """There are no rules to tell nouns, but the word behind a number is most likely what it counts."""
    if mention.kind is not FactKind.COUNT or mention.head:
        return mention
    if (mention.low is not None and _YEARS[0] <= mention.low[0] <= _YEARS[1]) or _LABEL.search(text[: mention.start]):
        return mention
    behind = next((token for token in words if mention.end <= token.start), None)
    if behind is None or behind.start > mention.end + 1 or len(behind.lower) < 3 or not behind.lower.isalpha():
        return mention
    return mention if behind.lower in _STOP else replace(mention, head=behind.stem, incidental=False)
