"""Commands and lines shared by the exact-bid games: events, the table, prompts and refusals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lilygames.commands import command
from lilygames.game import Reader
from lilygames.games.families.cards.spoken import by_suit
from lilygames.games.families.cards.words import card_in, cards_in
from lilygames.text import count, listing
from lilygames_rules.cards import Card
from lilygames_rules.kit import Seat
from lilygames_rules.tricks import exactbid
from lilygames_rules.tricks.exactbid import (
    Bid,
    BidMade,
    CardPlayed,
    Deal,
    GameEnded,
    HandDealt,
    Play,
    RoundScored,
    Row,
    Sight,
    TrickCancelled,
    TrickWon,
)
from lilygames_rules.tricks.trick import winning

_AS_WORDS = 2
"""Most numbers that are listed one by one rather than as a range."""
_ROWS = 12
"""Number of latest rounds on the score sheet."""


@command("bid")
def bid(_: Any, tricks: int) -> Bid:
    """Say how many tricks you will take, no more and no fewer: /bid 2."""
    return Bid(tricks)


# Events.


def _hand(event: HandDealt, reader: Reader) -> str:
    whose = "Your" if event.seat == reader.seat else f"{reader.names[event.seat]}'s"
    return f"{whose} hand: {cards_in(event.cards, reader)}"


def _played(event: CardPlayed, reader: Reader) -> str:
    shown = card_in(event.card, reader)
    return reader.says(event.seat, f"plays {shown}.", f"play {shown}.")


def _taken(event: TrickWon, reader: Reader) -> str:
    trick = f"the trick with {card_in(event.card, reader)} ({event.taken} taken, {event.bid} bid)."
    return reader.says(event.seat, f"takes {trick}", f"take {trick}")


def _cancelled(event: TrickCancelled, reader: Reader) -> str:
    again = reader.says(event.leader, "leads again.", "lead again.")
    return f"The trick is cancelled: nobody takes it. {again}"


def _scored(event: RoundScored, reader: Reader) -> str:
    totals = enumerate(event.scores)
    seats = ", ".join(f"{reader.who(seat)} {event.points[seat]:+} ({total})" for seat, total in totals)
    return f"Round {event.number} (totals): {seats}."


TOLD: Mapping[type, Callable[[Any, Reader], str]] = {
    HandDealt: _hand,
    BidMade: lambda event, reader: reader.says(event.seat, f"bids {event.tricks}.", f"bid {event.tricks}."),
    CardPlayed: _played,
    TrickWon: _taken,
    TrickCancelled: _cancelled,
    RoundScored: _scored,
    GameEnded: lambda *_: "",
}
"""The line for each shared event; each game words the start of a round itself."""


# The table.


def opening(deal: Deal, rounds: int) -> str:
    """Return the line that opens a round: `Round 2 of 5: 2 cards each.`."""
    each = "one card each" if deal.cards == 1 else f"{deal.cards} cards each"
    return f"Round {deal.number} of {rounds}: {each}."


def trump(deal: Deal, reader: Reader, more: str = "") -> str:
    """Return the trump line with the card turned up; `more` is added behind the card."""
    turned = f" ({card_in(deal.turned, reader)} turned up{more})" if deal.turned else ""
    return f"Trump is {deal.trump.word}{turned}." if deal.trump else f"There is no trump{turned}."


def table(now: Sight, scores: Sequence[int], reader: Reader) -> Sequence[str]:
    """Return a row per seat, the last trick, and the current trick with its winning card in brackets."""
    rows = [_seat_row(now, seat, scores[seat], reader) for seat in now.deal.order]
    if now.tricks and not now.trick:
        last = now.tricks[-1]
        rows.append(f"Last trick: {_trick(last.leader, last.cards, now.deal, reader)}")
    return [*rows, f"Trick: {_trick(exactbid.leader(now), now.trick, now.deal, reader) or 'no card yet'}"]


def _seat_row(now: Sight, seat: Seat, score: int, reader: Reader) -> str:
    bid = now.bids[seat]
    stands = "no bid yet" if bid is None else f"bid {bid}, took {now.taken[seat]}"
    dealer = ", dealer" if seat == now.deal.dealer else ""
    return f"{reader.who(seat)}: {stands}, {count(score, 'point')}{dealer}"


def _trick(leader: Seat, cards: Sequence[Card], deal: Deal, reader: Reader) -> str:
    best = winning(cards, deal.trump, deal.crowned, deal.dupes) if cards else None
    return ", ".join(
        f"{reader.who(deal.left_of(leader, place))} " + (_winning(shown, reader) if place == best else shown)
        for place, shown in enumerate(card_in(card, reader) for card in cards)
    )


def _winning(shown: str, reader: Reader) -> str:
    return f"{shown} to win" if reader.voice.spoken else f"[{shown}]"


def hand(view: Any, reader: Reader) -> Sequence[str]:
    """Return the seat's hand."""
    held = view.round.hand if view.round else ()
    if held and reader.voice.spoken:
        return [f"Hand: {by_suit(held)}."]
    return [f"Your hand: {cards_in(held, reader)}" if held else "You have no cards."]


