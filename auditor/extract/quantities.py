"""Numbers with what makes them a quantity: currency, percent, unit, counted noun, bounds, denominator."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from auditor.extract import numbers
from auditor.extract.mentions import Mention, Taken
from auditor.model import FactKind
from auditor.rulepack import RulePack
from auditor.text.words import STOPWORDS, Token, stem, tokens

BOUND_WORDS = {">=": "at least ", "<=": "at most ", ">": "more than ", "<": "less than ", "~": "about "}
"""How a bound is shown in front of a normalised value."""

_DURATIONS = frozenset({"duration", "business duration", "calendar duration"})
_PERCENT = re.compile(r"\s?(?:%|percent\b|per\s?cent\b)(?P<points>[\s-]*(?:age\s+)?points?\b)?|\s+percentage\s+points?\b", re.I)
_RANGE = re.compile(r"\s*(?:-|–|—|\.\.\.?|to|through|and|up to)\s*(?=[\d.$€£¥]|[a-z])", re.I)
_PER = re.compile(
    r"\s*(?:/|\bper\b|\b(?:a|an|each|every)\b)\s*(?:(?:calendar|rolling|single|full|individual|working|business)\s+)?(?P<noun>[A-Za-z][\w-]*(?:\s*(?:/|\bper\b|\band\b(?=\s+(?:night|day|month|year|week|hour|seat|user)\b))\s*[A-Za-z][\w-]*)?)"
)
_IRREGULAR_PLURALS = frozenset(
    [
        "people",
        "staff",
        "children",
        "men",
        "women",
        "feet",
        "criteria",
        "data",
        "media",
        "personnel",
        "attendees",
        "pax",
        "headcount",
    ]
)
_NO_PLURALS = frozenset(
    [
        "is",
        "was",
        "has",
        "this",
        "its",
        "thus",
        "less",
        "us",
        "plus",
        "status",
        "access",
        "process",
        "address",
        "class",
        "business",
        "analysis",
        "basis",
        "yes",
        "pass",
        "across",
        "always",
        "perhaps",
        "gas",
        "bus",
        "bonus",
        "focus",
        "progress",
        "success",
        "loss",
        "cross",
        "press",
        "does",
        "as",
        "his",
        "various",
        "previous",
        "serious",
        "series",
        "news",
        "express",
    ]
)
_PENCE = re.compile(r"(?:p|\s?pence)(?![\w])")
_POUNDS = re.compile(r"\s+(?:a|an|per|each|sterling|of (?:public|own))\b|\s*(?:fine|fee|deposit)\b")
_ADVANCE = re.compile(r"\s*(?:in advance|before|prior|ahead|beforehand)\b", re.I)
_STEPS = re.compile(r"\b(?:steps|increments|multiples|blocks|batches) of\s+$", re.I)
_DONE = re.compile(
    r"\s*(?:of|after|from|since|following)\s+(?:the\s+|your\s+|an?\s+)?\w+\s+(?:being|is|was|were|are|has been|have been)\s+(?P<verb>\w+ed)\b",
    re.I,
)
_MASS = frozenset(["data", "media", "sales", "news", "goods", "staff", "people", "services"])
_LATEST = re.compile(r"\blater than\s+$|\blatest\s+$", re.I)
_NEXT_WORD = re.compile(r"[ \u00a0](?P<word>[A-Za-z][\w-]*)")
_HYPHENATED = re.compile(r"-(?P<noun>[a-z]{3,})(?![\w-])")  # "an eight-digit number"
_UNIT_SPACE = re.compile(r"[\s\u00a0\u202f-]?")
_BASIS = re.compile(
    r"\s*(?:,?\s*(?:counted|calculated|measured|starting|beginning|running)\s+)?(?P<prep>of|from|after|following|since|before(?:\s+the\s+(?:start|beginning|commencement)\s+of)?|prior to|ahead of|in advance of|past)\s+(?:the\s+|their\s+|your\s+|its\s+|an?\s+|any\s+|each\s+|when\s+|date\s+of\s+|day\s+of\s+|end\s+of\s+|receipt\s+of\s+|receiving\s+)*(?P<noun>[A-Za-z][\w-]*)(?:\s+(?P<noun2>[A-Za-z][\w-]*))?",
    re.I,
)
# "within 14 days of purchase" counts from an event, "25 days of paid leave" does not.
_EVENT = re.compile(
    r"^(?:purchase|delivery|receipt|receiving|order|ordering|arrival|shipment|shipping|dispatch|notice|notification|invoice|termination|hire|hiring|joining|signing|signature|approval|publication|completion|"
    r"request|application|discovery|incident|occurrence|event|expiry|expiration|birth|admission|discharge|departure|return|travel|trip|payment|activation|registration|enrol?lment|installation|submission|award|"
    r"decision|closing|acceptance|\w+ing|\w+tion|\w+ment|\w+al)$",
    re.I,
)
_NAMED = re.compile(
    r"(?P<name>[A-Za-z][\w./-]*(?:\s+[\w./-]+){0,3}?)\s*(?:\bis\b|\bare\b|\bwas\b|\bof\b|=|:|\bto\b|\bat\b|\bequals\b)\s*(?:\b(?:set|limited|fixed|capped|now|currently|a|an|the|by|at|to|about|approximately)\b\s*)*$"
)


@dataclass(frozen=True, slots=True)
class UnitRef:
    """A unit as found behind a number."""

    dimension: str
    factor: float
    label: str


class QuantityGrammar:
    """Compiled from `units.toml` and the comparator words of `lexicon.toml`."""

    def __init__(self, rules: RulePack) -> None:
        names: dict[str, UnitRef] = {}
        symbols: dict[str, UnitRef] = {}
        for unit in rules.units.unit:
            label = unit.names[0] if unit.names else unit.symbols[0]
            for name in unit.names:
                names[name.lower()] = UnitRef(
                    unit.dimension, unit.factor, unit.symbols[0] if unit.symbols and unit.dimension not in _DURATIONS else label
                )
            for symbol in unit.symbols:
                symbols[symbol] = UnitRef(unit.dimension, unit.factor, symbol if unit.dimension not in _DURATIONS else label)
        self._names = names
        self._symbols = symbols
        self._name_re = re.compile(rf"({_alternatives(n.replace(' ', '[ -]') for n in names)})(?![\w])", re.I)
        self._symbol_re = re.compile(rf"({_alternatives(re.escape(s) for s in symbols)})(?![\w])")
        self._currency_before = re.compile(
            rf"({_alternatives(re.escape(c) for c in rules.units.currencies if not c.islower())})\s?$"
        )
        self._currency_after = re.compile(rf"\s?({_alternatives(re.escape(c) for c in rules.units.currencies)})(?![\w])")
        self._currencies = rules.units.currencies
        self._magnitudes = rules.units.magnitudes
        words = [m for m in rules.units.magnitudes if len(m) > 2]
        letters = [m for m in rules.units.magnitudes if len(m) <= 2]
        self._magnitude_re = re.compile(rf"[\s-]?({_alternatives(words)})\b|({_alternatives(letters)})(?![\w])")
        before: list[tuple[str, str]] = []
        after: list[tuple[str, str]] = []
        for comparator, phrases in rules.lexicon.comparator.items():
            for phrase in phrases:
                (after if phrase.startswith(("or ", "and ")) else before).append((phrase, comparator))
        self._after = dict(after)
        self._before = dict(before)
        self._before_re = re.compile(
            rf"(?<!\w)({_alternatives(re.escape(p) for p, _ in before)})[\s:(]*(?:(?:of|is|a|an|the|only)\s+)*$", re.I
        )
        self._after_re = re.compile(
            rf"[\s,]*({_alternatives(re.escape(p) for p, _ in after)})(?!\w)|\s+(?P<max>maximum|max|at most|limit)\b|\s+(?P<min>minimum|at least)\b|\s*(?P<plus>\+)",
            re.I,
        )
        self._generic_nouns = frozenset(stem(w) for w in rules.lexicon.incidental.generic_nouns)
        self._incidental_re = re.compile(
            rf"(?<!\w)({_alternatives(re.escape(w) for w in rules.lexicon.incidental.before)})(?!\w)[\s#:.]*$", re.I
        )

    def is_unit(self, text: str, at: int) -> bool:
        """Whether a unit name or symbol stands at a position, after optional space."""
        behind = _UNIT_SPACE.match(text, at)
        at = behind.end() if behind else at
        return bool(self._name_re.match(text, at) or self._symbol_re.match(text, at))

    # -- pieces ---------------------------------------------------------------------------------------------------------------

    def comparator(self, text: str, start: int, end: int) -> tuple[str, int]:
        """Comparator of the value at `start:end` and where the value ends with its trailing words ("30 or more")."""
        found = self._after_re.match(text, end)
        if found:
            if found["max"]:
                return "<=", found.end()
            if found["min"] or found["plus"]:
                return ">=", found.end()
            return self._after[found.group(1).lower()], found.end()
        before = self._before_re.search(text, max(0, start - 40), start)
        return (self._before[before.group(1).lower()], end) if before else ("=", end)

    def _measure(self, text: str, number: numbers.Number, taken: Taken) -> Mention | None:
        start, end, value, step = number.start, number.end, number.value, number.step
        currency = self._currency_before.search(text, max(0, start - 6), start)
        if currency:
            start = currency.start(1)
        factor = 1.0
        pence = None if currency else _PENCE.match(text, end)
        if pence:
            return _plain(FactKind.MONEY, start, pence.end(), value / 100, step / 100, "GBP", f"{_show(value / 100)} GBP")
        magnitude = self._magnitude_re.match(text, end)
        if magnitude and (magnitude.group(1) or currency or magnitude.group(2) in {"k", "K", "M", "bn"}):
            word = magnitude.group(1) or magnitude.group(2)
            as_unit = self._symbol_re.match(text, end)
            if not (as_unit and as_unit.group(1) != word and not currency):
                factor = self._magnitudes.get(word, self._magnitudes.get(word.lower(), 1.0))
                value, step, end = value * factor, step * factor, magnitude.end()
        if currency:
            code = self._currencies[currency.group(1)]
            return _plain(FactKind.MONEY, start, end, value, step, code, f"{_show(value)} {code}")
        percent = _PERCENT.match(text, end)
        if percent:
            unit = "percentage points" if percent["points"] or "points" in percent.group() else "%"
            return _plain(
                FactKind.PERCENT, start, percent.end(), value, step, unit, f"{_show(value)}{'' if unit == '%' else ' '}{unit}"
            )
        behind = _UNIT_SPACE.match(text, end)
        unit_at = behind.end() if behind else end
        name = self._name_re.match(text, unit_at)
        symbol = self._symbol_re.match(text, end) or (self._symbol_re.match(text, unit_at) if text[end : end + 1] != "-" else None)
        reference = None
        if name and name.group(1).lower() in {"pound", "pounds"} and (end > number.end or _POUNDS.match(text, name.end())):
            return _plain(FactKind.MONEY, start, name.end(), value, step, "GBP", f"{_show(value)} GBP")
        if name:
            spelled = name.group(1).lower()
            reference = self._names.get(spelled) or self._names.get(re.sub(r"[\s-]+", " ", spelled))
            end = name.end()
        elif (
            symbol
            and not number.word
            and (symbol.start() == number.end or len(symbol.group(1)) > 1 or symbol.group(1) not in {"d", "A", "B"})
        ):
            if symbol.group(1) == "in" and symbol.start() != number.end:
                return None
            reference, end = self._symbols[symbol.group(1)], symbol.end()
        if reference is not None:
            kind = FactKind.DURATION if reference.dimension in _DURATIONS else FactKind.QUANTITY
            base, base_step = value * reference.factor, step * reference.factor
            return replace(
                _plain(
                    kind,
                    start,
                    end,
                    base,
                    base_step,
                    reference.dimension,
                    f"{_show(value)} {_plural(reference.label, value, kind)}",
                )
            )
        money = self._currency_after.match(text, end)
        if money and (not number.word or len(money.group(1)) > 2):
            code = self._currencies[money.group(1)]
            if code == "USDcent":
                code, value, step = "USD", value / 100, step / 100
            return _plain(FactKind.MONEY, start, money.end(), value, step, code, f"{_show(value)} {code}")
        if end > number.end:  # magnitude only: "3.4 million"
            return _plain(FactKind.COUNT, start, end, value, step, "", _show(value))
        return None

    def _counted(self, text: str, number: numbers.Number, end: int, words: list[Token]) -> tuple[str, tuple[str, ...], int] | None:
        """The counted noun behind a number: (head stem, modifier stems, end of the noun)."""
        modifiers: list[str] = []
        position = end
        for token in words:
            if token.start < end:
                continue
            gap = text[position : token.start]
            if gap.strip(" \u00a0-") or len(modifiers) >= 4:
                return None
            if token.is_number or (token.lower in STOPWORDS and token.lower not in {"more", "other", "own", "new"}):
                return None
            lowered = token.lower
            plural = lowered in _IRREGULAR_PLURALS or (
                lowered.endswith("s")
                and not lowered.endswith("ss")
                and lowered not in _NO_PLURALS
                and len(lowered) > 3
                and lowered[-2:] not in {"us", "is"}
            )
            # "84 crypto data endpoints": a mass noun is the head only where no plural follows it
            if (
                plural
                and lowered in _MASS
                and (later := _NEXT_WORD.match(text, token.end))
                and later["word"].lower().endswith("s")
                and later["word"].lower() not in _NO_PLURALS
            ):
                plural = False
            if plural or (number.value == 1 and not modifiers and len(lowered) > 2):
                return token.stem, tuple(modifiers), token.end
            modifiers.append(token.stem)
            position = token.end
        return None

    # -- the grammar ----------------------------------------------------------------------------------------------------------

    def find(self, text: str, taken: Taken, *, field_name: str = "") -> Iterator[Mention]:
        """Quantities of a statement. `field_name` is the row key, column or field that names a bare number."""
        found = [n for n in numbers.find(text) if taken.free(n.start, n.end)]
        if not found:
            return
        words = tokens(text)
        i = 0
        while i < len(found):
            number = found[i]
            i += 1
            first = self._measure(text, number, taken)
            end = first.end if first else number.end
            if i < len(found) and (joined := _RANGE.match(text, end)) and joined.end() >= found[i].start - 4:
                connector = joined.group().strip().lower()
                between = re.search(r"\bbetween\s*$|\bfrom\s*$", text[: first.start if first else number.start], re.I)
                second = self._measure(text, found[i], taken)
                second_start = second.start if second else found[i].start
                adjacent = joined.end() in {second_start, found[i].start}
                if adjacent and (connector != "and" or between) and not (connector in {"-"} and found[i].word):
                    merged = self._merge(number, first, found[i], second)
                    if merged is not None:
                        i += 1
                        yield from self._finish(text, merged, number, words, taken, field_name)
                        continue
            mention = first or _plain(FactKind.COUNT, number.start, number.end, number.value, number.step, "", _show(number.value))
            yield from self._finish(text, mention, number, words, taken, field_name)

    def _merge(self, a: numbers.Number, first: Mention | None, b: numbers.Number, second: Mention | None) -> Mention | None:
        """Join "4 to 6 weeks", "$0.02–0.15", "10–20" into one range."""
        if first is None and second is None:
            if b.value <= a.value:
                return None
            return replace(
                _plain(FactKind.COUNT, a.start, b.end, a.value, a.step, "", f"{_show(a.value)}–{_show(b.value)}"),
                high=(b.value,),
                comparator="range",
            )
        if first is None and second is not None and second.low is not None:
            scale = second.low[0] / b.value if b.value else 1.0
            low = a.value * scale
            if low >= second.low[0]:
                return None
            return replace(second, start=a.start, low=(low,), comparator="range", text=f"{_show(a.value)}–{second.text}")
        if first is not None and second is None and first.low is not None:
            scale = first.low[0] / a.value if a.value else 1.0
            high = b.value * (scale if first.kind is FactKind.MONEY else 1.0)
            if first.kind not in {FactKind.MONEY, FactKind.PERCENT} or high <= first.low[0]:
                return None
            return replace(
                first, end=b.end, high=(high,), comparator="range", text=f"{_show(first.low[0])}–{_show(high)} {first.unit}"
            )
        if first is not None and second is not None and first.kind is second.kind and first.unit == second.unit:
            if first.low is None or second.low is None or second.low <= first.low:
                return None
            return replace(first, end=second.end, high=second.low, comparator="range", text=f"{first.text}–{second.text}")
        return None

    def _finish(
        self, text: str, mention: Mention, number: numbers.Number, words: list[Token], taken: Taken, field_name: str
    ) -> Iterator[Mention]:
        end = mention.end
        head = ""
        modifiers: tuple[str, ...] = ()
        noun_end = end
        before = text[max(0, mention.start - 24) : mention.start]
        incidental = (bool(self._incidental_re.search(before)) and mention.kind is FactKind.COUNT) or bool(_STEPS.search(before))
        if mention.kind is FactKind.COUNT:
            counted = self._counted(text, number, end, words)
            if not counted and number.word and text[number.start : number.end].lower() == "twice":
                counted = (stem("times"), (), end)
            if not counted and (more := self._after_re.match(text, end)) and not more["max"] and not more["min"]:
                counted = self._counted(text, number, more.end(), words)  # "8 or more digits"
            if not counted and (hyphenated := _HYPHENATED.match(text, end)):
                counted = (stem(hyphenated["noun"].lower()), (), hyphenated.end())
            if counted:
                head, modifiers, noun_end = counted
                end = noun_end
            elif (
                field_name
                and not text[end:].strip(" .)*,")
                and not _PART_OF_NAME.search(text, max(0, mention.start - 60), mention.start)
            ):
                head = stem(tokens(field_name)[-1].lower) if tokens(field_name) else ""
            else:
                named = _NAMED.search(text, max(0, mention.start - 60), mention.start)
                if named:
                    content = [t for t in tokens(named["name"]) if not t.is_stop and not t.is_number]
                    head = content[-1].stem if content else ""
            opens = not text[: mention.start].strip() or text[: mention.start].rstrip()[-1] in ".:!?"
            if (
                not head
                or (number.word and number.value == 1 and (not counted or opens))
                or (1950 <= number.value <= 2100 and text[number.start : number.end].isdigit())
                or head in self._generic_nouns
            ):
                incidental = True
        comparator, end = self.comparator(text, mention.start, end)
        if (
            comparator == "<="
            and mention.kind is FactKind.DURATION
            and _ADVANCE.match(text, end)
            and _LATEST.search(text, max(0, mention.start - 20), mention.start)
        ):
            comparator = ">="  # "no later than 48 hours in advance" is 48 hours or more
        per = per_shown = ""
        found = _PER.match(text, end)
        if found and found["noun"].lower().split()[0] not in {
            "few",
            "lot",
            "number",
            "total",
            "day's",
            "additional",
            "different",
            "separate",
        }:
            parts = [stem(w) for w in re.split(r"\s*(?:/|\bper\b|\band\b)\s*|\s+", found["noun"].lower())]
            unit_words = [w for w in parts if w not in STOPWORDS]
            if found.group().strip().startswith(("/", "per")) or (unit_words and unit_words[0] in _TIME_STEMS):
                per_shown = re.sub(
                    r"\s*/\s*",
                    " per ",
                    found["noun"].lower()
                    if len(unit_words) > 1 and (" per " in found["noun"] or "/" in found["noun"])
                    else found["noun"].lower().split()[0],
                )
                per = "+".join(sorted(unit_words[: 2 if re.search(r"/|\bper\b|\band\b", found["noun"]) else 1]))
                end = found.end() if len(unit_words) > 1 else found.start("noun") + len(found["noun"].split()[0])
        elif mention.kind is FactKind.MONEY:
            later = re.match(r"\s*\(?\s*per\s+([A-Za-z]+)", text[end : end + 20])
            per_shown = later.group(1).lower() if later else ""
            per = stem(per_shown) if later else ""
        basis = basis_shown = ""
        if mention.kind is FactKind.DURATION and not per:
            done = _DONE.match(text, end)
            if done:  # "within 14 days of the instance being deleted"
                basis, basis_shown = stem(done["verb"].lower()), " " + " ".join(done.group().split())
            based = None if done else _BASIS.match(text, end)
            if based and based["noun"].lower() not in STOPWORDS:
                noun = based["noun"]
                if not _EVENT.search(noun) and based["noun2"] and _EVENT.search(based["noun2"]):
                    noun = based["noun2"]
                earlier = based["prep"].lower().startswith(("before", "prior to", "ahead of", "in advance of"))
                if based["prep"].lower() != "of" or _EVENT.search(noun):
                    basis = ("before " if earlier else "") + stem(noun.lower())
                    basis_end = based.end("noun2") if noun == based["noun2"] else based.end("noun")
                    basis_shown = " " + " ".join(text[end:basis_end].split())
        low, high = mention.low, mention.high
        if mention.comparator != "range":
            if comparator in {">=", ">"}:
                high = None
            elif comparator in {"<=", "<"}:
                low = None
        shown = mention.text
        if head and mention.kind is FactKind.COUNT:
            noun = text[mention.end : noun_end].strip()
            shown = f"{shown} {noun}" if counted_text(noun) else shown
        symbol = "" if mention.comparator == "range" else BOUND_WORDS.get(comparator, "")
        shown = f"{symbol}{shown}" if not shown.lower().startswith(symbol) else shown
        taken.take(mention.start, mention.end)
        yield replace(
            mention,
            end=max(end, mention.end),
            low=low,
            high=high,
            comparator=mention.comparator if mention.comparator == "range" else comparator,
            head=head,
            modifiers=modifiers,
            per=per,
            basis=basis,
            incidental=incidental,
            text=shown + (f" per {per_shown}" if per_shown else "") + basis_shown,
        )


_PART_OF_NAME = re.compile(
    r"(?:[^\W\d_]-|[\w)][ ]+(?!(?:To|Than|Most|Least|Of|About|Over|Under|Around|Above|Below|Approx\.?|Approximately|Min\.?|Max\.?|Minimum|Maximum|"
    r"Exactly|Only|Per|For|In|At|From|By|And|Or|Is|Are|Until|Every)[ ])[A-Z][\w.]*[ ])$"
)
"""In front of a number that is the end of a name: "GPT-5.2", "Grok Code Fast 1". In a cell it counts nothing."""

_TIME_STEMS = frozenset(
    stem(w) for w in ["second", "minute", "hour", "day", "week", "month", "quarter", "year", "night", "user", "seat", "person"]
)


def counted_text(noun: str) -> bool:
    """Whether the words behind a count read well in its display text."""
    return bool(noun) and len(noun) <= 40 and noun[0].isalpha() | (noun[0] in "`*_")


def _plain(kind: FactKind, start: int, end: int, value: float, step: float, unit: str, text: str) -> Mention:
    key = (round(value, 9),)
    if kind is FactKind.DURATION:
        step = 0.0  # a period is meant as it is stated
    return Mention(kind, start, end, key, key, unit=unit, step=step, text=text)


def _show(value: float) -> str:
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.6f}".rstrip("0").rstrip(".")


def _plural(label: str, value: float, kind: FactKind) -> str:
    return f"{label}s" if kind is FactKind.DURATION and value != 1 and not label.endswith("s") else label


def _alternatives(words: object) -> str:
    return "|".join(sorted(words, key=len, reverse=True))  # type: ignore[call-overload]
