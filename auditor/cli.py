"""Entry point of the command line. The commands themselves are put together in `auditor/commands/app.py`."""

from __future__ import annotations

import sys
from typing import Any

from auditor import interrupt


def main() -> None:
    """Entry point of the `audit` script."""
    interrupt.at_once()
    from auditor.commands.app import app
    from auditor.commands.guard import Code, complain

    interrupt.in_order()
    for stream in (sys.stdout, sys.stderr):
        # A console that cannot show a character shows a question mark; it must not end a scan.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if "" in sys.argv[1:]:
        # An unset variable in a script would otherwise mean the current folder.
        complain("an argument is empty; is a variable unset?")
        sys.exit(Code.ERROR)
    try:
        app()
    except KeyboardInterrupt:  # outside of a command
        complain("interrupted", label="")
        sys.exit(Code.INTERRUPTED)
    finally:
        interrupt.never()


def __getattr__(name: str) -> Any:
    """`auditor.cli.app`, loaded when it is asked for."""
    if name == "app":
        from auditor.commands.app import app

        return app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if __name__ == "__main__":
    main()
