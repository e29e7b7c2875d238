"""Typed facts: from spans of text to values with attribute and scope."""
