"""Five dice under a cup: open and hidden dice, what each seat has seen, and how people name dice.

A seat that looks or rolls sees all five dice, and knows them until others roll. Everyone knows how many dice are
rolled, but not which. Places are counted from 1, as in `#1`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain, combinations
from typing import Any

import attrs

from lilygames_rules.kit import Event, Luck, Malformed, Refused, Seat

DICE, SIDES = 5, 6
PLACES = range(1, DICE + 1)
Place = int


@attrs.frozen
class Roll:
    """Roll the dice at these places, counted from 1 and in order; some games allow none."""

    places: tuple[Place, ...]


@attrs.frozen
class Accept:
    """Accept the claim and take the dice."""


@attrs.frozen
class Challenge:
    """Challenge the claim."""


@attrs.frozen
class Rolled(Event):
    """A seat rolled dice: everyone sees the open ones, only the roller sees all five."""

    seat: Seat
    count: int
    left: int
    """Rolls the seat has left."""
    open: tuple[int | None, ...]
    dice: tuple[int, ...] | None

    def seen_by(self, seat: Seat | None) -> Rolled:
        """Return the whole event for the seat that rolled, only the open dice for others."""
        return self if seat == self.seat else Rolled(self.seat, self.count, self.left, self.open, None)


@attrs.frozen
class Looked(Event):
    """A seat looked at the dice; only that seat sees them."""

    seat: Seat
    dice: tuple[int, ...] | None

    def seen_by(self, seat: Seat | None) -> Looked:
        """Return the whole event for the seat that looked, without the dice for others."""
        return self if seat == self.seat else Looked(self.seat, None)


@attrs.frozen
class Accepted(Event):
    """A seat accepted the claim and took the dice."""

    seat: Seat


@attrs.frozen
class Memory:
    """The dice as a seat last saw them, and how many dice others have rolled since."""

    dice: tuple[int, ...]
    since: int = 0
    before: tuple[int, ...] = ()
    """The dice before its own last roll; empty if it has only looked."""
    first: tuple[int, ...] = ()
    """The dice before the first of its own rolls since it looked; empty if it has only looked."""


@attrs.frozen
class Cup:
    """The dice by place, whether they are open, and each seat's memory of them (None: not seen)."""

    dice: tuple[int, ...]
    open: tuple[bool, ...]
    memories: tuple[Memory | None, ...]
    rolls: tuple[int, ...] = ()
    """How often each seat has rolled in this round. Everyone knows it, but only luck needs it, so no view has it."""

    @property
    def shown(self) -> tuple[int | None, ...]:
        """The open dice, None for each hidden one."""
        return tuple(face if seen else None for face, seen in zip(self.dice, self.open, strict=True))


@attrs.frozen
class Glimpse:
    """A cup as one seat or a spectator sees it."""

    dice: tuple[int | None, ...]
    """The dice it knows: the open ones, or all five if nobody has rolled since it looked."""
    open: tuple[bool, ...]
    last: tuple[int, ...] | None
    """All five dice as it last saw them; they may have changed."""
    since: tuple[int | None, ...]
    """Dice rolled since each seat last saw them, None if it never did; looking and rolling are public."""
    before: tuple[int, ...] = ()
    """All five dice before its own last roll."""
    first: tuple[int, ...] = ()
    """All five dice before the first of its own rolls since it looked."""

    @property
    def known(self) -> bool:
        """Whether it knows all five dice."""
        return None not in self.dice

    @property
    def seen(self) -> tuple[int, ...]:
        """The dice it knows, in order of place."""
        return tuple(face for face in self.dice if face is not None)


def filled(seats: int, roller: Seat, luck: Luck, *, number: int) -> Cup:
    """Roll all five dice for the round with this number; only the roller sees them."""
    return rolled(Cup((0,) * DICE, (False,) * DICE, (None,) * seats), roller, tuple(PLACES), luck, number=number)


