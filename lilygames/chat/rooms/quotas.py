"""Quotas as people meet them: refusals in words, a line in the log, and what other nodes have to know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from lilygames import log_events
from lilygames.chat.people.observers import LimitUsed
from lilygames.chat.people.people import Person
from lilygames.errors import UserError
from lilygames.limits import quota
from lilygames.limits.addresses import Networks, is_in
from lilygames.limits.quota import INVITATION, MESSAGE, Held, Quota, Quotas, Refusal, Who

LOGGED_AGAIN = 60.0
"""Seconds until another refusal of the same quota to the same address is logged."""
ANSWERED = 10_000
"""Maximum pairs of people of which one has written to the other that are remembered."""
LOGGED = 1000
"""Maximum addresses whose last refusal in the log is remembered."""
Key = Callable[[str], str]
Things = Callable[[Quota, Who], Sequence[object]]
"""Returns what someone holds, to be named in a refusal."""


def nothing(_: Quota, __: Who) -> Sequence[object]:
    """Name nothing."""
    return ()


class PeopleQuotas:
    """Uses quotas for people and for addresses.

    `key_of` returns the key of a name, and `publish` tells other nodes. Addresses in the networks `exempt` have no
    limit. `registering` is the quota of new names, which the sysop sets.
    """

    def __init__(
        self,
        uses: Quotas,
        *,
        key_of: Key,
        now: Callable[[], float],
        publish: Callable[[LimitUsed], object],
        exempt: Networks,
        registering: Quota,
    ) -> None:
        self.uses = uses
        self.registering = registering
        self._key_of, self._now, self._publish, self._exempt = key_of, now, publish, exempt
        self._shared: Mapping[str, Quota] = {one.name: one for one in (registering, *quota.SHARED)}
        self._logged: dict[tuple[str, str], float] = {}
        self._written: dict[tuple[str, str], None] = {}
        """The keys of people who have written to someone privately, each with that of the other person."""

    def at(self, address: str, about: str = "") -> Who:
        """Return someone who hasn't logged in, at an address."""
        return Who("", address, about, exempt=is_in(address, self._exempt))

    def who(self, person: Person, about: str = "") -> Who:
        """Return a person who asks for something, maybe about someone else by name."""
        asked = self.at(person.origin, self._key_of(about) if about else "")
        return Who(self._key_of(person.name), asked.address, asked.about, person.guest, asked.exempt)

    def is_used_up(self, which: Quota, who: Who) -> bool:
        """Return whether someone couldn't use a quota now."""
        return self.uses.refusal(which, who, self._now()) is not None

    def check(
        self,
        which: Quota,
        who: Who,
        things: Things = nothing,
        *,
        number: int = 1,
        about: str = "",
        held: Held | None = None,
    ) -> None:
        """Raise `UserError` if someone couldn't use a quota so many times now; nothing is used.

        `held` is what exists, if the quota isn't counted by tables.
        """
        if refused := self.uses.refusal(which, who, self._now(), number, held):
            self.uses.refuse(refused)
            self._refuse(refused, who, things, about)

    def use(self, which: Quota, who: Who, things: Things = nothing, *, number: int = 1, about: str = "") -> None:
        """Use a quota; raises `UserError` if it is used up."""
        if refused := self.take(which, who, number):
            self._say(refused, who, things, about)

    def take(self, which: Quota, who: Who, number: int = 1) -> Refusal | None:
        """Use a quota and return None, or return and log why that can't be."""
        refused = self.uses.take(which, who, self._now(), number)
        if refused:
            self._log(refused, who)
        elif which.name in self._shared and who.address:
            self._publish(LimitUsed(which.name, who.address))
        return refused

    def count(self, name: str, address: str) -> None:
        """Count a use at another node, unless it is of a quota that only a later release knows."""
        if which := self._shared.get(name):
            self.uses.count(which, self.at(address), self._now())

    def write(self, person: Person, names: Sequence[str]) -> None:
        """Use the budget of private messages to those who haven't written to a person; raises `UserError`."""
        own = self._key_of(person.name)
        strangers = [name for name in names if (self._key_of(name), own) not in self._written]
        asking = [(name, self.who(person, name)) for name in strangers if self._key_of(name) != own]
        for name, who in asking:
            self.check(MESSAGE, who, about=name)
        for name, who in asking:
            self.use(MESSAGE, who, about=name)
        self.wrote(person.name, names)

    def wrote(self, by: str, names: Sequence[str]) -> None:
        """Record that someone has written to others privately, here or at another node: they may answer freely."""
        for name in names:
            pair = self._key_of(by), self._key_of(name)
            self._written.pop(pair, None)
            self._written[pair] = None
        while len(self._written) > ANSWERED:
            del self._written[next(iter(self._written))]

    def invite(self, person: Person, names: Sequence[str]) -> None:
        """Use the budget of invitations to some people; raises `UserError`."""
        for name in names:
            self.check(INVITATION, self.who(person, name), number=1, about=name)
        for name in names:
            self.use(INVITATION, self.who(person, name), about=name)

    def accepted(self, person: Person, inviters: Iterable[str]) -> None:
        """Let those whose invitation a person has accepted invite them again."""
        for name in inviters:
            self.uses.free(INVITATION, "pair", Who(self._key_of(name), about=self._key_of(person.name)).key("pair"))

    def _refuse(self, refused: Refusal, who: Who, things: Things, about: str) -> None:
        self._log(refused, who)
        self._say(refused, who, things, about)

    @staticmethod
    def _say(refused: Refusal, who: Who, things: Things, about: str) -> None:
        listed = things(refused.quota, who) if refused.scope == "person" else ()
        raise UserError(refused.sentence(about=about, things=listed))

    def _log(self, refused: Refusal, who: Who) -> None:
        """Log a refusal, but not each of a flood."""
        key, now = (refused.quota.name, who.address or who.person), self._now()
        if now - self._logged.get(key, float("-inf")) < LOGGED_AGAIN:
            return
        self._logged.pop(key, None)
        self._logged[key] = now
        while len(self._logged) > LOGGED:
            del self._logged[next(iter(self._logged))]
        log_events.limit(refused.quota.name, scope=refused.scope, address=who.address, name=who.person)
