"""Data types that travel between the stages of a scan.

*document* → *block* (structure, as a loader sees it) → *chunk* (a passage under one heading path) → *statement* (one sentence, list
item with its lead-in, or table cell with its row key and column header) → *fact* (a typed claim in a statement) → *candidate* (two
statements worth comparing) → *conflict* (two facts that cannot both hold) → *cluster* (all conflicts about one fact).

Everything here is frozen: a stage adds, it never changes what an earlier stage said.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import TypeAlias

from auditor.blocking import Blocking
from auditor.history import Comparison, Review


class BlockKind(StrEnum):
    """What a loader recognised a piece of a document as."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"  # list item
    ROW = "row"  # table row; `cells` and `header` are set
    FIELD = "field"  # "name: value" of front matter or a field list; cells = (name, value)
    DEFINITION = "definition"  # cells = (term, definition)
    CODE = "code"  # code block, verbatim
    QUOTE = "quote"  # block quotation


class FactKind(StrEnum):
    """Types of claims that are compared with their own kind only."""

    COUNT = "count"
    QUANTITY = "quantity"
    DURATION = "duration"
    MONEY = "money"
    PERCENT = "percent"
    DATE = "date"
    CLOCK = "clock"
    VERSION = "version"
    IDENTIFIER = "identifier"
    MODALITY = "modality"
    STATUS = "status"
    DIRECTION = "direction"
    NAME = "name"  # the filler of a role: who approves, where it is hosted
    POLARITY = "polarity"  # a verb, asserted or negated


CLAUSAL = frozenset({FactKind.MODALITY, FactKind.STATUS, FactKind.DIRECTION, FactKind.POLARITY})
"""Facts that are clauses; the others are values."""

NUMERIC = frozenset({FactKind.COUNT, FactKind.QUANTITY, FactKind.DURATION, FactKind.MONEY, FactKind.PERCENT})
"""Facts that are numbers with what they count or measure."""


class Tier(StrEnum):
    """How much attention a conflict deserves. HIGH and MEDIUM form the main list, ADVISORY is folded away."""

    HIGH = "high"
    MEDIUM = "medium"
    ADVISORY = "advisory"


TIER_ORDER: Mapping[str, int] = {Tier.HIGH: 0, Tier.MEDIUM: 1, Tier.ADVISORY: 2}


@dataclass(frozen=True, slots=True)
class Block:
    """One structural piece of a document.

    `text` is the clean reading (markup removed, white space folded); `start:end` is the passage in `Document.text` it was read from.
    `anchors` maps positions of `text` to positions of `Document.text`: ascending pairs (clean, source), linear in between; empty means
    that the clean text starts at `start` and runs parallel.
    """

    kind: BlockKind
    text: str
    start: int
    end: int
    level: int = 0  # heading level (1 to 6) or nesting depth of a list item (0 is outermost)
    lead_in: str = ""  # of a list: the sentence that introduces it ("The following are not allowed:"), outer lists first
    cells: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    caption: str = ""  # of a table: caption, or the sentence above that ends with a colon
    container: str = ""  # title of the admonition, tab or card around it
    lang: str = ""  # language of a code block
    flags: frozenset[str] = frozenset()  # struck, quote, example, note
    group: int = 0  # rows of one table and items of one list share a group number (unique in the document; 0: none)
    anchors: tuple[tuple[int, int], ...] = ()

    def to_source(self, position: int) -> int:
        """Position in `Document.text` of the clean position `position`."""
        if not self.anchors:
            return min(self.start + position, self.end)
        i = bisect_right(self.anchors, (position, 1 << 60)) - 1
        clean, source = self.anchors[max(i, 0)]
        return min(source + max(position - clean, 0), self.end)


