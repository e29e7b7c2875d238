"""What blocking left out, in the words of the command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.blocking import EXACT

if TYPE_CHECKING:
    from auditor.blocking import Blocking, RecallEstimate
    from auditor.commands.past_view import Part


def blocking_lines(blocking: Blocking) -> Iterator[tuple[str, *tuple[Part, ...]]]:
    """Lines of a scan's summary, each a label and its pieces: keys that were left out, neighbours not found, conflicts missed."""
    if blocking.dropped:
        keys = "key or word" if blocking.dropped == 1 else "keys or words"
        pairs = sum(cut.pairs - cut.joined for cut in blocking.cuts)
        yield (
            "too common",
            f"{blocking.dropped:,} {keys} left out when pairs were formed",
            (f"  ({pairs:,} pairs share one; run.json names them)", "dim"),
        )
    search = blocking.search
    if search.index != EXACT and search.recall is not None:
        yield "neighbours", f"{percent(search.recall)} of the nearest found", (f"  (of {search.sample:,} statements)", "dim")
    if blocking.estimate is not None:
        yield "missed", *_missed(blocking.estimate)


def _missed(estimate: RecallEstimate) -> tuple[Part, ...]:
    drawn = f"{estimate.statements:,} statement{'' if estimate.statements == 1 else 's'} against all: {estimate.pairs:,} pairs"
    if estimate.share is None:
        return "no estimate: no conflict", (f"  ({drawn})", "dim")
    low, high = estimate.interval
    return (
        f"{percent(estimate.share)} of the conflicts, {percent(low)} to {percent(high)} with 95 % confidence",
        (f"  ({estimate.missed:,} of {estimate.found + estimate.missed:,}; {drawn})", "dim"),
    )


def percent(share: float) -> str:
    """A share in per cent with one decimal."""
    return f"{100 * share:.1f} %"
