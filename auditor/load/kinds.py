"""What a file is: by its content first, by its name second.

The answer is a name that ends as the content tells, so that a loader has to look at nothing else: a PDF called `report.txt` becomes
`report.txt.pdf`, a web page saved as `prices.xls` becomes `prices.xls.html`.
"""

from __future__ import annotations

import lzma
import re
import zipfile
import zlib
from io import BytesIO
from typing import BinaryIO

from auditor.load.structure import words
from auditor.ports import LoadError

HEAD = 4096
"""How many first bytes of a file are looked at."""

_PACKED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, NotImplementedError)
DAMAGED_ZIP = (*_PACKED, RuntimeError, ValueError, OverflowError, OSError, EOFError)
"""What reading a ZIP archive raises when it is not in order."""


def zip_damage(error: BaseException) -> str:
    """What is wrong with the archive, for a person: only some of what is raised was written for one."""
    if isinstance(error, NotImplementedError):
        return "packed in a way that is not read"
    if type(error) in (zipfile.BadZipFile, RuntimeError) and str(error):
        return str(error)
    return "its content is cut off or overwritten"


_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_DIRECTORY = 1 << 25  # bytes of the directory of a ZIP archive, which is read as a whole: some 300,000 files
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OPEN_DOCUMENT = {
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.text-template": "odt",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.oasis.opendocument.spreadsheet-template": "ods",
    "application/vnd.oasis.opendocument.presentation": "odp",
    "application/epub+zip": "epub",
}
_MAIN_PART = (
    ("word/document.xml", "docx"),
    ("xl/workbook.xml", "xlsx"),
    ("xl/workbook.bin", "xlsb"),
    ("ppt/presentation.xml", "pptx"),
)
BINARY = words("pdf docx docm dotx xlsx xlsm xlsb xls pptx pptm odt ods odp epub parquet msg zip doc ppt")
"""Extensions of documents and archives that are no text."""
_SAME = {"docm": "docx", "dotx": "docx", "xlsm": "xlsx", "pptm": "pptx", "ott": "odt", "ots": "ods", "htm": "html", "xhtml": "html"}
_OLD_OFFICE = {"doc": "Word", "ppt": "PowerPoint", "dot": "Word", "pps": "PowerPoint"}
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE | re.DOTALL
)
_MAIL = re.compile(
    rb"(?:(?:Received|Return-Path|Delivered-To|Message-ID|MIME-Version|X-[\w-]+|DKIM-Signature|ARC-[\w-]+|From|Date|Subject|To):"
    rb"[^\n]*\n(?:[ \t][^\n]*\n)*){3,}",
    re.IGNORECASE,
)
_MAIL_FILE = re.compile(r"\d{9,11}\.[^.]")  # in a Maildir: time, process, host
_NO_EXTENSION = ""
UNREAD = {
    "7z": "archive",
    "rar": "archive",
    "xz": "archive",
    "pages": "document",
    "key": "document",
    "numbers": "document",
    "one": "document",
    "vsd": "document",
    "vsdx": "document",
    "pub": "document",
    "djvu": "document",
    "xps": "document",
    "wpd": "document",
    "org": "document",
    "pst": "mailbox",
}
"""Extensions of documents that no loader reads; they are shown as skipped."""


POINTERS = (
    dict.fromkeys(words("gdoc gsheet gslides gdraw gform gsite gmap gjam gscript gtable"), "a link to a Google document: export it")
    | dict.fromkeys(words("url webloc website"), "a link to a web page, not the page itself")
    | dict.fromkeys(words("lnk"), "a shortcut to another file")
)
"""Extensions of files that only say where a document is, and what to say about them."""

_CLUTTER = re.compile(
    r"~\$.*|\._.*|\.~lock\..*#|~wrl\d+\.tmp|thumbs\.db|ehthumbs\.db|desktop\.ini|\.ds_store|icon\r?", re.IGNORECASE | re.DOTALL
)


def unread(extension: str) -> str:
    """Why a document with this extension is not read, "" for all others."""
    if extension in UNREAD:
        return f"{UNREAD[extension]} in a format that is not read: .{extension}"
    return POINTERS.get(extension, "")


def is_clutter(name: str) -> bool:
    """Whether a file (its bare name) is what Office, Windows or a Mac leave beside documents: locks, previews, attributes."""
    return _CLUTTER.fullmatch(name) is not None


PROGRAMS = words("jar war ear apk ipa aab whl egg xpi crx nupkg vsix sketch fig kmz cbz npz")
"""Extensions of ZIP archives that hold no documents."""


def is_zip(head: bytes) -> bool:
    """Whether a file that begins like this is a ZIP archive."""
    return head.startswith(_ZIP)


