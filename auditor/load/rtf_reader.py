"""The body of a Rich Text file. Groups are kept on a stack of their own, so that no depth of them can overflow."""

from __future__ import annotations

from auditor.load.rtf_flow import MAX_NESTED, Flow
from auditor.load.rtf_head import INFO_GROUPS, Head
from auditor.load.rtf_tokens import Token, code_page, tokens
from auditor.load.rtf_words import CHARACTERS, ENTERED, FLOWS, HEAD, LEFT_OUT, SYMBOLS, State
from auditor.load.word_body import Note, Paragraph, Part, listed
from auditor.load.word_symbols import has_symbols, symbol
from auditor.ports import LoadError

MAX_GROUPS = 1000
"""How deep groups that are read stand in one another."""


class RtfReader:
    """Reads one file."""

    def __init__(self) -> None:
        self.head = Head()
        self.page_parts: list[list[Part]] = []  # page headers and footers
        self.complete = False
        self._state = State()
        self._stack: list[State] = []
        self._flows = [Flow()]
        self._skipped = 0  # open groups that are left out
        self._bytes = bytearray()
        self._fresh = False  # whether a group has just begun: only its first word says what it is for
        self._pass = 0  # characters that stand in for a Unicode one
        self._surrogate = 0
        self._instruction = ""
        self._notes: dict[str, int] = {}
        self._endnote = False
        self._default_font = 0

    def read(self, data: bytes) -> list[Part]:
        """The parts of the body. Raises `LoadError` when groups are nested too deeply."""
        for token in tokens(data):
            if self._skipped:
                self._skipped += (token.kind == "{") - (token.kind == "}")
            elif token.kind == "text":
                self._fresh = False
                self._raw(token.data, token.name == "hex")
            elif token.kind == "{":
                self._open()
            elif token.kind == "}":
                self._flush()
                if not self._stack:
                    break
                self._close()
                if not self._stack:
                    self.complete = True
                    break
            elif token.kind == "symbol":
                self._symbol(token.name)
            else:
                self._word(token)
        self._flush()
        while self._stack:
            self._close()
        self._end_paragraph(only_filled=True)
        return self._flows[0].close()

    # groups

    def _open(self) -> None:
        self._flush()
        self._pass, self._fresh = 0, True
        if len(self._stack) >= MAX_GROUPS:
            raise LoadError(f"groups nested more than {MAX_GROUPS} deep")
        self._stack.append(self._state)
        self._state = self._state.inside()

    def _close(self) -> None:
        state, self._state = self._state, self._stack.pop()
        self._pass, self._fresh = 0, False
        opened = state.opened
        if state.group in HEAD or state.group in INFO_GROUPS:
            self.head.end(state.group)
        if opened in FLOWS and len(self._flows) > 1:
            outer_state, self._state = self._state, state
            self._end_paragraph(only_filled=True)
            self._state = outer_state
            self._leave_flow(opened)

    def _leave_flow(self, opened: str) -> None:
        parts = self._flows.pop().close()
        flow = self._flows[-1]
        if opened == "footnote":
            kind = "endnote" if self._endnote else "footnote"
            self._notes[kind] = self._notes.get(kind, 0) + 1
            flow.notes.append(Note(kind, self._notes[kind], parts))
            self._endnote = False
        elif opened == "shptxt":
            flow.boxes += parts
        elif len(self.page_parts) < 60:
            self.page_parts.append(parts)

    def _leave_out(self) -> None:
        """The group that has just begun is not read."""
        if self._stack:
            self._state = self._stack.pop()
            self._skipped = 1

    def _destination(self, name: str) -> bool:
        """Whether a control word says what its group is for; the group is prepared then."""
        state = self._state
        if name in LEFT_OUT or (state.star and name not in ENTERED):
            self._leave_out()
        elif name in FLOWS:
            if state.hidden or state.deleted or len(self._flows) > MAX_NESTED:
                self._leave_out()
                return True
            self._flows.append(Flow())
            self._state = State(opened=name, uc=state.uc, font=state.font)
        elif name in HEAD or name in {"info", "userprops"} or (name in INFO_GROUPS and state.group in {"info", "userprops"}):
            state.group = name
        elif name in {"listtext", "pntext"}:
            self._flows[-1].marker = True
            self._leave_out()
        elif name == "fldinst":
            state.group, self._instruction = "instruction", ""
        elif name == "fldrslt":
            state.contents = state.contents or self._instruction.strip().upper().startswith(("TOC", "INDEX", "TOA"))
        elif name == "upr":
            state.outer, state.group = state.group, "nothing"
        elif name == "ud":
            state.group = state.outer or state.group
        elif name in {"shpinst", "nesttableprops"}:
            state.star = False
        else:
            return False
        return True

    # text

    def _raw(self, data: bytes, single: bool) -> None:
        if self._pass:
            taken = 1 if single else min(self._pass, len(data))
            self._pass -= taken
            data = data[taken:]
        self._bytes += data

    def _flush(self) -> None:
        """Decode what was gathered. Both bytes of a character may be written in different ways."""
        if not self._bytes:
            return
        data, font = bytes(self._bytes), self._state.font
        self._bytes.clear()
        if font and has_symbols(font.name) and self._state.group == "body":
            text = "".join(chr(byte) if byte <= 32 else symbol(font.name, byte) for byte in data)
        else:
            page = font.page if font and self._state.group == "body" else self.head.page
            text = data.decode(page, "replace")
        self._text(text)

    def _text(self, text: str) -> None:
        self._surrogate = 0
        state = self._state
        if state.group == "body":
            if not (state.hidden or state.deleted):
                self._flows[-1].runs.add(text, state.struck, state.bold, state.raised)
        elif state.group == "instruction":
            if len(self._instruction) < 100:
                self._instruction += text
        elif state.group != "nothing":
            self.head.text(state.group, text)

    def _unicode(self, value: int) -> None:
        code = value & 0xFFFF
        self._pass = self._state.uc
        high, self._surrogate = self._surrogate, 0
        if 0xD800 <= code < 0xDC00:
            self._surrogate = code
        elif 0xDC00 <= code < 0xE000:
            if high:
                self._text(chr(0x10000 + ((high - 0xD800) << 10) + code - 0xDC00))
        elif 0xF000 <= code <= 0xF0FF:
            self._text(symbol(self._state.font.name if self._state.font else "", code))
        elif code:
            self._text(chr(code))

    def _symbol(self, name: str) -> None:
        if name == "*":
            self._state.star = True
            return
        if self._pass:
            self._pass -= 1
            return
        self._flush()
        if name in {"\n", "\r"}:
            self._end_paragraph()
        elif name in SYMBOLS:
            self._text(SYMBOLS[name])

    # control words

    def _word(self, token: Token) -> None:
        name, value = token.name, token.value
        if self._pass and name != "u":
            self._pass -= 1
            return
        surrogate = self._surrogate
        self._flush()
        if name == "u":
            self._surrogate = surrogate
            self._unicode(value or 0)
            return
        fresh, self._fresh = self._fresh, False
        if fresh and self._destination(name):
            return
        state = self._state
        if state.group in HEAD or state.group in INFO_GROUPS:
            self.head.word(state.group, token)
        elif name in CHARACTERS:
            self._text(CHARACTERS[name])
        elif state.group == "body":
            _ = (
                state.look(name, value)
                or state.paragraph(name, value)
                or self._row_word(name, value)
                or self._file_word(name, value)
            )

    def _row_word(self, name: str, value: int | None) -> bool:
        flow, level = self._flows[-1], self._state.tables
        if name in {"cell", "nestcell"}:
            level = self._state.tables = 1 if name == "cell" else max(level, 2)
            self._end_paragraph(only_filled=True)
            flow.end_cell(level)
        elif name in {"row", "nestrow"}:
            flow.end_row(1 if name == "row" else max(level, 2))
        elif name in {"par", "sect"}:
            if not self._state.deleted:  # a deleted end joins the paragraph with the next
                self._end_paragraph()
        else:
            return flow.define(name, value, level > 1, self.head.dark)
        return True

    def _file_word(self, name: str, value: int | None) -> bool:
        if name == "f":
            self._state.font = self.head.fonts.get(value or 0)
        elif name == "plain":
            state = self._state
            state.bold = state.struck = state.hidden = state.raised = False
            state.font = self.head.fonts.get(self._default_font)
        elif name == "ansicpg":
            self.head.page = code_page(value)
        elif name == "mac":
            self.head.page = "mac_roman"
        elif name == "pc":
            self.head.page = "cp437"
        elif name == "pca":
            self.head.page = "cp850"
        elif name == "uc":
            self._state.uc = min(max(value or 0, 0), 10)
        elif name == "deff":
            self._default_font = value or 0
        elif name == "ftnalt":
            self._endnote = True
        else:
            return False
        return True

    def _end_paragraph(self, only_filled: bool = False) -> None:
        flow, state = self._flows[-1], self._state
        if only_filled and not (flow.runs or flow.notes or flow.boxes):
            flow.marker = False
            return
        name, level, role = self.head.style(state.style)
        if state.outline is not None:
            level = state.outline + 1 if 0 <= state.outline < 9 else 0
        look = Paragraph("", level=0 if role in {"title", "contents"} else level, title=role == "title")
        if role != "title" and not look.level:
            look.style = role
        if state.contents and not look.level:
            look.style = "contents"
        if flow.marker or state.list_id > 0:
            look.item, look.list_key = state.list_level, str(state.list_id)
        elif listed(name) or state.indent > 0:
            look.continued = True
        flow.end_paragraph(look, state.tables)
