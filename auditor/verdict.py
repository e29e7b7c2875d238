"""What is to be done with a conflict, now that rules and perhaps a reviewer have spoken.

A decision counts for more than the rules. A reopened one counts no longer: a value has changed since.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from auditor.model import Conflict

SideName: TypeAlias = Literal["a", "b"]

_ACCEPTED: dict[str, SideName] = {"accept_a": "a", "accept_b": "b"}


def decision(conflict: Conflict) -> str | None:
    """The reviewer's decision that is in force; None when there is none."""
    return conflict.reviewer_decision if conflict.status != "reopened" else None


def followed(conflict: Conflict) -> SideName | None:
    """The side to follow: the reviewer's choice, else the one that the rules suggest; None when it is open or both or neither hold."""
    chosen = decision(conflict)
    if chosen is not None:
        return _ACCEPTED.get(chosen)
    return "a" if conflict.winner == "a" else "b" if conflict.winner == "b" else None


def is_dismissed(conflict: Conflict) -> bool:
    """Whether somebody said that it is no contradiction."""
    return dismisses(conflict.status, conflict.reviewer_decision)


def dismisses(status: str, reviewer_decision: str | None) -> bool:
    """`is_dismissed` of the two columns that say so."""
    return status == "dismissed" or (status != "reopened" and reviewer_decision == "not_a_contradiction")
