"""Tables of `audit review list`."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from rich.table import Table

from auditor.commands.console import plain

if TYPE_CHECKING:
    from auditor.review.decisions import Decision


def decision_table(made: Sequence[Decision], today: date) -> Table:
    """One row for each decision; `today` tells which have expired."""
    table = Table(box=None, pad_edge=False)
    for name, style in (("id", "bold"), ("decision", ""), ("about", ""), ("reviewer", ""), ("decided", ""), ("", "dim")):
        table.add_column(name, style=style, overflow="fold")
    for d in made:
        docs = plain(d.doc_a, 80) if d.doc_a == d.doc_b else f"{plain(d.doc_a, 80)} ↔ {plain(d.doc_b, 80)}"
        about = f"{plain(d.attribute, 40)}: {plain(d.value_a, 40)} ↔ {plain(d.value_b, 40)}\n{docs}"
        said = "\n".join(part for part in (d.choice.value, plain(d.condition, 120), plain(d.reason, 120)) if part)
        ends = f"expired {d.expires}" if d.expired(today) else f"until {d.expires}" if d.expires else ""
        table.add_row(plain(d.conflict_id[:8]), said, about, plain(d.reviewer, 40), d.decided_at[:10], ends)
    return table


def statistics_table(made: Sequence[Decision]) -> Table:
    """Median and longest time to a decision. Where the dates contradict each other the time is unknown and not counted."""
    days: dict[str, list[int]] = defaultdict(list)
    count: dict[str, int] = defaultdict(int)
    for decision in made:
        for group in (decision.kind, "all"):
            count[group] += 1
            if decision.days is not None:
                days[group].append(decision.days)
    table = Table(box=None, pad_edge=False)
    table.add_column("kind", style="bold")
    for name in ("decisions", "median days", "longest"):
        table.add_column(name, justify="right")
    for group in sorted(count, key=lambda g: (g == "all", g)):
        known = days[group]
        table.add_row(
            plain(group),
            f"{count[group]:,}",
            f"{statistics.median(known):g}" if known else "–",
            f"{max(known):,}" if known else "–",
        )
    return table
