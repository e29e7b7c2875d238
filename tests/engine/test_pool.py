"""Workers that hang, crash, swallow memory or are told nonsense cost one task each."""

from __future__ import annotations

import os
import select
import signal
import subprocess
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

kept = []

class Panic(BaseException):
    pass

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
        if data.startswith(b"keep"):
            kept.append(bytearray(300 << 20))
        if data.startswith(b"panic"):
            raise Panic("out of range")
        if data.startswith(b"leave"):
            raise SystemExit(3)
        if data.startswith(b"tell"):
            with open(os.environ["MOODY_PIPE"], "w") as pipe:
                print(os.getpid(), file=pipe, flush=True)
                while True:
                    pass
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


def test_what_one_document_leaves_behind_is_not_counted_against_the_next(pool: Pool, tmp_path: Path) -> None:
    texts = {f"{n}.txt": "keep this. Returns within 30 days." for n in range(4)}
    found = run(pool, tmp_path, texts, jobs=1)  # 300 MiB each, of 512
    assert [len(parts(found[name]).statements) for name in texts] == [2] * 4


def test_a_worker_that_holds_too_much_is_replaced(pool: Pool, tmp_path: Path) -> None:
    run(pool, tmp_path, {"a.txt": "It takes 3 days."}, jobs=1)
    first = pool._idle[0]
    run(pool, tmp_path, {"a.txt": "keep this.", "b.txt": "keep this."}, jobs=1)
    assert not first.alive
    assert pool._idle == []


@pytest.mark.parametrize("text", ["panic", "leave"])
def test_what_is_no_ordinary_exception_costs_one_document(pool: Pool, tmp_path: Path, text: str) -> None:
    found = run(pool, tmp_path, {"a.txt": text, "b.txt": "It takes 3 days."}, jobs=1)
    assert (
        skipped(found["a.txt"])
        == {
            "panic": "the loader failed: Panic: out of range",
            "leave": "the loader failed: SystemExit: 3",
        }[text]
    )
    assert len(parts(found["b.txt"]).statements) == 1


def test_workers_end_with_their_parent(pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text("tell where you are")
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setenv("MOODY_PIPE", str(tmp_path / "pipe"))
    script = (
        "import os, sys\nfrom auditor.engine.parts import Setup, encoded\nfrom auditor.engine.pool import Pool, Task\n"
        "from auditor.engine.worker import READ\nfrom auditor.load.config import LoadConfig\nfrom auditor.load.read import Reading\n"
        "task = Task(0, READ, encoded(('a.txt', os.fsencode(sys.argv[1]))))\n"
        "list(Pool().run([task], encoded(Setup(Reading(LoadConfig(seconds=500)))), jobs=1, seconds=500))\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "a.txt")])
    try:
        with open(tmp_path / "pipe") as pipe:
            worker = int(pipe.readline())
            assert worker != parent.pid
            parent.kill()
            parent.wait()
            ready, _, _ = select.select([pipe], [], [], 60)
            assert ready, "the worker is still there"
            assert pipe.read() == ""  # the end that it held is closed
    finally:
        parent.kill()
        parent.wait()


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