def rolled(cup: Cup, roller: Seat, places: Sequence[Place], luck: Luck, *, number: int, shows: bool = False) -> Cup:
    """Roll the dice at these places, in order, and hide them; it is round `number`.

    The roller sees all five. With `shows`, the dice it keeps are open from now on; otherwise open dice stay open. Each
    die has luck of its own, so it doesn't matter to one die whether others are rolled, too.
    """
    rolls = tuple(made + (seat == roller) for seat, made in enumerate(cup.rolls or (0,) * len(cup.memories)))
    dice = tuple(
        luck.for_("roll", number, roller, rolls[roller], place).roll(SIDES) if place in places else face
        for place, face in enumerate(cup.dice, 1)
    )
    lying = tuple(place not in places and (shows or before) for place, before in enumerate(cup.open, 1))
    memories = tuple(memory and Memory(memory.dice, memory.since + len(places)) for memory in cup.memories)
    own = cup.memories[roller]
    before = cup.dice if own is not None and own.since == 0 else ()
    first = own.first or before if own is not None and before else ()
    return looked(Cup(dice, lying, memories, rolls), roller, before, first)


def looked(cup: Cup, seat: Seat, before: tuple[int, ...] = (), first: tuple[int, ...] = ()) -> Cup:
    """Return the cup after a seat has seen all five dice.

    `before` and `first` are what they were before its last roll and before its first.
    """
    memories = (*cup.memories[:seat], Memory(cup.dice, 0, before, first), *cup.memories[seat + 1 :])
    return Cup(cup.dice, cup.open, memories, cup.rolls)


def glimpse(cup: Cup, seat: Seat | None) -> Glimpse:
    """Return the cup as a seat sees it; None is a spectator."""
    memory = cup.memories[seat] if seat is not None else None
    since = tuple(None if other is None else other.since for other in cup.memories)
    if memory is None:
        return Glimpse(cup.shown, cup.open, None, since)
    return Glimpse(cup.shown if memory.since else cup.dice, cup.open, memory.dice, since, memory.before, memory.first)


def imagined(seen: Glimpse, seat: Seat | None, luck: Luck) -> Cup:
    """Return a random cup that looks the same to the seat.

    It is uniform over which dice were rolled since the seat looked, and over their faces. It ignores claims and dice
    that used to be open.
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
        memories[seat] = Memory(seen.last, own, seen.before, seen.first)
    return Cup(dice, seen.open, tuple(memories))


def _fallen(dice: Sequence[int], moved: Collection[int], luck: Luck) -> tuple[int, ...]:
    return tuple(luck.roll(SIDES) if place in moved else face for place, face in enumerate(dice))


def subsets() -> tuple[tuple[Place, ...], ...]:
    """Return every non-empty choice of dice to roll: all five first, then from one die up."""
    return (tuple(PLACES), *(some for size in range(1, DICE) for some in combinations(PLACES, size)))


def checked(places: Sequence[Place], left: int) -> None:
    """Check a roll of these dice with `left` rolls left; raises `Refused`."""
    if left < 1:
        raise Refused("no-rolls-left")
    if tuple(places) != tuple(place for place in PLACES if place in places):
        raise Refused("bad-dice")


# How people name dice.


@attrs.frozen
class Named:
    """Dice as a person names them: places, and faces (repeated for several dice)."""

    places: tuple[Place, ...]
    faces: tuple[int, ...]


def named(text: str, faces: Callable[[str], Sequence[int]]) -> Named:
    """Parse `all`, `none`, `#1 #3` or faces; raises `Malformed`.

    `faces` returns the faces for one of the game's own words, empty for other words.
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
    """Return the places of the dice meant; unknown dice are None.

    Raises `Refused` if a face isn't there: `peek-first` if it may be hidden, else `no-such-die`.
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
    """Several lists of moves joined without copying them."""

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

    def index(self, move: Any, start: int = 0, stop: int | None = None) -> int:
        """Return the place of a move, as the lists themselves find it; raises `ValueError`."""
        before = 0
        for part in self.parts:
            if move in part and (place := before + part.index(move)) in range(len(self))[start:stop]:
                return place
            before += len(part)
        raise ValueError(move)
