"""Use a renewed TLS certificate without a restart, and tell the sysops before it expires."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import structlog

from lilygames import log_events
from lilygames.chat.host.host import Host
from lilygames.chat.people.people import Person
from lilygames.chat.tasks.periodic import regularly
from lilygames.edge.connections.certificate_facts import Facts
from lilygames.edge.connections.tls import ServerCertificate, Unusable
from lilygames.text import Line, count

GLANCE = 20.0
"""Seconds between checks of the files."""
DAY = 86400.0
WARNED = (1, 7, 14)
"""Days before the end when each sysop is told, and the log."""
log = structlog.get_logger()


class CertificateWatch:
    """Looks at a certificate again and again. Each node tells the sysops that it serves."""

    def __init__(self, certificate: ServerCertificate, host: Host, clock: Callable[[], float] = time.time) -> None:
        self._certificate = certificate
        self._host = host
        self._clock = clock
        self._told: dict[str, int] = {}
        """The number of days in `WARNED` that each sysop was told of last; an empty name is the log."""
        self._failed = ""

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the certificate expires, negative afterwards; None if its dates can't be read."""
        facts = self._certificate.facts
        return facts.ends - self._clock() if facts else None

    async def watch(self) -> None:
        """Look at once, and then again and again until cancelled."""
        await regularly(GLANCE, self.look, "can't check the TLS certificate", first=0)

    async def look(self) -> None:
        """Use the files if they have changed, and warn if the certificate ends soon."""
        await self._renew()
        facts = self._certificate.facts
        if facts is None or facts.ends - self._clock() > WARNED[-1] * DAY:
            self._told.clear()
        else:
            self._warn(facts)

    async def _renew(self) -> None:
        """Load changed files. If they can't be used, keep the old ones, log why once, and try again."""
        try:
            renewed = await asyncio.to_thread(self._certificate.renewed)
        except Unusable as problem:
            if str(problem) != self._failed:
                log.warning("the new TLS certificate can't be used, so the old one stays", why=str(problem))
            self._failed = str(problem)
            return
        self._failed = ""
        if renewed:
            self._told.clear()
            facts = self._certificate.facts
            log_events.certificate_renewed(until=day(facts.ends) if facts else "")

    def _warn(self, facts: Facts) -> None:
        """Tell the log and each sysop who is here, once for each number of days in `WARNED`."""
        left = facts.ends - self._clock()
        days = next(days for days in WARNED if left <= days * DAY)
        sentence = f"{expiry(self._certificate.certificate, facts, self._clock())}. No restart is needed"
        if self._told.get("") != days:
            self._told[""] = days
            log.warning("the TLS certificate must be renewed", why=sentence)
        for sysop in self._sysops():
            if self._told.get(sysop.name) != days:
                self._told[sysop.name] = days
                sysop.show(Line(f"(for the sysop: {sentence})"))

    def _sysops(self) -> Iterator[Person]:
        return (person for person in self._host.people.nearby() if person.local and self._host.is_sysop(person))


def expiry(certificate: Path, facts: Facts, now: float) -> str:
    """Return when a certificate expires or expired, and what to do. `now` is in UTC seconds."""
    left = facts.ends - now
    when = f"expires in {count(int(left / DAY), 'day')}" if left > DAY else "expires today" if left > 0 else "expired"
    return f"the TLS certificate {certificate} {when} ({day(facts.ends)}): replace it with a new one"


def day(at: float) -> str:
    """Return the date of a time in UTC seconds."""
    return datetime.fromtimestamp(at, UTC).date().isoformat()
