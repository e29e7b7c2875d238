"""The engine of many machines: tasks are done by Ray actors, on a local cluster or on the one that `RAY_ADDRESS` names.

What travels is what travels to worker processes: documents are read from the corpus folder, which every machine has to see under the same
path; statements, facts and pairs go through the object store. An actor that is lost is replaced, and only the task it was doing is done
again; what was done before stays done, and with a cache it survives the end of the driver, too. Usage statistics are switched off.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from auditor.engine.tasks import Done, Task
from auditor.engine.worker import Server, gathered
from auditor.errors import UserError

_TRIES = 3  # times that a task may lose its worker before it is the task that is to blame
_LOOK = 1.0  # seconds between two looks at the time that tasks take
_GRACE = (
    30.0  # seconds beyond the limit after which an actor that does not keep it by itself is killed: it may have just been started
)


class Actor:
    """What runs in an actor: a server of tasks that is set up once for each stage."""

    def __init__(self) -> None:
        # Without limits of memory: the address space of an actor holds the object store.
        self._server = Server(confined=False)
        self._setups: dict[int, str] = {}

    def do(self, number: int, tag: int, body: bytes, kind: int, name: str, setup: bytes) -> Done:
        """Do a task, after the setup of this name if it was not yet seen."""
        if self._setups.get(kind) != name:
            for _ in self._server.answer(kind, setup):
                pass
            self._setups[kind] = name
        return gathered(number, self._server.answer(tag, body))


class RayEngine:
    """Has tasks done by actors."""

    id = "ray"

    def __init__(self) -> None:
        self._ray = _ray()
        self.redone = 0
        self._idle: list[Any] = []
        self._class = self._ray.remote(Actor).options(num_cpus=1, max_restarts=0, max_task_retries=0)

    def run(self, tasks: Iterable[Task], setup: bytes, *, jobs: int, seconds: float, kind: int) -> Iterator[Done]:
        """See `tasks.Engine`; without `jobs` there are as many actors as the cluster has processors."""
        ray = self._ray
        name = f"{kind}:{hash(setup)}:{len(setup)}"
        shared = ray.put(setup)
        source = iter(tasks)
        busy: dict[Any, tuple[Any, Task, float, int]] = {}  # what is awaited → actor, task, begin, earlier tries
        count = max(1, min(jobs, int(ray.cluster_resources().get("CPU", 1))))

        def begin(actor: Any, task: Task, tries: int) -> None:
            awaited = actor.do.remote(task.number, task.tag, task.body, kind, name, shared)
            busy[awaited] = (actor, task, time.monotonic(), tries)

        try:
            while True:
                while len(busy) < count and (task := next(source, None)) is not None:
                    begin(self._idle.pop() if self._idle else self._class.remote(), task, 0)
                if not busy:
                    return
                ready, _ = ray.wait(list(busy), num_returns=1, timeout=_LOOK)
                for awaited in ready:
                    actor, task, _, tries = busy.pop(awaited)
                    try:
                        done: Done = ray.get(awaited)
                    except ray.exceptions.RayActorError:
                        if tries + 1 < _TRIES:
                            self.redone += 1
                            begin(self._class.remote(), task, tries + 1)
                        else:
                            yield Done(task.number, failure="its workers were lost")
                        continue
                    self._idle.append(actor)
                    yield done
                now = time.monotonic()
                for awaited, (actor, task, begun, _) in list(busy.items()):
                    if now - begun > seconds + _GRACE:
                        del busy[awaited]
                        ray.kill(actor)
                        yield Done(task.number, failure=f"took longer than the limit of {seconds:g} s")
        finally:
            for actor, *_ in busy.values():
                ray.kill(actor)

    def close(self) -> None:
        """Give back the actors; the cluster goes on if it is not ours."""
        for actor in self._idle:
            self._ray.kill(actor)
        self._idle.clear()


def _ray() -> Any:
    """Ray, connected. Raises `UserError` without the extra."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_DEDUP_LOGS", "0")
    try:
        import ray
    except ImportError as error:
        raise UserError("--engine ray needs Ray: pip install 'corpus-auditor[ray]'") from error
    if not ray.is_initialized():
        address = os.environ.get("RAY_ADDRESS")
        options: dict[str, Any] = {} if address else {"include_dashboard": False}
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **options)
        except ConnectionError as error:
            raise UserError(f"no Ray cluster answers at RAY_ADDRESS={address}") from error
    return ray


@cache
def engine() -> RayEngine:
    """The engine of this process."""
    return RayEngine()
