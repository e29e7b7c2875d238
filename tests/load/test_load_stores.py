"""The shapes in which shared drives and Notion leave documents on disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from load_helpers import check_positions, document, lines, readings

from auditor.load import discover, load_corpus
from auditor.load.config import LoadConfig
from auditor.model import BlockKind

ID = "0123456789abcdef0123456789abcdef"


def test_properties_of_a_notion_page() -> None:
    source = (
        "# Leave policy\n\nOwner: Jane Doe\nLast edited time: March 3, 2024 10:00 AM\nTags:\nURL: https://x.y\n\nTake 30 days.\n"
    )
    doc = document(source, f"Leave policy {ID}.md")
    assert (doc.title, doc.owner) == ("Leave policy", "Jane Doe")
    assert doc.published is not None
    assert doc.published.value.isoformat() == "2024-03-03"
    assert [(b.kind.value, b.text) for b in doc.blocks] == [
        ("heading", "Leave policy"),
        ("field", "Owner: Jane Doe"),
        ("field", "Last edited time: March 3, 2024 10:00 AM"),
        ("field", "URL: https://x.y"),
        ("paragraph", "Take 30 days."),
    ]
    assert lines(doc, doc.blocks[2]) == (4, 4)
    check_positions(doc)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("# T\n\nOwner: Jane Doe\n", "plain.md"),
        ("# T\n\nOwner: Jane Doe\nand more text\n", f"T {ID}.md"),
        ("# T\n\nNote: do not\n", f"T {ID}.md"),
    ],
)
def test_what_is_no_property(source: str, name: str) -> None:
    assert [kind for kind, _ in readings(source, name)] == ["heading", "paragraph"]


def test_notion_export(tmp_path: Path) -> None:
    folder = tmp_path / f"Tasks {ID}"
    folder.mkdir()
    (folder / f"Rules {ID}.md").write_text("Text without a title.\n", encoding="utf-8")
    for name in (f"Tasks {ID}.csv", f"Tasks {ID}_all.csv", f"Alone {ID}.csv", "plain.csv", "plain_all.csv"):
        (tmp_path / name).write_text("Name,Limit\nA,5\n", encoding="utf-8")
    found = [identity for identity, _ in discover(tmp_path, LoadConfig()).files]
    assert found == [f"Alone {ID}.csv", f"Tasks {ID}_all.csv", "plain.csv", "plain_all.csv", f"Tasks {ID}/Rules {ID}.md"]
    documents, _ = load_corpus(tmp_path)
    assert [d.title for d in documents if d.format == "markdown"] == ["Rules"]


def test_pointers_are_reported_and_clutter_is_not(tmp_path: Path) -> None:
    for name in ("Plan.gdoc", "Plan.gsheet", "Site.url", "Site.webloc", "Plan.lnk"):
        (tmp_path / name).write_text('{"url": "https://docs.example.org"}', encoding="utf-8")
    for name in ("~$Plan.docx", "._notes.md", "Thumbs.db", "desktop.ini", ".~lock.Plan.docx#", ".DS_Store", "~WRL0001.tmp"):
        (tmp_path / name).write_bytes(b"\0\1x")
    (tmp_path / "notes.md").write_text("Text.\n", encoding="utf-8")
    documents, skipped = load_corpus(tmp_path)
    assert [d.doc_id for d in documents] == ["notes.md"]
    assert {s.doc_id: s.reason for s in skipped} == {
        "Plan.gdoc": "a link to a Google document: export it",
        "Plan.gsheet": "a link to a Google document: export it",
        "Plan.lnk": "a shortcut to another file",
        "Site.url": "a link to a web page, not the page itself",
        "Site.webloc": "a link to a web page, not the page itself",
    }


MDX = """import Tabs from '@theme/Tabs';

export const meta = {
  title: 'no 99',

  more: 77,
}

# Limits

<Tabs items={['npm', "yarn"]}>
  <Tabs.Tab>Use npm 9.</Tabs.Tab>
  <Tabs.Tab>
    Use yarn 4.
  </Tabs.Tab>
</Tabs>

<ParamField query="limit" type="integer">
  At most 100.
</ParamField>

<Steps>
<Step title="First">Do 1.</Step>
</Steps>

<Callout type="warning">Mind 3.</Callout>

<CodeGroup>
```bash npm
npm i
```
</CodeGroup>

export function X() {
  const a = 1;

  return <p>no 66</p>;
}

After 9.
"""


def test_components_of_mdx() -> None:
    doc = document(MDX, "a.mdx")
    assert [(b.text, b.container) for b in doc.blocks] == [
        ("Limits", ""),
        ("Use npm 9.", "npm"),
        ("Use yarn 4.", "yarn"),
        ("At most 100.", "limit"),
        ("Do 1.", "First"),
        ("Mind 3.", "Warning"),
        ("npm i", ""),
        ("After 9.", ""),
    ]
    assert [doc.line_at(b.start) for b in doc.blocks] == [9, 12, 14, 19, 23, 26, 30, 40]
    assert doc.blocks[6].kind is BlockKind.CODE
    check_positions(doc)


def test_an_export_that_never_closes_ends_at_the_next_heading() -> None:
    assert readings("export const a = {\n  b: 1\n\n# T\n\nx\n", "a.mdx") == [("heading", "T"), ("paragraph", "x")]
