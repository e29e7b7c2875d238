"""Exports of other systems: the articles of the help centre as JSONL, the list of known issues as Parquet."""

from __future__ import annotations

import io
import json
from datetime import date

ARTICLES = [
    (
        "hc-2101",
        "What will a repair cost me?",
        "Repairs",
        "rosa",
        "2023-11-08",
        "It depends on the device. We look at it first and send you an estimate. "
        "Should you decide not to have it repaired, $15 are due for the estimate. Pay with the link in the mail.",
    ),
    (
        "hc-2102",
        "My parcel does not move",
        "Orders",
        "rosa",
        "2024-03-14",
        "Have a little patience: parcels are not scanned at every stop. After ten days without a scan a parcel counts as lost and we send another one.",
    ),
    (
        "hc-2103",
        "How long does the Cuffline take to charge?",
        "Devices",
        "devon",
        "2023-02-02",
        "From empty to full it takes 150 minutes. Any USB charger will do. You can measure while it charges, but the cable is in the way.",
    ),
    (
        "hc-2104",
        "I have a new phone",
        "App",
        "devon",
        "2024-01-22",
        "Install the app, sign in, done. Your readings are kept in your account and not on the phone. Pair the devices again if the app asks for it.",
    ),
    (
        "hc-2105",
        "Which cuff do I need?",
        "Devices",
        "rosa",
        "2023-06-30",
        "Measure your upper arm half-way between shoulder and elbow. Up to 28 cm take S, from there to 36 cm M, and up to 42 cm L. "
        "On the border between two sizes, take the larger one.",
    ),
    (
        "hc-2106",
        "Exporting charts for the doctor",
        "App",
        "devon",
        "2024-04-18",
        "Open a chart and choose Export. A PDF shows at most one year. If your doctor wants to see more, export twice with different dates.",
    ),
    (
        "hc-2107",
        "When do I get the weekly summary?",
        "App",
        "devon",
        "2024-05-23",
        "On Monday morning. If you do not want it, switch it off under Notifications.",
    ),
    (
        "hc-2108",
        "Weighing a pet",
        "Devices",
        "rosa",
        "2023-09-12",
        "Pets do not like to stand still on a scale. Weigh yourself with and without the animal, as a guest, so that it does not end up in your chart. "
        "For example, 71.4 kg with the cat and 67.1 kg without makes a cat of 4.3 kg.",
    ),
    (
        "hc-2109",
        "Customs and duties",
        "Orders",
        "rosa",
        "2024-03-14",
        "For a parcel to Norway, Switzerland or Great Britain you pay the duties yourself, usually to the carrier at the door.",
    ),
    (
        "hc-2110",
        "Gift cards",
        "Orders",
        "rosa",
        "2023-12-01",
        "A gift card is valid for five years. It can be spent in parts. We cannot take it back or pay it out.",
    ),
]

ISSUES = [
    (
        "KI-009",
        "Luma 3",
        "Ring stays blue",
        "The ring stays blue when the phone falls asleep during pairing. Wake the phone and wait for half a minute.",
        date(2023, 10, 20),
    ),
    (
        "KI-014",
        "Poise",
        "Guests had to give a name",
        "Before version 7.3 of the app, guests of the Poise were asked for their name.",
        date(2024, 4, 9),
    ),
    ("KI-018", "App", "Slow charts", "With version 7.2 of the app, charts took up to six seconds to appear.", date(2024, 4, 9)),
    (
        "KI-023",
        "Luma 3",
        "Pairing in a large room",
        "Pairing a Luma 3 works at a distance of one and a half metres; across the room it fails.",
        date(2023, 12, 4),
    ),
    ("KI-027", "App", "Pairing with a VPN", "Pairing does not work while a VPN is active on the phone.", date(2024, 1, 15)),
    (
        "KI-031",
        "Cuffline",
        "E5 on the display",
        "E5 comes up when the cuff of the Cuffline sits too loosely. Tighten it and start again.",
        date(2024, 2, 27),
    ),
    (
        "KI-034",
        "Poise",
        "Network not in the list",
        "Networks that use only 5 GHz do not show up in the list. This is as intended.",
        date(2024, 3, 5),
    ),
    (
        "KI-036",
        "App",
        "Widget is late",
        "The widget may be up to a quarter of an hour old. The operating system does not allow more.",
        date(2024, 5, 21),
    ),
]


def help_centre() -> bytes:
    names = ("id", "title", "category", "author", "updated", "body")
    lines = (json.dumps(dict(zip(names, article, strict=True)), ensure_ascii=False) for article in ARTICLES)
    return ("\n".join(lines) + "\n").encode("utf-8")


def known_issues() -> bytes:
    import polars

    out = io.BytesIO()
    table = polars.DataFrame(ISSUES, schema=["id", "product", "title", "text", "updated"], orient="row")
    table.write_parquet(out, compression="uncompressed", statistics=False)
    return out.getvalue()


DOCUMENTS = {"faq/help-centre-export.jsonl": help_centre, "support/known-issues.parquet": known_issues}
