"""The columns of the four tables a scan writes: names, types, whether they may be empty, and what they mean.

This is the description other programs rely on: `docs/schema.md` is generated from it, `store.py` turns it into Parquet. A change
that an existing reader would notice (a column removed, renamed or of another type) raises `SCHEMA_VERSION`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

SCHEMA_VERSION = 1


class Type(StrEnum):
    """Column types, as readers of the documentation see them."""

    STRING = "string"
    STRINGS = "list of string"
    INTEGER = "integer"
    FLOAT = "float"
    BOOLEAN = "boolean"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `attr` is the attribute of the data model it holds, where that has another name ("a.quote")."""

    name: str
    type: Type
    meaning: str
    nullable: bool = False
    attr: str = ""
    added: bool = False  # later than the schema's version: null for runs of a program that did not write it yet

    @property
    def source(self) -> str:
        """Dotted attribute of the row's dataclass."""
        return self.attr or self.name


@dataclass(frozen=True, slots=True)
class Table:
    """One Parquet file: `name` is its stem."""

    name: str
    meaning: str
    columns: tuple[Column, ...]

    @property
    def filename(self) -> str:
        """Name of the file in the output folder."""
        return f"{self.name}.parquet"


_SIDE = (  # written once for each side: `doc_a`, `doc_b`, ...
    Column("doc", Type.STRING, "path relative to the corpus root, `/` as separator, `#` and `!` in names percent-escaped"),
    Column("title", Type.STRING, "title of the document"),
    Column("owner", Type.STRING, "who answers for the document; null when nothing says who", nullable=True),
    Column("source_tier", Type.STRING, "authority of the document: `primary`, `secondary`, `tertiary` or `archive`"),
    Column("published", Type.DATE, "date of publication the document or the configuration states", nullable=True),
    Column("effective", Type.DATE, "date from which the document says it holds", nullable=True),
    Column("heading", Type.STRING, "heading path, joined with ` › `"),
    Column("chunk_id", Type.STRING, "passage that holds the statement; see `chunks.parquet`"),
    Column("quote", Type.STRING, "verbatim: exactly the extracted text from `char_start` to `char_end`; of a table, the whole row"),
    Column("statement", Type.STRING, "the quote as it reads on its own: with its lead-in, or its row key and column header"),
    Column("char_start", Type.INTEGER, "first character of the quote in the extracted text, counted from 0"),
    Column("char_end", Type.INTEGER, "character after the quote"),
    Column(
        "line_start",
        Type.INTEGER,
        "first line in the file, in a PDF on its page, in a notebook in its cell, counted from 1; null for formats without lines",
        nullable=True,
    ),
    Column("line_end", Type.INTEGER, "last line, likewise", nullable=True),
    Column("page", Type.INTEGER, "page, counted from 1, for formats with pages", nullable=True),
    Column("locator", Type.STRING, "place in the words of the format: `line=12-14`, `page=3`, `sheet=Prices!B7`", nullable=True),
    Column("url", Type.STRING, "link to the place, when the configuration gives a pattern", nullable=True),
    Column("value", Type.STRING, "the value the statement claims, normalised and readable"),
    Column("scope", Type.STRING, "what the claim is limited to (`plan: enterprise; region: eu`); empty when it is general"),
)


def _sides() -> Iterator[Column]:
    for side in ("a", "b"):
        for column in _SIDE:
            yield replace(column, name=f"{column.name}_{side}", attr=f"{side}.{column.name}")


CONFLICTS = Table(
    "conflicts",
    "One row per pair of statements and the attribute they disagree about, the most pressing first: by tier, then by confidence. "
    "`doc_a <= doc_b`; two places in one document have `doc_a == doc_b`. Near-identical copies of a passage share one row; the "
    "documents that hold them stand in `clusters.parquet`.",
    (
        Column("conflict_id", Type.STRING, "identity: survives moved lines, reformatting and changed values"),
        Column("content_hash", Type.STRING, "of both values and quotes: when it changes, an earlier decision is reopened"),
        Column("cluster_id", Type.STRING, "the fact in question, or the facts of one cause; joins `clusters.parquet`"),
        Column("kind", Type.STRING, "`numeric`, `date`, `identifier`, `modality`, `negation`, `status`, `entity` or `nli`"),
        Column("detectors", Type.STRINGS, "which detectors reported it"),
        Column("fields", Type.STRINGS, "what differs: `value`, `basis`, `unit`, ..."),
        Column("attribute", Type.STRING, "what the values are values of"),
        Column("entity_key", Type.STRING, "what the statements are about"),
        Column("category", Type.STRING, "`outdated` (one supersedes the other), `factual` or `opinion`"),
        Column("tier", Type.STRING, "`high`, `medium` or `advisory`"),
        Column("confidence", Type.FLOAT, "probability in [0, 1] that a careful reader would call it a contradiction"),
        Column("topic_similarity", Type.FLOAT, "similarity of the two statements' embeddings"),
        Column("via", Type.STRINGS, "what brought the two statements together"),
        *_sides(),
        Column(
            "rule_applied",
            Type.STRINGS,
            "resolution rules that decided, the deciding one last; why the others declined is in `rule_trace`",
        ),
        Column("rule_trace", Type.STRINGS, "why the earlier rules declined, `rule: reason`"),
        Column("winner", Type.STRING, "`a` or `b` when one side holds the cluster's winning value", nullable=True),
        Column("loser_retained", Type.BOOLEAN, "whether the other side stays available"),
        Column("status", Type.STRING, "`auto_resolved`, `escalated`, `decided`, `reopened` or `dismissed`"),
        Column("reviewer", Type.STRING, "who decided", nullable=True),
        Column(
            "reviewer_decision",
            Type.STRING,
            "`accept_a`, `accept_b`, `both_with_condition`, `neither`, `request_fresher` or `not_a_contradiction`",
            nullable=True,
        ),
        Column("condition", Type.STRING, "the condition under which both hold", nullable=True),
        Column("decided_at", Type.STRING, "when it was decided, ISO 8601", nullable=True),
        Column("explanation", Type.STRING, "one sentence for the document's owner"),
    ),
)

