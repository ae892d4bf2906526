"""What a table of Liar's Lair agrees on and how it stands, and what of that each may know."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

import attrs

from rules.kit import Luck, Seat
from rules.lair import cards as laircards
from rules.lair import hands
from rules.lair.hands import Deck, Seen, Shape
from rules.lair.moves import Reason, Told, Way


@attrs.frozen
class Options:
    """The house rules of a table: the README has the first value of each, and the others as variations."""

    each: int = 3
    """How many truths and how many lies each gets."""
    deal: Literal["even", "random"] = "even"
    start: Literal["left", "right"] = "left"
    """On which side of the old starting player the new one sits."""
    spare: int = 0
    """How many pairs more than needed are mixed in, so that a card's contrary may not be in play."""
    absolution: bool = False
    knockout: Literal["loot", "gift", "discard"] = "loot"
    """The victor takes a card of the departing hand, or is given one, or one is put on the table."""
    characters: Literal["off", "related", "own-truths", "own-lies", "secret"] = "off"
    marks: Literal["dealt", "assist"] = "dealt"
    """Which cards are marked as true or false: those one was dealt, or also those whose truth follows from that."""
    volunteer: bool = True
    cards: str = "standard"
    """The card set: `standard`, `generated`, or the name of one whose pairs are given in `pairs`."""
    max_rounds: int = 60
    pairs: tuple[tuple[str, str], ...] = attrs.field(default=(), repr=False, metadata={"host": True})
    """The pairs of an added set: the host fills them in (`with_cards`), so that they are kept with the table."""

    def with_cards(self, find: Callable[[str], str | None]) -> Options:
        """Return the house rules with the pairs of the card set that `cards` names.

        `find` gives the text of an added set by its name, None where there is none: `start` refuses that. Raises
        `Malformed` with a sentence about the text. Our own sets need no text.
        """
        text = None if self.pairs or self.cards in laircards.OURS else find(self.cards)
        return self if text is None else attrs.evolve(self, pairs=laircards.read(text))

    def shape(self, seats: int, cast: tuple[str, ...] = ()) -> Shape:
        """Return what is dealt to so many; a secret character is dealt the lies about itself."""
        own = {"own-truths": True, "own-lies": False, "secret": False}.get(self.characters)
        return Shape(seats, self.each, self.spare, self.deal == "random", cast, own)


# How it stands. Of every phase `waiting` are the seats still to answer, in order, which everybody may know.


@attrs.frozen
class Volunteering:
    """Who would start is asked, all at once."""

    waiting: tuple[Seat, ...]
    willing: tuple[Seat, ...] = ()


@attrs.frozen
class Playing:
    """Each plays a card in turn."""

    waiting: tuple[Seat, ...]


@attrs.frozen
class Spoils:
    """The victor, or the victim, chooses a card of the departing hand; then the others play on."""

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
    """Who declares is asked, all at once."""

    waiting: tuple[Seat, ...]
    declared: tuple[tuple[Seat, Way], ...] = ()


@attrs.frozen
class Proving:
    """Each may expose a card to the first of those who have declared, in turn."""

    waiting: tuple[Seat, ...]
    declared: tuple[tuple[Seat, Way], ...]


@attrs.frozen
class Over:
    """Who has won and why."""

    winners: tuple[Seat, ...]
    reason: Reason
    waiting: tuple[Seat, ...] = ()


Phase = Volunteering | Playing | Spoils | Reclaiming | Declaring | Proving | Over


@attrs.frozen
class Round:
    """The round: its number, who started it (None before the first), the cards played by whom, who knocked out whom."""

    number: int
    starter: Seat | None
    played: tuple[tuple[Seat, int], ...] = ()
    victors: tuple[Seat, ...] = ()


@attrs.frozen
class Match:
    """What everybody may know: the house rules, the seats, the round, its phase, and who is out, in order.

    `cast` are the characters in order of names; `revealed` are the seats that have said who they are.
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
        """The seats with a move: all who wait where all are asked at once, otherwise the first of them."""
        waiting = self.phase.waiting
        return waiting if isinstance(self.phase, Volunteering | Declaring) else waiting[:1]

    def living(self, first: Seat = 0) -> tuple[Seat, ...]:
        """Return the seats still in the game, clockwise from `first`."""
        around = ((first + step) % self.seats for step in range(self.seats))
        return tuple(seat for seat in around if seat not in self.out)


@attrs.frozen
class State:
    """What everybody may know, the cards, and who plays which character."""

    match: Match
    deck: Deck
    characters: tuple[str, ...] = ()

    def after(self, phase: Phase, deck: Deck | None = None, **changed: Any) -> State:
        """Return the state in another phase, with other cards and other things of the match where they are given."""
        match = attrs.evolve(self.match, phase=phase, **changed)
        return State(match, deck or self.deck, self.characters)

    def told(self, numbers: Iterable[int]) -> tuple[Told, ...]:
        """Return cards with their words."""
        return tuple((number, self.deck.text(number)) for number in numbers)


@attrs.frozen
class View:
    """What a seat, or a watcher (None), may know: the cards that it has read, how many each holds, known characters."""

    seat: Seat | None
    match: Match
    cards: tuple[Seen, ...]
    sizes: tuple[int, ...]
    characters: tuple[str, ...]

    def at(self, place: int | None) -> tuple[Seen, ...]:
        """Return the cards that are known to be with a seat, or on the table."""
        return tuple(card for card in self.cards if card.place == place)

    def mark(self, card: Seen) -> bool | None:
        """Return what a card is marked as for who looks: true, false, or None: neither was told.

        A card that one was never dealt has no mark, or reclaiming would tell for nothing what is true (our reading).
        """
        return card.true if card.dealt or self.match.options.marks == "assist" else None


def view(state: State, seat: Seat | None) -> View:
    """Return all that `seat` may know; None is a watcher."""
    match, deck = state.match, state.deck
    sizes = tuple(len(deck.at(other)) for other in range(match.seats))
    return View(seat, match, deck.seen_by(seat), sizes, known_characters(match, state.characters, seat))


def known_characters(match: Match, characters: tuple[str, ...], seat: Seat | None) -> tuple[str, ...]:
    """Return who plays whom; a secret character is known to itself alone until it is revealed."""
    if match.options.characters != "secret":
        return characters
    return tuple(name if other == seat or other in match.revealed else "" for other, name in enumerate(characters))


def sample(view: View, luck: Luck) -> State:
    """Return a state that `view` could come from (see `lairhands.imagined`)."""
    match = view.match
    unknown = iter(luck.shuffle([name for name in match.cast if name not in view.characters]))
    characters = tuple(name or next(unknown) for name in view.characters)
    shape = match.options.shape(match.seats, characters)
    return State(match, hands.imagined(shape, view.seat, view.sizes, view.cards, luck), characters)
