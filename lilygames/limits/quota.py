"""Quotas: what one may hold and ask for, by person, address, subnet, and towards another person.

A quota is an amount that is *held*, such as open tables. It is counted from what exists, so it survives restarts, and
it comes back only when something is closed. Or a quota is a *rate*: each use comes back after some seconds, and each
node counts its own. Pure: the caller says what time it is, and what exists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from math import ceil
from typing import Literal, Protocol

import attrs

from lilygames.limits.addresses import subnet_of
from lilygames.text import count

Scope = Literal["person", "address", "subnet", "pair"]
"""The uses that are counted together. A pair is a person (or an address) towards another person or a destination."""
KIB = 1024
MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
REMEMBERED = 10_000
"""Maximum rates in use that are remembered. Those that came back longest ago are forgotten first."""

LOOKED_AT = 100
"""Rates that are looked at for one to forget."""
SPARE = 1000
"""Rates beyond twice those in use, after which all that have come back are forgotten."""


@attrs.frozen
class Limit:
    """The most that one scope may have; one use comes back in `per` seconds, or only when something is freed (0)."""

    scope: Scope
    most: int
    per: float = 0.0
    guests: int | None = None
    """The most for a guest; None if it is the same."""
    waits: tuple[float, ...] = ()
    """Seconds to wait after each use beyond the most, of which the last holds for all further ones.

    Such uses are mistakes: they don't come back one by one, but are forgotten `per` seconds after the last.
    """

    def wait_after(self, number: int) -> float:
        """Return the seconds to wait after so many mistakes."""
        return self.waits[min(number - self.most, len(self.waits)) - 1] if number > self.most else 0.0

    def most_for(self, who: Who) -> int:
        """Return the most that someone may have."""
        return self.guests if who.guest and self.guests is not None else self.most


@attrs.frozen
class Quota:
    """A kind of thing that is limited. `sentences` say what is wrong and what to do, by scope.

    In them, `{most}` is the limit, and `{held}` how much is held with its `noun`. `{things}` is the list of it,
    `{first}` the first of the list, and `{one}` says "it" or "one". `{wait}` is the time until it is possible, and
    `{about}` the other person.
    """

    name: str
    limits: tuple[Limit, ...]
    sentences: Mapping[Scope, str] = attrs.field(factory=dict)
    noun: str = ""

    @property
    def is_held(self) -> bool:
        """Whether the amount is counted from what exists."""
        return not self.limits[0].per


@attrs.frozen
class Who:
    """Someone who asks for something; an empty part isn't limited."""

    person: str = ""
    """The key of the account or guest; empty before the login."""
    address: str = ""
    about: str = ""
    """The key of the other person, or the destination."""
    guest: bool = False
    exempt: bool = False
    """Whether only the limits per person and pair hold: the sysop trusts the address."""

    def key(self, scope: Scope) -> str:
        """Return what is counted in a scope; empty if nothing is."""
        match scope:
            case "person":
                return self.person
            case "pair":
                asker = self.person or self.address
                return f"{asker} {self.about}" if asker and self.about else ""
            case "address":
                return "" if self.exempt else self.address
            case "subnet":
                return "" if self.exempt or not self.address else subnet_of(self.address)


@attrs.frozen
class Refusal:
    """A quota that is used up in one scope."""

    quota: Quota
    scope: Scope
    most: int
    wait: float = 0.0
    """Seconds until it is possible; 0 if something must be freed first."""

    def sentence(self, *, about: str = "", things: Sequence[object] = (), least: int = 0) -> str:
        """Return what is wrong and what to do; `things` are those that are held, and `least` the seconds to say."""
        return self.quota.sentences[self.scope].format(
            most=self.most,
            held=count(len(things) or self.most, self.quota.noun),
            things=", ".join(map(str, things)),
            first=next(iter(things), ""),
            one="it" if len(things) == 1 else "one",
            wait=in_words(max(self.wait, least)),
            about=about,
        )


