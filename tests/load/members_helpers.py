from __future__ import annotations

from auditor.load import LoadConfig, Reading, read_bytes
from auditor.model import Document, Skipped


def outcomes(data: bytes, name: str, **limits: int) -> list[Document | Skipped]:
    return list(read_bytes(data, name, Reading(LoadConfig(**limits))))


def documents(data: bytes, name: str, **limits: int) -> dict[str, Document]:
    return {found.doc_id: found for found in outcomes(data, name, **limits) if isinstance(found, Document)}


def skipped(data: bytes, name: str, **limits: int) -> dict[str, str]:
    return {found.doc_id: found.reason for found in outcomes(data, name, **limits) if isinstance(found, Skipped)}


def texts(document: Document) -> list[str]:
    return [block.text for block in document.blocks]
