"""Which parts of a web page are the document, and which are the site around it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from auditor.load.structure import CALLOUTS, Container, titled, words

UNREAD = words(
    "script style template noscript svg canvas iframe object embed audio video map select option datalist input textarea "
    "button dialog "
    "progress meter"
)
"""Elements without readable text of their own."""
CHROME = frozenset({"nav", "footer", "aside", "menu"})
MAIN = frozenset({"main", "article"})
BLOCKS = words(
    "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 "
    "h6 header hr "
    "html li main nav ol p pre section summary table tbody td tfoot th thead tr ul caption legend search hgroup"
)
VOID = words("area base br col embed hr img input link meta param source track wbr")
STRUCK = frozenset({"del", "s", "strike"})

_CHROME_ROLES = frozenset(
    {"navigation", "contentinfo", "banner", "search", "menu", "menubar", "complementary", "toolbar", "dialog"}
)
_CHROME_NAME = re.compile(
    r"(?:^|[-_])(?:side-?bar(?:wrapper)?|sphinxsidebar|nav(?:bar|igation|links?)?|menu|footer|bread-?crumbs?|toc|tableofcontents|table-of-contents|"
    r"on-this-page|cookies?|consent|gdpr|pagination|pager|prev-?next|skip-?(?:link|nav|to-content)|related|share|social|edit-(?:this-)?page|"
    r"edit-link|feedback|masthead|announcement-?bar|search-?(?:box|bar|form)|headerlink|hash-link|anchor-?link|anchorjs-link|copy-?(?:btn|button)|"
    r"sr-only|visually-hidden|screen-reader-text|mw-editsection|linenos)(?:$|[-_])",
    re.IGNORECASE,
)
# Names of a whole that has such a part, or of a part that is not the site's.
_NO_CHROME = re.compile(
    r"(?:^|[-_])(?:with|has|no|without|is|layout|main|body|grid|article|post|content-with)(?:$|[-_])", re.IGNORECASE
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_STRUCK_STYLE = re.compile(r"line-through", re.IGNORECASE)
_BOX_WORDS = re.compile(r"admonition|callout|alert|aside|message|notice|notification|information-macro", re.IGNORECASE)
_BOX_ALONE = frozenset({"note", "warning", "tip", "caution", "important", "danger", "hint", "attention"})
_PANEL = frozenset({"panel", "expand-container"})  # of Confluence
_PANEL_TITLE = frozenset({"panelHeader", "expand-control-text"})
_BOX_PARTS = re.compile(r"(?:title|heading|header|icon|content|body|text|close|label)", re.IGNORECASE)
_VERSION = re.compile(r"(?:(?:version|release|ver\.?)\s*:?\s*)?v?\d+(?:\.\d+)+[\w.+-]*", re.IGNORECASE)
_CODE_TABLE = re.compile(r"highlighttable|rouge-table|lntable|codehilitetable|syntaxhighlighter", re.IGNORECASE)
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight|brush)[-:]\s*([\w+#-]+)")


def names(attributes: Mapping[str, str]) -> list[str]:
    """The class names and the id of an element."""
    found = attributes.get("class", "").split()
    if identity := attributes.get("id"):
        found.append(identity)
    return found


def unread(tag: str, attributes: Mapping[str, str], in_main: bool, by_name: bool) -> bool:
    """Whether an element and all in it belong to the site (or to nobody). `by_name` lets class names and ids decide, too."""
    if tag in UNREAD:
        return True
    role = attributes.get("role", "").lower()
    if "hidden" in attributes or attributes.get("aria-hidden") == "true" or _HIDDEN.search(attributes.get("style", "")):
        return role != "tabpanel" and attributes.get("hidden") != "until-found"  # an inactive tab is hidden, but it is content
    if tag in CHROME and not (tag == "aside" and box(tag, attributes)):
        return not (tag == "footer" and in_main and not by_name)
    if role in _CHROME_ROLES and tag not in MAIN:
        return True
    if not by_name or tag in MAIN or tag in {"html", "body", "h1", "h2", "h3", "h4", "h5", "h6", "table", "pre", "code", "section"}:
        return False
    return any(_CHROME_NAME.search(name) and not _NO_CHROME.search(name) for name in names(attributes))


def box(tag: str, attributes: Mapping[str, str]) -> Container | None:
    """The admonition or titled panel an element is."""
    found = names(attributes)
    if tag in {"div", "aside", "section", "p", "blockquote"} and found and not any(_BOX_PARTS.search(name) for name in found):
        kinds = [word for name in found for word in re.split(r"[-_]+", name.lower()) if word in CALLOUTS]
        marked = any(_BOX_WORDS.search(name) for name in found) and kinds
        if marked or any(name.lower() in _BOX_ALONE for name in found):
            specific = [word for word in kinds if word not in {"admonition", "callout", "alert", "notice", "notes", "information"}]
            return titled(attributes.get("aria-label", ""), specific[0] if specific else "note")
    if tag == "div" and not _PANEL.isdisjoint(found):
        return Container("")
    if attributes.get("role") == "tabpanel":
        return Container(attributes.get("aria-label") or attributes.get("data-label") or attributes.get("title") or "")
    return None


def box_title(attributes: Mapping[str, str]) -> bool:
    """Whether an element holds the title of the admonition around it."""
    found = names(attributes)
    if not _PANEL_TITLE.isdisjoint(found) or found == ["title"]:
        return True
    return any(_BOX_WORDS.search(name) and re.search(r"title|heading|header|label", name, re.IGNORECASE) for name in found)


def struck(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element crosses its content out."""
    return tag in STRUCK or bool(_STRUCK_STYLE.search(attributes.get("style", "")))


def version_badge(attributes: Mapping[str, str]) -> bool:
    """Whether an element is named after a version: a badge in the site around a document still says what the document is about."""
    return any("version" in name.lower() for name in names(attributes))


def is_version(text: str) -> bool:
    """Whether the text of such an element is nothing but a version."""
    return len(text) <= 40 and _VERSION.fullmatch(text) is not None


def layout_table(attributes: Mapping[str, str]) -> bool:
    """Whether a table only arranges things (or sets line numbers beside code)."""
    return attributes.get("role") in {"presentation", "none"} or bool(_CODE_TABLE.search(attributes.get("class", "")))


def language(attributes: Mapping[str, str]) -> str:
    """The language of a code element."""
    match = _LANGUAGE.search(f"{attributes.get('class', '')} {attributes.get('data-syntaxhighlighter-params', '')}")
    return match.group(1).lower() if match else attributes.get("data-lang", attributes.get("data-language", "")).lower()
