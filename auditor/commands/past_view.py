"""Earlier decisions and earlier runs, in the words of the command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from auditor.commands.console import plain, styled

if TYPE_CHECKING:
    from rich.console import Console

    from auditor.history import Comparison, Escalation
    from auditor.model import ScanResult

Part: TypeAlias = str | tuple[str, str]

_LISTED = 5
_GONE_LISTED = 200  # of each state; --json lists all


def past_lines(result: ScanResult) -> Iterator[tuple[str, *tuple[Part, ...]]]:
    """Lines of a scan's summary, each a label and its pieces: decisions, what changed since the baseline, what escalates often."""
    review = result.review
    if review.decisions:
        parts: list[str] = [f"{review.decided + review.dismissed:,} of {review.decisions:,} carried"]
        parts += [f"{len(review.reopened):,} reopened"] if review.reopened else []
        parts += [f"{len(review.orphans):,} without a finding (orphans)"] if review.orphans else []
        parts += [f"{review.not_shown:,} below --min-tier"] if review.not_shown else []
        yield "decisions", " · ".join(parts)
        for orphan in review.orphans[:_LISTED]:
            yield "", (f"orphan {orphan.conflict_id[:8]}: {_pair(orphan.doc_a, orphan.doc_b)}: {plain(orphan.why, 200)}", "dim")
        if len(review.orphans) > _LISTED:
            yield "", (f"and {len(review.orphans) - _LISTED:,} more, listed in run.json", "dim")
    if result.baseline is not None:
        yield "baseline", in_figures(result.baseline)
        for escalation in result.baseline.escalating[:_LISTED]:
            yield "escalating", (often(escalation), "yellow")


def in_figures(comparison: Comparison) -> str:
    """ "2 new · 40 persisting (1 changed) · 3 resolved"; states that nothing is in are left out, but for the first two."""
    counts = comparison.counts
    changed = f" ({len(comparison.changed):,} changed)" if comparison.changed else ""
    shown = [f"{counts['new']:,} new", f"{counts['persisting']:,} persisting{changed}"]
    return " · ".join(
        [*shown, *(f"{counts[state]:,} {state}" for state in ("reopened", "resolved", "removed", "unknown") if counts[state])]
    )


def often(escalation: Escalation) -> str:
    """One line about a key that keeps escalating."""
    return (
        f"“{plain(escalation.entity_key, 80)}” ({plain(escalation.field, 40)}) escalated in {escalation.runs:,} runs: "
        "say in audit.toml which source has authority"
    )


def show_comparison(out: Console, comparison: Comparison, names: dict[str, str]) -> None:
    """What `audit diff` prints. `names` maps conflict ids of the later run to a line about them."""
    out.print(
        styled((f"{comparison.old_as_of} → {comparison.new_as_of}  ", "bold"), in_figures(comparison)),
        soft_wrap=True,
    )
    for state in ("new", "reopened"):
        _section(out, state, [names[name] for name, said in comparison.states.items() if said == state])
    _section(out, "changed", [names[name] for name in comparison.changed])
    for state in ("resolved", "removed", "unknown"):
        _section(
            out,
            state,
            [
                f"{gone.conflict_id[:8]}  {gone.tier}  {described(gone.entity_key, gone.attribute, gone.value_a, gone.value_b)}  "
                f"{_pair(gone.doc_a, gone.doc_b)}: {plain(gone.why, 200)}"
                for gone in comparison.gone
                if gone.state == state
            ],
        )
    _section(out, "escalating", [often(escalation) for escalation in comparison.escalating])


def described(entity_key: str, attribute: str, value_a: str, value_b: str) -> str:
    """A finding in few words."""
    return f"{plain(entity_key, 60)} · {plain(attribute, 40)}: {plain(value_a, 40)} ↔ {plain(value_b, 40)}"


def _pair(doc_a: str, doc_b: str) -> str:
    return plain(doc_a, 120) if doc_a == doc_b else f"{plain(doc_a, 120)} ↔ {plain(doc_b, 120)}"


def _section(out: Console, title: str, lines: list[str]) -> None:
    if not lines:
        return
    out.print(styled((f"\n{title}", "bold")), soft_wrap=True)
    for text in lines[:_GONE_LISTED]:
        out.print(styled(f"  {text}"), soft_wrap=True)
    if len(lines) > _GONE_LISTED:
        out.print(styled((f"  and {len(lines) - _GONE_LISTED:,} more; --json lists them all", "dim")), soft_wrap=True)
