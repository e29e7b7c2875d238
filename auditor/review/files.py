"""Where the files about earlier runs stand, and how they are written: whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from auditor.errors import UserError

DECISIONS_FILE = "audit-decisions.toml"
"""Name of the decisions file in the corpus root, beside `audit.toml`."""

BASELINE_FILE = "audit-baseline.json"
_MOST_BYTES = 512 << 20


def read_text(path: Path) -> str:
    """The text of a file. Raises `UserError` when it is missing, unreadable or not UTF-8."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise UserError(f"{path} is larger than {_MOST_BYTES >> 20} MiB")
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise UserError(f"{path} is a folder, not a file") from None
    except UnicodeDecodeError:
        raise UserError(f"{path} is not UTF-8 text") from None
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}") from None


def write_atomically(path: Path, text: str) -> None:
    """Write `text` as UTF-8 with line feeds, so that a reader sees the old file or the new one. Raises `UserError`."""
    target = Path(os.path.realpath(path))  # a link stays a link
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror or error}") from None
    staged = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode("utf-8", "replace"))
            file.flush()
            os.fsync(file.fileno())
        staged.chmod(_mode(target))
        os.replace(staged, target)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(FileNotFoundError):
            staged.unlink()


def _mode(target: Path) -> int:
    """Permissions of the file that is replaced, else those that any new file gets; a temporary file is private."""
    with contextlib.suppress(OSError):
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
