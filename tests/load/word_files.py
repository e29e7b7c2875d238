"""Small word processor files, made by hand."""

from __future__ import annotations

import zipfile
from io import BytesIO

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELS = "http://schemas.openxmlformats.org/package/2006/relationships"
_ODF = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" '
    'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"'
)


def zipped(parts: dict[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def docx(body: str, namespace: str = W, **parts: str) -> bytes:
    """A DOCX with this body; further parts ("styles", "numbering", "footnotes", "header1") by their names."""
    root = (
        f'xmlns:w="{namespace}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:m="math" xmlns:x="x"'
    )
    made: dict[str, str | bytes] = {
        "_rels/.rels": f'<Relationships xmlns="{_RELS}"><Relationship Id="r" Type="{R}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f"<w:document {root}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{_RELS}">'
        + "".join(f'<Relationship Id="{name}" Type="{R}/{name.rstrip("0123456789")}" Target="{name}.xml"/>' for name in parts)
        + "</Relationships>",
    }
    for name, content in parts.items():
        made[f"word/{name}.xml"] = f"<w:{name.rstrip('0123456789')} {root}>{content}</w:{name.rstrip('0123456789')}>"
    return zipped(made)


def p(*runs: str, style: str = "", properties: str = "") -> str:
    style = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{style}{properties}</w:pPr>{''.join(map(r, runs))}</w:p>"


def r(text: str, look: str = "") -> str:
    if text.startswith("<"):
        return text
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def tc(*content: str, properties: str = "") -> str:
    inner = "".join(part if part.startswith("<w:") else p(part) for part in content)
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner}</w:tc>"


def tbl(*rows: str, properties: str = "") -> str:
    return f"<w:tbl><w:tblPr>{properties}</w:tblPr>{''.join(rows)}</w:tbl>"


def tr(*cells: str, properties: str = "") -> str:
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(c if c.startswith('<w:') else tc(c) for c in cells)}</w:tr>"


def odt(body: str, automatic: str = "", meta: str = "", manifest: str = "") -> bytes:
    content = (
        f"<office:document-content {_ODF}><office:automatic-styles>{automatic}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": content,
            "META-INF/manifest.xml": manifest or "<manifest/>",
        }
    )


def rtf(body: str, head: str = r"\ansi\ansicpg1252") -> bytes:
    return ("{\\rtf1" + head + " " + body + "}").encode("ascii")
