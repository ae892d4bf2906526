"""Send what is ready: by mail through one connection, and push messages side by side."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from email.message import EmailMessage
from functools import partial
from typing import Literal, Protocol

import attrs
import structlog

from lilygames.mailing import letters
from lilygames.mailing import subscription as steps
from lilygames.mailing.browsers import Browsers
from lilygames.mailing.items.outcomes import Bounced, NotSent, ServerDown
from lilygames.mailing.letters import Letter
from lilygames.mailing.options import MailOptions
from lilygames.mailing.subscription import Browser, Delivery, Subscription
from lilygames.mailing.subscriptions import Subscriptions
from lilygames.store import StoreUnavailable

log = structlog.get_logger()
PAUSE, LONGEST_PAUSE = 30.0, 900.0
"""Seconds to leave a server alone that can't be reached; each time twice as long, up to a limit."""
AT_ONCE = 8
"""Push messages that are sent at the same time."""
BROWSERS_AT_ONCE = 32
"""People whose browsers get a message at the same time. Their push services may be slow or made up."""
Count = Literal["sent", "failed", "bounced", "acted"]
"""Names of the counts for the metrics. `acted` are logins within a day of a notification."""


@attrs.frozen
class Ready:
    """A delivery with its text, for the account with this key. `told` are the keys of the items in it."""

    key: str
    delivery: Delivery
    to: str
    letter: Letter
    token: str
    told: tuple[str, ...] = ()
    browsers: tuple[Browser, ...] = ()
    """The browsers that get it."""


class Session(Protocol):
    """An open connection to a mail server."""

    async def send(self, to: str, mail: EmailMessage) -> None:
        """Send one mail. Raises `Bounced`, `NotSent` and `ServerDown`."""


