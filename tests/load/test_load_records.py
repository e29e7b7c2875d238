from __future__ import annotations

import json
import random
from datetime import date, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from auditor.load import LoadConfig, Reading, load_corpus, read_bytes
from auditor.load.config import RecordFields
from auditor.load.records import MAX_JSON, look
from auditor.model import Document, Skipped
from auditor.ports import LoadError, NotADocument

FILES = Path(__file__).parent / "files"
LONG = "The refund period is 30 days from the delivery of the goods to the customer."


def read(name: str, content: Any, config: LoadConfig | None = None) -> tuple[list[Document], dict[str, str]]:
    """Documents and reasons of a file; what is no text or bytes is written as JSON."""
    data = content if isinstance(content, bytes) else (content if isinstance(content, str) else json.dumps(content)).encode()
    outcomes = list(read_bytes(data, name, Reading(config or LoadConfig())))
    documents = [outcome for outcome in outcomes if isinstance(outcome, Document)]
    return documents, {outcome.doc_id: outcome.reason for outcome in outcomes if isinstance(outcome, Skipped)}


def lines(*records: Any) -> str:
    return "\n".join(record if isinstance(record, str) else json.dumps(record) for record in records)


def fields(**names: str) -> LoadConfig:
    return LoadConfig(records=RecordFields(**names))


def parquet(frame: pl.DataFrame) -> bytes:
    buffer = BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


# -- what a record says ------------------------------------------------------------------------------------------------------------


def test_json_lines() -> None:
    documents, skipped = read(
        "a/faq.jsonl",
        lines(
            {
                "_id": {"$oid": "x#1"},
                "title": "Refunds &amp; returns",
                "body": f"<p>{LONG}</p>",
                "updatedAt": 1709251200,
                "price": 9.5,
            },
            "",
            '{"_id": 2, "body": ',
            {"_id": "x#2", "title": "Fees", "body": f"# Fees\n\n{LONG}", "author": {"name": "Ann"}, "draft": True},
            {"_id": "x#3", "title": "Nothing", "body": None},
            [1],
        ),
    )
    assert skipped == {
        "a/faq.jsonl#line 3": "line 3: not JSON: Expecting value (column 1)",
        "a/faq.jsonl#line 6": "line 6: not an object",
        "a/faq.jsonl": "1 of 3 records hold no text in “body”",
    }
    first, second = documents
    assert (first.doc_id, first.title, first.format, first.text) == ("a/faq.jsonl#x%231", "Refunds & returns", "jsonl", LONG)
    assert first.published is not None
    assert (first.published.value, first.fields["price"]) == (date(2024, 3, 1), "9.5")
    assert (first.line_at(0), first.place_at(0)) == (None, "paragraph=1")
    assert (second.owner, second.fields["status"], [block.text for block in second.blocks]) == ("Ann", "draft", ["Fees", LONG])


@pytest.mark.parametrize(
    ("record", "title", "text"),
    [
        ({"question": "How long?", "answer": "Thirty days after delivery."}, "How long?", "Thirty days after delivery."),
        ({"q": "How long?", "a": "Thirty days after delivery."}, "How long?", "Thirty days after delivery."),
        ({"id": 1, "content": {"rendered": LONG}, "title": {"rendered": "A &#8211; B"}}, "A – B", LONG),
        ({"id": 1, "title": "T", "body": {"storage": {"value": LONG}}, "version": {"number": 3}}, "T", LONG),
        ({"page_content": LONG, "metadata": {"title": "T", "source": "a.pdf"}}, "T", LONG),
        ({"name": "T", "description": LONG, "text": "short"}, "T", LONG),
        ({"title": "T", "paragraphs": [LONG, LONG, LONG]}, "T", "\n\n".join([LONG] * 3)),
        ({"title": "T", "remarks": " ".join([LONG] * 3)}, "T", " ".join([LONG] * 3)),  # by its content alone
        ({"id": 1, "fields": {"title": "T", "summary": "x", "body-html": LONG}}, "T", LONG),
    ],
)
def test_guesses(record: dict[str, Any], title: str, text: str) -> None:
    documents, skipped = read("a.jsonl", lines(record))
    assert [(document.title, document.text) for document in documents] == [(title, text)]
    assert not skipped


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("updated_at", "2024-03-01T10:00:00Z", date(2024, 3, 1)),
        ("lastModified", 1709251200, date(2024, 3, 1)),
        ("date", 1709251200000, date(2024, 3, 1)),
        ("published", "1709251200", date(2024, 3, 1)),
        ("modified", {"$date": "2024-03-01T10:00:00Z"}, date(2024, 3, 1)),
        ("created", "1 March 2024", date(2024, 3, 1)),
        ("date", 20240301, date(2024, 3, 1)),
        ("date", "03/04/2024", None),
        ("date", 1e300, None),
        ("date", 17, None),
        ("published", True, None),
    ],
)
def test_dates(name: str, value: Any, expected: date | None) -> None:
    ((document,), _) = read("a.jsonl", lines({"text": LONG, name: value}))
    assert (document.published and document.published.value) == expected


