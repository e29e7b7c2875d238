"""Globs over document ids.

One meaning of a glob in the whole program: the one the load stage gives it. What is added here is that a document id is more than
a path: `export.jsonl#42` and `outer.zip!/inner.md` also match globs written for the file that holds them, and `#` and `!` in names,
which ids carry percent-escaped, are written plainly in a glob.
"""

from __future__ import annotations

import re

from auditor.load.config import container, holds, matches, plain

__all__ = ["container", "is_valid", "match_document", "matches", "plain"]


def match_document(glob: str, doc_id: str) -> bool:
    """Whether the document, or the file that holds it, matches the glob."""
    return holds(doc_id, (glob,))


def is_valid(glob: str) -> bool:
    """Whether the glob can match anything at all."""
    if not glob.strip():
        return False
    try:
        matches("", (glob,))
    except re.error:  # such as the range [z-a]
        return False
    return True
