"""What AsciiDoc resolves before it reads structure: attributes, and lines that include or choose text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from auditor.load.structure import Container, words

_REFERENCE = re.compile(r"\{(\w[\w-]{0,60})\}")
_MAX_VALUE = 1000
_MAX_TOTAL = 1_000_000  # characters that references may stand for in one document
_INCLUDE = re.compile(r"include::([^\[\]\n]{1,400})\[[^\n]*\][ \t]*$")
_CONDITION = re.compile(r"(ifdef|ifndef|ifeval|endif)::([^\[\n]{0,200})\[([^\n]*)\][ \t]*$")
_TECHNICAL = re.compile(r"(?:env|backend|basebackend|filetype|doctype|safe-mode)(?:-|$)")
SETTINGS = words(
    "toc toclevels toc-title toc-placement icons iconfont-remote iconsdir imagesdir source-highlighter highlightjsdir experimental "
    "sectnums sectnumlevels sectanchors sectlinks doctype encoding compat-mode data-uri linkcss stylesheet stylesdir idprefix "
    "idseparator nofooter noheader notitle showtitle hardbreaks linkattrs stem media pdf-theme pdf-themesdir pdf-style pdf-fontsdir "
    "backend leveloffset partnums table-caption figure-caption example-caption appendix-caption chapter-label xrefstyle allow-uri-read "
    "docinfo docinfodir favicon attribute-missing attribute-undefined reproducible page-layout page-toclevels page-pagination "
    "kroki-server-url kroki-fetch-diagram hide-uri-scheme source-language source-indent tabsize"
)
"""Attributes that say how a document is to look."""


class Attributes(Mapping[str, str]):
    """The attributes of a document as far as they are set. What references may stand for is bounded."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}
        self._left = _MAX_TOTAL

    def set(self, name: str, value: str) -> None:
        """Set an attribute; references in its value stand for what is set now."""
        self._values[name.lower()] = self.resolved(value)

    def unset(self, name: str) -> None:
        """Take an attribute back."""
        self._values.pop(name.lower(), None)

    def resolved(self, value: str) -> str:
        """A value with its references replaced."""
        return _REFERENCE.sub(lambda match: self._values.get(match[1].lower(), match[0]), value)[:_MAX_VALUE]

    def __getitem__(self, name: str) -> str:
        value = self._values[name]
        if len(value) > self._left:
            raise KeyError(name)
        self._left -= len(value)
        return value

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


class Directives:
    """Lines that include other files or keep text for some editions only.

    Nothing is included. Of conditions all branches are read; what holds for an edition only stands in a box named after it.
    """

    def __init__(self, attributes: Attributes) -> None:
        self.attributes = attributes
        self.included: list[str] = []
        self.conditions: list[tuple[str, Container | None]] = []

    def include(self, line: str) -> bool:
        """Whether the line is to be replaced with another file, which is noted."""
        match = _INCLUDE.match(line)
        if match and match[1] not in self.included:
            self.included.append(match[1])
        return match is not None

    def condition(self, line: str) -> tuple[int, int] | None:
        """For a line that chooses: the span of the text it holds itself (mostly empty)."""
        match = _CONDITION.match(line)
        if not match:
            return None
        kind, names, content = match.groups()
        if kind == "endif":
            for i in range(len(self.conditions) - 1, -1, -1):
                if not names or self.conditions[i][0] == names:
                    del self.conditions[i:]
                    break
        elif kind == "ifeval" or not content.strip():
            self.conditions.append((names, self._box(kind, names)))
        else:
            return match.span(3)
        return (0, 0)

    def boxes(self) -> list[Container]:
        """The editions the text at hand is for."""
        return [box for _, box in self.conditions if box]

    def _box(self, kind: str, names: str) -> Container | None:
        if kind == "ifeval" or _TECHNICAL.match(names) or names in SETTINGS:
            return None
        if kind == "ifdef" and any(name in self.attributes for name in re.split(r"[,+]", names.lower())):
            return None  # it holds
        readable = re.sub(r"[,+_-]", " ", names)
        return Container(readable if kind == "ifdef" else f"not {readable}")

    def notices(self) -> tuple[str, ...]:
        """What was left out."""
        if not self.included:
            return ()
        named = ", ".join(self.included[:5])
        more = f" and {len(self.included) - 5} more" if len(self.included) > 5 else ""
        return (f"included files are not followed: {named}{more}",)
