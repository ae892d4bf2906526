"""Messages to people's browsers: to all of a person's at once, signed with the key of this place."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence

import structlog

from lilygames.errors import UserError
from lilygames.mailing import subscription as steps
from lilygames.mailing.browser_push import BrowserPush, Message, Sender
from lilygames.mailing.items.outcomes import Bounced, NotSent, ServerDown
from lilygames.mailing.letters import Letter
from lilygames.mailing.options import MailOptions
from lilygames.mailing.subscription import Browser, Subscription
from lilygames.mailing.subscriptions import Subscriptions

log = structlog.get_logger()


class Browsers:
    """Sends letters to browsers. No push service is waited for longer than some seconds."""

    def __init__(self, subscriptions: Subscriptions, options: MailOptions) -> None:
        self._subscriptions = subscriptions
        self._options = options
        self._push = BrowserPush()

    async def public_key(self) -> str:
        """Return the key for which a page subscribes. Raises `StoreUnavailable`."""
        return (await self._sender()).public_key

    async def add(self, key: str, name: str, browser: Browser) -> None:
        """Send an account's messages to a browser, too. Raises `UserError` if there are too many."""
        full = False

        def step(before: Subscription | None) -> Subscription | None:
            nonlocal full
            after = steps.browser_added(before or Subscription(name), browser)
            full = after is None
            return before if after is None else after

        await self._subscriptions.change(key, step)
        if full:
            raise UserError(f"{steps.BROWSERS} browsers get your messages already. Type /browser to see them.")

    async def remove(self, key: str, endpoints: Collection[str]) -> None:
        """Send no more messages to the browsers at some addresses. Raises `StoreUnavailable`."""
        await self._subscriptions.change(
            key, lambda before: steps.browsers_removed(before, endpoints) if before else None
        )

    async def send(self, letter: Letter, browsers: Sequence[Browser]) -> Sequence[Browser]:
        """Send a letter to some browsers; return those that take no more. Raises `NotSent` if none got it."""
        path = f"/t/{letter.table}" if letter.table else "/"
        sender, message = await self._sender(), Message(letter.subject, letter.brief, path)
        outcomes = await asyncio.gather(*(self._sent(message, browser, sender) for browser in browsers))
        gone = [browser for browser, outcome in zip(browsers, outcomes, strict=True) if isinstance(outcome, Bounced)]
        failed = [outcome for outcome in outcomes if outcome and not isinstance(outcome, Bounced)]
        for outcome in failed:
            log.warning("a message to a browser wasn't sent", why=str(outcome))
        if failed and len(failed) + len(gone) == len(browsers):
            raise NotSent(str(failed[0]))
        return gone

    async def _sent(self, message: Message, browser: Browser, sender: Sender) -> Exception | None:
        """Send to one browser; return what went wrong."""
        try:
            await self._push.send(message, browser, sender)
        except (Bounced, NotSent, ServerDown) as problem:
            return problem
        return None

    async def _sender(self) -> Sender:
        key = await self._subscriptions.push_key(Sender.fresh_key)
        return Sender(key, self._options.contact)
