"""Values of attributes: drawn, written in several notations, altered, stated as a range or in another unit."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

from benchmarks.store import names

_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
_CURRENCY = {"$": ("USD", "dollars"), "£": ("GBP", "pounds"), "€": ("EUR", "euros")}
_LARGER = {"minute": ("hour", 60), "hour": ("day", 24), "day": ("week", 7), "month": ("year", 12), "second": ("minute", 60)}
_NUMERIC = frozenset({"count", "duration", "money", "percent", "quantity"})
_GOLD = {"date": "date", "clock": "date", "person": "entity", "choice": "entity", "clause": "modality", "status": "status"}
_GOLD |= dict.fromkeys(_NUMERIC, "numeric") | dict.fromkeys(("version", "phone", "email", "port", "code"), "identifier")


@dataclass(frozen=True, slots=True)
class Value:
    """One value. `number` is what is compared (minutes of a clock time, ordinal of a day, 1 or 0 of a clause); `text` where it is a name."""

    kind: str
    number: float = 0.0
    unit: str = ""
    text: str = ""

    @property
    def numeric(self) -> bool:
        """Whether a range of such values makes sense."""
        return self.kind in _NUMERIC

    @property
    def gold_kind(self) -> str:
        """The kind that a contradiction of such values has in a gold file."""
        return _GOLD[self.kind]

    def plain(self) -> str:
        """The one notation that tables use."""
        match self.kind:
            case "count" | "port":
                return _digits(self.number) if self.kind == "count" else str(int(self.number))
            case "duration":
                return f"{_digits(self.number)} {_plural(self.unit, self.number)}"
            case "money":
                return self.unit + _digits(self.number, money=True)
            case "percent":
                return f"{_digits(self.number)} %"
            case "quantity":
                return f"{_digits(self.number)} {self.unit}"
            case "date":
                day = date.fromordinal(int(self.number))
                return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
            case "clock":
                return f"{int(self.number) // 60:02}:{int(self.number) % 60:02}"
            case _:
                return self.text

    def written(self, rng: random.Random) -> str:
        """One of the notations that running text uses."""
        dice = rng.random()
        match self.kind:
            case "count" | "duration" if self.number <= 12 and dice < 0.35:
                word = _WORDS[int(self.number)]
                return word if self.kind == "count" else f"{word} {_plural(self.unit, self.number)}"
            case "money" if dice < 0.3:
                code, noun = _CURRENCY[self.unit]
                digits = _digits(self.number, money=True)
                return f"{code} {digits}" if dice < 0.12 else f"{digits} {noun}"
            case "percent" if dice < 0.6:
                return f"{_digits(self.number)}%" if dice < 0.3 else f"{_digits(self.number)} percent"
            case "date" if dice < 0.4:
                day = date.fromordinal(int(self.number))
                return day.isoformat() if dice < 0.12 else f"{_MONTHS[day.month - 1]} {day.day}, {day.year}"
            case "clock" if dice < 0.4:
                hour, minute = divmod(int(self.number), 60)
                return f"{(hour - 1) % 12 + 1}{f':{minute:02}' if minute else ''} {'am' if hour < 12 else 'pm'}"
            case _:
                return self.plain()

    def adjective(self) -> str:
        """Before a noun: "30-day"."""
        return f"{_digits(self.number)}-{self.unit}" if self.kind == "duration" else self.plain()

    def around(self, rng: random.Random) -> str:
        """A range that holds a numeric value."""
        low, high = self.number * rng.choice((0.4, 0.5, 0.6)), self.number * rng.choice((1.5, 1.75, 2.0))
        whole = self.number >= 4
        low, high = (round(low), round(high)) if whole else (round(low, 1), round(high, 1))
        if self.kind == "money":
            return f"{self.unit}{_digits(low, money=True)} to {self.unit}{_digits(high, money=True)}"
        unit = {"duration": f" {self.unit}s", "percent": " %", "quantity": f" {self.unit}", "count": ""}[self.kind]
        return f"{_digits(low)} to {_digits(high)}{unit}"

    def converted(self) -> str | None:
        """The same duration in the next larger unit, None where that is no plain figure."""
        if self.kind != "duration" or self.unit not in _LARGER:
            return None
        unit, factor = _LARGER[self.unit]
        number = self.number / factor
        if number < 1 or number * 2 != int(number * 2) or (unit == "day" and number != int(number)):
            return None
        if number == int(number):
            return f"{_WORDS[int(number)] if number <= 12 else int(number)} {_plural(unit, number)}"
        return f"{number} {unit}s" if unit in ("hour", "minute") else None


class Spec:
    """What values an attribute has: the `value` line of a domain file ("duration day 14 90 1"), or a clause that is so or is not."""

    def __init__(self, line: str) -> None:
        self.kind, _, rest = line.partition(" ")
        self.choices = rest.split("|") if self.kind == "choice" else []
        words = rest.split()
        self.unit = words.pop(0) if self.kind in ("duration", "money", "quantity", "code", "email") else ""
        self.low: float
        self.high: float
        if self.kind == "clock":
            self.low, self.high = (60 * int(w[:2]) + int(w[3:]) for w in words[:2])
            self.step = float(words[2])
        elif self.kind == "date":
            self.low, self.high = (date(int(w), 1, 1).toordinal() for w in words)
            self.step = 1.0
        elif self.kind in _NUMERIC:
            self.low, self.high, self.step = map(float, words)
        else:
            self.low, self.high, self.step = {"port": (1100, 49000, 1.0), "clause": (0, 1, 1.0), "status": (0, 1, 1.0)}.get(
                self.kind, (0, 0, 1.0)
            )

    def draw(self, rng: random.Random) -> Value:
        """A value."""
        match self.kind:
            case "choice":
                return Value("choice", text=rng.choice(self.choices))
            case "person":
                return Value("person", text=names.person(rng))
            case "version":
                tail = f".{rng.randrange(10)}" if rng.random() < 0.4 else ""
                return Value("version", text=f"{rng.randrange(1, 12)}.{rng.randrange(0, 15)}{tail}")
            case "phone":
                return Value("phone", text=f"01632 9{rng.randrange(100_000):05}")
            case "email":
                return Value("email", text=f"{self.unit}.{names.word(rng)}@orrin.example")
            case "code":
                return Value("code", text=f"{self.unit}-{rng.randrange(1000, 99_999)}")
            case _:
                steps = round((self.high - self.low) / self.step)
                return Value(self.kind, round(self.low + self.step * rng.randint(0, steps), 2), self.unit)

    def other(self, value: Value, rng: random.Random) -> Value:
        """A value that a reader sees to be another: a numeric one is at least a quarter off."""
        if self.kind in ("clause", "status"):
            return Value(self.kind, 1 - value.number)
        gap = {"clock": 30, "date": 30}.get(self.kind, 0.25 * value.number)
        for _ in range(60):
            drawn = self.draw(rng)
            if (drawn.text != value.text) if drawn.text else abs(drawn.number - value.number) >= max(gap, self.step):
                return drawn
        return Value(self.kind, round(value.number * 2, 2), self.unit)


def day_between(rng: random.Random, first: date, last: date) -> date:
    """A day."""
    return first + timedelta(days=rng.randrange((last - first).days))


def _digits(number: float, money: bool = False) -> str:
    if number == int(number):
        return f"{int(number):,}"
    return f"{number:,.2f}" if money else f"{number:,.2f}".rstrip("0")


def _plural(unit: str, number: float) -> str:
    return unit if number == 1 else unit + "s"
