from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

import auditor.pair
import auditor.scan
from auditor import __version__
from auditor.cli import app
from auditor.commands import explain as explain_command
from auditor.commands.guard import Code, guarded
from auditor.commands.scan import share
from auditor.model import Rejection
from auditor.rulepack import load_rules
from tests.evaluation.builders import TEXTS, FakeAudit, conflict, finding, scanned
from tests.factories import copies_result, empty_result, make_skipped, realistic_result

ROOT = Path(__file__).parent.parent
HEAVY = ("torch", "polars", "faiss", "transformers", "sentence_transformers", "numpy", "onnxruntime", "jinja2")

RATE = conflict(
    "api/limits.md",
    "Each key may send 100 requests per minute.",
    "api/v2.md",
    "Each key may send 500 requests per minute.",
    conflict_id="abc123def456",
    rule_trace=("owner_rule: no configured rule covers both documents", "timestamp: B is dated 2024-03-01, A 2023-01-01"),
    rule_applied=("owner_rule", "timestamp"),
    winner="b",
    tier="medium",
)
OTHER = conflict(
    "api/limits.md", "Uploads may be 5 GB large.", "api/v2.md", "Uploads may be 8 GB large.", conflict_id="abc999def456"
)


def audit(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def process(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    command = [sys.executable, "-m", "auditor.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=env, timeout=120, check=False)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "handbook"
    for name, text in TEXTS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def scan_gives(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], list[Any]]:
    """Let a scan end with this audit, or this error; gives the list of options it was called with."""

    def prepare(outcome: Any) -> list[Any]:
        calls: list[Any] = []

        def run(options: Any, progress: Any = None) -> Any:
            calls.append(options)
            if isinstance(outcome, BaseException):
                raise outcome
            return outcome

        monkeypatch.setattr(auditor.scan, "run", run)
        return calls

    return prepare


# -- help --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments", [["--help"], ["scan", "--help"], ["eval", "-h"], ["explain", "-h"], ["rules", "-h"], ["--version"]]
)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom auditor.cli import main\nsys.argv = ['audit', *sys.argv[1:]]\n"
        f"try:\n    main()\nfinally:\n    print([m for m in {HEAVY} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout
    assert done.stderr.strip() == "[]"


def test_version() -> None:
    assert audit("--version").stdout == f"corpus-auditor {__version__}\n"


def test_without_arguments_there_is_help() -> None:
    assert "audit scan ./documents" in audit().output


# -- scan: options and exit codes --------------------------------------------------------------------------------------


def test_a_scan_writes_and_summarises(corpus: Path, tmp_path: Path, scan_gives: Any) -> None:
    scan_gives(FakeAudit(realistic_result()))
    done = audit("scan", corpus, "--out", tmp_path / "out")
    assert done.exit_code == 0
    assert (tmp_path / "out" / "report.html").is_file()
    for said in ("3 skipped", "board-minutes.pdf: no text", "possible pairs", " high · ", str(tmp_path / "out" / "report.html")):
        assert said in done.stdout
    assert "\x1b" not in done.stdout


def test_the_summary_tells_of_copies_and_of_what_was_read_in_part(corpus: Path, tmp_path: Path, scan_gives: Any) -> None:
    scan_gives(FakeAudit(copies_result()))
    lines = [" ".join(line.split()) for line in audit("scan", corpus, "--out", tmp_path / "out").stdout.splitlines()]
    assert "copies 2 of other documents" in lines
    assert "in part 2 of those read; the report says what is missing" in lines
    scan_gives(FakeAudit(realistic_result()))
    said = audit("scan", corpus, "--out", tmp_path / "out").stdout
    assert "copies" not in said
    assert "in part" not in said


def test_options_reach_the_scan_and_override_the_configuration(corpus: Path, tmp_path: Path, scan_gives: Any) -> None:
    calls = scan_gives(FakeAudit(empty_result()))
    (corpus / "audit.toml").write_text('[scan]\nmin_tier = "high"\nencoder = "minilm"\n', encoding="utf-8")
    out = tmp_path / "out"
    assert audit("scan", corpus, "--out", out, "-q").exit_code == 0
    assert (
        audit("scan", corpus, "--out", out, "-q", "--min-tier", "medium", "--encoder", "static", "--as-of", "2024-02-29").exit_code
        == 0
    )
    assert [(c.min_tier, c.encoder) for c in calls] == [("high", "minilm"), ("medium", "static")]
    assert calls[1].as_of.isoformat() == "2024-02-29"


def test_quiet_prints_nothing(corpus: Path, tmp_path: Path, scan_gives: Any) -> None:
    scan_gives(FakeAudit(realistic_result()))
    assert audit("scan", corpus, "--out", tmp_path / "out", "--quiet").output == ""


@pytest.mark.parametrize(
    ("tiers", "fail_on", "code"),
    [
        (["high", "medium"], "never", 0),
        (["high"], "high", 1),
        (["medium"], "high", 0),
        (["medium"], "medium", 1),
        (["high"], "medium", 1),
        (["advisory"], "medium", 0),
        ([], "medium", 0),
    ],
)
def test_fail_on(tiers: Sequence[str], fail_on: str, code: int, corpus: Path, tmp_path: Path, scan_gives: Any) -> None:
    rows = [replace(RATE, tier=tier, conflict_id=f"id-{n}") for n, tier in enumerate(tiers)]
    scan_gives(FakeAudit(scanned(*rows)))
    assert audit("scan", corpus, "--out", tmp_path / "out", "--fail-on", fail_on).exit_code == code


@pytest.mark.parametrize("status", ["decided", "dismissed"])
def test_settled_findings_do_not_fail_a_build(status: str, corpus: Path, tmp_path: Path, scan_gives: Any) -> None:
    scan_gives(FakeAudit(scanned(replace(RATE, tier="high", status=status))))
    assert audit("scan", corpus, "--out", tmp_path / "out", "--fail-on", "medium").exit_code == 0


def test_what_is_new_needs_an_earlier_run(corpus: Path, tmp_path: Path) -> None:
    said = "--fail-on new needs --baseline PATH"
    assert said in one_line(audit("scan", corpus, "--out", tmp_path / "out", "--fail-on", "new"))
    (corpus / "audit.toml").write_text('[scan]\nfail_on = "new"\n', encoding="utf-8")
    assert said in one_line(audit("scan", corpus, "--out", tmp_path / "out"))
    assert "no such file" in one_line(audit("scan", corpus, "--out", tmp_path / "out", "--baseline", tmp_path / "none.json"))


@pytest.mark.parametrize(("option", "code"), [(["--strict"], 2), (["--max-skipped", "1"], 2), (["--max-skipped", "2"], 0), ([], 0)])
def test_skipped_documents(option: list[str], code: int, corpus: Path, tmp_path: Path, scan_gives: Any) -> None:
    result = scanned(RATE)
    rows = (*result.documents, make_skipped("a.pdf", "no text"), make_skipped("b.pdf", "no text"))
    scan_gives(FakeAudit(replace(result, documents=rows)))
    done = audit("scan", corpus, "--out", tmp_path / "out", "-q", *option)
    assert done.exit_code == code
    assert (tmp_path / "out" / "report.html").is_file()  # it says which ones
    assert done.stderr.startswith("error: 2 documents were not read" if code else "")


# -- scan: bad input ---------------------------------------------------------------------------------------------------


def one_line(done: Result) -> str:
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_bad_folders(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    (empty / "sub").mkdir(parents=True)
    file = tmp_path / "file.md"
    file.write_text("x", encoding="utf-8")
    assert "no such folder" in one_line(audit("scan", tmp_path / "nowhere"))
    assert "is empty" in one_line(audit("scan", empty))
    assert "is a file" in one_line(audit("scan", file))


def test_bad_configuration_and_rules(corpus: Path, tmp_path: Path) -> None:
    assert "no such file" in one_line(audit("scan", corpus, "--config", tmp_path / "x.toml"))
    assert "no such folder" in one_line(audit("scan", corpus, "--rules", tmp_path / "x", "--out", tmp_path / "out"))
    (corpus / "audit.toml").write_text("colection = 3\n", encoding="utf-8")
    assert "audit.toml: colection: unknown key" in one_line(audit("scan", corpus))
    assert not (tmp_path / "out").exists()


def test_bad_output_is_noticed_before_the_work(corpus: Path, tmp_path: Path, scan_gives: Any) -> None:
    calls = scan_gives(FakeAudit(empty_result()))
    file = tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    assert "it is a file" in one_line(audit("scan", corpus, "--out", file))
    assert f"{file} is a file" in one_line(audit("scan", corpus, "--out", file / "sub"))
    assert calls == []


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "out of memory"),
        (OSError(28, "No space left on device", "/mnt/x"), "/mnt/x: No space left on device"),
        (KeyError("nope"), "unexpected: KeyError: 'nope' (set AUDIT_DEBUG=1 to see where)"),
        (RuntimeError("two\nlines \x1b[31m"), "unexpected: RuntimeError: two lines ␛[31m"),
    ],
)
def test_whatever_goes_wrong_is_one_line(error: Exception, said: str, corpus: Path, tmp_path: Path, scan_gives: Any) -> None:
    scan_gives(error)
    assert said in one_line(audit("scan", corpus, "--out", tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_the_traceback_is_there_when_asked_for(
    corpus: Path, tmp_path: Path, scan_gives: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUDIT_DEBUG", "1")
    scan_gives(KeyError("nope"))
    done = audit("scan", corpus, "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert "Traceback" in done.stderr


def test_interruption(corpus: Path, tmp_path: Path, scan_gives: Any) -> None:
    scan_gives(KeyboardInterrupt())
    done = audit("scan", corpus, "--out", tmp_path / "out")
    assert (done.exit_code, done.stderr) == (130, "interrupted\n")
    assert not (tmp_path / "out").exists()


def test_guard_lets_a_planned_end_pass() -> None:
    def command() -> None:
        raise typer.Exit(Code.FINDINGS)

    with pytest.raises(typer.Exit) as caught:
        guarded(command)()
    assert caught.value.exit_code == 1


@pytest.mark.parametrize(
    ("part", "whole", "text"), [(0, 0, "0 %"), (0, 9, "0.0 %"), (1, 8, "12.5 %"), (1, 5000, "0.02 %"), (1, 10**9, "< 0.001 %")]
)
def test_share(part: int, whole: int, text: str) -> None:
    assert share(part, whole) == text


# -- the real thing, in a process --------------------------------------------------------------------------------------


def test_a_real_scan_from_end_to_end(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = process("scan", corpus, "--out", out)
    assert (done.returncode, done.stderr) == (0, "")
    assert "5 read" in done.stdout
    assert json.loads((out / "run.json").read_text(encoding="utf-8"))["counts"]["documents"] == 5
    assert not list(out.glob(".*"))  # nothing half-written


def test_errors_of_a_process_show_no_traceback(tmp_path: Path) -> None:
    done = process("scan", tmp_path / "nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"error: {tmp_path / 'nowhere'}: no such folder\n"
    assert process("scan", tmp_path, "--bogus").returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c(corpus: Path, tmp_path: Path) -> None:
    code = (
        "import sys, time, auditor.scan\nfrom auditor.cli import main\n"
        "def run(options, progress=None):\n    print('ready', flush=True)\n    time.sleep(60)\n"
        "auditor.scan.run = run\nsys.argv = ['audit', *sys.argv[1:]]\nmain()"
    )
    started = subprocess.Popen(
        [sys.executable, "-c", code, "scan", str(corpus), "--out", str(tmp_path / "out")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert started.stdout is not None
    assert started.stdout.readline() == "ready\n"
    time.sleep(0.1)
    started.send_signal(signal.SIGINT)
    _, stderr = started.communicate(timeout=30)
    assert (started.returncode, stderr) == (130, "interrupted\n")
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(os.name == "nt", reason="no /dev/full")
def test_a_full_disk_under_stdout_is_an_error() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "auditor.cli", "rules", "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=False,
        )
    assert done.returncode != 0
    assert "No space left" in done.stderr


# -- explain -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def run_dir(corpus: Path, tmp_path: Path, scan_gives: Any) -> Path:
    """The output of a scan with two findings; the next scan gives the same."""
    made = FakeAudit(scanned(RATE, OTHER, corpus="handbook"))
    i, j = made.at("api/limits.md", "100 requests"), made.at("api/v2.md", "500 requests")
    made.findings.append(finding(i, j))
    made.candidates[i, j] = ("keys", "vectors")
    made.verdicts[i, j] = ([finding(i, j)], [])
    k = made.at("faq/returns.md", "14 days")
    made.verdicts[min(j, k), max(j, k)] = ([], [Rejection(j, k, "numeric", "scope", "eu against us")])
    scan_gives(made)
    out = tmp_path / "out"
    assert audit("scan", corpus, "--out", out, "-q").exit_code == 0
    return out


def test_explain_by_the_start_of_an_id(run_dir: Path) -> None:
    done = audit("explain", "abc1", "--run", run_dir)
    assert done.exit_code == 0, done.output
    for said in (
        "abc123def456",
        "brought together by keys, vectors",
        "api/limits.md:1",
        "neither side is limited",
        "confidence",
        "without weight: strength",
        "→ timestamp: B is dated 2024-03-01",
        "suggested: B",
    ):
        assert said in done.stdout
    assert "Note" not in done.stdout


def test_explain_says_what_is_wrong_with_an_id(run_dir: Path) -> None:
    assert "2 findings have an id that starts with “abc”: abc123def456, abc999def456" in one_line(
        audit("explain", "abc", "--run", run_dir)
    )
    assert "did you mean abc123def456?" in one_line(audit("explain", "abc123def455", "--run", run_dir))
    assert "2 findings, listed in conflicts.jsonl" in one_line(audit("explain", "zzz", "--run", run_dir))
    assert "name a finding by its id, or two passages" in one_line(audit("explain", "--run", run_dir))
    assert "holds no run" in one_line(audit("explain", "abc", "--run", run_dir / "nowhere"))


def test_explain_notices_that_the_corpus_changed(run_dir: Path, scan_gives: Any) -> None:
    result = scanned(RATE, corpus="handbook")
    rows = tuple(replace(row, sha256="new") if row.path == "api/v2.md" else row for row in result.documents)
    scan_gives(FakeAudit(replace(result, documents=rows)))
    assert "Note: documents changed since the run (api/v2.md)." in audit("explain", "abc1", "--run", run_dir).stdout
    gone = one_line(audit("explain", "abc9", "--run", run_dir))
    assert "abc999def456 is not found any more: documents changed since the run (api/v2.md); scan again" in gone


def test_explain_finds_the_corpus_by_its_name_or_asks(run_dir: Path, corpus: Path, tmp_path: Path) -> None:
    assert explain_command.find_corpus(explain_command.read_run(run_dir)) == corpus
    corpus.rename(tmp_path / "elsewhere")
    assert "name it with --corpus" in one_line(audit("explain", "abc1", "--run", run_dir))
    assert audit("explain", "abc1", "--run", run_dir, "--corpus", tmp_path / "elsewhere").exit_code == 0


def test_explain_refuses_a_damaged_run(run_dir: Path) -> None:
    (run_dir / "run.json").write_text("{}", encoding="utf-8")
    assert "run.json is not the record of a run" in one_line(audit("explain", "abc1", "--run", run_dir))


def test_explain_why_two_passages_are_no_finding(run_dir: Path, corpus: Path) -> None:
    pair = audit("explain", "--corpus", corpus, "--run", run_dir, "--pair", corpus / "api/v2.md:1", "faq/returns.md:1-2")
    assert pair.exit_code == 0, pair.output
    assert "no: nothing brought the two together" in pair.stdout
    assert "numeric: scope  eu against us" in pair.stdout
    reported = audit("explain", "--corpus", corpus, "--pair", "api/v2.md:1", "api/limits.md:1").stdout
    assert "(reported)" in reported


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("api/v2.md", "is not FILE:LINE"),
        ("api/v2.md:x", "is not FILE:LINE"),
        ("api/v3.md:1", "did you mean api/v2.md?"),
        ("api/v2.md:99", "no statement there (a heading, code, or boilerplate); the nearest stand at lines 1, 3"),
    ],
)
def test_explain_says_what_is_wrong_with_a_place(place: str, said: str, run_dir: Path, corpus: Path) -> None:
    assert said in one_line(audit("explain", "--corpus", corpus, "--run", run_dir, "--pair", "api/limits.md:1", place))


# -- eval --------------------------------------------------------------------------------------------------------------

GOLD = {
    "id": "rate",
    "doc_a": "api/limits.md",
    "doc_b": "api/v2.md",
    "quote_a": "100 requests per minute",
    "quote_b": "500 requests per minute",
    "label": "contradiction",
    "kind": "numeric",
}


@pytest.fixture
def gold(corpus: Path) -> Path:
    path = corpus / "gold.jsonl"
    path.write_text(json.dumps(GOLD) + "\n", encoding="utf-8")
    return path


@pytest.mark.usefixtures("gold")
def test_eval_of_a_folder(corpus: Path, scan_gives: Any) -> None:
    calls = scan_gives(FakeAudit(scanned(RATE, OTHER)))
    done = audit("eval", corpus)
    assert done.exit_code == 0, done.output
    assert "1 of 1" in done.stdout
    assert "unlisted" in done.stdout
    data = json.loads(audit("eval", corpus, "--json").stdout)
    assert data["levels"]["high+medium"]["precision"] == 0.5
    assert data["missed"] == []
    assert {c.min_tier for c in calls} == {"advisory"}


@pytest.mark.usefixtures("gold")
def test_eval_holds_figures_against_bounds(corpus: Path, scan_gives: Any) -> None:
    scan_gives(FakeAudit(scanned(RATE, OTHER)))
    assert audit("eval", corpus, "--min-precision", "0.5", "--min-recall", "1").exit_code == 0
    done = audit("eval", corpus, "--json", "--min-precision", "0.51")
    assert (done.exit_code, done.stderr) == (1, "precision 0.500 is below 0.51\n")
    scan_gives(FakeAudit(scanned()))
    done = audit("eval", corpus, "--json", "--min-precision", "0.1")
    assert (done.exit_code, done.stderr) == (1, "precision unknown is below 0.1\n")


def test_eval_needs_gold_and_refuses_what_does_nothing(corpus: Path) -> None:
    assert "gold.jsonl: no such file" in one_line(audit("eval", corpus))
    assert "--show has no meaning with a folder" in one_line(audit("eval", corpus, "--show", "misses"))
    assert "--gold has no meaning with --pairs" in one_line(audit("eval", "--pairs", corpus, "--gold", corpus))
    assert "name one folder" in one_line(audit("eval", corpus, corpus))


def test_eval_of_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, str]] = []

    def judge_pair(text_a: str, text_b: str, **context: Any) -> Any:
        seen.append((context["title_a"], context["heading_b"]))
        return ([finding(0, 1)], []) if "5" in text_b else ([], [Rejection(0, 1, "numeric", "equal", "same")])

    monkeypatch.setattr(auditor.pair, "judge_pair", judge_pair)
    file = tmp_path / "hr.jsonl"
    rows = [
        {"text_a": "4 days", "text_b": "5 days", "label": "contradiction", "title_a": "T", "heading_b": "H"},
        {"text_a": "4 days", "text_b": "four days", "label": "contradiction"},
        {"text_a": "4 days", "text_b": "5 nights", "label": "no_contradiction", "reason": "UNRELATED"},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = audit("eval", "--pairs", file, file, "--show", "misses", "--show", "false")
    assert done.exit_code == 0, done.output
    assert seen[0] == ("T", "H")
    assert "Missed at high+medium  2" in done.stdout
    assert "False positives at high+medium  2" in done.stdout
    assert json.loads(audit("eval", "--pairs", file, "--json").stdout)["levels"]["high"]["recall"] == 0.5


# -- rules and doctor --------------------------------------------------------------------------------------------------


def test_rules(tmp_path: Path) -> None:
    own = tmp_path / "rules"
    assert "units" in audit("rules", "list").stdout
    assert audit("rules", "export", own).exit_code == 0
    assert "--force overwrites" in one_line(audit("rules", "export", own))
    assert audit("rules", "export", own, "--force").exit_code == 0
    assert audit("rules", "check", own).stdout == "all packs are fine\n"
    for name in ("units", "lexicon", "scope", "synonyms"):
        (own / f"{name}.toml").unlink()
    load_rules.cache_clear()  # a process reads the packs once
    assert audit("rules", "check", own).stdout.startswith("score: fine")
    text = (own / "score.toml").read_text(encoding="utf-8")
    (own / "score.toml").write_text(text.replace("[tiers]", "[tiers]\nextra = 1"), encoding="utf-8")
    load_rules.cache_clear()
    assert "score.toml: tiers.extra" in one_line(audit("rules", "check", own))
    assert audit("rules", "show", "score").stdout.startswith("#")
    assert "known are units" in one_line(audit("rules", "show", "nothing"))
    assert "no such folder" in one_line(audit("rules", "check", tmp_path / "x"))
    (tmp_path / "empty").mkdir()
    assert "holds no rule pack" in one_line(audit("rules", "check", tmp_path / "empty"))


def test_doctor(monkeypatch: pytest.MonkeyPatch) -> None:
    from auditor import doctor

    monkeypatch.setattr(doctor, "collect", lambda: [doctor.Check("python", True, "3.11"), doctor.Check("disk", True, "9 GiB")])
    assert audit("doctor").exit_code == 0
    monkeypatch.setattr(
        doctor, "collect", lambda: [doctor.Check("python", True, "3.11"), doctor.Check("model x", False, "altered")]
    )
    done = audit("doctor")
    assert done.exit_code == 2
    assert "✗ model x  altered" in done.stdout
    assert done.stderr == "error: 1 of 2 checks failed\n"


def test_the_corpus_is_no_output_folder(corpus: Path) -> None:
    done = audit("scan", corpus, "--out", corpus)
    assert done.exit_code == 2
    assert "is the corpus itself" in done.stderr


def test_files_that_no_scan_wrote_are_left_alone(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text("mine")
    (tmp_path / "run.json").write_text("{}")
    done = audit("scan", corpus, "--out", tmp_path)
    assert done.exit_code == 2
    assert "report.md, which no scan wrote" in done.stderr
    assert (tmp_path / "report.md").read_text() == "mine"
