from __future__ import annotations

import time
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from load_helpers import blocks, check_positions, document, lines, readings

from auditor.load import LoadConfig, Reading, read_bytes
from auditor.load.confluence_storage import to_html
from auditor.model import BlockKind, Document, Skipped
from auditor.ports import LoadError, NotADocument

FILES = Path(__file__).parent / "files"

WIKI = [
    ("h1. A\nh2. *B*\n\nx\ny\n", [("heading", "A"), ("heading", "B"), ("paragraph", "x y")]),
    ("* a\ngoes on\n** b\n# c\n\nd\n", [("item", "a goes on"), ("item", "b"), ("item", "c"), ("paragraph", "d")]),
    ("{code:java}\nint x;\n  y\n{code}\n{noformat}z{noformat}\n", [("code", "int x;\n  y"), ("code", "z")]),
    ('{quote}\n"Wise."\n{quote}\nbq. So.\n', [("quote", '"Wise."'), ("quote", "So.")]),
    ("_a_ {{b}} -c- [d|http://e] [http://f] !g.png! {color:red}5{color} 10^6^\n", [("paragraph", "a b d http://f 5 10^6")]),
    (
        "a pre-paid plan - not -5 or 7\n----\n{toc}\n\\*b\\*\n",
        [("paragraph", "a pre-paid plan - not -5 or 7"), ("paragraph", "*b*")],
    ),
    ("{status:colour=Green|title=Done} x\\\\y\n", [("paragraph", "Done x y")]),
]


@pytest.mark.parametrize(("source", "expected"), WIKI)
def test_wiki_markup(source: str, expected: list[tuple[str, str]]) -> None:
    assert readings(source, "a.confluence") == expected
    check_positions(document(source, "a.confluence"))


def test_wiki_tables_lists_and_boxes() -> None:
    source = "Not allowed:\n* a\n** b\n\n||Plan||Price||\n|Free|[x|http://y] 0|\n\n{info:title=Mind}\nc\n{info}\n{panel:title=P}d{panel} e\n"
    doc = document(source, "a.confluence")
    assert [(b.text, b.lead_in, b.container) for b in doc.blocks] == [
        ("Not allowed:", "", ""),
        ("a", "Not allowed:", ""),
        ("b", "Not allowed: a", ""),
        ("Free | x 0", "", ""),
        ("c", "", "Mind"),
        ("d", "", "P"),
        ("e", "", ""),
    ]
    assert doc.blocks[3].header == ("Plan", "Price")
    assert lines(doc, doc.blocks[3]) == (6, 6)
    check_positions(doc)


def test_which_wiki_a_file_is_of() -> None:
    assert document("h1. T\n\nx\n", "a.wiki").format == "confluence"
    assert document("== T ==\n{{Note|x}}\n", "a.wiki").format == "mediawiki"
    assert document("{| class=x\n|| a || b ||\n|}\n== T ==\n", "a.wiki").format == "mediawiki"


def test_wiki_markup_that_pandoc_wrote() -> None:
    doc = document((FILES / "wiki_policy.confluence").read_text(encoding="utf-8"), "wiki_policy.confluence")
    found = [(block.kind.value, block.text) for block in doc.blocks]
    assert found[:2] == [
        ("heading", "Annual leave"),
        ("paragraph", "Every employee has 30 days of annual leave, see the manual.[1]"),
    ]
    assert [b.header for b in doc.blocks if b.kind is BlockKind.ROW] == [("Grade", "Days")] * 2
    assert ("paragraph", "This was before.") in found
    check_positions(doc)


# -- HTML export --------------------------------------------------------------------------------------------------------------

