"""Known contradictions and hard negatives, in either of two forms.

*Complete*: one pair a line with `id`, `doc_a`, `doc_b`, `quote_a`, `quote_b`, `label`, and optionally `kind`, `category`, `winner`,
`rule`, `why`, `split`. Every contradiction of the corpus is listed, so a finding outside the list is a false positive.

*Reported*: `path_a`, `path_b`, `anchor_a`, `anchor_b`, `strength`: what people happened to report about a documentation tree.
A finding outside the list is unjudged. Pairs known to be fine stand in `false_alarms.jsonl` of the folder above, by `corpus`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from auditor.errors import UserError

CONTRADICTION, NO_CONTRADICTION = "contradiction", "no_contradiction"
OPEN, SEALED = "open", "sealed"
FALSE_ALARMS = "false_alarms.jsonl"


@dataclass(frozen=True, slots=True)
class GoldPair:
    """Two passages and whether they contradict each other."""

    id: str
    doc_a: str
    doc_b: str
    quote_a: str
    quote_b: str
    contradiction: bool
    kind: str = ""
    category: str = ""
    winner: str = ""  # "a", "b", or "" for none
    rule: str = ""
    why: str = ""
    split: str = OPEN
    optional: bool = False  # debatable: found or not, it does not count


@dataclass(frozen=True, slots=True)
class Gold:
    """All pairs of one corpus."""

    path: Path
    pairs: tuple[GoldPair, ...]
    complete: bool  # whether a finding that is not listed is wrong


@dataclass(frozen=True, slots=True)
class Bench:
    """What there is to evaluate: the folder to scan and the gold to hold against it."""

    corpus: Path
    gold: Gold


def open_bench(folder: Path, gold_file: Path | None = None) -> Bench:
    """The corpus in `folder` with its gold. A reported gold lies beside the `docs` folder it speaks of. Raises `UserError`."""
    path = gold_file or folder / "gold.jsonl"
    gold = read_gold(path)
    corpus = folder
    if not gold.complete and (folder / "docs").is_dir() and path.parent.resolve() == folder.resolve():
        corpus = folder / "docs"
    if not gold.complete:
        alarms = tuple(_false_alarms(folder.resolve().parent / FALSE_ALARMS, folder.resolve().name))
        gold = Gold(gold.path, gold.pairs + alarms, complete=False)
    return Bench(corpus, gold)


def read_gold(path: Path) -> Gold:
    """Read a gold file of either form. Raises `UserError` naming file and line."""
    pairs: list[GoldPair] = []
    forms: set[bool] = set()
    for where, row in read_jsonl(path):
        complete = "doc_a" in row
        forms.add(complete)
        pairs.append(_pair(row, where) if complete else _reported(row, where))
    if not pairs:
        raise UserError(f"{path} holds no pairs")
    if len(forms) > 1:
        raise UserError(f"{path}: lines with doc_a/quote_a and lines with path_a/anchor_a are mixed")
    seen: set[str] = set()
    for pair in pairs:
        if pair.id in seen:
            raise UserError(f"{path}: the id {pair.id} is given twice")
        seen.add(pair.id)
    return Gold(path, tuple(pairs), complete=forms.pop())


def read_jsonl(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """("file:line", record) of a JSON lines file; blank lines are passed over. Raises `UserError`."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8: {error}") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise UserError(f"{path}:{number}: not JSON: {error}") from error
        if not isinstance(row, dict):
            raise UserError(f"{path}:{number}: not an object")
        yield f"{path}:{number}", row


def text_of(row: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    """A text field of a record; null counts as missing. Raises `UserError` when it is missing without a default, or no text."""
    value = row.get(key)
    if value is None:
        if default is None:
            raise UserError(f"{where}: “{key}” is missing")
        return default
    if not isinstance(value, str):
        raise UserError(f"{where}: “{key}” is not a text")
    return value


def is_contradiction(row: Mapping[str, Any], where: str) -> bool:
    """The label of a record. Raises `UserError` for any other word."""
    label = text_of(row, "label", where)
    if label not in (CONTRADICTION, NO_CONTRADICTION):
        raise UserError(f"{where}: label “{label}” is neither {CONTRADICTION} nor {NO_CONTRADICTION}")
    return label == CONTRADICTION


def _pair(row: Mapping[str, Any], where: str) -> GoldPair:
    doc_a, doc_b = text_of(row, "doc_a", where), text_of(row, "doc_b", where)
    split = text_of(row, "split", where, OPEN)
    if split not in (OPEN, SEALED):
        raise UserError(f"{where}: split “{split}” is neither {OPEN} nor {SEALED}")
    return GoldPair(
        id=text_of(row, "id", where),
        doc_a=doc_a,
        doc_b=doc_b,
        quote_a=text_of(row, "quote_a", where),
        quote_b=text_of(row, "quote_b", where),
        contradiction=is_contradiction(row, where),
        kind=text_of(row, "kind", where, ""),
        category=text_of(row, "category", where, ""),
        winner=_winner(text_of(row, "winner", where, ""), doc_a, doc_b, where),
        rule=text_of(row, "rule", where, ""),
        why=text_of(row, "why", where, ""),
        split=split,
    )


def _winner(word: str, doc_a: str, doc_b: str, where: str) -> str:
    """A side; gold may name it by letter or by document."""
    if word.lower() in ("", "none", "null"):
        return ""
    if word.lower() in ("a", "b"):
        return word.lower()
    if doc_a != doc_b and word in (doc_a, doc_b):
        return "a" if word == doc_a else "b"
    raise UserError(f"{where}: winner “{word}” is neither a, b, nor one of the two documents")


def _reported(row: Mapping[str, Any], where: str, *, contradiction: bool = True) -> GoldPair:
    return GoldPair(
        id=text_of(row, "id", where),
        doc_a=text_of(row, "path_a", where),
        doc_b=text_of(row, "path_b", where),
        quote_a=text_of(row, "anchor_a", where),
        quote_b=text_of(row, "anchor_b", where),
        contradiction=contradiction,
        kind=text_of(row, "kind", where, ""),
        why=text_of(row, "notes" if contradiction else "why_fine", where, ""),
        optional=contradiction and text_of(row, "strength", where, "clear") != "clear",
    )


def _false_alarms(path: Path, corpus: str) -> Iterator[GoldPair]:
    if path.is_file():
        for where, row in read_jsonl(path):
            if row.get("corpus") == corpus:
                yield _reported(row, where, contradiction=False)
