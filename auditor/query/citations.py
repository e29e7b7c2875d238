"""Which sources an answer cites."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from auditor.errors import UserError

_JOINT = r"[-./:#!%@]"  # joins the parts of one name: "D1.5", "D1-old", "a.md:6d50852b0f47"
_BETWEEN = r"\s*[-–/+&]\s*"  # between two names it separates: "D1/D2", "D1-D3"


def cited(answer: str, ids: Iterable[str]) -> frozenset[str]:
    """Those of `ids` that stand in the answer as whole names.

    D1 is not in "D10", and `a.md` is not in `data.md` nor in `a.md:6d50852b0f47`. Where one id continues another, the longest one
    counts. A range ("D1-D3") cites the two ids it names. Upper and lower case are told apart.
    """
    names = sorted({name for name in ids if name}, key=lambda name: (-len(name), name))
    if not names:
        return frozenset()
    name = "(?:" + "|".join(map(re.escape, names)) + ")"
    whole = rf"(?<!\w)(?<!\w[-./#!%@])({name})(?!\w)(?!{_JOINT}\w)"
    listed = re.compile(rf"((?<!\w)(?<!\w[-./#!%@]){name}){_BETWEEN}(?={name}(?!\w))")
    return frozenset(re.findall(whole, listed.sub(r"\1 ; ", answer)))


def cites_all(answer: str, case: Mapping[str, Any]) -> bool:
    """Whether the answer cites every source of `case["must_cite"]`, exactly (D1 is not D10).

    `case` is one line of the `testset` export: `{query, docs, conflict_type, must_cite}`. Raises `UserError` when it has no
    `must_cite`, or one that is not a list of ids.
    """
    wanted = case.get("must_cite")
    if not isinstance(wanted, list | tuple) or not all(isinstance(name, str) and name for name in wanted):
        raise UserError("the case has no list of ids under must_cite; cases are made by `audit report RUN_DIR --format testset`")
    others = [doc["id"] if isinstance(doc, Mapping) else doc for doc in case.get("docs", ())]
    return set(wanted) <= cited(answer, [*wanted, *(str(name) for name in others)])
