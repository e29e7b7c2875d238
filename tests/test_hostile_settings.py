"""What lies beside the documents may be made to hurt, too: settings, globs, decisions, the cache, an earlier report."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.cache import FOLDER, Cache, key_of
from auditor.config import load_config
from auditor.errors import UserError
from auditor.format import FORMATS, write_all
from auditor.globs import is_valid
from auditor.load import LoadConfig, discover
from auditor.load.config import matches
from auditor.past import Past
from auditor.review.decisions import read_decisions
from tests.factories import realistic_result

WRONG = {
    "a = " + "[" * 100_000: "not valid TOML: nested too deeply",
    "[limits]\nmegabytes = " + "9" * 5_000: "not valid TOML: a number is too long",
    "# " + "x" * (1 << 20): "larger than 1 MiB",
    "[limits]\nseconds = inf": "limits.seconds: should be less than or equal to 86400",
    "[limits]\nmegabytes = inf": "limits.megabytes: should be less than or equal to 1048576",
    "[limits]\nmemory_megabytes = 99999999999999999999": "limits.memory_megabytes: should be less than or equal to 16777216",
    "include = [" + '"a",' * 1_001 + "]": "include: Tuple should have at most 1000 items",
    'include = ["' + "a" * 1_001 + '"]': "is not a usable glob",
}


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_wrong_configuration_is_one_short_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "audit.toml").write_text(text)
    with pytest.raises(UserError) as error:
        load_config(tmp_path)
    assert str(error.value).startswith("audit.toml: ")
    assert WRONG[text] in str(error.value)
    assert len(str(error.value)) < 300


NO_FILES: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "folder": lambda path: path.mkdir(),
    "loop": lambda path: path.symlink_to(path.name),
}


@pytest.mark.parametrize("kind", NO_FILES)
def test_what_is_no_file_is_not_opened(tmp_path: Path, kind: str) -> None:
    NO_FILES[kind](tmp_path / "audit.toml")
    with pytest.raises(UserError, match="no file"):
        load_config(tmp_path)
    NO_FILES[kind](tmp_path / "audit-decisions.toml")
    with pytest.raises(UserError, match="is not a file"):
        Past.read(tmp_path, None, None)


def test_a_number_too_long_in_decisions(tmp_path: Path) -> None:
    (tmp_path / "d.toml").write_text("version = " + "9" * 5_000)
    with pytest.raises(UserError, match="a number is too long"):
        read_decisions(tmp_path / "d.toml")


# -- globs -------------------------------------------------------------------------------------------------------------------------

BOMBS = ["*a" * 30 + "b", "**/a/" * 60 + "b", "**/" * 200 + "b", "{a,aa}" * 8 + "b", "**a*a*b", "[!b]*" * 60 + "b"]


@pytest.mark.parametrize("glob", BOMBS)
def test_a_glob_takes_bounded_time(glob: str) -> None:
    """With a regular expression that goes back to every star, most of these would not end."""
    assert is_valid(glob)
    for path in ("a" * 255, "a/" * 100 + "a" * 50):
        assert not matches(path, (glob,))


@pytest.mark.parametrize("glob", ["{a,b}" * 9, "**a" * 5, "a" * 1_001, "{" * 300 + "a" + "}" * 299, "{a,{b}"])
def test_globs_that_cost_too_much_are_refused(glob: str) -> None:
    assert not is_valid(glob)


def plain(glob: str, path: str) -> bool:
    """The meaning of a glob of letters, stars, question marks and slashes, spelled out."""
    if not glob:
        return not path
    if glob.startswith("**/") and plain(glob[3:], path):
        return True
    if glob.startswith("**/"):
        folder, slash, rest = path.partition("/")
        return bool(slash and folder) and plain(glob, rest)
    if glob == "**":
        return bool(path)
    if glob[0] == "*":
        return plain(glob[1:], path) or (path[:1] not in ("", "/") and plain(glob, path[1:]))
    if not path:
        return False
    return (path[0] == glob[0] or (glob[0] == "?" and path[0] != "/")) and plain(glob[1:], path[1:])


SEGMENT = st.text("ab?*", min_size=1, max_size=4).filter(lambda segment: "**" not in segment)


@settings(max_examples=600, deadline=None)
@given(
    st.lists(SEGMENT | st.just("**"), min_size=2, max_size=4),
    st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=5),
)
def test_globs_mean_what_they_say(segments: list[str], names: list[str]) -> None:
    glob, path = "/".join(segments), "/".join(names)
    assert matches(path, (glob,)) == plain(glob, path)


@settings(max_examples=300, deadline=None)
@given(st.text("ab/,{}[]!-*?", max_size=12), st.text("ab/", max_size=6))
def test_no_glob_raises_anything_else(glob: str, path: str) -> None:
    try:
        matches(path, (glob,))
    except re.error:
        assert not is_valid(glob)


def test_braces_and_brackets() -> None:
    assert matches("x/b.md", ("{a,x/{b,c}}.md",))
    assert matches("x/c.md", ("{a,x/{b,c}}.md",))
    assert not matches("x/a.md", ("{a,x/{b,c}}.md",))
    assert matches("a,b", ("a[,]b",))
    assert matches("a]", ("a[]]",))
    assert not matches("a/b", ("a[!x]b",))


# -- cache -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["scan.pack", "lock"])
@pytest.mark.parametrize("kind", NO_FILES)
def test_a_cache_with_traps(tmp_path: Path, name: str, kind: str) -> None:
    folder = tmp_path / FOLDER
    folder.mkdir(parents=True)
    NO_FILES[kind](folder / name)
    with Cache(folder, b"one", bound=True) as cache:
        cache.put(key_of("a"), b"value")
        assert cache.get(key_of("a")) in (b"value", None)
    assert {path.name for path in tmp_path.iterdir()} == {".audit"}


def test_no_link_of_the_cache_leads_out(tmp_path: Path) -> None:
    folder = tmp_path / "corpus" / FOLDER
    folder.mkdir(parents=True)
    (folder / ".gitignore").symlink_to(tmp_path / "outside")
    with Cache(folder, b"one", bound=True) as cache:
        cache.put(key_of("a"), b"value")
        assert cache.get(key_of("a")) == b"value"
    assert not (tmp_path / "outside").exists()


# -- an earlier report -------------------------------------------------------------------------------------------------------------


def test_a_report_in_the_corpus_is_no_document(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Returns are accepted within 30 days.")
    out = tmp_path / "checks"
    write_all(realistic_result(), out, FORMATS)
    (out / "report-jane.md").write_text("# What Jane has to see")
    (out / "minutes.md").write_text("Returns are accepted within 14 days.")
    assert [name for name, _ in discover(tmp_path, LoadConfig()).files] == ["a.md", "checks/minutes.md"]


def test_a_report_alone_is_a_document(tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text("Returns are accepted within 30 days.")
    (tmp_path / "run.json").write_text("{}")
    assert [name for name, _ in discover(tmp_path, LoadConfig()).files] == ["report.md", "run.json"]
