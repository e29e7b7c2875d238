"""The engine without workers: one task after the other, in this process, without limits of memory. For debugging."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from auditor.engine.tasks import Done, Task
from auditor.engine.worker import Server, gathered


class SerialEngine:
    """Does every task itself."""

    id = "serial"
    redone = 0

    def run(self, tasks: Iterable[Task], setup: bytes, *, jobs: int, seconds: float, kind: int) -> Iterator[Done]:
        """See `tasks.Engine`; `jobs` plays no part."""
        server = Server(confined=False)
        for _ in server.answer(kind, setup):
            pass
        for task in tasks:
            yield gathered(task.number, server.answer(task.tag, task.body))

    def close(self) -> None:
        """Nothing to end."""


def engine() -> SerialEngine:
    """The engine."""
    return SerialEngine()
