"""The Jinja environments of the report formats.

Document text is hostile until shown otherwise, so escaping is not left to the templates: every text an expression prints
passes through `finalize`, which cuts it, shows its controls and escapes it for the format. Only what this package marks as safe
goes through as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from auditor.format import words
from auditor.format.text import clip, visible
from auditor.resources import resource_dir

if TYPE_CHECKING:
    import jinja2

PRINTED_LIMIT = 1_000
"""Longest text one expression may print, so that none can bury the rest of the report; the view cuts most texts far shorter."""


def environment(escape: Callable[[str], str]) -> jinja2.Environment:
    """An environment over the `reports` folder that passes every printed text through `escape`."""
    import jinja2
    from markupsafe import Markup

    def finalize(value: Any) -> Markup:
        if isinstance(value, Markup):
            return value
        return Markup(escape(visible(clip(str(value), PRINTED_LIMIT))))

    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(resource_dir("reports"), encoding="utf-8"),
        autoescape=True,
        finalize=finalize,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        newline_sequence="\n",
    )
    env.globals |= _globals()
    return env


def _globals() -> Mapping[str, Any]:
    return {
        "TIERS": words.TIERS,
        "CATEGORIES": words.CATEGORIES,
        "KINDS": words.KINDS,
        "LANGUAGES": words.LANGUAGES,
        "RULES": words.RULES,
        "STATES": words.STATES,
        "DECISIONS": words.DECISIONS,
        "plural": words.plural,
        "sureness": words.sureness,
        "zip": zip,
    }