def test_the_last_change_counts_before_the_creation() -> None:
    ((document,), _) = read(
        "a.jsonl", lines({"text": LONG, "created_at": "2020-01-01", "edited_at": "2024-03-01", "date": "2023-01-01"})
    )
    assert document.published is not None
    assert document.published.value == date(2024, 3, 1)


def test_ids() -> None:
    records = [{"id": f"r{i}", "text": f"{LONG} {i}"} for i in range(40)]
    records[7]["id"] = records[8]["id"] = "r6"
    del records[9]["id"]
    records[10]["id"] = "https://x/\n!\ud800"
    records[11]["id"] = "r6-2"
    documents, _ = read("a.jsonl", lines(*records))
    assert [document.doc_id for document in documents[5:13]] == [
        "a.jsonl#r5",
        "a.jsonl#r6",
        "a.jsonl#r6-2",
        "a.jsonl#r6-3",
        "a.jsonl#10",
        "a.jsonl#https://x/ %21\ufffd",
        "a.jsonl#r6-2-2",
        "a.jsonl#r12",
    ]
    documents, _ = read("a.jsonl", lines({"kind": "x", "text": LONG}, "", {"kind": "x", "text": LONG}))
    assert [document.doc_id for document in documents] == ["a.jsonl#1", "a.jsonl#3"]  # the line


def test_configured_fields() -> None:
    record = {
        "key": "K1",
        "fields": {"main": LONG, "label": "Fees"},
        "text": LONG * 9,
        "seen": "2024-03-01",
        "updated_at": "2020-01-01",
    }
    config = fields(id="key", text="fields.main", title="fields.label", date="seen")
    for name, content in (("a.jsonl", lines(record)), ("a.json", [record]), ("a.json", {"odd": [record]}), ("a.json", record)):
        ((document,), _) = read(name, content, config)
        assert document.published is not None
        assert (document.doc_id, document.text, document.title) == (f"{name}#K1", LONG, "Fees")
        assert document.published.value == date(2024, 3, 1)
    for name, content in (("a.jsonl", lines(record)), ("a.json", [record])):
        with pytest.raises(LoadError, match=r"no field “boddy”; there are fields\.label, fields.main, key, seen, text, updated_at"):
            read(name, content, fields(text="boddy"))
    for settings in ({"dependencies": {}, "tags": [{"name": "x"}]}, {"a": 1}, {"contributors": [{"name": "x"}]}):
        with pytest.raises(NotADocument):
            read("package.json", settings, config)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<p>One</p>", "html"),
        ("One<br>two", "html"),
        ("# One\n\n<b>two</b>", "md"),
        ("One **two** [three](x)", "md"),
        ("a < b, x > y & <none>", "txt"),
        ("Plain\n\n- one\n- two", "txt"),
    ],
)
def test_look(text: str, expected: str) -> None:
    assert look(text) == expected


# -- JSON --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrapped", ["%s", '{"count": 1, "articles": %s}', '{"data": {"items": %s}}', '{"hits": {"total": 1, "hits": %s}}']
)
def test_lists_of_records(wrapped: str) -> None:
    ((document,), _) = read("a.json", wrapped % json.dumps([{"id": 4, "title": "T", "text": LONG}]))
    assert (document.doc_id, document.title, document.format) == ("a.json#4", "T", "json")


