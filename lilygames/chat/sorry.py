"""The host's own refusal."""

from __future__ import annotations


class Sorry(Exception):
    """Something a person asked for cannot be done; its text is the sentence that says what can be done instead."""


class NoSuch(Sorry):
    """Nothing here has the name that was typed."""


class NeedsRepair(Sorry):
    """What is kept of somebody or something cannot be read, until the sysop has repaired it."""