@dataclass(frozen=True, slots=True)
class StatedDate:
    """A date that belongs to a document and where it was read ("front matter", "visible line", "configuration")."""

    value: date
    source: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a loader returns for one document: the extracted text, its structure, and what the document says about itself."""

    text: str
    blocks: tuple[Block, ...]
    line_map: tuple[tuple[int, int], ...]  # ascending (offset in text, 1-based source line); empty: the format has no lines
    title: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)  # front matter, meta tags, docinfo: lower-case key → text
    format: str = ""
    places: tuple[
        tuple[int, str], ...
    ] = ()  # ascending (offset in text, locator "page=3", "slide=4", "sheet=Prices!B7"); empty: lines
    notices: tuple[str, ...] = ()  # what could not be read of it: "pages 3 and 5 hold no text"


@dataclass(frozen=True, slots=True)
class Document:
    """A readable document with its metadata.

    `doc_id` is the POSIX path relative to the corpus root, `#` and `!` in names percent-escaped.
    """

    doc_id: str
    title: str
    format: str
    text: str
    blocks: tuple[Block, ...]
    line_map: tuple[tuple[int, int], ...]
    sha256: str
    owner: str | None = None
    tier: str = "secondary"  # primary | secondary | tertiary | archive
    published: StatedDate | None = None
    effective: StatedDate | None = None
    language: str = "en"
    scope: Mapping[str, str] = field(default_factory=dict)
    url: str | None = None  # template with {path} and {line}
    history: bool = False  # changelog, release notes, minutes, archive: not held against standing documents
    fields: Mapping[str, str] = field(default_factory=dict)
    places: tuple[tuple[int, str], ...] = ()  # see `Parsed.places`
    notices: tuple[str, ...] = ()  # see `Parsed.notices`
    owner_source: str | None = None  # "configuration", "front matter", "visible line", "CODEOWNERS", "git", ...
    modified: StatedDate | None = None  # the last change, as the document states it
    effective_to: StatedDate | None = None  # the last day on which it holds
    file_time: date | None = None  # of the file on disk; like `git_date` only for the record: it decides nothing
    git_date: date | None = None

    def line_at(self, offset: int) -> int | None:
        """1-based source line of an offset in `text`; of a document in pages, the line on its page. None where there are no lines."""
        if not self.line_map:
            return None
        i = bisect_right(self.line_map, (offset, 1 << 60)) - 1
        return self.line_map[max(i, 0)][1]

    def place_at(self, offset: int) -> str | None:
        """Locator of an offset in `text` ("page=3", "sheet=Prices!B7"); None where lines tell the place."""
        if not self.places:
            return None
        i = bisect_right(self.places, offset, key=lambda place: place[0]) - 1
        return self.places[max(i, 0)][1]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not read, and why. A first-class row of `documents.parquet`."""

    doc_id: str
    reason: str
    format: str = ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage under one heading path."""

    chunk_id: str
    doc_id: str
    start: int
    end: int
    heading: tuple[str, ...]
    text_hash: str


@dataclass(frozen=True, slots=True)
class Statement:
    """One claim-sized piece of text with the context needed to read it alone.

    `text` is the reading: own words, with lead-in or row key and column header put in front. `body` is the position in `text` where
    the own words begin. `start:end` is the verbatim quote in `Document.text` (of a table: the whole row).
    """

    index: int  # position in the scan's list of statements
    doc_id: str
    chunk_id: str
    kind: BlockKind
    text: str
    body: int
    start: int
    end: int
    heading: tuple[str, ...] = ()
    title: str = ""
    lead_in: str = ""
    row_key: str = ""
    column: str = ""
    caption: str = ""
    container: str = ""
    group: int = 0  # see Block.group; 0 outside tables and lists
    row_lists: tuple[str, ...] = ()  # of a cell: the other cells of its row that list several things
    before: str = ""  # of a sentence that opens with "It", "This" or the like: the sentence before it in its paragraph
    flags: frozenset[str] = frozenset()  # struck, quote, example, history, note, code, hypothetical


Key: TypeAlias = tuple[float, ...]
"""Orderable value: one number, or the parts of a version."""


@dataclass(frozen=True, slots=True)
class Value:
    """A normalised value with bounds.

    `low` and `high` are equal for a plain value; None means unbounded on that side. `comparator` tells how it was stated: "=", ">=",
    "<=", ">", "<", "~" (approximately), "range". `step` is the weight of the last stated digit in the value's unit (0.1 million for
    "4.2M"), 0 where precision plays no part. `text` is the normalised, readable form.
    """

    text: str
    low: Key | None = None
    high: Key | None = None
    unit: str = ""  # canonical unit, currency, or identifier type; "" for bare counts
    comparator: str = "="
    step: float = 0.0
    symbol: str = ""  # identifiers, names, modality and status: the compared symbol


Scope: TypeAlias = Mapping[str, frozenset[str]]
"""Slot (product, plan, platform, region, environment, audience, period, condition, ...) → normalised words."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A typed claim inside a statement.

    `head` names what the value is a value *of* (concept of the counted noun, field name or action); `attribute` maps the concepts that
    describe it, values masked, to their weight in (0, 1] by distance from the value; `context` holds the concepts of headings, title
    and lead-in; `names` are the specific names the claim is about (products, codes, proper nouns). `start:end` is the span of the
    value in `Statement.text`.
    """

    statement: int
    kind: FactKind
    value: Value
    start: int
    end: int
    head: str = ""
    attribute: Mapping[str, float] = field(default_factory=dict)
    context: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    scope: Scope = field(default_factory=dict)
    named_slots: frozenset[str] = frozenset()  # slots that the sentence itself fills
    titled_slots: frozenset[str] = frozenset()  # slots that only the document's title fills
    polarity: int = 1
    per: str = ""  # denominator of a rate: "minute", "seat", "image"
    objects: tuple[str, ...] = ()  # clauses: concepts of what the verb acts on, where it stands behind it
    basis: str = ""  # what a period is counted from: "delivery", "purchase"
    actor: str = ""  # modality: who
    incidental: bool = False  # page, section, form or standard number, example value: never compared


@dataclass(frozen=True, slots=True)
class Candidate:
    """Two statements worth comparing; `via` names the lists or keys that brought them together, sorted."""

    a: int
    b: int
    via: tuple[str, ...]
    similarity: float = 0.0


@dataclass(frozen=True, slots=True)
class Finding:
    """Two statements that cannot both hold, before clusters and rules: what the detectors and the score say.

    `a` and `b` are statement indices ordered by (doc_id, start). Spans are positions in `Statement.text`.
    """

    a: int
    b: int
    kind: str
    detectors: tuple[str, ...]
    fields: tuple[str, ...]  # what differs: "value", "basis", "unit", "modality", ...
    attribute: str  # readable: "retention period", "requests"
    entity_key: str  # readable: what thing it is about
    key_a: str  # value-free fact keys, stable under moved lines and changed values
    key_b: str
    value_a: str
    value_b: str
    span_a: tuple[int, int]
    span_b: tuple[int, int]
    scope_a: str
    scope_b: str
    one_sided: tuple[str, ...]  # slots that only one side fills: "exception", "audience", ...
    specific: str | None  # "a" or "b": the side that names the one-sided scope
    opinion: bool  # both sides recommend or judge
    tier: str
    confidence: float
    topic_similarity: float
    via: tuple[str, ...]
    explanation: str
    features: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rejection:
    """Two facts that were compared and found compatible, and why; kept for `audit explain` and `audit eval`."""

    a: int
    b: int
    detector: str
    reason: str  # word of detect/reasons.py, or "score"
    detail: str
    confidence: float = 0.0
    features: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a conflict, with everything a reader needs to find and judge it."""

    doc: str
    title: str
    owner: str | None
    source_tier: str
    published: date | None
    effective: date | None
    heading: str  # heading path joined with " › "
    chunk_id: str
    quote: str  # exact substring of the extracted text at char_start:char_end
    statement: str
    char_start: int
    char_end: int
    line_start: int | None
    line_end: int | None
    page: int | None
    locator: str | None
    url: str | None
    value: str
    scope: str  # readable: "plan: enterprise; region: eu", "" when none
    marks: tuple[tuple[int, int], ...] = ()  # spans in `quote` of the deciding words, for the report only


