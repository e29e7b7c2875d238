"""What a report is called and for whom it was made: `[report]` of the configuration, with the logo read into a data URI."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path

from auditor.config import ReportSettings
from auditor.errors import UserError
from auditor.model import Branding

LOGO_LIMIT = 512 * 1024
"""Largest logo in bytes. It is embedded in every report, and an e-mail has to hold one."""

_TYPES: Mapping[bytes, str] = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
"""First bytes → media type. SVG is left out on purpose: it can hold script."""


def load_branding(corpus: Path, settings: ReportSettings) -> Branding:
    """The head of the report for a corpus. Raises `UserError` if the logo is missing, no PNG or JPEG, or outside the corpus."""
    return Branding(
        title=settings.title or "",
        customer=settings.customer or "",
        logo=_logo(corpus, settings.logo) if settings.logo else "",
    )


def _logo(corpus: Path, name: str) -> str:
    root = corpus.resolve()
    try:
        path = (root / name).resolve()
    except (OSError, ValueError) as error:  # a loop of links, a NUL in the name
        raise UserError(f"report.logo: {name!r} is no usable path: {error}") from error
    if not path.is_relative_to(root):
        raise UserError(f"report.logo: {name} is outside the corpus; copy the picture into {corpus}")
    try:
        with path.open("rb") as file:
            data = file.read(LOGO_LIMIT + 1)
    except OSError as error:
        raise UserError(f"report.logo: {name} cannot be read below {corpus}: {error.strerror or error}") from error
    if len(data) > LOGO_LIMIT:
        raise UserError(f"report.logo: {name} is larger than {LOGO_LIMIT // 1024} KiB; give a smaller picture")
    kind = next((kind for start, kind in _TYPES.items() if data.startswith(start)), None)
    if kind is None:
        raise UserError(f"report.logo: {name} is neither PNG nor JPEG; convert it to one of them")
    return f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}"
