"""The host's own refusal."""

from __future__ import annotations

NOTHING_SAVED = "the server can't save anything right now, so nothing was done. The sysop has been told."
"""What somebody is told while the store is not the one that was opened."""


class Sorry(Exception):
    """Something a person asked for cannot be done; its text is the sentence that says what can be done instead."""


class NoSuch(Sorry):
    """Nothing here has the name that was typed."""


class NeedsRepair(Sorry):
    """What is kept of somebody or something cannot be read, until the sysop has repaired it."""
