"""The service: looks at what waits for people, decides what to send, sends it, and answers /mail and /push."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial

import attrs
import structlog

from lilygames.chat.accounts.identity import Identity
from lilygames.chat.accounts.one_time_words import HOUR
from lilygames.chat.host.host import Host
from lilygames.chat.host.mail_turn import mails_to
from lilygames.chat.names.names import fold
from lilygames.chat.names.zones import zone_of
from lilygames.chat.people import notifications
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.observers import Entered, PasswordForgotten, PersonEvent
from lilygames.chat.people.people import Person
from lilygames.chat.people.profile import Profile
from lilygames.chat.tasks.periodic import regularly
from lilygames.errors import UserError
from lilygames.limits.quota import MAIL_CODE, RECOVERY_WORDS, UNCONFIRMED_CODES, Who
from lilygames.mailing import letters, schedule
from lilygames.mailing import subscription as steps
from lilygames.mailing.browsers import Browsers
from lilygames.mailing.delivering import Count, Delivering, Ready
from lilygames.mailing.items.items import Item, Source
from lilygames.mailing.options import MailOptions, mailbox
from lilygames.mailing.subscription import Channel, Delivery, Subscription
from lilygames.mailing.subscriptions import Subscriptions
from lilygames.mailing.suggestion import Suggestion
from lilygames.mailing.tokens import Forged, Unsubscribing
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Store, StoreUnavailable
from lilygames.text import Line

log = structlog.get_logger()
GLANCE = 10.0
"""Seconds between two looks."""
SEARCH = 60.0
"""Seconds between two searches for things that wait. Codes don't need one, so they are sent sooner."""
REST = 600.0
"""Seconds after which to look again at someone who has nothing new."""
SWEEP = 3600.0
"""Seconds between two sweeps of old counts."""
AT_MOST = 100
"""Subscriptions that one look serves, so that codes don't wait for all others."""
_USED = "that word was used, or mail was turned on again since. Use the one in the newest mail."
ACTED = 86400.0
"""Seconds after a notification within which a login counts as an answer to it."""


