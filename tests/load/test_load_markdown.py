from __future__ import annotations

import pytest
from load_helpers import blocks, check_positions, document, lines, readings

from auditor.model import BlockKind

STRUCTURE = [
    ("# A\n\ntext\nmore\n\nB\n---\n", [("heading", "A"), ("paragraph", "text more"), ("heading", "B")]),
    ("- a\n- [x] b\n\n1. c\n", [("item", "a"), ("item", "b"), ("item", "c")]),
    ("- ### `x`\n  - inner\n", [("heading", "x"), ("item", "inner")]),
    ("> said **so**\n", [("quote", "said so")]),
    ("```sh\nrun --x 5\n```\n\n    indented\n", [("code", "run --x 5"), ("code", "indented")]),
    ("Term\n: The definition\n  goes on.\n", [("definition", "Term: The definition goes on.")]),
    ("A[^1].\n\n[^1]: The *note*.\n", [("paragraph", "A."), ("paragraph", "The note.")]),
    ("[x]: http://y 'title'\n\nSee [x].\n", [("paragraph", "See x.")]),
    ("<!-- gone\n\n# gone\n-->\n\nkept\n", [("paragraph", "kept")]),
    ("- <!-- n -->66<!-- /n --> models\n", [("item", "66 models")]),
    ("text <!-- a\nb --> more\n", [("paragraph", "text more")]),
    ("{% comment %}\ngone\n{% endcomment %}\n{% include x.html %}\n\nkept {{ x }}\n{: .class }\n", [("paragraph", "kept")]),
    ("{% highlight bash %}\nls -l\n{% endhighlight %}\n", [("code", "ls -l")]),
    ("<a name='x'></a>\n## Title {#title}\n", [("heading", "Title")]),
    ("<div align='center'>\n\n# T\n\n<b>Fast</b>, <i>small</i>.\n\n</div>\n", [("heading", "T"), ("paragraph", "Fast, small.")]),
    ("<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n", [("item", "one"), ("item", "two")]),
    ("```js\n<!-- kept -->\n:::note\n```\n", [("code", "<!-- kept -->\n:::note")]),
    ("***\n\na\n", [("paragraph", "a")]),
    (
        "[![Version 2.6.0](https://img.shields.io/badge/version-2.6.0-green.svg)](x) ![MIT](https://img.shields.io/badge/License-MIT-red)\n",
        [("field", "version: 2.6.0")],
    ),
]


@pytest.mark.parametrize(("source", "expected"), STRUCTURE)
def test_structure(source: str, expected: list[tuple[str, str]]) -> None:
    assert readings(source) == expected
    check_positions(document(source))


def test_every_block_knows_its_lines() -> None:
    source = (
        "---\ntitle: T\ntags:\n  - a\n  - b\n---\n\n# H\r\n\nfirst\nsecond\n\n- one\n  two\n\n  three\n    - four\n\n"
        "> q\n> r\n\n| a | b |\n|---|---|\n| c | d |\n\n```\nx\ny\n```\n\nSet\next\n===\n"
    )
    doc = document(source)
    found = [(block.kind.value, *lines(doc, block)) for block in doc.blocks]
    assert found == [
        ("field", 2, 2),
        ("field", 3, 5),
        ("heading", 8, 8),
        ("paragraph", 10, 11),
        ("item", 13, 14),
        ("paragraph", 16, 16),
        ("item", 17, 17),
        ("quote", 19, 20),
        ("row", 24, 24),
        ("code", 27, 28),
        ("heading", 31, 32),
    ]
    assert "\r" not in doc.text
    check_positions(doc)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("The following are not allowed:\n\n- a\n- b\n", ["The following are not allowed:"] * 2),
        ("Some text. Customers may not:\n- a\n", ["Customers may not:"]),
        ("No colon here.\n\n- a\n", [""]),
        ("**Enterprise plan**\n\n- a\n", ["Enterprise plan"]),
        ("## Heading:\n\n- a\n", [""]),
        (
            "Intro:\n\n- outer one\n  - inner\n    - innermost\n- outer two\n",
            ["Intro:", "Intro: outer one", "Intro: outer one inner", "Intro:"],
        ),
        ("Intro:\n\n---\n\n- a\n", [""]),
        ("- a\n\n  Then:\n\n  - b\n", ["", "a Then:"]),
    ],
)
def test_lead_ins(source: str, expected: list[str]) -> None:
    assert [block.lead_in for block in blocks(source, kind=BlockKind.ITEM)] == expected


