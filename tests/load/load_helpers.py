from __future__ import annotations

from auditor.load import load_bytes
from auditor.model import Block, BlockKind, Document


def document(source: str, name: str = "a.md") -> Document:
    return load_bytes(source.encode(), name)


def blocks(source: str, name: str = "a.md", kind: BlockKind | None = None) -> list[Block]:
    return [block for block in document(source, name).blocks if kind is None or block.kind is kind]


def readings(source: str, name: str = "a.md") -> list[tuple[str, str]]:
    """(kind, text) of all blocks."""
    return [(block.kind.value, block.text) for block in document(source, name).blocks]


def lines(doc: Document, block: Block) -> tuple[int, int]:
    return doc.line_at(block.start), doc.line_at(max(block.end - 1, block.start))


def check_positions(doc: Document) -> None:
    """What must hold of every document: blocks lie in the text, anchors ascend, and letters come from where they say."""
    for block in doc.blocks:
        assert 0 <= block.start < block.end <= len(doc.text), block
        assert list(block.anchors) == sorted(block.anchors), block
        for i, character in enumerate(block.text):
            position = block.to_source(i)
            assert block.start <= position <= block.end, block
            if doc.format == "html":
                assert doc.text[position] == character, block
        if block.cells and block.kind is BlockKind.ROW:
            assert block.text == " | ".join(block.cells)
    starts = [offset for offset, _ in doc.line_map]
    assert starts == sorted(starts)
    assert starts[0] == 0
