"""What the lines above an AsciiDoc block say about it: `[source,java]`, `[%header,cols="1,2"]`, `.Title`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_PART = re.compile(r"""\s*(?:(?P<name>[\w-]+)\s*=\s*(?P<value>"[^"]*"|'[^']*'|[^,]*)|(?P<plain>"[^"]*"|[^,]*))\s*(?:,|$)""")
_HEAD = re.compile(r"([\w-]*)((?:[.#%][\w-]+)*)$")
_ADMONITIONS = frozenset({"note", "tip", "important", "warning", "caution"})


@dataclass(slots=True)
class Style:
    """Style, title and settings of the block that comes next."""

    name: str = ""
    language: str = ""
    title: tuple[int, int] | None = None  # its span
    options: set[str] = field(default_factory=set)
    named: dict[str, str] = field(default_factory=dict)
    cited: bool = False

    def __bool__(self) -> bool:
        return bool(self.name or self.title or self.options or self.named)

    @property
    def admonition(self) -> bool:
        """Whether it makes the block a boxed remark."""
        return self.name in _ADMONITIONS

    def extended(self, source: str) -> Style | None:
        """With the settings of one more line in brackets added; None if these are no settings but text in brackets."""
        positional: list[str] = []
        named: dict[str, str] = {}
        position = 0
        while position < len(source) and len(positional) + len(named) < 50:
            match = _PART.match(source, position)
            if not match or match.end() == position:
                break
            position = match.end()
            if match["name"]:
                named[match["name"].lower()] = match["value"].strip("\"' ")
            else:
                positional.append(match["plain"].strip('" '))
        first = positional[0] if positional else ""
        head = _HEAD.match(first)
        if head is None and not named:
            return None
        style = Style(self.name, self.language, self.title, set(self.options), {**self.named, **named}, self.cited)
        if head:
            style.options |= set(re.findall(r"%([\w-]+)", head[2]))
            if head[1]:
                style.name = head[1].lower()
        style.options |= {part.strip() for key in ("options", "opts") for part in named.get(key, "").split(",") if part.strip()}
        if style.name == "source" or (head and not head[1] and len(positional) > 1 and first == ""):
            style.name = "source"
            style.language = positional[1].lower() if len(positional) > 1 else named.get("language", "").lower()
        if style.name in {"quote", "verse"} and (len(positional) > 1 or "attribution" in named):
            style.cited = True
        return style