@pytest.mark.parametrize(
    "content",
    [
        {},
        [],
        [1, 2],
        "null",
        {"name": "x", "description": LONG * 5, "dependencies": {}, "contributors": [{"name": "Ann", "text": LONG}]},
        {"openapi": "3.1.0", "info": {"title": "API", "description": LONG}, "tags": [{"name": "a", "description": LONG}]},
        {"title": "Welcome", "body": LONG * 4, "login.text": LONG},  # texts of a program
        {"messages": [{"id": "a.b", "text": LONG}]},
        {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"description": LONG}}]},
        {"items": [{"id": 1, "name": "x", "price": 3}]},
        [{"id": 1, "text": "Save"}, {"id": 2, "text": "Cancel this"}],
        "{ // settings\n 'a': 1 }",
        "{{ template }}",
    ],
)
def test_other_json_is_no_document(content: Any, tmp_path: Path) -> None:
    with pytest.raises(NotADocument):
        read("a.json", content)
    (tmp_path / "a.json").write_text(content if isinstance(content, str) else json.dumps(content))
    assert load_corpus(tmp_path) == ([], [])


def test_one_record_a_file() -> None:
    page = {"id": 7, "title": "Refunds", "body": LONG * 4, "updated_at": "2024-03-01"}
    for content in (page, {"article": page}):
        ((document,), _) = read("a.json", content)
        assert (document.doc_id, document.title) == ("a.json#7", "Refunds")


def test_files_of_this_program_are_no_documents() -> None:
    for row in (
        {"id": "g1", "doc_a": "a.md", "doc_b": "b.md", "quote_a": LONG, "quote_b": LONG, "label": "contradiction", "why": LONG},
        {"path_a": "a.md", "path_b": "b.md", "anchor_a": LONG, "anchor_b": LONG, "strength": 1},
        {"conflict_id": "x", "content_hash": "y", "explanation": LONG, "text": LONG},
        {"query": LONG, "docs": [], "conflict_type": "factual", "must_cite": []},
    ):
        with pytest.raises(NotADocument):
            read("gold.jsonl", lines(row))
        with pytest.raises(NotADocument):
            read("gold.parquet", parquet(pl.DataFrame([row])))


def test_help_centre_of_zendesk() -> None:
    article = {
        "id": 36,
        "html_url": "https://x.example/36",
        "title": "Refunds",
        "body": f"<h1>Refunds</h1><p>{LONG}</p>",
        "draft": True,
        "outdated": False,
        "section_id": 5,
        "author_id": 9,
        "label_names": ["refund", "money"],
        "locale": "en-us",
        "created_at": "2020-01-01T00:00:00Z",
        "updated_at": "2024-05-01T00:00:00Z",
        "edited_at": "2024-03-01T00:00:00Z",
    }
    export = {
        "count": 2,
        "articles": [article, {**article, "id": 37, "draft": False, "outdated": True}],
        "sections": [{"id": 5, "name": "Orders", "category_id": 6}],
        "categories": [{"id": 6, "name": "Shop"}],
        "users": [{"id": 9, "name": "Ann"}],
    }
    (draft, outdated), skipped = read("a.json", export)
    assert not skipped
    assert (draft.doc_id, draft.format, draft.title, draft.owner) == ("a.json#36", "zendesk", "Refunds", "Ann")
    assert draft.published is not None
    assert (draft.published.value, draft.published.source) == (date(2024, 3, 1), "export")
    assert (draft.fields["section"], draft.fields["category"], draft.fields["labels"]) == ("Orders", "Shop", "refund, money")
    assert (draft.fields["status"], draft.fields["url"]) == ("draft", "https://x.example/36")
    assert ("status" in outdated.fields, outdated.fields["outdated"]) == (False, "true")
    (alone,), _ = read("b.jsonl", lines(article))
    assert alone.format == "zendesk"


