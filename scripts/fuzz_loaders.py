"""Fuzz the loading of documents: `python scripts/fuzz_loaders.py [--minutes 8] [--seed 1] [--format docx] [--keep FOLDER]`.

Sample files are damaged in many ways and read by worker processes, exactly as a scan does (`auditor/engine`), under limits of time and
memory. Whatever a file holds, it has to come out as documents, as skipped with a reason that its owner understands, or as of no concern.
Found and shown are all others: an exception that no loader foresaw ("the loader failed", "the extraction failed"), a parser that crashed,
and what ran into a limit. Of each kind the smallest file is kept in `--keep`, cut down further where an exception got out.

The cases of a seed are always the same; how many of them are tried depends on the time. Exit code 1 if an unforeseen exception got out.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fuzz_mutations import mutated, smaller
from fuzz_seeds import Seed, seeds

from auditor.engine.parts import FactsOrder, Outcome, Setup, decoded, encoded
from auditor.engine.pool import POOL, Done, Task
from auditor.engine.worker import FACTS, READ
from auditor.extract.survey import Shared
from auditor.load.config import LoadConfig
from auditor.load.language import has_rules
from auditor.load.read import Reading

FAILED = ("the loader failed", "the extraction failed")
_LIMITS = ("took longer", "too deep", "the parser")
# A reason that quotes Python tells a person nothing, and may hide a mistake of ours that something broad has caught.
_PYTHON = re.compile(
    r"invalid literal for|(?:list|array) index|object (?:has|is)|not supported between|\bunpack\b|NoneType|Exceeds the limit|codec can't|argument|"
    r"[a-z]Error\b|Traceback|\(\) "
)
_OF_FACTS = "facts: "
_OTHER_NAME = 0.1  # share of the cases that come under the extension of another format
_TRIES = 120  # to cut down one example


@dataclass(slots=True)
class Case:
    """A damaged file and the format of the sample that it was."""

    name: str
    form: str
    data: bytes


@dataclass(slots=True)
class Report:
    """What came of all cases: counts, and for each kind of trouble how often and the smallest file."""

    cases: int = 0
    by_form: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    trouble: Counter[tuple[str, str]] = field(default_factory=Counter)
    smallest: dict[tuple[str, str], Case] = field(default_factory=dict)

    def note(self, case: Case, reason: str) -> None:
        """A reason for which a file was not read."""
        kind = kind_of(reason)
        self.reasons[kind] += 1
        if reason.removeprefix(_OF_FACTS).startswith((*FAILED, *_LIMITS)) or _PYTHON.search(reason):
            key = (case.form, kind)
            self.trouble[key] += 1
            if key not in self.smallest or len(case.data) < len(self.smallest[key].data):
                self.smallest[key] = case


def kind_of(reason: str) -> str:
    """The reason without what differs from file to file."""
    reason = re.sub(r"'[^']*'|\"[^\"]*\"|‘[^’]*’|b'[^']*'", "'…'", reason)
    return re.sub(r"0x[0-9a-f]+|\d+(\.\d+)?", "N", reason)[:160]


class Fuzzer:
    """Feeds cases to worker processes and collects what comes of them."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.report = Report()
        self._folder = folder
        self._rng = random.Random(options.seed)
        self._jobs: int = options.jobs
        self._config = LoadConfig(seconds=options.seconds, memory_mib=options.memory)
        self._setup = encoded(Setup(Reading(self._config)))
        self._seeds: dict[str, list[Seed]] = {}
        for seed in seeds():
            if options.format in (None, seed.suffix):
                self._seeds.setdefault(seed.suffix, []).append(seed)
        if not self._seeds:
            raise SystemExit(f"no sample of the format {options.format}")
        self._under_way: dict[int, Case] = {}
        self._facts: deque[Task] = deque()

    def run(self, seconds: float) -> None:
        """Try cases until the time is over."""
        end = time.monotonic() + seconds
        for done in POOL.run(self._tasks(end), self._setup, jobs=self._jobs, seconds=self._config.seconds):
            case = self._under_way.pop(done.number)
            self._place(done.number).unlink(missing_ok=True)
            self._take(case, done)

    def _tasks(self, end: float) -> Iterator[Task]:
        forms = sorted(self._seeds)
        number = 0
        while time.monotonic() < end:
            if self._facts:
                yield self._facts.popleft()
                continue
            rng = random.Random(self._rng.getrandbits(64))
            form = rng.choice(forms)
            seed = rng.choice(self._seeds[form])
            data = mutated(rng, seed.data, form, [other.data for other in self._seeds[form]])
            name = seed.name if rng.random() >= _OTHER_NAME else f"{Path(seed.name).stem}.{rng.choice(forms)}"
            number += 2
            yield self._task(number, Case(name, form, data))

    def _task(self, number: int, case: Case) -> Task:
        self._under_way[number] = case
        path = self._place(number)
        path.write_bytes(case.data)
        return Task(number, READ, encoded((case.name, os.fsencode(path))))

    def _place(self, number: int) -> Path:
        return self._folder / f"{number}"

    def _take(self, case: Case, done: Done) -> None:
        report = self.report
        if done.number % 2:  # the facts of a document that was read
            if done.failure:
                report.note(case, done.failure if done.failure.startswith(FAILED) else _OF_FACTS + done.failure)
            return
        report.cases += 1
        report.by_form[case.form] += 1
        documents = 0
        for outcome in (decoded(frame, Outcome) for frame in done.frames):
            if outcome.skipped is not None:
                report.note(case, outcome.skipped.reason)
            elif outcome.parts is not None:
                documents += 1
                if documents == 1 and outcome.parts.statements:
                    self._facts_of(done.number + 1, case, outcome)
        if done.failure:
            report.note(case, done.failure)
        report.ended["documents" if documents else "skipped" if done.frames or done.failure else "of no concern"] += 1

    def _facts_of(self, number: int, case: Case, outcome: Outcome) -> None:
        parts = outcome.parts
        assert parts is not None
        shared = Shared.of([parts.survey], [len(parts.statements)]).within(parts.survey, 0, len(parts.statements))
        order = FactsOrder(parts.statements, parts.document.scope, parts.survey, shared, not has_rules(parts.document.language))
        self._under_way[number] = case
        self._facts.append(Task(number, FACTS, encoded(order)))

    def example(self, key: tuple[str, str]) -> bytes:
        """The smallest file of this kind of trouble, cut down where it is an exception."""
        case = self.report.smallest[key]
        if not key[1].startswith(FAILED[0]):
            return case.data

        def still(data: bytes) -> bool:
            path = self._folder / "example"
            path.write_bytes(data)
            task = Task(0, READ, encoded((case.name, os.fsencode(path))))
            (done,) = POOL.run([task], self._setup, jobs=1, seconds=self._config.seconds)
            found = (decoded(frame, Outcome).skipped for frame in done.frames)
            return any(skipped is not None and kind_of(skipped.reason) == key[1] for skipped in found)

        return smaller(case.data, still, _TRIES)


