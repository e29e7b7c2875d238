"""A worker process: reads tasks from standard input and writes results to standard output, until the input ends.

Frames are a length (4 bytes, big endian), a tag of one byte and a body. To the worker: `S` setup, `R` read a file, `F` extract facts.
From it: `O` an outcome of reading, `F` facts, `E` end of a task with the hash of the file, `X` the task failed, with the reason.
"""

from __future__ import annotations

import contextlib
import os
import signal
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from auditor.engine.parts import FactsOrder, Outcome, Reader, Setup, decoded, digest, encoded
from auditor.model import Skipped
from auditor.ports import TimeLimit

HEADER = struct.Struct(">IB")
SETUP, READ, FACTS, OUTCOME, END, FAILED = b"SRFOEX"


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
    reader: Reader | None = None
    seconds = 0.0
    while (frame := read_frame(source)) is not None:
        tag, body = frame
        if tag == SETUP:
            setup = decoded(body, Setup)
            reader, seconds = Reader.of(setup), setup.reading.config.seconds
            _confine(setup.reading.config.memory_mib)
            continue
        if reader is None:
            return
        try:
            if tag == READ:
                _read(reader, body, sink, seconds)
            else:
                with _alarm(seconds):
                    result = encoded(reader.facts(decoded(body, FactsOrder)))
                write_frame(sink, FACTS, result)
                write_frame(sink, END, b"")
        except (Exception, TimeLimit) as error:
            write_frame(sink, FAILED, reason(error, seconds).encode("utf-8", "replace"))
        sink.flush()


def reason(error: BaseException, seconds: float) -> str:
    """Why a document could not be read, for its owner."""
    if isinstance(error, TimeLimit):
        return f"took longer than the limit of {seconds:g} s"
    if isinstance(error, MemoryError | RecursionError):
        return f"too deep or too large to read ({type(error).__name__})"
    return f"the extraction failed: {type(error).__name__}: {error}"


def _read(reader: Reader, body: bytes, sink: BinaryIO, seconds: float) -> None:
    doc_id, name = decoded(body, tuple[str, bytes])
    path = Path(os.fsdecode(name))
    outcomes = reader.read(doc_id, path)
    while True:
        with _alarm(seconds):
            outcome = next(outcomes, None)
        if outcome is None:
            break
        try:
            data = encoded(outcome)
        except UnicodeEncodeError:
            lost = outcome.parts.document.doc_id if outcome.parts else doc_id
            data = encoded(Outcome(skipped=Skipped(lost, "holds characters that are not valid Unicode")))
        write_frame(sink, OUTCOME, data)
        sink.flush()
    write_frame(sink, END, digest(path))


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise `TimeLimit` in what runs in the `with` block when it takes too long, where the platform can."""
    if not hasattr(signal, "setitimer"):
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
