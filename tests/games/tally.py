"""Tally, a toy trick game for tests of the server: bid how many tricks you take, with growing and shrinking hands.

Its engine is that of the trick games. It is part of the tests so that no test of the server needs a real game.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import attrs

from lilygames import Game, Reader, Reads, command, declared
from lilygames.games.families.cards.words import card_in
from lilygames.games.families.tricks import spoken, words
from lilygames.games.families.tricks.bots.players import Players
from lilygames.games.families.tricks.bots.scene import Stakes
from lilygames.spoken import told
from lilygames.text import count
from lilygames_rules import kit
from lilygames_rules.cards import DECK, Card
from lilygames_rules.kit import Luck, Outcome, Refused, Seat, Step
from lilygames_rules.tricks import exactbid, game
from lilygames_rules.tricks.exactbid import (
    Bid,
    BidMade,
    CardPlayed,
    Deal,
    Dealt,
    GameEnded,
    HandDealt,
    Play,
    Round,
    RoundScored,
    Row,
    TrickWon,
)
from lilygames_rules.tricks.trick import led_suit

NAME, VERSION, SEATS = "tally", 1, range(2, 13)
FEWEST = 3


@attrs.frozen
class Options:
    max: int | Literal["ask"] = "ask"
    hook: bool = True
    first_dealer: Literal["random", "host"] = "random"


@attrs.frozen
class ChooseMax:
    """Pick how many cards the largest hands have."""

    cards: int


Move = ChooseMax | Bid | Play


@attrs.frozen
class DealerDrawn(kit.Event):
    seat: Seat
    most: int | None


@attrs.frozen
class MaxChosen(kit.Event):
    seat: Seat | None
    cards: int
    rounds: int


Event = DealerDrawn | MaxChosen | Dealt | HandDealt | BidMade | CardPlayed | TrickWon | RoundScored | GameEnded


@attrs.frozen
class Match:
    options: Options
    seats: int
    first: Seat
    largest: int
    scores: tuple[int, ...]
    sheet: tuple[Row, ...]

    @property
    def rounds(self) -> int:
        return 2 * self.largest - 1


State = game.State[Match]
View = game.View[Match]
view = game.view


def score(bid: int, taken: int, cards: int) -> int:
    return -(abs(bid - taken) ** 3) if bid != taken else 10 + (bid * bid if bid else cards)


def most(seats: int) -> int:
    """Return the largest hand that leaves a card to turn up."""
    return (len(DECK) - 1) // seats


def start(seats: int, options: Options, purses: Sequence[int], luck: Luck) -> Step[State]:
    if seats not in SEATS:
        raise Refused("bad-seats", low=SEATS[0], high=SEATS[-1])
    first = 0 if options.first_dealer == "host" else luck.choice(range(seats))
    match = Match(options, seats, first, 0, (0,) * seats, ())
    if options.max == "ask":
        return Step(State(match, None), (DealerDrawn(first, most(seats)),))
    return chosen(match, None, options.max, (DealerDrawn(first, None),), luck)


def turn(state: State | View) -> Seat | None:
    if state.round is not None:
        return state.round.turn
    return None if state.match.largest else state.match.first


def phase(state: State) -> str:
    return exactbid.phase(state.round) if state.match.largest else "max"


def barred(match: Match, now: Round) -> int | None:
    return exactbid.evening_bid(now) if match.options.hook else None


def moves(state: State, seat: Seat) -> Sequence[Any]:
    now = state.round
    if seat != turn(state):
        return ()
    if now is None:
        return tuple(map(ChooseMax, range(FEWEST, most(state.match.seats) + 1)))
    return game.moves(state.match, now, barred)


def apply(state: State, seat: Seat, move: Any, luck: Luck) -> Step[State]:
    match, now = state.match, state.round
    if seat != turn(state):
        raise exactbid.not_now(turn(state), phase(state))
    if now is None:
        if isinstance(move, ChooseMax):
            return chosen(match, seat, move.cards, (), luck)
        raise Refused("wrong-phase", phase=phase(state))
    step = game.act(match, now, move, barred)
    return settled(step, luck) if game.is_over(step.state.round) else step


def chosen(match: Match, seat: Seat | None, cards: int, events: tuple[Any, ...], luck: Luck) -> Step[State]:
    if not FEWEST <= cards <= most(match.seats):
        raise Refused("bad-max", low=FEWEST, high=most(match.seats))
    match = attrs.evolve(match, largest=cards)
    return dealt(match, (*events, MaxChosen(seat, cards, match.rounds)), luck)


def dealt(match: Match, events: tuple[Any, ...], luck: Luck) -> Step[State]:
    played = len(match.sheet)
    cards = (*range(1, match.largest), *range(match.largest, 0, -1))[played]
    order, dealer = tuple(range(match.seats)), (match.first + played) % match.seats
    hands, turned = exactbid.hand_out(order, dealer, cards, DECK, luck)
    deal = Deal(played + 1, cards, order, dealer, turned, turned.suit if turned else None, None)
    return game.dealt(match, deal, hands, events)


def settled(step: Step[State], luck: Luck) -> Step[State]:
    match, scored = game.settled(step.state, score)
    if len(match.sheet) < match.rounds:
        return dealt(match, (*step.events, scored), luck)
    ended = GameEnded(match.scores, exactbid.leaders(match.scores))
    return Step(State(match, None), (*step.events, scored, ended))


def outcome(state: State) -> Outcome | None:
    if turn(state) is not None:
        return None
    return Outcome(state.match.scores, exactbid.leaders(state.match.scores), "all rounds are played")


def default(state: State, seat: Seat) -> Any:
    return moves(state, seat)[-1 if state.round is None else 0]


def sample(view: View, luck: Luck) -> State:
    return game.sample(view, DECK, luck)


def french(text: str) -> Card:
    card = Card.parse(text)
    if card.suit is None:
        raise ValueError(text)
    return card


@command("max")
def choose_max(_: View, cards: int) -> ChooseMax:
    """Pick how many cards the largest hands have, if you deal first: /max 5."""
    return ChooseMax(cards)


@command("play")
def play(_: View, card: Annotated[Card, Reads("CARD", french, "a card is like KH or 10C")]) -> Play:
    """Play a card from your hand: /play KH."""
    return Play(card)


def drawn(event: DealerDrawn, reader: Reader) -> str:
    if event.most is None:
        return reader.says(event.seat, "deals first.", "deal first.")
    choice = f"the largest hand, {FEWEST} to {event.most} cards."
    return reader.says(event.seat, f"deals first and picks {choice}", f"deal first and pick {choice}")


def picked(event: MaxChosen, reader: Reader) -> str:
    cards = event.cards
    who = "" if event.seat is None else reader.says(event.seat, f"picks {cards}. ", f"pick {cards}. ")
    return f"{who}Hands of 1 to {cards} cards and back to 1: {count(event.rounds, 'round')}, 1 deck."


def opening(deal: Deal, rounds: int, reader: Reader) -> str:
    return f"{words.opening(deal, rounds)} {words.trump(deal, reader)}"


TOLD = {
    **words.TOLD,
    DealerDrawn: drawn,
    MaxChosen: picked,
    Dealt: lambda event, reader: opening(event.deal, event.rounds, reader),
}
SPOKEN = {**spoken.TOLD, MaxChosen: lambda event, _: f"Rounds: {event.rounds}, 1 to {event.cards} cards and back."}


def tell(event: Event, reader: Reader) -> str:
    return told(event, reader, TOLD, SPOKEN)


def show(view: View, reader: Reader) -> Sequence[str]:
    match, now = view.match, view.round
    if now is None:
        waits = "The game is over." if match.largest else f"{reader.names[match.first]} picks the largest hand."
        return [waits, *words.score(view, reader)]
    begun = [opening(now.deal, match.rounds, reader)]
    if reader.voice.spoken:
        begun = [*spoken.opening(now.deal, match.rounds, reader)]
    return [*begun, *words.table(now, match.scores, reader)]


def ask(view: View, moves: Sequence[Any], reader: Reader) -> str:
    if isinstance(moves[0], ChooseMax):
        sizes = words.numbers([move.cards for move in moves], reader)
        return f"pick the largest hand: {sizes} ({moves[0].cards} makes the shortest game)"
    if isinstance(moves[0], Bid):
        return f"bid {words.numbers([move.tricks for move in moves], reader)}"
    led = led_suit(view.round.trick)
    doing = f"follow {led.word}:" if led and moves[0].card.suit is led else "play"
    point = "" if reader.voice.spoken else "."
    return f"{doing} " + ", ".join(f"{n}{point} {card_in(move.card, reader)}" for n, move in enumerate(moves, 1))


def spell(move: Any) -> str:
    return f"max {move.cards}" if isinstance(move, ChooseMax) else words.spell(move)


def pleasant(_: View, moves: Sequence[Any]) -> Any:
    return min(moves, key=lambda move: abs(move.cards - 7))


def stakes(view: View) -> Stakes:
    return Stakes(DECK, score, hook=view.match.options.hook)


GAME = Game(
    rules=sys.modules[__name__],
    title="Tally",
    credit="a toy",
    commands=declared(choose_max, words.bid, play),
    tell=tell,
    show=show,
    hand=words.hand,
    score=words.score,
    ask=ask,
    spell=spell,
    refusals={
        **words.refusals("tally", {"max": "pick the largest hand"}),
        "bad-seats": "Tally is for {low} to {high} players.",
        "bad-max": "the largest hand must have {low} to {high} cards.",
    },
    pages=Path(__file__).parents[1] / "pages",
    players=Players(pleasant, stakes).levels(),
)