def test_help_centre_of_intercom() -> None:
    article = {
        "type": "article",
        "id": "3",
        "workspace_id": "w",
        "title": "Refunds",
        "description": "When & how",
        "body": f"<p>{LONG}</p>",
        "author_id": 1,
        "state": "draft",
        "parent_id": 2,
        "parent_type": "collection",
        "default_locale": "en",
        "created_at": 1577836800,
        "updated_at": 1709251200,
        "url": "https://x.example/3",
        "translated_content": {
            "type": "article_translated_content",
            "en": {"title": "Refunds", "body": LONG},
            "de": {"title": "Rückgabe", "body": "<p>Die Frist beträgt 30 Tage.</p>", "state": "published"},
            "fr": None,
        },
    }
    (english, german), _ = read(
        "a.json", {"type": "list", "pages": {"page": 1}, "data": [article], "admins": [{"id": 1, "name": "Ann"}]}
    )
    assert (english.doc_id, english.format, english.text) == ("a.json#3", "intercom", f"When & how\n{LONG}")
    assert english.published is not None
    assert (english.published.value, english.fields["status"], english.owner) == (date(2024, 3, 1), "draft", "Ann")
    assert (german.doc_id, german.title, german.text) == ("a.json#3:de", "Rückgabe", "Die Frist beträgt 30 Tage.")
    assert ("status" in german.fields, german.fields["language"]) == (False, "de")


# -- Parquet -----------------------------------------------------------------------------------------------------------------------


def test_parquet_of_another_program() -> None:
    documents, skipped = read("records.parquet", (FILES / "records.parquet").read_bytes())  # written by DuckDB
    assert not skipped
    assert [document.doc_id for document in documents] == [f"records.parquet#policy-{n}" for n in range(1, 1001)]
    last = documents[-1]
    assert last.published is not None
    assert (last.title, last.owner, last.published.value) == ("Policy 1000", "Ann Lee", date(2026, 11, 26))
    assert [block.text for block in last.blocks] == ["Refunds", "The refund period is 10000 days from delivery."]
    assert "embedding" not in last.fields


def test_parquet_columns() -> None:
    frame = pl.DataFrame(
        {
            "id": [1.0, 2.0, None],
            "text": [LONG, None, f"**{LONG}**"],
            "heading": ["A", "B", "C"],
            "updated": [datetime(2024, 3, 1)] * 3,
            "picture": [b"\x89PNG"] * 3,
            "meta": [{"owner": "Ann", "x": [1, 2]}] * 3,
        }
    )
    (first, last), skipped = read("a.bin", parquet(frame))  # known by its content
    assert skipped == {"a.bin": "1 of 3 records hold no text in “text”"}
    assert (first.doc_id, first.title, first.owner, first.format) == ("a.bin#1", "A", "Ann", "parquet")
    assert (last.doc_id, last.blocks[0].text) == ("a.bin#3", LONG)


def test_parquet_of_few_bytes_and_much_text() -> None:
    """A dictionary lets a file of kilobytes hold gigabytes: they are read slice by slice and up to the limit."""
    bomb = parquet(pl.DataFrame({"id": range(5000)}).with_columns(text=pl.lit("word " * 40_000)))
    assert len(bomb) < 100_000
    documents, skipped = read("a.parquet", bomb, LoadConfig(max_container_bytes=3_000_000))
    assert len(documents) == 15
    assert skipped == {"a.parquet": "unpacks to more than the limit; the rest was not read"}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (parquet(pl.DataFrame({"id": [1], "text": [LONG]}))[:-20], "damaged"),
        (b"PAR1" + bytes(300), "damaged"),
        (
            parquet(pl.DataFrame({"id": [1], "count": [2]})),
            "no field is recognised as text; there are count, id: name one with --text-f",
        ),
        (parquet(pl.DataFrame({"id": [], "text": []})), "holds no records"),
        (b"not Parquet at all", "its content is something else"),
    ],
)
def test_bad_parquet(data: bytes, reason: str) -> None:
    with pytest.raises(LoadError, match=reason):
        read("a.parquet", data)


# -- bad input ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.jsonl", "hello\nworld", "not JSON lines: line 1: not JSON"),
        ("a.jsonl", "\n\n", "empty"),
        (
            "a.jsonl",
            lines({"step": 1, "loss": 0.5}),
            "no field is recognised as text; there are loss, step: name one with --text-field",
        ),
        ("a.jsonl", b"\xff\xfe\x00", "not readable as text"),
        ("a.json", '[{"id": 1, "body": "' + LONG, "not JSON: Unterminated string"),
        ("a.json", '{"count": 2, "articles": [{"id": 1}, {"id', "not JSON"),
        ("a.json", '[{"text": ' + "[" * 200_000 + "]" * 200_000 + "}]", "nested too deeply"),
        ("a.json", b'[{"a": "\x00"}]', "NUL"),
        ("a.json", "[" + "{}," * 3_000_000 + "{}]", "more than 4,000,000 values"),
        ("a.json", b" " * (MAX_JSON + 1), "JSON of 64 MiB is not read"),
    ],
)
def test_files_that_cannot_be_read(name: str, content: Any, reason: str) -> None:
    with pytest.raises(LoadError, match=reason):
        read(name, content)


