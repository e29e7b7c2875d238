"""The first page of a report in words and figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from auditor.format.overview import UNDATED, Overview
from auditor.format.since import Since
from auditor.format.text import one_line
from auditor.format.words import NO_OWNER, listed, plural
from auditor.history import SETTLED
from auditor.load.language import has_rules
from auditor.model import Conflict, DocumentRow, ScanResult

_NAMED = 3  # folders, owners, facts and reasons named in a sentence


def plain_documents(result: ScanResult) -> tuple[DocumentRow, ...]:
    """Documents in languages without a rule pack: their numbers, dates and identifiers are compared, and nothing else."""
    return tuple(row for row in result.documents if row.skipped_reason is None and not has_rules(row.language))


def scanned(result: ScanResult, skipped: int) -> list[tuple[str, str]]:
    """Label and figure of what was scanned."""
    read = [row for row in result.documents if row.skipped_reason is None]
    figures = [
        ("documents read", f"{len(read):,}"),
        ("not read", f"{skipped:,}"),
        *_some("left out by configuration or .auditignore", result.counts.get("ignored", 0)),
        *_some("read in part", sum(bool(row.notices) for row in read)),
        *_some("copies of other documents", sum(row.copy_of is not None for row in read)),
        *_some("in other languages, compared by numbers, dates and identifiers only", len(plain_documents(result))),
        ("words", f"{sum(row.words for row in read):,}"),
        ("statements", f"{result.counts.get('statements', sum(row.statements for row in read)):,}"),
        ("facts", f"{result.counts.get('facts', sum(row.facts for row in read)):,}"),
    ]
    if (compared := result.counts.get("candidates")) is not None:
        possible = result.counts.get("possible_pairs")
        figures.append((f"pairs compared, of {possible:,} possible" if possible else "pairs compared", f"{compared:,}"))
    return figures


def _some(label: str, count: int) -> list[tuple[str, str]]:
    """A figure that is worth a line only where there is something to count."""
    return [(label, f"{count:,}")] if count else []


def summary(result: ScanResult, conflicts: Sequence[Conflict], clusters: int, skipped: int) -> str:
    """One paragraph in plain words, "" when nothing was found."""
    read = len(result.documents) - skipped
    if not conflicts:
        return ""
    involved = len({side.doc for conflict in conflicts for side in (conflict.a, conflict.b)})
    tiers = Counter(conflict.tier for conflict in conflicts)
    graded = {
        "high": plural(tiers["high"], "is clear-cut", "are clear-cut"),
        "medium": plural(tiers["medium"], "is likely and needs a closer look", "are likely and need a closer look"),
    }
    # Most hints are false alarms: they are counted, and not called contradictions.
    hints = tiers["advisory"]
    counted = [plural(len(conflicts) - hints, "contradiction")] if len(conflicts) > hints else []
    counted += [plural(hints, "hint at a contradiction", "hints at contradictions")] if hints else []
    settled = sum(conflict.status in SETTLED for conflict in conflicts)
    opinions = sum(conflict.rule_applied[-1:] == ("present_both",) for conflict in conflicts)
    suggested = sum(conflict.winner is not None and conflict.status not in SETTLED for conflict in conflicts)
    opened = len(conflicts) - settled - opinions - suggested
    outcome = [f"for {suggested:,} the rules suggest which side to follow"] if suggested else []
    outcome += [f"{plural(opened, 'needs', 'need')} somebody who knows the subject"] if opened > 0 else []
    outcome += [f"{plural(opinions, 'is a difference of opinion', 'are differences of opinion')}"] if opinions else []
    outcome += [f"{plural(settled, 'has', 'have')} been decided before"] if settled else []
    them = "it" if skipped == 1 else "them"
    sentences = [
        f"{listed(counted)} about {plural(clusters, 'fact')}, in {involved:,} of {plural(read, 'document')}.",
        f"{listed([graded[tier] for tier in graded if tiers[tier]])}." if any(tiers[tier] for tier in graded) else "",
        f"{listed(outcome)}." if outcome else "",
        f"{plural(skipped, 'file')} could not be read, so nothing is known about {them}." if skipped else "",
    ]
    return " ".join(sentence[:1].upper() + sentence[1:] for sentence in sentences if sentence)


def points(
    overview: Overview, subjects: Sequence[str], skipped: Sequence[DocumentRow], since: Since | None
) -> tuple[tuple[str, str], ...]:
    """The summary for somebody who reads no further: heading and sentence each. `subjects` are the facts of the main list in order."""
    found = [("Start with", _start(subjects)), ("Where", _where(overview)), ("Who", _who(overview)), ("How old", _age(overview))]
    found.append(("Changes", since.sentence if since else ""))
    found.append(("Not read", _unread(skipped)))
    return tuple((head, text) for head, text in found if text)


def _start(subjects: Sequence[str]) -> str:
    names = [f"“{one_line(subject, 70)}”" for subject in subjects[:_NAMED]]
    more = len(subjects) - len(names)
    return listed([*names, plural(more, "more fact")] if more > 0 else names) + "." if names else ""


def _where(overview: Overview) -> str:
    bars = [bar for bar in overview.folders if bar.key or bar.label][:_NAMED]
    if len(overview.folders) < 2:
        return ""
    return f"{listed([f'{one_line(bar.label, 40)} ({bar.total:,})' for bar in bars])} hold the most findings."


def _who(overview: Overview) -> str:
    named = [row for row in overview.owners if row.owner != NO_OWNER and row.correct + row.decide]
    nobody = next((row for row in overview.owners if row.owner == NO_OWNER), None)
    sentences = []
    if named:
        loads = [f"{one_line(row.owner, 50)} has {row.correct + row.decide:,}" for row in named[:_NAMED]]
        sentences.append(f"To correct or decide: {listed(loads)}.")
    if nobody and nobody.correct + nobody.decide:
        verb = "touches a document" if nobody.correct + nobody.decide == 1 else "touch documents"
        sentences.append(f"{nobody.correct + nobody.decide:,} {verb} for which no owner is named.")
    return " ".join(sentences)


def _age(overview: Overview) -> str:
    total = sum(bar.total for bar in overview.ages)
    undated = sum(bar.total for bar in overview.ages if bar.label == UNDATED)
    old = sum(bar.total for bar in overview.ages[3:5])
    said = [f"{plural(old, 'is', 'are')} three years old or more"] if old else []
    said += [f"{plural(undated, 'states', 'state')} no date"] if undated else []
    return f"Of {plural(total, 'document')} involved, {listed(said)}." if said else ""


def _unread(skipped: Sequence[DocumentRow]) -> str:
    """Coverage: an empty list of findings means nothing for a document that stands here."""
    if not skipped:
        return ""
    reasons = Counter(one_line(row.skipped_reason or "", 60) for row in skipped).most_common()
    named = [f"{reason} ({count:,})" for reason, count in reasons[:_NAMED]]
    if len(reasons) > _NAMED:
        named.append(plural(len(reasons) - _NAMED, "other reason"))
    return f"{plural(len(skipped), 'file')}: {listed(named)}."
