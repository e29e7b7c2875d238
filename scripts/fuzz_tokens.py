"""What `fuzz_mutations.py` puts into texts: odd values, and the tokens that mean something in each format."""

from __future__ import annotations

# fmt: off
# What a number, a date, a name or an encoding is seldom: `²` and `٣` are digits that `int` refuses or takes, `hex` is a codec of bytes.
VALUES = (
    *("", " ", "0", "-1", "1", "65536", "2147483648", "-2147483649", "99999999999999999999", "9" * 5000, "1e999", "-1e999", "NaN"),
    *("0.0", "1.5", "²", "①", "٣", "true", "null", "A0", "XFD1048577", "A1:ZZZZ9", "$A$1", "R1C1", "#REF!", "=1+1", "é", "\u202e"),
    *("2024-02-30", "0000-00-00", "99999-12-31", "2024-01-01T25:61:61Z", "0001-01-01T00:00:00+23:59", "P1Y", "1.2.3.4", "%s", "{0}"),
    *("hex", "idna", "utf-7", "undefined", "unicode_escape", "rot13", "utf-16", "utf-32", "base64", "mbcs", "x-none", "\x00", "\ufeff"),
    *("../../x", "/", "a#b!c", "http://[", "http://a:b/", "file:///etc/passwd", "mailto:", "data:,", "\\", "'", '"', "&#0;", "&#x110000;"),
    *("&#xD800;", "&nosuch;", "yes", "[$-F800]dddd", "[h]:mm:ss", "0;0;0;0;0", "[<1]0;[>", "yyyy-mm-dd hh", "General", "# ??/??", "0E+00"),
    *("0 May 2024", "30 February", "29/02/2023", "24:59", "0%", "-0", "1e400", "Q5 2024", "FY00", "0 to 0", "12 to 5 pm", "1,2,3", "½", "10^99"),
    *("00", "31", "v0.0.0", "€", "per", "0.000001", "1.000.000,5", "five", "zero", "dozen", "at most", "not", "only", "unless", "until", "every"),
)

