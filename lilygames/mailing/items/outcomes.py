"""Errors of sending: the type says what to do about it."""

from __future__ import annotations


class Bounced(Exception):
    """The destination doesn't exist, or refuses everything from us: turn it off."""


class NotSent(Exception):
    """This message wasn't sent: try again later."""


class ServerDown(Exception):
    """Nothing can be sent through this server now: try everything again later."""
