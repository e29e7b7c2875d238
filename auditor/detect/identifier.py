"""Identifiers and versions: phone, e-mail, account, port, URL, licence, supported version.

Fires: "Customer 4417 is booked on account number 88-120." / "account number: 88-210 (customer 4417)"; "requires Python 3.8 or newer" /
"requires Python 3.10 or newer".

Must not fire: "+1 (415) 555-0100" / "+1 415 555 0100" (equal); "at least 3.8" / "3.10 is shipped" (satisfies the bound).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from difflib import SequenceMatcher

from auditor.detect import intervals, reasons
from auditor.model import Fact, FactKind, Statement
from auditor.ports import Verdict
from auditor.text.words import stem

# Numbers of one account that differ are nearly the same (a digit swapped); numbers of two accounts are not.
_ALIKE = 0.75
_NAMED = frozenset({"port", "licence"})
_PORT_WORDS = frozenset(
    stem(w)
    for w in [
        "port",
        "ports",
        "listen",
        "listens",
        "number",
        "default",
        "open",
        "opens",
        "run",
        "runs",
        "server",
        "service",
        "connect",
        "connects",
        "use",
        "uses",
        "tcp",
        "udp",
        "http",
        "https",
        "local",
        "host",
        "expose",
        "bind",
        "traffic",
    ]
)


class IdentifierDetector:
    """See the module's docstring."""

    id = "identifier"
    kind = "identifier"

    def handles(self, fact: Fact) -> bool:
        """Identifiers with a type, except URLs (two links on one topic are the rule, not a clash)."""
        return fact.kind is FactKind.IDENTIFIER and fact.value.unit != "url" and not fact.incidental

    def keys(self, fact: Fact) -> Iterable[str]:
        """The identifier's type with the names and strong words around it."""
        for word, weight in fact.attribute.items():
            if weight >= 0.5:
                yield f"{fact.value.unit}|{word}"
        if fact.value.unit == "licence":
            yield "licence"

    def comparable(self, fact: Fact) -> str:
        """The identifier's type."""
        return f"id:{fact.value.unit}"

    def compare(self, a: Fact, b: Fact, sa: Statement, sb: Statement) -> Verdict:
        """Compare normal forms; ports only of what may be one service."""
        if a.value.unit == "port":
            x, y = (f.attribute.keys() - _PORT_WORDS for f in (a, b))
            if x and y and x.isdisjoint(y | b.context) and y.isdisjoint(x | a.context):
                return Verdict(False, reasons.UNRELATED, f"port of {', '.join(sorted(x))} and of {', '.join(sorted(y))}")
        if a.value.symbol == b.value.symbol or _suffix(a.value.symbol, b.value.symbol):
            return Verdict(False, reasons.EQUAL, f"{a.value.text} is {b.value.text}")
        alike = SequenceMatcher(None, a.value.symbol, b.value.symbol, autojunk=False).ratio() >= _ALIKE
        return Verdict(
            True, "different", f"{a.value.text} against {b.value.text}", strength=1.0 if alike or a.value.unit in _NAMED else 0.5
        )


class VersionDetector:
    """Versions of one product: what is required, supported, current."""

    id = "version"
    kind = "identifier"

    def handles(self, fact: Fact) -> bool:
        """Versions."""
        return fact.kind is FactKind.VERSION and not fact.incidental

    def keys(self, fact: Fact) -> Iterable[str]:
        """The product, or the strong words around it."""
        if fact.head:
            yield f"v:{fact.head}"
        for word, weight in fact.attribute.items():
            if weight >= 0.6:
                yield f"version|{word}"

    def comparable(self, fact: Fact) -> str:
        """One class: a version without a product may belong to the other side's."""
        return "version"

    def compare(self, a: Fact, b: Fact, sa: Statement, sb: Statement) -> Verdict:
        """Compare as versions (3.8 before 3.10); support and lack of it against the other side's range."""
        if a.head != b.head:
            named, bare = (a, b) if a.head else (b, a)
            if bare.head or not any(w.startswith(named.head) for w in bare.attribute.keys() | bare.names | bare.context):
                return Verdict(False, reasons.UNRELATED, f"versions of {a.head or 'something'} and {b.head or 'something'}")
        if a.polarity != b.polarity:
            negative, positive = (a, b) if a.polarity < 0 else (b, a)
            x, y = negative.value, positive.value
            inside = (y.low is None or (x.low or ()) >= y.low) and (y.high is None or (x.high or x.low or ()) <= y.high)
            if inside:
                return Verdict(True, "support", f"{x.text} is not supported, yet lies in {y.text}", differs="support")
            return Verdict(False, reasons.COMPATIBLE, f"{x.text} lies outside {y.text}")
        if a.polarity < 0:
            return Verdict(False, reasons.COMPATIBLE, "both name what is not supported")
        verdict = intervals.compare(a.value, b.value)
        if verdict.conflict and verdict.reason == "bound":
            return replace(verdict, conflict=False, reason=reasons.CONTAINED)
        if verdict.conflict and _prefix(a, b):
            return Verdict(False, reasons.EQUAL, f"{a.value.text} and {b.value.text} agree at their precision")
        return verdict


def _suffix(x: str, y: str) -> bool:
    """A phone number with and without its country code."""
    short, long = sorted((x, y), key=len)
    return short.isdigit() and len(short) >= 7 and long.endswith(short.lstrip("0"))


def _prefix(a: Fact, b: Fact) -> bool:
    """Plain versions of which one is stated less finely: 3.11 and 3.11.4."""
    x, y = a.value.low, b.value.low
    if x is None or y is None or a.value.high != x or b.value.high != y or len(x) == len(y):
        return False
    short, long = sorted((x, y), key=len)
    return long[: len(short)] == short
