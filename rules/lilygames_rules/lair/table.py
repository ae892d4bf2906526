"""Options, phases, state and views of Liar's Lair."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

import attrs

from lilygames_rules.kit import Luck, Seat
from lilygames_rules.lair import cards as laircards
from lilygames_rules.lair import hands
from lilygames_rules.lair.hands import Deck, Seen, Shape
from lilygames_rules.lair.moves import Reason, Told, Way


@attrs.frozen
class Options:
    """Table options; the first value of each is the README's rule, the others are its variations."""

    each: int = 3
    """Truths per player, and equally many lies."""
    deal: Literal["even", "random"] = "even"
    start: Literal["left", "right"] = "left"
    """Side of the old starting player on which the new one sits."""
    spare: int = 0
    """Extra pairs mixed in, so that a card's opposite may not be in the game."""
    absolution: bool = False
    knockout: Literal["loot", "gift", "discard"] = "loot"
    """Card from a knocked-out hand: taken by the victor, given to the victor, or put on the table."""
    characters: Literal["off", "related", "own-truths", "own-lies", "secret"] = "off"
    marks: Literal["dealt", "assist"] = "dealt"
    """Cards marked true or false: the ones dealt to the player, or also those that follow from them."""
    volunteer: bool = True
    cards: str = "standard"
    """Card set: `standard`, `generated`, or the name of an added set, with its pairs in `pairs`."""
    max_rounds: int = 60
    pairs: tuple[tuple[str, str], ...] = attrs.field(default=(), repr=False, metadata={"host": True})
    """Pairs of an added set; the server fills them in (`with_cards`), so that they are saved with the table."""

    def with_cards(self, find: Callable[[str], str | None]) -> Options:
        """Return the options with the pairs of the set that `cards` names.

        `find` returns the text of an added set, None if there is none; `start` then refuses. Raises `Malformed` with a
        sentence about the text. Built-in sets need no text.
        """
        text = None if self.pairs or self.cards in laircards.OURS else find(self.cards)
        return self if text is None else attrs.evolve(self, pairs=laircards.read(text))

    def shape(self, seats: int, cast: tuple[str, ...] = ()) -> Shape:
        """Return the deal for that many seats; a secret character is dealt the lies about itself."""
        own = {"own-truths": True, "own-lies": False, "secret": False}.get(self.characters)
        return Shape(seats, self.each, self.spare, self.deal == "random", cast, own)


# Phases. `waiting` holds the seats still to act, in order; that is public.


@attrs.frozen
class Volunteering:
    """Everyone may volunteer to start, all at once."""

    waiting: tuple[Seat, ...]
    willing: tuple[Seat, ...] = ()


@attrs.frozen
class Playing:
    """Each plays a card in turn."""

    waiting: tuple[Seat, ...]


@attrs.frozen
class Spoils:
    """The victor or the victim chooses a card from the knocked-out hand; then the round continues."""

    victor: Seat
    victim: Seat
    waiting: tuple[Seat, ...]
    after: tuple[Seat, ...]


@attrs.frozen
class Reclaiming:
    """Each takes a card from the table in turn."""

    waiting: tuple[Seat, ...]


@attrs.frozen
class Declaring:
    """Everyone may declare, all at once."""

    waiting: tuple[Seat, ...]
    declared: tuple[tuple[Seat, Way], ...] = ()


@attrs.frozen
class Proving:
    """Each may expose a card to the first declarer, in turn."""

    waiting: tuple[Seat, ...]
    declared: tuple[tuple[Seat, Way], ...]


@attrs.frozen
class Over:
    """The game is over: winners and reason."""

    winners: tuple[Seat, ...]
    reason: Reason
    waiting: tuple[Seat, ...] = ()


Phase = Volunteering | Playing | Spoils | Reclaiming | Declaring | Proving | Over


@attrs.frozen
class Round:
    """A round: number, starter (None before the first), cards played by seat, and knock-outs."""

    number: int
    starter: Seat | None
    played: tuple[tuple[Seat, int], ...] = ()
    victors: tuple[Seat, ...] = ()


@attrs.frozen
class Match:
    """The public part of the game: options, seats, round, phase, and the seats knocked out, in order.

    `cast` has the characters by name; `revealed` has the seats that have shown theirs.
    """

    options: Options
    seats: int
    cast: tuple[str, ...]
    round: Round
    phase: Phase
    out: tuple[Seat, ...] = ()
    revealed: tuple[Seat, ...] = ()

    @property
    def answering(self) -> tuple[Seat, ...]:
        """The seats to move: all waiting ones if everyone acts at once, otherwise the first."""
        waiting = self.phase.waiting
        return waiting if isinstance(self.phase, Volunteering | Declaring) else waiting[:1]

    def living(self, first: Seat = 0) -> tuple[Seat, ...]:
        """Return the seats still in the game, clockwise from `first`."""
        around = ((first + step) % self.seats for step in range(self.seats))
        return tuple(seat for seat in around if seat not in self.out)


@attrs.frozen
class State:
    """The public part, the cards, and the characters by seat."""

    match: Match
    deck: Deck
    characters: tuple[str, ...] = ()

    def after(self, phase: Phase, deck: Deck | None = None, **changed: Any) -> State:
        """Return the state in another phase, with other cards and match fields if given."""
        match = attrs.evolve(self.match, phase=phase, **changed)
        return State(match, deck or self.deck, self.characters)

    def told(self, numbers: Iterable[int]) -> tuple[Told, ...]:
        """Return cards with their words."""
        return tuple((number, self.deck.text(number)) for number in numbers)


@attrs.frozen
class View:
    """The game as a seat or a spectator (None) sees it: cards it has read, hand sizes and known characters."""

    seat: Seat | None
    match: Match
    cards: tuple[Seen, ...]
    sizes: tuple[int, ...]
    characters: tuple[str, ...]

    def at(self, place: int | None) -> tuple[Seen, ...]:
        """Return the cards known to be in a seat's hand or on the table."""
        return tuple(card for card in self.cards if card.place == place)

    def mark(self, card: Seen) -> bool | None:
        """Return a card's mark for the viewer: true, false, or None for unknown.

        A card that wasn't dealt to the viewer has no mark, or reclaiming would reveal truths for free (our reading).
        """
        return card.true if card.dealt or self.match.options.marks == "assist" else None


def view(state: State, seat: Seat | None) -> View:
    """Return everything `seat` may know; None is a spectator."""
    match, deck = state.match, state.deck
    sizes = tuple(len(deck.at(other)) for other in range(match.seats))
    return View(seat, match, deck.seen_by(seat), sizes, known_characters(match, state.characters, seat))


def known_characters(match: Match, characters: tuple[str, ...], seat: Seat | None) -> tuple[str, ...]:
    """Return the known characters by seat; a secret one is known only to its player until it is revealed."""
    if match.options.characters != "secret":
        return characters
    return tuple(name if other == seat or other in match.revealed else "" for other, name in enumerate(characters))


def sample(view: View, luck: Luck) -> State:
    """Return a random state that is consistent with `view` (see `lairhands.imagined`)."""
    match = view.match
    unknown = iter(luck.shuffle([name for name in match.cast if name not in view.characters]))
    characters = tuple(name or next(unknown) for name in view.characters)
    shape = match.options.shape(match.seats, characters)
    return State(match, hands.imagined(shape, view.seat, view.sizes, view.cards, luck), characters)
