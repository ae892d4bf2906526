"""Five dice under a cup: which of them lie open, who has seen them and how long ago, and how people name some of them.

A seat that looks or rolls sees all five. What it saw stays true until others roll; how many they roll is public, which
ones is not. Places are counted from 1, as in `#1`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain, combinations
from typing import Any

import attrs

from rules.kit import Event, Luck, Malformed, Refused, Seat

DICE, SIDES = 5, 6
PLACES = range(1, DICE + 1)
Place = int


@attrs.frozen
class Roll:
    """Roll the dice at these places, counted from 1 and in order; all of them, or in some games none."""

    places: tuple[Place, ...]


@attrs.frozen
class Accept:
    """Take the dice without doubting what was claimed."""


@attrs.frozen
class Challenge:
    """Call the claim a lie."""


@attrs.frozen
class Rolled(Event):
    """A seat rolled so many dice: all see those that lie open now, it alone all five."""

    seat: Seat
    count: int
    left: int
    """How many rolls it has left."""
    open: tuple[int | None, ...]
    dice: tuple[int, ...] | None

    def seen_by(self, seat: Seat | None) -> Rolled:
        """Return itself for the seat that rolled, for all others what lies open."""
        return self if seat == self.seat else Rolled(self.seat, self.count, self.left, self.open, None)


@attrs.frozen
class Looked(Event):
    """A seat has looked at the dice, which it alone sees."""

    seat: Seat
    dice: tuple[int, ...] | None

    def seen_by(self, seat: Seat | None) -> Looked:
        """Return itself for the seat that looked, for all others that it did."""
        return self if seat == self.seat else Looked(self.seat, None)


@attrs.frozen
class Accepted(Event):
    """A seat has taken the dice without doubting what was claimed."""

    seat: Seat


@attrs.frozen
class Memory:
    """The dice as a seat last saw them, and how many of them others have rolled since."""

    dice: tuple[int, ...]
    since: int = 0
    before: tuple[int, ...] = ()
    """What it saw before its own last roll; nothing where it has only looked."""


@attrs.frozen
class Cup:
    """The dice by place, whether they lie open, and by seat what each remembers (None: it has not seen them)."""

    dice: tuple[int, ...]
    open: tuple[bool, ...]
    memories: tuple[Memory | None, ...]

    @property
    def shown(self) -> tuple[int | None, ...]:
        """The dice that lie open, None for a hidden one."""
        return tuple(face if seen else None for face, seen in zip(self.dice, self.open, strict=True))


@attrs.frozen
class Glimpse:
    """A cup as one seat, or a watcher, may know it."""

    dice: tuple[int | None, ...]
    """What it knows each die to be now: those that lie open, and all where nobody has rolled since it looked."""
    open: tuple[bool, ...]
    last: tuple[int, ...] | None
    """All five as it last saw them, true or not any more."""
    since: tuple[int | None, ...]
    """By seat, how many dice others rolled since it saw them; None where it has not. Looking and rolling is public."""
    before: tuple[int, ...] = ()
    """All five as it saw them before its own last roll."""

    @property
    def known(self) -> bool:
        """Whether it knows all five."""
        return None not in self.dice

    @property
    def seen(self) -> tuple[int, ...]:
        """The dice it knows, in order of place."""
        return tuple(face for face in self.dice if face is not None)


def filled(seats: int, roller: Seat, luck: Luck) -> Cup:
    """Return the cup after all five dice are rolled for a new round; the roller alone sees them."""
    return rolled(Cup((0,) * DICE, (False,) * DICE, (None,) * seats), roller, tuple(PLACES), luck)


def rolled(cup: Cup, roller: Seat, places: Sequence[Place], luck: Luck, *, shows: bool = False) -> Cup:
    """Return the cup after the dice at these places are rolled, in their order, and hidden.

    The roller sees all five. Where it `shows`, the dice it keeps lie open from now on; else those that did still do.
    """
    dice = tuple(luck.roll(SIDES) if place in places else face for place, face in enumerate(cup.dice, 1))
    lying = tuple(place not in places and (shows or before) for place, before in enumerate(cup.open, 1))
    memories = tuple(memory and Memory(memory.dice, memory.since + len(places)) for memory in cup.memories)
    own = cup.memories[roller]
    before = cup.dice if own is not None and own.since == 0 else ()
    return looked(Cup(dice, lying, memories), roller, before)


def looked(cup: Cup, seat: Seat, before: tuple[int, ...] = ()) -> Cup:
    """Return the cup after a seat has seen all five dice, and `before` them those that it then rolled."""
    memories = (*cup.memories[:seat], Memory(cup.dice, 0, before), *cup.memories[seat + 1 :])
    return Cup(cup.dice, cup.open, memories)


def glimpse(cup: Cup, seat: Seat | None) -> Glimpse:
    """Return what a seat may know of the cup; None is a watcher."""
    memory = cup.memories[seat] if seat is not None else None
    since = tuple(None if other is None else other.since for other in cup.memories)
    if memory is None:
        return Glimpse(cup.shown, cup.open, None, since)
    return Glimpse(cup.shown if memory.since else cup.dice, cup.open, memory.dice, since, memory.before)


def imagined(seen: Glimpse, seat: Seat | None, luck: Luck) -> Cup:
    """Return a cup that looks so to the seat, uniform over which dice were rolled since it looked and how they fell.

    What claims may tell of the dice, and which of them once lay open, is left out.
    """
    hidden = [place for place, face in enumerate(seen.dice) if face is None]
    own = None if seat is None else seen.since[seat]
    moved = hidden if own is None else luck.shuffle(hidden)[:own]
    last = seen.last or (0,) * DICE
    now = [last[place] if face is None else face for place, face in enumerate(seen.dice)]
    dice = _fallen(now, moved, luck)
    memories = [
        None if since is None else Memory(_fallen(dice, luck.shuffle(range(DICE))[:since], luck), since)
        for since in seen.since
    ]
    if seat is not None and seen.last is not None and own is not None:
        memories[seat] = Memory(seen.last, own, seen.before)
    return Cup(dice, seen.open, tuple(memories))


def _fallen(dice: Sequence[int], moved: Collection[int], luck: Luck) -> tuple[int, ...]:
    return tuple(luck.roll(SIDES) if place in moved else face for place, face in enumerate(dice))


def subsets() -> tuple[tuple[Place, ...], ...]:
    """Return every choice of dice to roll, none left out but none at all: all five first, then few before many."""
    return (tuple(PLACES), *(some for size in range(1, DICE) for some in combinations(PLACES, size)))


def checked(places: Sequence[Place], left: int) -> None:
    """Let a roll of these dice pass with so many rolls left; raises `Refused`."""
    if left < 1:
        raise Refused("no-rolls-left")
    if tuple(places) != tuple(place for place in PLACES if place in places):
        raise Refused("bad-dice")


# How people name dice.


@attrs.frozen
class Named:
    """Dice as a person names them, by place and by face, each face as often as it is meant."""

    places: tuple[Place, ...]
    faces: tuple[int, ...]


def named(text: str, faces: Callable[[str], Sequence[int]]) -> Named:
    """Return the dice meant by `all`, `none`, `#1 #3` or some faces; raises `Malformed`.

    `faces` returns the faces that a word of the game's own names, none where it is no such word.
    """
    words = text.casefold().replace(",", " ").split()
    if words in (["all"], ["none"]):
        return Named(tuple(PLACES) if words == ["all"] else (), ())
    places = tuple(int(word[1:]) for word in words if _PLACE.fullmatch(word))
    shown = [tuple(faces(word)) for word in words if not word.startswith("#")]
    if not words or not all(shown) or len(places) + len(shown) < len(words) or len(set(places)) < len(places):
        raise Malformed(text)
    return Named(places, tuple(face for word in shown for face in word))


_PLACE = re.compile(rf"#[1-{DICE}]")


def found(meant: Named, dice: Sequence[int | None]) -> tuple[Place, ...]:
    """Return the places of the dice meant, among dice of which some may not be known.

    Raises `Refused` where a face is not there: `peek-first` if it may lie under the cup, else `no-such-die`.
    """
    places = list(meant.places)
    for face in meant.faces:
        place = next((one for one in PLACES if dice[one - 1] == face and one not in places), None)
        if place is None:
            raise Refused("peek-first" if None in dice else "no-such-die", face=face)
        places.append(place)
    return tuple(sorted(places))


def others(places: Collection[Place]) -> tuple[Place, ...]:
    """Return the places of the other dice."""
    return tuple(place for place in PLACES if place not in places)


@attrs.frozen
class Joined(Sequence[Any]):
    """Some lists of moves, one after the other, none of them written out."""

    parts: tuple[Sequence[Any], ...]

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[one] for one in range(len(self))[place]]
        left = range(len(self))[place]
        for part in self.parts:
            if left < len(part):
                return part[left]
            left -= len(part)
        raise IndexError(place)

    def __contains__(self, move: object) -> bool:
        return any(move in part for part in self.parts)

    def __iter__(self) -> Iterator[Any]:
        return chain.from_iterable(self.parts)
