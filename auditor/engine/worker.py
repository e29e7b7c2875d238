"""A worker process: reads tasks from standard input and writes results to standard output, until the input ends.

Frames are a length (4 bytes, big endian), a tag of one byte and a body. To the worker: `S` setup and `R` read a file or `F` extract facts,
`G` ground and `C` compare a block of pairs. From it: `Y` ready after a setup, `O` an outcome of reading, `F` facts, `C` results of a block,
`L` nothing more is to be given to this worker, `E` end of a task with the hash of the file, `X` the task failed, with the reason.

A worker ends with the process that started it, also when that one is killed: at once where Python runs, else when the processor time
for a document is used up.
"""

from __future__ import annotations

import contextlib
import math
import os
import select
import signal
import struct
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from auditor.engine.parts import FactsOrder, Outcome, Reader, Setup, decoded, digest, encoded
from auditor.engine.tasks import Done
from auditor.model import Skipped
from auditor.ports import TimeLimit

if TYPE_CHECKING:
    from auditor.compare import Judge

HEADER = struct.Struct(">IB")
SETUP, READ, FACTS, GROUND, COMPARE, READY, OUTCOME, LAST, END, FAILED = b"SRFGCYOLEX"
_SPARE = 10  # seconds of processor time beyond the limit of a document


def write_frame(stream: BinaryIO, tag: int, body: bytes) -> None:
    """Send one frame."""
    stream.write(HEADER.pack(len(body), tag))
    stream.write(body)


def read_frame(stream: BinaryIO) -> tuple[int, bytes] | None:
    """The next frame, None at the end of the stream or when it breaks off."""
    header = stream.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    length, tag = HEADER.unpack(header)
    body = stream.read(length)
    return (tag, body) if len(body) == length else None


def main() -> None:
    """Serve tasks until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interruption means
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not get between the frames
    _end_with_parent()
    server = Server()
    while (frame := read_frame(source)) is not None:
        for tag, body in server.answer(*frame):
            write_frame(sink, tag, body)
            sink.flush()


class Server:
    """What a worker knows, and how it answers frames; the engine decides how they travel."""

    def __init__(self, *, confined: bool = True) -> None:
        """`confined` sets limits to this process, for each document."""
        self._confined = confined
        self._memory = self._begun = 0
        self._reader: Reader | None = None
        self._seconds = 0.0
        self._judge: Judge | None = None
        self._floor = 0.0

    def answer(self, tag: int, body: bytes) -> Iterator[tuple[int, bytes]]:
        """The frames that answer one. Whatever goes wrong with a task is its last frame; a setup that fails is not answered."""
        if tag == SETUP:
            setup = decoded(body, Setup)
            self._reader, self._seconds = Reader.of(setup), setup.reading.config.seconds
            if self._confined:
                self._memory, self._begun = setup.reading.config.memory_mib << 20, _held()
                _confine()
            yield READY, b""
            return
        if tag == GROUND:
            if self._confined:
                _unlimit()  # what is compared was read already, and is nobody's fault
            from auditor.engine.comparing import Ground

            ground = decoded(body, Ground)
            self._judge, self._floor = ground.judge(), ground.floor
            yield READY, b""
            return
        if self._confined and tag in (READ, FACTS):
            # Every document has the limit for itself: what those before it left behind, libraries above all, is not counted.
            _limit(self._memory, self._seconds)
        try:
            if tag == READ:
                yield from self._read(body)
            elif tag == FACTS:
                assert self._reader is not None
                with _alarm(self._seconds):
                    result = encoded(self._reader.facts(decoded(body, FactsOrder)))
                yield FACTS, result
                yield END, b""
            elif tag == COMPARE:
                from auditor.engine.comparing import PairBlock, compare_block

                assert self._judge is not None
                yield COMPARE, encoded(compare_block(self._judge, decoded(body, PairBlock), self._floor))
                yield END, b""
        except BaseException as error:
            if isinstance(error, GeneratorExit):
                raise
            yield FAILED, reason(error, self._seconds).encode("utf-8", "replace")

    def _read(self, body: bytes) -> Iterator[tuple[int, bytes]]:
        assert self._reader is not None
        doc_id, name = decoded(body, tuple[str, bytes])
        path = Path(os.fsdecode(name))
        outcomes = self._reader.read(doc_id, path)
        while True:
            with _alarm(self._seconds):
                outcome = next(outcomes, None)
            if outcome is None:
                break
            try:
                data = encoded(outcome)
            except UnicodeEncodeError:
                lost = outcome.parts.document.doc_id if outcome.parts else doc_id
                data = encoded(Outcome(skipped=Skipped(lost, "holds characters that are not valid Unicode")))
            yield OUTCOME, data
        if self._confined and _held() > self._begun + self._memory:
            yield LAST, b""
        yield END, digest(path)


def gathered(number: int, frames: Iterator[tuple[int, bytes]]) -> Done:
    """The frames that answer a task as its result."""
    done = Done(number)
    for tag, body in frames:
        if tag == END:
            done.end = body
        elif tag == FAILED:
            done.failure = body.decode("utf-8", "replace")
        else:
            done.frames.append(body)
    return done


def reason(error: BaseException, seconds: float) -> str:
    """Why a document could not be read, for its owner."""
    if isinstance(error, TimeLimit):
        return f"took longer than the limit of {seconds:g} s"
    if isinstance(error, MemoryError | RecursionError):
        return f"too deep or too large to read ({type(error).__name__})"
    return f"the extraction failed: {type(error).__name__}: {error}"


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise `TimeLimit` in what runs in the `with` block when it takes too long, where the platform can."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _ring(number: int, frame: Any) -> None:
    raise TimeLimit


def _confine() -> None:
    """No files written and no core dumps, where the platform can."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _limit(memory: int, seconds: float) -> None:
    """No more bytes of memory and seconds of processor time than that on top of what was used so far, where the platform can."""
    try:
        import resource
    except ImportError:
        return
    wanted = {resource.RLIMIT_CPU: math.ceil(time.process_time() + seconds) + _SPARE}
    if held := _held():
        wanted[resource.RLIMIT_AS] = held + memory
    for kind, most in wanted.items():
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _unlimit() -> None:
    """Take the limits of `_limit` away."""
    try:
        import resource
    except ImportError:
        return
    for kind in (resource.RLIMIT_CPU, resource.RLIMIT_AS):
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (hard, hard))


def _end_with_parent() -> None:
    """End this process when nobody can write to its standard input any more, even in the middle of a task."""
    if not hasattr(select, "poll"):
        return
    threading.stack_size(256 << 10)
    threading.Thread(target=_wait_for_the_end, daemon=True).start()
    threading.stack_size(0)


def _wait_for_the_end() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # they are for the thread that reads
    poll = select.poll()
    poll.register(0, 0)  # only hanging up is told
    poll.poll()
    os._exit(0)


def _held() -> int:
    """Bytes of the address space in use; 0 where a limit on it is not kept, or shared libraries alone would exceed it."""
    if sys.platform != "linux":
        return 0
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
