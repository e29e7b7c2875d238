"""`audit rules`: look at the rule packs, copy them out for editing, check your own."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from auditor.commands.console import console, plain
from auditor.commands.guard import guarded
from auditor.commands.options import NoColor, RulesDir
from auditor.errors import UserError

EPILOG = """[bold]Examples[/bold]

audit rules export ./our-rules            [dim]# 1. copy the packs[/dim]

$EDITOR ./our-rules/scope.toml            [dim]# 2. change one, delete the others[/dim]

audit rules check ./our-rules             [dim]# 3. is it valid?[/dim]

audit scan ./handbook --rules ./our-rules [dim]# 4. use it[/dim]
"""

HOLDS = {
    "units": "units of measure, currencies, magnitudes, number words",
    "lexicon": "negation, obligations, status words, directions, comparators",
    "scope": "plans, platforms, regions, audiences, history and example markers",
    "synonyms": "words that mean the same",
    "score": "blocking bounds, tolerances, weights, cuts between the tiers",
}

app = typer.Typer(help="Show, export and check the rule packs: units, word lists, scope words, thresholds.", epilog=EPILOG)


@app.command("list")
@guarded
def list_packs(rules: RulesDir = None, no_color: NoColor = False) -> None:
    """List the rule packs and where each comes from."""
    from rich.table import Table

    from auditor.rulepack import load_rules

    pack = load_rules(rules)
    table = Table(box=None, pad_edge=False)
    table.add_column("pack", style="bold")
    table.add_column("holds")
    table.add_column("file", style="dim", overflow="fold")
    for name, path in pack.origin.items():
        table.add_row(name, HOLDS.get(name, ""), plain(str(path)))
    out = console(color=not no_color)
    out.print(table)
    out.print(f"sha256 of all: {pack.sha256}", style="dim", soft_wrap=True)


@app.command("show")
@guarded
def show(
    name: Annotated[str, typer.Argument(metavar="PACK", help="Name of a pack, as listed by audit rules list.")],
    rules: RulesDir = None,
) -> None:
    """Print a rule pack as it would be used."""
    from auditor.rulepack import load_rules

    origin = load_rules(rules).origin
    path = origin.get(name.removesuffix(".toml"))
    if path is None:
        raise UserError(f"there is no rule pack “{name}”; known are {', '.join(origin)}")
    typer.echo(path.read_text(encoding="utf-8").rstrip("\n"))


@app.command("export")
@guarded
def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to copy to; it is made if need be.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite packs that are there already.")] = False,
) -> None:
    """Copy the shipped rule packs to a folder, to edit them there."""
    from auditor.rulepack import load_rules

    origin = load_rules().origin
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder} is a file")
    there = [path.name for path in origin.values() if (folder / path.name).exists()]
    if there and not force:
        raise UserError(f"{folder} holds {', '.join(there)} already; --force overwrites")
    folder.mkdir(parents=True, exist_ok=True)
    for path in origin.values():
        shutil.copyfile(path, folder / path.name)
        typer.echo(folder / path.name)


@app.command("check")
@guarded
def check(folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder with your rule packs.")]) -> None:
    """Check your own rule packs. An error names the file, the key and the reason."""
    from auditor.rulepack import load_rules

    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder")
    own = [name for name, path in load_rules(folder).origin.items() if path.parent == folder]
    if not own:
        raise UserError(f"{folder} holds no rule pack; known are {', '.join(f'{name}.toml' for name in HOLDS)}")
    typer.echo(f"{', '.join(own)}: fine; the other packs are the shipped ones" if len(own) < len(HOLDS) else "all packs are fine")
