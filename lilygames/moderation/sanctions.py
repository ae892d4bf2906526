"""The sanctions in force. The host asks them who may come in and whose words may reach others."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lilygames import codec
from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.people.gate import Banned, Muted
from lilygames.chat.people.people import Person
from lilygames.errors import UserError
from lilygames.moderation.actions import Action, Standing
from lilygames.moderation.addresses import covers
from lilygames.moderation.audit import ADDRESS, STANDING
from lilygames.recovery.salvage import readable
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Store


class Sanctions:
    """Everyone's record, by account key, and the banned networks."""

    def __init__(
        self, store: Store, accounts: Accounts, clock: Callable[[], float], unreadable: UnreadableRows
    ) -> None:
        self._store = store
        self._accounts = accounts
        self._clock = clock
        self._unreadable = unreadable
        self._standings: dict[str, Standing] = {}
        self._nearby: tuple[Action, ...] = ()
        """Mutes and bans of people that also affect guests at their address; some may have ended."""
        self.networks: dict[str, Action] = {}
        """Bans of everyone in a network, by network."""

    async def load(self) -> None:
        """Read all records. Damaged ones don't count. Raises `StoreUnavailable`."""
        for key, body in (await readable(self._store, STANDING, self._unreadable)).items():
            try:
                self._standings[key] = codec.from_text(body, Standing)
            except ValueError as problem:
                self._unreadable.report(STANDING, key, problem)
        for address, body in (await readable(self._store, ADDRESS, self._unreadable)).items():
            try:
                self.networks[address] = codec.from_text(body, Action)
            except ValueError as problem:
                self._unreadable.report(ADDRESS, address, problem)
        self._nearby = self._with_addresses()

    async def learn(self, action: Action) -> None:
        """Update the records after an action."""
        if action.key:
            self._standings[action.key] = self.standing(action.key).after(action)
        for address in action.addresses if action.everyone else ():
            if action.kind == "ban":
                self.networks[address] = action
            else:
                self.networks.pop(address, None)
        self._nearby = self._with_addresses()

    def _with_addresses(self) -> tuple[Action, ...]:
        return tuple(one for one in self.in_force() if one.addresses)

    def standing(self, key: str) -> Standing:
        """Return the record of an account key."""
        return self._standings.get(key, Standing())

    def of(self, name: str) -> Standing:
        """Return the record of a name."""
        return self.standing(self._accounts.key(name))

    # the host's questions

    def check_address(self, address: str) -> None:
        """Raise `Banned` if nobody may connect from an address."""
        if ban := self._ban_of_all(address):
            raise Banned(f"nobody can log in from your address until {ban.ends}. The reason: {ban.why}")

    def check_entry(self, name: str, address: str, *, guest: bool) -> None:
        """Raise `Banned` if someone may not log in with this name from this address."""
        self.check_address(address)
        now, standing = self._clock(), self.of(name)
        if ban := standing.banned(now):
            raise Banned(f"{name} is banned until {ban.ends}. The reason: {ban.why}", appeals=standing.may_appeal())
        if guest and (ban := self._around(address, "ban")):
            raise Banned(f"guests can't come in from your address until {ban.ends}. Log in with your own name.")

    def check_new_name(self, address: str) -> None:
        """Raise `UserError` if nobody may choose a new name at this address."""
        if sanction := self._around(address, "ban") or self._around(address, "mute"):
            what = "Log in with your own name" if sanction.kind == "ban" else "Log in with your own name, or type guest"
            raise UserError(f"new names can't be chosen at your address until {sanction.ends}. {what}.")

    def check_voice(self, person: Person) -> None:
        """Raise `Muted` if nothing that a person writes may reach others."""
        if not self._standings:
            return
        mute = self.of(person.name).muted(self._clock())
        if mute is None and person.guest:
            mute = self._around(person.origin, "mute")
        if mute:
            raise Muted(
                f"you're muted until {mute.ends}, so nobody gets this. You can still play."
                " Type /audit to see why, or /appeal TEXT to appeal."
            )

    def _ban_of_all(self, address: str) -> Action | None:
        now = self._clock()
        bans = (ban for ban in self.networks.values() if ban.lasts(now) and covers(ban.addresses, address))
        return next(bans, None)

    def _around(self, address: str, kind: str) -> Action | None:
        """Return a sanction of a person that also affects guests and new names at an address."""
        now = self._clock()
        return next(
            (one for one in self._nearby if one.kind == kind and one.lasts(now) and covers(one.addresses, address)),
            None,
        )

    def in_force(self) -> Iterator[Action]:
        """Yield the mutes and bans of people that are in force."""
        now = self._clock()
        for standing in self._standings.values():
            for one in (standing.muted(now), standing.banned(now)):
                if one:
                    yield one