TABLES_WAITING = Quota(
    "tables waiting",
    (Limit("person", 4, guests=1), Limit("address", 24), Limit("subnet", 96)),
    {
        "person": "you already have {held} waiting: {things}. Close {one} with /close {first}.",
        "address": "{held} from your address are waiting for players. Type /tables to join one.",
        "subnet": "{held} from your network are waiting for players. Type /tables to join one.",
    },
    "table",
)
TABLES = Quota(
    "tables",
    (Limit("person", 12, guests=4), Limit("address", 48), Limit("subnet", 192)),
    {
        "person": "you already have {held}: {things}. Finish a game first, or type /next to go to the one that waits.",
        "address": "{held} from your address are open. Type /tables to join one.",
        "subnet": "{held} from your network are open. Type /tables to join one.",
    },
    "table",
)
SLOW_TABLES = Quota(
    "slow tables",
    (Limit("person", 50, guests=4), Limit("address", 200), Limit("subnet", 800)),
    {
        "person": "you already have {held}: {things}. Finish a game first, or type /next to go to the one that waits.",
        "address": "{held} from your address are open. Type /tables to join one.",
        "subnet": "{held} from your network are open. Type /tables to join one.",
    },
    "slow table",
)
OPENING = Quota(
    "opening a table",
    (Limit("person", 6, 20), Limit("address", 24, 5), Limit("subnet", 96, 2)),
    {
        "person": "you've opened many tables. Try again in {wait}.",
        "address": "many tables were opened from your address. Try again in {wait}, or type /tables to join one.",
        "subnet": "many tables were opened from your network. Try again in {wait}, or type /tables to join one.",
    },
)


def registering(names_per_day: int) -> Quota:
    """Return the quota of new accounts, of which an address may have so many per day."""
    return Quota(
        "signup",
        (
            Limit("address", names_per_day, DAY / names_per_day),
            Limit("subnet", 5 * names_per_day, DAY / names_per_day / 5),
        ),
        dict.fromkeys(
            ("address", "subnet"),
            "too many names were registered from your address today. Play as a guest, and /register tomorrow.",
        ),
    )


PAUSES = tuple(number / 2 for number in range(1, 21))
"""Seconds that a login to one name is delayed. Its owner is never locked out."""
BLOCKS = (2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 300.0)
"""Seconds for which an address is blocked."""
WRONG_FOR_NAME = Quota("wrong passwords for a name", (Limit("person", 3, HOUR, waits=PAUSES),))
"""Wrong passwords for a name; they delay the next one and refuse none."""


def wrong_passwords(tries: int) -> Quota:
    """Return the quota of wrong passwords, of which an address may type so many before it has to wait."""
    return Quota(
        "wrong_passwords",
        (Limit("address", tries, HOUR, waits=BLOCKS), Limit("subnet", 5 * tries, HOUR, waits=BLOCKS)),
        {
            "address": "too many wrong passwords were typed from your address. Try again in {wait}.",
            "subnet": "too many wrong passwords were typed from your network. Try again in {wait}.",
        },
    )


def connections(per_address: int) -> Quota:
    """Return the quota of connections at the same time."""
    refusal = "your address already has too many connections. Close one, then connect again."
    return Quota("connections_per_address", (Limit("address", per_address),), {"address": refusal}, "connection")


def connects(per_minute: int) -> Quota:
    """Return the quota of new connections."""
    refusal = "too many connections from your address. Wait a minute, then connect once."
    return Quota("connects_per_minute", (Limit("address", per_minute, MINUTE / per_minute),), {"address": refusal})


