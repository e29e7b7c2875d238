"""`audit-baseline.json`: a baseline on disk, one finding a line, made for version control.

The key `corpus_auditor_baseline` holds the version of the format. A file of another version is refused, never guessed at.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.baseline import Snapshot, holders_in, snapshot_of
from auditor.errors import UserError
from auditor.format.files import to_json
from auditor.review.files import read_text, write_atomically
from auditor.review.matching import Holders, no_holders

if TYPE_CHECKING:
    from pydantic import TypeAdapter

VERSION = 1
VERSION_KEY = "corpus_auditor_baseline"

_LISTS = ("runs", "escalations", "findings", "read", "unread")
"""Keys that hold lists, in the order of the file."""


def write_baseline(path: Path, snapshot: Snapshot) -> None:
    """Write a baseline, whole or not at all. Equal snapshots give equal bytes. Raises `UserError`."""
    write_atomically(path, "\n".join(_lines(snapshot)) + "\n")


def _lines(snapshot: Snapshot) -> Iterator[str]:
    content = asdict(snapshot)
    lists = {name: content.pop(name) for name in _LISTS}
    yield "{"
    for name, value in {VERSION_KEY: VERSION, **content}.items():
        yield f"{to_json(name)}: {to_json(value)},"
    for name, rows in lists.items():
        end = "" if name == _LISTS[-1] else ","
        yield f"{to_json(name)}: [" + ("]" + end if not rows else "")
        yield from _rows(rows)
        if rows:
            yield "]" + end
    yield "}"


def _rows(rows: Iterable[Any]) -> Iterator[str]:
    texts = [to_json(_shortened(row) if isinstance(row, dict) else row) for row in rows]
    for n, text in enumerate(texts, start=1):
        yield text + ("," if n < len(texts) else "")


def _shortened(row: dict[str, Any]) -> dict[str, Any]:
    """A row without what only findings that went away have."""
    return {name: value for name, value in row.items() if value or name not in ("gone", "gone_on")}


def read_baseline(path: Path) -> Snapshot:
    """The baseline in a file. Raises `UserError` in one line: missing, damaged, or of another version."""
    try:
        content = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path} is not a baseline: {error}") from None
    if not isinstance(content, dict) or VERSION_KEY not in content:
        raise UserError(f"{path} is not a baseline; make one with `audit baseline write`")
    version = content.pop(VERSION_KEY)
    if version != VERSION or isinstance(version, bool):
        raise UserError(
            f"{path} is a baseline of version {version!r}, this program reads {VERSION}; write it again with `audit baseline write`"
        )
    from pydantic import ValidationError

    try:
        return _adapter().validate_python(content)
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(str(part) for part in problem["loc"])
        raise UserError(
            f"{path} is damaged at {where or 'its top'}: {problem['msg']}; write it again with `audit baseline write`"
        ) from None


@cache
def _adapter() -> TypeAdapter[Snapshot]:
    from pydantic import TypeAdapter

    return TypeAdapter(Snapshot)


def read_snapshot(path: Path) -> tuple[Snapshot, Holders]:
    """A run folder or a baseline file as a snapshot, with what is known of copies. Raises `UserError`."""
    if path.is_dir():
        from auditor.run_reader import read_result

        result = read_result(path)
        return snapshot_of(result), holders_in(result)
    return read_baseline(path), no_holders
