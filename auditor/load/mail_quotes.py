"""What a message says itself: without the messages it answers and the signature, and what it passes on apart from it.

A reply repeats older messages, which stand in the store themselves or said what no longer holds; they are cut. What is *forwarded* is
often the only content of a message and was written by somebody else at another time; it is kept as a document of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

MAX_SECTIONS = 10
_MAX_ATTRIBUTION = 400
_LABELS = {
    "from": "from von de da van från fra",
    "date": "sent date gesendet datum envoyé envoyé_le enviado enviado_el fecha data inviato data_invio verzonden skickat sendt",
    "to": "to an à para a aan till til",
    "cc": "cc kopie copie",
    "subject": "subject betreff objet asunto oggetto onderwerp assunto ämne emne",
    "other": "bcc reply-to antwort_an répondre_à importance wichtigkeit attachments anlagen organization",
}
_FIELD_OF = {word.replace("_", " "): name for name, words in _LABELS.items() for word in words.split()}
_LABEL = re.compile(
    rf"[*_]{{0,2}}({'|'.join(sorted(map(re.escape, _FIELD_OF), key=len, reverse=True))})[*_]{{0,2}}\s?:[*_]{{0,2}}\s*(.*)",
    re.IGNORECASE,
)
_ONE_LINE = re.compile(
    r"(?>(?:From|Von|De)\s?: .{2,200}? (?:Sent|Date|Gesendet|Envoyé|Enviado(?: el)?)\s?: )(?>.{2,100}? (?:To|An|À|Para|A)\s?: )"
    r"(?>.{2,400}? (?:Subject|Betreff|Objet|Asunto)\s?: )(?P<subject>.*)"
)
_FORWARDED = re.compile(
    r"(?P<sign>[-_*\s]*)(?:begin forwarded message|(?:original )?forwarded message|forwarded by .{2,200}|"
    r"anfang der weitergeleiteten (?:nachricht|e-?mail)|weitergeleitete nachricht|début du message (?:transféré|réexpédié)|"
    r"message transféré|inicio del mensaje reenviado|mensaje reenviado|inizio messaggio inoltrato|messaggio inoltrato|"
    r"mensagem encaminhada|begin doorgestuurd bericht|doorgestuurd bericht)\s*(?P<end>[-_:*\s]*)",
    re.IGNORECASE,
)
_ORIGINAL = re.compile(
    r"[-_*\s]{2,}(?:original message|original appointment|original-nachricht|ursprüngliche nachricht|originalnachricht|"
    r"message d['’]origine|message original|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|"
    r"reply message)[-_*\s]{2,}",
    re.IGNORECASE,
)
_SAID = r"(?:wrote|schrieb|a écrit|escribió|ha scritto|escreveu|schreef|skrev)"
_OPENS = re.compile(r"(?:on|am|le|el|il|em|op|den|at)\s", re.IGNORECASE)
_ATTRIBUTION = re.compile(
    rf"(?>(?:on|am|le|el|il|em|op|den|at)\s.{{3,}}?\b{_SAID}\b).{{0,200}}|(?>.{{2,200}}?\b{_SAID}\b).{{0,120}}", re.IGNORECASE
)
_SAID_ON = re.compile(rf"\b{_SAID}\s+(?:on|am|le|el|il|em|op)\s|@", re.IGNORECASE)
_DATED = re.compile(r"\d{1,2}[:.h]\d\d|@|\b(?:19|20)\d\d\b")
_FORWARDING = re.compile(r"\s*(?:\[[^\]]{1,60}\]\s*)?(?:fwd?|wg|tr|rv|enc|doorst|i)\s*:", re.IGNORECASE)
_RULE = re.compile(r"[_\-=*]{5,}$")

_MOBILE = re.compile(
    r"(?:sent from (?:my |mail for |outlook|yahoo|the all new aol).{0,60}|get outlook for .{3,30}|von meinem .{2,40} gesendet.{0,3}|"
    r"gesendet (?:von|mit|über) (?:meinem |der |outlook|mail ).{0,60}|diese nachricht wurde von mein.{2,60} gesendet.{0,3}|"
    r"envoyé (?:de|depuis) (?:mon|l).{2,60}|enviado desde (?:mi|outlook).{0,60}|inviato da(?:l mio)? .{2,40})",
    re.IGNORECASE,
)
_LIST_FOOTER = re.compile(
    r"you received this message because you are subscribed|to unsubscribe from this (?:group|list)|.{0,80}\bmailing list(?:\s*$|\s*[-–(])",
    re.IGNORECASE,
)
_DISCLAIMER = re.compile(
    r"\W*(?:confidentiality (?:notice|note)|(?:legal )?disclaimer\b|vertraulichkeitshinweis|avis de confidentialité|aviso (?:legal|de confidencialidad))"
    r"|\b(?:this|the information (?:contained )?in this|the contents? of this) (?:e-?mail|electronic mail|message|communication|transmission)\b"
    r".{0,250}\b(?:confidential|privileged|intended (?:only|solely|exclusively)|intended for the|named addressee)"
    r"|\bif you (?:are not the (?:intended|named|correct)|have received this (?:e-?mail|message|communication))\b"
    r"|\bdiese (?:e-?mail|nachricht) (?:enthält|kann|ist|und)\b.{0,200}\b(?:vertraulich|rechtlich geschützt|ausschließlich für)"
    r"|\bce (?:message|courriel|courrier|mail)\b.{0,200}\bconfidentiel"
    r"|\beste (?:mensaje|correo)\b.{0,200}\bconfidencial"
    r"|\b(?:please )?(?:consider|think of) the environment before printing|\bdenken sie an die umwelt",
    re.IGNORECASE | re.DOTALL,
)
_BANNER = re.compile(
    r"\W*(?:caution|warning|external(?: e-?mail| sender| message)?|achtung|extern)\W{1,6}.{0,120}\b(?:outside|external|externen?)\b.{0,300}"
    r"|this (?:e-?mail|message) (?:originated|was sent) from outside.{0,300}|you don['’]t often get e?-?mail from .{0,200}",
    re.IGNORECASE | re.DOTALL,
)
_CLOSING = re.compile(
    r"(?:(?:with )?(?:best|kind|warm|kindest|warmest|many)?\s*(?:regards|wishes|thanks)|best|thanks(?: again| a lot| in advance)?|thank you|cheers|"
    r"(?:yours )?(?:sincerely|faithfully|truly)|(?:mit )?(?:freundlichen?|besten?|herzlichen?|viele[nr]?|liebe[nr]?|schöne[nr]?) grü(?:ß|ss)en?.{0,25}|"
    r"mfg|lg|vg|(?:bien )?cordialement|(?:bien )?à vous|salutations.{0,20}|(?:un )?(?:cordial )?saludos?(?: cordiales)?|atentamente|"
    r"cordiali saluti|met vriendelijke groet(?:en)?|atenciosamente)\W{0,3}$",
    re.IGNORECASE,
)
_MORE = re.compile(r"P\.?\s?S\b|[-*•>]\s")
_MAX_SIGNATURE, _MAX_CONTACT = 30, 12


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a message. `depth` tells how many quotations it stands in, `mark` what the mail program called it."""

    text: str
    depth: int = 0
    soft: bool = False  # in a block quotation that may be the writer's own
    block: bool = False  # a paragraph of its own
    mark: str = ""  # "attribution" ("On … wrote:"), "divider" (what follows is an older message), "signature"


