"""The text of one paragraph of a WordprocessingML document: runs, fields, links, symbols, and what hangs on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from auditor.load.docx_styles import RunLook, Style, Styles, attribute, children, local, run_look, switch
from auditor.load.word_body import Runs
from auditor.load.word_symbols import symbol

_TEXT = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": "\t"}
_SKIPPED = frozenset(
    {
        "del",
        "moveFrom",
        "delText",
        "delInstrText",
        "instrText",
        "rPr",
        "pPr",
        "sdtPr",
        "sdtEndPr",
        "rt",
        "rubyPr",
        "ffData",
        "fldData",
    }
    | {
        "annotationRef",
        "footnoteRef",
        "endnoteRef",
        "separator",
        "continuationSeparator",
        "docPr",
        "cNvPr",
        "tblPr",
        "fPr",
        "ctrlPr",
    }
)
_NOTES = {"footnoteReference": "footnote", "endnoteReference": "endnote"}
_CONTENTS_FIELDS = ("TOC", "INDEX", "TOA")


@dataclass(slots=True)
class _Field:
    instruction: str = ""
    result: bool = False  # whether its separator was passed

    @property
    def contents(self) -> bool:
        return self.instruction.split(" ", 1)[0].upper() in _CONTENTS_FIELDS


@dataclass(slots=True)
class FieldState:
    """The open fields. They may reach over paragraphs; a damaged one does not swallow what follows."""

    open: list[_Field] = field(default_factory=list)

    def mark(self, kind: str) -> None:
        """A `w:fldChar`."""
        if kind == "begin":
            if len(self.open) < 50:
                self.open.append(_Field())
        elif kind == "separate" and self.open:
            self.open[-1].result = True
        elif kind == "end" and self.open:
            self.open.pop()

    def instruct(self, text: str) -> None:
        """A piece of the instruction of the innermost field."""
        if self.open and not self.open[-1].result and len(self.open[-1].instruction) < 500:
            self.open[-1].instruction = (self.open[-1].instruction + text).lstrip()

    @property
    def in_instruction(self) -> bool:
        """Whether text that stands here is part of an instruction."""
        return any(not field.result for field in self.open)

    @property
    def in_contents(self) -> bool:
        """Whether this is a table of contents or an index."""
        return any(field.result and field.contents for field in self.open)

    def leave_contents(self) -> None:
        """A heading cannot stand in a table of contents."""
        if self.in_contents:
            self.open.clear()

    def end_paragraph(self) -> None:
        """Instructions end with their paragraph."""
        self.open = [field for field in self.open if field.result]


class RunReader:
    """Reads the runs of a paragraph, or of several that run together."""

    def __init__(self, styles: Styles, fields: FieldState) -> None:
        self.runs = Runs()
        self.references: list[tuple[str, str]] = []  # (kind, id) of the notes that are referred to
        self.boxes: list[etree._Element] = []  # contents of text boxes
        self._styles, self._fields = styles, fields

    def read(self, paragraph: etree._Element, style: Style) -> None:
        """Add the text of a paragraph."""
        stack: list[tuple[Iterator[etree._Element], RunLook]] = [(iter(paragraph), style.look)]
        while stack:
            iterator, look = stack[-1]
            child = next(iterator, None)
            if child is None:
                stack.pop()
                continue
            name = local(child)
            if name in _SKIPPED:
                if name == "instrText":
                    self._fields.instruct(child.text or "")
                continue
            if name == "r":
                own = self._look(child, style)
                stack.append((iter(child), RunLook(raised=True).over(own) if look.raised else own))
            elif name == "t":
                self._add((child.text or "").replace("\n", " "), look)
            elif name in _TEXT:
                kind = attribute(child, "type")
                self._add(" " if name == "br" and kind in {"page", "column"} else _TEXT[name], look)
            elif name == "sym":
                self._add(_symbol(child), look)
            elif name == "fldChar":
                self._fields.mark(attribute(child, "fldCharType"))
            elif name in _NOTES:
                if not look.hidden and not self._fields.in_instruction:
                    self.references.append((_NOTES[name], attribute(child, "id")))
            elif name == "txbxContent":
                if not look.hidden:
                    self.boxes.append(child)
            elif name == "AlternateContent":  # the same for newer and older programs
                chosen = children(child)
                if (content := chosen.get("Choice", chosen.get("Fallback"))) is not None:
                    stack.append((iter(content), look))
            elif name == "sdt":
                if not switch(children(children(child).get("sdtPr")).get("showingPlcHdr")):
                    stack.append((iter(child), look))
            elif name == "den":  # of a fraction in a formula
                self._add("/", look)
                stack.append((iter(child), look))
            elif name == "sup":
                stack.append((iter(child), RunLook(raised=True).over(look)))
            else:
                stack.append((iter(child), look))

    def _look(self, run: etree._Element, style: Style) -> RunLook:
        properties = children(run).get("rPr")
        look = run_look(properties)
        if properties is not None and (named := children(properties).get("rStyle")) is not None:
            look = look.over(self._styles.get(attribute(named, "val")).look)
        return look.over(style.look)

    def _add(self, text: str, look: RunLook) -> None:
        if not look.hidden and not self._fields.in_instruction:
            self.runs.add(text, bool(look.struck), bool(look.bold), bool(look.raised))


def _symbol(element: etree._Element) -> str:
    try:
        return symbol(attribute(element, "font"), int(attribute(element, "char")[-6:], 16))
    except ValueError:
        return ""