def extension(name: str) -> str:
    """The lower-case extension of a path, without the dot; "" when there is none."""
    base = name.rpartition("/")[2]
    stem, dot, suffix = base.rpartition(".")
    return suffix.lower() if dot and stem else _NO_EXTENSION


def effective_name(name: str, head: bytes, file: BinaryIO) -> str:
    """The lower-case name, ending as the content tells.

    `head` are the first `HEAD` bytes; `file` is looked into only where they do not decide (a ZIP archive, an old Office file).
    Raises `LoadError` for a document whose content is not what its name says and not anything else that is read.
    """
    name = name.lower()
    if _MAIL_FILE.match(name.rpartition("/")[2]) and _MAIL.match(head):
        return f"{name}.eml"
    suffix = extension(name)
    kind = _kind(suffix, head, file)
    if not kind or kind == suffix:
        return name
    return f"{name}.{kind}"


def _kind(suffix: str, head: bytes, file: BinaryIO) -> str:
    """The canonical extension for the content, "" when the name decides."""
    if head.startswith(_ZIP):
        return _zipped(suffix, file)
    if b"%PDF-" in head[:1024] and (head.startswith(b"%PDF-") or suffix == "pdf"):
        return "pdf"
    if head.startswith(_OLE):
        return _ole(suffix, head, file)
    if head.startswith(b"{\\rtf"):
        return "rtf"
    if head.startswith(b"PAR1"):
        return "parquet"
    if suffix in BINARY or suffix in _OLD_OFFICE:
        if _HTML.match(head):  # what web applications export as "Excel" or "Word"
            return "html"
        if suffix == "xls" and b"\t" in head and b"\0" not in head:
            return "tsv"
        raise LoadError(f"named .{suffix}, but its content is something else")
    if suffix in {"", "txt", "text"} and _HTML.match(head):
        return "html"
    if suffix in {"", "txt", "text"} and head.startswith(b"From ") and _MAIL.search(head[:HEAD]):
        return "mbox"
    if suffix == "" and _MAIL.match(head):
        return "eml"
    return _SAME.get(suffix, "")


def _zipped(suffix: str, file: BinaryIO) -> str:
    try:
        if _directory_bytes(file) > _DIRECTORY:
            raise zipfile.BadZipFile("the list of its files is larger than the limit")
        with zipfile.ZipFile(file) as archive:
            names = set(archive.namelist())
            if "mimetype" in names and (info := archive.getinfo("mimetype")).file_size < 200:
                kind = _OPEN_DOCUMENT.get(archive.read(info).decode("ascii", "replace").strip())
                if kind:
                    return kind
            for part, kind in _MAIN_PART:
                if part in names:
                    return kind
            if "word/document2.xml" in names:  # how Word in a browser calls it
                return "docx"
            if suffix in {"zip", ""} and "entities.xml" in names and "exportDescriptor.properties" in names:
                return "confluence-xml"
    except DAMAGED_ZIP as error:
        if suffix in BINARY or suffix in _SAME:
            raise LoadError(f"the file is damaged: {zip_damage(error)}") from error
        return ""
    finally:
        file.seek(0)
    if suffix in BINARY - {"zip"} or suffix in _SAME:
        raise LoadError(f"named .{suffix}, but its content is something else")
    return "zip" if suffix in {"zip", ""} else ""  # many programs keep their own files in ZIP archives


def _directory_bytes(file: BinaryIO) -> int:
    """The size that the end of the archive states for its directory, which is read as a whole; 0 if none is found."""
    size = file.seek(0, 2)
    file.seek(max(size - 65_600, 0))
    tail = file.read()
    file.seek(0)
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) < at + 22:
        return 0
    stated = int.from_bytes(tail[at + 12 : at + 16], "little")
    large = tail.rfind(b"PK\x06\x06", 0, at)
    if stated == 0xFFFFFFFF and large >= 0:
        stated = int.from_bytes(tail[large + 40 : large + 48], "little")
    return min(stated, size)


def _ole(suffix: str, head: bytes, file: BinaryIO) -> str:
    if suffix == "msg":
        return "msg"
    if suffix in {"xls", "xlt"}:
        return "xls"
    if suffix in _OLD_OFFICE:
        raise LoadError(f"old {_OLD_OFFICE[suffix]} file: save it as .{suffix.replace('pps', 'ppt').replace('dot', 'doc')}x")
    if suffix in BINARY:  # what Office writes for a document with a password
        raise LoadError("protected by a password, or an old Office file under a new name")
    return ""


def effective_name_of(name: str, data: bytes) -> str:
    """`effective_name` for content in memory."""
    return effective_name(name, data[:HEAD], BytesIO(data))