@dataclass(frozen=True, slots=True)
class Section:
    """The lines, by number, that the message or somebody whose message it forwards wrote; `header` is of the latter."""

    lines: list[int]
    header: dict[str, str] = field(default_factory=dict)
    forwarded: bool = False


def split(lines: Sequence[Line], subject: str) -> list[Section]:
    """The message's own lines, then those of the messages that it forwards."""
    sections: list[Section] = []
    header: dict[str, str] = {}
    at, base, forwarded = 0, 0, False
    while True:
        kept, following = _own(lines, at, base, bool(_FORWARDING.match(header.get("subject", "") if forwarded else subject)))
        sections.append(Section(_unsigned(lines, kept), header, forwarded))
        if following is None or len(sections) >= MAX_SECTIONS:
            return sections
        header, at = following
        first = next((line for line in lines[at : at + 50] if line.text.strip()), None)
        base, forwarded = first.depth if first else 0, True


def _own(lines: Sequence[Line], at: int, base: int, forwarding: bool) -> tuple[list[int], tuple[dict[str, str], int] | None]:
    """The lines kept from `at` on, and the header and place of a forwarded message that follows."""
    kept: list[int] = []
    i, quoted = at, False
    while i < len(lines):
        line = lines[i]
        text = line.text.strip()
        if text and line.depth < base:
            break  # behind the quotation that holds the forwarded message
        if (line.depth <= base or not quoted) and (match := _FORWARDED.fullmatch(text)) and (match["sign"] or match["end"]):
            return kept, _header(lines, i + 1)
        if line.depth > base:
            quoted, i = True, i + 1
            continue
        if text:
            quoted = False
        if line.mark == "signature":
            i += 1
            continue
        if divided := _divider(lines, i):
            return kept, divided if forwarding else None
        if size := _attribution(lines, i, base):
            after = next((k for k in range(i + size, min(i + size + 5, len(lines))) if lines[k].text.strip()), len(lines))
            if after < len(lines) and (lines[after].depth > base or lines[after].soft):
                i = after
                while i < len(lines) and (lines[i].soft or lines[i].depth > base or not lines[i].text.strip()):
                    i += 1
                continue
            said = " ".join(entry.text.strip() for entry in lines[i : i + size])
            if _DATED.search(said) and (_OPENS.match(said) or _SAID_ON.search(said)):
                return kept, None  # older messages without any sign in front of their lines
        kept.append(i)
        i += 1
    return kept, None


