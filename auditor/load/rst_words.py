"""Directives of reStructuredText and Sphinx, by what is to be done with them. All others: their content is read as it stands."""

from __future__ import annotations

from auditor.load.structure import CALLOUTS, words

CODE = words(
    "code code-block sourcecode parsed-literal prompt console terminal ipython doctest testcode testsetup testcleanup "
    "testoutput highlight "
    "jupyter-execute literalinclude code-tab productionlist program-output command-output click asciinema"
)
UNREAD = words(
    "toctree contents index raw image include math graphviz digraph graph mermaid uml plantuml inheritance-diagram tabularcolumns "
    "default-role role sectnum target-notes bibliography currentmodule module namespace highlightlang autosummary unicode date "
    "rst-class cssclass title class-diagram plot chart seqdiag blockdiag cog jinja openapi embed youtube video iframe"
)
QUOTES = frozenset({"epigraph", "pull-quote", "highlights"})
TABLES = frozenset({"list-table", "csv-table", "table", "flat-table"})
CALLOUT = frozenset(CALLOUTS) - {"quote", "cite", "examples"}
TITLED = words(
    "topic sidebar tab tab-item group-tab tabs-item dropdown card grid-item-card grid-item collapse details toggle panel step "
    "admonition content-tab expander"
)
TRANSPARENT = words("only ifconfig container class div compound tabs tab-set grid hlist centered rubric figure panels")
OBJECTS = words(
    "function method class attribute data exception staticmethod classmethod decorator property variable option cmdoption "
    "confval envvar setting "
    "describe object program macro type struct member enum enumerator directive event signal get post put delete patch "
    "options head any command "
    "parameter argument field flag key metric config conf"
)
"""Sphinx object descriptions: the signature is the term of what the first paragraph says."""