def test_records_that_cannot_be_read() -> None:
    deep, digits = "[" * 100_000, "1" * 5000
    documents, skipped = read(
        "a.jsonl",
        lines(
            {"text": LONG},
            f'{{"text": "{LONG}", "n": 1e999, "m": NaN, "id": 1, "id": 2}}',
            '{"text": "NUL \\u0000, half \\ud800 pairs, \\ud83d\\ude00"}',
            deep,
            f'{{"text": {digits}}}',
            {"text": "x" * 3000},
            {"text": "y" * 9000},
            "{} extra",
        ),
        LoadConfig(max_bytes=8000),
    )
    assert [document.doc_id for document in documents] == ["a.jsonl#1", "a.jsonl#2", "a.jsonl#3", "a.jsonl#6"]
    assert documents[2].text == "NUL \ufffd, half \ufffd pairs, \U0001f600"
    assert {name.partition("#")[2]: reason for name, reason in skipped.items()} == {
        "line 4": "line 4: larger than the limit of 0.0 MiB",
        "line 5": "line 5: not JSON: a number of too many digits",
        "line 7": "line 7: larger than the limit of 0.0 MiB",
        "line 8": "line 8: not JSON: Extra data (column 4)",
    }
    _, skipped = read("a.jsonl", lines({"text": LONG}, deep))
    assert skipped == {"a.jsonl#line 2": "line 2: nested too deeply"}


def test_many_broken_lines_are_counted() -> None:
    documents, skipped = read("a.jsonl", lines({"text": LONG}, *["{"] * 500))
    assert len(documents) == 1
    assert len(skipped) == 51
    assert skipped["a.jsonl"] == "450 more lines are no records"


def test_other_layouts_of_json_lines() -> None:
    records = [{"id": i, "text": LONG} for i in range(2)]
    for content in (
        json.dumps(records, indent=1),
        "\ufeff" + lines(*records),
        lines(*records).encode("utf-16"),
        lines(*records) + "\r\n",
    ):
        documents, skipped = read("a.jsonl", content)
        assert ([document.doc_id for document in documents], skipped) == (["a.jsonl#0", "a.jsonl#1"], {})


@pytest.mark.parametrize("seed", range(4))
def test_damaged_files_end_in_the_skip_path(seed: int) -> None:
    chance = random.Random(seed)
    article = {"id": 3, "html_url": "x", "title": "T", "body": f"<p>{LONG}</p>", "draft": True, "section_id": 5, "locale": "en"}
    seeds = {
        "a.jsonl": lines(*[{"id": i, "text": LONG, "updated_at": 1709251200} for i in range(3)]).encode(),
        "a.json": json.dumps({"articles": [article], "sections": [{"id": 5, "name": "S"}]}).encode(),
    }
    for _ in range(400):
        name = chance.choice(sorted(seeds))
        data = bytearray(seeds[name])
        for _ in range(chance.randint(1, 5)):
            at = chance.randrange(len(data))
            data[at : at + chance.randint(0, 9)] = chance.choice(
                [b"", b"{", b'"', b"\\ud800", b"1e999", b"\0", b"\xff", bytes([chance.randrange(256)])]
            )
        try:
            documents, skipped = read(name, bytes(data))
        except (LoadError, NotADocument):
            continue
        assert not any("loader failed" in reason for reason in skipped.values())
        for document in documents:
            f"{document.doc_id}{document.title}{dict(document.fields)}".encode()


def test_deterministic() -> None:
    content = lines(*[{"id": i % 5, "text": LONG, "tags": ["b", "a"]} for i in range(30)])
    assert read("a.jsonl", content) == read("a.jsonl", content)
