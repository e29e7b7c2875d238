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

ROOT = Path(__file__).parents[2]
PLACES = ("docs/query-time.md", "README.md")
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


def blocks(place: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", (ROOT / place).read_text(encoding="utf-8"), re.M | re.S)


def example(name: str, place: str) -> Any:
    """The function of this name, from the code block that defines it."""
    (code,) = (block for block in blocks(place) if f"def {name}(" in block)
    scope: dict[str, Any] = {}
    exec(code, scope)
    return scope[name]


@pytest.mark.parametrize("place", PLACES)
def test_the_first_example(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    write_all(realistic_result(), tmp_path / "audit-out")
    monkeypatch.chdir(tmp_path)
    passages = f"passages = {[OLD, NEW, ('faq/shop.md', 0, 9)]!r}"
    code, replaced = re.subn(r"^passages = \[.*\]$", passages, blocks(place)[0], flags=re.M)
    assert replaced == 1
    scope: dict[str, Any] = {}
    exec(code, scope)
    if "print(" in code:
        assert "allows 100 requests per minute" in capsys.readouterr().out
    else:
        assert "allows 100 requests per minute" in scope["known"][0].conflict.explanation
    assert scope["kept"] == (NEW, ("faq/shop.md", 0, 9))
    assert '<doc id="D2" title="API reference v2.0"' in scope["prompt"]


@pytest.mark.parametrize("place", PLACES)
def test_the_langchain_example(place: str, index: ConflictIndex) -> None:
    start = 12 * 60
    documents = [
        Document("x" * 90, {"source": f"/corpus/{OLD}", "start_index": start}),
        Document("x" * 90, {"source": f"/corpus/{OLD}", "start_index": start + 500}),
        Document("x", {"source": f"/corpus/{NEW}"}),
        Document("x", {"source": f"/corpus/{OTHER}"}),
    ]
    retrieve = example("without_losers", place)(Retriever(documents), index, "/corpus")
    assert retrieve("How many requests?") == [documents[1], documents[2], documents[3]]


@pytest.mark.parametrize("place", PLACES)
def test_the_llamaindex_example(place: str, index: ConflictIndex) -> None:
    nodes = [
        Scored(Node("old text", {"file_path": f"/corpus/{OLD}"}, 12 * 60, 12 * 60 + 50)),
        Scored(Node("new text", {"file_path": f"/corpus/{NEW}"}, 48 * 60, 48 * 60 + 50)),
        Scored(Node("18 tools", {"file_path": "/corpus/README.md"})),
        Scored(Node("20 tools", {"file_path": "/corpus/docs/mcp/overview.md"})),
    ]
    kept, text = example("resolve_nodes", place)(nodes, index, "/corpus")
    assert kept == nodes[1:]
    assert "new text" in text
    assert "old text" not in text
    assert "Give both, cite D2 and D3, and say that the sources disagree." in text
