"""The control words of Rich Text files: what groups are for, characters, and the look of text and paragraphs."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.load.rtf_flow import MAX_NESTED
from auditor.load.rtf_head import Font
from auditor.load.structure import words

CHARACTERS = {"tab": "\t", "line": "\n", "lbr": "\n", "emdash": "—", "endash": "–", "bullet": "•"} | {
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    **dict.fromkeys(("page", "column", "emspace", "enspace", "qmspace"), " "),
}
"""Control words that stand for a character."""
SYMBOLS = {"~": "\u00a0", "_": "-", "{": "{", "}": "}", "\\": "\\", "\t": "\t"}
"""Control symbols likewise."""
FLOWS = words("footnote shptxt header headerl headerr headerf footer footerl footerr footerf")
"""Groups with a text of their own."""
ENTERED = words("fldinst shpinst nesttableprops userprops ud cs ts ds listtext pntext company manager footnote shptxt")
"""Groups that are read although programs may ignore them."""
LEFT_OUT = words(
    "pict objdata objclass objname annotation atnid atnauthor atnref atndate atnicn xe tc rxe txe nonshppict shppict sp shprslt do "
    "nonesttables listtable listoverridetable revtbl rsidtbl generator themedata colorschememapping latentstyles datastore xmlnstbl "
    "ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn mmath bkmkstart bkmkend filetbl pn pgdsctbl background fldtype"
)
"""Groups that are not read."""
HEAD = frozenset({"fonttbl", "stylesheet", "colortbl"})
"""Tables at the head of the file."""


@dataclass(slots=True)
class State:
    """What holds in a group; groups inside inherit it."""

    group: str = "body"  # what text in this group is for
    opened: str = ""  # the group that began here, to be ended with it
    uc: int = 1
    font: Font | None = None
    bold: bool = False
    struck: bool = False
    hidden: bool = False
    raised: bool = False
    deleted: bool = False
    contents: bool = False
    style: int = -1
    outline: int | None = None
    list_id: int = 0
    list_level: int = 0
    tables: int = 0
    indent: int = 0
    star: bool = False
    outer: str = ""

    def inside(self) -> State:
        """The state at the beginning of a group inside; written out, since `copy` takes four times as long."""
        return State(
            self.group,
            "",
            self.uc,
            self.font,
            self.bold,
            self.struck,
            self.hidden,
            self.raised,
            self.deleted,
            self.contents,
            self.style,
            self.outline,
            self.list_id,
            self.list_level,
            self.tables,
            self.indent,
            outer=self.outer,
        )

    def look(self, name: str, value: int | None) -> bool:
        """Take a control word for the look of characters; False if it is none."""
        on = value != 0
        if name == "b":
            self.bold = on
        elif name in {"strike", "striked"}:
            self.struck = on
        elif name == "v":
            self.hidden = on
        elif name == "super":
            self.raised = on
        elif name in {"nosupersub", "sub"}:
            self.raised = False
        elif name in {"deleted", "mvf"}:
            self.deleted = on
        else:
            return False
        return True

    def paragraph(self, name: str, value: int | None) -> bool:
        """Take a control word for the properties of paragraphs; False if it is none."""
        if name == "pard":
            self.style, self.outline, self.list_id, self.list_level, self.tables, self.indent = -1, None, 0, 0, 0, 0
        elif name == "s":
            self.style = value or 0
        elif name == "outlinelevel":
            self.outline = value
        elif name == "ls":
            self.list_id = value or 0
        elif name == "ilvl":
            self.list_level = min(max(value or 0, 0), 8)
        elif name == "intbl":
            self.tables = max(self.tables, 1)
        elif name == "itap":
            self.tables = min(max(value or 0, 0), MAX_NESTED)
        elif name == "li":
            self.indent = value or 0
        else:
            return False
        return True