def score(view: Any, reader: Reader) -> Sequence[str]:
    """Return the totals, and the bids and tricks of the latest rounds."""
    totals = listing(f"{reader.who(seat)} {total}" for seat, total in enumerate(view.match.scores))
    sheet = list(enumerate(view.match.sheet, 1))[-_ROWS:]
    return [f"Totals: {totals}.", *(_sheet_row(number, row, reader) for number, row in sheet)]


def _sheet_row(number: int, row: Row, reader: Reader) -> str:
    seats = ", ".join(
        f"{reader.who(seat)} {row.taken[seat]} of {row.bids[seat]} {points:+}" for seat, points in enumerate(row.points)
    )
    return f"Round {number}, {count(row.cards, 'card')}: {seats}"


# Moves and refusals.


def numbers(open_to: Sequence[int], reader: Reader) -> str:
    """Return `0 or 1`, `0-5` or `0-5, but not 2`; at most one number between is missing."""
    if len(open_to) <= _AS_WORDS:
        return listing(map(str, open_to), "or")
    low, high = open_to[0], open_to[-1]
    missing = sum(range(low, high + 1)) - sum(open_to)
    span = f"{low} to {high}" if reader.voice.spoken else f"{low}-{high}"
    return f"{span}, but not {missing}" if len(open_to) <= high - low else span


def spell(move: Any) -> str:
    """Return a bid or a card as it is typed, without the slash."""
    return f"bid {move.tricks}" if isinstance(move, Bid) else f"play {move.card}"


def word(move: Any, _: Any, reader: Reader) -> str:
    """Return a bid or a card in words."""
    return f"play {card_in(move.card, reader)}" if isinstance(move, Play) else spell(move)


def _open_bids(facts: Mapping[str, Any], reader: Reader) -> str:
    return numbers([tricks for tricks in range(facts["cards"] + 1) if tricks != facts["barred"]], reader)


def _must_follow(facts: Mapping[str, Any], reader: Reader) -> str:
    suit, legal = facts["suit"], facts["cards"]
    follow, free = ([card for card in legal if (card.suit is suit) is led] for led in (True, False))
    besides = f", or play {cards_in(free, reader)}" if free else ""
    return f"you must follow {suit.word}: {cards_in(follow, reader)}{besides}."


def refusals(name: str, phases: Mapping[str, str]) -> Mapping[str, str | Callable[[Mapping[str, Any], Reader], str]]:
    """Return the refusals of the engine; `phases` words what a player does in the game's own phases."""
    doing = {"bid": "bid", "play": "play a card", **phases}
    return {
        "game-over": f"this game is over. Type /quick {name} to play another.",
        "not-your-turn": lambda facts, reader: f"wait for {reader.names[facts['turn']]} to {doing[facts['phase']]}.",
        "wrong-phase": lambda facts, _: f"you have to {doing[facts['phase']]} now; /moves lists your choices.",
        "bad-bid": lambda facts, reader: f"bid {_open_bids(facts, reader)}.",
        "hook": lambda facts, reader: (
            f"the bids can't add up to {count(facts['cards'], 'trick')}: bid {_open_bids(facts, reader)}."
        ),
        "not-in-hand": lambda facts, reader: (
            f"you don't have {card_in(facts['card'], reader)}; you can play {cards_in(facts['cards'], reader)}."
        ),
        "must-follow": _must_follow,
    }
