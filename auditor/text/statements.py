"""From blocks to chunks and statements: every claim with the context that it needs to be read alone."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from auditor.model import Block, BlockKind, Chunk, Document, Statement
from auditor.rulepack import ScopePack
from auditor.text.sentences import split

MAX_STATEMENT = 1200
"""Characters; a longer "sentence" is data (a minified line, a base64 blob), not a claim."""

_COMMENT = re.compile(r"^\s*(?:#|//|--|;|\*|REM)\s+(.{12,})$")
_HELP = re.compile(r"^\s{1,8}(--?[\w-]+(?:[ =,]\s*[-\w<>\[\]]+)*)\s{2,}(\S.{8,})$")
_DATED_HEADING = re.compile(
    r"^\W*v?\d+(?:\.\d+)+\b.*(?:\d{4}|unreleased)|^\W*\[?(?:19|20)\d\d-\d\d(?:-\d\d)?\]?\W*$|^\W*\[v?\d+\.\d+[^\]]*\]|^\W*(?:version|release)\s+v?\d+(?:\.\d+)+\W*$",
    re.I,
)
_METHOD = re.compile(r"^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$")
_NUMBER_HEADER = re.compile(r"^(?:#|no\.?|nr\.?|id|step|num(?:ber)?)$", re.I)
_NUMBERED = re.compile(r"(?:\S+\s+)?\S*\d\S*|\S{0,3}")  # "3", "Step 2", "REQ-014", "iv."; not "Fix for a high finding"

# A sentence that opens like this speaks of what the sentence before it names.
_REFERS = re.compile(
    r"\W{0,3}(?:it|its|it's|they|their|them|this|these|those|such|both|neither|he|she|his|her|otherwise|in (?:this|that|which) case|if (?:so|not)|"
    r"by default,? (?:it|they|this|these)|the (?:former|latter)|that (?:is|was|will|can|does|means|includes|value|way))\b",
    re.I,
)

_OTHERS_SAY = re.compile(
    r"\b(?:some|many|most|people|critics|others|parents|users|readers|customers)\s+(?:\w+\s+){0,2}(?:believe|think|say|claim|argue|assume|hope|suspect)\b",
    re.I,
)
_FOR_EXAMPLE = re.compile(
    r"^\W*(?:for (?:example|instance)\b|e\.g\.|example:|suppose\b|say\b)|\bfor example, (?:if|when|a|an|the)\b|\be\.g\., if\b", re.I
)
_ONCE = re.compile(r"^\W*(?:until|before|up to|in)\s+(?:the end of\s+)?(?:\w+\s+)?(?:19|20)\d\d,?\s.*\b(?:was|were|had)\b", re.I)
# "2023-01-12 12:26:16 worker[59440] ERROR Failed to log in": a log tells what happened, line by line.
_LOG_LINE = re.compile(
    r"^\W{0,3}(?:\w{1,20}:\s+)?\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?Z?\]?\s+(?:[\w.-]{1,80}(?:\[\d{1,9}\])?:?\s+){0,3}"
    r"\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b"
)


@dataclass(frozen=True, slots=True)
class ContextWords:
    """Compiled word lists that mark a passage as history, example, or not meant as a claim."""

    history: re.Pattern[str]
    history_sentence: re.Pattern[str]
    false_statements: re.Pattern[str]
    hypothetical: re.Pattern[str]
    examples: re.Pattern[str]

    @classmethod
    def of(cls, pack: ScopePack) -> ContextWords:
        """Compile the lists of `scope.toml`."""
        return cls(
            _any(pack.history.headings),
            _any(pack.history.sentence),
            _any(pack.false_statements.headings),
            _any(pack.hypothetical.sentence),
            _any(pack.examples.headings),
        )


def _any(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(r"(?<!\w)(?:" + "|".join(re.escape(w) for w in sorted(words, key=len, reverse=True)) + r")(?!\w)", re.I)


def build(document: Document, words: ContextWords, first_index: int) -> tuple[list[Chunk], list[Statement]]:
    """Chunks and statements of one document, in reading order. `first_index` numbers the first statement."""
    builder = _Builder(document, words, first_index)
    for block in document.blocks:
        builder.add(block)
    builder.close()
    return builder.chunks, builder.statements


class _Builder:
    def __init__(self, document: Document, words: ContextWords, first_index: int) -> None:
        self.doc = document
        self.words = words
        self.next_index = first_index
        self.chunks: list[Chunk] = []
        self.statements: list[Statement] = []
        self.path: list[tuple[int, str]] = []
        self.chunk_start = -1
        self.chunk_end = -1
        self.namesakes: Counter[str] = Counter()  # chunks under one heading path so far: only namesakes are numbered
        self.chunk_id = ""
        self.context_flags: frozenset[str] = frozenset()
        self.repeated = Counter((b.group, b.cells[0].strip()) for b in document.blocks if b.kind is BlockKind.ROW and b.cells)
        self._open_chunk()

    # -- chunks ---------------------------------------------------------------------------------------------------------------

    def _open_chunk(self) -> None:
        self.chunk_start = self.chunk_end = -1
        heading = " › ".join(t for _, t in self.path)
        self.namesakes[heading] += 1
        digest = hashlib.sha256(f"{self.doc.doc_id}\0{heading}\0{self.namesakes[heading]}".encode()).hexdigest()[:12]
        self.chunk_id = f"{self.doc.doc_id}:{digest}"
        self.context_flags = self._flags_of_path()

    def close(self) -> None:
        """End the current chunk."""
        if self.chunk_start < 0:
            return
        text = self.doc.text[self.chunk_start : self.chunk_end]
        self.chunks.append(
            Chunk(
                self.chunk_id,
                self.doc.doc_id,
                self.chunk_start,
                self.chunk_end,
                tuple(t for _, t in self.path),
                hashlib.sha256(" ".join(text.split()).encode()).hexdigest(),
            )
        )

    def _flags_of_path(self) -> frozenset[str]:
        flags = set()
        if self.doc.history:
            flags.add("history")
        for depth, (_, title) in enumerate(self.path):
            is_document_title = depth == 0 and title == self.doc.title
            if (self.words.history.search(title) and not is_document_title) or _DATED_HEADING.search(title):
                flags.add("history")
            if self.words.false_statements.search(title):
                flags.add("false")
            if self.words.examples.search(title):
                flags.add("example")
        if self.words.false_statements.search(self.doc.title):
            flags.add("false")
        return frozenset(flags)

    # -- statements -----------------------------------------------------------------------------------------------------------

    def add(self, block: Block) -> None:
        """Take in the next block."""
        if block.kind is BlockKind.HEADING:
            self.close()
            while self.path and self.path[-1][0] >= block.level:
                self.path.pop()
            self.path.append((block.level, block.text))
            self._open_chunk()
        if self.chunk_start < 0:
            self.chunk_start = block.start
        self.chunk_end = max(self.chunk_end, block.end)
        for statement in self._statements_of(block):
            self.statements.append(statement)
            self.next_index += 1

    def _statements_of(self, block: Block) -> Iterator[Statement]:
        match block.kind:
            case BlockKind.ROW:
                yield from self._row(block)
            case BlockKind.CODE:
                yield from self._code(block)
            case BlockKind.FIELD | BlockKind.DEFINITION:
                name, value = (*block.cells, "", "")[:2]
                if name and value:
                    reading = f"{name}: {value}"
                    yield self._make(block, reading, len(name) + 2, block.start, block.end, row_key=name)
            case _:
                yield from self._sentences(block)

    def _sentences(self, block: Block) -> Iterator[Statement]:
        lead = block.lead_in.strip()
        prefix = f"{lead} " if lead else ""
        last = ""
        for start, end in split(block.text):
            if end - start > MAX_STATEMENT:
                last = ""
                continue
            own = block.text[start:end]
            before, last = last if _REFERS.match(own) else "", own
            source_start = self._open(block.to_source(start), block.start)
            source_end = max(block.to_source(end - 1) + 1, source_start + 1)
            source_end = self._widen(source_end, block.end)
            yield self._make(block, prefix + own, len(prefix), source_start, source_end, lead_in=lead, before=before)

    def _open(self, start: int, limit: int) -> int:
        """Take opening markup into the quote, so that it does not begin inside of it."""
        while start > limit and self.doc.text[start - 1] in "*_`~":
            start -= 1
        return start

    def _widen(self, end: int, limit: int) -> int:
        """Take closing markup into the quote, so that it does not end inside of it."""
        while end < limit and self.doc.text[end] in '*_`~)>"”’':
            end += 1
        return end

    def _row(self, block: Block) -> Iterator[Statement]:
        cells, header = block.cells, block.header
        if len(cells) < 2:
            return
        first = cells[0].strip(" `*")
        leads = (header and _NUMBER_HEADER.match(header[0].strip()) and _NUMBERED.fullmatch(first)) or _METHOD.match(first)
        key_at = 1 if leads and len(cells) > 2 else 0
        key = cells[key_at].strip()
        if self.repeated.get((block.group, key), 0) > 1 and len(cells) > key_at + 2:
            # Several rows of one name: the next cell tells them apart ("Pro | 1024 px | $0.10", "Pro | 4096 px | $0.15").
            key_at += 1
            key = f"{key} {cells[key_at].strip()}"
        lists = tuple(c for c in cells if c.count(",") >= 2 or (c.count(" and ") + c.count(",") >= 1 and len(c) < 200))
        for i, cell in enumerate(cells):
            cell = cell.strip()
            if i <= key_at or not cell or len(cell) > MAX_STATEMENT:
                continue
            column = header[i].strip() if i < len(header) else ""
            prefix = f"{key}, {column}: " if column and key else f"{key or column}: "
            yield self._make(
                block,
                prefix + cell,
                len(prefix),
                block.start,
                block.end,
                row_key=key,
                column=column,
                row_lists=tuple(c for c in lists if c != cell),
            )

    def _code(self, block: Block) -> Iterator[Statement]:
        """Only what is written for people: comments and command-line help."""
        offset = block.start
        for line in self.doc.text[block.start : block.end].splitlines(keepends=True):
            stripped = line.rstrip("\r\n")
            if found := _HELP.match(stripped):
                option, text = found.groups()
                reading = f"{option}: {text}"
                yield self._make(
                    block, reading, len(option) + 2, offset + found.start(1), offset + len(stripped), row_key=option, code=True
                )
            elif found := _COMMENT.match(stripped):
                yield self._make(block, found.group(1), 0, offset + found.start(1), offset + len(stripped), code=True)
            offset += len(line)

    def _make(
        self,
        block: Block,
        reading: str,
        body: int,
        start: int,
        end: int,
        *,
        lead_in: str = "",
        row_key: str = "",
        column: str = "",
        row_lists: tuple[str, ...] = (),
        before: str = "",
        code: bool = False,
    ) -> Statement:
        flags = set(block.flags) | self.context_flags
        if code:
            flags.add("code")
        own = reading[body:]
        if self.words.hypothetical.search(own) or _OTHERS_SAY.search(own):
            flags.add("hypothetical")
        if _FOR_EXAMPLE.search(own):
            flags.add("example")
        if self.words.history_sentence.search(own) or _ONCE.search(own) or _LOG_LINE.match(own):
            flags.add("past")
        if self.words.false_statements.search(block.lead_in) or self.words.false_statements.search(block.container):
            flags.add("false")
        return Statement(
            index=self.next_index,
            doc_id=self.doc.doc_id,
            chunk_id=self.chunk_id,
            kind=block.kind,
            text=reading,
            body=body,
            start=start,
            end=end,
            heading=tuple(t for _, t in self.path),
            title=self.doc.title,
            lead_in=lead_in,
            row_key=row_key,
            column=column,
            caption=block.caption,
            container=block.container,
            group=block.group,
            row_lists=row_lists,
            before=before,
            flags=frozenset(flags),
        )
