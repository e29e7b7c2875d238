"""Ctrl-C at any moment: exit code 130, one word, no traceback, nothing left behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAD = "import os, signal, sys\nfrom pathlib import Path\nfrom auditor import interrupt\nhere = Path(sys.argv[1])\n"
HIT = "os.kill(os.getpid(), signal.SIGINT)\n"


def run(script: str, folder: Path) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "-c", HEAD + script, str(folder)], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_while_modules_are_loaded(tmp_path: Path) -> None:
    assert run(f"interrupt.at_once()\n{HIT}print('went on', file=sys.stderr)", tmp_path) == (130, "interrupted\n")


def test_while_a_module_is_loaded_later(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        f"import os, signal\ntry:\n    {HIT}except BaseException:\n    raise AttributeError('half loaded') from None\n"
    )
    script = "interrupt.at_once(); interrupt.in_order()\nsys.path.insert(0, str(here))\nimport slow\n"
    assert run(script, tmp_path) == (130, "interrupted\n")


def test_in_order_the_first_time_and_at_once_the_second(tmp_path: Path) -> None:
    script = (
        f"interrupt.at_once(); interrupt.in_order()\ntry:\n    {HIT}except KeyboardInterrupt:\n"
        f"    print(interrupt.seen(), file=sys.stderr, flush=True)\n    {HIT}    print('went on', file=sys.stderr)"
    )
    assert run(script, tmp_path) == (130, "True\n")


def test_an_exception_that_an_interruption_became(tmp_path: Path) -> None:
    script = (
        "import typer\nfrom auditor.commands.guard import guarded\ninterrupt.at_once(); interrupt.in_order()\n"
        f"@guarded\ndef command():\n    try:\n        {HIT}    except KeyboardInterrupt:\n        raise AttributeError('odd') from None\n"
        "try:\n    command()\nexcept typer.Exit as end:\n    sys.exit(end.exit_code)\n"
    )
    assert run(script, tmp_path) == (130, "interrupted\n")


@pytest.mark.parametrize("before", ["interrupt.at_once()", "interrupt.at_once(); interrupt.in_order(); interrupt._seen = True"])
def test_temporary_folders_do_not_stay(tmp_path: Path, before: str) -> None:
    script = f"{before}\nsignal.signal(signal.SIGINT, interrupt._leave)\n(here / 't').mkdir()\nwith interrupt.removing(here / 't'):\n    {HIT}"
    assert run(script, tmp_path)[0] == 130
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("given", ["SIG_IGN", "SIG_DFL"])
def test_other_handlers_stay(tmp_path: Path, given: str) -> None:
    script = (
        f"signal.signal(signal.SIGINT, signal.{given})\ninterrupt.at_once(); interrupt.in_order(); interrupt.never()\n"
        f"assert signal.getsignal(signal.SIGINT) is signal.{given}\n"
    )
    assert run(script, tmp_path) == (0, "")


def test_when_the_work_is_done(tmp_path: Path) -> None:
    assert run(f"interrupt.at_once(); interrupt.in_order(); interrupt.never()\n{HIT}", tmp_path) == (0, "")
