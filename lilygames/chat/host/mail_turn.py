"""Which node mails to a person: one of several, so that one mail tells everything, and each mail is sent once."""

from __future__ import annotations

from lilygames.chat.host.host import Host


def mails_to(host: Host, key: str) -> bool:
    """Return whether this node sends the mail of the account with a key now. It is the first by rank."""
    return not host.cluster.lag(f"mail/{key}")
