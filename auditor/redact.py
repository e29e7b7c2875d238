"""`--redact`: e-mail addresses, phone numbers, IBANs, card and account numbers masked in everything that is written.

Each value gets a mask with a number, `[e-mail 1]`, `[phone 2]`: the same value the same mask, so that a reader still sees which
passages agree. Values that a finding is about are masked by what the finding says they are; the others are recognised by their form
or by the word in front, and rather too many than too few. Sides keep `char_start` and `char_end`, which are places in the document:
a masked quote is no longer the text that stands there.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from auditor.model import Conflict, ScanResult, Side

EMAIL, PHONE, ACCOUNT, IBAN = "e-mail", "phone", "account", "IBAN"

_SEP = r"[ \u00a0\u2010\u2011./()-]"
_NUMBER_WORD = r"(?:number|no|nr|id|code|ref|reference)"
_EMAIL = re.compile(
    r"(?<![\w.+%'-])(?P<value>[\w.+%'-]{1,256}?(?:@|%40|\s?[\[(]at[\])]\s?)[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})(?![\w@])", re.I
)
_IBAN = re.compile(
    r"(?<![A-Za-z0-9])(?P<value>[A-Z]{2}\d{2}(?:[ \u00a0-]?[A-Z0-9]{4}){2,7}(?:[ \u00a0-]?[A-Z0-9]{1,3})?)(?![A-Za-z0-9])"
)
_PHONE = re.compile(
    r"(?<![\w.,/+-])(?P<value>"
    rf"(?:\+|00)[1-9](?:{_SEP}{{0,3}}\d){{6,16}}"  # +44 (0) 20 7946 0958
    rf"|\(\d{{2,6}}\)(?:{_SEP}{{0,2}}\d){{5,12}}"  # (207) 555-0142
    rf"|0[1-9](?:{_SEP}?\d){{7,12}}"  # 020 7946 0958
    r"|(?:1[ .-])?[2-9]\d{2}[ .-][2-9]\d{2}[ .-]\d{4}"  # 207-555-0142
    r")(?![\w%]|[.,]\d)"
)
_CALLED = re.compile(
    r"\b(?:tel|telephone|phone|mobile|cell|fax|hotline|helpline|telefon|whatsapp|call|dial|ring)\b"
    rf"(?:\s+(?:number|no|nr|us|on|at)\b){{0,3}}[\s.:#|*=-]{{0,6}}(?P<value>\+?\(?\d(?:{_SEP}{{0,2}}\d){{5,16}})(?!\w|[.,]\d)",
    re.I,
)
_ACCOUNT = re.compile(
    r"\b(?:(?:account|acct|a/c|iban|bic|swift|sort\s+code|konto|ssn|social\s+security)"
    rf"(?:\s+{_NUMBER_WORD})?|(?:customer|client|member|membership|policy|card|vat|tax|routing|bank|contract)\s+{_NUMBER_WORD})"
    r"\.?(?:\s+is)?[\s:#|*=`]{1,8}"
    r"(?P<value>(?:(?-i:[A-Z]{1,5})[ ./-]?)?(?=[A-Z]{0,12}\d)[A-Z0-9]{1,34}(?:[-/.][A-Z0-9]{1,34}){0,8}(?: \d[A-Z0-9-]{0,34}){0,8})(?!\w)",
    re.I,
)
_CARD = re.compile(r"(?<![\w.,-])(?P<value>\d(?:[ -]?\d){12,18})(?![\w]|[.,-]\d)")
_PATTERNS = ((EMAIL, _EMAIL), (IBAN, _IBAN), (PHONE, _PHONE), (PHONE, _CALLED), (ACCOUNT, _ACCOUNT), (ACCOUNT, _CARD))
_DATE = re.compile(r"(?:(?:19|20)\d\d(?:[-/. ]\d{1,2}){0,2}|\d{1,2}[-/. ]\d{1,2}[-/. ](?:19|20)\d\d)\Z")
_WORTH_A_LOOK = re.compile(r"\d|@|%40|[\[(]at[\])]", re.I)
_WORD = re.compile(r"[^\W_]+")

_KNOWN_ATTRIBUTES = {"phone": PHONE, "fax": PHONE, "iban": IBAN}
_ACCOUNTS = re.compile(r"account|acct|customer|client|member|policy|contract|vat|tax|routing|bank|card", re.I)
# Not text of a document: identities, words of this program, dates.
_OURS = frozenset(
    (
        *("conflict_id", "content_hash", "cluster_id", "text_hash", "config_hash", "sha256", "fingerprint"),
        *("kind", "category", "tier", "min_tier", "source_tier", "winner", "status", "state", "states", "changed"),
        *("reviewer_decision", "choice", "decided_at", "language", "format", "logo"),
        *("counts", "versions", "model_hashes", "features"),
    )
)
# Digits in file names are dates and numbers far more often than phones.
_PATHS = frozenset({"doc", "doc_a", "doc_b", "path", "copy_of", "doc_id", "chunk_id", "documents", "url", "corpus"})

Edit = tuple[int, int, str]
T = TypeVar("T")


def redact(result: ScanResult) -> ScanResult:
    """The result with personal values masked, in quotes and values as well as in titles, owners, links, paths and reviewers."""
    return _masked(result, Mask(_known(result.conflicts)))


class Mask:
    """Replaces personal values, the same value always by the same mask.

    `known` are values that cannot be recognised by their form, each with what it is.
    """

    def __init__(self, known: Iterable[tuple[str, str]] = ()) -> None:
        self._numbers: dict[tuple[str, str], int] = {}
        self._counts: dict[str, int] = {}
        self._known: dict[str, str] = {}
        for value, kind in known:
            self._known.setdefault("".join(_WORD.findall(value)).lower(), kind)
        self._starts = {value[:n] for value in self._known for n in range(1, len(value) + 1)}
        self._done: dict[tuple[str, bool], str] = {}

    def text(self, text: str) -> str:
        """`text` masked."""
        return self._cached(text, in_path=False)

    def path(self, text: str) -> str:
        """A path, link or id masked: addresses, IBANs and known values only."""
        return self._cached(text, in_path=True)

    def edits(self, text: str, *, in_path: bool = False) -> list[Edit]:
        """Replacements (start, end, mask) for `text`, ascending and apart; of what overlaps, the longest."""
        if not _WORTH_A_LOOK.search(text):
            return []
        found = [(start, end, kind) for start, end, kind in self._known_values(text)]
        for kind, pattern in _PATTERNS[: 2 if in_path else None]:
            found += [(*match.span("value"), kind) for match in pattern.finditer(text) if _personal(match["value"], pattern)]
        kept: list[tuple[int, int, str]] = []
        for start, end, kind in sorted(found, key=lambda item: item[0] - item[1]):  # stable: known values before guesses
            i = bisect(kept, (start, end, kind))
            if (i == 0 or kept[i - 1][1] <= start) and (i == len(kept) or end <= kept[i][0]):
                kept.insert(i, (start, end, kind))
        return [(start, end, self._mask(text[start:end], kind)) for start, end, kind in kept]

    def _cached(self, text: str, *, in_path: bool) -> str:
        key = (text, in_path)
        if key not in self._done:
            self._done[key] = _apply(text, self.edits(text, in_path=in_path))
        return self._done[key]

    def _known_values(self, text: str) -> Iterator[Edit]:
        """Known values, however their parts are separated ("NGC 448-120")."""
        if not self._known:
            return
        words = list(_WORD.finditer(text))
        for i, first in enumerate(words):
            joined, end = "", 0
            for n, word in enumerate(words[i : i + 12]):
                if n and word.start() - words[i + n - 1].end() > 3:
                    break
                joined += word[0].lower()
                if joined not in self._starts:
                    break
                if joined in self._known:
                    start = first.start() - (text[first.start() - 1 : first.start()] == "+")
                    end = word.end()
                    yield start, end, self._known[joined]

    def _mask(self, value: str, kind: str) -> str:
        if kind == EMAIL:
            identity = re.sub(r"\s?[\[(]at[\])]\s?|%40", "@", value.lower())
        else:
            identity = "".join(_WORD.findall(value)).lower().lstrip("0" if kind == PHONE else "")
        if (kind, identity) not in self._numbers:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            self._numbers[kind, identity] = self._counts[kind]
        return f"[{kind} {self._numbers[kind, identity]}]"


def _known(conflicts: Iterable[Conflict]) -> Iterator[tuple[str, str]]:
    """Values of findings about phone and account numbers."""
    for conflict in conflicts:
        if conflict.kind != "identifier":
            continue
        kind = _KNOWN_ATTRIBUTES.get(conflict.attribute.lower(), ACCOUNT if _ACCOUNTS.search(conflict.attribute) else "")
        for side in (conflict.a, conflict.b):
            # A short value would be found all over the place.
            if kind and len(_WORD.findall(side.value)) <= 12 and sum(char.isdigit() for char in side.value) >= 4:
                yield side.value, kind


def _personal(value: str, pattern: re.Pattern[str]) -> bool:
    """Whether a value that has the form is one."""
    if pattern is _EMAIL or pattern is _IBAN:
        return True
    digits = [int(char) for char in value if char in "0123456789"]
    if _DATE.match(value):
        return False
    if pattern is _PHONE:
        return len(digits) >= (7 if value.startswith(("+", "00")) else 9)
    if pattern is _CARD:
        return _luhn(digits)
    return len(digits) >= (6 if pattern is _CALLED else 4)


def _luhn(digits: Sequence[int]) -> bool:
    """The check digit of payment cards."""
    doubled = (sum(divmod(2 * digit, 10)) if n % 2 else digit for n, digit in enumerate(reversed(digits)))
    return sum(doubled) % 10 == 0


def _apply(text: str, edits: Sequence[Edit]) -> str:
    for start, end, mask in reversed(edits):
        text = text[:start] + mask + text[end:]
    return text


def _masked(row: T, mask: Mask) -> T:
    """A dataclass with all its texts masked."""
    changes: dict[str, Any] = {}
    for field in fields(row):  # type: ignore[arg-type]
        if field.name not in _OURS:
            changes[field.name] = _any(getattr(row, field.name), mask, in_path=field.name in _PATHS)
    if isinstance(row, Side):
        changes["marks"] = _moved(row.marks, mask.edits(row.quote))
    return replace(row, **changes)  # type: ignore[type-var]


def _any(value: Any, mask: Mask, *, in_path: bool) -> Any:
    if isinstance(value, str):
        return mask.path(value) if in_path else mask.text(value)
    if isinstance(value, tuple):
        return tuple(_any(item, mask, in_path=in_path) for item in value)
    if isinstance(value, Mapping):
        return {key: _any(item, mask, in_path=in_path) for key, item in value.items()}
    # Numbers and dates stay.
    return _masked(value, mask) if is_dataclass(value) and not isinstance(value, type) else value


def _moved(marks: Sequence[tuple[int, int]], edits: Sequence[Edit]) -> tuple[tuple[int, int], ...]:
    """Spans of a text as they lie after the edits; one that touches a masked value takes in the whole mask."""

    def moved(position: int, *, is_end: bool) -> int:
        shift = 0
        for start, end, text in edits:
            if position >= end:
                shift += len(text) - (end - start)
            elif position > start or (position == start and not is_end):
                return start + shift + (len(text) if is_end else 0)
        return position + shift

    return tuple((moved(start, is_end=False), moved(end, is_end=True)) for start, end in marks)
