"""Which files a name on the command line stands for. A format for other programs is one file in this package and one line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from auditor.errors import UserError
from auditor.format import ci
from auditor.format.csv import CsvFormat
from auditor.format.github import GithubAnnotations, GithubSummary
from auditor.format.gitlab import GitlabFormat
from auditor.format.html import HtmlFormat
from auditor.format.jsonl import JsonlFormat
from auditor.format.junit import JunitFormat
from auditor.format.markdown import MarkdownFormat
from auditor.format.sarif import SarifFormat
from auditor.format.testset import TestsetFormat
from auditor.ports import Format

EXTRA: Mapping[str, Callable[[str], tuple[Format, ...]]] = {
    "csv": lambda prefix: (CsvFormat(),),
    "sarif": lambda prefix: (SarifFormat(prefix),),
    "junit": lambda prefix: (JunitFormat(prefix),),
    "github": lambda prefix: (GithubAnnotations(prefix), GithubSummary()),
    "gitlab": lambda prefix: (GitlabFormat(prefix),),
}
"""What a scan writes only when asked to, by name; each is made for a folder of the corpus in the repository."""

REPORTS: Mapping[str, Callable[[str], tuple[Format, ...]]] = {
    "html": lambda prefix: (HtmlFormat(),),
    "md": lambda prefix: (MarkdownFormat(),),
    "jsonl": lambda prefix: (JsonlFormat(),),
    "testset": lambda prefix: (TestsetFormat(),),
    **EXTRA,
}
"""What `audit report` renders, by name."""


def chosen(
    names: Iterable[str], prefix: str = "", table: Mapping[str, Callable[[str], tuple[Format, ...]]] = REPORTS
) -> Sequence[Format]:
    """The formats of these names, each once. Raises `UserError` for an unknown name and for a prefix that is no folder inside."""
    folder = ci.checked_prefix(prefix)
    formats: list[Format] = []
    for name in dict.fromkeys(names):
        if name not in table:
            raise UserError(f"there is no format {name!r}; there are {', '.join(table)}")
        formats += table[name](folder)
    return formats
