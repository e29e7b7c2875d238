"""What a document says about itself: owner, dates, status.

Metadata fields (front matter, meta tags, docinfo) come first, then visible lines near the top or the end ("Last updated: 12
March 2024"). Of a format whose fields are filled in by the program that wrote the file, the visible lines come first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from auditor.load import dates, language
from auditor.model import Block, BlockKind, Parsed, StatedDate

_OWNER_FIELDS = (
    *(
        "owner",
        "document owner",
        "doc_owner",
        "owners",
        "owner.name",
        "maintainer",
        "maintainers",
        "maintained by",
        "maintained_by",
    ),
    *("contact", "author", "author.name", "authors", "responsible", "team", "ms.author", "dcterms.creator", "dc.creator"),
    *("article:author", "approver", "last modified by", "last edited by", "editor"),
)
_EFFECTIVE_FIELDS = (
    *("effective", "effective date", "effective_date", "effective-date", "effectivedate", "valid from", "valid_from", "valid-from"),
    *("validfrom", "in force since", "in_force_since", "in force", "applies from", "dcterms.valid"),
)
_PUBLISHED_FIELDS = (
    *("last updated", "last_updated", "last-updated", "lastupdated", "updated", "last modified", "last_modified", "last-modified"),
    *("lastmod", "last_modified_at", "modified", "date modified", "last reviewed", "last_reviewed", "last-reviewed", "reviewed"),
    *(
        "review_date",
        "article:modified_time",
        "og:updated_time",
        "dcterms.modified",
        "dc.date.modified",
        "revised",
        "revision date",
    ),
    *(
        "revision_date",
        "ms.date",
        "date",
        "published",
        "publish_date",
        "published_at",
        "publication date",
        "date published",
        "pubdate",
    ),
    *(
        "issued",
        "released",
        "release date",
        "article:published_time",
        "dcterms.issued",
        "dcterms.created",
        "dcterms.date",
        "dc.date",
    ),
    *("dc.date.issued", "created"),
)
_MODIFIED_FIELDS = tuple(name for name in _PUBLISHED_FIELDS if re.search("updat|modif|lastmod|revis", name))
_UNTIL_FIELDS = (
    *("valid until", "valid_until", "valid-until", "validuntil", "valid to", "valid_to", "valid-to", "validto", "valid through"),
    *(
        "effective to",
        "effective_to",
        "effective-to",
        "effective until",
        "effective_until",
        "in force until",
        "expires",
        "expires on",
    ),
    *("expires_on", "expires_at", "expiry", "expiry date", "expiry_date", "expiry-date", "expirydate", "expiration"),
    *("expiration date", "expiration_date", "expiration-date", "article:expiration_time", "unpublish date", "unpublish_date"),
)
_STATUS_WORDS = ("superseded", "deprecated", "obsolete", "archived", "withdrawn", "draft")

_EFFECTIVE_LINE = re.compile(
    r"\b(?:effective(?:\s+(?:date|from|as of|since|on))?|valid from|in force (?:since|from)|in effect (?:since|from)|applies from|"
    r"takes? effect (?:on|from)|entry into force)\s*(?:is|was)?\s*[:–-]?\s*(?:on\s+)?$",
    re.IGNORECASE,
)
_PUBLISHED_LINE = re.compile(
    r"(?:\b(?:last|date)[\s-]*(?:updated?|modified|reviewed|revised|changed|edited|published|"
    r"of (?:issue|publication|last (?:update|revision|review)))"
    r"|\b(?:updated|published|revised|reviewed|modified|issued|released|publication date|revision date|release date|approved)"
    r"|\bas of|^\W*date"
    r"|\bversion\s+[\w.]+|\brev(?:ision|\.)?\s*[\w.]*)\s*(?:on|at|date|in)?\s*[:(,–-]?\s*(?:on\s+)?$",
    re.IGNORECASE,
)
_MODIFIED_LINE = re.compile(
    r"(?:\b(?:last|date)[\s-]*(?:updated?|modified|revised|changed|edited|of last (?:update|revision))"
    r"|\b(?:updated|revised|modified|revision date))\s*(?:on|at|date|in)?\s*[:(,–-]?\s*(?:on\s+)?$",
    re.IGNORECASE,
)
# "Vouchers are valid until" is about vouchers: the line has to be a label, to speak of the document, or to end a period.
_UNTIL = (
    r"(?:(?:is |remains |stays )?(?:valid|effective|in (?:force|effect)) (?:until|till|to|through)|expires|expir(?:y|ation)(?: date)?"
    r"|date of expir(?:y|ation))\s*(?:on)?\s*[:–-]?\s*(?:on\s+)?"
)
_UNTIL_LINE = re.compile(
    rf"^\W*{_UNTIL}$|\bthis (?:document|page|policy|guide|article|version|specification|manual|procedure|standard|notice|agreement"
    rf"|price list|directive|regulation)\s+(?:(?:will|shall)\s+expire\s+(?:on\s+)?|{_UNTIL})$",
    re.IGNORECASE,
)
_UNTIL_OF_PERIOD = re.compile(rf"\s*[,;(]?\s*(?:(?:to|until|till|through|–|—|-)|(?:and )?{_UNTIL})\s*", re.IGNORECASE)
_OWNER_LINE = re.compile(
    r"^\W*(?:(?:document |page |policy |content )?owner|maintainer|author|contact person|responsible)\s*:\s*(?P<a>[^|;]{2,80}?)\s*$"
    r"|^\W*(?:this (?:document|page|policy|guide|manual|procedure|project|repository) is )?(?:maintained|owned) by\s*:?\s+"
    r"(?P<b>[^|;,.()]{2,60}?(?:\.(?=\w)[^|;,.()]{1,40})*)\s*(?:[.,;|(]|$)",
    re.IGNORECASE,
)
_STATUS_LINE = re.compile(
    r"^\W*(?:status\s*:\s*)?(?P<bare>superseded|deprecated|obsolete|archived|withdrawn|draft)\b\W*(?:$|[:.!–—-]|by\b|in favou?r\b)"
    r"|\bthis (?:document|page|policy|guide|article|version|specification|file|manual|procedure|standard|repository|project)"
    r"\s+(?:has been|is|was)(?:\s+(?:now|no longer|officially|an?))?\s+"
    r"(?P<said>superseded|deprecated|obsolete|archived|replaced|withdrawn|outdated|maintained|draft)\b",
    re.IGNORECASE,
)
_NEAR_TOP, _NEAR_END = 14, 6
_SHORT = 240
_LINE = "visible line"
_PROPERTIES = "document properties"
_SOURCES = {
    "html": "meta tag",
    **dict.fromkeys(
        ("pdf", "docx", "xlsx", "xls", "xlsb", "pptx", "odt", "ods", "odp", "epub", "rtf", "spreadsheet", "presentation"),
        _PROPERTIES,
    ),
    **dict.fromkeys(("eml", "msg", "mbox", "mail", "email"), "message header"),
    **dict.fromkeys(("json", "jsonl", "parquet", "record", "csv", "tsv"), "record"),
    **dict.fromkeys(("confluence", "mediawiki", "zendesk", "intercom", "notion"), "export"),
}
"""Where the metadata fields of a format stand; elsewhere it is front matter."""


@dataclass(frozen=True, slots=True)
class Meta:
    """Owner, dates and status of a document, as far as it states them.

    `published` is the date that counts where no other is stated: of publication, of issue or of the last change. `modified` is only
    what is called a change.
    """

    owner: str | None = None
    published: StatedDate | None = None
    effective: StatedDate | None = None
    status: str | None = None  # superseded | deprecated | obsolete | archived | withdrawn | draft
    owner_source: str | None = None
    effective_to: StatedDate | None = None
    modified: StatedDate | None = None


def read(parsed: Parsed, code: str = "en", *, record: bool = False) -> Meta:
    """Metadata of a parsed document; `code` is its language. The fields of a `record` come from beside its text."""
    source = _SOURCES.get(parsed.format, "front matter")
    if record and source in ("front matter", "meta tag"):
        source = "record"
    fields = {name.lower(): value for name, value in parsed.fields.items()}
    known = _DATE_LANGUAGES.get(code, code)
    stated = {kind: _dated(fields, names, source, known) for kind, names in _DATE_FIELDS.items()}
    owner = next((text for name in _OWNER_FIELDS if (text := _owner(fields.get(name, "")))), None)
    visible = _visible(parsed.blocks)
    seen: dict[str, StatedDate] = {}
    for text in visible:
        for kind, value in _dates_of_line(text):
            seen.setdefault(kind, StatedDate(value, _LINE))
    seen_owner = next((text for line in visible if (text := _owner_of_line(line))), None)
    by_program = source == _PROPERTIES
    dated = {kind: (seen.get(kind) or field) if by_program else (field or seen.get(kind)) for kind, field in stated.items()}
    owned = [(text, where) for text, where in ((owner, source), (seen_owner, _LINE)) if text]
    found, owner_source = (owned[-1] if by_program else owned[0]) if owned else (None, None)
    return Meta(
        owner=found,
        published=dated["published"],
        effective=dated["effective"],
        status=_status(fields, parsed.blocks),
        owner_source=owner_source,
        effective_to=dated["until"],
        modified=dated["modified"],
    )


_DATE_FIELDS = {
    "published": _PUBLISHED_FIELDS,
    "effective": _EFFECTIVE_FIELDS,
    "until": _UNTIL_FIELDS,
    "modified": _MODIFIED_FIELDS,
}
_DATE_LANGUAGES = {language.UNDETERMINED: "en", "no": "nb"}  # as the date parser calls them


def _visible(blocks: Sequence[Block]) -> list[str]:
    """Texts of the blocks near the top and the end, where documents state things about themselves."""
    body = [block for block in blocks if block.kind not in {BlockKind.CODE, BlockKind.QUOTE} and "struck" not in block.flags]
    front = [block for block in body if block.kind is BlockKind.FIELD]
    rest = [block for block in body if block.kind is not BlockKind.FIELD]
    chosen = rest[:_NEAR_TOP] + rest[max(len(rest) - _NEAR_END, _NEAR_TOP) :]
    return [block.text.replace(" | ", ": ", 1) if block.kind is BlockKind.ROW else block.text for block in chosen] + [
        block.text for block in front[:_NEAR_TOP]
    ]


def _dated(fields: Mapping[str, str], names: Iterable[str], source: str, language: str) -> StatedDate | None:
    for name in names:
        if (value := fields.get(name)) and (found := dates.parse(value, language)):
            return StatedDate(found, source)
    return None


def _dates_of_line(text: str) -> list[tuple[str, date]]:
    """Dates of a short passage that are introduced as its own ("Last updated", "Effective"), with what they are."""
    found: list[tuple[str, date]] = []
    if len(text) > _SHORT and not (text[:60].lower().startswith(("last ", "effective", "updated", "published"))):
        return found
    since = -1  # where the date ends from which the document holds
    for match in dates.DATE.finditer(text[: 2 * _SHORT]):
        before = text[max(match.start() - 60, 0) : match.start()]
        kind = "effective" if _EFFECTIVE_LINE.search(before) else "published" if _PUBLISHED_LINE.search(before) else ""
        if not kind and text[: match.start()].strip(" \t*_(—–-") == "" and len(text) <= len(match.group()) + 6:
            kind = "published"  # a date that stands alone
        if not kind and _ends(text, since, match.start()):
            kind = "until"
        value = dates.from_match(match) if kind else None
        if kind == "effective":
            since = match.end()
        if kind and value:
            found.append((kind, value))
            if kind == "published" and _MODIFIED_LINE.search(before):
                found.append(("modified", value))
    return found


def _ends(text: str, since: int, position: int) -> bool:
    """Whether the date at this position is called the end of the document's validity."""
    if since >= 0 and _UNTIL_OF_PERIOD.fullmatch(text, since, position):
        return True
    return _UNTIL_LINE.search(text[:position]) is not None