def test_groups_and_levels() -> None:
    items = blocks("- a\n  - b\n  - c\n- d\n\ntext\n\n- e\n", kind=BlockKind.ITEM)
    assert [(block.level, block.group) for block in items] == [(0, 1), (1, 2), (1, 2), (0, 1), (0, 3)]


def test_paragraph_under_a_label_item_is_led_in_by_it() -> None:
    paragraph = blocks("- **Enterprise**\n\n  Support answers within 4 hours.\n", kind=BlockKind.PARAGRAPH)[0]
    assert paragraph.lead_in == "Enterprise"


def test_pipe_tables() -> None:
    source = (
        "Prices per month:\n\n| Plan | `Price` | A \\| B |\n|:--|--:|---|\n| **Pro** | $5 | [x](y) \\| z |\n| Free | | ~~old~~ |\n"
    )
    rows = blocks(source, kind=BlockKind.ROW)
    assert [row.cells for row in rows] == [("Pro", "$5", "x | z"), ("Free", "", "old")]
    assert rows[0].header == ("Plan", "Price", "A | B")
    assert {row.caption for row in rows} == {"Prices per month:"}
    assert {row.group for row in rows} == {1}
    assert source[rows[0].start : rows[0].end] == "| **Pro** | $5 | [x](y) \\| z |"
    check_positions(document(source))


def test_indented_html_within_html_is_not_code() -> None:
    source = "<div>\n  <div>\n\n      <h2>Fee</h2>\n      <p>$5</p>\n\n    </div>\n</div>\n\n    <b>code</b>\n"
    assert readings(source) == [("heading", "Fee"), ("paragraph", "$5"), ("code", "<b>code</b>")]


def test_html_lists_in_markdown() -> None:
    source = "Not allowed:\n\n<ul>\n  <li>a\n    <ul><li>b</li></ul>\n  </li>\n  <li>c</li>\n</ul>\n<ul><li>d</li></ul>\n"
    items = blocks(source, kind=BlockKind.ITEM)
    assert [(item.text, item.level, item.lead_in) for item in items] == [
        ("a", 0, "Not allowed:"),
        ("b", 1, "Not allowed: a"),
        ("c", 0, "Not allowed:"),
        ("d", 0, ""),
    ]


def test_table_in_a_quote_and_without_outer_pipes() -> None:
    rows = blocks("> a | b\n> --|--\n> 1 | 2\n", kind=BlockKind.ROW)
    assert rows[0].cells == ("1", "2")
    assert "quote" not in rows[0].flags
    assert "quote" in blocks("> a | b\n> --|--\n> 1 | 2\n>\n> — Ann\n", kind=BlockKind.ROW)[0].flags


@pytest.mark.parametrize(
    ("source", "quoted"),
    [
        ("> Requires Python 3.9.\n", False),
        ("> **For teams:** one command, 66 models.\n", False),
        ("> It costs 5 EUR.\n>\n> — Ann Smith\n", True),
        ("> It costs 5 EUR.\n> -- Ann Smith\n", True),
        ("> “It costs 5 EUR.”\n", True),
        ("The manual says:\n\n> It costs 5 EUR.\n", True),
    ],
)
def test_only_quotations_are_flagged_as_such(source: str, quoted: bool) -> None:
    quotes = blocks(source, kind=BlockKind.QUOTE)
    assert quotes
    assert all(("quote" in block.flags) == quoted for block in quotes)


