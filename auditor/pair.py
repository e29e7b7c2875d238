"""Comparison of two bare texts, without a corpus around them and without blocking."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from auditor.compare import Compared, Judge
from auditor.extract.facts import Extractor
from auditor.features import FeatureMaker, Rarity
from auditor.looks import Looks
from auditor.model import Block, BlockKind, Document, Finding, Rejection, Statement
from auditor.rulepack import RulePack, load_rules
from auditor.text.inline import clean
from auditor.text.statements import ContextWords, build
from auditor.word_vectors import WordVectors

if TYPE_CHECKING:
    from auditor.ports import Encoder

# "Backups, retention: 30 days": a table cell written out
_TABLE_ROW = re.compile(r"^(?P<key>[^,:.!?]{2,60}), (?P<column>[^,:.!?]{2,40}): (?P<value>.{1,80})$")


def judge_pair(
    text_a: str,
    text_b: str,
    *,
    title_a: str = "",
    title_b: str = "",
    heading_a: str = "",
    heading_b: str = "",
    rules: RulePack | None = None,
    encoder: Encoder | None = None,
    topic_encoder: Encoder | None = None,
    wording: bool = True,
) -> tuple[list[Finding], list[Rejection]]:
    """Compare two bare texts without blocking: every statement of the one with every statement of the other.

    Without `wording` only what the detectors can compare.
    """
    from auditor.embed import get_encoder

    pack = rules or load_rules(None)
    words = ContextWords.of(pack.scope)
    statements = [*_bare("a", text_a, title_a, heading_a, 0, words)]
    split_at = len(statements)
    statements += _bare("b", text_b, title_b, heading_b, split_at, words)
    extractor = _extractor(pack.sha256) if rules is None else Extractor(pack)
    facts = extractor.extract_all(statements)
    static = encoder or get_encoder("static")
    judge = Judge(pack, FeatureMaker(pack, Rarity.of(facts), extractor.concept, WordVectors(static, extractor.surface)), statements)
    vectors = static.encode([s.text for s in statements])
    classes = [judge.classes(f) for f in facts]
    open_pairs: list[tuple[int, int, list[Compared]]] = []
    compared_of: dict[tuple[int, int], list[Compared]] = {}
    refused_of: dict[tuple[int, int], list[Rejection]] = {}
    rejections: list[Rejection] = []
    for i in range(split_at):
        for j in range(split_at, len(statements)):
            compared, refused = judge.compare(statements[i], statements[j], classes[i], classes[j], float(vectors[i] @ vectors[j]))
            rejections.extend(refused)
            refused_of[i, j] = refused
            if compared:
                open_pairs.append((i, j, compared))
                compared_of[i, j] = compared
    looks = Looks(judge, statements, facts, open_pairs, [], topic_encoder or "minilm")
    findings: list[Finding] = []
    for i in range(split_at):
        for j in range(split_at, len(statements)):
            if not wording and (i, j) not in compared_of:
                continue
            found, refused = looks.judge(i, j, compared_of.get((i, j), ()), refused_of.get((i, j), ()))
            findings.extend(found)
            rejections.extend(refused)
    return findings, rejections


@lru_cache(maxsize=2)
def _extractor(sha256: str) -> Extractor:
    """The extractor of the shipped rules, compiled once for many pairs."""
    del sha256
    return Extractor(load_rules(None))


def _bare(doc_id: str, text: str, title: str, heading: str, first: int, words: ContextWords) -> Sequence[Statement]:
    blocks: list[Block] = []
    if heading:
        blocks.append(Block(BlockKind.HEADING, heading, 0, 0, level=2))
    found = _TABLE_ROW.match(text)
    if found:
        blocks.append(Block(BlockKind.ROW, text, 0, len(text), cells=(found["key"], found["value"]), header=("", found["column"])))
    else:
        reading, anchors = clean(text, 0, "markdown")
        blocks.append(Block(BlockKind.PARAGRAPH, reading, 0, len(text), anchors=anchors))
    history = words.history.search(title) is not None
    document = Document(doc_id, title, "text", text, tuple(blocks), ((0, 1),), "", history=history)
    _, statements = build(document, words, first)
    return [s for s in statements if s.kind is not BlockKind.HEADING]
