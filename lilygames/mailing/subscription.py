"""Subscriptions: the choices of a person, and the deliveries that are on their way. Pure steps."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, get_args

import attrs

from lilygames import codec

Channel = Literal["mail", "push", "browser"]
CHANNELS: tuple[Channel, ...] = get_args(Channel)
What = Literal["code", "word", "news", "last"]
AT_ONCE: tuple[What, ...] = ("code", "word")
"""Deliveries that someone waits for at their screen. They don't count as notifications."""

CODE_LASTS = 15 * 60.0
"""Seconds for which a code is valid."""
PROVED = 5
"""Destinations that an account has confirmed lately, and whose codes have a budget of their own."""
WRONG_CODES = 5
"""Wrong codes after which a person must ask for a new one."""
UNREAD = 3
"""Notifications without a login, after which one last one is sent."""
TAKEN = 300.0
"""Seconds for which the node that sends something has it for itself. After that it has probably died."""
RETRIES = (60.0, 300.0, 900.0, 3600.0, 4 * 3600.0)
"""Seconds until a delivery is tried again; the last one repeats."""
GIVE_UP = 3 * 86400.0
"""Seconds after which a delivery isn't tried again."""
DAY = 86400.0
BROWSERS = 5
"""Browsers of one person that get push messages."""


@attrs.frozen
class Browser:
    """A browser that gets push messages, as its own push service describes it (RFC 8030, RFC 8291)."""

    endpoint: str = attrs.field(repr=False)
    """The address at which its push service takes messages for it."""
    key: str = attrs.field(repr=False)
    """Its public key, in URL-safe base64."""
    secret: str = attrs.field(repr=False)
    """Its authentication secret, in URL-safe base64."""
    name: str = ""
    """The name by which its owner knows it: `Firefox, Linux`."""
    since: float = 0.0


@attrs.frozen
class Destination:
    """Where a person's messages go: a mail address, or a push server and a topic on it."""

    to: str
    confirmed: bool = False
    """Whether a code that was sent there has come back. Only a code is sent before."""
    on: bool = True
    asked: float = 0.0
    """When the last code was asked for, in seconds since 1970."""
    wrong: int = 0
    """Wrong codes typed since."""
    why: str = ""
    """Why the server turned it off: `bounced`, or `unread`. The person is told at the next login."""


@attrs.frozen
class Delivery:
    """A message that waits to be sent, or is being sent. Its text is written at the last moment."""

    id: str
    channel: Channel
    what: What
    since: float
    due: float
    number: int = 0
    """How many notifications without a login this one makes."""
    tries: int = 0
    taken: float = 0.0
    """Until when the process that sends it has it for itself."""
    by: str = ""
    """That process. It makes the records of two that want it at the same moment different."""


@attrs.frozen
class Subscription:
    """A person's notifications. It is stored by the key of their account."""

    name: str
    """Their name when they subscribed; their account has or had it."""
    mail: Destination | None = None
    push: Destination | None = None
    told: tuple[str, ...] = ()
    """Keys of the waiting items that they have been told of."""
    last: float = 0.0
    """When the last notification was sent, in seconds since 1970."""
    unread: int = 0
    """Notifications since their last login."""
    generation: int = 0
    """Grows with each change after which an older token to unsubscribe isn't valid any more."""
    deliveries: tuple[Delivery, ...] = ()
    browser: Destination | None = attrs.field(default=None, metadata={codec.LATER: True})
    """Whether messages go to their browsers; None without one."""
    browsers: tuple[Browser, ...] = attrs.field(default=(), metadata={codec.LATER: True})
    proved: tuple[str, ...] = attrs.field(default=(), metadata={codec.LATER: True})
    """Fingerprints of the destinations that this account has confirmed, the newest last."""

    def destination(self, channel: Channel) -> Destination | None:
        """Return where the messages of a channel go, if anywhere."""
        match channel:
            case "mail":
                return self.mail
            case "push":
                return self.push
            case "browser":
                return self.browser

    def with_destination(self, channel: Channel, to: Destination | None) -> Subscription:
        """Return it with another destination for a channel."""
        match channel:
            case "mail":
                return attrs.evolve(self, mail=to)
            case "push":
                return attrs.evolve(self, push=to)
            case "browser":
                return attrs.evolve(self, browser=to, browsers=self.browsers if to else ())

    @property
    def channels(self) -> tuple[Channel, ...]:
        """The channels that are on."""
        return tuple(one for one in CHANNELS if (to := self.destination(one)) and to.confirmed and to.on)

    @property
    def due(self) -> float | None:
        """When the next delivery is due; None if there is none."""
        return min((max(one.due, one.taken) for one in self.deliveries), default=None)


