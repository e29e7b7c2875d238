"""Identifiers (URL, e-mail, phone, account, port, part number, licence) and version numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from auditor.extract.mentions import Mention, Taken
from auditor.model import FactKind

_URL = re.compile(r"(?<!\w)(?:https?|ftp|wss?|ssh|git)://[^\s<>\"'`|]+[^\s<>\"'`|.,;:!?)\]}*_]")
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+(?!\w)")
_PHONE = re.compile(r"(?<![\w./-])(?:\+\d{1,3}[\s.-]?)?(?:\(\d{1,5}\)[\s.-]?)?\d{2,5}(?:[\s.-]\d{2,8}){1,4}(?![\w/-]|\.\d)")
_PHONE_CUE = re.compile(
    r"(?:phone|telephone|tel|call|calling|hotline|fax|mobile|ring|dial|helpline|desk|number|ext|reach)\b[^.;]{0,40}$", re.I
)
_ACCOUNT = re.compile(
    r"(?P<cue>(?:account|acct|customer|client|contract|order|invoice|policy|member|membership|reference|ref|registration|company|vat|tax|case|part|serial|order code|product code|article|item|discount code|voucher|coupon|promo|activation|zip|postal|extension|model|sku|asset|licen[cs]e|cost cent(?:er|re)|routing|vendor|supplier)(?:\s+(?:no|nr|number|id|code|ref|reference))?)\.?"
    r"(?:\s*(?:is|:|#|=|no\.?|number|id)\s*|\s+)#?(?P<value>(?=[\w-]*\d)[A-Z0-9][A-Z0-9]*(?:[-/. ]?[A-Z0-9]*\d[A-Z0-9]*)*)(?![\w])",
    re.I,
)
_FORM = re.compile(r"\b[Ff]orm\s+(?P<value>[A-Z]{1,3}[-–]?\d{1,4})(?!\w)")
_PORT = re.compile(
    r"(?P<cue>(?<!-)\bports?)(?P<between>\s+(?:number\s+)?(?:is\s+|to\s+|=\s*)?|[:=]\s*)(?P<value>\d{2,5})(?![\w:]|\.\d)|(?:localhost|127\.0\.0\.1|0\.0\.0\.0):(?P<value2>\d{2,5})(?![\w:])",
    re.I,
)
_PAIR_PORT = re.compile(r"(?<![\w.:])(?:\d{3,5}:\d{2,5}|\d{2,5}:\d{3,5})(?![\w:])")  # host:container
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)")
_ISIN = re.compile(r"(?<!\w)[A-Z]{2}[A-Z0-9]{9}\d(?!\w)")
_HEX = re.compile(
    r"(?<!\w)(?:0x[0-9a-fA-F]+|#[0-9a-fA-F]{6}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{20,}|(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,64})(?!\w)"
)
_IP = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?(?![\w]|\.\d)")
_LICENCE = re.compile(
    r"(?<![\w-])(?P<value>MIT|Apache(?:[ -]License)?(?:,?[ -](?:Version\s+|v)?2(?:\.0)?)?|BSD(?:[ -][234][ -]clause)?|[AL]?GPL(?:[ -]?v?[23](?:\.\d)?)?|MPL(?:[ -]2\.0)?|ISC|CC[ -]BY(?:[ -]SA)?(?:[ -][34]\.0)?|CC0|EPL|Unlicense|public domain)(?:[ -]Licen[cs]ed?)?(?![\w-])"
)
_LICENCE_CUE = re.compile(r"licen[cs]e|licensed|SPDX", re.I)

_V = r"\d+(?:\.(?:\d+|x|X|\*)){0,3}(?:[-.]?(?:alpha|beta|rc|dev|preview|post|a|b)\.?\d*)?"
_VERSION = re.compile(
    rf"\b(?:added|introduced|removed|deprecated|available|released|since|new)\s+(?:in|since|from|with)\s+(?P<v4>\d+\.\d+(?:\.\d+)?)(?![\w%]|\.\d)|(?<![\w./-])v(?P<v1>\d+(?:\.\d+){{0,3}}(?:-?(?:alpha|beta|rc)\.?\d*)?)(?![\w]|\.\d)|\bversions?\s+(?P<v2>{_V})(?![\w]|\.\d)|(?<![\w.$€£/-])(?P<v3>\d+\.\d+\.\d+(?:-?(?:alpha|beta|rc)\.?\d*)?)(?![\w%]|\.\d)",
    re.I,
)
_PRODUCT_VERSION = re.compile(
    r"(?<![\w.])(?P<product>[A-Z][A-Za-z+#]*(?:\.js)?|node(?:\.js)?|python|java|php|ruby|go|golang|rust|npm|git|gcc|clang|cmake|postgres(?:ql)?|mysql|redis|docker|kubernetes|windows|macos|ubuntu|debian|ios|android)"
    r"(?P<gap>\s*(?:>=|≥|==?|\^|~)?\s*|\s+v|\s+version\s+|\s+(?:is\s+)?(?:at\s+least|>=)\s+)(?P<v>\d+\.\d+(?:\.(?:\d+|x))?|\d{1,2}(?=\s*(?:\+|or\s+(?:newer|later|higher|above))))(?P<plus>\+)?(?!\d|[%:/]|\.\d|\s*(?:%|per\b|million|billion|bn\b|percent|hours|days|minutes|seconds|GB|MB|kg|mm|cm))"
)
_AT_LEAST = re.compile(
    r"\b(?:at least|minimum|needs?|requires?|or newer than|version of)\s+(?P<product>[A-Z][A-Za-z]+(?:\.js)?)\s+(?P<v>\d{1,2}(?:\.\d+)*)(?![\w%]|\.\d|\s*(?:%|per\b))"
)
_RANGE = re.compile(
    r"\s*(?:-|–|—|to|through|thru|up\s+to|until)\s*(?:v|version\s+|(?!and\b|or\b)[A-Za-z]+\s*)?(?P<v>\d+(?:\.\d+)*)(?P<unit>\w|%|\.\d)?"
)
_SOFTWARE = frozenset(
    [
        "python",
        "node",
        "java",
        "jdk",
        "php",
        "ruby",
        "go",
        "golang",
        "rust",
        "npm",
        "yarn",
        "git",
        "gcc",
        "clang",
        "cmake",
        "postgres",
        "postgresql",
        "mysql",
        "mariadb",
        "redis",
        "docker",
        "kubernetes",
        "windows",
        "macos",
        "ubuntu",
        "debian",
        "ios",
        "android",
        "django",
        "rails",
        "laravel",
        "react",
        "angular",
        "vue",
        "dotnet",
        "swift",
        "kotlin",
        "scala",
        "perl",
        "elixir",
        "erlang",
        "tensorflow",
        "pytorch",
        "numpy",
        "chrome",
        "firefox",
        "safari",
        "openssl",
        "tls",
        "linux",
    ]
)
_SOFTWARE_INTEGER = re.compile(
    rf"(?<![\w.])(?P<product>(?:{'|'.join(sorted(_SOFTWARE - {'go', 'swift', 'edge', 'rust', 'yarn', 'git', 'scala', 'vue'}, key=len, reverse=True))})(?:\.js)?)\s+(?:v|version\s+)?(?P<v>\d{{1,2}})(?![\w%:/-]|\.\d)",
    re.I,
)
_NOT_PRODUCTS = frozenset(
    [
        "section",
        "sec",
        "table",
        "figure",
        "fig",
        "chapter",
        "page",
        "step",
        "appendix",
        "article",
        "clause",
        "item",
        "level",
        "tier",
        "rule",
        "release",
        "phase",
        "stage",
        "part",
        "no",
        "nr",
        "of",
        "in",
        "to",
        "by",
        "at",
        "from",
        "the",
        "a",
        "an",
        "is",
        "was",
        "were",
        "are",
        "on",
        "for",
        "and",
        "or",
        "than",
        "with",
        "about",
        "over",
        "under",
        "within",
        "per",
        "our",
        "we",
        "it",
        "up",
    ]
)


def find_identifiers(text: str, taken: Taken) -> Iterator[Mention]:
    """Identifiers; marks what it reads. `unit` is the identifier's type, `symbol` its normal form."""
    for pattern, kind in ((_URL, "url"), (_EMAIL, "email")):
        for match in pattern.finditer(text):
            if taken.free(*match.span()):
                taken.take(*match.span())
                symbol = (
                    match.group().rstrip("/").lower()
                    if kind == "email"
                    else re.sub(r"^https?://(?:www\.)?", "", match.group()).rstrip("/")
                )
                yield Mention(FactKind.IDENTIFIER, *match.span(), unit=kind, symbol=symbol, text=match.group())
    for pattern, kind in ((_IBAN, "iban"), (_ISIN, "isin")):
        for match in pattern.finditer(text):
            if taken.free(*match.span()) and sum(c.isdigit() for c in match.group()) >= 6:
                taken.take(*match.span())
                yield Mention(
                    FactKind.IDENTIFIER, *match.span(), unit=kind, symbol=match.group().replace(" ", ""), text=match.group()
                )
    for match in _PORT.finditer(text):
        value = "value" if match["value"] else "value2"
        span = match.span(value)
        if taken.free(*span) and not _PAIR_PORT.search(text, max(span[0] - 6, 0), min(span[1] + 6, len(text))):
            taken.take(*span)
            yield Mention(FactKind.IDENTIFIER, *span, unit="port", symbol=match[value], text=match[value], head="port")
    for match in _PAIR_PORT.finditer(text):
        taken.take(*match.span())
    for match in _ACCOUNT.finditer(text):
        span = match.span("value")
        raw = match["value"]
        digits = sum(c.isdigit() for c in raw)
        if (
            digits < (2 if re.search(r"[A-Z]", raw) and len(raw) >= 5 else 4)
            or not taken.free(*span)
            or (raw.isdigit() and len(raw) == 4 and raw[:2] in {"19", "20"})
        ):
            continue
        taken.take(*span)
        cue = re.sub(r"\s+", " ", match["cue"].lower())
        family = re.sub(r"\b(?:no|nr|number|id|code|ref|reference|acct)\b\.?", "", cue).strip() or cue
        yield Mention(
            FactKind.IDENTIFIER,
            *span,
            unit=f"{'account' if 'acct' in cue else family} number",
            symbol=re.sub(r"[\s./-]", "", raw).upper(),
            text=raw,
        )
    for match in _FORM.finditer(text):
        if taken.free(*match.span("value")):
            taken.take(*match.span("value"))
            yield Mention(
                FactKind.IDENTIFIER,
                *match.span("value"),
                unit="form number",
                symbol=match["value"].replace("-", "").upper(),
                text=match["value"],
            )
    for match in _PHONE.finditer(text):
        digits = re.sub(r"\D", "", match.group())
        cued = (
            match.group().startswith(("+", "("))
            or (match.group().startswith("0") and len(digits) >= 9)
            or _PHONE_CUE.search(text, 0, match.start())
        )
        if 7 <= len(digits) <= 15 and cued and taken.free(*match.span()):
            taken.take(*match.span())
            yield Mention(FactKind.IDENTIFIER, *match.span(), unit="phone", symbol=digits, text=match.group())
    if _LICENCE_CUE.search(text):
        for match in _LICENCE.finditer(text):
            if taken.free(*match.span()):
                taken.take(*match.span())
                yield Mention(
                    FactKind.IDENTIFIER,
                    *match.span(),
                    unit="licence",
                    symbol=licence_id(match["value"]),
                    text=match["value"],
                    head="licenc",
                )
    for pattern in (_HEX, _IP):
        for match in pattern.finditer(text):
            if taken.free(*match.span()):
                taken.take(*match.span())
                if pattern is _IP:
                    yield Mention(FactKind.IDENTIFIER, *match.span(), unit="ip address", symbol=match.group(), text=match.group())


