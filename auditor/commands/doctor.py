"""`audit doctor`: is everything there that a scan needs?"""

from __future__ import annotations

import typer

from auditor.commands.console import console, plain, styled
from auditor.commands.guard import Code, complain
from auditor.commands.options import NoColor

EPILOG = "[bold]Exit codes[/bold]  0 everything is there · 2 something is missing or altered"


def doctor(no_color: NoColor = False) -> None:
    """Check the installation: versions, model files and their hashes, rule packs, memory, and that nothing goes online."""
    from auditor.doctor import collect

    checks = collect()
    out = console(color=not no_color)
    width = max(len(check.name) for check in checks)
    for check in checks:
        sign = ("✓", "green") if check.ok else ("✗", "bold red")
        detail = (plain(check.detail, 1000), "" if check.ok else "red")
        out.print(styled(sign, f" {plain(check.name):<{width}}  ", detail), soft_wrap=True)
    wrong = sum(not check.ok for check in checks)
    if wrong:
        complain(f"{wrong} of {len(checks)} checks failed")
        raise typer.Exit(Code.ERROR)
    out.print(styled(("Everything a scan needs is there.", "green")))
