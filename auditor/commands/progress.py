"""Progress on stderr while a scan runs, for a person at a terminal only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from auditor.commands.console import console

if TYPE_CHECKING:
    from rich.progress import TaskID


class Report(Protocol):
    """What a scan calls as it goes on."""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """`done` of `total` pieces of a stage; a total of 0 means that nobody knows."""
        ...


@contextmanager
def progress(*, quiet: bool, color: bool = True) -> Iterator[Report | None]:
    """A progress display that vanishes when it is done; None where nobody watches."""
    err = console(color=color, stderr=True)
    if quiet or not err.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description:<12}"),
        BarColumn(bar_width=32),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=err, transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def report(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                for earlier in tasks.values():
                    bars.stop_task(earlier)
                tasks[stage] = bars.add_task(stage, total=total or None)
            bars.update(tasks[stage], completed=done, total=total or None)

        yield report
