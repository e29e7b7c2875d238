"""The words a report explains itself with: tiers, categories, kinds, rules, states."""

from __future__ import annotations

from collections.abc import Mapping

TIERS: Mapping[str, str] = {
    "high": "Both passages clearly speak about the same thing and cannot both be true. Start here.",
    "medium": "Likely a contradiction, but something is open: a passage may hold for a narrower case, or a value is vague.",
    "advisory": "Worth a glance if you know the subject. Often a difference of wording; folded away at the end.",
}

CATEGORIES: Mapping[str, str] = {
    "outdated": "One passage supersedes the other: the older one was not updated.",
    "factual": "The passages state different facts, and nothing says that one replaces the other.",
    "opinion": "The passages recommend or judge differently. Neither is wrong as a fact.",
}

KINDS: Mapping[str, str] = {
    "numeric": "Numbers",
    "date": "Dates",
    "identifier": "Identifiers",
    "modality": "Obligations",
    "negation": "Negation",
    "status": "Status",
    "entity": "Names",
    "nli": "Wording",
}

RULES: Mapping[str, str] = {
    "owner_rule": "A rule in the configuration says which documents take precedence.",
    "authoritative_source": "The document from the source of higher authority is followed.",
    "timestamp": "The document that states the later date is followed; a dated one before an undated one.",
    "specificity": "The passage that names the condition or the exception is followed.",
    "escalate": "No rule separates the sides. Somebody who knows the subject has to decide.",
    "present_both": "An opinion has no winner: both positions are kept and shown.",
}

SOURCE_TIERS: Mapping[str, str] = {
    "primary": "primary source",
    "secondary": "secondary source",
    "tertiary": "tertiary source",
    "archive": "archive",
}

SOURCES: Mapping[str, str] = {
    "primary": "Binding for its subject: policies, contracts. It beats every other source.",
    "secondary": "Everything for which the configuration names no tier.",
    "tertiary": "Retells other documents: questions and answers, marketing. It gives way to the other two.",
    "archive": "Kept for the record. It never wins.",
}

STATUS_WORDS: Mapping[str, str] = {
    "auto_resolved": "A rule suggests which side to follow. Nothing has been changed.",
    "escalated": "No rule separates the sides; a person has to decide.",
    "decided": "A reviewer decided it in an earlier run.",
    "reopened": "It was decided, and one of the values has changed since.",
    "dismissed": "A reviewer or a rule found that it is no contradiction.",
}

STATES: Mapping[str, str] = {
    "auto_resolved": "Suggestion",
    "escalated": "Open",
    "decided": "Decided",
    "reopened": "Reopened",
    "dismissed": "Dismissed",
}

DECISIONS: Mapping[str, str] = {
    "accept_a": "A holds",
    "accept_b": "B holds",
    "both_with_condition": "both hold, under a condition",
    "neither": "neither holds",
    "request_fresher": "a fresher source is needed",
    "not_a_contradiction": "not a contradiction",
}

NO_OWNER = "nobody named"
TOP_FOLDER = "(top folder)"

BADGES: Mapping[str, str] = {
    "winning": "suggested",
    "newest": "newest",
    "authoritative": "authoritative",
    "majority": "majority",
}


LANGUAGES: Mapping[str, str] = {
    "ar": "Arabic",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "es": "Spanish",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "hu": "Hungarian",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sv": "Swedish",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "zh": "Chinese",
}


def plural(count: int, one: str, many: str = "") -> str:
    """ "1 document", "1,204 documents"."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def sureness(confidence: float) -> int:
    """The confidence in per cent, 99 at most: no finding is certain."""
    return min(99, round(confidence * 100))


def listed(parts: list[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]])) if parts else ""
