from __future__ import annotations

import pytest
from load_helpers import blocks, check_positions, document, lines, readings

from auditor.model import BlockKind


def page(body: str, head: str = "") -> str:
    return f"<!doctype html>\n<html><head><title>T</title>{head}</head>\n<body>{body}</body></html>\n"


def texts(body: str) -> list[tuple[str, str]]:
    return readings(page(body), "a.html")


STRUCTURE = [
    ("<h1>A<a class=headerlink>¶</a></h1><p>b <b>c</b><br>d &amp; &eacute;</p>", [("heading", "A"), ("paragraph", "b c d & é")]),
    ("<p>one<p>two<ul><li>a<li>b</ul>", [("paragraph", "one"), ("paragraph", "two"), ("item", "a"), ("item", "b")]),
    ("<div>loose <span>text</span></div>", [("paragraph", "loose text")]),
    ("<div><span class=a>Passed</span><span class=b>12</span></div>", [("paragraph", "Passed 12")]),
    ("<pre><code class='language-sh'>a\n  b &lt; c\n</code></pre>", [("code", "a\n  b < c")]),
    ("<pre><div>a</div><div>b</div></pre>", [("code", "a\nb")]),
    ("<blockquote><p>said</p></blockquote>", [("quote", "said")]),
    ("<blockquote><p><strong>Note:</strong> x</p></blockquote>", [("paragraph", "Note: x")]),
    ("<dl><dt>Term<dd>first<p>second</dl>", [("definition", "Term: first"), ("paragraph", "second")]),
    ("<figure><img alt=x><figcaption>Figure 1</figcaption></figure>", [("paragraph", "Figure 1")]),
    ("<!-- no --><p>a<!-- <b>no</b> --> b</p><script>var x = '<p>no</p>';</script><style>p{}</style>", [("paragraph", "a b")]),
    ("<template><p>no</p></template><button>no</button><select><option>no</select><p>yes", [("paragraph", "yes")]),
    ("<p>a < b and c > d &unknown; &#x41;</p>", [("paragraph", "a < b and c > d &unknown; A")]),
    ('<p class=x">a</p></div></b><p>b', [("paragraph", "a"), ("paragraph", "b")]),
    (
        "<p>unclosed <b>bold<p>next <a href='x'",
        [("paragraph", "unclosed bold"), ("paragraph", "next <a href='x'</body></html>")][:1],
    ),
]


@pytest.mark.parametrize(("body", "expected"), STRUCTURE)
def test_structure(body: str, expected: list[tuple[str, str]]) -> None:
    assert texts(body)[: len(expected)] == expected
    check_positions(document(page(body), "a.html"))


CHROME = [
    "<nav><a>Home</a></nav>",
    "<footer>© 2024</footer>",
    "<aside>related</aside>",
    "<div role=navigation>x</div>",
    "<ul class='menu'><li>x</ul>",
    "<div id=sidebar>x</div>",
    "<div class='site-sidebar'>x</div>",
    "<div class=breadcrumb>x</div>",
    "<div class='cookie-banner'>x</div>",
    "<header><a>Logo</a><ul><li>Home</ul></header>",
    "<div hidden>x</div>",
    "<div style='display: none'>x</div>",
    "<div class=toc>x</div>",
    "<a class='skip-link'>Skip</a>",
    "<noscript>x</noscript>",
    "<div aria-hidden='true'>x</div>",
    "<form><input><button>Send</button></form>",
]


@pytest.mark.parametrize("chrome", CHROME)
def test_site_around_the_document_is_left_out(chrome: str) -> None:
    assert texts(f"{chrome}<main><p>kept</p></main>{chrome}") == [("paragraph", "kept")]


@pytest.mark.parametrize(
    "body",
    [
        "<div class='docs-sidebar'><main><p>kept</p></main></div>",
        "<div class='page-with-sidebar'><p>kept</p></div>",
        "<article class=post><header><p>kept</p></header></article>",
        "<header><h1>kept</h1></header>",
        "<div role=tabpanel hidden><p>kept</p></div>",
    ],
)
def test_content_is_kept(body: str) -> None:
    assert [text for _, text in texts(body)] == ["kept"]


def test_a_page_whose_names_all_look_like_site_is_read_all_the_same() -> None:
    body = f"<div class=menu><h1>Menu</h1><p>{'Soup of the day costs 5 EUR. ' * 30}</p></div>"
    assert texts(body)[0] == ("heading", "Menu")


def test_version_badges_in_the_site_are_fields() -> None:
    source = page(
        "<nav><a class='version-badge'\n aria-label='x'>v2.4.1</a></nav><main><p>x</p></main>"
        "<footer><i id=version>Version 2</i></footer>"
    )
    doc = document(source, "a.html")
    field = doc.blocks[-1]
    assert (field.kind, field.cells) == (BlockKind.FIELD, ("version", "v2.4.1"))
    assert doc.line_at(field.start) == 3
    assert doc.fields["version"] == "v2.4.1"


def test_tables() -> None:
    body = """<p>Limits:</p>
<table><caption>Limits by plan</caption>
<tr><th rowspan=2>Plan</th><th colspan=2>Requests</th></tr>
<tr><th>minute</th><th>day</th></tr>
<tr><th>Free</th><td>10</td><td>100</td></tr>
<tr><td rowspan="2">Pro</td><td>20</td><td><ul><li>a</li><li>b</li></ul></td>
<tr><td>30<td>300
</table>"""
    doc = document(page(body), "a.html")
    rows = [block for block in doc.blocks if block.kind is BlockKind.ROW]
    assert [row.cells for row in rows] == [("Free", "10", "100"), ("Pro", "20", "a b"), ("Pro", "30", "300")]
    assert rows[0].header == ("Plan", "Requests minute", "Requests day")
    assert {row.caption for row in rows} == {"Limits by plan"}
    assert [doc.line_at(row.start) for row in rows] == [7, 8, 9]
    check_positions(doc)


