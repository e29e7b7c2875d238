"""Rich Text files: the text as it reads when all tracked changes are accepted, without comments and hidden text."""

from __future__ import annotations

from auditor.load.rtf_reader import RtfReader
from auditor.load.word_fields import known, page_fields
from auditor.load.word_writer import Writer
from auditor.model import Parsed
from auditor.ports import LoadError


class RtfLoader:
    """Reads Rich Text files."""

    id = "rtf"

    def accepts(self, name: str, head: bytes) -> bool:
        """By extension, which the content has decided."""
        return name.endswith(".rtf")

    def load(self, data: bytes, name: str) -> Parsed:
        """Blocks of the document, properties and page headers as fields."""
        begin = data[:64].find(b"{\\rtf")
        if begin < 0:
            raise LoadError("named .rtf, but its content is something else")
        reader = RtfReader()
        parts = reader.read(data[begin:])
        shown: dict[str, str] = {}
        for page in reader.page_parts:
            for key, value in page_fields(page).items():
                shown.setdefault(key, value)
        stated = reader.head.properties()
        writer = Writer()
        writer.fields(shown, "header")
        writer.fields({key: value for key, value in reader.head.own.items() if key not in shown and known(key)}, "properties")
        visible = writer.write(parts)
        notices = [] if reader.complete else ["the file ends early: the rest of it is missing"]
        return writer.parsed({**stated, **shown, **visible}, "rtf", notices)
