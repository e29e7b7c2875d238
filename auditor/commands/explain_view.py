"""What `audit explain` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.commands.console import TIER_STYLES, plain, styled
from auditor.evaluation.render import table
from auditor.places import passage_at

if TYPE_CHECKING:
    from rich.console import Console

    from auditor.model import Conflict, Fact, Finding, Rejection, Side, Statement
    from auditor.scan import Audit

_SHOWN = 12  # reasons of one comparison that are listed


def show_conflict(out: Console, audit: Audit, conflict: Conflict) -> None:
    """Why this is a finding."""
    graded = f"{conflict.tier} {conflict.confidence:.2f}"
    out.print(
        styled(
            (conflict.conflict_id, "bold"), "  ", (graded, TIER_STYLES[conflict.tier]), f"  {conflict.kind}, {conflict.category}"
        )
    )
    out.print(plain(conflict.explanation), soft_wrap=True)
    out.print()
    for letter, side in (("A", conflict.a), ("B", conflict.b)):
        where = passage_at(side.doc, side.locator, side.line_start)
        _passage(out, letter, where, side.heading, side.quote, side.statement)
        out.print(styled(("    value  ", "dim"), (plain(side.value), "bold")), soft_wrap=True)
    out.print()
    a, b = (_statement_of(audit, side) for side in (conflict.a, conflict.b))
    if a is not None and b is not None:
        finding = next((f for f in audit.findings if {f.a, f.b} == {a, b}), None)
        _brought_together(out, audit, a, b, conflict.topic_similarity)
        if finding is not None:
            _show_finding(out, audit, finding)
    _show_rules(out, conflict)


def show_pair(out: Console, audit: Audit, first: Sequence[int], second: Sequence[int]) -> None:
    """Why the statements of two passages are no finding, or that they are one."""
    names: dict[tuple[str, int], str] = {}
    for letter, indices in (("A", first), ("B", second)):
        for number, index in enumerate(indices, start=1):
            names[letter, index] = letter if len(indices) == 1 else f"{letter}{number}"
            _show_statement(out, audit, index, names[letter, index])
    for i in _telling(audit, first):
        for j in _telling(audit, second):
            if i != j:
                out.print(styled((f"{names['A', i]} against {names['B', j]}", "bold")))
                _show_comparison(out, audit, min(i, j), max(i, j))
                out.print()


def _telling(audit: Audit, indices: Sequence[int]) -> Sequence[int]:
    """Those of the statements that hold facts; all of them if none does."""
    return [index for index in indices if audit.facts[index]] or indices


def _show_comparison(out: Console, audit: Audit, i: int, j: int) -> None:
    findings, rejections = audit.judge(i, j)
    reported = any({f.a, f.b} == {i, j} for f in audit.findings)
    _brought_together(out, audit, i, j, None)
    for finding in findings:
        word = "reported" if reported else "not reported, because nothing brought the two together"
        graded = (f"{finding.tier} {finding.confidence:.2f}", TIER_STYLES[finding.tier])
        values = f"{plain(finding.value_a)} ≠ {plain(finding.value_b)}"
        out.print(styled(("finding    ", "dim"), graded, f"  {values}  ({word})"), soft_wrap=True)
        _show_finding(out, audit, finding)
    if not findings and not rejections:
        out.print("Nothing in them can be compared: no facts of the same type.", style="yellow")
    _show_rejections(out, audit, rejections)


def _passage(out: Console, letter: str, where: str, heading: str, quote: str, statement: str) -> None:
    out.print(styled((f"{letter:<3} ", "bold"), plain(where), (f"  {plain(heading)}" if heading else "", "dim")), soft_wrap=True)
    out.print(f"    “{plain(quote, 600)}”", soft_wrap=True)
    if " ".join(statement.split()) != " ".join(quote.split()):
        out.print(styled(("    reads  ", "dim"), plain(statement, 600)), soft_wrap=True)


def _show_statement(out: Console, audit: Audit, index: int, letter: str) -> None:
    statement = audit.statements[index]
    document = next(d for d in audit.documents if d.doc_id == statement.doc_id)
    where = passage_at(document.doc_id, document.place_at(statement.start), document.line_at(statement.start))
    _passage(out, letter, where, " › ".join(statement.heading), document.text[statement.start : statement.end], statement.text)
    if statement.flags:
        out.print(styled(("    marked ", "dim"), ", ".join(sorted(statement.flags))))
    facts = audit.facts[index]
    for fact in facts:
        scope = "; ".join(f"{_slot(slot)}: {', '.join(sorted(words))}" for slot, words in sorted(fact.scope.items()))
        extra = " (incidental, never compared)" if fact.incidental else ""
        about = " ".join(sorted(fact.attribute, key=lambda c: (-fact.attribute[c], c))[:6])
        out.print(
            styled(
                ("    fact   ", "dim"),
                (plain(fact.value.text), "bold"),
                f"  {fact.kind.value}{extra}",
                (f"  about: {plain(about)}", "dim"),
            ),
            (f"  scope: {plain(scope)}" if scope else ""),
            soft_wrap=True,
            sep="",
        )
    if not facts:
        out.print("    no facts: no number, date, identifier, obligation or status was recognised", style="yellow")
    out.print()


def _brought_together(out: Console, audit: Audit, i: int, j: int, topic: float | None) -> None:
    via = audit.candidates.get((min(i, j), max(i, j)))
    if via is None:
        out.print(styled(("candidate  ", "dim"), ("no", "yellow"), ": nothing brought the two together"))
    else:
        out.print(styled(("candidate  ", "dim"), f"brought together by {', '.join(via)}"))
    more = f", {topic:.2f} by the topic model" if topic else ""
    out.print(styled(("similarity ", "dim"), f"{audit.similarity(i, j):.2f}{more}"))


def _show_finding(out: Console, audit: Audit, finding: Finding) -> None:
    a, b = (_fact(audit, n, span) for n, span in ((finding.a, finding.span_a), (finding.b, finding.span_b)))
    out.print(styled(("differs in ", "dim"), f"{', '.join(finding.fields)}, says {', '.join(finding.detectors)}"))
    if a is not None and b is not None:
        _show_scope(out, audit, a, b)
    _show_score(out, audit, finding.features, finding.confidence)


def _show_scope(out: Console, audit: Audit, a: Fact, b: Fact) -> None:
    from auditor.scopes import relate

    slots = sorted(a.scope.keys() | b.scope.keys())
    if not slots:
        out.print(styled(("scope      ", "dim"), "neither side is limited"))
        return
    places_a, places_b = (_places(audit, audit.statements[fact.statement]) for fact in (a, b))
    made = table("scope", "A", "B", "relation")
    for column in made.columns[1:]:
        column.justify, column.no_wrap = "left", False
    for slot in slots:
        x, y = a.scope.get(slot), b.scope.get(slot)
        alone_a, alone_b = (replace(fact, scope={slot: fact.scope[slot]} if slot in fact.scope else {}) for fact in (a, b))
        relation = relate(alone_a, alone_b, audit.rules)
        if x is None or y is None:
            word = ("different" if relation.different else "one-sided", "yellow")
        elif x == y:
            word = ("equal", "green")
        elif relation.different or (slot.startswith("contrast") and x.isdisjoint(y)):
            word = ("different", "red")
        else:
            word = ("worded differently" if relation.one_sided else "compatible", "yellow" if relation.one_sided else "green")
        made.add_row(_slot(slot), _filling(x, places_a.get(slot)), _filling(y, places_b.get(slot)), styled(word))
    out.print(made)


def _slot(name: str) -> str:
    """The name of a slot; groups of contrasting words are numbered, which tells a reader nothing."""
    return "wording" if name.startswith("contrast") else name.replace("_", " ")


def _filling(words: frozenset[str] | None, place: str | None) -> str:
    return "–" if words is None else plain(", ".join(sorted(words))) + (f" ({place})" if place else "")


def _places(audit: Audit, statement: Statement) -> Mapping[str, str]:
    """Slot → where it was read."""
    from auditor.extract.scope import ScopeReader

    document = next(d for d in audit.documents if d.doc_id == statement.doc_id)
    read = ScopeReader(audit.rules).of_statement(statement, document.scope)
    return {slot: place for slot, (_, place) in read.items()}


def _show_score(out: Console, audit: Audit, features: Mapping[str, float], confidence: float) -> None:
    """Every part of the score, the heaviest first; the parts add up to the log-odds of the confidence."""
    parts = dict(audit.judge_.features.contributions(features))
    made = table("score", "value", "weight", "adds")
    weightless = []
    for name in sorted(parts, key=lambda n: (-abs(parts[n]), n)):
        value, adds = features.get(name), parts[name]
        if not adds and name != "intercept":
            weightless.append(name)
            continue
        weight = f"{adds / value:+.2f}" if value else ""
        shown = "" if value is None else f"{value:.2f}"
        made.add_row(plain(name), shown, weight, styled((f"{adds:+.2f}", "green" if adds > 0 else "red")))
    made.add_section()
    made.add_row("sum", "", "", f"{sum(parts.values()):+.2f}")
    made.add_row("confidence", "", "", styled((f"{confidence:.2f}", "bold")))
    out.print(made)
    if weightless:
        out.print(styled(("without weight: ", "dim"), (plain(", ".join(weightless)), "dim")), soft_wrap=True)


def _show_rejections(out: Console, audit: Audit, rejections: Sequence[Rejection]) -> None:
    for rejection in sorted(rejections, key=lambda r: -r.confidence)[:_SHOWN]:
        score = f"  scored {rejection.confidence:.2f}" if rejection.confidence else ""
        line = (f"  {rejection.detector}: ", (rejection.reason, "yellow"), f"  {plain(rejection.detail)}{score}")
        out.print(styled(*line), soft_wrap=True)
    if len(rejections) > _SHOWN:
        out.print(styled((f"  and {len(rejections) - _SHOWN:,} more", "dim")))
    scored = [r for r in rejections if r.features]
    if scored:
        best = max(scored, key=lambda r: r.confidence)
        _show_score(out, audit, best.features, best.confidence)


def _show_rules(out: Console, conflict: Conflict) -> None:
    out.print(styled(("Rules", "bold")))
    for line in conflict.rule_trace:
        name, _, why = line.partition(":")
        deciding = conflict.rule_applied[-1:] == (name,)
        out.print(
            styled(("  → " if deciding else "    "), (plain(name), "bold" if deciding else ""), f": {plain(why.strip())}"),
            soft_wrap=True,
        )
    if conflict.winner:
        side = conflict.a if conflict.winner == "a" else conflict.b
        out.print(
            styled("  suggested: ", (f"{conflict.winner.upper()}, {plain(side.value)}", "bold green"), f"  ({plain(side.doc)})"),
            soft_wrap=True,
        )
    else:
        out.print("  no winner is suggested")


def _statement_of(audit: Audit, side: Side) -> int | None:
    """The statement behind a side; several share a quote when they are cells of one table row."""
    at = [s for s in audit.statements if (s.doc_id, s.start, s.end) == (side.doc, side.char_start, side.char_end)]
    return next((s.index for s in at if s.text == side.statement), at[0].index if at else None)


def _fact(audit: Audit, index: int, span: tuple[int, int]) -> Fact | None:
    return next((fact for fact in audit.facts[index] if (fact.start, fact.end) == span), None)