PAGE = """<!DOCTYPE html>
<html><head><title>Human Resources : Leave policy</title></head>
<body class="theme-default aui-theme-default"><div id="page"><div id="main" class="aui-page-panel">
<div id="main-header"><div id="breadcrumb-section"><ol id="breadcrumbs"><li class="first"><span><a href="index.html">Human Resources</a></span></li>
</ol></div>
<h1 id="title-heading" class="pagetitle"><span id="title-text">
   Human Resources : Leave policy
</span></h1></div>
<div id="content" class="view"><div class="page-metadata">
   Created by <span class='author'> Jane Doe</span>, last modified by <span class='editor'> Bob Roe</span> on Mar 03, 2024
</div>
<div id="main-content" class="wiki-content group"><p>Employees have 30 days of leave.</p>
<div class="toc-macro client-side-toc-macro conf-macro output-block" data-macro-name="toc"><ul><li>Limits</li></ul></div>
<div class="confluence-information-macro confluence-information-macro-information conf-macro output-block"><p class="title">Mind</p>
<span class="aui-icon aui-icon-small aui-iconfont-info confluence-information-macro-icon"></span>
<div class="confluence-information-macro-body"><p>Ask HR.</p></div></div>
<div class="confluence-information-macro confluence-information-macro-warning conf-macro output-block">
<div class="confluence-information-macro-body"><p>Stop.</p></div></div>
<div class="panel conf-macro output-block"><div class="panelHeader"><b>Panel title</b></div><div class="panelContent"><p>In panel.</p></div></div>
<div class="expand-container conf-macro"><div class="expand-control"><span class="expand-control-text">More</span></div>
<div class="expand-content"><p>Expanded.</p></div></div>
<div class="code panel pdl"><div class="codeContent panelContent pdl">
<pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: java; gutter: false; theme: Confluence">int x;</pre></div></div>
<div class="table-wrap"><table class="wrapped confluenceTable"><tbody><tr><th class="confluenceTh">Plan</th><th class="confluenceTh">Price</th></tr>
<tr><td class="confluenceTd">Free</td><td class="confluenceTd">0 EUR</td></tr></tbody></table></div>
</div>
<div class="pageSection group"><div class="pageSectionHeader"><h2 id="attachments" class="pageSectionTitle">Attachments:</h2></div>
<div class="greybox" align="left"><a href="attachments/1/2.png">image-5.png</a> (image/png)<br/></div></div></div></div>
<div id="footer" role="contentinfo"><section class="footer-body"><p>Document generated by Confluence on Mar 05, 2024 10:00</p></section></div>
</div></body></html>
"""


def test_page_of_an_html_export() -> None:
    doc = document(PAGE, "Leave-policy_123.html")
    assert (doc.title, doc.owner, doc.fields["last modified by"], doc.fields["space"]) == (
        "Leave policy",
        "Jane Doe",
        "Bob Roe",
        "Human Resources",
    )
    assert doc.published is not None
    assert doc.published.value.isoformat() == "2024-03-03"
    assert [(b.kind.value, b.text, b.container, b.lang) for b in doc.blocks] == [
        ("heading", "Leave policy", "", ""),
        ("paragraph", "Employees have 30 days of leave.", "", ""),
        ("paragraph", "Ask HR.", "Mind", ""),
        ("paragraph", "Stop.", "Warning", ""),
        ("paragraph", "In panel.", "Panel title", ""),
        ("paragraph", "Expanded.", "More", ""),
        ("code", "int x;", "", "java"),
        ("row", "Free | 0 EUR", "", ""),
    ]
    assert [doc.line_at(b.start) for b in doc.blocks] == [7, 12, 16, 18, 19, 21, 23, 25]
    check_positions(doc)


def test_other_pages_are_left_alone() -> None:
    source = "<html><body><h1>Confluence guide</h1><div class='page-metadata'>Created by us</div><p>x</p></body></html>"
    assert [b.text for b in blocks(source, "a.html")] == ["Confluence guide", "Created by us", "x"]
    with pytest.raises(LoadError):
        document(PAGE.replace("<p>Employees have", '<h2 class="x">Available Pages:</h2><p>'), "index.html")


# -- XML export ---------------------------------------------------------------------------------------------------------------

