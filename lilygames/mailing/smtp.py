"""Send mail through the sysop's SMTP server, and say whose fault it is if that fails."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from email.message import EmailMessage

import aiosmtplib
from aiosmtplib import SMTP

from lilygames.mailing.items.outcomes import Bounced, NotSent, ServerDown
from lilygames.mailing.options import MailOptions

SECONDS = 20.0
"""Seconds to wait for each answer of the server."""
WHOLE = 60.0
"""Seconds for a whole mail."""
_OURS = ("5.7.",)
"""Enhanced status codes of refusals that are about us and our settings, not the mailbox (RFC 3463, 3.8)."""
_PERMANENT = range(500, 600)
_NEEDS_LOGIN = 530
"""The answer of a server that wants us to log in first (RFC 4954, 6)."""


class SmtpSession:
    """An open connection to the SMTP server."""

    def __init__(self, client: SMTP, options: MailOptions) -> None:
        self._client = client
        self._options = options

    async def send(self, to: str, mail: EmailMessage) -> None:
        """Send one mail. Raises `Bounced` if the address is refused for good, `NotSent`, and `ServerDown`."""
        try:
            async with asyncio.timeout(WHOLE):
                await self._client.sendmail(self._options.sender, [to], mail.as_bytes())
        except aiosmtplib.SMTPRecipientsRefused as refused:
            first = refused.recipients[0]
            raise _outcome(first.code, first.message) from refused
        except aiosmtplib.SMTPResponseException as refused:
            raise NotSent(f"{refused.code} {refused.message}") from refused
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as problem:
            raise ServerDown(in_words(problem)) from problem


def _outcome(code: int, message: str) -> Bounced | NotSent:
    """Return what the server's answer to an address means. Only a permanent one about the mailbox is a bounce."""
    ours = message.startswith(_OURS) or code == _NEEDS_LOGIN
    return Bounced(f"{code} {message}") if code in _PERMANENT and not ours else NotSent(f"{code} {message}")


def in_words(problem: BaseException) -> str:
    """Return an error of the connection as a short text, which may be empty in Python."""
    return " ".join(str(problem).split()) or type(problem).__name__


@asynccontextmanager
async def connected(options: MailOptions, tls: ssl.SSLContext | None = None) -> AsyncIterator[SmtpSession]:
    """Connect to the SMTP server and log in. Raises `ServerDown`."""
    client = SMTP(
        hostname=options.host,
        port=options.port,
        username=options.user or None,
        password=options.password or None,
        use_tls=options.tls == "tls",
        start_tls=options.tls == "starttls",
        tls_context=tls,
        timeout=SECONDS,
    )
    try:
        async with asyncio.timeout(WHOLE):
            await client.connect()
    except (aiosmtplib.SMTPException, OSError, TimeoutError) as problem:
        client.close()
        raise ServerDown(in_words(problem)) from problem
    try:
        yield SmtpSession(client, options)
    finally:
        with suppress(aiosmtplib.SMTPException, OSError, TimeoutError):
            async with asyncio.timeout(SECONDS):
                await client.quit()
        client.close()
