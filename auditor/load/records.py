"""Records: JSON lines, and JSON files that hold one list of them. Every record with text in it is a document.

The first records of a file decide which fields say what (`record_fields.py`); then all of them are read one by one.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from typing import BinaryIO, TypeAlias

from auditor.load import help_centre
from auditor.load.config import MEBIBYTE, LoadConfig, RecordFields
from auditor.load.decode import decode
from auditor.load.discover import escaped
from auditor.load.json_lists import lists, single
from auditor.load.record_fields import Profile, Record, choose
from auditor.load.record_values import Malformed, clean, parse
from auditor.ports import LoadError, Member, NotADocument, Unread

MAX_JSON = 64 * MEBIBYTE
"""A JSON file has to be in memory as a whole; what is larger is to be JSON lines."""

_SAMPLE = 200  # records that decide about the fields
_MAX_UNREAD = 50  # broken lines that are named one by one
_MAX_VALUES = 4_000_000  # objects and separators of a JSON file, which take up to 600 MB
_LOOKED_AT = 50_000
_HTML = re.compile(
    r"</(?:p|div|h[1-6]|ul|ol|li|table|tr|td|a|strong|em|b|i|span|section|article|blockquote|pre|code)\s*>|<br\s*/?>|<p\b[^<>]{0,200}>",
    re.IGNORECASE,
)
_MARKDOWN_LINE = re.compile(r"^(?:#{1,6} \S|```|~~~|\|[^\n]{1,2000}\|[ \t]*$)", re.MULTILINE)
_MARKDOWN = re.compile(r"\*\*[^\s*][^*\n]{0,200}\*\*|\[[^\]\n]{1,200}\]\([^)\s]{1,500}\)|`[^`\n]{1,200}`|^> \S", re.MULTILINE)
_LIST_OF_OBJECTS = re.compile(r"\s*(?:\{[^{}\[\]]{0,2000})?\[\s*\{")
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_OWN = (
    frozenset({"doc_a", "doc_b", "label"}),
    frozenset({"path_a", "path_b", "anchor_a"}),
    frozenset({"text_a", "text_b", "label"}),
    frozenset({"conflict_id", "content_hash"}),
    frozenset({"query", "docs", "conflict_type", "must_cite"}),
    frozenset({"cluster_id", "entity_key"}),
    frozenset({"chunk_id", "text_hash"}),
    frozenset({"path", "published_source", "effective_source", "statements"}),
)
"""Fields of the files that this program writes and is evaluated with; they are about documents and are none."""


@dataclass(frozen=True, slots=True)
class Row:
    """A record of a file, or why it is none. `size` is about what it takes in memory."""

    number: int  # counted from 1: the line, or the place in the list
    record: Mapping[str, object] | None
    reason: str = ""
    size: int = 0


Rows: TypeAlias = Callable[[], Iterator[Row]]
"""Reads the records from the beginning."""


class JsonLinesContainer:
    """One record a line."""

    id = "jsonl"

    def accepts(self, name: str, head: bytes) -> bool:
        """By file name only."""
        return name.endswith((".jsonl", ".ndjson", ".jsonlines"))

    def members(self, file: BinaryIO, name: str, config: LoadConfig) -> Iterator[Member | Unread]:
        """The records, by line."""
        size = check_size(file, config.max_container_bytes)
        file.seek(0)
        if file.read(2) in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE}:
            file = BytesIO(decode(_whole(file, size)).encode())
        profile = sampled(lambda: _lines(file, config.max_bytes))
        if not profile.count:  # a list, or records that are laid out over several lines
            first = next(_lines(file, config.max_bytes), Row(1, None, "empty"))
            try:
                yield from _from_json(file, config, self.id)
            except (LoadError, NotADocument):
                raise LoadError(first.reason.replace("line 1: not JSON", "not JSON lines: line 1: not JSON")) from None
            return
        yield from members_of(lambda: _lines(file, config.max_bytes), profile, config, self.id)


class JsonContainer:
    """A list of records, or an object that holds one. Other JSON files are no documents."""

    id = "json"

    def accepts(self, name: str, head: bytes) -> bool:
        """By file name only."""
        return name.endswith(".json")

    def members(self, file: BinaryIO, name: str, config: LoadConfig) -> Iterator[Member | Unread]:
        """The records, in the order of the file."""
        yield from _from_json(file, config, self.id)


def members_of(
    rows: Rows,
    profile: Profile,
    config: LoadConfig,
    form: str,
    *,
    few_words: bool = True,
    context: Mapping[str, object] | None = None,
) -> Iterator[Member | Unread]:
    """The documents of records. Raises `NotADocument` for files of this program, `LoadError` where no field is recognised as text."""
    if any(own <= profile.names for own in _OWN):
        raise NotADocument(form)
    if not profile.count:
        raise LoadError("empty: it holds no records")
    shape = None if config.records.text else help_centre.shape(profile.names, context or {})
    chosen = choose(profile, config.records, few_words=few_words) if shape is None else None
    if shape is None and chosen is None:
        raise LoadError(f"no field is recognised as text; there are {profile.fields()}: name one with --text-field")
    parts: dict[str, int] = {}
    unread = without = count = 0
    for row in rows():
        if row.record is None:
            unread += 1
            if unread <= _MAX_UNREAD:
                yield Unread(_part(f"line {row.number}", parts), row.reason, form)
            continue
        count += 1
        found = shape.read(row.record) if shape is not None else [chosen.read(row.record)] if chosen is not None else []
        if not any(record.text for record in found):
            without += 1
        for record in found:
            if record.text:
                yield _member(record, row.number, parts, shape.id if shape is not None else form, config.max_bytes)
    if unread > _MAX_UNREAD:
        yield Unread("", f"{unread - _MAX_UNREAD} more lines are no records", form)
    if without:
        fields = f" in “{'”, “'.join(chosen.text[:3])}”" if chosen is not None else ""
        yield Unread("", f"{without} of {count} records hold no text{fields}", form)


def sampled(rows: Rows) -> Profile:
    """What the first records hold."""
    profile = Profile()
    size = 0
    for row in islice(rows(), 10 * _SAMPLE):
        if row.record is None:
            continue
        profile.add(row.record)
        size += row.size
        if profile.count == _SAMPLE or size > MAX_JSON:
            break
    return profile


def check_size(file: BinaryIO, limit: int) -> int:
    """The size of a file. Raises `LoadError` if it is above the limit."""
    size = file.seek(0, 2)
    if size > limit:
        raise LoadError(f"larger than the limit: {size / MEBIBYTE:.1f} of {limit / MEBIBYTE:.1f} MiB")
    return size


def _member(record: Record, number: int, parts: dict[str, int], form: str, limit: int) -> Member | Unread:
    part = _part((record.identity or str(number)) + record.part, parts)
    data = record.text.encode()
    if len(data) > limit:
        return Unread(part, f"larger than the limit: {len(data) / MEBIBYTE:.1f} of {limit / MEBIBYTE:.1f} MiB", form)
    return Member(part, f"record.{look(record.text)}", data, record.title, record.fields, form, lines=False)


def _part(identity: str, parts: dict[str, int]) -> str:
    """What a record is called in the id of its document; one that was there before gets a number."""
    identity = _UNSAFE.sub(lambda match: f"%{ord(match.group()):02X}", escaped(clean(identity)))
    while (count := parts.get(identity, 0)) > 0:
        parts[identity] = count + 1
        identity = f"{identity}-{count + 1}"
    parts[identity] = 1
    return f"#{identity}"


def look(text: str) -> str:
    """The extension for a text: "html", "md" or "txt"."""
    beginning = text[:_LOOKED_AT]
    if _HTML.search(beginning) and not _MARKDOWN_LINE.search(beginning):
        return "html"
    return "md" if _MARKDOWN_LINE.search(beginning) or _MARKDOWN.search(beginning) else "txt"


# -- JSON lines --------------------------------------------------------------------------------------------------------------------


def _lines(file: BinaryIO, limit: int) -> Iterator[Row]:
    file.seek(0)
    number = 0
    while line := file.readline(limit + 1):
        number += 1
        if len(line) > limit:
            while line and not line.endswith(b"\n"):
                line = file.readline(MEBIBYTE)
            yield Row(number, None, f"line {number}: larger than the limit of {limit / MEBIBYTE:.1f} MiB")
        elif line.strip():
            yield _row(number, line)


def _row(number: int, line: bytes) -> Row:
    try:
        value = parse(decode(line))
    except (Malformed, LoadError) as error:
        return Row(number, None, f"line {number}: {error}")
    if isinstance(value, str):
        value = {"text": value}
    if not isinstance(value, dict):
        return Row(number, None, f"line {number}: not an object")
    return Row(number, value, size=10 * len(line))


# -- JSON --------------------------------------------------------------------------------------------------------------------------


def _from_json(file: BinaryIO, config: LoadConfig, form: str) -> Iterator[Member | Unread]:
    size = check_size(file, config.max_container_bytes)
    if size > MAX_JSON:
        raise LoadError(f"JSON of {size / MEBIBYTE:.0f} MiB is not read; from {MAX_JSON // MEBIBYTE} MiB on, save it as JSON lines")
    text = decode(_whole(file, size))
    if text.count(",") + text.count("{") + text.count("[") > _MAX_VALUES:
        raise LoadError(f"JSON of more than {_MAX_VALUES:,} values is not read")
    try:
        value = parse(text)
    except Malformed as error:
        if _LIST_OF_OBJECTS.match(text):
            raise LoadError(str(error)) from None
        raise NotADocument(form) from None  # settings with comments, templates
    del text
    named = config.records
    configured = named != RecordFields()
    refused: LoadError | None = None
    for found in lists(value, any_name=configured):
        rows = _rows_of(found.records)
        try:
            yield from members_of(rows, sampled(rows), config, form, few_words=False, context=found.around)
        except LoadError as error:
            refused = refused or (error if found.usual else None)
            continue
        return
    if configured and refused is not None:
        raise refused
    if (record := single(value)) is not None:
        rows = _rows_of([record])
        profile = sampled(rows)
        if _is_article(record, profile, named) or help_centre.shape(profile.names, {}) is not None:
            yield from members_of(rows, profile, config, form, few_words=False)
            return
    raise NotADocument(form)


def _is_article(record: Mapping[str, object], profile: Profile, named: RecordFields) -> bool:
    """Whether an object of its own is a page of an export rather than somebody's settings."""
    if named.text:
        return named.text in profile.seen
    chosen = choose(profile, RecordFields(), few_words=False)
    if chosen is None:
        return False
    read = chosen.read(record)
    dated = bool({"last updated", "published", "created", "date"} & set(read.fields))
    return len(read.text) >= 200 and bool(read.title) and (bool(read.identity) or dated)


def _rows_of(records: Sequence[object]) -> Rows:
    def rows() -> Iterator[Row]:
        for number, record in enumerate(records, start=1):
            if isinstance(record, dict):
                yield Row(number, record)

    return rows


def _whole(file: BinaryIO, size: int) -> bytes:
    if size > MAX_JSON:
        raise LoadError(f"larger than the limit: {size / MEBIBYTE:.1f} of {MAX_JSON // MEBIBYTE} MiB")
    file.seek(0)
    return file.read(MAX_JSON + 1)
