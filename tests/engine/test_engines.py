"""Every engine, with any number of workers, gives the same; a worker that is lost costs what it was doing."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from auditor import scan
from auditor.config import load_config
from auditor.engine import get_engine
from auditor.engine.parts import Outcome, Setup, decoded, encoded
from auditor.engine.tasks import Task
from auditor.engine.worker import READ, SETUP
from auditor.errors import UserError
from auditor.load.config import LoadConfig
from auditor.load.read import Reading

BLOCK = 7
UNITS = ("warehouse", "clinic", "library", "workshop", "canteen", "laboratory", "archive", "garage")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages that contradict each other here and there."""
    folder = tmp_path_factory.mktemp("corpus")
    for n, unit in enumerate(UNITS):
        for k, (name, days) in enumerate((("rules", 10 + n), ("questions", 10 + n + (n % 2)))):
            (folder / f"{unit}-{name}.md").write_text(
                f"# The {unit}: {name}\n\nRequests to the {unit} are answered within {days} days.\n\n"
                f"The {unit} is closed on Sundays.\n\n{'It may be visited.' if k else 'It may not be visited.'}\n"
            )
    (folder / "broken.docx").write_bytes(b"no document")
    return folder


def result(corpus: Path, engine: str, jobs: int, monkeypatch: pytest.MonkeyPatch) -> scan.Audit:
    monkeypatch.setattr("auditor.engine.stages.BLOCK", BLOCK)
    monkeypatch.setattr("auditor.engine.stages.FEW", 0)
    monkeypatch.setattr("auditor.engine.stages._FILES_A_WORKER", 1)
    options = scan.ScanOptions(corpus, load_config(corpus, None), as_of=date(2026, 1, 1), engine=engine, jobs=jobs)
    return scan.run(options)


@pytest.mark.parametrize(("engine", "jobs"), [("processes", 1), ("processes", 3), ("ray", 2)])
def test_the_same_from_every_engine(corpus: Path, engine: str, jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if engine == "ray":
        pytest.importorskip("ray")
    expected = result(corpus, "serial", 1, monkeypatch)
    assert expected.result.conflicts
    assert expected.skipped
    found = result(corpus, engine, jobs, monkeypatch)
    assert found.result.conflicts == expected.result.conflicts
    assert found.result.clusters == expected.result.clusters
    assert found.result.documents == expected.result.documents
    assert (found.statements, found.facts) == (expected.statements, expected.facts)


def test_a_lost_ray_worker_costs_the_task_it_was_doing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    engine = get_engine("ray")
    for n in range(12):
        (tmp_path / f"{n}.md").write_text(f"# Page {n}\n\nIt takes {n} days.\n")
    setup = encoded(Setup(Reading(LoadConfig())))

    def tasks() -> Iterator[Task]:
        for n in range(12):
            yield Task(n, READ, encoded((f"{n}.md", os.fsencode(tmp_path / f"{n}.md"))))

    before = engine.redone
    found: dict[int, list[bytes]] = {}
    for done in engine.run(tasks(), setup, jobs=2, seconds=60, kind=SETUP):
        assert not done.failure
        found[done.number] = done.frames
        if len(found) == 3:
            os.kill(actors()[-1], signal.SIGKILL)
    assert sorted(found) == list(range(12))
    assert engine.redone - before in (0, 1)  # 0 where the worker had nothing to do at that moment
    for n, (frame,) in found.items():
        parts = decoded(frame, Outcome).parts
        assert parts is not None
        assert [s.text for s in parts.statements][-1] == f"It takes {n} days."


class Killed(BaseException):
    """The end of a driver in the middle of its work."""


@pytest.mark.parametrize(("engine", "jobs"), [("serial", 1), ("serial", 2), ("processes", 2), ("ray", 2)])
def test_a_killed_driver_leaves_the_blocks_that_are_done(
    corpus: Path, tmp_path: Path, engine: str, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine == "ray":
        pytest.importorskip("ray")
    expected = result(corpus, "serial", 1, monkeypatch)
    total = expected.result.counts["pair_blocks"]
    assert total > 4
    options = scan.ScanOptions(
        corpus, load_config(corpus, None), as_of=date(2026, 1, 1), engine=engine, jobs=jobs, cache=tmp_path / "cache"
    )
    done_before = 3 * BLOCK

    def kill(stage: str, done: int, _: int) -> None:
        if stage == "compare" and done >= done_before:
            raise Killed

    with pytest.raises(Killed):
        scan.run(options, kill)
    again = scan.run(options)
    assert again.result.counts["pair_blocks"] == total - 3
    assert again.result.counts["pairs_kept"] == done_before
    assert again.result.conflicts == expected.result.conflicts
    assert again.result.clusters == expected.result.clusters
    once_more = scan.run(options)
    assert once_more.result.counts["pairs_kept"] == len(expected.candidates)
    assert once_more.result.counts["pair_blocks"] == 0
    assert once_more.result.conflicts == expected.result.conflicts


def test_an_edit_costs_the_pairs_of_what_was_edited(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edited = tmp_path / "corpus"
    shutil.copytree(corpus, edited)
    options = scan.ScanOptions(edited, load_config(edited, None), as_of=date(2026, 1, 1), cache=tmp_path / "cache")
    scan.run(options)
    page = edited / "library-rules.md"
    page.write_text(page.read_text().replace("closed on Sundays", "closed on Mondays"))
    again, expected = scan.run(options), result(edited, "serial", 1, monkeypatch)
    touched = sum(page.name in (again.statements[c.a].doc_id, again.statements[c.b].doc_id) for c in again.candidates)
    assert len(again.candidates) - touched <= again.result.counts["pairs_kept"] < len(again.candidates)
    assert again.result.conflicts == expected.result.conflicts


def actors() -> list[int]:
    """Processes of actors of this machine."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if (entry / "cmdline").read_bytes().startswith(b"ray::Actor"):
                    found.append(int(entry.name))
    return sorted(found)


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(UserError, match="there are processes, serial, ray"):
        get_engine("steam")