_KEYED = re.compile(
    r"(?:order|product|article|item|part|model|discount|promo|voucher|activation|account|customer|contract|reference|serial|registration|cost cent(?:er|re))\s*(?:code|number|no\.?|id)\b|\bsku\b",
    re.I,
)
_CODE = re.compile(r"(?<!\w)(?=[A-Z0-9-]*\d)[A-Z0-9]+(?:[-/][A-Z0-9]+)*(?!\w)")


def keyed_code(row_key: str, column: str, text: str, body: int, taken: Taken) -> Mention | None:
    """A code in a cell whose row key or column names its type ("Order code | ORV-L3-010")."""
    for name in (row_key, column):
        cue = _KEYED.search(name)
        found = _CODE.search(text, body) if cue else None
        if cue and found and len(found.group()) >= 4 and taken.free(*found.span()):
            taken.take(*found.span())
            family = re.sub(r"\b(?:no|number|id|code)\b\.?", "", cue.group().lower()).strip() or cue.group().lower()
            return Mention(
                FactKind.IDENTIFIER,
                *found.span(),
                unit=f"{family} number",
                symbol=re.sub(r"[\s./-]", "", found.group()),
                text=found.group(),
            )
    return None


def licence_id(name: str) -> str:
    """Family of a licence: "Apache License, Version 2.0" and "Apache-2.0" are one."""
    lowered = name.lower()
    for family in ("apache", "mit", "bsd", "agpl", "lgpl", "gpl", "mpl", "isc", "cc0", "epl", "unlicense"):
        if lowered.startswith(family):
            version = re.search(r"\d", lowered) if family.endswith("gpl") else None
            return family + (version.group() if version else "")
    return re.sub(r"[\s-]+", "-", lowered)