COMPLETIONS = Quota("completions", (Limit("person", 10, 0.1),))
"""Completions and questions that a client asks for; each searches all names, and one too many isn't answered."""
ROOMS = Quota(
    "rooms",
    (Limit("person", 3, guests=0), Limit("address", 12), Limit("subnet", 48)),
    {
        "person": "{about} already owns {held}, which is the limit. Type /destroy NAME to close one.",
        "address": "{held} were opened from your address, which is the limit. Type /rooms to join one.",
        "subnet": "{held} were opened from your network, which is the limit. Type /rooms to join one.",
    },
    "room",
)
INVITATION = Quota(
    "invitation",
    (Limit("person", 20, MINUTE), Limit("address", 60, MINUTE / 3), Limit("pair", 3, 10 * MINUTE)),
    {
        "person": "you've sent many invitations. Try again in {wait}.",
        "address": "many invitations were sent from your address. Try again in {wait}.",
        "pair": "{about} has had {most} invitations from you lately. Wait for an answer, or try again in {wait}.",
    },
)
MESSAGE = Quota(
    "private message without an answer",
    (Limit("person", 60, 2), Limit("pair", 20, 10)),
    {
        "person": "you've sent many private messages without an answer. Try again in {wait}.",
        "pair": "{about} has had {most} messages from you without an answer. Wait for one, or try again in {wait}.",
    },
)
MAIL_CODE = Quota(
    "mail code",
    (
        Limit("person", 3, HOUR),
        Limit("address", 5, 12 * MINUTE),
        Limit("subnet", 20, 3 * MINUTE),
        Limit("pair", 3, DAY / 3),
    ),
    {
        "person": "you've asked for {most} codes. Try again in {wait}.",
        "address": "{most} codes were asked for from your address. Try again in {wait}.",
        "subnet": "{most} codes were asked for from your network. Try again in {wait}.",
        "pair": "you've asked for {most} codes there today. Use the newest one, or try again in {wait}.",
    },
)
"""Codes that an account asks for. A pair is an account and a destination."""
UNCONFIRMED_CODES = Quota(
    "mail codes to a destination",
    (Limit("pair", 10, DAY / 10),),
    {"pair": "many codes were sent there today, and nobody has confirmed one. Try again in {wait}."},
)
"""Codes to a destination that accounts ask for which have never confirmed it. It isn't their owner's budget."""
RECOVERY_WORDS = Quota(
    "words for a forgotten password",
    (Limit("person", 10, DAY / 10), Limit("pair", 3, DAY / 3)),
    {
        "person": "too many words were asked for that name today. Use the newest one, or try again in {wait}.",
        "pair": "you've asked {most} times for that name today. Use the newest word, or try again in {wait}.",
    },
)
"""Words that are mailed to an account. A pair is the address that asks and the account."""
LIST_PAGES = Quota(
    "list pages", (Limit("person", 30, 0.5),), {"person": "you've asked for many lists. Try again in {wait}."}
)
STRANGERS_BYTES = Quota(
    "bytes before login",
    (
        Limit("person", 64 * KIB, 1 / KIB),
        Limit("address", 512 * KIB, 1 / 8 / KIB),
        Limit("subnet", 2048 * KIB, 1 / 32 / KIB),
    ),
    dict.fromkeys(("person", "address", "subnet"), "disconnected: log in before you ask for more"),
)
"""Bytes that a connection is sent before someone logs in there; a connection counts as a person."""
FILES = Quota(
    "files of the page",
    (Limit("address", 600, 1 / 50), Limit("subnet", 2400, 1 / 200)),
    dict.fromkeys(("address", "subnet"), "too many requests. Wait a moment, then reload."),
)
PARTY_CODE = Quota(
    "wrong party codes",
    (Limit("address", 10, HOUR / 10), Limit("subnet", 50, HOUR / 50)),
    {
        "address": "{most} wrong codes were typed from your address. Try again in {wait}.",
        "subnet": "{most} wrong codes were typed from your network. Try again in {wait}.",
    },
)
"""Wrong codes of parties. Each node's use is told to the others."""
FORGOTTEN = Quota(
    "forgot",
    (Limit("address", 5, HOUR / 5), Limit("subnet", 20, HOUR / 20)),
    dict.fromkeys(("address", "subnet"), "you've asked for too many words. Try again in {wait}, or ask a sysop."),
)
REPORT = Quota(
    "report",
    (Limit("address", 5, HOUR / 5),),
    {"address": "you can send {most} reports an hour. Try again in {wait}."},
)
FEEDBACK = Quota(
    "feedback",
    (Limit("address", 5, HOUR / 5),),
    {"address": "you can send feedback {most} times an hour. Try again in {wait}."},
)
EXPORT = Quota(
    "export",
    (Limit("address", 3, HOUR / 3),),
    {"address": "you can export your data {most} times an hour. Try again in {wait}."},
)
ALL = (
    *(TABLES_WAITING, TABLES, SLOW_TABLES, OPENING, INVITATION, MESSAGE, MAIL_CODE, UNCONFIRMED_CODES),
    *(RECOVERY_WORDS, LIST_PAGES, STRANGERS_BYTES, FILES, FORGOTTEN, REPORT, FEEDBACK, EXPORT, ROOMS, WRONG_FOR_NAME),
    PARTY_CODE,
)
"""All quotas whose numbers the sysop doesn't set."""
SHARED = (FORGOTTEN, REPORT, FEEDBACK, EXPORT, PARTY_CODE)
"""The rates of which each use is told to the other nodes. New accounts are one, too."""


