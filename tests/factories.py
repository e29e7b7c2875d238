"""Scan results to test what writes them: a believable one, a clean one, a large one, and one made by somebody who means harm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from hashlib import sha256
from itertools import count
from typing import Any

from auditor.model import Chunk, ClusterValue, Conflict, DocumentRow, ScanResult, Side, StageStats

WIKI = "https://wiki.example.org/{path}#L{line}"


def short_hash(*parts: str, length: int = 12) -> str:
    """A stable identity, in the way the scan makes them."""
    return sha256("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()[:length]


def make_side(doc: str, quote: str, value: str, mark: str | None = None, *, line: int | None = 12, **changes: Any) -> Side:
    """One side of a conflict. `mark` is the part of the quote that decides (default: `value`, where the quote holds it)."""
    at = quote.find(mark if mark is not None else value)
    length = len(mark if mark is not None else value)
    lines = None if line is None else line + quote.count("\n")
    locator = None if line is None else f"line={line}" if lines == line else f"line={line}-{lines}"
    side = Side(
        doc=doc,
        title=doc.rsplit("/", 1)[-1].rsplit(".", 1)[0].replace("-", " ").capitalize(),
        owner=None,
        source_tier="secondary",
        published=None,
        effective=None,
        heading="",
        chunk_id=short_hash(doc, "chunk", str((line or 0) // 40)),
        quote=quote,
        statement=quote,
        char_start=(line or 0) * 60,
        char_end=(line or 0) * 60 + len(quote),
        line_start=line,
        line_end=lines,
        page=None,
        locator=locator,
        url=None,
        value=value,
        scope="",
        marks=((at, at + length),) if at >= 0 else (),
    )
    return replace(side, **changes)


def make_conflict(a: Side, b: Side, **changes: Any) -> Conflict:
    """A conflict between two sides, `factual` and `high` unless told otherwise."""
    key = changes.get("entity_key", "subject")
    conflict = Conflict(
        conflict_id=short_hash(a.doc, b.doc, key, str(a.char_start), str(b.char_start)),
        content_hash=short_hash(a.quote, b.quote),
        cluster_id="k-" + short_hash(key, length=8),
        kind="numeric",
        detectors=("numeric",),
        fields=("value",),
        attribute="",
        entity_key=key,
        category="factual",
        tier="high",
        confidence=0.94,
        topic_similarity=0.8123,
        via=("entity", "neighbour"),
        a=a,
        b=b,
        rule_applied=("owner_rule", "authoritative_source", "timestamp", "specificity", "escalate"),
        rule_trace=(
            "owner_rule: no configured rule covers both documents",
            "authoritative_source: both documents are secondary",
            "timestamp: neither document is dated",
            "specificity: both statements are equally general",
        ),
        winner=None,
        loser_retained=True,
        status="escalated",
        explanation=f"One document says {a.value}, the other says {b.value}.",
        features={"value_relation": 1.0},
    )
    return replace(conflict, **changes)


def make_values(conflict: Conflict, *values: tuple[str, Sequence[str], str]) -> list[ClusterValue]:
    """Rows for the cluster of a conflict: value, documents, and letters for n(ewest) a(uthoritative) m(ajority) w(inning)."""
    return [
        ClusterValue(
            cluster_id=conflict.cluster_id,
            entity_key=conflict.entity_key,
            attribute=conflict.attribute,
            value=value,
            documents=tuple(sorted(documents)),
            newest="n" in badges,
            authoritative="a" in badges,
            majority="m" in badges,
            winning="w" in badges,
        )
        for value, documents, badges in values
    ]


def make_document(path: str, **changes: Any) -> DocumentRow:
    """A document that was read."""
    row = DocumentRow(
        path=path,
        title=path.rsplit("/", 1)[-1],
        format="markdown",
        owner=None,
        tier="secondary",
        published=None,
        published_source=None,
        effective=None,
        effective_source=None,
        language="en",
        words=840,
        statements=61,
        facts=17,
        sha256=sha256(path.encode("utf-8", "replace")).hexdigest(),
        skipped_reason=None,
    )
    return replace(row, **changes)


def make_skipped(path: str, reason: str, **changes: Any) -> DocumentRow:
    """A file that was not read."""
    changes = {"title": "", "format": "", "language": None, "words": 0, "statements": 0, "facts": 0, **changes}
    return make_document(path, skipped_reason=reason, **changes)


def make_result(
    conflicts: Sequence[Conflict], clusters: Sequence[ClusterValue], documents: Sequence[DocumentRow], **changes: Any
) -> ScanResult:
    """A result around these rows, with everything else filled in consistently."""
    chunks = {
        side.chunk_id: Chunk(
            side.chunk_id, side.doc, side.char_start, side.char_end, tuple(side.heading.split(" › ")), short_hash(side.quote)
        )
        for conflict in conflicts
        for side in (conflict.a, conflict.b)
    }
    read = [document for document in documents if document.skipped_reason is None]
    statements = sum(document.statements for document in read)
    result = ScanResult(
        corpus="handbook",
        conflicts=tuple(conflicts),
        clusters=tuple(clusters),
        documents=tuple(sorted(documents, key=lambda document: document.path)),
        chunks=tuple(chunks[key] for key in sorted(chunks)),
        counts={
            "documents": len(read),
            "skipped": len(documents) - len(read),
            "statements": statements,
            "facts": sum(document.facts for document in read),
            "candidates": statements * 3,
            "possible_pairs": statements * (statements - 1) // 2,
            "conflicts": len(conflicts),
            **{f"conflicts_{tier}": sum(c.tier == tier for c in conflicts) for tier in ("high", "medium", "advisory")},
        },
        stages=(StageStats("load", 1.203, 210.4), StageStats("extract", 4.87, 388.1), StageStats("compare", 0.61, 402.9)),
        versions={"corpus-auditor": "0.1.0", "python": "3.11.2", "polars": "1.30.0"},
        model_hashes={"static/model.safetensors": sha256(b"static").hexdigest()},
        config_hash=short_hash("config", length=64),
        as_of=date(2025, 6, 2),
        crowded_keys=("noun:customer (812 statements, bounded)",),
    )
    return replace(result, **changes)


def empty_result() -> ScanResult:
    """Documents were read and nothing in them contradicts anything."""
    return make_result([], [], [make_document(f"guides/page-{n:02}.md") for n in range(24)])


def large_result(conflicts: int) -> ScanResult:
    """Many conflicts, three to a cluster, for measurements."""
    number = count()
    rows: list[Conflict] = []
    values: list[ClusterValue] = []
    tiers = ("high", "medium", "medium", "advisory")
    while len(rows) < conflicts:
        n = next(number)
        docs = [f"area-{n % 40:02}/page-{n:05}-{letter}.md" for letter in "abc"]
        sides = [
            make_side(
                doc,
                f"Every plan of product {n} may keep {10 + i} snapshots for each workspace, counted over all its regions.",
                f"{10 + i} snapshots",
                str(10 + i),
                heading="Limits › Snapshots",
                owner=f"team-{n % 9}@example.org",
                published=date(2024, 1 + n % 12, 1 + i),
            )
            for i, doc in enumerate(docs)
        ]
        made = [
            make_conflict(a, b, entity_key=f"product {n} snapshots", tier=tiers[n % 4], confidence=round(0.5 + n % 50 / 100, 2))
            for a, b in ((sides[0], sides[1]), (sides[0], sides[2]), (sides[1], sides[2]))
        ]
        rows += made
        values += make_values(made[0], *((side.value, [side.doc], "n" if side is sides[2] else "") for side in sides))
    documents = sorted({side.doc for row in rows for side in (row.a, row.b)})
    return make_result(rows[:conflicts], values, [make_document(path) for path in documents])


def realistic_result() -> ScanResult:
    """Several clusters, all tiers, a pair within one document, undated documents, opinions, decided and skipped ones."""
    conflicts, values = [], []
    for case in (_rate_limit, _revenue, _returns, _office, _seat_price, _tools, _retention, _opinion, _electronics, _hint):
        made, held = case()
        conflicts += made
        values += held
    paths = {side.doc: side for conflict in conflicts for side in (conflict.a, conflict.b)}
    documents = [
        make_document(
            path,
            title=side.title,
            owner=side.owner,
            tier=side.source_tier,
            published=side.published,
            published_source="front matter" if side.published else None,
            effective=side.effective,
            effective_source="visible line" if side.effective else None,
        )
        for path, side in paths.items()
    ]
    held_elsewhere = {document for value in values for document in value.documents} - set(paths)
    documents += [make_document(path) for path in sorted(held_elsewhere)]
    documents += [make_document(f"guides/onboarding/step-{n:02}.md", words=1200 + n * 31) for n in range(1, 40)]
    documents += [
        make_skipped("archive/2019/board-minutes.pdf", "no text: the pages are pictures"),
        make_skipped("exports/crm-dump.csv", "format is not read yet (.csv)"),
        make_skipped("notes/übergabe.txt", "not valid UTF-8 at byte 1,204, and no other encoding fits"),
    ]
    return make_result(conflicts, values, documents)


def _rate_limit() -> tuple[list[Conflict], list[ClusterValue]]:
    old = make_side(
        "reference/api-v1.2.md",
        "Each API key may send up to 100 requests per minute; beyond that the service answers 429.",
        "100 requests/min",
        "100 requests",
        title="API reference v1.2",
        heading="Limits › Rate limits",
        published=date(2023, 2, 14),
        owner="platform@example.org",
        url="https://wiki.example.org/reference/api-v1.2.md#L12",
    )
    new = make_side(
        "reference/api-v2.0.md",
        "Each API key may send up to 500 requests per minute; bursts above that are queued for ten seconds.",
        "500 requests/min",
        "500 requests",
        line=48,
        title="API reference v2.0",
        heading="Limits › Rate limits",
        published=date(2024, 11, 5),
        effective=date(2024, 12, 1),
        owner="platform@example.org",
        url="https://wiki.example.org/reference/api-v2.0.md#L48",
    )
    conflict = make_conflict(
        old,
        new,
        entity_key="api rate limit",
        attribute="requests per minute",
        category="outdated",
        confidence=0.97,
        rule_applied=("owner_rule", "authoritative_source", "timestamp"),
        rule_trace=(
            "owner_rule: no configured rule covers both documents",
            "authoritative_source: both documents are secondary",
            "timestamp: 2024-12-01 is later than 2023-02-14",
        ),
        winner="b",
        status="auto_resolved",
        explanation="The API reference v1.2 allows 100 requests per minute, the API reference v2.0 allows 500.",
    )
    return [conflict], make_values(
        conflict,
        ("100 requests/min", ["reference/api-v1.2.md", "faq/developers.md"], "m"),
        ("500 requests/min", ["reference/api-v2.0.md"], "nw"),
    )


def _revenue() -> tuple[list[Conflict], list[ClusterValue]]:
    audited = make_side(
        "finance/annual-report-2023.html",
        "Total revenue for fiscal 2023, as audited and restated, was $6.8M.",
        "$6.8 million",
        "$6.8M",
        line=211,
        title="Annual report 2023",
        heading="Financial statements › Revenue",
        source_tier="primary",
        published=date(2024, 5, 30),
        owner="finance@example.org",
        scope="period: fiscal 2023",
    )
    preliminary = make_side(
        "sales/board-update-q4.md",
        "| Fiscal 2023 | Revenue | $4.2M | preliminary |",
        "$4.2 million",
        "$4.2M",
        line=33,
        title="Board update, fourth quarter",
        heading="Results at a glance",
        published=date(2024, 1, 18),
        owner="sales@example.org",
        statement="Fiscal 2023, Revenue: $4.2M",
        scope="period: fiscal 2023",
    )
    conflict = make_conflict(
        audited,
        preliminary,
        entity_key="revenue",
        attribute="fiscal 2023 revenue",
        category="outdated",
        confidence=0.95,
        rule_applied=("owner_rule", "authoritative_source"),
        rule_trace=("owner_rule: no configured rule covers both documents", "authoritative_source: primary is above secondary"),
        winner="a",
        status="auto_resolved",
        explanation="The annual report states $6.8 million of revenue for fiscal 2023, the board update $4.2 million.",
    )
    return [conflict], make_values(
        conflict, ("$6.8 million", [audited.doc], "naw"), ("$4.2 million", [preliminary.doc, "sales/partner-brief.md"], "m")
    )


def _returns() -> tuple[list[Conflict], list[ClusterValue]]:
    faq = make_side(
        "faq/orders.md",
        "You can send anything back within 14 days of purchase.",
        "14 days of purchase",
        "14 days of purchase",
        title="Orders: questions and answers",
        heading="Returns › How long do I have?",
    )
    policy = make_side(
        "policies/returns.md",
        "Goods may be returned within 30 days of delivery, unused and in their original packaging.",
        "30 days of delivery",
        "30 days of delivery",
        line=7,
        title="Returns policy",
        heading="1 Return window",
        source_tier="primary",
        effective=date(2024, 3, 1),
        owner="legal@example.org",
        url="https://wiki.example.org/policies/returns.md#L7",
    )
    conflict = make_conflict(
        faq,
        policy,
        entity_key="return window",
        attribute="return window",
        fields=("value", "basis"),
        confidence=0.96,
        rule_applied=("owner_rule",),
        rule_trace=("owner_rule: policies/** is preferred to faq/**",),
        winner="b",
        status="decided",
        reviewer="j.doe@example.org",
        reviewer_decision="accept_b",
        decided_at="2025-05-12",
        explanation="The FAQ gives 14 days from purchase, the returns policy 30 days from delivery.",
    )
    return [conflict], make_values(
        conflict, ("14 days of purchase", [faq.doc], ""), ("30 days of delivery", [policy.doc, "policies/terms.md"], "namw")
    )


def _office() -> tuple[list[Conflict], list[ClusterValue]]:
    before = make_side(
        "people/hybrid-work-2023-06.md",
        "All employees must be in the office three days a week, on days agreed with their manager.",
        "must",
        "must be in the office three days a week",
        title="Hybrid work",
        heading="Attendance",
        published=date(2023, 6, 1),
        owner="people@example.org",
    )
    after = make_side(
        "people/working-from-anywhere.md",
        "Attendance in the office is no longer required for any role.",
        "not required",
        "no longer required",
        line=4,
        title="Working from anywhere",
        heading="",
        published=date(2023, 11, 20),
        owner="people@example.org",
    )
    conflict = make_conflict(
        before,
        after,
        entity_key="office attendance",
        attribute="attendance in the office",
        kind="modality",
        detectors=("modality",),
        category="outdated",
        confidence=0.91,
        rule_applied=("owner_rule", "authoritative_source", "timestamp"),
        rule_trace=(
            "owner_rule: no configured rule covers both documents",
            "authoritative_source: both documents are secondary",
            "timestamp: 2023-11-20 is later than 2023-06-01",
        ),
        winner="b",
        status="auto_resolved",
        explanation="One page wants everybody in the office three days a week, a later one says that this is no longer required.",
    )
    return [conflict], make_values(conflict, ("must", [before.doc], ""), ("not required", [after.doc], "nw"))


def _seat_price() -> tuple[list[Conflict], list[ClusterValue]]:
    deck = make_side(
        "partners/pitch-deck.html",
        "Team plan: 37.50 per seat and month, billed yearly",
        "37.50/seat",
        "37.50",
        line=None,
        locator="slide=9",
        title="Partner pitch",
        heading="Pricing",
    )
    sheet = make_side(
        "sales/price-sheet.md",
        "| Team | 42.00 | per seat and month | EUR |",
        "42.00/seat",
        "42.00",
        line=19,
        title="Price sheet",
        heading="Subscriptions",
        effective=date(2025, 3, 1),
        statement="Team, Price: 42.00 per seat and month, EUR",
        owner="sales@example.org",
        scope="currency: EUR",
    )
    conflict = make_conflict(
        deck,
        sheet,
        entity_key="team plan",
        attribute="price per seat",
        tier="medium",
        confidence=0.81,
        category="outdated",
        rule_applied=("owner_rule", "authoritative_source", "timestamp"),
        rule_trace=(
            "owner_rule: no configured rule covers both documents",
            "authoritative_source: both documents are secondary",
            "timestamp: only one side is dated (2025-03-01)",
        ),
        winner="b",
        status="auto_resolved",
        explanation="A seat on the Team plan costs 37.50 in the partner pitch and 42.00 in the price sheet.",
    )
    return [conflict], make_values(conflict, ("37.50/seat", [deck.doc], ""), ("42.00/seat", [sheet.doc], "nw"))


def _tools() -> tuple[list[Conflict], list[ClusterValue]]:
    def side(doc: str, number: int, line: int) -> Side:
        quote = f"The server ships {number} `mcp_*` tools, all of them enabled from the first start."
        return make_side(doc, quote, f"{number} tools", str(number), line=line, title=doc, heading="MCP server › Tools")

    eighteen, twenty, more = side("README.md", 18, 40), side("docs/mcp/overview.md", 20, 8), side("docs/mcp/tools.md", 23, 3)
    install, faq = side("docs/install.md", 18, 77), side("docs/faq.md", 20, 5)
    pairs = ((eighteen, twenty), (eighteen, more), (twenty, more), (install, more), (faq, more))
    made = [
        make_conflict(
            *sorted(pair, key=lambda s: s.doc),
            entity_key="mcp server",
            attribute="tools",
            confidence=round(0.9 - n / 50, 2),
            tier="high" if n < 3 else "medium",
            explanation=f"The MCP server has {pair[0].value} in one document and {pair[1].value} in another.",
        )
        for n, pair in enumerate(pairs)
    ]
    return made, make_values(
        made[0],
        ("18 tools", ["README.md", "docs/install.md", *(f"examples/client-{n}/README.md" for n in range(8))], "m"),
        ("20 tools", ["docs/mcp/overview.md", "docs/faq.md"], ""),
        ("23 tools", ["docs/mcp/tools.md"], ""),
    )


def _retention() -> tuple[list[Conflict], list[ClusterValue]]:
    doc = "operations/backup-runbook.md"
    first = make_side(
        doc,
        "Nightly backups are kept for 30 days.",
        "30 days",
        line=22,
        title="Backup runbook",
        heading="Schedule",
        owner="ops@example.org",
    )
    second = make_side(
        doc,
        "- Retention: 90 days for nightly backups,\n  one year for the first of each month",
        "90 days",
        line=131,
        title="Backup runbook",
        heading="Appendix › Settings",
        owner="ops@example.org",
    )
    conflict = make_conflict(
        first,
        second,
        entity_key="nightly backup",
        attribute="retention",
        confidence=0.93,
        explanation="The backup runbook keeps nightly backups for 30 days in one place and for 90 days in another.",
    )
    return [conflict], make_values(conflict, ("30 days", [doc], ""), ("90 days", [doc], ""))


def _opinion() -> tuple[list[Conflict], list[ClusterValue]]:
    one = make_side(
        "teams/backend/guidelines.md",
        "We recommend that every service lives in one shared repository.",
        "recommended",
        "recommend that every service lives in one shared repository",
        title="Guidelines of the backend team",
        heading="Repositories",
        owner="backend@example.org",
        published=date(2024, 9, 2),
    )
    other = make_side(
        "teams/mobile/handbook.md",
        "A shared repository should be avoided: give each app its own.",
        "advised against",
        "should be avoided",
        title="Handbook of the mobile team",
        heading="How we work › Code",
        owner="mobile@example.org",
    )
    conflict = make_conflict(
        one,
        other,
        entity_key="shared repository",
        attribute="",
        kind="modality",
        detectors=("modality",),
        category="opinion",
        tier="medium",
        confidence=0.74,
        rule_applied=("present_both",),
        rule_trace=(),
        explanation="The backend team recommends one shared repository, the mobile team advises against it.",
    )
    return [conflict], make_values(conflict, ("recommended", [one.doc], ""), ("advised against", [other.doc], ""))


def _electronics() -> tuple[list[Conflict], list[ClusterValue]]:
    faq = make_side(
        "faq/electronics.rst",
        "Electronics can be returned within 14 days of delivery.",
        "14 days",
        title="Electronics",
        heading="After you bought",
        scope="product: electronics",
    )
    terms = make_side(
        "shop/terms.html",
        "Every item can be returned within 30 days of delivery.",
        "30 days",
        line=64,
        title="Terms of the shop",
        heading="Returns",
        published=date(2024, 7, 1),
        source_tier="tertiary",
    )
    conflict = make_conflict(
        faq,
        terms,
        entity_key="returns",
        attribute="days",
        tier="medium",
        confidence=0.66,
        rule_applied=("owner_rule", "authoritative_source", "timestamp", "specificity"),
        rule_trace=(
            "owner_rule: no configured rule covers both documents",
            "authoritative_source: not asked, the scopes differ",
            "specificity: A names electronics, B is general",
        ),
        winner="a",
        status="auto_resolved",
        explanation="The FAQ gives electronics 14 days, the terms give every item 30 and name no exception.",
    )
    return [conflict], make_values(conflict, ("14 days", [faq.doc], "w"), ("30 days", [terms.doc], "na"))


def _hint() -> tuple[list[Conflict], list[ClusterValue]]:
    one = make_side("guides/deploy.md", "Deployments run without anybody on call.", "without anybody on call", title="Deploying")
    other = make_side(
        "operations/on-call.md",
        "Somebody on call watches each deployment until it is done.",
        "somebody on call",
        "Somebody on call watches each deployment",
        line=90,
        title="On call",
        heading="Duties",
    )
    conflict = make_conflict(
        one,
        other,
        entity_key="deployment",
        kind="nli",
        detectors=("nli",),
        tier="advisory",
        confidence=0.41,
        explanation="One page says that nobody needs to be on call for a deployment, the other asks for somebody.",
    )
    return [conflict], make_values(conflict, (one.value, [one.doc], ""), (other.value, [other.doc], ""))


def copies_result() -> ScanResult:
    """A policy, a stale copy of it and an exact one; a document read in part; places that are not lines."""
    names = ("policies/leave.md", "share/leave-2023.md", "share/leave-2023 (1).md")
    held = (("carry over", "5 days", "10 days"), ("parental leave", "12 months", "14 months"), ("notice", "5 days", "14 days"))
    conflicts, values = [], []
    for line, (attribute, old, new) in enumerate(held, start=3):
        new_side = make_side(
            names[0], f"For {attribute} it is {new}.", new, line=line, published=date(2025, 3, 1), title="Leave policy"
        )
        old_side = make_side(names[1], f"For {attribute} it is {old}.", old, line=line, title="Leave policy")
        facts = {"entity_key": "leave policy", "attribute": attribute, "cluster_id": "k-copies", "confidence": 0.97 - line / 100}
        # The last one has no winner: of two facts in a cluster, one may be open.
        decided = {"winner": "a", "rule_applied": ("timestamp",), "status": "auto_resolved"} if attribute != "notice" else {}
        conflicts.append(make_conflict(new_side, old_side, **facts, **decided))
        values += make_values(conflicts[-1], (old, names[1:], "m"), (new, names[:1], "nw" if decided else "n"))
    sheet = make_side("prices.xlsx", "Fee | 20 EUR", "20 EUR", line=None, locator="sheet='Q1 plan'!B7")
    page = make_side("contracts/terms.pdf", "The fee is 25 EUR.", "25 EUR", line=5, locator="page=3", page=3)
    conflicts.append(make_conflict(page, sheet, entity_key="fee", tier="medium", confidence=0.7))
    values += make_values(conflicts[-1], ("25 EUR", [page.doc], ""), ("20 EUR", [sheet.doc], ""))
    copy = {"title": "Leave policy", "copy_share": 0.9, "copy_exact": False}
    documents = [
        make_document(names[0], title="Leave policy", published=date(2025, 3, 1), published_source="front matter"),
        make_document(names[1], copy_of=names[0], **copy),
        make_document(names[2], **copy | {"copy_of": names[1], "copy_share": 1.0, "copy_exact": True}),
        make_document(page.doc, format="pdf", notices=("pages 3 and 5 hold no text (scanned images?)",)),
        make_document(sheet.doc, format="xlsx", notices=("1 hidden sheet left out", "2 formulas have no stored result")),
    ]
    return make_result(conflicts, values, documents)


SCRIPT = "<script>alert('script')</script>"
HOSTILE_TEXTS: tuple[str, ...] = (
    SCRIPT,
    "</script></style></textarea></template><svg onload=alert('svg')>",
    "<img src=x onerror=alert('img')> <img src=https://evil.example/pixel.png>",
    "\"><iframe srcdoc=\"<script>parent.alert('frame')</script>\"></iframe><base href='https://evil.example/'>",
    "' onmouseover='alert(1)' autofocus onfocus='alert(2)' x='",
    "<!-- --!> --> <meta http-equiv=refresh content='0;url=https://evil.example/'> <link rel=stylesheet href=//evil.example/x.css>",
    "{{ 7 * 7 }} {% include '/etc/passwd' %} {# gone #} ${7*7} <%= 7 * 7 %>",
    "[click](javascript:alert('md')) ![pixel](https://evil.example/p.png) <https://evil.example/auto> https://evil.example/bare",
    "`` ` `` | cell | **bold** _it_ ~~no~~ # heading\n\n# Heading\n\n> quote\n\n---\n\n```\ncode\n```\n1. item\n- item\n[ref]: https://evil.example",
    "pay 100 \u202e000,1 yap\u202c to \u2066account\u2069 \u200f\u061c\ufeff \U000e0041\U000e0042",
    "nul \x00 bell \x07 escape \x1b[31m red \x1b[0m back \x08 delete \x7f c1 \x85\x9b31m line\u2028para\u2029 end",
    '=HYPERLINK("https://evil.example","click") +1+1 @SUM(A1) -2+3 \t=cmd|\'/C calc\'!A0',
    "z\u0351\u0352\u0353" * 40 + " tall",
    "surrogate \ud800 in a name",
)


def hostile_result() -> ScanResult:
    """Every text a document can put into a report tries to run, to link, to break the layout or to hide."""
    conflicts: list[Conflict] = []
    values: list[ClusterValue] = []
    for n, text in enumerate(HOSTILE_TEXTS):
        a = _hostile_side(f"a/{n:02} {text}", text, "javascript:alert('link')")
        b = _hostile_side(f"b/{n:02} {text}", f"before {text} after", f"https://wiki.example.org/a b\"'>{SCRIPT}")
        conflict = make_conflict(
            a,
            b,
            entity_key=f"{n:02} {text}",
            attribute=text,
            tier=("high", "medium", "advisory")[n % 3],
            confidence=round(0.9 - n / 100, 2),
            rule_applied=(text,),
            rule_trace=(f"{text}: {text}",),
            explanation=text,
            reviewer=text,
            reviewer_decision="accept_a",
            condition=text,
            status="decided",
            winner="a",
        )
        conflicts.append(conflict)
        values += make_values(conflict, (text, [a.doc], "namw"), (f"x {text}", [b.doc], ""))
    long_line = "x" * 700_000 + " limit of 100 units " + "y" * 300_000
    at = long_line.index("100")
    a = replace(make_side("long.md", long_line, "100 units"), marks=((at, at + 3), (-5, 2), (999_990, 2_000_000), (30, 20)))
    b = make_side("short.md", "The limit is 200 units.", "200 units")
    conflict = make_conflict(a, b, entity_key="long line " + "w" * 5_000, tier="high", confidence=0.99)
    conflicts.append(conflict)
    copies = [f"copy-{n}.md" for n in range(500)]
    values += make_values(conflict, ("100 units", [a.doc, *copies], "m"), ("v" * 100_000, [b.doc], ""))
    documents = [make_document(side.doc) for c in conflicts for side in (c.a, c.b)]
    # All of them copies of the first, of which two facts share a cluster.
    first, *others = documents[: 2 * len(HOSTILE_TEXTS)]
    documents = [replace(first, title=SCRIPT, notices=HOSTILE_TEXTS), *documents[2 * len(HOSTILE_TEXTS) :]]
    documents += [
        replace(row, copy_of=first.path, copy_share=0.9, copy_exact=False, title=text, notices=(text,))
        for row, text in zip(others, [text for text in HOSTILE_TEXTS for _ in "ab"][1:], strict=True)
    ]
    shared = {conflicts[1].cluster_id: conflicts[0].cluster_id}
    conflicts = [replace(c, cluster_id=shared.get(c.cluster_id, c.cluster_id)) for c in conflicts]
    values = [replace(v, cluster_id=shared.get(v.cluster_id, v.cluster_id)) for v in values]
    documents += [make_skipped(f"broken/{text}", f"cannot be read: {text}") for text in HOSTILE_TEXTS]
    return make_result(conflicts, values, documents, corpus=f"{SCRIPT} \u202e corpus", crowded_keys=HOSTILE_TEXTS)


def _hostile_side(doc: str, text: str, url: str) -> Side:
    side = make_side(doc, text, text, text[2:9], url=url, title=text, heading=text, owner=text, scope=f"plan: {text}", locator=text)
    return replace(side, statement=f"{text} {text}", source_tier=text)
