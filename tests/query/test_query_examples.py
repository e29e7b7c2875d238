"""The examples of the documentation run as they are printed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from auditor import ConflictIndex
from auditor.format import write_all
from tests.factories import realistic_result

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "query-time.md"
OLD, NEW, OTHER = "reference/api-v1.2.md", "reference/api-v2.0.md", "guides/onboarding/step-01.md"


@dataclass
class Document:
    """What the LangChain example touches of a document."""

    page_content: str
    metadata: dict[str, Any]


@dataclass
class Retriever:
    documents: list[Document]

    def invoke(self, question: str) -> list[Document]:
        return self.documents


@dataclass
class Node:
    """What the LlamaIndex example touches of a node."""

    text: str
    metadata: dict[str, Any]
    start_char_idx: int | None = None
    end_char_idx: int | None = None


@dataclass
class Scored:
    node: Node
    score: float = field(default=0.5)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> ConflictIndex:
    folder = tmp_path_factory.mktemp("run")
    write_all(realistic_result(), folder)
    return ConflictIndex.open(folder)


def example(name: str) -> Any:
    """The function of this name, from the code block that defines it."""
    (code,) = (
        block
        for block in re.findall(r"```python\n(.*?)```", DOCUMENTATION.read_text(encoding="utf-8"), re.S)
        if f"def {name}(" in block
    )
    scope: dict[str, Any] = {}
    exec(code, scope)
    return scope[name]


def test_the_first_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    write_all(realistic_result(), tmp_path / "audit-out")
    monkeypatch.chdir(tmp_path)
    code = re.findall(r"```python\n(.*?)```", DOCUMENTATION.read_text(encoding="utf-8"), re.S)[0]
    scope: dict[str, Any] = {}
    code = code.replace(
        '["policies/returns.md", "faq/returns.md", ("faq/shop.md", 1200, 1950)]', repr([OLD, NEW, ("faq/shop.md", 0, 9)])
    )
    exec(code, scope)
    assert "allows 100 requests per minute" in capsys.readouterr().out
    assert scope["kept"] == (NEW, ("faq/shop.md", 0, 9))
    assert '<doc id="D2" title="API reference v2.0"' in scope["prompt"]


def test_the_langchain_example(index: ConflictIndex) -> None:
    start = 12 * 60
    documents = [
        Document("x" * 90, {"source": f"/corpus/{OLD}", "start_index": start}),
        Document("x" * 90, {"source": f"/corpus/{OLD}", "start_index": start + 500}),
        Document("x", {"source": f"/corpus/{NEW}"}),
        Document("x", {"source": f"/corpus/{OTHER}"}),
    ]
    retrieve = example("without_losers")(Retriever(documents), index, "/corpus")
    assert retrieve("How many requests?") == [documents[1], documents[2], documents[3]]


def test_the_llamaindex_example(index: ConflictIndex) -> None:
    nodes = [
        Scored(Node("old text", {"file_path": f"/corpus/{OLD}"}, 12 * 60, 12 * 60 + 50)),
        Scored(Node("new text", {"file_path": f"/corpus/{NEW}"}, 48 * 60, 48 * 60 + 50)),
        Scored(Node("18 tools", {"file_path": "/corpus/README.md"})),
        Scored(Node("20 tools", {"file_path": "/corpus/docs/mcp/overview.md"})),
    ]
    kept, text = example("resolve_nodes")(nodes, index, "/corpus")
    assert kept == nodes[1:]
    assert "new text" in text
    assert "old text" not in text
    assert "Give both, cite D2 and D3, and say that the sources disagree." in text