def test_images_in_cells_are_read_as_what_they_show() -> None:
    rows = blocks(
        "| Language | Ok |\n|--|--|\n| ![Python](p.png) | <img src=x alt='yes'> |\n| text ![x](y) | |\n", kind=BlockKind.ROW
    )
    assert [row.cells for row in rows] == [("Python", "yes"), ("text", "")]


def test_html_tables_span_blank_lines() -> None:
    source = (
        "Limits:\n\n<table>\n<thead><tr><th>Plan</th><th colspan='2'>Limit</th></tr></thead>\n\n<tbody>\n"
        "  <tr><td rowspan=2><b>Free</b></td><td>10 `x`</td><td>a</td></tr>\n\n      <tr><td>20</td><td>b</td></tr>\n"
        "<tr><th colspan=3>Enterprise</th></tr>\n<tr><td>E</td><td>1</td><td>2</td></tr></tbody></table>\n\nAfter.\n"
    )
    doc = document(source)
    rows = [block for block in doc.blocks if block.kind is BlockKind.ROW]
    assert [row.cells for row in rows] == [("Free", "10 x", "a"), ("Free", "20", "b"), ("E", "1", "2")]
    assert rows[0].header == ("Plan", "Limit", "Limit")
    assert [row.caption for row in rows] == ["Limits:", "Limits:", "Limits: Enterprise"]
    assert [lines(doc, row)[0] for row in rows] == [7, 9, 11]
    assert doc.blocks[-1].text == "After."
    check_positions(doc)


BOXES = [
    (':::tip{title="In a hurry?"}\nx\n:::\n', "In a hurry?", {"note"}),
    ("::: warning Mind the gap\nx\n:::\n", "Mind the gap", {"note"}),
    (":::note[Title]\n\nx\n\n:::\n", "Title", {"note"}),
    ('::::tabs\n:::tab{label="Python"}\nx\n:::\n::::\n', "Python", set()),
    ("::::cards\n:::card{title='C' href=y}\nx\n:::\n::::\n", "C", set()),
    ('!!! warning "Careful"\n    x\n', "Careful", {"note"}),
    ("??? tip\n    x\n", "Tip", {"note"}),
    ('=== "macOS"\n\n    x\n', "macOS", set()),
    ("!!! example\n    x\n", "Example", {"example"}),
    ("> **Note:** x\n", "Note", {"note"}),
    ("> [!WARNING]\n> x\n", "Warning", {"note"}),
    ("> ⚠️ **Important**: x\n", "Important", {"note"}),
    ("```{note} Title\nx\n```\n", "Title", {"note"}),
    ("<details>\n<summary>More <b>info</b></summary>\n\nx\n\n</details>\n", "More info", set()),
    ('{% hint style="warning" %}\nx\n{% endhint %}\n', "Warning", {"note"}),
    ('{{< tab "Linux" >}}\nx\n{{< /tab >}}\n', "Linux", set()),
    ('<Tabs>\n<TabItem value="macos" label="macOS">\nx\n</TabItem>\n</Tabs>\n', "macOS", set()),
    ("<Note>x</Note>\n", "Note", {"note"}),
    ('<Card\n  title="C"\n  onClick={() => go(">")}\n>\n  x\n</Card>\n', "C", set()),
]


@pytest.mark.parametrize(("source", "container", "flags"), BOXES)
def test_containers(source: str, container: str, flags: set[str]) -> None:
    doc = document(source + "\nafter\n", "a.mdx" if "<Tab" in source or "<Card" in source else "a.md")
    block = next(block for block in doc.blocks if block.text == "x")
    assert (block.container, set(block.flags)) == (container, flags)
    assert block.kind is BlockKind.PARAGRAPH
    assert doc.blocks[-1].text == "after"
    assert doc.blocks[-1].container == ""
    check_positions(doc)


