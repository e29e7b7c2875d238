"""The language of a document, by counting stop words: cheap, and enough to tell whether English rules may read it."""

from __future__ import annotations

import re
from collections import Counter

_STOPWORDS = {
    "en": "the and of to is that for with this are you be not can it or by from as if when which your",
    "de": "der die das und ist nicht ein eine zu den von mit für auf dem werden sich auch wird oder sie bei als",
    "fr": "le les des et est une dans pour vous que qui pas sur avec ce cette sont aux par votre du ou être",
    "es": "el los las una que para con por del es se su como más pero puede este esta son al lo",
    "it": "il di che per una con non sono del della è gli le nel anche come più questo alla dei viene",
    "nl": "het een van en is dat niet voor met zijn aan worden op te wordt ook deze bij naar kunt u",
    "pt": "uma que para não em da por são mais como ao das você este pode seu",
}
_WORDS = {code: text.split() for code, text in _STOPWORDS.items()}
_WORD = re.compile(r"[^\W\d_]+")
_SAMPLE = 20_000
_MIN_HITS = 5
_MIN_VARIETY = 3  # one frequent token (a product name, part of a domain) is no language


def detect(text: str) -> str:
    """ISO 639-1 code; "en" unless another language clearly has more of its stop words in the text."""
    middle = max((len(text) - _SAMPLE) // 2, 0)
    seen = Counter(_WORD.findall(text[middle : middle + _SAMPLE].lower()))
    counts = {code: sum(seen[word] for word in words) for code, words in _WORDS.items()}
    best, hits = max(counts.items(), key=lambda item: (item[1], item[0] == "en", item[0]))
    various = sum(word in seen for word in _WORDS[best]) >= _MIN_VARIETY
    return best if various and hits >= _MIN_HITS and hits > 1.5 * counts["en"] else "en"
