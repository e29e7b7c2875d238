"""An evaluation as tables for a person, and as JSON for a machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from auditor.commands.console import TIER_STYLES, plain, styled
from auditor.evaluation.gold import GoldPair
from auditor.evaluation.metrics import ALL, LEVELS, MAIN, Alarm, Evaluation, Score
from auditor.evaluation.stages import Stage
from auditor.model import TIER_ORDER, Conflict, Side
from auditor.places import passage_at

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

_QUOTE = 160  # characters of a quote that are shown
_UNJUDGED = 10  # unjudged findings that are shown: what a reader of the report sees first

Parts = list["str | tuple[str, str]"]


def show(out: Console, ev: Evaluation, corpus: str) -> None:
    """Print an evaluation."""
    wanted = ev.scores[MAIN].wanted
    out.print(styled((plain(corpus), "bold"), _scope(ev, wanted)), soft_wrap=True)
    out.print()
    out.print(_levels(ev))
    if len(ev.kinds) > 1:
        heading(out, f"By kind, at {MAIN}")
        out.print(_kinds(ev))
    _show_missed(out, ev)
    _show_alarms(out, ev)
    _show_unjudged(out, ev)
    _show_attribution(out, ev)
    if ev.unlocated:
        # Struck-out text is dropped on purpose; anything else is a slip in the gold or a fault of a loader.
        note = f"hard negatives cannot be hit, because a quote is not in the text that was read: {', '.join(ev.unlocated)}"
        out.print(styled((f"{len(ev.unlocated):,} ", "bold yellow"), plain(note, 2000)), soft_wrap=True)


def figure(value: float | None, *, low_is_good: bool = False) -> Text:
    """A share with three digits, coloured by how good it is."""
    if value is None:
        return styled(("–", "dim"))
    good = 1 - value if low_is_good else value
    return styled((f"{value:.3f}", "green" if good >= 0.95 else "yellow" if good >= 0.8 else "red"))


def table(*columns: str) -> Table:
    """A table whose first column is text and whose others are figures."""
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        made.add_column(column, justify="right" if number else "left", no_wrap=number > 0)
    return made


def heading(out: Console, text: str, count: int | None = None) -> None:
    """A heading of a table, or of a list of so many."""
    out.print(styled((text, "bold"), ("" if count is None else f"  {count:,}", "dim")))


def _scope(ev: Evaluation, wanted: int) -> str:
    text = f"  {wanted:,} contradictions, {ev.negatives:,} hard negatives"
    if ev.split != ALL and ev.left_out:
        text += f"; {ev.split} split, {ev.left_out:,} pairs of the other are left out"
    return text


def _levels(ev: Evaluation) -> Table:
    made = table("tier", "found", "precision", "recall", "F1", "false", "hard negatives hit", "rate")
    for name, score in ev.scores.items():
        wrong = "–" if score.wrong is None else f"{score.wrong:,}"
        rate = ev.fired[name] / ev.negatives if ev.negatives else None
        made.add_row(
            styled((name, "bold" if name == MAIN else "")),
            f"{score.found:,} of {score.wanted:,}",
            figure(score.precision),
            figure(score.recall),
            figure(score.f1),
            wrong,
            f"{ev.fired[name]:,} of {ev.negatives:,}",
            figure(rate, low_is_good=True),
        )
    return made


def _kinds(ev: Evaluation) -> Table:
    made = table("kind", *(f"found {name}" for name in LEVELS), "precision", "recall", "F1", "false")
    for kind, scores in ev.kinds.items():
        main = scores[MAIN]
        found = [f"{score.found:,} of {score.wanted:,}" for score in scores.values()]
        wrong = "–" if main.wrong is None else f"{main.wrong:,}"
        made.add_row(plain(kind), *found, figure(main.precision), figure(main.recall), figure(main.f1), wrong)
    return made


def _show_missed(out: Console, ev: Evaluation) -> None:
    if not ev.missed:
        return
    heading(out, f"Missed at {MAIN}", len(ev.missed))
    by_stage = sorted(ev.missed, key=lambda m: list(Stage).index(m.loss.stage))
    for missed in by_stage:
        line: Parts = [("  ✗ ", "red"), (plain(missed.gold.id), "bold"), f"  {plain(missed.gold.kind)}  "]
        line += [(missed.loss.stage.value, "yellow"), f": {plain(missed.loss.detail)}"]
        out.print(styled(*line), soft_wrap=True)
        _gold_sides(out, missed.gold)
    out.print()


def _gold_sides(out: Console, gold: GoldPair) -> None:
    for letter, doc, quote in (("A", gold.doc_a, gold.quote_a), ("B", gold.doc_b, gold.quote_b)):
        out.print(styled((f"      {letter} {plain(doc)}  ", "dim"), f"“{plain(quote, _QUOTE)}”"), soft_wrap=True)


def _show_alarms(out: Console, ev: Evaluation) -> None:
    if not ev.alarms:
        return
    heading(out, "False positives", len(ev.alarms))
    for alarm in ev.alarms:
        _finding(out, alarm.conflict, _listed(alarm))
        if alarm.gold is not None and alarm.gold.why:
            out.print(styled(("      fine because ", "dim"), plain(alarm.gold.why)), soft_wrap=True)
    out.print()


def _listed(alarm: Alarm) -> str:
    return "unlisted" if alarm.gold is None else f"hard negative {alarm.gold.id}"


def _show_unjudged(out: Console, ev: Evaluation) -> None:
    if ev.gold.complete:
        return
    main = [c for c in ev.unjudged if TIER_ORDER[c.tier] <= LEVELS[MAIN]]
    if ev.optional[1]:
        out.print(f"Debatable pairs found: {ev.optional[0]} of {ev.optional[1]} (they do not count)")
    heading(out, f"Unjudged at {MAIN}", len(main))
    out.print(styled(("  The gold is not complete: read these before you count them.", "dim")))
    for conflict in main[:_UNJUDGED]:
        _finding(out, conflict, "")
    if len(main) > _UNJUDGED:
        out.print(styled((f"  and {len(main) - _UNJUDGED:,} more", "dim")))
    out.print()


def _finding(out: Console, conflict: Conflict, note: str) -> None:
    line: Parts = [("  ! ", "red"), (conflict.conflict_id, "bold"), f"  {conflict.kind}  "]
    line += [(f"{conflict.tier} {conflict.confidence:.2f}", TIER_STYLES[conflict.tier])]
    line += [f"  {plain(note)}  {plain(conflict.a.value, 60)} ≠ {plain(conflict.b.value, 60)}"]
    out.print(styled(*line), soft_wrap=True)
    for letter, side in (("A", conflict.a), ("B", conflict.b)):
        where = passage_at(side.doc, side.locator, side.line_start)
        out.print(styled((f"      {letter} {plain(where)}  ", "dim"), f"“{plain(side.quote, _QUOTE)}”"), soft_wrap=True)


def _show_attribution(out: Console, ev: Evaluation) -> None:
    held = ev.attribution
    if held.categories:
        names = sorted({name for pair in held.categories for name in pair})
        made = table("gold ↓  found →", *names)
        for gold in names:
            row = [(held.categories.get((gold, found), 0), gold == found) for found in names]
            cells = [styled((str(n) if n else "·", "green" if right and n else "red" if n else "dim")) for n, right in row]
            made.add_row(gold, *cells)
        heading(out, "Category of what was found")
        out.print(made)
    if held.rules[1]:
        (rules, of), winners = held.rules, held.winners[0]
        out.print(styled(("Attribution  ", "bold"), f"rule right in {rules:,} of {of:,}, winner right in {winners:,} of {of:,}"))
        for (gold, found), count in sorted(held.wrong_rules.items(), key=lambda item: (-item[1], item[0])):
            out.print(styled((f"  {count:,} × ", "dim"), f"{found or 'no rule'} instead of {gold}"))
        out.print()


def as_json(ev: Evaluation, corpus: str) -> dict[str, Any]:
    """The same for machines."""
    return {
        "corpus": corpus,
        "gold": "complete" if ev.gold.complete else "reported",
        "split": ev.split,
        "left_out": ev.left_out,
        "levels": {name: score_json(s) | {"negatives_fired": ev.fired[name]} for name, s in ev.scores.items()},
        "negatives": ev.negatives,
        "kinds": {kind: {name: score_json(s) for name, s in scores.items()} for kind, scores in ev.kinds.items()},
        "missed": [{"id": m.gold.id, "kind": m.gold.kind, "stage": m.loss.stage.value, "detail": m.loss.detail} for m in ev.missed],
        "false_positives": [_conflict_json(a.conflict) | {"gold": a.gold.id if a.gold else None} for a in ev.alarms],
        "unjudged": [_conflict_json(c) for c in ev.unjudged],
        "optional": {"found": ev.optional[0], "of": ev.optional[1]},
        "unlocated_negatives": list(ev.unlocated),
        "categories": _confusion(ev.attribution.categories),
        "rules": {"right": ev.attribution.rules[0], "of": ev.attribution.rules[1], "wrong": _confusion(ev.attribution.wrong_rules)},
        "winners": {"right": ev.attribution.winners[0], "of": ev.attribution.winners[1]},
    }


def score_json(score: Score) -> dict[str, Any]:
    """A score with four digits."""
    return {
        "precision": rounded(score.precision),
        "recall": rounded(score.recall),
        "f1": rounded(score.f1),
        "found": score.found,
        "wanted": score.wanted,
        "right": score.right,
        "wrong": score.wrong,
    }


def rounded(value: float | None) -> float | None:
    """Four digits."""
    return None if value is None else round(value, 4)


def _confusion(counts: Mapping[tuple[str, str], int]) -> Sequence[dict[str, Any]]:
    return [{"gold": gold, "found": found, "count": count} for (gold, found), count in sorted(counts.items())]


def _conflict_json(conflict: Conflict) -> dict[str, Any]:
    def side(one: Side) -> dict[str, Any]:
        return {"doc": one.doc, "line": one.line_start, "quote": one.quote, "value": one.value}

    return {
        "conflict_id": conflict.conflict_id,
        "kind": conflict.kind,
        "tier": conflict.tier,
        "confidence": rounded(conflict.confidence),
        "a": side(conflict.a),
        "b": side(conflict.b),
    }