STORAGE = """<h1>Limits</h1><p>Employees have <strong>30</strong> days.&nbsp;See <ac:link><ri:page ri:content-title="Travel" /></ac:link> or
<ac:link><ri:page ri:content-title="X"/><ac:plain-text-link-body><![CDATA[this]] ></ac:plain-text-link-body></ac:link>.</p>
<ac:structured-macro ac:name="toc"/>
<ac:structured-macro ac:name="info"><ac:parameter ac:name="title">Mind</ac:parameter><ac:rich-text-body><p>Ask HR.</p></ac:rich-text-body></ac:structured-macro>
<ac:structured-macro ac:name="panel"><ac:parameter ac:name="bgColor">#fff</ac:parameter><ac:rich-text-body><p>Boxed.</p></ac:rich-text-body></ac:structured-macro>
<ac:structured-macro ac:name="code"><ac:parameter ac:name="language">java</ac:parameter><ac:plain-text-body><![CDATA[a < 5;]] ></ac:plain-text-body></ac:structured-macro>
<p>Status: <ac:structured-macro ac:name="status"><ac:parameter ac:name="title">APPROVED</ac:parameter></ac:structured-macro> <del>old</del></p>
<ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body>Do it by <time datetime="2024-05-01"/></ac:task-body></ac:task></ac:task-list>
<table><tbody><tr><th>Plan</th><th>Price</th></tr><tr><td colspan="1">Free</td><td><p>0</p></td></tr></tbody></table>
<ac:image><ri:attachment ri:filename="a.png"/></ac:image><ac:structured-macro ac:name="details"><ac:rich-text-body><p>Kept.</p></ac:rich-text-body></ac:structured-macro>"""


def body(page: int, text: str, kind: int = 2) -> str:
    return (
        f'<object class="BodyContent" package="p"><id name="id">9{page}</id><property name="body"><![CDATA[{text}]]></property>'
        f'<property name="content" class="Page" package="p"><id name="id">{page}</id></property><property name="bodyType">{kind}</property></object>'
    )


def page(number: int, title: str, more: str = "", status: str = "current", kind: str = "Page") -> str:
    return (
        f'<object class="{kind}" package="p"><id name="id">{number}</id><property name="title"><![CDATA[{title}]]></property>'
        '<property name="space" class="Space" package="p"><id name="id">7</id></property>'
        '<property name="lastModifier" class="ConfluenceUserImpl" package="p"><id name="key"><![CDATA[8a]]></id></property>'
        '<property name="lastModificationDate">2024-03-03 10:00:00.000</property>'
        f'<property name="contentStatus"><![CDATA[{status}]]></property>{more}</object>'
    )


REST = (
    '<object class="Space" package="p"><id name="id">7</id><property name="name"><![CDATA[Human Resources]]></property></object>'
    '<object class="ConfluenceUserImpl" package="p"><id name="key"><![CDATA[8a]]></id><property name="name"><![CDATA[jane.doe]]></property></object>'
)
OLDER = '<property name="originalVersion" class="Page" package="p"><id name="id">1</id></property>'


def entities(*objects: str, head: str = "") -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?>{head}\n<hibernate-generic datetime="x">{"".join(objects)}{REST}</hibernate-generic>'.encode()


EXPORT = entities(
    body(1, STORAGE),
    page(1, "Leave policy"),
    page(2, "Leave policy", OLDER),
    body(2, "<p>Old.</p>"),
    page(3, "Plan", status="draft"),
    body(3, "<p>Draft.</p>"),
    page(4, "News", kind="BlogPost"),
    body(4, "<p>Posted.</p>"),
    page(5, "Old markup"),
    body(5, "h1. Head\\n\\nText of *old*.".replace("\\n", "\n"), kind=0),
    page(6, "News"),
    body(6, "<p>Second.</p>"),
)


def zipped(data: bytes) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("entities.xml", data)
        archive.writestr("exportDescriptor.properties", "exportType=space\n")
        archive.writestr("attachments/1/2/1", "not read")
    return buffer.getvalue()


def outcomes(data: bytes, name: str, config: LoadConfig | None = None) -> list[Document | Skipped]:
    return list(read_bytes(data, name, Reading(config or LoadConfig())))


