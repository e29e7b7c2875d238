"""Writing text files the same way everywhere: UTF-8, line feeds only, whatever the platform."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def write_text(path: Path, text: str) -> None:
    """Write `text`; a lone surrogate (a file name that is not UTF-8) becomes a question mark."""
    path.write_bytes(text.encode("utf-8", "replace"))


def to_json(value: Any, *, indent: int | None = None) -> str:
    """JSON with sorted keys and readable characters; dates in ISO form."""
    separators = (",", ":") if indent is None else (",", ": ")
    return json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False, indent=indent, separators=separators, default=str)