ANY = ("\n", "\n\n", "\r", "\t", "  ", "\x00", "\x0c", "\x85", "\u2028", "\ufeff", "\ufffd", "é", "İ", "ß", "|", "\\", '"', "'", "-", ":")
_MD = (
    *("# ", "## ", "- ", "1. ", "> ", "    ", "```", "~~~", ":::", "!!! note\n", "|a|b|\n", "|-|-|\n", "[a](b)", "[^1]", "[^1]: ", "**"),
    *("`", "<!--", "-->", "<table>", "<td>", "</table>", "<details>", "{%", "%}", "{{", "}}", "---\n", "+++\n", "===\n", "[a]: <b\n", "$$"),
    *("a: b\n", "? [a]: b\n", "<<: *x\n", "date: .inf\n", "owner: {a: [b]}\n", "&a [*a]\n", "!!python/object:os.system x\n", "date: 0o9\n"),
    *("import x from 'y'\n", "<Tab title={", "export const meta = {", "{#id}", "[[a|b]]", "![[x]]", "<s>", "&amp;", "title: !!binary x\n"),
)
_HTML = (
    *("<table>", "<tr>", "<td colspan=9999>", "<td rowspan=0>", "<th rowspan=-1>", "</table>", "<ul>", "<li>", "<ol start=x>", "<dl>", "<dd>"),
    *("<pre>", "</pre>", "<p>", "</p>", "<!--", "-->", "<script>", "</script>", "<title>", "<meta charset=hex>", "<meta charset=idna>"),
    *("<meta name=date content=", "<svg>", "<math>", "<template>", "<select>", "<body>", "</html>", "&#0;", "&#xD800;", "<![CDATA[", "]]>"),
    *("<ac:structured-macro ac:name=x>", "<ac:parameter ac:name=title>", "</ac:structured-macro>", "<ri:page />", "<time datetime=x>", "<del>"),
)
_RST = (
    *(".. note::\n", ".. table::\n", ".. list-table::\n", ".. csv-table::\n", ".. |a| replace:: b\n", ".. include:: /etc/passwd\n", "::\n"),
    *(".. _a:\n", ".. [1] x\n", "====\n", "----\n", "+--+--+\n", "|  |  |\n", "+==+==+\n", "=== ===\n", ":x: y\n", "``", "`a`_", "|a|", "*"),
    *("- ", "#. ", "   ", ".. code:: x\n", ".. raw:: html\n", ":widths: x\n", ":header-rows: 9\n", ".. role:: x\n", ".. math::\n", ".. "),
)
_ADOC = (
    *("= T\n", "== S\n", "* ", ". ", "a:: b\n", "+\n", "----\n", "====\n", "|===\n", "|a |b\n", "2+|x\n", ".999+|y\n", "9999*|z\n", "a|\n"),
    *('[cols="1,2a"]\n', "[cols=9999*]\n", "[NOTE]\n", ".T\n", "{a}", ":a: {a}\n", ":a!:\n", "include::x[]\n", "ifdef::a[]\n", "endif::[]\n"),
    *("////\n", "____\n", "--\n", "<<a,b>>", "footnote:[x]", "[%header,format=csv]\n", "!===\n", ",===\n", "pass:[a]", "v1, 2024-01-01\n"),
)
_WIKI = (
    *("== H ==\n", "* ", "# ", "; a : b\n", "{|\n", "|}\n", "|-\n", "| a || b\n", "! c !! d\n", "|+ x\n", "{{", "}}", "{{a|b=c}}", "<ref>"),
    *("</ref>", "<nowiki>", "</nowiki>", "<pre>", "[[a|b]]", "[[File:x|", "]]", "''", "rowspan=² | z\n", "colspan=99999 | z\n", "{{{a}}}"),
    *("h1. T\n", "||a||b||\n", "|a|b|\n", "{code}", "{panel:title=a}", "{info}", "{quote}", "bq. ", "{{m}}", "[a|b]", "!x!", "{noformat}"),
)
_RTF = (
    *("{", "}", "\\par ", "\\trowd ", "\\cell ", "\\row ", "\\u99999?", "\\u-1?", "\\'zz", "\\bin99 ", "\\ucx", "\\uc9999 ", "\\ls1 ", "\\ilvl99 "),
    *("\\ansicpg99999 ", "\\fcharset255 ", "\\f9999 ", "{\\*\\x ", "\\cellx-1 ", "\\clvmgf ", "\\clmrg ", "\\s1 ", "\\outlinelevel99 ", "\\'"),
    *("\\yr99999\\mo13\\dy0 ", "{\\info ", "{\\creatim\\yr0\\mo0\\dy0}", "\\upr ", "\\field ", "{\\fldinst ", "\\revtbl ", "\\deleted ", "\\v "),
)
_MAIL = (
    *("Content-Type: text/plain; charset=hex\n", "Content-Type: text/html; charset=idna\n", "Content-Type: multipart/mixed; boundary=\n"),
    *("Content-Type: message/rfc822\n", "Content-Type: multipart/digest; boundary=b\n", "Content-Transfer-Encoding: base64\n", "\n--b\n"),
    *("Content-Transfer-Encoding: x-uuencode\n", "Content-Transfer-Encoding: quoted-printable\n", "Date: Thu, 99 Foo 99999\n", "Date: \n"),
    *("From: =?hex?q?zz?=\n", "Subject: =?utf-8?b?////?=\n", "From: \n", "From: a@[\n", "From x Mon\n", "> ", "On x, y wrote:\n", "-- \n"),
    *("Content-Disposition: attachment; filename*=hex''%zz\n", "Content-Disposition: attachment; filename*0*=x'y'z\n", "To: <,;:\n", "\n\n"),
)
_PDF = (
    *("<<", ">>", "[", "]", "(", ")", "/Length 99999999", "/Kids [1 0 R]", "/Parent 1 0 R", "/Count -1", "/MediaBox [0 0 0 0]", " 0 R", "BT"),
    *("ET", " Tf", " Tj", "-99999999 ", "1e38 ", "0 0 0 0 0 0 cm\n", "q\n", "Q\n", "/Rotate 45", "/Lang (\\377)", "/StructParents 0", "Do\n"),
    *("/MediaBox [0 0 1e9 1e9]", "/MCID -1 ", "/RowSpan 99999", "/ColSpan -1", "/ActualText <FEFF>", "obj\n", "endobj\n", "/UserUnit 0 "),
)
JSON = ("[", "]", "{", "}", ",", ":", '""', "null", "NaN", "-Infinity", "1e999", '"\\ud800"', '"\\u0000"', "[[[[", "true", "-0", "\n", '{"id":')
_CSV = (",", ";", "\t", '"', '""', "\n", "\r", "\r\n", "sep=;\n", "sep=", "=1+1", "1,5", "2024-99-01", "#", "\x00", "a,b,c\n", '"\n"')
TOKENS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("md", "mdx"), _MD),
    **dict.fromkeys(("html", "htm", "xhtml"), _HTML),
    "rst": _RST,
    "adoc": _ADOC,
    **dict.fromkeys(("mediawiki", "wiki", "confluence"), _WIKI),
    "rtf": _RTF,
    **dict.fromkeys(("eml", "mbox", "emlx"), (*_MAIL, *_HTML)),
    "pdf": _PDF,
    **dict.fromkeys(("json", "jsonl", "ipynb"), (*JSON, *_MD, *_HTML)),
    **dict.fromkeys(("csv", "tsv"), _CSV),
    "xml": (*_HTML, *_WIKI),
}
ALL = tuple(dict.fromkeys(token for tokens in TOKENS.values() for token in tokens))