CLUSTERS = Table(
    "clusters",
    "One row per cluster and value: a cluster is one fact, and every value that some document gives for it.",
    (
        Column("cluster_id", Type.STRING, "the fact in question, or the facts of one cause (copies, tables of two documents)"),
        Column("entity_key", Type.STRING, "what the statements are about"),
        Column("attribute", Type.STRING, "what the values are values of"),
        Column("value", Type.STRING, "the value, normalised and readable"),
        Column("documents", Type.STRINGS, "documents that hold it, copies included"),
        Column("newest", Type.BOOLEAN, "the most recently dated document holds it"),
        Column("authoritative", Type.BOOLEAN, "the document of the highest authority holds it"),
        Column("majority", Type.BOOLEAN, "more documents hold it than any other value"),
        Column("winning", Type.BOOLEAN, "the rules suggest it"),
    ),
)

DOCUMENTS = Table(
    "documents",
    "One row per file that was looked at, read or not.",
    (
        Column("path", Type.STRING, "path relative to the corpus root, as in `doc_a`"),
        Column("title", Type.STRING, "title; empty when none was found"),
        Column("format", Type.STRING, "how it was read; empty when it was not"),
        Column("owner", Type.STRING, "who answers for it", nullable=True),
        Column(
            "owner_source",
            Type.STRING,
            "where the owner was read: `configuration`, `front matter`, `meta tag`, `document properties`, `message header`, `record`, "
            "`export`, `visible line`, `CODEOWNERS` or `git`",
            nullable=True,
            added=True,
        ),
        Column("tier", Type.STRING, "`primary`, `secondary`, `tertiary` or `archive`"),
        Column("published", Type.DATE, "date of publication or issue, else of the last change the document states", nullable=True),
        Column("published_source", Type.STRING, "where that date was read", nullable=True),
        Column("effective", Type.DATE, "date from which it holds", nullable=True),
        Column("effective_source", Type.STRING, "where that date was read", nullable=True),
        Column("effective_to", Type.DATE, "last day on which it says it holds", nullable=True, added=True),
        Column("effective_to_source", Type.STRING, "where that date was read", nullable=True, added=True),
        Column("modified", Type.DATE, "last change, as the document states it", nullable=True, added=True),
        Column("modified_source", Type.STRING, "where that date was read", nullable=True, added=True),
        Column(
            "file_time",
            Type.DATE,
            "day (UTC) on which the file was last written; decides nothing, and a fresh copy may differ in it; null when not read",
            nullable=True,
            added=True,
        ),
        Column(
            "git_date", Type.DATE, "day (UTC) of its last commit, where git was asked; decides nothing", nullable=True, added=True
        ),
        Column("language", Type.STRING, "ISO 639-1 code; `und` when there is too little text to tell", nullable=True),
        Column("words", Type.INTEGER, "words in the extracted text"),
        Column("statements", Type.INTEGER, "statements found"),
        Column("facts", Type.INTEGER, "facts found"),
        Column("hash", Type.STRING, "SHA-256 of the file; null when it could not be opened", nullable=True, attr="sha256"),
        Column("skipped_reason", Type.STRING, "why it was not read; null when it was", nullable=True),
        Column(
            "notices",
            Type.STRINGS,
            "what of a document that was read could not be: `pages 3 and 5 hold no text`; empty when it was read in full",
            added=True,
        ),
        Column("copy_of", Type.STRING, "the document that it repeats, as in `path`", nullable=True, added=True),
        Column(
            "copy_share",
            Type.FLOAT,
            "share, in (0, 1], of the statements of the longer of the two that stand in both, whatever numbers they hold",
            nullable=True,
            added=True,
        ),
        Column("copy_exact", Type.BOOLEAN, "whether it says nothing else, word for word", nullable=True, added=True),
    ),
)

CHUNKS = Table(
    "chunks",
    "One row per passage under one heading path.",
    (
        Column("chunk_id", Type.STRING, "identity of the passage"),
        Column("doc", Type.STRING, "document, as in `doc_a`", attr="doc_id"),
        Column("char_start", Type.INTEGER, "first character in the extracted text, counted from 0", attr="start"),
        Column("char_end", Type.INTEGER, "character after the passage", attr="end"),
        Column("heading", Type.STRINGS, "heading path, outermost first"),
        Column("text_hash", Type.STRING, "hash of the passage's text"),
    ),
)

TABLES: tuple[Table, ...] = (CONFLICTS, CLUSTERS, DOCUMENTS, CHUNKS)
