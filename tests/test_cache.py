"""What is kept from scan to scan: never another result, never anything that came along with the documents."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from part_of_sample import copy_part

from auditor.cache import FOLDER, Cache, fingerprint, key_of

WRITTEN = (
    "conflicts.jsonl",
    "conflicts.parquet",
    "clusters.parquet",
    "documents.parquet",
    "chunks.parquet",
    "report.md",
    "report.html",
)


def filled(folder: Path, count: int = 3, print_: bytes = b"one") -> None:
    with Cache(folder, print_) as cache:
        for n in range(count):
            cache.put(key_of(str(n)), f"value {n}".encode())


def test_kept_and_found_again(tmp_path: Path) -> None:
    filled(tmp_path)
    cache = Cache(tmp_path, b"one")
    assert [cache.get(key_of(str(n))) for n in range(4)] == [b"value 0", b"value 1", b"value 2", None]
    assert (cache.hits, cache.misses) == (3, 1)


def test_another_fingerprint_is_ignored(tmp_path: Path) -> None:
    filled(tmp_path)
    assert Cache(tmp_path, b"two").get(key_of("0")) is None
    assert Cache(tmp_path, b"one").get(key_of("0")) is None  # and it was replaced


def test_the_last_value_counts(tmp_path: Path) -> None:
    filled(tmp_path)
    with Cache(tmp_path, b"one") as cache:
        cache.put(key_of("1"), b"newer")
    assert Cache(tmp_path, b"one").get(key_of("1")) == b"newer"


@given(cut=st.integers(0, 220), flip=st.integers(0, 219))
@settings(max_examples=60, deadline=None)
def test_damage_loses_records_and_invents_none(tmp_path_factory: pytest.TempPathFactory, cut: int, flip: int) -> None:
    folder = tmp_path_factory.mktemp("pack")
    filled(folder)
    path = folder / "scan.pack"
    data = bytearray(path.read_bytes())
    data[flip % len(data)] ^= 0x41
    path.write_bytes(bytes(data[: max(len(data) - cut, 0)]))
    with Cache(folder, b"one") as cache:
        for n in range(3):
            assert cache.get(key_of(str(n))) in (None, f"value {n}".encode())
        cache.put(key_of("after"), b"new")
    assert Cache(folder, b"one").get(key_of("after")) == b"new"


def test_a_second_scan_at_the_same_time_only_reads(tmp_path: Path) -> None:
    filled(tmp_path)
    first = Cache(tmp_path, b"one")
    second = Cache(tmp_path, b"one")
    assert second.get(key_of("0")) == b"value 0"
    second.put(key_of("9"), b"lost")
    first.put(key_of("8"), b"kept")
    first.close()
    second.close()
    third = Cache(tmp_path, b"one")
    assert third.get(key_of("8")) == b"kept"
    assert third.get(key_of("9")) is None


def test_what_is_of_no_use_is_thrown_away(tmp_path: Path) -> None:
    with Cache(tmp_path, b"one") as cache:
        for n in range(40):
            cache.put(key_of(str(n)), bytes(100_000))
    before = (tmp_path / "scan.pack").stat().st_size
    with Cache(tmp_path, b"one") as cache:
        assert cache.get(key_of("7")) == bytes(100_000)
    assert (tmp_path / "scan.pack").stat().st_size < before / 10
    assert Cache(tmp_path, b"one").get(key_of("7")) == bytes(100_000)
    assert Cache(tmp_path, b"one").get(key_of("8")) is None


def test_a_copied_corpus_brings_no_cache_along(tmp_path: Path) -> None:
    here = tmp_path / "corpus" / FOLDER
    with Cache(here, b"one", bound=True) as cache:
        cache.put(key_of("x"), b"forged")
    assert Cache(here, b"one", bound=True).get(key_of("x")) == b"forged"
    shutil.copytree(tmp_path / "corpus", tmp_path / "copy")
    assert Cache(tmp_path / "copy" / FOLDER, b"one", bound=True).get(key_of("x")) is None


@pytest.mark.parametrize("link", [".audit", ".audit/cache", ".audit/cache/scan.pack", ".audit/cache/lock"])
def test_a_linked_cache_is_not_followed(tmp_path: Path, link: str) -> None:
    corpus, outside = tmp_path / "corpus", tmp_path / "outside"
    outside.mkdir()
    (corpus / link).parent.mkdir(parents=True, exist_ok=True)
    target = outside if "." not in Path(link).name[1:] and link != ".audit/cache/lock" else outside / "file"
    (corpus / link).symlink_to(target)
    with Cache(corpus / FOLDER, b"one", bound=True) as cache:
        cache.put(key_of("x"), b"y")
        assert cache.get(key_of("x")) is None
    assert list(outside.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with Cache(tmp_path / "file" / "cache", b"one") as cache:
        cache.put(key_of("x"), b"y")
        assert cache.get(key_of("x")) is None


def test_the_fingerprint_knows_the_rules() -> None:
    assert fingerprint("rules a") != fingerprint("rules b")
    assert fingerprint("rules a") == fingerprint("rules a")


# -- whole scans -------------------------------------------------------------------------------------------------------------------


def scan(corpus: Path, out: Path, *more: str) -> None:
    subprocess.run(command(corpus, out, *more), check=True, timeout=300)


def command(corpus: Path, out: Path, *more: str) -> list[str]:
    options = ["--out", str(out), "--quiet", "--as-of", "2026-01-01", *more]
    return [sys.executable, "-c", "from auditor.cli import main; main()", "scan", str(corpus), *options]


def same(one: Path, other: Path) -> None:
    for name in WRITTEN:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A part of the sample corpus."""
    return copy_part(tmp_path / "corpus")


def test_an_edit_gives_what_a_full_scan_gives(corpus: Path, tmp_path: Path) -> None:
    scan(corpus, tmp_path / "first")
    edited = sorted(p for p in corpus.rglob("*.md") if "days" in p.read_text())[0]
    edited.write_text(edited.read_text().replace("days", "weeks") + "\n\nThe archive is not retained.\n")
    sorted(corpus.rglob("*.txt"))[0].unlink()
    (corpus / "new.md").write_text("# Returns\n\nReturns are accepted within 45 days of delivery.\n")
    scan(corpus, tmp_path / "again")
    scan(corpus, tmp_path / "full", "--no-cache")
    same(tmp_path / "again", tmp_path / "full")


def test_killed_scans_leave_nothing_wrong_behind(corpus: Path, tmp_path: Path) -> None:
    scan(corpus, tmp_path / "undisturbed", "--no-cache")
    seed = random.Random(5)
    for moment in sorted(seed.uniform(0.2, 4.0) for _ in range(4)):
        process = subprocess.Popen(command(corpus, tmp_path / "killed"), start_new_session=True)
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    scan(corpus, tmp_path / "killed")
    same(tmp_path / "killed", tmp_path / "undisturbed")
