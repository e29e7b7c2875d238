"""Writes outlook.msg with aspose-email-foss 26.3 (MIT, PyPI): a reply with a table, a file, a picture and two attached messages.

`make_outlook.mjs` writes outlook-2.msg with another program.
"""

import struct
from datetime import UTC, datetime
from pathlib import Path

from aspose.email_foss import msg

RTF = rb"""{\rtf1\ansi\ansicpg1252\fromhtml1 \deff0
{\fonttbl {\f0\fswiss Arial;}{\f1\fswiss\fcharset204 Arial;}}
{\*\htmltag64}\uc1\pard\plain\f0\fs24
{\*\htmltag18 <html>}{\*\htmltag50 <body>}{\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 The fee is 20\~\u8364 ?\htmlrtf\par}\htmlrtf0
{\*\htmltag72 </p>}{\*\htmltag84 <ul>}{\*\htmltag84 <li>}\htmlrtf \bullet \htmlrtf0 {\f1 \'c4\'e0}, \'84free\'93{\*\htmltag92 </li>}{\*\htmltag92 </ul>}
{\*\htmltag58 </body>}{\*\htmltag27 </html>}}"""


def letter(subject: str, body: str, name: str, address: str) -> msg.MapiMessage:
    made = msg.MapiMessage.create(subject, body)
    made.set_property(msg.PropertyId.SENDER_NAME, name)
    made.set_property(msg.PropertyId.SENDER_EMAIL_ADDRESS, address)
    return made


inner = letter("Retention of logs", "Logs are kept for 30 days.\r\n", "Bo Berg", "bo@example.org")
inner.add_attachment("inner.txt", b"The inner fee is 3 EUR.\n", mime_type="text/plain")
packed = letter("Fees", "", "Bo Berg", "/o=Example/ou=Exchange/cn=bo")
packed.set_property(0x1009, 0x0102, struct.pack("<II4sI", len(RTF) + 12, len(RTF), b"MELA", 0) + RTF)
outer = letter("AW: Retention of logs", "See the table in HTML.", "Ann Lee", "ann@example.org")
outer.body_html = (
    "<html><body><p>Logs – kept:</p><table><tr><th>Log</th><th>Days</th></tr><tr><td>audit</td><td>90</td></tr></table>"
    "<p>Best regards</p><p>Ann</p></body></html>"
)
outer.set_property(0x0039, 0x0040, datetime(2024, 3, 5, 8, 15, tzinfo=UTC))
outer.add_attachment("Fées (1).md", b"# Fees\n\nThe fee is 20 EUR.\n", mime_type="text/markdown")
outer.add_attachment("logo.png", b"\x89PNG", mime_type="image/png")
outer.add_embedded_message_attachment(inner)
outer.add_embedded_message_attachment(packed)
outer.save(Path(__file__).with_name("outlook.msg"))