def test_quotations_and_images_in_cells() -> None:
    quotes = blocks(page("<blockquote><p>Buy now</p></blockquote><blockquote><p>Free</p><cite>Ann</cite></blockquote>"), "a.html")
    assert [(block.text, "quote" in block.flags) for block in quotes] == [("Buy now", False), ("Free", True), ("Ann", True)]
    rows = blocks(page("<table><tr><th>a<th>b<tr><td><img alt=Pro><td>x <img alt=no></table>"), "a.html")
    assert rows[0].cells == ("Pro", "x")


def test_layout_tables_are_no_tables() -> None:
    inner = "<table><tr><th>k</th><th>v</th></tr><tr><td>x</td><td>1</td></tr></table>"
    body = f"<table><tr><td><h1>T</h1><p>a</p>{inner}</td></tr></table><p>b</p>"
    assert texts(body) == [("heading", "T"), ("paragraph", "a"), ("row", "x | 1"), ("paragraph", "b")]
    assert texts("<table role=presentation><tr><td><p>a</p></td></tr></table>") == [("paragraph", "a")]


def test_lists_and_lead_ins() -> None:
    items = blocks(page("<p>Not allowed:</p><ul><li>a<ul><li>b</li></ul></li><li><p>c</p><p>d</p></li></ul>"), "a.html")[1:]
    assert [(block.kind.value, block.text, block.level, block.lead_in, block.group) for block in items] == [
        ("item", "a", 0, "Not allowed:", 1),
        ("item", "b", 1, "Not allowed: a", 2),
        ("item", "c", 0, "Not allowed:", 1),
        ("paragraph", "d", 1, "Not allowed: c", 0),
    ]


@pytest.mark.parametrize(
    ("body", "container", "flags"),
    [
        ("<div class='admonition warning'><p class='admonition-title'>Careful</p><p>x</p></div>", "Careful", {"note"}),
        ("<div class='alert alert-info'><p>x</p></div>", "Info", {"note"}),
        ("<main><aside class='starlight-aside starlight-aside--caution'><p>x</p></aside></main>", "Caution", {"note"}),
        ("<details><summary>More</summary><p>x</p></details>", "More", set()),
        ("<div role=tabpanel aria-label=macOS><p>x</p></div>", "macOS", set()),
    ],
)
def test_boxes(body: str, container: str, flags: set[str]) -> None:
    block = next(block for block in blocks(page(body + "<p>y</p>"), "a.html") if block.text == "x")
    assert (block.container, set(block.flags)) == (container, flags)


@pytest.mark.parametrize(
    ("body", "text", "struck"),
    [
        ("<p><del>30</del> 14 days</p>", "14 days", False),
        ("<p><s>old</s></p>", "old", True),
        ("<p style='text-decoration:line-through'>o", "o", True),
    ],
)
def test_struck_text(body: str, text: str, struck: bool) -> None:
    block = blocks(page(body), "a.html")[0]
    assert (block.text, "struck" in block.flags) == (text, struck)


def test_metadata() -> None:
    head = (
        "<meta name=author content='Ann'><meta property='article:modified_time' content='2024-03-12T10:00:00Z'>"
        "<meta name='description' content='About &amp; more'><meta name=viewport content=x>"
        '<script type="application/ld+json">{"@context": "x", "datePublished": "2023-01-02"}</script>'
    )
    doc = document(page("<p>x</p>", head), "a.html")
    assert doc.title == "T"
    assert doc.owner == "Ann"
    assert doc.published is not None
    assert (doc.published.value.isoformat(), doc.published.source) == ("2024-03-12", "meta tag")
    assert doc.fields["description"] == "About & more"
    assert "viewport" not in doc.fields
    assert ("field", "description: About & more") in readings(page("<p>x</p>", head), "a.html")


def test_lines_within_a_block() -> None:
    doc = document(page("\n<p>first\nsecond\n\nthird</p>\n<pre>\na\nb</pre>"), "a.html")
    paragraph, code = doc.blocks
    assert lines(doc, paragraph) == (4, 7)
    assert doc.line_at(paragraph.start + paragraph.text.index("second")) == 5
    assert lines(doc, code) == (9, 10)


def test_templates_of_site_generators() -> None:
    source = "---\ntitle: T\n---\n{% if x %}\n<p>a {{ site.name\n}} b</p>\n<p>c</p>\n"
    doc = document(source, "a.html")
    assert [(block.text, doc.line_at(block.start)) for block in doc.blocks] == [("title: T", 2), ("a b", 5), ("c", 7)]


def test_declared_encoding() -> None:
    from auditor.load import load_bytes

    data = page("<p>größer</p>", '<meta charset="iso-8859-15">').encode("iso-8859-15")
    assert load_bytes(data, "a.html").text == "größer"


@pytest.mark.parametrize(
    "sign",
    [
        '<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a>',
        '<a class="sdfootnoteanc" name="sdfootnote1anc" href="#sdfootnote1sym"><sup>1</sup></a>',
        '<sup><a href="notes.html#n1">1</a></sup>',
        '<sup id="r1"><a href="#n1">[1]</a></sup>',
    ],
)
def test_the_number_of_a_note_does_not_join_the_number_before_it(sign: str) -> None:
    page = f"<body><p>Kept for 90{sign} days.</p>\n<p>10<sup>6</sup> cells, see <a href='#x'>below</a>.</p></body>"
    assert [text for _, text in readings(page, "a.html")] == ["Kept for 90 days.", "10^6 cells, see below."]
