"""Pairs of statements of whole stores, for the pair readers to learn from: what a gold list names, and near neighbours that nobody labelled."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from auditor import scan
from auditor.block.neighbours import neighbours
from auditor.config import load_config
from auditor.embed import get_encoder
from auditor.embed.reader import DIFFER, reading
from auditor.load import load_corpus
from auditor.model import BlockKind, Document, Statement
from auditor.rulepack import load_rules
from auditor.text.statements import ContextWords, build
from auditor.topic_vectors import alone, in_context
from scripts.fit_score import finder, unread
from scripts.reader_data import MINED_TREES, NOT_DIFFER, PER_TREE

Pair = tuple[str, str]


@dataclass(frozen=True)
class Listed:
    """What a corpus with a gold list teaches: its pairs with their labels, near neighbours that are not listed, shuffled, and all readings."""

    labelled: list[tuple[str, str, int]]
    unlisted: list[Pair]
    readings: list[str]


def open_pairs(folder: Path) -> list[Pair]:
    """Half of the pairs of a corpus that comparison left open or in doubt, without those that the gold list calls contradictions."""
    audit = scan.analyse(scan.ScanOptions(folder, load_config(folder, None), as_of=date(2026, 1, 1)), rules=unread(load_rules()))
    at = finder(audit.documents, audit.statements)
    known: set[tuple[int, int]] = set()
    for line in (folder / "gold.jsonl").read_text(encoding="utf-8").splitlines():
        gold = json.loads(line)
        if gold["label"] == "contradiction":
            sides = at(gold["doc_a"], gold["quote_a"]), at(gold["doc_b"], gold["quote_b"])
            known |= {(min(i, j), max(i, j)) for i in sides[0] for j in sides[1]}

    found = []
    for i, j in audit.looks.second.pairs:
        if (min(i, j), max(i, j)) in known:
            continue
        pair = (reading(audit.statements[i]), reading(audit.statements[j]))
        if hashlib.md5("".join(pair).encode(), usedforsecurity=False).digest()[0] % 2 == 0:
            found.append(pair)
    return found


def tree_pairs(bench: Path | None) -> list[Pair]:
    """Near neighbours among the statements of public documentation trees, a sample of each."""
    found: list[Pair] = []
    for name in MINED_TREES if bench else ():
        found.extend(near_pairs(Path(str(bench)) / "field" / name / "docs", (5,), 3, 0.4, 0.97)[:PER_TREE])
    return found


def near_pairs(folder: Path, nearest: Sequence[int], words: int, least: float, most: float = 1.0) -> list[Pair]:
    """Near neighbours among the statements of a folder, shuffled: so many by their own words and, if there is a second number, so
    many with title and heading."""
    plain = [s for s in _statements(folder)[1] if "code" not in s.flags and s.text.count(" ") >= words]
    return _read(plain, _near(plain, nearest, least, most))


def listed(folder: Path) -> Listed:
    """The pairs of a corpus. Neighbours are sought by vectors of the static table, as near passages are in a large store."""
    documents, plain = _statements(folder)
    at = finder(documents, plain)
    labels: dict[tuple[int, int], int] = {}
    for line in (folder / "gold.jsonl").read_text(encoding="utf-8").splitlines():
        gold = json.loads(line)
        label = DIFFER if gold["label"] == "contradiction" else NOT_DIFFER
        for i in at(gold["doc_a"], gold["quote_a"]):
            for j in at(gold["doc_b"], gold["quote_b"]):
                if i != j and labels.get((min(i, j), max(i, j))) != DIFFER:
                    labels[min(i, j), max(i, j)] = label
    labelled = [(reading(plain[i]), reading(plain[j]), label) for (i, j), label in labels.items()]
    unlisted = _read(plain, _near(plain, (7, 6), 0.25, 1.0) - labels.keys())
    return Listed(labelled, unlisted, [reading(s) for s in plain])


def _statements(folder: Path) -> tuple[list[Document], list[Statement]]:
    """The documents of a folder and their statements, without headings and questions."""
    context = ContextWords.of(load_rules().scope)
    documents, _ = load_corpus(folder, config=load_config(folder, None).load_config())
    statements: list[Statement] = []
    for document in documents:
        statements.extend(build(document, context, len(statements))[1])
    return documents, [s for s in statements if s.kind is not BlockKind.HEADING and not s.text.rstrip().endswith("?")]


def _near(plain: Sequence[Statement], nearest: Sequence[int], least: float, most: float) -> set[tuple[int, int]]:
    """Near neighbours that do not say the same words, as places in `plain`."""
    pairs: set[tuple[int, int]] = set()
    for text, k in zip((alone, in_context), nearest, strict=False):
        near = neighbours(get_encoder("static").encode([text(s) for s in plain]), k, least)
        apart = near.similarity < most
        drawn = zip(near.first[apart].tolist(), near.second[apart].tolist(), strict=True)
        pairs |= {(min(i, j), max(i, j)) for i, j in drawn if plain[i].text != plain[j].text}
    return pairs


def _read(plain: Sequence[Statement], pairs: set[tuple[int, int]]) -> list[Pair]:
    shuffled = sorted(pairs)
    random.shuffle(shuffled)
    return [(reading(plain[i]), reading(plain[j])) for i, j in shuffled]
