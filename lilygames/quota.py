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

from lilygames.addresses import subnet_of
from lilygames.text import count

Scope = Literal["person", "address", "subnet", "pair"]
"""The uses that are counted together. A pair is a person (or an address) towards another person or a destination."""
KIB = 1024
MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
REMEMBERED = 10_000
"""Maximum rates in use that are remembered. Those that came back longest ago are forgotten first."""

LOOKED_AT = 100
"""Rates that are looked at for one to forget."""


@attrs.frozen
class Limit:
    """The most that one scope may have; one use comes back in `per` seconds, or only when something is freed (0)."""

    scope: Scope
    most: int
    per: float = 0.0
    guests: int | None = None
    """The most for a guest; None if it is the same."""

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
    sentences: Mapping[Scope, str]
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
    *(RECOVERY_WORDS, LIST_PAGES, STRANGERS_BYTES, FILES, FORGOTTEN, REPORT, FEEDBACK, EXPORT),
)
"""All quotas but that of new accounts, which the sysop sets."""
SHARED = (FORGOTTEN, REPORT, FEEDBACK, EXPORT)
"""The rates of which each use is told to the other nodes. New accounts are one, too."""


@attrs.frozen
class Use:
    """A rate that someone has used, and when everything will have come back, in seconds since 1970."""

    quota: str
    scope: Scope
    key: str
    whole: float


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
        self._whole_at: dict[tuple[str, Scope, str], float] = {}
        self.refused: Counter[tuple[str, Scope]] = Counter()
        """Refusals by quota and scope."""

    def refusal(self, quota: Quota, who: Who, now: float, number: int = 1) -> Refusal | None:
        """Return why someone can't use a quota now, or None; nothing is used, and no refusal is counted."""
        for limit in quota.limits:
            key, most = who.key(limit.scope), limit.most_for(who)
            if not key:
                continue
            if not limit.per:
                if self._held.number(quota.name, limit.scope, key) + number > most:
                    return Refusal(quota, limit.scope, most)
            elif (wait := self._whole(quota, limit, key, now) + (number - most) * limit.per - now) > 0:
                return Refusal(quota, limit.scope, most, wait)
        return None

    def take(self, quota: Quota, who: Who, now: float, number: int = 1) -> Refusal | None:
        """Use a quota in all its scopes, or return why that can't be and use it in none."""
        if refused := self.refusal(quota, who, now, number):
            self.refused[quota.name, refused.scope] += 1
            return refused
        self.count(quota, who, now, number)
        return None

    def take_all(self, quotas: Iterable[Quota], who: Who, now: float) -> Refusal | None:
        """Use several quotas, or return why one of them can't be and use none."""
        quotas = [*quotas]
        for quota in quotas:
            if refused := self.refusal(quota, who, now):
                self.refused[quota.name, refused.scope] += 1
                return refused
        for quota in quotas:
            self.count(quota, who, now)
        return None

    def count(self, quota: Quota, who: Who, now: float, number: int = 1) -> None:
        """Count uses that can't be refused any more, such as at another node; they may exceed the quota."""
        for limit in quota.limits:
            if limit.per and (key := who.key(limit.scope)):
                whole = self._whole(quota, limit, key, now) + number * limit.per
                self._whole_at.pop((quota.name, limit.scope, key), None)
                self._whole_at[quota.name, limit.scope, key] = min(whole, now + 2 * limit.most * limit.per)
        while len(self._whole_at) > REMEMBERED:
            self._forget(now)

    def free(self, quota: Quota, scope: Scope, key: str) -> None:
        """Give back everything that someone has used of a rate."""
        self._whole_at.pop((quota.name, scope, key), None)

    def carry(self, now: float) -> tuple[Use, ...]:
        """Return the rates that haven't come back yet, for the next process."""
        return tuple(Use(*key, whole) for key, whole in self._whole_at.items() if whole > now)

    def take_up(self, uses: Iterable[Use]) -> None:
        """Continue with the rates of the process before."""
        for use in uses:
            self._whole_at[use.quota, use.scope, use.key] = use.whole

    def at_limit(self, quotas: Iterable[Quota], now: float) -> list[tuple[Quota, Scope, str, float]]:
        """Return the rates that are used up, with whose they are and the seconds until one use comes back."""
        by_name = {(quota.name, limit.scope): (quota, limit) for quota in quotas for limit in quota.limits}
        found = []
        for (name, scope, key), whole in self._whole_at.items():
            quota, limit = by_name.get((name, scope), (None, None))
            if quota and limit and (wait := whole + (1 - limit.most) * limit.per - now) > 0:
                found.append((quota, scope, key, wait))
        return found

    def _whole(self, quota: Quota, limit: Limit, key: str, now: float) -> float:
        return max(now, self._whole_at.get((quota.name, limit.scope, key), now))

    def _forget(self, now: float) -> None:
        """Forget a rate that has come back, or else the one that was used longest ago."""
        oldest = [*islice(self._whole_at.items(), LOOKED_AT)]
        del self._whole_at[next((key for key, whole in oldest if whole <= now), oldest[0][0])]


def in_words(seconds: float) -> str:
    """Return a time to wait, rounded up: `1 second`, `20 seconds`, `5 minutes`, `2 hours`."""
    for each, unit in ((HOUR, "hour"), (MINUTE, "minute")):
        if seconds > 2 * each:
            return count(ceil(seconds / each), unit)
    return count(max(1, ceil(seconds)), "second")