class Mailing:
    """Notifications by mail and push. Every node may run it: each step happens once, and each message is sent once.

    One node by rank tells a person what waits for them, because it follows their slow games and invitations.

    Only a process that is killed while it sends may leave a message that another one repeats.
    """

    observes = (Entered, PasswordForgotten)

    def __init__(
        self, host: Host, store: Store, unreadable: UnreadableRows, options: MailOptions, sources: Sequence[Source]
    ) -> None:
        self.options = options
        self.counts: Counter[Count] = Counter()
        self.subscriptions = Subscriptions(store, unreadable, host.now)
        self.browsers = Browsers(self.subscriptions, options) if options.web_push else None
        """Messages to browsers; None if they are off."""
        self._delivering = Delivering(self.subscriptions, options, self.counts, host.now, self.browsers)
        self._suggestion = Suggestion(host, self.subscriptions, options)
        self._host = host
        self._sources = sources
        self._rests: dict[str, tuple[frozenset[str], float]] = {}
        """Until when not to look at an account again, unless other items wait for it."""
        self._waiting: dict[str, list[Item]] = {}
        """The things that waited for people at the last search, by the key of their account."""
        self._searched = self._swept = 0.0
        self._recovering: set[asyncio.Task[None]] = set()

    async def watch(self) -> None:
        """Look periodically until cancelled; do nothing if neither mail nor push is set up."""
        if self.options.on:
            await regularly(GLANCE, self.look, "cannot look after mail and push messages")

    async def finish(self) -> None:
        """Wait until one-time words are prepared, and what is being sent has been sent, so that nobody repeats it."""
        if self._recovering:
            await asyncio.wait({*self._recovering})
        await self._delivering.finish()

    async def look(self) -> None:
        """Do what is due now. Raises `StoreUnavailable`."""
        await self._use_stops()
        if self._host.now() - self._searched >= SEARCH:
            await self._suggestion.look()
            self._waiting = await self._found()
            await self._decide(self._waiting)
            self._searched = self._host.now()
        await self._deliver(self._waiting)
        if self._host.now() - self._swept > SWEEP:
            self._swept = self._host.now()
            await self.subscriptions.sweep()

    # what waits, and when to tell it

    async def _found(self) -> dict[str, list[Item]]:
        """Return what waits for people who aren't connected, by the key of their account."""
        found: dict[str, list[Item]] = defaultdict(list)
        for source in self._sources:
            for name, items in (await source.waiting(self._host.now())).items():
                if self._is_away(name) and name in self._host.accounts.names:
                    found[self._host.accounts.key(name)] += items
        return found

    def _is_away(self, name: str) -> bool:
        person = self._host.people.get(fold(name))
        return person is None or not person.here

    async def _decide(self, waiting: dict[str, list[Item]]) -> None:
        """Queue a delivery for each person who should get one now."""
        now, rests = self._host.now(), self._rests
        self._rests = {}
        for key, items in waiting.items():
            if not mails_to(self._host, key):
                continue
            keys = frozenset(item.key for item in items)
            before, until = rests.get(key, (frozenset(), 0.0))
            if keys != before or until <= now:
                until = min(await self._decided(key, items) or now + REST, now + REST)
            self._rests[key] = keys, until

    async def _decided(self, key: str, items: Sequence[Item]) -> float | None:
        """Queue a delivery if it is time; return when it will be, or None."""
        found = await self.subscriptions.find(key)
        if found is None:
            return None
        await self.subscriptions.requeue(key, found)
        profile = await self._host.profiles.load(key)
        wanted, now = _wanted(items, profile), self._host.now()
        at = schedule.next_time(
            wanted, found.told, last=found.last, seen=profile.seen, now=now, zone=zone_of(profile.settings)
        )
        if at is None or at > now:
            return at
        ids = [secrets.token_hex(16) for _ in found.channels]
        await self.subscriptions.change(
            key, lambda before: steps.decided(before, ids, now) if before == found else before
        )
        return None

    # sending

    async def _deliver(self, waiting: dict[str, list[Item]]) -> None:
        """Send the messages that are due. Codes come first, because someone waits for them."""
        ready: list[Ready] = []
        if not self._delivering.reaches_something:
            return
        for key in await self.subscriptions.queued(AT_MOST):
            ready += await self._prepared(key, waiting.get(key, ()))
        ready.sort(key=lambda one: one.delivery.what not in steps.AT_ONCE)
        await self._delivering.send(ready)

    async def _prepared(self, key: str, items: Sequence[Item]) -> list[Ready]:
        """Return what to send for a subscription now. Drop what isn't needed any more."""
        found = await self.subscriptions.find(key)
        if found is None:
            return []
        name = self._host.accounts.now(found.name)
        if fold(name) not in self._host.accounts.names or self._host.accounts.key(name) != key:
            await self.subscriptions.change(key, lambda _: None)  # the account was deleted
            return []
        now, ready = self._host.now(), []
        for delivery in found.deliveries:
            if max(delivery.due, delivery.taken) <= now:
                ready += await self._written(key, name, found, delivery, items)
        return ready

    async def _written(
        self, key: str, name: str, found: Subscription, delivery: Delivery, items: Sequence[Item]
    ) -> list[Ready]:
        """Return a delivery with its text; put it off at night, and drop it if there is nothing to say."""
        now, channel = self._host.now(), delivery.channel
        to, signer = found.destination(channel), await self.subscriptions.signer()
        profile = await self._host.profiles.load(key)
        zone = zone_of(profile.settings)
        wanted = [item for item in _wanted(items, profile) if schedule.is_news(item, now, zone, seen=profile.seen)]
        drop = partial(self._change, key, partial(steps.dropped, delivery_id=delivery.id))
        if to is None or not self._has(channel):
            await drop()
        elif delivery.what == "code":
            if now - to.asked < steps.CODE_LASTS:
                letter = letters.code_letter(self.options, name, signer.code(key, to.to, to.asked), channel)
                return [Ready(key, delivery, to.to, letter, "")]
            await drop()
        elif delivery.what == "word":
            if to.confirmed and now - delivery.since < HOUR:
                letter = letters.word_letter(self.options, name, signer.word(key, delivery.id))
                return [Ready(key, delivery, to.to, letter, "")]
            await drop()
        elif not mails_to(self._host, key):
            pass  # another node knows what waits for them
        elif not wanted or not self._is_away(name):
            await drop()
        elif (later := schedule.after_quiet(now, zone)) > now:
            await self._change(key, partial(steps.put_off, delivery_id=delivery.id, due=later, now=now))
        else:
            last = delivery.what == "last"
            letter = letters.news_letter(
                self.options, name, [letters.dated(item, now, zone) for item in wanted], last=last, channel=channel
            )
            told = tuple(item.key for item in wanted)
            return [Ready(key, delivery, to.to, letter, signer.token(key, found.generation), told, found.browsers)]
        return []

    def _has(self, channel: Channel) -> bool:
        match channel:
            case "mail":
                return self.options.has_mail
            case "push":
                return self.options.has_push
            case "browser":
                return self.options.web_push

    async def _change(self, key: str, step: Callable[[Subscription], Subscription]) -> None:
        """Change a subscription, if there is one."""
        await self.subscriptions.change(key, lambda before: step(before) if before else None)

    def forget_person(self, who: Identity) -> None:
        """Drop what waited for a deleted account. Its queue is in the store."""
        self._rests.pop(who.key, None)
        self._waiting.pop(who.key, None)

    # people who log in

    def observe(self, event: PersonEvent) -> Awaitable[None] | None:
        """Note a login, and tell the person why their notifications stopped; mail a word for a forgotten password."""
        match event:
            case Entered(person) if self._subscribes(person):
                return self._came(person)
            case PasswordForgotten(name):
                task = asyncio.get_running_loop().create_task(self._recover(name))
                self._recovering.add(task)  # in the background, so that nobody can tell by the time if the name exists
                task.add_done_callback(self._recovering.discard)
        return None

    async def _recover(self, name: str) -> None:
        """Mail a one-time word to the person of this name, if they have confirmed an address."""
        accounts, now = self._host.accounts, self._host.now()
        key = accounts.key(name)
        try:
            found = await self.subscriptions.find(key) if fold(name) in accounts.names else None
            if not (self.options.has_mail and found and found.mail and found.mail.confirmed):
                return
            signer, delivery = await self.subscriptions.signer(), secrets.token_hex(16)
            if not self._host.quotas.take(RECOVERY_WORDS, Who(key)):
                await accounts.recovery.issue(key, now, HOUR, signer.word(key, delivery))
                await self._change(key, partial(steps.word_wanted, delivery_id=delivery, now=now))
        except StoreUnavailable as problem:
            log.warning("a one-time word can't be mailed", why=str(problem))

    def _subscribes(self, person: Person) -> bool:
        return self.options.on and not person.guest

    async def _came(self, person: Person) -> None:
        try:
            found = await self.subscriptions.find(self._host.accounts.key(person.name))
            if found is None:
                return
            person.show(*(Line(row) for row in _stopped(found)))
            if found.unread and self._host.now() - found.last < ACTED:
                self.counts["acted"] += 1
            await self._change(self._host.accounts.key(person.name), steps.came)
        except StoreUnavailable as problem:
            log.warning("a subscription can't be read", name=person.name, why=str(problem))

    # commands

    async def of(self, person: Person) -> Subscription | None:
        """Return a person's subscription. Raises `UserError` for a guest, and `StoreUnavailable`."""
        if person.guest:
            raise UserError("guests can't get mail or push messages. Type /register to keep your name first.")
        return await self.subscriptions.find(self._host.accounts.key(person.name))

    async def ask(self, person: Person, channel: Channel, to: str) -> None:
        """Send a code to a destination that a person has named. Raises `UserError` and `StoreUnavailable`."""
        found = await self.of(person)
        key, now = self._host.accounts.key(person.name), self._host.now()
        self._use_code(person, found, (await self.subscriptions.signer()).fingerprint(channel, mailbox(to)))
        step = partial(steps.asked, channel=channel, to=to, delivery_id=secrets.token_hex(16), now=now)
        await self.subscriptions.change(key, lambda before: step(before or Subscription(person.name)))

    def _use_code(self, person: Person, found: Subscription | None, fingerprint: str) -> None:
        """Use the quotas of a code to a destination; raises `UserError`.

        The account that has confirmed it has a budget that nobody else can use up.
        """
        quotas = self._host.quotas
        who = attrs.evolve(quotas.who(person), about=fingerprint)
        anyone = Who("accounts that haven't confirmed it", about=fingerprint)
        quotas.check(MAIL_CODE, who)
        if found is None or fingerprint not in found.proved:
            quotas.use(UNCONFIRMED_CODES, anyone)
        quotas.use(MAIL_CODE, who)

    def may_take_long(self, channel: Channel, to: str) -> bool:
        """Return whether the server for a destination couldn't be reached just now."""
        return not self._delivering.may_reach(self.options.host if channel == "mail" else to.partition(" ")[0])

    async def confirm(self, person: Person, channel: Channel, code: str) -> None:
        """Confirm a destination by the code that was sent there. Raises `UserError` and `StoreUnavailable`."""
        await self.of(person)
        key, now, signer = self._host.accounts.key(person.name), self._host.now(), await self.subscriptions.signer()
        refusal = ""

        def step(before: Subscription | None) -> Subscription | None:
            nonlocal refusal
            to = before.destination(channel) if before else None
            refusal = ""
            if before is None or to is None or to.confirmed or not to.asked:
                refusal = f"no code is waiting. Type /{channel} to see what to do."
            elif now - to.asked >= steps.CODE_LASTS or to.wrong >= steps.WRONG_CODES:
                refusal = f"that code isn't valid any more. Type /{channel} {_typed(to.to)} to get another one."
            elif not signer.is_code(code, key, to.to, to.asked):
                refusal = "that isn't the code. Please look at it again."
                return steps.guessed(before, channel)
            else:
                return steps.confirmed(before, channel, now, signer.fingerprint(channel, mailbox(to.to)))
            return before

        await self.subscriptions.change(key, step)
        if refusal:
            raise UserError(refusal)

    async def switch(self, person: Person, channel: Channel, *, on: bool) -> None:
        """Turn a confirmed channel on or off. Raises `UserError` and `StoreUnavailable`."""
        found = await self.of(person)
        to = found.destination(channel) if found else None
        if to is None or not to.confirmed:
            raise UserError(f"you haven't confirmed where to send it. Type /{channel} to see what to do.")
        await self._change(
            self._host.accounts.key(person.name), partial(steps.switched, channel=channel, now=self._host.now(), on=on)
        )

    async def forget(self, person: Person, channel: Channel) -> None:
        """Delete where a channel goes. Raises `UserError` and `StoreUnavailable`."""
        await self.of(person)
        key = self._host.accounts.key(person.name)
        await self.subscriptions.change(key, lambda before: steps.forgotten(before, channel) if before else None)

    async def stop(self, token: str) -> None:
        """Turn off the mail to whoever got this token in a mail. Raises `UserError` and `StoreUnavailable`."""
        said, stopped = await self._said(token), False

        def step(before: Subscription | None) -> Subscription | None:
            nonlocal stopped
            stopped = before is not None and before.generation == said.generation
            return steps.switched(before, "mail", self._host.now(), on=False) if before and stopped else before

        await self.subscriptions.change(said.account, step)
        if not stopped:
            raise UserError(_USED)

    async def check_stop(self, token: str) -> None:
        """Raise `UserError` if `stop` would, and change nothing. Raises `StoreUnavailable`."""
        said = await self._said(token)
        found = await self.subscriptions.find(said.account)
        if found is None or found.generation != said.generation:
            raise UserError(_USED)

    async def _said(self, token: str) -> Unsubscribing:
        try:
            return (await self.subscriptions.signer()).read(token)
        except Forged:
            raise UserError(
                "that isn't the whole word from a mail. Copy it again, or log in and type /mail off."
            ) from None

    async def bounce(self, address: str) -> int:
        """Turn off the mail to an address, for a sysop whose server reported a bounce; return how many got it."""
        found = await self.subscriptions.every()
        keys = [key for key, one in found.items() if one.mail and mailbox(one.mail.to) == mailbox(address)]
        for key in keys:
            await self._change(key, partial(steps.bounced, channel="mail", now=self._host.now()))
        return len(keys)

    async def _use_stops(self) -> None:
        """Use the tokens that came in by `lilygames unsubscribe`."""
        for record, token in (await self.subscriptions.stops()).items():
            try:
                await self.stop(token)
            except UserError as why:
                log.info("a request to unsubscribe was refused", why=str(why))
            await self.subscriptions.stopped(record)


def _wanted(items: Iterable[Item], profile: Profile) -> list[Item]:
    """Return the items that aren't from people whom this person ignores."""
    return [
        item
        for item in items
        if not item.by or not notifications.ignores(profile, ChatEvent("private", item.by, text=item.text))
    ]


def _stopped(found: Subscription) -> list[str]:
    """Return a row for each channel that the server turned off."""
    rows = []
    for channel in steps.CHANNELS:
        to = found.destination(channel)
        if to and to.why == "bounced":
            rows.append(
                f"({channel} to {_typed(to.to)} was refused, so it's off; type /{channel} to give another destination)"
            )
        elif to and to.why:
            rows.append(f"({channel} stopped because you were away; type /{channel} on to start it again)")
    return rows


def _typed(to: str) -> str:
    """Return a destination as people type it."""
    return to.removeprefix("https://")
