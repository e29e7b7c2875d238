"""What engines do: tasks of bytes in, results of bytes out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Task:
    """A task for a worker: its number, a tag of `worker.py` and a body."""

    number: int
    tag: int
    body: bytes


@dataclass(slots=True)
class Done:
    """What came of a task: the bodies of all result frames, and why it broke off, if it did."""

    number: int
    frames: list[bytes] = field(default_factory=list)
    end: bytes = b""
    failure: str = ""


class Engine(Protocol):
    """Has tasks done by workers. Results never depend on which engine does them, nor on how many workers there are."""

    id: str
    redone: int  # tasks that were done again because their worker was lost

    def run(self, tasks: Iterable[Task], setup: bytes, *, jobs: int, seconds: float, kind: int) -> Iterator[Done]:
        """Results of all tasks, in the order in which they are ready.

        `setup` goes to every worker before its first task, as a frame of this `kind`. A task that says nothing for `seconds` is given
        up, where the engine can do that. When the caller stops early or is interrupted, work that has begun is given up, too.
        """
        ...

    def close(self) -> None:
        """End all workers."""
        ...
