"""The language of a document: by its script, else by counting stop words.

Cheap, and enough to tell whether the English rules may read a document. Close relatives (Danish and Norwegian) may be taken for one
another; neither has a rule pack, so nothing depends on it.
"""

from __future__ import annotations

import re
from collections import Counter

UNDETERMINED = "und"
"""Too few words to tell, or none that tell (a table of figures): read with the English rules."""

# No word that is also an English one, or one of program code.
_TEXTS = {
    "en": "the and of to is that for with this are you be not can it or by from as if when which your",
    "de": "der die das und ist nicht ein eine zu den von mit für auf dem werden sich auch wird oder sie bei als",
    "fr": "le les des et est une dans pour vous que qui pas sur avec ce cette sont aux par votre du ou être",
    "es": "el los las una que para con por del es se su como más pero puede este esta son al lo",
    "it": "il di che per una con non sono del della è gli le nel anche come più questo alla dei viene",
    "nl": "het een van en is dat niet voor met zijn aan worden op te wordt ook deze bij naar kunt u",
    "pt": "uma que para não em da por são mais como ao das você este pode seu",
    "cs": "je se že na pro není jsou jako které který nebo být při musí může podle jeho této také již",
    "pl": "nie się jest oraz przez które który dla jako lub być może należy może są tego czy przy od ich",
    "sv": "och att det som är av för inte till ett på med kan ska från eller även vid här efter",
    "da": "og det som er af ikke til et på med kan skal fra eller også ved hvis har blive efter",
    "no": "og det som er av ikke til et på med kan skal fra eller også ved hvis har bli etter",
    "fi": "ja ei että se joka ovat tai sekä kun myös voi jos mutta oli hän tämä voidaan mukaan",
    "hu": "az és hogy nem egy vagy van meg is ez kell csak mint lehet minden valamint szerint",
    "ro": "și în la cu de pe este pentru nu din sau care sunt prin dacă mai poate fi al",
    "tr": "ve bir bu için ile olarak da de olan veya daha gibi kadar değil her olup ise göre",
    "ru": "и в не на что с по для как это или от из при к должен если быть может",
    "uk": "і в не на що з по для як це або від із при до та якщо бути може є",
}
STOPWORDS = {code: tuple(dict.fromkeys(text.split())) for code, text in _TEXTS.items()}
"""Language → its most frequent words."""

_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = {
    "latin": re.compile(r"[A-Za-zÀ-ɏ]"),
    "cyrillic": re.compile(r"[Ѐ-ӿ]"),
    "el": re.compile(r"[Ͱ-Ͽἀ-῿]"),
    "arabic": re.compile(r"[؀-ۿݐ-ݿ]"),
    "he": re.compile(r"[֐-׿]"),
    "kana": re.compile(r"[぀-ヿ]"),
    "han": re.compile(r"[㐀-鿿]"),
    "ko": re.compile(r"[ᄀ-ᇿ가-힯]"),
    "th": re.compile(r"[฀-๿]"),
    "hi": re.compile(r"[ऀ-ॿ]"),
}
_DENSE = {"kana": 2, "han": 3, "ko": 2}  # letters of the Latin script that one of these stands for
_PERSIAN = re.compile("[پچژگ]")
_CYRILLIC = ("ru", "uk")
_SAMPLE = 20_000
_MIN_HITS = 5
_MIN_LETTERS = 10  # of another script
_MIN_VARIETY = 3  # one frequent token (a product name, part of a domain) is no language
_ENGLISH_HITS = 3


def has_rules(code: str | None) -> bool:
    """Whether a rule pack reads this language. Documents in others are compared by numbers, dates and identifiers only."""
    return code in ("en", UNDETERMINED, "", None)


def detect(text: str) -> str:
    """ISO 639-1 code, `UNDETERMINED` when there is too little to tell; English unless another language clearly has more."""
    middle = max((len(text) - _SAMPLE) // 2, 0)
    sample = text[middle : middle + _SAMPLE]
    if not sample.isascii() and (code := _by_script(sample)):
        return code
    seen = Counter(_WORD.findall(sample.lower()))
    counts = {code: sum(seen[word] for word in words) for code, words in STOPWORDS.items()}
    best, hits = max(counts.items(), key=lambda item: (item[1], item[0] == "en", item[0]))
    various = sum(word in seen for word in STOPWORDS[best]) >= _MIN_VARIETY
    if best != "en" and various and hits >= _MIN_HITS and hits > 1.5 * counts["en"]:
        return best
    return "en" if counts["en"] >= _ENGLISH_HITS else UNDETERMINED


def _by_script(sample: str) -> str:
    """The language of a text that is not mainly in Latin letters, "" for one that is."""
    letters = {name: len(pattern.findall(sample)) for name, pattern in _SCRIPTS.items()}
    weights = {name: count * _DENSE.get(name, 1) for name, count in letters.items()}
    weights["han"] += weights.pop("kana")
    script = max(weights, key=lambda name: weights[name])
    if script == "latin" or letters[script] + (letters["kana"] if script == "han" else 0) < _MIN_LETTERS:
        return ""
    if script == "han":
        return "ja" if letters["kana"] > 0.05 * (letters["kana"] + letters["han"]) else "zh"
    if script == "arabic":
        return "fa" if len(_PERSIAN.findall(sample)) > 0.01 * letters["arabic"] else "ar"
    return _cyrillic(sample) if script == "cyrillic" else script


def _cyrillic(sample: str) -> str:
    """Russian or Ukrainian, by the letters only one of them has, then by words."""
    lower = sample.lower()
    own = {
        "ru": sum(lower.count(letter) for letter in "ыэёъ"),
        "uk": sum(lower.count(letter) for letter in "іїєґ"),
    }
    seen = Counter(_WORD.findall(lower))
    return max(_CYRILLIC, key=lambda code: (own[code], sum(seen[word] for word in STOPWORDS[code])))
