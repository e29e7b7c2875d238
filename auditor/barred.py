"""Statements that are not held against each other at all, whatever their values."""

from __future__ import annotations

import re

from auditor.detect import reasons
from auditor.model import BlockKind, Statement

_NOT_HELD = (
    ("history", reasons.HISTORY, "history is not held against standing text"),
    ("past", reasons.HISTORY, "says what was before"),
    ("hypothetical", reasons.EXAMPLE, "hypothesis, proposal or an opinion reported of others"),
    ("quote", reasons.EXAMPLE, "quotation"),
)


# Headings of a reference: "max_size", "--port", "not_in:foo,bar", "save()"; beside one of these also a plain "timeout".
_CODE_ENTRY = re.compile(
    r"--?[A-Za-z][\w-]*(?:[ =].*)?|[a-z$@][a-z\d$@-]*_[\w$@-]*(?:[:=(]\S*)?|[A-Z\d]+_[A-Z\d_]+|[a-z$@][\w.$-]*(?:\([^()]*\)|:[^\s/]\S*)"
)
_PLAIN_ENTRY = re.compile(r"[a-z][a-z\d]*")
_LONGEST_ENTRY = 80


def barred(sa: Statement, sb: Statement) -> tuple[str, str] | None:
    """Reason why the two statements are not held against each other at all."""
    for flag, reason, detail in _NOT_HELD:
        if flag in sa.flags or flag in sb.flags:
            return reason, detail
    if sa.doc_id == sb.doc_id and sa.group and sa.group == sb.group:
        if sa.kind is BlockKind.ROW and (sa.row_key != sb.row_key or sa.column != sb.column):
            return reasons.SIBLING, "cells of one table"
        if sa.start == sb.start and sa.end == sb.end:
            return reasons.SIBLING, "one passage"
    if sa.doc_id == sb.doc_id and sa.start < sb.end and sb.start < sa.end:
        return reasons.SIBLING, "one passage"
    if (
        BlockKind.HEADING in (sa.kind, sb.kind)
        and sa.doc_id == sb.doc_id
        and sa.heading[: len(sb.heading)] == sb.heading
        and sa.kind is sb.kind
    ):
        return reasons.SIBLING, "headings of one document"
    if _other_entries(sa, sb):
        return reasons.SIBLING, "entries of one reference"
    return None


def _other_entries(sa: Statement, sb: Statement) -> bool:
    """Whether two statements of one document stand below two entries of a reference: each is said of its own entry."""
    if sa.doc_id != sb.doc_id or not sa.heading or not sb.heading or sa.heading[:-1] != sb.heading[:-1]:
        return False
    first, second = (s.heading[-1].strip(" *`").rstrip(".:") for s in (sa, sb))
    if first == second or max(len(first), len(second)) > _LONGEST_ENTRY:
        return False
    code = [bool(_CODE_ENTRY.fullmatch(entry)) for entry in (first, second)]
    return any(code) and all(c or _PLAIN_ENTRY.fullmatch(entry) for c, entry in zip(code, (first, second), strict=True))
