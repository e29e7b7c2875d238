"""Corpus auditor: finds where an organisation's documents contradict each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.query import ConflictIndex, Span, cites_all

__all__ = ["ConflictIndex", "Span", "__version__", "cites_all"]
__version__ = "0.1.0"

_LAZY = ("ConflictIndex", "Span", "cites_all")


def __getattr__(name: str) -> Any:
    """What needs numpy and polars is imported when it is first asked for, so that the command line answers at once."""
    if name in _LAZY:
        from auditor import query

        return getattr(query, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
