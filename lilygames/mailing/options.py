"""The sysop's settings for mail and push, and what an address may look like."""

from __future__ import annotations

import re
from email.headerregistry import Address

import attrs

from lilygames.text import clean

LONGEST = 254
"""Characters of a mail address (RFC 5321, 4.5.3.1)."""
_ADDRESS = re.compile(
    r"(?=.{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
)
TOPIC = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""A topic, as ntfy defines it."""
SERVER = re.compile(r"https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~-]+)*")
"""The address of a push server: without a user, a query or a fragment."""


def is_address(text: str) -> bool:
    """Return whether a text is a plain mail address, in ASCII. A quoted name before the `@` isn't supported."""
    return len(text) <= LONGEST and bool(_ADDRESS.fullmatch(text))


def mailbox(address: str) -> str:
    """Return an address without its case and without a tag (`ann+games@...`), to count what goes to one mailbox."""
    name, _, domain = address.casefold().rpartition("@")
    return f"{name.partition('+')[0]}@{domain}"


@attrs.frozen
class MailOptions:
    """How to send mail and push messages. Mail needs a host, and push needs servers."""

    name: str = "lilygames"
    """The name of the place."""
    address: str = ""
    """Where people connect: `games.example 7777`."""
    host: str = ""
    port: int = 587
    tls: str = "starttls"
    """`starttls`, `tls` or `none`."""
    user: str = ""
    password: str = attrs.field(default="", repr=False)
    sender: str = ""
    """The address that mails come from."""
    unsubscribe: str = ""
    """Where unsubscribe requests go: an address or an https URL; empty for the sender."""
    push_servers: tuple[str, ...] = ()
    web_address: str = ""
    """Where the page is: `https://play.example`. Empty if there's no page with https."""
    web_push: bool = False
    """Whether browsers can get push messages."""

    @property
    def has_mail(self) -> bool:
        """Whether mail can be sent."""
        return bool(self.host)

    @property
    def has_push(self) -> bool:
        """Whether push messages can be sent."""
        return bool(self.push_servers)

    @property
    def on(self) -> bool:
        """Whether anything can be sent."""
        return self.has_mail or self.has_push or self.web_push

    @property
    def contact(self) -> str:
        """Where a push service can reach the sysop (RFC 8292, 2.1)."""
        return f"mailto:{self.sender}" if self.sender else self.web_address

    @property
    def sender_header(self) -> Address:
        """The sender with the name of the place."""
        return Address(display_name=clean(self.name), addr_spec=self.sender)
