"""Value mentions: spans of a statement with a normalised value, before it is known what they are a value of."""

from __future__ import annotations

from dataclasses import dataclass, replace

from auditor.model import FactKind, Key


@dataclass(frozen=True, slots=True)
class Mention:
    """A value in a text. See `model.Value` for the meaning of the bounds, `comparator` and `step`."""

    kind: FactKind
    start: int
    end: int
    low: Key | None = None
    high: Key | None = None
    unit: str = ""
    comparator: str = "="
    step: float = 0.0
    symbol: str = ""
    text: str = ""
    head: str = ""  # counted noun, where it stands beside the number
    modifiers: tuple[str, ...] = ()  # words between number and noun
    per: str = ""
    basis: str = ""
    polarity: int = 1
    incidental: bool = False


class Taken:
    """Spans of a text that are already explained; a later, weaker grammar leaves them alone."""

    __slots__ = ("_mask",)

    def __init__(self, length: int) -> None:
        self._mask = bytearray(length)

    def take(self, start: int, end: int) -> None:
        """Mark a span."""
        self._mask[start:end] = b"\1" * (end - start)

    def free(self, start: int, end: int) -> bool:
        """Whether no position of the span is marked."""
        return not any(self._mask[start:end])


__all__ = ["Mention", "Taken", "replace"]
