"""Values of a record: nested objects flattened to dotted names, texts cleaned, dates read."""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import TypeAlias

Scalar: TypeAlias = str | int | float | bool | date
Flat: TypeAlias = dict[str, "Scalar | list[str]"]

_MAX_PATHS, _MAX_DEPTH, _MAX_LIST = 400, 6, 2000
_WRAPPERS = frozenset(
    {"rendered", "value", "raw", "plain", "storage", "view", "export_view", "$oid", "$date", "$uuid", "$numberlong"}
)
_TYPED = frozenset({"$oid", "$date", "$uuid", "$numberLong", "$numberInt", "$numberDouble"})  # of exports of MongoDB
_ENVELOPES = frozenset(
    {"_source", "fields", "attributes", "metadata", "meta", "properties", "data", "article", "document", "record"}
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_UNFIT = re.compile("[\0\ud800-\udfff]")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_DAY = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
_EPOCH = ((10**9, 4 * 10**9, 1), (10**12, 4 * 10**12, 1000), (10**15, 4 * 10**15, 10**6))  # seconds from 2001 on, ms, µs


class Malformed(Exception):
    """A text that is no JSON; the message says why."""


def parse(text: str) -> object:
    """The value of a JSON text; `NaN` and duplicate keys, which the last one of wins, are let pass. Raises `Malformed`."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, " if "\n" in text.strip() else ""
        raise Malformed(f"not JSON: {error.msg} ({where}column {error.colno})") from None
    except ValueError:  # the other thing that json refuses are integers of thousands of digits
        raise Malformed("not JSON: a number of too many digits") from None
    except RecursionError:
        raise Malformed("nested too deeply") from None


def flatten(record: Mapping[str, object]) -> Flat:
    """The fields of a record that say something, by dotted names ("fields.body"). Lists are kept when they hold texts or names."""
    flat: Flat = {}
    waiting: list[tuple[str, object, int]] = [(str(name), value, 1) for name, value in list(record.items())[::-1]]
    while waiting and len(flat) < _MAX_PATHS:
        path, value, depth = waiting.pop()
        if isinstance(value, Mapping) and len(value) == 1 and (name := next(iter(value))) in _TYPED:
            value = value[name]
        if isinstance(value, Mapping):
            if depth < _MAX_DEPTH:
                waiting += [(f"{path}.{name}", inner, depth + 1) for name, inner in list(value.items())[::-1]]
        elif isinstance(value, list):
            texts = [text for item in value[:_MAX_LIST] if (text := _of_item(item))]
            if texts and path not in flat:
                flat[path] = texts
        elif isinstance(value, str | int | date) or (isinstance(value, float) and math.isfinite(value)):
            flat.setdefault(path, value)
    return flat


def _of_item(item: object) -> str:
    if isinstance(item, Mapping):
        item = item.get("name") or item.get("text") or item.get("label")
    return clean(item) if isinstance(item, str) else ""


def role(path: str) -> str:
    """What a field is called, in one way of writing: `_source.bodyHtml` and `body-html.rendered` are "body_html".

    A field of an inner object keeps the name of the object: "author.name".
    """
    parts = path.split(".")
    while len(parts) > 1 and parts[-1].lower() in _WRAPPERS:
        parts.pop()
    while len(parts) > 1 and parts[0].lower() in _ENVELOPES:
        parts.pop(0)
    return ".".join(_HUMP.sub("_", part).lower().replace("-", "_").replace(" ", "_").strip("_") for part in parts)


def clean(text: str) -> str:
    """A text without what no file can hold: NUL and halves of surrogate pairs become the replacement character."""
    return _UNFIT.sub("\ufffd", text)


def text_of(value: Scalar | list[str] | None) -> str:
    """The text of a field; the items of a list are its paragraphs. Numbers are no text."""
    if isinstance(value, list):
        return "\n\n".join(value).strip()
    return clean(value).strip() if isinstance(value, str) else ""


def short(value: Scalar | list[str] | None, limit: int = 300) -> str:
    """A value on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1 << 53:
        value = int(value)  # what was an integer before a missing value made its column one of floats
    if isinstance(value, list):
        value = ", ".join(value)
    text = value.isoformat() if isinstance(value, date) else "" if value is None else str(value)
    return " ".join(clean(text[: 4 * limit]).split())[:limit]


def title_of(value: Scalar | list[str] | None) -> str:
    """A title without the entities and tags that content management systems leave in them."""
    text = short(value)
    if "&" in text and ";" in text:
        text = html.unescape(text)
    return " ".join(clean(_TAG.sub("", text)).split()) if "<" in text else " ".join(clean(text).split())


def day_of(value: Scalar | list[str] | None) -> str:
    """A date as text: ISO for what counts seconds or milliseconds since 1970 and for `20240305`, else as it is written."""
    if isinstance(value, bool) or value is None or isinstance(value, list):
        return ""
    if isinstance(value, date):
        return value.isoformat()[:10]
    text = short(value, 60)
    if isinstance(value, str) and not text.isdecimal():
        return text
    if _DAY.fullmatch(text):
        return f"{text[:4]}-{text[4:6]}-{text[6:]}"
    try:
        number = float(text)
    except ValueError:
        return ""
    for low, high, unit in _EPOCH:
        if low <= number < high:
            return datetime.fromtimestamp(number / unit, UTC).date().isoformat()
    return ""
