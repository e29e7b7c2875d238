"""How `fuzz_loaders.py` damages a file: bytes, tokens of the format, XML, JSON, and the parts of ZIP archives."""

from __future__ import annotations

import io
import json
import random
import re
import struct
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

from fuzz_tokens import ALL, ANY, JSON, TOKENS, VALUES

MOST_BYTES = 400_000
"""A file is not made larger than that: it is the odd file that is looked for, not the large one."""

_WORD = re.compile(r"\w+|\s+|[^\w\s]+")
_ATTRIBUTE = re.compile(r"(?<==\")[^\"<>]*(?=\")")
_CONTENT = re.compile(r"(?<=>)[^<>]+(?=<)")
_TAG = re.compile(r"<[^<>]+>")
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")


def mutated(rng: random.Random, data: bytes, suffix: str, others: Sequence[bytes]) -> bytes:
    """The file with some things wrong with it. `others` are files of the same format, to splice with."""
    if data.startswith(b"PK\x03\x04") and rng.random() < 0.85:
        made = _zip(rng, data, others)
        if made is not None:
            return made
    text = _text(data)
    for _ in range(min(1 + int(rng.expovariate(0.5)), 12)):
        if text is not None and rng.random() < 0.85:
            text = _mutated_text(rng, text, suffix, others)[:MOST_BYTES]
        else:
            data = _bytes(rng, data if text is None else text.encode("utf-8", "surrogatepass"), others)
            text = _text(data)
    return (data if text is None else text.encode("utf-8", "surrogatepass"))[:MOST_BYTES]


def _text(data: bytes) -> str | None:
    try:
        return None if b"\0" in data[:4096] else data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _mutated_text(rng: random.Random, text: str, suffix: str, others: Sequence[bytes]) -> str:
    begin = text.lstrip()[:1]
    if begin in "{[" and suffix in ("json", "jsonl", "ipynb") and rng.random() < 0.6:
        return _json_lines(rng, text)
    if begin == "<" and rng.random() < 0.7:
        return _xml(rng, text)
    return _tokens(rng, text, TOKENS.get(suffix, ALL), others)


def _tokens(rng: random.Random, text: str, tokens: Sequence[str], others: Sequence[bytes]) -> str:
    """Insert, replace, repeat or drop tokens, or go on with another file."""
    a, b = sorted(rng.randint(0, len(text)) for _ in range(2))
    b = min(b, a + 200)
    match rng.randrange(8):
        case 0:
            return text[:a] + text[b:]
        case 1:
            return text[:a] + text[a:b] * rng.choice((2, 3, 50)) + text[b:]
        case 2:
            other = rng.choice(others).decode("utf-8", "replace") if others else ""
            at = rng.randint(0, len(other))
            return text[:a] + other[at:]
        case 3:
            lines = text.splitlines(keepends=True)
            i, j = (rng.randrange(len(lines) or 1) for _ in range(2))
            if lines:
                lines[i], lines[j] = lines[j], lines[i]
            return "".join(lines)
        case 4:
            found = list(_WORD.finditer(text))
            if not found:
                return rng.choice(VALUES)
            word = rng.choice(found)
            return text[: word.start()] + rng.choice((*VALUES, *ANY)) + text[word.end() :]
        case 5:
            return text[:a] + rng.choice(tokens) * rng.choice((1, 1, 2, 40)) + text[a:]
        case 6:
            return text[:a] + "".join(rng.choice((*tokens, *ANY)) for _ in range(rng.randint(1, 8))) + text[a:]
        case _:
            return text[:a] + rng.choice((*VALUES, *ANY)) + text[b:]


def _xml(rng: random.Random, text: str) -> str:
    """Change an attribute or a text, or drop, repeat, rename, move a tag."""
    kind = rng.randrange(6)
    found = list((_ATTRIBUTE, _CONTENT, _TAG, _TAG, _TAG, _TAG)[kind].finditer(text))
    if not found:
        return text + rng.choice(TOKENS["html"])
    one, two = rng.choice(found), rng.choice(found)
    start, end, old = one.start(), one.end(), one[0]
    match kind:
        case 0 | 1:
            new = rng.choice((*VALUES, two[0]))
        case 2:
            new = ""
        case 3:
            new = old * rng.choice((2, 2, 300))
        case 4:
            new = two[0]
        case _:
            end, new = max(end, min(two.end(), end + 2000)), ""
    return text[:start] + new + text[end:]


