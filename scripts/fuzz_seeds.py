"""What `fuzz_loaders.py` starts from: the sample files of the repository, and small files of formats that it holds no sample of."""

from __future__ import annotations

import io
import json
import re
import sys
import tarfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from fuzz_mutations import zipped

ROOT = Path(__file__).resolve().parents[1]
_MOST = 200_000  # bytes of a seed: the large ones are tested as they are, by tests/test_hostile.py
_PROGRAMS = {".py", ".sh", ".mjs"}
_CONFLUENCE = """<?xml version="1.0" encoding="UTF-8"?>
<hibernate-generic datetime="x"><object class="Page" package="p"><id name="id">1</id><property name="title"><![CDATA[Leave policy]]>
</property><property name="contentStatus"><![CDATA[current]]></property><property name="version">3</property>
<property name="lastModificationDate">2024-03-03 10:00:00.000</property><property name="space" class="Space" package="p">
<id name="id">7</id></property></object><object class="BodyContent" package="p"><id name="id">11</id><property name="body"><![CDATA[
<h1>Leave</h1><ac:structured-macro ac:name="info"><ac:rich-text-body><p>Take 30 days.</p></ac:rich-text-body></ac:structured-macro>
<table><tr><th>Grade</th><td>5</td></tr></table>]]></property><property name="content" class="Page" package="p"><id name="id">1</id>
</property><property name="bodyType">2</property></object><object class="Space" package="p"><id name="id">7</id>
<property name="name"><![CDATA[HR]]></property></object></hibernate-generic>"""
_DUMP = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/"><siteinfo><sitename>W</sitename><namespaces>
<namespace key="0" /><namespace key="12">Help</namespace></namespaces></siteinfo><page><title>Leave policy</title><ns>0</ns><id>1</id>
<revision><id>1</id><timestamp>2024-03-03T10:00:00Z</timestamp><contributor><username>Jane</username></contributor>
<model>wikitext</model><text>== Days ==\nTake '''30''' days. {{Note|x}}\n{| class=wikitable\n! Grade !! Days\n|-\n| 1 || 20\n|}</text>
</revision></page></mediawiki>"""
_ARTICLE = {
    "id": 1,
    "title": "Returns",
    "body": "<h2>Returns</h2><p>Returns are accepted within 30 days.</p>",
    "html_url": "https://example.org/1",
    "section_id": 7,
    "draft": False,
    "outdated": False,
    "locale": "en-us",
    "label_names": ["returns"],
    "author_id": 9,
    "updated_at": "2024-03-03T10:00:00Z",
}
_INTERCOM = {
    "type": "list",
    "data": [
        {
            "id": "1",
            "title": "Returns",
            "description": "How to return",
            "body": "<p>Within 30 days.</p>",
            "workspace_id": "w",
            "parent_id": 7,
            "parent_type": "collection",
            "state": "published",
            "author_id": 9,
            "updated_at": 1709460000,
            "translated_content": {"de": {"title": "Rückgabe", "body": "<p>Binnen 30 Tagen.</p>", "author_id": 9}},
        }
    ],
}
_FODS = """<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet><table:table table:name="S">
<table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="float" office:value="5"><text:p>5</text:p>
</table:table-cell><table:table-cell table:number-columns-repeated="2" table:number-columns-spanned="2"><text:p>Days</text:p>
</table:table-cell></table:table-row><table:table-row><table:table-cell office:value-type="date" office:date-value="2024-01-01">
<text:p>x</text:p></table:table-cell><table:table-cell office:value-type="percentage" office:value="0.5"/></table:table-row>
</table:table></office:spreadsheet></office:body></office:document>"""
_MDX = (
    "import Tabs from '@theme/Tabs';\n\nexport const meta = {\n  title: 'x',\n};\n\n# Plans\n\n<Tabs>\n<Tab title=\"A\" {...x}>\n\n"
    "Take 30 days.\n\n</Tab>\n</Tabs>\n\n:::note[Mind]\nThe fee is 5 EUR.\n:::\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n"
)
_TSV = "Plan\tPrice\tValid from\nFree\t0,00 €\t01.02.2024\nPro\t12,50 €\t2024-03-01\n\nTotal\t12,50 €\t\n"
_RECORDS = "".join(
    json.dumps(
        {"id": n, "title": f"T{n}", "text": "Returns are accepted within 30 days of delivery, by post.", "date": "2024-01-01"}
    )
    + "\n"
    for n in range(3)
)


@dataclass(frozen=True, slots=True)
class Seed:
    """A file to start from."""

    name: str
    data: bytes

    @property
    def suffix(self) -> str:
        """Its extension without the dot, lower case; "txt" for a file without."""
        return Path(self.name).suffix.lower().removeprefix(".") or "txt"


def seeds() -> list[Seed]:
    """All of them, in a fixed order."""
    sys.path.insert(0, str(ROOT / "tests"))
    import hostile

    found = [Seed(name, data) for name, data in _small().items()]
    for folder in (ROOT / "tests" / "load" / "files", ROOT / "sample_corpus"):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix not in _PROGRAMS and not {".audit", "audit-out"} & set(path.parts):
                found.append(Seed(path.name, path.read_bytes()))
    found += [Seed(name, data) for name, data in hostile.files().items()]
    found += [Seed(seed.name, _unpacked(seed.data)) for seed in found if seed.data.startswith(b"%PDF")]
    return [seed for seed in found if 0 < len(seed.data) <= _MOST]


def _small() -> dict[str, bytes]:
    files = {
        "entities.xml": _CONFLUENCE.encode(),
        "space.zip": zipped([("entities.xml", _CONFLUENCE.encode()), ("exportDescriptor.properties", b"exportType=space\n")]),
        "dump.xml": _DUMP.encode(),
        "zendesk.json": json.dumps(
            {"articles": [_ARTICLE], "sections": [{"id": 7, "name": "S", "category_id": 1}], "users": []}
        ).encode(),
        "intercom.json": json.dumps(_INTERCOM).encode(),
        "records.jsonl": _RECORDS.encode(),
        "records.json": ("[" + ",".join(_RECORDS.splitlines()) + "]").encode(),
        "sheet.fods": _FODS.encode(),
        "page.mdx": _MDX.encode(),
        "prices.tsv": _TSV.encode(),
        "prices.csv": _TSV.replace("\t", ";").encode("cp1252"),
        "utf16.txt": _TSV.encode("utf-16"),
        "page.wiki": b"h1. Leave\n\n||Grade||Days||\n|1|20|\n{info:title=Mind}\nTake *30* days.\n{info}\n",
    }
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name in ("page.mdx", "prices.tsv", "zendesk.json"):
            info = tarfile.TarInfo(name)
            info.size = len(files[name])
            archive.addfile(info, io.BytesIO(files[name]))
    files["docs.tar"] = out.getvalue()
    packed = zlib.compressobj(wbits=31)
    files["docs.tgz"] = packed.compress(out.getvalue()) + packed.flush()
    return files


_STREAM = re.compile(
    rb"<<([^<>]*(?:<<[^<>]*>>[^<>]*)*)/FlateDecode([^<>]*(?:<<[^<>]*>>[^<>]*)*)>>\s*stream\r?\n(.*?)endstream", re.DOTALL
)


def _unpacked(data: bytes) -> bytes:
    """The PDF with its streams unpacked, so that mutations meet what stands on the pages. The list of places is then wrong, as in many."""

    def unpack(match: re.Match[bytes]) -> bytes:
        try:
            content = zlib.decompressobj().decompress(match[3], _MOST)
        except zlib.error:
            return match[0]
        entries = (match[1] + match[2]).replace(b"/Filter", b"")
        return (
            b"<<"
            + re.sub(rb"/Length\s+\d+(\s+\d+\s+R)?", b"/Length %d" % len(content), entries)
            + b">>\nstream\n"
            + content
            + b"\nendstream"
        )

    return _STREAM.sub(unpack, data)
