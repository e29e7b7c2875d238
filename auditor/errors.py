"""Errors that are the user's to fix."""

from __future__ import annotations


class UserError(Exception):
    """A mistake the user can fix: the message is shown as it is, without a traceback, and the process ends with exit code 2."""
