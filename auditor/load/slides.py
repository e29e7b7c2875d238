"""Presentations: PowerPoint (PPTX) and OpenDocument (ODP)."""

from __future__ import annotations

from auditor.load import odp, pptx
from auditor.model import Parsed
from auditor.ports import LoadError


class SlideLoader:
    """Reads presentations, slide by slide."""

    id = "presentation"

    def accepts(self, name: str, head: bytes) -> bool:
        """By the extension, which the content decides."""
        return name.endswith((".pptx", ".odp", ".fodp"))

    def load(self, data: bytes, name: str) -> Parsed:
        """Blocks of all slides that are shown, the speaker's notes among them."""
        kind = name.rpartition(".")[2]
        deck = pptx.read(data) if kind == "pptx" else odp.read(data)
        parsed = deck.parsed(kind)
        if not parsed.blocks:
            raise LoadError("; ".join(("no text: the slides hold pictures only", *parsed.notices)))
        return parsed
