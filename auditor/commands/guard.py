"""Errors and interruptions as exit codes: every command ends in one of them, and never in a traceback unless asked for."""

from __future__ import annotations

import functools
import os
import sys
import traceback
from collections.abc import Callable
from enum import IntEnum
from typing import ParamSpec

import typer

from auditor import interrupt
from auditor.errors import UserError

DEBUG = "AUDIT_DEBUG"
"""Environment variable; set to 1, an error shows its traceback."""

P = ParamSpec("P")


class Code(IntEnum):
    """Exit codes of every command."""

    OK = 0
    FINDINGS = 1  # findings at or above --fail-on; figures below --min-precision or --min-recall
    ERROR = 2
    INTERRUPTED = 130


def guarded(command: Callable[P, None]) -> Callable[P, None]:
    """The command, with whatever goes wrong in it turned into one line on stderr and an exit code."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
            sys.stdout.flush()  # a full disk or a closed pipe shows here, not in the interpreter's last breath
        except (typer.Exit, typer.Abort):
            raise
        except KeyboardInterrupt:
            complain("interrupted", label="")
            raise typer.Exit(Code.INTERRUPTED) from None
        except BrokenPipeError:
            # The reader (`| head`) has seen enough. Python would complain once more when it flushes at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(Code.OK) from None
        except Exception as error:
            if interrupt.seen():
                complain("interrupted", label="")
                raise typer.Exit(Code.INTERRUPTED) from None
            if os.environ.get(DEBUG, "") not in ("", "0"):
                traceback.print_exc()
            complain(in_words(error))
            raise typer.Exit(Code.ERROR) from None

    return run


def in_words(error: Exception) -> str:
    """One line for a person."""
    if isinstance(error, UserError):
        return str(error)
    if isinstance(error, MemoryError):
        return "out of memory; scan a part of the corpus, or run it on a machine with more"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"unexpected: {said} (set {DEBUG}=1 to see where)"


def complain(message: str, label: str = "error: ") -> None:
    """One line on stderr. Control characters (a file name may hold them) are made visible."""
    from auditor.format.text import visible

    print(visible(label + " ".join(message.split())), file=sys.stderr)
