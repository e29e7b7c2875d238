"""Worker processes, and how tasks are handed to them.

Workers are started when first needed, kept for later scans of the same process, and replaced when one dies or is killed because it
took too long. One thread stands by each worker; results come back in the order in which they are ready.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO, cast

from auditor.engine.tasks import Done, Task
from auditor.engine.worker import END, FAILED, LAST, READY, SETUP, read_frame, write_frame

_HOME = str(Path(__file__).resolve().parents[2])  # where this package lies
_LOOK = 0.5  # seconds between two looks at the time that workers take
_START = 120.0  # seconds in which a worker has to be ready; they do not count as time of a document
_GRACE = 5.0  # seconds after which a worker that does not keep its time limit by itself is killed
# One task at a time needs no threads. Each would reserve address space (64 MiB and more), which counts against the limit of a document.
_ENVIRONMENT = {"MALLOC_ARENA_MAX": "1", "POLARS_MAX_THREADS": "1"}


class Pool:
    """Up to `jobs` worker processes."""

    id = "processes"
    redone = 0  # a worker that dies is the fault of its document: it is not tried again

    def __init__(self) -> None:
        self._idle: list[_Worker] = []
        self._lock = threading.Lock()

    def run(self, tasks: Iterable[Task], setup: bytes, *, jobs: int, seconds: float, kind: int = SETUP) -> Iterator[Done]:
        """See `tasks.Engine`: `seconds` is the time between two frames after which a worker is given up."""
        source = iter(tasks)
        ready: queue.SimpleQueue[Done | BaseException | None] = queue.SimpleQueue()
        busy: list[_Worker] = []
        stopped = threading.Event()

        def stand_by() -> None:
            worker: _Worker | None = None
            try:
                while not stopped.is_set():
                    with self._lock:
                        task = next(source, None)
                    if task is None:
                        break
                    if worker is None or not worker.alive:
                        worker = self._take(busy)
                    ready.put(worker.do(task, kind, setup, seconds))
                if worker is not None:
                    with self._lock:
                        busy.remove(worker)
                        if not stopped.is_set() and worker.alive:
                            self._idle.append(worker)
                    if stopped.is_set():
                        worker.kill()
                ready.put(None)
            except BaseException as error:  # handed to the caller
                ready.put(error)

        def watch() -> None:
            while not stopped.wait(_LOOK):
                with self._lock:
                    for worker in busy:
                        worker.kill_if_late()

        threads = [threading.Thread(target=stand_by, daemon=True) for _ in range(jobs)]
        threading.Thread(target=watch, daemon=True).start()
        for thread in threads:
            thread.start()
        left = len(threads)
        try:
            while left:
                done = ready.get()
                if done is None:
                    left -= 1
                elif isinstance(done, BaseException):
                    raise done
                else:
                    yield done
        finally:
            stopped.set()
            with self._lock:
                for worker in busy:
                    worker.kill()

    def _take(self, busy: list[_Worker]) -> _Worker:
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                if worker.alive:
                    break
            else:
                worker = _Worker()
            busy.append(worker)
            return worker

    def close(self) -> None:
        """End all idle workers."""
        with self._lock:
            while self._idle:
                self._idle.pop().kill()


class _Worker:
    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "auditor.engine.worker"],  # -P: nothing is imported from the current folder
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **_ENVIRONMENT, "PYTHONPATH": os.pathsep.join(filter(None, (_HOME, os.environ.get("PYTHONPATH"))))},
        )
        self._setups: dict[int, bytes] = {}
        self._until: float | None = None
        self._late = False

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def do(self, task: Task, kind: int, setup: bytes, seconds: float) -> Done:
        done = Done(task.number)
        last = False
        sink, source = cast("BinaryIO", self._process.stdin), cast("BinaryIO", self._process.stdout)
        try:
            if self._setups.get(kind) != setup:
                self._until = time.monotonic() + _START
                write_frame(sink, kind, setup)
                sink.flush()
                if read_frame(source) != (READY, b""):
                    raise OSError
                self._setups[kind] = setup
            self._until = time.monotonic() + seconds + _GRACE
            write_frame(sink, task.tag, task.body)
            sink.flush()
            while (frame := read_frame(source)) is not None:
                self._until = time.monotonic() + seconds + _GRACE
                tag, body = frame
                if tag == LAST:
                    last = True
                    continue
                if tag == END:
                    done.end = body
                    if last:
                        self.kill()
                    return done
                if tag == FAILED:
                    done.failure = body.decode("utf-8", "replace")
                    return done
                done.frames.append(body)
        except OSError:
            pass  # it died while it was spoken to
        finally:
            self._until = None
        cause = self._cause()
        self.kill()
        done.failure = f"took longer than the limit of {seconds:g} s" if self._late else cause
        return done

    def _cause(self) -> str:
        try:
            code = self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return "the parser stopped answering"
        return f"the parser crashed (signal {-code})" if code < 0 else f"the parser ended with status {code}"

    def kill_if_late(self) -> None:
        until = self._until
        if until is not None and time.monotonic() > until:
            self._late = True
            self._process.kill()

    def kill(self) -> None:
        if self.alive:
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


@cache
def engine() -> Pool:
    """The workers of this process."""
    pool = Pool()
    atexit.register(pool.close)
    return pool
