"""An evaluation on bare pairs as tables and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from auditor.commands.console import TIER_STYLES, plain, styled
from auditor.evaluation.metrics import MAIN
from auditor.evaluation.pairs import Outcome, PairEvaluation, PairScore
from auditor.evaluation.render import figure, heading, rounded, score_json, table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def show_pairs(out: Console, ev: PairEvaluation, *, misses: bool, false: bool) -> None:
    """Print an evaluation; list the misses and the false findings where asked for."""
    main = ev.levels[MAIN]
    out.print(
        styled((f"{len(ev.outcomes):,} pairs", "bold"), f"  {main.score.wanted:,} contradictions, {main.negatives:,} that are fine")
    )
    out.print()
    out.print(_scores("tier", ev.levels))
    if len(ev.groups) > 1:
        heading(out, f"By domain, at {MAIN}")
        out.print(_scores("domain", ev.groups))
    if len(ev.kinds) > 1:
        heading(out, f"By kind, at {MAIN}")
        out.print(_scores("kind", ev.kinds))
    if len(ev.reasons) > 1:
        made = table("why it is fine", "pairs", "hit", "rate")
        for reason, (total, fired) in ev.reasons.items():
            made.add_row(plain(reason), f"{total:,}", f"{fired:,}", figure(fired / total, low_is_good=True))
        heading(out, f"Pairs that are fine by reason, at {MAIN}")
        out.print(made)
    if ev.lost:
        out.print(styled(("Misses lost to  ", "bold"), " · ".join(f"{plain(what)} {count:,}" for what, count in ev.lost.items())))
        out.print()
    if misses:
        _list(out, f"Missed at {MAIN}", ev.misses)
    if false:
        _list(out, f"False positives at {MAIN}", ev.false)


def _scores(label: str, scores: Mapping[str, PairScore]) -> Table:
    made = table(label, "found", "precision", "recall", "F1", "false positives", "rate")
    for name, held in scores.items():
        score = held.score
        made.add_row(
            styled((plain(name) or "–", "bold" if name == MAIN else "")),
            f"{score.found:,} of {score.wanted:,}",
            figure(score.precision),
            figure(score.recall),
            figure(score.f1),
            f"{score.wrong:,} of {held.negatives:,}",
            figure(held.false_positive_rate, low_is_good=True),
        )
    return made


def _list(out: Console, title: str, outcomes: Sequence[Outcome]) -> None:
    heading(out, title, len(outcomes))
    for outcome in outcomes:
        pair, finding = outcome.pair, outcome.finding
        said = (plain(outcome.why_not), TIER_STYLES[finding.tier] if finding else "yellow")
        labels = "  ".join(plain(text) for text in (pair.kind, pair.reason) if text)
        out.print(styled(("  ✗ ", "red"), (plain(pair.id), "bold"), f"  {labels}  ", said), soft_wrap=True)
        if finding is not None:
            out.print(styled(("      differs: ", "dim"), f"{plain(finding.value_a)} ≠ {plain(finding.value_b)}"), soft_wrap=True)
        for letter, text, context in (
            ("A", pair.text_a, (pair.title_a, pair.heading_a)),
            ("B", pair.text_b, (pair.title_b, pair.heading_b)),
        ):
            where = " › ".join(plain(part, 60) for part in context if part)
            out.print(
                styled((f"      {letter} ", "dim"), plain(text, 300), (f"  [{where}]" if where else "", "dim")), soft_wrap=True
            )
    out.print()


def pairs_json(ev: PairEvaluation) -> dict[str, Any]:
    """The same for machines."""
    return {
        "pairs": len(ev.outcomes),
        "levels": {name: _score(s) for name, s in ev.levels.items()},
        "kinds": {name: _score(s) for name, s in ev.kinds.items()},
        "domains": {name: _score(s) for name, s in ev.groups.items()},
        "reasons": {name: {"pairs": total, "fired": fired} for name, (total, fired) in ev.reasons.items()},
        "lost_to": dict(ev.lost),
        "missed": [{"id": o.pair.id, "why": o.why_not} for o in ev.misses],
        "false_positives": [{"id": o.pair.id, "reason": o.pair.reason, "why": o.why_not} for o in ev.false],
    }


def _score(held: PairScore) -> dict[str, Any]:
    return score_json(held.score) | {"negatives": held.negatives, "false_positive_rate": rounded(held.false_positive_rate)}
