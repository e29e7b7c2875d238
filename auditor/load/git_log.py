"""Who last changed a file, and when, from the Git repository that holds the corpus. Recorded; never decides anything.

A repository that comes with documents may be hostile: its configuration can name programs that Git runs (`core.fsmonitor`,
`core.sshCommand` or an `ext::` address when objects of a partial clone are missing, `gpg.program` with `log.showSignature`,
`diff.*.textconv`, pagers, hooks). Git has no option to leave a repository's configuration unread, so it never sees it: it runs on a
repository of its own, made for the purpose in a temporary folder, that only borrows the objects; the newest commit is looked up here.
One process for all files, with an end to its time. Whose files the objects are plays no part: Git refuses a stranger's repository
(`safe.directory`) because of what its configuration could run.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from auditor.load.ignore import read_small

SECONDS = 60.0
"""How long Git may take. What it said until then is not used, so that the result does not depend on the speed of the machine."""

_MAX_COMMITS = 200_000
_MAX_TOKEN = 1 << 20
_PACKED_REFS = 64 << 20
_SHALLOW = 16 << 20
_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REF = re.compile(r"refs/(?!.*\.\.)[^\x00-\x20\x7f~^:?*\[\\]{1,500}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


class GitError(Exception):
    """Git cannot tell; the message is the reason shown to the user."""


@dataclass(frozen=True, slots=True)
class Commit:
    """The last commit that changed a file. No author for one that a program made."""

    author: str | None
    day: date


@dataclass(frozen=True, slots=True)
class _Repository:
    head: str
    objects: Path
    shallow: str | None


def work_tree(folder: Path) -> Path | None:
    """The top of the Git work tree that holds the folder, if there is one."""
    real = Path(os.path.realpath(folder))
    return next((top for top in (real, *real.parents) if os.path.lexists(top / ".git")), None)


def last_commits(root: Path, wanted: Iterable[str], seconds: float = SECONDS) -> dict[str, Commit]:
    """The last commits of the files at these paths relative to `root`. Raises `GitError`."""
    top = work_tree(root)
    if top is None:
        raise GitError("the folder is in no Git repository")
    program = shutil.which("git")
    if program is None or not os.path.isabs(program):
        raise GitError("git is not installed")
    try:
        repository = _repository(top)
    except (OSError, ValueError) as error:
        raise GitError(f"the Git repository cannot be read: {error}") from error
    below = Path(os.path.realpath(root)).relative_to(top).as_posix()
    prefix = "" if below == "." else below + "/"
    missing = {prefix + path for path in wanted}
    found: dict[str, Commit] = {}
    with contextlib.closing(_log(program, repository, prefix, seconds)) as log:
        for path, commit in log:
            if path in missing:
                missing.discard(path)
                found[path[len(prefix) :]] = commit
                if not missing:
                    break
    return found


# -- the repository ----------------------------------------------------------------------------------------------------------------


def _repository(top: Path) -> _Repository:
    own, common = _folders(top)
    head = _commit(own, common)
    objects = common / "objects"
    if not objects.is_dir():
        raise ValueError("it has no objects")
    shallow = common / "shallow"
    return _Repository(head, objects, read_small(shallow, _SHALLOW) if os.path.lexists(shallow) else None)


def _folders(top: Path) -> tuple[Path, Path]:
    """The Git folder of the work tree, and the one it shares with others. A `.git` that leads elsewhere has to be expected there."""
    dot = top / ".git"
    if dot.is_symlink():
        raise ValueError(".git is a link")
    if dot.is_dir():
        return dot, dot
    own = Path(os.path.realpath(top / read_small(dot, 4096).removeprefix("gitdir:").strip()))
    if any(own.is_relative_to(parent / ".git") for parent in top.parents if (parent / ".git").is_dir()):
        return own, own  # a submodule
    common = own.parent.parent
    if own.parent.name == "worktrees" and os.path.realpath(read_small(own / "gitdir", 4096).strip()) == str(dot):
        return own, common
    raise ValueError(".git leads to a folder that does not know of it")


def _commit(own: Path, common: Path) -> str:
    """The hash of the commit that is checked out."""
    text = read_small(own / "HEAD", 4096).strip()
    for _ in range(5):
        if _HASH.fullmatch(text):
            return text
        name = text.removeprefix("ref:").strip()
        if not text.startswith("ref:") or not _REF.fullmatch(name):
            break
        loose = next((path for path in (own / name, common / name) if path.is_file()), None)
        if loose is None:
            return _packed(common, name)
        text = read_small(loose, 4096).strip()
    raise ValueError("its HEAD names no commit")


def _packed(common: Path, name: str) -> str:
    packed = common / "packed-refs"
    for line in read_small(packed, _PACKED_REFS).splitlines() if os.path.lexists(packed) else ():
        value, _, ref = line.partition(" ")
        if ref == name and _HASH.fullmatch(value):
            return value
    raise ValueError("it has no commit yet")


# -- the log -----------------------------------------------------------------------------------------------------------------------


def _log(program: str, repository: _Repository, prefix: str, seconds: float) -> Generator[tuple[str, Commit]]:
    """Paths with the commits that changed them, the newest first."""
    mark = secrets.token_hex(16)  # no file name can hold it
    with tempfile.TemporaryDirectory(prefix="audit-git-") as name:
        folder = Path(name)
        git = _borrowing(folder, repository)
        command = [
            *(program, "--no-pager", "--no-replace-objects", "--literal-pathspecs"),
            *("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "-c", "log.showSignature=false"),
            *("log", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-mailmap"),
            *("--no-notes", "--no-color", "--no-decorate", f"--max-count={_MAX_COMMITS}", f"--format={mark}%ct %an"),
            *(repository.head, "--", *([prefix] if prefix else [])),
        ]
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "LC_ALL": "C",
            "HOME": name,
            "XDG_CONFIG_HOME": name,
            "GIT_DIR": str(git),
            "GIT_OBJECT_DIRECTORY": str(repository.objects),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_ALLOW_PROTOCOL": "none",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_TERMINAL_PROMPT": "0",
        }
        complaints = folder / "stderr"
        with complaints.open("wb") as errors:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, env=environment, cwd=folder
            )
        try:
            yield from _read(process, mark.encode(), time.monotonic() + seconds)
            if process.wait():
                said = read_small(complaints, 1 << 20).partition("\n")[0]
                raise GitError(f"git log failed: {_CONTROL.sub(' ', said)[:200]}")
        finally:
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()


def _borrowing(folder: Path, repository: _Repository) -> Path:
    """An empty repository for the objects of another one."""
    git = folder / "git"
    for part in ("objects", "refs"):
        (git / part).mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/none\n", encoding="ascii")
    sha256 = len(repository.head) == 64
    (git / "config").write_text(
        f"[core]\n\trepositoryformatversion = {int(sha256)}\n\tbare = true\n"
        + ("[extensions]\n\tobjectformat = sha256\n" if sha256 else ""),
        encoding="ascii",
    )
    if repository.shallow is not None:
        (git / "shallow").write_text(repository.shallow, encoding="ascii", errors="replace")
    return git


def _read(process: subprocess.Popen[bytes], mark: bytes, deadline: float) -> Iterator[tuple[str, Commit]]:
    """What the process writes, until it ends. Raises `GitError` when it takes too long."""
    assert process.stdout is not None
    commit: Commit | None = None
    rest = b""
    while True:
        left = deadline - time.monotonic()
        if left < 0 or not select.select([process.stdout], [], [], left)[0]:
            raise GitError("git log took too long")
        data = os.read(process.stdout.fileno(), 1 << 16)
        if not data:
            return
        *tokens, rest = (rest + data).split(b"\0")
        if len(rest) > _MAX_TOKEN:
            raise GitError("git log wrote something unexpected")
        for token in tokens:
            token = token.removeprefix(b"\n")
            if token.startswith(mark):
                commit = _commit_of(token[len(mark) :])
            elif token and commit is not None:
                yield os.fsdecode(token), commit


def _commit_of(line: bytes) -> Commit | None:
    seconds, _, name = line.decode("utf-8", "replace").partition(" ")
    author = " ".join(_CONTROL.sub(" ", name).split())[:120]
    try:
        day = datetime.fromtimestamp(int(seconds), UTC).date()
    except (ValueError, OverflowError, OSError):
        return None
    return Commit(author if author and not author.endswith("[bot]") else None, day)