def test_content_of_indented_boxes_is_markdown_on_its_own_lines() -> None:
    source = "- item\n\n    !!! note\n\n        Limits:\n\n        - a\n\n        ```sh\n        x\n        ```\n\n    back\n"
    doc = document(source)
    assert [(b.kind.value, b.text, lines(doc, b)[0], b.container) for b in doc.blocks] == [
        ("item", "item", 1, ""),
        ("paragraph", "Limits:", 5, "Note"),
        ("item", "a", 7, "Note"),
        ("code", "x", 10, "Note"),
        ("paragraph", "back", 13, ""),
    ]


def test_mdx_imports_vanish_and_code_keeps_components() -> None:
    source = (
        "import X from 'x'\nexport const a = {\n  b: 1,\n}\n\n# T\n\nText {/* gone */}with `<Tabs>`.\n\n"
        "```jsx\n<Tabs>\nimport y from 'y'\n```\n"
    )
    assert readings(source, "a.mdx") == [
        ("heading", "T"),
        ("paragraph", "Text with <Tabs>."),
        ("code", "<Tabs>\nimport y from 'y'"),
    ]


@pytest.mark.parametrize(
    ("source", "text", "struck"),
    [
        ("~~all of it~~\n", "all of it", True),
        ("~~30~~ 14 days\n", "14 days", False),
        ("- ~~gone~~\n", "gone", True),
        ("<del>\n\nold rule\n\n</del>\n\nnew\n", "old rule", True),
        ("| a | b |\n|--|--|\n| ~~x~~ | ~~y~~ |\n", "x | y", True),
    ],
)
def test_struck_text(source: str, text: str, struck: bool) -> None:
    block = blocks(source)[0]
    assert (block.text, "struck" in block.flags) == (text, struck)


def test_front_matter() -> None:
    source = (
        '---\ntitle: "The: Title"\nversion: 1.10\nreviewed: 2024-03-12\nauthor: {name: Ann, email: a@b.c}\ntags: [a, b]\n'
        "description: >\n  folded\n  text\nempty:\n---\nBody\n"
    )
    doc = document(source)
    fields = [block for block in doc.blocks if block.kind is BlockKind.FIELD]
    assert [block.cells for block in fields] == [
        ("title", "The: Title"),
        ("version", "1.10"),
        ("reviewed", "2024-03-12"),
        ("author", "name: Ann; email: a@b.c"),
        ("tags", "a, b"),
        ("description", "folded text"),
    ]
    assert doc.title == "The: Title"
    assert doc.owner == "name: Ann; email: a@b.c"
    assert doc.fields["author.name"] == "Ann"
    value = fields[1].text.index("1.10")
    assert doc.text[fields[1].to_source(value) :].startswith("1.10")
    assert [lines(doc, block) for block in fields][-1] == (7, 9)
    check_positions(doc)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('+++\ntitle = "T"\nweight = 5\n+++\nx\n', [("field", "title: T"), ("field", "weight: 5"), ("paragraph", "x")]),
        (
            "---\ntitle: {{ broken\nowner: Ann\n---\nx\n",
            [("field", "title: {{ broken"), ("field", "owner: Ann"), ("paragraph", "x")],
        ),
        ("---\n\nA rule above\n\n---\n", [("paragraph", "A rule above")]),
        ("---\n---\nx\n", [("paragraph", "x")]),
    ],
)
def test_unusual_front_matter(source: str, expected: list[tuple[str, str]]) -> None:
    assert readings(source) == expected


def test_aliases_in_front_matter_do_not_explode() -> None:
    levels = "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(9))
    doc = document(f"---\na: &a [x,x,x,x,x,x,x,x,x]\n{levels}---\nbody\n")
    assert len(doc.text) < 2000
    assert doc.blocks[-1].text == "body"
    assert all(len(block.text) < 25_000 for block in doc.blocks)
