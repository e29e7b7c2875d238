"""Identities of conflicts and clusters: what they are made of decides what they survive."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

ID_LENGTH = 16

_TAG = re.compile(r"<[^<>]{0,200}>")
_WORD = re.compile(r"[^\W_]+(?:[.,:][^\W_]+)*|[%$€£¥≤≥<>±]")


def normalised(text: str) -> str:
    """Text without white space, case, markup and punctuation: what two copies of a passage have in common.

    Signs that carry meaning beside a value (per cent, currencies, comparators) stay.
    """
    return " ".join(_WORD.findall(_TAG.sub(" ", text).casefold()))


def same_value(text: str) -> str:
    """A value's text as values are told apart: case and white space folded."""
    return " ".join(text.casefold().split())


def conflict_id(side_a: tuple[str, str], side_b: tuple[str, str], ordinal: int) -> str:
    """Identity of a conflict between two (document, value-free fact key), in whatever order they come.

    No value, no position and no wording goes in, so that it survives moved lines, reformatting and changed values. `ordinal` tells
    apart conflicts that are equal in all of that.
    """
    first, second = sorted((side_a, side_b))
    return _digest(*first, *second, str(ordinal))


def content_hash(side_a: tuple[str, str], side_b: tuple[str, str]) -> str:
    """Hash of what a decision was about: value and quote of each side, in whatever order they come."""
    sides = sorted((same_value(value), normalised(quote)) for value, quote in (side_a, side_b))
    return _digest(*(part for side in sides for part in side))


def cluster_id(kind: str, entity_key: str, attribute: str, scope: Iterable[str], ordinal: int) -> str:
    """Identity of a cluster: what the fact is about, what it holds for, and an ordinal that separates equal ones."""
    return _digest(kind, normalised(entity_key), normalised(attribute), *sorted(scope), str(ordinal))


def copies_id(original: str) -> str:
    """Identity of the cluster of all that the copies of a document disagree about."""
    return _digest("copies", original)


def tables_id(documents: Iterable[str], *apart: str) -> str:
    """Identity of the cluster of all that the tables of two documents disagree about; `apart` keeps several of them from each other."""
    return _digest("tables", *sorted(documents), *apart)


def _digest(*parts: str) -> str:
    # The length in front of each part keeps ("ab", "c") apart from ("a", "bc") whatever characters the parts hold.
    content = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:ID_LENGTH]
