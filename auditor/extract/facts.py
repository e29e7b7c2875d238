"""From statements to facts: every value gets an attribute, names, scope and flags."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence

from auditor.extract.ages import find_ages
from auditor.extract.clauses import ClauseGrammar, supposed
from auditor.extract.concepts import Concepts
from auditor.extract.dates import find_clocks, find_dates, find_periods, find_year_dates
from auditor.extract.figures import in_figures
from auditor.extract.frequency import find_frequencies
from auditor.extract.identifiers import find_identifiers, find_versions, keyed_code
from auditor.extract.mentions import Mention, Taken
from auditor.extract.polarity import Negated, asserted
from auditor.extract.presence import presence_mentions
from auditor.extract.quantities import QuantityGrammar
from auditor.extract.refine import as_port, bounded, keyed, names_port
from auditor.extract.roles import find_roles
from auditor.extract.scope import ScopeReader
from auditor.extract.survey import NOTHING_SHARED, Shared, Survey, survey
from auditor.model import CLAUSAL, BlockKind, Fact, FactKind, Statement, Value
from auditor.rulepack import RulePack
from auditor.text.words import Token, stem, tokens

_CLAUSE = re.compile(r"[;:]\s|,\s(?:and|but|while|whereas|or|then)\s|\s(?:but|while|whereas)\s|\s[–—]\s|\.\s")
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


_KEYED_BLOCKS = frozenset({BlockKind.ROW, BlockKind.FIELD, BlockKind.DEFINITION})
_AUXILIARIES = frozenset(
    ["must", "shall", "may", "can", "cannot", "can't", "should", "not", "never", "to", "mustn't", "shouldn't", "needn't"]
)
_LIST = 3  # versions in one statement from which they are a list of things, not a claim about one
# Words in quotation marks are somebody else's, or what a screen shows; short ones are names.
_QUOTED = re.compile(r"[\"“„«](?:[^\"“”„«»\s]+\s+){2,}[^\"“”„«»]*[\"”»]")
_DOCUMENT_DATE = re.compile(
    r"^\W*(?:in\s+)?(?:effective|valid|in force|signed|issued|updated|last|revised|published|reviewed|approved|version|as of|date|posted|status)\b",
    re.I,
)


class Extractor:
    """Reads typed facts out of statements. Pure: the same statement gives the same facts."""

    def __init__(self, rules: RulePack) -> None:
        self.rules = rules
        self.quantities = QuantityGrammar(rules)
        self.clauses = ClauseGrammar(rules)
        self.scopes = ScopeReader(rules)
        self.concept = Concepts(rules)
        self._two_words: dict[str, list[tuple[str, str]]] = {}
        for first, second, concept in rules.synonyms.phrases:
            self._two_words.setdefault(first, []).append((second, self.concept(stem(concept))))
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

    def extract_all(
        self,
        statements: Sequence[Statement],
        document_scopes: Mapping[str, Mapping[str, str]] | None = None,
        plain: frozenset[str] = frozenset(),
    ) -> list[list[Fact]]:
        """Facts of all statements of a corpus, one list each, in one process. Verbs that are negated anywhere get polarity facts
        everywhere.

        `plain` names documents in languages without a rule pack: of them only what is written in figures is read.
        """
        scopes = document_scopes or {}
        self.surface = {}  # of this corpus only: what was read before must not colour it
        noted = survey([s for s in statements if s.doc_id not in plain])
        shared = Shared.of([noted], [len(statements)])
        return [
            self.extract(s, scopes.get(s.doc_id, {}), noted.negated.get(s.index, ()), shared, plain=s.doc_id in plain)
            for s in statements
        ]

    def extract_document(
        self, statements: Sequence[Statement], scope: Mapping[str, str], noted: Survey, shared: Shared, *, plain: bool = False
    ) -> tuple[list[list[Fact]], dict[str, str]]:
        """Facts of the statements of one document, and the words that stand for its concepts.

        `shared` is what the whole corpus knows (`Shared.of` over the surveys of all documents), or only the part of it that bears
        on this document (`Shared.within`); `plain` as in `extract_all`.
        """
        self.surface = {}
        facts = [self.extract(s, scope, noted.negated.get(s.index, ()), shared, plain=plain) for s in statements]
        return facts, self.surface

    def extract(
        self,
        statement: Statement,
        document_scope: Mapping[str, str] | None = None,
        negated: Sequence[Negated] = (),
        shared: Shared = NOTHING_SHARED,
        *,
        plain: bool = False,
    ) -> list[Fact]:
        """Facts of a statement, ordered by position. Struck text and lists of false statements give none.

        With `plain` the words are not English: only figures, dates and identifiers count.
        """
        if "struck" in statement.flags or "false" in statement.flags:
            return []
        if describes_document(statement, self.metadata):
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
        mentions = [bounded(text, m, self.quantities) for m in mentions]
        mentions.extend(find_frequencies(text, taken))
        mentions.extend(find_ages(text, taken))
        # Years that name a period are no counts.
        find_periods(text, taken)
        mentions.extend(self.quantities.find(text, taken, field_name=field_name))
        if names_port(field_name, statement.row_key):
            mentions = [as_port(m) for m in mentions]
        if not plain:
            mentions.extend(find_roles(text, taken))
        if statement.row_key:
            mentions = [keyed(statement, m) for m in mentions]
            if code := keyed_code(statement.row_key, statement.column, text, statement.body, taken):
                mentions.append(code)
        values = [(m.start, m.end) for m in mentions]
        for mention in self.clauses.find(text, taken) if not plain else ():
            # "or higher" belongs to its number, it is no trend
            if mention.kind is FactKind.DIRECTION and any(s <= mention.start <= e + 12 for s, e in values):
                continue
            mentions.append(mention)
        words = tokens(text)
        if plain:
            mentions = in_figures(mentions, text, words)
        else:
            mentions.extend(presence_mentions(statement, words, shared.retired))
        if shared.polar and not plain and not text.endswith("?"):
            mentions.extend(self._polarity(statement, words, negated, shared.verbs, mentions))
        if not mentions:
            return []
        mentions.sort(key=lambda m: (m.start, m.end))
        scope_places = self.scopes.of_statement(statement, document_scope or {})
        scope = {slot: found for slot, (found, _) in scope_places.items()}
        valued = [t for t in words if not any(m.start <= t.start < m.end for m in mentions if m.kind not in CLAUSAL)]
        names = self._names(statement, valued, capitals=not plain)
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
                and (mention.kind is FactKind.COUNT or mention.kind in CLAUSAL)
            ):
                continue
            if mention.kind is FactKind.VERSION and versions >= _LIST:
                continue
            if mention.kind in CLAUSAL and text.endswith(":"):
                continue  # what it says is said by the items of the list
            facts.append(self._fact(statement, mention, mentions, words, cuts, scope, (named_slots, titled_slots), names, context))
        return facts

    def _polarity(
        self, statement: Statement, words: list[Token], negated: Sequence[Negated], verbs: frozenset[str], mentions: list[Mention]
    ) -> list[Mention]:
        """Polarity mentions; what a modal or status phrase already says is left to those detectors."""
        spoken = [m for m in mentions if m.kind in {FactKind.MODALITY, FactKind.STATUS}]
        found = [
            Mention(FactKind.POLARITY, n.start, n.end, symbol="no", text=statement.text[n.start : n.end], head=n.verb, polarity=-1)
            for n in negated
            if not any(m.start <= n.start < m.end for m in spoken) and not supposed(statement.text, n.start)
        ]
        own = (t for t in words if t.start >= statement.body)
        for token in asserted(own, verbs, list(negated)):
            if supposed(statement.text, token.start):
                continue
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
        clausal = mention.kind in CLAUSAL
        joined = self._phrases(words)
        for i, token in enumerate(words):
            if i not in joined and (token.is_stop or token.is_number or len(token.lower) < 2 or token.stem in self._modal_words):
                continue
            if any(
                m.start <= token.start < m.end and not (m is mention and token.stem in (mention.head, *mention.modifiers))
                for m in mentions
                if not (clausal and m.kind not in CLAUSAL) and m.kind is not FactKind.POLARITY
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
        if mention.kind is FactKind.VERSION and supposed(statement.text, mention.start, unclear=True):
            incidental = True  # "if you are using 5.3" says whom it concerns, not what is supported
        if statement.kind is BlockKind.ROW and mention.start < statement.body and mention.comparator == "range":
            incidental = True  # "200 to 300 m | 2": the range says which ships, the cell how many tugs
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

    def _names(self, statement: Statement, words: list[Token], *, capitals: bool = True) -> frozenset[str]:
        """Specific names: codes, acronyms and capitalised words that do not open the sentence, and all words of the row key.

        Capitals tell a name in English; in German every noun has one.
        """
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
            is_capital = capitals and raw[0].isupper() and not starts
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


def describes_document(statement: Statement, metadata: Container[str]) -> bool:
    """Whether a statement is a field that describes its document ("weight: 20", "author: ..."); `metadata` are the names of such fields."""
    return statement.kind is BlockKind.FIELD and statement.row_key.strip().lower().replace("-", " ") in metadata


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
