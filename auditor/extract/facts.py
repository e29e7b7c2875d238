"""From statements to facts: every value gets an attribute, names, scope and flags."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from auditor.extract.ages import find_ages
from auditor.extract.clauses import IN_CONDITION, ClauseGrammar
from auditor.extract.dates import find_clocks, find_dates, find_periods, find_year_dates
from auditor.extract.frequency import find_frequencies
from auditor.extract.identifiers import find_identifiers, find_versions, keyed_code
from auditor.extract.mentions import Mention, Taken
from auditor.extract.polarity import Negated, asserted, negated_verbs
from auditor.extract.presence import Retired, presence_mentions, retired_subjects
from auditor.extract.quantities import BOUND_WORDS, QuantityGrammar
from auditor.extract.roles import find_roles
from auditor.extract.scope import ScopeReader
from auditor.model import BlockKind, Fact, FactKind, Statement, Value
from auditor.rulepack import RulePack
from auditor.text.words import Token, stem, tokens

_CLAUSE = re.compile(r"[;:]\s|,\s(?:and|but|while|whereas|or|then)\s|\s(?:but|while|whereas)\s|\s[–—]\s|\.\s")
_NAME = re.compile(r"[A-Z0-9][\w.&+/-]*")
_CODE = re.compile(r"[_/.]|[a-z][A-Z]|\d")
_GENERIC_CAPITALS = frozenset(
    [
        "i",
        "note",
        "important",
        "warning",
        "tip",
        "example",
        "yes",
        "no",
        "ok",
        "true",
        "false",
        "step",
        "faq",
        "api",
        "url",
        "id",
        "max",
        "min",
        "per",
        "q",
        "a",
    ]
)


_DATE_ROLE = re.compile(
    r"\b(effective(?:\s+(?:from|as of|on|date))?|from|since|starting|beginning|begins?|starts?|until|till|through|by|before|after|no later than|ends?|expires?|due|valid (?:from|until)|launched|founded|established|closed|signed|updated|revised|published|reviewed)[\s:]*(?:on\s+|the\s+)?$",
    re.I,
)
_KEYED_BLOCKS = frozenset({BlockKind.ROW, BlockKind.FIELD, BlockKind.DEFINITION})
_AUXILIARIES = frozenset(
    ["must", "shall", "may", "can", "cannot", "can't", "should", "not", "never", "to", "mustn't", "shouldn't", "needn't"]
)
_LIST = 3  # versions in one statement from which they are a list of things, not a claim about one
_MEASURES = frozenset({FactKind.COUNT, FactKind.QUANTITY, FactKind.DURATION, FactKind.MONEY, FactKind.PERCENT})
_CLAUSAL = frozenset({FactKind.MODALITY, FactKind.STATUS, FactKind.DIRECTION, FactKind.POLARITY})
_ROLE_OF = {
    "effective": "from", "from": "from", "since": "from", "starting": "from", "beginning": "from", "begin": "from", "begins": "from", "start": "from", "starts": "from",
    "valid": "from", "launched": "from", "founded": "founded", "established": "founded", "until": "until", "till": "until", "through": "until", "end": "until", "ends": "until",
    "expire": "until", "expires": "until", "by": "by", "before": "by", "no": "by", "due": "by", "after": "after", "closed": "closed", "signed": "signed",
    "updated": "updated", "revised": "updated", "published": "updated", "reviewed": "updated",
}  # fmt: skip


# Words in quotation marks are somebody else's, or what a screen shows; short ones are names.
_QUOTED = re.compile(r"[\"“„«](?:[^\"“”„«»\s]+\s+){2,}[^\"“”„«»]*[\"”»]")
_DOCUMENT_DATE = re.compile(
    r"^\W*(?:in\s+)?(?:effective|valid|in force|signed|issued|updated|last|revised|published|reviewed|approved|version|as of|date|posted|status)\b",
    re.I,
)
_LABEL_DATE = re.compile(r"(?<!\bas )\b(?:of|dated)\s+$", re.I)
_UNIT_SUFFIX = re.compile(r"_(ms|millis|seconds|secs|sec|minutes|mins|hours|days|kb|mb|gb)\b", re.I)


def _as_unit(kind: FactKind, unit: str, factor: float, label: str) -> Callable[[float], dict[str, Any]]:
    def convert(value: float) -> dict[str, Any]:
        key = (round(value * factor, 9),)
        return {"kind": kind, "unit": unit, "low": key, "high": key, "step": 0.0, "text": f"{value:g} {label}"}

    return convert


_SUFFIX_UNITS = {
    suffix: _as_unit(kind, unit, factor, label)
    for suffixes, kind, unit, factor, label in (
        ("ms millis", FactKind.DURATION, "duration", 0.001, "ms"),
        ("seconds secs sec", FactKind.DURATION, "duration", 1.0, "seconds"),
        ("minutes mins", FactKind.DURATION, "duration", 60.0, "minutes"),
        ("hours", FactKind.DURATION, "duration", 3600.0, "hours"),
        ("days", FactKind.DURATION, "duration", 86400.0, "days"),
        ("kb", FactKind.QUANTITY, "data", 1e3, "KB"),
        ("mb", FactKind.QUANTITY, "data", 1e6, "MB"),
        ("gb", FactKind.QUANTITY, "data", 1e9, "GB"),
    )
    for suffix in suffixes.split()
}
_PORT_KEY = re.compile(r"(?:^|[\W_])ports?(?:$|[\W_])", re.I)


def _as_port(mention: Mention) -> Mention:
    """A bare number in a cell or field named "port" is a port."""
    bare = (
        mention.kind is FactKind.COUNT and mention.low == mention.high and mention.low is not None and mention.low[0].is_integer()
    )
    if not bare or mention.low is None:
        return mention
    return replace(mention, kind=FactKind.IDENTIFIER, unit="port", symbol=str(int(mention.low[0])), head="port", incidental=False)


class Extractor:
    """Reads typed facts out of statements. Pure: the same statement gives the same facts."""

    def __init__(self, rules: RulePack) -> None:
        self.rules = rules
        self.quantities = QuantityGrammar(rules)
        self.clauses = ClauseGrammar(rules)
        self.scopes = ScopeReader(rules)
        self.concepts = _concepts(rules)
        self._two_words: dict[str, list[tuple[str, str]]] = {}
        for first, second, concept in rules.synonyms.phrases:
            self._two_words.setdefault(first, []).append((second, self.concept(stem(concept))))
        self._retired: list[Retired] = []
        self.surface: dict[str, str] = {}  # concept → a word that stands for it, to embed
        self.metadata = frozenset(rules.scope.metadata.words)
        self.generic = frozenset(stem(w) for w in rules.scope.generic.words)
        modal = {
            w
            for phrases in (
                rules.lexicon.modality.obligation,
                rules.lexicon.modality.permission,
                rules.lexicon.modality.prohibition,
                rules.lexicon.modality.exemption,
                rules.lexicon.modality.recommended,
            )
            for p in phrases
            for w in p.split()
        }
        self._modal_words = frozenset(stem(w.lower()) for w in modal)

    def concept(self, word: str) -> str:
        """Concept of a stem: the representative of its synonym group, else the stem."""
        return self.concepts.get(word, word)

    def extract_all(
        self, statements: Sequence[Statement], document_scopes: Mapping[str, Mapping[str, str]] | None = None
    ) -> list[list[Fact]]:
        """Facts of all statements, one list each. Verbs that are negated anywhere get polarity facts everywhere."""
        scopes = document_scopes or {}
        negated: dict[int, list[Negated]] = {}
        verbs: set[str] = set()
        for statement in statements:
            if found := negated_verbs(statement.text[statement.body :]):
                shift = statement.body
                negated[statement.index] = [Negated(n.verb, n.start + shift, n.end + shift) for n in found]
                verbs.update(n.verb for n in found)
        frozen = self._telling(verbs, statements)
        self._retired = retired_subjects(statements)
        return [self.extract(s, scopes.get(s.doc_id, {}), negated.get(s.index, []), frozen) for s in statements]

    @staticmethod
    def _telling(verbs: set[str], statements: Sequence[Statement]) -> frozenset[str]:
        """Verbs rare enough that an assertion may answer a negation: in at most one statement in a hundred (or ten in all)."""
        counts = dict.fromkeys(verbs, 0)
        for statement in statements:
            for word in {t.stem for t in tokens(statement.text[statement.body :])} & verbs:
                counts[word] += 1
        most = max(10, len(statements) // 100)
        return frozenset(v for v, n in counts.items() if n <= most)

    def extract(
        self,
        statement: Statement,
        document_scope: Mapping[str, str] | None = None,
        negated: Sequence[Negated] = (),
        verbs: frozenset[str] = frozenset(),
    ) -> list[Fact]:
        """Facts of a statement, ordered by position. Struck text and lists of false statements give none."""
        if "struck" in statement.flags or "false" in statement.flags:
            return []
        if statement.kind is BlockKind.FIELD and statement.row_key.strip().lower().replace("-", " ") in self.metadata:
            return []
        text = statement.text
        taken = Taken(len(text))
        mentions: list[Mention] = [
            *find_identifiers(text, taken),
            *find_dates(text, taken),
            *find_year_dates(text, taken),
            *find_versions(text, taken, self.quantities.is_unit),
            *find_clocks(text, taken),
        ]
        field_name = ""
        if statement.kind in {BlockKind.ROW, BlockKind.FIELD, BlockKind.DEFINITION}:
            field_name = statement.column or statement.row_key
        mentions = [self._bounded(text, m) for m in mentions]
        mentions.extend(find_frequencies(text, taken))
        mentions.extend(find_ages(text, taken))
        # Years that name a period are no counts.
        find_periods(text, taken)
        mentions.extend(self.quantities.find(text, taken, field_name=field_name))
        if "port" in field_name.lower() or _PORT_KEY.search(statement.row_key):
            mentions = [_as_port(m) for m in mentions]
        mentions.extend(find_roles(text, taken))
        if statement.row_key:
            mentions = [self._keyed(statement, m) for m in mentions]
            if code := keyed_code(statement.row_key, statement.column, text, statement.body, taken):
                mentions.append(code)
        values = [(m.start, m.end) for m in mentions]
        for mention in self.clauses.find(text, taken):
            # "or higher" belongs to its number, it is no trend
            if mention.kind is FactKind.DIRECTION and any(s <= mention.start <= e + 12 for s, e in values):
                continue
            mentions.append(mention)
        words = tokens(text)
        mentions.extend(presence_mentions(statement, words, self._retired))
        if verbs and not text.endswith("?"):
            mentions.extend(self._polarity(statement, words, negated, verbs, mentions))
        if not mentions:
            return []
        mentions.sort(key=lambda m: (m.start, m.end))
        scope_places = self.scopes.of_statement(statement, document_scope or {})
        scope = {slot: found for slot, (found, _) in scope_places.items()}
        valued = [t for t in words if not any(m.start <= t.start < m.end for m in mentions if m.kind not in _CLAUSAL)]
        names = self._names(statement, valued)
        titled_slots = frozenset(slot for slot, (_, place) in scope_places.items() if place == "title")
        named_slots = frozenset(slot for slot, (_, place) in scope_places.items() if place == "sentence")
        context = self._context(statement)
        facts: list[Fact] = []
        cuts = [m.start() for m in _CLAUSE.finditer(text) if m.start() >= statement.body]
        versions = sum(m.kind is FactKind.VERSION for m in mentions)
        for mention in mentions:
            if (
                mention.start < statement.body
                and statement.kind in _KEYED_BLOCKS
                and (mention.kind is FactKind.COUNT or mention.kind in _CLAUSAL)
            ):
                continue
            if mention.kind is FactKind.VERSION and versions >= _LIST:
                continue
            if mention.kind in _CLAUSAL and text.endswith(":"):
                continue  # what it says is said by the items of the list
            facts.append(self._fact(statement, mention, mentions, words, cuts, scope, (named_slots, titled_slots), names, context))
        return facts

    @staticmethod
    def _keyed(statement: Statement, mention: Mention) -> Mention:
        """A plain value in a field or row named "maximum ..." or "minimum ..." is a bound."""
        if mention.comparator != "=" or mention.kind not in _MEASURES or mention.low is None:
            return mention
        if mention.kind is FactKind.COUNT and (unit := _UNIT_SUFFIX.search(statement.row_key)):
            return replace(mention, **_SUFFIX_UNITS[unit.group(1).lower()](mention.low[0]), incidental=False)
        name = f"{statement.row_key} {statement.column}".lower().replace("_", " ")
        if re.search(r"\bmax(?:imum)?\b|\bup to\b|\blimit\b|\blargest\b|\bmost\b", name):
            return replace(mention, low=None, comparator="<=", text=f"{BOUND_WORDS['<=']}{mention.text}")
        if re.search(r"\bmin(?:imum)?\b|\bat least\b", name):
            return replace(mention, high=None, comparator=">=", text=f"{BOUND_WORDS['>=']}{mention.text}")
        return mention

    def _bounded(self, text: str, mention: Mention) -> Mention:
        """Bounds of versions ("3.10 or newer") and roles of dates ("effective from", "until"), which become the basis."""
        if mention.kind is FactKind.VERSION and mention.comparator == "=":
            comparator, end = self.quantities.comparator(text, mention.start, mention.end)
            if comparator in {">=", ">", "<=", "<"}:
                low, high = (mention.low, None) if comparator[0] == ">" else (None, mention.high)
                return replace(
                    mention, comparator=comparator, low=low, high=high, end=end, text=f"{BOUND_WORDS[comparator]}{mention.text}"
                )
        if mention.kind is FactKind.DATE and _LABEL_DATE.search(text, max(0, mention.start - 12), mention.start):
            return replace(mention, incidental=True)  # "the meeting of 3 March" names the meeting
        if mention.kind is FactKind.DATE and not mention.basis:
            role = _DATE_ROLE.search(text, max(0, mention.start - 30), mention.start)
            if role:
                return replace(mention, basis=_ROLE_OF[role.group(1).lower().split()[0]])
        return mention

    def _polarity(
        self, statement: Statement, words: list[Token], negated: Sequence[Negated], verbs: frozenset[str], mentions: list[Mention]
    ) -> list[Mention]:
        """Polarity mentions; what a modal or status phrase already says is left to those detectors."""
        spoken = [m for m in mentions if m.kind in {FactKind.MODALITY, FactKind.STATUS}]
        found = [
            Mention(FactKind.POLARITY, n.start, n.end, symbol="no", text=statement.text[n.start : n.end], head=n.verb, polarity=-1)
            for n in negated
            if not any(m.start <= n.start < m.end for m in spoken)
        ]
        own = (t for t in words if t.start >= statement.body)
        for token in asserted(own, verbs, list(negated)):
            found.append(Mention(FactKind.POLARITY, token.start, token.end, symbol="yes", text=token.text, head=token.stem))
        return found

    # -- pieces ---------------------------------------------------------------------------------------------------------------

    def _fact(
        self,
        statement: Statement,
        mention: Mention,
        mentions: list[Mention],
        words: list[Token],
        cuts: list[int],
        scope: Mapping[str, frozenset[str]],
        slots: tuple[frozenset[str], frozenset[str]],
        names: frozenset[str],
        context: frozenset[str],
    ) -> Fact:
        head = mention.head
        if mention.kind in {FactKind.COUNT, FactKind.VERSION, FactKind.IDENTIFIER}:
            head = self.concept(stem(head.lower()) if head else "")
        low = max((c for c in cuts if c < mention.start), default=-1)
        high = min((c for c in cuts if c >= mention.end), default=len(statement.text))
        attribute: dict[str, float] = {}
        clausal = mention.kind in _CLAUSAL
        joined = self._phrases(words)
        for i, token in enumerate(words):
            if i not in joined and (token.is_stop or token.is_number or len(token.lower) < 2 or token.stem in self._modal_words):
                continue
            if any(
                m.start <= token.start < m.end and not (m is mention and token.stem in (mention.head, *mention.modifiers))
                for m in mentions
                if not (clausal and m.kind not in _CLAUSAL) and m.kind is not FactKind.POLARITY
            ):
                continue
            inside = low <= token.start < high
            distance = _distance(words, i, token, mention)
            weight = 1.0 if clausal else 1.0 / (1.0 + 0.12 * distance)
            if not inside:
                weight *= 0.5
            if token.start < statement.body:
                # The row key and column are what a cell is about; a lead-in is shared by all items of its list.
                weight = max(weight, 0.7) if statement.kind is not BlockKind.ITEM else 0.35
            concept = joined.get(i) or self.concept(token.stem)
            self.surface.setdefault(concept, token.lower)
            attribute[concept] = max(attribute.get(concept, 0.0), round(weight, 4))
        flags = statement.flags
        incidental = mention.incidental or ("example" in flags and mention.kind not in {FactKind.STATUS, FactKind.MODALITY})
        if mention.kind is FactKind.DATE and len(attribute) <= 1 and _DOCUMENT_DATE.match(statement.text[statement.body :]):
            incidental = True  # "Effective 1 June 2023." dates the document
        if mention.kind is FactKind.VERSION and IN_CONDITION.search(
            statement.text, max(statement.body, mention.start - 60), mention.start
        ):
            incidental = True  # "if you are using 5.3" says whom it concerns, not what is supported
        incidental = incidental or any(
            q.start() < mention.start and mention.end < q.end() for q in _QUOTED.finditer(statement.text)
        )
        return Fact(
            statement=statement.index,
            kind=mention.kind,
            value=Value(
                text=mention.text,
                low=mention.low,
                high=mention.high,
                unit=mention.unit,
                comparator=mention.comparator,
                step=mention.step,
                symbol=mention.symbol,
            ),
            start=mention.start,
            end=mention.end,
            head=head,
            attribute=attribute,
            context=context,
            names=names,
            scope=scope,
            named_slots=slots[0],
            titled_slots=slots[1],
            polarity=self._version_polarity(mention, mentions) if mention.kind is FactKind.VERSION else mention.polarity,
            per="+".join(self.concept(p) for p in mention.per.split("+")) if mention.per else "",
            basis=" ".join(self.concept(p) for p in mention.basis.split()) if mention.basis else "",
            objects=self._objects(words, mention, high) if mention.kind in {FactKind.MODALITY, FactKind.POLARITY} else (),
            actor=self._actor(words, mention, low) if mention.kind is FactKind.MODALITY else "",
            incidental=incidental,
        )

    @staticmethod
    def _version_polarity(mention: Mention, mentions: list[Mention]) -> int:
        """-1 where the statement says that the version is not supported."""
        status = [m for m in mentions if m.kind is FactKind.STATUS and m.unit in {"support", "availability"}]
        return min(status, key=lambda m: abs(m.start - mention.start)).polarity if status else 1

    def _phrases(self, words: list[Token]) -> dict[int, str]:
        """Positions of words that form a two-word verb → its concept."""
        found: dict[int, str] = {}
        for i, token in enumerate(words):
            for second, concept in self._two_words.get(token.lower, ()):
                if any(w.lower == second for w in words[i + 1 : i + 4]):
                    found[i] = concept
        return found

    def _objects(self, words: list[Token], mention: Mention, high: int) -> tuple[str, ...]:
        """What a verb acts on: content words behind it in its clause. Behind a modal the first word is the verb itself."""
        behind = [t for t in words if mention.end <= t.start < high and not t.is_stop and not t.is_number][:4]
        if mention.kind is FactKind.MODALITY:
            if mention.head.split()[-1] not in _AUXILIARIES:
                return ()  # "are forbidden on buses": what it is about stands in front
            behind = behind[1:]
        return tuple(self.concept(t.stem) for t in behind[:3])

    def _actor(self, words: list[Token], mention: Mention, low: int) -> str:
        """Subject of a modal: the last noun-like word in front of it in its clause."""
        before = [t for t in words if low <= t.start and t.end <= mention.start and not t.is_stop and not t.is_number]
        return self.concept(before[-1].stem) if before else ""

    def _names(self, statement: Statement, words: list[Token]) -> frozenset[str]:
        """Specific names: codes, acronyms and capitalised words that do not open the sentence, and all words of the row key."""
        names: set[str] = set()
        opening = True
        for token in words:
            if token.is_number:
                opening = False
                continue
            raw = token.text
            starts = (
                opening
                or token.start == statement.body
                or statement.text[max(0, token.start - 2) : token.start].strip() in {".", ":", "?", "!"}
            )
            opening = False
            is_code = bool(_CODE.search(raw)) and len(raw) > 2
            is_acronym = len(raw) > 1 and raw.isupper()
            is_capital = raw[0].isupper() and not starts
            if (is_code or is_acronym or is_capital) and token.lower not in _GENERIC_CAPITALS and not token.is_stop:
                if token.start < statement.body and statement.kind is BlockKind.ROW and not is_code:
                    continue
                names.add(self.concept(token.stem))
        for word in tokens(statement.row_key):
            if not word.is_stop and statement.kind is BlockKind.ROW:
                names.add(word.lower if word.is_number else self.concept(word.stem))
        return frozenset(names)

    def _context(self, statement: Statement) -> frozenset[str]:
        """Concepts of title, headings, caption and lead-in that name something."""
        texts: Iterable[str] = (statement.title, *statement.heading, statement.caption, statement.container)
        return frozenset(
            self.concept(t.stem)
            for text in texts
            for t in tokens(text)
            if not t.is_stop and not t.is_number and t.stem not in self.generic and len(t.lower) > 1
        )


def _distance(words: list[Token], i: int, token: Token, mention: Mention) -> int:
    """Words between a token and the value (0: adjacent)."""
    count = 0
    if token.end <= mention.start:
        j = i + 1
        while j < len(words) and words[j].start < mention.start:
            count += 1
            j += 1
    elif token.start >= mention.end:
        j = i - 1
        while j >= 0 and words[j].start >= mention.end:
            count += 1
            j -= 1
    return count


def _concepts(rules: RulePack) -> dict[str, str]:
    table: dict[str, str] = {}
    for group in rules.synonyms.groups:
        single = [stem(w.lower()) for w in group if " " not in w]
        representative = next((table[s] for s in single if s in table), single[0] if single else "")
        for word in single:
            table.setdefault(word, representative)
    return table
