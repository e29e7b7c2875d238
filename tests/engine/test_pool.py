"""Workers that hang, crash, swallow memory or are told nonsense cost one task each."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from auditor.engine.parts import DocumentParts, Outcome, Setup, decoded, encoded
from auditor.engine.pool import Pool
from auditor.engine.tasks import Done, Task
from auditor.engine.worker import READ
from auditor.load.config import LoadConfig
from auditor.load.read import Reading

LOADER = """
import os, signal, time
from auditor.load.plain import PlainLoader

class Moody(PlainLoader):
    def load(self, data, name):
        if data.startswith(b"hang in python"):
            while True:
                pass
        if data.startswith(b"hang for good"):
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
            while True:
                pass
        if data.startswith(b"crash"):
            os.kill(os.getpid(), signal.SIGSEGV)
        if data.startswith(b"eat"):
            held = []
            while True:
                held.append(bytearray(16 << 20))
        if data.startswith(b"print"):
            print("noise " * 1000, flush=True)
        if data.startswith(b"write"):
            with open(os.environ["MOODY_FILE"], "w") as file:
                file.write("x")
        return super().load(data, name)

import auditor.load.table as table
table.LOADERS = (("moody:Moody", "txt"), *table.LOADERS)
"""


@pytest.fixture
def pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Workers whose loader for text does what the text says."""
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "moody.py").write_text(LOADER)
    (modules / "sitecustomize.py").write_text("import moody\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(modules), *sys.path]))
    monkeypatch.setenv("MOODY_FILE", str(tmp_path / "written"))
    monkeypatch.setattr("auditor.engine.pool._GRACE", 6.0)
    found = Pool()
    yield found
    found.close()


def run(pool: Pool, folder: Path, texts: dict[str, str], *, jobs: int = 2, seconds: float = 20.0) -> dict[str, Done]:
    names = sorted(texts)
    for name in names:
        (folder / name).write_text(texts[name])
    setup = encoded(Setup(Reading(LoadConfig(seconds=seconds, memory_mib=512))))
    tasks = [Task(n, READ, encoded((name, os.fsencode(folder / name)))) for n, name in enumerate(names)]
    return {names[done.number]: done for done in pool.run(tasks, setup, jobs=jobs, seconds=seconds)}


def skipped(done: Done) -> str:
    (frame,) = done.frames
    outcome = decoded(frame, Outcome)
    assert outcome.skipped is not None
    return outcome.skipped.reason


def parts(done: Done) -> DocumentParts:
    (frame,) = done.frames
    outcome = decoded(frame, Outcome)
    assert outcome.parts is not None
    return outcome.parts


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_bad_document_costs_itself_only(pool: Pool, tmp_path: Path, jobs: int) -> None:
    good = {f"good{n}.txt": f"Returns are accepted within {n} days." for n in range(6)}
    bad = {
        "a.txt": "hang in python",
        "b.txt": "crash",
        "c.txt": "eat",
        "d.txt": "hang for good",
        "e.txt": "print something. Returns within 30 days.",
    }
    found = run(pool, tmp_path, good | bad, jobs=jobs, seconds=3)
    assert len(found) == len(good) + len(bad)
    assert skipped(found["a.txt"]) == "took longer than the limit of 3 s"
    assert found["b.txt"].failure == f"the parser crashed (signal {signal.SIGSEGV.value})"
    assert "too large to read (MemoryError)" in skipped(found["c.txt"])
    assert found["d.txt"].failure == "took longer than the limit of 3 s"
    assert len(parts(found["e.txt"]).statements) == 2
    for n in range(6):
        (statement,) = parts(found[f"good{n}.txt"]).statements
        assert statement.text == good[f"good{n}.txt"]


def test_a_parser_writes_no_file(pool: Pool, tmp_path: Path) -> None:
    found = run(pool, tmp_path, {"a.txt": "write a file"})
    assert "File too large" in skipped(found["a.txt"])
    assert (tmp_path / "written").stat().st_size == 0


def test_workers_serve_several_runs_and_new_settings(pool: Pool, tmp_path: Path) -> None:
    first = run(pool, tmp_path, {"a.txt": "It takes 3 days."}, jobs=1)
    process = pool._idle[0]
    second = run(pool, tmp_path, {"a.txt": "It takes 4 days."}, jobs=1, seconds=30.0)
    assert pool._idle == [process]
    assert parts(first["a.txt"]).statements[0].text == "It takes 3 days."
    assert parts(second["a.txt"]).statements[0].text == "It takes 4 days."


def test_leaving_early_ends_the_workers(pool: Pool, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("It takes 3 days.")
    setup = encoded(Setup(Reading(LoadConfig())))
    tasks = (Task(n, READ, encoded(("a.txt", os.fsencode(tmp_path / "a.txt")))) for n in range(100_000))
    results = pool.run(tasks, setup, jobs=2, seconds=5)
    next(results)
    results.close()
    assert pool._idle == []


def test_a_file_that_vanished(pool: Pool, tmp_path: Path) -> None:
    setup = encoded(Setup(Reading(LoadConfig())))
    (done,) = pool.run([Task(0, READ, encoded(("gone.txt", os.fsencode(tmp_path / "gone.txt"))))], setup, jobs=1, seconds=5)
    assert skipped(done) == "cannot be read: No such file or directory"
    assert done.end == b""


def test_a_pipe_is_not_waited_for(pool: Pool, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    setup = encoded(Setup(Reading(LoadConfig())))
    (done,) = pool.run([Task(0, READ, encoded(("pipe.txt", os.fsencode(tmp_path / "pipe.txt"))))], setup, jobs=1, seconds=5)
    assert "not a regular file" in skipped(done)


def test_nothing_is_imported_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "msgspec.py").write_text("raise SystemExit('a document took over')")
    monkeypatch.chdir(tmp_path)
    found = Pool()
    done = run(found, tmp_path, {"a.txt": "It takes 3 days."})
    found.close()
    assert len(parts(done["a.txt"]).statements) == 1
