"""`proposals.patch`: a unified diff that would bring losing sides in line, for somebody to read and apply with `git apply`.

A proposal is made only where nothing has to be phrased anew: the words of the losing value stand once in the quote, the words of the
value to follow stand in the other quote, and one takes the place of the other. What is not proposed is listed with the reason. No
document is ever changed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from auditor.errors import UserError
from auditor.format.source_text import NotEditable, SourceText
from auditor.format.text import one_line, visible
from auditor.format.unified import file_diff
from auditor.model import Conflict, DocumentRow, ScanResult, Side
from auditor.store import in_order
from auditor.verdict import decision, followed, is_dismissed

_KINDS = ("numeric", "date", "identifier", "entity")
_FIELDS = (("value",), ("name",))
_TEXT_FORMATS = ("markdown", "text", "rst")
"""Formats whose extracted text is the file's own, so that a position in one is a position in the other."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement in a document: `start:end` of its text, what stands there, and what would."""

    conflict: Conflict
    doc: str
    start: int
    end: int
    before: str
    after: str


class PatchFormat:
    """Writes `proposals.patch`. `corpus` is the folder that was scanned: the diff is made from the files as they are now."""

    id = "patch"
    filename = "proposals.patch"

    def __init__(self, corpus: Path) -> None:
        self.corpus = corpus

    def write(self, result: ScanResult, path: Path) -> None:
        """Write the diff. Raises `UserError` when the corpus is not there."""
        path.write_bytes(render_patch(result, self.corpus))


def render_patch(result: ScanResult, corpus: Path) -> bytes:
    """The patch: comment lines that say what is proposed and what is not, then the diff of each file, paths relative to `corpus`.

    Raises `UserError` when `corpus` is no folder.
    """
    if not corpus.is_dir():
        raise UserError(f"{corpus}: no such folder; give the folder that was scanned, a patch is made from its files")
    documents = {row.path: row for row in result.documents}
    sources: dict[str, SourceText] = {}
    edits: dict[str, list[Edit]] = {}
    refused: list[tuple[Conflict, str]] = []
    for conflict in in_order(result.conflicts):
        try:
            edit = propose(conflict)
            if edit.doc not in sources:
                sources[edit.doc] = _read(corpus, documents.get(edit.doc), edit.doc)
            _check(edit, _loser(conflict), sources[edit.doc], edits.get(edit.doc, ()))
        except NotEditable as reason:
            refused.append((conflict, str(reason)))
        else:
            edits.setdefault(edit.doc, []).append(edit)
    parts = [_header(result, sources, edits, refused)]
    for doc in sorted(edits):
        source = sources[doc]
        changes = {(source.raw(e.start), source.raw(e.end)): e.after for e in edits[doc]}
        parts.append(file_diff(source.path, source.content, changes))
    return "".join(parts).encode("utf-8", "replace")


def propose(conflict: Conflict) -> Edit:
    """The replacement that would settle a conflict. Raises `NotEditable` with the reason why there is none."""
    side = followed(conflict)
    if is_dismissed(conflict):
        raise NotEditable("dismissed: no contradiction")
    if side is None:
        raise NotEditable("no side is to be followed")
    if conflict.tier == "advisory" and decision(conflict) is None:
        raise NotEditable("only a hint (advisory)")
    if conflict.kind not in _KINDS or conflict.fields not in _FIELDS:
        raise NotEditable("a change of wording, not of a value")
    winner, loser = (conflict.a, conflict.b) if side == "a" else (conflict.b, conflict.a)
    if limit := _limit(winner, loser):
        raise NotEditable(f"only one side is limited to “{one_line(limit, 60)}”: it may be an exception to the other")
    after, position = _words(winner, "to follow")
    before, start = _words(loser, "to replace")
    if before.casefold() == after.casefold():
        raise NotEditable("both sides use the same words for it")
    if _occurrences(after, loser.quote):
        raise NotEditable("the passage names the value to follow as well")
    if position == 0 and winner.value[:1].islower():
        after = after[0].lower() + after[1:]  # a capital of the sentence, not of the word
    if start == 0 and before[0].isupper():
        after = after[0].upper() + after[1:]
    return Edit(conflict, loser.doc, loser.char_start + start, loser.char_start + start + len(before), before, after)