class Delivering:
    """Sends deliveries. A compare-and-set gives each to one node, which has it for some minutes."""

    def __init__(
        self,
        subscriptions: Subscriptions,
        options: MailOptions,
        counts: Counter[Count],
        now: Callable[[], float],
        to_browsers: Browsers | None,
    ) -> None:
        self._subscriptions = subscriptions
        self._to_browsers = to_browsers
        self._options = options
        self._counts = counts
        self._now = now
        self._name = secrets.token_hex(8)
        self._sending: asyncio.Task[None] | None = None
        self._stopping = False
        self._browsing: dict[str, asyncio.Task[None]] = {}
        """Messages to browsers that are being sent, by the key of the account. Nobody waits for these."""
        self._turns = asyncio.Semaphore(BROWSERS_AT_ONCE)
        self._pauses: dict[str, tuple[float, float]] = {}
        """Until when to leave a server alone, and for how long that is, by its address."""

    async def send(self, ready: Sequence[Ready]) -> None:
        """Send everything that is ready, as far as the servers can be reached. Raises `StoreUnavailable`.

        If this is cancelled, what is being sent is still sent, and `finish` waits for it. Nothing else is sent then.
        """
        self._begin_browsers(ready)
        self._sending = asyncio.create_task(self._send_all(ready))
        try:
            await asyncio.shield(self._sending)
        except asyncio.CancelledError:
            self._stopping = True
            raise

    async def finish(self) -> None:
        """Wait until what was being sent when `send` was cancelled has been sent and recorded."""
        if going_on := {task for task in (self._sending, *self._browsing.values()) if task and not task.done()}:
            await asyncio.wait(going_on)

    async def _send_all(self, ready: Sequence[Ready]) -> None:
        mails = [one for one in ready if one.delivery.channel == "mail"]
        turns = asyncio.Semaphore(AT_ONCE)
        pushes = (self._send_push(one, turns) for one in ready if one.delivery.channel == "push")
        await asyncio.gather(self._send_mails(mails), *pushes)

    async def _send_mails(self, ready: Sequence[Ready]) -> None:
        if not ready:
            return
        if not self.may_reach(self._options.host):
            await self._put_off(ready, self._options.host)
            return
        from lilygames.mailing.smtp import connected  # noqa: PLC0415 - its library is only for places with mail

        try:
            async with connected(self._options) as session:
                for one in ready:
                    await self._send(one, partial(self._mail, session, one))
        except ServerDown as problem:
            self._leave_alone(self._options.host, problem)
        else:
            self._pauses.pop(self._options.host, None)

    async def _mail(self, session: Session, one: Ready) -> None:
        """Write a mail and send it."""
        mail = letters.mail_of(
            one.letter, self._options, to=one.to, mail_id=one.delivery.id, now=self._now(), token=one.token
        )
        await session.send(one.to, mail)

    async def _send_push(self, one: Ready, turns: asyncio.Semaphore) -> None:
        """Publish a push message, but never on a server that isn't listed any more."""
        from lilygames.mailing.push import publish  # noqa: PLC0415 - its library is only for places with push

        server, _, topic = one.to.partition(" ")
        if server not in self._options.push_servers:
            await self._change(one.key, partial(steps.bounced, channel="push", now=self._now()))
            return
        async with turns:
            if not self.may_reach(server):
                await self._put_off([one], server)
                return
            try:
                await self._send(one, partial(publish, server, topic, one.letter.subject, one.letter.brief))
            except ServerDown as problem:
                self._leave_alone(server, problem)
            else:
                self._pauses.pop(server, None)

    def _begin_browsers(self, ready: Sequence[Ready]) -> None:
        """Begin to send to browsers; whoever's message is still on its way isn't sent it twice."""
        for one in ready:
            if one.delivery.channel == "browser" and one.key not in self._browsing:
                self._browsing[one.key] = asyncio.create_task(self._send_browsers(one))

    async def _send_browsers(self, one: Ready) -> None:
        """Send a message to all browsers of a person, and forget those that take no more."""
        try:
            async with self._turns:
                with suppress(ServerDown):
                    await self._send(one, partial(self._push_to_browsers, one))
        except StoreUnavailable as problem:
            log.warning("a message to browsers isn't recorded and will be sent again", why=str(problem))
        finally:
            del self._browsing[one.key]

    async def _push_to_browsers(self, one: Ready) -> None:
        """Raise `Bounced` if no browser takes any more, and `NotSent` if none got it."""
        if self._to_browsers is None:
            raise NotSent("browsers get no messages any more")
        gone = [browser.endpoint for browser in await self._to_browsers.send(one.letter, one.browsers)]
        if gone:
            await self._to_browsers.remove(one.key, gone)
        if len(gone) == len(one.browsers):
            raise Bounced("all browsers")

    @property
    def reaches_something(self) -> bool:
        """Whether there is a server to try now."""
        if self._to_browsers:
            return True
        mail = [self._options.host] if self._options.has_mail else []
        return any(map(self.may_reach, (*mail, *self._options.push_servers)))

    def may_reach(self, server: str) -> bool:
        """Return whether to try a server now: it is left alone for a while after it couldn't be reached."""
        until, _ = self._pauses.get(server, (0.0, 0.0))
        return until <= self._now()

    async def _put_off(self, ready: Sequence[Ready], server: str) -> None:
        """Let others go first until the server is tried again."""
        until, _ = self._pauses[server]
        for one in ready:
            await self._change(one.key, partial(steps.put_off, delivery_id=one.delivery.id, due=until, now=self._now()))

    def _leave_alone(self, server: str, problem: ServerDown) -> None:
        """Don't use a server for a while, after it could not be reached."""
        _, before = self._pauses.get(server, (0.0, PAUSE / 2))
        pause = min(before * 2, LONGEST_PAUSE)
        self._pauses[server] = self._now() + pause, pause
        log.warning("cannot reach the server for mail or push messages", server=server, why=str(problem), pause=pause)

    async def _send(self, one: Ready, send: Callable[[], Awaitable[None]]) -> None:
        """Take a delivery, send it, and record what became of it. Raises `ServerDown`."""
        if self._stopping or not await self._taken(one):
            return
        channel = one.delivery.channel
        try:
            await send()
        except Bounced as why:
            self._counts["bounced"] += 1
            log.info("a destination was refused and is off now", channel=channel, why=_without(one.to, why))
            await self._change(one.key, partial(steps.bounced, channel=channel, now=self._now()))
        except (NotSent, ServerDown) as why:
            self._counts["failed"] += 1
            await self._change(one.key, partial(steps.failed, delivery_id=one.delivery.id, now=self._now()))
            if isinstance(why, ServerDown):
                raise
            log.warning("a message wasn't sent and will be tried again", channel=channel, why=_without(one.to, why))
        except Exception:
            self._counts["failed"] += 1
            log.exception("a message can't be sent", channel=channel)
            await self._change(one.key, partial(steps.failed, delivery_id=one.delivery.id, now=self._now()))
        else:
            self._counts["sent"] += 1
            await self._change(one.key, partial(steps.sent, delivery=one.delivery, keys=one.told, now=self._now()))

    async def _taken(self, one: Ready) -> bool:
        """Return whether this node may send a delivery now: no other has it, and it is still wanted."""
        won = False

        def take(before: Subscription | None) -> Subscription | None:
            nonlocal won
            won = False
            now = self._now()
            found = next((own for own in before.deliveries if own.id == one.delivery.id), None) if before else None
            if before is None or found is None or max(found.due, found.taken) > now:
                return before
            won = True
            return steps.taken(before, found, self._name, now)

        await self._subscriptions.change(one.key, take)
        return won

    async def _change(self, key: str, step: Callable[[Subscription], Subscription]) -> None:
        await self._subscriptions.change(key, lambda before: step(before) if before else None)


def _without(to: str, why: Exception) -> str:
    """Return why something wasn't sent, without the person's destination, for the log."""
    return str(why).replace(to, "(the address)")[:200]
