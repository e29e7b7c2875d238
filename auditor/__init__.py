"""Corpus auditor: finds where an organisation's documents contradict each other."""

__version__ = "0.1.0"