@dataclass(frozen=True, slots=True)
class Conflict:
    """One row of `conflicts.parquet`: a pair of statements and the attribute they disagree about. Sides are ordered by (doc, start)."""

    conflict_id: str
    content_hash: str
    cluster_id: str
    kind: str  # numeric | date | identifier | modality | negation | status | entity | nli
    detectors: tuple[str, ...]
    fields: tuple[str, ...]
    attribute: str
    entity_key: str
    category: str  # outdated | factual | opinion
    tier: str  # high | medium | advisory
    confidence: float
    topic_similarity: float
    via: tuple[str, ...]
    a: Side
    b: Side
    rule_applied: tuple[str, ...]  # the deciding rule last
    rule_trace: tuple[str, ...]  # "owner_rule: no configured rule covers both documents", ...
    winner: str | None  # "a" | "b" | None
    loser_retained: bool
    status: str  # auto_resolved | escalated | decided | reopened | dismissed
    explanation: str
    reviewer: str | None = None
    reviewer_decision: str | None = None
    condition: str | None = None
    decided_at: str | None = None
    features: Mapping[str, float] = field(default_factory=dict)  # for `audit explain`; not part of the contract


@dataclass(frozen=True, slots=True)
class ClusterValue:
    """One row of `clusters.parquet`: one value of one fact and the documents that hold it."""

    cluster_id: str
    entity_key: str
    attribute: str
    value: str
    documents: tuple[str, ...]
    newest: bool
    authoritative: bool
    majority: bool
    winning: bool


