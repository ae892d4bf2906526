"""The Ohell bot: how its moves are typed, and the words for what happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from lilygames.commands import Reads, command, declared
from lilygames.game import Game, Reader
from lilygames.text import count, listing
from rules import exactbid, ohell
from rules.cards import Card
from rules.exactbid import (
    Bid,
    BidMade,
    CardPlayed,
    Deal,
    Dealt,
    GameEnded,
    HandDealt,
    Play,
    RoundScored,
    Row,
    Sight,
    TrickCancelled,
    TrickWon,
)
from rules.kit import Event, Seat
from rules.ohell import ChooseMax, DealerDrawn, MaxChosen, View
from rules.tricks import led_suit, winning

_AS_WORDS = 2
"""Numbers to choose from that read better as words than as a span."""
_ROWS = 12
"""Rounds that the score sheet shows: the latest ones."""


def _french(text: str) -> Card:
    card = Card.parse(text)
    if card.suit is None:
        raise ValueError(text)
    return card


@command("max")
def choose_max(_: View, cards: int) -> ChooseMax:
    """Pick how many cards the largest hands have, if you deal first: /max 5."""
    return ChooseMax(cards)


@command("bid")
def bid(_: View, tricks: int) -> Bid:
    """Say how many tricks you will take, no more and no fewer: /bid 2."""
    return Bid(tricks)


@command("play")
def play(_: View, card: Annotated[Card, Reads("CARD", _french, "a card is like KH or 10C")]) -> Play:
    """Play a card from your hand: /play KH."""
    return Play(card)


def card_in(card: Card, reader: Reader) -> str:
    """Return the card as the reader likes it: `KS`, `K♠` or `king of spades`."""
    if reader.voice.spoken:
        return card.words
    return card.symbols if reader.voice.suits == "symbols" else str(card)


def cards_in(cards: Sequence[Card], reader: Reader) -> str:
    """Return cards side by side, with commas where they are spoken."""
    return (", " if reader.voice.spoken else " ").join(card_in(card, reader) for card in cards)


def _played(event: CardPlayed, reader: Reader) -> str:
    shown = card_in(event.card, reader)
    return reader.says(event.seat, f"plays {shown}.", f"play {shown}.")


def _drawn(event: DealerDrawn, reader: Reader) -> str:
    if event.most is None:
        return reader.says(event.seat, "deals first.", "deal first.")
    choice = f"the largest hand, {ohell.FEWEST_CARDS} to {event.most} cards."
    return reader.says(event.seat, f"deals first and picks {choice}", f"deal first and pick {choice}")


def _dealt(event: HandDealt, reader: Reader) -> str:
    whose = "Your" if event.seat == reader.seat else f"{reader.names[event.seat]}'s"
    return f"{whose} hand: {cards_in(event.cards, reader)}"


def _max(event: MaxChosen, reader: Reader) -> str:
    cards, decks = event.cards, count(event.decks, "deck")
    picked = "" if event.seat is None else reader.says(event.seat, f"picks {cards}. ", f"pick {cards}. ")
    return f"{picked}Hands of 1 to {cards} cards and back to 1: {event.rounds} rounds, {decks}."


def _taken(event: TrickWon, reader: Reader) -> str:
    trick = f"the trick with {card_in(event.card, reader)} ({event.taken} taken, {event.bid} bid)."
    return reader.says(event.seat, f"takes {trick}", f"take {trick}")


def _cancelled(event: TrickCancelled, reader: Reader) -> str:
    again = reader.says(event.leader, "leads again.", "lead again.")
    return f"The trick is cancelled, nobody takes it. {again}"


def _scored(event: RoundScored, reader: Reader) -> str:
    totals = enumerate(event.scores)
    seats = ", ".join(f"{reader.who(seat)} {event.points[seat]:+} ({total})" for seat, total in totals)
    return f"Round {event.number} (totals): {seats}."


TOLD: Mapping[type, Callable[[Any, Reader], str]] = {
    DealerDrawn: _drawn,
    MaxChosen: _max,
    Dealt: lambda event, reader: _round(event.deal, event.rounds, reader),
    HandDealt: _dealt,
    BidMade: lambda event, reader: reader.says(event.seat, f"bids {event.tricks}.", f"bid {event.tricks}."),
    CardPlayed: _played,
    TrickWon: _taken,
    TrickCancelled: _cancelled,
    RoundScored: _scored,
    GameEnded: lambda *_: "",
}
"""The line for each kind of event."""


def tell(event: Event, reader: Reader) -> str:
    """Return the line for what has happened."""
    return TOLD[type(event)](event, reader)


def _round(deal: Deal, rounds: int, reader: Reader) -> str:
    each = "one card each" if deal.cards == 1 else f"{deal.cards} cards each"
    return f"Round {deal.number} of {rounds}: {each}. {_trump(deal, reader)}"


def _trump(deal: Deal, reader: Reader) -> str:
    if deal.turned is None or deal.trump is None:
        return "There is no trump."
    crowned = ", another of which beats all" if deal.crowned else ""
    return f"Trump is {deal.trump.word} ({card_in(deal.turned, reader)} turned up{crowned})."


def show(view: View, reader: Reader) -> Sequence[str]:
    """Return the table: the round, the trick with the card that wins it now in brackets, and how each seat stands."""
    match, now = view.match, view.round
    if now is None:
        waits = "The game is over." if match.largest else f"{reader.names[match.first]} picks the largest hand."
        return [waits, *score(view, reader)]
    deal = now.deal
    rows = [_round(deal, match.rounds, reader)]
    rows += [_seat_row(view, now, seat, reader) for seat in range(match.seats)]
    if now.tricks and not now.trick:
        last = now.tricks[-1]
        rows.append(f"Last trick: {_trick(last.leader, last.cards, deal, reader)}")
    return [*rows, f"Trick: {_trick(exactbid.leader(now), now.trick, deal, reader) or 'no card yet'}"]


def _seat_row(view: View, now: Sight, seat: Seat, reader: Reader) -> str:
    bid = now.bids[seat]
    stands = "no bid yet" if bid is None else f"bid {bid}, took {now.taken[seat]}"
    dealer = ", dealer" if seat == now.deal.dealer else ""
    return f"{reader.who(seat)}: {stands}, {count(view.match.scores[seat], 'point')}{dealer}"


def _trick(leader: Seat, cards: Sequence[Card], deal: Deal, reader: Reader) -> str:
    best = winning(cards, deal.trump, deal.crowned, deal.dupes) if cards else None
    seats = len(reader.names)
    return ", ".join(
        f"{reader.who((leader + place) % seats)} " + (f"[{shown}]" if place == best else shown)
        for place, shown in enumerate(card_in(card, reader) for card in cards)
    )


def hand(view: View, reader: Reader) -> Sequence[str]:
    """Return the cards that the seat holds."""
    held = view.round.hand if view.round else ()
    return [f"Your hand: {cards_in(held, reader)}" if held else "You hold no cards."]


def score(view: View, reader: Reader) -> Sequence[str]:
    """Return the totals, and what each seat took of its bid in the latest rounds."""
    match = view.match
    totals = listing(f"{reader.who(seat)} {total}" for seat, total in enumerate(match.scores))
    sheet = list(enumerate(match.sheet, 1))[-_ROWS:]
    return [f"Totals: {totals}.", *(_sheet_row(number, row, reader) for number, row in sheet)]


def _sheet_row(number: int, row: Row, reader: Reader) -> str:
    seats = ", ".join(
        f"{reader.who(seat)} {row.taken[seat]} of {row.bids[seat]} {points:+}" for seat, points in enumerate(row.points)
    )
    return f"Round {number}, {count(row.cards, 'card')}: {seats}"


def ask(view: View, moves: Sequence[Any], reader: Reader) -> str:
    """Return what a turn asks for: a number, or one of the cards as `/moves` numbers them."""
    match moves[0]:
        case ChooseMax():
            sizes = _numbers([move.cards for move in moves], reader)
            return f"pick the largest hand: {sizes} ({moves[0].cards} makes the shortest game)"
        case Bid():
            return f"bid {_numbers([move.tricks for move in moves], reader)}"
    led = led_suit(view.round.trick) if view.round else None
    cards = [move.card for move in moves]
    listed = ", ".join(f"{number}. {card_in(card, reader)}" for number, card in enumerate(cards, 1))
    return f"follow {led.word}: {listed}" if led and cards[0].suit is led else f"play {listed}"


def _numbers(open_to: Sequence[int], reader: Reader) -> str:
    """Return `0 or 1`, `0-5` or `0-5, but not 2`; at most one number between is missing."""
    if len(open_to) <= _AS_WORDS:
        return listing(map(str, open_to), "or")
    low, high = open_to[0], open_to[-1]
    missing = sum(range(low, high + 1)) - sum(open_to)
    span = f"{low} to {high}" if reader.voice.spoken else f"{low}-{high}"
    return f"{span}, but not {missing}" if len(open_to) <= high - low else span


def spell(move: Any) -> str:
    """Return how a move is typed, without the slash."""
    match move:
        case ChooseMax(cards):
            return f"max {cards}"
        case Bid(tricks):
            return f"bid {tricks}"
    return f"play {move.card}"


_PHASES = {"max": "pick the largest hand", "bid": "bid", "play": "play a card"}


def _open_bids(facts: Mapping[str, Any], reader: Reader) -> str:
    return _numbers([tricks for tricks in range(facts["cards"] + 1) if tricks != facts["barred"]], reader)


REFUSALS: Mapping[str, str | Callable[[Mapping[str, Any], Reader], str]] = {
    "game-over": "this game is over; /quick ohell starts another.",
    "not-your-turn": lambda facts, reader: f"wait for {reader.names[facts['turn']]} to {_PHASES[facts['phase']]}.",
    "wrong-phase": lambda facts, _: f"now you are to {_PHASES[facts['phase']]}; /moves lists your choices.",
    "bad-seats": "Ohell is for {low} to {high} players.",
    "bad-decks": "decks is auto or {low} to {high}.",
    "bad-max": "the largest hand here is one of {low} to {high} cards.",
    "bad-bid": lambda facts, reader: f"bid {_open_bids(facts, reader)}.",
    "hook": lambda facts, reader: (
        f"the bids may not add up to {count(facts['cards'], 'trick')}: bid {_open_bids(facts, reader)}."
    ),
    "not-in-hand": lambda facts, reader: (
        f"you do not hold {card_in(facts['card'], reader)}; you may play {cards_in(facts['cards'], reader)}."
    ),
    "must-follow": lambda facts, reader: f"you must follow {facts['suit'].word}: {cards_in(facts['cards'], reader)}.",
}

GAME = Game(
    rules=ohell,
    title="Ohell",
    credit="Ohell as written for lily by Paul Stewart; the rules are quoted from its help.",
    commands=declared(choose_max, bid, play),
    tell=tell,
    show=show,
    hand=hand,
    score=score,
    ask=ask,
    spell=spell,
    refusals=REFUSALS,
)
