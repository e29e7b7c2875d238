"""Numbers of spreadsheet cells as their format shows them: 0.125 under `0.0%` is "12.5%", 45352 under `d/m/yy` is "2024-03-01".

Signs and units come out as the user sees them. What depends on the user's country (decimal comma, order of day and month) is written
one way: decimal point, thousands comma, year-month-day.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

from auditor.load.format_code import Section, sections

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LAST_DAY = 2_958_465  # 9999-12-31


def shown(value: float, code: str, since_1904: bool = False) -> str:
    """The number as shown under a format; "" where the format hides it."""
    if value != value or value in (float("inf"), float("-inf")):
        return ""
    section, own_sign = _choose(sections(code), value)
    if section is None:
        return plain(value)
    if section.parts:
        return _date(value, section.parts, since_1904) or plain(value)
    if section.scientific or "/" in section.digits:
        return _joined("-" if value < 0 else "", section.before, plain(abs(value)), section.after)
    if section.pieces and abs(value) < 1e15:
        return _spread(value, section.pieces)
    if section.digits or section.general:
        return _number(value, section, own_sign)
    return _joined("", section.before, "", section.after)


def is_date(code: str) -> bool:
    """Whether a format shows dates or times."""
    return bool(sections(code)[0].parts)


def plain(value: float) -> str:
    """A number without format, the noise of binary fractions rounded away."""
    if float(value).is_integer() and abs(value) < 1e15:
        return str(int(value))
    if abs(value) >= 1e21:
        return format(value, ".10g")
    text = format(Decimal(format(value, ".10g")), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _choose(parts: Sequence[Section], value: float) -> tuple[Section | None, bool]:
    """The section for a value, and whether the section itself says that it is negative."""
    tested = [section for section in parts if section.test]
    if tested:
        for section in tested:
            if section.test and _holds(value, *section.test):
                return section, False
        rest = [section for section in parts[:3] if not section.test]
        return (rest[0] if rest else None), False
    if value < 0 and len(parts) > 1:
        return parts[1], True
    if value == 0 and len(parts) > 2:
        return parts[2], False
    return parts[0], False


def _holds(value: float, test: str, limit: float) -> bool:
    return {
        "<": value < limit,
        ">": value > limit,
        "<=": value <= limit,
        ">=": value >= limit,
        "=": value == limit,
        "<>": value != limit,
    }.get(test, False)


def _number(value: float, section: Section, own_sign: bool) -> str:
    before, after = section.before, section.after
    if own_sign:  # the sign is set below; brackets around negative amounts are one
        before = before.replace("-", "")
        if "(" in before and ")" in after:
            before, after = before.replace("(", ""), after.replace(")", "")
    amount = Decimal(repr(abs(value))) * (100 ** min(section.percent, 2))
    digits = plain(float(amount)) if section.general else _digits(amount, section.digits)
    negative = value < 0 and digits.strip("0.,")
    return _joined("-" if negative else "", before, digits, after)


def _spread(value: float, pieces: Sequence[str]) -> str:
    """Digits with text between them, as telephone and bank numbers have it; filled from the right."""
    digits = list(str(round(abs(value))))
    out: list[str] = []
    for i in range(len(pieces) - 2, 0, -1):
        if i % 2 == 0:
            out.append(pieces[i])
            continue
        room = sum(character in "0#?" for character in pieces[i])
        taken = digits if i == 1 else digits[max(len(digits) - room, 0) :]
        digits = digits[: len(digits) - len(taken)]
        out.append("".join(taken).rjust(pieces[i].count("0"), "0"))
    return _joined("-" if value < 0 else "", pieces[0], "".join(reversed(out)), pieces[-1])


def _digits(amount: Decimal, pattern: str) -> str:
    if not amount and "0" not in pattern:
        return ""
    whole, _, fraction = pattern.partition(".")
    scale = len(pattern) - len(pattern.rstrip(","))
    if not fraction and not pattern.endswith("."):
        whole = whole.rstrip(",")
    elif not scale:
        scale = len(whole) - len(whole.rstrip(","))
    fraction = fraction.rstrip(",")
    amount = amount / (Decimal(1000) ** min(scale, 5))
    most = min(sum(character in "0#?" for character in fraction), 15)
    least = fraction.count("0")
    if amount.adjusted() > 24 or amount.adjusted() + most > 27:  # more digits than are kept in a calculation
        return plain(float(amount))
    rounded = amount.quantize(Decimal(1).scaleb(-most), rounding=ROUND_HALF_UP)
    text = format(rounded, ",f" if "," in whole else "f")
    if "." in text:
        head, _, tail = text.partition(".")
        tail = tail[:least] + tail[least:].rstrip("0")
        text = f"{head}.{tail}" if tail else head
    head, dot, tail = text.partition(".")
    return head.rjust(min(whole.count("0"), 30), "0") + dot + tail


def _joined(sign: str, before: str, digits: str, after: str) -> str:
    before, after = " ".join(before.split(" ")).lstrip(), after.rstrip()
    if digits and len(before) > 1 and before[-2:].isalpha():
        before += " "
    return " ".join(f"{sign}{before}{digits}{after}".split())


def _date(value: float, parts: frozenset[str], since_1904: bool) -> str:
    """Date, time or both, as much of them as the format shows; "" for a number that is no date."""
    if not 0 <= value < _LAST_DAY + 1:
        return ""
    seconds = round(value * 86_400)
    if "elapsed" in parts:
        if parts == {"elapsed", "s"}:
            return str(seconds)
        hours, rest = divmod(seconds, 3600)
        return f"{hours}:{rest // 60:02}" + (f":{rest % 60:02}" if "s" in parts else "")
    if since_1904:
        start = datetime(1904, 1, 1)
    else:  # the calendar of Excel has a 29 February 1900
        start = datetime(1899, 12, 30) if value >= 61 else datetime(1899, 12, 31)
    try:
        moment = start + timedelta(seconds=seconds)
    except OverflowError:
        return ""
    return moment_text(moment, parts)


def moment_text(moment: datetime, parts: Collection[str]) -> str:
    """A moment as far as it is shown: `parts` are of y, m, d, weekday, h, min, s. Midnight of a day is no time."""
    known = frozenset(parts)
    return " ".join(part for part in (_day(moment, known), _time(moment, known)) if part)


def _day(moment: datetime, parts: frozenset[str]) -> str:
    if {"y", "m", "d"} <= parts:
        return f"{moment.year:04}-{moment.month:02}-{moment.day:02}"
    month = _MONTHS[moment.month - 1]
    shown_parts = [
        str(moment.day) if "d" in parts else "",
        month if "m" in parts else "",
        f"{moment.year:04}" if "y" in parts else "",
    ]
    text = " ".join(part for part in shown_parts if part)
    return text or (_DAYS[moment.weekday()] if "weekday" in parts else "")


def _time(moment: datetime, parts: frozenset[str]) -> str:
    if not parts & {"h", "min", "s"}:
        return ""
    if parts & {"y", "m", "d"} and not (moment.hour or moment.minute or moment.second):
        return ""
    if "h" not in parts:
        return f"{moment.minute:02}:{moment.second:02}"
    return f"{moment.hour:02}:{moment.minute:02}" + (f":{moment.second:02}" if "s" in parts else "")