def find_versions(text: str, taken: Taken, is_unit: Callable[[str, int], bool] = lambda text, at: False) -> Iterator[Mention]:
    """Versions and version ranges; marks what it reads. `head` is the product in lower case, "" where none stands beside it.

    `is_unit(text, at)` tells whether a unit of measure stands at a position: "Holds 1.7 litres" is no version of Holds.
    """
    found: list[tuple[int, int, str, str, bool]] = []
    for match in _PRODUCT_VERSION.finditer(text):
        product = match["product"].lower().removesuffix(".js")
        if product in _NOT_PRODUCTS or not taken.free(*match.span("v")) or is_unit(text, match.end()):
            continue
        opens_sentence = not text[: match.start()].rstrip() or text[: match.start()].rstrip()[-1] in ".:;!?|"
        if opens_sentence and product not in _SOFTWARE and not match["gap"].strip():
            continue
        end = match.end("plus") if match["plus"] else match.end("v")
        found.append((match.start("v"), end, match["v"], product.removesuffix(".js"), bool(match["plus"])))
        taken.take(match.start("v"), end)
    for match in _SOFTWARE_INTEGER.finditer(text):
        if taken.free(*match.span("v")) and not is_unit(text, match.end()):
            taken.take(*match.span("v"))
            found.append((match.start("v"), match.end("v"), match["v"], match["product"].lower().removesuffix(".js"), False))
    for match in _AT_LEAST.finditer(text):
        if taken.free(*match.span("v")) and not is_unit(text, match.end()):
            taken.take(*match.span("v"))
            found.append(
                (
                    match.start("v"),
                    match.end("v"),
                    match["v"],
                    match["product"].lower().removesuffix(".js"),
                    match.group().startswith(("at least", "minimum")),
                )
            )
    for match in _VERSION.finditer(text):
        group = next(g for g in ("v1", "v2", "v3", "v4") if match[g])
        span = match.span(group)
        start = match.start() if group == "v1" else span[0]
        if taken.free(*span):
            taken.take(start, span[1])
            found.append((start, span[1], match[group], "", text[span[1] : span[1] + 1] == "+"))
    covered = 0
    for start, end, raw, product, plus in sorted(found):
        low = parse_version(raw)
        if low is None or start < covered:
            continue
        high = low
        comparator = ">=" if plus else "="
        joined = _RANGE.match(text, end)
        if joined and not joined["unit"]:
            upper = parse_version(joined["v"])
            if upper is not None and upper > low:
                taken.take(end, joined.end())
                end, high, comparator = joined.end(), upper, "range"
                covered = end
        shown = raw if high == low else f"{raw}–{'.'.join(str(int(p)) for p in high)}"
        yield Mention(
            FactKind.VERSION,
            start,
            end,
            low,
            None if plus else high,
            unit="version",
            comparator=comparator,
            text=f"{shown}{'+' if plus else ''}",
            head=product,
        )


def parse_version(raw: str) -> tuple[float, ...] | None:
    """Parts of a version as numbers; "x" and pre-release suffixes end it. None for what is no version."""
    parts: list[float] = []
    for part in raw.lower().split("."):
        digits = re.match(r"\d+", part)
        if digits is None:
            break
        parts.append(float(digits.group()))
    return tuple(parts) or None