def _divider(lines: Sequence[Line], i: int) -> tuple[dict[str, str], int] | None:
    """The header of an older message that begins here and where its text begins."""
    text = lines[i].text.strip()
    if not text:
        return None
    if _ORIGINAL.fullmatch(text):
        return _header(lines, i + 1)
    if match := _ONE_LINE.match(text):
        return {"subject": match["subject"]}, i + 1
    label = _LABEL.match(text)
    if label is None and not (lines[i].mark == "divider" or _RULE.match(text)):
        return None
    fields, end = _header(lines, i if label else i + 1)
    if lines[i].mark == "divider":  # in whatever language
        return (fields, end) if len(fields) >= 2 else ({}, i)
    if (
        next(iter(fields), "") == "from"
        and "date" in fields
        and ("subject" in fields or ("to" in fields and "@" in fields["from"]))
    ):
        return fields, end
    return None


def _header(lines: Sequence[Line], i: int) -> tuple[dict[str, str], int]:
    """ "Name: value" lines of a message header from line `i` on, and the line behind them."""
    fields: dict[str, str] = {}
    end = k = i
    last = ""
    while k < len(lines) and k < end + 3:
        text = lines[k].text.strip()
        if match := _LABEL.match(text):
            last = _FIELD_OF[match[1].lower()]
            if last in fields and last != "other":
                break
            fields[last] = match[2].strip()
            end = k + 1
        elif text:
            if not (last in {"to", "cc"} and k == end and ("@" in text or text.endswith((";", ",")))):
                break
            end = k + 1
        k += 1
    return fields, end


def _attribution(lines: Sequence[Line], i: int, base: int) -> int:
    """How many lines an introduction of a quoted message ("On … wrote:") takes that begins here; 0: there is none."""
    if lines[i].mark == "attribution":
        size = 1
        while i + size < len(lines) and lines[i + size].mark == "attribution":
            size += 1
        return size
    text = ""
    for size in (1, 2, 3):
        if i + size > len(lines):
            return 0
        line = lines[i + size - 1]
        part = line.text.strip()
        if not part or line.depth != base or len(text) + len(part) > _MAX_ATTRIBUTION:
            return 0
        text = f"{text} {part}".strip()
        if text.endswith((":", "：")) and _ATTRIBUTION.fullmatch(text):
            return size
        if (
            size == 1
            and text.endswith(":")
            and _DATED.search(text)
            and "@" in text
            and i + 1 < len(lines)
            and lines[i + 1].depth > base
        ):
            return size  # whatever the language
        if not _OPENS.match(text):
            return 0
    return 0


def _unsigned(lines: Sequence[Line], kept: list[int]) -> list[int]:
    """The lines without banner, signature, list footer and disclaimer."""
    filled = [i for i in kept if lines[i].text.strip()]
    for n, i in enumerate(filled):
        text = lines[i].text.rstrip()
        rest = len(filled) - n - 1
        if text == "--" and rest <= _MAX_SIGNATURE:
            filled = filled[:n]
            break
        footer = _LIST_FOOTER.match(text) or (_RULE.match(text) and rest and _LIST_FOOTER.match(lines[filled[n + 1]].text))
        if footer and rest <= _MAX_SIGNATURE:
            filled = filled[:n]
            break
    paragraphs = _paragraphs(lines, kept, filled[-1] if filled else -1)
    if paragraphs and _BANNER.fullmatch(_joined(lines, paragraphs[0])):
        paragraphs.pop(0)
    for n in range(max(len(paragraphs) - 6, 1), len(paragraphs)):
        if _DISCLAIMER.search(_joined(lines, paragraphs[n])[:1000]) and sum(len(_joined(lines, p)) for p in paragraphs[n:]) < 6000:
            del paragraphs[n:]
            break
    left = [i for paragraph in paragraphs for i in paragraph]
    left = [i for n, i in enumerate(left) if n < len(left) - 3 or not _MOBILE.fullmatch(lines[i].text.strip())]
    for n in range(max(len(left) - _MAX_CONTACT - 1, 0), len(left)):
        if n and _CLOSING.match(lines[left[n]].text.strip()) and not any(_says(lines[i].text.strip()) for i in left[n + 1 :]):
            left = left[:n]
            break
    wanted = set(left)
    end = left[-1] if left else -1
    return [i for i in kept if i in wanted or (i < end and not lines[i].text.strip())]


def _says(text: str) -> bool:
    """Whether a line below the closing words is more than a name or an address."""
    return len(text) > 100 or _MORE.match(text) is not None or (text.endswith((".", "!", "?", ":")) and len(text.split()) >= 5)


def _paragraphs(lines: Sequence[Line], kept: list[int], end: int) -> list[list[int]]:
    paragraphs: list[list[int]] = [[]]
    for i in kept:
        if i > end:
            break
        if lines[i].text.strip() and not (paragraphs[-1] and lines[i].block):
            paragraphs[-1].append(i)
        elif lines[i].text.strip():
            paragraphs.append([i])
        elif paragraphs[-1]:
            paragraphs.append([])
    return [paragraph for paragraph in paragraphs if paragraph]


def _joined(lines: Sequence[Line], paragraph: list[int]) -> str:
    return " ".join(lines[i].text.strip() for i in paragraph[:60])
