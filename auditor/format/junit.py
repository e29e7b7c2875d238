"""`junit.xml`: findings and documents as test results.

Suite `contradictions`: a finding of the main list fails, an advisory one is skipped, a decided one passes. Suite `documents`: a
document that was read passes, one that was not is skipped with the reason.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

from auditor.format import ci
from auditor.format.files import write_text
from auditor.format.text import clip, visible
from auditor.model import Conflict, DocumentRow, ScanResult
from auditor.store import in_order

_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_QUOTE = 2_000


class JunitFormat:
    """Writes `junit.xml`; `prefix` is the folder of the corpus in the repository."""

    id = "junit"
    filename = "junit.xml"

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix

    def write(self, result: ScanResult, path: Path) -> None:
        """Write the test results."""
        write_text(path, render_junit(result, self.prefix))


def render_junit(result: ScanResult, prefix: str = "") -> str:
    """The test results as XML."""
    root = ET.Element("testsuites", name="corpus-auditor")
    suites = {
        "contradictions": [_finding(conflict, prefix) for conflict in in_order(result.conflicts)],
        "documents": [_document(row, prefix) for row in result.documents],
    }
    total = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for name, cases in suites.items():
        counts = {
            "tests": len(cases),
            "failures": sum(case.find("failure") is not None for case in cases),
            "errors": 0,
            "skipped": sum(case.find("skipped") is not None for case in cases),
        }
        suite = ET.SubElement(root, "testsuite", _written(name=name, time="0", **counts))
        suite.extend(cases)
        total = {key: total[key] + counts[key] for key in total}
    root.attrib.update(_written(time="0", **total))
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _finding(conflict: Conflict, prefix: str) -> ET.Element:
    # The id makes the name unique and lets a reader of two runs see which finding is which.
    case = _case(conflict.a.doc, f"{ci.subject(conflict)} [{conflict.conflict_id}]", prefix)
    if (lines := ci.file_lines(conflict.a)) is not None:
        case.set("line", str(lines[0]))
    if not ci.is_open(conflict):
        decision = " ".join(filter(None, (conflict.reviewer_decision, conflict.condition, conflict.decided_at)))
        ET.SubElement(case, "system-out").text = _xml(f"{conflict.status}: {ci.shown(decision)}")
    elif conflict.tier == "advisory":
        ET.SubElement(case, "skipped", _written(message=f"advisory: {ci.claims(conflict)}"))
    else:
        headline = {"message": f"{conflict.tier}: {ci.claims(conflict)}", "type": ci.rule_id(conflict.kind)}
        ET.SubElement(case, "failure", _written(**headline)).text = _xml(_details(conflict))
    return case


def _details(conflict: Conflict) -> str:
    parts = [ci.message(conflict), ""]
    for letter, side in (("A", conflict.a), ("B", conflict.b)):
        owner = f" (owner: {ci.shown(side.owner, 200)})" if side.owner else ""
        parts += [f"{letter}: {ci.place(side)}{owner}", visible(clip(side.quote, _QUOTE)), ""]
    return "\n".join(parts)


def _document(row: DocumentRow, prefix: str) -> ET.Element:
    case = _case(row.path, "read", prefix)
    if row.skipped_reason is not None:
        ET.SubElement(case, "skipped", _written(message=f"not read: {ci.shown(row.skipped_reason)}"))
    return case


def _case(doc: str, name: str, prefix: str) -> ET.Element:
    where = {"classname": visible(doc), "file": visible(ci.file_path(doc, prefix))}
    return ET.Element("testcase", _written(name=name, time="0", **where))


def _written(**attributes: object) -> dict[str, str]:
    return {name: _xml(str(value)) for name, value in attributes.items()}


def _xml(text: str) -> str:
    """`text` without characters that XML cannot hold in any way."""
    return _NOT_XML.sub("\ufffd", text)
