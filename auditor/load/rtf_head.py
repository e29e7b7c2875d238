"""Fonts, styles, colours and document information at the head of a Rich Text file."""

from __future__ import annotations

from dataclasses import dataclass, field

from auditor.load.rtf_tokens import Token, charset_page, code_page
from auditor.load.word_body import fold, style_level, style_role

_DATES = {"creatim": "created", "revtim": "last modified"}
_TEXTS = {
    "title": "title",
    "author": "author",
    "operator": "last modified by",
    "manager": "responsible",
    "company": "company",
    "propname": "propname",
    "staticval": "staticval",
}
INFO_GROUPS = frozenset((*_DATES, *_TEXTS))
"""Groups of the document information that are read."""
_NOBODY = frozenset({"user", "unknown", "unknown author", "admin", "administrator", "microsoft office user"})
_MAX = 300


@dataclass(slots=True)
class Font:
    """A font: the code page of its text and its name."""

    page: str
    name: str = ""


@dataclass(slots=True)
class RtfStyle:
    """A paragraph style."""

    name: str = ""
    outline: int | None = None
    based_on: int | None = None


@dataclass(slots=True)
class Head:
    """Gathers what the head says."""

    page: str = "cp1252"
    fonts: dict[int, Font] = field(default_factory=dict)
    styles: dict[int, RtfStyle] = field(default_factory=dict)
    dark: list[bool] = field(default_factory=list)  # colours by number, and whether they are other than white
    fields: dict[str, str] = field(default_factory=dict)
    own: dict[str, str] = field(default_factory=dict)
    _font: Font | None = None
    _style: RtfStyle | None = None
    _colour: dict[str, int] = field(default_factory=dict)
    _date: dict[str, int] = field(default_factory=dict)
    _property: str = ""
    _value: str = ""

    def word(self, group: str, token: Token) -> None:
        """A control word in one of the groups of the head."""
        name, value = token.name, token.value or 0
        if group == "fonttbl":
            if name == "f" and len(self.fonts) < 5000:
                self._font = self.fonts.setdefault(value, Font(self.page))
            elif self._font and name == "fcharset":
                self._font.page = charset_page(value, self.page)
            elif self._font and name == "cpg":
                self._font.page = code_page(value, self.page)
        elif group == "stylesheet":
            if name == "s" and len(self.styles) < 5000:
                self._style = self.styles.setdefault(value, RtfStyle())
            elif self._style and name == "outlinelevel":
                self._style.outline = value
            elif self._style and name == "sbasedon":
                self._style.based_on = value
            elif name in {"cs", "ts", "ds"}:
                self._style = None
        elif group == "colortbl" and name in {"red", "green", "blue"}:
            self._colour[name] = value
        elif group in _DATES and name in {"yr", "mo", "dy", "hr", "min"}:
            self._date[name] = value

    def text(self, group: str, text: str) -> None:
        """Text in one of the groups of the head."""
        if group == "fonttbl" and self._font:
            self._font.name = (self._font.name + text.partition(";")[0])[:_MAX]
        elif group == "stylesheet" and self._style:
            self._style.name = (self._style.name + text.partition(";")[0])[:_MAX]
        elif group == "colortbl":
            for _ in range(text.count(";")):
                if len(self.dark) < 1000:
                    self.dark.append(bool(self._colour) and set(self._colour.values()) != {255})
                self._colour = {}
        elif group in _TEXTS:
            self._value = (self._value + text)[:_MAX]

    def end(self, group: str) -> None:
        """The end of one of its groups, or of an entry in one."""
        if group == "stylesheet":
            self._style = None
        elif group == "fonttbl":
            self._font = None
        elif group in _DATES:
            if all(0 < self._date.get(part, 0) < 9999 for part in ("yr", "mo", "dy")):
                self.fields[_DATES[group]] = "{yr:04d}-{mo:02d}-{dy:02d}".format(**self._date)
            self._date = {}
        elif group in _TEXTS:
            self._end_text(group, fold(self._value))
            self._value = ""

    def _end_text(self, group: str, value: str) -> None:
        if group == "propname":
            self._property = value.lower()
        elif group == "staticval":
            if self._property and value and len(self._property) <= 60 and len(self.own) < 200:
                self.own[self._property] = value
            self._property = ""
        elif group == "author" and "author" in self.fields:  # how LibreOffice writes who changed it last
            self.fields.setdefault("last modified by", value)
        else:
            self.fields.setdefault(_TEXTS[group], value)

    def properties(self) -> dict[str, str]:
        """Document properties under the names that `load/meta.py` reads."""
        return {name: value for name, value in self.fields.items() if value and value.lower() not in _NOBODY} | self.own

    def style(self, number: int) -> tuple[str, int, str]:
        """Name, heading level and role of a paragraph style, with what it inherits."""
        name = role = ""
        level: int | None = None
        seen: set[int] = set()
        while number in self.styles and number not in seen and len(seen) < 30:
            seen.add(number)
            style = self.styles[number]
            shown = fold(style.name)
            name = name or shown
            role = role or style_role(shown)
            if level is None:
                level = style.outline + 1 if style.outline is not None and 0 <= style.outline < 9 else style_level(shown) or None
            if style.based_on is None:
                break
            number = style.based_on
        return name, level or 0, role
