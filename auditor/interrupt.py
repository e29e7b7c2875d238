"""Ctrl-C, from the first moment on: the program ends without a traceback whatever it was doing."""

from __future__ import annotations

import os
import signal
from types import FrameType

EXIT_CODE = 130
_SAID = b"interrupted\n"
_state = {"interrupted": False}


def at_once() -> None:
    """End at once from now on: while modules are loaded, there is nothing to put in order.

    An exception would not do. What is loaded then, extension modules above all, turns it into another one or goes on half loaded.
    Nothing happens where interruptions are ignored (a job in the background) or somebody else has a handler.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def in_order() -> None:
    """Raise `KeyboardInterrupt` from now on, so that workers are ended and temporary files removed.

    It is still at once where a module is just being loaded, and the second time.
    """
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, _raise)


def seen() -> bool:
    """Whether there was an interruption. An exception that comes after it says nothing about what the program was doing."""
    return _state["interrupted"]


def _leave(number: int, frame: FrameType | None) -> None:
    if not seen():
        os.write(2, _SAID)
    os._exit(EXIT_CODE)


def _raise(number: int, frame: FrameType | None) -> None:
    _state["interrupted"] = True
    signal.signal(signal.SIGINT, _leave)
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            os.write(2, _SAID)
            os._exit(EXIT_CODE)
        frame = frame.f_back
    raise KeyboardInterrupt
