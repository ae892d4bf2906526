"""Positions of Liar's Lair as text: `a+ b-` is a hand with the truth of pair a and the lie of pair b."""

from __future__ import annotations

from typing import Any

import attrs

from lilygames_rules import liarslair
from lilygames_rules.kit import Scripted
from lilygames_rules.lair import rounds
from lilygames_rules.lair.hands import Card, Deck, Pair
from lilygames_rules.lair.moves import Declare, Discard, Expose, Gift, Pass, Play, Reclaim, Take, Volunteer
from lilygames_rules.lair.table import Declaring, Match, Options, Round, State, Volunteering

VERBS = {
    "play": Play, "take": Take, "gift": Gift, "discard": Discard, "reclaim": Reclaim, "expose": Expose,
    "declare": Declare, "pass": Pass, "volunteer": Volunteer,
}  # fmt: skip
SEATS = "ABCDEFGH"


@attrs.frozen
class Lair:
    """A game after some moves: its state, its last events, and the numbers of the cards by name."""

    state: Any
    events: tuple[Any, ...]
    names: dict[str, int]

    def then(self, *lines: str) -> Lair:
        """Return the game after lines like `A play a-`."""
        lair = self
        for line in lines:
            step = liarslair.apply(lair.state, SEATS.index(line[0]), lair.read(line), Scripted())
            lair = Lair(step.state, step.events, self.names)
        return lair

    def read(self, line: str) -> Any:
        _, verb, *what = line.split()
        return VERBS[verb](*(self.names.get(word, word) for word in what))

    def named(self, numbers: Any) -> str:
        """The names of cards, in order."""
        return " ".join(sorted(name for name, number in self.names.items() if number in numbers))

    def hand(self, seat: str) -> str:
        return self.named(self.state.deck.at(SEATS.index(seat)))

    @property
    def table(self) -> str:
        return self.named(self.state.deck.at(-1))

    @property
    def living(self) -> str:
        return "".join(SEATS[seat] for seat in self.state.match.living())

    @property
    def asked(self) -> str:
        """The seats with a move."""
        return "".join(SEATS[seat] for seat in self.state.match.answering)

    @property
    def phase(self) -> str:
        return type(self.state.match.phase).__name__

    def view(self, seat: str | None) -> Any:
        return liarslair.view(self.state, None if seat is None else SEATS.index(seat))

    def marks(self, seat: str) -> dict[str, str]:
        """The marks that a seat sees on its hand."""
        view = self.view(seat)
        names = {number: name for name, number in self.names.items()}
        signs = {True: "T", False: "F", None: "?"}
        return {names[card.number]: signs[view.mark(card)] for card in view.at(view.seat)}

    def happened(self, kind: type) -> Any:
        return [event for event in self.events if isinstance(event, kind)]


def lair(*hands: str, starter: str = "A", number: int = 1, declaring: bool = False, **options: Any) -> Lair:
    """Return a round that is about to begin (or to end, if declaring) with these hands, just as they were dealt."""
    held = [(seat, name) for seat, hand in enumerate(hands) for name in hand.split()]
    letters = sorted({name[:-1] for _, name in held})
    cards = [
        Card(letters.index(name[:-1]), name[-1] == "+", seat, seat, frozenset({seat}), frozenset({seat}))
        for seat, name in held
    ]
    deck = Deck(tuple(Pair(f"{letter} yes", f"{letter} no") for letter in letters), tuple(cards))
    each = len(hands[0].split()) // 2
    match = Match(Options(each=each, **options), len(hands), (), Round(number, None), Volunteering(()))
    step = rounds.begun(State(match, deck), number, SEATS.index(starter), ())
    state = step.state.after(Declaring(step.state.match.living(SEATS.index(starter)))) if declaring else step.state
    return Lair(state, step.events, {name: place for place, (_, name) in enumerate(held, 1)})