@attrs.frozen
class Use:
    """A rate that someone has used, and when everything will have come back, in seconds since 1970."""

    quota: str
    scope: Scope
    key: str
    whole: float
    """When a mistake will have been forgotten, for a limit with waits."""
    number: int = 0
    """The mistakes."""


class Held(Protocol):
    """The things that exist, for the quotas that count them."""

    def number(self, quota: str, scope: Scope, key: str) -> int:
        """Return how much someone holds."""


class NothingHeld:
    """Nothing exists that a quota would count."""

    def number(self, quota: str, scope: Scope, key: str) -> int:  # noqa: ARG002 - as it says
        """Return 0."""
        return 0


class Quotas:
    """The uses of all quotas.

    A rate is one number for each of its users: when everything will have come back, if nothing more is used.
    """

    def __init__(self, held: Held | None = None) -> None:
        self._held = held or NothingHeld()
        self._uses: dict[tuple[str, Scope, str], Use] = {}
        self._in_use = 0
        """The number of rates that hadn't come back when the others were forgotten last."""
        self.refused: Counter[tuple[str, Scope]] = Counter()
        """Refusals by quota and scope."""
        self._known = {quota.name: quota for quota in ALL}
        """The quotas that have been used, by name."""

    def refusal(self, quota: Quota, who: Who, now: float, number: int = 1, held: Held | None = None) -> Refusal | None:
        """Return why someone can't use a quota now, or None; nothing is used, and no refusal is counted.

        `held` is what exists of a quota that is counted elsewhere.
        """
        for limit in quota.limits:
            key, most = who.key(limit.scope), limit.most_for(who)
            if not key:
                continue
            if not limit.per:
                if (held or self._held).number(quota.name, limit.scope, key) + number > most:
                    return Refusal(quota, limit.scope, most)
            elif (wait := self._wait(quota, limit, key, now, number)) > 0:
                return Refusal(quota, limit.scope, most, wait)
        return None

    def take(self, quota: Quota, who: Who, now: float, number: int = 1) -> Refusal | None:
        """Use a quota in all its scopes, or return why that can't be and use it in none."""
        if refused := self.refusal(quota, who, now, number):
            self.refuse(refused)
            return refused
        self.count(quota, who, now, number)
        return None

    def take_all(self, quotas: Iterable[Quota], who: Who, now: float) -> Refusal | None:
        """Use several quotas, or return why one of them can't be and use none."""
        quotas = [*quotas]
        for quota in quotas:
            if refused := self.refusal(quota, who, now):
                self.refuse(refused)
                return refused
        for quota in quotas:
            self.count(quota, who, now)
        return None

    def refuse(self, refused: Refusal) -> None:
        """Count a refusal."""
        self.refused[refused.quota.name, refused.scope] += 1

    def count(self, quota: Quota, who: Who, now: float, number: int = 1) -> None:
        """Count uses that can't be refused any more, such as at another node; they may exceed the quota."""
        self._known[quota.name] = quota
        for limit in quota.limits:
            if limit.per and (key := who.key(limit.scope)):
                place = quota.name, limit.scope, key
                use = self._after(quota, limit, key, now, number)
                self._uses.pop(place, None)
                self._uses[place] = use
        if len(self._uses) > 2 * self._in_use + SPARE:
            self._uses = {place: use for place, use in self._uses.items() if use.whole > now}
            self._in_use = len(self._uses)
        while len(self._uses) > REMEMBERED:
            self._forget(now)

    def mistakes(self, quota: Quota, scope: Scope, key: str, now: float) -> int:
        """Return the mistakes that are remembered of a limit with waits."""
        use = self._uses.get((quota.name, scope, key))
        return use.number if use and use.whole > now else 0

    def forgive(self, quota: Quota, who: Who, now: float) -> None:
        """Take back one mistake."""
        for limit in quota.limits:
            place = quota.name, limit.scope, who.key(limit.scope)
            number = self.mistakes(quota, limit.scope, place[2], now) - 1
            if number > 0:
                self._uses[place] = attrs.evolve(self._uses[place], number=number)
            else:
                self._uses.pop(place, None)

    def free(self, quota: Quota, scope: Scope, key: str) -> None:
        """Give back everything that someone has used of a rate."""
        self._uses.pop((quota.name, scope, key), None)

    def carry(self, now: float) -> tuple[Use, ...]:
        """Return the rates that haven't come back yet, for the next process."""
        return tuple(use for use in self._uses.values() if use.whole > now)

    def take_up(self, uses: Iterable[Use]) -> None:
        """Continue with the rates of the process before."""
        for use in uses:
            self._uses[use.quota, use.scope, use.key] = use

    def at_limit(self, now: float) -> list[tuple[Quota, Scope, str, float]]:
        """Return the rates that are used up, with whose they are and the seconds until one use comes back."""
        by_name = {(one.name, limit.scope): (one, limit) for one in self._known.values() for limit in one.limits}
        found = []
        for name, scope, key in self._uses:
            quota, limit = by_name.get((name, scope), (None, None))
            if quota and limit and (wait := self._wait(quota, limit, key, now)) > 0:
                found.append((quota, scope, key, wait))
        return found

    def wait(self, quota: Quota, limit: Limit, key: str, now: float, pending: int) -> float:
        """Return the seconds to wait after mistakes, without those that are `pending`: they may prove none."""
        use = self._uses.get((quota.name, limit.scope, key))
        if use is None or use.whole <= now:
            return 0.0
        return max(0.0, use.whole - limit.per + limit.wait_after(use.number - pending) - now)

    def _wait(self, quota: Quota, limit: Limit, key: str, now: float, number: int = 1) -> float:
        """Return the seconds until so many uses are possible."""
        if limit.waits:
            return self.wait(quota, limit, key, now, 0)
        return self._whole(quota, limit, key, now) + (number - limit.most) * limit.per - now

    def _after(self, quota: Quota, limit: Limit, key: str, now: float, number: int) -> Use:
        """Return what someone will have used of a rate after some more uses."""
        if limit.waits:
            return Use(
                quota.name, limit.scope, key, now + limit.per, self.mistakes(quota, limit.scope, key, now) + number
            )
        whole = self._whole(quota, limit, key, now) + number * limit.per
        return Use(quota.name, limit.scope, key, min(whole, now + 2 * limit.most * limit.per))

    def _whole(self, quota: Quota, limit: Limit, key: str, now: float) -> float:
        use = self._uses.get((quota.name, limit.scope, key))
        return max(now, use.whole) if use else now

    def _forget(self, now: float) -> None:
        """Forget a rate that has come back, or else the one that was used longest ago."""
        oldest = [*islice(self._uses.items(), LOOKED_AT)]
        del self._uses[next((key for key, use in oldest if use.whole <= now), oldest[0][0])]


def in_words(seconds: float) -> str:
    """Return a time to wait, rounded up: `1 second`, `20 seconds`, `5 minutes`, `2 hours`."""
    for each, unit in ((HOUR, "hour"), (MINUTE, "minute")):
        if seconds > 2 * each:
            return count(ceil(seconds / each), unit)
    return count(max(1, ceil(seconds)), "second")
