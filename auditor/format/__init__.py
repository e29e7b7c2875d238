"""The files a scan writes.

A format is one file here and one entry in `FORMATS`. Importing this package is cheap: polars and jinja2 are loaded when something
is written.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from auditor import interrupt
from auditor.errors import UserError
from auditor.format.html import HtmlFormat
from auditor.format.jsonl import JsonlFormat
from auditor.format.markdown import MarkdownFormat
from auditor.format.parquet import PARQUET
from auditor.format.run_json import RunJsonFormat
from auditor.model import ScanResult
from auditor.ports import Format

FORMATS: tuple[Format, ...] = (*PARQUET, JsonlFormat(), HtmlFormat(), MarkdownFormat(), RunJsonFormat())
"""Every format, in the order in which the files appear: `run.json` last, so a new one means that the others are new as well."""

_STAGING = ".audit-unfinished-"
_LEFT_BEHIND = 3600.0  # seconds after which nobody is still writing


def write_all(result: ScanResult, out_dir: Path, formats: Sequence[Format] = FORMATS) -> tuple[Path, ...]:
    """Write the files of a scan to `out_dir` and return their paths.

    Everything is written to a hidden folder first and then moved into place, so that a scan that fails leaves the files of the last
    one as they were. Other files in `out_dir` are left alone. Raises `UserError` when the folder cannot be written.
    """
    created = _missing_folders(out_dir)
    try:
        out_dir.mkdir(parents=True, exist_ok=True)
        paths = _write(result, out_dir, formats)
    except BaseException as error:
        for folder in created:
            _remove_if_empty(folder)
        if isinstance(error, OSError):
            raise UserError(f"cannot write to {out_dir}: {error.strerror or error}") from error
        raise
    return paths


def _write(result: ScanResult, out_dir: Path, formats: Sequence[Format]) -> tuple[Path, ...]:
    targets = [out_dir / form.filename for form in formats]
    for target in targets:
        if target.is_dir():
            raise UserError(f"cannot write {target}: there is a folder of that name")
    _remove_left_behind(out_dir)
    # Inside the output folder, not beside it: a mounted folder is a file system of its own, and files move only within one.
    with interrupt.removing(Path(tempfile.mkdtemp(prefix=_STAGING, dir=out_dir))) as staging:
        for form in formats:
            form.write(result, staging / form.filename)
        for form, target in zip(formats, targets, strict=True):
            os.replace(staging / form.filename, target)
    return tuple(targets)


def _remove_left_behind(out_dir: Path) -> None:
    """Remove what scans left that were killed while they wrote; a young one may still be writing."""
    for folder in out_dir.glob(f"{_STAGING}*"):
        with contextlib.suppress(OSError):
            status = folder.lstat()
            if stat.S_ISDIR(status.st_mode) and status.st_mtime < time.time() - _LEFT_BEHIND:
                shutil.rmtree(folder, ignore_errors=True)


def _missing_folders(folder: Path) -> list[Path]:
    """`folder` and its parents as far as they do not exist, innermost first."""
    return [path for path in (folder, *folder.parents) if not path.exists()]


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        return
