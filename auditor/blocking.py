"""How the candidates of a scan were found: what was cut, how neighbours were searched, what was missed.

Plain data, so that `model.ScanResult` can hold it and every format can show it. `record` and `blocking_of` turn it into the block of
`run.json` and back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

_Z = 1.959963984540054  # 95 % of a normal distribution lie within so many standard deviations

EXACT = "exact"
IVF = "ivf"


@dataclass(frozen=True, slots=True)
class Cut:
    """What the bound on the size of a key group cost one list ("keys", "words").

    `keys` were held by more statements than the bound allows; of these, `dropped` could not even be joined in part. `rows` is the number
    of statements that hold a key, or a part of one, that was not joined. `pairs` is what joining the crowded keys whole would have
    looked at, `joined` what was looked at in their parts; a pair that two keys share counts twice.
    """

    list: str
    keys: int = 0
    dropped: int = 0
    rows: int = 0
    pairs: int = 0
    joined: int = 0


@dataclass(frozen=True, slots=True)
class Search:
    """How the nearest neighbours of `rows` statements were searched.

    `index` is "exact", or "ivf" with the number of `lists` and of those `probed` for each row. `recall` is the share of the true
    neighbours of `sample` rows that the index found, None where the search was exact.
    """

    index: str = EXACT
    rows: int = 0
    lists: int = 0
    probed: int = 0
    sample: int = 0
    recall: float | None = None


@dataclass(frozen=True, slots=True)
class RecallEstimate:
    """What blocking missed among all pairs of `statements` statements, drawn by chance, with every typed statement.

    There are `pairs` of these, of which `compared` hold facts of one class; the others cannot contradict each other. `found` are
    conflicts (high, medium and advisory) whose pair was a candidate, `missed` those whose pair was not. The conflicts of one statement
    are not independent of each other, so that the interval is rather too narrow.
    """

    statements: int
    pairs: int
    compared: int
    found: int
    missed: int

    @property
    def share(self) -> float | None:
        """Share of the conflicts that blocking missed, None where there is no conflict."""
        total = self.found + self.missed
        return self.missed / total if total else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of `share`: all of [0, 1] where there is no conflict."""
        return wilson(self.missed, self.found + self.missed)


@dataclass(frozen=True, slots=True)
class Blocking:
    """The record of the stage: `cuts` by list, how neighbours were searched, and what was missed if that was asked for."""

    cuts: tuple[Cut, ...] = ()
    search: Search = Search()
    estimate: RecallEstimate | None = None

    @property
    def dropped(self) -> int:
        """How many keys were left out whole."""
        return sum(cut.dropped for cut in self.cuts)


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a share; (0, 1) for no trials."""
    if not of:
        return 0.0, 1.0
    p = hits / of
    centre = p + _Z * _Z / (2 * of)
    half = _Z * math.sqrt(p * (1 - p) / of + _Z * _Z / (4 * of * of))
    scale = 1 + _Z * _Z / of
    low, high = (centre - half) / scale, (centre + half) / scale
    return (0.0 if not hits else max(low, 0.0)), (1.0 if hits == of else min(high, 1.0))


def record(blocking: Blocking) -> dict[str, Any]:
    """The block of `run.json`."""
    block = asdict(blocking)
    if (estimate := blocking.estimate) is not None:
        block["estimate"] |= {
            "share_missed": None if estimate.share is None else round(estimate.share, 4),
            "interval": [round(bound, 4) for bound in estimate.interval],
        }
    return block


def blocking_of(block: Mapping[str, Any]) -> Blocking:
    """The record of a block that `record` made. Raises `KeyError` or `TypeError` for anything else."""
    estimate = block["estimate"]
    return Blocking(
        cuts=tuple(Cut(**cut) for cut in block["cuts"]),
        search=Search(**block["search"]),
        estimate=None
        if estimate is None
        else RecallEstimate(**{name: int(estimate[name]) for name in ("statements", "pairs", "compared", "found", "missed")}),
    )