def show(fuzzer: Fuzzer, minutes: float, keep: Path) -> bool:
    """Print the outcome and keep the examples. False if an exception got out."""
    report = fuzzer.report
    print(
        f"{report.cases:,} cases in {minutes:.1f} minutes: " + ", ".join(f"{n:,} {what}" for what, n in report.ended.most_common())
    )
    print("by format: " + ", ".join(f"{form} {n:,}" for form, n in sorted(report.by_form.items())))
    print(f"{len(report.reasons):,} different reasons; the most frequent:")
    for reason, count in report.reasons.most_common(12):
        print(f"  {count:7,}  {reason}")
    print(f"{len(report.trouble):,} kinds of trouble" + (f", examples in {keep}:" if report.trouble else ""))
    for at, (key, count) in enumerate(sorted(report.trouble.items(), key=lambda item: (item[0][1], item[0][0]))):
        form, kind = key
        keep.mkdir(parents=True, exist_ok=True)
        path = keep / f"{at:03}-{Path(report.smallest[key].name).name}"
        path.write_bytes(fuzzer.example(key))
        print(f"  {count:7,}  {form}: {kind}  ({path.name})")
    return not any(kind.startswith(FAILED) for _, kind in report.trouble)


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0, help="how long to try (default: 1)")
    parser.add_argument("--seed", type=int, default=1, help="which cases (default: 1)")
    parser.add_argument("--format", help="only samples with this extension")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes (default: 2)")
    parser.add_argument("--seconds", type=float, default=5.0, help="limit for one document (default: 5)")
    parser.add_argument("--memory", type=int, default=512, help="limit for one document in MiB (default: 512)")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-found"), help="folder for examples (default: fuzz-found)")
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(options, Path(folder))
        fuzzer.run(60 * options.minutes)
        return 0 if show(fuzzer, (time.monotonic() - began) / 60, options.keep) else 1


if __name__ == "__main__":
    sys.exit(main())
