"""`report.html`: one file that opens from disk, from an e-mail or in CI artefacts, and asks the network for nothing.

Its content security policy names the hashes of its own style and script; nothing else may run, load or submit.
"""

from __future__ import annotations

import base64
from hashlib import sha256
from pathlib import Path

from auditor.format.files import write_text
from auditor.format.templates import environment
from auditor.format.view import build_view
from auditor.model import ScanResult
from auditor.resources import resource_dir

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

    style, script = (_asset(name) for name in ("report.css", "report.js"))
    env = environment(lambda text: str(escape(text)))
    return env.get_template("report.html.j2").render(
        view=build_view(result),
        style=Markup(style),
        script=Markup(script),
        policy=Markup("; ".join((*_POLICY, f"style-src {_source(style)}", f"script-src {_source(script)}"))),
    )


def _asset(name: str) -> str:
    """Text of a style sheet or script, with a line feed at both ends like the template has between the tags."""
    return "\n" + (resource_dir("reports") / name).read_text(encoding="utf-8").strip() + "\n"


def _source(text: str) -> str:
    digest = base64.b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"