@pytest.mark.parametrize(("data", "name"), [(EXPORT, "x/entities.xml"), (zipped(EXPORT), "export.zip")])
def test_xml_export(data: bytes, name: str) -> None:
    found = [d for d in outcomes(data, name) if isinstance(d, Document)]
    assert [(d.doc_id.removeprefix(name), d.title, d.format) for d in found] == [
        ("#Leave policy", "Leave policy", "confluence"),
        ("#News", "News", "confluence"),
        ("#Old markup", "Old markup", "confluence"),
        ("#News (2)", "News", "confluence"),
    ]
    first = found[0]
    assert (first.owner, first.fields["space"]) == ("jane.doe", "Human Resources")
    assert first.published is not None
    assert first.published.value.isoformat() == "2024-03-03"
    assert [(b.kind.value, b.text, b.container, b.lang) for b in first.blocks] == [
        ("heading", "Limits", "", ""),
        ("paragraph", "Employees have 30 days. See Travel or this.", "", ""),
        ("paragraph", "Ask HR.", "Mind", ""),
        ("paragraph", "Boxed.", first.blocks[3].container, ""),
        ("code", "a < 5;", "", "java"),
        ("paragraph", "Status: APPROVED", "", ""),
        ("item", "Do it by 2024-05-01", "", ""),
        ("row", "Free | 0", "", ""),
        ("paragraph", "Kept.", "", ""),
    ]
    assert (first.line_at(first.blocks[1].start), first.place_at(first.blocks[1].start)) == (None, "paragraph=2")
    assert [b.text for b in found[2].blocks] == ["Head", "Text of old."]


def test_exports_that_are_broken() -> None:
    with pytest.raises(LoadError, match="broken XML"):
        outcomes(EXPORT[:-40], "entities.xml")
    with pytest.raises(NotADocument):
        outcomes(entities(), "entities.xml")
    with pytest.raises(LoadError, match="damaged"):
        outcomes(zipped(EXPORT)[:-30], "export.zip")
    with pytest.raises(LoadError, match="unpacks to more than the limit"):
        outcomes(
            zipped(entities(page(1, "T"), body(1, "<p>" + "x " * 3_000_000 + "</p>"))),
            "export.zip",
            LoadConfig(max_container_bytes=2_000_000),
        )
    large = outcomes(entities(page(1, "T"), body(1, "<p>" + "x " * 500 + "</p>")), "entities.xml", LoadConfig(max_bytes=500))
    assert isinstance(large[0], Skipped)
    assert large[0].reason.startswith("larger than the limit")


def test_entities_are_not_expanded() -> None:
    head = '<!DOCTYPE h [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    data = entities(page(1, "T"), body(1, "<p>deep</p>").replace("<![CDATA[<p>deep</p>]]>", "deep &b;&f;"), head=head)
    found = outcomes(data, "entities.xml")
    assert [b.text for d in found if isinstance(d, Document) for b in d.blocks] == ["deep"]


@pytest.mark.parametrize(
    "unit",
    [
        "<![CDATA[",
        "<a '",
        '<ac:structured-macro ac:name="info">',
        "<ac:link>",
        "<ri:user/>",
        "<ac:image>",
        '<ac:parameter ac:name="title">',
    ],
)
def test_storage_format_in_bounded_time(unit: str) -> None:
    began = time.perf_counter()
    page_ = to_html("deep" + unit * 20_000)
    assert "deep" in page_
    document(page_, "a.html")
    assert time.perf_counter() - began < 8


@pytest.mark.parametrize(
    "unit", ["{info}", "{code}", "[a|", "|[", "||a\n|b\n", "*a _b -c ", "{panel:title=x}", "** a\n* b\n", "{expand}{quote}"]
)
def test_wiki_markup_in_bounded_time(unit: str) -> None:
    began = time.perf_counter()
    doc = document("deep\n\n" + unit * (150_000 // len(unit)), "a.confluence")
    assert time.perf_counter() - began < 8
    assert doc.blocks[0].text == "deep"


MARKS = (
    "h1. T\n`* `** `# `||a||b||\n`{info}`{info:title=x}`{code}`{code:java}`{noformat}`{quote}`{panel:title=a}`bq. `*b*`_e_`-d- `{{m}}`[a|b]`[~u]`!a.png!"
    "`\\`\\\\`word `\n`\n\n`----\n`{status:title=X}`{toc}`^2^`é`|`[`{`}`{expand:x}`{expand}`\t`|a|b|\n"
)
PIECES = st.sampled_from(MARKS.split("`"))


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_mixture_keeps_positions(source: str) -> None:
    check_positions(document("x" + source, "a.confluence"))
