"""People on other nodes whom nobody here needs to know in full: they are made when someone looks at them.

A dictionary of people holds a small value for each of them, which makes the person when it is asked for them. So all
code sees everyone, and pays for the people that it looks at. It halves the CPU of learning of a login at another node
(25 to 13 us) and the memory (2.1 to 0.9 KiB). To remove it, let `RemotePeople` in
`lilygames.nodes.presence.remote_people` put nobody at a distance.
"""

from __future__ import annotations

from collections.abc import ItemsView, Mapping, ValuesView
from typing import Generic, Protocol, TypeVar, cast

from lilygames.chat.names.names import fold
from lilygames.chat.people.profile import Profile

L = TypeVar("L", bound="Connectable")
L_co = TypeVar("L_co", covariant=True)


class Connectable(Protocol):
    """Someone who may be connected."""

    @property
    def name(self) -> str:
        """Their name as it is written."""

    @property
    def here(self) -> bool:
        """Whether they are connected, on any node."""


class Distant(Protocol[L_co]):
    """Someone on another node who isn't known in full."""

    @property
    def name(self) -> str:
        """Their name as it is written."""

    @property
    def node(self) -> str:
        """The node that serves them."""

    @property
    def here(self) -> bool:
        """Whether they are connected."""

    @property
    def away(self) -> bool:
        """Whether they are away, by choice or because they are idle."""

    @property
    def guest(self) -> bool:
        """Whether they are a guest."""

    @property
    def since(self) -> float:
        """When they arrived, in seconds since 1970."""

    @property
    def typed(self) -> float:
        """About when they last typed, in seconds since 1970."""

    @property
    def profile(self) -> Profile:
        """A profile with at least their blurb, pronoun and formulas."""

    def come_near(self) -> L_co:
        """Replace this value in all dictionaries by the person, and return them."""


class Near(Protocol[L]):
    """The people of a dictionary who aren't distant."""

    @property
    def people(self) -> Mapping[L, object]:
        """All of them."""


class PeopleByName(dict[str, L], Generic[L]):
    """A dictionary of people by folded name. Some may be distant; looking at one makes the person."""

    near: Near[L]

    def __init__(self) -> None:
        super().__init__()
        self._distant: dict[str, Distant[L]] = {}
        self._distant_here = 0

    def __getitem__(self, name: str) -> L:
        if distant := self._distant.get(name):
            return distant.come_near()
        return super().__getitem__(name)

    def get(self, name: str, default: L | None = None) -> L | None:  # type: ignore[override]  # None is enough
        """Return the person of this name, or the default."""
        if name in self._distant:
            return self[name]
        return super().get(name, default)

    def values(self) -> ValuesView[L]:  # type: ignore[override]  # the same, without a private type
        """Return all people; that makes all of them."""
        if self._distant:
            self.bring_near()
        return super().values()

    def items(self) -> ItemsView[str, L]:  # type: ignore[override]
        """Return all people by folded name; that makes all of them."""
        self.bring_near()
        return super().items()

    def bring_one_near(self, name: str) -> None:
        """Make the person of this name, if they are distant."""
        if distant := self._distant.get(name):
            distant.come_near()

    def bring_near(self) -> None:
        """Make all people who are distant."""
        for distant in [*self._distant.values()]:
            distant.come_near()

    def distant(self, name: str) -> Distant[L] | None:
        """Return someone who is distant; None if nobody of this name is, perhaps because they are near."""
        return self._distant.get(name)

    @property
    def has_distant(self) -> bool:
        """Whether anyone is distant."""
        return bool(self._distant)

    def known(self, name: str) -> L | None:
        """Return the person of this name if they are near."""
        return None if name in self._distant else super().get(name)

    def nearby(self) -> list[L]:
        """Return the people who aren't distant; among them is everyone whom this node serves."""
        return [*self.near.people]

    def far(self) -> list[Distant[L]]:
        """Return the people who are distant."""
        return [*self._distant.values()]

    def known_part(self, name: str) -> L | Distant[L] | None:
        """Return as much as is known of the person of this name; that makes nobody."""
        return super().get(name)

    def known_parts(self) -> list[tuple[str, L | Distant[L]]]:
        """Return all people by folded name, as much as is known of each; that makes nobody."""
        return [*super().items()]

    def is_here(self, name: str) -> bool:
        """Whether someone of this name is connected, here or at another node; that makes nobody."""
        known = self.known_part(fold(name))
        return known is not None and known.here

    def put_at_distance(self, name: str, distant: Distant[L]) -> None:
        """Add someone who is distant, or replace them by what is known now."""
        if before := self._distant.get(name):
            self._distant_here -= before.here
            dict.__setitem__(self, name, cast("L", distant))  # `__getitem__` makes the person of it
        else:
            super().__setitem__(name, cast("L", distant))
        self._distant[name] = distant
        self._distant_here += distant.here

    def forget_distant(self, name: str) -> None:
        """Remove someone who is distant."""
        self._distant_here -= self._distant.pop(name).here
        super().pop(name)
