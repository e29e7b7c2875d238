"""The engine: documents are read, their facts extracted and pairs compared by workers.

A parser that crashes, hangs or swallows memory loses one document, with its reason; the scan goes on. A new engine is one module with
an `engine()` and one line here.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from auditor.errors import UserError

if TYPE_CHECKING:
    from auditor.engine.tasks import Engine

ENGINES = {
    "processes": "auditor.engine.pool",
    "serial": "auditor.engine.serial",
    "ray": "auditor.engine.ray_engine",
}
"""Engines by name."""


def get_engine(name: str) -> Engine:
    """The engine of this name. Raises `UserError` where it is unknown or its library is not installed."""
    if name not in ENGINES:
        raise UserError(f"there is no engine {name!r}; there are {', '.join(ENGINES)}")
    return cast("Engine", import_module(ENGINES[name]).engine())
