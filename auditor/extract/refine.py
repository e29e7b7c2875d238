"""What a mention means where it stands: bounds of versions, roles of dates, cells whose key names a bound, a unit or a port."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from auditor.extract.mentions import Mention
from auditor.extract.quantities import BOUND_WORDS, QuantityGrammar
from auditor.model import NUMERIC, FactKind, Statement

_DATE_ROLE = re.compile(
    r"\b(effective(?:\s+(?:from|as of|on|date))?|from|since|starting|beginning|begins?|starts?|until|till|through|by|before|after|no later than|ends?|expires?|due|valid (?:from|until)|launched|founded|established|closed|signed|updated|revised|published|reviewed)[\s:]*(?:on\s+|the\s+)?$",
    re.I,
)
_ROLE_OF = {
    "effective": "from", "from": "from", "since": "from", "starting": "from", "beginning": "from", "begin": "from", "begins": "from", "start": "from", "starts": "from",
    "valid": "from", "launched": "from", "founded": "founded", "established": "founded", "until": "until", "till": "until", "through": "until", "end": "until", "ends": "until",
    "expire": "until", "expires": "until", "by": "by", "before": "by", "no": "by", "due": "by", "after": "after", "closed": "closed", "signed": "signed",
    "updated": "updated", "revised": "updated", "published": "updated", "reviewed": "updated",
}  # fmt: skip


_LABEL_DATE = re.compile(r"(?<!\bas )\b(?:of|dated)\s+$", re.I)
_UNIT_SUFFIX = re.compile(r"_(ms|millis|seconds|secs|sec|minutes|mins|hours|days|kb|mb|gb)\b", re.I)


def _as_unit(kind: FactKind, unit: str, factor: float, label: str) -> Callable[[float], dict[str, Any]]:
    def convert(value: float) -> dict[str, Any]:
        key = (round(value * factor, 9),)
        return {"kind": kind, "unit": unit, "low": key, "high": key, "step": 0.0, "text": f"{value:g} {label}"}

    return convert


_SUFFIX_UNITS = {
    suffix: _as_unit(kind, unit, factor, label)
    for suffixes, kind, unit, factor, label in (
        ("ms millis", FactKind.DURATION, "duration", 0.001, "ms"),
        ("seconds secs sec", FactKind.DURATION, "duration", 1.0, "seconds"),
        ("minutes mins", FactKind.DURATION, "duration", 60.0, "minutes"),
        ("hours", FactKind.DURATION, "duration", 3600.0, "hours"),
        ("days", FactKind.DURATION, "duration", 86400.0, "days"),
        ("kb", FactKind.QUANTITY, "data", 1e3, "KB"),
        ("mb", FactKind.QUANTITY, "data", 1e6, "MB"),
        ("gb", FactKind.QUANTITY, "data", 1e9, "GB"),
    )
    for suffix in suffixes.split()
}
_PORT_KEY = re.compile(r"(?:^|[\W_])ports?(?:$|[\W_])", re.I)


def as_port(mention: Mention) -> Mention:
    """A bare number in a cell or field named "port" is a port."""
    bare = (
        mention.kind is FactKind.COUNT and mention.low == mention.high and mention.low is not None and mention.low[0].is_integer()
    )
    if not bare or mention.low is None:
        return mention
    return replace(mention, kind=FactKind.IDENTIFIER, unit="port", symbol=str(int(mention.low[0])), head="port", incidental=False)


def names_port(field_name: str, row_key: str) -> bool:
    """Whether a column or row key is called "port"."""
    return "port" in field_name.lower() or bool(_PORT_KEY.search(row_key))


# "Up to 10 users | $5": the bound is that of the ten users, not of the price.
_OF_A_NUMBER = r"\b(?!\s*(?:of\s+)?[(:=]?\s*[$€£]?\d)"
_MOST = re.compile(rf"\b(?:max(?:imum)?|up to|limit|largest|at most){_OF_A_NUMBER}")
_LEAST = re.compile(rf"\b(?:min(?:imum)?|at least){_OF_A_NUMBER}")


def keyed(statement: Statement, mention: Mention) -> Mention:
    """A plain value in a field or row named "maximum ..." or "minimum ..." is a bound."""
    if mention.comparator != "=" or mention.kind not in NUMERIC or mention.low is None:
        return mention
    if mention.kind is FactKind.COUNT and (unit := _UNIT_SUFFIX.search(statement.row_key)):
        return replace(mention, **_SUFFIX_UNITS[unit.group(1).lower()](mention.low[0]), incidental=False)
    name = f"{statement.row_key}; {statement.column}".lower().replace("_", " ")
    if _MOST.search(name):
        return replace(mention, low=None, comparator="<=", text=f"{BOUND_WORDS['<=']}{mention.text}")
    if _LEAST.search(name):
        return replace(mention, high=None, comparator=">=", text=f"{BOUND_WORDS['>=']}{mention.text}")
    return mention


def bounded(text: str, mention: Mention, quantities: QuantityGrammar) -> Mention:
    """Bounds of versions ("3.10 or newer") and roles of dates ("effective from", "until"), which become the basis."""
    if mention.kind is FactKind.VERSION and mention.comparator == "=":
        comparator, end = quantities.comparator(text, mention.start, mention.end)
        if comparator in {">=", ">", "<=", "<"}:
            low, high = (mention.low, None) if comparator[0] == ">" else (None, mention.high)
            return replace(
                mention, comparator=comparator, low=low, high=high, end=end, text=f"{BOUND_WORDS[comparator]}{mention.text}"
            )
    if mention.kind is FactKind.DATE and _LABEL_DATE.search(text, max(0, mention.start - 12), mention.start):
        return replace(mention, incidental=True)  # "the meeting of 3 March" names the meeting
    if mention.kind is FactKind.DATE and not mention.basis:
        role = _DATE_ROLE.search(text, max(0, mention.start - 30), mention.start)
        if role:
            return replace(mention, basis=_ROLE_OF[role.group(1).lower().split()[0]])
    return mention