def _json_lines(rng: random.Random, text: str) -> str:
    """Put a value of another type somewhere into a JSON value, or into one of the lines that are JSON."""
    lines = [text]
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        lines = text.splitlines()
    at = rng.randrange(len(lines))
    try:
        value = json.loads(lines[at])
        places = list(_places(value))
        odd: list[Any] = [None, True, -1, 10**30, 1.5e308, [], {}, [[]], {"a": {}}, "\ud800", "a\x00b", [None], {"": None}]
        if places:
            holder, key = rng.choice(places)
            holder[key] = rng.choice((*odd, rng.choice(VALUES), holder[rng.choice(list(_keys(holder)))]))
        else:
            value = rng.choice(odd)
        lines[at] = json.dumps(value)
    except (ValueError, RecursionError):
        lines[at] += rng.choice(JSON)
    return "\n".join(lines)


def _keys(value: Any) -> Any:
    return value if isinstance(value, dict) else range(len(value))


def _places(value: Any) -> Any:
    if isinstance(value, dict | list):
        for key in _keys(value):
            yield value, key
            yield from _places(value[key])


def _bytes(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Flip bits, cut, splice, repeat, and set lengths to what they are not."""
    if not data:
        return rng.randbytes(8)
    a, b = sorted(rng.randrange(len(data)) for _ in range(2))
    near = min(b, a + rng.choice((1, 4, 64, 1024)))
    match rng.randrange(10):
        case 0:
            return data[:a] + bytes([data[a] ^ (1 << rng.randrange(8))]) + data[a + 1 :]
        case 1:
            return data[:a] + bytes([rng.choice((0, 1, 0x7F, 0x80, 0xFF))]) + data[a + 1 :]
        case 2 | 3:  # an integer that may be a length, a count or a place
            form = rng.choice(("<H", ">H", "<I", ">I", "<Q", "<i"))
            size = struct.calcsize(form)
            top = (1 << 8 * size) - 1
            value = rng.choice((0, 1, 2, top >> 1, rng.randrange(1 << 15), len(data) & (top >> 1)))
            a -= a % size if rng.random() < 0.7 else 0
            return data[:a] + struct.pack(form, value) + data[a + size :]
        case 4:
            return data[:b] if rng.random() < 0.5 else data[:a] + data[near:]
        case 5:
            return data[:near] + data[a:]
        case 6:
            other = rng.choice(others) if others else data
            return data[:a] + other[rng.randint(0, len(other)) :]
        case 7:
            return data[:a] + rng.randbytes(near - a) + data[near:]
        case 8:
            return data[:a] + data[near:b] + data[a:near] + data[b:]
        case _:
            found = list(_NUMBER.finditer(data))
            if not found:
                return data[:a] + data[near:]
            number = rng.choice(found)
            return data[: number.start()] + rng.choice(VALUES).encode() + data[number.end() :]


def _zip(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes | None:
    """The archive with parts changed, dropped, doubled, renamed or taken from another one. None if it cannot be taken apart."""
    parts = _parts(data)
    if not parts:
        return None
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        at = rng.randrange(len(parts))
        name, content = parts[at]
        choice = rng.random()
        if choice < 0.8:
            parts[at] = (name, mutated(rng, content, name.rpartition(".")[2].lower(), [part for _, part in parts]))
        elif choice < 0.85 and len(parts) > 1:
            del parts[at]
        elif choice < 0.9:
            parts.append((name, rng.choice(parts)[1]))
        elif choice < 0.95:
            parts[at] = (rng.choice((*(other for other, _ in parts), *VALUES)) or "x", content)
        else:
            from_other = _parts(rng.choice(others)) if others else []
            parts[at] = (name, next((part for other, part in from_other if other == name), content))
    return zipped(parts, zipfile.ZIP_STORED if rng.random() < 0.5 else zipfile.ZIP_DEFLATED)


def zipped(parts: Sequence[tuple[str, bytes]], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of these parts, whatever their names; names may occur twice."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, content in parts:
            info = zipfile.ZipInfo(name.encode("utf-8", "replace").decode())
            info.compress_type = compression
            archive.NameToInfo.pop(info.filename, None)  # else a second part of the same name is warned of
            archive.writestr(info, content)
    return out.getvalue()


def _parts(data: bytes) -> list[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return [(info.filename, archive.read(info)) for info in archive.infolist() if info.file_size <= 1 << 20]
    except Exception:  # a seed that is damaged already
        return []


def smaller(data: bytes, still: Callable[[bytes], bool], tries: int) -> bytes:
    """The file without what is not needed for `still` to hold, after at most so many tries."""
    step = max(len(data) // 2, 1)
    while step and tries > 0:
        at = 0
        while at < len(data) and tries > 0:
            tries -= 1
            shorter = data[:at] + data[at + step :]
            if shorter and still(shorter):
                data = shorter
            else:
                at += step
        step //= 2
    return data
