"""Profiles: stored settings, blurb, info, memos, memberships and notification rules."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice
from typing import ClassVar
from zoneinfo import ZoneInfo

import attrs
import structlog

from lilygames import codec
from lilygames.chat.names import zones
from lilygames.chat.names.names import fold
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Store, StoreUnavailable

log = structlog.get_logger()
RETRY = 1.0
"""Seconds until a failed write is retried."""
SLOW = "slow"
"""The setting of those who need longer where others wait for them."""
MEMORY = "memory"
"""Setting for how long bots remember a person: "on" for good, "auto" until they leave, "off" not at all."""
PAGE = "page"
"""Setting for a person's public page: "off" for none, "here" for one that search engines leave out, "all" for one."""
TOGETHER = 100
"""Profiles written at once, so that the store saves them as a group."""


@attrs.frozen
class Profile:
    """Everything stored about a person, apart from the account; names of people and rooms are folded."""

    STORED_AS: ClassVar = "Belongings"

    settings: dict[str, str] = attrs.field(factory=dict)
    """Values set with `/set`, by name."""
    blurb: str = ""
    info: tuple[str, ...] = ()
    memos: dict[str, str] = attrs.field(factory=dict)
    rooms: tuple[str, ...] = ()
    """Rooms joined, spelled as written, in the order of joining."""
    sends_to: str = ""
    """Default recipients of plain text, `~NAME` and `-ROOM` separated by commas; empty for the current room."""
    groups: dict[str, tuple[str, ...]] = attrs.field(factory=dict)
    """The person's own groups: a name for several recipients, each `~NAME` or `-ROOM`."""
    noise: dict[str, dict[str, bool]] = attrs.field(factory=dict)
    """Rules of `/notify`, `/signal` and `/timestamp`: on or off, by `notify event thing`."""
    ignored: dict[str, tuple[str, ...]] = attrs.field(factory=dict)
    """Ignored people, and where they are ignored: `private`, `public`, `all`, or names of rooms."""
    blocked: tuple[str, ...] = ()
    formula: tuple[str, ...] = ()
    """Invitations to decline automatically: `guests`, `rated`, `unrated`, `all`, or a game's name."""
    accepts: str = attrs.field(default="", metadata={codec.LATER: True})
    """Formula of the seeks and invitations to accept; empty for any that `formula` doesn't decline."""
    seeks: tuple[str, ...] = attrs.field(default=(), metadata={codec.LATER: True})
    """Seeks to hear of, each as a game's name and a formula: `ohell rating>30`."""
    friends: tuple[str, ...] = attrs.field(default=(), metadata={codec.LATER: True})
    """People whose logins they want to hear of."""
    pronoun: str = attrs.field(default="", metadata={codec.LATER: True})
    """The pronoun that stands for them, as in "has changed her blurb"; empty for "their"."""
    reputations: dict[str, tuple[int, int]] | None = attrs.field(default=None, metadata={codec.LATER: True})
    """Habits of theirs that a bot remembers, as how often yes and no; None if there are none.

    The key is `GAME BOT` for their lies, else `GAME BOT HABIT`.
    """
    seen: float = 0.0
    """When they were last here, in seconds since 1970."""

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of the times that they type and see."""
        return zones.zone_of(self.settings)

    @property
    def stored(self) -> Profile:
        """The profile as it is saved: without what bots remember, unless they may remember for good."""
        return self if self.settings.get(MEMORY) == "on" else attrs.evolve(self, reputations=None)

    def without(self, names: Collection[str]) -> Profile:
        """Return the profile without some people (folded names), who were deleted."""

        def stays(mark: str) -> bool:
            return not (mark.startswith("~") and fold(mark[1:]) in names)

        groups = {name: tuple(filter(stays, marks)) for name, marks in self.groups.items()}
        return attrs.evolve(
            self,
            sends_to=",".join(filter(stays, self.sends_to.split(","))),
            groups={name: marks for name, marks in groups.items() if marks},
            noise={
                sense: {key: on for key, on in rules.items() if fold(key.partition(" ")[2]) not in names}
                for sense, rules in self.noise.items()
            },
            ignored={name: where for name, where in self.ignored.items() if fold(name) not in names},
            blocked=tuple(name for name in self.blocked if fold(name) not in names),
            friends=tuple(name for name in self.friends if fold(name) not in names),
        )

    def with_names(self, now: Callable[[str], str]) -> Profile:
        """Return the profile with everyone under their current name."""

        def called(name: str) -> str:
            return fold(now(name))

        def marked(mark: str) -> str:
            return f"~{now(mark[1:])}" if mark.startswith("~") else mark

        return attrs.evolve(
            self,
            sends_to=",".join(map(marked, self.sends_to.split(","))),
            groups={name: tuple(map(marked, marks)) for name, marks in self.groups.items()},
            noise={
                sense: {_about(key, called): on for key, on in rules.items()} for sense, rules in self.noise.items()
            },
            ignored={called(name): where for name, where in self.ignored.items()},
            blocked=tuple(map(called, self.blocked)),
            friends=tuple(map(called, self.friends)),
        )

    def with_rooms(self, now: Callable[[str], str]) -> Profile:
        """Return the profile with every room under its current name."""

        def called(name: str) -> str:
            return fold(now(name))

        def marked(mark: str) -> str:
            return f"-{now(mark[1:])}" if mark.startswith("-") else mark

        def listed(word: str) -> str:
            return f"-{called(word[1:])}" if word.startswith("-") else called(word)

        return attrs.evolve(
            self,
            rooms=tuple(dict.fromkeys(map(now, self.rooms))),
            sends_to=",".join(map(marked, self.sends_to.split(","))),
            groups={name: tuple(map(marked, marks)) for name, marks in self.groups.items()},
            noise={
                sense: {_about(key, called): on for key, on in rules.items()} for sense, rules in self.noise.items()
            },
            ignored={name: tuple(map(listed, where)) for name, where in self.ignored.items()},
            blocked=tuple(map(called, self.blocked)),
        )


NEW = Profile()
"""The profile of someone new."""


def _about(rule: str, called: Callable[[str], str]) -> str:
    event, space, thing = rule.partition(" ")
    return f"{event}{space}{called(thing)}"


def _settings_in(body: str) -> Mapping[str, str]:
    """Return the settings in a stored profile, without reading the rest of it."""
    try:
        found = json.loads(body).get("settings", {})
    except (ValueError, AttributeError):
        return {}
    return found if isinstance(found, dict) else {}


class ProfileStore:
    """Stores profiles by account key, writing them in the background."""

    def __init__(self, store: Store, unreadable: UnreadableRows | None = None) -> None:
        self._store = store
        self._unreadable = UnreadableRows() if unreadable is None else unreadable
        self._waiting: dict[str, Profile | None] = {}
        self._task: asyncio.Task[None] | None = None

    async def load(self, key: str) -> Profile:
        """Return a stored profile, or an empty one for a new person.

        An unreadable profile is copied to an `unreadable` record of that kind and key before it is overwritten.
        """
        if key in self._waiting:
            return self._waiting[key] or Profile()
        body = await self._store.find("belongings", key)
        try:
            return codec.from_text(body, Profile) if body else Profile()
        except ValueError as problem:
            self._unreadable.report("belongings", key, problem)
            await self._store.keep("unreadable", f"belongings/{key}", body or "")
            return Profile()

    async def settings_of(self, keys: Sequence[str]) -> dict[str, Mapping[str, str]]:
        """Return the settings of several people by account key; none for someone without a readable profile."""
        unsaved = {key: self._waiting[key] for key in keys if key in self._waiting}  # they may be saved meanwhile
        bodies = await self._store.find_each("belongings", [key for key in keys if key not in unsaved])
        stored = {key: _settings_in(body) for key, body in bodies.items()}
        return stored | {key: profile.settings for key, profile in unsaved.items() if profile}

    def case(self, key: str) -> str:
        """Return the case number of an unreadable profile; empty if it was readable."""
        return self._unreadable.case("belongings", key)

    def keep(self, key: str, profile: Profile | None) -> None:
        """Save a profile in the background, or delete it (None); returns at once."""
        self._waiting[key] = profile
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._write())

    @property
    def unsaved(self) -> int:
        """The number of profiles that wait to be saved."""
        return len(self._waiting)

    async def _write(self) -> None:
        while self._waiting:
            await asyncio.gather(*(self._written(*one) for one in [*islice(self._waiting.items(), TOGETHER)]))

    async def _written(self, key: str, profile: Profile | None) -> None:
        try:
            if profile is None:
                await self._store.forget("belongings", key)
            else:
                await self._store.keep("belongings", key, codec.to_text(profile))
        except StoreUnavailable as problem:
            log.warning("a profile can't be saved", key=key, why=str(problem))
            await asyncio.sleep(RETRY)
        else:
            if self._waiting.get(key) is profile:
                del self._waiting[key]

    async def carry(self) -> dict[str, Profile | None]:
        """Stop writing, and return the profiles that aren't saved yet, for the next process."""
        if self._task:
            self._task.cancel()
            await asyncio.wait({self._task})
        return self._waiting

    async def finish(self) -> None:
        """Wait until everything is saved."""
        while self._task and not self._task.done():
            await asyncio.wait({self._task})
