"""`report.md`: the report as Markdown, for pull requests and terminals. Document text cannot leave its place in it."""

from __future__ import annotations

import re
from pathlib import Path

from auditor.format.files import write_text
from auditor.format.templates import environment
from auditor.format.text import Segment, visible
from auditor.format.view import build_view
from auditor.format.views import SideView
from auditor.model import ScanResult

# Markup and HTML; `$` starts mathematics and `://` a link on code hosting sites. Line starts need no care: text is on one line
# everywhere but in a quote, see `quote_lines`.
_SPECIAL = re.compile(r"[\\`*_\[\]<>&|~$]|:(?=//)|(?<=\bwww)\.")
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_SPACE = re.compile(r"\s+")
_BLANK_LINES = re.compile(r"\n{3,}")
_LINE_START = re.compile(r"^(\s*)(#+|[-+=]+|\d{1,9}(?=[.)](?:\s|$)))", re.MULTILINE)


class MarkdownFormat:
    """Writes `report.md`."""

    id = "md"
    filename = "report.md"

    def write(self, result: ScanResult, path: Path) -> None:
        """Render the report."""
        write_text(path, render_markdown(result))


def render_markdown(result: ScanResult) -> str:
    """The report as Markdown."""
    from markupsafe import Markup

    env = environment(escape_inline)
    env.filters["quoted"] = lambda side: Markup(quote_lines(side))
    env.filters["target"] = lambda side: Markup(side.url)  # `safe_url` has escaped everything that could end a `<target>`
    return _BLANK_LINES.sub("\n\n", env.get_template("report.md.j2").render(view=build_view(result)).strip()) + "\n"


def escape_inline(text: str) -> str:
    """`text` on one line, with every character that means something to Markdown or HTML escaped."""
    return _LINE_START.sub(_escape_start, escape_marks(_SPACE.sub(" ", text)))


def escape_marks(text: str) -> str:
    """`text` with inline markup escaped; its lines are kept."""
    return _SPECIAL.sub(lambda match: _ENTITIES.get(match[0], "\\" + match[0]), text)


def _escape_start(match: re.Match[str]) -> str:
    space, sign = match.groups()
    return f"{space}{sign}\\" if sign.isdigit() else f"{space}\\{sign}"


def quote_lines(side: SideView) -> str:
    """The quote as a block quotation with the deciding words in bold."""
    text = "".join(_segment(segment, side.quote, n) for n, segment in enumerate(side.quote))
    lines = [line.strip() for line in text.splitlines()]
    kept = [_LINE_START.sub(_escape_start, line) for line in lines if line]
    return "\n".join(f"> {line}  " if n < len(kept) - 1 else f"> {line}" for n, line in enumerate(kept)) or "> (empty)"


def _segment(segment: Segment, quote: tuple[Segment, ...], n: int) -> str:
    text = escape_marks(visible(segment.text))
    if segment.kind == "gap":
        return f" *{text}* "
    if segment.kind != "mark" or not text.strip() or "\n" in text:
        return text
    before, after = quote[n - 1].text[-1:] if n else "", quote[n + 1].text[:1] if n + 1 < len(quote) else ""
    core = text.strip()
    left, right = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    # Asterisks beside a letter do not always open or close emphasis; the tag always does.
    inside_word = (before.isalnum() and not left) or (after.isalnum() and not right)
    return f"{left}<b>{core}</b>{right}" if inside_word else f"{left}**{core}**{right}"