def asked(before: Subscription, channel: Channel, to: str, *, delivery_id: str, now: float) -> Subscription:
    """Return it after the person has named a destination: a code goes there, and nothing else until it comes back."""
    delivery = Delivery(delivery_id, channel, "code", since=now, due=now)
    after = without_deliveries(before, channel).with_destination(channel, Destination(to, asked=now))
    return attrs.evolve(after, deliveries=(delivery, *after.deliveries))


def word_wanted(before: Subscription, *, delivery_id: str, now: float) -> Subscription:
    """Return it with a one-time word for a forgotten password to send, in place of an earlier one."""
    delivery = Delivery(delivery_id, "mail", "word", since=now, due=now)
    others = tuple(one for one in before.deliveries if one.what != "word")
    return attrs.evolve(before, deliveries=(delivery, *others))


def _with_new_tokens(before: Subscription, now: float) -> Subscription:
    """Return it with another generation, also if it was deleted and created again in the meantime."""
    return attrs.evolve(before, generation=max(before.generation + 1, int(now)))


def confirmed(before: Subscription, channel: Channel, now: float, fingerprint: str) -> Subscription:
    """Return it after the right code has come back; the fingerprint is that of the destination."""
    to = before.destination(channel)
    if to is None:
        return before
    after = without_deliveries(before, channel).with_destination(channel, Destination(to.to, confirmed=True))
    proved = (*(one for one in before.proved if one != fingerprint), fingerprint)[-PROVED:]
    return _with_new_tokens(attrs.evolve(after, unread=0, proved=proved), now)


def guessed(before: Subscription, channel: Channel) -> Subscription:
    """Return it after a wrong code."""
    to = before.destination(channel)
    return before.with_destination(channel, attrs.evolve(to, wrong=to.wrong + 1)) if to else before


def switched(before: Subscription, channel: Channel, now: float, *, on: bool) -> Subscription:
    """Return it with a confirmed channel turned on, or turned off together with what waits to be sent."""
    to = before.destination(channel)
    if to is None or not to.confirmed:
        return before
    after = before if on else without_deliveries(before, channel)
    after = after.with_destination(channel, attrs.evolve(to, on=on, why=""))
    return _with_new_tokens(attrs.evolve(after, unread=0), now)


def forgotten(before: Subscription, channel: Channel) -> Subscription | None:
    """Return it without a channel; None if nothing is left."""
    after = without_deliveries(before, channel).with_destination(channel, None)
    return after if any(map(after.destination, CHANNELS)) else None


def browser_added(before: Subscription, browser: Browser) -> Subscription | None:
    """Return it with a browser, which replaces itself; None if there are too many. Messages to browsers are on."""
    others = tuple(one for one in before.browsers if one.endpoint != browser.endpoint)
    if len(others) >= BROWSERS:
        return None
    return attrs.evolve(before, browser=Destination("browsers", confirmed=True), browsers=(*others, browser), unread=0)


def browsers_removed(before: Subscription, endpoints: Collection[str]) -> Subscription | None:
    """Return it without the browsers at some addresses; None if nothing is left."""
    left = tuple(one for one in before.browsers if one.endpoint not in endpoints)
    return attrs.evolve(before, browsers=left) if left else forgotten(before, "browser")