def _owner_of_line(text: str) -> str | None:
    match = _OWNER_LINE.search(text) if len(text) <= _SHORT else None
    return _owner(match["a"] or match["b"]) if match else None


def _owner(text: str | None) -> str | None:
    """An owner as stated; placeholders and template code are none."""
    text = " ".join((text or "").split()).strip(" .*_")
    if (
        not text
        or len(text) > 120
        or text.lower() in {"tbd", "tba", "n/a", "none", "unknown", "todo", "-"}
        or "{{" in text
        or text[0] == "<"
    ):
        return None
    return text


def _status(fields: Mapping[str, str], blocks: Sequence[Block]) -> str | None:
    stated = fields.get("status", "").lower()
    for word in _STATUS_WORDS:
        if re.match(rf"\W*{word}\b", stated):
            return word
        if fields.get(word, "").lower() in {"true", "yes"}:
            return word
    if fields.get("superseded_by") or fields.get("superseded-by") or fields.get("superseded by"):
        return "superseded"
    opening = [block for block in blocks if block.kind not in {BlockKind.FIELD, BlockKind.CODE, BlockKind.HEADING}][:4]
    for block in opening:
        label = block.container if block.flags & {"note", "quote"} else ""
        for text in (block.text[:_SHORT], label):
            match = _STATUS_LINE.search(text)
            if not match:
                continue
            word = (match["bare"] or match["said"]).lower()
            negative = "no longer" in match.group().lower()
            if word == "maintained":
                return "obsolete" if negative else None
            if not negative:
                return {"replaced": "superseded", "outdated": "obsolete"}.get(word, word)
    return None
