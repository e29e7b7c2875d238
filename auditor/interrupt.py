"""Ctrl-C, from the first moment on: the program ends without a traceback whatever it was doing."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

EXIT_CODE = 130
_SAID = b"interrupted\n"
_seen = False
_temporary: list[Path] = []


def at_once() -> None:
    """End at once from now on: while modules are loaded, there is nothing to put in order.

    An exception would not do. What is loaded then, extension modules above all, turns it into another one or goes on half loaded.
    Nothing happens where interruptions are ignored (a job in the background) or somebody else has a handler.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def in_order() -> None:
    """Raise `KeyboardInterrupt` from now on, so that workers are ended and files closed.

    It is still at once where a module is just being loaded, and the second time.
    """
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, _raise)


def never() -> None:
    """Nothing is left to interrupt: the work is done."""
    if signal.getsignal(signal.SIGINT) in (_leave, _raise):
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def seen() -> bool:
    """Whether there was an interruption. An exception that comes after it says nothing about what the program was doing."""
    return _seen


@contextmanager
def removing(folder: Path) -> Iterator[Path]:
    """A temporary folder that is removed behind the `with` block, also when the program ends at once in it."""
    _temporary.append(folder)
    try:
        yield folder
    finally:
        _temporary.remove(folder)
        shutil.rmtree(folder, ignore_errors=True)


def _leave(number: int, frame: FrameType | None) -> None:
    for folder in _temporary:
        shutil.rmtree(folder, ignore_errors=True)
    if not _seen:
        os.write(2, _SAID)
    os._exit(EXIT_CODE)


def _raise(number: int, frame: FrameType | None) -> None:
    global _seen
    inner = frame
    while inner is not None:
        if inner.f_code.co_filename.startswith("<frozen importlib"):
            _leave(number, frame)
        inner = inner.f_back
    _seen = True
    signal.signal(signal.SIGINT, _leave)
    raise KeyboardInterrupt