def without_deliveries(before: Subscription, channel: Channel) -> Subscription:
    """Return it without the deliveries of a channel."""
    return attrs.evolve(before, deliveries=tuple(one for one in before.deliveries if one.channel != channel))


def came(before: Subscription) -> Subscription:
    """Return it after a login: notifications are counted from 0, and what waits to be sent isn't news any more."""
    codes = tuple(one for one in before.deliveries if one.what == "code")
    mail, push, browser = (to and attrs.evolve(to, why="") for to in map(before.destination, CHANNELS))
    return attrs.evolve(before, unread=0, deliveries=codes, mail=mail, push=push, browser=browser)


def decided(before: Subscription, ids: Collection[str], now: float) -> Subscription:
    """Return it with a delivery for each channel that is on and has none yet, under these ids."""
    busy = {one.channel for one in before.deliveries if one.what != "word"}
    what: What = "last" if before.unread >= UNREAD else "news"
    free = [channel for channel in before.channels if channel not in busy]
    new = [
        Delivery(one, channel, what, now, now, number=before.unread + 1)
        for channel, one in zip(free, ids, strict=False)
    ]
    return attrs.evolve(before, deliveries=(*before.deliveries, *new))


def _replaced(before: Subscription, delivery: Delivery) -> Subscription:
    others = (delivery if one.id == delivery.id else one for one in before.deliveries)
    return attrs.evolve(before, deliveries=tuple(others))


def taken(before: Subscription, delivery: Delivery, by: str, now: float) -> Subscription:
    """Return it while a process sends a delivery."""
    return _replaced(before, attrs.evolve(delivery, taken=now + TAKEN, tries=delivery.tries + 1, by=by))


def put_off(before: Subscription, delivery_id: str, due: float, now: float) -> Subscription:
    """Return it with a delivery that is sent later, unless another process is sending it now."""
    found = next((one for one in before.deliveries if one.id == delivery_id and one.taken <= now), None)
    return _replaced(before, attrs.evolve(found, due=due)) if found else before


def failed(before: Subscription, delivery_id: str, now: float) -> Subscription:
    """Return it after a failed try: the delivery is tried again later, and given up after days."""
    found = next((one for one in before.deliveries if one.id == delivery_id), None)
    if found is None:
        return before
    pause = RETRIES[min(found.tries, len(RETRIES)) - 1]
    if now + pause > found.since + GIVE_UP:
        return dropped(before, delivery_id)
    return _replaced(before, attrs.evolve(found, due=now + pause, taken=0.0))


def dropped(before: Subscription, delivery_id: str) -> Subscription:
    """Return it without a delivery that isn't needed any more."""
    return attrs.evolve(before, deliveries=tuple(one for one in before.deliveries if one.id != delivery_id))


def sent(before: Subscription, delivery: Delivery, keys: Collection[str], now: float) -> Subscription:
    """Return it after a delivery about the items with these keys. After the last one, the channel is off.

    A login or a command while it was on its way has taken the delivery away; then only the time counts.
    """
    after = dropped(before, delivery.id)
    if delivery.what in AT_ONCE:
        return after
    wanted = after != before
    after = attrs.evolve(after, told=tuple(sorted(keys)), last=now)
    if wanted:
        after = attrs.evolve(after, unread=max(before.unread, delivery.number))
    to = after.destination(delivery.channel)
    if wanted and delivery.what == "last" and to:
        after = after.with_destination(delivery.channel, attrs.evolve(to, on=False, why="unread"))
    return after


def bounced(before: Subscription, channel: Channel, now: float) -> Subscription:
    """Return it after a destination was refused for good: it is off until the person confirms it again."""
    to = before.destination(channel)
    if to is None:
        return before
    off = attrs.evolve(to, on=False, confirmed=False, asked=0.0, why="bounced")
    return _with_new_tokens(without_deliveries(before, channel).with_destination(channel, off), now)
