"""A cluster's decision as it looks from one of its pairs."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.resolve.cluster import Cluster
from auditor.resolve.rules import Decision, OwnerRule, PresentBoth

BOTH_VALID = "the configuration says that both are valid"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the rules say about one pair: `Conflict.rule_applied`, `rule_trace`, `winner` and `status`."""

    rules: tuple[str, ...]
    trace: tuple[str, ...]
    winner: str | None
    status: str


DISMISSED = Outcome((OwnerRule.name,), (f"{OwnerRule.name}: {BOTH_VALID}",), None, "dismissed")


def outcome(cluster: Cluster, position: int, decision: Decision) -> Outcome:
    """The outcome for the finding at a position of the cluster.

    `rules` names the rule that ruled out the losing side; both rules, the later one last, where neither side holds the winning
    value. The trace tells what every rule up to that one said.
    """
    values = cluster.values[position]
    order = [name for name, _ in decision.trace]
    deciding = tuple(sorted({decision.ruled_out[v] for v in values if v in decision.ruled_out}, key=order.index))
    winner = next((side for side, value in zip("ab", values, strict=True) if value in decision.winners), None)
    if cluster.findings[position].opinion and not (winner and deciding == (OwnerRule.name,)):
        # Opinions among facts: the rules that weigh sources and dates have no say, whatever they decided for the others.
        said = tuple(f"{name}: {reason}" for name, reason in decision.trace if name == OwnerRule.name)
        return Outcome((PresentBoth.name,), (*said, f"{PresentBoth.name}: {PresentBoth.reason}"), None, "escalated")
    if not decision.winners:
        return Outcome((order[-1],), _lines(decision, order[-1]), None, "escalated")
    trace = _lines(decision, deciding[-1])
    if winner:
        return Outcome(deciding, trace, winner, "auto_resolved")
    instead = cluster.holdings[min(decision.winners)]
    note = f"; neither side holds the value to follow, “{instead.value}” in {instead.documents[0]}"
    return Outcome(deciding, (*trace[:-1], trace[-1] + note), None, "auto_resolved")


def _lines(decision: Decision, last: str) -> tuple[str, ...]:
    """What the rules said, up to the last one."""
    names = [name for name, _ in decision.trace]
    return tuple(f"{name}: {reason}" for name, reason in decision.trace[: names.index(last) + 1])
