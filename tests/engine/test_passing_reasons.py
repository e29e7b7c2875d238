"""Which reasons for a skipped document are remembered, and which may be gone tomorrow."""

from __future__ import annotations

import pytest

from auditor.engine.parts import Outcome, encoded
from auditor.engine.stages import _timely
from auditor.model import Skipped


@pytest.mark.parametrize(
    ("reason", "passing"),
    [
        ("took longer than the limit of 120 s", True),
        ("too deep or too large to read (MemoryError)", True),
        ("cannot be read: Input/output error", True),
        ("cannot be read: libpdfium.so: failed to map segment from shared object", True),
        ("the file is damaged or cut off", False),
        ("empty", False),
    ],
)
def test_what_may_pass_is_not_kept(reason: str, passing: bool) -> None:
    kept = encoded(Outcome(skipped=Skipped("a.md", "empty")))
    assert _timely([kept, encoded(Outcome(skipped=Skipped("b.md", reason)))]) is passing
