"""Where commands print. Text of documents goes through `plain`, so that it can neither style nor steer a terminal."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

WIDTH = 132
"""Columns where the output is no terminal: a log or a file."""


def console(*, color: bool = True, stderr: bool = False) -> Console:
    """A console on stdout or stderr; `NO_COLOR` is respected."""
    from rich.console import Console

    color = color and not os.environ.get("NO_COLOR")
    out = Console(stderr=stderr, highlight=False, markup=False, emoji=False, color_system="auto" if color else None)
    if not out.is_terminal and "COLUMNS" not in os.environ:
        out.width = WIDTH
    return out


def plain(text: str, limit: int = 400) -> str:
    """A text from outside on one line, no longer than `limit`, with control characters made visible."""
    from auditor.format.text import one_line, visible

    return visible(one_line(text, limit))


def styled(*parts: str | tuple[str, str]) -> Text:
    """A line made of plain pieces and (piece, style) pairs."""
    from rich.text import Text

    return Text.assemble(*parts)


TIER_STYLES = {"high": "bold red", "medium": "yellow", "advisory": "cyan"}
