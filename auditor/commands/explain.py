"""`audit explain`: why two passages are a finding, or why they are none.

A run keeps its findings, not all that was weighed on the way, so the corpus is scanned again. If it changed since, that is said.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.commands.console import console, plain
from auditor.commands.options import ConfigFile, EncoderName, NoColor, RulesDir, corpus_folder, effective_config, scan_options
from auditor.errors import UserError

if TYPE_CHECKING:
    from auditor.model import Conflict, DocumentRow
    from auditor.scan import Audit

EPILOG = """[bold]Examples[/bold]

audit explain 3fa9c1        [dim]# the start of an id is enough[/dim]

audit explain 3fa9c1 --run /tmp/report --corpus ./handbook

[dim]# why is this no finding?[/dim]
audit explain --corpus ./handbook --pair faq/returns.md:12 policies/returns.md:30-34
"""

OUT = Path("audit-out")


@dataclass(frozen=True, slots=True)
class StoredRun:
    """What an earlier run left in its output folder."""

    folder: Path
    corpus: str
    as_of: date
    config_hash: str
    conflicts: tuple[Conflict, ...]
    documents: tuple[DocumentRow, ...]


def explain(
    conflict_id: Annotated[
        str | None, typer.Argument(metavar="[CONFLICT_ID]", help="Id of a finding, or the start of one.", show_default=False)
    ] = None,
    run: Annotated[Path, typer.Option("--run", metavar="DIR", help="Output folder of the scan.")] = OUT,
    corpus: Annotated[
        Path | None,
        typer.Option(
            "--corpus", metavar="DIR", help="Folder with the documents, if it is not found by its name.", show_default=False
        ),
    ] = None,
    pair: Annotated[
        tuple[str, str] | None,
        typer.Option("--pair", metavar="FILE:LINE FILE:LINE", help="Two passages instead of a finding.", show_default=False),
    ] = None,
    config: ConfigFile = None,
    rules: RulesDir = None,
    encoder: EncoderName = None,
    no_color: NoColor = False,
) -> None:
    """Show why two passages are a finding, or why they are none.

    What brought them together, the values, the scope slot by slot, every part of the score, and the rules that were tried.
    """
    if (conflict_id is None) == (pair is None):
        raise UserError("name a finding by its id, or two passages with --pair")
    from auditor.commands.explain_view import show_conflict, show_pair

    stored = read_run(run) if (run / "run.json").is_file() else None
    if corpus is not None:
        folder = corpus_folder(corpus)
    elif stored is not None:
        folder = find_corpus(stored)
    else:
        raise UserError(f"{run} holds no run: scan first, name the output folder with --run, or the documents with --corpus")
    out = console(color=not no_color)
    if pair is not None:
        audit = _scan(folder, config, rules, encoder, stored)
        first, second = (locate(audit, folder, place) for place in pair)
        show_pair(out, audit, first, second)
        return
    wanted = conflict_id or ""
    # A mistyped id is better noticed before the scan.
    known = pick(stored.conflicts, wanted).conflict_id if stored is not None else None
    audit = _scan(folder, config, rules, encoder, stored)
    found = (
        next((c for c in audit.result.conflicts if c.conflict_id == known), None) if known else pick(audit.result.conflicts, wanted)
    )
    changes = what_changed(stored, audit) if stored is not None else ""
    if found is None:
        raise UserError(
            f"{known} is not found any more: {changes or 'options or program differ from those of the run'}; scan again"
        )
    show_conflict(out, audit, found)
    if changes:
        out.print(f"Note: {changes}. This shows the corpus as it is now.", style="yellow", soft_wrap=True)


def _scan(folder: Path, config: Path | None, rules: Path | None, encoder: str | None, stored: StoredRun | None) -> Audit:
    from auditor.commands.progress import progress

    settings = effective_config(folder, config, encoder=encoder)
    options = scan_options(folder, settings, rules, min_tier="advisory", as_of=stored.as_of if stored else None)
    from auditor.scan import run

    with progress(quiet=False) as report:
        return run(options, report)


def read_run(folder: Path) -> StoredRun:
    """An earlier run. Raises `UserError` if its files are not what they should be."""
    from auditor.store import read_conflicts, read_documents

    path = folder / "run.json"
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        corpus, as_of, config_hash = str(record["corpus"]), date.fromisoformat(record["as_of"]), str(record["config_hash"])
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} is not the record of a run: {error}") from error
    return StoredRun(folder, corpus, as_of, config_hash, read_conflicts(folder), read_documents(folder))


def find_corpus(stored: StoredRun) -> Path:
    """The corpus of a run, which names it without its place: looked for here and near the output. Raises `UserError`."""
    here, near = Path.cwd(), stored.folder.resolve().parent
    for place in (here / stored.corpus, here, near / stored.corpus, near):
        if place.is_dir() and place.name == stored.corpus:
            return place
    raise UserError(f"the run is about a folder called “{plain(stored.corpus)}”, which is not here; name it with --corpus")


def pick(conflicts: Sequence[Conflict], start: str) -> Conflict:
    """The one conflict whose id starts like this. Raises `UserError` for none or several."""
    matches = [c for c in conflicts if c.conflict_id.startswith(start)]
    exact = [c for c in matches if c.conflict_id == start]
    if exact or len(matches) == 1:
        return (exact or matches)[0]
    if matches:
        shown = ", ".join(sorted(c.conflict_id for c in matches)[:5])
        raise UserError(
            f"{len(matches):,} findings have an id that starts with “{start}”: {shown}{', …' if len(matches) > 5 else ''}"
        )
    close = difflib.get_close_matches(start, [c.conflict_id for c in conflicts], n=1, cutoff=0.7)
    hint = f"did you mean {close[0]}?" if close else f"the run has {len(conflicts):,} findings, listed in conflicts.jsonl"
    raise UserError(f"no finding has an id that starts with “{start}”; {hint}")


def what_changed(stored: StoredRun, audit: Audit) -> str:
    """How the corpus and the configuration differ from those of the run, "" if they do not."""
    before = {row.path: row.sha256 for row in stored.documents}
    after = {row.path: row.sha256 for row in audit.result.documents}
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path, "") != after.get(path, ""))
    parts = []
    if changed:
        more = f" and {len(changed) - 3:,} more" if len(changed) > 3 else ""
        parts.append(f"documents changed since the run ({', '.join(plain(path) for path in changed[:3])}{more})")
    # The same options given on the command line count as configuration, so this is a hint and no proof.
    if stored.config_hash != audit.result.config_hash:
        parts.append("configuration, options or rule packs differ from those of the run")
    return "; ".join(parts)


def locate(audit: Audit, corpus: Path, place: str) -> list[int]:
    """Statements at `FILE:LINE` or `FILE:FIRST-LAST`. Raises `UserError` with what is there instead."""
    file, _, lines = place.rpartition(":")
    first, _, last = lines.partition("-")
    if not file or not first.isdecimal() or not (last.isdecimal() or not last):
        raise UserError(f"“{place}” is not FILE:LINE, as in faq/returns.md:12")
    document = _document(audit, corpus, file)
    low, high = int(first), int(last or first)
    places: list[tuple[int, int, int]] = []
    for statement in audit.statements:
        if statement.doc_id == document:
            lines_of = _lines(audit, statement.index)
            places.append((*lines_of, statement.index))
    found = [index for start, end, index in places if start <= high and low <= end]
    if not found:
        near = sorted({start for start, _, _ in places}, key=lambda line: abs(line - low))[:3]
        there = f"the nearest stand at lines {', '.join(map(str, sorted(near)))}" if near else "the document holds none"
        raise UserError(f"{place}: no statement there (a heading, code, or boilerplate); {there}")
    return found


def _lines(audit: Audit, index: int) -> tuple[int, int]:
    """First and last line; of a document without lines, the number of the statement in it."""
    statement = audit.statements[index]
    document = next(d for d in audit.documents if d.doc_id == statement.doc_id)
    first = document.line_at(statement.start)
    last = document.line_at(max(statement.end - 1, statement.start))
    if first is None or last is None:
        number = 1 + sum(s.doc_id == statement.doc_id for s in audit.statements[:index])
        return number, number
    return first, last


def _document(audit: Audit, corpus: Path, file: str) -> str:
    """The id of a document, named as in the report or by a path."""
    names = [document.doc_id for document in audit.documents]
    if file in names:
        return file
    path = Path(file).resolve()
    if path.is_relative_to(corpus.resolve()) and (relative := path.relative_to(corpus.resolve()).as_posix()) in names:
        return relative
    for skipped in audit.skipped:
        if skipped.doc_id == file:
            raise UserError(f"{file} was not read: {skipped.reason}")
    close = difflib.get_close_matches(file, names, n=1, cutoff=0.6)
    raise UserError(f"there is no document {file} in {corpus}" + (f"; did you mean {close[0]}?" if close else ""))
