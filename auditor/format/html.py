"""`report.html`: one file that opens from disk, from an e-mail or in CI artefacts, and asks the network for nothing.

Its content security policy names the hashes of its own style and script; nothing else may run, load or submit. The first findings stand
in the page as HTML, so that it shows at once and reads without a script; all of them stand in it as data, from which the script builds
what the reader asks for.
"""

from __future__ import annotations

import base64
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from auditor.format.files import write_text
from auditor.format.payload import build_payload, earlier_decision, script_json, shown
from auditor.format.since import gone_line
from auditor.format.templates import environment
from auditor.format.view import build_view
from auditor.format.words import SOURCES, STATUS_WORDS
from auditor.model import ScanResult
from auditor.resources import resource_dir

FIRST_FACTS = 25
"""Facts of the main list that stand in the page as HTML."""

FIRST_HINTS = 10
"""The same for the advisory tier."""

SCRIPTS = ("dom.js", "model.js", "review.js", "cards.js", "lists.js", "views.js", "app.js")
"""Parts of the script, in order; they share one scope."""

_POLICY = ("default-src 'none'", "base-uri 'none'", "form-action 'none'")


class HtmlFormat:
    """Writes `report.html`."""

    id = "html"
    filename = "report.html"

    def write(self, result: ScanResult, path: Path) -> None:
        """Render the report."""
        write_text(path, render_html(result))


def render_html(result: ScanResult) -> str:
    """The report as one HTML document."""
    from markupsafe import Markup, escape

    style = _asset(_read("report.css"))
    script = _asset('"use strict";\n{\n' + "\n".join(_read(f"js/{name}") for name in SCRIPTS) + "\n}")
    policy = [*_POLICY, f"style-src {_source(style)}", f"script-src {_source(script)}"]
    view = build_view(result)
    if view.logo:
        policy.append("img-src data:")
    env = environment(lambda text: str(escape(text)))
    env.globals |= {
        "FIRST_FACTS": FIRST_FACTS,
        "FIRST_HINTS": FIRST_HINTS,
        "SOURCES": SOURCES,
        "STATUS_WORDS": STATUS_WORDS,
        "earlier_decision": earlier_decision,
        "gone_line": gone_line,
        "fragment": lambda **state: Markup(fragment(state)),
    }
    return env.get_template("report.html.j2").render(
        view=view,
        logo=Markup(view.logo),  # made by `load_branding`: base64 of a PNG or JPEG
        style=Markup(style),
        script=Markup(script),
        data=Markup(script_json(build_payload(view)) if view.total else ""),
        policy=Markup("; ".join(policy)),
    )


def fragment(state: dict[str, str]) -> str:
    """A link within the report that sets its filters: `#folder=policies`."""
    return "#" + "&".join(f"{name}={quote(shown(value).encode('utf-8', 'replace'), safe='')}" for name, value in state.items())


def _read(name: str) -> str:
    return (resource_dir("reports") / name).read_text(encoding="utf-8").strip()


def _asset(text: str) -> str:
    """A style sheet or script with a line feed at both ends, as the template has between the tags."""
    return f"\n{text}\n"


def _source(text: str) -> str:
    digest = base64.b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"