@dataclass(frozen=True, slots=True)
class StageStats:
    """Wall seconds and peak memory (MiB, of the process so far) of one stage."""

    name: str
    seconds: float
    peak_mib: float


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """One row of `documents.parquet`."""

    path: str
    title: str
    format: str
    owner: str | None
    tier: str
    published: date | None
    published_source: str | None
    effective: date | None
    effective_source: str | None
    language: str | None
    words: int
    statements: int
    facts: int
    sha256: str | None
    skipped_reason: str | None
    owner_source: str | None = None
    modified: date | None = None
    modified_source: str | None = None
    effective_to: date | None = None
    effective_to_source: str | None = None
    file_time: date | None = None
    git_date: date | None = None
    copy_of: str | None = None
    copy_share: float | None = None
    copy_exact: bool | None = None
    notices: tuple[str, ...] = ()  # what of it could not be read

    def expired(self, as_of: date) -> bool:
        """Whether the document says that it held until a day before this one."""
        return self.effective_to is not None and self.effective_to < as_of


@dataclass(frozen=True, slots=True)
class Branding:
    """What the head of a report says besides the findings: `[report]` of the configuration. Empty means not given."""

    title: str = ""
    customer: str = ""
    logo: str = ""  # data URI of a PNG or JPEG


@dataclass(frozen=True, slots=True)
class ScanResult:
    """Everything a scan found, ready to be written. Lists are sorted; nothing in them depends on clock or thread order."""

    corpus: str  # name of the corpus folder as given
    conflicts: tuple[Conflict, ...]
    clusters: tuple[ClusterValue, ...]
    documents: tuple[DocumentRow, ...]
    chunks: tuple[Chunk, ...]
    counts: Mapping[str, int]  # documents, skipped, statements, facts, candidates, possible_pairs, conflicts_high, ...
    stages: tuple[StageStats, ...]
    versions: Mapping[str, str]
    model_hashes: Mapping[str, str]
    config_hash: str
    as_of: date
    crowded_keys: tuple[str, ...] = ()  # blocking keys that were split or bounded, readable
    min_tier: str = "advisory"  # findings below it were left out
    nli: bool = False  # whether a model read what the typed detectors left open
    review: Review = field(default_factory=Review)  # how earlier decisions met the findings
    baseline: Comparison | None = None  # the findings against those of an earlier run, where one was given
    branding: Branding = Branding()
    notices: tuple[str, ...] = ()  # what the reader has to know about the scan as a whole: Git could not be asked
    blocking: Blocking = field(default_factory=Blocking)  # what blocking cut, how it searched, and what it missed
