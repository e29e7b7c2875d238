"""ZIP files whose bytes depend on nothing but what is put in."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable
from datetime import datetime

Part = tuple[str, bytes | str]


def packed(parts: Iterable[Part], when: datetime, stored: frozenset[str] = frozenset()) -> bytes:
    """A ZIP file of `parts` in the given order, all dated `when`; the parts named in `stored` are not compressed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in parts:
            info = zipfile.ZipInfo(name, when.timetuple()[:6])
            info.create_system = 3
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            archive.writestr(info, content, compresslevel=9)
    return out.getvalue()


def repacked(data: bytes, when: datetime) -> bytes:
    """An office file with the clock taken out: the dates of its parts, and the date of saving that some libraries put in themselves."""
    stamp = when.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    saved = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*")
    parts: list[Part] = []
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            body = archive.read(name)
            parts.append((name, saved.sub(rb"\g<1>" + stamp, body) if name == "docProps/core.xml" else body))
    return packed(parts, when)
