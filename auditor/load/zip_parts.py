"""Parts of office files that are ZIP archives, read without trust.

Nothing is written to disk. A part is unpacked up to a limit whatever its header says, XML is parsed without document type
definitions, entities and network access, and sizes are bounded before a tree is built.
"""

from __future__ import annotations

import re
import zipfile
from io import BytesIO

from lxml import etree

from auditor.load.config import MEBIBYTE
from auditor.load.kinds import DAMAGED_ZIP, zip_damage
from auditor.ports import LoadError

PART_BYTES = 64 * MEBIBYTE
"""How much one part may unpack to."""
TOTAL_BYTES = 256 * MEBIBYTE
"""How much all parts that are read of one file may unpack to."""
MARKUP = 8_000_000
"""How many tags and attributes one part may hold: a tree takes many times the memory of its source."""

_CHUNK = 1 << 16
_ENCODING = re.compile(r"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']""")
_ENCODINGS = frozenset({"utf-8", "utf8", "utf-16", "utf-16le", "utf-16be", "us-ascii", "ascii", "iso-8859-1", "windows-1252"})


def open_parts(data: bytes, part_bytes: int = PART_BYTES, total_bytes: int = TOTAL_BYTES) -> Parts:
    """The parts of a ZIP-based office file. Raises `LoadError` when the archive is broken."""
    try:
        return Parts(zipfile.ZipFile(BytesIO(data)), part_bytes, total_bytes)
    except DAMAGED_ZIP as error:
        raise LoadError(f"the file is damaged: {zip_damage(error)}") from error


class Parts:
    """Reads the parts of one file. `notices` gathers what could not be read of parts that are not essential."""

    def __init__(self, archive: zipfile.ZipFile, part_bytes: int, total_bytes: int) -> None:
        self._archive = archive
        self._part_bytes, self._left = part_bytes, total_bytes
        self._infos: dict[str, zipfile.ZipInfo] = {}
        for info in archive.infolist():  # part names do not depend on case; the first of two wins
            self._infos.setdefault(_key(info.filename), info)
        self.notices: list[str] = []

    def __contains__(self, name: str) -> bool:
        return _key(name) in self._infos

    def names(self) -> list[str]:
        """Names of all parts, in the order of the archive."""
        return [info.filename for info in self._infos.values() if not info.filename.endswith("/")]

    def read(self, name: str) -> bytes | None:
        """The bytes of a part, None if there is none of this name. Raises `LoadError` when it is damaged or too large."""
        info = self._infos.get(_key(name))
        if info is None:
            return None
        if info.flag_bits & 1:
            raise LoadError("protected by a password")
        if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise LoadError(f"{name} is packed in a way that office programs do not use")
        limit = min(self._part_bytes, self._left)
        if info.file_size > limit:
            raise LoadError(_too_large(name, limit))
        out = bytearray()
        try:
            with self._archive.open(info) as stream:
                while chunk := stream.read(_CHUNK):
                    out += chunk
                    if len(out) > limit:
                        raise LoadError(_too_large(name, limit))
        except DAMAGED_ZIP as error:
            raise LoadError(f"the file is damaged: {name}: {zip_damage(error)}") from error
        self._left -= len(out)
        return bytes(out)

    def xml(self, name: str) -> etree._Element | None:
        """The root element of a part, None if there is none of this name. Raises `LoadError` when it cannot be read."""
        data = self.read(name)
        return None if data is None else parse_xml(data, name)

    def optional_xml(self, name: str, what: str) -> etree._Element | None:
        """As `xml`, for parts whose loss does not matter for the others: None when damaged, and a notice that names `what`."""
        try:
            return self.xml(name)
        except LoadError as error:
            self.notices.append(f"{what} could not be read: {error}")
            return None


def parse_xml(data: bytes, name: str) -> etree._Element:
    """The root element of an XML source called `name` in messages, without comments and processing instructions."""
    if data.count(b"<") + data.count(b"=") > MARKUP:
        raise LoadError(f"{name} holds more markup than the limit")
    text = data[:1024].replace(b"\0", b"").decode("latin-1")
    declared = _ENCODING.search(text)
    if declared and declared[1].lower() not in _ENCODINGS:
        raise LoadError(f"{name} is in an encoding that is not read: {declared[1]}")
    start = data[: 1 << 16] if b"\0" not in data[:4] else data[: 1 << 17].replace(b"\0", b"")
    if b"<!DOCTYPE" in start or b"<!ENTITY" in start:
        raise LoadError(f"{name} holds a document type definition, which is not read")
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        dtd_validation=False,
        attribute_defaults=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=False,
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise LoadError(f"{name} is damaged: {str(error)[:200]}") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise LoadError(f"{name} holds a document type definition, which is not read")
    return root


def _key(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


def _too_large(name: str, limit: int) -> str:
    return f"{name} unpacks to more than the limit ({limit / MEBIBYTE:.0f} MiB)"
