"""A small corpus for the tests of this folder: documents from lines, findings from pairs of lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from auditor.config import Config
from auditor.model import BlockKind, ClusterValue, Conflict, Document, Finding, StatedDate, Statement
from auditor.resolve import resolve

AS_OF = date(2025, 1, 1)


class Corpus:
    def __init__(self) -> None:
        self.documents: dict[str, Document] = {}
        self.statements: list[Statement] = []
        self.findings: list[Finding] = []

    def document(
        self,
        doc_id: str,
        *lines: str,
        published: date | None = None,
        effective: date | None = None,
        title: str = "Returns",
        heading: tuple[str, ...] = ("Returns", "Window"),
        **changes: Any,
    ) -> list[int]:
        """Add a document with one statement a line; its statements' indices."""
        text = "\n".join(lines)
        starts = [sum(len(line) + 1 for line in lines[:n]) for n in range(len(lines))]
        self.documents[doc_id] = Document(
            doc_id=doc_id,
            title=title,
            format="markdown",
            text=text,
            blocks=(),
            line_map=tuple((start, n + 1) for n, start in enumerate(starts)),
            sha256="0" * 64,
            published=StatedDate(published, "front matter") if published else None,
            effective=StatedDate(effective, "front matter") if effective else None,
            **changes,
        )
        made = []
        for start, line in zip(starts, lines, strict=True):
            made.append(len(self.statements))
            reading = line.replace("*", "").replace("`", "")
            self.statements.append(
                Statement(
                    index=len(self.statements),
                    doc_id=doc_id,
                    chunk_id=f"{doc_id}:0",
                    kind=BlockKind.PARAGRAPH,
                    text=reading,
                    body=0,
                    start=start,
                    end=start + len(line),
                    heading=heading,
                    title=title,
                )
            )
        return made

    def finding(self, a: int, b: int, value_a: str, value_b: str, **changes: Any) -> Finding:
        """Add a finding; the span of a value is where its words stand."""
        texts = self.statements[a].text, self.statements[b].text
        at = [text.find(value) for text, value in zip(texts, (value_a, value_b), strict=True)]
        spans = [(p, p + len(v)) if p >= 0 else (0, len(t)) for p, v, t in zip(at, (value_a, value_b), texts, strict=True)]
        finding = Finding(
            a=a,
            b=b,
            kind="numeric",
            detectors=("numeric",),
            fields=("value",),
            attribute="return window",
            entity_key="returns",
            key_a="k1",
            key_b="k1",
            value_a=value_a,
            value_b=value_b,
            span_a=spans[0],
            span_b=spans[1],
            scope_a="",
            scope_b="",
            one_sided=(),
            specific=None,
            opinion=False,
            tier="high",
            confidence=0.9,
            topic_similarity=0.8,
            via=("keys",),
            explanation="They differ.",
        )
        finding = replace(finding, **changes)
        self.findings.append(finding)
        return finding

    def resolve(
        self, config: Config | None = None, as_of: date = AS_OF, findings: Sequence[Finding] | None = None
    ) -> tuple[list[Conflict], list[ClusterValue]]:
        chosen = self.findings if findings is None else findings
        return resolve(chosen, self.statements, list(self.documents.values()), config or Config(), as_of)


def pair(first: dict[str, Any] | None = None, second: dict[str, Any] | None = None, **finding: Any) -> Corpus:
    """Two documents that disagree: a.md says 14 days, b.md 30 days."""
    corpus = Corpus()
    (a,) = corpus.document("a.md", "Return goods within 14 days.", **(first or {}))
    (b,) = corpus.document("b.md", "Goods go back within 30 days.", **(second or {}))
    corpus.finding(a, b, "14 days", "30 days", **finding)
    return corpus