def _limit(a: Side, b: Side) -> str:
    """What only one of two sides is limited to, "" for nothing. A condition made of the value's own words limits nothing."""
    from auditor.resolve.scopes import slots
    from auditor.text.words import STOPWORDS, tokens

    for side, other in ((a, b), (b, a)):
        own = {token.stem for token in tokens(side.value)}
        for name in sorted(slots(side.scope).keys() - slots(other.scope).keys()):
            words = " ".join(sorted(slots(side.scope)[name]))
            if name != "condition" or {token.stem for token in tokens(words) if token.stem not in STOPWORDS} - own:
                return f"{name}: {words}"
    return ""


def _words(side: Side, role: str) -> tuple[str, int]:
    """The words of a side's value as they stand in its quote, and where."""
    found = _occurrences(side.value, side.quote)
    if len(found) != 1:
        how = "stands more than once in its passage" if found else "does not stand word for word in its passage"
        raise NotEditable(f"the value {role}, “{one_line(side.value, 60)}”, {how}")
    words = found[0].group()
    if "\n" in words or "\r" in words:
        raise NotEditable("the value is broken over two lines")
    return words, found[0].start()


def _occurrences(value: str, quote: str) -> list[re.Match[str]]:
    """Where the words of a value stand in a quote, not as a part of a longer word or number."""
    words = value.split()
    if not words:
        return []
    before = r"(?<![^\W_])(?<!\d[.,:/-])(?<![-+$€£¥.])" if words[0][0].isalnum() else ""
    after = r"(?![^\W_])(?![.,:/-]\d)(?!\s?%)" if words[-1][-1].isalnum() else ""
    return list(re.finditer(before + r"\s+".join(map(re.escape, words)) + after, quote, re.IGNORECASE))


def _read(corpus: Path, row: DocumentRow | None, doc: str) -> SourceText:
    """The file of a document, as it was when it was scanned."""
    if row is None or row.format not in _TEXT_FORMATS:
        raise NotEditable(f"{(row.format if row else '') or 'this format'} is not edited as text")
    return SourceText.read(corpus, doc, row.sha256)


def _check(edit: Edit, loser: Side, source: SourceText, others: Iterable[Edit]) -> None:
    """Raise `NotEditable` when the passage is not in the file as quoted, or its words are to be replaced already."""
    if source.text[loser.char_start : loser.char_end] != loser.quote:
        raise NotEditable("the passage is not in the file as quoted: scan again")
    for other in others:
        if edit.start < other.end and other.start < edit.end:
            same = (edit.start, edit.end, edit.after) == (other.start, other.end, other.after)
            raise NotEditable(
                f"{'settled' if same else 'another value is proposed'} by the proposal for {other.conflict.conflict_id}"
            )


def _loser(conflict: Conflict) -> Side:
    return conflict.b if followed(conflict) == "a" else conflict.a


# -- what is said about it ---------------------------------------------------------------------------------------------------------


def _header(
    result: ScanResult,
    sources: Mapping[str, SourceText],
    edits: Mapping[str, list[Edit]],
    refused: list[tuple[Conflict, str]],
) -> str:
    proposed = sum(map(len, edits.values()))
    lines = [
        f"PROPOSAL, not a decision: {proposed:,} of {len(result.conflicts):,} contradictions in {_line(result.corpus)}, by corpus-auditor.",
        "No document has been changed. Read every line and strike out what is wrong before you apply it.",
        "",
    ]
    if proposed:
        lines += [
            "In the folder that was scanned, if it is the root of its repository or in none:",
            "  git apply THIS_FILE",
            "If it is a folder in a repository, from the root of that:",
            "  git apply --directory=FOLDER THIS_FILE",
            "",
        ]
    for doc in sorted(edits):
        for edit in sorted(edits[doc], key=lambda edit: edit.start):
            c = edit.conflict
            winner = c.a if followed(c) == "a" else c.b
            why = "a reviewer" if decision(c) else c.rule_applied[-1] if c.rule_applied else "the rules"
            lines.append(
                f"proposed: {_line(sources[doc].path)}:{sources[doc].line(edit.start)} “{_line(edit.before)}” becomes “{_line(edit.after)}”"
                f" as in {_line(winner.doc)} ({why}; conflict {_line(c.conflict_id)})"
            )
    lines += [
        f"not proposed: {_line(c.a.doc)} / {_line(c.b.doc)}: {_line(reason)} (conflict {_line(c.conflict_id)})"
        for c, reason in refused
    ]
    # Git takes a line for the start of a diff by how it begins; these begin with "#".
    return "".join(f"# {line}".rstrip() + "\n" for line in lines) + "\n"


def _line(text: str) -> str:
    return visible(one_line(text, 300))
