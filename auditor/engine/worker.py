"""A worker process: reads tasks from standard input and writes results to standard output, until the input ends.

Frames are a length (4 bytes, big endian), a tag of one byte and a body. To the worker: `S` setup and `R` read a file or `F` extract facts,
`G` ground and `C` compare a block of pairs. From it: `O` an outcome of reading, `F` facts, `C` results of a block, `E` end of a task with the
hash of the file, `X` the task failed, with the reason.
"""

from __future__ import annotations

import contextlib
import os
import signal
import struct
import sys
import threading
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
SETUP, READ, FACTS, GROUND, COMPARE, OUTCOME, END, FAILED = b"SRFGCOEX"


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
    server = Server()
    while (frame := read_frame(source)) is not None:
        for tag, body in server.answer(*frame):
            write_frame(sink, tag, body)
            sink.flush()


class Server:
    """What a worker knows, and how it answers frames; the engine decides how they travel."""

    def __init__(self, *, confined: bool = True) -> None:
        """`confined` sets the limits of the process by the first setup."""
        self._confined = confined
        self._reader: Reader | None = None
        self._seconds = 0.0
        self._judge: Judge | None = None

    def answer(self, tag: int, body: bytes) -> Iterator[tuple[int, bytes]]:
        """The frames that answer one. A setup is not answered; whatever goes wrong with a task is its last frame."""
        try:
            if tag == SETUP:
                setup = decoded(body, Setup)
                self._reader, self._seconds = Reader.of(setup), setup.reading.config.seconds
                if self._confined:
                    _confine(setup.reading.config.memory_mib)
            elif tag == GROUND:
                from auditor.engine.comparing import Ground

                self._judge = decoded(body, Ground).judge()
            elif tag == READ:
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
                yield COMPARE, encoded(compare_block(self._judge, decoded(body, PairBlock)))
                yield END, b""
        except (Exception, TimeLimit) as error:
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


def _confine(memory_mib: int) -> None:
    """No more memory than that on top of what the process holds now, no files written, no core dumps; where the platform can."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    if sys.platform != "linux":
        return  # elsewhere the limit on the address space is not kept, or shared libraries alone exceed it
    with open("/proc/self/statm", "rb") as file:
        held = int(file.read().split()[0]) * resource.getpagesize()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (held + memory_mib * (1 << 20), hard))


if __name__ == "__main__":
    main()
